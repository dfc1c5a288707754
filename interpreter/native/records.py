"""Many positions of one game at once, in the form that native code loops over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from interpreter.engine import Snapshot
from interpreter.native.layout import Layout

Index = slice | NDArray[np.int64] | NDArray[np.bool_]


@frozen(eq=False)
class Records:
    """n positions. Each has room for the same number of earlier positions, none if no rule asks for them."""

    layout: Layout
    #: uint64[n, words]: see `Layout`.
    words: NDArray[np.uint64]
    #: uint64[n, room, key words]: the keys of the positions so far.
    history: NDArray[np.uint64]
    #: uint64[n, room]: the hashes of their boards.
    hashes: NDArray[np.uint64]

    @classmethod
    def of(cls, layout: Layout, snapshots: Sequence[Snapshot]) -> Records:
        """The records of these positions."""
        past = [[layout.key(key) for key in snapshot.history] for snapshot in snapshots]
        room = max(map(len, past), default=0)
        words = np.array([layout.pack(snapshot) for snapshot in snapshots], np.uint64).reshape(
            -1, layout.words
        )
        history = np.zeros((len(snapshots), room, layout.key_words), np.uint64)
        hashes = np.zeros((len(snapshots), room), np.uint64)
        for i, keys in enumerate(past):
            for j, key in enumerate(keys):
                history[i, j], hashes[i, j] = key, layout.board_hash(key)
        return cls(layout, words, history, hashes)

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, index: Index) -> Records:
        """Some of them: a slice shares the memory, anything else copies."""
        return Records(self.layout, self.words[index], self.history[index], self.hashes[index])

    @property
    def room(self) -> int:
        """How many earlier positions each has room for."""
        return int(self.hashes.shape[1])

    def with_room(self, more: int) -> Records:
        """The same positions with room for `more` plies, in the same memory if that has enough."""
        needed = int(self.register("remembered").max(initial=0)) + more
        if needed <= self.room:
            return self
        wider = ((0, 0), (0, max(needed, 2 * self.room) - self.room))
        return Records(
            self.layout, self.words, np.pad(self.history, (*wider, (0, 0))), np.pad(self.hashes, wider)
        )

    def register(self, name: str) -> NDArray[np.uint64]:
        """uint64[n]: a register of each position."""
        return self.words[:, self.layout.register[name]]

    def snapshot(self, i: int) -> Snapshot:
        """One of them, as a snapshot."""
        remembered = int(self.register("remembered")[i])
        past = tuple(self.layout.key_at(key) for key in self.history[i, : max(remembered - 1, 0)].tolist())
        return self.layout.unpack(self.words[i].tolist(), past)
