"""`python -m tests.alone`: runs commands of `gdl`, each in a process with limits, and reports how they ended.

A line of the input is the list of words of a command, a line of the output its `Outcome`. The processes are
forks of this one, which has loaded all they need.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import traceback
from typing import Any

from attrs import asdict, frozen

#: Seconds of processor time, and bytes of memory.
SECONDS, MEMORY = 20, 2_000_000_000


@frozen
class Outcome:
    """How a command ended: below 0 if a signal killed it."""

    status: int
    seconds: float
    megabytes: int
    said: str


class Alone:
    """Runs commands on the native engine."""

    def __enter__(self) -> Alone:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.alone"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"GDL_ENGINE": "native"},
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self, *command: str) -> Outcome:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(command), file=self._process.stdin, flush=True)
        return Outcome(**json.loads(self._process.stdout.readline()))


def _main() -> None:
    import interpreter.bench
    import interpreter.examine  # noqa: F401
    from gdl import library
    from interpreter.cli import main
    from interpreter.game import Game

    Game.of(library.load("tic_tac_toe")).start().playouts(1)
    for line in sys.stdin:
        with tempfile.TemporaryFile() as said:
            child = os.fork()
            if child == 0:
                os._exit(_status(main, json.loads(line), said.fileno()))
            _, status, used = os.wait4(child, 0)
            said.seek(0)
            outcome = Outcome(
                os.waitstatus_to_exitcode(status),
                used.ru_utime + used.ru_stime,
                used.ru_maxrss >> 10,
                said.read().decode(errors="replace"),
            )
        print(json.dumps(asdict(outcome)), flush=True)


def _status(main: Any, command: list[str], out: int) -> int:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(out, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        main(command)
    except SystemExit as error:
        return int(error.code or 0) if not isinstance(error.code, str) else 1
    except BaseException:
        traceback.print_exc()
        return 99
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    _main()
