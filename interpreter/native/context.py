"""What native code and the engine that calls it agree upon: memory, modes, tags, bounds."""

from __future__ import annotations

from gdl.core import Type

#: The words of the context that every native function gets, beside the position.
CONTEXT = (
    "work",  # loop values so far, where the loops could be long
    "seed",  # of the random numbers
    "mode",  # what a search does with each legal run it finds: see `MODES`
    "count",  # legal runs found
    "capacity",  # words free at `out`
    "out",  # where runs are listed
    "path",  # where the choices of the run at hand are written
    "best",  # a path kept
    "history",  # keys of the positions so far
    "hashes",  # hashes of their boards
    "score0",
    "score1",
    "room",  # bytes of the stack that functions may use in calling themselves
    "floor",  # down to which address: 0 until the first does, OUT_OF_STACK where that was not enough
)
WORD = {name: i for i, name in enumerate(CONTEXT)}

#: What a search does with each legal run it finds: write it to `out`, count it, stop, or keep one at random.
MODES = ("list", "count", "any", "keep")
MODE = {name: i for i, name in enumerate(MODES)}

#: How many steps the loops of a turn may take, where they could be long: a second or so at the worst.
BUDGET = 20_000_000

#: How many steps these loops may take in a random game: nobody is heard, and no clock looked at, meanwhile.
LONG_GAME = 30_000_000

#: What stands for the steps where a random game takes more; no turn does.
TOO_LONG = 1 << 62

OUT_OF_STACK = 1

#: The most words of a path that there is room for; where more come up, that is too much work.
LONGEST_PATH = 1 << 14

#: The winner in a verdict that nobody has won.
DRAW = 2

#: What a random game ends with where a turn took too much work.
OVERWORKED = -1

#: The random numbers of each position or playout start this much later than those of the one before.
GOLDEN = 0x9E3779B97F4A7C15

#: The words of the head of a search tree, of a node, and of what stands before the moves of a node.
#: See `interpreter.native.tree.memory`, and for the numbers that guide the search `interpreter.search`.
FOREST = {
    name: i
    for i, name in enumerate(
        (
            "memory", "used", "low", "root", "full", "closed", "stack", "depth", "plies", "seed", "played",
            "moved", "exploration", "bias", "urgency", "wide", "wider", "guided_wide", "guided_wider",
            "opened", "listed", "studied", "worths", "fair", "half",
        )
    )
}  # fmt: skip
#: The words of a sample of random games (see `native.tree.judgement`): what is asked, the lead at the start,
#: how many games went on when they were looked at, after how many plies and with how many pieces less than at
#: the start, how many had less in the end, sums over these games, over those that had an end, and over all.
SAMPLE = {
    name: i
    for i, name in enumerate(
        (
            "seed", "early", "late", "worths", "fair",
            "games", "looked", "taken", "fewer", "leads", "lead_squares",
            "ended", "last_leads", "last_lead_squares", "results", "result_squares", "products",
            "all_games", "plies",
        )
    )
}  # fmt: skip
NODE = {
    name: i for i, name in enumerate(("visits", "sum", "proven", "plies", "first", "tried", "moves", "site"))
}
NODE_WORDS = len(NODE)
MOVES = {name: i for i, name in enumerate(("count", "stride", "mover", "sited", "table", "foreseen"))}
MOVES_WORDS = len(MOVES)

#: What a win of the first person is worth in a search tree; one of the second as much less than nothing.
WIN = 64

#: The length of a move that is the pie rule's swap, in a search tree.
SWAP_PATH = -1

#: How a choice is written in a path: the tag in the highest byte, the value below (a set: behind it).
TAGS = (
    "site", "set", "int", "player", "directions", "kind", "bool", "branch", "pass", "keep", "swap", "prefer",
    "notation",
)  # fmt: skip
TAG = {name: i << 56 for i, name in enumerate(TAGS)}
LOW_BITS = (1 << 56) - 1

#: The tag of the values of each type; sets of one site known to be one have `site`.
TAG_OF = {
    Type.SET: "set", Type.INT: "int", Type.PLAYER: "player", Type.DIRECTIONS: "directions", Type.KIND: "kind",
    Type.BOOL: "bool",
}  # fmt: skip


class TooLarge(Exception):
    """The program is larger than native code is made for."""
