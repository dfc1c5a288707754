"""Choosing the next node on the way down a search tree: the upper confidence bound, or a new move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from llvmlite import ir

from interpreter.native.assembly import I64, POINTER, Value
from interpreter.native.body import Body
from interpreter.native.chance import below
from interpreter.native.context import WIN
from interpreter.native.tree.amaf import Amaf
from interpreter.native.tree.memory import DOUBLE, Node, Tree, attach, site_of

if TYPE_CHECKING:
    from interpreter.native.program import Program

#: Less than any score, the score of a lost move, and a value between that and all others.
LEAST, LOST, HARDLY = DOUBLE(-3.0), DOUBLE(-2.0), DOUBLE(-1.5)

#: As if a site had been seen this many more times, with the mean result.
PRIOR = DOUBLE(4.0)


class Selection:
    """Writes `select`: which child of a node is visited next, perhaps a new one.

    It takes the tree, the number of the node, and the place of the nearest table (0: there is none), and
    gives -1 if there is no child and no room. Results are from -1 to 1 here, for the person to move.
    """

    def __init__(self, program: Program, amaf: Amaf) -> None:
        self.program = program
        self.amaf = amaf
        self.body = Body.begin(program.unit, "select", I64, [POINTER, I64, I64])
        code = self.code = self.body.code
        head, self.number, table = code.function.args[2:]
        tree = self.tree = Tree(code, head)
        node = self.node = tree.node(self.number)
        self.moves = node.moves()
        self.count, self.mover = self.moves.get("count"), self.moves.get("mover")
        self.tried, self.visits = node.get("tried"), node.get("visits")
        self.often = code.b.sitofp(self._at_least_one(self.visits), DOUBLE)
        self.mean = code.b.fdiv(self._sum(node), self.often)
        self.guided = code.differ(table, I64(0))
        self.table = amaf.of_person(tree, table, self.mover)
        best, value = self._best()
        code.b.ret(code.choice(self._one_more(value), lambda: [self._new(best)], lambda: [best])[0])
        self.body.end(I64(-1))
        self.function = code.function

    def _at_least_one(self, times: Value) -> Value:
        return self.code.b.select(self.code.less(times, I64(1)), I64(1), times)

    def _sum(self, node: Node) -> Value:
        """The sum of the results of a node."""
        code = self.code
        sign = code.b.select(code.equal(self.mover, I64(0)), DOUBLE(1 / WIN), DOUBLE(-1 / WIN))
        return code.b.fmul(sign, code.b.sitofp(node.get("sum"), DOUBLE))

    def _call(self, name: str, value: Value) -> Value:
        """Call a mathematical function that LLVM knows."""
        module = self.program.unit.module
        found = module.globals.get(f"llvm.{name}.f64")
        if found is None:
            found = ir.Function(module, ir.FunctionType(DOUBLE, [DOUBLE]), f"llvm.{name}.f64")
        return self.code.call(found, value)

    # --- among those that were tried -------------------------------------------

    def _best(self) -> tuple[Value, Value]:
        """The best-looking of the tried moves, -1 for none, and its score."""
        code = self.code
        log = self._call("sqrt", self._call("log", self.often))
        explore = code.b.fmul(self.tree.fraction("exploration"), log)

        def look(i: Value, best: Value, value: Value) -> Sequence[Value]:
            score = self._score(self.node.child(i), explore)
            better = code.b.fcmp_ordered(">", score, value)
            best, value = code.b.select(better, i, best), code.b.select(better, score, value)
            return [code.b.add(i, I64(1)), best, value]

        start = [I64(0), I64(-1), LEAST]
        _, best, value = code.loop(start, lambda i, *_: code.less(i, self.tried), look)
        return best, value

    def _score(self, child: Node, explore: Value) -> Value:
        """The upper confidence bound of a node."""
        code = self.code
        own = code.b.sitofp(self._at_least_one(child.get("visits")), DOUBLE)
        share = code.b.fdiv(DOUBLE(1.0), own)
        score = code.b.fmul(self._sum(child), share)
        if self.amaf.applies:
            score = self._blended(child.get("site"), score, own)
        score = code.b.fadd(score, code.b.fmul(explore, self._call("sqrt", share)))
        proven = child.get("proven")
        # What is proven needs no exploring: a loss is worth less than anything, a draw 0. Every other
        # time a draw is passed over, because what is not known yet might be proven too.
        even = code.equal(code.b.and_(self.visits, I64(1)), I64(0))
        drawn = code.b.and_(code.equal(proven, I64(3)), even)
        worth = code.b.select(drawn, DOUBLE(0.0), LOST)
        return code.b.select(code.differ(proven, I64(0)), worth, score)

    def _blended(self, site: Value, value: Value, own: Value) -> Value:
        """The value of a move from its own playouts, blended with all that have a piece on its site."""
        code = self.code

        def blended() -> list[Value]:
            seen, rate = self.amaf.seen(code, self.table, site)
            # The weight of the table falls as the move gets more playouts of its own (Silver 2009).
            both = code.b.fmul(code.b.fmul(self.tree.fraction("bias"), seen), own)
            divisor = code.b.fadd(code.b.fadd(seen, own), both)
            some = code.b.fcmp_ordered(">", seen, DOUBLE(0.0))
            weight = code.b.select(some, code.b.fdiv(seen, divisor), DOUBLE(0.0))
            return [code.b.fadd(value, code.b.fmul(weight, code.b.fsub(rate, value)))]

        applies = code.b.and_(self.guided, code.differ(site, I64(0)))
        return code.choice(applies, blended, lambda: [value])[0]

    # --- a new one -------------------------------------------------------------

    def _one_more(self, value: Value) -> Value:
        """Whether it is time for a move not tried yet, given the score of the best of the others.

        Progressive widening (Coulom 2007): more moves are tried as the node is visited more often, but fewer
        if a table says which ones come first.
        """
        code = self.code
        narrow, broad = (
            code.b.fadd(
                self.tree.fraction(f"{which}wide"),
                code.b.fmul(self.tree.fraction(f"{which}wider"), self._call("sqrt", self.often)),
            )
            for which in ("guided_", "")
        )
        width = code.b.fptosi(code.b.select(self._follows_table(), narrow, broad), I64)
        enough = code.b.fadd(self.mean, self.tree.fraction("urgency"))
        urgent = code.b.fcmp_ordered("<", value, enough)
        lost = code.b.fcmp_ordered("<", value, HARDLY)
        due = code.b.or_(code.b.and_(code.less(self.tried, width), urgent), lost)
        return code.b.and_(due, code.less(self.tried, self.count))

    def _follows_table(self) -> Value:
        return self.code.b.and_(self.guided, self.code.differ(self.moves.get("sited"), I64(0)))

    def _new(self, best: Value) -> Value:
        """A new child; if there is no room, the best one."""
        code = self.code
        left = code.b.sub(self.count, self.tried)
        move = code.b.add(self.tried, below(code, self.body.context, left))
        if self.amaf.applies:
            move = code.choice(self._follows_table(), lambda: [self._most_promising(move)], lambda: [move])[0]
        made = attach(self.tree, self.number, move)
        return code.b.select(code.less(made, I64(0)), best, made)

    def _most_promising(self, some: Value) -> Value:
        """The new move that has done best in the table; `some` if all are equal."""
        code = self.code

        def compare(i: Value, best: Value, value: Value) -> Sequence[Value]:
            score = self._promise(i)
            better = code.b.fcmp_ordered(">", score, value)
            best, value = code.b.select(better, i, best), code.b.select(better, score, value)
            return [code.b.add(i, I64(1)), best, value]

        start = [self.tried, some, self._promise(some)]
        return code.loop(start, lambda i, *_: code.less(i, self.count), compare)[1]

    def _promise(self, i: Value) -> Value:
        code = self.code
        site = site_of(code, self.moves.move(i))

        def known() -> list[Value]:
            seen, rate = self.amaf.seen(code, self.table, site)
            total = code.b.fadd(code.b.fmul(seen, rate), code.b.fmul(PRIOR, self.mean))
            return [code.b.fdiv(total, code.b.fadd(seen, PRIOR))]

        return code.choice(code.differ(site, I64(0)), known, lambda: [self.mean])[0]
