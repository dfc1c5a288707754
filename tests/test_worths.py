"""The worth of kinds of pieces, by the number of their moves."""

from __future__ import annotations

import pytest
from attrs import evolve

import interpreter.deepening
import interpreter.worths
from interpreter.deepening import Lookahead
from interpreter.errors import TooMuchWork
from interpreter.game import Game, Position
from interpreter.lead import good_worths, lead_of
from interpreter.search import Tree
from interpreter.worths import UNIT, worths_of


def worths(name: str) -> dict[str, int]:
    """The worth of each kind; both players' pieces of a kind are worth the same."""
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
    # In Los Alamos chess there are no bishops, and pawns are promoted to what exists.
    found = worths("los_alamos_chess")
    assert found["bishop"] == found["queen"]


@pytest.mark.parametrize("name", ["hex", "breakthrough", "tic_tac_toe"])
def test_where_all_are_alike_each_counts_one(name: str) -> None:
    assert set(worths(name).values()) == {UNIT}


def test_looking_ahead_counts_what_is_taken_by_its_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, it gave a queen for two pawns: each piece counted one."""
    # The pawn on d4 can take a pawn on c5 or the queen on e5.
    position = Game.load("chess").on("native").start()
    for move in ("d2-d4", "c7-c5", "a2-a3", "e7-e6", "a3-a4", "d8-g5", "a4-a5", "g5-e5"):
        position = position.play(move)
    found, all_ = worths("chess"), worths_of(position.game)
    counted = Lookahead(position).values()
    monkeypatch.setattr(interpreter.deepening, "good_worths", lambda game: (0,) * len(all_))
    mobility = Lookahead(position).values()
    material = {
        str(m): one - other for m, one, other in zip(position.legal_moves, counted, mobility, strict=True)
    }
    assert material["d4-e5"] == found["queen"]
    assert material["d4-c5"] == found["pawn"]
    assert material["a5-a6"] == 0


@pytest.mark.parametrize(
    ("name", "sign"), [("lines_of_action", -1), ("losing_draughts", 1), ("english_draughts", 1), ("hex", 1)]
)
def test_looking_ahead_knows_where_fewer_pieces_are_better(name: str, sign: int) -> None:
    """Once, in Lines of Action it took whatever it could, and lost half its games to random moves.

    In Losing Draughts, aiming for fewer men would lose all games: the player who cannot move wins, not the
    one with fewer men.
    """
    assert {sign * worth > 0 for worth in good_worths(Game.load(name).on("native"))} == {True}


def test_no_kind_is_worth_more_than_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, a piece with tens of thousands of moves made sums overflow."""
    monkeypatch.setattr(interpreter.worths, "MOST", 2)
    assert worths("chess")["queen"] == 2 * UNIT


def test_a_search_by_random_games_knows_the_worth_of_pieces() -> None:
    position = Game.load("chess").on("native").start()
    lead = lead_of(position.game, "stepwise")
    assert lead.worths == worths_of(position.game)
    # If Black's pieces counted nothing, White would be far ahead; and the other way round.
    values = []
    for player in (0, 1):
        alone = tuple(100 * (i % 2 == player) for i in range(len(lead.worths)))
        tree = Tree(position, lead=evolve(lead, worths=alone))
        tree.grow(100)
        best = tree.best()
        assert best is not None
        values.append(best.value)
    assert values[0] > 0.9 > 0.1 > values[1]


def test_what_is_too_much_work_or_takes_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter.worths, "SECONDS", -1.0)
    assert set(worths("chess").values()) == {UNIT}
    monkeypatch.setattr(interpreter.worths, "SECONDS", 1.0)

    def refuse(*_: object) -> None:
        raise TooMuchWork("a turn takes too many steps")

    monkeypatch.setattr(Position, "play", refuse)
    assert set(worths("chess").values()) == {UNIT}
