"""Games played by other programs, replayed here."""

from __future__ import annotations

from collections.abc import Callable

from rules import legal

from interpreter.game import Game, Position

#: A move of the trace, in the notation of the game here.
Translate = Callable[[str, Position], str]


def load(name: str, **options: int | bool) -> Position:
    return Game.load(name, **options).on("native").start()


def same(move: str, _: Position) -> str:
    return move


def letter(column: int) -> str:
    """The letter of a column counted from 0."""
    return chr(ord("a") + column)


def uci(move: str, position: Position) -> str:
    """In UCI, castling is a move of the king, and a promotion has the letter at the end."""
    if position.board[move[:2]].endswith("king") and move in ("e1g1", "e8g8", "e1c1", "e8c8"):
        return "O-O" if move[2] == "g" else "O-O-O"
    return f"{move[:2]}-{move[2:4]}" + (f"={move[4].upper()}" if len(move) == 5 else "")


def follow(position: Position, trace: dict, translate: Translate) -> list[Position]:
    """All positions of a trace, after comparing their numbers and lists of legal moves."""
    positions = [position]
    lists = trace.get("legal", [""] * len(trace["counts"]))
    for move, count, listed in zip(trace["moves"].split(), trace["counts"], lists, strict=True):
        ours, where = legal(position), f"{move}, {position}"
        assert len(ours) == count, where
        if listed:
            assert set(ours) == {translate(other, position) for other in listed.split()}, where
        position = position.play(translate(move, position))
        positions.append(position)
        if position.over:
            break
    return positions


def winner_of(game: dict, start: Position) -> str | None:
    """The winner there; the first of the returns is that of the player who begins."""
    players = [start.to_move, *(player for player in start.game.players if player != start.to_move)]
    return dict(zip(game["returns"], players, strict=True)).get(1)
