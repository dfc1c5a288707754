"""Every bundled game, played at random to the end."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from side_by_side import walk_together

from gdl.library import bundled
from interpreter.game import Game
from interpreter.playouts import UNFINISHED

pytestmark = pytest.mark.slow

#: The number of playouts of each game; of walks of both engines together, which are much slower.
MANY, SOME = 10_000, 200


@pytest.mark.parametrize("name", bundled())
@pytest.mark.parametrize(("policy", "count"), [("uniform", MANY), ("stepwise", SOME)])
def test_random_games_end(name, policy, count):
    games = Game.load(name).on("native").start().playouts(count, seed=1, threads=2, policy=policy)
    assert not (games.winners == UNFINISHED).any()


@pytest.mark.parametrize("name", bundled())
def test_players_who_go_back_and_forth_come_to_an_end(name):
    """Each brings back the board that has occurred most often."""
    random, position = Random(name), Game.load(name).on("native").start()
    seen = Counter[object]()
    for _ in range(1_000):
        if position.over:
            return
        seen[position.snapshot.planes] += 1
        moves = random.sample(position.legal_moves, min(len(position.legal_moves), 40))
        after = [position.play(move) for move in moves]
        position = max(after, key=lambda one: seen[one.snapshot.planes])
    pytest.fail(f"{name} has no end")


@pytest.mark.parametrize("name", bundled())
def test_both_engines_play_the_same_games(name):
    game = Game.load(name)
    for seed in range(SOME):
        walk_together(game, Random(f"{name} {seed}"), plies=10_000)
