"""Batches and playouts agree with positions, whatever the threads, and with each other for the same seed."""

from __future__ import annotations

import copy
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from rules import game

from interpreter.batch import Batch, NeedsNative
from interpreter.errors import IllegalMove
from interpreter.game import Game, Position
from interpreter.playouts import DRAW, UNFINISHED

GAMES = Path(__file__).parents[1] / "games"

#: Pie rules, rules that look back, counters, passes, many kinds, many boards.
NAMES = ["hex", "go", "kalah", "nine_mens_morris", "reversi", "english_draughts", "magpie", "tic_tac_toe"]

BUNDLED = ["ayu", "egotzi", "squared_egotzi"]

LINE = """\
board rectangle(4, 1)
pieces stone
turn:
    choose square in empty
    place stone at square
end:
    if passes = 1: draw
"""


def load(name: str) -> Game:
    return Game.load(name if name in BUNDLED else str(GAMES / f"{name}.game")).on("native")


def line() -> Game:
    return game(LINE).on("native")


def assert_same(batch: Batch, positions: list[Position]) -> None:
    """Check that a batch says about its positions what they say themselves."""
    assert len(batch) == len(positions)
    players, names = batch.game.players, batch.game.board.names
    for i, position in enumerate(positions):
        assert batch.position(i).snapshot == position.snapshot
        assert batch.counts[i] == len(position.legal_moves)
        assert batch.over[i] == position.over
        result = position.result
        if result is None:
            assert batch.winners[i] == batch.persons[i] == UNFINISHED
            assert batch.returns[i].tolist() == [0, 0]
        elif result.winner is None:
            assert batch.winners[i] == batch.persons[i] == DRAW
        else:
            assert players[batch.winners[i]] == result.winner
            assert ("first", "second")[batch.persons[i]] == result.person
            assert batch.returns[i].tolist() == ([1, -1] if result.person == "first" else [-1, 1])
        assert players[batch.to_move[i]] == position.to_move
        assert batch.swapped[i] == (position.seats[players[0]] == "second")
        assert batch.plies[i] == position.ply
        assert batch.hash64[i] == position.hash64
        pieces = {
            names[site]: piece
            for piece, plane in zip(batch.game.planes, batch.planes[i], strict=True)
            for site in np.flatnonzero(plane)
        }
        assert pieces == position.board
        for name, value in position.state.items():
            assert batch.state(name)[i].tolist() == numbers(value, batch.game), name


def numbers(value: object, game: Game) -> object:
    """The value of a state variable as a batch holds it."""
    match value:
        case dict():
            return [numbers(part, game) for part in value.values()]
        case list():
            return [site in value for site in game.board.names]
        case str() if value in game.players:
            return game.players.index(value)
    return value


@pytest.mark.parametrize("name", [*BUNDLED, *NAMES])
def test_a_batch_plays_as_positions_do(name: str) -> None:
    draw = np.random.default_rng(1)
    batch = Batch.of(load(name).start(), copies=20)
    batch.step(9, seed=4)
    batch = batch.some(slice(4))
    positions = [batch.position(i) for i in range(4)]
    for _ in range(12):
        assert_same(batch, positions)
        numbers = np.where(batch.over, -1, (draw.random(4) * batch.counts).astype(int))
        batch.play(numbers)
        positions = [
            position if number < 0 else position.play(position.legal_moves[number])
            for position, number in zip(positions, numbers, strict=True)
        ]


@pytest.mark.parametrize("name", [*BUNDLED, *NAMES])
@pytest.mark.parametrize("policy", ["uniform", "stepwise"])
def test_the_same_seed_is_the_same_games(name: str, policy: str) -> None:
    start = load(name).start()
    batches = [Batch.of(start, copies=50) for _ in range(3)]
    for batch, threads, seed in zip(batches, (1, 2, 1), (7, 7, 8), strict=True):
        batch.step(6, seed=seed, policy=policy, threads=threads)
    one, two, other = ([batch.position(i).key for i in range(50)] for batch in batches)
    assert one == two != other
    for count in (3, 60):
        games = [batches[0].playouts(count, seed=1, policy=policy, threads=k, most_plies=60) for k in (1, 2)]
        for array in ("winners", "plies", "swapped"):
            assert np.array_equal(getattr(games[0], array), getattr(games[1], array))
    assert games[0].winners.shape == (50, 60)


def test_playouts_of_a_batch_are_those_of_its_positions() -> None:
    """The games of the first position have the numbers from 0."""
    start = load("ayu").start()
    games, alone = Batch.of(start, copies=2).playouts(40, seed=3), start.playouts(40, seed=3)
    assert np.array_equal(games.winners[0], alone.winners)
    assert np.array_equal(games.plies[0], alone.plies)
    assert not np.array_equal(games.plies[0], games.plies[1])


def test_many_short_steps_are_whole_games() -> None:
    """Room for the past grows as the games go on."""
    batch = Batch.of(load("ayu").start(), copies=10)
    for seed in range(1000):
        batch.step(seed=seed)
        if batch.over.all():
            break
    assert all(batch.position(i).over for i in range(10))
    assert_same(batch, [batch.position(i) for i in range(10)])
    before = batch.planes
    batch.step(seed=0)
    assert np.array_equal(before, batch.planes)


def test_the_last_ply_may_end_the_game() -> None:
    """Four sites are full after four moves, and then nobody can move: a draw, if anybody looks."""
    for engine in ("native", "reference"):
        start = game(LINE).on(engine).start()
        assert start.playouts(5, most_plies=4).winners.tolist() == [DRAW] * 5
        assert start.playouts(5, most_plies=3).winners.tolist() == [UNFINISHED] * 5


def test_the_last_ply_may_win_the_game() -> None:
    text = LINE.replace("passes = 1: draw", "stuck(next): mover wins")
    for engine in ("native", "reference"):
        assert game(text).on(engine).start().playouts(5, most_plies=4).winners.tolist() == [1] * 5


def test_swap_is_the_last_number() -> None:
    batch = Batch.of(load("hex").start().play("a1"), copies=2)
    assert batch.counts.tolist() == [121, 121]  # 120 empty cells, and swap
    batch.play([120, 0])
    assert batch.swapped.tolist() == [True, False]
    assert batch.plies.tolist() == [2, 2]


def test_an_illegal_number_plays_nothing() -> None:
    batch = Batch.of(line().start(), copies=3)
    with pytest.raises(IllegalMove, match="position 1 has 4 legal moves; there is no move 4"):
        batch.play([0, 4, 0])
    with pytest.raises(IllegalMove):
        batch.play([-2, 0, 0])
    with pytest.raises(ValueError, match="3 positions"):
        batch.play([0])
    assert batch.plies.tolist() == [0, 0, 0]


def test_a_copy_has_a_life_of_its_own() -> None:
    batch = Batch.of(line().start(), copies=3)
    for other in (
        batch.some(slice(None)),
        batch.some(np.array([True, False, True])),
        batch.some(np.array([2])),
    ):
        other.step(seed=1)
    assert batch.plies.tolist() == [0, 0, 0]


def test_a_batch_is_of_one_game() -> None:
    with pytest.raises(ValueError, match="one game"):
        Batch.of([line().start(), load("ayu").start()])
    with pytest.raises(ValueError, match="one game"):
        Batch.of([])
    with pytest.raises(NeedsNative):
        Batch.of(game(LINE).on("reference").start())
    with pytest.raises(ValueError, match="there is no policy `best`"):
        Batch.of(line().start()).step(seed=1, policy="best")


@pytest.mark.parametrize("which", [0, None, [[0, 1], [2, 3]], np.argwhere([True, False, True])])
def test_what_is_no_row_selects_no_positions(which: Any) -> None:
    """Once, a single number or a table selected batches whose members were not those of the positions."""
    batch = Batch.of(line().start(), copies=6)
    with pytest.raises(TypeError, match="a row of numbers"):
        batch.some(which)
    with pytest.raises(IndexError):
        batch.some([6])
    assert len(batch.some([])) == 0
    assert batch.some([0, 5, -1]).plies.tolist() == [0, 0, 0]


def test_an_empty_batch_has_no_pieces() -> None:
    none = Batch.of(load("hex").start()).some([])
    assert none.planes.shape == (0, 2, 121)
    assert none.hash64.shape == none.plies.shape == (0,)
    assert none.returns.shape == (0, 2)


def test_a_state_that_there_is_not_is_said() -> None:
    with pytest.raises(KeyError, match="no state 'seed'; there is seeds"):
        Batch.of(load("kalah").start()).state("seed")


@pytest.mark.parametrize("number", [-1, 2**31, 2**64 + 2])
def test_numbers_out_of_range_are_refused(number: int) -> None:
    """Once, only their last 64 bits were used."""
    start = line().start()
    batch = Batch.of(start)
    for what in (
        start.perft,
        start.playouts,
        lambda count: batch.step(count, seed=1),
        lambda count: batch.playouts(count, seed=1),
    ):
        with pytest.raises(ValueError, match=f"0 to 2,147,483,647, not {number}"):
            what(number)
    for name in ("threads", "most_plies"):
        with pytest.raises(ValueError, match=f"{name} is 1 to"):
            start.playouts(1, **{name: number})  # type: ignore[arg-type]


def test_random_games_without_a_seed_are_others_each_time() -> None:
    """Once, a loop measured the same games again and again."""
    start = load("hex").start()
    plies = {tuple(start.playouts(20).plies) for _ in range(3)}
    assert len(plies) == 3
    assert start.playouts(20, seed=7).plies.tolist() == start.playouts(20, seed=7).plies.tolist()


@pytest.mark.parametrize("name", ["ayu", "go"])
def test_several_threads_may_use_a_batch(name: str) -> None:
    """Once, both made room for the past at the same time, and wrote beyond it: Python was killed."""
    batch, errors = Batch.of(load(name).start(), copies=100), list[Exception]()

    def use(first: int) -> None:
        try:
            for seed in range(first, first + 40):
                batch.step(3, seed=seed)
                batch.play(np.full(len(batch), -1))
                assert not (batch.plies % 3)[~batch.over].any()
                assert batch.position(seed % 100).ply % 3 == 0 or batch.over[seed % 100]
                batch.playouts(1, seed=seed, most_plies=5)
        except Exception as error:
            errors.append(error)

    threads = [Thread(target=use, args=(first,)) for first in (0, 1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert all(batch.plies[~batch.over] == 240)


@pytest.mark.parametrize(
    "numbers", [[0.9, 1.7], [True, False], ["0", "1"], [None, 0], [0.0, np.nan], [10**30, 0]]
)
def test_the_numbers_of_moves_are_whole_numbers(numbers: list[object]) -> None:
    """Once, others were truncated."""
    batch = Batch.of(line().start(), copies=2)
    with pytest.raises(TypeError, match="whole numbers, not"):
        batch.play(numbers)  # type: ignore[arg-type]
    assert batch.plies.tolist() == [0, 0]


def test_whole_numbers_of_every_width_are_numbers_of_moves() -> None:
    batch = Batch.of(line().start(), copies=2)
    batch.play(np.array([0, 3], np.uint8))
    batch.play(np.array([0, 1], np.int16)[::-1])
    assert batch.plies.tolist() == [2, 2]
    with pytest.raises(IllegalMove, match="there is no move 18446744073709551615"):
        batch.play(np.array([0, 2**64 - 1], np.uint64))
    batch.some(slice(0)).play([])


def test_numbers_of_numpy_are_numbers() -> None:
    batch, same = (Batch.of(load("ayu").start(), copies=2) for _ in range(2))
    batch.step(np.int8(2), seed=np.int64(7), threads=np.int32(2))
    same.step(2, seed=7)
    assert np.array_equal(batch.planes, same.planes)
    games = batch.playouts(np.int8(3), seed=np.uint64(5))
    assert np.array_equal(games.plies, same.playouts(3, seed=5).plies)


def test_what_a_batch_has_told_cannot_be_changed() -> None:
    """Once, changing a count let moves be played that do not exist."""
    batch = Batch.of(line().start(), copies=2)
    with pytest.raises(ValueError, match="read-only"):
        batch.counts[0] = 100


def test_a_batch_is_copied_with_memory_of_its_own() -> None:
    batch = Batch.of(load("go").start(), copies=2)
    for other in (copy.copy(batch), copy.deepcopy(batch)):
        other.step(3, seed=1)
    assert batch.plies.tolist() == [0, 0]
    assert repr(batch).startswith("<Batch of 2 positions of Game('Go', size=19, ")
