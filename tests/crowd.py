"""Clients of a server at the same time: one who plays as people do, and attackers."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import Counter
from contextlib import suppress
from itertools import islice, pairwise
from queue import Empty, SimpleQueue
from typing import Any

import httpx

from tests.webserver import Json, Seated, Server

#: How many times as long as promised anything may take while other tests run beside it.
PATIENCE = float(os.environ.get("PATIENCE", "5"))

SLIP = 'variant "X" of "Ayu"\nturn:\n    choose s in mne\n'


def at(server: Server, address: str) -> httpx.Client:
    """A client at an address of this machine: the requests of one address are handled one after the other."""
    transport = httpx.HTTPTransport(local_address=address)
    return httpx.Client(base_url=server.address, timeout=400, transport=transport)


class Bystander:
    """Looks, checks and plays in a thread; `slowest` is the time of the slowest answer in seconds."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._client = at(server, "127.0.0.2")
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._live)
        self._error: BaseException | None = None
        self.slowest, self.rounds = 0.0, 0

    def __enter__(self) -> Bystander:
        self._table = self._server.open("go", size=9)
        self._round()  # once, so that all is ready
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        self._thread.join()
        self._client.close()
        if self._error is not None:
            raise self._error

    def _live(self) -> None:
        try:
            while not self._enough.wait(0.5):  # as fast as a person might
                self.slowest = max(self.slowest, *self._round())
                self.rounds += 1
        except BaseException as error:  # to be raised again in the thread of the test
            self._error = error

    def _round(self) -> list[float]:
        """Do everything once; how long each thing took."""
        times = [time.monotonic()]
        assert self._client.get("/api/words").status_code == 200
        times.append(time.monotonic())
        view = self._table.now()["view"]
        times.append(time.monotonic())
        self._play(self._table, view)
        times.append(time.monotonic())
        found = self._client.post("/api/check", json={"text": SLIP}).json()
        assert found["diagnostics"][0]["hint"] == "did you mean `mine`?", found
        times.append(time.monotonic())
        return [later - earlier for earlier, later in pairwise(times)]

    def _play(self, table: Seated, view: Json) -> None:
        if view["result"] is not None:
            self._table = self._server.open("go", size=9)
            return
        move = view["moves"][0]["n"]
        assert table.act("moves", view["person"], view["ply"], move=move).status_code == 200


class Attacker:
    """Does with a rule text all that a server offers; `answers` counts the answers by path and status."""

    def __init__(self, server: Server, address: str) -> None:
        self._client = at(server, address)
        self.answers = Counter[tuple[str, int]]()
        #: The messages about processes that ended without an answer.
        self.lost: list[str] = []

    def go_on(self, texts: SimpleQueue[str]) -> None:
        """Take one text after another until none is left or the server is gone."""
        with suppress(Empty, httpx.TransportError):
            while True:
                self.attack(texts.get_nowait())

    def attack(self, text: str) -> None:
        rules: Json = {"rules": {"text": text}}
        for path, body in (
            ("check", {"text": text}),
            ("format", {"text": text}),
            ("records", {"text": text}),
            ("preview", rules),
        ):
            self.post(path, body)
        opened = self.post("tables", rules)
        if opened is not None:
            self._play(opened)
        self._analyse(rules)

    def post(self, path: str, body: Any, secret: str = "") -> Json | None:
        """The answer, if there is one."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        answer = self._client.post(f"/api/{path}", json=body, headers=headers)
        self.answers[path.rpartition("/")[2], answer.status_code] += 1
        if "for this machine" in answer.text:
            self.lost.append(f"{path}: {json.dumps(body)[:200]}")
        return answer.json() if answer.is_success else None

    def _play(self, opened: Json) -> None:
        path = f"tables/{opened['id']}"
        for ply in range(3):
            view = self._client.get(f"/api/{path}").json().get("view", {})
            if not view.get("moves"):
                return
            secret = opened["seats"][view["person"]]
            if ply == 0:
                self.post(f"{path}/hint", {"ply": 0}, secret)
            self.post(f"{path}/moves", {"ply": ply, "move": view["moves"][-1]["n"]}, secret)

    def _analyse(self, rules: Json) -> None:
        """Have an analysis begun, and leave after some seconds."""
        begin = self._client.stream("POST", "/api/analyses", json=rules, timeout=5)
        with suppress(httpx.ReadTimeout), begin as answer:
            self.answers["analyses", answer.status_code] += 1
            for _ in islice(answer.iter_lines(), 9):
                pass
