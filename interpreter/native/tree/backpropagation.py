"""What a playout reports to the nodes on its way: its result, and what that proves (Winands and others 2008).

All nodes get the same result: `sum` counts a win of the first person as WIN and one of the second as -WIN.
So it does not matter who plays which colour, or whether people alternate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.native.assembly import I1, I64, POINTER, Value
from interpreter.native.body import Body
from interpreter.native.tree.amaf import Amaf
from interpreter.native.tree.memory import Node, Tree

if TYPE_CHECKING:
    from interpreter.native.program import Program


class Backpropagation:
    """Writes `tell`, which takes the tree, the depth of the way, the result, and whether it was played out.

    If so, the position is the one at the end.
    """

    def __init__(self, program: Program, amaf: Amaf) -> None:
        body = Body.begin(program.unit, "tell", I1, [POINTER, I64, I64, I1])
        code = self.code = body.code
        head, depth, result, played = code.function.args[2:]
        tree = Tree(code, head)
        stack = tree.stack()
        note = amaf.noter(body, tree, result) if amaf.applies else None

        def noted(node: Node) -> list[Value]:
            assert note is not None
            note(node)
            return [I64(0)]

        def each(i: Value, proving: Value) -> Sequence[Value]:
            node = tree.node(code.word(stack, i))
            node.put("visits", code.b.add(node.get("visits"), I64(1)))
            node.put("sum", code.b.add(node.get("sum"), result))
            if note is not None:
                opened = code.differ(node.get("moves"), I64(0))
                code.choice(code.b.and_(played, opened), lambda: noted(node), lambda: [I64(0)])

            def prove() -> list[Value]:
                child = tree.node(code.word(stack, code.b.add(i, I64(1))))
                return [self._proven_by(node, child)]

            has_child = code.b.and_(proving, code.less(i, depth))
            proven_now = code.choice(has_child, prove, lambda: [code.truth(False)])[0]
            leaf = code.b.and_(code.equal(i, depth), code.differ(node.get("proven"), I64(0)))
            return [code.b.sub(i, I64(1)), code.b.or_(leaf, proven_now)]

        code.loop([depth, code.truth(False)], lambda i, _: code.b.not_(code.less(i, I64(0))), each)
        code.b.ret(I1(1))
        body.end(I1(0))
        self.function = code.function

    def _proven_by(self, node: Node, child: Node) -> Value:
        """Whether a node is now proven because a child is; if so, its worth and plies are noted.

        It is if a move leads to a proven win of its mover, or if all moves are proven.
        """
        code = self.code
        result = child.get("proven")
        mine = code.b.add(node.moves().get("mover"), I64(1))

        def win() -> list[Value]:
            node.put("proven", result)
            node.put("plies", code.b.add(child.get("plies"), I64(1)))
            return [code.truth(True)]

        return code.choice(code.equal(result, mine), win, lambda: [self._settled(node, mine)])[0]

    def _settled(self, node: Node, mine: Value) -> Value:
        """Whether all moves of a node are proven, none as a win; then the node is proven too."""
        code = self.code
        tried = node.get("tried")

        def each(i: Value, all_: Value, drawn: Value, longest: Value) -> Sequence[Value]:
            child = node.child(i)
            proven, plies = child.get("proven"), child.get("plies")
            longest = code.b.select(code.less(longest, plies), plies, longest)
            draws = code.b.or_(drawn, code.equal(proven, I64(3)))
            known = code.differ(proven, I64(0))
            return [code.b.add(i, I64(1)), code.b.and_(all_, known), draws, longest]

        all_tried = code.equal(tried, node.moves().get("count"))
        _, all_, drawn, longest = code.loop(
            [I64(0), all_tried, code.truth(False), I64(0)],
            lambda i, all_, *_: code.b.and_(all_, code.less(i, tried)),
            each,
        )

        def settle() -> list[Value]:
            # No move wins here, so the best is a draw, or else the other person wins.
            node.put("proven", code.b.select(drawn, I64(3), code.b.sub(I64(3), mine)))
            node.put("plies", code.b.add(longest, I64(1)))
            return [I64(0)]

        code.choice(all_, settle, lambda: [I64(0)])
        return all_
