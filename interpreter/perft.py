"""Counting what the rules allow, depth by depth: the check of one program against another."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.game import Position


def count_sequences(position: Position, depth: int) -> int:
    """How many sequences of exactly `depth` (1 or more) legal moves lead on from here."""
    if depth == 1:
        return len(position.legal_moves)
    return sum(count_sequences(position.play(move), depth - 1) for move in position.legal_moves)


def sequences(position: Position, depth: int) -> Iterator[int]:
    """The number of move sequences of length 1, 2, ... `depth`."""
    return (count_sequences(position, length) for length in range(1, depth + 1))


def distinct(position: Position, depth: int) -> Iterator[int]:
    """The number of different positions (board, state, side to move) after 1, 2, ... `depth` plies.

    Positions that look alike but have another past may go on differently, so each is followed.
    """
    level = {position}
    for _ in range(depth):
        level = {before.play(move) for before in level for move in before.legal_moves}
        yield len({after.key for after in level})
