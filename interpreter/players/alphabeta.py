"""A player that looks ahead move by move, to a given depth or as deep as time allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import monotonic

from attrs import define, field

from interpreter.deepening import Found, Lookahead, ahead_of
from interpreter.errors import counted
from interpreter.game import Move, Position
from interpreter.players import Chair, Decision, Wish, moves_of, natively
from interpreter.thought import Prospect, Thought

#: Positions looked at by default.
POSITIONS = 100_000

#: The most seconds for a move: in some games even a modest depth is never reached.
MOST_SECONDS = 10.0

#: An estimate of this much makes a win e times as likely as a loss.
SCALE = 100.0


@define
class Alphabeta:
    """Looks `depth` plies ahead, or for `seconds`, or else at a number of positions.

    With a depth or a number of positions it plays the same games each time.
    """

    depth: int | None
    seconds: float | None
    chair: Chair
    _ahead: Lookahead | None = field(default=None, init=False, repr=False)

    @property
    def name(self) -> str:
        if self.depth is not None:
            return f"alphabeta:{self.depth}"
        return "alphabeta" if self.seconds is None else f"alphabeta:{self.seconds:g}s"

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        if len(moves_of(position)) == 1:
            return position.legal_moves[0]
        ahead = self._ahead = ahead_of(self._ahead, natively(position))
        start, looked = monotonic(), ahead.looked
        seconds = min(MOST_SECONDS if self.seconds is None else self.seconds, self.chair.patience)
        limits: dict[str, int] = {}
        if self.depth is not None:
            limits["depth"] = self.depth
        elif self.seconds is None:
            limits["limit"] = looked + POSITIONS
        best = position.legal_moves[0]
        for found in ahead.deepen(until=start + seconds, **limits):
            best = found.move or best
            if self.chair.watch is not None:
                if self.depth is not None:
                    done = found.depth / self.depth
                elif self.seconds is not None:
                    done = (monotonic() - start) / seconds
                else:
                    done = (ahead.looked - looked) / POSITIONS
                over = found.closed or found.proven is not None or not found.whole
                self.chair.watch(
                    _thought(ahead, found, 1.0 if over else min(done, 1.0), ahead.looked - looked)
                )
        return best


def _thought(ahead: Lookahead, found: Found, done: float, looked: int) -> Thought:
    person = ahead.position.person
    if found.proven is None:
        value = 1 / (1 + math.exp(-max(-50.0, min(50.0, found.value / SCALE))))
    else:
        value = {person: 1.0, "draw": 0.5}.get(found.proven, 0.0)
    effort = f"depth {found.depth}, {counted(looked, 'position')}"
    line = tuple(ahead.line())
    prospects = (Prospect(found.move, looked, value, found.proven, line[1:]),) if found.move else ()
    return Thought(done, effort, value, found.proven, line, prospects)
