"""Thinking ahead: a search tree that grows by random games, and what it says about the moves.

A node is a position reached by certain moves: two ways to one position are two nodes, so what depends on
the way (repetitions, the number of moves) is never mixed up.

With several threads, each grows its own tree from different random numbers, and the results are added up
(Chaslot, Winands, van den Herik 2008, "Parallel Monte-Carlo Tree Search": root parallelization). Nothing is
shared, so the same seed and number of threads find the same moves again.
"""

from __future__ import annotations

import ctypes
import random
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_int64, c_uint64
from functools import partial
from mmap import mmap
from threading import Event
from time import monotonic

from attrs import define, field, frozen

from interpreter.game import Move, Position
from interpreter.lead import Lead, lead_of
from interpreter.native.context import FOREST, MOVES, MOVES_WORDS, NODE, NODE_WORDS, SWAP_PATH, WIN
from interpreter.native.engine import Native
from interpreter.playouts import check_policy
from interpreter.thought import Prospect

#: The mask that makes a word of a move unsigned, as the engine lists it.
WORD = 0xFFFF_FFFF_FFFF_FFFF

#: The most 64-bit words of memory that the tree of a thread takes: 64 MiB.
WORDS = 1 << 23

#: A full tree is cut back to this part of its memory.
KEPT = 0.5

#: How many moves deep a tree may go.
DEEP = 512

#: What decides which move is better: what kind of thing is known about it, then how certain or how far away
#: that is, then the mean result of its random games.
Rank = tuple[int, int, float]

#: Native code runs for about CHUNK seconds at a time, so that an interrupt is soon noticed; all threads run
#: for ROUND seconds before there is something new to report.
CHUNK, ROUND = 0.03, 0.15


@frozen
class Guide:
    """The numbers that guide a search; results are -1 for a loss to 1 for a win here."""

    #: How much is explored besides what has won most so far.
    exploration: float = 1.0
    #: How soon a move's own playouts count for more than those that merely had a piece on its site:
    #: the larger, the sooner.
    bias: float = 0.002
    #: A new move is tried unless the best of the others is better than the mean by this.
    urgency: float = 10.0
    #: The most moves that may be tried: `wide`, plus `wider` times the square root of the visits;
    wide: float = 24.0
    wider: float = 4.0
    #: the same if a table says which moves come first.
    guided_wide: float = 4.0
    guided_wider: float = 1.5
    #: The moves of a node are listed after at least this many visits,
    opened: int = 3
    #: and once the random games through it had this many times as many moves as the list is likely to have;
    listed: int = 12
    #: they are checked for an immediate win once those games had this many times as many moves as the list.
    studied: int = 16


#: Random games that are cut short find no wins, so the tree looks for wins itself, as soon as it can.
SHARP = Guide(opened=1, listed=1, studied=1)


@define
class _Trunk:
    """The tree of one thread: its memory, and how to read it."""

    native: Native
    policy: str
    lead: Lead
    words: int
    head: ctypes.Array[c_uint64]
    guide: Guide
    memory: ctypes.Array[c_int64] = field(init=False)
    _stack: ctypes.Array[c_uint64] = field(init=False)
    _worths: ctypes.Array[c_int64] = field(init=False)
    #: How many random games take about as long as native code should run at a time.
    pace: int = 1
    #: Nodes with fewer visits than this lost what was below them when the tree was last full.
    _least: int = 0

    def __attrs_post_init__(self) -> None:
        self._stack = (c_uint64 * (DEEP + 2))()
        self.memory = (c_int64 * 0)()
        self.head[FOREST["stack"]] = ctypes.addressof(self._stack)
        self.head[FOREST["depth"]] = DEEP
        self._worths = (c_int64 * len(self.lead.worths))(*self.lead.worths)
        self.head[FOREST["worths"]] = ctypes.addressof(self._worths)
        for name in ("plies", "fair", "half"):
            self.head[FOREST[name]] = getattr(self.lead, name)
        for name in ("exploration", "bias", "urgency", "wide", "wider", "guided_wide", "guided_wider"):
            self.head[FOREST[name]] = struct.unpack("<Q", struct.pack("<d", getattr(self.guide, name)))[0]
        for name in ("opened", "listed", "studied"):
            self.head[FOREST[name]] = getattr(self.guide, name)

    @classmethod
    def sown(cls, native: Native, policy: str, lead: Lead, words: int, seed: str, guide: Guide) -> _Trunk:
        trunk = cls(native, policy, lead, words, (c_uint64 * len(FOREST))(), guide)
        trunk.head[FOREST["seed"]] = random.Random(seed).getrandbits(64) | 1
        trunk.plant()
        return trunk

    def plant(self) -> None:
        """Start over with an empty tree."""
        self._settle(_memory(self.words), self.head)
        self.head[FOREST["root"]] = 1  # 0 means: no node
        self.head[FOREST["used"]] = 2
        self.head[FOREST["low"]] = self.words
        self.head[FOREST["closed"]] = 0

    def _settle(self, memory: ctypes.Array[c_int64], head: ctypes.Array[c_uint64]) -> None:
        head[FOREST["memory"]] = ctypes.addressof(memory)
        self.memory, self.head = memory, head

    @property
    def root(self) -> int:
        return int(self.head[FOREST["root"]])

    def grow(self, position: Position, playouts: int) -> int:
        """Grow by this many random games; by fewer if the position is proven. Returns their number."""
        grown = 0
        while True:
            left = playouts - grown
            grown += self.native.grow(position.snapshot, self.policy, self.head, left, DEEP + self.lead.plies)
            if not self.head[FOREST["full"]]:
                return grown
            self.prune()

    def prune(self) -> None:
        """Make room: drop what is not below the root, then what is below the least visited nodes."""
        most = self.get(self.root, "visits")
        self._least //= 2
        while True:
            memory, head = _memory(self.words), (c_uint64 * len(FOREST))(*self.head)
            head[FOREST["memory"]], head[FOREST["low"]] = ctypes.addressof(memory), self.words
            self.native.transplant(self.policy, self.head, head, self._least)
            taken = head[FOREST["used"]] * NODE_WORDS + self.words - head[FOREST["low"]]
            fits = taken <= KEPT * self.words
            if fits or self._least > most:
                break
            self._least = max(2 * self._least, self.guide.opened)
        # If even the root alone is too large, the leaves stay leaves, and the random games go on.
        head[FOREST["closed"]] = not fits
        self._settle(memory, head)

    def get(self, node: int, name: str) -> int:
        return self.memory[node * NODE_WORDS + NODE[name]]

    def children(self, node: int) -> list[tuple[int, tuple[int, ...] | None]]:
        """The nodes below a node, and the words of the moves to them (None: the pie rule's swap)."""
        moves, first = self.get(node, "moves"), self.get(node, "first")
        stride = self.memory[moves + MOVES["stride"]]
        found: list[tuple[int, tuple[int, ...] | None]] = []
        for i in range(self.get(node, "tried")):
            at = moves + MOVES_WORDS + i * stride
            length = self.memory[at]
            words = self.memory[at + 1 : at + 1 + (length & 0xFFFF_FFFF)] if length != SWAP_PATH else None
            found.append((first + i, None if words is None else tuple(word & WORD for word in words)))
        return found

    def advance(self, position: Position, move: Move) -> None:
        """Continue from the node of a move; start over if nothing is known below it."""
        children = self.children(self.root)
        child = next((node for node, words in children if position.move_of(words) == move), 0)
        below = [node for node, _ in self.children(child)] if child else []
        # A node proven by looking ahead alone is searched again, as there is nothing below it to play.
        shown = not self.get(child, "proven") or any(self.get(node, "proven") for node in below)
        if below and shown:
            self.head[FOREST["root"]] = child
            self.head[FOREST["closed"]] = 0
        else:
            self.plant()


class Tree:
    """A search tree of a position; needs the native engine."""

    def __init__(
        self,
        position: Position,
        *,
        seed: int | str = 0,
        threads: int = 1,
        policy: str = "stepwise",
        words: int = WORDS,
        guide: Guide | None = None,
        lead: Lead | None = None,
    ) -> None:
        """`policy` is that of the random games (see `Position.playouts`), `words` the memory of each thread.

        `lead` says when a random game is cut short and how it is then judged; it is measured by default.
        `guide` is by default what works best with that.

        Raises ValueError if the game is over or the native engine is not playing.
        """
        native = position.game.native
        if native is None:
            raise ValueError("a search tree needs the native engine")
        check_policy(policy)
        _refuse_end(position)
        self.position = position
        lead = lead or lead_of(position.game, policy)
        guide = guide or (SHARP if lead.decides else Guide())
        self._trunks = [
            _Trunk.sown(native, policy, lead, words, f"{seed} {number}", guide) for number in range(threads)
        ]
        self._line: list[tuple[Move, Position]] = []

    def grow(self, playouts: int) -> int:
        """Think for this many more random games; returns how many it took: fewer for a proven position."""
        before = self.playouts
        for _ in self.think(playouts=playouts):
            pass
        return self.playouts - before

    def think(self, playouts: int | None = None, seconds: float | None = None) -> Iterator[float]:
        """Think for at most this many more random games and seconds; yields how much is done, from 0 to 1.

        Ends early once the position is proven. Raises TooMuchWork.
        """
        threads = len(self._trunks)
        left = [_share(playouts, threads, i) for i in range(threads)]
        start = monotonic()
        stop = Event()
        with ThreadPoolExecutor(threads) as pool:
            run = map if threads == 1 else pool.map
            try:
                while True:
                    pause = monotonic() + ROUND
                    if seconds is not None:
                        pause = min(pause, start + seconds)
                    left = list(run(partial(self._round, pause, stop), self._trunks, left))
                    done = 1.0 if not any(left) else 0.0
                    if playouts is not None:
                        done = max(done, 1 - sum(left) / max(1, playouts))
                    if seconds is not None:
                        done = max(done, min(1.0, (monotonic() - start) / max(seconds, 1e-9)))
                    if playouts is None and 0 in left:
                        done = 1.0  # a tree that wants no more has proven its root
                    yield done
                    if done == 1:
                        return
            finally:
                stop.set()

    def _round(self, pause: float, stop: Event, trunk: _Trunk, most: int) -> int:
        """Grow a tree by `most` random games, or until it is time to pause; returns how many are left.

        None are left once its root is proven.
        """
        while most and not stop.is_set():
            goal, before = min(trunk.pace, most), monotonic()
            most = most - goal if trunk.grow(self.position, goal) == goal else 0
            now = monotonic()
            took = max(now - before, 1e-6)
            trunk.pace = max(1, min(2 * trunk.pace, int(goal * min(CHUNK, max(pause - now, 0.0)) / took)))
            if now >= pause:
                break
        return most

    @property
    def playouts(self) -> int:
        """How many random games the tree has seen from its position."""
        return sum(trunk.get(trunk.root, "visits") for trunk in self._trunks)

    @property
    def played(self) -> int:
        """How many random games were played in all; the others reached what was already proven."""
        return sum(trunk.head[FOREST["played"]] for trunk in self._trunks)

    @property
    def proven(self) -> str | None:
        """The person who wins by force from here, "draw", or None."""
        return _outcome(max(trunk.get(trunk.root, "proven") for trunk in self._trunks))

    def prospects(self) -> list[Prospect]:
        """The moves tried so far, the best first.

        First come proven wins, the shortest first; then unproven moves, the most tried first, with
        proven draws ranked among them; then proven losses, the longest first.
        """
        return [prospect for _, prospect in sorted(self._ranked(), key=lambda pair: pair[0], reverse=True)]

    def best(self) -> Prospect | None:
        """The move to play; None before any is tried."""
        return max(self._ranked(), key=lambda pair: pair[0], default=(None, None))[1]

    def _ranked(self) -> list[tuple[Rank, Prospect]]:
        sums: dict[tuple[int, ...] | None, list[int]] = {}
        for trunk in self._trunks:
            for node, words in trunk.children(trunk.root):
                seen = sums.setdefault(words, [0, 0, 0, 0])
                seen[0] += trunk.get(node, "visits")
                seen[1] += trunk.get(node, "sum")
                if trunk.get(node, "proven"):
                    seen[2:] = trunk.get(node, "proven"), trunk.get(node, "plies")
        mine = self.position.person
        sign = 1 if mine == "first" else -1
        known = [
            (self.position.move_of(words), visits, sign * total, proven, plies)
            for words, (visits, total, proven, plies) in sums.items()
        ]
        # A certain draw is better than a likely loss.
        usual = max(((visits, total) for _, visits, total, proven, _ in known if not proven), default=(0, 0))
        ranked: list[tuple[Rank, Prospect]] = []
        for move, visits, total, proven, plies in known:
            mean = total / max(1, visits) / WIN
            match outcome := _outcome(proven):
                case None:
                    rank, value = (2, visits, mean), (1 + mean) / 2
                case "draw":
                    rank, value = (2 if usual[1] > 0 else 3, -1, mean), 0.5
                case person if person == mine:
                    rank, value = (4, -plies, mean), 1.0
                case _:
                    rank, value = (1, plies, mean), 0.0
            ranked.append((rank, Prospect(move, visits, value, outcome)))
        return ranked

    def line(self, length: int = 8, first: Move | None = None) -> list[Move]:
        """The moves that both sides are expected to play; `first`, if not given, is the best one."""
        trunk = max(self._trunks, key=lambda trunk: trunk.get(trunk.root, "visits"))
        best = self.best()
        if best is None:
            return []
        first = first or best.move
        # Playing moves is slow, so the part of the last line that is still expected is reused.
        node, position, line, kept = trunk.root, self.position, list[tuple[Move, Position]](), self._line
        while len(line) < length and (children := trunk.children(node)):
            by_move = {position.move_of(words): child for child, words in children}
            move = max(by_move, key=lambda move: trunk.get(by_move[move], "visits"))
            if not line:
                if first not in by_move:  # another thread has found it
                    return [first]
                move = first
            if kept and kept[0][0] == move:
                line.append(kept[0])
                kept = kept[1:]
            else:
                line.append((move, position.play(move)))
                kept = []
            node, position = by_move[move], line[-1][1]
        self._line = line
        return [move for move, _ in line]

    def advance(self, move: Move) -> None:
        """Continue from the position after a move, keeping what is known. ValueError if the game is over."""
        after = self.position.play(move)
        _refuse_end(after)
        for trunk in self._trunks:
            trunk.advance(self.position, move)
        self.position, self._line = after, []


def _memory(words: int) -> ctypes.Array[c_int64]:
    """Zeroed memory of `words` words; only those written to take up real memory."""
    return (c_int64 * words).from_buffer(mmap(-1, 8 * words))


def _refuse_end(position: Position) -> None:
    if position.over:
        raise ValueError("the game is over: there is nothing to think about")


def _share(playouts: int | None, threads: int, number: int) -> int:
    """The share of a thread; without a limit, more than it can ever do."""
    return 1 << 60 if playouts is None else (playouts + threads - 1 - number) // threads


def _outcome(proven: int) -> str | None:
    return (None, "first", "second", "draw")[proven]
