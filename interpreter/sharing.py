"""Work that several threads share."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import perf_counter

#: A piece of work is made larger until it takes so many seconds: Python may then look around again.
LONG = 0.02


def share(count: int, threads: int, work: Callable[[slice], None]) -> None:
    """Do the work for all numbers below a count, some at a time. What `work` raises ends it all."""
    lock, taken = Lock(), 0

    def take(most: int) -> slice:
        nonlocal taken
        with lock:
            start, taken = taken, min(taken + most, count)
            return slice(start, taken)

    def worker() -> None:
        size = 1
        while (part := take(size)).start < part.stop:
            before = perf_counter()
            work(part)
            if perf_counter() - before < LONG:
                size *= 2

    if threads == 1:
        worker()
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in [pool.submit(worker) for _ in range(threads)]:
                done.result()
        finally:
            take(count)
