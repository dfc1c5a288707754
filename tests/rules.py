"""Games for tests: small ones from rule texts, bundled ones, and their moves."""

from __future__ import annotations

from pathlib import Path

from interpreter.game import Game, Position


def game(text: str, /, **options: int | bool) -> Game:
    """The game of a rule text; `game` and `players` lines are put before it."""
    head = 'game "Test"\nplayers Black, White\n'
    return Game.from_text(head + text, **options)


def start(text: str, /, **options: int | bool) -> Position:
    return game(text, **options).start()


def load(name: str, /, **options: int | bool) -> Position:
    """The start of a bundled game."""
    return Game.load(name, **options).start()


def variant(folder: Path, text: str, /, **options: int | bool) -> Position:
    """The start of a variant of a bundled game, from its text; its file is written to the folder."""
    (folder / "variant.game").write_text(text)
    return Game.load(str(folder / "variant.game"), **options).start()


def legal(position: Position) -> list[str]:
    """The notations of the legal moves, in the order in which they are generated."""
    return [move.notation for move in position.legal_moves]


def play(position: Position, moves: str) -> Position:
    for move in moves.split():
        position = position.play(move)
    return position
