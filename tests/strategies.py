"""Random options and random games of the bundled games, for hypothesis."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from hypothesis import strategies as st

from interpreter.game import Game, Move, Position

#: Options for each bundled game that make its games short.
OPTIONS: dict[str, dict[str, st.SearchStrategy[int | bool]]] = {
    "ayu": {"size": st.sampled_from([3, 5, 7]), "pie": st.booleans()},
    "egotzi": {"size": st.integers(2, 6), "pie": st.booleans()},
    "squared_egotzi": {
        "size": st.integers(2, 5),
        "auction": st.booleans(),
        "komi": st.integers(0, 20).map(lambda half: 2 * half),
    },
}


@cache
def _loaded(name: str, options: tuple[tuple[str, int | bool], ...]) -> Game:
    return Game.load(name, **dict(options))


def games(name: str) -> st.SearchStrategy[Game]:
    """A bundled game with random options."""
    return st.fixed_dictionaries(OPTIONS[name]).map(lambda options: _loaded(name, tuple(options.items())))


def bundled_games() -> st.SearchStrategy[Game]:
    """Any bundled game with random options."""
    return st.sampled_from(sorted(OPTIONS)).flatmap(games)


def randoms() -> st.SearchStrategy[Random]:
    """A source of random numbers for `walk`, which hypothesis shrinks when a test fails."""
    return st.randoms(use_true_random=False)


def walk(start: Position, random: Random, plies: int = 1_000) -> Iterator[tuple[Position, Move | None]]:
    """The positions of a random game, each with the move made there, or None where the game stops."""
    position = start
    for _ in range(plies):
        if position.over:
            break
        move = random.choice(position.legal_moves)
        yield position, move
        position = position.play(move)
    yield position, None
