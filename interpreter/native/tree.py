"""A search tree in native code: UCT (Kocsis, Szepesvari 2006) with proven results (Winands and others 2008).

One call of `grow` makes the tree so many playouts larger. A playout goes down the tree by the
upper confidence bound, looks at how the position it comes to ends, plays on from there at
random, and tells all nodes on its way what came of it. A node is proven where the rules
decide it, where a move leads to a proven win of its mover, or where all moves are proven.

The tree lies in memory of the caller, and never outgrows it: when there is no room the
leaves stay leaves, and the playouts go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from llvmlite import ir

from interpreter.native.assembly import I1, I64, POINTER, Code, Value
from interpreter.native.context import FOREST, MODE, NODE, NODE_WORDS, SWAP_PATH
from interpreter.native.values import Body

if TYPE_CHECKING:
    from interpreter.native.program import Program

DOUBLE = ir.DoubleType()

#: A node gets children when it has been visited so often.
OPENED = 6

#: Where a node has more moves than this, it looks at the others only as it is visited more.
WIDE = 24


class TreeSearch:
    """Writes the search of one game, on top of its rules and playouts."""

    def __init__(self, program: Program, playout: ir.Function) -> None:
        self.program = program
        self.turns = program.turns
        self.layout = program.layout
        self.playout = playout
        self.expand = self._expand()
        self.select = self._select()
        self.tell = self._tell()
        self._grow()

    # --- the memory of the tree ----------------------------------------------

    def _of(self, code: Code, tree: Value, name: str) -> Value:
        return code.word(tree, FOREST[name])

    def _to(self, code: Code, tree: Value, name: str, value: Value) -> None:
        code.put(tree, FOREST[name], value)

    def _node(self, code: Code, tree: Value, number: Value) -> Value:
        """The address of a node."""
        nodes = code.b.inttoptr(self._of(code, tree, "nodes"), POINTER)
        return code.at(nodes, code.b.mul(number, I64(NODE_WORDS)))

    def _get(self, code: Code, node: Value, name: str) -> Value:
        return code.word(node, NODE[name])

    def _put(self, code: Code, node: Value, name: str, value: Value) -> None:
        code.put(node, NODE[name], value)

    def _person(self, code: Code, position: Value) -> Value:
        """Who is to move: 0 the first person, 1 the second."""
        swapped = code.word(position, self.layout.register["swapped"])
        return code.b.xor(code.word(position, self.layout.mover), swapped)

    # --- growing -------------------------------------------------------------

    def _grow(self) -> None:
        """So many playouts from the root, whose position is given; how many were made."""
        body = self.turns.body("grow", I64, [POINTER, I64], public=True)
        code, layout = body.code, self.layout
        tree, count = code.function.args[2:]
        own = code.alloca(I64, layout.words + 1)
        root = self._of(code, tree, "root")
        stack = code.b.inttoptr(self._of(code, tree, "stack"), POINTER)

        def more(i: Value, _: Value) -> Value:
            unproven = code.equal(self._get(code, self._node(code, tree, root), "proven"), I64(0))
            affordable = code.b.not_(self.turns.low.overworked(body))
            return code.b.and_(code.less(i, count), code.b.and_(unproven, affordable))

        def once(i: Value, _: Value) -> Sequence[Value]:
            self.program.copy(code, body.position, own, I64(layout.words))
            self.turns.low.renew(body)
            code.put(stack, 0, root)
            depth, result = code.loop(
                [I64(0), I64(-1)],
                lambda depth, result: code.less(result, I64(0)),
                lambda depth, result: self._step_down(body, tree, stack, own, depth),
            )
            code.call(self.tell, body.context, body.position, tree, depth, result)
            return [code.b.add(i, I64(1)), result]

        done, _ = code.loop([I64(0), I64(0)], more, once)
        code.b.ret(done)
        self.turns.close(body, I64(0))

    def _step_down(self, body: Body, tree: Value, stack: Value, own: Value, depth: Value) -> list[Value]:
        """From a node to one below it, or to a result: (depth, result), the result -1 where none is yet."""
        code = body.code
        node = self._node(code, tree, code.word(stack, depth))
        proven = self._get(code, node, "proven")

        def known() -> list[Value]:
            return [depth, code.b.sub(proven, I64(1))]

        def unknown() -> list[Value]:
            fresh = code.equal(self._get(code, node, "visits"), I64(0))
            below_root = code.less(I64(0), depth)
            return code.choice(code.b.and_(fresh, below_root), leaf, inner)

        def leaf() -> list[Value]:
            verdict = self.program.ended(body, own)

            def over() -> list[Value]:
                result = self._result(code, own, verdict)
                self._put(code, node, "proven", code.b.add(result, I64(1)))
                return [result]

            return [depth, code.choice(code.equal(verdict, I64(0)), lambda: [play_on()], over)[0]]

        def play_on() -> Value:
            verdict = code.call(self.playout, body.context, own, self._of(code, tree, "plies"))
            return self._result(code, own, verdict)

        def inner() -> list[Value]:
            unopened = code.equal(self._get(code, node, "count"), I64(0))
            # A node is worth its children's memory only when it has proved worth some visits.
            young = code.less(self._get(code, node, "visits"), I64(OPENED))
            young = code.b.and_(code.b.and_(unopened, young), code.less(I64(0), depth))
            return code.choice(young, lambda: [depth, play_on()], lambda: opened(unopened))

        def opened(unopened: Value) -> list[Value]:
            state = code.choice(
                unopened,
                lambda: [code.call(self.expand, body.context, own, tree, code.word(stack, depth))],
                lambda: [I64(1)],
            )[0]
            # 1: it has children; 0: there is no move; -1: there is no room.
            return code.choice(
                code.less(I64(0), state),
                go_down,
                lambda: [depth, code.choice(code.equal(state, I64(0)), stranded, lambda: [play_on()])[0]],
            )

        def stranded() -> list[Value]:
            result = self._result(code, own, self.program.stranded(body, own))
            self._put(code, node, "proven", code.b.add(result, I64(1)))
            return [result]

        def go_down() -> list[Value]:
            child = code.call(self.select, body.context, own, tree, code.word(stack, depth))
            self._follow(body, tree, own, self._get(code, self._node(code, tree, child), "path"))
            below = code.b.add(depth, I64(1))
            code.put(stack, below, child)
            deep = code.less(self._of(code, tree, "depth"), code.b.add(below, I64(2)))
            return [below, code.choice(deep, lambda: [play_on()], lambda: [I64(-1)])[0]]

        return code.choice(code.differ(proven, I64(0)), known, unknown)

    def _follow(self, body: Body, tree: Value, own: Value, path: Value) -> None:
        """Play the move of a path."""
        code = body.code

        def swap() -> list[Value]:
            self.program.swap(body, own)
            return [I64(0)]

        def move() -> list[Value]:
            before = body.word("path")
            start = code.b.add(self._of(code, tree, "paths"), code.b.mul(path, I64(8)))
            body.put("path", code.b.add(start, I64(8)))
            code.call(self.program.follow, body.context, own)
            body.put("path", before)
            return [I64(0)]

        code.choice(code.equal(path, I64(SWAP_PATH)), swap, move)

    def _result(self, code: Code, position: Value, verdict: Value) -> Value:
        """0 or 1: the person who has won, 2: nobody."""
        winner = code.b.srem(code.b.sub(verdict, I64(1)), I64(3))
        swapped = code.word(position, self.layout.register["swapped"])
        person = code.b.select(code.equal(winner, I64(2)), I64(2), code.b.xor(winner, swapped))
        # A game without an end within its plies is worth as much as one that nobody wins.
        return code.b.select(code.less(I64(0), verdict), person, I64(2))

    # --- the parts -----------------------------------------------------------

    def _expand(self) -> ir.Function:
        """Give a node its children: 1, or 0 where it has none, or -1 where there is no room."""
        body = self.turns.body("expand", I64, [POINTER, I64])
        code = body.code
        tree, number = code.function.args[2:]
        node = self._node(code, tree, number)
        start = self._of(code, tree, "written")
        kept = {name: body.word(name) for name in ("out", "capacity")}
        body.put("out", code.b.add(self._of(code, tree, "paths"), code.b.mul(start, I64(8))))
        body.put("capacity", code.b.sub(self._of(code, tree, "path_room"), start))
        body.put("mode", I64(MODE["list"]))
        body.put("count", I64(0))
        code.call(self.program.search, body.context, body.position)
        found, left = body.word("count"), body.word("capacity")
        for name, value in kept.items():
            body.put(name, value)
        swaps = self.program.may_swap(body, body.position)
        total = code.b.add(found, code.wide(swaps))
        first = self._of(code, tree, "used")
        last = code.b.add(first, total)
        full = code.b.or_(code.less(left, I64(0)), code.less(self._of(code, tree, "node_room"), last))
        person = self._person(code, body.position)

        def write() -> list[Value]:
            def child(i: Value, path: Value) -> Sequence[Value]:
                at = self._node(code, tree, code.b.add(first, i))
                is_swap = code.equal(i, found)
                values = {
                    "visits": I64(0),
                    "wins": I64(0),
                    "first": I64(0),
                    "count": I64(0),
                    "path": code.b.select(is_swap, I64(SWAP_PATH), path),
                    "person": person,
                    "proven": I64(0),
                }
                for name, value in values.items():
                    self._put(code, at, name, value)
                paths = code.b.inttoptr(self._of(code, tree, "paths"), POINTER)
                length = code.word(paths, code.b.select(is_swap, I64(0), path))
                after = code.b.add(path, code.b.add(length, I64(1)))
                return [code.b.add(i, I64(1)), after]

            code.loop([I64(0), start], lambda i, _: code.less(i, total), child)
            self._shuffle(code, body, tree, first, total)
            self._to(code, tree, "used", last)
            self._to(code, tree, "written", code.b.sub(self._of(code, tree, "path_room"), left))
            self._put(code, node, "first", first)
            self._put(code, node, "count", total)
            return [I64(1)]

        none = code.equal(total, I64(0))
        state = code.choice(none, lambda: [I64(0)], lambda: [code.choice(full, lambda: [I64(-1)], write)[0]])[
            0
        ]
        code.b.ret(state)
        self.turns.close(body, I64(0))
        return code.function

    def _shuffle(self, code: Code, body: Body, tree: Value, first: Value, total: Value) -> None:
        """The order of generation must not decide which moves are looked at first."""

        def exchange(i: Value) -> Sequence[Value]:
            other = self.turns.below(code, body.context, code.b.add(i, I64(1)))
            one, two = (self._node(code, tree, code.b.add(first, k)) for k in (i, other))
            paths = self._get(code, one, "path"), self._get(code, two, "path")
            self._put(code, one, "path", paths[1])
            self._put(code, two, "path", paths[0])
            return [code.b.sub(i, I64(1))]

        code.loop([code.b.sub(total, I64(1))], lambda i: code.less(I64(0), i), exchange)

    def _select(self) -> ir.Function:
        """The child with the highest upper confidence bound."""
        body = self.turns.body("select", I64, [POINTER, I64])
        code = body.code
        tree, number = code.function.args[2:]
        node = self._node(code, tree, number)
        count, first = self._get(code, node, "count"), self._get(code, node, "first")
        visited_so_far = self._get(code, node, "visits")
        even = code.equal(code.b.and_(visited_so_far, I64(1)), I64(0))
        visits = code.b.sitofp(visited_so_far, DOUBLE)
        log = self._intrinsic("llvm.log.f64")
        root = self._intrinsic("llvm.sqrt.f64")
        at_least_one = code.b.select(code.b.fcmp_ordered("<", visits, DOUBLE(1.0)), DOUBLE(1.0), visits)
        logarithm = code.call(log, at_least_one)
        factor = code.b.bitcast(self._of(code, tree, "exploration"), DOUBLE)
        explore = code.b.fmul(factor, code.call(root, logarithm))
        # Progressive widening: of many moves, as many as four times the root of the visits.
        wide = code.b.fptosi(code.b.fmul(DOUBLE(4.0), code.call(root, visits)), I64)
        wide = code.b.add(wide, I64(WIDE))
        width = code.b.select(code.less(wide, count), wide, count)

        def look(i: Value, best: Value, value: Value) -> Sequence[Value]:
            number = code.b.add(first, i)
            child = self._node(code, tree, number)
            own = self._get(code, child, "visits")
            visited = code.b.sitofp(own, DOUBLE)
            won = code.b.fmul(code.b.sitofp(self._get(code, child, "wins"), DOUBLE), DOUBLE(0.5))
            score = code.b.fdiv(code.b.fadd(won, code.b.fmul(explore, code.call(root, visited))), visited)
            score = code.b.select(code.equal(own, I64(0)), DOUBLE(1e6), score)
            proven = self._get(code, child, "proven")
            mine = code.b.add(self._get(code, child, "person"), I64(1))
            # What is known needs no exploring: a loss is worth less than anything, a draw a half. Every
            # other time a draw is passed by, for what is not known yet might be proven too.
            drawn = code.b.and_(code.equal(proven, I64(3)), even)
            known = code.b.and_(code.differ(proven, I64(0)), code.differ(proven, mine))
            worth = code.b.select(drawn, DOUBLE(0.5), DOUBLE(-1.0))
            score = code.b.select(known, worth, score)
            better = code.b.fcmp_ordered(">", score, value)
            return [
                code.b.add(i, I64(1)),
                code.b.select(better, number, best),
                code.b.select(better, score, value),
            ]

        _, best, value = code.loop([I64(0), first, DOUBLE(-2.0)], lambda i, *_: code.less(i, width), look)

        def beyond(i: Value) -> Sequence[Value]:
            return [code.b.add(i, I64(1))]

        # Where all moves looked at so far are lost, the next one is looked at.
        def unproven(i: Value) -> Value:
            inside = code.less(i, code.b.sub(count, I64(1)))
            child = self._node(code, tree, code.b.add(first, i))
            return code.b.and_(inside, code.differ(self._get(code, child, "proven"), I64(0)))

        def next_one() -> list[Value]:
            (i,) = code.loop([width], unproven, beyond)
            return [code.b.add(first, i)]

        hopeless = code.b.and_(code.b.fcmp_ordered("<", value, DOUBLE(0.0)), code.less(width, count))
        code.b.ret(code.choice(hopeless, next_one, lambda: [best])[0])
        self.turns.close(body, I64(0))
        return code.function

    def _intrinsic(self, name: str) -> ir.Function:
        found = self.program.unit.module.globals.get(name)
        if found is None:
            found = ir.Function(self.program.unit.module, ir.FunctionType(DOUBLE, [DOUBLE]), name)
        return found

    def _tell(self) -> ir.Function:
        """Tell all nodes on the way of a playout its result, and prove what it proves."""
        body = self.turns.body("tell", I1, [POINTER, I64, I64])
        code = body.code
        tree, depth, result = code.function.args[2:]
        stack = code.b.inttoptr(self._of(code, tree, "stack"), POINTER)

        def each(i: Value, proving: Value) -> Sequence[Value]:
            node = self._node(code, tree, code.word(stack, i))
            self._put(code, node, "visits", code.b.add(self._get(code, node, "visits"), I64(1)))
            won = code.equal(result, self._get(code, node, "person"))
            drawn = code.equal(result, I64(2))
            worth = code.b.select(won, I64(2), code.b.select(drawn, I64(1), I64(0)))
            self._put(code, node, "wins", code.b.add(self._get(code, node, "wins"), worth))

            def prove() -> list[Value]:
                child = self._node(code, tree, code.word(stack, code.b.add(i, I64(1))))
                return [self._proven_by(code, tree, node, child)]

            has_child = code.b.and_(proving, code.less(i, depth))
            proven_now = code.choice(has_child, prove, lambda: [code.truth(False)])[0]
            leaf = code.b.and_(code.equal(i, depth), code.differ(self._get(code, node, "proven"), I64(0)))
            return [code.b.sub(i, I64(1)), code.b.or_(leaf, proven_now)]

        code.loop([depth, code.truth(False)], lambda i, _: code.b.not_(code.less(i, I64(0))), each)
        code.b.ret(I1(1))
        self.turns.close(body, I1(0))
        return code.function

    def _proven_by(self, code: Code, tree: Value, node: Value, child: Value) -> Value:
        """Whether a node is proven now that a child is; and what it is worth then."""
        result = self._get(code, child, "proven")
        mine = code.b.add(self._get(code, child, "person"), I64(1))
        first, count = self._get(code, node, "first"), self._get(code, node, "count")

        def win() -> list[Value]:
            self._put(code, node, "proven", result)
            return [code.truth(True)]

        def look() -> list[Value]:
            def each(i: Value, all_: Value, drawn: Value) -> Sequence[Value]:
                proven = self._get(code, self._node(code, tree, code.b.add(first, i)), "proven")
                known = code.differ(proven, I64(0))
                draws = code.b.or_(drawn, code.equal(proven, I64(3)))
                return [code.b.add(i, I64(1)), code.b.and_(all_, known), draws]

            _, all_, drawn = code.loop(
                [I64(0), code.truth(True), code.truth(False)],
                lambda i, all_, _: code.b.and_(all_, code.less(i, count)),
                each,
            )
            # No move wins here, so the best is a draw, else the other person's win.
            best = code.b.select(drawn, I64(3), code.b.sub(I64(3), mine))
            before = self._get(code, node, "proven")
            self._put(code, node, "proven", code.b.select(all_, best, before))
            return [all_]

        return code.choice(code.equal(result, mine), win, look)[0]
