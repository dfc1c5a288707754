"""`python -m benchmarks.library`: how fast each bundled game is played at random, without a comparison."""

from __future__ import annotations

import time

import click

from gdl import library
from interpreter.game import Game, Position
from interpreter.settings import POLICIES


def rates(position: Position, policy: str, seconds: float) -> tuple[float, float]:
    """Playouts and moves per second of processor time: the best of three rounds."""
    position.playouts(1, policy=policy)
    best, count = (0.0, 0.0), 1
    for _ in range(3):
        while True:
            start = time.process_time()
            games = position.playouts(count, policy=policy)
            taken = time.process_time() - start
            if taken >= seconds:
                break
            count *= 2
        best = max(best, (count / taken, float(games.plies.sum()) / taken))
    return best


@click.command()
@click.option("--seconds", default=0.1, show_default=True, help="Seconds of each round.")
def main(seconds: float) -> None:
    """Measure, and print a table in Markdown; one thread, default options."""
    click.echo("| game | uniform playouts/s | moves/s | stepwise playouts/s | moves/s |")
    click.echo("|---|--:|--:|--:|--:|")
    for name in library.bundled():
        position = Game.load(name).on("native").start()
        found = [rate for policy in POLICIES for rate in rates(position, policy, seconds)]
        click.echo(f"| {position.game.name} | " + " | ".join(f"{rate:,.0f}" for rate in found) + " |")


if __name__ == "__main__":
    main()
