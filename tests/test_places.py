"""What the rules say about sites before anybody plays, and about the board in the middle of a move."""

from __future__ import annotations

import pytest
from rules import start

from gdl.library import bundled
from interpreter.game import Game
from interpreter.web.course import changes, stages, trail

HOP = """board rectangle(7, 1)
pieces man
setup:
    place Black man at a1
    place White man at b1 + d1 + g1

define over(s) = step(step(s, east) & theirs, east) & empty

turn:
    choose from in mine
    let here = from
    repeat:
        choose landing in over(here)
        remove between(here, landing)
        move here to landing
        here := landing
    while some over(here)

end:
    if stuck(next): mover wins
"""


def test_goals_are_what_the_end_or_the_score_mean_for_one_player() -> None:
    assert Game.load("hex", columns=2, rows=2).goals == (
        ("Red", ("a1", "b1")),
        ("Red", ("a2", "b2")),
        ("Blue", ("a1", "a2")),
        ("Blue", ("b1", "b2")),
    )
    assert dict(Game.load("oware").goals)["North"] == ("a2", "b2", "c2", "d2", "e2", "f2")
    assert Game.load("chess").goals == ()  # pawns begin and are promoted on such rows, which ends nothing


@pytest.mark.parametrize("name", bundled())
def test_idle_sites(name: str) -> None:
    idle = Game.load(name).idle
    if name == "dots_and_boxes":  # the dots, on a board of 3 by 3 boxes
        assert idle == tuple(f"{column}{row}" for row in (1, 3, 5, 7) for column in "aceg")
    else:
        assert idle == ()


def test_the_board_in_the_middle_of_a_move() -> None:
    hop = start(HOP)
    (move,) = hop.legal_moves
    assert move.notation == "a1-c1-e1"
    found = [(hop.game.board.names[path[-1][1].bit_length() - 1], *rest) for path, *rest in stages(hop)]
    assert found == [("c1", {"c1": "Black man"}, ["a1", "b1"])]
    after = hop.play(move)
    assert trail(hop, move, after) == ["a1", "c1", "e1"]
    assert changes(hop, after) == ["a1", "b1", "d1", "e1"]


def test_the_way_of_a_move() -> None:
    def way(name: str, move: str) -> list[str]:
        before = Game.load(name).start()
        return trail(before, before.parse(move), before.play(move))

    assert way("chess", "e2-e4") == ["e2", "e4"]
    assert way("amazons", "d1-d7/g7") == ["d1", "d7"]  # the arrow is not a step of the queen
    assert way("go", "e5") == ["e5"]
    assert way("oware", "a1") == ["a1"]


def test_what_is_sown_has_changed() -> None:
    before = Game.load("oware").start()
    assert changes(before, before.play("a1")) == ["a1", "b1", "c1", "d1", "e1"]
