"""Uniform playouts draw each legal move equally often: chi-squared tests.

Seeds are fixed, so that a test that passes always passes. At this significance, one in 100,000 tests of a
correct program would fail.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import numpy as np
import pytest
from rules import start
from side_by_side import drawn

from gdl.library import bundled
from interpreter.game import Game, Position

#: The normal deviate that is exceeded once in 100,000 times.
DEVIATE = 4.265


def too_far(observed: list[float], expected: list[float]) -> bool:
    """Whether the sum of squares is significant (Wilson and Hilferty 1931)."""
    freedom = len(observed) - 1
    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    spread = 2 / (9 * freedom) if freedom else 1
    return bool(freedom) and statistic > freedom * (1 - spread + DEVIATE * sqrt(spread)) ** 3


def check_uniform(position: Position, seed: int, each: int = 20) -> None:
    """Draw each legal move about `each` times; moves with the same result count together."""
    native = Position(position.game.on("native"), position.snapshot)
    legal = Counter(position.play(move).snapshot for move in position.legal_moves)
    count = max(1_000, each * legal.total())
    found = drawn(native, count, "uniform", seed)
    assert found.keys() <= legal.keys()
    expected = [count * times / legal.total() for times in legal.values()]
    assert not too_far([found[after] for after in legal], expected), native.line()


def middle(game: Game, seed: int, plies: int) -> Position:
    """A position of a random game."""
    random, position = Random(seed), game.start()
    for _ in range(random.randrange(plies)):
        after = position.play(random.choice(position.legal_moves))
        if after.over:
            break
        position = after
    return position


QUICK = ["ayu", "egotzi", "tic_tac_toe", "english_draughts", "reversi"]


@pytest.mark.parametrize("name", QUICK)
def test_moves_are_drawn_uniformly(name: str):
    game = Game.load(name).on("native")
    check_uniform(game.start(), 1)
    for seed in range(2):
        check_uniform(middle(game, seed, 30), seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled())
def test_moves_are_drawn_uniformly_in_many_positions(name: str):
    game = Game.load(name).on("native")
    check_uniform(game.start(), 1)
    for seed in range(200):
        check_uniform(middle(game, seed, 60), seed, each=6)


#: Turns whose choices have different numbers of continuations.
TURNS = {
    "three choices": """
            choose k in 1..3
            choose s in {s in board: column(s) <= k}
            choose t in {t in board: row(t) < row(s) + k}
            require s != t
            place stone at {s, t}
    """,
    "branches": """
            either:
                choose s in row(1)
                choose t in {t in board: column(t) > column(s)}
                place stone at s + t
            or:
                choose s in row(2) + row(3)
                place stone at s
            choose k in 1..2
            if k = 1:
                require some mine & row(3)
    """,
    "a requirement that mostly fails": """
            choose s in board
            choose t in board
            place stone at s + t
            require size(s + t) = 2 and row(s) + row(t) = 6
    """,
    "a requirement in a loop between choices": """
            choose s in board
            for d in orthogonal:
                require step(s, d) != a1
            choose k in 1..size(column(column(s)) & board) - row(s) + 1
            place stone at s
            notation "{s}{k}"
    """,
    "a loop of choices": """
            for d in north, east:
                choose s in {s in board: some step(s, d)}
                place stone at s
            require size(mine) = 2
    """,
}


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_turns_of_every_shape_are_drawn_uniformly(turn: str):
    lines = [line.removeprefix(" " * 8) for line in turn.strip("\n").splitlines()]
    rules = "\n".join(["board squares(3)", "pieces stone", "turn:", *lines, "end:", "    if ply > 0: draw"])
    check_uniform(start(rules), 5, each=60)


def test_tic_tac_toe_ends_as_often_as_it_must():
    """The first player wins 737/1260 of all random games, the second 121/420, the others are draws."""
    count = 50_000
    winners = Game.load("tic_tac_toe").on("native").start().playouts(count, seed=3).winners
    observed = [float(np.sum(winners == winner)) for winner in (0, 1, -1)]
    assert not too_far(observed, [count * 737 / 1260, count * 121 / 420, count * 8 / 63])


@pytest.mark.parametrize("name", ["ayu", "egotzi"])
def test_results_as_often_as_from_lists_of_moves(name: str):
    """Two samples, one from each engine, compared by their contingency table."""
    game, count = Game.load(name, size=3), 400
    samples = [
        Counter(game.on(engine).start().playouts(count, seed=7).winners.tolist())
        for engine in ("native", "reference")
    ]
    kinds = sorted(samples[0].keys() | samples[1].keys())
    expected = [(samples[0][kind] + samples[1][kind]) / 2 for kind in kinds]
    # Both samples differ from their mean by the same amount: the sum over both is twice that over one.
    both = [(sample[kind], e) for sample in samples for kind, e in zip(kinds, expected, strict=True)]
    statistic = sum((o - e) ** 2 / e for o, e in both)
    assert statistic < 24.0  # 1 in 100,000 for two degrees of freedom is 23.03
