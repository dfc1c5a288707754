"""Turns in native code: finding the legal runs, or one of them at random.

A turn is written as a search: each choice is a loop, and what follows it is the body of the
loop. `Cont` is what follows. If it would be written out more than once, it becomes a separate
function, so that the code never grows faster than the rules it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs
from attrs import frozen
from llvmlite import ir

from gdl import core as c
from gdl.core import LIMIT
from gdl.parts import branches, rounds, walk
from interpreter.native.assembly import I1, I64, POINTER, Code, Value
from interpreter.native.body import Body, Env
from interpreter.native.chance import Chance, below
from interpreter.native.context import BUDGET, MODE, TAG, WORD
from interpreter.native.shape import cheap_first, work
from interpreter.native.statements import Statements
from interpreter.reference import MOST_MOVES

#: What follows is written out again rather than called if it has no more parts than this.
SHORT = 12

#: Functions beyond this many are not to be inlined by LLVM, which could take forever.
MANY = 20


@frozen
class Cont:
    """What follows in a run: `write(body, env)`, and how many parts and steps that is."""

    write: Callable[[Body, Env], None]
    length: int
    work: int = 0


class Turns:
    """Writes the turns of one game."""

    def __init__(self, statements: Statements) -> None:
        self.low = statements
        self.unit = statements.unit
        self.chance = Chance(statements)
        self._randomly = False  # choices in random order
        self._names = 0

    def _inner(self, what: str, outer: Body, values: Sequence[Value]) -> Body:
        """A function that continues a run of another one, taking these values as arguments."""
        self._names += 1
        types = [value.type for value in values]
        return Body.begin(self.unit, f"{what}.{self._names}", I1, types, path=outer.path)

    # --- searches ------------------------------------------------------------

    def search(self, block: c.Block, name: str) -> ir.Function:
        """A function that finds the legal runs of a turn and does what the mode says with them."""
        self._randomly = False
        body = Body.begin(self.unit, name, I1, path="write")
        self.run(body, block, self.low.load(body), Cont(self._found, 0))
        body.end(I1(0))
        return body.code.function

    def stepwise(self, block: c.Block, name: str) -> ir.Function:
        """A function that draws the choices one by one, backing up if a run fails, and plays the run."""
        self._randomly = True
        body = Body.begin(self.unit, name, I1)
        self.run(body, block, self.low.load(body), Cont(self._played, SHORT + 1))
        body.end(I1(0))
        return body.code.function

    def _found(self, body: Body, env: Env) -> None:
        """Note a legal run; the search stops if the mode says so."""
        function = self.unit.shared("found", I1, [POINTER, I64], self._note_run)
        body.stop_if(body.code.call(function, body.context, env["depth"]))

    def _played(self, body: Body, env: Env) -> None:
        self.low.commit(body, env)
        body.stop_if(body.code.truth(True))

    def _note_run(self, code: Code, context: Value, depth: Value) -> Value:
        def word(name: str) -> Value:
            return code.word(context, WORD[name])

        def put(name: str, value: Value) -> None:
            code.put(context, WORD[name], value)

        def copy(target: Value) -> None:
            """Copy the path, preceded by its length."""
            path = code.b.inttoptr(word("path"), POINTER)
            code.put(target, 0, depth)

            def once(i: Value) -> Sequence[Value]:
                code.put(target, code.b.add(i, I64(1)), code.word(path, i))
                return [code.b.add(i, I64(1))]

            code.loop([I64(0)], lambda i: code.less(i, depth), once)

        count = code.b.add(word("count"), I64(1))
        put("count", count)
        mode = word("mode")
        too_many = code.less(I64(MOST_MOVES), count)
        put("work", code.b.select(too_many, I64(BUDGET), word("work")))

        def listing() -> Sequence[Value]:
            needed = code.b.add(depth, I64(1))
            left = code.b.sub(word("capacity"), needed)

            def write() -> Sequence[Value]:
                out = word("out")
                copy(code.b.inttoptr(out, POINTER))
                put("out", code.b.add(out, code.b.mul(needed, I64(8))))
                return [I64(0)]

            # If there is no room, the rest is only counted; the caller sees a capacity below zero.
            code.choice(code.less(left, I64(0)), lambda: [I64(0)], write)
            put("capacity", left)
            return [code.truth(False)]

        def keeping() -> Sequence[Value]:
            def keep() -> Sequence[Value]:
                copy(code.b.inttoptr(word("best"), POINTER))
                return [I64(0)]

            one = code.equal(below(code, context, count), I64(0))
            code.choice(one, keep, lambda: [I64(0)])
            return [code.truth(False)]

        def quiet() -> Sequence[Value]:
            keeps = code.equal(mode, I64(MODE["keep"]))
            any_mode = code.equal(mode, I64(MODE["any"]))
            code.choice(keeps, keeping, lambda: [code.truth(False)])
            return [any_mode]

        stop = code.choice(code.equal(mode, I64(MODE["list"])), listing, quiet)[0]
        return code.b.or_(stop, too_many)

    # --- the parts of a search -----------------------------------------------

    def run(self, body: Body, block: c.Block, env: Env, then: Cont) -> None:
        """Write the runs of a block, each followed by `then`."""
        most = next((i for i, stmt in enumerate(block) if isinstance(stmt, c.OnlyMost)), None)
        if most is not None:
            self._only_most(body, block, most, env, then)
            return
        block = cheap_first(block)
        for i, stmt in enumerate(block):
            if branches(stmt):
                rest = block[i + 1 :]
                self._branch(body, stmt, env, self._after(rest, then) if rest else then)
                return
            env = self.low.act(body, stmt, env)
        then.write(body, env)

    def _after(self, block: c.Block, then: Cont) -> Cont:
        """A block, and what follows it."""
        length = then.length + sum(1 for _ in walk(block))
        steps = then.work + work(block, self.low.layout.sites)
        return Cont(lambda body, env: self.run(body, block, env, then), length, steps)

    def _branch(self, body: Body, stmt: c.Stmt, env: Env, then: Cont) -> None:
        match stmt:
            case c.Choose():
                self._choose(body, stmt, env, then)
            case c.Either():
                self._either(body, stmt, env, then)
            case c.Prefer():
                self._prefer(body, stmt, env, then)
            case c.IfStmt():
                self._if(body, stmt, env, then)
            case c.For():
                self._for(body, stmt, env, then)
            case c.Repeat():
                self._repeat(body, stmt, env, then)

    def shared(self, outer: Body, env: Env, then: Cont) -> Cont:
        """What follows, as a function if it is long, so that it can be used in several places."""
        if then.length <= SHORT:
            return then
        keys = list(env)
        inner = self._inner("then", outer, [env[key] for key in keys])
        if self._names > MANY:
            inner.code.function.attributes.add("noinline")
        inner.nest = outer.nest
        arguments = inner.code.function.args[2:]
        then.write(inner, dict(zip(keys, arguments, strict=True)))
        inner.end(I1(0))

        def call(body: Body, at: Env) -> None:
            values = [at[key] for key in keys]
            body.stop_if(body.code.call(inner.code.function, body.context, body.position, *values))

        return Cont(call, 1, then.work)

    def _loop(
        self, body: Body, start: Value, more: Callable[[Value], Value], each: Callable[[Value], Value]
    ) -> None:
        """A loop over what can be chosen; if a run fails, it continues with the next.

        `each` returns what is left, computed before anything can fail.
        """
        code = body.code
        before = code.b.block
        head, inside, latch, after = (code.function.append_basic_block() for _ in range(4))
        code.b.branch(head)
        code.b.position_at_end(head)
        left = code.b.phi(start.type)
        left.add_incoming(start, before)
        goes_on = more(left)
        code.b.cbranch(goes_on, inside, after)
        code.b.position_at_end(inside)
        outside, body.fail = body.fail, latch
        rest = each(left)
        body.fail = outside
        code.b.branch(latch)
        code.b.position_at_end(latch)
        left.add_incoming(rest, latch)
        code.b.branch(head)
        code.b.position_at_end(after)

    def _choose(self, body: Body, stmt: c.Choose, env: Env, then: Cont) -> None:
        code, domain = body.code, stmt.domain
        cursor = self.chance.shuffled if self._randomly else self.low.cursor
        start, more, take = cursor(body, domain, env)
        each_time = then.work + work(stmt.condition, self.low.layout.sites)
        steps = self.low.enter(body, self.low.longest(domain), each_time)

        def goes_on(left: Value) -> Value:
            test = more(left)
            return code.b.and_(test, self.low.affordable(body, steps)) if steps else test

        def each(left: Value) -> Value:
            value, rest = take(left)
            inner = {**env, ("local", stmt.slot): value}
            if stmt.condition is not None:
                self.low.require(body, self.low.value(body, stmt.condition, inner))
            inner = self._note_choice(body, domain, inner, value)
            then.write(body, inner)
            return rest

        self._loop(body, start, goes_on, each)
        self.low.leave(body, self.low.longest(domain))

    def _note_choice(self, body: Body, domain: c.Domain, env: Env, value: Value) -> Env:
        if domain.kind == "sites":
            return self.low.note(body, env, body.code.first(value))
        return self.low.note_value(body, env, domain.type, value)

    def _either(self, body: Body, stmt: c.Either, env: Env, then: Cont) -> None:
        """The branches one after the other; in random play, from a drawn one on, wrapping around."""
        code, count = body.code, len(stmt.branches)
        on = self.shared(body, env, then)
        offset = self.chance.drawn_branch(body, stmt, env) if self._randomly else I64(0)

        def each(i: Value) -> Value:
            following = code.b.add(i, I64(1))
            place = code.b.add(i, offset)
            place = code.b.select(code.less(place, I64(count)), place, code.b.sub(place, I64(count)))
            end = code.function.append_basic_block()
            blocks = [code.function.append_basic_block() for _ in stmt.branches]
            switch = code.b.switch(place, end)
            for number, (block, branch) in enumerate(zip(blocks, stmt.branches, strict=True)):
                switch.add_case(I64(number), block)
                code.b.position_at_end(block)
                self.run(body, branch, self.low.note(body, env, TAG["branch"] | number), on)
                code.b.branch(end)
            code.b.position_at_end(end)
            return following

        self._loop(body, I64(0), lambda i: code.less(i, I64(count)), each)

    def _prefer(self, body: Body, stmt: c.Prefer, env: Env, then: Cont) -> None:
        """The branches one after the other, each only if the ones before it have no legal run."""
        code = body.code
        on = self.shared(body, env, then)
        before = body.word("count")

        def each(i: Value) -> Value:
            following = code.b.add(i, I64(1))
            end = code.function.append_basic_block()
            blocks = [code.function.append_basic_block() for _ in stmt.branches]
            switch = code.b.switch(i, end)
            for number, (block, branch) in enumerate(zip(blocks, stmt.branches, strict=True)):
                switch.add_case(I64(number), block)
                code.b.position_at_end(block)
                inner = self.low.note(body, env, TAG["prefer"] | number)
                outside, body.fail = body.fail, end
                self.run(body, branch, inner, on)
                body.fail = outside
                code.b.branch(end)
            code.b.position_at_end(end)
            return following

        def goes_on(i: Value) -> Value:
            found = code.differ(body.word("count"), before)
            return code.b.and_(code.less(i, I64(len(stmt.branches))), code.b.not_(found))

        self._loop(body, I64(0), goes_on, each)

    def _if(self, body: Body, stmt: c.IfStmt, env: Env, then: Cont) -> None:
        code = body.code
        on = self.shared(body, env, then)
        condition = self.low.value(body, stmt.condition, env)
        blocks = [code.function.append_basic_block() for _ in range(3)]
        code.b.cbranch(condition, blocks[0], blocks[1])
        for block, part in zip(blocks[:2], (stmt.then, stmt.otherwise), strict=True):
            code.b.position_at_end(block)
            self.run(body, part, env, on)
            code.b.branch(blocks[2])
        code.b.position_at_end(blocks[2])

    def _for(self, body: Body, stmt: c.For, env: Env, then: Cont) -> None:
        """A function that takes one value and calls itself for the rest."""
        domain, env = self._known(body, stmt, env)
        start, _, _ = self.low.cursor(body, domain, env)
        place = ("left", stmt.slot)
        outer = {**env, place: start}
        keys = list(outer)
        inner = self._inner("each", body, [outer[key] for key in keys])
        self.low.descend(inner, 1 + work(stmt.body, self.low.layout.sites), I1(1))
        function = inner.code.function
        at: Env = dict(zip(keys, function.args[2:], strict=True))
        _, more, take = self.low.cursor(inner, domain, at)
        on = self.shared(inner, at, then)

        def write_rest(b: Body, e: Env) -> None:
            b.stop_if(b.code.call(function, b.context, b.position, *[e[key] for key in keys]))

        def one() -> None:
            value, rest = take(at[place])
            here = {**at, ("local", stmt.slot): value, place: rest}
            again = self.shared(inner, here, Cont(write_rest, 1))
            if stmt.condition is None:
                self.run(inner, stmt.body, here, again)
                return
            condition = self.low.value(inner, stmt.condition, here)
            self._two(
                inner,
                condition,
                lambda: self.run(inner, stmt.body, here, again),
                lambda: again.write(inner, here),
            )

        self._two(inner, more(at[place]), one, lambda: on.write(inner, at))
        inner.end(I1(0))
        body.stop_if(body.code.call(function, body.context, body.position, *[outer[key] for key in keys]))

    def _known(self, body: Body, stmt: c.For, env: Env) -> tuple[c.Domain, Env]:
        """What a loop runs over, evaluated beforehand: the position it depends on may change later."""
        args = []
        for i, argument in enumerate(stmt.domain.args):
            if not isinstance(argument, c.Const):
                slot = -1 - len(env)  # a new one
                env = {**env, ("local", slot): self.low.value(body, argument, env)}
                argument = c.Local(argument.type, argument.span, slot, f"{i}")
            args.append(argument)
        return attrs.evolve(stmt.domain, args=tuple(args)), env

    def _only_most(self, body: Body, block: c.Block, place: int, env: Env, then: Cont) -> None:
        """The runs up to a statement, twice: to find the largest value, then to continue those with it."""
        code = body.code
        stmt = block[place]
        assert isinstance(stmt, c.OnlyMost)
        memory = code.alloca(I64)
        code.b.store(I64(-LIMIT - 1), memory)
        key = ("most", place, id(block))

        def note(b: Body, e: Env) -> None:
            value, most = self.low.value(b, stmt.value, e), b.code.b.load(e[key])
            b.code.b.store(b.code.b.select(b.code.less(most, value), value, most), e[key])

        def select(b: Body, e: Env) -> None:
            value, most = self.low.value(b, stmt.value, e), b.code.b.load(e[key])
            self._two(
                b, b.code.equal(value, most), lambda: self.run(b, block[place + 1 :], e, then), lambda: None
            )

        self.run(body, block[:place], {**env, key: memory}, Cont(note, SHORT))
        self.run(body, block[:place], {**env, key: memory}, Cont(select, SHORT + 1))

    def _two(
        self, body: Body, condition: Value, then: Callable[[], None], otherwise: Callable[[], None]
    ) -> None:
        """Write two pieces of code, one of which runs; a run that fails in it ends."""
        code = body.code
        blocks = [code.function.append_basic_block() for _ in range(3)]
        code.b.cbranch(condition, blocks[0], blocks[1])
        for block, write in zip(blocks[:2], (then, otherwise), strict=True):
            code.b.position_at_end(block)
            write()
            code.b.branch(blocks[2])
        code.b.position_at_end(blocks[2])

    def _repeat(self, body: Body, stmt: c.Repeat, env: Env, then: Cont) -> None:
        """A function that runs the body once and calls itself if the condition holds."""
        times = ("times", id(stmt))
        outer = {**env, times: I64(1)}
        keys = list(outer)
        inner = self._inner("repeat", body, [outer[key] for key in keys])
        self.low.descend(inner, 1 + work(stmt.body, self.low.layout.sites), I1(1))
        function = inner.code.function
        at: Env = dict(zip(keys, function.args[2:], strict=True))
        on = self.shared(inner, at, then)

        def after(b: Body, e: Env) -> None:
            code = b.code
            again = code.b.and_(
                code.less(e[times], I64(rounds(stmt, self.low.layout.sites))),
                self.low.value(b, stmt.condition, e),
            )

            def once_more() -> None:
                following = {**e, times: code.b.add(e[times], I64(1))}
                b.stop_if(code.call(function, b.context, b.position, *[following[key] for key in keys]))

            self._two(b, again, once_more, lambda: on.write(b, e))

        self.run(inner, stmt.body, at, Cont(after, SHORT + 1))
        inner.end(I1(0))
        body.stop_if(body.code.call(function, body.context, body.position, *[outer[key] for key in keys]))
