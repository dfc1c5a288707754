"""Tables whose machines, processes or disk fail, and how many are kept in memory."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import HTTPException, Request

from interpreter.web import Json, desk, routes, tables
from interpreter.web.routes.tables import draw_ply, show_ply
from interpreter.web.store import Store
from interpreter.web.table import Table
from interpreter.web.tables import Tables
from interpreter.web.workers import Crowded, Lane, Limits, Refused

Answer = Callable[[Json], Awaitable[Any]]
TIC = {"bundled": "tic_tac_toe"}
THREE = 'variant "Three" of "Tic-Tac-Toe"\n'


class Ready(Lane):
    """A lane whose work is done here; `answer` is asked before the desk."""

    def __init__(self) -> None:
        super().__init__(Limits(1, 0, 100, 0, 60.0))
        self.clients: list[str] = []
        self.answer: Answer | None = None

    async def ask(self, request: Json, *, client: str, **more: Any) -> Any:
        self.clients.append(client)
        if self.answer is not None:
            return await self.answer(request)
        reply = desk.answer(request, lambda thought: None)
        if "fault" in reply:
            raise Refused(reply["fault"], reply["says"])
        return reply["answer"]


def at_tables(path: Path, test: Callable[[Tables], Awaitable[None]]) -> None:
    async def run() -> None:
        store = Store(path / "gdl.sqlite")
        found = Tables(store, Ready(), Ready(), Ready())
        try:
            async with asyncio.timeout(60):
                await test(found)
        finally:
            await found.close()
            store.close()

    asyncio.run(run())


async def opened(
    found: Tables, second: str = "random", rules: Json = TIC, client: str = "somebody"
) -> tuple[Table, str | None]:
    """A table, and the secret of the first seat."""
    players = {"first": "human", "second": second}
    table, seats, _ = await found.make(client, rules, {}, players, [], False)
    return table, seats["first"]


async def until(found: Tables, table: Table, kind: str) -> str:
    """The next message of this kind from now on."""
    async with aclosing(found.watch(table, table.number)) as messages:
        async for message in messages:
            if f"event: {kind}\n" in message:
                return message
    raise AssertionError


@pytest.mark.parametrize("error", [Crowded(), sqlite3.OperationalError("database or disk is full")])
def test_a_machine_that_could_not_move_tries_again(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either no process can be started, or no move can be written down."""
    monkeypatch.setattr(tables, "PAUSE", 0.01)

    async def test(found: Tables) -> None:
        table, secret = await opened(found)
        failed = 0

        async def fail(*_: Any, **__: Any) -> Any:
            nonlocal failed
            failed += 1
            if failed == 3:
                slow.answer = None
            raise error

        slow = found.slow
        assert isinstance(slow, Ready)
        slow.answer = fail
        await found.play(table, secret, 0, "b2")
        assert "random cannot move: " in await until(found, table, "trouble")
        while table.thinking is not None:
            await asyncio.sleep(0.01)
        assert (table.ply, failed) == (1, 2)  # nobody is watching any more
        assert "event: move" in await until(found, table, "move")
        assert failed == 3
        assert table.thinking is None
        assert [event.note for event in found.store.events(table.setting.id)] == [None, None]

    at_tables(tmp_path, test)


def test_a_machine_whose_failure_nobody_foresaw_can_be_woken(tmp_path: Path) -> None:
    async def test(found: Tables) -> None:
        table, secret = await opened(found)
        slow = found.slow
        assert isinstance(slow, Ready)

        async def fail(request: Json) -> Any:
            raise RuntimeError

        slow.answer = fail
        await found.play(table, secret, 0, "b2")
        assert table.thinking is not None
        await asyncio.gather(table.thinking, return_exceptions=True)
        assert table.thinking is None
        slow.answer = None
        assert "event: move" in await until(found, table, "move")

    at_tables(tmp_path, test)


def test_a_hint_is_for_the_position_that_was_asked_about(tmp_path: Path) -> None:
    """Once, it was worked out for the position on the board when its turn to be worked on came."""

    async def test(found: Tables) -> None:
        table, secret = await opened(found, second="human")
        asked, free, thought = asyncio.Event(), asyncio.Event(), list[str]()

        async def think(request: Json) -> Any:
            asked.set()
            await free.wait()
            thought.extend(request["moves"])
            return {"prospects": []}

        slow = found.slow
        assert isinstance(slow, Ready)
        slow.answer = think
        hint = asyncio.create_task(found.hint(table, secret, 0))
        await asked.wait()
        await found.play(table, secret, 0, "b2")
        free.set()
        await hint
        assert (table.ply, thought) == (1, [])

    at_tables(tmp_path, test)


@pytest.mark.parametrize("what", ["undo", "resign"])
def test_what_cannot_be_done_leaves_the_machine_thinking(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(found: Tables) -> None:
        table, secret = await opened(found)
        enough = asyncio.Event()

        async def think(request: Json) -> Any:
            await enough.wait()
            return {"move": "a1"}

        async def refuse(request: Json) -> Any:
            raise Refused("work", "Too much.")

        def full(*_: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        quick, slow = found.quick, found.slow
        assert isinstance(quick, Ready)
        assert isinstance(slow, Ready)
        slow.answer = think
        await found.play(table, secret, 0, "b2")
        if what == "undo":
            quick.answer = refuse
            with pytest.raises(Refused):
                await found.undo(table, secret, 1)
            quick.answer = None
        monkeypatch.setattr(Store, "add_event", full)
        with pytest.raises(sqlite3.OperationalError):
            await getattr(found, what)(table, secret, 1)
        monkeypatch.undo()
        enough.set()
        while table.ply < 2:
            await asyncio.sleep(0.01)
        assert table.moves == ["b2", "a1"]

    at_tables(tmp_path, test)


def test_what_is_dear_waits_behind_who_asked_for_the_table(tmp_path: Path) -> None:
    """A person may have many tables, but has one place in the lanes for thinking and for users' rules."""

    async def test(found: Tables) -> None:
        for _ in range(2):
            table, secret = await opened(found, "mcts:1", {"text": THREE}, "somebody")
            await found.play(table, secret, 0, "b2")
            await until(found, table, "move")
            await found.at(table, 0, "somebody")
        for lane in (found.foreign, found.slow):
            assert isinstance(lane, Ready)
            assert set(lane.clients) <= {"somebody", "somebody past"}

    at_tables(tmp_path, test)


def test_who_looks_back_waits_behind_who_looks_back(tmp_path: Path) -> None:
    """Once, each table had a turn for this: a client with many tables filled the lane all others play in."""

    async def test(found: Tables) -> None:
        made = [await opened(found, "human", client="somebody") for _ in range(2)]
        quick = found.quick
        assert isinstance(quick, Ready)
        for table, secret in made:
            await found.play(table, secret, 0, "b2")
            quick.clients.clear()
            await found.at(table, 0, "who looks")
            await found.picture(table, 0, "who looks")
            assert quick.clients == ["who looks past"] * 2

    at_tables(tmp_path, test)


@pytest.mark.parametrize("show", [show_ply, draw_ply])
def test_nobody_looks_back_for_who_has_left(
    show: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, the requests of closed connections were worked on nevertheless."""
    monkeypatch.setattr(routes, "LOOKED", 0.01)

    async def gone() -> Json:
        return {"type": "http.disconnect"}

    async def endless(request: Json) -> Any:
        await asyncio.Event().wait()

    async def test(found: Tables) -> None:
        table, secret = await opened(found, "human")
        await found.play(table, secret, 0, "b2")
        quick = found.quick
        assert isinstance(quick, Ready)
        quick.answer = endless
        with pytest.raises(HTTPException):
            await show(Request({"type": "http"}, gone), SimpleNamespace(tables=found), "somebody", table, 0)

    at_tables(tmp_path, test)


def test_tables_are_kept_in_mind_by_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(found: Tables) -> None:
        watched, _ = await opened(found, "human")
        watching = found.watch(watched, None)
        await anext(watching)
        monkeypatch.setattr(tables, "KEPT", 5 * watched.weight)
        heavy = {"text": THREE + "#" * 3 * watched.weight}
        others = [(await opened(found, "human", rules))[0] for rules in (TIC, heavy, TIC)]
        assert list(found._known.values()) == [watched, others[2]]
        await watching.aclose()

    at_tables(tmp_path, test)


def test_a_position_is_json_once_for_all_who_look(tmp_path: Path) -> None:
    async def test(found: Tables) -> None:
        table, secret = await opened(found, "human")
        await found.play(table, secret, 0, "b2")
        assert await found.at(table, 1, "somebody") is table.view.text
        (message,) = table.news._kept
        assert message.view is table.view.text

    at_tables(tmp_path, test)
