"""`python -m benchmarks.strength`: what a search gains in the same time by cutting random games short."""

from __future__ import annotations

from collections.abc import Callable

import click

from gdl import library
from interpreter.game import Game, Move, Position
from interpreter.lead import Lead, lead_of, unknown
from interpreter.search import Tree

#: A game of this length is a draw.
MOST_PLIES = 400

#: How each of the two sides judges a game.
Judge = Callable[[Game], Lead]


def measured(game: Game) -> Lead:
    return lead_of(game, "stepwise")


def played_out(game: Game) -> Lead:
    return unknown(game, measured(game).fair)


def winner(game: Game, judges: dict[str, Judge], seconds: float, seed: int) -> str | None:
    """The person who wins a game between two searches, one for each person, with `seconds` per move."""
    position = game.start()
    while position.result is None and position.ply < MOST_PLIES:
        position = position.play(chosen(position, judges[position.person](game), seconds, seed))
    return position.result.person if position.result else None


def chosen(position: Position, lead: Lead, seconds: float, seed: int) -> Move:
    tree = Tree(position, seed=f"{seed} {position.ply}", lead=lead)
    for _ in tree.think(seconds=seconds):
        pass
    best = tree.best()
    return best.move if best else position.legal_moves[0]


@click.command()
@click.option(
    "--games", default=20, show_default=True, help="Games of each, half of them with each side first."
)
@click.option("--seconds", default=0.05, show_default=True, help="Seconds a move.")
@click.argument("names", nargs=-1)
def main(games: int, seconds: float, names: tuple[str, ...]) -> None:
    """Play, and print a table in Markdown: how often the search that cuts games short wins."""
    click.echo("| game | half a win is a lead of | won | drawn | lost |")
    click.echo("|---|--:|--:|--:|--:|")
    for name in names or library.bundled():
        game = Game.load(name).on("native")
        if not measured(game).decides:
            continue
        counts = [0, 0, 0]
        for number in range(games):
            mine, other = ("first", "second") if number % 2 == 0 else ("second", "first")
            won = winner(game, {mine: measured, other: played_out}, seconds, number)
            counts[(mine, None, other).index(won)] += 1
        click.echo(f"| {game.name} | {measured(game).half} | " + " | ".join(map(str, counts)) + " |")


if __name__ == "__main__":
    main()
