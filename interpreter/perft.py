"""Counting what the rules allow, depth by depth: the check of one program against another."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from interpreter.game import Position


def sequences(position: Position, depth: int, threads: int = 1) -> Iterator[int]:
    """The number of move sequences of length 1, 2, ... `depth`; the threads share the first moves."""
    for length in range(1, depth + 1):
        if length == 1 or threads == 1:
            yield position.perft(length)
            continue
        after = (position.play(move) for move in position.legal_moves)
        with ThreadPoolExecutor(threads) as pool:
            yield sum(pool.map(lambda p: p.perft(length - 1), after))  # noqa: B023 - mapped before it changes


def distinct(position: Position, depth: int) -> Iterator[int]:
    """The number of different positions (board, state, side to move) after 1, 2, ... `depth` plies.

    Positions that look alike but have another past may go on differently, so each is followed.
    """
    level = {position}
    for _ in range(depth):
        level = {before.play(move) for before in level for move in before.legal_moves}
        yield len({after.key for after in level})
