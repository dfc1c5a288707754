"""Thinking ahead: a search tree that grows by random games, and what it says of the moves."""

from __future__ import annotations

import ctypes
import struct
from ctypes import c_int64, c_uint64

from interpreter.game import Move, Position
from interpreter.native.context import FOREST, NODE, NODE_WORDS, SWAP_PATH
from interpreter.players import Prospect

#: Nodes a tree may have, words for their moves, and how deep it goes: its memory never grows beyond.
NODES = 1 << 19
PATHS = 1 << 21
DEEP = 512

#: A tree that is fuller than this is not kept for the next move.
REUSED = 0.5

#: How much is explored beside what has won most so far.
EXPLORATION = 0.7

#: A random game stops after so many plies and counts as a draw.
PLIES = 2_000


class Tree:
    """A search tree of a position; needs the native engine."""

    def __init__(self, position: Position, *, seed: int = 0, nodes: int = NODES) -> None:
        """Raises ValueError where the game is over or the native engine does not play."""
        if position.game.native is None:
            raise ValueError("a search tree needs the native engine")
        self._seed = seed
        self._grown = 0
        self._nodes = (c_int64 * (nodes * NODE_WORDS))()
        self._paths = (c_uint64 * PATHS)()
        self._stack = (c_uint64 * (DEEP + 2))()
        self._head = (c_uint64 * len(FOREST))()
        for name, value in {
            "nodes": ctypes.addressof(self._nodes),
            "node_room": nodes,
            "paths": ctypes.addressof(self._paths),
            "path_room": PATHS,
            "stack": ctypes.addressof(self._stack),
            "depth": DEEP,
            "exploration": struct.unpack("<Q", struct.pack("<d", EXPLORATION))[0],
            "plies": PLIES,
        }.items():
            self._head[FOREST[name]] = value
        self._plant(position)

    def _plant(self, position: Position) -> None:
        """Start anew from a position."""
        if position.over:
            raise ValueError("the game is over: there is nothing to think about")
        self.position = position
        self._head[FOREST["root"]] = 1  # 0 means: no child
        self._head[FOREST["used"]] = 2
        self._head[FOREST["written"]] = 0
        for name in NODE:
            self._set(1, name, 0)

    def grow(self, playouts: int) -> int:
        """Think for so many random games more; how many were needed. Fewer where the position is proven."""
        native = self.position.game.native
        assert native is not None
        self._grown += 1
        seed = self._seed * 0x9E3779B97F4A7C15 + self._grown
        return native.grow(self.position.snapshot, seed, self._head, playouts, DEEP + PLIES)

    @property
    def playouts(self) -> int:
        """How many random games the tree has seen from its position."""
        return self._get(self._root, "visits")

    def prospects(self) -> list[Prospect]:
        """The moves tried so far, the most tried one first."""
        found = [self._prospect(self.position, child) for child in self._children(self._root)]
        return sorted((p for p in found if p.visits or p.proven), key=lambda p: -p.visits)

    def best(self) -> Prospect | None:
        """The move to play: a proven win, else the most tried one not lost; None before any is tried."""
        mine = self.position.person
        found = self.prospects()
        rank = {mine: 2, None: 1, "draw": 1}
        return max(found, key=lambda p: (rank.get(p.proven, 0), p.visits), default=None)

    def line(self, length: int = 8) -> list[Move]:
        """The moves that both sides are expected to play."""
        moves: list[Move] = []
        node, position = self._root, self.position
        while len(moves) < length and not position.over:
            children = [n for n in self._children(node) if self._get(n, "visits")]
            if not children:
                break
            node = max(children, key=lambda n: self._get(n, "visits"))
            move = self._prospect(position, node).move
            moves.append(move)
            position = position.play(move)
        return moves

    def advance(self, position: Position) -> None:
        """Go on from a position that comes after this one, with what is known of it already."""
        root = self._after(position)
        if root is None or self._head[FOREST["used"]] > REUSED * self._head[FOREST["node_room"]]:
            self._plant(position)
        else:
            self._head[FOREST["root"]] = root
            self.position = position

    def _after(self, position: Position) -> int | None:
        """The node of a position one or two moves on."""
        level = [(self._root, self.position)]
        for _ in range(2):
            following = []
            for node, before in level:
                for child in self._children(node):
                    if self._get(child, "count"):
                        after = before.play(self._prospect(before, child).move)
                        if after == position:
                            return child
                        following.append((child, after))
            level = following
        return None

    @property
    def _root(self) -> int:
        return int(self._head[FOREST["root"]])

    def _children(self, node: int) -> range:
        first = self._get(node, "first")
        return range(first, first + self._get(node, "count"))

    def _prospect(self, position: Position, node: int) -> Prospect:
        visits, proven = self._get(node, "visits"), self._get(node, "proven")
        value = self._get(node, "wins") / (2 * visits) if visits else 0.0
        outcome = (None, "first", "second", "draw")[proven]
        return Prospect(position.move_of(self._path(node)), visits, value, outcome)

    def _path(self, node: int) -> tuple[int, ...] | None:
        """The words of the move that leads to a node; None: the pie rule's swap."""
        start = self._get(node, "path")
        if start == SWAP_PATH:
            return None
        length = self._paths[start]
        return tuple(self._paths[start + 1 : start + 1 + length])

    def _get(self, node: int, name: str) -> int:
        return self._nodes[node * NODE_WORDS + NODE[name]]

    def _set(self, node: int, name: str, value: int) -> None:
        self._nodes[node * NODE_WORDS + NODE[name]] = value
