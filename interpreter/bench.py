"""How fast random games are played, and how they end."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from attrs import define, field

from interpreter.game import Game, Position
from interpreter.playouts import DRAW, UNFINISHED, Playouts

#: Pieces of the measurement grow until one takes this many seconds.
PIECE = 0.25


@define
class Tally:
    """Sums over playouts, and the seconds they took."""

    players: tuple[str, str]
    seconds: float = 0.0
    games: int = 0
    moves: int = 0
    #: How often games ended as DRAW, UNFINISHED, or with each winner (0 or 1), by colour and by person.
    colours: dict[int, int] = field(factory=lambda: dict.fromkeys((0, 1, DRAW, UNFINISHED), 0))
    persons: dict[int, int] = field(factory=lambda: dict.fromkeys((0, 1), 0))

    def add(self, games: Playouts, seconds: float) -> None:
        """Add these games to the sums."""
        self.seconds += seconds
        self.games += len(games)
        self.moves += int(games.plies.sum(dtype=np.int64))
        for counts, ends in ((self.colours, games.winners), (self.persons, games.persons)):
            for end in counts:
                counts[end] += int(np.count_nonzero(ends == end))

    def figures(self) -> dict[str, Any]:
        """Rates and shares by name."""
        return {
            "playouts": self.games,
            "seconds": round(self.seconds, 3),
            "playouts_per_second": round(self.games / self.seconds, 1),
            "moves_per_second": round(self.moves / self.seconds, 1),
            "mean_length": round(self.moves / self.games, 3),
            "colours": {player: self._share(self.colours[i]) for i, player in enumerate(self.players)},
            "people": {who: self._share(self.persons[i]) for i, who in enumerate(("first", "second"))},
            "draws": self._share(self.colours[DRAW]),
            "unfinished": self._share(self.colours[UNFINISHED]),
        }

    def _share(self, count: int) -> float:
        return round(count / self.games, 5)


def measure(start: Position, tally: Tally, seconds: float, policy: str = "uniform", threads: int = 1) -> None:
    """Count playouts for about `seconds`, at least one piece. Raises what `Position.playouts` raises."""
    size = threads
    start.playouts(1, policy=policy)  # compiles
    seed = 0
    while not tally.games or tally.seconds < seconds:
        before = perf_counter()
        games = start.playouts(size, policy=policy, seed=seed, threads=threads)
        took = perf_counter() - before
        tally.add(games, took)
        seed += 1
        if took < min(PIECE, seconds / 4):
            size *= 2


def compile_seconds(game: Game, policy: str) -> dict[str, float]:
    """Seconds until a game can be played at random: `cold`, compiled, and `warm`, from the disk.

    Empty for a game that is not compiled.
    """
    native = game.native
    if native is None:
        return {}

    def load(keep: bool) -> float:
        before = perf_counter()
        native.anew(keep).part(policy).loaded()
        return round(perf_counter() - before, 3)

    load(keep=True)  # puts it on the disk
    return {"cold": load(keep=False), "warm": load(keep=True)}
