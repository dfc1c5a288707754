"""`python -m benchmarks.tables`: many games at once on one server, with a move every second, all watched.

Both people of each game are played here. Each move is made from nothing but what the events said, and some
are sent twice at the same time. In the end every game must hold exactly the moves that were made, in order,
and every watcher must have seen each once. The output says how long the server took to answer, and how long
until the moves had reached those who watch.
"""

from __future__ import annotations

import asyncio
import json
import random
import ssl
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from time import perf_counter
from typing import Any

import click
import httpx
from attrs import define, field

GAMES: list[tuple[str, dict[str, Any]]] = [("ayu", {}), ("hex", {}), ("reversi", {}), ("chess", {})]

#: Nothing is encrypted; making one of these for each client would take long.
NO_TLS = ssl.create_default_context()

#: The part of the moves that is sent twice.
TWICE = 0.1


@define
class Play:
    """A game as its people see it."""

    client: httpx.AsyncClient
    path: str
    seats: dict[str, str]
    chance: random.Random
    made: list[str] = field(factory=list)
    seen: list[tuple[int, str]] = field(factory=list)
    answers: list[float] = field(factory=list)
    arrivals: list[float] = field(factory=list)

    async def run(self, begin: float, seconds: float) -> None:
        """Make a move each second from `begin` on, for `seconds`."""
        async with self.client.stream("GET", f"{self.path}/events") as stream:
            events = _events(stream)
            view = (await anext(events))["view"]
            ply = 0
            while ply < seconds and view["result"] is None:
                await asyncio.sleep(max(0.0, begin + ply - perf_counter()))
                sent = perf_counter()
                posts = [asyncio.create_task(self.post(view, ply, sent)) for _ in range(1 + self.again())]
                event = await anext(events)
                self.arrivals.append(perf_counter() - sent)
                self.seen.append((event["ply"], event["move"]))
                statuses = sorted(await asyncio.gather(*posts))
                assert statuses in ([200], [200, 409]), statuses
                view, ply = event["view"], ply + 1

    def again(self) -> int:
        return int(self.chance.random() < TWICE)

    async def post(self, view: Any, ply: int, sent: float) -> int:
        move = self.chance.choice(view["moves"])["n"]
        headers = {"Authorization": f"Bearer {self.seats[view['person']]}"}
        answer = await self.client.post(
            f"{self.path}/moves", json={"ply": ply, "move": move}, headers=headers
        )
        self.answers.append(perf_counter() - sent)
        if answer.status_code == 200:
            self.made.append(answer.json()["move"])
        return answer.status_code

    async def check(self) -> None:
        """Check that no move was lost or made twice. Raises AssertionError."""
        kept = (await self.client.get(self.path)).json()["moves"]
        assert kept == self.made, self.path
        assert self.seen == list(enumerate(self.made, 1)), self.path


async def _events(stream: httpx.Response) -> AsyncIterator[Any]:
    async for line in stream.aiter_lines():
        if line.startswith("data: "):
            yield json.loads(line[6:])


async def play(address: str, games: int, seconds: float) -> None:
    """Play a number of games, and print how fast it was."""
    async with AsyncExitStack() as stack:
        plays = []
        for number in range(games):
            # Each game has its own connections, which stay open as those of a browser do.
            client = httpx.AsyncClient(base_url=address, timeout=60, verify=NO_TLS, trust_env=False)
            await stack.enter_async_context(client)
            name, options = GAMES[number % len(GAMES)]
            body = {"rules": {"bundled": name}, "options": options}
            opened = (await client.post("/api/tables", json=body)).raise_for_status().json()
            path = f"/api/tables/{opened['id']}"
            plays.append(Play(client, path, opened["seats"], random.Random(number)))
        begin = perf_counter() + 1
        # They do not all move at the same moment.
        starts = [begin + one.chance.random() for one in plays]
        await asyncio.gather(*(one.run(start, seconds) for one, start in zip(plays, starts, strict=True)))
        for one in plays:
            await one.check()
    moves = sum(len(one.made) for one in plays)
    print(f"{games} games, {moves} moves, none lost, none doubled")
    for what in ("answers", "arrivals"):
        times = sorted(time for one in plays for time in getattr(one, what))
        shares = [f"{share}%: {1000 * times[len(times) * share // 100]:.0f} ms" for share in (50, 95, 99)]
        print(f"{what}: {', '.join(shares)}, longest {1000 * times[-1]:.0f} ms")


@click.command()
@click.option("--games", default=200, show_default=True)
@click.option("--seconds", default=20.0, show_default=True)
def main(games: int, seconds: float) -> None:
    """Start a server, play on it, and end it."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "interpreter", "serve", "--no-browser", "--no-limits", "--port", "0"]
        server = subprocess.Popen([*command, "--data", data], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[4]
            asyncio.run(play(address, games, seconds))
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
