"""Playouts through a search tree: down the tree, on from there at random, and back with the result.

A random game that is cut short is judged by who leads at that point (`judgement`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen
from llvmlite import ir

from interpreter.native.assembly import I64, POINTER, Value
from interpreter.native.body import Body
from interpreter.native.context import WIN
from interpreter.native.tree.amaf import NO_TABLE, Amaf
from interpreter.native.tree.backpropagation import Backpropagation
from interpreter.native.tree.expansion import Expansion
from interpreter.native.tree.foresight import Foresight
from interpreter.native.tree.judgement import Judgement, worth
from interpreter.native.tree.memory import Node, Tree
from interpreter.native.tree.selection import Selection
from interpreter.native.tree.tactics import Tactics

if TYPE_CHECKING:
    from interpreter.native.program import Program

#: Up to this many positions after the root are examined before the first random game.
AT_ONCE = 40_000

#: Stands for a result while there is none.
NOTHING_YET = WIN + 1


@frozen
class Way:
    """How far a playout has got on its way down the tree."""

    body: Body
    tree: Tree
    #: The position there.
    own: Value
    depth: Value
    #: The place of the nearest table above, 0 if there is none.
    table: Value
    #: The number of the node there, and the node.
    number: Value
    node: Node

    def below_root(self) -> Value:
        return self.body.code.less(I64(0), self.depth)

    def ask(self, function: ir.Function, *arguments: Value) -> Value:
        """Call one of the functions that take the node there."""
        return self.body.code.call(function, self.body.context, self.own, self.tree.head, *arguments)

    def ends(self, result: Value) -> list[Value]:
        return [self.depth, self.table, result]


class Growth:
    """Writes `grow`: playouts from the root, whose position is given; its result is how many were made."""

    def __init__(self, program: Program, playout: ir.Function) -> None:
        self.program = program
        self.unit, self.low = program.unit, program.low
        self.layout = program.layout
        self.playout = playout
        self.amaf = Amaf(program)
        self.foresight = Foresight(program)
        self.judge = Judgement(program, playout, self.foresight).judge
        self.expand = Expansion(program, self.amaf).function
        self.tactics = Tactics(program, self.foresight, self.amaf)
        self.select = Selection(program, self.amaf).function
        self.tell = Backpropagation(program, self.amaf).function
        self._grow()

    def _grow(self) -> None:
        body = Body.begin(self.unit, "grow", I64, [POINTER, I64], public=True)
        code = body.code
        head, count = code.function.args[2:]
        tree = Tree(code, head)
        own = code.alloca(I64, self.layout.words + 1)
        body.put("seed", tree.get("seed"))
        tree.put("full", I64(0))
        root = tree.get("root")

        def more(i: Value) -> Value:
            unproven = code.equal(tree.node(root).get("proven"), I64(0))
            affordable = code.b.not_(self.low.overworked(body))
            roomy = code.equal(tree.get("full"), I64(0))
            return code.b.and_(code.b.and_(code.less(i, count), roomy), code.b.and_(unproven, affordable))

        def once(i: Value) -> Sequence[Value]:
            self._playout(body, tree, own)
            return [code.b.add(i, I64(1))]

        (done,) = code.loop([I64(0)], more, once)
        tree.put("seed", body.word("seed"))
        code.b.ret(done)
        body.end(I64(0))

    def _playout(self, body: Body, tree: Tree, own: Value) -> None:
        """One playout."""
        code = body.code
        code.copy(body.position, own, I64(self.layout.words))
        self.low.renew(body)
        stack = tree.stack()
        code.put(stack, 0, tree.get("root"))
        before = tree.get("played")

        def down(depth: Value, table: Value, _: Value) -> list[Value]:
            number = code.word(stack, depth)
            return self._step(Way(body, tree, own, depth, table, number, tree.node(number)))

        depth, _, result = code.loop(
            [I64(0), I64(0), I64(NOTHING_YET)],
            lambda depth, table, result: code.equal(result, I64(NOTHING_YET)),
            down,
        )
        played = code.differ(tree.get("played"), before)
        code.call(self.tell, body.context, own, tree.head, depth, result, played)

    # --- a step down -----------------------------------------------------------

    def _step(self, way: Way) -> list[Value]:
        """From a node to a child, or to a result: (depth, table, result), with NOTHING_YET for no result."""
        code, proven = way.body.code, way.node.get("proven")
        return code.choice(
            code.differ(proven, I64(0)),
            lambda: way.ends(worth(code, proven)),
            lambda: self._into_unknown(way),
        )

    def _into_unknown(self, way: Way) -> list[Value]:
        code = way.body.code
        fresh = code.b.and_(code.equal(way.node.get("visits"), I64(0)), way.below_root())
        opened = code.differ(way.node.get("moves"), I64(0))
        return code.choice(
            fresh,
            lambda: way.ends(self._first_visit(way)),
            lambda: code.choice(opened, lambda: self._go_down(way), lambda: self._at_closed(way)),
        )

    def _first_visit(self, way: Way) -> Value:
        """The result if the position has ended, else that of playing on from it."""
        code, verdict = way.body.code, self.program.ended(way.body, way.own)
        return code.choice(
            code.differ(verdict, I64(0)),
            lambda: [self._at_an_end(way, verdict)],
            lambda: [self._play_on(way)],
        )[0]

    def _at_an_end(self, way: Way, verdict: Value) -> Value:
        outcome = self.foresight.outcome(way.body.code, way.own, verdict)
        way.node.put("proven", outcome)
        return worth(way.body.code, outcome)

    def _play_on(self, way: Way) -> Value:
        """The result of a random game from here."""
        body, tree, code = way.body, way.tree, way.body.code
        ply = self.layout.register["ply"]
        tree.put("played", code.b.add(tree.get("played"), I64(1)))
        before = code.word(way.own, ply)
        verdict = code.call(self.playout, body.context, way.own, tree.get("plies"))
        moved = code.b.sub(code.word(way.own, ply), before)
        tree.put("moved", code.b.add(tree.get("moved"), moved))
        return code.choice(
            code.less(I64(0), verdict),
            lambda: [worth(code, self.foresight.outcome(code, way.own, verdict))],
            lambda: [code.call(self.judge, body.context, way.own, tree.head)],
        )[0]

    def _at_closed(self, way: Way) -> list[Value]:
        """Open the node, or play on if it is too early for that.

        A node deserves its list of moves only after some visits, more of them if the list is likely to be
        long. The root has no node above it, and is opened at once.
        """
        code, tree, node = way.body.code, way.tree, way.node
        below = way.below_root()
        depth_above = code.b.select(below, code.b.sub(way.depth, I64(1)), way.depth)
        siblings = tree.node(code.word(tree.stack(), depth_above)).moves().get("count")
        few = code.less(node.get("visits"), tree.get("opened"))
        young = code.b.or_(few, code.b.not_(self._outweighs(way, siblings, "listed")))
        return code.choice(
            code.b.and_(young, below), lambda: way.ends(self._play_on(way)), lambda: self._open(way)
        )

    def _open(self, way: Way) -> list[Value]:
        code, state = way.body.code, way.ask(self.expand, way.number)

        def stuck() -> list[Value]:
            return way.ends(self._at_an_end(way, self.program.stranded(way.body, way.own)))

        def no_moves() -> list[Value]:
            return code.choice(code.equal(state, I64(0)), stuck, lambda: way.ends(self._play_on(way)))

        return code.choice(code.less(I64(0), state), lambda: self._go_down(way), no_moves)

    def _go_down(self, way: Way) -> list[Value]:
        """Go on to a child, unless a closer look proves this node."""
        code, moves = way.body.code, way.node.moves()
        self._look_closer(way)
        own_table = moves.get("table")
        table = code.b.select(code.less(I64(NO_TABLE), own_table), own_table, way.table)
        way, proven = evolve(way, table=table), way.node.get("proven")
        return code.choice(
            code.differ(proven, I64(0)),
            lambda: way.ends(worth(code, proven)),
            lambda: self._to_child(way),
        )

    def _look_closer(self, way: Way) -> None:
        """Look for a win one move ahead and two, once each, when the node has enough visits for that."""
        code, node, moves = way.body.code, way.node, way.node.moves()
        count = moves.get("count")
        due = code.b.and_(code.equal(moves.get("table"), I64(0)), self._worth_a_look(way, count))
        code.choice(due, lambda: [way.ask(self.tactics.study, way.number)], lambda: [I64(0)])
        # Two moves ahead there are about the square of this number of positions.
        worth = self._worth_a_look(way, code.b.mul(count, count))
        due = code.b.and_(worth, code.equal(moves.get("foreseen"), I64(0)))
        due = code.b.and_(due, code.equal(node.get("proven"), I64(0)))
        code.choice(due, lambda: [way.ask(self.tactics.foresee, way.number)], lambda: [I64(0)])

    def _worth_a_look(self, way: Way, count: Value) -> Value:
        """Whether this many positions are few beside the random games so far, or few anyway at the root."""
        code = way.body.code
        at_once = code.b.and_(code.b.not_(way.below_root()), code.less(count, I64(AT_ONCE)))
        return code.b.or_(at_once, self._outweighs(way, count, "studied"))

    def _outweighs(self, way: Way, count: Value, factor: str) -> Value:
        """Whether the random games through a node had `factor` times as many moves as are to be examined."""
        code, tree = way.body.code, way.tree
        most = code.b.mul(way.node.get("visits"), tree.get("moved"))
        looked_at = code.b.mul(code.b.mul(count, tree.get(factor)), tree.get("played"))
        return code.less(looked_at, most)

    def _to_child(self, way: Way) -> list[Value]:
        code, tree = way.body.code, way.tree
        i = way.ask(self.select, way.number, way.table)

        def follow() -> list[Value]:
            self.foresight.follow(way.body, way.own, way.node.moves().move(i))
            below = code.b.add(way.depth, I64(1))
            code.put(tree.stack(), below, code.b.add(way.node.get("first"), i))
            deep = code.less(tree.get("depth"), code.b.add(below, I64(2)))
            result = code.choice(deep, lambda: [self._play_on(way)], lambda: [I64(NOTHING_YET)])[0]
            return [below, way.table, result]

        return code.choice(code.less(i, I64(0)), lambda: way.ends(self._play_on(way)), follow)
