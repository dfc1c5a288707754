"""Sharing work among threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import perf_counter

#: Pieces of work grow until one takes this many seconds, then Python gets to look around.
LONG = 0.02


def share(count: int, threads: int, work: Callable[[slice], None]) -> None:
    """Do the work for all numbers below `count`, some at a time. An exception from `work` ends it all."""
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
