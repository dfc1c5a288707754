"""Counting sequences of moves in native code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from interpreter.native.assembly import I1, I64, POINTER, Value
from interpreter.native.body import Body

if TYPE_CHECKING:
    from interpreter.native.program import Program


class Perft:
    """Writes `perft`: -1 if there is not enough room at `out`, or too much work."""

    def __init__(self, program: Program) -> None:
        self.program, self.low, self.layout = program, program.low, program.layout
        body = self.body = Body.begin(program.unit, "perft", I64, [I64], public=True)
        code = self.code = body.code
        self.depth = code.function.args[2]
        self.low.renew(body)
        self.low.descend(body, 1, I64(-1))
        total = code.choice(code.less(I64(1), self.depth), self._nodes, self._leaves)[0]
        code.b.ret(code.b.select(self.low.overworked(body), I64(-1), total))
        body.end(I64(0))

    def _leaves(self) -> list[Value]:
        """How many legal moves there are."""
        program, body, code = self.program, self.body, self.code
        count = program.counted(body, body.position)
        swaps = program.may_swap(body, body.position)
        if program.uses_stuck:
            over = code.differ(code.call(program.verdict, body.context, body.position, I1(1)), I64(0))
            stuck = code.b.and_(code.equal(count, I64(0)), over)
            swaps = code.b.and_(swaps, code.b.not_(stuck))
        return [code.b.add(count, code.wide(swaps))]

    def _nodes(self) -> list[Value]:
        """The sum over all legal moves."""
        program, body, code = self.program, self.body, self.code
        start, capacity = body.word("out"), body.word("capacity")
        count, path = program.listed(body, body.position), body.word("path")
        full = code.less(body.word("capacity"), I64(0))
        fits = code.b.not_(code.b.or_(full, self.low.overworked(body)))
        child = code.alloca(I64, self.layout.words + 1)

        def each(i: Value, where: Value, total: Value) -> Sequence[Value]:
            def move() -> None:
                body.put("path", code.b.add(where, I64(8)))
                code.call(program.follow, body.context, child)
                body.put("path", path)

            total = self._plus(total, self._below(child, move))
            length = code.word(code.b.inttoptr(where, POINTER), 0)
            following = code.b.add(where, code.b.mul(code.b.add(length, I64(1)), I64(8)))
            return [code.b.add(i, I64(1)), following, total]

        first = code.b.select(fits, I64(0), I64(-1))
        most = code.b.select(fits, count, I64(0))
        _, _, total = code.loop([I64(0), start, first], lambda i, *_: code.less(i, most), each)

        def swapped() -> list[Value]:
            return [self._plus(total, self._below(child, lambda: program.swap(body, child)))]

        total = code.choice(program.may_swap(body, body.position), swapped, lambda: [total])[0]
        body.put("out", start)
        body.put("capacity", capacity)
        return [total]

    def _below(self, child: Value, move: Callable[[], None]) -> Value:
        """The number of sequences after a move, which is played at `child`."""
        body, code = self.body, self.code
        code.copy(body.position, child, I64(self.layout.words))
        move()
        verdict = code.call(self.program.verdict, body.context, child, I1(0))

        def deeper() -> list[Value]:
            return [code.call(code.function, body.context, child, code.b.sub(self.depth, I64(1)))]

        return code.choice(code.equal(verdict, I64(0)), deeper, lambda: [I64(0)])[0]

    def _plus(self, total: Value, found: Value) -> Value:
        """The sum, or -1 if either of the two is negative."""
        code = self.code
        bad = code.b.or_(code.less(found, I64(0)), code.less(total, I64(0)))
        return code.b.select(bad, I64(-1), code.b.add(total, found))
