"""How the board looks in the middle of a turn: after the choices made so far, before the next one."""

from __future__ import annotations

from gdl.core import (
    AtOnce,
    Become,
    Block,
    Choose,
    Either,
    Flip,
    For,
    IfStmt,
    Move,
    Place,
    Prefer,
    Remove,
    Repeat,
    Stmt,
)
from interpreter.binding import Bound
from interpreter.engine import Choice, Snapshot
from interpreter.errors import TooMuchWork
from interpreter.reference import SHIFTS, Reference, question
from interpreter.run import PATH, Branching, Run

#: The step budget for stages, which are only for show.
STEPS = 60_000

#: The choices made so far, and one set of sites for each plane.
Stages = dict[tuple[Choice, ...], tuple[int, ...]]


#: How far a turn may have got: how many choices were made, and whether the board may have changed.
Way = tuple[int, bool]


def fewest_choices(bound: Bound) -> int | None:
    """The fewest choices of a move whose board may change before the last of them; None if none does."""
    found = [n for turn in bound.program.turns.values() for n in _late_choices(turn, {(0, False)})[1]]
    return min(found, default=None)


def _late_choices(block: Block, ways: set[Way]) -> tuple[set[Way], set[int]]:
    """How far the turn may have got after a block, and which choices in it may see a changed board."""
    late = set[int]()

    def through(*blocks: Block) -> set[Way]:
        behind = [_late_choices(block, ways) for block in blocks]
        late.update(*(found for _, found in behind))
        return set().union(*(ends for ends, _ in behind))

    for stmt in block:
        match stmt:
            case Choose():
                late |= {n + 1 for n, changed in ways if changed}
                ways = {(n + 1, changed) for n, changed in ways}
            case Either(branches=branches) | Prefer(branches=branches):
                ways = through(*branches)
            case IfStmt(then=then, otherwise=otherwise):
                ways = through(then, otherwise)
            case For(body=body) | Repeat(body=body):
                # One round may follow another, so two are enough; still longer moves add nothing.
                ways = through((), body) if isinstance(stmt, For) else through(body)
                ways |= through(body)
            case AtOnce() | Place() | Move() | Remove() | Flip() | Become():
                ways = {(n, True) for n, _ in ways}
    return ways, late


class Staging(Reference):
    """The reference engine that records the board before each choice."""

    _seen: Stages
    _path: tuple[Choice, ...] | None

    @question
    def stages(self, snapshot: Snapshot, path: tuple[Choice, ...] | None) -> Stages:
        """The stages of all legal moves, or of the one with this path."""
        self._seen, self._path = {}, path
        for _ in self.runs(snapshot):
            pass
        return self._seen

    def spend(self, items: int = 0) -> None:
        super().spend(items)
        if self.work + self.geometry.work // SHIFTS > STEPS:
            raise TooMuchWork(f"the stages of a turn take more than {STEPS:,} steps to work out")

    def fork(self, run: Run, *choices: Choice) -> Run:
        if choices:
            self._seen.setdefault(run[PATH], self.board(run))
        return super().fork(run, *choices)

    def branch(self, stmt: Stmt) -> Branching:
        branching = super().branch(stmt)
        return lambda run: (end for end in branching(run) if self._on_path(end))

    def _on_path(self, run: Run) -> bool:
        return self._path is None or run[PATH] == self._path[: len(run[PATH])]
