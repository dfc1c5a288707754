"""What kinds of pieces are worth, by how many moves they have."""

from __future__ import annotations

import pytest

import interpreter.worths
from interpreter.errors import TooMuchWork
from interpreter.game import Game, Position
from interpreter.worths import UNIT, worths_of


def worths(name: str) -> dict[str, int]:
    """What each kind is worth; both players' pieces of a kind are worth the same."""
    game = Game.load(name).on("native")
    planes = game.native.bound.planes if game.native else []
    found: dict[str, set[int]] = {}
    for (kind, _), worth in zip(planes, worths_of(game), strict=True):
        found.setdefault(game.rules.kinds[kind].name, set()).add(worth)
    return {kind: worth for kind, (worth,) in found.items()}


def test_a_queen_is_worth_more_than_all_others_and_a_pawn_less() -> None:
    found = worths("chess")
    assert found["pawn"] == UNIT == min(found.values())
    assert max(found, key=lambda kind: found[kind]) == "queen"
    assert min(found["knight"], found["bishop"], found["rook"]) > 1.2 * UNIT


def test_rooks_and_cannons_move_far_in_xiangqi() -> None:
    found = worths("xiangqi")
    assert min(found["rook"], found["cannon"]) > max(found["soldier"], found["advisor"], found["elephant"])


@pytest.mark.parametrize("name", ["english_draughts", "international_draughts"])
def test_a_king_is_worth_more_than_a_man(name: str) -> None:
    found = worths(name)
    assert found["king"] > found["man"] == UNIT


def test_what_is_seen_only_later_is_what_pieces_become() -> None:
    # In Los Alamos chess there are no bishops, and pawns become what is there.
    found = worths("los_alamos_chess")
    assert found["bishop"] == found["queen"]


@pytest.mark.parametrize("name", ["hex", "breakthrough", "tic_tac_toe"])
def test_where_all_are_alike_each_counts_one(name: str) -> None:
    assert set(worths(name).values()) == {UNIT}


def test_what_is_too_much_work_or_takes_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter.worths, "SECONDS", -1.0)
    assert set(worths("chess").values()) == {UNIT}
    monkeypatch.setattr(interpreter.worths, "SECONDS", 1.0)

    def refuse(*_: object) -> None:
        raise TooMuchWork("a turn takes too many steps")

    monkeypatch.setattr(Position, "play", refuse)
    assert set(worths("chess").values()) == {UNIT}
