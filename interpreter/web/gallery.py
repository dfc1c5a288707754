"""What the gallery shows: the bundled games, listed at once, and their pictures, drawn a few at a time.

Both take a while to make, and stay the same as long as the program does: they are kept for the next start.
What could not be made is tried again when somebody asks for it.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import define, field

from gdl import library
from interpreter.web import Json
from interpreter.web.store import Full, Store
from interpreter.web.workers import Lane

#: How many things are made at the same time.
AT_ONCE = 4
#: The name of the list of games among the pictures, each of which has the name of its game.
LIST = ""


@define(eq=False)
class Gallery:
    """The games and pictures of a server; making them begins when this is created."""

    _store: Store
    _lane: Lane
    _names: list[str] = field(init=False, factory=lambda: [LIST, *library.bundled()])
    _made: dict[str, Any] = field(init=False, factory=dict)
    _asked: dict[str, asyncio.Task[Any]] = field(init=False, factory=dict)
    _reading: asyncio.Task[str] = field(init=False)
    _making: asyncio.Task[None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._reading = asyncio.create_task(self._read())
        self._making = asyncio.create_task(self._make())

    async def games(self) -> list[Json]:
        """The description of each game. Raises Refused, Crowded."""
        games: list[Json] = await self._told(LIST)
        return games

    async def picture(self, name: str) -> str | None:
        """The picture of a game as SVG; None if there is no such game. Raises Refused, Crowded."""
        return await self._told(name) if name in self._names else None

    async def close(self) -> None:
        tasks = {self._making, self._reading, *self._asked.values()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self) -> str:
        """Read what this program has made before; the key it is kept under."""
        key = await asyncio.to_thread(_program)
        with suppress(sqlite3.DatabaseError, ValueError):  # if the data are damaged, it is made again
            self._made.update(self._store.gallery(key))
        return key

    async def _make(self) -> None:
        key = await asyncio.shield(self._reading)
        if self._made.keys() != set(self._names):
            await asyncio.gather(*map(self._told, self._names), return_exceptions=True)
            if self._made.keys() == set(self._names):
                with suppress(sqlite3.DatabaseError, Full):  # it is made again at the next start
                    self._store.keep_gallery(key, self._made)

    async def _told(self, name: str) -> Any:
        await asyncio.shield(self._reading)
        if name in self._made:
            return self._made[name]
        if name not in self._asked:
            self._asked[name] = asyncio.create_task(self._ask(name))
            self._asked[name].add_done_callback(lambda _: self._asked.pop(name))
        return await asyncio.shield(self._asked[name])

    async def _ask(self, name: str) -> Any:
        what, more = ("games", {}) if name == LIST else ("picture", {"rules": {"bundled": name}})
        client = f"gallery {self._names.index(name) % AT_ONCE}"
        self._made[name] = (await self._lane.ask({"do": what, **more}, client=client))[what]
        return self._made[name]


def _program() -> str:
    """A digest of the games and the whole program, on which the look of the gallery depends."""
    folders = (Path(__file__).parents[1], Path(library.__file__).parent, library.folder())
    files = {path for folder in folders for kind in ("*.py", "*.game") for path in folder.rglob(kind)}
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()
