"""What statements do to the position: pieces leave, pieces land, state is assigned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.core import Become, Diagram, Flip, Move, Place, Remove, SetCounters, SetState, Stmt
from gdl.diagnostics import Diagnostic, RuleError
from gdl.source import Span
from interpreter.errors import counted
from interpreter.meanings import bits, clamp, first
from interpreter.run import CURSOR, SETTING_UP, Act, Run, Value
from interpreter.words import occupied

if TYPE_CHECKING:
    from interpreter.reference import Reference


class Effect(NamedTuple):
    """What a statement does to the position: what leaves, what lands on which plane, what is assigned."""

    leave: int = 0
    lands: Sequence[tuple[int, int]] = ()
    assign: Callable[[Run], None] | None = None


def plan(engine: Reference, stmt: Stmt) -> Callable[[Run], Effect]:
    match stmt:
        case Place():
            return place(engine, stmt)
        case Move():
            return move(engine, engine.value(stmt.origin), engine.value(stmt.target))
        case Remove():
            at = engine.value(stmt.at)
            return lambda run: Effect(at(run))
        case Flip():
            return flip(engine, engine.value(stmt.at))
        case Become():
            return become(engine, engine.value(stmt.kind), engine.value(stmt.at))
        case SetState(name=name):
            slot, value = engine.state_at[name], engine.value(stmt.value)
            return lambda run: Effect(assign=partial(assign, slot, value(run)))
        case SetCounters(name=name, add=add):
            slot, sites, value = engine.state_at[name], engine.value(stmt.at), engine.value(stmt.value)
            return counting(engine, slot, sites, value, add)
    raise TypeError(stmt)


def plane(engine: Reference, kind: int, owner: int | None) -> int | None:
    """The plane of such pieces; None if there can be none: no kind, or a kind that lacks its owner."""
    neutral = kind >= 0 and engine.program.kinds[kind].neutral
    return engine.plane_of.get((kind, None if neutral else owner))


def place(engine: Reference, stmt: Place) -> Callable[[Run], Effect]:
    kind, at = engine.value(stmt.kind), engine.value(stmt.at)
    owner = engine.value(stmt.owner) if stmt.owner else lambda run: None

    def plan(run: Run) -> Effect:
        sites = at(run)
        if run[CURSOR] == SETTING_UP:
            check_free(engine, run, sites, stmt.span)
        target = plane(engine, kind(run), owner(run))
        return Effect() if target is None else Effect(sites, [(target, sites)])

    return plan


def move(engine: Reference, origin: Value, target: Value) -> Callable[[Run], Effect]:
    def plan(run: Run) -> Effect:
        pairs = list(zip(bits(origin(run) & occupied(engine, run)), bits(target(run)), strict=False))
        engine.spend(32 * len(pairs))  # two steps per piece
        lands = [(plane, end) for start, end in pairs for plane in engine.planes if run[plane] & start]
        return Effect(sum(start for start, _ in pairs), lands)

    return plan


def flip(engine: Reference, at: Value) -> Callable[[Run], Effect]:
    def plan(run: Run) -> Effect:
        sites = at(run)
        lands = [
            (engine.plane_of[kind, 1 - owner], run[plane] & sites)
            for (kind, owner), plane in engine.plane_of.items()
            if owner is not None
        ]
        return Effect(0, lands)

    return plan


def become(engine: Reference, kind: Value, at: Value) -> Callable[[Run], Effect]:
    """A neutral piece cannot become a kind that must have an owner: it stays as it is."""

    def plan(run: Run) -> Effect:
        sites, new = at(run), kind(run)
        changes = [
            (plane(engine, new, owner), run[old] & sites) for (_, owner), old in engine.plane_of.items()
        ]
        return Effect(0, [(target, changing) for target, changing in changes if target is not None])

    return plan


def check_free(engine: Reference, run: Run, sites: int, span: Span) -> None:
    """Raises RuleError for two pieces set up on one site: that must be a slip."""
    taken = sites & occupied(engine, run)
    if taken:
        name = engine.geometry.board.names[first(taken)]
        raise RuleError([Diagnostic("error", span, f"two pieces are set up on {name}")])


def diagram(engine: Reference, stmt: Diagram) -> Act:
    board = engine.geometry.board
    lines = [list(bits(sites)) for _, sites in sorted(engine.geometry.rows.items(), reverse=True)]

    def act(run: Run) -> bool:
        if len(stmt.rows) != len(lines):
            fault = (
                f"the board has {counted(len(lines), 'row')}, the picture {counted(len(stmt.rows), 'row')}"
            )
            raise RuleError([Diagnostic("error", stmt.span, fault)])
        for line, tokens, places in zip(lines, stmt.rows, stmt.places, strict=True):
            if len(line) != len(tokens):
                row = f"row {board.rows[first(line[0])]} of the board"
                fault = f"{row} has {counted(len(line), 'site')}, this row of the picture has {len(tokens)}"
                raise RuleError([Diagnostic("error", places[0].to(places[-1]), fault)])
        for line, tokens, places in zip(lines, stmt.rows, stmt.places, strict=True):
            for site, token, place in zip(line, tokens, places, strict=True):
                if token:
                    check_free(engine, run, site, place)
                    owner, kind = token
                    run[engine.plane_of[kind, owner]] |= site
        return True

    return act


def land(engine: Reference, run: Run, effects: Sequence[Effect]) -> None:
    leave = 0
    for effect in effects:
        leave |= effect.leave
    clear(engine, run, leave)
    for effect in effects:
        for plane, sites in effect.lands:
            clear(engine, run, sites)
            run[plane] |= sites
        if effect.assign:
            effect.assign(run)


def clear(engine: Reference, run: Run, sites: int) -> None:
    for plane in engine.planes:
        run[plane] &= ~sites


def assign(slot: int, value: Any, run: Run) -> None:
    run[slot] = value


def counting(engine: Reference, slot: int, at: Value, value: Value, add: bool) -> Callable[[Run], Effect]:
    def plan(run: Run) -> Effect:
        sites, amount = at(run), value(run)

        def count(run: Run) -> None:
            counts = list(run[slot])
            engine.spend(len(counts) + 4 * sites.bit_count())  # changing one costs as much as copying a few
            for site in map(first, bits(sites)):
                counts[site] = clamp(counts[site] + amount) if add else amount
            run[slot] = tuple(counts)

        return Effect(assign=count)

    return plan
