"""Turns in native code: finding legal runs, following one, drawing one at random.

A turn is written as a search: each choice is a loop, and what follows it is the body of the
loop. `Cont` is what follows. Where it would be written out more than once, it becomes a
function of its own, so that code never grows faster than the rules it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import attrs
from attrs import frozen
from llvmlite import ir

from gdl import core as c
from gdl.core import LIMIT, Type
from gdl.parts import walk
from interpreter.native.assembly import I1, I64, POINTER, Code, Value
from interpreter.native.context import BUDGET, LOW_BITS, MODE, TAG, WORD
from interpreter.native.shape import branches, cheap_first, work
from interpreter.native.statements import Statements
from interpreter.native.values import SITES, Body, Env
from interpreter.reference import MOST_MOVES

#: What follows is written out again rather than called where it has no more parts than this.
SHORT = 12

#: Where more functions than these are written, LLVM may not put one into another: it can take for ever.
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
        self.program = statements.program
        self._randomly = False  # choices in random order
        self._names = 0

    def _name(self, what: str) -> str:
        self._names += 1
        return f"{what}.{self._names}"

    def body(
        self,
        name: str,
        result: ir.Type,
        extra: Sequence[ir.Type] = (),
        public: bool = False,
        path: str = "none",
    ) -> Body:
        """A new function of a context and a position."""
        code = self.unit.function(name, result, [POINTER, POINTER, *extra], public=public)
        fail = code.function.append_basic_block("fail")
        return Body(code, code.function.args[0], code.function.args[1], fail, path=path)

    def close(self, body: Body, result: Value) -> None:
        """End a function: here, and where a run has failed, this is the result."""
        code = body.code
        if not code.b.block.is_terminated:
            code.b.branch(body.fail)
        code.b.position_at_end(body.fail)
        code.ret(result)

    # --- searches ------------------------------------------------------------

    def search(self, block: c.Block, name: str) -> ir.Function:
        """A function that finds the legal runs of a turn and does with them what the mode says."""
        self._randomly = False
        body = self.body(name, I1, path="write")
        self.run(body, block, self.low.load(body), Cont(self._found, 0))
        self.close(body, I1(0))
        return body.code.function

    def stepwise(self, block: c.Block, name: str) -> ir.Function:
        """A function that draws each choice in turn, backing up where a run fails, and plays the run."""
        self._randomly = True
        body = self.body(name, I1)
        self.run(body, block, self.low.load(body), Cont(self._played, SHORT + 1))
        self.close(body, I1(0))
        return body.code.function

    def _found(self, body: Body, env: Env) -> None:
        """A legal run: note it; the search stops where the mode says so."""
        function = self.unit.shared("found", I1, [POINTER, I64], self._note_run)
        self.stop_if(body, body.code.call(function, body.context, env["depth"]))

    def _played(self, body: Body, env: Env) -> None:
        self.low.commit(body, env)
        self.stop_if(body, body.code.truth(True))

    def stop_if(self, body: Body, stop: Value) -> None:
        """Leave the function where the search is over."""
        code = body.code
        done, on = code.function.append_basic_block(), code.function.append_basic_block()
        code.b.cbranch(stop, done, on)
        code.b.position_at_end(done)
        code.b.ret(I1(1))
        code.b.position_at_end(on)

    def _note_run(self, code: Code, context: Value, depth: Value) -> Value:
        def word(name: str) -> Value:
            return code.word(context, WORD[name])

        def put(name: str, value: Value) -> None:
            code.put(context, WORD[name], value)

        def copy(target: Value) -> None:
            """The path, its length before it."""
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

            # Where there is no room the rest is only counted; the caller sees the capacity below zero.
            code.choice(code.less(left, I64(0)), lambda: [I64(0)], write)
            put("capacity", left)
            return [code.truth(False)]

        def keeping() -> Sequence[Value]:
            def keep() -> Sequence[Value]:
                copy(code.b.inttoptr(word("best"), POINTER))
                return [I64(0)]

            one = code.equal(self.below(code, context, count), I64(0))
            code.choice(one, keep, lambda: [I64(0)])
            return [code.truth(False)]

        def quiet() -> Sequence[Value]:
            keeps = code.equal(mode, I64(MODE["keep"]))
            any_mode = code.equal(mode, I64(MODE["any"]))
            code.choice(keeps, keeping, lambda: [code.truth(False)])
            return [any_mode]

        stop = code.choice(code.equal(mode, I64(MODE["list"])), listing, quiet)[0]
        return code.b.or_(stop, too_many)

    def below(self, code: Code, context: Value, limit: Value) -> Value:
        """A random number from 0 to below the limit, which is less than 2^32."""
        function = self.unit.shared("random", I64, [POINTER, I64], _below, inline=True)
        return code.call(function, context, limit)

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
        """What follows, as a function where it is long; its runs may then start from several places."""
        if then.length <= SHORT:
            return then
        keys = list(env)
        inner = self.body(self._name("then"), I1, [env[key].type for key in keys], path=outer.path)
        if self._names > MANY:
            inner.code.function.attributes.add("noinline")
        inner.nest = outer.nest
        arguments = inner.code.function.args[2:]
        then.write(inner, dict(zip(keys, arguments, strict=True)))
        self.close(inner, I1(0))

        def call(body: Body, at: Env) -> None:
            values = [at[key] for key in keys]
            self.stop_if(body, body.code.call(inner.code.function, body.context, body.position, *values))

        return Cont(call, 1, then.work)

    def _loop(
        self, body: Body, start: Value, more: Callable[[Value], Value], each: Callable[[Value], Value]
    ) -> None:
        """A loop over what can be chosen; a run that fails goes on with the next.

        `each` gives what is left, and works that out before anything can fail.
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
        start, more, take = self.low.cursor(body, domain, env)
        if self._randomly:
            start, more, take = self._shuffled(body, domain, env, start, more, take)
        each_time = then.work + work(stmt.condition, self.low.layout.sites)
        steps = self.low.enter(body, domain, each_time)

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
        self.low.leave(body, domain)

    def _note_choice(self, body: Body, domain: c.Domain, env: Env, value: Value) -> Env:
        if domain.kind == "sites":
            return self.low.note(body, env, body.code.first(value))
        return self.low.note_value(body, env, domain.type, value)

    def _shuffled(
        self,
        body: Body,
        domain: c.Domain,
        env: Env,
        start: Value,
        more: Callable[[Value], Value],
        take: Callable[[Value], tuple[Value, Value]],
    ) -> tuple[Value, Callable[[Value], Value], Callable[[Value], tuple[Value, Value]]]:
        """The same loop in random order; over ranges, groups and lists from a random start, round."""
        code = body.code
        if domain.kind in ("sites", "directions"):

            def draw(left: Value) -> tuple[Value, Value]:
                number = self.below(code, body.context, code.size(left))
                one = code.member(left, number)
                return one, code.b.xor(left, one)

            return start, more, draw
        if domain.kind == "range":
            low, _, by = (self.low.value(body, argument, env) for argument in domain.args)
        count = self._size(body, domain, env)
        offset = self.below(code, body.context, _at_least_one(code, count))

        def take_round(i: Value) -> tuple[Value, Value]:
            place = code.b.add(i, offset)
            place = code.b.select(code.less(place, count), place, code.b.sub(place, count))
            if domain.kind == "range":
                return code.b.add(low, code.b.mul(place, by)), code.b.add(i, I64(1))
            left, _ = code.loop(
                [start, I64(0)],
                lambda left, k: code.less(k, place),
                lambda left, k: [take(left)[1], code.b.add(k, I64(1))],
            )
            return take(left)[0], code.b.add(i, I64(1))

        return I64(0), lambda i: code.less(i, count), take_round

    def _size(self, body: Body, domain: c.Domain, env: Env) -> Value:
        """How many values a domain has."""
        code = body.code
        start, more, take = self.low.cursor(body, domain, env)
        if domain.kind in ("sites", "directions"):
            return code.size(start)
        if domain.kind == "range":
            low, high, by = (self.low.value(body, argument, env) for argument in domain.args)
            count = code.b.add(code.divide(code.b.sub(high, low), by)[0], I64(1))
            return code.b.select(more(start), count, I64(0))
        return code.loop(
            [start, I64(0)],
            lambda left, _: more(left),
            lambda left, n: [take(left)[1], code.b.add(n, I64(1))],
        )[1]

    def _either(self, body: Body, stmt: c.Either, env: Env, then: Cont) -> None:
        """The branches one after the other; at random from one of them on, round."""
        code, count = body.code, len(stmt.branches)
        on = self.shared(body, env, then)
        offset = self._drawn_branch(body, stmt, env) if self._randomly else I64(0)

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

    def _drawn_branch(self, body: Body, stmt: c.Either, env: Env) -> Value:
        """The number of a branch, drawn as if the first choices of all branches were one.

        To pass is one thing among all points that can be chosen, not every other thing.
        """
        code = body.code
        sizes = [self._first_choices(body, branch, env) for branch in stmt.branches]
        number = self.below(code, body.context, _at_least_one(code, reduce(code.b.add, sizes)))
        place, before = I64(0), I64(0)
        for size in sizes[:-1]:
            before = code.b.add(before, size)
            place = code.b.add(place, code.wide(code.b.not_(code.less(number, before))))
        return place

    def _first_choices(self, body: Body, block: c.Block, env: Env) -> Value:
        """How many values the first choice of a block has; 1 where it begins with something else."""
        code = body.code
        for i, stmt in enumerate(block):
            match stmt:
                case c.SetLocal():
                    env = self.low.act(body, stmt, env)
                case c.Require():
                    holds, rest, at = self.low.value(body, stmt.condition, env), block[i + 1 :], env
                    return code.choice(
                        holds, lambda: [self._first_choices(body, rest, at)], lambda: [I64(0)]
                    )[0]
                case c.Choose():
                    return self._size(body, stmt.domain, env)
                case _:
                    break
        return I64(1)

    def _prefer(self, body: Body, stmt: c.Prefer, env: Env, then: Cont) -> None:
        """Each branch only where the ones before it have no legal run."""
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
        """A function that takes one value and goes on with itself for the rest."""
        domain, env = self._known(body, stmt, env)
        start, _, _ = self.low.cursor(body, domain, env)
        place = ("left", stmt.slot)
        outer = {**env, place: start}
        keys = list(outer)
        inner = self.body(self._name("each"), I1, [outer[key].type for key in keys], path=body.path)
        self.low.descend(inner, 1 + work(stmt.body, self.low.layout.sites), I1(1))
        function = inner.code.function
        at: Env = dict(zip(keys, function.args[2:], strict=True))
        _, more, take = self.low.cursor(inner, domain, at)
        on = self.shared(inner, at, then)

        def write_rest(b: Body, e: Env) -> None:
            self.stop_if(b, b.code.call(function, b.context, b.position, *[e[key] for key in keys]))

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
        self.close(inner, I1(0))
        self.stop_if(
            body, body.code.call(function, body.context, body.position, *[outer[key] for key in keys])
        )

    def _known(self, body: Body, stmt: c.For, env: Env) -> tuple[c.Domain, Env]:
        """What a loop runs over, evaluated: the position that it looks at will have changed later on."""
        args = []
        for i, argument in enumerate(stmt.domain.args):
            if not isinstance(argument, c.Const):
                slot = -1 - len(env)  # of its own
                env = {**env, ("local", slot): self.low.value(body, argument, env)}
                argument = c.Local(argument.type, argument.span, slot, f"{i}")
            args.append(argument)
        return attrs.evolve(stmt.domain, args=tuple(args)), env

    def _only_most(self, body: Body, block: c.Block, place: int, env: Env, then: Cont) -> None:
        """The runs up to a statement, twice: for the largest value, then for those that have it."""
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
        """One of two pieces of code; a run that fails in it is at an end."""
        code = body.code
        blocks = [code.function.append_basic_block() for _ in range(3)]
        code.b.cbranch(condition, blocks[0], blocks[1])
        for block, write in zip(blocks[:2], (then, otherwise), strict=True):
            code.b.position_at_end(block)
            write()
            code.b.branch(blocks[2])
        code.b.position_at_end(blocks[2])

    def _repeat(self, body: Body, stmt: c.Repeat, env: Env, then: Cont) -> None:
        """A function that runs the body once and goes on with itself where the condition holds."""
        times = ("times", id(stmt))
        outer = {**env, times: I64(1)}
        keys = list(outer)
        inner = self.body(self._name("repeat"), I1, [outer[key].type for key in keys], path=body.path)
        self.low.descend(inner, 1 + work(stmt.body, self.low.layout.sites), I1(1))
        function = inner.code.function
        at: Env = dict(zip(keys, function.args[2:], strict=True))
        on = self.shared(inner, at, then)

        def after(b: Body, e: Env) -> None:
            code = b.code
            again = code.b.and_(
                code.less(e[times], I64(self.low.layout.sites)), self.low.value(b, stmt.condition, e)
            )

            def once_more() -> None:
                following = {**e, times: code.b.add(e[times], I64(1))}
                self.stop_if(b, code.call(function, b.context, b.position, *[following[key] for key in keys]))

            self._two(b, again, once_more, lambda: on.write(b, e))

        self.run(inner, stmt.body, at, Cont(after, SHORT + 1))
        self.close(inner, I1(0))
        self.stop_if(
            body, body.code.call(function, body.context, body.position, *[outer[key] for key in keys])
        )

    # --- following a path ----------------------------------------------------

    def follow(self, block: c.Block, name: str) -> ir.Function:
        """A function that plays the run of the path in the context, which is known to be legal."""
        body = self.body(name, I1, path="skip")
        self.low.commit(body, self._followed(body, block, self.low.load(body)))
        body.code.b.ret(I1(1))
        self.close(body, I1(0))
        return body.code.function

    def _followed(self, body: Body, block: c.Block, env: Env) -> Env:
        for stmt in block:
            env = self._follow(body, stmt, env)
        return env

    def _follow(self, body: Body, stmt: c.Stmt, env: Env) -> Env:
        code = body.code
        match stmt:
            case c.Choose():
                return self._read_choice(body, stmt, env)
            case c.Either() | c.Prefer():
                word, env = self._read(body, env)
                return self._switch(body, code.b.and_(word, I64(LOW_BITS)), stmt.branches, env)
            case c.Require() | c.OnlyMost():
                return env
            case c.IfStmt():
                condition = self.low.value(body, stmt.condition, env)
                return self.low.branch(
                    body,
                    condition,
                    lambda: self._followed(body, stmt.then, env),
                    lambda: self._followed(body, stmt.otherwise, env),
                )
            case c.For():
                return self._follow_for(body, stmt, env)
            case c.Repeat():
                return self._follow_repeat(body, stmt, env)
        return self.low.act(body, stmt, env)

    def _read(self, body: Body, env: Env) -> tuple[Value, Env]:
        """The next word of the path."""
        path = body.code.b.inttoptr(body.word("path"), POINTER)
        word = body.code.word(path, env["depth"])
        return word, {**env, "depth": body.code.b.add(env["depth"], I64(1))}

    def _read_choice(self, body: Body, stmt: c.Choose, env: Env) -> Env:
        code, domain = body.code, stmt.domain
        word, env = self._read(body, env)
        if domain.kind == "sites":
            value = code.site(word)
        elif domain.type is Type.SET:
            path = code.b.inttoptr(body.word("path"), POINTER)
            value = code.set_from(path, env["depth"])
            env = {**env, "depth": code.b.add(env["depth"], I64(self.low.layout.set_words))}
        else:
            value = code.b.ashr(code.b.shl(word, I64(8)), I64(8))
            value = code.differ(value, I64(0)) if domain.type is Type.BOOL else value
        return {**env, ("local", stmt.slot): value}

    def _switch(self, body: Body, number: Value, blocks: Sequence[c.Block], env: Env) -> Env:
        """The block of this number."""
        if len(blocks) == 1:
            return self._followed(body, blocks[0], env)
        return self.low.branch(
            body,
            body.code.equal(number, I64(0)),
            lambda: self._followed(body, blocks[0], env),
            lambda: self._switch(body, body.code.b.sub(number, I64(1)), blocks[1:], env),
        )

    def _follow_for(self, body: Body, stmt: c.For, env: Env) -> Env:
        def each(inner: Env) -> Env:
            if stmt.condition is None:
                return self._followed(body, stmt.body, inner)
            condition = self.low.value(body, stmt.condition, inner)
            return self.low.branch(
                body, condition, lambda: self._followed(body, stmt.body, inner), lambda: inner
            )

        return self.low.iterate(
            body, stmt.slot, stmt.domain, env, self.low.assigned(stmt.body), each, (stmt.condition, stmt.body)
        )

    def _follow_repeat(self, body: Body, stmt: c.Repeat, env: Env) -> Env:
        code = body.code
        keys = [key for key in self.low.assigned(stmt.body) if key in env]

        def once(i: Value, goes_on: Value, *values: Value) -> Sequence[Value]:
            after = self._followed(body, stmt.body, {**env, **dict(zip(keys, values, strict=True))})
            again = self.low.value(body, stmt.condition, after)
            return [code.b.add(i, I64(1)), again, *(after[key] for key in keys)]

        def more(i: Value, goes_on: Value, *_: Value) -> Value:
            return code.b.and_(goes_on, code.less(i, I64(self.low.layout.sites)))

        self.low.enter(body, SITES, 0)
        _, _, *values = code.loop([I64(0), code.truth(True), *(env[key] for key in keys)], more, once)
        self.low.leave(body, SITES)
        return {**env, **dict(zip(keys, values, strict=True))}


def _at_least_one(code: Code, count: Value) -> Value:
    return code.b.select(code.less(count, I64(1)), I64(1), count)


def _below(code: Code, context: Value, limit: Value) -> Value:
    """xorshift64* (Vigna 2016), then the upper half of the product with the limit (Lemire 2019)."""
    seed = code.word(context, WORD["seed"])
    seed = code.b.xor(seed, code.b.lshr(seed, I64(12)))
    seed = code.b.xor(seed, code.b.shl(seed, I64(25)))
    seed = code.b.xor(seed, code.b.lshr(seed, I64(27)))
    code.put(context, WORD["seed"], seed)
    wide = ir.IntType(128)
    drawn = code.b.zext(code.b.mul(seed, I64(0x2545F4914F6CDD1D)), wide)
    product = code.b.mul(drawn, code.b.zext(limit, wide))
    return code.b.trunc(code.b.lshr(product, wide(64)), I64)
