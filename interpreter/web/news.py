"""News for those who watch a table: server-sent events, each kept once for all of them.

Watchers know how far they have read. One who is behind by more than is kept is sent the state of the game.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable

from attrs import define, field, frozen

from interpreter.web import Json

#: Most messages kept, and most characters of them; the last one is always kept.
MOST, MOST_CHARACTERS = 50, 500_000
#: Seconds between two signs of life.
ALIVE = 15.0


def as_json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


def spliced(data: Json, **texts: str) -> str:
    """A JSON object, some of whose values are JSON text already."""
    parts = [as_json(data)[1:-1], *(f'"{name}":{text}' for name, text in texts.items())]
    return f"{{{','.join(filter(None, parts))}}}"


def as_event(kind: str, data: str, number: int | None = None) -> str:
    """A server-sent event as text; JSON has no line breaks."""
    head = "" if number is None else f"id: {number}\n"
    return f"{head}event: {kind}\ndata: {data}\n\n"


@frozen
class Message:
    """A message of some kind; only an event has a number, and a view of the position after it."""

    kind: str
    data: Json
    number: int | None = None
    view: str | None = None

    @property
    def text(self) -> str:
        data = as_json(self.data) if self.view is None else spliced(self.data, view=self.view)
        return as_event(self.kind, data, self.number)

    @property
    def weight(self) -> int:
        return 500 + len(self.view or "")


@define(eq=False)
class News:
    """The last messages of a table."""

    _kept: deque[Message] = field(init=False, factory=deque)
    #: The number of messages so far.
    _told: int = field(init=False, default=0)
    weight: int = field(init=False, default=0)
    _closed: bool = field(init=False, default=False)
    _more: asyncio.Event = field(init=False, factory=asyncio.Event)

    def tell(self, message: Message) -> None:
        self._kept.append(message)
        self._told += 1
        self.weight += message.weight
        while len(self._kept) > 1 and (len(self._kept) > MOST or self.weight > MOST_CHARACTERS):
            self.weight -= self._kept.popleft().weight
        self._wake()

    def close(self) -> None:
        """Dismiss all watchers."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        self._more.set()
        self._more = asyncio.Event()

    def _place(self, number: int, last: int) -> int:
        """The number of messages up to and including the event `number`; -1 if that is not known."""
        place = self._told - len(self._kept)
        for message in self._kept:
            if message.number == number + 1:
                return place
            place += 1
            if message.number == number:
                return place
        return self._told if number == last else -1

    async def after(self, number: int | None, last: int, now: Callable[[], str]) -> AsyncIterator[str]:
        """What has happened since the event `number`, and then what happens next.

        `last` is the number of the last event, and `now` gives the state of the game to those too far behind.
        """
        place = -1 if number is None else self._place(number, last)
        while not self._closed:
            more, missed = self._more, self._told - place
            if missed > len(self._kept):
                place = self._told
                yield now()
            elif missed:
                place += 1
                yield self._kept[-missed].text
            else:
                try:
                    async with asyncio.timeout(ALIVE):
                        await more.wait()
                except TimeoutError:
                    yield ":\n\n"
