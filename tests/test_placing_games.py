"""Games in which pieces are placed: rules that whole games seldom reach, worked out by hand."""

from __future__ import annotations

import pytest
from rules import legal, load, play, variant

from interpreter.game import Game, IllegalMove


def test_go_suicide():
    before = "a2 a1 b2 e5 c1"
    with pytest.raises(IllegalMove):
        play(load("go", size=9), before).play("b1")
    allowed = play(load("go", size=9, suicide=True), before)
    assert set(allowed.play("b1").board) == {"a2", "b2", "c1", "e5"}
    # One stone alone would leave the board as it was.
    assert "a1" not in legal(play(load("go", size=9, suicide=True), "a2 e5 b1"))


def test_go_ko():
    """White captures at b3; Black may not recapture at once, but may after a move elsewhere."""
    position = play(load("go", size=5), "a2 d2 b1 c1 b3 c3 c2 b2")
    assert "c2" not in position.board
    assert "c2" not in legal(position)
    assert "c2" in legal(play(position, "e5 e4"))


def test_hex_and_its_misere():
    moves = "a1 b1 a2 b2 a3"
    assert play(load("hex", columns=3, pie=False), moves).result.winner == "Red"
    assert play(load("misere_hex", columns=3, pie=False), moves).result.winner == "Blue"
    assert "swap" in legal(load("hex").play("a2"))


def test_reversi_passes_where_nothing_can_be_turned(tmp_path):
    text = """
variant "Study" of "Reversi"
setup:
    place Black disc at {a1, c1}
    place White disc at {d1, h2}
"""
    position = variant(tmp_path, text).play("e1")
    assert legal(position) == ["pass"]
    assert play(position, "pass pass").result.scores == {"Black": 4, "White": 1}


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_the_score_is_told_at_any_time(engine):
    """Reversi begins with two discs each; any first move turns one. Ayu has no scores."""
    start = Game.load("reversi").on(engine).start()
    assert start.scores == {"Black": 2, "White": 2}
    assert start.play(start.legal_moves[0]).scores == {"Black": 4, "White": 1}
    assert Game.load("ayu").on(engine).start().scores is None


def test_connect6_turns():
    position = load("connect6")
    movers = [position.to_move]
    for move in "j10 a1 b1 k10 l10 c1".split():
        position = position.play(move)
        movers.append(position.to_move)
    assert movers == "Black White White Black Black White White".split()


def test_pente_captures_pairs_only():
    position = load("pente", size=9, tournament=False)
    taken = play(position, "a1 b1 e5 c1 d1")
    assert set(taken.board) == {"a1", "d1", "e5"}
    assert taken.state["pairs"] == {"Black": 1, "White": 0}
    safe = play(position, "a1 b1 d1 c1")
    assert set(safe.board) == {"a1", "b1", "c1", "d1"}


def test_yavalath_three_lose_unless_they_are_four():
    three = play(load("yavalath"), "e5 a9 f5 b9 g5").result
    assert three.winner == "Black"
    four = play(load("yavalath"), "e5 a9 f5 c9 h5 a7 g5").result
    assert four.winner == "White"


@pytest.mark.parametrize(
    ("move", "lands"),
    [("a1-b2-east", "a3"), ("a1-b2-west", "c1"), ("b3-b2-east", "c2"), ("b2-b2-east", "b2")],
)
def test_pentago_turns_a_quarter(move, lands):
    assert load("pentago").play(move).board == {lands: "White marble"}


FOUR = """
variant "Study" of "Pentago"
setup:
    place White marble at {a1, b1, c1, d1}
    place Black marble at {a6, b4, c6}
"""


def test_five_in_a_row_win_before_the_quarter_is_turned(tmp_path):
    position = variant(tmp_path, FOUR)
    assert [move for move in legal(position) if move.startswith("e1")] == ["e1"]
    assert position.play("e1").result.winner == "White"


def test_five_in_a_row_count_when_the_quarter_is_turned(tmp_path):
    position = variant(tmp_path, FOUR, at_once=False)
    assert len([move for move in legal(position) if move.startswith("e1")]) == 8
    assert position.play("e1-e2-east").result is None
    assert position.play("e1-b5-east").result.winner == "White"


def test_five_on_ten_by_ten_points():
    position = play(load("connect_five"), "a1 a2 b1 b2 c1 c2 d1 d2")
    assert "j10" in legal(position)
    assert position.play("e1").result.winner == "Black"


def test_who_has_no_disc_left_wins_at_losing_reversi():
    """The shortest game in which a colour loses all its discs, which is well known."""
    moves = "e6 f4 e3 f6 g5 d6 e7 f5 c5 pass pass"
    result = play(load("losing_reversi"), moves).result
    assert (result.winner, result.scores) == ("White", {"Black": 13, "White": 0})


def test_who_closes_a_box_draws_again():
    position = play(load("dots_and_boxes", columns=1, rows=1), "b1 a2 c2")
    assert position.to_move == "Second"
    result = position.play("b3").result
    assert (result.winner, result.scores) == ("Second", {"First": 0, "Second": 1})


def test_tumbleweed_settles_where_it_sees_more(tmp_path):
    """The rock of height 2 in the centre hides each stack from the other; White's sees five more cells."""
    position = load("tumbleweed", size=3).play("a3-e3")
    assert legal(position) == ["e1", "e2", "d3", "d4", "c5", "pass", "swap"]
    both = play(position, "e1 a5 c5 c1 e2 pass")
    assert "c3" in legal(both)
    assert both.state["height"]["e2"] == 2


def test_y_links_three_sides():
    """Along the left side down to a1, which lies on two sides; the slope is the third side."""
    position = play(load("y", size=3), "a3 b2 a2 b1")
    assert position.play("a1").result.winner == "Black"
    assert play(load("y", size=3), "c1 b1 a1").result is None


def test_nogo_forbids_captures_and_suicide():
    position = play(load("nogo", size=3), "a1 b1 c3")
    assert "a2" not in legal(position)  # it would capture a1
    suicide = play(load("nogo", size=3), "b1 c3 a2")
    assert "a1" not in legal(suicide)
    assert load("nogo", size=2).play("a1").play("b2").result is None


def test_the_fewest_win_where_the_game_is_turned_round():
    moves = "a1 b1 a2 b2 a3"
    assert play(load("tic_tac_toe"), moves).result.winner == "Cross"
    assert play(load("misere_tic_tac_toe"), moves).result.winner == "Nought"


def test_exactly_five():
    moves = "a1 a9 b1 b9 c1 c9 e1 e9 f1 f9 d1"
    assert play(load("gomoku"), moves).result.winner == "Black"
    assert play(load("gomoku", exact=True), moves).result is None


def test_a_row_goes_round_the_cylinder():
    moves = "a1 c1 b1 d1 g1 e1 f1"
    assert play(load("connect_four"), moves).result is None
    assert play(load("cylinder_connect_four"), moves).result.winner == "Yellow"


def test_a_stone_at_the_seam_of_a_torus_has_four_liberties():
    three = play(load("toroidal_go", size=5), "a1 b1 c3 a2 c4 a5")
    assert "a1" in three.board
    assert "a1" not in play(three, "d4 e1").board
