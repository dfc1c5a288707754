"""Looking for a win at a node of a search tree: by one move, or by a move that wins whatever the reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from llvmlite import ir

from interpreter.native.assembly import I64, POINTER, Value
from interpreter.native.body import Body
from interpreter.native.tree.amaf import NO_TABLE, Amaf
from interpreter.native.tree.foresight import Foresight
from interpreter.native.tree.memory import Node, Tree, attach

if TYPE_CHECKING:
    from interpreter.native.program import Program

#: Looking two moves ahead examines at most this many times the square of the node's moves.
MOST_LOOKS = 16


class Tactics:
    """Writes `study` and `foresee`: each takes the tree and a node, and proves the node if it is won."""

    def __init__(self, program: Program, foresight: Foresight, amaf: Amaf) -> None:
        self.program = program
        self.layout = program.layout
        self.foresight = foresight
        self.amaf = amaf
        self.study = self._study()
        self.foresee = self._foresee()

    def _study(self) -> ir.Function:
        """Check whether a move of a frequently visited node wins at once, and give the node a table."""
        body = Body.begin(self.program.unit, "study", I64, [POINTER, I64])
        code = body.code
        head, number = code.function.args[2:]
        tree = Tree(code, head)
        node = tree.node(number)
        moves = node.moves()
        own = code.alloca(I64, self.layout.words + 1)
        moves.put("table", I64(NO_TABLE))
        wanted = code.b.add(moves.get("mover"), I64(1))

        def wins(i: Value) -> Value:
            self._go(body, own, moves.move(i))
            verdict = self.program.ended(body, own)
            mine = code.equal(self.foresight.outcome(code, own, verdict), wanted)
            return code.b.and_(code.differ(verdict, I64(0)), mine)

        self._prove_by_first(body, tree, number, node.get("tried"), wins, 1)
        if self.amaf.applies:
            self.amaf.provide(tree, moves)
        code.b.ret(I64(0))
        body.end(I64(0))
        return code.function

    def _foresee(self) -> ir.Function:
        """Check whether after a move of a node every reply allows an immediate win."""
        body = Body.begin(self.program.unit, "foresee", I64, [POINTER, I64])
        code = body.code
        head, number = code.function.args[2:]
        tree = Tree(code, head)
        node = tree.node(number)
        moves = node.moves()
        own, steps = code.alloca(I64, self.layout.words + 1), code.alloca(I64)
        count, mover = moves.get("count"), moves.get("mover")
        wanted = code.b.add(mover, I64(1))
        moves.put("foreseen", I64(1))
        code.b.store(code.b.mul(I64(MOST_LOOKS), code.b.mul(count, count)), steps)
        kept = {word: body.word(word) for word in ("out", "capacity")}
        body.put("out", code.b.ptrtoint(tree.end(), I64))
        body.put("capacity", tree.free())

        def wins(i: Value) -> Value:
            tried = code.less(i, node.get("tried"))
            child = node.child(code.b.select(tried, i, I64(0)))
            known = code.b.and_(tried, code.differ(child.get("proven"), I64(0)))
            return code.choice(known, lambda: [code.truth(False)], lambda: [unknown(i)])[0]

        def unknown(i: Value) -> Value:
            self._go(body, own, moves.move(i))
            replies = code.differ(self.program.person(code, own), mover)
            goes_on = code.equal(self.program.ended(body, own), I64(0))
            return code.choice(
                code.b.and_(replies, goes_on),
                lambda: [code.call(self.foresight.loses, body.context, own, wanted, steps)],
                lambda: [code.truth(False)],
            )[0]

        self._prove_by_first(body, tree, number, I64(0), wins, 3)
        for word, value in kept.items():
            body.put(word, value)
        code.b.ret(I64(0))
        body.end(I64(0))
        return code.function

    def _go(self, body: Body, own: Value, move: Value) -> None:
        """Set `own` to the position after a move of the node."""
        body.code.copy(body.position, own, I64(self.layout.words))
        self.program.low.renew(body)
        self.foresight.follow(body, own, move)

    def _prove_by_first(
        self, body: Body, tree: Tree, number: Value, start: Value, wins: Callable[[Value], Value], plies: int
    ) -> None:
        """Note the first move from `start` on that wins, in `plies` plies, if there is one."""
        code = body.code
        node = tree.node(number)
        moves = node.moves()
        count, tried = moves.get("count"), node.get("tried")

        def look(i: Value, _: Value) -> Sequence[Value]:
            won = wins(i)
            return [code.b.select(won, i, code.b.add(i, I64(1))), won]

        i, won = code.loop(
            [start, code.truth(False)],
            lambda i, won: code.b.and_(code.less(i, count), code.b.not_(won)),
            look,
        )

        def note() -> list[Value]:
            untried = code.b.not_(code.less(i, tried))
            at = code.choice(untried, lambda: [attach(tree, number, i)], lambda: [i])[0]
            return code.choice(code.less(at, I64(0)), lambda: [I64(0)], lambda: proven(node.child(at)))

        def proven(child: Node) -> list[Value]:
            outcome = code.b.add(moves.get("mover"), I64(1))
            for at, distance in ((child, plies - 1), (node, plies)):
                at.put("proven", outcome)
                at.put("plies", I64(distance))
            return [I64(0)]

        code.choice(won, note, lambda: [I64(0)])
