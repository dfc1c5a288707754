"""The course of a move: the board in the middle of it, and where the moved piece has stood."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from interpreter.errors import TooMuchWork
from interpreter.game import Move, Piece, Position

#: With more legal moves than this, the board is not worked out choice by choice.
MOST_STAGED = 3000

Board = dict[str, Piece]


def stages(position: Position) -> Iterator[tuple[tuple[Any, ...], Board, list[str]]]:
    """Choices that begin a legal move and change the board, each with the pieces that came and sites left."""
    moves, board = position.legal_moves, position.board
    if len(moves) > MOST_STAGED:
        return
    begun = {move.path[:length] for move in moves for length in range(len(move.path))}
    for path, staged in _staged(position).items():
        if path in begun and staged != board:
            came = {site: piece for site, piece in staged.items() if board.get(site) != piece}
            yield path, came, [site for site in board if site not in staged]


def trail(before: Position, move: Move, after: Position) -> list[str]:
    """The sites on which the moved piece stood, in order; for a piece that was placed, its site."""
    boards = [before.board, *_staged(before, move).values(), after.board]
    clicked = [site for sort, value in move.path if sort == "set" for site in before.game.sites(value)]
    found = list[str]()
    for old, new in pairwise(boards):
        changed = [site for site in clicked if old.get(site) != new.get(site)]
        gone, came = (
            [site for site in changed if site in board and board[site].owner == before.to_move]
            for board in (old, new)
        )
        if came and (found[-1] in gone and came[-1] != found[-1] if found else gone):
            found = [*(found or gone[:1]), came[-1]]
    return found or [site for site in clicked if site in changes(before, after)][:1]


def changes(before: Position, after: Position) -> list[str]:
    """The sites where a move has changed what stands there, or a number."""
    names = after.game.board.names
    old, new = (position.counters.values() for position in (before, after))
    changed = {site for was, now in zip(old, new, strict=True) for site in names if was[site] != now[site]}
    changed |= set(after.last_move)
    return [site for site in names if site in changed]


def _staged(position: Position, move: Move | None = None) -> dict[tuple[Any, ...], Board]:
    try:
        return position.stages(move)
    except TooMuchWork:
        return {}
