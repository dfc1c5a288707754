"""Where the processes of the server come from: each is a copy of one that has loaded all they need.

So a process is ready in milliseconds, instead of seconds on a busy machine, and most of its memory is shared.
On systems that cannot copy processes, each loads everything itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Mapping
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess

#: What a process runs.
PROGRAM = "from interpreter.web.desk import main; main()"

_CONTEXT = (
    multiprocessing.get_context("forkserver")
    if "forkserver" in multiprocessing.get_all_start_methods()
    else multiprocessing.get_context("spawn")
)
_CONTEXT.set_forkserver_preload(["interpreter.web.ready"])
# Threads of OpenBLAS would take memory, and copies would not have them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def settle() -> None:
    """Start the process to copy, from the main thread; ^C, which is for the server alone, must not end it."""
    if _CONTEXT.get_start_method() != "forkserver":
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)


def born(ends: socket.socket, arguments: list[str], environment: Mapping[str, str]) -> BaseProcess:
    """A new process that talks through this socket. Raises OSError if there are too many.

    It takes a moment, longer for the first one; call this from a thread.
    """
    process = _CONTEXT.Process(target=_live, args=(ends, PROGRAM, arguments, dict(environment)), daemon=True)
    try:
        process.start()
    except EOFError as error:  # the process to copy has ended; there will be another
        raise OSError(str(error)) from None
    return process


def _live(ends: socket.socket, program: str, arguments: list[str], environment: dict[str, str]) -> None:
    """The life of a process: what it reads and prints goes through the socket, errors go nowhere."""
    if hasattr(os, "setpgid"):
        # ^C is for the server alone. In a session of its own the process would not stand back: Linux shares
        # processors among sessions first, however nice they are.
        os.setpgid(0, 0)
    os.environ |= environment
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for source, target in ((ends.fileno(), 0), (ends.fileno(), 1), (nowhere, 2)):
        os.dup2(source, target)
    ends.close()
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.argv[1:] = arguments
    exec(program, {"__name__": "worker"})
