"""A player that thinks ahead by Monte Carlo tree search, for a number of random games or a time per move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import monotonic

from attrs import define, evolve, field

from interpreter.errors import counted
from interpreter.game import Move, Position
from interpreter.players import Chair, Decision, Wish, moves_of, natively, seed_of
from interpreter.search import Tree
from interpreter.thought import Thought

#: Seconds between two thoughts shown to the watcher.
OFTEN = 0.2

#: How many of the moves are shown.
TOLD = 10

#: How many decisions back the position of an old tree is looked for, to go on from there.
RECENT = 8


@define
class Mcts:
    """Thinks for `playouts` random games a move, besides those it still knows, or for `seconds`.

    With a number of random games, the same seed and threads play the same games again.
    """

    playouts: int | None
    seconds: float | None
    chair: Chair
    seed: int
    threads: int = 1
    policy: str = "stepwise"
    _tree: Tree | None = field(default=None, init=False, repr=False)
    _trees: int = field(default=0, init=False, repr=False)

    @classmethod
    def asked(cls, argument: str, chair: Chair) -> Mcts:
        """The player of a name; `argument` is what follows its colon (see `PLAYERS`)."""
        amount, *settings = argument.split(",")
        given = dict(setting.split("=") for setting in settings)
        return cls(
            None if amount.endswith("s") else int(amount),
            float(amount[:-1]) if amount.endswith("s") else None,
            chair,
            seed_of(given.get("seed", ""), chair),
            int(given.get("threads", chair.threads)),
            given.get("policy", "stepwise"),
        )

    @property
    def name(self) -> str:
        amount = f"{self.seconds:g}s" if self.playouts is None else f"{self.playouts}"
        threads = f",threads={self.threads}" if self.threads > 1 else ""
        policy = f",policy={self.policy}" if self.policy != "stepwise" else ""
        return f"mcts:{amount}{threads}{policy},seed={self.seed}"

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        if len(moves_of(position)) == 1:
            return position.legal_moves[0]
        tree = self._tree = self._at(natively(position), history)
        if self.seconds is not None:
            tree.grow(1)  # compiles the game if need be, which is no part of the thinking time
        told = monotonic()
        seconds = min(math.inf if self.seconds is None else self.seconds, self.chair.patience)
        for done in tree.think(self.playouts, seconds if seconds < math.inf else None):
            if self.chair.watch is not None and (done == 1 or monotonic() - told >= OFTEN):
                told = monotonic()
                self.chair.watch(_thought(tree, done, self.chair.lines if done == 1 else 0))
        best = tree.best()
        return best.move if best is not None else position.legal_moves[0]

    def _at(self, position: Position, history: Sequence[Decision]) -> Tree:
        """The tree of the last move if the game went on from there, else a new one."""
        seen = [*history[-RECENT:], (position, None)]
        for i, (before, _) in enumerate(seen):
            if self._tree is not None and before == self._tree.position:
                for _, move in seen[i:]:
                    if move is not None:
                        self._tree.advance(move)
                return self._tree
        # The person is part of the seed: two players with the same seed must not draw the same numbers.
        # So is the number of the tree: further games of a player are others.
        seed = f"{self.seed} {self.chair.person}" + (f" {self._trees}" if self._trees else "")
        self._trees += 1
        return Tree(position, seed=seed, threads=self.threads, policy=self.policy)


def _thought(tree: Tree, done: float, lines: int) -> Thought:
    """What a tree says so far, with likely continuations for the best `lines` moves."""
    prospects = tree.prospects()[:TOLD]
    for i, prospect in enumerate(prospects[:lines]):
        prospects[i] = evolve(prospect, line=tuple(tree.line(first=prospect.move)[1:]))
    value = prospects[0].value if prospects else None
    effort = counted(tree.playouts, "random game")
    return Thought(done, effort, value, tree.proven, tuple(tree.line()), tuple(prospects))
