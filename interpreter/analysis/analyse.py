"""Which games are played to analyse a game: equal players, with and without the pie rule, and a ladder."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from gdl import core as c
from interpreter.analysis.games import Options, Task, identity
from interpreter.analysis.openings import openings
from interpreter.game import Game

#: The labels of the games that most measures come from, and of those with the other setting of the pie rule.
PLAIN, OTHER_PIE = "plain", "other pie"

#: How many times as much a player of the ladder thinks as the next one, and the number of steps.
QUARTER, STEPS = 4, 3

#: The fewest seconds a move that a player of the ladder thinks: less would be no thought to measure.
SHORTEST = 0.01


def weaker(player: str) -> str | None:
    """The same player with a quarter of the thought, or a ply less; None if it cannot think less."""
    match = re.fullmatch(r"(mcts|alphabeta):([0-9.]+)(s?)(,.*)?", player)
    if match is None:
        return None
    name, amount, unit, settings = match.groups(default="")
    if unit:
        less = round(float(amount) / QUARTER, 3)
        return f"{name}:{less:g}s{settings}" if less >= SHORTEST else None
    number = int(amount) - 1 if name == "alphabeta" else int(amount) // QUARTER
    return f"{name}:{number}{settings}" if number >= 1 else None


def hasty(player: str) -> str:
    """The same player with hardly any thought."""
    return "solve:0.001s" if player.startswith("solve") else re.sub(r":[0-9.]+s?", ":1", player)


@frozen
class Series:
    """Games of one kind between `first` and `second`, who take turns to move first."""

    label: str
    options: Options
    first: str
    second: str
    games: int


@frozen
class Plan:
    """All that determines the games of an analysis. `rules` is the name or path that `game` was loaded by."""

    rules: str
    game: Game
    player: str
    games: int
    seed: int = 0
    opening: int = 0
    most_plies: int = 1_000
    #: Whether to play games with the other setting of the pie rule, too.
    both_pies: bool = True

    @property
    def pie(self) -> str | None:
        """The option that switches the pie rule on, or None."""
        pie = self.game.rules.pie
        return pie.name if isinstance(pie, c.Option) else None

    @cached_property
    def series(self) -> tuple[Series, ...]:
        options = self.game.options
        found = [Series(PLAIN, options, self.player, self.player, self.games)]
        half = max(2, self.games // 2)
        if self.both_pies and self.pie:
            other = {**options, self.pie: not options[self.pie]}
            found.append(Series(OTHER_PIE, other, self.player, self.player, half))
        strong = self.player
        for _ in range(STEPS):
            weak = weaker(strong)
            if weak is None:
                break
            found.append(Series(f"{strong} {weak}", options, strong, weak, half + half % 2))
            strong = weak
        return tuple(found)

    def asked(self) -> dict[str, Any]:
        """What a file of its games must agree with; it may hold more games or fewer."""
        return {
            "command": "analyse",
            **identity(self.rules),
            "options": self.game.options,
            "player": self.player,
            "seed": self.seed,
            "opening": self.opening,
            "most_plies": self.most_plies,
        }

    def tasks(self) -> list[Task]:
        """All its games, ordered so that the series keep pace with each other."""
        found = [
            ((number + 0.5) / series.games, task)
            for series in self.series
            for number, task in enumerate(self._tasks(series))
        ]
        return [task for _, task in sorted(found, key=lambda item: item[0])]

    def rehearsal(self) -> list[Task]:
        """A hasty move for each setting of the options, so that the rules are compiled before the games."""
        player, settings = hasty(self.player), {str(series.options): series.options for series in self.series}
        return [
            Task("rehearsal", number, self.rules, player, player, self.seed, options, most_plies=1)
            for number, options in enumerate(settings.values())
        ]

    def _tasks(self, series: Series) -> Iterator[Task]:
        # The other setting of the pie rule has its own openings: it may end them sooner.
        game = Game.of(self.game.rules, **series.options)
        starts = openings(game, self.opening, self.seed) if self.opening else None
        moves: tuple[str, ...] = ()
        for number in range(series.games):
            seats = (series.first, series.second)
            if starts and (number % 2 == 0 or series.label == PLAIN):  # both players get each opening
                moves = next(starts)
            first, second = seats if number % 2 == 0 else seats[::-1]
            yield Task(
                label=series.label,
                number=number,
                game=self.rules,
                first=first,
                second=second,
                seed=random.Random(f"{self.seed} {series.label} {number}").getrandbits(48),
                options=series.options,
                opening=moves,
                most_plies=self.most_plies,
            )


def abreast(plans: Sequence[Plan]) -> list[Task]:
    """The games of plans of equal length, in turn: the remainder of a game's number tells whose it is."""
    return [
        evolve(task, number=len(plans) * task.number + side)
        for tasks in zip(*(plan.tasks() for plan in plans), strict=True)
        for side, task in enumerate(tasks)
    ]
