"""Processes that break their limits are killed, and nobody else notices."""

from __future__ import annotations

import asyncio
import gzip
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import HTTPException, Request
from starlette.types import Message

from interpreter.web import hall, nursery, routes, workers
from interpreter.web.workers import Crowded, Lane, Limits, Refused, Worker

AYU = {"do": "view", "rules": {"bundled": "ayu"}, "options": {"size": 3}, "moves": []}

#: A desk that can also be asked to run forever or to fill the memory.
EVIL = """
from interpreter.web import desk
def spin(request, watch):
    while True: pass
desk.ACTIONS["spin"] = spin
desk.ACTIONS["eat"] = lambda request, watch: {"eaten": len(bytearray(4 << 30))}
desk.ACTIONS["think aloud"] = lambda request, watch: [watch({"n": n}) for n in range(3)] and {}
desk.ACTIONS["shout"] = lambda request, watch: {"text": "x" * 9_000_000}
def litter(request, watch):
    global left
    left = desk.beside(request["rules"])
    return {"folder": left.name}
desk.ACTIONS["litter"] = litter
desk.ACTIONS["print"] = lambda request, watch: print("no answer") or {}
desk.main()
"""


@pytest.fixture
def evil(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nursery, "PROGRAM", f"exec({EVIL!r})")


def in_a_lane(test: Callable[[Lane], Awaitable[None]], *, seconds: float = 20.0, **more: Any) -> None:
    async def run() -> None:
        lane = Lane(Limits(**{"most": 2, **more}, spare=1, memory=1500, nice=0, seconds=seconds))
        try:
            await test(lane)
        finally:
            await lane.close()

    asyncio.run(run())


async def fault(lane: Lane, do: str) -> tuple[str, str]:
    with pytest.raises(Refused) as caught:
        await lane.ask({**AYU, "do": do}, client="a")
    return caught.value.fault, str(caught.value)


async def is_well(lane: Lane, client: str = "b") -> bool:
    answer: dict[str, Any] = await lane.ask(AYU, client=client)
    return len(answer["view"]["moves"]) == 2


@pytest.mark.usefixtures("evil")
def test_time_is_limited() -> None:
    async def test(lane: Lane) -> None:
        begin = time.monotonic()
        assert await fault(lane, "spin") == (
            "work",
            "These rules are too much work: no answer within 2 seconds.",
        )
        assert time.monotonic() - begin < 6
        assert await is_well(lane)

    in_a_lane(test, seconds=2.0)


@pytest.mark.usefixtures("evil")
def test_memory_and_output_are_limited() -> None:
    async def test(lane: Lane) -> None:
        assert (await fault(lane, "eat"))[0] == "memory"
        assert (await fault(lane, "shout"))[0] == "work"
        assert await lane.ask({**AYU, "do": "print"}, client="a") == {}
        assert await is_well(lane)

    in_a_lane(test)


@pytest.mark.parametrize(
    "program",
    [
        "raise SystemExit(3)",
        "import os; os.abort()",
        "input(); print('no json')",
        "input(); print('x' * 20_000_000)",
        "import sys; sys.stdout.close(); input()",
    ],
)
def test_a_process_that_fails_is_a_fault_of_the_rules(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nursery, "PROGRAM", program)

    async def test(lane: Lane) -> None:
        assert (await fault(lane, "view"))[0] == "work"

    in_a_lane(test)


@pytest.mark.usefixtures("evil")
def test_a_client_waits_behind_itself_only() -> None:
    async def test(lane: Lane) -> None:
        spinning = [asyncio.create_task(fault(lane, "spin")) for _ in range(6)]
        await asyncio.sleep(0.5)
        assert await is_well(lane)
        assert sum(task.done() for task in spinning) <= 1
        for task in spinning:
            task.cancel()
        await asyncio.gather(*spinning, return_exceptions=True)

    in_a_lane(test, seconds=4.0)


def test_a_client_has_so_many_turns() -> None:
    """Two of four processes are for one client, the rest stay free for others."""
    busy = {"a": 0, "b": 0}
    most = dict(busy)

    class Slow(Lane):
        async def _done(self, request: Any, key: str, watch: Any) -> Any:
            busy[key] += 1
            most[key] = max(most[key], busy[key])
            await asyncio.sleep(0.01)
            busy[key] -= 1
            return {"answer": None}

    async def run() -> None:
        lane = Slow(Limits(4, 0, 100, 0, 1.0, of_one=2))
        await asyncio.gather(*(lane.ask({}, client=name, key=name) for name in "a" * 8 + "b" * 3))

    asyncio.run(run())
    assert most == {"a": 2, "b": 2}


def test_the_tables_of_a_client_have_turns_of_their_own_and_hold_up_nobody_else() -> None:
    """Once, thirty tables of one client filled a lane of two; later clients waited behind all of them."""
    done = list[str]()

    class Slow(Lane):
        async def _done(self, request: Any, key: str, watch: Any) -> Any:
            done.append(key)
            await asyncio.sleep(0)
            return {"answer": None}

    async def run() -> None:
        lane = Slow(Limits(2, 0, 100, 0, 1.0))
        many = (lane.ask({}, client="a", table=str(number), key="a") for number in range(30))
        await asyncio.gather(*many, lane.ask({}, client="b", table="b", key="b"))

    asyncio.run(run())
    assert done.count("a") == 30
    assert done.index("b") <= 2


def test_so_much_is_asked_at_the_tables_of_a_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, forty tables of one client asked for all that a lane can take, and others were refused."""
    monkeypatch.setattr(workers, "MOST_AT_TABLES", 3)

    class Endless(Lane):
        async def _done(self, request: Any, key: str, watch: Any) -> Any:
            await asyncio.Event().wait()

    async def run() -> None:
        lane = Endless(Limits(1, 0, 100, 0, 1.0))
        waiting = [asyncio.create_task(lane.ask({}, client="a", table=table)) for table in "123"]
        await asyncio.sleep(0)
        with pytest.raises(Crowded):
            await lane.ask({}, client="a", table="4")
        other = asyncio.create_task(lane.ask({}, client="b", table="5"))
        await asyncio.sleep(0)
        assert not other.done()  # it waits
        for task in (*waiting, other):
            task.cancel()
        await asyncio.gather(*waiting, other, return_exceptions=True)

    asyncio.run(run())


def test_large_answers_of_a_client_are_compressed_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once, forty threads compressing for one client left the server no time for others."""
    text, busy, most = '"' + "x" * routes.LARGE + '"', Counter[str](), Counter[str]()

    async def in_thread(work: Callable[[], bytes]) -> bytes:
        client = asyncio.current_task().get_name()  # type: ignore[union-attr]
        busy[client] += 1
        most[client] = max(most[client], busy[client])
        await asyncio.sleep(0)
        busy[client] -= 1
        return work()

    async def ask(client: str) -> bytes:
        headers = [(b"accept-encoding", b"gzip, br")]
        request = Request({"type": "http", "client": (client, 1), "headers": headers})
        answer = await asyncio.create_task(routes.as_answer(request, text), name=client)
        assert answer.headers["content-encoding"] == "gzip"
        return bytes(answer.body)

    async def run() -> None:
        for body in await asyncio.gather(*map(ask, "aaaabb")):
            assert gzip.decompress(body).decode() == text

    monkeypatch.setattr(asyncio, "to_thread", in_thread)
    asyncio.run(run())
    assert most == {"a": 1, "b": 1}


def test_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(lane: Lane) -> None:
        with pytest.MonkeyPatch.context() as now:
            now.setattr(Worker, "hire", fail)
            with pytest.raises(Crowded):
                await lane.ask(AYU, client="a")
        assert await is_well(lane)

    async def fail(*_: Any) -> Worker:
        raise OSError(24, "Too many open files")

    in_a_lane(test)


@pytest.mark.usefixtures("evil")
def test_all_who_wait_are_sent_home_at_the_end() -> None:
    async def test(lane: Lane) -> None:
        asked = [asyncio.create_task(lane.ask({**AYU, "do": "spin"}, client=name)) for name in "aabbcc"]
        await asyncio.sleep(0.3)
        lane.dismiss()
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert {type(error) for error in found} == {Crowded}
        with pytest.raises(Crowded):
            await lane.ask(AYU, client="d")

    in_a_lane(test)


@pytest.mark.usefixtures("evil")
def test_what_processes_leave_lies_where_it_is_removed(tmp_path: Path) -> None:
    scratch = tmp_path / workers.SCRATCH
    scratch.mkdir()

    async def test(lane: Lane) -> None:
        rules = {"text": "", "beside": {"base": "its text"}}
        left = Path((await lane.ask({"do": "litter", "rules": rules}, client="a"))["folder"])
        assert left.parent == scratch
        assert (left / "base.game").read_text() == "its text"
        hall._remove_left(scratch)
        assert left.exists()  # a process may be using it
        os.utime(left, (0, 0))
        hall._remove_left(scratch)
        assert not left.exists()

    in_a_lane(test, cache=str(tmp_path))


@pytest.mark.usefixtures("evil")
def test_work_that_nobody_wants_any_more_is_ended() -> None:
    async def test(lane: Lane) -> None:
        for _ in range(4):  # more than there are processes
            spinning = asyncio.create_task(lane.ask({**AYU, "do": "spin"}, client="a"))
            await asyncio.sleep(0.3)
            spinning.cancel()
            with pytest.raises(asyncio.CancelledError):
                await spinning
        assert await is_well(lane, "a")

    in_a_lane(test, seconds=30.0)


@pytest.mark.usefixtures("evil")
def test_thoughts_come_before_the_answer() -> None:
    async def test(lane: Lane) -> None:
        told: list[dict[str, Any]] = []
        assert await lane.ask({**AYU, "do": "think aloud"}, client="a", watch=told.append) == {}
        assert told == [{"n": 0}, {"n": 1}, {"n": 2}]

    in_a_lane(test)


def test_who_knows_a_game_is_asked_again() -> None:
    async def test(lane: Lane) -> None:
        both = [lane.ask(AYU, client=name, key=name) for name in ("a", "b")]
        await asyncio.gather(*both)
        idle = {key: worker for worker in lane.idle for key in worker.known}
        assert idle.keys() == {"a", "b"}
        await lane.ask(AYU, client="a", key="a")
        assert [idle[key].served for key in ("a", "b")] == [2, 1]

    in_a_lane(test)


def test_work_that_nobody_waits_for_any_more_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "LOOKED", 0.01)
    ended = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def gone() -> Message:
        return {"type": "http.disconnect"}

    with pytest.raises(HTTPException):
        asyncio.run(routes.while_there(Request({"type": "http"}, gone), work()))
    assert ended
