"""Commands that report what games show about their rules: analyse, compare."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeVar

import click

from interpreter.cli.files import check_writable, spare_rules, write
from interpreter.cli.many import (
    Where,
    check_players,
    cluster_option,
    playing,
    processes_option,
    save_option,
    seed_option,
)
from interpreter.cli.shared import Seconds, game_argument, json_option, load, options_argument, print_json
from interpreter.cli.shell import Wrong, main
from interpreter.meanwhile import Meanwhile

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.text import Text

    from interpreter.analysis.analyse import Plan
    from interpreter.analysis.compare import Comparison
    from interpreter.analysis.games import Play, Played
    from interpreter.analysis.measures import Findings
    from interpreter.analysis.report import Report
    from interpreter.game import Game

#: Games of the main series and seconds of play if neither is given; with fewer games than FEWEST it goes on.
GAMES, SECONDS, FEWEST = 100, 60.0, 2

#: The time spent looking at the rules, as a part of the seconds, and the least and most seconds of it.
LOOKING, SHORTEST, LONGEST = 0.15, 5.0, 30.0

#: The seconds left for it when somebody has interrupted the games and is waiting.
SOON = 1.0

OPTIONS = (
    click.option(
        "--player", default="mcts:200", show_default=True, metavar="PLAYER", help="Who plays both sides."
    ),
    click.option(
        "--games", type=click.IntRange(1, 100_000), help=f"Games in the main series.  [default: {GAMES}]"
    ),
    click.option(
        "--seconds",
        type=Seconds(min=1, max=10_000_000),
        help=f"Time limit for playing, without compiling.  [default: {SECONDS:g}; with --games, no limit]",
    ),
    seed_option,
    click.option(
        "--opening",
        type=click.IntRange(0, 100),
        help="Random moves at the start.  [default: 0, or 2 for deterministic players]",
    ),
    click.option(
        "--most-plies",
        type=click.IntRange(1, 1_000_000),
        default=1_000,
        show_default=True,
        help="Stop a game after this many plies.",
    ),
    processes_option,
    cluster_option,
    save_option,
    click.option("--html", metavar="FILE", help="Write the report to this file, as a page."),
    json_option,
)

Command = TypeVar("Command", bound="Callable[..., None]")
Found = TypeVar("Found", "Report", "Comparison")


def analysis_options(command: Command) -> Command:
    """The options of both commands, which make up their `Settings`."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


class Settings(NamedTuple):
    """The values of the options of both commands."""

    player: str
    games: int | None
    seconds: float | None
    seed: int
    opening: int | None
    most_plies: int
    processes: int | None
    cluster: str | None
    save: str | None
    html: str | None
    as_json: bool

    @property
    def limit(self) -> float | None:
        """The time limit for playing, in seconds; None: as long as the games take."""
        return SECONDS if self.games is None and self.seconds is None else self.seconds

    def plan(self, name: str, game: Game, both_pies: bool = True) -> Plan:
        """The games to play for a game that was loaded by name or path."""
        from interpreter.analysis.analyse import Plan

        check_players([self.player])
        opening = self.opening
        if opening is None:
            opening = 0 if self.player.partition(":")[0] in ("mcts", "random") else 2
        games = self.games or GAMES
        return Plan(name, game, self.player, games, self.seed, opening, self.most_plies, both_pies)

    def check_page(self, *games: str) -> None:
        """Complain about the name of the page now, rather than after the games."""
        if self.html is not None:
            if not self.html:
                raise click.UsageError("--html needs the name of a file.")
            if self.save and os.path.realpath(self.html) == os.path.realpath(self.save):
                raise click.UsageError("--html and --save need a file each.")
            spare_rules(self.html, *games)
            check_writable(self.html)


class Enough(Exception):
    """The time is up."""


@main.command()
@game_argument
@options_argument
@analysis_options
def analyse(game: str, options: tuple[str, ...], **settings: Any) -> None:
    """Report whether a game is fair, long, tense and deep, and which of its rules never mattered.

    A player plays itself, with and without the pie rule if an option switches it, and weaker players;
    each measure comes with a 95% confidence interval. Without --games and --seconds this takes about a
    minute. With --save it resumes where it was stopped, for whatever reason. When interrupted, it reports
    what it has found so far.

    \b
    gdl analyse ayu size=7
    gdl analyse my_variant.game --player mcts:500 --games 400 --save games.jsonl --html report.html
    """
    asked = Settings(**settings)
    plan = asked.plan(game, load(game, options))
    asked.check_page(game)
    (report,), interrupted = _reports([plan], plan.asked(), asked)

    from interpreter.analysis.pages import report_page
    from interpreter.analysis.report import show

    _tell(report, asked, report_page, show, interrupted)


@main.command()
@click.argument("words", nargs=-1, required=True, metavar="GAME [NAME=VALUE]... GAME [NAME=VALUE]...")
@analysis_options
def compare(words: tuple[str, ...], **settings: Any) -> None:
    """Compare two games, or one with different options, by the measures of `gdl analyse`.

    Each game is followed by its options. The same player plays both, alternately. With --save it resumes
    where it was stopped; when interrupted, it reports what it has found so far.

    \b
    gdl compare ayu size=7 lonely_ayu.game size=7
    gdl compare hex columns=7 pie=no hex columns=7 pie=yes
    """
    names, games = zip(*((name, load(name, options)) for name, options in _sides(words)), strict=True)
    asked = Settings(**settings)
    plans = [asked.plan(name, game, both_pies=False) for name, game in zip(names, games, strict=True)]
    asked.check_page(*names)

    from interpreter.analysis.compare import Comparison, asked_of, show
    from interpreter.analysis.pages import comparison_page

    reports, interrupted = _reports(plans, asked_of(plans), asked)
    _tell(Comparison(*reports), asked, comparison_page, show, interrupted)


def _sides(words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The two games, each with the options that follow it."""
    sides = list[tuple[str, list[str]]]()
    for word in words:
        if "=" not in word or word.endswith(".game"):
            sides.append((word, []))
        elif sides:
            sides[-1][1].append(word)
        else:
            raise click.UsageError(f"The option {word} stands behind its game.")
    if len(sides) != 2:
        raise click.UsageError(f"Two games are compared, not {len(sides)}.")
    return sides


def _reports(plans: Sequence[Plan], question: dict[str, Any], asked: Settings) -> tuple[list[Report], bool]:
    """A report for each plan, on the games that can be played in the time; and whether they were interrupted.

    `question` is what a file of the games must agree with.
    """
    from interpreter.analysis.analyse import abreast
    from interpreter.analysis.coverage import cover
    from interpreter.analysis.measures import Findings
    from interpreter.analysis.report import Report

    findings = [Findings(plan) for plan in plans]
    tasks, rehearsal = abreast(plans), [task for plan in plans for task in plan.rehearsal()]
    start, interrupted = monotonic(), False

    def watch(played: Played) -> None:
        findings[played.task.number % len(plans)].add(played)
        late = asked.limit is not None and monotonic() - start > asked.limit
        if late and all(len(found.plain) >= min(FEWEST, found.plan.games) for found in findings):
            raise Enough

    def measure(play: Play) -> None:
        nonlocal start
        start = monotonic()
        play(tasks)

    try:
        playing(
            measure,
            len(tasks),
            question,
            Where(asked.processes, asked.cluster, asked.save),
            watch,
            lambda: _so_far(findings),
            rehearsal,
        )
    except Enough:
        pass
    except KeyboardInterrupt:
        if not all(found.plain for found in findings):
            raise
        interrupted = True
    for found in findings:
        if not found.plain:
            raise Wrong(f"No game of {found.plan.game.name} could be played.")
    looking = LOOKING * (asked.limit or SECONDS) / len(plans)
    seconds = SOON if interrupted else min(max(looking, SHORTEST), LONGEST)
    with _busy("looking at the rules"):
        return [
            Report(found, cover(plan.rules, plan.game.options, found.plain, seconds, plan.seed))
            for plan, found in zip(plans, findings, strict=True)
        ], interrupted


def _busy(what: str) -> Meanwhile:
    """Say what is being done, if at a terminal."""
    if not sys.stderr.isatty():
        return Meanwhile(None)

    from rich.console import Console

    return Meanwhile(Console(stderr=True).status(what))


def _so_far(findings: Sequence[Findings]) -> Text:
    """The main result of each game while games are being played."""
    from rich.text import Text

    from interpreter.analysis.report import percent

    lines = []
    for found in findings:
        first, draws = found.person("first"), found.person(None)
        if first is not None and draws is not None:
            lines.append(f"{found.plan.game.name}: first person {percent(first)}, draws {percent(draws)}")
    return Text("\n".join(lines))


def _tell(
    found: Found,
    asked: Settings,
    page: Callable[[Found], str],
    show: Callable[[Found, TextIO], None],
    interrupted: bool,
) -> None:
    """Write the page, if one is asked for, and print what was found; exit status 130 if interrupted."""
    try:
        if asked.html:
            write(asked.html, page(found).encode(errors="replace"))
    finally:  # what took long to find out is printed even if the page cannot be written
        if asked.as_json:
            print_json(found.figures())
        else:
            show(found, sys.stdout)
    if interrupted:
        raise click.exceptions.Exit(130)
