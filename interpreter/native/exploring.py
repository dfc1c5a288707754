"""The building blocks of a native search: the words of its head, playing moves, a table of positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from interpreter.native.assembly import I1, I64, POINTER, Code, Value
from interpreter.native.body import Body
from interpreter.native.lookahead import (
    BUCKET,
    EFFORT_BITS,
    ENTRY,
    FACTORS,
    GENERATION_BITS,
    HEAD,
    MOVE_BITS,
    identity,
)

if TYPE_CHECKING:
    from interpreter.native.program import Program

#: Hashes of more words than this are computed in a loop.
WRITTEN_OUT = 16


class Exploring:
    """Writes what a search of one game needs besides its rules."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.unit = program.unit
        self.low = program.low
        self.layout = program.layout
        self.identity = identity(program.program, program.layout)

    def of(self, code: Code, head: Value, name: str) -> Value:
        return code.word(head, HEAD[name])

    def to(self, code: Code, head: Value, name: str, value: Value) -> None:
        code.put(head, HEAD[name], value)

    def leave(self, code: Code, condition: Value, write: Callable[[], Value]) -> None:
        """Return this value from the function if the condition holds."""
        leave, on = code.function.append_basic_block(), code.function.append_basic_block()
        code.b.cbranch(condition, leave, on)
        code.b.position_at_end(leave)
        code.b.ret(write())
        code.b.position_at_end(on)

    def without_moves(self, body: Body, count: Value) -> Value:
        """The verdict if there are no moves; 0 if there are, or if the swap is one."""
        code = body.code

        def none() -> list[Value]:
            stuck = code.call(self.program.verdict, body.context, body.position, I1(1))
            swaps = code.b.and_(self.program.may_swap(body, body.position), code.equal(stuck, I64(0)))
            verdict = self.program.stranded(body, body.position)
            return [code.b.select(swaps, I64(0), verdict)]

        return code.choice(code.equal(count, I64(0)), none, lambda: [I64(0)])[0]

    def hashes(self, code: Code, position: Value) -> tuple[Value, Value]:
        """See `lookahead.hashes`."""

        def mixed(one: Value, two: Value, word: Value) -> list[Value]:
            one = code.b.mul(code.b.xor(one, word), I64(FACTORS[0]))
            two = code.b.mul(code.b.add(two, word), I64(FACTORS[1]))
            return [code.b.xor(one, code.b.lshr(one, I64(32))), code.b.xor(two, code.b.lshr(two, I64(29)))]

        one, two = I64(0), I64(0)
        if len(self.identity) <= WRITTEN_OUT:
            for i in self.identity:
                one, two = mixed(one, two, code.word(position, i))
            return one, two
        table = self.program.unit.table("identity", I64, self.identity)

        def once(i: Value, one: Value, two: Value) -> Sequence[Value]:
            word = code.word(position, code.looked_up(table, i))
            return [code.b.add(i, I64(1)), *mixed(one, two, word)]

        _, one, two = code.loop([I64(0), one, two], lambda i, *_: code.less(i, I64(len(self.identity))), once)
        return one, two

    def probe(
        self, code: Code, head: Value, hashes: tuple[Value, Value]
    ) -> tuple[Value, Value, Value, Value]:
        """Both entries of the bucket, and the last two words of the entry for this position, or 0."""
        table = code.b.inttoptr(self.of(code, head, "table"), POINTER)
        bucket = code.b.and_(hashes[0], self.of(code, head, "mask"))
        first = code.at(table, code.b.mul(bucket, I64(BUCKET)))
        second = code.at(first, ENTRY)
        words = [I64(0), I64(0)]
        for entry in (second, first):
            here = self.holds(code, entry, hashes)
            words = [code.b.select(here, code.word(entry, 2 + k), word) for k, word in enumerate(words)]
        return first, second, words[0], words[1]

    def holds(self, code: Code, entry: Value, hashes: tuple[Value, Value]) -> Value:
        return code.b.and_(*(code.equal(code.word(entry, k), hashes[k]) for k in (0, 1)))

    def play(self, body: Body, head: Value, child: Value, where: Value) -> None:
        """Set `child` to the position after the move whose path is at `where`; 0 means the swap."""
        code = body.code
        code.copy(body.position, child, I64(self.layout.words))
        if self.low.remembers:
            register = self.layout.register["remembered"]
            blind = code.differ(self.of(code, head, "blind"), I64(0))
            kept = code.b.select(blind, self.of(code, head, "remembered"), code.word(child, register))
            code.put(child, register, kept)

        def swap() -> list[Value]:
            self.program.swap(body, child)
            return [I64(0)]

        def move() -> list[Value]:
            path = body.word("path")
            body.put("path", code.b.add(where, I64(8)))
            code.call(self.program.follow, body.context, child)
            body.put("path", path)
            return [I64(0)]

        code.choice(code.equal(where, I64(0)), swap, move)

    def keep(
        self,
        code: Code,
        head: Value,
        hashes: tuple[Value, Value],
        entries: tuple[Value, Value],
        found: tuple[Value, Value, Value],
    ) -> None:
        """Put what was found into the table: the word of bounds, the number of the best move, the effort."""
        data, number, effort = found
        generation = self.of(code, head, "generation")
        most = I64((1 << EFFORT_BITS) - 1)
        effort = code.b.select(code.less(most, effort), most, effort)
        last = code.b.add(number, I64(1))
        last = code.b.or_(last, code.b.shl(generation, I64(MOVE_BITS)))
        last = code.b.or_(last, code.b.shl(effort, I64(MOVE_BITS + GENERATION_BITS)))
        first, second = entries
        kept = code.word(first, 3)
        kept_generation = code.b.and_(code.b.lshr(kept, I64(MOVE_BITS)), I64((1 << GENERATION_BITS) - 1))
        kept_effort = code.b.lshr(kept, I64(MOVE_BITS + GENERATION_BITS))
        old = code.b.or_(
            code.differ(kept_generation, generation), code.b.not_(code.less(effort, kept_effort))
        )
        in_first, in_second = self.holds(code, first, hashes), self.holds(code, second, hashes)
        into_first = code.b.or_(in_first, code.b.and_(code.b.not_(in_second), old))
        entry = code.b.select(into_first, first, second)
        for k, word in enumerate((*hashes, data, last)):
            code.put(entry, k, word)
