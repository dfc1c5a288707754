"""Looking one or two moves ahead at everything that can be played, for an immediate win or a saving reply.

Moves are listed from the context's `out` on, and are dropped afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from llvmlite import ir

from interpreter.native.assembly import I1, I64, POINTER, Code, Value
from interpreter.native.body import Body
from interpreter.native.context import SWAP_PATH

if TYPE_CHECKING:
    from interpreter.native.program import Program


class Foresight:
    """Writes the functions that look ahead, in terms of people and outcomes.

    An outcome is 1 or 2 if the first or the second person has won, 3 if nobody has. The functions take the
    outcome in question, and the address of the number of moves that may still be examined.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layout = program.layout
        #: Whether a move of the position ends the game with the outcome.
        self.wins = self._any_or_all("wins", False, self._reaches)
        #: Whether after each move of the position the other person can reach the outcome at once.
        self.loses = self._any_or_all("loses", True, self._allows)

    def outcome(self, code: Code, position: Value, verdict: Value) -> Value:
        """The outcome of a game that has ended."""
        winner = code.b.srem(code.b.sub(verdict, I64(1)), I64(3))
        person = code.b.xor(winner, code.word(position, self.layout.register["swapped"]))
        return code.b.add(code.b.select(code.equal(winner, I64(2)), winner, person), I64(1))

    def play(self, body: Body, position: Value, move: Value) -> None:
        """Play a listed move, given the address of its length, which its words follow."""
        code = body.code
        before = body.word("path")
        body.put("path", code.b.ptrtoint(code.at(move, 1), I64))
        code.call(self.program.follow, body.context, position)
        body.put("path", before)

    def follow(self, body: Body, position: Value, move: Value) -> None:
        """Play a move of a node of a tree."""
        code = body.code

        def swap() -> list[Value]:
            self.program.swap(body, position)
            return [I64(0)]

        def play() -> list[Value]:
            self.play(body, position, move)
            return [I64(0)]

        code.choice(code.equal(code.word(move, 0), I64(SWAP_PATH)), swap, play)

    def _reaches(self, body: Body, after: Value, verdict: Value, wanted: Value, steps: Value) -> Value:
        code = body.code
        reached = code.equal(self.outcome(code, after, verdict), wanted)
        return code.b.and_(code.differ(verdict, I64(0)), reached)

    def _allows(self, body: Body, after: Value, verdict: Value, wanted: Value, steps: Value) -> Value:
        code = body.code
        theirs = code.equal(code.b.add(self.program.person(code, after), I64(1)), wanted)
        open_still = code.b.and_(code.equal(verdict, I64(0)), theirs)
        return code.choice(
            open_still,
            lambda: [code.call(self.wins, body.context, after, wanted, steps)],
            lambda: [self._reaches(body, after, verdict, wanted, steps)],
        )[0]

    def _any_or_all(self, name: str, of_all: bool, holds: Callable[..., Value]) -> ir.Function:
        """Whether something holds for all moves of a position, or for any. False if that is not known."""
        program = self.program
        body = Body.begin(program.unit, f"foresight.{name}", I1, [I64, POINTER])
        code = body.code
        wanted, steps = code.function.args[2:]
        own = code.alloca(I64, self.layout.words + 1)
        kept = {word: body.word(word) for word in ("out", "capacity")}
        start = code.b.inttoptr(kept["out"], POINTER)
        count = program.listed(body, body.position)
        fits = code.b.not_(code.less(body.word("capacity"), I64(0)))
        count = code.b.select(fits, count, I64(0))

        def more(i: Value, at: Value, so_far: Value) -> Value:
            undecided = so_far if of_all else code.b.not_(so_far)
            left = code.less(I64(0), code.word(steps, 0))
            return code.b.and_(code.b.and_(code.less(i, count), undecided), left)

        def look(i: Value, at: Value, so_far: Value) -> Sequence[Value]:
            code.put(steps, 0, code.b.sub(code.word(steps, 0), I64(1)))
            code.copy(body.position, own, I64(self.layout.words))
            program.low.renew(body)
            self.play(body, own, at)
            verdict = program.ended(body, own)
            now = holds(body, own, verdict, wanted, steps)
            return [code.b.add(i, I64(1)), code.at(at, code.b.add(code.word(at, 0), I64(1))), now]

        _, _, result = code.loop([I64(0), start, code.truth(of_all)], more, look)
        for word, value in kept.items():
            body.put(word, value)
        if of_all:
            # If there is no move, other rules decide; and a swap is a move that is not listed.
            known = code.b.and_(code.less(I64(0), count), code.less(I64(0), code.word(steps, 0)))
            known = code.b.and_(known, code.b.not_(program.may_swap(body, body.position)))
            result = code.b.and_(result, known)
        code.b.ret(result)
        body.end(I1(0))
        return code.function
