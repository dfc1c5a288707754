"""Which pieces have decided a game, in games whose last position is plain to see."""

from __future__ import annotations

import pytest
from rules import start

from interpreter.game import Game, Position
from interpreter.svg import draw

#: The game, its options, the moves, and the pieces that one would point at.
ENDS: dict[str, tuple[str, dict[str, int | bool], str, str]] = {
    "a row": ("tic_tac_toe", {}, "a1 a2 b1 b2 c1", "a1 b1 c1"),
    "a row that loses": ("misere_tic_tac_toe", {}, "a1 a2 b1 b2 c1", "a1 b1 c1"),
    "a row askew": ("connect_four", {}, "a1 b1 b2 c1 g1 c2 c3 d1 d2 d3 d4", "a1 b2 c3 d4"),
    "a chain, and nothing beside it": (
        "hex", {"columns": 3, "pie": False}, "b1 a3 b2 a2 b3", "b1 b2 b3",
    ),
    "a man that came through": (
        "breakthrough", {"columns": 2, "rows": 5}, "a2-a3 a4-b3 a3-b4 b5-a4 b4-a5", "a5",
    ),
    "nothing": ("tic_tac_toe", {}, "a1 b2 c3 b1 b3 a3 c1 c2 a2", ""),
    "nothing yet": ("tic_tac_toe", {}, "a1 b2", ""),
    "who cannot move": ("ayu", {"size": 3}, "", ""),
}  # fmt: skip


def played(name: str, options: dict[str, int | bool], moves: str) -> Position:
    position = Game.load(name, **options).start()
    for move in moves.split():
        position = position.play(move)
    return position


@pytest.mark.parametrize(("name", "options", "moves", "sites"), ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_what_decided(name: str, options: dict[str, int | bool], moves: str, sites: str, engine: str) -> None:
    position = Game.load(name, **options).on(engine).start()
    for move in moves.split():
        position = position.play(move)
    assert " ".join(position.decisive) == sites


@pytest.mark.parametrize(
    ("condition", "sites"),
    [
        ("size(row(1) & pieces(mover)) >= 2", "a1 b1"),
        ("2 <= size(row(1) & pieces(mover))", "a1 b1"),
        ("some row(1) & pieces(mover) and some row(3) & pieces(next)", "a1 b1 a3"),
        ("some row(2) & occupied or size(row(1) & pieces(mover)) = 2", "a1 b1"),
        ("any(size(s & pieces(mover)) > 0 for s in row(1))", "a1 b1"),
        ("count(s for s in row(1) if some s & pieces(mover)) = 2", "a1 b1"),
        ("not (some row(2) & occupied) and ply = 3", ""),
        ("some {s in row(1): some s & pieces(mover)}", "a1 b1"),
    ],
)
def test_how_it_is_read_from_the_condition(condition: str, sites: str) -> None:
    rules = f"""
board squares(3)
pieces stone
turn:
    choose s in empty
    place stone at s
end:
    if ply = 3 and ({condition}): mover wins
    if no empty: draw
"""
    position = start(rules)
    for move in ("a1", "a3", "b1"):
        position = position.play(move)
    assert position.over
    assert " ".join(position.decisive) == sites


def test_a_picture_rings_them() -> None:
    assert draw(played("tic_tac_toe", {}, "a1 a2 b1 b2 c1")).count('class="decisive"') == 2 * 3
