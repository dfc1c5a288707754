"""Connections that nobody needs, and heads that are too long."""

from __future__ import annotations

import asyncio
import math
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from interpreter.web import connections
from interpreter.web.guard import network_of
from tests.webserver import Server

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Streams]]


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Read a whole body and answer it; a body of one byte has to wait for its answer."""
    body = b""
    while (message := await receive()).get("more_body"):
        body += message["body"]
    if message["type"] == "http.request":
        if len(body + message["body"]) == 1:
            await asyncio.sleep(1)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"good"})


def connected(
    test: Callable[[Connect], Awaitable[None]], most: float = math.inf, of_one: float = math.inf
) -> None:
    class Connection(connections.Connection):
        pass

    Connection.most, Connection.of_one = most, of_one

    async def run() -> None:
        config, state = (
            uvicorn.Config(app, log_level="error", ws="none", timeout_keep_alive=60),
            ServerState(),
        )
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connection(config, state, {}), "127.0.0.1")
        port = server.sockets[0].getsockname()[1]
        async with server, asyncio.timeout(60):
            await test(lambda: asyncio.open_connection("127.0.0.1", port))

    asyncio.run(run())


async def is_closed(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize(
    "begun",
    [b"", GET, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nno"],
    ids=["none", "head", "body"],
)
def test_a_request_that_does_not_come_is_not_waited_for(
    begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.1)

    async def test(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(begun)
        assert await is_closed(reader)

    connected(test)


def test_an_answer_may_take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.1)

    async def test(connect: Connect) -> None:
        reader, writer = await connect()
        writer.write(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx")
        assert b"good" in await reader.readuntil(b"good")

    connected(test)


@pytest.mark.parametrize(("most", "of_one"), [(2, math.inf), (math.inf, 2)])
def test_there_are_so_many_connections(most: float, of_one: float) -> None:
    async def test(connect: Connect) -> None:
        first, second, third = [await connect() for _ in range(3)]
        assert await is_closed(third[0])
        first[1].close()
        await first[1].wait_closed()
        second[1].write(GET + b"\r\n")
        assert b"good" in await second[0].readuntil(b"good")
        while True:  # until the server notices that the first has gone
            reader, writer = await connect()
            writer.write(GET + b"Connection: close\r\n\r\n")
            if not await is_closed(reader):
                break

    connected(test, most, of_one)


@pytest.mark.parametrize("line", [b"a:b\r\n" * 200, b"a" * 1000], ids=["many", "long"])
def test_a_head_has_a_length(line: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Server(tmp_path) as server:
        host, port = server.address.removeprefix("http://").split(":")
        most, sent = 50_000_000, 0
        with socket.create_connection((host, int(port)), timeout=60) as connection, suppress(ConnectionError):
            connection.sendall(GET + b"X: ")
            while sent < most:
                sent += connection.send(line)
        assert sent < most
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket"}
        assert server.client.get("/api/words", headers=upgrade).status_code == 200
    # Wrong requests do not fill the log.
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
    ],
)
def test_one_person_has_many_addresses_of_the_new_kind(host: str, network: str) -> None:
    assert network_of(host) == network
