"""Small games from rule texts, for tests."""

from __future__ import annotations

from gdl.library import check_source
from gdl.source import Source
from interpreter.game import Game, Position


def game(text: str, /, **options: int | bool) -> Game:
    """The game of a rule text; `game` and `players` lines are put before it."""
    head = 'game "Test"\nplayers Black, White\n'
    return Game.of(check_source(Source("test.game", head + text))[0], **options)


def start(text: str, /, **options: int | bool) -> Position:
    return game(text, **options).start()


def legal(position: Position) -> list[str]:
    """The notations of the legal moves in the order of generation."""
    return [move.notation for move in position.legal_moves]


def play(position: Position, moves: str) -> Position:
    for move in moves.split():
        position = position.play(move)
    return position
