"""Commands that count and measure: perft, bench."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from interpreter.cli.shared import (
    Seconds,
    engine_option,
    game_argument,
    head,
    json_option,
    load,
    options_argument,
    print_json,
    say,
    threads_option,
)
from interpreter.cli.shell import main
from interpreter.errors import counted
from interpreter.settings import MOST_PLIES, POLICIES

if TYPE_CHECKING:
    from interpreter.bench import Tally
    from interpreter.game import Game


@main.command()
@game_argument
@options_argument
@click.option("--depth", type=click.IntRange(1, 200), required=True, help="How many plies to look ahead.")
@click.option("--unique", is_flag=True, help="Count distinct positions instead of move sequences.")
@engine_option
@threads_option
@json_option
def perft(
    game: str,
    options: tuple[str, ...],
    depth: int,
    unique: bool,
    engine: str | None,
    threads: int,
    as_json: bool,
) -> None:
    """Count the move sequences of each length up to a depth.

    Several threads share the move sequences; distinct positions are counted by a single thread.

    \b
    gdl perft ayu size=5 --depth 3
    """
    start = load(game, options, engine).start()

    from interpreter.perft import distinct, sequences

    counts = []
    found = distinct(start, depth) if unique else sequences(start, depth, threads)
    try:
        for plies, count in enumerate(found, 1):
            counts.append(count)
            if not as_json:
                click.echo(f"{plies} {count}")
    except KeyboardInterrupt:
        say(f"Interrupted at depth {len(counts) + 1} of {depth}.", err=True)
        if as_json:
            print_json({**head(start.game), "unique": unique, "counts": counts})
        raise
    if as_json:
        print_json({**head(start.game), "unique": unique, "counts": counts})


@main.command()
@game_argument
@options_argument
@click.option(
    "--seconds", type=Seconds(min=0, max=86_400), default=3.0, show_default=True, help="How long to play."
)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="uniform",
    show_default=True,
    help="How to draw a move: all moves equally likely, or all options of each choice.",
)
@engine_option
@threads_option
@json_option
def bench(
    game: str,
    options: tuple[str, ...],
    seconds: float,
    policy: str,
    engine: str | None,
    threads: int,
    as_json: bool,
) -> None:
    """Measure how fast random games are played, and how they end.

    \b
    gdl bench ayu size=11 --seconds 2
    gdl bench egotzi --policy stepwise --threads 2
    """
    loaded = load(game, options, engine)
    if loaded.engine == "reference" and policy != "uniform":
        raise click.UsageError("The reference engine knows the policy uniform only.")

    from interpreter.bench import Tally, compile_seconds, measure

    setup = {"engine": loaded.engine, "policy": policy, "threads": threads}
    tally = Tally(loaded.players)
    try:
        measure(loaded.start(), tally, seconds, policy, threads)
        compiled = compile_seconds(loaded, policy)
    except KeyboardInterrupt:
        if tally.games:
            say(f"Interrupted after {tally.seconds:.1f} of {seconds:g} s.", err=True)
            _tell(loaded, setup, tally, {}, as_json)
        raise
    _tell(loaded, setup, tally, compiled, as_json)


def _tell(
    loaded: Game, setup: dict[str, Any], tally: Tally, compiled: dict[str, float], as_json: bool
) -> None:
    """Print how fast it was, and how the games ended."""
    figures = tally.figures()
    if as_json:
        print_json({**head(loaded), **setup, **figures, "compile_seconds": compiled or None})
        return
    shares = {**figures["colours"], **figures["people"]}
    shares |= {name: figures[name] for name in ("draws", "unfinished")}
    times = ", ".join(f"{seconds:.3f} s {how}" for how, seconds in compiled.items())
    for line in (
        f"{loaded.name}: {setup['engine']} engine, {setup['policy']} playouts, "
        f"{counted(setup['threads'], 'thread')}",
        f"{figures['playouts_per_second']:,.0f} playouts/s, {figures['moves_per_second']:,.0f} moves/s "
        f"({counted(figures['playouts'], 'playout')} in {figures['seconds']:.1f} s)",
        f"{figures['mean_length']:.1f} moves on average",
        ", ".join(f"{who} {share:.1%}" for who, share in shares.items()),
        *([f"unfinished: stopped after {MOST_PLIES:,} moves"] if figures["unfinished"] else []),
        *([f"compiled in {times}"] if compiled else []),
    ):
        say(line)
