"""The player that solves: perfect in small games, and says so; honest elsewhere."""

from __future__ import annotations

from time import monotonic

import pytest
from rules import load, play

from interpreter.game import Game
from interpreter.players import Chair, make
from interpreter.runner import Match
from interpreter.thought import Thought


@pytest.mark.parametrize("seed", range(3))
def test_the_hounds_shut_the_fox_in(seed: int) -> None:
    """They can, wherever it begins (Berlekamp, Conway and Guy: "Winning Ways")."""
    game = Game.load("fox_and_hounds")
    players = make("mcts:50", Chair("first", seed=seed)), make("solve", Chair("second", seed=seed))
    match = Match(game, *players)
    match.run()
    assert match.result is not None
    assert match.result.winner == "Hounds"


def test_a_draw_is_kept() -> None:
    game = Game.load("tic_tac_toe")
    for seed in range(5):
        match = Match(game, make(f"random:{seed}", Chair("first")), make("solve", Chair("second")))
        match.run()
        assert match.result is not None
        assert match.result.person != "first"


def test_it_says_what_it_has_proven() -> None:
    told: list[Thought] = []
    position = play(load("tic_tac_toe"), "a1 b1 a2 b2")
    move = make("solve:1s", Chair("first", watch=told.append)).choose(position, ())
    assert str(move) == "a3"
    assert (told[-1].done, told[-1].value, told[-1].proven) == (1.0, 1.0, "first")
    assert told[-1].prospects[0].move == move


def test_where_nothing_is_proven_in_time_it_moves_as_mcts_does() -> None:
    told: list[Thought] = []
    position = load("hex", columns=11)
    move = make("solve:0.1s", Chair("first", seed=3, watch=told.append)).choose(position, ())
    assert move == make("mcts:1000", Chair("first", seed=3)).choose(position, ())
    assert told[-1].effort == "1,000 random games"


def test_no_player_thinks_longer_than_there_is_patience() -> None:
    position = load("hex", columns=11)
    start = monotonic()
    for name in ("mcts:100000000", "mcts:900s", "alphabeta:900s", "solve:900s"):
        make(name, Chair("first", seed=3, patience=0.2)).choose(position, ())
    assert monotonic() - start < 60  # with compiling, on a busy machine; each would take minutes
