"""Following a run in native code: a move known to be legal is played by its path, choice by choice."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gdl import core as c
from gdl.core import Type
from gdl.parts import rounds
from interpreter.native.assembly import I1, I64, POINTER, Value
from interpreter.native.body import Body, Env
from interpreter.native.context import LOW_BITS
from interpreter.native.statements import Statements


class Following:
    """Writes the functions that follow the runs of one game."""

    def __init__(self, statements: Statements) -> None:
        self.low = statements

    def follow(self, block: c.Block, name: str) -> ir.Function:
        """A function that plays the run whose path is in the context, which is known to be legal."""
        body = Body.begin(self.low.unit, name, I1, path="skip")
        self.low.commit(body, self._followed(body, block, self.low.load(body)))
        body.code.b.ret(I1(1))
        body.end(I1(0))
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
        """Follow the block with this number."""
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
        code, most = body.code, rounds(stmt, self.low.layout.sites)
        keys = [key for key in self.low.assigned(stmt.body) if key in env]

        def once(i: Value, goes_on: Value, *values: Value) -> Sequence[Value]:
            after = self._followed(body, stmt.body, {**env, **dict(zip(keys, values, strict=True))})
            again = self.low.value(body, stmt.condition, after)
            return [code.b.add(i, I64(1)), again, *(after[key] for key in keys)]

        def more(i: Value, goes_on: Value, *_: Value) -> Value:
            return code.b.and_(goes_on, code.less(i, I64(most)))

        self.low.enter(body, most, 0)
        _, _, *values = code.loop([I64(0), code.truth(True), *(env[key] for key in keys)], more, once)
        self.low.leave(body, most)
        return {**env, **dict(zip(keys, values, strict=True))}
