"""Random games by the thousand from one position: how they ended and how long they were."""

from __future__ import annotations

import operator
import random
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from interpreter.errors import whole
from interpreter.settings import POLICIES
from interpreter.sharing import share

if TYPE_CHECKING:
    from interpreter.game import Position
    from interpreter.native.engine import Native
    from interpreter.native.records import Records

#: What `winners` holds for a game that nobody won, and for one that did not end within its plies.
DRAW, UNFINISHED = -1, -2


@frozen(eq=False)
class Playouts:
    """Random games, as arrays of one element per game: [count] from one position, [n, count] from a batch."""

    #: int8: 0 or 1, the index of the winning colour in `Game.players`; DRAW; UNFINISHED.
    winners: NDArray[np.int8]
    #: int32: how many moves were played from the position on.
    plies: NDArray[np.int32]
    #: bool: whether the second person played the first colour at the end.
    swapped: NDArray[np.bool_]

    @classmethod
    def empty(cls, *shape: int) -> Playouts:
        """Uninitialised arrays for games."""
        return cls(np.empty(shape, np.int8), np.empty(shape, np.int32), np.empty(shape, np.bool_))

    def __len__(self) -> int:
        return len(self.winners)

    @property
    def persons(self) -> NDArray[np.int8]:
        """Like `winners`, but by person: 0 the first, 1 the second."""
        return by_person(self.winners, self.swapped)

    @property
    def returns(self) -> NDArray[np.float32]:
        """float32 [..., 2]: the return of each person: 1 for a win, -1 for a loss, 0 for a draw or no end."""
        return returns(self.persons)


def by_person(winners: NDArray[np.int8], swapped: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Winners by person (0 the first, 1 the second) from winners by colour."""
    changed = np.where(swapped, 1 - winners, winners)
    return np.where(winners >= 0, changed, winners).astype(np.int8)


def returns(persons: NDArray[np.int8]) -> NDArray[np.float32]:
    """The return of each person, from the persons who have won."""
    got = np.equal(persons, 0).astype(np.float32) - np.equal(persons, 1)
    return np.stack([got, -got], axis=-1)


def check_policy(policy: str) -> None:
    """Raises ValueError for a policy that does not exist."""
    if policy not in POLICIES:
        raise ValueError(f"there is no policy `{policy}`; policies are {' and '.join(POLICIES)}")


def run_playouts(
    position: Position,
    count: SupportsIndex,
    policy: str,
    seed: SupportsIndex | None,
    threads: SupportsIndex,
    most_plies: SupportsIndex,
) -> Playouts:
    """`Position.playouts`."""
    if seed is None:
        seed = random.getrandbits(64)
    native = position.game.native
    if native is not None:
        from interpreter.native.records import Records

        records = Records.of(native.layout, [position.snapshot])
        games = play_out(native, records, policy, count, seed, threads, most_plies)
        return Playouts(games.winners[0], games.plies[0], games.swapped[0])
    count, seed, threads, most_plies = _checked(count, policy, seed, threads, most_plies)
    if policy != "uniform":
        raise ValueError("the reference engine plays uniform playouts only")
    games = Playouts.empty(count)
    for i in range(count):
        draw = random.Random(f"{seed} {i}")
        games.winners[i], games.plies[i], games.swapped[i] = _playout(position, draw, most_plies)
    return games


def play_out(
    native: Native,
    records: Records,
    policy: str,
    count: SupportsIndex,
    seed: SupportsIndex,
    threads: SupportsIndex,
    most_plies: SupportsIndex,
) -> Playouts:
    """`count` games from each of many positions. Each game has its own random numbers."""
    count, seed, threads, most_plies = _checked(count, policy, seed, threads, most_plies)
    games = Playouts.empty(len(records), count)

    def play(some: slice, part: slice, first: int) -> None:
        arrays = (array[some, part] for array in (games.winners, games.plies, games.swapped))
        native.playouts(records[some], policy, seed, first, most_plies, *arrays)

    def positions(some: slice) -> None:
        play(some, slice(None), some.start * count)

    if count < len(records):
        share(len(records), threads, positions)
        return games
    for i in range(len(records)):

        def of_one(part: slice, i: int = i) -> None:
            play(slice(i, i + 1), part, i * count + part.start)

        share(count, threads, of_one)
    return games


def _checked(
    count: SupportsIndex,
    policy: str,
    seed: SupportsIndex,
    threads: SupportsIndex,
    most_plies: SupportsIndex,
) -> tuple[int, int, int, int]:
    """The given arguments, checked, without the policy. Raises TypeError and ValueError."""
    check_policy(policy)
    at_least = whole("threads", threads, 1), whole("most_plies", most_plies, 1)
    return whole("count", count, 0), operator.index(seed), *at_least


def _playout(start: Position, draw: random.Random, most_plies: int) -> tuple[int, int, bool]:
    """One game, drawing from the lists of legal moves."""
    position = start
    while position.result is None and position.ply - start.ply < most_plies:
        position = position.play(draw.choice(position.legal_moves))
    players, result = start.game.players, position.result
    winner = UNFINISHED if result is None else DRAW if result.winner is None else players.index(result.winner)
    return winner, position.ply - start.ply, position.seats[players[0]] == "second"
