"""Which value of a numeric option makes a game fair, by games at the values where they tell the most."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, cycle, islice
from math import ceil, floor
from typing import Any

import attrs
from attrs import define, field, frozen

from gdl import core as c
from gdl.parts import walk
from interpreter.analysis.games import Options, Play, Task, identity
from interpreter.analysis.openings import openings
from interpreter.analysis.sequential import (
    SURE,
    Response,
    Winnings,
    always,
    cells,
    percent,
    rounded,
    together,
    unfinished,
)
from interpreter.analysis.statistics import Interval
from interpreter.errors import counted
from interpreter.game import Game, OptionError
from interpreter.settings import MOST_PLIES

#: The games played first, at both ends and in the middle; then the least number of games until it is decided
#: where to play next, and the part of the games so far that it is later (one in PART).
FIRST, NEXT, PART = 24, 8, 4

#: With fewer games the answer is not sure, whatever it looks like.
LEAST = 32

#: How many values are considered for the next games.
WEIGHED = 48


@frozen
class Question:
    """Which value of `option` makes a game fair when `player` plays both sides.

    `rules` is a name or path, `options` are the other options given, `opening` is the number of random moves
    at the start. A value is fair if the person who moves first gets half of the points.
    """

    rules: str
    options: Options
    option: str
    player: str
    seed: int = 0
    opening: int = 0
    most_plies: int = MOST_PLIES

    def values(self) -> range:
        """All values of the option. Raises OptionError if it is no number, has one value, or is not used."""
        game = Game.load(self.rules, **self.options)
        values = game.choices(self.option)
        if not isinstance(values, range):
            raise OptionError(f"option `{self.option}` is yes or no, not a number")
        if len(values) < 2:
            raise OptionError(f"option `{self.option}` has no other value than {values[0]}")
        if not any(isinstance(e, c.Option) and e.name == self.option for e in walk(game.rules)):
            raise OptionError(f"option `{self.option}` is used by no rule: all its values play alike")
        return values

    def asked(self) -> dict[str, Any]:
        """What a file of its games must agree with; it may hold more games or fewer."""
        names = attrs.asdict(self, filter=attrs.filters.exclude("rules"))
        return {"command": "balance", **identity(self.rules), **names}


@define
class Balance:
    """The search for the fair value: the games so far, and what they show."""

    question: Question
    values: range
    #: The games at each value.
    table: dict[int, Winnings] = field(init=False, factory=dict)
    response: Response = field(init=False)
    _asked: int = field(init=False, default=0)  # how many games were set up
    _openings: dict[int, Iterator[tuple[str, ...]]] = field(init=False, factory=dict)

    @response.default
    def _unknown(self) -> Response:
        return Response.to({}, self.values)

    def run(self, games: int, play: Play) -> None:
        """Play until the fair value is known to within one step up or down, or `games` have been set up.

        The question alone determines the games: with more `games` come the same ones, and then others.
        """
        while self._asked < games and not (self._asked >= LEAST and self.settled):
            some = max(NEXT, self._asked // PART) if self._asked else FIRST
            tasks = list(islice(self._tasks(), min(some, games - self._asked)))
            self._asked += len(tasks)
            try:
                for played in play(tasks):
                    value = int(played.task.label)
                    self.table[value] = self.table.get(value, Winnings()).add(played.points, played)
            finally:
                self.response = Response.to(self.table, self.values)

    def _tasks(self) -> Iterator[Task]:
        """The next games: in turn at the values that tell the most."""
        question = self.question
        for number, value in enumerate(cycle(self._next()), self._asked):
            yield Task(
                label=str(value),
                number=number,
                game=question.rules,
                first=question.player,
                second=question.player,
                seed=random.Random(f"{question.seed} {number}").getrandbits(48),
                options={**question.options, question.option: value},
                opening=self._opening(value),
                most_plies=question.most_plies,
            )

    def _opening(self, value: int) -> tuple[str, ...]:
        question = self.question
        if not question.opening:
            return ()
        if value not in self._openings:
            game = Game.load(question.rules, **question.options, **{question.option: value})
            self._openings[value] = openings(game, question.opening, question.seed)
        return next(self._openings[value])

    def _next(self) -> tuple[int, ...]:
        """The ends and the middle first; then two values, with a share not far above and not far below 1/2.

        The more games, the nearer: there they tell most surely on which side the fair value lies. If the
        share may be on the same side of 1/2 everywhere, an end is played that does not yet show its side.
        """
        values, half = self.values, self.response.half()
        if not self.table:
            return values[0], values[len(values) // 2], values[-1]
        near = values[max(self._floor(half.low) - 2, 0) : max(self._ceil(half.high) + 3, 0)]
        weighed = sorted({values[0], *near[:: ceil(len(near) / WEIGHED) or 1], values[-1]})
        shares = {value: self.response.share(value) for value in weighed}
        far = min(0.3, self._asked**-0.5)
        above = [value for value in weighed if shares[value] >= 0.5 + far]
        below = [value for value in weighed if shares[value] <= 0.5 - far]
        ends = [end for end in (values[0], values[-1]) if not self._one_sided(end)] or [values[0], values[-1]]
        upper = [min(above, key=shares.__getitem__)] if above else ends
        lower = [max(below, key=shares.__getitem__)] if below else ends
        return tuple(dict.fromkeys([*upper, *lower]))

    def _one_sided(self, value: int) -> bool:
        """Whether the games at this value by themselves show on which side of a half its share is."""
        share = always(self.table.get(value, Winnings()))
        return share.low > 0.5 or share.high < 0.5

    def _floor(self, place: float) -> int:
        """The index of the last value not above a place; negative for a place below all of them."""
        return floor((place - self.values[0]) / self.values.step)

    def _ceil(self, place: float) -> int:
        """The index of the first value not below a place; too high for a place above all of them."""
        return ceil((place - self.values[0]) / self.values.step)

    # --- what the games say ------------------------------------------------------

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """The values between which the fair one surely lies; None where it may be beyond their range."""
        half = self.response.half()
        first, last, top = self._floor(half.low), self._ceil(half.high), len(self.values) - 1
        return (
            self.values[min(first, top)] if first >= 0 else None,
            self.values[max(last, 0)] if last <= top else None,
        )

    @property
    def nowhere(self) -> bool:
        """Whether surely no value is fair, nor any between two of them: the ends alone show it."""
        shown = self._one_sided(self.values[0]) and self._one_sided(self.values[-1])
        return shown and self.response.outside(self.values) > SURE

    @property
    def inside(self) -> bool:
        """Whether the place where the game is most likely fair lies within the range of the values."""
        return self.values[0] <= self.response.half().value <= self.values[-1]

    @property
    def settled(self) -> bool:
        """Whether the fair value is known to within one step up or down, or that there is none."""
        low, high = self.ends
        return self.nowhere or (low is not None and high is not None and high - low <= 2 * self.values.step)

    @property
    def nearest(self) -> int:
        """The value nearest to where the game is most likely fair."""
        place = round((self.response.half().value - self.values[0]) / self.values.step)
        return self.values[min(max(place, 0), len(self.values) - 1)]

    @property
    def whole(self) -> Winnings:
        """The games at all values together."""
        return together([Winnings(), *self.table.values()])

    @property
    def steady(self) -> bool:
        """Whether the share may go in only one direction, from the lowest value to the highest."""
        shares = [always(self.table[value]) for value in sorted(self.table)]
        pairs = list(combinations(shares, 2))
        return not (
            any(one.high < other.low for one, other in pairs)
            and any(one.low > other.high for one, other in pairs)
        )

    def figures(self) -> dict[str, Any]:
        """All of it as JSON data."""
        low, high = self.ends
        value = round(self.response.half().value, 2) if self.inside else None
        fair = {"value": value, "low": low, "high": high}
        return {
            "option": self.question.option,
            "range": {"low": self.values[0], "high": self.values[-1], "step": self.values.step},
            "player": self.question.player,
            "seed": self.question.seed,
            "opening": self.question.opening,
            "most_plies": self.question.most_plies,
            "fair": None if self.nowhere else fair,
            "nearest": self.nearest,
            "settled": self.settled,
            "steady": self.steady,
            "games": self.whole.games,
            "unfinished": self.whole.unfinished,
            "table": [
                {"value": value, "games": self.table[value].games, **rounded(always(self.table[value]))}
                for value in sorted(self.table)
            ],
        }

    def rows(self) -> Iterator[dict[str, str]]:
        """The table of the games played, as text by columns."""
        for value, winnings in sorted(self.table.items()):
            yield {
                self.question.option: str(value),
                "games": str(winnings.games),
                **cells("first person", winnings),
            }

    def so_far(self) -> str:
        """The answer while games are being played."""
        return f"fair {self.question.option}: {self._between() or 'not known yet'}"

    def sentences(self) -> Iterator[str]:
        """What the games say, in words."""
        option, (low, high), values = self.question.option, self.ends, self.values
        spread = f"{values[0]} to {values[-1]}"
        if self.nowhere:
            edge = min((values[0], values[-1]), key=lambda value: abs(self.table[value].share - 0.5))
            yield (
                f"No value of {option} from {spread} makes it fair: at {edge} {self._better(edge)}. "
                "A wider range in the rule file might."
            )
        elif not self.settled and low in (None, values[0]) and high in (None, values[-1]):
            yield (
                f"{counted(self.whole.games, 'game')} do not tell which value of {option} makes it fair: it "
                f"may be any from {spread}, or none of them. Over all values tried the first person got "
                f"{percent(always(self.whole))} of the points."
            )
        elif not self.inside:
            yield (
                f"No value of {option} from {spread} seems fair: at {self.nearest}, the nearest, "
                f"{self._better(self.nearest)}. If one is fair, it is surely ({SURE:.0%}) {self._between()}."
            )
        else:
            fair = f"{option} = {self.response.half().value:.1f}"
            yield (
                f"Fair is {fair}, surely ({SURE:.0%}) {self._between()}. "
                f"The nearest value of the rules is {self.nearest}."
            )
        if not self.steady:
            yield f"But the share seems to go up and down with {option}: several values may be fair, or none."
        for value, winnings in self.table.items():
            if winnings.alike:
                yield (
                    f"All games at {value} were the same, move for move: where {self.question.player} leaves "
                    "nothing to chance, shares mean little; --opening 4 makes four moves by chance."
                )
                break
        if self.whole.unfinished:
            yield unfinished(self.whole)

    def _between(self) -> str:
        """Between which values the fair one lies; an empty text if nothing is known about that."""
        match self.ends:
            case None, None:
                return ""
            case low, None:
                return f"{low} or more, perhaps more than {self.values[-1]}"
            case None, high:
                return f"{high} or less, perhaps less than {self.values[0]}"
            case low, high:
                return f"between {low} and {high}"

    def _better(self, value: int) -> str:
        """Who is better off at a value, and by how much."""
        share = always(self.table.get(value, Winnings()))
        if share.value >= 0.5:
            return f"the first person gets {percent(share)} of the points"
        other = Interval(1 - share.value, 1 - share.high, 1 - share.low)
        return f"the second person gets {percent(other)} of the points"
