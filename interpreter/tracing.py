"""The reference engine with counting: which parts of the rules were used, and with what results."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import Any

from gdl.core import (
    Become,
    Choose,
    Const,
    Either,
    Expr,
    Flip,
    If,
    Move,
    OnlyMost,
    Place,
    Prefer,
    Remove,
    SetCounters,
    SetState,
    Stmt,
    Type,
)
from gdl.parts import taken
from gdl.source import Span
from interpreter.binding import Bound
from interpreter.engine import Snapshot
from interpreter.reference import Reference
from interpreter.run import PLANES, WAITING, Act, Branching, Run, Value
from interpreter.trace import Tally, Trace

#: The statements whose purpose is to change the position.
EFFECTS = (Place, Move, Remove, Flip, Become, SetState, SetCounters)


class Traced(Reference):
    """The reference engine with a `Trace` of all that it does."""

    def __init__(self, bound: Bound) -> None:
        self.trace = Trace()
        self._around: Span | None = None  # the place of the statement or value being translated
        super().__init__(bound)
        program = bound.program
        # A line of `play` that the options have switched off leads to no turn.
        lines = tuple(
            step for step in program.play if not (isinstance(step.when, Const) and not step.when.value)
        )
        for name in taken(program.turns, lines):
            self.turns[name] = passing(self.trace.tally("turn", name), Tally(), self.turns[name])

    @cached_property
    def _uncounted(self) -> Reference:
        return Reference(self.bound)

    def stuck(self, snapshot: Snapshot) -> bool:
        # Whoever plays on lists the moves, and counts them then.
        return self._uncounted.stuck(snapshot)

    def asked(self, where: Hashable, condition: Expr) -> Value:
        holds = super().asked(where, condition)
        # A condition that the options have settled is not asked in play.
        return holds if isinstance(condition, Const) else tallied(self.trace.tally("asked", where), holds)

    def value(self, node: Expr) -> Value:
        outer, self._around = self._around, node.span
        made = super().value(node)
        self._around = outer
        if isinstance(node, If) and node.type is Type.BOOL:
            made = tallied(self.trace.tally("held", node.span), made)
        if outer is None or not node.span.within(outer):
            tally = self.trace.tally("needed", node.span)
            return self._noting(tally, made)
        return made

    def _noting(self, tally: Tally, value: Value) -> Value:
        def needed(run: Run) -> Any:
            tally.yes += 1
            return value(run)

        return needed

    def statement(self, stmt: Stmt) -> Act:
        outer, self._around = self._around, stmt.span
        act = super().statement(stmt)
        self._around = outer
        reached = self.trace.tally("reached", stmt.span)

        def run_it(run: Run) -> bool:
            reached.yes += 1
            return act(run)

        return self._changing(stmt, run_it) if isinstance(stmt, EFFECTS) else run_it

    def _changing(self, stmt: Stmt, act: Act) -> Act:
        changed = self.trace.tally("changed", stmt.span)
        position = slice(PLANES, self.locals)

        def run_it(run: Run) -> bool:
            before, waiting = run[position], len(run[WAITING] or ())
            legal = act(run)
            later = (run[WAITING] or ())[waiting:]  # its effects that wait for the end of `at once`
            changed.note(
                before != run[position]
                or any(e.leave or e.assign or any(sites for _, sites in e.lands) for e in later)
            )
            return legal

        return run_it

    def branch(self, stmt: Stmt) -> Branching:
        outer, self._around = self._around, stmt.span
        branching = super().branch(stmt)
        self._around = outer
        tally = self.trace.tally("reached", stmt.span)

        def run_it(run: Run) -> Iterator[Run]:
            tally.yes += 1
            return branching(run)

        return run_it

    def choose(self, stmt: Choose) -> Branching:
        tally = self.trace.tally("choice", stmt.span)
        choose = super().choose(stmt)

        def run_it(run: Run) -> Iterator[Run]:
            found = False
            for branch in choose(run):
                if not found:
                    found = True
                    tally.yes += 1
                yield branch
            tally.no += not found

        return run_it

    def alternatives(self, stmt: Either | Prefer) -> list[Branching]:
        return [
            passing(
                self.trace.tally("entered", (stmt.span, number)),
                self.trace.tally("legal", (stmt.span, number)),
                block,
            )
            for number, block in enumerate(super().alternatives(stmt))
        ]

    def only_most(self, before: Branching, stmt: OnlyMost, after: Branching) -> Branching:
        outer, self._around = self._around, stmt.span
        tally, came, went = self.trace.tally("thinned", stmt.span), Tally(), Tally()
        thin = super().only_most(passing(Tally(), came, before), stmt, passing(went, Tally(), after))
        self._around = outer
        reached = self.trace.tally("reached", stmt.span)

        def run_it(run: Run) -> Iterator[Run]:
            reached.yes += 1
            came.yes = went.yes = 0
            yield from thin(run)
            tally.note(went.yes < came.yes)

        return run_it


def tallied(tally: Tally, value: Value) -> Value:
    """The same condition, with its answers counted."""

    def holds(run: Run) -> Any:
        so = value(run)
        tally.note(so)
        return so

    return holds


def passing(entered: Tally, left: Tally, block: Branching) -> Branching:
    """The same block, with the runs that enter it and those that leave it counted."""

    def run_it(run: Run) -> Iterator[Run]:
        entered.yes += 1
        for end in block(run):
            left.yes += 1
            yield end

    return run_it
