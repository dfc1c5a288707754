"""The command that proves: solve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interpreter.cli.shared import (
    Seconds,
    game_argument,
    head,
    json_option,
    load,
    options_argument,
    print_json,
)
from interpreter.cli.shell import Wrong, main

if TYPE_CHECKING:
    from interpreter.solve import Solution


@main.command()
@game_argument
@options_argument
@click.option("--moves", default="", metavar='"M1 M2 ..."', help="Play these moves first.")
@click.option(
    "--seconds", type=Seconds(min=0, max=86_400), default=60.0, show_default=True, help="How long to try."
)
@json_option
def solve(game: str, options: tuple[str, ...], moves: str, seconds: float, as_json: bool) -> None:
    """Find out for sure who wins a small game, or an ending, and how.

    What is told is proven: it holds whatever the other side does. Larger games are not solved in any time.

    \b
    gdl solve connect_four columns=4 rows=4
    gdl solve tic_tac_toe --moves "a1 b1"
    """
    loaded = load(game, options, "native")
    if loaded.native is None:
        raise Wrong(f"{loaded.name} cannot be solved: that needs the native engine.")

    from interpreter.record import parse_moves
    from interpreter.solve import solve as prove

    position = loaded.start()
    for move in parse_moves(moves):
        position = position.play(move)
    solution = prove(position, seconds=seconds)
    line = [move.notation for move in solution.line]
    if as_json:
        figures = {
            name: getattr(solution, name) for name in ("outcome", "plies", "depth", "positions", "seconds")
        }
        print_json({**head(loaded), "moves": moves.split(), **figures, "line": line})
        return
    click.echo(f"{loaded.name}: {_told(solution, seconds)}")
    if line:
        click.echo(click.wrap_text(f"line: {' '.join(line)}", 100))
    click.echo(f"{solution.positions:,} positions in {solution.seconds:.1f} s")


def _told(solution: Solution, seconds: float) -> str:
    match solution.outcome:
        case None:
            plies = "1 ply" if solution.depth == 1 else f"{solution.depth} plies"
            return f"not solved within {seconds:g} s, looking {plies} ahead"
        case "draw":
            return "a draw"
    moves = f", in at most {solution.plies} plies" if solution.plies else ""
    return f"the {solution.outcome} person wins{moves}"
