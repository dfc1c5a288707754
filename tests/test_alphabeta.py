"""Players that look ahead: they win if they can force a win, in time, and on either side."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from interpreter.deepening import WON, Lookahead
from interpreter.game import Game, Move, Position
from interpreter.players import Chair, Player, PlayerError, make
from interpreter.thought import Thought

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "forced_wins.json").read_text(encoding="utf-8")
)
#: Brute force takes seconds there.
DEAR = {"lines_of_action", "los_alamos_chess", "magpie", "knightthrough", "brandubh"}


def case_id(case: dict[str, Any]) -> str:
    return f"{case['game']}-{len(case['moves'])}"


def after(game: Game, moves: list[str]) -> Position:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def position_of(case: dict[str, Any], engine: str) -> Position:
    return after(Game.load(case["game"], **case["options"]).on(engine), case["moves"])


def chosen(player: Player, position: Position) -> Move:
    move = player.choose(position, [])
    assert isinstance(move, Move)
    return move


# --- forced wins ------------------------------------------------------------------


def forces(position: Position, person: str, own_moves: int) -> bool:
    """Whether a person has won, or wins within `own_moves` moves of theirs, whatever the other does."""
    if position.result is not None:
        return position.result.person == person
    after = map(position.play, position.legal_moves)
    if position.person == person:
        return own_moves > 0 and any(forces(child, person, own_moves - 1) for child in after)
    return all(forces(child, person, own_moves) for child in after)


def test_there_are_wins_to_be_found_in_many_games() -> None:
    assert len(CASES) >= 40
    assert len({case["game"] for case in CASES}) >= 12


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.slow] * (case["game"] in DEAR)) for case in CASES],
    ids=case_id,
)
def test_the_wins_are_forced_by_these_moves_and_no_others(case: dict[str, Any]) -> None:
    position, own_moves = position_of(case, "reference"), case["own_moves"]
    winning = [
        move.notation
        for move in position.legal_moves
        if forces(position.play(move), position.person, own_moves - 1)
    ]
    assert winning == case["winning"]
    assert own_moves == 1 or not any(
        forces(position.play(move), position.person, 0) for move in position.legal_moves
    )


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_alphabeta_plays_a_winning_move(case: dict[str, Any]) -> None:
    position = position_of(case, "native")
    assert chosen(make("alphabeta:4", Chair(position.person)), position).notation in case["winning"]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_mcts_plays_a_winning_move(case: dict[str, Any]) -> None:
    position = position_of(case, "native")
    assert chosen(make("mcts:2000,seed=1", Chair(position.person)), position).notation in case["winning"]


@pytest.mark.parametrize("case", [c for c in CASES if c["own_moves"] == 1], ids=case_id)
def test_greedy_wins_where_one_move_does(case: dict[str, Any]) -> None:
    position = position_of(case, "native")
    assert chosen(make("greedy:1", Chair(position.person)), position).notation in case["winning"]


# --- what it says -----------------------------------------------------------------


def best(position: Position) -> int:
    """The value of a small game for the person to move (1, 0 or -1), from the rules alone."""
    if position.result is not None:
        return {position.person: 1, None: 0}.get(position.result.person, -1)
    values = []
    for move in position.legal_moves:
        child = position.play(move)
        values.append(best(child) if child.person == position.person else -best(child))
    return max(values)


@pytest.mark.parametrize(
    ("game", "options", "plies"),
    [
        ("egotzi", {"size": 2}, 0),  # the pie rule: people swap sides
        ("dots_and_boxes", {"columns": 2, "rows": 1}, 2),  # after closing a box, a player moves again
        ("tic_tac_toe", {}, 3),
        ("reversi", {"size": 4}, 9),
    ],
)
def test_to_the_end_it_is_exact(game: str, options: dict[str, int | bool], plies: int) -> None:
    position = Game.load(game, **options).on("reference").start()
    for number in range(plies):
        position = position.play(position.legal_moves[number % len(position.legal_moves)])
    native = Position(Game.load(game, **options).on("native"), position.snapshot)
    *_, found = Lookahead(native).deepen(until=time.monotonic() + 20)
    assert found.proven is not None
    worth = {position.person: 1, "draw": 0}.get(found.proven, -1)
    assert worth == best(position)


def test_a_win_is_as_near_as_it_is_said_to_be() -> None:
    # Black threatens c1 and a3 at once; White can stop one of them.
    position = after(Game.load("tic_tac_toe").on("native"), "a1 b3 b1 c2 a2".split())
    found = Lookahead(position).look(6)
    assert (found.value, found.proven, found.plies) == (2 - WON - 2000, "first", 2)


def test_it_thinks_aloud() -> None:
    position = Game.load("connect_four").on("native").start()
    thoughts: list[Thought] = []
    move = chosen(make("alphabeta:6", Chair(watch=thoughts.append)), position)
    assert [thought.effort.split(",")[0] for thought in thoughts] == [f"depth {n}" for n in range(1, 7)]
    assert [thought.done for thought in thoughts] == sorted(thought.done for thought in thoughts)
    last = thoughts[-1]
    assert last.done == 1
    assert last.line[0] == last.prospects[0].move == move
    assert last.value is not None
    assert 0 < last.value < 1
    for told in last.line:
        position = position.play(told)


def test_the_same_depth_plays_the_same_game() -> None:
    games = []
    for _ in range(2):
        players = {person: make("alphabeta:3", Chair(person)) for person in ("first", "second")}
        position, moves = Game.load("breakthrough", columns=5, rows=5).on("native").start(), []
        while not position.over:
            moves.append(chosen(players[position.person], position))
            position = position.play(moves[-1])
        games.append(moves)
    assert games[0] == games[1]


@pytest.mark.parametrize(("better", "worse"), [("alphabeta:4", "greedy:1"), ("greedy:1", "random:1")])
def test_looking_further_wins_more(better: str, worse: str) -> None:
    game = Game.load("breakthrough", columns=6, rows=6).on("native")
    wins = 0
    for person in ("first", "second") * 3:
        other = "second" if person == "first" else "first"
        players = {person: make(better, Chair(person)), other: make(f"{worse}{wins}", Chair(other))}
        position = game.start()
        while position.result is None:
            position = position.play(chosen(players[position.person], position))
        wins += position.result.person == person
    assert wins >= 5


@pytest.mark.parametrize("name", ["alphabeta:3", "greedy:1"])
def test_who_has_played_another_game_plays_as_one_who_sits_down(name: str) -> None:
    player = make(name, Chair())
    chosen(player, Game.load("breakthrough", columns=5, rows=5).on("native").start())
    start = Game.load("clobber", columns=5, rows=4).on("native").start()
    if name == "greedy:1":  # whose random numbers have moved on
        assert chosen(player, start) in start.legal_moves
    else:
        assert chosen(player, start) == chosen(make(name, Chair()), start)


def test_more_threads_do_not_change_how_it_looks_ahead() -> None:
    """As the documentation of the players says, only random games are shared among threads."""
    start = Game.load("breakthrough", columns=5, rows=5).on("native").start()
    told: dict[int, list[Thought]] = {1: [], 4: []}
    for threads, thoughts in told.items():
        chosen(make("alphabeta:4", Chair(threads=threads, watch=thoughts.append)), start)
    assert told[1] == told[4]


# --- greedy -----------------------------------------------------------------------


def test_greedy_hands_no_win_over() -> None:
    # White must stop a1 b1 c1.
    position = after(Game.load("tic_tac_toe").on("native"), ["a1", "b2", "b1"])
    assert {str(chosen(make(f"greedy:{seed}", Chair("second")), position)) for seed in range(8)} == {"c1"}


def test_greedy_takes_the_most() -> None:
    position = Game.load("reversi").on("native").start()
    for _ in range(6):
        taken = {}
        for move in position.legal_moves:
            result = position.play(move)
            taken[move] = list(result.board.values()).count(f"{position.to_move} disc")
        move = chosen(make("greedy:3", Chair(position.person)), position)
        assert taken[move] == max(taken[move] for move in position.legal_moves)
        position = position.play(move)


def test_greedy_draws_among_equals_by_its_seed() -> None:
    position = Game.load("hex", columns=5).on("native").start()
    moves = [str(chosen(make(f"greedy:{seed}", Chair()), position)) for seed in (*range(9), *range(9))]
    assert moves[:9] == moves[9:]
    assert len(set(moves)) > 3


# --- bounds -----------------------------------------------------------------------


@pytest.mark.parametrize("game", ["amazons", "chess", "go"])
def test_it_answers_in_time(game: str) -> None:
    position = Game.load(game).on("native").start()
    player = make("alphabeta:0.3s", Chair())
    chosen(player, position)  # compiles
    start = time.monotonic()
    chosen(player, position)
    assert time.monotonic() - start < 0.3 + 1.0


def test_it_can_be_interrupted() -> None:
    position = Game.load("connect_four").on("native").start()
    player = make("alphabeta:60s", Chair())
    chosen(make("alphabeta:1", Chair()), position)  # compiles
    interrupted: list[float] = []

    def interrupt() -> None:
        interrupted.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        player.choose(position, [])
    assert time.monotonic() - interrupted[0] < 1
    assert isinstance(make("alphabeta:2", Chair()).choose(position, []), Move)


def test_what_was_cut_short_proves_no_loss() -> None:
    # All replies but b2 lose; as long as only those have been looked at, nothing is proven.
    position = after(Game.load("tic_tac_toe").on("native"), ["a1"])
    for limit in range(1, 1500, 9):
        for bounds in {}, {"alpha": -WON, "beta": 1 - WON}, {"alpha": WON - 1, "beta": WON}:
            found = Lookahead(position, positions=1 << 10).look(8, limit=limit, **bounds)
            assert found.proven in (None, "draw")


def test_looking_ahead_needs_the_native_engine_and_a_game_that_goes_on() -> None:
    game = Game.load("tic_tac_toe")
    with pytest.raises(ValueError, match="native"):
        Lookahead(game.on("reference").start())
    with pytest.raises(ValueError, match="over"):
        Lookahead(after(game.on("native"), "a1 a2 b1 b2 c1".split())).look(1)


@pytest.mark.parametrize("text", ["alphabeta:0", "alphabeta:100", "alphabeta:x", "alphabeta:0s", "greedy:x"])
def test_a_depth_or_a_seed_that_is_none(text: str) -> None:
    with pytest.raises(PlayerError):
        make(text, Chair())


@pytest.mark.parametrize("text", ["alphabeta", "alphabeta:7", "alphabeta:1.5s", "greedy:12"])
def test_a_name_makes_the_same_player_again(text: str) -> None:
    assert make(text, Chair()).name == text
