"""Where games are played: in processes on this machine, or on a Ray cluster that is already running.

Both play the same games: a task holds all that a game depends on, and its rules travel with it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from traceback import format_exc
from typing import Protocol

from attrs import define, field

from interpreter.analysis.games import Played, Task, pack, play_task
from interpreter.analysis.results import Results

#: A task and the rules of its game.
Job = tuple[Task, bytes]

#: How often a game that kills its process (usually for lack of memory) is begun in all.
TRIES = 2


@define
class Lost:
    """A task that killed its process each time."""

    task: Task


def attempt(job: Job) -> Played | Exception:
    """Play a game; an exception is returned, too."""
    try:
        return play_task(*job)
    except Exception as error:
        error.add_note(f"Where it was played:\n{format_exc()}")
        return error


#: How a job ended.
Outcome = Played | Exception | Lost


class Place(Protocol):
    """Where jobs are done."""

    def run(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """Do the jobs, and give how each ended, in the order in which they end."""

    def close(self) -> None:
        """End all that is running there."""


@define
class Farm:
    """Plays games, several at once. `with Farm(processes) as farm` ends its processes.

    `processes` is their number on this machine, by default one for each processor; `cluster` is the address
    of a Ray cluster to play on instead. Raises FarmError if there is none.
    """

    processes: int | None = None
    cluster: str | None = None
    #: The tasks that could not be played, since they killed their process each time.
    lost: list[Task] = field(init=False, factory=list)
    _place: Place = field(init=False)
    _rules: dict[str, bytes] = field(init=False, factory=dict)

    @_place.default
    def _opened(self) -> Place:
        if self.cluster is not None:
            from interpreter.analysis.cluster import Cluster

            return Cluster(self.cluster)

        from interpreter.analysis.workers import Workers

        return Workers(self.processes or os.cpu_count() or 1)

    def __enter__(self) -> Farm:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        self._place.close()

    def play(self, tasks: Iterable[Task], kept: Results | None = None) -> Iterator[Played]:
        """The games of the tasks: first those already kept, then the others as they end; these are kept, too.

        Raises what `play_task` raises, FarmError, and OSError if a game cannot be kept. Games in progress end
        with the iterator.
        """
        jobs = list[Job]()
        for task in tasks:
            played = kept and kept.get(task)
            if played:
                yield played
            else:
                jobs.append((task, self._packed(task.game)))
        for outcome in self._place.run(jobs):
            match outcome:
                case Played():
                    if kept is not None:
                        kept.add(outcome)
                    yield outcome
                case Lost(task):
                    self.lost.append(task)
                case _:
                    raise outcome

    def _packed(self, game: str) -> bytes:
        """The packed rules of a game, as they were when it was first played here."""
        if game not in self._rules:
            self._rules[game] = pack(game)
        return self._rules[game]
