"""Counting what the rules allow, depth by depth, to check one program against another."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from operator import methodcaller

from interpreter.game import Position

#: No more than about this many sequences are counted at a time, so that an interrupt is soon noticed.
MOST = 1_000_000


def sequences(position: Position, depth: int, threads: int = 1) -> Iterator[int]:
    """The number of move sequences of length 1, 2, ... `depth`; the threads share the work."""
    at_a_time = 1  # how many last moves are counted in one call, without Python in between
    for length in range(1, depth + 1):
        last = min(length, at_a_time)
        after = _after(position, length - last)
        if threads == 1:
            count = sum(p.perft(last) for p in after)
        else:
            with ThreadPoolExecutor(threads) as pool:
                count = sum(pool.map(methodcaller("perft", last), after))
        yield count
        if at_a_time >= length - 1 and count <= MOST:
            at_a_time = length


def _after(position: Position, plies: int) -> Iterator[Position]:
    """The position after each sequence of `plies` moves."""
    if not plies:
        yield position
        return
    for move in position.legal_moves:
        yield from _after(position.play(move), plies - 1)


def distinct(position: Position, depth: int) -> Iterator[int]:
    """The number of different positions (board, state, side to move) after 1, 2, ... `depth` plies.

    Positions that look alike but have different pasts may continue differently, so each is followed.
    """
    level = {position}
    for _ in range(depth):
        level = {before.play(move) for before in level for move in before.legal_moves}
        yield len({after.key for after in level})
