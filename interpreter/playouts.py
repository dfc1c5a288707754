"""Random games by the thousand from one position: how they ended and how long they were."""

from __future__ import annotations

import operator
import random
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from interpreter.settings import POLICIES
from interpreter.sharing import share

if TYPE_CHECKING:
    from interpreter.game import Position
    from interpreter.native.engine import Native
    from interpreter.native.records import Records

#: What `winners` holds for a game that nobody won, and for one that had no end within its plies.
DRAW, UNFINISHED = -1, -2


@frozen(eq=False)
class Playouts:
    """Random games, as arrays of one element a game: [count] from one position, [n, count] from a batch."""

    #: int8: 0 or 1, the place of the winning colour in `Game.players`; DRAW; UNFINISHED.
    winners: NDArray[np.int8]
    #: int32: how many moves were played from the position on.
    plies: NDArray[np.int32]
    #: bool: whether the second person sat at the first colour in the end.
    swapped: NDArray[np.bool_]

    @classmethod
    def empty(cls, *shape: int) -> Playouts:
        """Room for games."""
        return cls(np.empty(shape, np.int8), np.empty(shape, np.int32), np.empty(shape, np.bool_))

    def __len__(self) -> int:
        return len(self.winners)

    @property
    def persons(self) -> NDArray[np.int8]:
        """As `winners`, by person: 0 the first, 1 the second."""
        return by_person(self.winners, self.swapped)


def by_person(winners: NDArray[np.int8], swapped: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Winners by colour as winners by person: 0 the first, 1 the second."""
    changed = np.where(swapped, 1 - winners, winners)
    return np.where(winners >= 0, changed, winners).astype(np.int8)


def check_policy(policy: str) -> None:
    """Raises ValueError for a policy that does not exist."""
    if policy not in POLICIES:
        raise ValueError(f"there is no policy `{policy}`; policies are {' and '.join(POLICIES)}")


def run_playouts(
    position: Position, count: int, policy: str, seed: int, threads: int, most_plies: int
) -> Playouts:
    """`Position.playouts`."""
    count, seed, threads, most_plies = map(operator.index, (count, seed, threads, most_plies))
    native = position.game.native
    if native is not None:
        from interpreter.native.records import Records

        records = Records.of(native.layout, [position.snapshot])
        games = play_out(native, records, policy, count, seed, threads, most_plies)
        return Playouts(games.winners[0], games.plies[0], games.swapped[0])
    _check(count, policy, threads, most_plies)
    if policy != "uniform":
        raise ValueError("the reference engine plays uniform playouts only")
    games = Playouts.empty(count)
    for i in range(count):
        draw = random.Random(f"{seed} {i}")
        games.winners[i], games.plies[i], games.swapped[i] = _playout(position, draw, most_plies)
    return games


def play_out(
    native: Native, records: Records, policy: str, count: int, seed: int, threads: int, most_plies: int
) -> Playouts:
    """`count` games from each of many positions. Each game has random numbers of its own."""
    _check(count, policy, threads, most_plies)
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


def _check(count: int, policy: str, threads: int, most_plies: int) -> None:
    check_policy(policy)
    if count < 0 or threads < 1 or most_plies < 1:
        raise ValueError("count is at least 0, threads and most_plies are at least 1")


def _playout(start: Position, draw: random.Random, most_plies: int) -> tuple[int, int, bool]:
    """One game from lists of legal moves."""
    position = start
    while position.result is None and position.ply - start.ply < most_plies:
        position = position.play(draw.choice(position.legal_moves))
    players, result = start.game.players, position.result
    winner = UNFINISHED if result is None else DRAW if result.winner is None else players.index(result.winner)
    return winner, position.ply - start.ply, position.seats[players[0]] == "second"
