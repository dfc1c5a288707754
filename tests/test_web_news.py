"""The news for those who watch a table, however slowly they read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from interpreter.web import news
from interpreter.web.news import Message, News

VIEW = '{"ply":1}'


def read(text: str) -> tuple[str, Any]:
    fields = dict(line.split(": ", 1) for line in text.strip().split("\n"))
    return fields["event"], json.loads(fields["data"])


def told(found: News, *numbers: int) -> None:
    for number in numbers:
        found.tell(Message("move", {"number": number}, number, VIEW))


async def following(found: News, number: int | None, last: int, count: int) -> list[str]:
    """The kinds of the next messages, each with its number if it has one."""
    messages = found.after(number, last, lambda: Message("now", {}).text)
    kinds = []
    for _ in range(count):
        kind, data = read(await anext(messages))
        kinds.append(f"{kind} {data['number']}" if "number" in data else kind)
    return kinds


@pytest.mark.parametrize(
    ("number", "last", "expected"),
    [
        (None, 3, ["now"]),
        (0, 3, ["move 1", "move 2", "thought", "move 3"]),
        (1, 3, ["move 2", "thought", "move 3"]),
        (2, 3, ["thought", "move 3"]),
        (9, 3, ["now"]),
        (-1, 3, ["now"]),
    ],
)
def test_who_comes_back_is_told_what_was_missed(number: int | None, last: int, expected: list[str]) -> None:
    async def check() -> None:
        found = News()
        told(found, 1, 2)
        found.tell(Message("thought", {}))
        told(found, 3)
        assert await following(found, number, last, len(expected)) == expected

    asyncio.run(check())


def test_nobody_is_told_what_has_been_seen() -> None:
    """The server has restarted since: it has no news about the events up to the last."""

    async def check() -> None:
        found = News()
        waiting = asyncio.create_task(following(found, 7, 7, 1))
        await asyncio.sleep(0)
        told(found, 8)
        assert await waiting == ["move 8"]

    asyncio.run(check())


def test_who_reads_slowly_is_told_where_the_game_stands() -> None:
    async def check() -> None:
        found = News()
        messages = found.after(None, 0, lambda: Message("now", {}).text)
        assert read(await anext(messages))[0] == "now"
        told(found, *range(1, 2 * news.MOST))
        assert read(await anext(messages))[0] == "now"
        told(found, 1000)
        assert read(await anext(messages)) == ("move", {"number": 1000, "view": {"ply": 1}})

    asyncio.run(check())


def test_heavy_messages_are_not_heaped_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "MOST_CHARACTERS", 100_000)

    async def check() -> None:
        found = News()
        for number in range(50):
            found.tell(Message("move", {}, number, f'"{"x" * 30_000}"'))
        assert 90_000 < found.weight <= 100_000
        found.tell(Message("move", {}, 50, f'"{"x" * 300_000}"'))
        assert found.weight < 310_000
        assert await following(found, 49, 50, 1) == ["move"]  # the last is always kept

    asyncio.run(check())


def test_a_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "ALIVE", 0.01)

    async def check() -> None:
        messages = News().after(0, 0, str)
        assert await anext(messages) == ":\n\n"

    asyncio.run(check())


def test_all_are_sent_home() -> None:
    async def check() -> None:
        found = News()

        async def all_of(messages: AsyncIterator[str]) -> list[str]:
            return [message async for message in messages]

        waiting = [asyncio.create_task(all_of(found.after(0, 0, str))) for _ in range(3)]
        await asyncio.sleep(0)
        found.close()
        assert await asyncio.gather(*waiting) == [[], [], []]

    asyncio.run(check())
