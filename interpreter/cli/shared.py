"""What several commands share: arguments, options, and how a game is loaded."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from interpreter.settings import ENGINES

if TYPE_CHECKING:
    from interpreter.game import Game


#: The longest line of moves.
MOST = 100

#: Seeds have up to 18 digits, as in the names of players.
SEEDS = click.IntRange(0, 10**18 - 1)


class Seconds(click.FloatRange):
    """A number of seconds; `nan` is refused, though click takes it to lie in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if seconds != seconds:
            self.fail(f"{value!r} is not a number.", param, ctx)
        return seconds


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
game_argument = click.argument("game")
options_argument = click.argument("options", nargs=-1, metavar="[NAME=VALUE]...")
engine_option = click.option(
    "--engine",
    type=click.Choice(ENGINES),
    help="Which engine plays: compiled rules, or the slow reference.",
)
threads_option = click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="How many threads to use."
)


def load(game: str, options: Sequence[str], engine: str | None = None) -> Game:
    """The game with its options from the command line, on an engine; says so if that cannot play it."""
    from gdl import library
    from interpreter.record import read_option

    rules = library.load(game)  # before the engine is imported: its errors need not wait for that
    values = {}
    for text in options:
        if "=" not in text:
            raise click.UsageError(f"`{text}` is no option of a game; options are written NAME=VALUE.")
        name, value = read_option(text)
        if name in values:
            raise click.UsageError(f"The option {name} is given twice.")
        values[name] = value

    from interpreter.game import Game

    loaded = Game.of(rules, **values)
    if engine is not None:
        loaded = loaded.on(engine)
    if loaded.engine_note is not None:
        click.echo(f"{loaded.name}: {loaded.engine_note}.", err=True)
    return loaded


def head(game: Game) -> dict[str, object]:
    """The start of every JSON answer about a game."""
    return {"game": game.name, "options": game.options}


def say(text: str, most: int | None = None, *, err: bool = False) -> None:
    """Print a line, wrapped if it is longer than `most` or than the terminal is wide."""
    at_terminal = (sys.stderr if err else sys.stdout).isatty()
    room = get_terminal_size().columns if at_terminal else sys.maxsize
    width = min(room, most or room)
    click.echo(fill(text, width, break_on_hyphens=False, break_long_words=False), err=err)


def print_json(data: object) -> None:
    import json

    click.echo(json.dumps(data))
