"""How the board looks in the middle of a turn: after the choices made so far, before the next one."""

from __future__ import annotations

from gdl.core import Become, Choose, Flip, Move, Place, Remove, Repeat, Stmt
from interpreter.binding import Bound
from interpreter.engine import Choice, Snapshot
from interpreter.errors import TooMuchWork
from interpreter.native.shape import walk
from interpreter.reference import SHIFTS, Reference
from interpreter.run import PATH, Branching, Run

#: So many steps are enough for what is only to be looked at.
STEPS = 60_000

EFFECTS = (Place, Move, Remove, Flip, Become)

#: The choices made so far, and one set of sites for each plane.
Stages = dict[tuple[Choice, ...], tuple[int, ...]]


def has_stages(bound: Bound) -> bool:
    """Whether a choice may come after the board has changed in the same turn."""
    for turn in bound.program.turns.values():
        kinds = [type(node) for node in walk(turn)]
        first = next((i for i, kind in enumerate(kinds) if kind in EFFECTS), len(kinds))
        loops = any(isinstance(node, Repeat) and _changes(node) for node in walk(turn))
        if loops or Choose in kinds[first:]:
            return True
    return False


def _changes(loop: Repeat) -> bool:
    inside = {type(node) for node in walk(loop)}
    return Choose in inside and not inside.isdisjoint(EFFECTS)


class Staging(Reference):
    """The reference engine that notes the board before each choice."""

    _seen: Stages
    _path: tuple[Choice, ...] | None

    def stages(self, snapshot: Snapshot, path: tuple[Choice, ...] | None) -> Stages:
        """The stages of all legal moves, or of the one that is this path."""
        self.begin()
        self._seen, self._path = {}, path
        for _ in self.runs(snapshot):
            pass
        return self._seen

    def spend(self, items: int = 0) -> None:
        super().spend(items)
        if self.work + self.geometry.work // SHIFTS > STEPS:
            raise TooMuchWork(f"the stages of a turn take more than {STEPS} steps to work out")

    def fork(self, run: Run, *choices: Choice) -> Run:
        if choices:
            self._seen.setdefault(run[PATH], self.board(run))
        return super().fork(run, *choices)

    def branch(self, stmt: Stmt) -> Branching:
        branching = super().branch(stmt)
        return lambda run: (end for end in branching(run) if self._on_path(end))

    def _on_path(self, run: Run) -> bool:
        return self._path is None or run[PATH] == self._path[: len(run[PATH])]
