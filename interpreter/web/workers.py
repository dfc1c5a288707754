"""The processes that rules run in: a limited number, with limits, killed if they break them.

Each lane is for one kind of work, so that slow work never holds up quick work. In each lane a client has few
things done at a time; one that asks for much waits behind its own requests and holds up nobody else. Each
table of bundled rules has its own turn, but all those of one client together at most fill the lane.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.process import BaseProcess
from typing import Any
from weakref import WeakValueDictionary

from attrs import define, field, frozen

from interpreter.web import Json
from interpreter.web.desk import MOST_BYTES
from interpreter.web.nursery import born

#: A process remembers what it has worked on; how many of these things are noted here.
KNOWN = 400
#: The folder in the cache for temporary files.
SCRATCH = "scratch"
#: The most requests to a lane at the same time: in all, of one client, of one client and all its tables.
MOST_ASKED, MOST_OF_ONE, MOST_AT_TABLES = 1000, 32, 200


class Refused(Exception):
    """The rules or the request are at fault; the message is one sentence."""

    def __init__(self, fault: str, says: str) -> None:
        super().__init__(says)
        #: "rules", "move", "unknown", "asked", "work" or "memory"
        self.fault = fault


class Crowded(Exception):
    """Too many are waiting already, or no process can be started."""


class _Dead(Exception):
    """The process has ended."""


@define(eq=False)
class Worker:
    """A process that answers one request at a time."""

    process: BaseProcess
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    known: deque[str] = field(factory=lambda: deque(maxlen=KNOWN))
    served: int = 0

    @classmethod
    async def hire(cls, memory: int, nice: int, cache: str | None) -> Worker:
        """Start a process with `memory` megabytes. Raises OSError if there are too many processes."""
        environment = {} if cache is None else {"XDG_CACHE_HOME": cache, "TMPDIR": f"{cache}/{SCRATCH}"}
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                process = await asyncio.to_thread(born, theirs, [str(memory), str(nice)], environment)
            reader, writer = await asyncio.open_connection(sock=ours, limit=MOST_BYTES + 1000)
        except BaseException:
            ours.close()
            raise
        return cls(process, reader, writer)

    @property
    def alive(self) -> bool:
        return self.process.is_alive()

    async def ask(self, request: Json, watch: Callable[[Json], None] | None) -> Json:
        """The answer. Raises _Dead if the process ends or says more than it may."""
        try:
            self.writer.write(json.dumps(request).encode() + b"\n")
            await self.writer.drain()
            while True:
                line = await self.reader.readline()
                if not line.endswith(b"\n"):
                    raise _Dead
                reply: Json = json.loads(line)
                if "thought" not in reply:
                    return reply
                if watch is not None:
                    watch(reply["thought"])
        except (OSError, ValueError):
            raise _Dead from None

    def end(self) -> None:
        self.process.kill()
        self.writer.close()


@frozen
class Limits:
    """Limits on the processes of a lane."""

    #: The most processes, and how many of them should be waiting for work.
    most: int
    spare: int
    #: Megabytes of address space for each, and how far they stand back for others (see nice(1)).
    memory: int
    nice: int
    #: Seconds for a request.
    seconds: float
    #: Their cache folder; None: the user's own.
    cache: str | None = None
    #: How many requests of one client are worked on at a time.
    of_one: int = 1


@define(eq=False)
class Lane:
    """The processes for one kind of work."""

    limits: Limits
    #: Those waiting for work.
    idle: list[Worker] = field(init=False, factory=list)
    _hired: list[Worker] = field(init=False, factory=list)
    _room: asyncio.Semaphore = field(init=False)
    _asked: Counter[str] = field(init=False, factory=Counter)
    _turns: WeakValueDictionary[str, asyncio.Semaphore] = field(init=False, factory=WeakValueDictionary)
    _hiring: set[asyncio.Task[None]] = field(init=False, factory=set)
    _closed: bool = field(init=False, default=False)

    @_room.default
    def _make_room(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(self.limits.most)

    async def ask(
        self,
        request: Json,
        *,
        client: str,
        table: str | None = None,
        key: str = "",
        watch: Callable[[Json], None] | None = None,
    ) -> Any:
        """The answer to a client's request; a process that knows `key` is preferred.

        `table`: the table whose turn this takes in place of the client's. Cancelling this ends the process.
        Raises Refused, Crowded.
        """
        most = MOST_OF_ONE if table is None else MOST_AT_TABLES
        if self._asked[client] >= most or self._asked.total() >= MOST_ASKED:
            raise Crowded
        self._asked[client] += 1
        turn = self._turn(client if table is None else f"table {table}", self.limits.of_one)
        try:
            async with turn, self._turn(f"all of {client}", self.limits.most), self._room:
                reply = await self._done({**request, "key": key, "seconds": self.limits.seconds}, key, watch)
        finally:
            self._asked[client] -= 1
            self._asked += Counter()  # forget clients that no longer wait
        if "answer" in reply:
            return reply["answer"]
        raise Refused(reply["fault"], reply["says"])

    def _turn(self, whose: str, most: int) -> asyncio.Semaphore:
        return self._turns.setdefault(whose, asyncio.Semaphore(most))

    async def _done(self, request: Json, key: str, watch: Callable[[Json], None] | None) -> Json:
        worker = await self._worker(key)
        fresh = not worker.served
        try:
            async with asyncio.timeout(self.limits.seconds):
                reply = await worker.ask(request, watch)
        except TimeoutError:
            self._lose(worker)
            says = f"These rules are too much work: no answer within {self.limits.seconds:g} seconds."
            return {"fault": "work", "says": says}
        except _Dead:
            self._lose(worker)
            if self._closed:
                raise Crowded from None
            if not fresh:  # earlier requests may have worn it out
                return await self._done(request, key, watch)
            return {"fault": "work", "says": "These rules are too much work for this machine."}
        except BaseException:
            self._lose(worker)
            raise
        worker.served += 1
        if key and key not in worker.known:
            worker.known.append(key)
        if reply.get("fault") != "memory":
            self.idle.append(worker)
            return reply
        self._lose(worker)
        return reply if fresh else await self._done(request, key, watch)

    async def _worker(self, key: str) -> Worker:
        """A free process, preferably one that knows this key."""
        if self._closed:
            raise Crowded
        self.idle = [worker for worker in self.idle if worker.alive]
        for place in reversed(range(len(self.idle))):
            if key in self.idle[place].known:
                return self.idle.pop(place)
        # The one that has waited longest: newer ones may not be ready yet.
        worker = self.idle.pop(0) if self.idle else await self._hire()
        self.refill()  # the next one need not wait for a process to start
        return worker

    async def _hire(self) -> Worker:
        try:
            worker = await Worker.hire(self.limits.memory, self.limits.nice, self.limits.cache)
        except OSError:  # there are too many processes or open files
            raise Crowded from None
        self._hired = [*(old for old in self._hired if old.alive), worker]
        if self._closed:
            worker.end()
            raise Crowded
        return worker

    def _lose(self, worker: Worker) -> None:
        """End a process, and get another one ready."""
        worker.end()
        self.refill()

    def refill(self) -> None:
        """Start as many processes as should be waiting for work."""
        alive = sum(worker.alive for worker in self._hired)
        room = self.limits.most - alive - len(self._hiring)
        missing = self.limits.spare - len(self.idle) - len(self._hiring)
        for _ in range(0 if self._closed else min(room, missing)):
            task = asyncio.create_task(self._add())
            self._hiring.add(task)
            task.add_done_callback(self._hiring.discard)

    async def _add(self) -> None:
        with suppress(Crowded):
            self.idle.append(await self._hire())

    def dismiss(self) -> None:
        """Dismiss all who wait for an answer: from now on there are none."""
        self._closed = True
        for worker in self._hired:
            worker.end()

    async def close(self) -> None:
        """End all processes."""
        self.dismiss()
        await asyncio.gather(*self._hiring)
        await asyncio.gather(*(asyncio.to_thread(worker.process.join) for worker in self._hired))
