"""Connections: how many there may be, and how long a request may take to arrive.

The library limits the bytes of a head and closes connections left idle after a request; the guard counts
requests, and the application the bytes of a body. What never becomes a request is counted here.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from interpreter.web.guard import network_of

#: Seconds for a request to arrive, with its body.
PATIENCE = 20.0
#: Most connections from one address.
OF_ONE = 200


class Connection(H11Protocol):
    """A connection, closed if there are too many or if its request does not arrive in time."""

    #: Most connections in all, and from one address.
    most: ClassVar[float] = math.inf
    of_one: ClassVar[float] = math.inf
    #: The number of open connections from each address.
    _open: ClassVar[Counter[str]] = Counter()
    _late: asyncio.TimerHandle | None = None

    @property
    def host(self) -> str:
        return network_of(self.client[0]) if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._open[self.host] += 1
        if len(self.connections) > self.most or self._open[self.host] > self.of_one:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wait_no_more()
        self._open[self.host] -= 1
        if not self._open[self.host]:
            del self._open[self.host]

    def _wait(self) -> None:
        """Wait for the rest of a request, but not forever."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._wait_no_more()
        elif self._late is None:
            self._late = self.loop.call_later(PATIENCE, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
