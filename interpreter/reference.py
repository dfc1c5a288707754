"""The reference engine: the plain meaning of the core language.

Each part of the program is turned once into a Python closure over a run. A run is a flat
list: registers, then one set of sites for each plane, then the state variables, then the
locals. A statement that cannot branch becomes an `Act`, which changes the run and says
whether it is still legal; any other becomes a `Branching`, which takes over a run and yields
the resulting runs one by one, depth first, so that `stuck` need only look for the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial, wraps
from itertools import groupby
from operator import itemgetter
from threading import RLock
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import attrs

from gdl.builtins import LOOKING_BACK
from gdl.core import (
    Again,
    AtOnce,
    Block,
    Call,
    Choose,
    Const,
    Diagram,
    Domain,
    Either,
    Expr,
    Fold,
    For,
    If,
    IfStmt,
    Let,
    Local,
    Notation,
    OnlyMost,
    Outcome,
    Pass,
    Prefer,
    Repeat,
    Require,
    SetLocal,
    Sides,
    State,
    StateSpec,
    Stmt,
    Type,
)
from gdl.parts import branches, calls, rounds
from interpreter.binding import Bound
from interpreter.effects import Effect, diagram, land, plan
from interpreter.engine import STUCK, Candidate, Choice, Key, Snapshot, Verdict
from interpreter.errors import TooMuchWork
from interpreter.meanings import AGGREGATES, DOMAINS, MEANINGS, bits, first
from interpreter.notation import Speller, bounded
from interpreter.run import (
    AGAIN,
    BEFORE,
    CURSOR,
    HISTORY,
    LAST_MOVE,
    MOVER,
    NEXT,
    NOTATION,
    PASSED,
    PASSES,
    PATH,
    PLANES,
    PLY,
    SETTING_UP,
    SNAPSHOT,
    SWAPPED,
    WAITING,
    Act,
    Branching,
    Run,
    Value,
    assigning,
    chained,
    noting,
    straight,
)
from interpreter.words import HERE, changed

#: How many steps one turn (or one check of the endings) may take, and how many moves it may offer.
#: A step is one value of a loop, SHIFTS shifts of a set of sites, or ITEMS items that are copied or parts of
#: the rules that are followed; a statement counts as STATEMENT parts.
BUDGET = 1_000_000
SHIFTS = 8
ITEMS = 16
STATEMENT = 8
MOST_MOVES = 100_000


E = TypeVar("E", bound="Reference")
P = ParamSpec("P")
R = TypeVar("R")

_ASKING = RLock()


def question(answer: Callable[Concatenate[E, P], R]) -> Callable[Concatenate[E, P], R]:
    """A question to an engine from outside: it starts with a full budget, and one thread asks at a time."""

    @wraps(answer)
    def asked(engine: E, *args: P.args, **more: P.kwargs) -> R:
        with _ASKING:
            engine.work = engine.geometry.work = 0
            return answer(engine, *args, **more)

    return cast("Callable[Concatenate[E, P], R]", asked)


class Reference:
    """The reference engine of one game: an `interpreter.engine.Engine`."""

    def __init__(self, bound: Bound) -> None:
        program = bound.program
        self.bound = bound
        self.program = program
        self.geometry = bound.geometry
        self.speller = Speller(bound)
        self.work = 0
        self.planes = range(PLANES, PLANES + len(bound.planes))
        self.plane_of = {sort: PLANES + i for i, sort in enumerate(bound.planes)}
        self.owned = {
            player: [plane for (_, owner), plane in self.plane_of.items() if owner == player]
            for player in (0, 1, None)
        }
        self.state_at = {name: self.planes.stop + i for i, name in enumerate(program.states)}
        self.states = slice(self.planes.stop, self.planes.stop + len(self.state_at))
        self.locals = self.states.stop
        self.remembers = calls((program.turns, program.play, program.score, program.end), LOOKING_BACK)
        self.sequence = bound.sequence
        #: The condition of each place that is played once.
        self.once = [
            when
            for line, step in enumerate(program.play)
            if step.once
            for when in [self.asked(("play", line), step.when) if step.when else None] * len(step.players)
        ]
        self.turns = {name: self.branching(block) for name, block in program.turns.items()}
        self.score = self.both_scores(program.score) if program.score else None
        self.endings = [
            (self.asked(("end", place), ending.condition), self.outcome(ending.outcome), ending.text)
            for place, ending in enumerate(program.end)
        ]

    @property
    def reference(self) -> Reference:
        return self

    # --- the engine ----------------------------------------------------------

    @question
    def start(self) -> Snapshot:
        run = self.fresh([0] * len(self.planes), [None] * len(self.program.states))
        run[CURSOR] = SETTING_UP
        self.act(self.program.setup)(run)
        for name, spec in self.program.states.items():
            run[self.state_at[name]] = self.initial(spec, run)
        return self.remember((), self.snapshot(run, last_mover=None, swapped=False, pie=self.bound.pie))

    @question
    def candidates(self, snapshot: Snapshot) -> list[Candidate]:
        runs = listed(self.runs(snapshot))
        return bounded(self.speller.candidate(run[PATH], run[NOTATION], run) for run in runs)

    @question
    def after(self, snapshot: Snapshot, candidate: Candidate) -> Snapshot:
        run = candidate.run
        made = self.snapshot(
            run,
            ply=snapshot.ply + 1,
            passes=snapshot.passes + 1 if run[PASSED] else 0,
            last_move=changed(self, run),
            last_mover=run[MOVER],
            swapped=snapshot.swapped != run[SWAPPED],
            # The pie rule remains until the second player's turn is over.
            pie=snapshot.pie and snapshot.last_mover in (None, run[MOVER]),
        )
        return self.remember(snapshot.history, made)

    @question
    def verdict(self, snapshot: Snapshot) -> Verdict | None:
        # Before the first move, the game can be over only if no move is legal.
        if snapshot.last_mover is None and next(self.runs(snapshot), None):
            return None
        run = self.between_turns(snapshot)
        for condition, outcome, text in self.endings:
            if condition(run):
                winner, scores = outcome(run)
                return Verdict(winner, text, scores)
        return STUCK if self.stuck(snapshot) else None

    @question
    def stuck(self, snapshot: Snapshot) -> bool:
        """Whether the player to move has no legal move."""
        return next(self.runs(snapshot), None) is None

    @question
    def scores(self, snapshot: Snapshot) -> tuple[int, int] | None:
        """Each player's score; None if the rules define none."""
        return self.score(self.between_turns(snapshot)) if self.score else None

    def between_turns(self, snapshot: Snapshot) -> Run:
        """What `end` and `score` see: the turn of the last mover is over, and the next has not begun."""
        player, mover = self.sequence[snapshot.cursor].player, snapshot.last_mover
        run = self.resumed(snapshot, 1 - player if mover is None else mover)
        run[NEXT], run[SNAPSHOT], run[HISTORY] = player, snapshot, snapshot.history[:-1]
        return run

    def runs(self, snapshot: Snapshot) -> Iterator[Run]:
        """The legal runs of the turn to take."""
        place = self.sequence[snapshot.cursor]
        return self.turns[place.turn](self.resumed(snapshot, place.player))

    def resumed(self, snapshot: Snapshot, mover: int) -> Run:
        run = self.fresh(snapshot.planes, snapshot.states)
        run[MOVER] = mover
        run[CURSOR], run[PLY], run[PASSES] = snapshot.cursor, snapshot.ply, snapshot.passes
        run[LAST_MOVE], run[BEFORE], run[HISTORY] = snapshot.last_move, snapshot.planes, snapshot.history
        return run

    def fresh(self, planes: Sequence[int], states: Sequence[Any]) -> Run:
        registers = [0, None, 0, 0, 0, 0, (), (), None, False, None, False, (), None, None]
        return [*registers, *planes, *states, *[0] * self.program.slots]

    def snapshot(self, run: Run, **rest: Any) -> Snapshot:
        values = {"ply": 0, "passes": 0, "last_move": 0, "history": (), **rest}
        return Snapshot(self.board(run), tuple(run[self.states]), self.following(run), **values)

    def board(self, run: Run) -> tuple[int, ...]:
        return tuple(run[PLANES : self.planes.stop])

    def remember(self, history: tuple[Key, ...], snapshot: Snapshot) -> Snapshot:
        """The snapshot with all positions so far, if a rule asks for them."""
        if not self.remembers:
            return snapshot
        key = (snapshot.planes, snapshot.states, self.sequence[snapshot.cursor].number)
        return attrs.evolve(snapshot, history=(*history, key))

    def following(self, run: Run) -> int:
        """The place in the play sequence of the turn after this one."""
        if run[AGAIN] is not None:
            return int(run[AGAIN])
        place = 0 if run[CURSOR] == SETTING_UP else self.sequence[run[CURSOR]].after
        while place < len(self.once):
            self.spend()
            when = self.once[place]
            if when is None or when(run):
                break
            place += 1
        return place

    def initial(self, spec: StateSpec, run: Run) -> Any:
        if spec.initial:
            value = self.value(spec.initial)(run)
        else:
            value = {Type.BOOL: False, Type.KIND: -1}.get(spec.type, 0)
        if spec.type != Type.COUNTERS:
            return value
        counts = [value] * self.geometry.size
        for count, sites in spec.per_site:
            value = self.value(count)(run)
            for site in bits(self.value(sites)(run)):
                counts[first(site)] = value
        return tuple(counts)

    def outcome(self, outcome: Outcome) -> Callable[[Run], tuple[int | None, tuple[int, int] | None]]:
        """The winner and, if they decided, both scores."""
        match outcome.kind:
            case "wins" | "loses":
                assert outcome.player
                player, other = self.value(outcome.player), outcome.kind == "loses"
                return lambda run: (player(run) ^ other, None)
            case "draw":
                return lambda run: (None, None)
        assert self.score
        score, tie = self.score, self.outcome(outcome.tie or Outcome("draw"))
        better = 1 if outcome.kind == "highest" else -1

        def compare(run: Run) -> tuple[int | None, tuple[int, int] | None]:
            black, white = scores = score(run)
            winner = tie(run)[0] if black == white else int(white * better > black * better)
            return winner, scores

        return compare

    def both_scores(self, score: Expr) -> Callable[[Run], tuple[int, int]]:
        value, slot = self.value(score), self.locals + self.program.score_slot

        def scores(run: Run) -> tuple[int, int]:
            found = []
            for run[slot] in (0, 1):
                found.append(value(run))
            return found[0], found[1]

        return scores

    def spend(self, items: int = 0) -> None:
        """Spend one step, and as many more as it takes to copy the items."""
        self.work += 1 + items // ITEMS
        if self.work + self.geometry.work // SHIFTS > BUDGET:
            raise TooMuchWork(f"a turn of {self.program.name} takes more than {BUDGET:,} steps to work out")

    # --- expressions ---------------------------------------------------------

    def value(self, node: Expr) -> Value:
        match node:
            case Const(value=constant):
                return lambda run: constant
            case Local(slot=slot):
                return itemgetter(self.locals + slot)
            case State(name=name):
                return itemgetter(self.state_at[name])
            case If():
                condition = self.asked(node.span, node.condition)
                then, otherwise = self.value(node.then), self.value(node.otherwise)
                return lambda run: then(run) if condition(run) else otherwise(run)
            case Let():
                return self.let(self.locals + node.slot, self.value(node.value), self.value(node.body))
            case Call():
                return self.call(node)
            case Fold():
                aggregate, body = AGGREGATES[node.op], self.value(node.body)
                values = self.loop(node)
                return lambda run: aggregate(body(run) for _ in values(run))
        raise TypeError(node)

    def let(self, slot: int, value: Value, body: Value) -> Value:
        def let(run: Run) -> Any:
            run[slot] = value(run)
            return body(run)

        return let

    def call(self, node: Call) -> Value:
        args = list(map(self.value, node.args))
        if node.function in HERE:
            return looking(partial(HERE[node.function], self), args)
        return applied(partial(MEANINGS[node.function], self.geometry), args)

    def asked(self, where: Hashable, condition: Expr) -> Value:
        """The condition of a part of the rules; `interpreter.tracing` counts its answers by place."""
        return self.value(condition)

    def loop(self, node: Fold | Choose | For) -> Callable[[Run], Iterator[Any]]:
        """Puts each value of the domain that meets the condition into the slot, and yields it."""
        at, meaning = self.locals + node.slot, partial(DOMAINS[node.domain.kind], self.geometry)
        args = list(map(self.value, node.domain.args))
        holds = self.asked(node.span, node.condition) if node.condition else None
        items = length(node.condition) + (length(node.body) if isinstance(node, Fold) else 0)

        def values(run: Run) -> Iterator[Any]:
            members = meaning(*[arg(run) for arg in args])
            for value in members:
                self.spend(items)
                run[at] = value
                if holds is None or holds(run):
                    yield value

        return values

    # --- statements that cannot branch ---------------------------------------

    def act(self, block: Block) -> Act:
        """The statements one after the other, up to the first that is not legal."""
        acts, items = list(map(self.statement, block)), length(block)

        def run_all(run: Run) -> bool:
            if items >= ITEMS:
                self.spend(items)
            for act in acts:  # noqa: SIM110 - a hot loop
                if not act(run):
                    return False
            return True

        return run_all

    def statement(self, stmt: Stmt) -> Act:
        match stmt:
            case SetLocal():
                return assigning(self.locals + stmt.slot, self.value(stmt.value))
            case Require():
                return self.asked(stmt.span, stmt.condition)
            case IfStmt():
                condition = self.asked(stmt.span, stmt.condition)
                then, otherwise = self.act(stmt.then), self.act(stmt.otherwise)
                return lambda run: then(run) if condition(run) else otherwise(run)
            case For():
                values, body = self.loop(stmt), self.act(stmt.body)
                return lambda run: all(body(run) for _ in values(run))
            case Repeat():
                return self.repeat(stmt)
            case AtOnce():
                return self.at_once(self.act(stmt.body))
            case Pass():
                return noting(PASSED, True, ("pass", 0))
            case Sides(swap=swap):
                return noting(SWAPPED, swap, ("swap" if swap else "keep", 0))
            case Again(turn=turn):
                return assigning(AGAIN, lambda run: self.sequence[run[CURSOR]].again[turn])
            case Notation():
                text = self.text(stmt.parts)
                if stmt.add:
                    return assigning(NOTATION, lambda run: (run[NOTATION] or "") + text(run))
                return assigning(NOTATION, text)
            case Diagram():
                return diagram(self, stmt)
        return self.effect(plan(self, stmt))

    def repeat(self, stmt: Repeat) -> Act:
        body, condition = self.act(stmt.body), self.asked(stmt.span, stmt.condition)
        most = rounds(stmt, self.geometry.size)

        def act(run: Run) -> bool:
            for _ in range(most):
                self.spend()
                if not body(run):
                    return False
                if not condition(run):
                    break
            return True

        return act

    def text(self, parts: Sequence[str | Expr]) -> Value:
        spelt = [part if isinstance(part, str) else (part.type.value, self.value(part)) for part in parts]

        def text(run: Run) -> str:
            words = [
                part if isinstance(part, str) else self.speller.value(part[0], part[1](run)) for part in spelt
            ]
            self.spend(sum(map(len, words)) + 4 * len(words))  # a name costs as much as copying a few signs
            return "".join(words)

        return text

    def at_once(self, body: Act) -> Act:
        """All effects wait until the last statement has seen the board."""

        def act(run: Run) -> bool:
            run[WAITING] = []
            legal = body(run)
            effects, run[WAITING] = run[WAITING], None
            land(self, run, effects)
            return legal

        return act

    def effect(self, planned: Callable[[Run], Effect]) -> Act:
        def act(run: Run) -> bool:
            if run[WAITING] is None:
                land(self, run, [planned(run)])
            else:
                run[WAITING].append(planned(run))
            return True

        return act

    # --- statements that branch ----------------------------------------------

    def branching(self, block: Block) -> Branching:
        """The block as one statement: neighbours that cannot branch are taken together."""
        for i, stmt in enumerate(block):
            if isinstance(stmt, OnlyMost):
                before, after = self.branching(block[:i]), self.branching(block[i + 1 :])
                return self.only_most(before, stmt, after)
        parts = list[Branching]()
        for splits, group in groupby(block, branches):
            if splits:
                parts += map(self.branch, group)
            else:
                parts.append(straight(self.act(tuple(group))))
        return partial(chained, parts)

    def branch(self, stmt: Stmt) -> Branching:
        match stmt:
            case Choose():
                return self.choose(stmt)
            case Either():
                return self.either(self.alternatives(stmt))
            case Prefer():
                return self.prefer(self.alternatives(stmt))
            case IfStmt():
                condition = self.asked(stmt.span, stmt.condition)
                then, otherwise = self.branching(stmt.then), self.branching(stmt.otherwise)
                return lambda run: then(run) if condition(run) else otherwise(run)
            case For():
                return self.each(stmt)
            case Repeat():
                return self.again_and_again(stmt)
        raise TypeError(stmt)

    def fork(self, run: Run, *choices: Choice) -> Run:
        """A copy of the run that continues with these choices."""
        self.spend(len(run) + len(run[PATH]))
        branch = run.copy()
        branch[PATH] = (*run[PATH], *choices)
        return branch

    def choose(self, stmt: Choose) -> Branching:
        values, kind = self.loop(stmt), stmt.domain.type.value

        def choose(run: Run) -> Iterator[Run]:
            for value in values(run):
                yield self.fork(run, (kind, value))

        return choose

    def alternatives(self, stmt: Either | Prefer) -> list[Branching]:
        return list(map(self.branching, stmt.branches))

    def either(self, blocks: Sequence[Branching]) -> Branching:
        def either(run: Run) -> Iterator[Run]:
            for number, block in enumerate(blocks):
                yield from block(self.fork(run, ("branch", number)))

        return either

    def prefer(self, blocks: Sequence[Branching]) -> Branching:
        def prefer(run: Run) -> Iterator[Run]:
            for block in blocks:
                legal = False
                for legal_run in block(self.fork(run)):
                    legal = True
                    yield legal_run
                if legal:
                    return

        return prefer

    def only_most(self, before: Branching, stmt: OnlyMost, after: Branching) -> Branching:
        value = self.value(stmt.value)

        def only_most(run: Run) -> Iterator[Run]:
            found = [(value(end), end) for end in listed(before(run))]
            most = max((worth for worth, _ in found), default=0)
            for worth, end in found:
                if worth == most:
                    yield from after(end)

        return only_most

    def each(self, stmt: For) -> Branching:
        """The values are fixed before anything branches; their bodies follow each other as in a block."""
        values, body = self.loop(attrs.evolve(stmt, condition=None)), self.branching(stmt.body)
        slot = self.locals + stmt.slot
        condition = self.asked(stmt.span, stmt.condition) if stmt.condition else None

        def once(value: Any, run: Run) -> Iterator[Run]:
            run[slot] = value
            return body(run) if condition is None or condition(run) else iter((run,))

        return lambda run: chained([partial(once, value) for value in values(run)], run)

    def again_and_again(self, stmt: Repeat) -> Branching:
        body, condition = self.branching(stmt.body), self.asked(stmt.span, stmt.condition)
        most = rounds(stmt, self.geometry.size)

        def repeat(run: Run) -> Iterator[Run]:
            open_bodies = [body(run)]
            while open_bodies:
                self.spend()
                end = next(open_bodies[-1], None)
                if end is None:
                    open_bodies.pop()
                elif len(open_bodies) < most and condition(end):
                    open_bodies.append(body(end))
                else:
                    yield end

        return repeat


# --- small pieces ---------------------------------------------------------------


def applied(meaning: Callable[..., Any], args: Sequence[Value]) -> Value:
    """The meaning applied to the values of the arguments; one and two are by far the most frequent."""
    match args:
        case [a]:
            return lambda run: meaning(a(run))
        case [a, b]:
            return lambda run: meaning(a(run), b(run))
    return lambda run: meaning(*[arg(run) for arg in args])


def looking(meaning: Callable[..., Any], args: Sequence[Value]) -> Value:
    """The same for a word that looks at the run."""
    return lambda run: meaning(run, *[arg(run) for arg in args])


def listed(runs: Iterable[Run]) -> list[Run]:
    """All the runs, unless they are too many to hold."""
    found = list[Run]()
    for run in runs:
        if len(found) == MOST_MOVES:
            raise TooMuchWork(f"a turn offers more than {MOST_MOVES:,} moves")
        found.append(run)
    return found


def length(node: Any) -> int:
    """How many items a part of a program counts as; blocks and loops in it are counted as they run."""
    match node:
        case tuple():
            return sum(map(length, node))
        case IfStmt(condition=condition):
            return STATEMENT + length(condition)
        case For() | Repeat() | AtOnce():
            return STATEMENT
        case Fold():
            return 1
        case Expr() | Stmt() | Domain():
            own = STATEMENT if isinstance(node, Stmt) else 1
            return own + sum(length(getattr(node, part.name)) for part in attrs.fields(type(node)))
    return 0
