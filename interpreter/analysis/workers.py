"""Processes on this machine that play games."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import cast

from attrs import define, field, frozen

from interpreter.analysis.farm import TRIES, Job, Lost, Outcome, attempt
from interpreter.analysis.games import Played
from interpreter.errors import FarmError

#: What to say if each process would start further processes itself.
UNGUARDED = (
    ": each begins with reading the script that is running, "
    'in which all that plays must stand below `if __name__ == "__main__":`'
)


def _unguarded() -> bool:
    """Whether the running script would also do all its work when imported."""
    script = getattr(sys.modules["__main__"], "__file__", None)
    if script is None:
        return False
    try:
        return "__name__" not in Path(script).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return False


@frozen(eq=False)
class Worker:
    """A process, and the connection to it."""

    process: BaseProcess
    line: Connection

    @classmethod
    def hire(cls) -> Worker:
        """Start a process that ends when this one does, whatever ends it."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs,), daemon=True)
        start(process)
        theirs.close()  # so that the line is dead when the process is
        return cls(process, ours)

    def answer(self) -> Played | Exception | None:
        """How its game ended; None if the game killed the process. Raises FarmError."""
        try:
            return cast("Played | Exception", self.line.recv())
        except (EOFError, OSError):
            self.process.join()
            self.line.close()
            if self.process.exitcode is None or self.process.exitcode >= 0:  # no signal has ended it
                why = UNGUARDED if _unguarded() else ""
                raise FarmError(f"A process that plays games could not start or go on{why}.") from None
            return None

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.line.close()


def start(process: BaseProcess) -> None:
    """Start a process that never gets ^C, which is for this process alone.

    The start itself is not interrupted either: a process not given all it needs ends with a traceback.
    """
    interrupted = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True

    # Whichever thread gets an interrupt, Python interrupts the main one, if it handles interrupts at all.
    handler = signal.getsignal(signal.SIGINT)
    held = handler is not None and threading.current_thread() is threading.main_thread()
    if held:
        signal.signal(signal.SIGINT, note)
    try:
        with _interrupts_blocked():
            process.start()
    finally:
        if held:
            signal.signal(signal.SIGINT, handler)
    if interrupted:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block interrupts for this thread and whatever it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else it would start meanwhile, and let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work(line: Connection) -> None:
    """Play the games that come through the line until it is closed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        while True:
            line.send(attempt(line.recv()))
    except (EOFError, OSError):
        pass


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


@define
class Workers:
    """At most `most` processes; each is started when there is work for it."""

    most: int
    _idle: list[Worker] = field(init=False, factory=list)

    def run(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """Do the jobs; one that killed its process is tried again, after all the others."""
        waiting = deque((job, 1) for job in jobs)
        busy = dict[Connection, tuple[Worker, Job, int]]()
        try:
            while waiting or busy:
                while waiting and len(busy) < self.most:
                    worker = self._idle.pop() if self._idle else Worker.hire()
                    job, tries = waiting.popleft()
                    busy[worker.line] = worker, job, tries
                    with suppress(OSError):  # if the worker is already dead, its answer shows it
                        worker.line.send(job)
                for line in cast("list[Connection]", wait(list(busy))):
                    worker, job, tries = busy[line]
                    outcome = worker.answer()
                    del busy[line]
                    if outcome is not None:
                        self._idle.append(worker)
                        yield outcome
                    elif tries < TRIES:
                        waiting.append((job, tries + 1))
                    else:
                        yield Lost(job[0])
        finally:
            for worker, *_ in busy.values():
                worker.end()

    def close(self) -> None:
        """End the processes."""
        while self._idle:
            self._idle.pop().end()
