"""What all requests to the server work with: its data, its processes, its tables."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from attrs import define, field, frozen

from interpreter.web.analyses import Analyses
from interpreter.web.gallery import Gallery
from interpreter.web.store import Store
from interpreter.web.tables import Tables
from interpreter.web.workers import SCRATCH, Lane, Limits

#: The file of tables and rule files.
DATABASE = "gdl.sqlite"

#: The cache of foreign rules: its most bytes, and the seconds between two sweeps of it.
MOST_CACHE, SWEEP = 256_000_000, 600.0


@frozen
class Settings:
    """How a server is set up: where its data are, its names besides addresses, whether it limits requests."""

    data: Path
    names: frozenset[str] = frozenset({"localhost"})
    limited: bool = True


@define
class Hall:
    """All that the routes work with."""

    store: Store
    tables: Tables
    quick: Lane
    foreign: Lane
    slow: Lane
    analyses: Analyses
    gallery: Gallery = field(init=False)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        return self.quick, self.foreign, self.slow, self.analyses.lane

    def dismiss(self) -> None:
        """Release everybody who is waiting for something; they might wait long or forever."""
        self.tables.dismiss()
        for lane in self.lanes:
            lane.dismiss()

    async def close(self) -> None:
        await self.gallery.close()
        await self.tables.close()
        await asyncio.gather(*(lane.close() for lane in self.lanes))
        self.store.close()


def furnish(data: Path) -> Path:
    """The cache folder for foreign rules, made with all around it. Raises OSError."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    cache = data / "cache"
    (cache / SCRATCH).mkdir(parents=True, exist_ok=True)
    return cache


def _hall(settings: Settings) -> Hall:
    cache = str(furnish(settings.data))
    store = Store(settings.data / DATABASE)
    processors = os.cpu_count() or 1
    quick = Lane(Limits(most=max(2, processors), spare=1, memory=3000, nice=0, seconds=20.0))
    foreign = Lane(Limits(most=max(8, processors), spare=2, memory=1500, nice=5, seconds=6.0, cache=cache))
    thinking = max(2, processors)  # half of it for one client, so that others always get some
    slow = Lane(
        Limits(thinking, spare=1, memory=3000, nice=10, seconds=45.0, cache=cache, of_one=thinking // 2)
    )
    long = Lane(Limits(most=1, spare=0, memory=3000, nice=15, seconds=120.0, cache=cache))
    return Hall(store, Tables(store, quick, foreign, slow), quick, foreign, slow, Analyses(long))


async def _sweep(cache: Path) -> None:
    """Every so often, remove the oldest files of too large a cache, and what was left lying about."""
    while True:
        await asyncio.to_thread(_remove_oldest, cache)
        await asyncio.to_thread(_remove_left, cache / SCRATCH)
        await asyncio.sleep(SWEEP)


def _remove_oldest(folder: Path) -> None:
    with suppress(OSError):
        files = [(file.stat(), file) for file in folder.rglob("*") if file.is_file()]
        total = 0
        for status, file in sorted(files, key=lambda found: -found[0].st_mtime):
            total += status.st_size
            if total > MOST_CACHE:
                file.unlink(missing_ok=True)


def _remove_left(scratch: Path) -> None:
    """Remove what killed processes have left behind; no request takes as long as the age tested."""
    with suppress(OSError):
        for folder in scratch.iterdir():
            if folder.stat().st_mtime < time.time() - SWEEP:
                shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Hall]:
    """A hall with everything running behind it, closed at the end."""
    hall = _hall(settings)
    for lane in hall.lanes:
        lane.refill()
    hall.gallery = Gallery(hall.store, hall.slow)
    sweeping = asyncio.create_task(_sweep(settings.data / "cache"))
    try:
        yield hall
    finally:
        sweeping.cancel()
        await hall.close()
