"""Moves as text: one notation for each legal move, lenient reading, three kinds of error."""

from __future__ import annotations

import time

import pytest
from rules import legal, load, play, start

from interpreter.game import AmbiguousMove, Game, IllegalMove, Position, UnreadableMove

AYU = Game.load("ayu", size=5).start()


def turn(body: str, pieces: str = "stone", more: str = "") -> Position:
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    return start(f"board squares(3)\npieces {pieces}\n{more}turn:\n{lines}end:\n    if stuck(next): draw\n")


# --- writing ----------------------------------------------------------------------


def test_sites_numbers_kinds_directions_and_players():
    body = """
choose s in a1 + b2
choose d in north + south_east
choose n in 3..4
choose k in queen, rook
choose p in Black, White
require s = a1 and d = north and n = 3
place p k at s
"""
    expected = ["a1-north-3=Q-Black", "a1-north-3=Q-White", "a1-north-3=R-Black", "a1-north-3=R-White"]
    assert legal(turn(body, pieces="queen, rook")) == expected


def test_words_of_their_own():
    body = """
either:
    pass
or:
    keep sides
or:
    swap sides
or:
    choose s in row(1)
    place stone at s
"""
    assert legal(turn(body)) == ["pass", "keep", "swap", "a1", "b1", "c1"]


def test_a_notation_of_the_rules_replaces_the_derived_one():
    body = 'choose s in row(1)\nplace stone at s\nnotation "{s}!"\nif s = b1:\n    notation "middle"'
    assert legal(turn(body)) == ["a1!", "middle", "c1!"]


def test_equal_notations_give_way_to_the_derived_ones():
    body = 'choose s in row(1)\nplace stone at s\nnotation "edge" if s in edge - b1 else "middle"'
    assert legal(turn(body)) == ["a1", "middle", "c1"]


def test_equal_derived_notations_are_numbered():
    body = """
either:
    choose s in a1 + b1
    place Black stone at s
or:
    choose s in a1 + c1
    place White stone at s
"""
    assert legal(turn(body)) == ["a1", "b1", "a1~2", "c1"]
    assert turn(body).play("a1~2").board == {"a1": "White stone"}


def test_many_equal_notations_take_no_time():
    began = time.process_time()
    body = 'choose s in row(1)\nchoose n in 1..20000\nplace stone at s\nnotation "x"'
    assert len(set(legal(turn(body)))) == 60000
    assert time.process_time() - began < 5


def test_no_notation_has_spaces():
    body = 'choose s in row(1)\nplace stone at s\nnotation "{s} to  here"'
    assert legal(turn(body)) == ["a1tohere", "b1tohere", "c1tohere"]


# --- reading ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["b1-b2", "B1-B2", "b1b2", "B1 B2", " b1 - b2\n", "b1 to b2", "b1:b2", "b1->b2", "b1\u2013b2"]
)
def test_lenient_reading(text):
    assert AYU.parse(text).notation == "b1-b2"


def test_every_notation_reads_as_its_own_move():
    position = AYU
    for _ in range(12):
        assert [position.parse(move.notation) for move in position.legal_moves] == list(position.legal_moves)
        position = position.play(position.legal_moves[-1])


def test_a_move_of_another_position_is_not_taken_on_trust():
    move = AYU.parse("b1-b2")
    with pytest.raises(IllegalMove):
        AYU.play("b1-b2").play(move)


LINE = "Ayu, ply 0, Black to move: Black stone b1 d1 b3 d3 b5 d5 / White stone a2 c2 e2 a4 c4 e4"


def test_the_position_on_one_line():
    assert str(AYU) == AYU.line() == LINE


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hello", "`hello` is no move: a move here looks like b1-c1."),
        ("", "`` is no move: a move here looks like b1-c1."),
        ("z9-z8", "`z9-z8` is no move: a move here looks like b1-c1."),
        ("12", "`12` is no move: a move here looks like b1-c1."),
        ("\x1b[31m", "`?[31m` is no move: a move here looks like b1-c1."),
    ],
)
def test_unreadable(text, sentence):
    with pytest.raises(UnreadableMove) as caught:
        AYU.parse(text)
    assert str(caught.value) == f"{sentence}\n{LINE}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("b1-b3", "`b1-b3` is not legal here; near it: b1-c1, b1-b2; 14 legal moves in all."),
        ("a1-c3", "`a1-c3` is not legal here; near it: b3-c3, d3-c3; 14 legal moves in all."),
        ("a1-a3", "`a1-a3` is not legal here; 14 legal moves in all, b1-c1 is one."),
        ("pass", "`pass` is not legal here; 14 legal moves in all, b1-c1 is one."),
    ],
)
def test_illegal(text, sentence):
    with pytest.raises(IllegalMove) as caught:
        AYU.parse(text)
    assert str(caught.value) == f"{sentence}\n{LINE}"


def test_ambiguous():
    with pytest.raises(AmbiguousMove) as caught:
        AYU.parse("B1")
    assert str(caught.value) == f"`B1` fits 2 legal moves: b1-c1, b1-b2.\n{LINE}"


def test_digits_that_run_together_are_ambiguous():
    body = "choose a in 1..11 step 10\nchoose b in 1..11 step 10\nplace stone at a1"
    position = turn(body)
    assert legal(position) == ["1-1", "1-11", "11-1", "11-11"]
    assert position.parse("1 11").notation == "1-11"
    with pytest.raises(AmbiguousMove):
        position.parse("111")


def test_a_long_list_is_cut():
    body = "choose a in 1..1\nchoose s in board\nplace stone at s"
    with pytest.raises(AmbiguousMove, match=r"`1` fits 9 legal moves: 1-a1, .*, 1-b3, \.\.\.\."):
        turn(body).parse("1")


def test_hostile_text_is_cut():
    for text in ("b" * 1_000_000, "b1-b2 " * 200_000, "\0" * 500):
        with pytest.raises((UnreadableMove, IllegalMove)) as caught:
            AYU.parse(text)
        assert len(str(caught.value)) < 400
        assert "\0" not in str(caught.value)


def test_no_move_is_read_when_the_game_is_over():
    position = play(turn("choose s in empty & row(1)\nplace stone at s"), "a1 b1 c1")
    with pytest.raises(IllegalMove, match="the game is over"):
        position.parse("a1")


@pytest.mark.parametrize(
    ("moves", "typed", "meant"),
    [
        ("", "e4", "e2-e4"),
        ("", "Nf3", "g1-f3"),
        ("e2-e4 d7-d5", "exd5", "e4-d5"),
        ("g1-f3 a7-a6 d2-d3 a6-a5", "Nbd2", "b1-d2"),
        ("e2-e4 e7-e5 g1-f3 g8-f6 f1-c4 f8-c5", "0-0", "O-O"),
        ("a2-a4 b7-b5 a4-b5 a7-a6 b5-a6 c8-b7 a6-b7 b8-c6", "bxa8=Q", "b7-a8=Q"),
        ("a2-a4 b7-b5 a4-b5 a7-a6 b5-a6 c8-b7 a6-b7 b8-c6", "bxa8Q+", "b7-a8=Q"),
    ],
)
def test_moves_as_chess_players_write_them(moves: str, typed: str, meant: str) -> None:
    assert play(load("chess"), moves).parse(typed).notation == meant


def test_a_move_of_chess_players_that_fits_two_is_asked_about() -> None:
    position = play(load("chess"), "g1-f3 a7-a6 d2-d3 a6-a5")
    with pytest.raises(AmbiguousMove, match="`Nd2` fits 2 legal moves: b1-d2, f3-d2"):
        position.parse("Nd2")


def test_what_the_rules_write_is_a_move_where_it_cannot_be_played() -> None:
    """Once, castling too early was said not to be a move at all."""
    with pytest.raises(IllegalMove, match="`O-O` is not legal here"):
        load("chess").parse("O-O")


def test_other_games_are_not_written_as_chess() -> None:
    with pytest.raises(IllegalMove):
        load("ayu").parse("c4")
