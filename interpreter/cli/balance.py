"""The command balance."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

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
from interpreter.cli.shared import game_argument, head, json_option, load, print_json, say
from interpreter.cli.shell import main
from interpreter.errors import counted

if TYPE_CHECKING:
    from interpreter.analysis.balance import Balance
    from interpreter.analysis.games import Played
    from interpreter.analysis.pie import Race


@main.command()
@game_argument
@click.argument("words", nargs=-1, metavar="[OPTION] [NAME=VALUE]...")
@click.option("--pie", is_flag=True, help="Find out what each first move is worth.")
@click.option(
    "--player", default="mcts:500", show_default=True, metavar="PLAYER", help="Who plays both sides."
)
@click.option(
    "--games", type=click.IntRange(8, 10_000_000), default=400, show_default=True, help="Most games to play."
)
@seed_option
@click.option("--opening", type=click.IntRange(0, 100), help="Random moves at the start.  [default: 0]")
@most_plies_option
@processes_option
@cluster_option
@save_option
@json_option
def balance(
    game: str,
    words: tuple[str, ...],
    pie: bool,
    player: str,
    games: int,
    seed: int,
    opening: int | None,
    most_plies: int,
    processes: int | None,
    cluster: str | None,
    save: str | None,
    as_json: bool,
) -> None:
    """Find the value of a numeric OPTION at which a game is fair.

    A player plays itself at the values where games tell the most, until the fair value is known to
    within one step, or --games games were played. --pie takes no OPTION: it reports how good each first
    move is, and after which of them one should swap sides.

    The same command plays the same games, unless players think by the clock; with --save it resumes
    where it was stopped, for whatever reason, and with more --games it plays the missing ones.

    \b
    gdl balance my_rules.game bonus size=7 --player mcts:200 --games 200 --save bonus.jsonl
    gdl balance hex columns=5 --pie --player mcts:200
    """
    named = [word for word in words if "=" not in word]
    given = [word for word in words if "=" in word]
    if pie and (named or opening is not None):
        raise click.UsageError("--pie weighs up the first moves: it takes no OPTION and no --opening.")
    if not pie and len(named) != 1:
        raise click.UsageError("Name one OPTION of the game, the one to be found, or give --pie.")
    if any(word.partition("=")[0] == name for word in given for name in named):
        raise click.UsageError(f"The option {named[0]} is what is looked for; do not give it a value.")
    check_players([player])
    loaded = load(game, given)

    from interpreter.record import read_option

    options = dict(map(read_option, given))
    study: Balance | Race
    if pie:
        from interpreter.analysis import pie as first_moves

        study = first_moves.Race(first_moves.Question(game, options, player, seed, most_plies), loaded)
        moves = len(study.table)
        if moves < 2:
            raise click.UsageError(f"{loaded.name} has no choice of first moves.")
        if games < moves:
            raise click.UsageError(f"There are {moves:,} first moves; --games must be as many at least.")
    else:
        from interpreter.analysis import balance as fair_value

        question = fair_value.Question(game, options, named[0], player, seed, opening or 0, most_plies)
        study = fair_value.Balance(question, question.values())
    seconds = 0.0

    def watch(played: Played) -> None:
        nonlocal seconds
        seconds += played.seconds

    try:
        playing(
            lambda play: study.run(games, play),
            games,
            study.question.asked(),
            Where(processes, cluster, save),
            watch,
            study.so_far,
        )
    except KeyboardInterrupt:
        if not as_json and study.whole.games:
            _tell(study, seconds)
        raise
    if as_json:
        others = {name: value for name, value in loaded.options.items() if name not in named}
        print_json({**head(loaded), "options": others, **study.figures()})
    else:
        _tell(study, seconds)


def _tell(study: Balance | Race, seconds: float) -> None:
    """Print the table and what it says."""
    from rich.console import Console
    from rich.table import Column, Table

    rows = list(study.rows())
    table = Table(*(Column(title, justify="right") for title in rows[0]), box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row.values())
    Console(file=sys.stdout, highlight=False, width=10_000).print(table)  # no line is wrapped
    for sentence in study.sentences():
        say(sentence)
    games = counted(study.whole.games, "game")
    lasted = counted(round(seconds), "second") if seconds >= 0.5 else "less than a second"
    say(f"{games} of {study.question.player}, {lasted} of play.")
