"""A player who thinks ahead by Monte Carlo tree search, for so many random games a move or for a time."""

from __future__ import annotations

import time
from collections.abc import Sequence

from attrs import define, field

from interpreter.game import Move, Position
from interpreter.players import Decision, Wish
from interpreter.search import Tree

#: Random games between two looks at the clock: a fraction of a second in any game.
CHUNK = 64


@define
class Mcts:
    """Thinks for `playouts` random games, or for `seconds`; the same seed plays the same games again."""

    playouts: int | None
    seconds: float | None
    seed: int = 0
    _tree: Tree | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        return f"mcts:{self.playouts}" if self.playouts is not None else f"mcts:{self.seconds:g}s"

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        if len(position.legal_moves) == 1:
            return position.legal_moves[0]
        tree = self._at(position)
        if self.playouts is not None:
            tree.grow(max(1, self.playouts - tree.playouts))
        else:
            assert self.seconds is not None
            end = time.monotonic() + self.seconds
            while tree.grow(CHUNK) == CHUNK and time.monotonic() < end:
                pass
        best = tree.best()
        return best.move if best is not None else position.legal_moves[0]

    def _at(self, position: Position) -> Tree:
        """The tree of the last move, if it leads here, else a new one."""
        if self._tree is None or self._tree.position.game != position.game:
            self._tree = Tree(position, seed=self.seed)
        else:
            self._tree.advance(position)
        return self._tree
