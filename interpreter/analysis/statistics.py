"""What numbers of games show, and how surely: each measure with its interval of 95 percent."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from math import inf, isfinite, log

from attrs import frozen

#: The confidence of an interval.
CONFIDENCE = 0.95

#: Fewer values have no interval: not even the range of all of them holds the median with that confidence.
FEWEST = 6

#: Points of Elo in one unit of log odds: 400 points are odds of ten to one.
ELO = 400 / log(10)


@frozen
class Interval:
    """A measure, and the ends between which it lies with the confidence of this module.

    The ends are infinite if there are too few values for an interval.
    """

    value: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether there were enough values for an interval."""
        return isfinite(self.low) and isfinite(self.high)

    def data(self) -> dict[str, float | None]:
        """The interval as JSON data; an unknown end is None."""
        ends = {"low": self.low, "high": self.high} if self.known else dict.fromkeys(("low", "high"))
        return {"value": self.value, **ends}

    @classmethod
    def within(cls, value: float, low: float, high: float, most: float) -> Interval:
        """The interval of a measure that is never below 0 or above `most`."""
        return cls(value, max(0.0, low), min(high, most))


#: The JSON data of what could not be measured.
UNKNOWN: dict[str, float | None] = dict.fromkeys(("value", "low", "high"))


def share(count: int, whole: int) -> Interval | None:
    """The share of `count` cases among `whole`, with Wilson's interval; None if there are no cases."""
    from scipy.stats import binomtest

    if not whole:
        return None
    ends = binomtest(count, whole).proportion_ci(CONFIDENCE, method="wilson")
    return Interval.within(count / whole, float(ends.low), float(ends.high), 1.0)


def mean(values: Sequence[float], most: float = inf) -> Interval | None:
    """The mean of a measure, with Student's interval; None for fewer than two values.

    No value is below 0 or above `most`, nor are the ends of the interval.
    A few values that happen to be equal would have an interval of no width; so a few values have none.
    """
    import numpy as np
    from scipy.stats import t

    if len(values) < 2:
        return None
    middle = float(np.mean(values))
    if len(values) < FEWEST:
        return Interval(middle, -inf, inf)
    wide = float(np.std(values, ddof=1) / len(values) ** 0.5 * t.ppf((1 + CONFIDENCE) / 2, len(values) - 1))
    return Interval.within(middle, middle - wide, middle + wide, most)


def median(values: Sequence[float]) -> Interval | None:
    """The median, with its exact interval by order statistics; None for fewer than two values."""
    from scipy.stats import quantile_test

    if len(values) < 2:
        return None
    middle = statistics.median(values)
    if len(values) < FEWEST:
        return Interval(middle, -inf, inf)
    ends = quantile_test(values, p=0.5).confidence_interval(CONFIDENCE)
    return Interval(middle, float(ends.low), float(ends.high))


def ratings(points: Sequence[Sequence[float]]) -> list[Interval]:
    """The strengths of two or more players, in Elo points about their mean, by the Bradley-Terry model.

    `points[i][j]` are the points of player i against player j: 1 for a win, a half for a draw. An extra draw
    is added between each two, so that a player who has won every game has a rating, too; for two players it
    is the log of (wins + 1/2) / (losses + 1/2). The intervals come from the Fisher information: they are
    those for games without draws, and too wide rather than too narrow if many are drawn.
    """
    import choix
    import numpy as np

    won = np.array(points, dtype=float) + 0.5
    np.fill_diagonal(won, 0)
    strengths = choix.ilsr_pairwise_dense(won, max_iter=10_000)
    strengths -= strengths.mean()
    chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    weights = (won + won.T) * chances * (1 - chances)
    # About their mean, the covariance of the ratings is the inverse of this matrix where it has one.
    spread = np.sqrt(np.diag(np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)))
    wide = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * spread
    return [
        Interval(*row)
        for row in (ELO * np.stack([strengths, strengths - wide, strengths + wide], 1)).tolist()
    ]
