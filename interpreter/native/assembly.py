"""Writing LLVM code: values, branches and loops in terms of a board, on top of llvmlite.

Types in native code: a set is an integer with one bit per site, a bool is one bit, everything else
(int, player, kind, directions) is 64 bits wide; counters are a pointer to one 64-bit word per site.
Loops and branches are written as functions from values to values, so that nothing is ever
assigned twice and no run of a turn can affect another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from llvmlite import ir

from gdl.core import LIMIT, Type
from interpreter.meanings import Geometry

#: A value in LLVM code; llvmlite has no types of its own.
Value: TypeAlias = ir.Value
I1, I64 = ir.IntType(1), ir.IntType(64)
POINTER = ir.PointerType(I64)


class Unit:
    """One LLVM module, and its shared functions."""

    def __init__(self, geometry: Geometry, bmi2: bool) -> None:
        self.geometry = geometry
        self.board = geometry.board
        self.module = ir.Module("game")
        self.set = ir.IntType(geometry.size)
        self.words = -(-geometry.size // 64)
        self.padded = ir.IntType(64 * self.words)
        self.bmi2 = bmi2
        self._functions: dict[str, ir.Function] = {}

    def type(self, type_: Type) -> ir.Type:
        """The LLVM type of the values of a type of the language."""
        return {Type.SET: self.set, Type.BOOL: I1, Type.COUNTERS: POINTER}.get(type_, I64)

    def function(self, name: str, result: ir.Type, arguments: Sequence[ir.Type], **flags: bool) -> Code:
        """A new function whose code is yet to be written. Flags: public, pure, inline, cold."""
        function = ir.Function(self.module, ir.FunctionType(result, arguments), name)
        function.attributes.add("nounwind")
        if not flags.get("public"):
            function.linkage = "internal"
        for flag, attribute in (("pure", "readnone"), ("inline", "alwaysinline"), ("cold", "noinline")):
            if flags.get(flag):
                function.attributes.add(attribute)
        return Code(self, function)

    def shared(
        self,
        name: str,
        result: ir.Type,
        arguments: Sequence[ir.Type],
        write: Callable[..., Value],
        **flags: bool,
    ) -> ir.Function:
        """The function with this name, written at its first use: `write(code, *arguments)` gives its result.

        A pure one without branches and calls, such as a single step, is inlined.
        """
        if name not in self._functions:
            code = self.function(name, result, arguments, **flags)
            code.once = True
            self._functions[name] = code.function
            code.ret(write(code, *code.function.args))
            _, *blocks = code.function.basic_blocks
            calls = any(isinstance(instruction, ir.CallInstr) for instruction in blocks[0].instructions)
            if flags.get("pure") and len(blocks) == 1 and not calls:
                code.function.attributes.add("alwaysinline")
        return self._functions[name]

    def table(self, name: str, element: ir.Type, values: Sequence[int]) -> ir.GlobalVariable:
        """A constant array."""
        found = self.module.globals.get(name)
        if found is None:
            kind = ir.ArrayType(element, len(values))
            found = ir.GlobalVariable(self.module, kind, name)
            found.linkage, found.global_constant = "internal", True
            found.initializer = ir.Constant(kind, [ir.Constant(element, value) for value in values])
        return found


class Code:
    """One function being written."""

    def __init__(self, unit: Unit, function: ir.Function) -> None:
        self.unit = unit
        self.function = function
        self.once = False  # whether it is shared, so that what it calls may as well be inlined
        self.entry = function.append_basic_block("entry")
        start = function.append_basic_block("start")
        self.b = ir.IRBuilder(start)

    def ret(self, value: Value) -> None:
        """End the function with a result, and its entry with a jump to its start."""
        if not self.b.block.is_terminated:
            self.b.ret(value)
        if not self.entry.is_terminated:
            ir.IRBuilder(self.entry).branch(self.function.basic_blocks[1])

    def alloca(self, type_: ir.Type, count: int = 1) -> Value:
        """Memory that lasts for this call of the function."""
        builder = ir.IRBuilder(self.entry)
        return builder.alloca(type_, I64(count)) if count > 1 else builder.alloca(type_)

    def call(self, function: ir.Function, *arguments: Value, inline: bool = False) -> Value:
        return self.b.call(function, arguments, attrs=("alwaysinline",) if inline else ())

    # --- constants, memory ---

    def sites(self, members: int) -> Value:
        return self.unit.set(members)

    def truth(self, value: bool) -> Value:
        return I1(int(value))

    def const(self, type_: Type, value: int) -> Value:
        return self.unit.type(type_)(int(value))

    def at(self, base: Value, index: int | Value) -> Value:
        """The address of a word of a record."""
        return self.b.gep(base, [I64(index) if isinstance(index, int) else index], inbounds=True)

    def word(self, base: Value, index: int | Value) -> Value:
        return self.b.load(self.at(base, index))

    def put(self, base: Value, index: int | Value, value: Value) -> None:
        if value.type == I1:
            value = self.b.zext(value, I64)
        self.b.store(value, self.at(base, index))

    def copy(self, source: Value, target: Value, words: Value) -> None:
        """Copy words from one address to another, in ascending order."""

        def once(k: Value) -> Sequence[Value]:
            self.put(target, k, self.word(source, k))
            return [self.b.add(k, I64(1))]

        self.loop([I64(0)], lambda k: self.less(k, words), once)

    def copy_elsewhere(self, source: Value, target: Value, words: int) -> None:
        """Copy words, unless both addresses are the same."""
        same = self.equal(self.b.ptrtoint(source, I64), self.b.ptrtoint(target, I64))
        self.copy(source, target, self.b.select(same, I64(0), I64(words)))

    def set_from(self, base: Value, index: int | Value) -> Value:
        """The set in the words of a record that begin at the index."""
        unit = self.unit
        where = self.b.bitcast(self.at(base, index), ir.PointerType(unit.padded))
        padded = self.b.load(where, align=8)
        return padded if unit.padded == unit.set else self.b.trunc(padded, unit.set)

    def put_set(self, base: Value, index: int | Value, members: Value) -> None:
        unit = self.unit
        padded = members if unit.padded == unit.set else self.b.zext(members, unit.padded)
        where = self.b.bitcast(self.at(base, index), ir.PointerType(unit.padded))
        self.b.store(padded, where, align=8)

    def looked_up(self, table: ir.GlobalVariable, index: Value) -> Value:
        return self.b.load(self.b.gep(table, [I64(0), index], inbounds=True))

    # --- branches and loops ---

    def choice(
        self,
        condition: Value,
        then: Callable[[], Sequence[Value]],
        otherwise: Callable[[], Sequence[Value]],
    ) -> list[Value]:
        """The values of one of two pieces of code."""
        branches, ends = [], []
        blocks = [self.function.append_basic_block() for _ in range(3)]
        self.b.cbranch(condition, blocks[0], blocks[1])
        for block, write in zip(blocks[:2], (then, otherwise), strict=True):
            self.b.position_at_end(block)
            branches.append(list(write()))
            ends.append(self.b.block)
            if not self.b.block.is_terminated:
                self.b.branch(blocks[2])
            else:
                branches[-1] = []
        self.b.position_at_end(blocks[2])
        live = [(values, end) for values, end in zip(branches, ends, strict=True) if values]
        return self.joined(live)

    def joined(self, branches: Sequence[tuple[Sequence[Value], ir.Block]]) -> list[Value]:
        """The values that come from whichever of several blocks was run."""
        joined = []
        for values in zip(*(values for values, _ in branches), strict=True):
            if all(value is values[0] for value in values):
                joined.append(values[0])
                continue
            phi = self.b.phi(values[0].type)
            for value, (_, block) in zip(values, branches, strict=True):
                phi.add_incoming(value, block)
            joined.append(phi)
        return joined

    def loop(
        self,
        start: Sequence[Value],
        condition: Callable[..., Value],
        body: Callable[..., Sequence[Value]],
    ) -> list[Value]:
        """As long as the condition holds for the values, the body computes the next ones from them."""
        before = self.b.block
        head, inside, after = (self.function.append_basic_block() for _ in range(3))
        self.b.branch(head)
        self.b.position_at_end(head)
        values = [self.b.phi(value.type) for value in start]
        for phi, value in zip(values, start, strict=True):
            phi.add_incoming(value, before)
        goes_on = condition(*values)
        self.b.cbranch(goes_on, inside, after)
        self.b.position_at_end(inside)
        following = body(*values)
        for phi, value in zip(values, following, strict=True):
            phi.add_incoming(value, self.b.block)
        self.b.branch(head)
        self.b.position_at_end(after)
        return list(values)

    # --- numbers ---

    def clamp(self, value: Value) -> Value:
        """The nearest number of the language."""
        low = self.b.select(self.less(value, I64(-LIMIT)), I64(-LIMIT), value)
        return self.b.select(self.less(I64(LIMIT), low), I64(LIMIT), low)

    def less(self, a: Value, b: Value) -> Value:
        return self.b.icmp_signed("<", a, b)

    def equal(self, a: Value, b: Value) -> Value:
        return self.b.icmp_unsigned("==", a, b)

    def differ(self, a: Value, b: Value) -> Value:
        return self.b.icmp_unsigned("!=", a, b)

    def wide(self, condition: Value) -> Value:
        return self.b.zext(condition, I64)

    def divide(self, a: Value, b: Value) -> tuple[Value, Value]:
        """Quotient, rounded down, and remainder, with the sign of the divisor; 0 and 0 if that is 0."""
        zero = self.equal(b, I64(0))
        divisor = self.b.select(zero, I64(1), b)
        quotient, rest = self.b.sdiv(a, divisor), self.b.srem(a, divisor)
        signs = self.less(self.b.xor(rest, divisor), I64(0))
        off = self.b.and_(self.differ(rest, I64(0)), signs)
        quotient = self.b.sub(quotient, self.wide(off))
        rest = self.b.add(rest, self.b.select(off, divisor, I64(0)))
        return self.b.select(zero, I64(0), quotient), self.b.select(zero, I64(0), rest)

    def power(self, base: Value, exponent: Value) -> Value:
        """The power, by repeated multiplication; an exponent above 32 only decides the sign."""
        odd = self.b.and_(exponent, I64(1))
        large = self.less(I64(32), exponent)
        times = self.b.select(large, self.b.add(I64(32), odd), exponent)
        _, power = self.loop(
            [I64(0), I64(1)],
            lambda i, _: self.less(i, times),
            lambda i, power: [self.b.add(i, I64(1)), self.clamp(self.b.mul(power, base))],
        )
        return self.b.select(self.less(exponent, I64(0)), I64(0), power)

    # --- sets ---

    def some(self, members: Value) -> Value:
        return self.differ(members, self.sites(0))

    def no(self, members: Value) -> Value:
        return self.equal(members, self.sites(0))

    def without(self, a: Value, b: Value) -> Value:
        return self.b.and_(a, self.b.not_(b))

    def union(self, sets: Sequence[Value]) -> Value:
        out = sets[0] if sets else self.sites(0)
        for members in sets[1:]:
            out = self.b.or_(out, members)
        return out

    def where(self, condition: Value, members: Value) -> Value:
        """The set if the condition holds, else the empty set."""
        return self.b.select(
            condition, members, self.unit.set(0) if members.type == self.unit.set else I64(0)
        )

    def lowest(self, members: Value) -> Value:
        """The first member as a set of one."""
        return self.b.and_(members, self.b.neg(members))

    def size(self, members: Value) -> Value:
        count = self.b.ctpop(members)
        if count.type.width < 64:
            return self.b.zext(count, I64)
        return count if count.type.width == 64 else self.b.trunc(count, I64)

    def first(self, members: Value) -> Value:
        """The number of the first member; arbitrary for the empty set."""
        count = self.b.cttz(members, I1(0))
        if count.type.width < 64:
            return self.b.zext(count, I64)
        return count if count.type.width == 64 else self.b.trunc(count, I64)

    def site(self, number: Value) -> Value:
        """The set of the one site with this number."""
        width = self.unit.set.width
        if width != 64:
            number = self.b.trunc(number, self.unit.set) if width < 64 else self.b.zext(number, self.unit.set)
        return self.b.shl(self.sites(1), number)

    def member(self, members: Value, number: Value) -> Value:
        """The member with this number, counted from 0 and less than the size, as a set of one.

        `members` may also be directions.
        """
        width = members.type.width
        select = self.unit.shared(f"member{width}", members.type, [members.type, I64], _member, inline=True)
        return self.call(select, members, number)

    def shift(self, members: Value, direction: int) -> Value:
        """The sites one step from the set in the direction with this number."""
        return self._shifted(members, self.unit.board.shifts[direction])

    def spread(self, members: Value) -> Value:
        """All neighbours of the members."""
        return self._shifted(members, self.unit.geometry.neighbours)

    def _shifted(self, members: Value, shifts: Sequence[tuple[int, int]]) -> Value:
        everything = self.unit.geometry.all
        moved = []
        for mask, offset in shifts:
            part = members
            fits = everything >> offset if offset >= 0 else everything & everything << -offset
            # Bits that the shift itself drops do not need masking.
            if mask & fits != fits:
                part = self.b.and_(part, self.sites(mask))
            shift = self.sites(abs(offset))
            moved.append(
                self.b.shl(part, shift) if offset > 0 else self.b.lshr(part, shift) if offset else part
            )
        return self.union(moved)


def _member(code: Code, members: Value, number: Value) -> Value:
    """Go word by word, counting members until the word with the wanted one."""
    kind = members.type
    found: Value = kind(0)
    words = -(-kind.width // 64)
    left = number
    for i in range(words):
        low = code.b.lshr(members, kind(64 * i)) if i else members
        if kind.width != 64:
            low = code.b.trunc(low, I64) if kind.width > 64 else code.b.zext(low, I64)
        bit = _bit(code, low, left)
        if kind.width != 64:
            bit = code.b.zext(bit, kind) if kind.width > 64 else code.b.trunc(bit, kind)
        bit = code.b.shl(bit, kind(64 * i)) if i else bit
        if words == 1:
            return bit
        count = code.b.ctpop(low)
        here = code.b.icmp_unsigned("<", left, count)
        found = code.b.or_(found, code.b.select(here, bit, kind(0)))
        # After the word that has it, the number exceeds any count, so no later word can match.
        left = code.b.select(here, I64(1 << 62), code.b.sub(left, count))
    return found


def _bit(code: Code, word: Value, number: Value) -> Value:
    """The set bit of a word with this number; arbitrary if there are too few."""
    if code.unit.bmi2:
        deposit = code.unit.module.globals.get("llvm.x86.bmi.pdep.64")
        if deposit is None:
            deposit = ir.Function(code.unit.module, ir.FunctionType(I64, [I64, I64]), "llvm.x86.bmi.pdep.64")
        small = code.b.and_(number, I64(63))
        return code.b.call(deposit, [code.b.shl(I64(1), small), word])
    rest, _ = code.loop(
        [word, I64(0)],
        lambda rest, i: code.b.and_(code.less(i, number), code.differ(rest, I64(0))),
        lambda rest, i: [code.b.and_(rest, code.b.sub(rest, I64(1))), code.b.add(i, I64(1))],
    )
    return code.b.and_(rest, code.b.neg(rest))
