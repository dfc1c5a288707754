"""Random games by the thousand from one position: how they ended and how long they were."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

if TYPE_CHECKING:
    from interpreter.game import Position

#: How a move is drawn: each legal move alike, or each choice of the turn in its turn alike.
POLICIES = ("uniform", "stepwise")

#: What `winners` holds for a game that nobody won, and for one that had no end within its plies.
DRAW, UNFINISHED = -1, -2

#: A playout stops after so many plies.
MOST_PLIES = 10_000

#: Playouts share their random numbers in runs of so many, whatever the number of threads.
RUN = 512


@frozen(eq=False)
class Playouts:
    """The playouts of a position, as arrays of one element a playout."""

    #: int8: 0 or 1, the place of the winning colour in `Game.players`; DRAW; UNFINISHED.
    winners: NDArray[np.int8]
    #: int32: how many moves were played from the position on.
    plies: NDArray[np.int32]
    #: bool: whether the second person sat at the first colour in the end.
    swapped: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.winners)

    @property
    def persons(self) -> NDArray[np.int8]:
        """As `winners`, by person: 0 the first, 1 the second."""
        changed = np.where(self.swapped, 1 - self.winners, self.winners)
        return np.where(self.winners >= 0, changed, self.winners).astype(np.int8)


def run_playouts(
    position: Position, count: int, policy: str, seed: int, threads: int, most_plies: int
) -> Playouts:
    """`Position.playouts`."""
    if policy not in POLICIES:
        raise ValueError(f"there is no policy `{policy}`; policies are {' and '.join(POLICIES)}")
    if count < 0 or threads < 1 or most_plies < 1:
        raise ValueError("count is at least 0, threads and most_plies are at least 1")
    native = position.game.native

    def run(first: int) -> NDArray[np.int64]:
        """The playouts of one run, a row each: winner, plies, whether the people changed seats."""
        size, own_seed = min(RUN, count - first), seed * 0x9E3779B97F4A7C15 + first
        if native is not None:
            return np.asarray(native.playouts(position.snapshot, size, policy, own_seed, most_plies)).reshape(
                -1, 3
            )
        if policy != "uniform":
            raise ValueError("the reference engine plays uniform playouts only")
        draw = random.Random(own_seed)
        return np.array([_playout(position, draw, most_plies) for _ in range(size)], np.int64).reshape(-1, 3)

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(run, range(0, count, RUN)))
    rows = np.concatenate([np.empty((0, 3), np.int64), *found])
    return Playouts(rows[:, 0].astype(np.int8), rows[:, 1].astype(np.int32), rows[:, 2].astype(np.bool_))


def _playout(start: Position, draw: random.Random, most_plies: int) -> tuple[int, int, bool]:
    """One game from lists of legal moves."""
    position = start
    while position.result is None and position.ply - start.ply < most_plies:
        position = position.play(draw.choice(position.legal_moves))
    players, result = start.game.players, position.result
    winner = UNFINISHED if result is None else DRAW if result.winner is None else players.index(result.winner)
    return winner, position.ply - start.ply, position.seats[players[0]] == "second"
