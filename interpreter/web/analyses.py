"""Analyses that somebody waits for: one of each client at a time, ended when nobody waits any more."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import suppress

from attrs import define, field

from interpreter.web import Json
from interpreter.web.tables import Denied, Unknown, as_event, new_id
from interpreter.web.workers import Crowded, Lane, Refused

#: So many reports are kept, and so many people wait for theirs.
KEPT, WAITING = 30, 20


@define(eq=False)
class Analyses:
    """The analyses of a server, in a lane of their own."""

    lane: Lane
    _pages: OrderedDict[str, str] = field(init=False, factory=OrderedDict)
    _clients: set[str] = field(init=False, factory=set)

    def admit(self, client: str) -> None:
        """Raises Denied where the client has one running, Crowded where too many have."""
        if client in self._clients:
            raise Denied("An analysis of yours is running; one at a time.")
        if len(self._clients) >= WAITING:
            raise Crowded

    async def run(self, client: str, rules: Json, options: Json) -> AsyncIterator[str]:
        """How it goes, as server-sent events; at last its sentences and the name of its page, or `trouble`.

        Whoever closes this ends the process.
        """
        news: asyncio.Queue[str | None] = asyncio.Queue()
        request = {"do": "analyse", "rules": rules, "options": options}

        async def work() -> None:
            try:
                found = await self.lane.ask(
                    request, client=client, watch=lambda seen: news.put_nowait(as_event("progress", seen))
                )
                news.put_nowait(as_event("report", {**found, "page": self._keep(found["page"])}))
            except Refused as error:
                news.put_nowait(as_event("trouble", {"says": str(error)}))
            except Crowded:
                news.put_nowait(as_event("trouble", {"says": "Too many are asking; wait a moment."}))
            finally:
                news.put_nowait(None)

        self._clients.add(client)
        working = asyncio.create_task(work())
        try:
            yield as_event("progress", {"done": 0.0, "says": "It will soon be your turn."})
            while (message := await news.get()) is not None:
                yield message
        finally:
            self._clients.discard(client)
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working

    def _keep(self, page: str) -> str:
        """The name of a page that is kept, in the place of the oldest."""
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
