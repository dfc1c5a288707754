"""The command draw."""

from __future__ import annotations

import click

from interpreter.cli.files import spare_rules, write
from interpreter.cli.shared import game_argument, load, options_argument
from interpreter.cli.shell import main

#: The endings of other picture files.
OTHERS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".bmp")


@main.command()
@game_argument
@options_argument
@click.option("--moves", default="", metavar='"M1 M2 ..."', help="Play these moves first.")
@click.option("-o", "--output", metavar="FILE", help="Write it to this file; - is the standard output.")
def draw(game: str, options: tuple[str, ...], moves: str, output: str | None) -> None:
    """Draw a position as an SVG picture.

    \b
    gdl draw ayu size=5 --moves "b1-b2 a2-a3" -o board.svg
    """
    if output == "":
        raise click.UsageError("-o needs the name of a file.")
    if output and output.lower().endswith(OTHERS):
        raise click.UsageError("The picture is SVG: name its file so. `gdl serve` makes PNG of any position.")
    loaded = load(game, options)
    if output == "-":
        output = None
    elif output:
        spare_rules(output, game)

    from interpreter.record import parse_moves
    from interpreter.svg import draw as draw_position

    position = loaded.start()
    for move in parse_moves(moves):
        position = position.play(move)
    picture = draw_position(position)
    if output is None:
        click.echo(picture, nl=False)
    else:
        write(output, picture.encode())
