"""SVG plots inside a page, in the colours of the page, so that they suit light and dark themes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.analysis.analyse import Series
from interpreter.analysis.games import Played
from interpreter.analysis.measures import Course
from interpreter.analysis.statistics import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours given to matplotlib, and the CSS variables of the page that they stand for.
INK, FAINT, FIRST, SECOND, NEUTRAL = "#010203", "#040506", "#070809", "#0a0b0c", "#0d0e0f"
VARIABLES = {
    INK: "var(--ink)",
    FAINT: "var(--line)",
    FIRST: "var(--first)",
    SECOND: "var(--second)",
    NEUTRAL: "var(--drawn)",
}

#: The size of a plot in inches; a page stretches it.
WIDE, HIGH = 4.6, 2.5

#: The most courses in one plot: more would be a tangle.
COURSES = 40

#: The most columns in a histogram.
BINS = 24


def lengths(sides: Sequence[tuple[str, Sequence[int]]]) -> str:
    """A histogram of the lengths of games, for one game or two to compare."""

    def draw(axes: Axes) -> None:
        import numpy as np

        every = [length for _, values in sides for length in values]
        low, high = min(every) - 0.5, max(every) + 0.5
        steps = np.linspace(low, high, min(BINS, max(every) - min(every) + 1) + 1)
        for (name, values), colour in zip(sides, (FIRST, SECOND), strict=False):
            weights = [100 / len(values)] * len(values)
            style: Any = {"color": colour, "alpha": 0.75, "label": name, "rwidth": 0.92}
            axes.hist(values, bins=list(steps), weights=weights, **style)
        axes.set_xlabel("plies")
        axes.set_ylabel("% of games")
        if len(sides) > 1:
            axes.legend(frameon=False, labelcolor=INK)

    return _plot("lengths", draw)


def courses(games: Sequence[tuple[Played, Course]]) -> str:
    """The chance of the first person in the course of games, coloured by who won."""

    def draw(axes: Axes) -> None:
        colours = {"first": FIRST, "second": SECOND, None: NEUTRAL}
        for played, course in games[:COURSES]:
            if course:
                plies, values = zip(*course, strict=True)
                shares = [100 * value for value in values]
                axes.plot(plies, shares, color=colours[played.person], alpha=0.45, linewidth=1)
        axes.axhline(50, color=FAINT, linewidth=1, zorder=0)
        axes.set_ylim(0, 100)
        axes.set_xlabel("ply")
        axes.set_ylabel("% first person")

    return _plot("courses", draw)


def branching(sides: Sequence[tuple[str, Sequence[float]]]) -> str:
    """The number of legal moves at each ply."""

    def draw(axes: Axes) -> None:
        for (name, values), colour in zip(sides, (FIRST, SECOND), strict=False):
            axes.plot(range(len(values)), values, color=colour, linewidth=1.6, label=name)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("ply")
        axes.set_ylabel("legal moves")
        if len(sides) > 1:
            axes.legend(frameon=False, labelcolor=INK)

    return _plot("branching", draw)


def strength(ladder: Sequence[tuple[Series, Interval]]) -> str:
    """How often a player beats one that thinks less, step by step."""

    def draw(axes: Axes) -> None:
        steps = list(reversed(ladder))
        values = [100 * won.value for _, won in steps]
        below = [100 * (won.value - won.low) for _, won in steps]
        above = [100 * (won.high - won.value) for _, won in steps]
        places = range(len(steps))
        axes.axhline(50, color=FAINT, linewidth=1, zorder=0)
        axes.errorbar(places, values, yerr=[below, above], color=FIRST, marker="o", markersize=5, capsize=3)
        axes.set_xticks(list(places), [f"{series.first}\nv {series.second}" for series, _ in steps])
        axes.set_xlim(-0.5, len(steps) - 0.5)
        axes.set_ylim(0, 102)
        axes.set_ylabel("% won")

    return _plot("strength", draw)


def _plot(name: str, draw: Callable[[Axes], None]) -> str:
    """An SVG element; the name keeps its ids apart from those of other plots on the page."""
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    style: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": name,
        "font.family": "sans-serif",
        "font.size": 9,
        "text.parse_math": False,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
    }
    with mpl.rc_context(style):
        figure = Figure(figsize=(WIDE, HIGH), layout="constrained")
        figure.patch.set_alpha(0)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        draw(axes)
        file = io.StringIO()
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(file, format="svg", metadata=nothing)
    svg = file.getvalue()
    svg = svg[svg.index("<svg") :]
    # The page decides on its size and font, and keeps its own styles and names.
    for pattern in (r' (width|height)="[0-9.]+pt"', r"<style.*?</style>", r' id="[A-Za-z0-9]+_\d+"'):
        svg = re.sub(pattern, "", svg)
    svg = re.sub(r"font-family: [^;\"]*", "font-family: inherit", svg)
    for colour, variable in VARIABLES.items():
        svg = svg.replace(colour, variable)
    return svg
