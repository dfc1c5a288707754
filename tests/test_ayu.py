"""Ayu according to its rules, with counts of other programs, and replayed games of another one."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import drawn, legal, pictured, rows
from strategies import randoms, walk

from interpreter.game import Game, Position
from interpreter.perft import sequences

HERE = Path(__file__).parent


def ayu(picture: str, more: str = "") -> Position:
    return pictured("Ayu", picture, more)


# --- counts --------------------------------------------------------------------

#: Counts from the start, by depth, on which two independent programs agree.
COUNTS = {
    3: [2, 4, 0],
    5: [14, 176, 1460],
    7: [34, 1104],
    9: [62],
    11: [98],
    13: [142],
    15: [194],
}
DEEP = {
    5: [14, 176, 1460, 11308],
    7: [34, 1104, 29516],
    9: [62, 3744, 202268],
    11: [98, 9440],
    13: [142, 19920],
    15: [194, 37296],
}


@pytest.mark.parametrize(("size", "counts"), COUNTS.items())
def test_counts_of_move_sequences_from_the_start(size: int, counts: list[int]):
    assert list(sequences(Game.load("ayu", size=size).start(), len(counts))) == counts


@pytest.mark.slow
@pytest.mark.parametrize(("size", "counts"), DEEP.items())
def test_deep_counts_of_move_sequences_from_the_start(size: int, counts: list[int]):
    assert list(sequences(Game.load("ayu", size=size).start(), len(counts))) == counts


def test_size_3_ends_after_two_moves_with_a_win_of_black():
    position = Game.load("ayu", size=3).start()
    for first in position.legal_moves:
        for second in position.play(first).legal_moves:
            assert position.play(first).play(second).result.winner == "Black"


# --- games of another program --------------------------------------------------

#: Random games played by AbstractPlay's gameslib (its Ayu of version 20241010). It scores a repeated
#: position in its own way where the rule says draw; none of these games reaches one.
TRACES = [
    (size, game)
    for size in (5, 7, 9, 11)
    for game in json.loads((HERE / "data" / f"ayu_{size}.json").read_text())
]
COLOURS = {1: "Black", 2: "White"}


@pytest.mark.parametrize(
    ("size", "game"),
    [
        pytest.param(size, game, id=f"size-{size}-game-{number}", marks=[pytest.mark.slow] * (size > 7))
        for number, (size, game) in enumerate(TRACES)
    ],
)
def test_a_game_of_another_program(size: int, game: dict):
    def stones(board: dict[str, int]) -> dict[str, str]:
        return {site: f"{COLOURS[player]} stone" for site, player in board.items()}

    position = Game.load("ayu", size=size).start()
    assert position.board == stones(game["start"]["board"])
    for ply in game["plies"]:
        assert not position.over
        assert position.to_move == COLOURS[ply["player"]]
        assert legal(position) == sorted(ply["legal"])
        position = position.play(ply["move"])
        assert position.board == stones(ply["board"])
    assert position.over
    assert [position.result.winner] == [COLOURS[player] for player in game["final"]["winner"]]
    assert position.result.reason == "stuck(next)"


# --- the start -----------------------------------------------------------------


def test_the_stones_stand_on_every_second_point_and_none_touches_another():
    assert drawn(Game.load("ayu", size=5).start()) == rows("""
        . B . B .
        W . W . W
        . B . B .
        W . W . W
        . B . B .
    """)


def test_black_begins():
    assert Game.load("ayu").start().to_move == "Black"


# --- moves ---------------------------------------------------------------------


def test_a_stone_moves_to_any_point_beside_it_that_is_nearer_to_a_friend():
    position = ayu("""
        . . . . .
        . . . . .
        . . B . .
        . . . . .
        B . . . W
    """)
    assert legal(position) == ["a1-a2", "a1-b1", "c3-b3", "c3-c2"]


def test_a_move_that_joins_two_units_is_an_approach():
    position = ayu("""
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        B . B . W
    """)
    assert legal(position) == ["a1-b1", "c1-b1"]
    assert drawn(position.play("a1-b1"))[-1] == ". B B . W"


def test_touching_a_friend_is_as_near_as_can_be_from_any_side():
    # From a2 and from b1 the stone on a1 touches a friend at once; from both points it is joined.
    position = ayu("""
        . . . . .
        . . . . .
        B . . . .
        . . . . .
        B . B . W
    """)
    assert legal(position) == ["a1-a2", "a1-b1", "a3-a2", "c1-b1"]


def test_a_unit_approaches_its_closest_friend_only():
    # a1 is two points away from c1: it may not turn to a5, four points away.
    position = ayu("""
        B . . . .
        . . . . .
        . . . . .
        . . . . .
        B . B . W
    """)
    assert [move for move in legal(position) if move.startswith("a1")] == ["a1-b1"]


def test_any_stone_of_a_group_may_move_if_the_group_stays_whole():
    # The group a1 a2 takes b1, the point beside it that touches c1: moving a2 keeps it whole, a1 does not.
    position = ayu("""
        . . . . .
        . . . . .
        . . . . .
        B . . . .
        B . B . W
    """)
    assert legal(position) == ["a2-b1", "c1-b1"]


def test_the_stone_that_leaves_may_not_cut_its_group_in_two():
    # The row takes d1, beside e1: the end stone a1 may go there; b1 and c1 hold the group together.
    position = ayu("""
        . . . . .
        . . . . .
        . . . . .
        . . . . W
        B B B . B
    """)
    assert legal(position) == ["a1-d1", "e1-d1"]


def test_a_ring_stays_whole_whichever_stone_leaves():
    position = ayu("""
        . . . . W
        . . . . .
        B B B . B
        B . B . .
        B B B . .
    """)
    ring = ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"]
    # Of the ring, d3 touches only c3: every other stone may take it, and so may e3.
    assert legal(position) == sorted([f"{stone}-d3" for stone in ring if stone != "c3"] + ["e3-d3"])


def test_a_stone_may_jump_from_one_end_of_its_group_to_the_other():
    position = ayu("""
        . . . . .
        . . . . W
        . . . . .
        . . . . .
        B B . B .
    """)
    assert drawn(position.play("a1-c1")) == rows("""
        . . . . .
        . . . . W
        . . . . .
        . . . . .
        . B B B .
    """)


# --- distance ------------------------------------------------------------------


def test_the_way_to_a_friend_leads_through_empty_points():
    # d1 is behind the wall: the way goes up and over it, so b1 walks up rather than to the foot of the wall.
    position = ayu("""
        . . . . .
        . . . . .
        . . W . .
        . . W . .
        . B W B .
    """)
    assert legal(position) == ["b1-b2", "d1-d2"]


def test_a_longer_way_round_decides_and_not_the_straight_line():
    # Seen from c1, the near friend e1 is behind the wall, ten moves away; c5 is in sight.
    position = ayu("""
        . . B . .
        . . . . .
        . . . W W
        . . . W .
        . . B W B
    """)
    assert [move for move in legal(position) if move.startswith("c1")] == ["c1-c2"]
    assert [move for move in legal(position) if move.startswith("e1")] == []


def test_friends_are_no_way_through_but_the_goal():
    # c1 reaches b1, next to a1, first; the group a1 a2 a3 is one goal, whichever of its stones is met.
    position = ayu("""
        . . . . W
        . . . . .
        B . . . .
        B . . B .
        B . . . .
    """)
    assert legal(position) == ["a1-b2", "a3-b2", "d2-c2"]


def test_a_unit_that_sees_no_friend_cannot_move():
    # a1 has two empty points beside it, but a wall around them; the other two go on.
    position = ayu("""
        . . . B .
        W W W . .
        . . W . .
        . . W . .
        B . W . B
    """)
    assert {move[:2] for move in legal(position)} == {"d5", "e1"}


# --- the end -------------------------------------------------------------------


def test_who_has_one_unit_cannot_move_and_has_won():
    position = ayu("""
        . . . . .
        . B B . .
        . B . . .
        . . . . .
        W . W . .
    """)
    assert position.legal_moves == ()
    assert (position.result.winner, position.result.person) == ("Black", "first")
    assert position.result.reason == "stuck(next)"


def test_who_is_locked_in_with_several_units_has_won():
    position = ayu("""
        . . . W B
        . . . . W
        . . . . .
        W . . . .
        B W . . .
    """)
    assert position.legal_moves == ()
    assert position.result.winner == "Black"


def test_who_makes_one_unit_wins_when_the_turn_comes_back():
    # Black joins; that does not end the game: White, with a move left, plays it, and then Black is stuck.
    position = ayu("""
        W . . . W
        . . . . .
        . . . . .
        . . . . .
        B . B . .
    """).play("a1-b1")
    assert not position.over
    position = position.play("a5-b5")
    assert position.result.winner == "Black"


def test_who_locks_the_opponent_in_loses():
    # b3 and d3 see each other through c3 alone; the black stone that takes it leaves White without a move.
    position = ayu("""
        . . . . .
        . B B B .
        B W . W B
        B B B B B
        . . . . .
    """).play("a3-c3")
    assert position.to_move == "White"
    assert (position.result.winner, position.result.person) == ("White", "second")


# --- repetition ----------------------------------------------------------------

REPETITION = """b1-b2 a2-a3 b2-b4 c2-d2 d3-d4 c4-c3 b3-c4 c3-c2 b5-b3 c2-e3 d5-b2 d2-e5 b2-d3 e5-d2 d3-b2"""


def test_the_same_position_with_the_same_player_to_move_is_a_draw():
    position = Game.load("ayu", size=5).start()
    for move in REPETITION.split():
        assert not position.over
        position = position.play(move)
    assert position.over
    assert position.legal_moves == ()
    assert position.result.winner is position.result.person is None
    assert position.result.reason == "repeated"


# --- the rule as printed ---------------------------------------------------------


@given(size=st.sampled_from([3, 5, 7, 9]), random=randoms())
def test_the_rule_as_printed_agrees_move_for_move(size: int, random: Random):
    ours = Game.load("ayu", size=size).start()
    printed = Game.load(str(HERE / "games" / "ayu_printed.game"), size=size).start()
    for position, move in walk(ours, random):
        assert legal(printed) == legal(position)
        assert (printed.key, printed.result) == (position.key, position.result)
        if move is not None:
            printed = printed.play(move.notation)
