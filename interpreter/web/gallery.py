"""What the gallery shows: the bundled games, told at once, and their pictures, drawn one after the other.

Both take a while, and stay the same as long as the program does: they are kept for the next start.
"""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import define, field

from gdl import library
from interpreter.web import Json
from interpreter.web.store import Store
from interpreter.web.workers import Lane, Refused

#: So many pictures are asked for at the same time.
AT_ONCE = 4


@define(eq=False)
class Gallery:
    """The games and pictures of a server; they are made from when this is."""

    _store: Store
    _lane: Lane
    _games: asyncio.Future[list[Json]] = field(init=False)
    _pictures: dict[str, asyncio.Future[str]] = field(init=False)
    _making: asyncio.Task[None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._games = loop.create_future()
        self._pictures = {name: loop.create_future() for name in library.bundled()}
        self._making = asyncio.create_task(self._make())

    async def games(self) -> list[Json]:
        """What is told of each game."""
        return await asyncio.shield(self._games)

    async def picture(self, name: str) -> str | None:
        """The picture of a game as SVG; None where there is no such game."""
        return await asyncio.shield(self._pictures[name]) if name in self._pictures else None

    async def close(self) -> None:
        self._making.cancel()
        with suppress(asyncio.CancelledError):
            await self._making
        futures: list[asyncio.Future[Any]] = [self._games, *self._pictures.values()]
        for future in futures:
            future.cancel()

    async def _make(self) -> None:
        key = await asyncio.to_thread(_program)
        known = self._store.gallery(key)
        if known is not None:
            self._games.set_result(known["games"])
            for name, picture in known["pictures"].items():
                self._pictures[name].set_result(picture)
            return
        await self._ask({"do": "games"}, "games", "gallery", self._games)
        asked = {name: {"do": "picture", "rules": {"bundled": name}} for name in self._pictures}
        await asyncio.gather(
            *(
                self._ask(asked[name], "picture", f"gallery {i % AT_ONCE}", picture)
                for i, (name, picture) in enumerate(self._pictures.items())
            )
        )
        with suppress(Refused):  # what could not be made now is made another time
            pictures = {name: picture.result() for name, picture in self._pictures.items()}
            self._store.keep_gallery(key, {"games": self._games.result(), "pictures": pictures})

    async def _ask(self, request: Json, what: str, client: str, answer: asyncio.Future[Any]) -> None:
        try:
            answer.set_result((await self._lane.ask(request, client=client))[what])
        except Refused as error:
            answer.set_exception(error)


def _program() -> str:
    """What the gallery looks like depends on the games and the whole program."""
    folders = (Path(__file__).parents[1], Path(library.__file__).parent, library.folder())
    files = {path for folder in folders for kind in ("*.py", "*.game") for path in folder.rglob(kind)}
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()
