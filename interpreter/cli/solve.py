"""The command solve, which proves."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from interpreter.cli.shared import (
    MOST,
    Seconds,
    game_argument,
    head,
    json_option,
    load,
    options_argument,
    print_json,
    say,
)
from interpreter.cli.shell import Wrong, main
from interpreter.errors import counted
from interpreter.meanwhile import Meanwhile

if TYPE_CHECKING:
    from interpreter.solve import Progress, Solution

#: How many times a second the live line is drawn.
DRAWN = 6


@main.command()
@game_argument
@options_argument
@click.option("--moves", default="", metavar='"M1 M2 ..."', help="Play these moves first.")
@click.option(
    "--seconds", type=Seconds(min=0, max=86_400), default=60.0, show_default=True, help="Time limit."
)
@json_option
def solve(game: str, options: tuple[str, ...], moves: str, seconds: float, as_json: bool) -> None:
    """Prove who wins a small game, or an endgame, and show how.

    The answer is proven: it holds whatever the other side does. Larger games cannot be solved in any
    reasonable time.

    \b
    gdl solve connect_four columns=4 rows=4
    gdl solve tic_tac_toe --moves "a1 b1"
    """
    loaded = load(game, options, "native")
    if loaded.native is None:
        raise Wrong(f"{loaded.name} cannot be solved: that needs the native engine.")

    from interpreter.record import parse_moves
    from interpreter.solve import Progress
    from interpreter.solve import solve as prove

    position = loaded.start()
    for move in parse_moves(moves):
        position = position.play(move)
    now, start = Progress(1, lambda: 0), time.monotonic()

    def watch(progress: Progress) -> None:
        nonlocal now
        now = progress

    def passed() -> str:
        return f"{time.monotonic() - start:.1f}"

    try:
        with _live(lambda: f"{passed()} of {seconds:g} s: {_progress(now)}"):
            solution = prove(position, seconds=seconds, watch=watch)
    except KeyboardInterrupt:
        say(f"Interrupted after {passed()} s, nothing is proven: {_progress(now)}.", err=True)
        raise
    line = [move.notation for move in solution.line]
    if as_json:
        figures = {
            name: getattr(solution, name) for name in ("outcome", "plies", "depth", "positions", "seconds")
        }
        print_json({**head(loaded), "moves": moves.split(), **figures, "line": line})
        return
    say(f"{loaded.name}: {_told(solution, seconds)}")
    if line:
        say(f"line: {' '.join(line)}", MOST)
    click.echo(f"{counted(solution.positions, 'position')} in {solution.seconds:.1f} s")


def _live(line: Callable[[], str]) -> Meanwhile:
    """A line on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        return Meanwhile(None)

    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, highlight=False)

    def picture() -> Text:
        return Text(line()[: console.width - len("^C")])  # the terminal shows ^C on the same line

    # A separate thread draws, so that the proof goes on.
    return Meanwhile(Live(console=console, get_renderable=picture, refresh_per_second=DRAWN, transient=True))


def _progress(progress: Progress) -> str:
    if progress.depth is None:
        return f"writing all positions down, {progress.positions():,} so far"
    return f"{_ahead(progress.depth)}, {counted(progress.positions(), 'position')}"


def _ahead(depth: int | None) -> str:
    return f"looking {counted(depth or 0, 'ply', 'plies')} ahead"


def _told(solution: Solution, seconds: float) -> str:
    from interpreter.deepening import DEEPEST

    match solution.outcome:
        case None if solution.depth == DEEPEST and solution.seconds < seconds:
            return f"not solved within {DEEPEST} plies, as far as it can look ahead"
        case None:
            return f"not solved within {seconds:g} s, {_ahead(solution.depth)}"
        case "draw":
            return "a draw"
    moves = f", in at most {counted(solution.plies, 'ply', 'plies')}" if solution.plies else ""
    return f"the {solution.outcome} person wins{moves}"
