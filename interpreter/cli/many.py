"""What the commands that play many games share: where they play, where games are kept, a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from interpreter.cli.shared import SEEDS, say
from interpreter.errors import counted
from interpreter.meanwhile import Meanwhile
from interpreter.settings import MOST_PLIES

if TYPE_CHECKING:
    from rich.console import RenderableType

    from interpreter.analysis.games import Key, Play, Played, Task

T = TypeVar("T")

seed_option = click.option("--seed", type=SEEDS, default=0, show_default=True, help="The random seed.")
most_plies_option = click.option(
    "--most-plies",
    type=click.IntRange(1, 1_000_000),
    default=MOST_PLIES,
    show_default=True,
    help="Stop a game after this many plies, as a draw.",
)
processes_option = click.option(
    "--processes", type=click.IntRange(1, 1024), help="Games played at once; by default, one per processor."
)
cluster_option = click.option("--cluster", metavar="ADDRESS", help="Play on the Ray cluster at this address.")
save_option = click.option("--save", metavar="FILE", help="Keep the games in this file, and resume from it.")


def check_players(players: Sequence[str]) -> None:
    """Raises UsageError for a player that cannot play many games."""
    from interpreter.analysis.games import check_player
    from interpreter.players import PlayerError

    for name in players:
        try:
            check_player(name)
        except PlayerError as error:
            raise click.UsageError(str(error)) from None


class Where(NamedTuple):
    """Where games are played and kept, according to these three options."""

    processes: int | None
    cluster: str | None
    save: str | None


def playing(
    use: Callable[[Play], T],
    most: int,
    asked: dict[str, Any],
    where: Where,
    watch: Callable[[Played], None] = lambda played: None,
    show: Callable[[], RenderableType] | None = None,
    rehearsal: Sequence[Task] = (),
) -> T:
    """What `use` returns, given a function that plays tasks, which it may call for `most` tasks in all.

    The function returns the games in the order of the tasks, without those that could not be played; these
    are reported. `asked` is for the file, as in `Results`. `watch` receives each game as it ends; at a
    terminal `show` is drawn above the bar. The `rehearsal` is played first, unreported. Raises as `Farm.play`
    does, and KeyboardInterrupt after saying how to go on.
    """
    from interpreter.analysis.farm import Farm
    from interpreter.analysis.results import Results

    if where.processes and where.cluster is not None:
        raise click.UsageError("--processes are of this machine, --cluster plays elsewhere; give one.")
    if where.save == "":
        raise click.UsageError("--save needs the name of a file.")
    found: dict[Key, Played] = {}
    try:
        with (
            nullcontext() if where.save is None else Results(where.save, asked) as kept,
            Farm(where.processes, where.cluster) as farm,
        ):
            bar = _Bar(most, show)

            def play(tasks: Sequence[Task]) -> list[Played]:
                bar.move(len(found) + sum(kept.get(task) is not None for task in tasks) if kept else 0)
                for played in farm.play(tasks, kept):
                    found[played.task.key] = played
                    watch(played)
                    bar.move(len(found))
                return [found[task.key] for task in tasks if task.key in found]

            with Meanwhile(bar.display):
                for _ in farm.play(rehearsal):
                    pass
                farm.lost.clear()
                made = use(play)
    except KeyboardInterrupt:
        said = f"Interrupted after {len(found):,} of {counted(most, 'game')}"
        if where.save is not None:
            said += "; the same command goes on from there"
        elif any(option.name == "save" for option in click.get_current_context().command.params):
            said += "; with --save FILE a second start would go on from there"
        say(f"{said}.", err=True)
        raise
    if farm.lost:
        click.echo(
            f"{counted(len(farm.lost), 'game')} could not be played: the process was ended each time, "
            "most often for want of memory.",
            err=True,
        )
    return made


class _Bar:
    """A progress bar on standard error, if that is a terminal, for the number of games so far."""

    def __init__(self, total: int, show: Callable[[], RenderableType] | None) -> None:
        self.display = None
        if not sys.stderr.isatty():
            return

        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        class Shown(Progress):
            def get_renderables(self) -> Iterator[RenderableType]:
                if show is not None:
                    yield show()
                yield self.make_tasks_table(self.tasks)

        columns = TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self.display = Shown(*columns, console=Console(stderr=True), transient=True)
        self.bar = self.display.add_task("", total=total)

    def move(self, done: int) -> None:
        # Kept games say nothing about how long the others take, so they do not move the bar one by one.
        if self.display is not None and done > self.display.tasks[self.bar].completed:
            self.display.update(self.bar, completed=done)
