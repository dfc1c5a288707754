"""Copying a search tree to new memory, as far as it is below the root and was visited often enough."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.native.assembly import I64, POINTER, Unit, Value
from interpreter.native.context import MOVES_WORDS, NODE_WORDS
from interpreter.native.tree.amaf import NO_TABLE
from interpreter.native.tree.memory import Moves, Node, Tree, room


class Pruning:
    """Writes `transplant`: from an old tree to an empty one, without the moves of rarely visited nodes.

    Nodes are copied first to last: the children of a node come after it.
    """

    def __init__(self, unit: Unit, table_words: int) -> None:
        self.table_words = table_words
        code = self.code = unit.function("transplant", I64, [POINTER, POINTER, I64], public=True)
        old, new, least = code.function.args
        self.old, self.new = Tree(code, old), Tree(code, new)
        code.copy(self.old.node(self.old.get("root")).at, self.new.node(I64(1)).at, I64(NODE_WORDS))
        self.new.put("root", I64(1))
        self.new.put("used", I64(2))

        def each(number: Value) -> Sequence[Value]:
            node = self.new.node(number)
            often = code.b.not_(code.less(node.get("visits"), least))
            often = code.b.or_(often, code.equal(number, I64(1)))

            def opened() -> list[Value]:
                return code.choice(often, lambda: self._keep(node), lambda: self._close(node))

            code.choice(code.differ(node.get("moves"), I64(0)), opened, lambda: [I64(0)])
            return [code.b.add(number, I64(1))]

        code.loop([I64(1)], lambda number: code.less(number, self.new.get("used")), each)
        code.ret(I64(0))

    def _keep(self, node: Node) -> list[Value]:
        """Copy what belongs to a node that has been copied: its children, its moves, its table."""
        code = self.code
        moves = Moves(code, self.old.at(node.get("moves")))
        self._keep_children(node, moves)
        words = code.b.add(code.b.mul(moves.get("count"), moves.get("stride")), I64(MOVES_WORDS))
        node.put("moves", self._carried(moves.at, words))
        table = moves.get("table")

        def with_table() -> list[Value]:
            place = self._carried(self.old.at(table), I64(self.table_words))
            node.moves().put("table", place)
            return [I64(0)]

        return code.choice(code.less(I64(NO_TABLE), table), with_table, lambda: [I64(0)])

    def _keep_children(self, node: Node, moves: Moves) -> None:
        """Copy the children of a node, leaving as much room as before."""
        code, tried = self.code, node.get("tried")
        first = self.new.get("used")
        below = self.old.node(node.get("first")).at
        code.copy(below, self.new.node(first).at, code.b.mul(tried, I64(NODE_WORDS)))
        rooms = room(code, tried, moves.get("count"))

        def clear(i: Value) -> Sequence[Value]:
            self.new.node(code.b.add(first, i)).put("moves", I64(0))
            return [code.b.add(i, I64(1))]

        code.loop([tried], lambda i: code.less(i, rooms), clear)
        self.new.put("used", code.b.add(first, rooms))
        node.put("first", first)

    def _carried(self, source: Value, words: Value) -> Value:
        """The place of a copy of `words` words."""
        place = self.new.taken(words)
        self.code.copy(source, self.new.at(place), words)
        return place

    def _close(self, node: Node) -> list[Value]:
        for name in ("first", "tried", "moves"):
            node.put(name, I64(0))
        return [I64(0)]
