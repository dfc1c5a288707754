"""All positions that can arise, and who wins from each: for small games, even if play can go in circles."""

from __future__ import annotations

import time

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from interpreter.game import Move, Position
from interpreter.native.engine import Native
from interpreter.native.lookahead import FACTORS, identity
from interpreter.native.records import Records
from interpreter.playouts import UNFINISHED, by_person

#: How many positions are expanded at a time; fewer if each has a long past.
CHUNK = 4_096

#: The winner of a position from which nobody is known to win.
NOBODY = -1


@frozen(eq=False)
class Graph:
    """Positions by number, the first one 0, and where their moves lead."""

    #: int64[n + 1]: the moves of position i are those from starts[i] up to, but excluding, starts[i + 1].
    starts: NDArray[np.int64]
    #: int64[moves]: the position after each.
    after: NDArray[np.int64]
    #: int8[n]: who is to move, 0 the first person, 1 the second.
    movers: NDArray[np.int8]
    #: int8[n]: who wins by force: 0, 1, or `NOBODY`.
    winners: NDArray[np.int8]
    #: int64[n]: in how many plies, if the winner hurries and the loser delays as much as possible.
    plies: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.movers)

    def line(self, position: Position, length: int) -> list[Move]:
        """The best moves of both sides from the first position on."""
        moves: list[Move] = []
        here = 0
        while not position.over and len(moves) < length:
            following = self.after[self.starts[here] : self.starts[here + 1]]
            winners, plies = self.winners[following], self.plies[following]
            mine = int(self.movers[here])
            rank = np.where(winners == mine, 2.0, np.where(winners == NOBODY, 1.0, 0.0))
            # The winner hurries, the loser delays.
            rank += np.where(winners == mine, -plies, plies) / (2.0 * (1 + len(self)))
            best = int(rank.argmax())
            moves.append(position.legal_moves[best])
            position, here = position.play(moves[-1]), int(following[best])
        return moves


#: The number of each position, by both of its hashes.
Numbers = dict[tuple[int, int], int]


def enumerate_all(
    position: Position, most: int, until: float, numbers: Numbers | None = None
) -> Graph | None:
    """The positions that can follow one that is not over; None if there are too many or it takes too long.

    Only repetitions of positions before the first one count; see `native.lookahead.past` for when that is
    right. `until` is a time of `time.monotonic`. `numbers` is filled as it goes, so that others can see the
    progress. Raises TooMuchWork.
    """
    native = position.game.native
    assert native is not None
    root = Records.of(native.layout, [position.snapshot]).with_room(1)
    words_that_count = identity(native.bound.program, native.layout)
    numbers = {} if numbers is None else numbers
    numbers |= dict.fromkeys(_hashes(root.words, words_that_count), 0)
    found = [_looked_at(native, root)]
    after = list[NDArray[np.int64]]()
    for words, counts, _ in found:  # it grows as we go
        size = max(1, CHUNK // (1 + root.room))
        for low in range(0, len(words), size):
            if len(numbers) > most or time.monotonic() > until:
                return None
            before = len(numbers)
            records = _played(native, root, words[low : low + size], counts[low : low + size])
            keys = _hashes(records.words, words_that_count)
            after.append(np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64))
            fresh, rows = np.unique(after[-1], return_index=True)
            if len(numbers) > before:
                found.append(_looked_at(native, records[rows[fresh >= before]]))
    return _solved(native, found, after)


def _hashes(words: NDArray[np.uint64], which: list[int]) -> list[tuple[int, int]]:
    """The `native.lookahead.hashes` of many positions."""
    one, two = np.zeros((2, len(words)), np.uint64)
    for i in which:
        one = (one ^ words[:, i]) * np.uint64(FACTORS[0])
        one ^= one >> np.uint64(32)
        two = (two + words[:, i]) * np.uint64(FACTORS[1])
        two ^= two >> np.uint64(29)
    return list(zip(one.tolist(), two.tolist(), strict=True))


#: The words of some positions, how many moves each has, and who has won (see `Batch.winners`).
Seen = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int8]]


def _looked_at(native: Native, records: Records) -> Seen:
    counts, winners = np.empty(len(records), np.int64), np.empty(len(records), np.int8)
    native.look(records, counts, winners)
    return records.words, counts, winners


def _played(native: Native, root: Records, words: NDArray[np.uint64], counts: NDArray[np.int64]) -> Records:
    """The positions after each move of some positions, all with the past of the root."""
    words = np.repeat(words, counts, axis=0)
    words[:, root.layout.register["remembered"]] = root.register("remembered")
    past = (np.repeat(part, len(words), axis=0) for part in (root.history, root.hashes))
    records = Records(root.layout, words, *past)
    first = np.cumsum(counts) - counts
    native.play(records, np.arange(len(words)) - np.repeat(first, counts))
    return records


def _solved(native: Native, found: list[Seen], after: list[NDArray[np.int64]]) -> Graph:
    """Backwards from the ends: a mover with a move to a win wins, one with only moves to a loss loses."""
    words, counts, ended = (np.concatenate(parts) for parts in zip(*found, strict=True))
    following = np.concatenate(after)
    swapped = words[:, native.layout.register["swapped"]].astype(np.bool_)
    movers = (words[:, native.layout.mover].astype(np.bool_) ^ swapped).astype(np.int8)
    winners = by_person(np.where(ended == UNFINISHED, NOBODY, ended).astype(np.int8), swapped)
    plies = np.zeros(len(words), np.int64)
    open_ = np.flatnonzero(counts)
    starts = np.cumsum(counts) - counts
    firsts = starts[open_]
    for ply in range(1, len(words) + 1):
        results = winners[following]
        mine = np.repeat(movers[open_], counts[open_])
        wins = np.logical_or.reduceat(results == mine, firsts)
        loses = np.logical_and.reduceat(results == 1 - mine, firsts)
        new = (winners[open_] == NOBODY) & (wins | loses)
        if not new.any():
            break
        winners[open_] = np.where(new, np.where(wins, movers[open_], 1 - movers[open_]), winners[open_])
        plies[open_[new]] = ply
    return Graph(np.append(starts, len(following)), following, movers, winners, plies)
