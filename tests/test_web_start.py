"""How a server starts, or says why it does not, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from tests.commandline import gdl
from tests.webserver import Server

SLOW = """\
game "Slow"
players Black, White
board squares(16)
pieces stone

turn:
    choose s in empty
    choose t in empty - s
    place stone at s
    place stone at t

end:
    if no empty: draw
"""


def refusal(*arguments: str) -> str:
    """What the server says instead of starting."""
    result = gdl("serve", "--no-browser", "--port", "0", *arguments)
    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    return result.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("option", ["--host", "--data"])
def test_an_option_that_says_nothing(option: str) -> None:
    assert refusal(option, "").endswith("it is empty")


@pytest.mark.parametrize("name", ["", "evil/../x", "a:80", "*.example.org"])
def test_a_name_that_is_none(name: str, tmp_path: Path) -> None:
    assert refusal("--data", str(tmp_path), "--name", name) == f"{name!r} is not the name of a machine."


def test_a_host_that_is_none(tmp_path: Path) -> None:
    says = refusal("--data", str(tmp_path), "--host", "a.invalid")
    assert says.startswith("Nothing can listen at a.invalid, port 0: ")
    assert says.count("a.invalid") == 1


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        says = refusal("--data", str(tmp_path), "--port", str(port))
    assert says == f"Nothing can listen at 127.0.0.1, port {port}: Address already in use."


@pytest.mark.parametrize("what", ["noise", "folder", "foreign", "newer"])
def test_data_that_is_not_ours(what: str, tmp_path: Path) -> None:
    path = tmp_path / "gdl.sqlite"
    match what:
        case "noise":
            path.write_bytes(os.urandom(20_000))
        case "folder":
            path.mkdir()
        case "foreign":
            with sqlite3.connect(path) as base:
                base.execute("create table tables(x)")
        case "newer":
            with sqlite3.connect(path) as base:
                base.executescript(
                    f"create table tables(x); pragma application_id={0x47444C01}; pragma user_version=99"
                )
    says = refusal("--data", str(tmp_path))
    assert says.startswith(f"The games cannot be kept in {path}: ")


@pytest.mark.parametrize(("options", "status"), [([], 409), (["--proxy"], 200)])
def test_a_proxy_says_who_asks_where_there_is_one(options: list[str], status: int, tmp_path: Path) -> None:
    """A client that begins an analysis while one of its own is running is refused."""
    with Server(tmp_path, *options) as server, ExitStack() as running:
        for address, expected in (("192.0.2.1", 200), ("192.0.2.2", status), ("192.0.2.1", 409)):
            headers = {"X-Forwarded-For": address}
            asked = server.client.stream(
                "POST", "/api/analyses", json={"rules": {"bundled": "ayu"}}, headers=headers
            )
            assert running.enter_context(asked).status_code == expected


def test_it_ends_quietly_while_it_starts(tmp_path: Path) -> None:
    """^C reaches all its processes; some are still loading what they need when the address is shown."""
    serve = ["serve", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter", *serve],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert "The board is at" in process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=30)[1] == ""
    assert process.returncode == 130


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_quietly_while_much_goes_on(
    ending: signal.Signals, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    begun = threading.Semaphore(0)

    def analyse(address: str) -> None:
        asked = httpx.stream(
            "POST", f"{address}/api/analyses", json={"rules": {"bundled": "ayu"}}, timeout=60
        )
        with suppress(httpx.TransportError), asked as answer:
            for _ in answer.iter_lines():
                begun.release()

    def look(address: str) -> None:
        begun.release()
        with suppress(httpx.TransportError):
            httpx.post(f"{address}/api/preview", json={"rules": {"text": SLOW}}, timeout=60)

    with Server(tmp_path) as server:
        threads = [threading.Thread(target=what, args=[server.address]) for what in (analyse, look, look)]
        for thread in threads:
            thread.start()
        for _ in threads:
            begun.acquire()
        server.process.send_signal(ending)
        assert server.process.wait(20) in (-ending, 128 + ending)
        for thread in threads:
            thread.join()
    assert capfd.readouterr().err == ""
