"""Squared Egotzi: bids, sides, sums of squares; and nothing of it outside its rule file."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import legal, pictured
from strategies import randoms, walk

from gdl import library
from interpreter.game import Game, IllegalMove, Position

PROJECT = Path(__file__).parent.parent
KEPT = {"Black": "first", "White": "second"}
SWAPPED = {"Black": "second", "White": "first"}


def squared(picture: str, komi: int = 0) -> Position:
    return pictured("Squared Egotzi", picture, auction=False, komi=komi)


def play(position: Position, moves: str) -> Position:
    for move in moves.split():
        position = position.play(move)
    return position


# --- the auction -----------------------------------------------------------------


def test_the_first_player_names_an_even_komi():
    start = Game.load("squared_egotzi", size=3).start()
    assert (start.to_move, start.person) == ("Black", "first")
    # From nothing to twice as much as a board of nine squares could be worth.
    assert [move.notation for move in start.legal_moves] == [str(komi) for komi in range(0, 19, 2)]
    with pytest.raises(IllegalMove):
        start.play("3")


def test_the_second_player_keeps_or_swaps_sides():
    position = Game.load("squared_egotzi", size=3).start().play("4")
    assert (position.to_move, position.person) == ("White", "second")
    assert legal(position) == ["keep", "swap"]
    assert position.board == {}


@pytest.mark.parametrize(("choice", "seats"), [("keep", KEPT), ("swap", SWAPPED)])
def test_then_black_starts_whoever_sits_there(choice: str, seats: dict[str, str]):
    position = play(Game.load("squared_egotzi", size=3).start(), f"4 {choice}")
    assert position.seats == seats
    assert (position.to_move, position.person) == ("Black", seats["Black"])
    assert len(position.legal_moves) == 9
    position = position.play("b2")
    assert (position.to_move, position.person) == ("White", seats["White"])
    assert position.seats == seats
    assert position.board == {"b2": "Black stone"}


def test_nobody_bids_twice_and_there_is_no_pie_rule():
    game = Game.load("squared_egotzi", size=2)
    assert "pie" not in game.options
    for position, _ in walk(play(game.start(), "2 keep"), Random(1)):
        assert set(legal(position)) <= {"a1", "a2", "b1", "b2"}


def test_the_bid_counts_for_white():
    position = play(Game.load("squared_egotzi", size=2).start(), "6 swap")
    assert position.state["bonus"] == 6
    # In the end all stay where they were placed: two singles each, in the corners, or a row each.
    *_, (end, _) = walk(position, Random(3))
    stones = {"Black": 0, "White": 0}
    for piece in end.board.values():
        stones[piece.split()[0]] += 1
    assert stones == {"Black": 2, "White": 2}
    assert end.result.scores in ({"Black": 2, "White": 8}, {"Black": 4, "White": 10})
    assert (end.result.winner, end.result.person) == ("White", "first")


# --- the agreed komi ---------------------------------------------------------------


def test_without_the_auction_the_agreed_komi_is_played_with():
    start = Game.load("squared_egotzi", size=3, auction=False, komi=8).start()
    assert (start.to_move, start.person, start.seats) == ("Black", "first", KEPT)
    assert start.state["bonus"] == 8
    assert len(start.legal_moves) == 9


FULL = """
    B B W
    B W W
    . B B
"""


def test_the_score_is_the_sum_of_the_squares_of_the_groups():
    # Black's a1 joins all that is black: a1 a2 a3 b3 b1 c1, six stones, 36; White has one group of three, 9.
    result = squared(FULL).play("a1").result
    assert result.scores == {"Black": 36, "White": 9}
    assert (result.winner, result.person, result.reason) == ("Black", "first", "no empty")


@pytest.mark.parametrize(("komi", "winner"), [(0, "Black"), (26, "Black"), (28, "White")])
def test_the_komi_counts_for_white(komi: int, winner: str):
    result = squared(FULL, komi).play("a1").result
    assert result.scores == {"Black": 36, "White": 9 + komi}
    assert result.winner == winner


@pytest.mark.parametrize(("komi", "winner"), [(0, None), (2, "White")])
def test_equal_scores_are_a_draw(komi: int, winner: str | None):
    # Two singles each. An even board can tie; Egotzi itself never does.
    picture = """
        W B
        . W
    """
    result = squared(picture, komi).play("a1").result
    assert result.scores == {"Black": 2, "White": 2 + komi}
    assert result.winner == winner
    assert result.person == (None if winner is None else "second")


@given(
    size=st.integers(2, 5), half=st.integers(0, 4), choice=st.sampled_from(["keep", "swap"]), random=randoms()
)
def test_the_auction_and_the_agreement_are_the_same_game(size: int, half: int, choice: str, random: Random):
    komi = 2 * half
    agreed = Game.load("squared_egotzi", size=size, auction=False, komi=komi).start()
    bid = play(Game.load("squared_egotzi", size=size).start(), f"{komi} {choice}")
    for position, move in walk(agreed, random):
        assert (bid.board, bid.state, bid.to_move, legal(bid)) == (
            position.board,
            position.state,
            position.to_move,
            legal(position),
        )
        if move is not None:
            bid = bid.play(move.notation)
    assert bid.result.scores == position.result.scores
    assert bid.result.winner == position.result.winner


# --- nothing of it elsewhere -------------------------------------------------------

CODE = sorted(
    path
    for folder in ("gdl", "interpreter")
    for path in (PROJECT / folder).rglob("*")
    if path.suffix in (".py", ".lark") and library.folder() not in path.parents
)


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(PROJECT)))
def test_no_code_knows_a_game(path: Path):
    """The rules of games are in their files only; an example in a docstring may name a game."""
    text = path.read_text(encoding="utf-8")
    code = without_docstrings(text) if path.suffix == ".py" else text
    assert not [word for word in ("komi", "auction", "squared") if word in text.lower()]
    assert not [word for word in ("ayu", "egotzi") if word in code.lower()]


def without_docstrings(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() if ast.get_docstring(node):
                node.body[0] = ast.Pass()
    return ast.unparse(tree)
