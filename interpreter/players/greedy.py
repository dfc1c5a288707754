"""A player that looks no further than the next move."""

from __future__ import annotations

import random
from collections.abc import Sequence

from attrs import define, field

from interpreter.deepening import WON, Lookahead, ahead_of
from interpreter.game import Move, Position
from interpreter.players import Decision, moves_of, natively
from interpreter.players.random import numbers

#: How many of its best moves are checked for a win that they hand to the other person.
CHECKED = 30


@define
class Greedy:
    """Wins at once if it can, hands no such win to the other, else leads in score, or pieces and moves.

    It draws among moves worth the same; the same seed and person play the same games again.
    """

    seed: int
    person: str
    _ahead: Lookahead | None = field(default=None, init=False, repr=False)
    _numbers: random.Random = field(init=False, repr=False)

    @_numbers.default
    def _seeded(self) -> random.Random:
        return numbers(self.seed, self.person)

    @property
    def name(self) -> str:
        return f"greedy:{self.seed}"

    def choose(self, position: Position, history: Sequence[Decision]) -> Move:
        moves_of(position)
        position = natively(position)
        ahead = self._ahead = ahead_of(self._ahead, position, 1 << 10)
        values = ahead.values()
        order = list(range(len(values)))
        self._numbers.shuffle(order)
        order.sort(key=lambda i: -values[i])
        for i in order[:CHECKED]:
            if values[i] >= WON or not _hands_over(
                ahead, position.play(position.legal_moves[i]), position.person
            ):
                return position.legal_moves[i]
        return position.legal_moves[order[0]]


def _hands_over(ahead: Lookahead, position: Position, person: str) -> bool:
    """Whether the other person wins with the next move."""
    if position.over or position.person == person:
        return False
    ahead.advance(position)
    return ahead.look(1, alpha=WON - 1, beta=WON).value >= WON
