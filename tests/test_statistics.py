"""What games show: shares, means and ratings against formulas worked out by hand, and planted strengths."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import exp, log, sqrt

import pytest

from interpreter.analysis.statistics import Interval, mean, median, ratings, share

#: 1.96, to more places: 95 percent of a normal distribution lie within this many deviations of its mean.
Z = 1.959963984540054


@pytest.mark.parametrize(("count", "whole"), [(75, 100), (0, 20), (20, 20), (1, 3)])
def test_a_share_has_the_interval_of_wilson(count: int, whole: int) -> None:
    part = count / whole
    middle = (part + Z**2 / (2 * whole)) / (1 + Z**2 / whole)
    wide = Z / (1 + Z**2 / whole) * sqrt(part * (1 - part) / whole + Z**2 / (4 * whole**2))
    found = share(count, whole)
    assert found is not None
    assert found.value == part
    assert (found.low, found.high) == pytest.approx((middle - wide, middle + wide))


def test_nothing_was_counted() -> None:
    assert share(0, 0) is None
    assert mean([3]) is None
    assert median([3]) is None


def test_a_mean_has_the_interval_of_student() -> None:
    found = mean([1, 2, 3, 4, 5, 6])
    assert found is not None
    wide = 2.570582 * sqrt(3.5 / 6)  # from the table: 97.5 percent, five degrees of freedom
    assert (found.value, found.low, found.high) == pytest.approx((3.5, 3.5 - wide, 3.5 + wide), rel=1e-5)


def test_a_median_lies_between_values_that_tables_give() -> None:
    # The 6th and the 15th of 20 values: Conover, Practical Nonparametric Statistics, table A3.
    assert median(range(20, 0, -1)) == Interval(10.5, 6, 15)
    # All six are on one side of the median once in 32 times, all five once in 16.
    assert median([3, 1, 4, 1, 5, 9]) == Interval(3.5, 1, 9)


@pytest.mark.parametrize("measure", [mean, median])
def test_a_few_values_have_no_interval(measure: Callable[[list[float]], Interval | None]) -> None:
    """Once, that of three equal values had no width, and that of two held only half of all medians."""
    found = measure([9.0] * 5)
    assert found is not None
    assert not found.known
    assert found.data() == {"value": 9, "low": None, "high": None}


@pytest.mark.parametrize(("won", "lost"), [(75, 25), (10, 10), (30, 0), (1.5, 2.5)])
def test_two_ratings_are_the_log_of_the_odds(won: float, lost: float) -> None:
    """With half a win for either; the deviation of log odds is 1 / sqrt(n p q)."""
    first, second = ratings([[0, won], [lost, 0]])
    games, chance = won + lost + 1, (won + 0.5) / (won + lost + 1)
    unit = 400 / log(10)
    apart = unit * log((won + 0.5) / (lost + 0.5))
    assert first.value - second.value == pytest.approx(apart)
    assert first.value == pytest.approx(-second.value)
    wide = Z * unit / sqrt(games * chance * (1 - chance))
    assert first.high - first.low == pytest.approx(
        wide
    )  # half of it above, half below, of half the difference
    assert first.high - first.value == pytest.approx(first.value - first.low)


def test_draws_are_half_a_win_for_either() -> None:
    drawn = [[0, 3 + 4 / 2], [1 + 4 / 2, 0]]  # 3 won, 4 drawn, 1 lost
    assert ratings(drawn) == ratings([[0, 5], [3, 0]])


def test_planted_strengths_are_found() -> None:
    """Points as the model expects them from very many games, when each player has met some of the others."""
    planted = [300.0, 100.0, -50.0, -350.0]
    points = [[0.0] * 4 for _ in planted]
    for one, other in [(0, 1), (1, 2), (2, 3), (0, 2)]:
        chance = 1 / (1 + 10 ** ((planted[other] - planted[one]) / 400))
        points[one][other], points[other][one] = 1e7 * chance, 1e7 * (1 - chance)
    assert [rating.value for rating in ratings(points)] == pytest.approx(planted, abs=0.1)


def test_the_intervals_hold_what_is_planted() -> None:
    """Of 400 tournaments of three players about 95 percent hold the true strength of the first."""
    planted, chance = [0.5, 0.0, -0.5], random.Random(1)
    held = 0
    for _ in range(400):
        points = [[0.0] * 3 for _ in planted]
        for one, other in [(0, 1), (0, 2), (1, 2)]:
            won = sum(chance.random() < 1 / (1 + exp(planted[other] - planted[one])) for _ in range(40))
            points[one][other], points[other][one] = won, 40 - won
        first = ratings(points)[0]
        held += first.low <= 0.5 * 400 / log(10) <= first.high
    assert 0.92 <= held / 400 <= 0.98
