"""Judging a random game that was cut short, by the lead in pieces, and sampling what such a lead decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from llvmlite import ir

from interpreter.native.assembly import I64, POINTER, Code, Value
from interpreter.native.body import Body
from interpreter.native.chance import below
from interpreter.native.context import SAMPLE, WIN
from interpreter.native.material import material
from interpreter.native.tree.foresight import Foresight
from interpreter.native.tree.memory import Tree

if TYPE_CHECKING:
    from interpreter.native.program import Program


def worth(code: Code, outcome: Value) -> Value:
    """What an outcome is worth; a win of the first person is positive."""
    won = code.b.select(code.equal(outcome, I64(1)), I64(WIN), I64(-WIN))
    return code.b.select(code.equal(outcome, I64(3)), I64(0), won)


class Judgement:
    """Writes `judge`, which tells what a position is worth to the first person, and `sample`."""

    def __init__(self, program: Program, playout: ir.Function, foresight: Foresight) -> None:
        self.unit, self.low = program.unit, program.low
        self.layout = program.layout
        self.playout = playout
        self.foresight = foresight
        self.lead = self._lead()
        self.judge = self._judge()
        self._sample()

    def _lead(self) -> ir.Function:
        """How much more the pieces of the first person are worth than is fair; `worths` is an address.

        What is fair depends on the colours, as the setup does.
        """
        body = Body.begin(self.unit, "lead", I64, [I64, I64])
        code = body.code
        worths, fair = code.function.args[2:]
        lead = code.b.sub(material(self.low, body, worths), fair)
        swapped = code.differ(code.word(body.position, self.layout.register["swapped"]), I64(0))
        code.b.ret(code.b.select(swapped, code.b.neg(lead), lead))
        body.end(I64(0))
        return code.function

    def _judge(self) -> ir.Function:
        """The larger the lead, the nearer to a win: one of `half` more than is `fair` is half a win.

        If `half` is negative, it is half a loss.
        """
        body = Body.begin(self.unit, "judge", I64, [POINTER])
        code = body.code
        tree = Tree(code, code.function.args[2])
        half = tree.get("half")
        lead = code.call(self.lead, body.context, body.position, tree.get("worths"), tree.get("fair"))
        signed = code.b.select(code.less(half, I64(0)), code.b.neg(lead), lead)
        both = code.b.add(self._magnitude(code, lead), self._magnitude(code, half))
        code.b.ret(code.b.sdiv(code.b.mul(signed, I64(WIN)), both))
        body.end(I64(0))
        return code.function

    def _total(self, code: Code, position: Value) -> Value:
        """How many pieces there are on the board."""
        total: Value = I64(0)
        for offset in self.layout.planes:
            total = code.b.add(total, code.size(code.set_from(position, offset)))
        return total

    def _magnitude(self, code: Code, number: Value) -> Value:
        return code.b.select(code.less(number, I64(0)), code.b.neg(number), number)

    def _sample(self) -> None:
        """Play some random games, and add up who leads early on, who leads at the end, and who wins.

        A game is examined after `early` plies or up to three times as many, and then goes on for at most
        `late` more.
        """
        body = Body.begin(self.unit, "sample", I64, [POINTER, I64], public=True)
        code = body.code
        head, count = code.function.args[2:]
        own = code.alloca(I64, self.layout.words + 1)
        ply = self.layout.register["ply"]
        early, late, worths = (code.word(head, SAMPLE[name]) for name in ("early", "late", "worths"))
        fair = code.call(self.lead, body.context, body.position, worths, I64(0))
        code.put(head, SAMPLE["fair"], fair)
        before = self._total(code, body.position)
        body.put("seed", code.word(head, SAMPLE["seed"]))

        def lead() -> Value:
            return code.call(self.lead, body.context, own, worths, fair)

        def played() -> Value:
            return code.b.sub(code.word(own, ply), code.word(body.position, ply))

        def add(**values: Value) -> None:
            for name, value in values.items():
                code.put(head, SAMPLE[name], code.b.add(code.word(head, SAMPLE[name]), value))

        def look() -> list[Value]:
            now = lead()
            add(taken=code.b.sub(before, self._total(code, own)), looked=played())
            verdict = code.call(self.playout, body.context, own, late)
            add(games=I64(1), leads=now, lead_squares=code.b.mul(now, now))
            add(fewer=code.wide(code.less(self._total(code, own), before)))

            def ended() -> list[Value]:
                last, result = lead(), worth(code, self.foresight.outcome(code, own, verdict))
                add(ended=I64(1), last_leads=last, last_lead_squares=code.b.mul(last, last))
                add(results=result, result_squares=code.b.mul(result, result))
                add(products=code.b.mul(last, result))
                return [I64(0)]

            return code.choice(code.less(I64(0), verdict), ended, lambda: [I64(0)])

        def once(i: Value) -> Sequence[Value]:
            code.copy(body.position, own, I64(self.layout.words))
            self.low.renew(body)
            longer = below(code, body.context, code.b.mul(early, I64(2)))
            verdict = code.call(self.playout, body.context, own, code.b.add(early, longer))
            code.choice(code.equal(verdict, I64(0)), look, lambda: [I64(0)])
            add(all_games=I64(1), plies=played())
            return [code.b.add(i, I64(1))]

        def more(i: Value) -> Value:
            return code.b.and_(code.less(i, count), code.b.not_(self.low.overworked(body)))

        code.loop([I64(0)], more, once)
        code.put(head, SAMPLE["seed"], body.word("seed"))
        code.b.ret(I64(0))
        body.end(I64(0))
