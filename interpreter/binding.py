"""From a checked game and option values to a game on its board: `bind`.

Options and names of sites become constants, whatever is then constant is computed once and
for all, and unreachable branches are dropped. The result is the same game in the same core
language, so that an engine never sees an `Option` or a `SiteName`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, SupportsIndex, TypeVar

import attrs
from attrs import frozen

from gdl.boards import BOARDS, Board, BoardError, column_name, drawn
from gdl.builtins import BUILTINS
from gdl.core import (
    Block,
    Call,
    CheckedGame,
    Const,
    Domain,
    Ending,
    Expr,
    Fold,
    If,
    IfStmt,
    Let,
    Local,
    Option,
    OptionSpec,
    Outcome,
    PlayStep,
    SiteName,
    StateSpec,
    Stmt,
    Type,
)
from gdl.diagnostics import Diagnostic, RuleError, did_you_mean
from gdl.words import written
from interpreter.errors import OptionError
from interpreter.meanings import AGGREGATES, DOMAINS, MEANINGS, Geometry, bits
from interpreter.sequence import Place, play_sequence

#: How many expressions are visited, and how many sets shifted, while a game is bound; a loop that exceeds
#: this is left for play.
LOOKED_AT = 200_000
SHIFTED = 500_000

#: The types whose built-ins mean the same on every board, except those that turn directions.
BOARDLESS = {Type.INT, Type.BOOL, Type.PLAYER, Type.DIRECTIONS}
_ON_ANY_BOARD = {
    key for key, row in BUILTINS.items() if {row.result, *(p.type for p in row.parameters)} <= BOARDLESS
} - {"opposite", "flank", "turned"}

#: The words for lines of a board, and the numbers of the lines that exist.
LINES: dict[str, Callable[[Board], tuple[int, ...]]] = {
    "row": lambda board: board.rows,
    "column": lambda board: board.columns,
}

_NODES = (Expr, Stmt, Domain, Ending, Outcome, PlayStep, StateSpec)
T = TypeVar("T")


@frozen(eq=False)
class Bound:
    """A game with its options bound. `program` holds neither Option nor SiteName."""

    program: CheckedGame
    options: dict[str, int | bool]
    board: Board
    geometry: Geometry
    pie: bool
    #: Warnings: what can hardly be intended on this board.
    doubts: tuple[Diagnostic, ...] = ()

    @cached_property
    def sequence(self) -> list[Place]:
        """Who takes which turn; a cursor is an index into it."""
        return play_sequence(self.program)

    @property
    def planes(self) -> list[tuple[int, int | None]]:
        """What each plane of a position holds: (kind, owner); a neutral kind has one, with owner None."""
        return [
            (kind, owner)
            for kind, spec in enumerate(self.program.kinds)
            for owner in ((None,) if spec.neutral else (0, 1))
        ]


def bind(rules: CheckedGame, options: Mapping[str, SupportsIndex]) -> Bound:
    """The game with these option values, and defaults for the others.

    Raises OptionError for an option or a value that the game does not allow, RuleError if the
    rules make no sense on the board that results from the options.
    """
    values = _option_values(rules, options)
    binder = _Binder(values)
    geometry = binder.geometry = Geometry(_board(rules, binder))
    program = attrs.evolve(
        rules,
        setup=binder.block(rules.setup),
        states={name: binder.bound(spec) for name, spec in rules.states.items()},
        turns={name: binder.block(turn) for name, turn in rules.turns.items()},
        play=binder.bound(rules.play),
        pie=binder.bound(rules.pie),
        score=binder.bound(rules.score),
        end=binder.bound(rules.end),
    )
    if binder.faults:
        raise RuleError(binder.faults)
    pie = isinstance(program.pie, Const) and bool(program.pie.value)
    return Bound(program, values, geometry.board, geometry, pie, tuple(dict.fromkeys(binder.doubts)))


# --- options -----------------------------------------------------------------


def _option_values(rules: CheckedGame, given: Mapping[str, SupportsIndex]) -> dict[str, int | bool]:
    """The value of every option, in the order of declaration: a default may depend on earlier ones."""
    for name in given:
        _spec(rules, name)
    values = dict[str, int | bool]()
    for name, spec in rules.options.items():
        values[name] = _plain(given[name]) if name in given else _Binder(values).constant(spec.default)
        sentence = _misfit(spec, values)
        if sentence is None:
            continue
        if name in given:
            raise OptionError(sentence)
        raise RuleError([Diagnostic("error", spec.default.span, f"the default does not fit: {sentence}")])
    return values


def _plain(value: Any) -> Any:
    """The value as a Python int or bool, if it is one of another library."""
    if isinstance(value, bool):
        return value
    with suppress(TypeError):
        return operator.index(value)
    return value.item() if getattr(value, "shape", None) == () else value


def _spec(rules: CheckedGame, name: str) -> OptionSpec:
    """The option of this name. Raises OptionError if there is none."""
    if name not in rules.options:
        known = ", ".join(rules.options)
        hint = did_you_mean(name, rules.options) or (f"it has {known}" if known else "it has none")
        raise OptionError(f"{rules.name} has no option `{name[:40]}`; {hint}")
    return rules.options[name]


def choices(
    rules: CheckedGame, values: Mapping[str, int | bool], name: str
) -> tuple[int | bool, ...] | range:
    """The values an option may have, given the others in `values`. Raises OptionError if it is unknown."""
    spec = _spec(rules, name)
    if spec.type == Type.BOOL:
        return False, True
    low, high, by = _limits(spec, values)
    return range(low, high + 1, by)


def _misfit(spec: OptionSpec, values: Mapping[str, int | bool]) -> str | None:
    """What is wrong with the value of an option, if anything; `values` also holds the earlier ones."""
    value = values[spec.name]
    refused = f"option `{spec.name}` cannot be {_shown(value)}: it is"
    if spec.type == Type.BOOL:
        return None if isinstance(value, bool) else f"{refused} yes or no"
    low, high, by = _limits(spec, values)
    fits = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    if fits and (value - low) % by == 0:
        return None
    return f"{refused} a whole number from {low} to {high}" + (f" in steps of {by}" if by != 1 else "")


def _limits(spec: OptionSpec, values: Mapping[str, int | bool]) -> tuple[int, int, int]:
    """The smallest and the largest value of a number's range, and the step between values."""
    assert spec.low is not None
    assert spec.high is not None
    binder = _Binder(values)
    step = 1 if spec.step is None else max(1, binder.constant(spec.step))
    return binder.constant(spec.low), binder.constant(spec.high), step


def extremes(rules: CheckedGame, picks: Mapping[str, bool]) -> dict[str, int | bool]:
    """The largest (True) or smallest (False) value of each option in `picks`, the others by default."""
    values, picked = dict[str, int | bool](), dict[str, int | bool]()
    for name, spec in rules.options.items():
        if name not in picks:
            values[name] = _Binder(values).constant(spec.default)
        elif spec.type == Type.BOOL:
            values[name] = picked[name] = picks[name]
        else:
            low, high, step = _limits(spec, values)
            values[name] = picked[name] = high - (high - low) % step if picks[name] else low
    return picked


def _shown(value: object) -> str:
    return f"the text {value!r:.40}" if isinstance(value, str) else written(value)[:40]


def _board(rules: CheckedGame, binder: _Binder) -> Board:
    if rules.board_lines:
        return drawn(rules.board_lines)
    arguments = {name: binder.constant(value) for name, value in rules.board_args}
    extra = {"adjacency": arguments.pop("adjacent", None), "wrap": arguments.pop("wrap", 0)}
    spans = [value.span for _, value in rules.board_args]
    try:
        board = BOARDS[rules.board].build(**extra, **arguments)
        if rules.site_condition is None:
            return board
        spans = [rules.site_condition.span]
        return board.cut(_chosen(rules.site_condition, rules.site_slot, board, binder))
    except BoardError as error:
        sentence = str(error)
        if not spans:
            raise OptionError(sentence) from None
        raise RuleError([Diagnostic("error", spans[0].to(spans[-1]), sentence)]) from None


def _chosen(condition: Expr, slot: int, board: Board, binder: _Binder) -> int:
    """The sites of the full board that meet the condition."""
    binder.geometry = Geometry(board)
    chosen = 0
    for site in bits(board.all):
        binder.known[slot] = Const(Type.SET, condition.span, site)
        if binder.constant(condition):
            chosen |= site
    return chosen


# --- rewriting ---------------------------------------------------------------


class _Open(Exception):
    """The value to compute depends on more than constants."""


def _sites_like(name: str, board: Board) -> str:
    """Which sites the board has in the column of a name that it lacks."""
    column = name.rstrip("0123456789")
    sites = [site for site in board.names if site.rstrip("0123456789") == column]
    if sites:
        return f"its column {column} has {sites[0]} to {sites[-1]}"
    return f"its columns are {column_name(min(board.columns))} to {column_name(max(board.columns))}"


class _Binder:
    """Rewrites core trees; `faults` collects what makes no sense on this board."""

    def __init__(self, options: Mapping[str, int | bool]) -> None:
        self.options = options
        self.geometry: Geometry | None = None  # None until the options have determined the board
        self.faults = list[Diagnostic]()
        self.doubts = list[Diagnostic]()
        self.known = dict[int, Const]()  # the locals that are constant here
        self.left = LOOKED_AT

    def constant(self, node: Expr) -> Any:
        """The value of an expression that the checker has found to be constant."""
        node = self.expr(node)
        if not isinstance(node, Const):
            raise RuleError([Diagnostic("error", node.span, "this must be known before the game begins")])
        return node.value

    def block(self, block: Block) -> Block:
        """The statements; an `if` on a constant is replaced by the block it chooses."""
        out = list[Stmt]()
        for stmt in block:
            if isinstance(stmt, IfStmt):
                condition = self.expr(stmt.condition)
                if isinstance(condition, Const):
                    out += self.block(stmt.then if condition.value else stmt.otherwise)
                    continue
            out.append(self._children(stmt))
        return tuple(out)

    def bound(self, value: T) -> T:
        """Any part of a game, rewritten."""
        if isinstance(value, Expr):
            return self.expr(value)  # type: ignore[return-value]
        if isinstance(value, tuple):
            if value and all(isinstance(item, Stmt) for item in value):
                return self.block(value)  # type: ignore[return-value]
            return tuple(map(self.bound, value))  # type: ignore[return-value]
        return self._children(value) if isinstance(value, _NODES) else value

    def expr(self, node: Expr) -> Expr:
        self.left -= 1
        match node:
            case Option(name=name):
                return Const(node.type, node.span, self.options[name])
            case SiteName(name=name) if self.geometry:
                site = self.geometry.board.index.get(name)
                if site is None:
                    hint = _sites_like(name, self.geometry.board)
                    self.faults.append(
                        Diagnostic("error", node.span, f"this board has no site `{name}`", hint)
                    )
                return Const(node.type, node.span, 0 if site is None else 1 << site)
            case Local(slot=slot):
                return self.known.get(slot, node)
            case If():
                condition = self.expr(node.condition)
                if isinstance(condition, Const):
                    return self.expr(node.then if condition.value else node.otherwise)
                return attrs.evolve(
                    node, condition=condition, then=self.expr(node.then), otherwise=self.expr(node.otherwise)
                )
            case Let():
                value = self.expr(node.value)
                if isinstance(value, Const):
                    self.known[node.slot] = value
                    return self.expr(node.body)
                return attrs.evolve(node, value=value, body=self.expr(node.body))
            case Call():
                return self._call(node)
            case Fold():
                return self._fold(node)
        return node

    def _call(self, node: Call) -> Expr:
        if node.function in LINES and isinstance(node.args[0], Const | Option):
            self._doubt_line(node)
        node = self._children(node)
        # A value of several parts, such as groups, cannot be a constant.
        if node.type in (Type.GROUPS, Type.COUNTERS) or node.function not in MEANINGS:
            return node
        if self.geometry is None and node.function not in _ON_ANY_BOARD:
            return node
        values = [arg.value for arg in node.args if isinstance(arg, Const)]
        if len(values) < len(node.args):
            return node
        return Const(node.type, node.span, MEANINGS[node.function](self.geometry, *values))

    def _doubt_line(self, node: Call) -> None:
        """Warn about a row or column, given as a number or an option, that the board does not have."""
        number = self.constant(node.args[0])
        if self.geometry is None or number in (numbers := LINES[node.function](self.geometry.board)):
            return
        hint = f"its {node.function}s are {min(numbers)} to {max(numbers)}"
        message = f"this board has no {node.function} {number}"
        self.doubts.append(Diagnostic("warning", node.span, message, hint))

    def _fold(self, node: Fold) -> Expr:
        node = self._children(node)
        args = [arg.value for arg in node.domain.args if isinstance(arg, Const)]
        if self.geometry is None or len(args) < len(node.domain.args):
            return node
        values = DOMAINS[node.domain.kind](self.geometry, *args)
        if len(values) > self.left or not _closed(node.body, {node.slot}):
            return node
        if node.condition and not _closed(node.condition, {node.slot}):
            return node
        try:
            return Const(node.type, node.span, AGGREGATES[node.op](self._unrolled(node, values)))
        except _Open:
            return node
        finally:
            self.known.pop(node.slot, None)

    def _unrolled(self, node: Fold, values: Any) -> Iterator[Any]:
        """The value of the body for each value of the loop that meets the condition."""
        assert self.geometry
        for value in values:
            if self.left < 0 or self.geometry.work > SHIFTED:
                raise _Open
            self.known[node.slot] = Const(node.domain.type, node.span, value)
            if node.condition is None or self._closed_value(node.condition):
                yield self._closed_value(node.body)

    def _closed_value(self, node: Expr) -> Any:
        node = self.expr(node)
        if not isinstance(node, Const):
            raise _Open
        return node.value

    def _children(self, node: T) -> T:
        """The node with all of its parts rewritten."""
        changes = dict[str, Any]()
        for part in attrs.fields(type(node)):  # type: ignore[arg-type]
            value = getattr(node, part.name)
            if isinstance(value, (*_NODES, tuple)) and (new := self.bound(value)) is not value:
                changes[part.name] = new
        return attrs.evolve(node, **changes) if changes else node  # type: ignore[misc]


def _closed(node: Any, slots: set[int]) -> bool:
    """Whether an expression depends on nothing but constants and these locals."""
    match node:
        case Local(slot=slot):
            return slot in slots
        case Call(function=function) if function not in MEANINGS:
            return False
        case Let() | Fold():
            slots = slots | {node.slot}
        case Expr() if not isinstance(node, Const | Call | If):
            return False
        case tuple():
            return all(_closed(item, slots) for item in node)
    if not isinstance(node, Expr | Domain):
        return True
    return all(_closed(getattr(node, part.name), slots) for part in attrs.fields(type(node)))
