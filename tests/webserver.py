"""A server as a separate process, and what happens at its tables."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

Json = dict[str, Any]


class Server:
    """`gdl serve` with its data in a folder."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data, self.arguments = data, arguments
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "interpreter", "serve", "--no-browser", "--port", "0"]
        command += ["--data", str(self.data), *self.arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        self.address = said.split()[4].rstrip("/")
        self.client = httpx.Client(base_url=self.address, timeout=60)

    def kill(self) -> None:
        """End it as a power cut would."""
        os.kill(self.process.pid, signal.SIGKILL)
        self._gone()

    def stop(self) -> int:
        """End it as ^C does, and return its exit status."""
        self.process.send_signal(signal.SIGINT)
        self._gone()
        return self.process.returncode

    def _gone(self) -> None:
        self.client.close()
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()

    def processes(self) -> set[int]:
        """The processes that it has started, and their descendants."""
        own = _children({self.process.pid})
        return own | _children(own)

    def workers(self) -> set[int]:
        """The processes that rules run in, which descend from one that it has started."""
        return _children(_children({self.process.pid}))

    @staticmethod
    def left(processes: set[int]) -> set[int]:
        """Those of the processes that are still running after they have had time to end."""
        patience = time.monotonic() + 20
        while (left := {number for number in processes if _runs(number)}) and time.monotonic() < patience:
            time.sleep(0.05)
        return left

    # --- requests ---

    def open(self, game: str = "ayu", first: str = "human", second: str = "human", **options: Any) -> Seated:
        body = {"rules": {"bundled": game}, "options": options, "first": first, "second": second}
        answer = self.client.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        return Seated(self, answer.json()["id"], answer.json()["seats"])


class Seated:
    """A table, seen by a client with all its secrets."""

    def __init__(self, server: Server, table: str, seats: dict[str, str | None]) -> None:
        self.server, self.id, self.seats = server, table, seats
        self.path = f"/api/tables/{table}"

    def headers(self, person: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.seats[person]}"}

    def now(self) -> Json:
        answer = self.server.client.get(self.path)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def act(self, what: str, person: str, ply: int, **more: Any) -> httpx.Response:
        body = {"ply": ply, **more}
        return self.server.client.post(f"{self.path}/{what}", json=body, headers=self.headers(person))

    def play(self, move: str) -> Json:
        """Make a move for the person to move."""
        now = self.now()
        answer = self.act("moves", now["view"]["person"], now["ply"], move=move)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    @contextmanager
    def events(
        self, after: int | None = None, last: str | None = None, person: str | None = None
    ) -> Iterator[Iterator[Json]]:
        """The events of the table, each with its `event` and `id` besides its data; `person` watches."""
        headers = {} if last is None else {"Last-Event-ID": last}
        headers |= {} if person is None else self.headers(person)
        parameters = {} if after is None else {"after": after}
        client = httpx.Client(base_url=self.server.address, timeout=30)
        with (
            client,
            client.stream("GET", f"{self.path}/events", headers=headers, params=parameters) as answer,
        ):
            assert answer.status_code == 200, answer.read()
            yield _events(answer.iter_lines())


def _children(parents: set[int]) -> set[int]:
    command = ["ps", "-o", "pid=", "--ppid", ",".join(map(str, parents)) or "0"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return set(map(int, found.stdout.split()))


def _runs(process: int) -> bool:
    """Whether a process is running; an ended one may still wait for its status to be read (a zombie)."""
    command = ["ps", "-o", "stat=", "-p", str(process)]
    state = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return state[:1] not in ("", "Z")


def _events(lines: Iterator[str]) -> Iterator[Json]:
    fields: Json = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            yield {**json.loads(fields["data"]), "event": fields["event"], "id": fields.get("id")}
            fields = {}
