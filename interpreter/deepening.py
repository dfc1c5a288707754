"""Looking ahead: what a position is worth, first one ply deep, then two, and so on.

>>> ahead = Lookahead(Game.load("connect_four", columns=4, rows=4).start())
>>> for found in ahead.deepen(depth=6):
...     print(found.depth, found.value, *ahead.line())
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator

import numpy as np
from attrs import frozen

from interpreter.game import Move, Position
from interpreter.lead import good_worths
from interpreter.native.lookahead import (
    BUCKET,
    DEEPEST,
    ENTRY,
    GENERATION_BITS,
    HEAD,
    HISTORY_BITS,
    MOVE_BITS,
    REPLY_BITS,
    WIN,
    WON,
    hashes,
    identity,
    past,
)

__all__ = ["DEEPEST", "WON", "Found", "Lookahead", "ahead_of"]

#: How many positions a table has room for, 32 bytes each, and how many words there are for listed moves.
POSITIONS = 1 << 20
ROOM = 1 << 20

#: The most positions to examine unless another limit is given.
NO_LIMIT = 1 << 62


@frozen
class Found:
    """What looking ahead has found."""

    #: How many plies it looked ahead.
    depth: int
    #: What the position is worth to the person to move: 0 is even, `WON` or more is a win.
    value: int
    #: The person who wins by force, "draw", or None if that is not known.
    proven: str | None
    #: In how many plies at most a win comes; None if none is proven.
    plies: int | None
    #: The best move; None if none was better than alpha.
    move: Move | None
    #: Whether the search finished; if not, the result is that of the moves examined so far.
    whole: bool
    #: Whether the value holds whatever lies beyond the depth.
    closed: bool


class Lookahead:
    """Looks ahead from a position in native code. What it has found is kept for the next position."""

    def __init__(
        self,
        position: Position,
        *,
        positions: int = POSITIONS,
        guesses: bool = True,
        blind: bool | None = None,
    ) -> None:
        """`positions` is how many the table has room for (a power of two).

        With `guesses`, a position at the horizon is worth its lead in the score, or in pieces and moves;
        otherwise it is even. `blind`: see `native.lookahead.past`; True by default if only repetitions
        count there. Raises ValueError if the native engine is not playing.
        """
        native = position.game.native
        if native is None:
            raise ValueError("looking ahead needs the native engine")
        self._native = native
        native.part("lookahead").loaded()  # so that compiling does not take time from thinking
        program = native.bound.program
        self._identity = identity(program, native.layout)
        #: What the rules make of earlier positions; if "more" and `blind`, wins and draws are good guesses.
        self.past = past(program)
        if blind is None:
            blind = self.past != "more"
        self.blind = blind
        self._table = _aligned(positions * ENTRY)
        self._history = np.zeros(2 << HISTORY_BITS, np.int64)
        self._replies = np.zeros(2 << REPLY_BITS, np.int64)
        self._killers = np.full(2 * (DEEPEST + 1), -1, np.int64)
        self._moves = np.zeros(ROOM, np.uint64)
        worths = good_worths(position.game) if guesses else ()
        self._worths = (ctypes.c_int64 * len(worths))(*worths)
        self._head = (ctypes.c_int64 * len(HEAD))()
        for name, value in {
            "table": self._table.ctypes.data,
            "mask": positions * ENTRY // BUCKET - 1,
            "history": self._history.ctypes.data,
            "replies": self._replies.ctypes.data,
            "killers": self._killers.ctypes.data,
            "moves": self._moves.ctypes.data,
            "room": ROOM,
            "guesses": guesses,
            "worths": ctypes.addressof(self._worths),
            "blind": blind,
        }.items():
            self._head[HEAD[name]] = value
        self.position = position

    @property
    def looked(self) -> int:
        """How many positions were examined, repeated visits included."""
        return self._head[HEAD["looked"]]

    def advance(self, position: Position) -> None:
        """Continue from another position of the same game."""
        self.position = position
        if self.past == "draw":
            self._table[:] = 0  # a stored win may pass through a position that has occurred since
        self._head[HEAD["generation"]] = (self._head[HEAD["generation"]] + 1) % (1 << GENERATION_BITS)
        self._history //= 8
        self._replies //= 8

    def look(
        self,
        depth: int,
        *,
        alpha: int = -WIN,
        beta: int = WIN,
        limit: int = NO_LIMIT,
        until: float | None = None,
    ) -> Found:
        """Look `depth` plies ahead (1 to `DEEPEST`), for a value between alpha and beta.

        Ends early when `looked` reaches the limit, or at the time `until` (of `time.monotonic`).
        Raises ValueError if the game is over, TooMuchWork.
        """
        if self.position.over:
            raise ValueError("the game is over: there is nothing to look ahead to")
        head = self._head
        self._values = np.zeros(len(self.position.legal_moves), np.int64)
        head[HEAD["values"]] = self._values.ctypes.data
        asked = {"depth": min(depth, DEEPEST), "alpha": alpha, "beta": beta, "limit": limit}
        for name, value in {**asked, "stop": 0, "broken": 0, "best": -1, "value": 0}.items():
            head[HEAD[name]] = value

        def stop() -> None:
            head[HEAD["stop"]] = 1

        timer = None if until is None else threading.Timer(until - time.monotonic(), stop)
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            value = self._native.look_ahead(self.position.snapshot, head)
        finally:
            if timer is not None:
                timer.cancel()
        whole = not head[HEAD["broken"]]
        value = value if whole else head[HEAD["value"]]
        best = head[HEAD["best"]]
        closed = whole and not head[HEAD["open"]]
        # If not all moves were examined, one win is still enough; losses alone prove nothing.
        sure = whole or value >= WON
        return Found(
            depth=depth,
            value=value,
            proven=self._proven(value, alpha, beta, closed) if sure else None,
            plies=WIN - abs(value) if sure and abs(value) >= WON else None,
            move=self.position.legal_moves[best] if best >= 0 else None,
            whole=whole,
            closed=closed,
        )

    def deepen(
        self, depth: int = DEEPEST, *, limit: int = NO_LIMIT, until: float | None = None
    ) -> Iterator[Found]:
        """Look one ply ahead, then two, and so on, until the value is known or a bound is reached."""
        for plies in range(1, depth + 1):
            # The first ply is always searched in full, however little time there is: better late than blind.
            found = self.look(plies, limit=limit, until=until) if plies > 1 else self.look(1)
            if found.move is not None:
                yield found
            if found.closed or found.proven or not found.whole:
                return

    def values(self) -> list[int]:
        """What each legal move is worth to the person who makes it, one ply ahead."""
        self.look(1)
        return [int(value) for value in self._values]

    def line(self, length: int = 12) -> list[Move]:
        """The moves that both sides are expected to play, as far as the table knows them."""
        moves: list[Move] = []
        position = self.position
        while len(moves) < length and not position.over:
            number = self._known(position) & ((1 << MOVE_BITS) - 1)
            if not 0 < number <= len(position.legal_moves):
                break
            moves.append(position.legal_moves[number - 1])
            position = position.play(moves[-1])
        return moves

    def _known(self, position: Position) -> int:
        """The last word of the entry of a position; 0 if it has none."""
        keys = hashes(self._native.layout.pack(position.snapshot), self._identity)
        start = (keys[0] & self._head[HEAD["mask"]]) * BUCKET
        for entry in (start, start + ENTRY):
            words = self._table[entry : entry + ENTRY].tolist()
            if (words[0], words[1]) == keys:
                return int(words[3])
        return 0

    def _proven(self, value: int, alpha: int, beta: int, closed: bool) -> str | None:
        """What a value proves, if the table can be trusted."""
        mine = self.position.person
        if self.blind and self.past == "more":
            return None
        if value >= WON:
            return mine
        if value <= -WON:
            return {"first": "second", "second": "first"}[mine]
        return "draw" if closed and alpha < value == 0 < beta else None


def ahead_of(known: Lookahead | None, position: Position, positions: int = POSITIONS) -> Lookahead:
    """A lookahead from a position: the `known` one moved there, if of the same game, else a new one."""
    if known is None or known.position.game != position.game:
        known = Lookahead(position, positions=positions)
    known.advance(position)
    return known


def _aligned(words: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Zeroed memory that starts at a cache line."""
    memory = np.zeros(words + 8, np.uint64)
    start = -memory.ctypes.data % 64 // 8
    return memory[start : start + words]
