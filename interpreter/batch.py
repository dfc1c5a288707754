"""Many positions of one game at once, as arrays: for programs to which Python is too slow move by move.

>>> batch = Batch.of(Game.load("ayu", size=5).start(), copies=1000)
>>> batch.step(10, seed=1)
>>> batch.play(np.where(batch.over, -1, 0))  # the first legal move of each, if there is one
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import wraps
from threading import RLock
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, SupportsIndex, TypeVar, cast

import numpy as np
from attrs import define, field
from numpy.typing import ArrayLike, NDArray

from gdl.core import Type
from interpreter.errors import IllegalMove, counted, whole
from interpreter.game import HASHING, Game, Position
from interpreter.native.records import Records
from interpreter.playouts import UNFINISHED, Playouts, by_person, check_policy, play_out, returns
from interpreter.settings import MOST_PLIES
from interpreter.sharing import share

if TYPE_CHECKING:
    from interpreter.native.engine import Native


P = ParamSpec("P")
T = TypeVar("T")


class NeedsNative(RuntimeError):
    """Only the native engine plays many positions at once."""


def _alone(method: Callable[Concatenate[Batch, P], T]) -> Callable[Concatenate[Batch, P], T]:
    """A method that waits until no other thread is using the batch, as playing writes to its memory."""

    @wraps(method)
    def waiting(self: Batch, *args: P.args, **keywords: P.kwargs) -> T:
        with self._lock:
            return method(self, *args, **keywords)

    return cast("Callable[Concatenate[Batch, P], T]", waiting)


@define(eq=False, repr=False)
class Batch:
    """n positions of one game, which are played together. Unlike a `Position`, a batch is mutable.

    Several threads may use a batch: one waits while another looks at it or plays in it.

    If a rule looks back (`repeated` and the like), each position has memory for its past: for each
    ply 8 bytes, and 8 for each word that `Position.hash64` is made of. It grows with the longest game.
    """

    game: Game
    _records: Records
    #: How many legal moves each position has and who has won, once that has been asked for.
    _seen: tuple[NDArray[np.int64], NDArray[np.int8]] | None = field(default=None, init=False)
    _lock: RLock = field(factory=RLock, init=False)

    def __repr__(self) -> str:
        return f"<Batch of {counted(len(self), 'position')} of {self.game!r}>"

    @_alone
    def __reduce__(self) -> tuple[type[Batch], tuple[Game, Records]]:
        """For copying and pickling: the result has its own memory and its own lock."""
        return Batch, (self.game, self._records[np.arange(len(self))])

    @classmethod
    def of(cls, positions: Position | Sequence[Position], copies: int = 1) -> Batch:
        """These positions in order, the whole sequence repeated `copies` times.

        Raises ValueError for no positions or positions of several games, NeedsNative for another engine.
        """
        given = [positions] if isinstance(positions, Position) else [*positions]
        if len({position.game for position in given}) != 1 or copies < 1:
            raise ValueError("a batch has positions of one game, one copy of each at least")
        game = given[0].game
        if game.native is None:
            raise NeedsNative(game.engine_note or "only the native engine plays many positions at once")
        records = Records.of(game.native.layout, [position.snapshot for position in given])
        return cls(game, records[np.tile(np.arange(len(given)), copies)])

    def __len__(self) -> int:
        return len(self._records)

    @_alone
    def position(self, i: int) -> Position:
        """One of the positions, as an independent value."""
        return Position(self.game, self._records.snapshot(i))

    @_alone
    def some(self, which: slice | ArrayLike) -> Batch:
        """A batch of copies of the positions that a slice, a mask or an array of numbers selects.

        Raises TypeError for anything else, such as a single number; IndexError.
        """
        numbers = np.arange(len(self))[cast("Any", which)]
        if numbers.ndim != 1:
            raise TypeError("a slice, a mask or a row of numbers selects positions")
        return Batch(self.game, self._records[numbers])

    # --- what there is to see ------------------------------------------------

    @property
    def counts(self) -> NDArray[np.int64]:
        """int64[n]: how many legal moves there are; 0 if the game is over. Raises TooMuchWork."""
        return self._look()[0]

    @property
    def winners(self) -> NDArray[np.int8]:
        """int8[n]: 0 or 1, the index of the winning colour in `Game.players`; DRAW (-1); UNFINISHED (-2)."""
        return self._look()[1]

    @property
    @_alone
    def persons(self) -> NDArray[np.int8]:
        """Like `winners`, but by person: 0 the first, 1 the second."""
        return by_person(self.winners, self.swapped)

    @property
    def returns(self) -> NDArray[np.float32]:
        """float32[n, 2]: the return of each person: 1 for a win, -1 for a loss, else 0."""
        return returns(self.persons)

    @property
    def over(self) -> NDArray[np.bool_]:
        """bool[n]: whether the game is over."""
        return np.not_equal(self.winners, UNFINISHED)

    @property
    @_alone
    def to_move(self) -> NDArray[np.int8]:
        """int8[n]: the index in `Game.players` of the colour to move."""
        return self._records.words[:, self._records.layout.mover].astype(np.int8)

    @property
    @_alone
    def swapped(self) -> NDArray[np.bool_]:
        """bool[n]: whether the second person plays the first colour."""
        return self._records.register("swapped").astype(np.bool_)

    @property
    @_alone
    def plies(self) -> NDArray[np.int64]:
        """int64[n]: how many moves have been played."""
        return self._records.register("ply").astype(np.int64)

    @property
    @_alone
    def hash64(self) -> NDArray[np.uint64]:
        """uint64[n]: the `Position.hash64` of each position."""
        layout, found = self._records.layout, np.zeros(len(self), np.uint64)
        for words in self._records.words[:, : layout.key_words].T:
            found = (found ^ words) * np.uint64(HASHING)
            found ^= found >> np.uint64(32)
        return found

    @property
    @_alone
    def planes(self) -> NDArray[np.bool_]:
        """bool[n, planes, sites]: where the pieces of each of `Game.planes` are."""
        layout = self._records.layout
        planes = [self._set(offset) for offset in layout.planes]
        return np.array(planes, np.bool_).reshape(len(planes), len(self), layout.sites).swapaxes(0, 1)

    @_alone
    def state(self, name: str) -> NDArray[Any]:
        """A state variable: bool[n, sites] for a set, int64[n, sites] for counters, else bool[n] or int64[n].

        A state `per player`: [n, 2, ...]. Players are indices in `Game.players`, kinds are numbered in
        the order of the rule file, directions are bit masks. Raises KeyError.
        """
        states = self.game.rules.states
        match [key for key, spec in states.items() if spec.name == name]:
            case []:
                names = ", ".join(dict.fromkeys(spec.name for spec in states.values()))
                raise KeyError(f"there is no state {name!r}; there is {names or 'none'}")
            case [key]:
                return self._state(key)
            case keys:
                return np.stack([self._state(key) for key in keys], axis=1)

    def _state(self, key: str) -> NDArray[Any]:
        layout, words = self._records.layout, self._records.words
        type_, offset = layout.states[key]
        match type_:
            case Type.SET:
                return self._set(offset)
            case Type.COUNTERS:
                return words[:, offset : offset + layout.sites].astype(np.int64)
            case Type.BOOL:
                return words[:, offset].astype(np.bool_)
        return words[:, offset].astype(np.int64)

    # --- playing -------------------------------------------------------------

    @_alone
    def play(self, numbers: ArrayLike) -> None:
        """Play in each position the legal move with this number, counted from 0 as in `Position.legal_moves`.

        -1 plays nothing there. Raises TypeError or ValueError for numbers that are not whole or not one per
        position, and IllegalMove: then nothing has been played; TooMuchWork.
        """
        given = np.asarray(numbers)
        if given.dtype.kind not in "iu" and given.size:
            raise TypeError(f"the numbers of moves are whole numbers, not {given.dtype}")
        if given.shape != (len(self),):
            raise ValueError(f"{len(self)} positions need as many numbers, not an array of {given.shape}")
        for i in np.flatnonzero((given < -1) | (given >= self.counts))[:1]:
            moves = counted(int(self.counts[i]), "legal move")
            raise IllegalMove(f"position {i} has {moves}; there is no move {given[i]}")
        wanted = np.ascontiguousarray(given, np.int64)
        self._change(1, 1, lambda part, records: self._native.play(records, wanted[part]))

    @_alone
    def step(
        self,
        moves: SupportsIndex = 1,
        *,
        seed: SupportsIndex,
        policy: str = "uniform",
        threads: SupportsIndex = 1,
    ) -> None:
        """Play this many random moves in each position, or as many as its game still has.

        The same seed gives the same moves, however many threads: to vary the steps, vary the seed.
        Raises ValueError for arguments out of range, TooMuchWork.
        """
        check_policy(policy)
        most, number = whole("moves", moves, 0), operator.index(seed)

        def work(part: slice, records: Records) -> None:
            self._native.step(records, most, policy, number, part.start)

        self._change(most, whole("threads", threads, 1), work)

    @_alone
    def playouts(
        self,
        count: SupportsIndex = 1,
        *,
        seed: SupportsIndex,
        policy: str = "uniform",
        threads: SupportsIndex = 1,
        most_plies: SupportsIndex = MOST_PLIES,
    ) -> Playouts:
        """`count` random games from each position, arrays [n, count]; see `Position.playouts`."""
        return play_out(self._native, self._records, policy, count, seed, threads, most_plies)

    @property
    def _native(self) -> Native:
        assert self.game.native is not None
        return self.game.native

    def _change(self, plies: int, threads: int, work: Callable[[slice, Records], None]) -> None:
        records = self._records.with_room(plies) if self._native.remembers else self._records
        self._records, self._seen = records, None
        share(len(self), threads, lambda part: work(part, records[part]))

    @_alone
    def _look(self) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
        if self._seen is None:
            seen = np.empty(len(self), np.int64), np.empty(len(self), np.int8)
            self._native.look(self._records, *seen)
            for array in seen:
                array.setflags(write=False)  # they are handed out more than once
            self._seen = seen
        return self._seen

    def _set(self, offset: int) -> NDArray[np.bool_]:
        """The sites of a set."""
        layout = self._records.layout
        words = self._records.words[:, offset : offset + layout.set_words].astype("<u8")
        bits = np.unpackbits(words.view(np.uint8), axis=1, count=layout.sites, bitorder="little")
        return bits.view(np.bool_)
