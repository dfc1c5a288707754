"""The pie rule: on the second player's first turn the people may swap seats; the stones stay."""

from __future__ import annotations

from random import Random

import pytest
from pictures import legal
from strategies import walk

from interpreter.game import Game, IllegalMove, Position
from interpreter.perft import distinct, sequences

GAMES = ["ayu", "egotzi"]
KEPT = {"Black": "first", "White": "second"}
SWAPPED = {"Black": "second", "White": "first"}


def after_first_move(name: str) -> Position:
    start = Game.load(name, size=5, pie=True).start()
    return start.play(start.legal_moves[0])


@pytest.mark.parametrize("name", GAMES)
def test_swap_is_legal_once_on_the_second_players_first_turn(name: str):
    assert legal(after_first_move(name)).count("swap") == 1
    for position, move in walk(Game.load(name, size=5, pie=True).start(), Random(7)):
        if position.ply == 1:
            assert position.legal_moves[-1].notation == "swap"
        else:
            assert "swap" not in legal(position)
        if move is not None and move.notation == "swap":
            break


@pytest.mark.parametrize("name", GAMES)
def test_swap_is_gone_whether_it_is_taken_or_not(name: str):
    position = after_first_move(name)
    for reply in ("swap", position.legal_moves[0].notation):
        assert "swap" not in legal(position.play(reply))
        with pytest.raises(IllegalMove):
            position.play(reply).play("swap")


@pytest.mark.parametrize("name", GAMES)
def test_the_people_change_seats_and_nothing_else_changes(name: str):
    before = after_first_move(name)
    after = before.play("swap")
    assert (before.seats, before.to_move, before.person) == (KEPT, "White", "second")
    assert (after.seats, after.to_move, after.person) == (SWAPPED, "White", "first")
    assert (after.board, after.key, after.hash64) == (before.board, before.key, before.hash64)
    assert after.ply == before.ply + 1
    assert legal(after) == sorted(set(legal(before)) - {"swap"})


@pytest.mark.parametrize("name", GAMES)
def test_without_the_pie_rule_there_is_no_swap(name: str):
    start = Game.load(name, size=5, pie=False).start()
    assert "swap" not in legal(start.play(start.legal_moves[0]))


@pytest.mark.parametrize("swapped", [False, True])
def test_the_result_names_colour_and_person(swapped: bool):
    # Black and White fill the four squares; nothing is left over, so White, the last to place, loses.
    position = Game.load("egotzi", size=2).start().play("a1")
    position = position.play("swap") if swapped else position
    for square in ("b2", "b1", "a2"):
        position = position.play(square)
    assert position.result.winner == "Black"
    assert position.result.person == ("second" if swapped else "first")


@pytest.mark.parametrize(("name", "first", "second"), [("ayu", 14, 176), ("egotzi", 25, 25 * 24)])
def test_counts_with_the_pie_rule_have_a_swap_for_each_first_move(name: str, first: int, second: int):
    start = Game.load(name, size=5, pie=True).start()
    assert list(sequences(start, 2)) == [first, second + first]


def test_different_positions_after_a_swap_are_the_ones_before_it():
    # `swap` leads back to one of the 4 boards after one ply, with White to move: 12 + 4.
    assert list(distinct(Game.load("egotzi", size=2, pie=True).start(), 2)) == [4, 12 + 4]
