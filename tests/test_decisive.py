"""Which pieces have decided a game, in games where the last position makes it obvious."""

from __future__ import annotations

import pytest
from rules import game, load, play, start

from interpreter.game import Game
from interpreter.svg import draw

#: The game, its options, the moves, and the pieces a person would point at.
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


@pytest.mark.parametrize(("name", "options", "moves", "sites"), ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_what_decided(name: str, options: dict[str, int | bool], moves: str, sites: str, engine: str) -> None:
    position = play(Game.load(name, **options).on(engine).start(), moves)
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
    position = play(start(rules), "a1 a3 b1")
    assert position.over
    assert " ".join(position.decisive) == sites


def test_a_picture_rings_them() -> None:
    assert draw(play(load("tic_tac_toe"), "a1 a2 b1 b2 c1")).count('class="decisive"') == 2 * 3


def test_an_ending_that_is_much_work_is_an_ending_all_the_same() -> None:
    """The native engine may take more steps than the reference engine, which finds what decided the game."""
    rules = """
board squares(40)
pieces stone
turn:
    choose s in a1
    place stone at s
end:
    if sum(sum(size(a & b) for a in board) for b in board) > 0 and some mine: mover wins "one stone"
    if stuck(next): draw
"""
    position = game(rules).on("native").start().play("a1")
    assert position.result is not None
    assert (position.result.reason, position.decisive) == ("one stone", ())
