"""Opening a node of a search tree: all its moves are listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.native.assembly import I64, POINTER, Value
from interpreter.native.body import Body
from interpreter.native.context import MOVES_WORDS, SWAP_PATH
from interpreter.native.tree.amaf import Amaf
from interpreter.native.tree.memory import Moves, Tree

if TYPE_CHECKING:
    from interpreter.native.program import Program


class Expansion:
    """Writes `expand`, which lists the moves of a node: 1, or 0 if it has none, or -1 if there is no room.

    The moves are first listed one after the other in the free memory, then laid out in rows at its end.
    """

    def __init__(self, program: Program, amaf: Amaf) -> None:
        self.program = program
        self.amaf = amaf
        body = self.body = Body.begin(program.unit, "expand", I64, [POINTER, I64])
        code = self.code = body.code
        head, number = code.function.args[2:]
        self.tree = Tree(code, head)
        self.node = self.tree.node(number)
        self.listed = self.tree.end()
        self.found, self.left = self._list()
        self.total = code.b.add(self.found, code.wide(program.may_swap(body, body.position)))
        none = code.equal(self.total, I64(0))
        code.b.ret(code.choice(none, lambda: [I64(0)], lambda: [self._opened()])[0])
        body.end(I64(0))
        self.function = code.function

    def _list(self) -> tuple[Value, Value]:
        """List the moves in the free memory: how many there are, and how many words are left."""
        body = self.body
        kept = {name: body.word(name) for name in ("out", "capacity")}
        body.put("out", self.code.b.ptrtoint(self.listed, I64))
        body.put("capacity", self.tree.free())
        found = self.program.listed(body, body.position)
        left = body.word("capacity")
        for name, value in kept.items():
            body.put(name, value)
        return found, left

    def _opened(self) -> Value:
        code = self.code

        def some() -> list[Value]:
            stride = code.b.add(self._longest(), I64(1))
            words = code.b.add(code.b.mul(self.total, stride), I64(MOVES_WORDS))
            return code.choice(code.less(self.left, words), no_room, lambda: [self._laid_out(stride, words)])

        def no_room() -> list[Value]:
            return [self.tree.no_room()]

        return code.choice(code.less(self.left, I64(0)), no_room, some)[0]

    def _longest(self) -> Value:
        """The length of the longest move."""
        code = self.code

        def longer(i: Value, listed: Value, longest: Value) -> Sequence[Value]:
            length = code.word(listed, 0)
            longest = code.b.select(code.less(longest, length), length, longest)
            return [code.b.add(i, I64(1)), code.at(listed, code.b.add(length, I64(1))), longest]

        start = [I64(0), self.listed, I64(0)]
        return code.loop(start, lambda i, *_: code.less(i, self.found), longer)[2]

    def _laid_out(self, stride: Value, words: Value) -> Value:
        """Lay out the moves in rows of `stride` words, `words` in all."""
        code = self.code
        place = self.tree.taken(words)
        moves = Moves(code, self.tree.at(place))
        mover = self.program.person(code, self.body.position)
        for name, value in {"count": self.total, "stride": stride, "mover": mover}.items():
            moves.put(name, value)
        for name in ("table", "foreseen"):
            moves.put(name, I64(0))
        moves.put("sited", self._copied(moves))

        def swap() -> list[Value]:
            code.put(moves.move(self.found), 0, I64(SWAP_PATH))
            return [I64(0)]

        code.choice(code.less(self.found, self.total), swap, lambda: [I64(0)])
        self.node.put("moves", place)
        return I64(1)

    def _copied(self, moves: Moves) -> Value:
        """Copy the moves to their rows, each with its site; the result is not 0 if any has one."""
        code = self.code
        free_sites = self.amaf.free_sites(self.body) if self.amaf.applies else None

        def copy(i: Value, listed: Value, sited: Value) -> Sequence[Value]:
            move = moves.move(i)
            length = code.word(listed, 0)
            site = I64(0) if free_sites is None else self.amaf.site(code, listed, free_sites)
            code.copy(code.at(listed, 1), code.at(move, 1), length)
            code.put(move, 0, code.b.or_(length, code.b.shl(site, I64(32))))
            after = code.at(listed, code.b.add(length, I64(1)))
            return [code.b.add(i, I64(1)), after, code.b.or_(sited, site)]

        start = [I64(0), self.listed, I64(0)]
        return code.loop(start, lambda i, *_: code.less(i, self.found), copy)[2]
