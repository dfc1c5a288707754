"""`python -m benchmarks`: a table of how fast random games are played, compared with other programs."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Collection, Iterator
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import llvmlite
from attrs import frozen
from llvmlite import binding as llvm

from benchmarks.ayu_hand import ayu_by_hand
from benchmarks.hex_hand import hex_by_hand
from benchmarks.race import OpenSpiel, Run, by_hand, grown, in_batches, moves, one_by_one, playouts, race
from gdl import library
from interpreter.game import Game

ROOT = Path(__file__).parents[1]

#: Games of which the reference evaluator plays only the first plies, so that it finishes.
PLIES = 20
REFERENCE: list[tuple[str, dict[str, Any]]] = [
    ("ayu", {}),
    ("egotzi", {}),
    ("squared_egotzi", {}),
    ("hex", {"pie": False}),
    ("reversi", {}),
    ("english_draughts", {}),
    ("amazons", {}),
    ("go", {"size": 9}),
    ("chess", {}),
]

#: Games that OpenSpiel has, too, with its names. Its Amazons chooses a queen, a square and an arrow in turn.
OPENSPIEL: list[tuple[str, dict[str, Any], str, str]] = [
    ("tic_tac_toe", {}, "uniform", "tic_tac_toe"),
    ("connect_four", {}, "uniform", "connect_four"),
    ("hex", {"pie": False}, "uniform", "hex(board_size=11)"),
    ("havannah", {}, "uniform", "havannah"),
    ("gomoku", {}, "uniform", "mnk(m=15,n=15,k=5)"),
    ("pentago", {"at_once": False}, "uniform", "pentago"),
    ("reversi", {}, "uniform", "othello"),
    ("breakthrough", {}, "uniform", "breakthrough"),
    ("clobber", {}, "uniform", "clobber"),
    ("dots_and_boxes", {"columns": 4}, "uniform", "dots_and_boxes(num_rows=4,num_cols=4)"),
    ("lines_of_action", {}, "uniform", "lines_of_action"),
    ("amazons", {}, "stepwise", "amazons"),
    ("kalah", {}, "uniform", "mancala"),
    ("oware", {}, "uniform", "oware"),
    ("nine_mens_morris", {}, "uniform", "nine_mens_morris"),
    ("english_draughts", {}, "uniform", "checkers"),
    ("go", {"size": 9}, "uniform", "go(board_size=9)"),
    ("chess", {}, "uniform", "chess"),
]

#: Those for which single moves are measured as well, and in how many positions at once.
STEPPED, COPIES = ("tic_tac_toe", "connect_four", "hex", "reversi", "chess"), 500


@frozen
class Pair:
    """A row of the table, yet to be measured."""

    game: str
    policy: str
    against: str
    unit: str
    ours: Run
    theirs: Run


def load(name: str, options: dict[str, Any]) -> Game:
    """A game by name, bundled or from the tests, on the native engine."""
    path = ROOT / "tests" / "games" / f"{name}.game"
    return Game.load(name if name in library.bundled() else str(path), **options).on("native")


def against_hand() -> Iterator[Pair]:
    for size in (11, 19):
        ours = playouts(load("hex", {"columns": size, "pie": False}).start())
        for start in ("side", "cell"):
            hand = by_hand(hex_by_hand(size, start))
            yield Pair(f"Hex {size}", "uniform", f"by hand, from the {start}", "playouts", ours, hand)
    for size in (11, 19):
        for policy in ("uniform", "stepwise"):
            ours = playouts(load("ayu", {"size": size}).start(), policy)
            hand = by_hand(ayu_by_hand(size, policy))
            yield Pair(f"Ayu {size}", policy, "by hand", "playouts", ours, hand)
    ours, hand = playouts(load("ayu_printed", {}).start()), by_hand(ayu_by_hand(11, "uniform"))
    yield Pair("Ayu 11 as printed", "uniform", "by hand, the other text", "playouts", ours, hand)


def against_reference() -> Iterator[Pair]:
    for name, options in REFERENCE:
        game = load(name, options)
        ours, theirs = (moves(game.on(engine).start(), PLIES) for engine in ("native", "reference"))
        yield Pair(game.name, "uniform", f"reference, {PLIES} plies", "moves", ours, theirs)


def against_openspiel(python: str) -> Iterator[Pair]:
    for spiel, game, policy, theirs in _shared(python):
        ours = playouts(game.start(), policy)
        yield Pair(game.name, policy, f"OpenSpiel {theirs}", "playouts", ours, spiel.run("playouts", theirs))


def from_python(python: str) -> Iterator[Pair]:
    """Moves that programs in Python make, one by one and in many positions at once."""
    for spiel, game, _, theirs in _shared(python, STEPPED):
        start, against = game.start(), f"OpenSpiel {theirs} from Python"
        ways = {"one by one": one_by_one(start), f"{COPIES} at once": in_batches(start, COPIES)}
        for how, ours in ways.items():
            yield Pair(game.name, how, against, "moves", ours, spiel.run("moves", theirs))


def _shared(python: str, names: Collection[str] = ()) -> Iterator[tuple[OpenSpiel, Game, str, str]]:
    """OpenSpiel with each game that both have, or with those of these names; nothing if it is not there."""
    try:
        spiel = OpenSpiel(python)
    except OSError:
        click.echo(f"{python} does not run: no rows of OpenSpiel.", err=True)
        return
    if not spiel.has("tic_tac_toe"):
        click.echo(f"{python} has no OpenSpiel: no rows of it.", err=True)
        return
    for name, options, policy, theirs in OPENSPIEL:
        if names and name not in names:
            continue
        if not spiel.has(theirs):
            click.echo(f"OpenSpiel does not know {theirs} here: no row of it.", err=True)
            continue
        yield spiel, load(name, options), policy, theirs


def against_playouts() -> Iterator[Pair]:
    """Search trees against random games alone, and on two threads against one."""
    for name, options in (("hex", {"columns": 11}), ("ayu", {"size": 11})):
        start = load(name, options).start()
        title = f"{start.game.name} 11"
        alone = playouts(start, "stepwise")
        yield Pair(title, "in a tree", "stepwise alone", "playouts", grown(start), alone)
        one, two = (grown(start, threads, perf_counter) for threads in (1, 2))
        yield Pair(title, "in trees of two threads", "in a tree of one", "playouts", two, one)


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=9, show_default=True, help="Rounds of each row.")
@click.option("--seconds", default=0.2, show_default=True, help="Seconds of each side of a round.")
@click.option(
    "--openspiel",
    default=sys.executable,
    metavar="PYTHON",
    help="A Python that has OpenSpiel; else this one.",
)
@click.option(
    "--part",
    "parts",
    type=click.Choice(["hand", "reference", "tree", "openspiel", "python"]),
    multiple=True,
    help="Measure this part; all if none is given.",
)
def main(rounds: int, seconds: float, openspiel: str, parts: tuple[str, ...]) -> None:
    """Measure, and print a table in Markdown. A rate is the best of all rounds, a ratio their median."""
    click.echo(
        f"{date.today()}, {llvm.get_host_cpu_name()} ({platform.machine()}), one thread; "
        f"Python {platform.python_version()}, llvmlite {llvmlite.__version__}\n"
    )
    click.echo("| game | playouts | against | ours/s | theirs/s | ratio |")
    click.echo("|---|---|---|--:|--:|--:|")
    sources: dict[str, Callable[[], Iterator[Pair]]] = {
        "hand": against_hand,
        "reference": against_reference,
        "tree": against_playouts,
        "openspiel": lambda: against_openspiel(openspiel),
        "python": lambda: from_python(openspiel),
    }
    for part, pairs in sources.items():
        if parts and part not in parts:
            continue
        for pair in pairs():
            score = race(pair.ours, pair.theirs, rounds, seconds)
            click.echo(
                f"| {pair.game} | {pair.policy} | {pair.against} | {score.ours:,.0f} {pair.unit} "
                f"| {score.theirs:,.0f} | {score.ratio:,.{2 if score.ratio < 10 else 0}f} |"
            )


if __name__ == "__main__":
    main()
