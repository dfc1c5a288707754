"""Two games by the same measures: what differs, by how much, and whether that can be chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import Any, TextIO

from attrs import frozen

from interpreter.analysis.analyse import Plan
from interpreter.analysis.measures import Measure
from interpreter.analysis.report import Report, digits_of, fold, heading, printing, show_dead, told
from interpreter.analysis.statistics import FEWEST, UNKNOWN, Interval
from interpreter.errors import counted


@frozen
class Row:
    """A measure of both games, and the second minus the first; None if one of them is not known."""

    title: str
    one: Measure
    other: Measure
    difference: Interval | None

    @property
    def differs(self) -> bool:
        """Whether the interval of the difference excludes 0."""
        return self.difference is not None and not self.difference.low <= 0 <= self.difference.high


@frozen
class Comparison:
    """What two reports say about the same measures."""

    one: Report
    other: Report

    @property
    def names(self) -> tuple[str, str]:
        """The names of the games; if they share a title, with the options that differ, else their files."""
        reports = self.one, self.other
        if self.one.title != self.other.title:
            return self.one.title, self.other.title
        one, other = options = [report.options.split() for report in reports]
        own = [
            " ".join(text for text in mine if text not in theirs) for mine, theirs in (options, options[::-1])
        ]
        if one == other:
            files = [report.findings.plan.rules for report in reports]
            own = [f"({file})" for file in (files if files[0] != files[1] else "12")]
        first, second = (f"{report.title} {mine}".rstrip() for report, mine in zip(reports, own, strict=True))
        return first, second

    def rows(self) -> list[Row]:
        """The measures that both games have."""
        few = min(len(report.findings.plain) for report in (self.one, self.other)) < FEWEST
        others = {measure.key: measure for measure in self.other.findings.measures()}
        pairs = [(one, others.get(one.key)) for one in self.one.findings.measures()]
        return [
            Row(one.title, one, other, None if few else difference(one.interval, other.interval))
            for one, other in pairs
            if other is not None and other.title == one.title
        ]

    def sentences(self) -> Iterator[str]:
        """What differs, in words."""
        one, other = self.names
        rows = self.rows()
        known = [row for row in rows if row.difference is not None]
        yield (
            f"{counted(len(self.one.findings.plain), 'game')} of {one} and "
            f"{counted(len(self.other.findings.plain), 'game')} of {other}, "
            f"all played by {self.one.findings.plan.player}."
        )
        differing = [row for row in known if row.differs]
        if not known:
            yield f"What differs is told of {FEWEST} games or more of each."
        elif not differing:
            yield "No measure differs by more than chance may do."
        for row in differing:
            title = row.title[0].upper() + row.title[1:]
            yield f"{title}: {told(row.one)} in {one}, {told(row.other)} in {other}: {shown(row)}."
        if known:
            yield (
                f"An interval of 95% misses one time in twenty: of {len(known)} measures that are the same, "
                f"about {len(known) / 20:.1f} would seem to differ."
            )

    def figures(self) -> dict[str, Any]:
        """All of it as JSON data."""
        return {
            "games": [self.one.figures(), self.other.figures()],
            "summary": list(self.sentences()),
            "differences": {
                row.one.key: {
                    "title": row.title,
                    "differs": row.differs,
                    **(row.difference.data() if row.difference else UNKNOWN),
                }
                for row in self.rows()
            },
        }


def asked_of(plans: Sequence[Plan]) -> dict[str, Any]:
    """What a file of the games of both plans must agree with: for each part, what either plan asks."""
    one, other = (plan.asked() for plan in plans)
    return {name: [value, other[name]] for name, value in one.items()} | {"command": "compare"}


def difference(one: Interval | None, other: Interval | None) -> Interval | None:
    """The second minus the first, with an interval made from both of theirs; None if either has none.

    Source: G. Y. Zou and A. Donner (2008), "Construction of confidence limits about effect measures".
    """
    if one is None or other is None or not (one.known and other.known):
        return None
    value = other.value - one.value
    return Interval(
        value,
        value - hypot(other.value - other.low, one.high - one.value),
        value + hypot(other.high - other.value, one.value - one.low),
    )


def shown(row: Row) -> str:
    """The difference of a measure: "+12 (+3 to +21)", shares in percent and as exact as both of them."""
    if row.difference is None:
        return "-"
    times, digits, unit = 1, 1, ""
    if row.one.unit in ("share", "part"):
        digits = max(digits_of(each.interval) for each in (row.one, row.other) if each.interval)
        times, unit = 100, "%"
    value, low, high = (
        f"{round(times * end, digits) + 0:+,.{digits}f}"
        for end in (row.difference.value, row.difference.low, row.difference.high)
    )
    return f"{value}{unit} ({low} to {high})"


def show(comparison: Comparison, stream: TextIO) -> None:
    """Print a comparison: sentences, then a table."""
    from rich.table import Table
    from rich.text import Text

    reports = comparison.one, comparison.other
    table = Table(box=None, pad_edge=False)
    table.add_column("measure (95%)")
    for title in (*comparison.names, "difference"):
        table.add_column(title, justify="right")
    for row in comparison.rows():
        style = "bold" if row.differs else None
        table.add_row(row.title, told(row.one), told(row.other), shown(row), style=style)
    with printing(stream) as console:
        for report in reports:
            console.print(heading(report))
        console.print()
        for sentence in comparison.sentences():
            console.print(Text(fold(sentence, "  ", console.width)))
        console.print()
        console.print(table)
        for name, report in zip(comparison.names, reports, strict=True):
            show_dead(f"{name}: rules that never mattered", report.coverage, console)
