"""An analysis or a comparison as a self-contained HTML page.

All text from rule files is escaped by the templates; only plots are inserted as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from interpreter.analysis import plots
from interpreter.analysis.compare import Comparison, shown
from interpreter.analysis.report import Report, percent, told
from interpreter.errors import counted

if TYPE_CHECKING:
    from markupsafe import Markup

#: The title of a plot, a note on what it shows, and the plot.
Plot = tuple[str, str, "Markup"]


def report_page(report: Report) -> str:
    """The page of an analysis."""
    findings = report.findings
    plan = findings.plan
    colours = plan.game.players
    winners = [
        *((f"{who} person", findings.person(who), who) for who in ("first", "second")),
        *((colour, findings.won(lambda played: played.winner, colour), "drawn") for colour in colours),
        ("draw", findings.person(None), "drawn"),
    ]
    return _page(
        "report.html",
        report=report,
        rules=plan.game.rules,
        played=f"{counted(len(findings.plain), 'game')} of {plan.player} against itself, seed {plan.seed}",
        cards=_cards(report),
        winners=winners,
        plots=_report_plots(report),
        percent=percent,
        told=told,
    )


def comparison_page(comparison: Comparison) -> str:
    """The page of a comparison."""
    reports = comparison.one, comparison.other
    return _page(
        "comparison.html",
        comparison=comparison,
        reports=reports,
        names=comparison.names,
        plots=_comparison_plots(comparison),
        told=told,
        difference=shown,
    )


def _page(template: str, **values: Any) -> str:
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("interpreter.analysis"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["unbroken"] = unbroken
    return environment.get_template(template).render(**values)


def unbroken(text: str) -> str:
    """A text in which no interval is broken at the end of a line."""
    return re.sub(r" \(([^ ()]+)-([^ ()]+)\)", "\u00a0(\\1\u2011\\2)", text)


def _cards(report: Report) -> list[tuple[str, str]]:
    """The few numbers that the page begins with."""
    measures = {measure.key: measure.interval for measure in report.findings.measures()}
    shares = {
        "first_wins": "of games won by the first person",
        "draws": "of games drawn",
        "decided": "of a game until it is decided",
    }
    numbers = {"length": "plies in a game", "branching": "legal moves"}
    cards = [(measures[key], "{:.0%}", what) for key, what in shares.items()]
    cards[2:2] = [(measures[key], "{:,.1f}", what) for key, what in numbers.items()]
    return [(form.format(found.value), what) for found, form, what in cards if found is not None]


def _report_plots(report: Report) -> list[Plot]:
    findings = report.findings
    found = list[Plot]()
    if findings.lengths:
        found.append(_plot("Length", "of finished games", plots.lengths([(report.title, findings.lengths)])))
    choice = plots.branching([(report.title, findings.branching())])
    found.append(_plot("Choice", "legal moves at each ply, mean", choice))
    if not findings.blind:
        note = "chance of the first person; blue where it won in the end, orange where the second person did"
        found.append(_plot("Courses of games", note, plots.courses(findings.courses())))
    ladder = findings.ladder()
    if ladder:
        note = "who thinks more against who thinks less"
        found.append(_plot("Depth", note, plots.strength(ladder)))
    return found


def _comparison_plots(comparison: Comparison) -> list[Plot]:
    sides = list(zip(comparison.names, (comparison.one.findings, comparison.other.findings), strict=True))
    lengths = [(name, findings.lengths) for name, findings in sides]
    branching = [(name, findings.branching()) for name, findings in sides]
    found = [_plot("Choice", "legal moves at each ply, mean", plots.branching(branching))]
    if all(values for _, values in lengths):
        found.insert(0, _plot("Length", "of finished games", plots.lengths(lengths)))
    return found


def _plot(title: str, note: str, svg: str) -> Plot:
    from markupsafe import Markup

    return title, note, Markup(svg)
