"""The command tournament."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli.many import (
    Where,
    check_players,
    cluster_option,
    most_plies_option,
    playing,
    processes_option,
    save_option,
    seed_option,
)
from interpreter.cli.shared import game_argument, head, json_option, load, options_argument, print_json, say
from interpreter.cli.shell import main
from interpreter.errors import counted

if TYPE_CHECKING:
    from rich.table import Table

    from interpreter.analysis.games import Played
    from interpreter.analysis.tournament import Standings


class Players(click.Command):
    """A command whose option `--players` takes all words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_spread(args)))


def _spread(words: Sequence[str]) -> Iterator[str]:
    """`--players A B` as `--players A --players B`, which click understands."""
    inside = False
    for word in words:
        if word.startswith("-"):
            inside = word == "--players"
        elif inside:
            yield "--players"
        if word != "--players":
            yield word


@main.command(cls=Players)
@game_argument
@options_argument
@click.option(
    "--players", multiple=True, required=True, metavar="PLAYER PLAYER...", help="Two or more players."
)
@click.option("--games", type=click.IntRange(min=2), required=True, help="Games per pair, an even number.")
@seed_option
@click.option(
    "--opening", type=click.IntRange(0, 100), default=2, show_default=True, help="Random moves at the start."
)
@most_plies_option
@processes_option
@cluster_option
@save_option
@json_option
def tournament(
    game: str,
    options: tuple[str, ...],
    players: tuple[str, ...],
    games: int,
    seed: int,
    opening: int,
    most_plies: int,
    processes: int | None,
    cluster: str | None,
    save: str | None,
    as_json: bool,
) -> None:
    """Let players play each other, and rate them.

    Each pair plays --games games: random openings, each played twice, with either player first.
    The same command plays the same games, unless players think by the clock; with --save it resumes
    where it was stopped, for whatever reason, and with more --games it plays the missing ones.
    When interrupted, it reports the results so far.

    \b
    gdl tournament ayu size=7 --players mcts:200 mcts:2000 random --games 100 --save ayu7.jsonl
    """
    if games % 2:
        raise click.UsageError("--games is an even number: each opening is played twice.")
    if len(set(players)) < max(2, len(players)):
        raise click.UsageError("--players takes two or more players, each of them once.")
    check_players(players)
    loaded = load(game, options)

    from interpreter.analysis.tournament import Standings, Tournament

    asked = Tournament(game, loaded, players, games, seed, opening, most_plies)
    standings = Standings(loaded, players)
    try:
        tasks = list(asked.tasks())
        played = playing(
            lambda play: list(play(tasks)),
            len(tasks),
            asked.asked(),
            Where(processes, cluster, save),
            standings.add,
            lambda: _running(standings),
        )
    except KeyboardInterrupt:
        if not as_json:
            _tell(standings)
        raise
    if as_json:
        games_played = [_row(game) for game in played]
        print_json({**head(loaded), **asked.figures(), **standings.figures(), "games": games_played})
    else:
        _tell(standings)


def _tell(standings: Standings) -> None:
    """Print the table, and how often each side has won; nothing before the first game."""
    if not standings.games:
        return

    from rich.console import Console

    figures = standings.figures()
    ends = {**figures["colours"], **figures["people"]}
    wins = ", ".join(f"{who} {count}" for who, count in ends.items())
    said = f"{counted(standings.games, 'game')}, {figures['different']:,} different"
    # No line of the table is wrapped.
    Console(file=sys.stdout, highlight=False, width=10_000).print(_final(figures["players"]))
    say(f"{said}: wins {wins}; draws {figures['draws']}; unfinished {figures['unfinished']}")


def _running(standings: Standings) -> Table:
    """The points so far, most first."""
    from rich.table import Table

    table = Table(box=None, show_header=False)
    for player in sorted(standings.players, key=standings.total, reverse=True):
        games = sum(standings.record(player).values())
        table.add_row(player, f"{standings.total(player):g} of {games}")
    return table


def _final(rows: Sequence[dict[str, Any]]) -> Table:
    """Ratings, and the points of each player against each other one."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    for title in ("", "player"):
        table.add_column(title)
    for title in ("Elo", "low", "high", "points", "won", "drawn", "lost", *numbers):
        table.add_column(title, justify="right")
    for number, row in zip(numbers, rows, strict=True):
        table.add_row(
            number,
            row["player"],
            *(f"{row[name]:+.0f}" for name in ("elo", "low", "high")),
            *(f"{row[name]:g}" for name in ("points", "won", "drawn", "lost")),
            *(f"{row['against'][other['player']]:g}" if other is not row else "" for other in rows),
        )
    return table


def _row(played: Played) -> dict[str, Any]:
    """A game as data, without what differs from one run to the next."""
    task = {name: getattr(played.task, name) for name in ("number", "first", "second", "seed", "opening")}
    ended = {
        name: getattr(played, name) for name in ("winner", "person", "reason", "plies", "finished", "moves")
    }
    return {**task, **ended}
