"""Calls that may go deep, on a thread with a stack that is large enough for them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: Bytes of the stack of such a thread. Only what is used of it takes memory.
LARGE = 1 << 27

#: Bytes that native code may use of any thread's stack, and of a large one, in calling itself.
ROOM, LARGE_ROOM = 1 << 16, LARGE - (1 << 21)

_lock = threading.Lock()


def on_large_stack(call: Callable[[], T], stop: Callable[[], object] = lambda: None) -> T:
    """The result of a call that is made on a thread of its own. Raises what it raises.

    Where this is interrupted `stop` is called, and the call has ended before the interruption goes on: it
    must not write to memory that is gone by then, nor compile in a process that ends.
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
            # A setting of the whole process: other threads that start just now get a large stack too.
            before = threading.stack_size(LARGE)
            try:
                thread.start()
            finally:
                threading.stack_size(before)
        thread.join()
    except KeyboardInterrupt:
        stop()
        # Once a join was interrupted another tells nothing; and the thread may still be starting.
        while thread in threading.enumerate():
            time.sleep(0.001)
        raise
    if errors:
        raise errors[0]
    return results[0]
