"""Drawing one legal move, uniformly over all legal moves, without listing them.

A candidate is a run up to its last choice. The candidates are counted, level by level, without
completing any; one is drawn by its number, and what follows its last choice is tried. If
a `require` there fails, another is drawn.

Why the draw is uniform: candidates are drawn one after the other without replacement, so they
come in an order that is uniform over all orders. The first of them whose run is legal is then
uniform over the candidates with a legal run, and these are the legal moves. If all of them fail,
there is no legal move. If there are more candidates than can be noted as tried, each is drawn
from all of them; the first with a legal run is again uniform, and after many failures the
move is drawn from a search of all legal moves, uniformly as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from attrs import frozen
from llvmlite import ir

from gdl import core as c
from gdl.parts import branches, walk
from interpreter.native.assembly import I1, I64, Value
from interpreter.native.body import Body, Env
from interpreter.native.chance import below
from interpreter.native.shape import splits
from interpreter.native.statements import Statements

#: How many candidates can be noted as tried; a power of two.
TRIED = 1 << 14

#: The most branches written out for a draw; if there would be more, a search is used.
MOST_BRANCHES = 16


@frozen
class Pair:
    """A turn that first chooses x, then y from a set, and then does the rest."""

    first: c.Choose
    between: c.Block
    second: c.Choose
    rest: c.Block
    #: The local that holds `group(x)`, if nothing else before `rest` depends on x.
    group: int | None


class Drawing:
    """Writes the uniform draw of the turns of one game."""

    def __init__(self, statements: Statements, fallback: Callable[[], ir.Function]) -> None:
        """`fallback` gives the function that draws by searching all legal moves, if one is needed."""
        self.fallback = fallback
        self.low = statements
        self.unit = statements.unit

    def uniform(self, block: c.Block, name: str) -> ir.Function:
        """A function that plays a uniformly drawn legal move; false if there is none."""
        body = Body.begin(self.unit, name, I1)
        self._turn(body, block, self.low.load(body))
        body.end(I1(0))
        return body.code.function

    def _turn(self, body: Body, block: c.Block, env: Env) -> None:
        """Draw and play; if there is no candidate, go to `body.fail`."""
        code = body.code
        place = next((i for i, stmt in enumerate(block) if branches(stmt)), len(block))
        for stmt in block[:place]:
            env = self.low.act(body, stmt, env)
        rest = block[place:]
        if rest and isinstance(rest[0], c.Prefer):
            outside = body.fail
            for branch in rest[0].branches:
                body.fail = code.function.append_basic_block()
                self._turn(body, branch, env)
                if not code.b.block.is_terminated:
                    code.b.branch(body.fail)
                code.b.position_at_end(body.fail)
            body.fail = outside
            code.b.branch(body.fail)
            return
        if not _plain(rest):
            self._fall_back(body)
            return
        pair = _pair(rest)
        if pair is not None:
            total, draw = self._table(body, pair, env)
        else:
            first, *after = rest
            ways = [(*way, *after) for way in first.branches] if isinstance(first, c.Either) else [rest]
            counts = [self._count(body, way, env) for way in ways]
            total = reduce(code.b.add, counts)

            def draw(number: Value) -> Env:
                return self._drawn(body, rest, env, number, counts)

        self._tries(body, total, draw, _may_fail(rest))

    def _tries(self, body: Body, total: Value, draw: Callable[[Value], Env], may_fail: bool) -> None:
        """Draw until a run is legal, and play it; no candidate is tried twice if they fit into memory."""
        code = body.code
        self.low.require(body, code.differ(total, I64(0)))
        if not may_fail:
            self.low.commit(body, draw(below(code, body.context, total)))
            code.b.ret(I1(1))
            return
        fits = code.b.not_(code.less(I64(TRIED), total))
        tried = code.alloca(I64, TRIED // 64)
        words = code.b.select(fits, code.b.lshr(code.b.add(total, I64(63)), I64(6)), I64(0))
        code.loop([I64(0)], lambda i: code.less(i, words), lambda i: [self._cleared(body, tried, i)])
        outside = body.fail
        before = code.b.block
        head, again, on, give_up = (code.function.append_basic_block() for _ in range(4))
        code.b.branch(head)
        code.b.position_at_end(head)
        failures = code.b.phi(I64)
        failures.add_incoming(I64(0), before)
        number = self._untried(body, total, tried, fits)
        body.fail = again
        self.low.commit(body, draw(number))
        code.b.ret(I1(1))
        code.b.position_at_end(again)
        more = code.b.add(failures, I64(1))
        code.b.cbranch(code.equal(more, total), outside, on)
        code.b.position_at_end(on)
        failures.add_incoming(more, on)
        code.b.cbranch(code.less(more, I64(TRIED)), head, give_up)
        code.b.position_at_end(give_up)
        self._fall_back(body)
        body.fail = outside

    def _fall_back(self, body: Body) -> None:
        """Draw by a search, which may find too many moves to count."""
        self.low.counts_work = True
        body.code.b.ret(body.code.call(self.fallback(), body.context, body.position))

    def _cleared(self, body: Body, tried: Value, i: Value) -> Value:
        body.code.put(tried, i, I64(0))
        return body.code.b.add(i, I64(1))

    def _untried(self, body: Body, total: Value, tried: Value, fits: Value) -> Value:
        """The number of a candidate that has not been tried; it is marked as tried."""
        code = body.code
        one = code.wide(fits)

        def place(number: Value) -> tuple[Value, Value]:
            index = code.b.and_(code.b.lshr(number, I64(6)), I64(TRIED // 64 - 1))
            return index, code.b.shl(one, code.b.and_(number, I64(63)))

        def is_tried(number: Value) -> Value:
            index, bit = place(number)
            return code.differ(code.b.and_(code.word(tried, index), bit), I64(0))

        first = below(code, body.context, total)
        (number,) = code.loop([first], is_tried, lambda _: [below(code, body.context, total)])
        index, bit = place(number)
        code.put(tried, index, code.b.or_(code.word(tried, index), bit))
        return number

    # --- any turn: candidates counted, then found again by their number ------

    def _count(self, body: Body, block: c.Block, env: Env) -> Value:
        """How many candidates a block has."""
        code = body.code
        for i, stmt in enumerate(block):
            if not splits(block[i:]):
                return I64(1)
            rest = block[i + 1 :]
            match stmt:
                case c.Require():
                    condition = self.low.value(body, stmt.condition, env)
                    return code.choice(condition, lambda: [self._count(body, rest, env)], lambda: [I64(0)])[0]
                case c.Choose() if not splits(rest) and stmt.domain.kind == "sites" and not stmt.condition:
                    return code.size(self.low.value(body, stmt.domain.args[0], env))
                case c.Choose():
                    return self._sum(body, stmt, rest, env)
                case c.Either():
                    total: Value = I64(0)
                    for branch in stmt.branches:
                        total = code.b.add(total, self._count(body, branch + rest, env))
                    return total
                case c.IfStmt() if branches(stmt):
                    condition = self.low.value(body, stmt.condition, env)
                    return code.choice(
                        condition,
                        lambda: [self._count(body, stmt.then + rest, env)],
                        lambda: [self._count(body, stmt.otherwise + rest, env)],
                    )[0]
            if _may_fail((stmt,)):
                return self._unless_failed(
                    body, I64(0), lambda: self._count(body, rest, self.low.act(body, stmt, env))
                )
            env = self.low.act(body, stmt, env)
        return I64(1)

    def _sum(self, body: Body, stmt: c.Choose, rest: c.Block, env: Env) -> Value:
        code, key = body.code, ("total", stmt.slot)

        def each(inner: Env) -> Env:
            def more() -> list[Value]:
                return [code.b.add(inner[key], self._count(body, rest, inner))]

            if stmt.condition is None:
                return {**inner, key: more()[0]}
            condition = self.low.value(body, stmt.condition, inner)
            return {**inner, key: code.choice(condition, more, lambda: [inner[key]])[0]}

        return self.low.iterate(
            body, stmt.slot, stmt.domain, {**env, key: I64(0)}, [key], each, (stmt.condition, rest)
        )[key]

    def _drawn(
        self, body: Body, block: c.Block, env: Env, number: Value, counts: Sequence[Value] = ()
    ) -> Env:
        """The environment after the run of the candidate with this number.

        `counts` holds the number of candidates of each branch that the block begins with, if known.
        """
        code = body.code
        for i, stmt in enumerate(block):
            rest = block[i + 1 :]
            match stmt:
                case c.Choose() if not splits(rest) and stmt.domain.kind == "sites" and not stmt.condition:
                    members = self.low.value(body, stmt.domain.args[0], env)
                    env = {**env, ("local", stmt.slot): code.member(members, number)}
                    continue
                case c.Choose():
                    env, number = self._find(body, stmt, rest, env, number)
                    continue
                case c.Either():
                    ends = rest if splits(rest) else ()
                    blocks = [branch + ends for branch in stmt.branches]
                    env = self._of_branches(body, blocks, env, number, counts if i == 0 else ())
                    if ends:
                        return env
                    continue
                case c.IfStmt() if branches(stmt):
                    ends = rest if splits(rest) else ()
                    condition = self.low.value(body, stmt.condition, env)
                    at, left = env, number
                    env = self.low.branch(
                        body,
                        condition,
                        lambda: self._drawn(body, stmt.then + ends, at, left),
                        lambda: self._drawn(body, stmt.otherwise + ends, at, left),
                    )
                    if ends:
                        return env
                    continue
            env = self.low.act(body, stmt, env)
        return env

    def _of_branches(
        self, body: Body, blocks: list[c.Block], env: Env, number: Value, counts: Sequence[Value]
    ) -> Env:
        """The environment after the candidate with this number, in the first block or in a later one."""
        if len(blocks) == 1:
            return self._drawn(body, blocks[0], env, number)
        code = body.code
        count = counts[0] if counts else self._count(body, blocks[0], env)
        return self.low.branch(
            body,
            code.less(number, count),
            lambda: self._drawn(body, blocks[0], env, number),
            lambda: self._of_branches(body, blocks[1:], env, code.b.sub(number, count), counts[1:]),
        )

    def _find(self, body: Body, stmt: c.Choose, rest: c.Block, env: Env, number: Value) -> tuple[Env, Value]:
        """The value of a choice in the candidate with this number, and its number among those with it."""
        code, slot = body.code, stmt.slot
        left, found, value = ("number", slot), ("found", slot), ("value", slot)
        nothing = self.low.unit.type(stmt.domain.type)(0)

        def each(inner: Env) -> Env:
            def look() -> list[Value]:
                count = self._count(body, rest, inner) if splits(rest) else I64(1)
                here = code.less(inner[left], count)
                after = code.b.select(here, inner[left], code.b.sub(inner[left], count))
                return [after, here, code.b.select(here, inner["local", slot], inner[value])]

            def pass_by() -> list[Value]:
                return [inner[left], inner[found], inner[value]]

            open_still = code.b.not_(inner[found])
            if stmt.condition is not None:
                open_still = code.b.and_(open_still, self.low.value(body, stmt.condition, inner))
            values = code.choice(open_still, look, pass_by)
            return {**inner, left: values[0], found: values[1], value: values[2]}

        start = {**env, left: number, found: code.truth(False), value: nothing}
        end = self.low.iterate(
            body,
            slot,
            stmt.domain,
            start,
            [left, found, value],
            each,
            (stmt.condition, rest),
            lambda e: e[found],
        )
        return {**env, ("local", slot): end[value]}, end[left]

    # --- two choices from sets: the most frequent turn, by a table -----------

    def _table(self, body: Body, pair: Pair, env: Env) -> tuple[Value, Callable[[Value], Env]]:
        """How many candidates there are, and how to draw one: a row for each x, or for each group of them.

        A row holds the number of candidates up to and including it, its x's, the set for y, and the
        locals bound between x and y.
        """
        code = body.code
        rows = self.low.layout.sites + 1
        sums = code.alloca(I64, rows)
        firsts, seconds = (code.alloca(self.low.unit.set, rows) for _ in range(2))
        kept: dict[int, Value] = {}
        domain = self.low.value(body, pair.first.domain.args[0], env)

        def put(memory: Value, row: Value, value: Value) -> None:
            code.b.store(value, code.b.gep(memory, [row], inbounds=True))

        def get(memory: Value, row: Value) -> Value:
            return code.b.load(code.b.gep(memory, [row], inbounds=True))

        def write_row(left: Value, row: Value, total: Value) -> list[Value]:
            low = code.lowest(left)
            inner = {**env, ("local", pair.first.slot): low}
            alike = low
            if pair.group is not None:
                inner = self.low.act(body, pair.between[0], inner)
                alike = code.b.or_(low, code.b.and_(inner["local", pair.group], domain))

            def seconds_of() -> Value:
                at = inner
                if pair.first.condition is not None:
                    self.low.require(body, self.low.value(body, pair.first.condition, at))
                for stmt in pair.between[pair.group is not None :]:
                    at = self.low.act(body, stmt, at)
                for stmt in pair.between:
                    if isinstance(stmt, c.SetLocal):
                        value = at["local", stmt.slot]
                        if stmt.slot not in kept:
                            kept[stmt.slot] = code.alloca(value.type, rows)
                        put(kept[stmt.slot], row, value)
                return self.low.value(body, pair.second.domain.args[0], at)

            may_fail = pair.first.condition is not None or _may_fail(pair.between)
            members = self._unless_failed(body, code.sites(0), seconds_of) if may_fail else seconds_of()
            count = code.b.mul(code.size(alike), code.size(members))
            total = code.b.add(total, count)
            put(sums, row, total)
            put(firsts, row, alike)
            put(seconds, row, members)
            filled = code.wide(code.differ(count, I64(0)))
            return [code.without(left, alike), code.b.add(row, filled), total]

        self.low.enter(body, self.low.longest(pair.first.domain), 0)
        _, _, total = code.loop([domain, I64(0), I64(0)], lambda left, *_: code.some(left), write_row)
        self.low.leave(body, self.low.longest(pair.first.domain))

        def draw(number: Value) -> Env:
            row = code.loop(
                [I64(0)],
                lambda row: code.b.not_(code.less(number, get(sums, row))),
                lambda row: [code.b.add(row, I64(1))],
            )[0]
            members = get(seconds, row)
            offset = code.b.sub(code.b.sub(get(sums, row), I64(1)), number)
            size = code.size(members)
            first = code.member(get(firsts, row), code.b.udiv(offset, size))
            at = {**env, ("local", pair.first.slot): first}
            for slot, memory in kept.items():
                at["local", slot] = get(memory, row)
            at = {**at, ("local", pair.second.slot): code.member(members, code.b.urem(offset, size))}
            return self.low.acts(body, pair.rest, at)

        return total, draw

    def _unless_failed(self, body: Body, nothing: Value, write: Callable[[], Value]) -> Value:
        """The value that `write` makes, or `nothing` if a `require` fails on the way."""
        code, outside = body.code, body.fail
        failed, after = code.function.append_basic_block(), code.function.append_basic_block()
        body.fail = failed
        value = write()
        end = code.b.block
        code.b.branch(after)
        code.b.position_at_end(failed)
        code.b.branch(after)
        code.b.position_at_end(after)
        body.fail = outside
        return code.joined([([value], end), ([nothing], failed)])[0]


def _plain(block: c.Block) -> bool:
    """Whether a turn consists only of choices, plain statements and not too many branches."""
    written = 1
    for stmt in walk(block):
        match stmt:
            case c.Prefer() | c.OnlyMost():
                return False
            case c.For() | c.Repeat() if branches(stmt):
                return False
            case c.Either(branches=blocks):
                written *= len(blocks)
            case c.IfStmt() if branches(stmt):
                written *= 2
    return written <= MOST_BRANCHES and splits(block)


def _may_fail(block: c.Block) -> bool:
    return any(isinstance(stmt, c.Require) for stmt in walk(block))


def _pair(block: c.Block) -> Pair | None:
    """A turn of two choices from sets, the second with no condition, read as one."""
    first, *others = block
    if not isinstance(first, c.Choose):
        return None
    place = next((i for i, stmt in enumerate(others) if branches(stmt)), None)
    if place is None:
        return None
    between, second, rest = tuple(others[:place]), others[place], tuple(others[place + 1 :])
    if not isinstance(second, c.Choose) or second.condition is not None or splits(rest):
        return None
    if first.domain.kind != "sites" or second.domain.kind != "sites":
        return None
    # What is bound on the way is kept in the table; changes of the position could not be.
    if not all(isinstance(stmt, c.SetLocal | c.Require) for stmt in between):
        return None
    group = None
    if between and first.condition is None and isinstance(between[0], c.SetLocal):
        value = between[0].value
        of_first = (
            isinstance(value, c.Call) and value.function == "group" and _is_local(value.args[0], first.slot)
        )
        used = any(_is_local(node, first.slot) for node in walk((*between[1:], second.domain)))
        if of_first and not used:
            group = between[0].slot
    return Pair(first, between, second, rest, group)


def _is_local(node: object, slot: int) -> bool:
    return isinstance(node, c.Local) and node.slot == slot
