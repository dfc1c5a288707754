"""A function of a game being written: its code, and where a run goes if it turns out to be illegal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define
from llvmlite import ir

from interpreter.native.assembly import I1, POINTER, Code, Unit, Value
from interpreter.native.context import WORD

#: The state of a run: the current value of each name, plane and register.
Key = Any
Env = dict[Key, Value]


@define
class Body:
    """A function of a context and a position."""

    code: Code
    context: Value
    position: Value
    fail: ir.Block
    #: How many values the loops around the current code may take together.
    nest: int = 1
    #: How many times the current code is written out.
    unrolled: int = 1
    #: Inside `at once`.
    waiting: bool = False
    #: What happens to choices of the run: "write" into the path, "skip" in it, or "none".
    path: str = "none"

    @classmethod
    def begin(
        cls,
        unit: Unit,
        name: str,
        result: ir.Type,
        extra: Sequence[ir.Type] = (),
        public: bool = False,
        path: str = "none",
    ) -> Body:
        """A new function; `extra` are the types of its further arguments."""
        code = unit.function(name, result, [POINTER, POINTER, *extra], public=public)
        context, position, *_ = code.function.args
        return cls(code, context, position, code.function.append_basic_block("fail"), path=path)

    def end(self, result: Value) -> None:
        """End the function, with this result here and for failed runs."""
        code = self.code
        if not code.b.block.is_terminated:
            code.b.branch(self.fail)
        code.b.position_at_end(self.fail)
        code.ret(result)

    def stop_if(self, stop: Value) -> None:
        """Leave the function if the search is over."""
        code = self.code
        done, on = code.function.append_basic_block(), code.function.append_basic_block()
        code.b.cbranch(stop, done, on)
        code.b.position_at_end(done)
        code.b.ret(I1(1))
        code.b.position_at_end(on)

    def word(self, name: str) -> Value:
        """A word of the context."""
        return self.code.word(self.context, WORD[name])

    def put(self, name: str, value: Value) -> None:
        self.code.put(self.context, WORD[name], value)
