"""Spoiled rule texts and requests sent to a server: each gets a sentence, while somebody else plays on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.crowd import PATIENCE, Bystander, at
from tests.rule_files import rule_files
from tests.test_fuzz_text import SPOILINGS, TEXTS, TOKENS, spoil
from tests.webserver import Json, Server

#: The possible statuses of answers to spoiled requests.
SAID = {200, 201, 400, 403, 404, 409, 413, 422, 503}

#: How long it goes on.
some = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
long = pytest.mark.parametrize(
    "how",
    [some, pytest.param(settings(some, max_examples=1500), marks=pytest.mark.slow)],
    ids=["some", "many"],
)


class Attacked:
    """A server, and what an attacker has there: a table and a rule file."""

    def __init__(self, server: Server) -> None:
        self._client = at(server, "127.0.0.3")
        self._client.cookies.set("owner", "attacker")
        table = server.open(size=5)
        self.table, self._secret = table.path.removeprefix("/api/"), str(table.seats["first"])
        self.file = ""
        self.file = f"files/{self.post('files', {'name': 'X', 'text': ''}).json()['id']}"

    def post(self, path: str, body: Json | str, secret: str | None = None) -> httpx.Response:
        """The answer, which says in a sentence what is wrong, if anything is."""
        text = body if isinstance(body, str) else json.dumps(body)
        answer = self._client.request(
            "PUT" if path == self.file else "POST",
            f"/api/{path}",
            content=text.encode("utf-8", "surrogatepass"),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {secret or self._secret}"},
        )
        assert answer.status_code in SAID, (path, text, answer.text)
        assert answer.is_success or answer.json()["detail"].strip(), (path, text)
        # If a process ends without an answer, the program is at fault, not the rules.
        assert "for this machine" not in answer.text, (path, text)
        return answer

    def play(self, opened: Json) -> None:
        """Ask for the best move at a table, and make a move."""
        path = f"tables/{opened['id']}"
        view = self._client.get(f"/api/{path}").json()["view"]
        if view["result"] is None:
            secret = opened["seats"][view["person"]]
            self.post(f"{path}/hint", {"ply": 0}, secret)
            self.post(f"{path}/moves", {"ply": 0, "move": view["moves"][0]["n"]}, secret)

    def requests(self, text: str) -> dict[str, Json]:
        """Everything that can be sent with a text in it, by its path."""
        rules, moves = {"rules": {"text": text}}, {"options": {"size": 5}, "moves": ["a1", text[:20] or "b2"]}
        return {
            "check": {"text": text},
            "format": {"text": text},
            "records": {"text": text},
            "preview": rules,
            "preview ": {**rules, **moves},
            "tables": {**rules, "first": "human", "second": "human"},
            "tables ": {"rules": {"bundled": "ayu"}, **moves, "second": "mcts:50", "resigned": True},
            self.file: {"text": text, "name": "X"},
            "files": {"text": text, "name": text[:20] or "X"},
            f"{self.table}/moves": {"ply": 0, "move": text[:20] or "a1"},
            f"{self.table}/hint": {"ply": 0},
            f"{self.table}/undo": {"ply": 0},
        }


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GDL_ENGINE", "native")
        server = Server(tmp_path_factory.mktemp("data"), "--no-limits")
    with server:
        attacked = Attacked(server)
        with Bystander(server) as bystander:
            yield attacked
        assert bystander.slowest < PATIENCE, f"{bystander.slowest:.2f} s of {bystander.rounds} rounds"
        # All kinds of processes are there for the next client.
        opened = attacked.post("tables", {"rules": {"text": TEXTS[0]}})
        assert opened.status_code == 201
        attacked.play(opened.json())


@st.composite
def spoiled_rules(draw: Any) -> str:
    text, by_words = draw(st.sampled_from(TEXTS) | rule_files()), draw(st.booleans())
    parts = TOKENS.findall(text) if by_words else text.splitlines(keepends=True)
    for spoiling in draw(st.lists(SPOILINGS, min_size=1, max_size=4)):
        spoil(parts, spoiling)
    return "".join(parts)


#: Anything that JSON can hold, including numbers and names that it should not.
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["mcts:9s", "a1"]),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=9), inside, max_size=3),
    max_leaves=6,
)


@long
def test_spoiled_rules(how: settings, attacked: Attacked) -> None:
    @how
    @given(text=spoiled_rules(), data=st.data())
    def spoiled(text: str, data: st.DataObject) -> None:
        path, body = data.draw(st.sampled_from(list(attacked.requests(text).items())))
        answer = attacked.post(path.strip(), body)
        if path == "tables" and answer.status_code == 201:
            attacked.play(answer.json())

    spoiled()


@pytest.mark.slow
def test_rules_that_are_sound_and_mean_nothing(attacked: Attacked) -> None:
    @settings(some, max_examples=200)
    @given(text=rule_files())
    def generated(text: str) -> None:
        said = attacked.post("check", {"text": text}).json()["diagnostics"]
        # The only errors may be about too much work.
        assert all("more than" in fault["message"] for fault in said if fault["severity"] == "error")
        attacked.post("preview", {"rules": {"text": text}})
        opened = attacked.post("tables", {"rules": {"text": text}})
        if opened.status_code == 201:
            attacked.play(opened.json())

    generated()


@long
def test_spoiled_requests(how: settings, attacked: Attacked) -> None:
    @how
    @given(text=st.sampled_from(TEXTS) | st.text(max_size=20), other=ANYTHING, data=st.data())
    def spoiled(text: str, other: Any, data: st.DataObject) -> None:
        path, body = data.draw(st.sampled_from(list(attacked.requests(text).items())))
        if data.draw(st.booleans()):
            body[data.draw(st.sampled_from([*body, "more"]))] = other
            attacked.post(path.strip(), body)
            return
        tokens = TOKENS.findall(json.dumps(body))
        for spoiling in data.draw(st.lists(SPOILINGS, min_size=1, max_size=4)):
            spoil(tokens, spoiling)
        attacked.post(path.strip(), "".join(tokens))

    spoiled()
