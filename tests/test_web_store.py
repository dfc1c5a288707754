"""What the server must not forget, and what it may forget when there is no room."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.web import store
from interpreter.web.store import Event, Foreign, Full, Gone, Setting, Store

PEOPLE, HASHES = {"first": "human", "second": "human"}, {"first": b"1", "second": b"2"}
LONG = "#" * 90_000


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Store]:
    found = Store(tmp_path / "gdl.sqlite")
    yield found
    found.close()


def setting(name: str, text: str = "", **beside: str) -> Setting:
    rules = {"text": text, "beside": beside} if beside else {"text": text}
    return Setting(name, "Title", rules, {"size": 5}, PEOPLE, HASHES)


def texts(path: Path) -> list[str]:
    with sqlite3.connect(path / "gdl.sqlite") as other:
        return [text for (text,) in other.execute("select text from texts order by length(text)")]


def test_a_table_is_found_as_it_was_set(kept: Store) -> None:
    for one in (
        setting("a", "its rules"),
        setting("b", "its rules", base="its base"),
        Setting(
            "c", "Ayu", {"bundled": "ayu"}, {}, PEOPLE, {"first": b"1", "second": None}, ("second", b"3")
        ),
    ):
        kept.add_table(one)
        assert kept.table(one.id) == one
    assert kept.table("d") is None


def test_a_text_is_kept_once(kept: Store, tmp_path: Path) -> None:
    kept.add_file(b"owner", "file", "Name", LONG)
    for number in range(3):
        kept.add_table(setting(str(number), "# top", base=LONG))
        kept.add_version("file", "Name", 2 * number + 2, "# top")
        kept.add_version("file", "Name", 2 * number + 3, LONG)
    assert texts(tmp_path) == ["# top", LONG]
    kept.remove_file("file")
    found = kept.table("0")
    assert found is not None
    assert found.rules["beside"] == {"base": LONG}


def test_where_there_is_little_room_old_games_are_forgotten(
    kept: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file counts as nearly full here."""
    now = 1e9
    monkeypatch.setattr(store.time, "time", lambda: now)
    for name in ("over", "begun", "unused", "played"):
        kept.add_table(setting(name, name + LONG))
    kept.add_event("over", Event(1, "resign", 0, "first"), True)
    kept.add_event("begun", Event(1, "move", 1, "first", "a1"), False)
    now += 2 * store.HOUR
    kept.add_event("played", Event(1, "move", 1, "first", "a1"), False)
    kept.add_table(setting("new", "new"))
    monkeypatch.setattr(store, "NEARLY_FULL", 0.0)

    def left() -> set[str]:
        kept.add_table(setting(f"another at {now}", ""))
        names = ("over", "begun", "unused", "played", "new")
        return {name for name in names if kept.table(name) is not None}

    assert left() == {"begun", "played", "new"}
    assert kept.events("over") == []
    now += 2 * store.HOUR
    assert left() == {"begun", "played"}
    now += store.MONTH - 3 * store.HOUR
    assert left() == {"played"}
    with pytest.raises(Gone):
        kept.add_event("begun", Event(2, "move", 2, "second", "a2"), False)


def test_texts_go_with_the_last_that_has_them(
    kept: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "NEARLY_FULL", 0.0)
    monkeypatch.setattr(store, "HOUR", -1.0)
    kept.add_table(setting("a", LONG, base=LONG + "1"))
    kept.add_table(setting("b", LONG))
    kept.add_file(b"owner", "file", "Name", "other")
    assert texts(tmp_path) == ["other"]


def test_what_goes_on_has_room_when_nothing_new_has(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.add_table(setting("a"))
    monkeypatch.setattr(store, "FULL", 0.0)
    with pytest.raises(Full):
        kept.add_table(setting("b"))
    with pytest.raises(Full):
        kept.add_file(b"owner", "file", "Name", "")
    kept.add_event("a", Event(1, "move", 1, "first", "a1"), False)
    assert len(kept.events("a")) == 1


def test_after_a_full_disk_it_goes_on(kept: Store, tmp_path: Path) -> None:
    """SQLite reports the same error for a file with the maximum number of pages as for a full disk."""
    kept.add_table(setting("a"))
    kept._base.execute("pragma max_page_count = 1")  # but not fewer than there are
    with pytest.raises(sqlite3.OperationalError) as caught:
        kept.add_event("a", Event(1, "move", 1, "first", LONG), False)
    assert caught.value.sqlite_errorcode == sqlite3.SQLITE_FULL
    assert kept.events("a") == []
    kept._base.execute(f"pragma max_page_count = {store.MOST_PAGES}")
    kept.add_event("a", Event(1, "move", 1, "first", LONG), False)
    assert len(kept.events("a")) == 1


def test_nobody_else_may_read_it(kept: Store, tmp_path: Path) -> None:
    kept.add_table(setting("a"))
    files = list(tmp_path.glob("gdl.sqlite*"))
    assert len(files) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("create table tables(x)", "something else"),
        ("pragma user_version = 99", "another version"),
        ("pragma application_id = 1", "something else"),
    ],
)
def test_a_file_of_others_is_left_alone(script: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "gdl.sqlite"
    if "pragma" in script:
        Store(path).close()
    with sqlite3.connect(path) as base:
        base.execute(script)
    base.close()
    before = path.read_bytes()
    with pytest.raises(Foreign, match=says):
        Store(path)
    assert path.read_bytes() == before
