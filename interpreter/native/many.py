"""What native code does with each of many positions: looking, playing by number, playing at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from llvmlite import ir

from interpreter.native.assembly import I64, POINTER, Code, Value
from interpreter.native.body import Body
from interpreter.native.context import DRAW, GOLDEN, OVERWORKED
from interpreter.native.layout import NOBODY

if TYPE_CHECKING:
    from interpreter.native.program import Program

BYTES = ir.PointerType(ir.IntType(8))

#: Writes what to do with each of many positions, given its number and the arguments: whether it was finished.
Each: TypeAlias = Callable[[Body, Value, Value, Sequence[Value]], Value]


class Many:
    """Writes the functions of many positions of one game."""

    def __init__(self, program: Program) -> None:
        self.program, self.unit = program, program.unit
        self.low, self.layout = program.low, program.layout

    def look_and_play(self) -> None:
        """Write `look` and `play`."""
        self._many("look", [POINTER, BYTES], self._look)
        self._many("play", [POINTER], self._play)

    def random(self, policy: str, playout: ir.Function) -> None:
        """Write the random games and moves of a policy."""
        self._playouts(policy, playout)
        self._many(f"step_{policy}", [I64, I64], lambda *each: self._step(playout, *each))

    def _many(self, name: str, extra: Sequence[ir.Type], each: Each) -> None:
        """A function that does something with each of many positions."""
        body = Body.begin(self.unit, name, I64, [I64, I64, *extra], public=True)
        code, layout = body.code, self.layout
        count, room, *arguments = code.function.args[2:]
        history, hashes = body.word("history"), body.word("hashes")

        def once(i: Value, _: Value) -> Sequence[Value]:
            past = code.b.mul(i, code.b.mul(room, I64(8)))
            body.put("history", code.b.add(history, code.b.mul(past, I64(layout.key_words))))
            body.put("hashes", code.b.add(hashes, past))
            body.put("work", I64(0))
            done = each(body, code.at(body.position, code.b.mul(i, I64(layout.words))), i, arguments)
            done = code.b.and_(done, code.b.not_(self.low.overworked(body)))
            return [code.b.add(i, code.wide(done)), done]

        def more(i: Value, done: Value) -> Value:
            return code.b.and_(code.less(i, count), done)

        done, _ = code.loop([I64(0), code.truth(True)], more, once)
        code.ret(done)
        body.end(I64(0))

    def _look(self, body: Body, position: Value, i: Value, arguments: Sequence[Value]) -> Value:
        """The number of legal moves, 0 if the game is over, and the winner."""
        code = body.code
        counts, winners = arguments
        count = self.program.counted(body, position)
        stuck = code.equal(count, I64(0))
        nobody = code.equal(code.word(position, self.layout.register["last_mover"]), I64(NOBODY))
        verdict = code.call(self.program.verdict, body.context, position, stuck)
        # Before the first move, the game can be over only if no move is legal.
        verdict = code.b.select(code.b.and_(nobody, code.b.not_(stuck)), I64(0), verdict)
        count = code.b.add(count, code.wide(self.program.may_swap(body, position)))
        nothing_left = code.b.and_(code.equal(verdict, I64(0)), code.equal(count, I64(0)))
        verdict = code.b.select(nothing_left, self.program.no_ending, verdict)
        code.put(counts, i, code.b.select(code.equal(verdict, I64(0)), count, I64(0)))
        self._put(code, winners, i, self._winner_of(body, verdict))
        return code.truth(True)

    def _play(self, body: Body, position: Value, i: Value, arguments: Sequence[Value]) -> Value:
        """Play the legal move with a number; none if it is negative."""
        code = body.code
        number = code.word(arguments[0], i)
        start, capacity, path = body.word("out"), body.word("capacity"), body.word("path")

        def listed() -> list[Value]:
            self.program.listed(body, position)
            fits = code.b.not_(code.less(body.word("capacity"), I64(0)))
            return code.choice(fits, played, lambda: [code.truth(False)])

        def played() -> list[Value]:
            def pass_by(k: Value, where: Value) -> Sequence[Value]:
                words = code.b.add(code.word(code.b.inttoptr(where, POINTER), 0), I64(1))
                return [code.b.add(k, I64(1)), code.b.add(where, code.b.mul(words, I64(8)))]

            def follow() -> list[Value]:
                _, where = code.loop([I64(0), start], lambda k, _: code.less(k, number), pass_by)
                body.put("path", code.b.add(where, I64(8)))
                code.call(self.program.follow, body.context, position)
                body.put("path", path)
                return [I64(0)]

            def swap() -> list[Value]:
                self.program.swap(body, position)
                return [I64(0)]

            code.choice(code.less(number, body.word("count")), follow, swap)
            body.put("out", start)
            body.put("capacity", capacity)
            return [code.truth(True)]

        return code.choice(code.less(number, I64(0)), lambda: [code.truth(True)], listed)[0]

    def _step(
        self, playout: ir.Function, body: Body, position: Value, i: Value, arguments: Sequence[Value]
    ) -> Value:
        """Play a number of random moves, or as many as the game still has."""
        code = body.code
        most, seed = arguments
        self._sow(body, code.b.add(seed, code.b.mul(i, I64(GOLDEN))))
        verdict = code.call(playout, body.context, position, most)
        return code.differ(verdict, I64(OVERWORKED))

    def _playouts(self, policy: str, playout: ir.Function) -> None:
        """A number of games from each position: the winner, the plies and the seats of each.

        Their earlier positions go to `scratch` and `scratch_hashes`, which have room for those of one game.
        """

        def write(body: Body, position: Value, i: Value, arguments: Sequence[Value]) -> Value:
            each, most, seed, scratch, scratch_hashes, winners, plies, swapped = arguments
            code, layout = body.code, self.layout
            own = code.alloca(I64, layout.words + 1)
            if self.low.remembers:
                past = code.word(position, layout.register["remembered"])
                for name, target, words in (
                    ("history", scratch, code.b.mul(past, I64(layout.key_words))),
                    ("hashes", scratch_hashes, past),
                ):
                    code.copy(code.b.inttoptr(body.word(name), POINTER), target, words)
                    body.put(name, code.b.ptrtoint(target, I64))
            first_ply = code.word(position, layout.register["ply"])

            def once(j: Value, _: Value) -> Sequence[Value]:
                code.copy(position, own, I64(layout.words))
                number = code.b.add(code.b.mul(i, each), j)
                self._sow(body, code.b.add(seed, code.b.mul(number, I64(GOLDEN))))
                verdict = code.call(playout, body.context, own, most)
                length = code.b.sub(code.word(own, layout.register["ply"]), first_ply)
                self._put(code, winners, number, self._winner_of(body, verdict))
                self._put(code, plies, number, length)
                self._put(code, swapped, number, code.word(own, layout.register["swapped"]))
                return [code.b.add(j, I64(1)), verdict]

            def more(j: Value, verdict: Value) -> Value:
                return code.b.and_(code.less(j, each), code.differ(verdict, I64(OVERWORKED)))

            _, verdict = code.loop([I64(0), I64(0)], more, once)
            return code.differ(verdict, I64(OVERWORKED))

        arrays = [POINTER, POINTER, BYTES, ir.PointerType(ir.IntType(32)), BYTES]
        self._many(f"playouts_{policy}", [I64, I64, I64, *arrays], write)

    def _sow(self, body: Body, state: Value) -> None:
        """Seed the random numbers: splitmix64 (Steele, Lea, Flood 2014) moves nearby states far apart."""
        code = body.code
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            state = code.b.mul(code.b.xor(state, code.b.lshr(state, I64(shift))), I64(factor))
        state = code.b.xor(state, code.b.lshr(state, I64(31)))
        body.put("seed", code.b.select(code.equal(state, I64(0)), I64(1), state))

    def _put(self, code: Code, array: Value, i: Value, value: Value) -> None:
        """Store a number in an array of narrower ones."""
        code.b.store(code.b.trunc(value, array.type.pointee), code.b.gep(array, [i]))

    def _winner_of(self, body: Body, verdict: Value) -> Value:
        """0 or 1; -1: nobody; -2: the game did not end."""
        code = body.code
        winner = code.b.srem(code.b.sub(verdict, I64(1)), I64(3))
        winner = code.b.select(code.equal(winner, I64(DRAW)), I64(-1), winner)
        return code.b.select(code.less(I64(0), verdict), winner, I64(-2))
