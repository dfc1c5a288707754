"""Analyses that somebody is waiting for: one per client at a time, ended when nobody is waiting any more."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator

from attrs import define, field

from interpreter.web import Json
from interpreter.web.denied import Denied, Unknown
from interpreter.web.keys import new_id
from interpreter.web.news import as_event, as_json
from interpreter.web.workers import Crowded, Lane, Refused

#: Most reports kept, and most clients waiting.
KEPT, WAITING = 30, 20

#: Seconds that an analysis closed by its client has to end before the client's next one is denied.
ENDING = 3.0


@define(eq=False)
class Analyses:
    """The analyses of a server, in a lane of their own."""

    lane: Lane
    _pages: OrderedDict[str, str] = field(init=False, factory=OrderedDict)
    _running: dict[str, asyncio.Task[None]] = field(init=False, factory=dict)

    async def start(self, client: str, rules: Json, options: Json) -> AsyncGenerator[str, None]:
        """The progress of an analysis as server-sent events; at the end its sentences and page, or `trouble`.

        Closing this ends the process. Raises Denied if the client has one running, Crowded if too many
        clients have.
        """
        if client in self._running:
            await asyncio.wait({self._running[client]}, timeout=ENDING)
        if client in self._running:
            raise Denied("An analysis of yours is running; one at a time.")
        if len(self._running) >= WAITING:
            raise Crowded
        news: asyncio.Queue[str | None] = asyncio.Queue()
        working = asyncio.create_task(self._work(client, {"rules": rules, "options": options}, news))
        self._running[client] = working
        working.add_done_callback(lambda _: self._running.pop(client))
        return _told(news, working)

    async def _work(self, client: str, asked: Json, news: asyncio.Queue[str | None]) -> None:
        def tell(kind: str, data: Json) -> None:
            news.put_nowait(as_event(kind, as_json(data)))

        tell("progress", {"done": 0.0, "says": "It will soon be your turn."})
        try:
            found = await self.lane.ask(
                {"do": "analyse", **asked}, client=client, watch=lambda seen: tell("progress", seen)
            )
            tell("report", {**found, "page": self._keep(found["page"])})
        except Refused as error:
            tell("trouble", {"says": str(error)})
        except Crowded:
            tell("trouble", {"says": "Too many are asking; wait a moment."})
        finally:
            news.put_nowait(None)

    def _keep(self, page: str) -> str:
        """Keep a page, in place of the oldest if there are too many; the name it is kept under."""
        name = new_id()
        self._pages[name] = page
        if len(self._pages) > KEPT:
            self._pages.popitem(last=False)
        return name

    def page(self, name: str) -> str:
        """The page of an analysis. Raises Unknown."""
        if name not in self._pages:
            raise Unknown("There is no such report, or it is not kept any more.")
        return self._pages[name]


async def _told(news: asyncio.Queue[str | None], working: asyncio.Task[None]) -> AsyncGenerator[str, None]:
    """The messages until the work is done; the work ends when this is closed."""
    try:
        while (message := await news.get()) is not None:
            yield message
    finally:
        working.cancel()
        await asyncio.wait({working})
