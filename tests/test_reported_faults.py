"""Faults that users of other board game systems have reported: they must not occur here."""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from rules import legal, play, start

from gdl import library
from gdl.library import bundled, read, slug
from interpreter.game import Game, IllegalMove, Position


@pytest.fixture(params=["reference", "native"])
def engine(request: pytest.FixtureRequest) -> str:
    return request.param


def load(name: str, engine: str, **options: int | bool) -> Position:
    return Game.load(name, **options).on(engine).start()


def study(tmp_path: Path, engine: str, name: str, changes: str) -> Position:
    """A game with some of its rules changed."""
    path = tmp_path / "study.game"
    path.write_text(f'variant "Study" of "{Game.load(name).name}"\n{changes}')
    return Game.load(str(path)).on(engine).start()


# --- boards that come back -------------------------------------------------------


def test_a_board_of_go_does_not_come_back(engine):
    """Whole random games on a small board, where repetitions abound; a pass keeps the board."""
    for seed in range(10):
        random, position = Random(seed), load("go", engine, size=3)
        boards = {tuple(position.board.items())}
        for _ in range(60):
            move = random.choice(position.legal_moves)
            position = position.play(move)
            board = tuple(position.board.items())
            assert (board in boards) == (move.notation == "pass"), position
            boards.add(board)
            if position.over:
                break


#: Black has taken the ko at c2; White's c3 would take it back.
KO = "a2 d2 b1 c1 b3 c3 c2 b2"


def test_a_pass_is_legal_wherever_it_leaves_the_board(engine):
    position = load("go", engine, size=5)
    assert legal(position)[-1] == "pass"
    assert "pass" in legal(play(position, KO))
    assert "pass" in legal(play(position, KO + " pass"))


SUPERKO = """
    board points(3, 1)
    pieces stone
    setup:
        place Black stone at a1
    turn:
        either:
            choose from in pieces(Black)
            choose point in empty
            move from to point
            require not {word}
        or:
            pass
    end:
        if ply = 9: draw
"""


def test_situational_superko_looks_at_the_side_to_move(engine):
    """After b1 and a pass Black is to move, not White: b1 to a1 gives an old board with another mover."""
    positional = start(dedent(SUPERKO).format(word="repeated_board"))
    situational = start(dedent(SUPERKO).format(word="repeated"))
    positional, situational = (
        position.game.on(engine).start().play("a1-b1") for position in (positional, situational)
    )
    # White to move would give the board of the start to Black, whose turn it was then.
    assert "b1-a1" not in legal(positional)
    assert "b1-a1" not in legal(situational)
    # Black, after White's pass, gives it to White, who never had it.
    assert "b1-a1" not in legal(positional.play("pass"))
    assert "b1-a1" in legal(situational.play("pass"))


def test_the_past_of_one_game_is_not_that_of_another(engine):
    """Two games that part and are played alternately each know what they themselves repeat."""
    position = load("chess", engine)
    dance = ("g1-f3 g8-f6 f3-g1 f6-g8", "b1-c3 b8-c6 c3-b1 c6-b8")
    one, other = play(position, dance[0]), play(position, dance[1])
    for move in dance[0].split():
        assert one.result is None
        one, other = one.play(move), other.play("a2-a3" if other.ply == 4 else legal(other)[0])
    assert one.result.reason == "third repetition"
    assert other.result is None


def test_a_double_step_that_no_pawn_can_answer_makes_no_other_position(engine):
    """A possible en passant capture counts for threefold repetition only if a pawn can make it."""
    position = play(load("chess", engine), "e2-e4" + 2 * " g8-f6 g1-f3 f6-g8 f3-g1")
    assert position.result.reason == "third repetition"
    ready = play(load("chess", engine), "h2-h3 d7-d5 h3-h4 d5-d4 e2-e4" + 2 * " g8-f6 g1-f3 f6-g8 f3-g1")
    assert ready.result is None
    assert ready.play("g8-f6").result.reason == "third repetition"


# --- passes ----------------------------------------------------------------------


def test_who_has_no_move_in_reversi_passes_and_does_not_lose(tmp_path, engine):
    changes = """
setup:
    place Black disc at {a1, c1}
    place White disc at {d1, h2}
"""
    position = study(tmp_path, engine, "reversi", changes).play("e1")
    assert (legal(position), position.result) == (["pass"], None)
    assert position.play("pass").to_move == "Black"


@pytest.mark.parametrize("name", bundled())
def test_a_pass_is_offered_where_the_rules_offer_it(name):
    """Where passing is free, the file of the game says `or: pass`; elsewhere it is the last resort."""
    rules = library.load(name)
    text = read(name).text + (read(slug(rules.base)).text if rules.base else "")
    position, random = load(name, "native"), Random(name)
    at_will = "or:\n        pass" in text
    for _ in range(12):
        if position.over:
            break
        moves = legal(position)
        assert "pass" not in moves or at_will or moves == ["pass"], position
        position = position.play(random.choice(position.legal_moves))


# --- moves of several steps ------------------------------------------------------

TWO_TO_TAKE = """
setup:
    place Black man at {a1, h2}
    place White man at {b2, d4, h8}
"""


def test_half_a_chain_of_captures_is_no_move(tmp_path, engine):
    position = study(tmp_path, engine, "english_draughts", TWO_TO_TAKE)
    assert legal(position) == ["a1-c3-e5"]
    with pytest.raises(IllegalMove):
        position.play("a1-c3")


def test_a_chain_of_captures_is_one_move(tmp_path, engine):
    after = study(tmp_path, engine, "english_draughts", TWO_TO_TAKE).play("a1-c3-e5")
    assert (after.ply, after.to_move) == (1, "White")
    assert set(after.last_move) == {"a1", "b2", "d4", "e5"}


def test_discs_that_turn_are_one_move(engine):
    after = load("reversi", engine).play("d3")
    assert (after.ply, after.to_move) == (1, "White")
    assert set(after.last_move) == {"d3", "d4"}


# --- boards, setups, seats -------------------------------------------------------


@pytest.mark.parametrize(("columns", "rows"), [(5, 7), (7, 5), (3, 4)])
def test_hex_that_is_not_square_is_won_on_the_right_axes(engine, columns, rows):
    """Red links the first and the last row, Blue the first and the last column."""
    position = load("hex", engine, columns=columns, rows=rows, pie=False)
    up = [f"a{row + 1}" for row in range(rows)]
    across = [f"{chr(ord('b') + column)}{rows}" for column in range(columns - 1)]
    for red, blue in zip(up[:-1], [*across, "c1", "c2", "c3"], strict=False):
        position = position.play(red)
        assert position.result is None
        position = position.play(blue)
        assert position.result is None, "Blue does not yet touch the first column"
    assert position.play(up[-1]).result.winner == "Red"
    other = load("hex", engine, columns=columns, rows=rows, pie=False)
    along = [f"{chr(ord('a') + column)}1" for column in range(columns)]
    for n, blue in enumerate(along):
        assert other.result is None
        other = other.play(f"{'abc'[n % 3]}{2 + n // 3}").play(blue)
    assert other.result.winner == "Blue"


@pytest.mark.parametrize("first", ["Black", "White"])
def test_either_colour_may_be_to_move_after_a_setup(engine, first):
    second = "White" if first == "Black" else "Black"
    text = f"""
        board squares(3)
        pieces stone
        setup:
            place Black stone at a1
            place White stone at c3
        turn:
            choose stone in mine
            choose square in empty & adjacent(stone)
            move stone to square
        play:
            repeat {first}, {second}: turn
        end:
            if ply = 2: draw
    """
    position = start(dedent(text)).game.on(engine).start()
    own = {"Black": "a1", "White": "c3"}
    assert position.to_move == first
    assert {move.split("-")[0] for move in legal(position)} == {own[first]}
    after = position.play(legal(position)[0])
    assert after.to_move == second
    assert {move.split("-")[0] for move in legal(after)} == {own[second]}


def test_after_a_swap_the_reward_goes_to_the_person(engine):
    """Red wins; the person who had Red in the end was second to begin with."""
    start_ = load("hex", engine, columns=3)
    kept = play(start_, "b2 a1 b1 a2 b3").result
    assert (kept.winner, kept.person) == ("Red", "first")
    swapped = play(start_, "b2 swap a1 b1 a2 b3").result
    assert (swapped.winner, swapped.person) == ("Red", "second")


def test_playouts_reward_the_person(engine):
    """Red is one move from winning, after a swap and without one."""
    start_ = load("hex", engine, columns=2)
    for moves, person in (("a1 b1", 0), ("a1 swap b1", 1)):
        games = play(start_, moves).playouts(30, seed=1)
        red = games.winners == 0
        assert red.any()
        assert set(games.persons[red]) == {person}
