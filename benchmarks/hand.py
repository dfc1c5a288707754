"""What the hand-written modules share: sets of sites as wide integers in LLVM, through llvmlite.

They need an x86-64 processor with BMI2.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import binding as llvm
from llvmlite import ir

I1, I64 = ir.IntType(1), ir.IntType(64)
STATE = ir.PointerType(I64)

#: Plays a number of games from a seed, and returns how many moves they had.
Play = Callable[[int, int], int]


class Hand:
    """A module for sets of `sites` sites.

    `shifts` are the neighbours: (mask or None, offset). A flood takes `steps` steps a round.
    """

    def __init__(self, sites: int, shifts: Sequence[tuple[int | None, int]], steps: int) -> None:
        self.sites, self.shifts, self.steps = sites, shifts, steps
        self.module = ir.Module()
        self.set = ir.IntType(sites)
        self.deposit = ir.Function(self.module, ir.FunctionType(I64, [I64, I64]), "llvm.x86.bmi.pdep.64")
        self.random = self._random()
        self.flood = self._flood()
        self.select = self._select()

    def function(self, name: str, result: Any, arguments: Sequence[Any], inline: bool = True) -> Any:
        """A new function, and a builder for its code."""
        function = ir.Function(self.module, ir.FunctionType(result, arguments), name)
        if inline:
            function.attributes.add("alwaysinline")
        return function, ir.IRBuilder(function.append_basic_block())

    def spread(self, b: Any, members: Any) -> Any:
        """The neighbours of a set; on a padded board, sites outside the board, too."""
        out = self.set(0)
        for mask, offset in self.shifts:
            moved = (b.shl if offset > 0 else b.lshr)(members, self.set(abs(offset)))
            out = b.or_(out, moved if mask is None else b.and_(moved, self.set(mask)))
        return out

    def some(self, b: Any, members: Any) -> Any:
        return b.icmp_unsigned("!=", members, self.set(0))

    def lowest(self, b: Any, members: Any) -> Any:
        return b.and_(members, b.neg(members))

    def size(self, b: Any, members: Any) -> Any:
        count = b.ctpop(members)
        return b.trunc(count, I64) if self.sites > 64 else b.zext(count, I64)

    def below(self, b: Any, state: Any, limit: Any) -> Any:
        """A random number below a limit."""
        return b.lshr(b.mul(b.lshr(b.call(self.random, [state]), I64(32)), limit), I64(32))

    def loop(self, b: Any, condition: Callable[[], Any], body: Callable[[Any], None]) -> None:
        """What changes is kept in memory; the body receives the block after the loop."""
        head, inside, after = (b.function.append_basic_block() for _ in range(3))
        b.branch(head)
        b.position_at_end(head)
        b.cbranch(condition(), inside, after)
        b.position_at_end(inside)
        body(after)
        if not b.block.is_terminated:
            b.branch(head)
        b.position_at_end(after)

    def compiled(self, name: str) -> Play:
        """The function of this name, `(games, state) -> moves`."""
        for function in self.module.functions:
            for block in function.blocks:
                if not block.is_terminated:
                    ir.IRBuilder(block).unreachable()
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(str(self.module))
        module.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(
            opt=3, cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten()
        )
        passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
        passes.getModulePassManager().run(module, passes)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64))
        run = kind(engine.get_function_address(name))

        def play(games: int, seed: int, engine: Any = engine) -> int:  # the engine owns the code
            return int(run(games, ctypes.byref(ctypes.c_uint64(88172645463325252 + seed))))

        return play

    def _random(self) -> Any:
        function, b = self.function("random", I64, [STATE])
        value = b.load(function.args[0])
        value = b.xor(value, b.shl(value, I64(13)))
        value = b.xor(value, b.lshr(value, I64(7)))
        value = b.xor(value, b.shl(value, I64(17)))
        b.store(value, function.args[0])
        b.ret(value)
        return function

    def _flood(self) -> Any:
        """The part of one set that another can reach within it."""
        function, b = self.function("flood", self.set, [self.set, self.set])
        seed, within = function.args
        before, again, after = b.block, function.append_basic_block(), function.append_basic_block()
        b.branch(again)
        b.position_at_end(again)
        members = b.phi(self.set)
        members.add_incoming(seed, before)
        grown = members
        for _ in range(self.steps):
            last, grown = grown, b.and_(b.or_(grown, self.spread(b, grown)), within)
        members.add_incoming(grown, again)
        b.cbranch(b.icmp_unsigned("!=", last, grown), again, after)
        b.position_at_end(after)
        b.ret(grown)
        return function

    def _select(self) -> Any:
        """The member at an index, as a set."""
        function, b = self.function("select", self.set, [self.set, I64])
        members, number = function.args
        done, found = function.append_basic_block(), []
        for low in range(0, self.sites, 64):
            word = b.lshr(members, self.set(low))
            word = b.trunc(word, I64) if self.sites > 64 else b.zext(word, I64)
            count = b.ctpop(word)
            here, on = function.append_basic_block(), function.append_basic_block()
            b.cbranch(b.icmp_unsigned("<", number, count), here, on)
            b.position_at_end(here)
            bit = b.call(self.deposit, [b.shl(I64(1), number), word])
            bit = b.zext(bit, self.set) if self.sites > 64 else b.trunc(bit, self.set)
            found.append((b.shl(bit, self.set(low)), here))
            b.branch(done)
            b.position_at_end(on)
            number = b.sub(number, count)
        found.append((self.set(0), b.block))
        b.branch(done)
        b.position_at_end(done)
        result = b.phi(self.set)
        for value, block in found:
            result.add_incoming(value, block)
        b.ret(result)
        return function
