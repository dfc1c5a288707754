"""What an analysis found, in plain sentences first, then as tables: at the terminal and as data."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

import attrs
from attrs import frozen

from gdl.words import written
from interpreter.analysis.analyse import OTHER_PIE, PLAIN, weaker
from interpreter.analysis.coverage import Coverage
from interpreter.analysis.measures import DECIDED, Findings, Measure
from interpreter.analysis.statistics import FEWEST, Interval
from interpreter.errors import counted, printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

#: The longest line of a sentence, even on a wide terminal.
WIDTH = 100


@frozen
class Report:
    """All that an analysis found."""

    findings: Findings
    coverage: Coverage

    @property
    def title(self) -> str:
        return self.findings.plan.game.name

    @property
    def options(self) -> str:
        """The options as they are written after the name of a game."""
        return " ".join(f"{name}={written(value)}" for name, value in self.findings.plan.game.options.items())

    @property
    def command(self) -> str:
        """The command that plays these games again."""
        plan = self.findings.plan
        words = ["gdl", "analyse", plan.rules, *self.options.split(), "--player", plan.player]
        words += ["--games", str(plan.games), "--seed", str(plan.seed), "--opening", str(plan.opening)]
        return shlex.join([*words, "--most-plies", str(plan.most_plies)])

    def sentences(self) -> list[str]:
        """What was found, the most important first."""
        parts = (
            self._winner,
            self._pie,
            self._length,
            self._tension,
            self._depth,
            self._endings,
            self._rules,
        )
        return [sentence for part in (*parts, self._doubts) for sentence in part()]

    def _measures(self) -> dict[str, Measure]:
        return {measure.key: measure for measure in self.findings.measures()}

    def _winner(self) -> Iterator[str]:
        found = self.findings
        first, second, drawn = (found.person(who) for who in ("first", "second", None))
        decided = found.decided()
        if first is None or second is None or drawn is None:
            yield f"No game was finished within {counted(found.plan.most_plies, 'ply', 'plies')}."
            return
        yield (
            f"The first person wins {percent(first)} of the games, the second {percent(second)}; "
            f"{percent(drawn)} are drawn."
        )
        if decided is None:
            yield "No game between equal players was won."
        else:
            yield f"{advantage(decided)} (first person: {percent(decided)} of the games that were won)."

    def _pie(self) -> Iterator[str]:
        plan = self.findings.plan
        other = self.findings.decided(OTHER_PIE)
        if plan.pie is None:
            if plan.game.rules.pie is not None:
                yield "No option switches the pie rule off, so that there are no games without it to compare."
        elif other is not None:
            how = "Without" if plan.game.options[plan.pie] else "With"
            yield f"{how} the pie rule the first person wins {percent(other)} of the games that are won."

    def _length(self) -> Iterator[str]:
        measures, lengths = self._measures(), self.findings.lengths
        length, branching, forced = (measures[key].interval for key in ("length", "branching", "forced"))
        if length is not None and min(lengths) == max(lengths):
            yield f"Every game took {counted(lengths[0], 'ply', 'plies')}."
        elif length is not None:
            yield (
                f"A game takes {number(length)} plies on average, from {min(lengths)} to {max(lengths)} "
                f"({measures['length_median'].note})."
            )
        if branching is not None and forced is not None:
            yield (
                f"A player has {number(branching)} legal moves on average, {measures['branching'].note}; "
                f"{percent(forced)} of the moves of a game are forced."
            )

    def _tension(self) -> Iterator[str]:
        measures = self._measures()
        changes, back, decided = (measures[key].interval for key in ("lead_changes", "comebacks", "decided"))
        if self.findings.blind:
            yield (
                f"{self.findings.plan.player} does not say what it expects: who led, and when games were "
                "decided, is not known."
            )
        if changes is not None:
            yield f"The lead changes {number(changes)} times in a game."
        if back is not None and decided is not None:
            yield (
                f"{percent(back)} of the games are won from behind; a game is decided (the chance of its "
                f"winner stays above {DECIDED:.0%}) after {percent(decided)} of its plies."
            )

    def _depth(self) -> Iterator[str]:
        plan = self.findings.plan
        ladder = self.findings.ladder()
        if weaker(plan.player) is None:
            yield f"{plan.player} cannot think less than it does: whether more thought wins is not known."
        if ladder:
            steps = [f"{series.first} beats {series.second} in {percent(won)}" for series, won in ladder]
            wins = all(won.low > 0.5 for _, won in ladder)
            told = "More thought wins" if wins else "More thought does not surely win at every step"
            yield f"{told}: {', '.join(steps)} of the games that are won."

    def _endings(self) -> Iterator[str]:
        stopped, repeated = self.findings.endless()
        plies = self.findings.plan.most_plies
        if stopped:
            yield f"{counted(stopped, 'game')} had no end within {counted(plies, 'ply', 'plies')}."
        else:
            yield f"Every game came to an end within {counted(plies, 'ply', 'plies')}."
        if repeated:
            yield f"{counted(repeated, 'game')} ended by repetition."
        never = [reason for reason, games in self.findings.ends().items() if not games]
        if never:
            yield f"{counted(len(never), 'ending')} never fired: {'; '.join(never)}."

    def _rules(self) -> Iterator[str]:
        dead, cover = self.coverage.dead, self.coverage
        part = "" if cover.seen == cover.positions else f"{cover.seen:,} of "
        looked = f"{part}{counted(cover.positions, 'position')}"
        if dead:
            yield f"{counted(len(dead), 'part')} of the rules never mattered in {looked}."
        else:
            yield f"Every line of the rules that can be judged mattered in {looked}."

    def _doubts(self) -> Iterator[str]:
        """Reasons why these findings may be less sound than they look."""
        findings = self.findings
        for series in findings.plan.series:
            played = len(findings.of(series.label))
            if played < series.games:
                kind = "" if series.label == PLAIN else f" {series_title(series.label)}"
                asked = counted(series.games, "game")
                yield f"{played:,} of {asked}{kind} were played before it was stopped."
        if any(measure.interval and not measure.interval.known for measure in findings.measures()):
            yield f"Where no interval stands there are fewer than {FEWEST} games, too few for one."
        different = len({played.moves for played in findings.plain})
        if different < len(findings.plain) / 2:
            yield (
                f"Only {different:,} of {len(findings.plain):,} games differ: the intervals are too narrow; "
                "--opening lets games begin by chance."
            )

    def figures(self) -> dict[str, Any]:
        """All of it as JSON data."""
        plan = self.findings.plan
        return {
            "game": plan.game.name,
            "options": plan.game.options,
            "command": self.command,
            "summary": self.sentences(),
            **self.findings.figures(),
            "coverage": attrs.asdict(self.coverage),
        }


def series_title(label: str) -> str:
    """The description of a series of games."""
    if label == OTHER_PIE:
        return "with the other setting of the pie rule"
    return "of {} against {}".format(*label.split())


def advantage(decided: Interval) -> str:
    """What the share of the first person means, as a sentence without its full stop."""
    if decided.low > 0.5:
        return "Moving first is an advantage"
    if decided.high < 0.5:
        return "Moving first is a disadvantage"
    return "These games show no advantage of moving first"


def digits_of(share: Interval) -> int:
    """The decimals with which a share is told in percent."""
    return 0 if share.high - share.low >= 0.02 else 1


def percent(interval: Interval) -> str:
    """A share: "54% (49-59)", or "54%" if there is no interval."""
    digits = digits_of(interval)
    ends = _ends(100 * interval.low, 100 * interval.high, digits) if interval.known else ""
    return f"{100 * interval.value:.{digits}f}%{ends}"


def number(interval: Interval) -> str:
    """A number: "45.2 (43.1-47.3)", or "45.2" if there is no interval."""
    digits = 1 if abs(interval.value) < 1_000 else 0
    ends = _ends(interval.low, interval.high, digits) if interval.known else ""
    return f"{interval.value:,.{digits}f}{ends}"


def _ends(low: float, high: float, digits: int) -> str:
    return f" ({low:,.{digits}f}-{high:,.{digits}f})"


def told(measure: Measure) -> str:
    """The value of a measure with its interval."""
    if measure.interval is None:
        return "-"
    return percent(measure.interval) if measure.unit in ("share", "part") else number(measure.interval)


# --- at the terminal -----------------------------------------------------------


@contextmanager
def printing(stream: TextIO) -> Iterator[Console]:
    """A console that writes everything at once, so that a closed pipe shows as an error of the stream."""
    from rich.console import Console

    # Text from rule files must not be taken as markup, whatever is between brackets or colons in it.
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        yield console
    stream.write(captured.get())


def show(report: Report, stream: TextIO) -> None:
    """Print a report: sentences, then tables."""
    from rich.text import Text

    plan = report.findings.plan
    played = (
        f"{counted(len(report.findings.plain), 'game')} of {plan.player} against itself, seed {plan.seed}"
    )
    with printing(stream) as console:
        console.print(heading(report))
        console.print(Text(played, style="dim"))
        console.print()
        for sentence in report.sentences():
            console.print(Text(fold(sentence, "  ", console.width)))
        console.print()
        console.print(_table(report.findings.measures()))
        console.print()
        console.print(_ends_table(report.findings.ends()))
        show_dead("Rules that never mattered", report.coverage, console)


def show_dead(title: str, coverage: Coverage, console: Console) -> None:
    """Print the lines of the rules that never mattered, if there are any."""
    from rich.text import Text

    if coverage.dead:
        console.print()
        console.print(Text(title, style="bold"))
    for dead in coverage.dead:
        console.print(Text(fold(f"{printable(dead.file)}:{dead.line}: {dead.text}", "  ", console.width)))
        console.print(Text(fold(dead.why, "      ", console.width), style="dim"))


def fold(text: str, margin: str, width: int) -> str:
    """A text wrapped to lines of at most `width` characters, each after a margin."""
    lines = textwrap.fill(text, min(width, WIDTH) - len(margin), break_on_hyphens=False)
    return textwrap.indent(lines, margin)


def heading(report: Report) -> Text:
    """The title of a game and its options."""
    from rich.text import Text

    parts = [(report.title, "bold"), (report.options, "dim")]
    return Text(" ").join(Text(text, style) for text, style in parts if text)


def _table(measures: Sequence[Measure]) -> RenderableType:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="Measures, with intervals of 95%", title_justify="left")
    table.title_style = "bold"
    table.add_column("measure")
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("of", style="dim")
    for measure in measures:
        table.add_row(measure.title, told(measure), measure.note)
    return table


def _ends_table(ends: dict[str, int]) -> RenderableType:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="How games ended", title_justify="left")
    table.title_style = "bold"
    table.add_column("ending")
    table.add_column("games", justify="right")
    for reason, games in ends.items():
        table.add_row(printable(reason), f"{games:,}" if games else "never")
    return table
