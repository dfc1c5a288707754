"""Positions from pictures, and pictures of positions.

A picture has a row of signs for each row of the board, the top one first: B and W are stones of Black
and White, X is a neutral piece (if the game has one), a dot is an empty site.
"""

from __future__ import annotations

from textwrap import dedent

from interpreter.game import Game, Position

SIGNS = {"Black stone": "B", "White stone": "W", "wall": "X"}


def rows(picture: str) -> list[str]:
    """The rows of a picture without surrounding blanks."""
    return [line.strip() for line in dedent(picture).strip().splitlines()]


def pictured(base: str, picture: str, more: str = "", **options: int | bool) -> Position:
    """A variant of a bundled game at its start, which is the picture; `more` are further declarations."""
    drawn = "\n".join(rows(picture))
    text = f'variant "Pictured {base}" of "{base}"\n{more}\nsetup:\n    diagram """\n{drawn}\n"""\n'
    size = len(rows(picture))
    return Game.from_text(text, size=size, **options).start()


def drawn(position: Position) -> list[str]:
    """The rows of the picture of a position on a square board."""
    board, width = position.game.board, max(position.game.board.columns)
    signs = [SIGNS[position.board[name]] if name in position.board else "." for name in board.names]
    lines = [" ".join(signs[start : start + width]) for start in range(0, len(signs), width)]
    return lines[::-1]


def legal(position: Position) -> list[str]:
    """The sorted notations of the legal moves."""
    return sorted(move.notation for move in position.legal_moves)
