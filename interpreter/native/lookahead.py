"""What the native alpha-beta search and its callers agree on: its memory, and which positions are the same.

The search keeps what it has found in a table of positions. That is sound only if everything that matters
for the rest of the game is in the position: `identity` says which words these are, and `past` what the
rules make of earlier positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gdl import core as c
from gdl.builtins import LOOKING_BACK
from gdl.parts import calls, walk
from interpreter.native.layout import Layout

#: The words of the head of a search.
HEAD = {
    name: i
    for i, name in enumerate(
        (
            "table", "mask",  # entries, and the number of buckets minus one
            "history",  # how often moves have caused a cutoff, by person and hash
            "replies",  # the same, by the preceding move as well
            "killers",  # the last two moves that caused a cutoff, by the depth left: hashes
            "moves", "room",  # memory for listed moves, and its size in words
            "depth", "alpha", "beta",  # what is asked for
            "guesses",  # value at the horizon: 1 as `Alphabeta` evaluates, 0 a draw
            "worths",  # what the pieces of each plane are worth
            "blind",  # 1: the table decides, and no position counts as a repetition of one after the root
            "generation",  # of the entries
            "limit", "looked",  # how many positions may be examined, and have been
            "stop",  # not 0: stop; set from outside
            "broken",  # 1: stopped before it was finished
            "open",  # 1: the value depends on the horizon
            "best", "value",  # the number of the best move of the root so far, and its value
            "values",  # where to write what each move of the root is worth, or an upper bound on that
            "remembered",  # earlier positions at the root
        )
    )
}  # fmt: skip

#: An entry of the table: both hashes of the position, its bounds, and (effort, generation, best move).
#: Two entries make a bucket: the first keeps what took the most effort, the second what came last.
ENTRY, BUCKET = 4, 8

#: The bounds of an entry are a value and a depth each, from the lowest bit: lower value, lower depth,
#: upper value, upper depth. Values are stored plus `OFFSET`, depths plus 1; a depth of 0 means no bound.
VALUE_BITS, DEPTH_BITS, OFFSET = 16, 12, 1 << 15

#: The stored depth of what does not depend on the horizon, and the depth of the deepest search.
CLOSED, DEEPEST = (1 << DEPTH_BITS) - 1, 400

#: In the last word of an entry, from the lowest bit: the best move plus one, the generation, the effort.
MOVE_BITS, GENERATION_BITS, EFFORT_BITS = 20, 8, 36

#: A win now; a win in n plies is worth n less, and every value from WON up is a win. Guesses are smaller.
WIN, WON, MOST_GUESSED = 32_000, 30_000, 20_000

#: Moves whose hashes have the same highest bits share their history; so do pairs of moves.
HISTORY_BITS, REPLY_BITS = 12, 16

#: The factors of the two hashes: odd, from the golden ratio and from pi.
FACTORS = (0x9E3779B97F4A7C15, 0x243F6A8885A308D3)

_MASK = 0xFFFF_FFFF_FFFF_FFFF


def identity(program: c.CheckedGame, layout: Layout) -> list[int]:
    """The words of a record that decide what can follow, apart from earlier positions."""
    asked = ["cursor", "last_mover", "swapped", "pie"]
    parts = (program.turns, program.play, program.score, program.end)
    asked += [name for name in ("ply", "passes") if calls(parts, {name})]
    words = [*range(layout.key_words), *(layout.register[name] for name in asked)]
    if calls(parts, {"last_move", "changed"}):
        words += range(layout.last_move, layout.last_move + layout.set_words)
    return words


def hashes(record: Sequence[int], words: Sequence[int]) -> tuple[int, int]:
    """Both hashes of a position, the same as in native code."""
    one = two = 0
    for i in words:
        one = (one ^ record[i]) * FACTORS[0] & _MASK
        one ^= one >> 32
        two = (two + record[i]) * FACTORS[1] & _MASK
        two ^= two >> 29
    return one, two


def past(program: c.CheckedGame) -> str:
    """What the rules make of earlier positions.

    "nothing": no rule asks for them.

    "draw": a repetition ends the game as a draw, and nothing else does. A forced win then never needs one:
    a player who can win at all can win in ever fewer plies, and so never returns to a position. So positions
    that repeat one of the search may be treated like any other; only those that repeat one of the real past
    are draws. That holds if board, state and mover (what `repeated` compares) decide how soon the win comes.
    The pie rule is no exception: a player who declines it has all the moves there would be without it. Nor is
    a clock, a state that holds a ply and is read only to call the game a draw some plies later: a player who
    wins late can also win from the same position earlier.

    "more": anything else. No table can hold what is true of a position whatever came before.
    """
    play = (program.turns, program.play, program.score)
    if not calls((*play, program.end), LOOKING_BACK):
        return "nothing"
    for ending in program.end:
        if calls((ending.condition, ending.outcome), LOOKING_BACK) and not _draws_by_repetition(ending):
            return "more"
    hidden = calls((*play, program.end), {"passes", "last_move"}) or calls(program.end, {"changed"})
    jumps = any(isinstance(stmt, c.Again | c.Sides) for stmt in walk(program.turns))
    plain = [(step.once, len(step.players)) for step in program.play] == [(False, 2)]
    alternate = plain and set(program.play[0].players) == {0, 1}
    decided = not hidden and not jumps and alternate and _only_clocks(program)
    return "draw" if decided and not calls(play, LOOKING_BACK) else "more"


def _draws_by_repetition(ending: c.Ending) -> bool:
    match ending.condition:
        case (
            c.Call(function="repeated")
            | c.Call(function="equal_int", args=(c.Call(function="repetitions"), c.Const()))
        ):
            return ending.outcome.kind == "draw"
    return False


def _only_clocks(program: c.CheckedGame) -> bool:
    """Whether `ply` is read only for clocks."""
    clocks = {
        stmt.name for stmt in walk(program.turns) if isinstance(stmt, c.SetState) and list(_ticks(stmt.value))
    }

    def time(node: Any) -> bool:
        return (isinstance(node, c.Call) and node.function == "ply") or _is_state(node, clocks)

    parts = (program.turns, program.play, program.score, program.end)
    read = sum(map(time, walk(parts)))
    for stmt in walk(program.turns):
        if isinstance(stmt, c.SetState) and stmt.name in clocks:
            read -= len([tick for tick in _ticks(stmt.value) if time(tick)])
    for ending in program.end:
        match ending.condition:
            case c.Call(
                function="equal_int", args=(c.Call(function="subtract", args=(ply, state)), c.Const())
            ):
                if time(ply) and _is_state(state, clocks) and ending.outcome.kind == "draw":
                    read -= 2
    return read == 0


def _is_state(node: Any, names: set[str]) -> bool:
    return isinstance(node, c.State) and node.name in names


def _ticks(value: c.Expr) -> Iterator[c.Expr]:
    """What a state may be set to: `ply` (perhaps plus a number), or another state."""
    match value:
        case c.If(then=then, otherwise=otherwise):
            yield from _ticks(then)
            yield from _ticks(otherwise)
        case c.Call(function="ply") | c.State():
            yield value
        case c.Call(function="add", args=(c.Call(function="ply") as ply, c.Const())):
            yield ply
