"""Games in which pieces are moved: rules that whole games seldom reach, worked out by hand."""

from __future__ import annotations

from rules import legal, load, play, variant

FOX = """
variant "Study" of "Fox and Hounds"
setup:
    place Fox fox at {fox}
    place Hounds hound at {hounds}
play:
    repeat {first}: step
without turn start
"""


def test_the_fox_is_shut_in(tmp_path):
    text = FOX.format(fox="a1", hounds="c3 + h8", first="Hounds, Fox")
    assert variant(tmp_path, text).play("c3-b2").result.winner == "Hounds"


def test_the_fox_gets_through(tmp_path):
    text = FOX.format(fox="g7", hounds="b2 + c3", first="Fox, Hounds")
    assert variant(tmp_path, text).play("g7-h8").result.winner == "Fox"


def test_the_last_row_wins(tmp_path):
    text = """
variant "Study" of "Knightthrough"
setup:
    place White man at a6
    place Black man at h8
"""
    assert variant(tmp_path, text).play("a6-b8").result.winner == "White"


def test_a_mill_takes_a_man_that_stands_in_no_mill():
    two = play(load("nine_mens_morris"), "a1 b2 d1 d2")
    assert [move for move in legal(two) if move.startswith("g1")] == ["g1-b2", "g1-d2"]
    mill = play(two, "g4 f2-g4")
    assert "g4" not in mill.board
    assert [move for move in legal(mill) if move.startswith("g1")] == ["g1-b2", "g1-d2", "g1-f2"]
    one_free = play(mill, "a4 f4")
    assert [move for move in legal(one_free) if move.startswith("g1")] == ["g1-f4"]


def test_lines_of_action_may_be_drawn_at_the_first_repetition():
    back_and_forth = "c1-c3 h5-f5 c3-c1 f5-h5"
    assert play(load("lines_of_action", repeats=2), back_and_forth).result.winner is None
    twice = play(load("lines_of_action"), back_and_forth)
    assert twice.result is None
    assert play(twice, back_and_forth).result.winner is None


def test_the_hounds_may_begin():
    position = load("fox_and_hounds", hounds_begin=True).play("e1")
    assert position.to_move == "Hounds"
    assert position.play("b8-a7").to_move == "Fox"


def test_misere_breakthrough():
    position = play(load("misere_breakthrough", columns=2, rows=5), "a2-a3 b4-b3 a3-b4 b3-a2")
    assert position.result is None
    assert position.play("b4-a5").result.winner == "Black"


def test_misere_breakthrough_is_lost_by_taking_the_last_man(tmp_path):
    text = """
variant "Study" of "Misère Breakthrough"
setup:
    place White man at {a2, h2}
    place Black man at b3
"""
    assert variant(tmp_path, text).play("a2-b3").result.winner == "Black"


def test_abalone_pushes_fewer_marbles_and_over_the_edge(tmp_path):
    text = """
variant "Study" of "Abalone"
setup:
    place Black marble at {c5, d5, e5}
    place White marble at {a5, b5, e4}
"""
    position = variant(tmp_path, text)
    assert "d5-west" not in legal(position)  # two do not push two
    after = position.play("e5-west").board
    assert [site for site, piece in after.items() if piece == "White marble"] == ["e4", "a5"]
    assert [site for site, piece in after.items() if piece == "Black marble"] == ["b5", "c5", "d5"]
    beside = position.play("c5-east-3-north_east").board
    assert [site for site, piece in beside.items() if piece == "Black marble"] == ["c6", "d6", "e6"]


BRANDUBH = """
variant "Study" of "Brandubh"
setup:
    place Attackers man at {c1, e3, f6}
    place Defenders man at d3
    place Defenders king at KING
"""


def test_brandubh_captures_between_two_and_the_king_gets_away(tmp_path):
    position = variant(tmp_path, BRANDUBH.replace("KING", "b7"))
    assert "c1-a1" not in legal(position)  # a corner
    assert "f6-d6" in legal(position)
    after = position.play("c1-c3")
    assert "d3" not in after.board
    assert after.play("b7-a7").result.winner == "Defenders"


def test_brandubh_kings_weak_and_strong(tmp_path):
    text = BRANDUBH.replace("KING", "e4")
    assert variant(tmp_path, text).play("f6-e6").result is None
    assert variant(tmp_path, text.replace("f6", "f5")).play("f5-e5").result.winner == "Attackers"
    assert variant(tmp_path, text.replace("f6", "f5"), strong_king=True).play("f5-e5").result is None
    beside_the_throne = text.replace("{c1, e3, f6}", "{e5, e3, f6}")
    assert variant(tmp_path, beside_the_throne, strong_king=True).play("f6-f4").result.winner == "Attackers"


def test_a_strong_brandubh_king_is_taken_by_the_man_who_closes_in_only(tmp_path):
    """A king who moves between three men beside the throne is safe from a fourth man moved elsewhere."""
    text = """
variant "Study" of "Brandubh"
setup:
    place Attackers man at MEN
    place Defenders man at g3
    place Defenders king at KING
"""
    open_side = text.replace("MEN", "c5 + e5 + d6 + a1 + b2").replace("KING", "d4")
    position = variant(tmp_path, open_side, strong_king=True)
    assert play(position, "a1-b1 d4-d5 b2-b3").result is None
    edge = text.replace("MEN", "c1 + e1 + d6").replace("KING", "d1")
    assert variant(tmp_path, edge, strong_king=True).play("d6-d2").result is None


def test_surakarta_captures_round_a_loop_only(tmp_path):
    """From c1 the line goes on at a3; a piece straight ahead, on c4, is safe."""
    text = """
variant "Study" of "Surakarta"
setup:
    place Black stone at c1
    place White stone at {f3, c4}
"""
    position = variant(tmp_path, text)
    assert set(legal(position)) == {f"c1-{point}" for point in "b1 d1 b2 c2 d2 f3".split()}
    blocked = variant(tmp_path, text.replace("{f3, c4}", "{a3, f3, c4}"))
    assert "c1-a3" in legal(blocked)
    assert "c1-f3" not in legal(blocked)


def test_kalah_with_other_captures(tmp_path):
    text = """
variant "Study" of "Kalah"
state seeds: int per site = 1 on b1, 1 on g1, 1 on d2
"""
    assert variant(tmp_path, text).play("b1").state["seeds"]["h1"] == 0
    alone = variant(tmp_path, text, empty_capture=True).play("b1").state["seeds"]
    assert (alone["c1"], alone["h1"]) == (0, 1)


def test_oware_grand_slams(tmp_path):
    text = """
variant "Study" of "Oware"
state seeds: int per site = 1 on e1, 1 on f1, 1 on f2, 1 on a1
"""
    assert variant(tmp_path, text).play("f1").state["store"] == {"South": 0, "North": 0}
    slam = variant(tmp_path, text, grand_slam=True).play("f1")
    assert slam.state["store"] == {"South": 2, "North": 0}
    assert slam.result.scores == {"South": 4, "North": 0}


def test_both_sides_connected_at_once(tmp_path):
    text = """
variant "Study" of "Lines of Action"
setup:
    place Black man at {a1, b4}
    place White man at {b2, h8}
"""
    assert variant(tmp_path, text).play("b4-b2").result.winner == "Black"
    assert variant(tmp_path, text, both_draw=True).play("b4-b2").result.winner is None


def test_amazons_on_smaller_boards():
    assert sorted(load("amazons", size=6).board) == "a2 a5 b1 b6 e1 e6 f2 f5".split()
