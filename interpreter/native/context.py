"""What native code and the engine that calls it agree on: memory, modes, tags, bounds."""

from __future__ import annotations

from gdl.core import Type

#: The words of the context that every native function gets besides the position.
CONTEXT = (
    "work",  # steps counted so far, in loops that could be long
    "seed",  # of the random numbers
    "mode",  # what a search does with each legal run it finds: see `MODES`
    "count",  # legal runs found
    "capacity",  # words free at `out`
    "out",  # where runs are listed
    "path",  # where the choices of the current run are written
    "best",  # where a path is kept
    "history",  # keys of the positions so far
    "hashes",  # hashes of their boards
    "score0",
    "score1",
    "room",  # bytes of the stack that recursion may use
    "floor",  # the lowest address for that: 0 until recursion begins, OUT_OF_STACK if it was not enough
)
WORD = {name: i for i, name in enumerate(CONTEXT)}

#: What a search does with each legal run it finds: write it to `out`, count it, stop, or keep one at random.
MODES = ("list", "count", "any", "keep")
MODE = {name: i for i, name in enumerate(MODES)}

#: How many steps the possibly long loops of a turn may take: a second or so at worst.
BUDGET = 20_000_000

#: How many steps these loops may take in a random game, during which no interrupt or time limit is noticed.
LONG_GAME = 30_000_000

#: Stands for the steps of a random game that takes more; no turn gets there.
TOO_LONG = 1 << 62

OUT_OF_STACK = 1

#: The most words a path has room for; needing more counts as too much work.
LONGEST_PATH = 1 << 14

#: The winner in the verdict of a draw.
DRAW = 2

#: The result of a random game in which a turn took too much work.
OVERWORKED = -1

#: The seed of each position or playout is this much more than that of the one before.
GOLDEN = 0x9E3779B97F4A7C15

#: The words of the head of a search tree, of a node, and of what precedes the moves of a node.
#: See `interpreter.native.tree.memory`, and `interpreter.search` for the numbers that guide the search.
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
#: The words of a sample of random games (see `native.tree.judgement`): the parameters, the lead at the start,
#: how many games were still going on when examined, after how many plies and with how many pieces fewer than
#: at the start, how many had fewer at the end, sums over these games, over those that ended, and over all.
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

#: What a win of the first person is worth in a search tree; a win of the second is worth minus this.
WIN = 64

#: The length of a move that is the pie rule's swap, in a search tree.
SWAP_PATH = -1

#: How a choice is written in a path: the tag in the highest byte, the value below (a set in the next words).
TAGS = (
    "site", "set", "int", "player", "directions", "kind", "bool", "branch", "pass", "keep", "swap", "prefer",
    "notation",
)  # fmt: skip
TAG = {name: i << 56 for i, name in enumerate(TAGS)}
LOW_BITS = (1 << 56) - 1

#: The tag of the values of each type; a set known to be one site has `site`.
TAG_OF = {
    Type.SET: "set", Type.INT: "int", Type.PLAYER: "player", Type.DIRECTIONS: "directions", Type.KIND: "kind",
    Type.BOOL: "bool",
}  # fmt: skip


class TooLarge(Exception):
    """The program is too large for native code."""
