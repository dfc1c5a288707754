"""The memory of a search tree, as native code reads and writes it: its head, its nodes, their moves.

Nodes grow up from the start of the memory, the moves of opened nodes grow down from its end.

A node is a row of words (`context.NODE`). Its children, only for the moves tried so far, are in one block,
which is copied to a larger one as it grows. Once it has been visited a few times, all its moves are listed:
`context.MOVES`, then a row of `stride` words for each move, whose first word has its length in the lower
half and its site in the upper half (see `amaf`). Tried moves come first, in the order of the children.
"""

from __future__ import annotations

from attrs import frozen
from llvmlite import ir

from interpreter.native.assembly import I1, I64, POINTER, Code, Value
from interpreter.native.context import FOREST, MOVES, MOVES_WORDS, NODE, NODE_WORDS, SWAP_PATH

DOUBLE = ir.DoubleType()

#: How many nodes a block of children has room for at first.
BLOCK = 4


@frozen
class Tree:
    """A tree, by the address of its head."""

    code: Code
    head: Value

    def get(self, name: str) -> Value:
        return self.code.word(self.head, FOREST[name])

    def fraction(self, name: str) -> Value:
        """A word of the head that holds a fraction."""
        return self.code.b.bitcast(self.get(name), DOUBLE)

    def put(self, name: str, value: Value) -> None:
        self.code.put(self.head, FOREST[name], value)

    def stack(self) -> Value:
        """The address of the numbers of the nodes on the way down."""
        return self.code.b.inttoptr(self.get("stack"), POINTER)

    def at(self, place: Value) -> Value:
        """The address of a word of its memory."""
        return self.code.at(self.code.b.inttoptr(self.get("memory"), POINTER), place)

    def node(self, number: Value) -> Node:
        return Node(self, self.at(self.code.b.mul(number, I64(NODE_WORDS))))

    def end(self) -> Value:
        """The address of the free memory after the nodes."""
        return self.node(self.get("used")).at

    def free(self) -> Value:
        """How many words are free between the nodes and the moves."""
        used = self.code.b.mul(self.get("used"), I64(NODE_WORDS))
        return self.code.b.sub(self.get("low"), used)

    def taken(self, words: Value) -> Value:
        """The place of `words` words taken from the end of the free memory, which has room for them."""
        low = self.code.b.sub(self.get("low"), words)
        self.put("low", low)
        return low

    def no_room(self) -> Value:
        """-1; marks the tree as full, unless pruning cannot help."""
        self.put("full", self.code.b.xor(self.get("closed"), I64(1)))
        return I64(-1)


@frozen
class Node:
    """A node, by its address."""

    tree: Tree
    at: Value

    def get(self, name: str) -> Value:
        return self.tree.code.word(self.at, NODE[name])

    def put(self, name: str, value: Value) -> None:
        self.tree.code.put(self.at, NODE[name], value)

    def moves(self) -> Moves:
        """Its moves; the node must be opened."""
        return Moves(self.tree.code, self.tree.at(self.get("moves")))

    def child(self, i: Value) -> Node:
        """Its child for the move with this number, which must have been tried."""
        return self.tree.node(self.tree.code.b.add(self.get("first"), i))


@frozen
class Moves:
    """The moves of an opened node, by the address of their common words."""

    code: Code
    at: Value

    def get(self, name: str) -> Value:
        return self.code.word(self.at, MOVES[name])

    def put(self, name: str, value: Value) -> None:
        self.code.put(self.at, MOVES[name], value)

    def move(self, i: Value) -> Value:
        """The address of a move."""
        place = self.code.b.mul(i, self.get("stride"))
        return self.code.at(self.at, self.code.b.add(place, I64(MOVES_WORDS)))


def site_of(code: Code, move: Value) -> Value:
    """The site of a move at this address, counted from 1; 0 if it has none."""
    head = code.word(move, 0)
    return code.b.select(code.equal(head, I64(SWAP_PATH)), I64(0), code.b.lshr(head, I64(32)))


def room(code: Code, tried: Value, count: Value) -> Value:
    """How many nodes the block of children has room for, with `tried` of `count` moves in it."""
    zeros = code.b.ctlz(code.b.sub(tried, I64(1)), I1(0))
    power = code.b.shl(I64(1), code.b.sub(I64(64), zeros))
    power = code.b.select(code.less(I64(BLOCK), tried), power, I64(BLOCK))
    power = code.b.select(code.less(power, count), power, count)
    return code.b.select(code.equal(tried, I64(0)), I64(0), power)


def attach(tree: Tree, number: Value, i: Value) -> Value:
    """Add a child to the node `number` for a move not tried yet; its place among them, or -1: no room."""
    function = tree.code.unit.shared("attach", I64, [POINTER, I64, I64], _attach)
    return tree.code.call(function, tree.head, number, i)


def _attach(code: Code, head: Value, number: Value, i: Value) -> Value:
    tree = Tree(code, head)
    node = tree.node(number)
    moves, tried = node.moves(), node.get("tried")

    def made() -> list[Value]:
        row = moves.move(tried)
        _exchange(code, moves.move(i), row, moves.get("stride"))
        child = node.child(tried)
        for name in NODE:
            child.put(name, I64(0))
        child.put("site", site_of(code, row))
        node.put("tried", code.b.add(tried, I64(1)))
        return [tried]

    place = _place(node, tried, moves.get("count"))
    return code.choice(code.less(place, I64(0)), lambda: [place], made)[0]


def _place(node: Node, tried: Value, count: Value) -> Value:
    """The place of one more node in the block of a node, which grows if it is full; -1: no room."""
    tree, code = node.tree, node.tree.code

    def larger() -> list[Value]:
        wanted = room(code, code.b.add(tried, I64(1)), count)
        words = code.b.mul(wanted, I64(NODE_WORDS))
        return code.choice(code.less(words, tree.free()), lambda: moved(wanted), lambda: [tree.no_room()])

    def moved(wanted: Value) -> list[Value]:
        used = tree.get("used")
        code.copy(node.child(I64(0)).at, tree.node(used).at, code.b.mul(tried, I64(NODE_WORDS)))
        node.put("first", used)
        tree.put("used", code.b.add(used, wanted))
        return [tried]

    full = code.equal(tried, room(code, tried, count))
    return code.choice(full, larger, lambda: [tried])[0]


def _exchange(code: Code, one: Value, two: Value, words: Value) -> None:
    def exchange(k: Value) -> list[Value]:
        pair = code.word(one, k), code.word(two, k)
        code.put(one, k, pair[1])
        code.put(two, k, pair[0])
        return [code.b.add(k, I64(1))]

    code.loop([I64(0)], lambda k: code.less(k, words), exchange)
