"""Each player against each other, from the same openings with both colours; and how strong each seems."""

from __future__ import annotations

import random
import shlex
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

from attrs import define, field, frozen

from gdl.words import written
from interpreter.analysis.games import Played, Task, identity
from interpreter.analysis.openings import openings
from interpreter.analysis.statistics import Interval, ratings
from interpreter.game import PERSONS, Game


@frozen
class Tournament:
    """All that determines the games of a tournament.

    `rules` is the name or path that `game` was loaded by; `games` is how many each pair of players plays, an
    even number, two from each opening. `opening` is the number of random moves at the start.
    """

    rules: str
    game: Game
    players: tuple[str, ...]
    games: int
    seed: int
    opening: int
    most_plies: int

    def asked(self) -> dict[str, Any]:
        """What a file of its games must agree with; it may hold more games or fewer."""
        return {
            "command": "tournament",
            **identity(self.rules),
            "options": self.game.options,
            "players": list(self.players),
            "seed": self.seed,
            "opening": self.opening,
            "most_plies": self.most_plies,
        }

    @property
    def command(self) -> str:
        """The command that plays these games again."""
        options = [f"{name}={written(value)}" for name, value in self.game.options.items()]
        words = ["gdl", "tournament", self.rules, *options, "--players", *self.players]
        words += ["--games", str(self.games), "--seed", str(self.seed), "--opening", str(self.opening)]
        return shlex.join([*words, "--most-plies", str(self.most_plies)])

    def figures(self) -> dict[str, Any]:
        """What was asked, as JSON data."""
        names = ("seed", "opening", "most_plies", "command")
        return {name: getattr(self, name) for name in names}

    def tasks(self) -> Iterator[Task]:
        """All its games, opening by opening, each pair of players in turn."""
        start = islice(openings(self.game, self.opening, self.seed), self.games // 2)
        for at, moves in enumerate(start):
            for one, other in combinations(self.players, 2):
                for number, (first, second) in enumerate(((one, other), (other, one)), 2 * at):
                    label = f"{one} {other}"
                    yield Task(
                        label=label,
                        number=number,
                        game=self.rules,
                        first=first,
                        second=second,
                        seed=random.Random(f"{self.seed} {label} {number}").getrandbits(48),
                        options=self.game.options,
                        opening=moves,
                        most_plies=self.most_plies,
                    )


@define
class Standings:
    """How often each player has won against each other one, in the games so far."""

    game: Game
    players: tuple[str, ...]
    _wins: Counter[tuple[str, str]] = field(init=False, factory=Counter)  # by winner and loser
    _draws: Counter[tuple[str, str]] = field(init=False, factory=Counter)  # by both, in either order
    #: How many games were won by each colour and by each person.
    ends: Counter[str] = field(init=False, factory=Counter)
    games: int = field(init=False, default=0)
    unfinished: int = field(init=False, default=0)
    #: The different games, by players and moves: a game that was played before shows nothing new.
    _different: set[tuple[str, str, tuple[str, ...]]] = field(init=False, factory=set)

    def add(self, played: Played) -> None:
        """Count a game; one that is not finished is a draw."""
        first, second = played.task.first, played.task.second
        self.games += 1
        self._different.add((first, second, played.moves))
        self.unfinished += not played.finished
        if played.person is None or played.winner is None:
            self._draws.update([(first, second), (second, first)])
        else:
            self._wins[(first, second) if played.person == "first" else (second, first)] += 1
            self.ends.update([played.winner, played.person])

    def points(self, player: str, other: str) -> float:
        """The points of a player against another: 1 for a win, a half for a draw."""
        return self._wins[player, other] + self._draws[player, other] / 2

    def record(self, player: str) -> dict[str, int]:
        """How many games a player has `won`, `drawn` and `lost`."""
        return {
            "won": sum(self._wins[player, other] for other in self.players),
            "drawn": sum(self._draws[player, other] for other in self.players),
            "lost": sum(self._wins[other, player] for other in self.players),
        }

    def total(self, player: str) -> float:
        """The points of a player in all."""
        return sum(self.points(player, other) for other in self.players)

    def ratings(self) -> dict[str, Interval]:
        """The strength of each player in Elo points, best first."""
        points = [[self.points(player, other) for other in self.players] for player in self.players]
        rated = dict(zip(self.players, ratings(points), strict=True))
        return dict(sorted(rated.items(), key=lambda row: -row[1].value))

    def figures(self) -> dict[str, Any]:
        """All of it as JSON data; the ends of the intervals are `low` and `high`."""
        return {
            "players": [
                {
                    "player": player,
                    "elo": round(elo.value, 1),
                    "low": round(elo.low, 1),
                    "high": round(elo.high, 1),
                    "points": self.total(player),
                    **self.record(player),
                    "against": {
                        other: self.points(player, other) for other in self.players if other != player
                    },
                }
                for player, elo in self.ratings().items()
            ],
            "colours": {colour: self.ends[colour] for colour in self.game.players},
            "people": {person: self.ends[person] for person in PERSONS},
            "draws": self.games - sum(self.ends[person] for person in PERSONS) - self.unfinished,
            "unfinished": self.unfinished,
            "different": len(self._different),
        }
