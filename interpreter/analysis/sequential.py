"""What games show while more are to come: intervals that hold at every moment, and curves through shares.

Both are needed if results are looked at before deciding what to play next. The intervals of `always` hold at
every moment. How a share depends on a number is a `Response`: a curve that rises or falls, with one place
where the share is a half.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import asinh, log, log1p

import numpy as np
from attrs import astuple, evolve, frozen
from numpy.typing import NDArray

from interpreter.analysis.games import Played
from interpreter.analysis.statistics import CONFIDENCE, Interval
from interpreter.errors import counted

#: The confidence of the place where a curve is a half: higher than for other intervals, as it is a model.
SURE = 0.99

#: If this many games are the same, it is no accident.
ALIKE = 8

#: The chance of a result against all odds, however far from the place where the share is a half.
UPSET = 0.01

#: At how many places curves may be a half, closest where that is most likely; how far out these places go,
#: in lengths of the range of values; how often they are chosen again.
PLACES, FAR, LOOKS = 81, 3, 4

#: The number of widths of curves, and the chance above which a width counts as likely: they span those.
WIDTHS, UNLIKELY = 16, 1e-4

#: How much wider curves are above than below, and the prior chances of that.
SKEWS = {1 / 3: 0.25, 1.0: 0.5, 3.0: 0.25}


@frozen
class Winnings:
    """Games and the points won in them: 1 for a win, a half for a draw or an unfinished game."""

    points: float = 0.0
    games: int = 0
    unfinished: int = 0
    #: The moves of all of them; None if any two differ.
    moves: tuple[str, ...] | None = None

    def add(self, points: float, played: Played) -> Winnings:
        """The same with one more game."""
        same = self.games == 0 or self.moves == played.moves
        return Winnings(
            points=self.points + points,
            games=self.games + 1,
            unfinished=self.unfinished + (not played.finished),
            moves=played.moves if same else None,
        )

    @property
    def share(self) -> float:
        """The share of points; a half if no game was played."""
        return self.points / self.games if self.games else 0.5

    @property
    def alike(self) -> bool:
        """Whether all the games were the same, move for move: nothing is left to chance."""
        return self.games >= ALIKE and self.moves is not None


def together(parts: Iterable[Winnings]) -> Winnings:
    """All their games in one."""
    points, games, unfinished = zip(*((t.points, t.games, t.unfinished) for t in parts), strict=True)
    return Winnings(sum(points), sum(games), sum(unfinished))


def unfinished(winnings: Winnings) -> str:
    """What to say about the games that had no end."""
    count = "counts as a draw" if winnings.unfinished == 1 else "count as draws"
    return f"{counted(winnings.unfinished, 'game')} had no end and {count}."


def always(winnings: Winnings, confidence: float = CONFIDENCE) -> Interval:
    """The share of points, with an interval that holds at all moments at once, whenever play stops.

    The ends are the shares against which the games speak with odds of 1 to 1 - confidence, compared with all
    shares weighted equally (Robbins' mixture; by Ville's inequality the chance that the true share is ever
    outside is at most 1 - confidence). Draws make it too wide rather than too narrow.
    """
    from scipy.optimize import brentq
    from scipy.special import betaln

    won, lost = winnings.points, winnings.games - winnings.points
    if not winnings.games:
        return Interval(0.5, 0.0, 1.0)
    middle = winnings.share
    least = float(betaln(won + 1, lost + 1)) + log(1 - confidence)

    def spare(share: float) -> float:
        return (won and won * log(share)) + (lost and lost * log1p(-share)) - least

    tiny = 1e-12
    low = brentq(spare, tiny, max(middle, 2 * tiny)) if spare(tiny) < 0 else 0.0
    high = brentq(spare, min(middle, 1 - 2 * tiny), 1 - tiny) if spare(1 - tiny) < 0 else 1.0
    return Interval(middle, low, high)


def percent(share: Interval) -> str:
    """A share as text: "61% (57% to 65%)"."""
    return f"{share.value:.0%} ({share.low:.0%} to {share.high:.0%})"


def cells(whose: str, winnings: Winnings) -> dict[str, str]:
    """Games as cells of a table, by columns."""
    share = always(winnings)
    return {whose: f"{share.value:.1%}", "low": f"{share.low:.1%}", "high": f"{share.high:.1%}"}


def rounded(share: Interval) -> dict[str, float]:
    """A share as JSON data."""
    return {
        name: round(value, 4) for name, value in zip(("share", "low", "high"), astuple(share), strict=True)
    }


@frozen(eq=False)
class Response:
    """How a share may depend on a value: curves, and how likely each is after the games of a table.

    A curve is logistic on either side of the place where it is a half, with its own width on each side, and
    rises or falls. All widths are equally likely at first, from steps between two values to flat lines.
    """

    #: float[curves]: where each is a half.
    fair: NDArray[np.float64]
    #: float[curves]: how far from there it is at 73 percent, the geometric mean of below and above.
    width: NDArray[np.float64]
    #: float[curves]: how much wider it is above than below.
    skew: NDArray[np.float64]
    #: float[curves]: 1 if it falls, -1 if it rises.
    slope: NDArray[np.float64]
    #: float[curves]: their chances.
    chances: NDArray[np.float64]

    @classmethod
    def to(cls, table: Mapping[int, Winnings], values: range) -> Response:
        """The curves for games at some of the values; there must be two or more values."""
        span = values[-1] - values[0]
        middle, near = values[0] + span / 2, span / 2
        narrow, wide = values.step / 8, 4.0 * span
        for _ in range(LOOKS):
            far = asinh(FAR * span / near)
            places = middle + near * np.sinh(np.linspace(-far, far, PLACES))
            widths = np.geomspace(narrow, wide, WIDTHS)
            found = _curves(places, widths, table)
            first, middle, last = _quantiles(found.fair, found.chances, [0.25, 0.5, 0.75])
            near = max((last - first) / 2, values.step / 16)
            likely = np.bincount(np.searchsorted(widths, found.width * 0.999), found.chances)
            inside = np.flatnonzero(likely > UNLIKELY)
            narrow, wide = widths[max(inside[0] - 1, 0)], widths[min(inside[-1] + 1, WIDTHS - 1)]
        return found

    def shares(self, value: int) -> NDArray[np.float64]:
        """float[curves]: the share of each at a value."""
        from scipy.special import expit

        far = (self.fair - value) * self.slope / self.width
        root = np.sqrt(self.skew)
        logistic: NDArray[np.float64] = expit(far * np.where(self.fair > value, root, 1 / root))
        return UPSET + (1 - 2 * UPSET) * logistic

    def share(self, value: int) -> float:
        """The expected share at a value."""
        return float(self.chances @ self.shares(value))

    def half(self) -> Interval:
        """Where the share is a half: the median, and the ends between which it surely lies."""
        return Interval(*_quantiles(self.fair, self.chances, [0.5, (1 - SURE) / 2, (1 + SURE) / 2]))

    def outside(self, values: range) -> float:
        """The chance that the share is a half neither at any of the values nor between them."""
        return float(self.chances[(self.fair < values[0]) | (self.fair > values[-1])].sum())


def _curves(
    places: NDArray[np.float64], widths: NDArray[np.float64], table: Mapping[int, Winnings]
) -> Response:
    """The curves that are a half at these places, with these widths, all skews and both directions."""
    fair, width, skew, slope = np.meshgrid(places, widths, list(SKEWS), (1.0, -1.0), indexing="ij")
    at_first = np.multiply.outer(
        np.gradient(places), np.multiply.outer(np.ones(len(widths)), list(SKEWS.values()))
    )
    curves = Response(fair.ravel(), width.ravel(), skew.ravel(), slope.ravel(), np.repeat(at_first, 2))
    logs = np.log(curves.chances)
    for value, winnings in table.items():
        shares = curves.shares(value)
        logs += winnings.points * np.log(shares) + (winnings.games - winnings.points) * np.log1p(-shares)
    likelihood = np.exp(logs - logs.max())
    return evolve(curves, chances=likelihood / likelihood.sum())


def _quantiles(
    numbers: NDArray[np.float64], chances: NDArray[np.float64], below: Sequence[float]
) -> list[float]:
    """The quantiles of numbers with these chances, one for each probability in `below`."""
    ordered, place = np.unique(numbers, return_inverse=True)
    likely = np.bincount(place, chances)
    return [float(number) for number in np.interp(below, np.cumsum(likely) - likely / 2, ordered)]
