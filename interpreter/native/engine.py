"""The native engine: an `interpreter.engine.Engine` whose rules are machine code."""

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from ctypes import c_bool, c_int64, c_uint64, c_void_p
from functools import cached_property
from itertools import takewhile
from operator import is_
from typing import TYPE_CHECKING, Any

import attrs

from gdl import core as c
from gdl.core import Type
from gdl.parts import walk
from interpreter.binding import Bound
from interpreter.engine import STUCK, Candidate, Choice, Key, Snapshot, Verdict
from interpreter.errors import TooMuchWork
from interpreter.native.compiler import Library, has_bmi2
from interpreter.native.context import (
    BUDGET,
    CONTEXT,
    DRAW,
    GOLDEN,
    LONG_GAME,
    LONGEST_PATH,
    LOW_BITS,
    MODE,
    OUT_OF_STACK,
    TAG_OF,
    TAGS,
    TOO_LONG,
    WORD,
    TooLarge,
)
from interpreter.native.layout import Layout
from interpreter.native.lookahead import DEEPEST, HEAD
from interpreter.native.shape import calls_itself, longest_path, remembers, uses_stuck
from interpreter.native.stack import LARGE_ROOM, ROOM, on_large_stack
from interpreter.notation import Speller, bounded, check_length
from interpreter.reference import MOST_MOVES, Reference

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from interpreter.native.records import Records

    Array = NDArray[Any]

__all__ = ["Native", "TooLarge"]

#: How many words there are for listed moves, at first and at most.
LISTED, MOST_LISTED = 1 << 14, 1 << 25

#: The most that is compiled (see `_amount`): a few seconds' worth.
LARGEST = 30_000

#: How many decoded moves are kept, and of how many words and characters at most: longer ones fill the memory.
KEPT, WORDS, CHARACTERS = 1 << 15, 16, 100

_MASK = 0xFFFF_FFFF_FFFF_FFFF

#: Tags of a path and the types of what they hold.
_TYPES = {tag: type_.value for type_, tag in TAG_OF.items()} | {"site": Type.SET.value}


def _amount(text: str, words: int) -> int:
    """How much there is to compile: the lines, plus `words` for every mention of a set of several words."""
    return text.count("\n") + (words * text.count(f"i{64 * words}") if words > 1 else 0)


class Workspace:
    """The memory in which the functions of one thread work."""

    def __init__(self, layout: Layout, path: int) -> None:
        self.layout = layout
        self.context = (c_uint64 * len(CONTEXT))()
        self._signed = (c_int64 * len(CONTEXT)).from_buffer(self.context)
        self.path = (c_uint64 * (path + 1))()
        self._best = (c_uint64 * (path + 2))()
        self._set("path", ctypes.addressof(self.path))
        self._set("best", ctypes.addressof(self._best))
        self._room = (c_uint64 * 0)()
        self.resize(LISTED)
        #: The position that the functions work on, and its record.
        self._held: Snapshot | None = None
        self._record: Sequence[int] = ()
        self._past: tuple[Key, ...] = ()
        self._history, self._hashes = array("Q"), array("Q")
        self.remember((), 0)

    def record(self, snapshot: Snapshot) -> ctypes.Array[c_uint64]:
        """The record of a position; one asked about again, or just reached by a move, is packed only once."""
        if snapshot is not self._held:
            self.hold(snapshot, self.layout.pack(snapshot))
        return (c_uint64 * self.layout.words)(*self._record)

    def hold(self, snapshot: Snapshot, record: Sequence[int]) -> None:
        self._held, self._record = snapshot, record

    def resize(self, words: int) -> None:
        """Make room for listed moves. Raises TooMuchWork."""
        if words > MOST_LISTED:
            raise TooMuchWork(f"the moves of a turn take more than {MOST_LISTED:,} words to list")
        self.out = (c_uint64 * words)()

    def prepare(self, mode: str, stack: int = ROOM) -> None:
        """Prepare for a search whose recursion may use `stack` bytes of the stack."""
        self._set("room", stack)
        self._set("floor", 0)
        self._set("work", 0)
        self._set("count", 0)
        self._set("mode", MODE[mode])
        self._set("out", ctypes.addressof(self.out))
        self._set("capacity", len(self.out))

    def remember(self, past: tuple[Key, ...], more: int) -> None:
        """Hold the earlier positions, with room for more; those already held stay."""
        shared = sum(takewhile(bool, map(is_, self._past, past)))
        words = self.layout.key_words
        del self._history[shared * words :], self._hashes[shared:]
        for key in past[shared:]:
            packed = self.layout.key(key)
            self._history.extend(packed)
            self._hashes.append(self.layout.board_hash(packed))
        self._past = past
        self._history.extend([0] * (words * (more + 1)))
        self._hashes.extend([0] * (more + 1))
        self.look_back(self._history.buffer_info()[0], self._hashes.buffer_info()[0])

    def look_back(self, history: int, hashes: int) -> None:
        """Set the addresses of the keys of earlier positions and of their hashes."""
        self._set("history", history)
        self._set("hashes", hashes)

    def room(self, plies: int) -> tuple[int, int]:
        """The addresses of memory for the keys, and for the hashes, of `plies` positions."""
        words = self.layout.key_words
        if len(self._room) < plies * (words + 1):
            self._room = (c_uint64 * (plies * (words + 1)))()
        start = ctypes.addressof(self._room)
        return start, start + 8 * plies * words

    def get(self, name: str) -> int:
        """A word of the context, signed."""
        return self._signed[WORD[name]]

    def _set(self, name: str, value: int) -> None:
        self.context[WORD[name]] = value


def _sown(seed: int, number: int) -> int:
    """Where the random numbers of a game or position start, given its number (see `Many._sow`)."""
    mixed = seed & _MASK
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
    return (mixed ^ mixed >> 31) + number * GOLDEN & _MASK


def _address(function: Callable[..., int]) -> int:
    """The address of the code of a ctypes function."""
    return ctypes.cast(function, c_void_p).value or 0  # type: ignore[arg-type]


class Native:
    """The native engine of one game. Several threads may use it at once."""

    def __init__(self, bound: Bound, keep: bool = True) -> None:
        """Write the rules as code, or find the code on disk if it was kept there (`keep`).

        Raises TooLarge if they are too large for native code.
        """
        self.bound = bound
        self._keep = keep
        self._lock = threading.Lock()
        self._parts: dict[str, Library] = {}
        program = bound.program
        self.layout = Layout(bound)
        path = max(longest_path(turn, bound.board) for turn in program.turns.values())
        self._path = min(path, LONGEST_PATH)
        self._speller = Speller(bound)
        self._moves = dict[tuple[int, ...], Candidate]()
        self._notations = [node for node in walk(program.turns) if isinstance(node, c.Notation)]
        self._threads = threading.local()
        self.uses_stuck, self.remembers = uses_stuck(program), remembers(program)
        self._calls_itself = calls_itself(program)
        self._rules = self._loaded("rules")

    def anew(self, keep: bool) -> Native:
        """The same rules, loaded again."""
        return Native(self.bound, keep)

    # The rules are compiled when the first of these is called; random games do not need them.

    @cached_property
    def _search(self) -> Callable[..., int]:
        return self._rule("search")

    @cached_property
    def _follow(self) -> Callable[..., int]:
        return self._rule("follow")

    @cached_property
    def _verdict(self) -> Callable[..., int]:
        return self._rules.function("verdict", c_int64, [c_void_p, c_void_p, c_bool])

    @cached_property
    def _perft(self) -> Callable[..., int]:
        return self._rules.function("perft", c_int64, [c_void_p, c_void_p, c_uint64])

    @cached_property
    def reference(self) -> Reference:
        return Reference(self.bound)

    # --- the engine ----------------------------------------------------------

    def start(self) -> Snapshot:
        return self.reference.start()

    def candidates(self, snapshot: Snapshot) -> list[Candidate]:
        work = self._workspace(snapshot)
        position = work.record(snapshot)
        while True:
            self._call(work, "list", self._search, position)
            if work.get("capacity") >= 0:
                return bounded(self._listed(work))
            work.resize(2 * len(work.out) - work.get("capacity"))

    def after(self, snapshot: Snapshot, candidate: Candidate) -> Snapshot:
        work = self._workspace(snapshot, more=1)
        position = work.record(snapshot)
        work.path[: len(candidate.run)] = candidate.run
        self._call(work, "any", self._follow, position)
        record = list(position)
        after = self.layout.unpack(record, snapshot.history)
        work.hold(after, record)
        return after

    def verdict(self, snapshot: Snapshot) -> Verdict | None:
        work = self._workspace(snapshot)
        position = work.record(snapshot)
        asked = self.uses_stuck or snapshot.last_mover is None
        stuck = asked and self._stuck(work, position)
        if snapshot.last_mover is None and not stuck:
            return None  # before the first move, the game can be over only if no move is legal
        verdict = self._call(work, "any", self._verdict, position, stuck)
        if not verdict:
            return STUCK if stuck or (not asked and self._stuck(work, position)) else None
        number, winner = divmod(verdict - 1, 3)
        ending = self.bound.program.end[number]
        by_score = ending.outcome.kind in ("highest", "lowest")
        scores = (work.get("score0"), work.get("score1")) if by_score else None
        return Verdict(None if winner == DRAW else winner, ending.text, scores)

    def _stuck(self, work: Workspace, position: ctypes.Array[c_uint64]) -> bool:
        """Whether the player to move has no legal move."""
        return not self._call(work, "any", self._search, position)

    # --- more than an engine must do -----------------------------------------

    def perft(self, snapshot: Snapshot, depth: int) -> int:
        """How many sequences of `depth` moves there are from a position that is not over."""
        work = self._workspace(snapshot, more=depth)
        while True:
            count = self._call(work, "list", self._perft, work.record(snapshot), depth)
            if count >= 0:
                return count
            work.resize(4 * len(work.out))

    def look(self, records: Records, counts: Array, winners: Array) -> None:
        """Write how many legal moves each position has (int64), and who won (int8: -1 nobody, -2 no end)."""
        self._many("batches", "look", records, counts, winners)

    def play(self, records: Records, numbers: Array) -> None:
        """Play the legal move with each number (int64); none if it is negative."""
        done = 0
        while (done := done + self._many("batches", "play", records[done:], numbers[done:])) < len(records):
            work = self._own()
            work.resize(4 * len(work.out))

    def step(self, records: Records, moves: int, policy: str, seed: int, first: int) -> None:
        """Play `moves` random moves in each; `first` is the number of the first position, for its seed."""
        self._many(policy, f"step_{policy}", records, moves, _sown(seed, first))

    def playouts(
        self,
        records: Records,
        policy: str,
        seed: int,
        first: int,
        most_plies: int,
        winners: Array,
        plies: Array,
        swapped: Array,
    ) -> None:
        """Random games from each position, as many as the arrays [n, k] have room for.

        int8: the winner (-1 nobody, -2 no end); int32: plies; bool: whether seats are swapped. `first` is the
        number of the first game, for its seed.
        """
        history, hashes = self._own().room(records.room + most_plies)
        each = winners.shape[1]
        arrays = winners, plies, swapped
        name = f"playouts_{policy}"
        self._many(policy, name, records, each, most_plies, _sown(seed, first), history, hashes, *arrays)

    def part(self, name: str) -> Library:
        """A part of the code besides the rules, `batches` or a policy, say; loaded when first asked for."""
        with self._lock:
            if name not in self._parts:
                try:
                    library = self._loaded(name)
                except TooLarge:
                    message = f"the rules of {self.bound.program.name} are too large to be played at random"
                    raise TooMuchWork(message) from None
                for function, later in self._later.items():
                    library.link(function, _address(later))
                self._parts[name] = library
            return self._parts[name]

    @cached_property
    def _later(self) -> dict[str, Callable[..., int]]:
        """What other parts call for `search` and `follow` at first: it compiles these and steps aside."""

        def later(name: str) -> Callable[..., int]:
            def first(context: int, position: int) -> int:
                function = self._rule(name)
                for library in list(self._parts.values()):
                    library.link(name, _address(function))
                return function(context, position)

            return ctypes.CFUNCTYPE(c_bool, c_void_p, c_void_p)(first)

        return {name: later(name) for name in ("search", "follow")}

    def _rule(self, name: str) -> Callable[..., int]:
        return self._rules.function(name, c_bool, [c_void_p, c_void_p])

    def _loaded(self, part: str) -> Library:
        """The machine code of a part of the game (see `Program`)."""

        def write() -> str:
            # The code writer is slow to import, and not needed if the code was kept.
            from interpreter.native.program import Program

            text = Program(self.bound, self.layout, has_bmi2(), part).text
            if _amount(text, self.layout.set_words) > LARGEST:
                raise TooLarge
            return text

        board = self.bound.board
        regions = (board.adjacency, board.edge, board.corner, board.center)
        table = (board.names, board.directions, board.steps, board.around, regions)
        # Games with the same rules share their code, whatever their names and setups.
        rules = attrs.evolve(
            self.bound.program, name="", base=None, designer=None, year=None, about="", options={}, setup=()
        )
        what = (part, rules, self.bound.pie, table)
        return Library(repr(what).encode(), write, self._keep)

    def grow(self, snapshot: Snapshot, policy: str, forest: Any, playouts: int, room: int) -> int:
        """Grow the search tree in this memory by `playouts` playouts; how many were made."""
        library = self.part(f"tree_{policy}")
        grow = library.function("grow", c_int64, [c_void_p, c_void_p, c_void_p, c_uint64])
        work = self._workspace(snapshot, more=room)
        return self._call_once(work, grow, work.record(snapshot), forest, playouts)

    def sample(self, snapshot: Snapshot, policy: str, sample: Any, games: int, room: int) -> None:
        """Play `games` more random games, each of at most `room` plies (see `native.tree.judgement`)."""
        library = self.part(f"tree_{policy}")
        run = library.function("sample", c_int64, [c_void_p, c_void_p, c_void_p, c_uint64])
        work = self._workspace(snapshot, more=room)
        self._call_once(work, run, work.record(snapshot), sample, games)

    def transplant(self, policy: str, old: Any, new: Any, least: int) -> None:
        """Copy a search tree to empty memory, without what is below nodes with fewer visits than `least`."""
        library = self.part(f"tree_{policy}")
        library.function("transplant", c_int64, [c_void_p, c_void_p, c_uint64])(old, new, least)

    def look_ahead(self, snapshot: Snapshot, head: Any) -> int:
        """The value of a position, as the head of the search asks for it (see `lookahead`).

        If this is interrupted, the search ends before the interrupt is raised again.
        """
        work = self._workspace(snapshot, more=DEEPEST + 2)
        run = self.part("lookahead").function("look_ahead", c_int64, [c_void_p, c_void_p, c_void_p])
        position = work.record(snapshot)
        head[HEAD["remembered"]] = len(snapshot.history)
        work.prepare("any", LARGE_ROOM)

        def stop() -> None:
            head[HEAD["stop"]] = 1

        value = int(on_large_stack(lambda: run(work.context, position, head), stop))
        self._check(work)
        return value

    def _many(self, part: str, name: str, records: Records, *arguments: Array | int) -> int:
        """Call a function for many positions; how many it finished before room ran out."""
        types = [c_uint64 if isinstance(a, int) else c_void_p for a in arguments]
        words = [a if isinstance(a, int) else a.ctypes.data for a in arguments]
        run = self.part(part).function(name, c_int64, [c_void_p, c_void_p, c_uint64, c_uint64, *types])
        work = self._own()
        work.look_back(records.history.ctypes.data, records.hashes.ctypes.data)
        return self._call_once(work, run, records.words.ctypes.data, len(records), records.room, *words)

    def _call(self, work: Workspace, mode: str, function: Callable[..., int], *arguments: Any) -> int:
        """Call code that can be called again on a larger stack, if it needs one. Raises TooMuchWork."""
        work.prepare(mode)
        result = function(work.context, *arguments)
        if work.get("floor") == OUT_OF_STACK:
            work.prepare(mode, LARGE_ROOM)
            result = on_large_stack(lambda: function(work.context, *arguments))
        self._check(work)
        return result

    def _call_once(self, work: Workspace, function: Callable[..., int], *arguments: Any) -> int:
        """Call code that changes its arguments, so that it cannot be called again. Raises TooMuchWork."""
        if self._calls_itself:
            work.prepare("any", LARGE_ROOM)
            result = on_large_stack(lambda: function(work.context, *arguments))
        else:
            work.prepare("any")
            result = function(work.context, *arguments)
        self._check(work)
        return result

    def _check(self, work: Workspace) -> None:
        if work.get("count") > MOST_MOVES:
            raise TooMuchWork(f"a turn of {self.bound.program.name} offers more than {MOST_MOVES:,} moves")
        spent = work.get("work")
        if spent >= BUDGET:
            what, most = ("random game", LONG_GAME) if spent >= TOO_LONG else ("turn", BUDGET)
            name = self.bound.program.name
            raise TooMuchWork(f"a {what} of {name} takes more than {most:,} steps to work out")

    def _workspace(self, snapshot: Snapshot, more: int = 0) -> Workspace:
        """The memory of this thread, holding the earlier positions of a position."""
        work = self._own()
        if self.remembers:
            work.remember(snapshot.history, more)
        return work

    def _own(self) -> Workspace:
        """The memory of this thread."""
        work = getattr(self._threads, "work", None)
        if work is None:
            work = self._threads.work = Workspace(self.layout, self._path)
        return work

    # --- paths ---------------------------------------------------------------

    def _listed(self, work: Workspace) -> Iterator[Candidate]:
        """The moves that a search has listed."""
        place = 0
        for _ in range(work.get("count")):
            end = place + 1 + work.out[place]
            run = tuple(work.out[place + 1 : end])
            yield self._moves.get(run) or self._decoded(run)
            place = end

    def _decoded(self, run: tuple[int, ...]) -> Candidate:
        """The move of a path, which is kept for the next time."""
        found = self._decode(run)
        if len(run) <= WORDS and len(found.move.notation) <= CHARACTERS:
            if len(self._moves) >= KEPT:
                self._moves.clear()
            self._moves[run] = found
        return found

    def _decode(self, run: tuple[int, ...]) -> Candidate:
        """The move of a path: its choices, and the text of its notation."""
        words = iter(run)
        path: list[Choice] = []
        notation = None
        for word in words:
            tag, value = TAGS[word >> 56], word & LOW_BITS
            if tag == "notation":
                node = self._notations[value]
                text = self._text(node, words)
                notation = (notation or "") + text if node.add else text
            elif tag != "prefer":
                path.append(self._choice(tag, value, words))
        return self._speller.candidate(tuple(path), notation, run)

    def _choice(self, tag: str, value: int, words: Iterator[int]) -> Choice:
        """One choice; the members of a set are in the words that follow."""
        match tag:
            case "site":
                return Type.SET.value, 1 << value
            case "set":
                return Type.SET.value, self.layout.set_at(
                    [next(words) for _ in range(self.layout.set_words)], 0
                )
            case "bool":
                return Type.BOOL.value, bool(value)
            case "int" | "kind":
                return _TYPES[tag], value - (value >> 55 << 56)
        return _TYPES.get(tag, tag), value

    def _text(self, notation: c.Notation, words: Iterator[int]) -> str:
        """The text of a notation, with its values taken from the path."""
        text = ""
        for part in notation.parts:
            if isinstance(part, str):
                text += part
            else:
                word = next(words)
                kind, value = self._choice(TAGS[word >> 56], word & LOW_BITS, words)
                text += self._speller.value(kind, value)
                check_length(text)
        return text
