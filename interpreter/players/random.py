"""A player that makes each legal move with equal probability."""

from __future__ import annotations

import random
from collections.abc import Sequence

from attrs import field, frozen

from interpreter.game import Move, Position
from interpreter.players import Decision, moves_of


def fresh_seed() -> int:
    """A random seed from the system, short enough to retype."""
    return random.SystemRandom().randrange(10**9)


def numbers(seed: int, person: str) -> random.Random:
    """The random numbers of a player. Two players with the same seed must not draw the same ones."""
    return random.Random(f"{seed} {person}")


@frozen
class Random:
    """Uniform over the legal moves; the same seed and person play the same games again."""

    seed: int
    person: str
    _numbers: random.Random = field(init=False, eq=False, repr=False)

    @_numbers.default
    def _seeded(self) -> random.Random:
        return numbers(self.seed, self.person)

    @property
    def name(self) -> str:
        return f"random:{self.seed}"

    def choose(self, position: Position, history: Sequence[Decision]) -> Move:
        return self._numbers.choice(moves_of(position))
