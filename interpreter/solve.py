"""The proven value of a position under perfect play by both sides: `solve`.

>>> solve(Game.load("tic_tac_toe").start()).outcome
'draw'
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from interpreter.deepening import DEEPEST, WON, Lookahead
from interpreter.game import PERSONS, Move, Position
from interpreter.retrograde import NOBODY, Numbers, enumerate_all

#: How many positions the table has room for, 32 bytes each.
TABLE = 1 << 22

#: Graphs of up to this many positions are written down in full, if looking ahead takes longer than this part
#: of the time.
MOST_POSITIONS = 300_000
AHEAD = 0.2

#: With fewer seconds left there is no time to prepare for that.
LEAST = 1.0

#: The longest line reported from a graph, and how many seconds it may take to find one from the table.
LONGEST_LINE = 60
LINE_SECONDS = 2.0


@frozen
class Solution:
    """What is known for sure about a position."""

    #: The person who wins by force, "draw", or None if that could not be found out.
    outcome: str | None
    #: Good moves of both sides, as far as they are known.
    line: tuple[Move, ...]
    #: In how many plies at most the win comes; None if nobody wins.
    plies: int | None
    #: How many plies deep the search went; None if all positions were written down.
    depth: int | None
    #: How many positions were examined.
    positions: int
    seconds: float


@frozen
class Progress:
    """How far solving has got."""

    #: How many plies deep it is looking; None while all positions are being written down.
    depth: int | None
    #: How many positions there are by now; any thread may ask, at any time.
    positions: Callable[[], int]


def ignore(progress: Progress) -> None:
    """Watch nothing."""


def solve(
    position: Position,
    *,
    seconds: float = 60.0,
    table: int = TABLE,
    watch: Callable[[Progress], None] = ignore,
) -> Solution:
    """Find out who wins, by looking ahead ever deeper and, if the game is small, from its whole graph.

    If nobody can force a win, because the rules say so or because play can go on forever, that is a
    draw. `table` is how many positions there is room for, a power of two. `watch` is called as each stage
    begins. Raises ValueError if the native engine is not playing, TooMuchWork.
    """
    ahead = Lookahead(position, positions=table, guesses=False)
    if position.result is not None:
        return Solution(position.result.person or "draw", (), 0, 0, 1, 0.0)
    start = time.monotonic()

    def told(
        outcome: str | None, line: Iterable[Move], plies: int | None, depth: int | None, looked: int
    ) -> Solution:
        return Solution(outcome, tuple(line), plies, depth, looked, time.monotonic() - start)

    reached = 0
    for until, writes_down in ((start + AHEAD * seconds, True), (start + seconds, False)):
        for depth in _depths(reached):
            reached = depth
            watch(Progress(depth, lambda: ahead.looked))
            outcome, plies, whole = _asked(ahead, depth, until)
            if outcome is not None:
                moves = _line(ahead, position, outcome, max(depth, plies or 0))
                return told(outcome, moves, plies, depth, ahead.looked)
            if not whole:
                break
        left = start + seconds - time.monotonic()
        if writes_down and ahead.past != "more" and left > LEAST:
            numbers: Numbers = {}
            watch(Progress(None, numbers.__len__))
            graph = enumerate_all(position, MOST_POSITIONS, time.monotonic() + AHEAD * seconds, numbers)
            if graph is not None:
                winner, plies = int(graph.winners[0]), int(graph.plies[0])
                line = graph.line(position, LONGEST_LINE)
                if winner == NOBODY:
                    return told("draw", line, None, None, len(graph))
                return told(PERSONS[winner], line, plies, None, len(graph))
    return told(None, (), None, reached, ahead.looked)


def _depths(reached: int) -> Iterator[int]:
    """The depths to look, one after the other, starting with the one reached before."""
    depth = max(1, reached)
    while depth < DEEPEST:
        yield depth
        depth += max(1, depth // 4)
    yield DEEPEST


def _asked(ahead: Lookahead, depth: int, until: float) -> tuple[str | None, int | None, bool]:
    """Who wins within `depth` plies, or that nobody ever does; in how many; whether the search finished."""
    wins = ahead.look(depth, alpha=WON - 1, beta=WON, until=until)
    if wins.proven is not None:
        return wins.proven, wins.plies, True
    loses = ahead.look(depth, alpha=-WON, beta=1 - WON, until=until)
    if loses.proven is not None:
        return loses.proven, loses.plies, True
    return ("draw" if wins.closed and loses.closed else None), None, wins.whole and loses.whole


def _line(ahead: Lookahead, position: Position, outcome: str, depth: int) -> Iterator[Move]:
    """Moves that keep the outcome, as far as the table makes them easy to find."""
    until = time.monotonic() + LINE_SECONDS
    for left in range(depth, 0, -1):
        if position.over:
            return
        ahead.position = position
        if outcome == "draw":
            alpha, beta = -1, 0
        elif outcome == position.person:
            alpha, beta = WON - 1, WON
        else:
            alpha, beta = -WON, 1 - WON
        found = ahead.look(left, alpha=alpha, beta=beta, until=until)
        if not found.whole or found.move is None:
            return
        yield found.move
        position = position.play(found.move)
