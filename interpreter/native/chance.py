"""Random numbers in native code, and their uses: choices in random order, drawing a branch."""

from __future__ import annotations

from functools import reduce

from llvmlite import ir

from gdl import core as c
from interpreter.native.assembly import I64, POINTER, Code, Value
from interpreter.native.body import Body, Env
from interpreter.native.context import WORD
from interpreter.native.statements import Statements
from interpreter.native.values import Cursor


def below(code: Code, context: Value, limit: Value) -> Value:
    """A random number from 0 up to, but excluding, the limit, which is less than 2^32."""
    function = code.unit.shared("random", I64, [POINTER, I64], _below, inline=True)
    return code.call(function, context, limit)


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


def _at_least_one(code: Code, count: Value) -> Value:
    return code.b.select(code.less(count, I64(1)), I64(1), count)


class Chance:
    """Writes the random choices of one game."""

    def __init__(self, statements: Statements) -> None:
        self.low = statements

    def shuffled(self, body: Body, domain: c.Domain, env: Env) -> Cursor:
        """The loop in random order; ranges, groups and lists start at a random value and wrap around."""
        code = body.code
        start, more, take = self.low.cursor(body, domain, env)
        if domain.kind in ("sites", "directions"):

            def draw(left: Value) -> tuple[Value, Value]:
                number = below(code, body.context, code.size(left))
                one = code.member(left, number)
                return one, code.b.xor(left, one)

            return start, more, draw
        if domain.kind == "range":
            low, _, by = (self.low.value(body, argument, env) for argument in domain.args)
        count = self._size(body, domain, env)
        offset = below(code, body.context, _at_least_one(code, count))

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

    def drawn_branch(self, body: Body, stmt: c.Either, env: Env) -> Value:
        """The number of a branch, drawn as if the first choices of all branches were one choice.

        So a pass is as likely as any one point that can be chosen, not as likely as all of them together.
        """
        code = body.code
        sizes = [self._first_choices(body, branch, env) for branch in stmt.branches]
        number = below(code, body.context, _at_least_one(code, reduce(code.b.add, sizes)))
        place, before = I64(0), I64(0)
        for size in sizes[:-1]:
            before = code.b.add(before, size)
            place = code.b.add(place, code.wide(code.b.not_(code.less(number, before))))
        return place

    def _first_choices(self, body: Body, block: c.Block, env: Env) -> Value:
        """How many values the first choice of a block has; 1 if it begins with something else."""
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
