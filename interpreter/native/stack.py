"""Calls that may recurse deeply, on a thread with a large enough stack."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: The size in bytes of such a thread's stack. Only the part in use takes memory.
LARGE = 1 << 27

#: How many bytes the recursion of native code may use of an ordinary stack, and of a large one.
ROOM, LARGE_ROOM = 1 << 16, LARGE - (1 << 21)

_lock = threading.Lock()


def on_large_stack(call: Callable[[], T], stop: Callable[[], object] = lambda: None) -> T:
    """The result of a call that is made on a separate thread. Raises what it raises.

    If this is interrupted, `stop` is called, and the call ends before the interrupt is raised again: it
    must not write to memory that is gone by then, nor compile in a process that is exiting.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    try:
        with _lock:
            # This setting is global: other threads that start at this moment get a large stack too.
            before = threading.stack_size(LARGE)
            try:
                thread.start()
            finally:
                threading.stack_size(before)
        thread.join()
    except KeyboardInterrupt:
        stop()
        # After an interrupted join, another one tells nothing; and the thread may still be starting.
        while thread in threading.enumerate():
            time.sleep(0.001)
        raise
    if errors:
        raise errors[0]
    return results[0]
