"""The gallery, whose first attempt may fail."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from gdl import library
from interpreter.web import Json
from interpreter.web.gallery import Gallery
from interpreter.web.store import Store
from interpreter.web.workers import Lane, Limits, Refused


class Drawing(Lane):
    """Draws at once, except for those of `broken`."""

    def __init__(self, *broken: str) -> None:
        super().__init__(Limits(1, 0, 100, 0, 1.0))
        self.broken = set(broken)
        self.drawn = list[str]()

    async def ask(self, request: Json, *, client: str, **more: Any) -> Any:
        name = request.get("rules", {"bundled": "all"})["bundled"]
        if name in self.broken:
            raise Refused("work", "These rules are too much work for this machine.")
        self.drawn.append(name)
        return {"games": [{"name": "ayu"}], "picture": f"<svg>{name}</svg>"}


async def made(gallery: Gallery) -> None:
    await gallery._making


def test_what_could_not_be_made_is_tried_again(tmp_path: Path) -> None:
    async def check() -> None:
        store, lane = Store(tmp_path / "gdl.sqlite"), Drawing("all", "hex")
        gallery = Gallery(store, lane)
        await made(gallery)
        with pytest.raises(Refused):
            await gallery.games()
        with pytest.raises(Refused):
            await gallery.picture("hex")
        assert await gallery.picture("ayu") == "<svg>ayu</svg>"
        lane.broken.clear()
        assert await gallery.games() == [{"name": "ayu"}]
        assert await gallery.picture("hex") == "<svg>hex</svg>"
        assert await gallery.picture("nothing") is None
        assert sorted(lane.drawn) == sorted(["all", *library.bundled()])
        await gallery.close()
        store.close()

    asyncio.run(check())


def test_it_is_made_once_for_each_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def start() -> list[str]:
        store, lane = Store(tmp_path / "gdl.sqlite"), Drawing()
        gallery = Gallery(store, lane)
        await made(gallery)
        assert await gallery.games() == [{"name": "ayu"}]
        assert await gallery.picture("ayu") == "<svg>ayu</svg>"
        await gallery.close()
        store.close()
        return lane.drawn

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as now:
        now.setattr(Store, "keep_gallery", full)
        assert asyncio.run(start())
    assert asyncio.run(start())
    assert asyncio.run(start()) == []
