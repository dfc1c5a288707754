"""What games show about their rules: who wins, how long, how tense, how deep; each with its interval."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import quantiles
from typing import Any

import attrs
from attrs import define, field, frozen

from gdl.builtins import LOOKING_BACK
from gdl.parts import calls
from interpreter.analysis.analyse import OTHER_PIE, PLAIN, Plan, Series, weaker
from interpreter.analysis.games import Played
from interpreter.analysis.statistics import UNKNOWN, Interval, mean, median, share
from interpreter.errors import counted
from interpreter.game import PERSONS
from interpreter.runner import plies

#: A player leads if their chance is above this; if neither's is, the one who led before still does.
LEAD = 0.55

#: A game is decided when its winner's chance stays above this.
DECIDED = 0.9


#: The chance of the first person at each ply where a player had an opinion on it.
Course = list[tuple[int, float]]


@frozen
class Measure:
    """Something measured. `unit` is "share", "plies", "moves", "times" or "part" (of a game)."""

    key: str
    title: str
    unit: str
    #: None if it could not be measured; `note` says why, or how many cases it is based on.
    interval: Interval | None
    note: str = ""


@define
class Findings:
    """The games of a plan played so far, and what they show.

    The games of a series are kept in the order of their numbers, in whatever order they end, so that sums of
    fractions are always the same.
    """

    plan: Plan
    games: list[Played] = field(factory=list)

    def add(self, played: Played) -> None:
        insort(self.games, played, key=lambda other: other.task.key)

    def of(self, label: str) -> list[Played]:
        return [played for played in self.games if played.task.label == label]

    @property
    def plain(self) -> list[Played]:
        return self.of(PLAIN)

    # --- who wins ---

    def won(self, of: Callable[[Played], str | None], who: str | None, label: str = PLAIN) -> Interval | None:
        """The share of the finished games of a series that `who` has won; None: nobody."""
        ended = [played for played in self.of(label) if played.finished]
        return share(sum(of(played) == who for played in ended), len(ended))

    def person(self, who: str | None, label: str = PLAIN) -> Interval | None:
        """The share of finished games that "first", "second" or nobody (None) has won."""
        return self.won(lambda played: played.person, who, label)

    def decided(self, label: str = PLAIN) -> Interval | None:
        """The share of the first person in the games that were won."""
        won = [played for played in self.of(label) if played.person]
        return share(sum(played.person == "first" for played in won), len(won))

    def ladder(self) -> list[tuple[Series, Interval]]:
        """For each step, how often the player that thinks more has won, among the games that were won."""
        found = []
        for series in self.plan.series:
            if series.first == series.second:
                continue
            won = [played for played in self.of(series.label) if played.person]
            strong = sum(
                (played.task.first if played.person == "first" else played.task.second) == series.first
                for played in won
            )
            interval = share(strong, len(won))
            if interval is not None:
                found.append((series, interval))
        return found

    # --- how it ends ---

    def ends(self) -> dict[str, int]:
        """How many games ended by each ending of the rules, or in another way."""
        counts = {ending.text: 0 for ending in self.plan.game.rules.end}
        met = Counter(played.reason for played in self.plain if played.finished)
        counts |= {reason: number for reason, number in met.items() if reason}
        unfinished = sum(not played.finished for played in self.plain)
        if unfinished:
            counts[f"stopped after {plies(self.plan.most_plies)}"] = unfinished
        return counts

    def endless(self) -> tuple[int, int]:
        """How many games were stopped, and how many ended by repetition."""
        texts = {ending.text for ending in self.plan.game.rules.end if calls(ending.condition, LOOKING_BACK)}
        return (
            sum(not played.finished for played in self.plain),
            sum(played.reason in texts for played in self.plain),
        )

    # --- how it goes ---

    @property
    def lengths(self) -> list[int]:
        """The plies of each finished game."""
        return [played.plies for played in self.plain if played.finished]

    def branching(self) -> list[float]:
        """The average number of legal moves at each ply, over the games that get that far."""
        longest = max((played.plies for played in self.plain), default=0)
        counts = [[p.counts[ply] for p in self.plain if ply < p.plies] for ply in range(longest)]
        return [sum(row) / len(row) for row in counts]

    def courses(self) -> list[tuple[Played, Course]]:
        """The games with their courses; a course is empty if no player said what it expects."""
        return [(played, course(played)) for played in self.plain]

    @property
    def blind(self) -> bool:
        """Whether the player never says what it expects."""
        return all(value is None for played in self.plain for value in played.values)

    # --- all of it ---

    def measures(self) -> list[Measure]:
        """All measures, in the order in which they are shown."""
        return [*self._winning(), *self._ending(), *self._going(), *self._thinking()]

    def _winning(self) -> Iterator[Measure]:
        games = [played for played in self.plain if played.finished]
        note = counted(len(games), "game")
        for person in PERSONS:
            title = f"{person} person wins"
            yield Measure(f"{person}_wins", title, "share", self.person(person), note)
        for colour in self.plan.game.players:
            won = self.won(lambda played: played.winner, colour)
            yield Measure(f"colour_{colour}", f"{colour} wins", "share", won, note)
        yield Measure("draws", "draws", "share", self.person(None), note)
        decided = sum(played.person is not None for played in games)
        note = f"{counted(decided, 'game')} with a winner"
        yield Measure("advantage", "first person, of games won", "share", self.decided(), note)
        if self.plan.pie and self.plan.both_pies:
            on = self.plan.game.options[self.plan.pie]
            other = "without" if on else "with"
            title = f"the same {other} the pie rule"
            number = sum(played.person is not None for played in self.of(OTHER_PIE))
            note = f"{counted(number, 'game')} with a winner"
            yield Measure("advantage_other_pie", title, "share", self.decided(OTHER_PIE), note)

    def _ending(self) -> Iterator[Measure]:
        stopped, repeated = self.endless()
        whole = len(self.plain)
        note = counted(whole, "game")
        title = f"stopped after {plies(self.plan.most_plies)}"
        yield Measure("unfinished", title, "share", share(stopped, whole), note)
        yield Measure("repetition", "ended by repetition", "share", share(repeated, whole), note)

    def _going(self) -> Iterator[Measure]:
        lengths = self.lengths
        note = f"{min(lengths)} to {max(lengths)}" if lengths else "no game was finished"
        yield Measure("length", "length, mean", "plies", mean(lengths), note)
        yield Measure("length_median", "length, median", "plies", median(lengths), _spread(lengths))
        moved = [played for played in self.plain if played.counts]
        choices = [sum(played.counts) / played.plies for played in moved]
        most = max((max(played.counts) for played in moved), default=0)
        yield Measure("branching", "legal moves, mean", "moves", mean(choices), f"at most {most:,}")
        forced = [sum(count == 1 for count in played.counts) / played.plies for played in moved]
        yield Measure("forced", "forced moves", "part", mean(forced, 1.0), "of the moves of a game")

    def _thinking(self) -> Iterator[Measure]:
        courses = [(played, course) for played, course in self.courses() if course]
        won = [(played, course) for played, course in courses if played.person]
        note = "not known" if self.blind else counted(len(courses), "game")
        changes = [lead_changes(course) for _, course in courses]
        yield Measure("lead_changes", "lead changes in a game", "times", mean(changes), note)
        behind = [won_from_behind(*game) for game in won]
        back = share(sum(behind), len(behind))
        note = note if self.blind else f"{counted(len(won), 'game')} with a winner"
        yield Measure("comebacks", "won from behind", "share", back, note)
        at = [decided_after(*game) for game in won]
        yield Measure("decided", "decided after", "part", mean(at, 1.0), note)
        ladder = {series.label: interval for series, interval in self.ladder()}
        for series in self.plan.series:
            if series.first != series.second:
                title = f"{series.first} wins against {series.second}"
                interval = ladder.get(series.label)
                yield Measure(f"depth_{series.second}", title, "share", interval, "of games won")
        if weaker(self.plan.player) is None:
            yield Measure("depth", "more thought wins", "share", None, "not known")

    def figures(self) -> dict[str, Any]:
        """All of it as JSON data."""
        return {
            "player": self.plan.player,
            "seed": self.plan.seed,
            "opening": self.plan.opening,
            "most_plies": self.plan.most_plies,
            "series": [
                {**attrs.asdict(series), "asked": series.games, "games": len(self.of(series.label))}
                for series in self.plan.series
            ],
            "measures": {
                m.key: {"title": m.title, "unit": m.unit, "note": m.note}
                | (m.interval.data() if m.interval else UNKNOWN)
                for m in self.measures()
            },
            "lengths": {
                "quantiles": {f"{10 * n}%": q for n, q in enumerate(_tenths(self.lengths), 1)},
                "all": self.lengths,
            },
            "branching_by_ply": [round(value, 2) for value in self.branching()],
            "ends": self.ends(),
        }


def course(played: Played) -> Course:
    """The chance of the first person at each ply, as the mean of the last two looks at the game.

    A player sees the best move of its own and a little too much in it; usually the two looks are those of
    both persons, and their mean is less wrong.
    """
    looks = [(ply, value) for ply, value in enumerate(played.values) if value is not None]
    before = [value for _, value in looks[:1] + looks]
    return [(ply, (value + last) / 2) for (ply, value), last in zip(looks, before, strict=False)]


def lead_changes(course: Course) -> int:
    """How often the lead changes in the course of a game."""
    leads = [value > 0.5 for _, value in course if not 1 - LEAD <= value <= LEAD]
    return sum(one != other for one, other in pairwise(leads))


def won_from_behind(played: Played, course: Course) -> bool:
    """Whether the loser led at some time."""
    values = [value if played.person == "first" else 1 - value for _, value in course]
    return min(values) < 1 - LEAD


def decided_after(played: Played, course: Course) -> float:
    """The part of a game after which the chance of its winner stayed high."""
    sure = played.plies
    for ply, value in reversed(course):
        if (value if played.person == "first" else 1 - value) < DECIDED:
            break
        sure = ply
    return sure / played.plies


def _tenths(values: Sequence[float]) -> list[float]:
    return quantiles(values, n=10, method="inclusive") if len(values) > 1 else []


def _spread(lengths: Sequence[int]) -> str:
    tenths = _tenths(lengths) or lengths
    return f"80% of the games: {tenths[0]:.0f} to {tenths[-1]:.0f}" if tenths else "no game was finished"
