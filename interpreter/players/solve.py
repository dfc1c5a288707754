"""A player that proves: perfect if a game, or what is left of it, is small enough."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from attrs import define, evolve, field

from interpreter.errors import counted
from interpreter.game import Move, Position
from interpreter.players import Chair, Decision, Wish, moves_of, natively
from interpreter.players.mcts import Mcts
from interpreter.solve import Progress, Solution, solve
from interpreter.thought import Prospect, Thought

#: The seconds that a proof may take by default.
SECONDS = 5.0


@define
class Solve:
    """Plays the move it can prove within `seconds`; without a proof it moves as `mcts` does.

    It does so in a lost position, too, since the opponent may not know how to win.
    """

    seconds: float
    chair: Chair
    _guesser: Mcts = field(init=False, repr=False)

    @_guesser.default
    def _make_guesser(self) -> Mcts:
        return Mcts.asked("1000", evolve(self.chair, patience=self.chair.patience / 2))

    @property
    def name(self) -> str:
        return f"solve:{self.seconds:g}s"

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        if len(moves_of(position)) == 1:
            return position.legal_moves[0]
        start, seconds = monotonic(), min(self.seconds, self.chair.patience / 2)

        def see(progress: Progress) -> None:
            effort = counted(progress.positions(), "position")
            self._tell(Thought(min(1.0, (monotonic() - start) / seconds), effort, None, None))

        solution = solve(natively(position), seconds=seconds, watch=see)
        if solution.line and solution.outcome in (position.person, "draw"):
            self._tell(_proof(solution, position.person))
            return solution.line[0]
        return self._guesser.choose(position, history)

    def _tell(self, thought: Thought) -> None:
        if self.chair.watch is not None:
            self.chair.watch(thought)


def _proof(solution: Solution, person: str) -> Thought:
    move, *following = solution.line
    value = 1.0 if solution.outcome == person else 0.5
    best = Prospect(move, solution.positions, value, solution.outcome, tuple(following))
    effort = counted(solution.positions, "position")
    return Thought(1.0, effort, value, solution.outcome, solution.line, (best,))
