"""Commands that say what games tell of their rules: analyse, compare."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from interpreter.cli.many import (
    check_players,
    cluster_option,
    play_all,
    processes_option,
    save_option,
    seed_option,
)
from interpreter.cli.shared import Seconds, game_argument, json_option, load, options_argument, print_json
from interpreter.cli.shell import Wrong, main

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.analysis.analyse import Plan
    from interpreter.analysis.games import Played
    from interpreter.analysis.measures import Findings
    from interpreter.analysis.report import Report
    from interpreter.game import Game

#: Games of the main series, and seconds of play, where neither is said; with fewer games it goes on.
GAMES, SECONDS, FEWEST = 100, 60.0, 2

#: The part of the seconds in which the rules are looked at, and how long that is at least and at most.
LOOKING, SHORTEST, LONGEST = 0.15, 5.0, 30.0

OPTIONS = (
    click.option(
        "--player", default="mcts:200", show_default=True, metavar="PLAYER", help="Who plays both sides."
    ),
    click.option(
        "--games", type=click.IntRange(1, 100_000), help=f"Games of the main series.  [default: {GAMES}]"
    ),
    click.option(
        "--seconds",
        type=Seconds(min=1, max=10_000_000),
        help=f"Play no longer.  [default: {SECONDS:g}; with --games, as long as they take]",
    ),
    seed_option,
    click.option(
        "--opening",
        type=click.IntRange(0, 100),
        help="Moves made by chance first.  [default: 0, or 2 where players leave nothing to chance]",
    ),
    click.option(
        "--most-plies",
        type=click.IntRange(1, 1_000_000),
        default=1_000,
        show_default=True,
        help="Where a game is stopped.",
    ),
    processes_option,
    cluster_option,
    click.option("--html", metavar="FILE", help="Write the report to this file, as one page."),
    json_option,
)

Command = TypeVar("Command", bound="Callable[..., None]")


def analysis_options(command: Command) -> Command:
    """The options of both commands, which come as `Settings`."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


class Settings(NamedTuple):
    """What both commands are asked for."""

    player: str
    games: int | None
    seconds: float | None
    seed: int
    opening: int | None
    most_plies: int
    processes: int | None
    cluster: str | None
    html: str | None
    as_json: bool

    @property
    def limit(self) -> float | None:
        """How many seconds may be played; None: as long as the games take."""
        return SECONDS if self.games is None and self.seconds is None else self.seconds

    def plan(self, name: str, game: Game, both_pies: bool = True) -> Plan:
        """The games to play of a game that was loaded by a name or path."""
        from interpreter.analysis.analyse import Plan

        check_players([self.player])
        opening = self.opening
        if opening is None:
            opening = 0 if self.player.partition(":")[0] in ("mcts", "random") else 2
        games = self.games or GAMES
        return Plan(name, game, self.player, games, self.seed, opening, self.most_plies, both_pies)

    def check_page(self) -> None:
        """What is wrong with the name of the page is better told now than after the games."""
        if self.html is not None:
            if not self.html:
                raise click.UsageError("--html needs the name of a file.")
            open(self.html, "ab").close()


class Enough(Exception):
    """The time is over."""


@main.command()
@game_argument
@options_argument
@save_option
@analysis_options
def analyse(game: str, options: tuple[str, ...], save: str | None, **settings: Any) -> None:
    """Say whether a game is fair, long, tense and deep, and which of its rules never mattered.

    A player plays itself, with and without the pie rule where an option switches it, and weaker
    players; each measure comes with its interval of 95 percent. Without --games and --seconds
    this takes about a minute. With --save it goes on where it was stopped, whatever stopped it.
    When it is interrupted it tells what it has so far.

    \b
    gdl analyse ayu size=7
    gdl analyse my_variant.game --player mcts:500 --games 400 --save games.jsonl --html report.html
    """
    asked = Settings(**settings)
    plan = asked.plan(game, load(game, options))
    asked.check_page()
    report, interrupted = _report(plan, asked, asked.limit, save)

    from interpreter.analysis.report import show

    try:
        if asked.html:
            from interpreter.analysis.pages import report_page

            _write(asked.html, report_page(report))
    finally:  # what took long to find out is told even where the page cannot be written
        if asked.as_json:
            print_json(report.figures())
        else:
            show(report, sys.stdout)
    if interrupted:
        raise click.exceptions.Exit(130)


@main.command()
@click.argument("words", nargs=-1, required=True, metavar="GAME [NAME=VALUE]... GAME [NAME=VALUE]...")
@analysis_options
def compare(words: tuple[str, ...], **settings: Any) -> None:
    """Hold two games, or one with different options, side by side on the measures of `gdl analyse`.

    Each game is followed by its options. The same player plays both, half of the time each.

    \b
    gdl compare ayu size=7 lonely_ayu.game size=7
    gdl compare hex columns=7 pie=no hex columns=7 pie=yes
    """
    names, games = zip(*((name, load(name, options)) for name, options in _sides(words)), strict=True)
    asked = Settings(**settings)
    plans = [asked.plan(name, game, both_pies=False) for name, game in zip(names, games, strict=True)]
    asked.check_page()
    half = asked.limit and asked.limit / 2
    reports: list[Report] = []
    for plan in plans:
        report, interrupted = _report(plan, asked, half, None)
        if interrupted:
            raise KeyboardInterrupt
        reports.append(report)

    from interpreter.analysis.compare import Comparison, show

    comparison = Comparison(*reports)
    try:
        if asked.html:
            from interpreter.analysis.pages import comparison_page

            _write(asked.html, comparison_page(comparison))
    finally:  # what took long to find out is told even where the page cannot be written
        if asked.as_json:
            print_json(comparison.figures())
        else:
            show(comparison, sys.stdout)


def _sides(words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The two games, each with the options behind it."""
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


def _report(plan: Plan, asked: Settings, limit: float | None, save: str | None) -> tuple[Report, bool]:
    """What the games of a plan tell that can be played in the time; and whether somebody stopped them."""
    from interpreter.analysis.coverage import cover
    from interpreter.analysis.measures import Findings
    from interpreter.analysis.report import Report

    findings, start, interrupted = Findings(plan), monotonic(), False

    def watch(played: Played) -> None:
        findings.add(played)
        late = limit is not None and monotonic() - start > limit
        if late and len(findings.plain) >= min(FEWEST, plan.games):
            raise Enough

    try:
        play_all(
            plan.tasks(),
            plan.asked(),
            asked.processes,
            asked.cluster,
            save,
            watch,
            lambda: _so_far(findings),
        )
    except Enough:
        pass
    except KeyboardInterrupt:
        if not findings.plain:
            raise
        interrupted = True
    if not findings.plain:
        raise Wrong(f"No game of {plan.game.name} could be played.")
    seconds = min(max(LOOKING * (limit or SECONDS), SHORTEST), LONGEST)
    with _busy("looking at the rules"):
        coverage = cover(plan.rules, plan.game.options, findings.plain, seconds, plan.seed)
    return Report(findings, coverage), interrupted


def _busy(what: str) -> AbstractContextManager[object]:
    """Say at a terminal what is done meanwhile."""
    if not sys.stderr.isatty():
        return nullcontext()

    from rich.console import Console

    return Console(stderr=True).status(what)


def _so_far(findings: Findings) -> str:
    """The main result while games are played."""
    from interpreter.analysis.report import percent

    first, draws = findings.person("first"), findings.person(None)
    if first is None or draws is None:
        return ""
    return f"first person {percent(first)}, draws {percent(draws)}"


def _write(file: str, page: str) -> None:
    """Write a page. Raises OSError that names the file."""
    try:
        with open(file, "w", encoding="utf-8") as page_file:
            page_file.write(page)
    except OSError as error:
        raise OSError(error.errno, error.strerror, file) from None
