"""What the server must not forget: tables with all that has happened at them, and people's rule files.

One SQLite file with a write-ahead log (WAL). What is written survives the end of the process, however it
ends: the system has it. `synchronous=NORMAL` lets the system decide when it reaches the disk: a power cut may
lose the last seconds, but never tears a game. So each write takes microseconds, and none waits for a disk.

The file has a maximum size. When it is nearly full, games that nobody needs any more make room for new ones:
those over or never begun, after an hour; those that stand still, after a month; oldest first.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from attrs import frozen

from interpreter.web import Json

#: The most pages of 4,096 bytes in the file: 4 GiB.
MOST_PAGES = 1 << 20
#: The shares of it from which room is made for new games, and from which there is none for them: the rest is
#: for the moves of games that go on.
NEARLY_FULL, FULL = 0.9, 0.95
#: How many games are removed at a time, and for how long (seconds) games of the two kinds must lie untouched.
FORGOTTEN, HOUR, MONTH = 200, 3_600.0, 30 * 86_400.0

#: The first marks a file of ours ("GDL" and 1), the second its layout.
APPLICATION, LAYOUT = 0x47444C01, 1

#: Texts of rules are kept once, however many tables and versions have them. At a table, `beside` is the name
#: of a text that its rules may be based on, or empty for the rules themselves.
SCHEMA = """
create table tables(
    id text primary key, touched real not null, over integer not null default 0, title text not null,
    bundled text, options text not null,
    first text not null, second text not null, first_hash blob, second_hash blob
) without rowid;
create index tables_by_touched on tables(touched);
create table texts(
    id integer primary key, hash blob not null unique, text text not null
);
create table rules(
    table_id text not null references tables(id) on delete cascade, beside text not null,
    text_id integer not null references texts(id), primary key(table_id, beside)
) without rowid;
create index rules_by_text on rules(text_id);
create table invitations(
    table_id text primary key references tables(id) on delete cascade,
    person text not null, hash blob not null
) without rowid;
create table events(
    table_id text not null references tables(id) on delete cascade, number integer not null,
    kind text not null, ply integer not null, person text, move text, note text,
    primary key(table_id, number)
) without rowid;
create table files(
    id text primary key, owner blob not null, name text not null
) without rowid;
create index files_by_owner on files(owner);
create table versions(
    file_id text not null references files(id) on delete cascade, version integer not null,
    made real not null, text_id integer not null references texts(id), primary key(file_id, version)
) without rowid;
create index versions_by_text on versions(text_id);
create table gallery(
    digest text primary key, about text not null
) without rowid;
"""


class Foreign(Exception):
    """A file that is not ours, or of another version of the program; the message says which."""


class Full(Exception):
    """No room for anything new; the message is one sentence."""


class Gone(Exception):
    """A table has been removed; the message is one sentence."""


@frozen
class Event:
    """Something that has happened at a table: the `number`th thing, after which `ply` moves have been made.

    `kind` is "move", "undo", "ask" (for an undo), "decline" (no undo), "resign" or "again" (the same people
    go on at another table); `person` is whose it is. `note` is a remark on it; for "again", the name of the
    other table.
    """

    number: int
    kind: str
    ply: int
    person: str | None = None
    move: str | None = None
    note: str | None = None


@frozen
class Setting:
    """A table as it was set up: the rules, who plays, and the hashes of the seats' secrets.

    `invitation` is an empty seat and the hash of the secret that earns it.
    """

    id: str
    title: str
    rules: Json
    options: dict[str, int | bool]
    players: dict[str, str]
    hashes: dict[str, bytes | None]
    invitation: tuple[str, bytes] | None = None


@frozen
class File:
    """A version of a rule file; `version` counts from 1."""

    id: str
    name: str
    version: int
    made: float
    text: str


class Store:
    """The file, opened."""

    def __init__(self, path: Path) -> None:
        """Raises OSError, sqlite3.Error or Foreign if the file cannot be used."""
        path.touch(mode=0o600)
        self._base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._lay_out()
        except BaseException:
            self._base.close()
            raise

    def _lay_out(self) -> None:
        self._base.execute(f"pragma max_page_count={MOST_PAGES}")
        known = self._number("pragma application_id"), self._number("pragma user_version")
        if not self._number("select count(*) from sqlite_master"):
            self._base.executescript(
                f"pragma journal_mode=wal; begin; {SCHEMA} "
                f"pragma application_id={APPLICATION}; pragma user_version={LAYOUT}; commit"
            )
        elif known[0] != APPLICATION:
            raise Foreign("it holds something else")
        elif known[1] != LAYOUT:
            raise Foreign("it was written by another version of this program")
        self._base.executescript("pragma synchronous=normal; pragma foreign_keys=on")

    def close(self) -> None:
        self._base.close()

    def _number(self, query: str) -> int:
        (number,) = self._base.execute(query).fetchone()
        return int(number)

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """A transaction: all or nothing."""
        self._base.execute("begin immediate")
        try:
            yield
            self._base.execute("commit")
        except BaseException:
            if self._base.in_transaction:  # with a full disk, SQLite may have ended it
                self._base.execute("rollback")
            raise

    # --- room ---

    @contextmanager
    def _adding(self) -> Iterator[None]:
        """A transaction that adds something new, if there is room. Raises Full."""
        if self._used() > NEARLY_FULL:
            self._forget()
        if self._used() > FULL:
            raise Full("There is no room left for this.")
        with self._at_once():
            yield

    def _used(self) -> float:
        """The share of the file that is in use."""
        free = self._number("pragma freelist_count")
        return (self._number("pragma page_count") - free) / self._number("pragma max_page_count")

    def _forget(self) -> None:
        """Remove some tables that nobody needs any more."""
        idle = (
            "select id from tables where touched < ? or touched < ? and "
            "(over or not exists(select * from events where table_id = id)) order by touched limit ?"
        )
        now = time.time()
        tables = self._base.execute(idle, (now - MONTH, now - HOUR, FORGOTTEN)).fetchall()
        with self._at_once():
            for table in tables:
                texts = self._base.execute("select text_id from rules where table_id = ?", table).fetchall()
                self._base.execute("delete from tables where id = ?", table)
                self._drop(texts)

    def _drop(self, texts: list[tuple[int]]) -> None:
        """Remove those of the texts that nothing uses any more."""
        self._base.executemany(
            "delete from texts where id = ? and not exists(select * from rules where text_id = id) "
            "and not exists(select * from versions where text_id = id)",
            texts,
        )

    def _text(self, text: str) -> int:
        """The id of a text, which is kept once."""
        hashed = hashlib.sha256(text.encode()).digest()
        self._base.execute("insert or ignore into texts(hash, text) values (?, ?)", (hashed, text))
        (number,) = self._base.execute("select id from texts where hash = ?", (hashed,)).fetchone()
        return int(number)

    # --- tables ---

    def add_table(self, setting: Setting, events: Iterable[Event] = (), over: bool = False) -> None:
        """Add a table and what has already happened at it. Raises Full."""
        rules = setting.rules
        with self._adding():
            self._base.execute(
                "insert into tables values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    setting.id,
                    time.time(),
                    over,
                    setting.title,
                    rules.get("bundled"),
                    json.dumps(setting.options),
                    *setting.players.values(),
                    *setting.hashes.values(),
                ),
            )
            if "text" in rules:
                for name, text in {"": rules["text"], **rules.get("beside", {})}.items():
                    self._base.execute(
                        "insert into rules values (?, ?, ?)", (setting.id, name, self._text(text))
                    )
            if setting.invitation is not None:
                self._base.execute(
                    "insert into invitations values (?, ?, ?)", (setting.id, *setting.invitation)
                )
            for event in events:
                self._add_event(setting.id, event)

    def table(self, table: str) -> Setting | None:
        row = self._base.execute(
            "select title, bundled, options, first, second, first_hash, second_hash, person, hash "
            "from tables left join invitations on id = table_id where id = ?",
            (table,),
        ).fetchone()
        if row is None:
            return None
        return Setting(
            table,
            row[0],
            self._rules(table) if row[1] is None else {"bundled": row[1]},
            json.loads(row[2]),
            {"first": row[3], "second": row[4]},
            {"first": row[5], "second": row[6]},
            None if row[7] is None else (row[7], row[8]),
        )

    def _rules(self, table: str) -> Json:
        rows = self._base.execute(
            "select beside, text from rules join texts on text_id = id where table_id = ?", (table,)
        )
        beside = dict(rows.fetchall())
        text = beside.pop("")
        return {"text": text, "beside": beside} if beside else {"text": text}

    def take_seat(self, table: str, person: str, hashed: bytes) -> None:
        """Accept the invitation: it is used up, and the seat has a secret."""
        with self._at_once():
            self._base.execute("delete from invitations where table_id = ?", (table,))
            self._base.execute(f"update tables set {person}_hash = ? where id = ?", (hashed, table))

    def add_event(self, table: str, event: Event, over: bool) -> None:
        """Add an event, after which the game is `over` or not.

        Raises Gone, and sqlite3.IntegrityError if there is one with this number already.
        """
        with self._at_once():
            touched = "update tables set touched = ?, over = ? where id = ?"
            if not self._base.execute(touched, (time.time(), over, table)).rowcount:
                raise Gone("This table is not kept any more.")
            self._add_event(table, event)

    def _add_event(self, table: str, event: Event) -> None:
        self._base.execute(
            "insert into events values (?, ?, ?, ?, ?, ?, ?)",
            (table, event.number, event.kind, event.ply, event.person, event.move, event.note),
        )

    def events(self, table: str, after: int = 0) -> list[Event]:
        """All events after the one with this number, in order."""
        rows = self._base.execute(
            "select number, kind, ply, person, move, note from events where table_id = ? and number > ? "
            "order by number",
            (table, after),
        )
        return [Event(*row) for row in rows]

    # --- rule files ---

    def files(self, owner: bytes) -> list[File]:
        """The newest version of each file of this owner, sorted by name; without the text."""
        rows = self._base.execute(
            "select id, name, version, made, '' from files join versions on id = file_id where owner = ? "
            "and version = (select max(version) from versions where file_id = id) order by name, id",
            (owner,),
        )
        return [File(*row) for row in rows]

    def file(self, owner: bytes, file: str, version: int | None = None) -> File | None:
        """A version of a file, by default the newest; None if this owner has no such file or version."""
        row = self._base.execute(
            "select files.id, name, version, made, text from files join versions on files.id = file_id "
            "join texts on text_id = texts.id where owner = ? and files.id = ? "
            "and version = coalesce(?, version) order by version desc limit 1",
            (owner, file, version),
        ).fetchone()
        return row and File(*row)

    def versions(self, file: str) -> list[tuple[int, float]]:
        """The number of each version, and when it was made."""
        return self._base.execute(
            "select version, made from versions where file_id = ? order by version", (file,)
        ).fetchall()

    def add_file(self, owner: bytes, file: str, name: str, text: str) -> None:
        """Raises Full."""
        with self._adding():
            self._base.execute("insert into files values (?, ?, ?)", (file, owner, name))
            self._add_version(file, 1, text)

    def add_version(self, file: str, name: str, version: int, text: str) -> None:
        """Raises Full."""
        with self._adding():
            self._base.execute("update files set name = ? where id = ?", (name, file))
            self._add_version(file, version, text)

    def _add_version(self, file: str, version: int, text: str) -> None:
        row = file, version, time.time(), self._text(text)
        self._base.execute("insert into versions values (?, ?, ?, ?)", row)

    def rename(self, file: str, name: str) -> None:
        self._base.execute("update files set name = ? where id = ?", (name, file))

    def remove_file(self, file: str) -> None:
        with self._at_once():
            texts = self._base.execute("select text_id from versions where file_id = ?", (file,)).fetchall()
            self._base.execute("delete from files where id = ?", (file,))
            self._drop(texts)

    # --- the gallery, which takes a while to draw ---

    def gallery(self, digest: str) -> Json:
        row = self._base.execute("select about from gallery where digest = ?", (digest,)).fetchone()
        return cast("Json", json.loads(row[0])) if row else {}

    def keep_gallery(self, digest: str, about: Json) -> None:
        """Raises Full."""
        with self._adding():
            self._base.execute("delete from gallery")
            self._base.execute("insert into gallery values (?, ?)", (digest, json.dumps(about)))
