"""What the server must not forget: tables with all that has happened at them, and people's rule files.

One SQLite file, written ahead (WAL). What is written is safe from the end of the process, however it comes:
the system has it. `synchronous=NORMAL` leaves it to the system when the disk has it, too: a power cut may
lose the last seconds, but never tears a game. So each write takes microseconds, and none waits for a disk.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from attrs import frozen

from interpreter.web import Json

#: The file takes no more than so many pages of 4,096 bytes: 4 GiB.
MOST_PAGES = 1 << 20

SCHEMA = """
create table if not exists tables(
    id text primary key, made real not null, title text not null, rules text not null, options text not null,
    first text not null, second text not null, first_hash blob, second_hash blob
) without rowid;
create table if not exists invitations(
    table_id text primary key references tables(id), person text not null, hash blob not null
) without rowid;
create table if not exists events(
    table_id text not null references tables(id), number integer not null, kind text not null,
    ply integer not null, person text, move text, note text, primary key(table_id, number)
) without rowid;
create table if not exists files(
    id text primary key, owner blob not null, name text not null
) without rowid;
create index if not exists files_by_owner on files(owner);
create table if not exists versions(
    file_id text not null references files(id) on delete cascade, version integer not null,
    made real not null, text text not null, primary key(file_id, version)
) without rowid;
create table if not exists gallery(
    digest text primary key, about text not null
) without rowid;
"""


@frozen
class Event:
    """Something that has happened at a table: the `number`th thing, after which `ply` moves are played.

    `kind` is "move", "undo", "ask" (for an undo), "decline" (no undo), "resign" or "again" (the same people
    go on at another table), of which `person`. `note` says what there is to say about it; of "again" it is
    the name of the other table.
    """

    number: int
    kind: str
    ply: int
    person: str | None = None
    move: str | None = None
    note: str | None = None


@frozen
class Setting:
    """A table as it was set: the rules, who plays, and the hashes of the seats' secrets.

    `invitation` is an empty seat, and the hash of the secret for which whoever has it is given that seat.
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
        """Raises sqlite3.Error for a file that is none of ours."""
        self._base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._base.executescript(
            f"pragma journal_mode=wal; pragma synchronous=normal; pragma foreign_keys=on; "
            f"pragma max_page_count={MOST_PAGES}; {SCHEMA}"
        )

    def close(self) -> None:
        self._base.close()

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """All or nothing."""
        self._base.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._base.execute("rollback")
            raise
        self._base.execute("commit")

    # --- tables ---

    def add_table(self, setting: Setting, events: Iterable[Event] = ()) -> None:
        """A table, and what has happened before at it."""
        with self._at_once():
            self._base.execute(
                "insert into tables values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    setting.id,
                    time.time(),
                    setting.title,
                    json.dumps(setting.rules),
                    json.dumps(setting.options),
                    *setting.players.values(),
                    *setting.hashes.values(),
                ),
            )
            if setting.invitation is not None:
                self._base.execute(
                    "insert into invitations values (?, ?, ?)", (setting.id, *setting.invitation)
                )
            for event in events:
                self.add_event(setting.id, event)

    def table(self, table: str) -> Setting | None:
        row = self._base.execute(
            "select id, title, rules, options, first, second, first_hash, second_hash, person, hash "
            "from tables left join invitations on id = table_id where id = ?",
            (table,),
        ).fetchone()
        if row is None:
            return None
        return Setting(
            row[0],
            row[1],
            json.loads(row[2]),
            json.loads(row[3]),
            {"first": row[4], "second": row[5]},
            {"first": row[6], "second": row[7]},
            None if row[8] is None else (row[8], row[9]),
        )

    def take_seat(self, table: str, person: str, hashed: bytes) -> None:
        """Somebody has accepted the invitation: it is spent, and the seat has a secret."""
        with self._at_once():
            self._base.execute("delete from invitations where table_id = ?", (table,))
            self._base.execute(f"update tables set {person}_hash = ? where id = ?", (hashed, table))

    def add_event(self, table: str, event: Event) -> None:
        """Raises sqlite3.IntegrityError where there is one of this number already."""
        self._base.execute(
            "insert into events values (?, ?, ?, ?, ?, ?, ?)",
            (table, event.number, event.kind, event.ply, event.person, event.move, event.note),
        )

    def events(self, table: str, after: int = 0) -> list[Event]:
        """All that has happened after the event of this number, in order."""
        rows = self._base.execute(
            "select number, kind, ply, person, move, note from events where table_id = ? and number > ? "
            "order by number",
            (table, after),
        )
        return [Event(*row) for row in rows]

    # --- rule files ---

    def files(self, owner: bytes) -> list[File]:
        """The newest version of each file of this owner, by name; without the text."""
        rows = self._base.execute(
            "select id, name, max(version), made, '' from files join versions on id = file_id "
            "where owner = ? group by id order by name, id",
            (owner,),
        )
        return [File(*row) for row in rows]

    def file(self, owner: bytes, file: str, version: int | None = None) -> File | None:
        """A version of a file, else the newest; None where this owner has none such."""
        row = self._base.execute(
            "select id, name, version, made, text from files join versions on id = file_id "
            "where owner = ? and id = ? and version = coalesce(?, version) order by version desc limit 1",
            (owner, file, version),
        ).fetchone()
        return row and File(*row)

    def newest(self, owner: bytes) -> list[File]:
        """The newest version of each file of this owner, that which was saved last at the end."""
        rows = self._base.execute(
            "select id, name, version, made, text from files join versions on id = file_id "
            "where owner = ? and version = (select max(version) from versions where file_id = id) order by made",
            (owner,),
        )
        return [File(*row) for row in rows]

    def versions(self, file: str) -> list[tuple[int, float]]:
        """The number of each version, and when it was made."""
        return self._base.execute(
            "select version, made from versions where file_id = ? order by version", (file,)
        ).fetchall()

    def add_file(self, owner: bytes, file: str, name: str, text: str) -> None:
        with self._at_once():
            self._base.execute("insert into files values (?, ?, ?)", (file, owner, name))
            self._add_version(file, 1, text)

    def add_version(self, file: str, name: str, version: int, text: str) -> None:
        with self._at_once():
            self._base.execute("update files set name = ? where id = ?", (name, file))
            self._add_version(file, version, text)

    def _add_version(self, file: str, version: int, text: str) -> None:
        self._base.execute("insert into versions values (?, ?, ?, ?)", (file, version, time.time(), text))

    def rename(self, file: str, name: str) -> None:
        self._base.execute("update files set name = ? where id = ?", (name, file))

    def remove_file(self, file: str) -> None:
        self._base.execute("delete from files where id = ?", (file,))

    # --- the gallery, which takes a while to draw ---

    def gallery(self, digest: str) -> Json | None:
        row = self._base.execute("select about from gallery where digest = ?", (digest,)).fetchone()
        return cast("Json", json.loads(row[0])) if row else None

    def keep_gallery(self, digest: str, about: Json) -> None:
        with self._at_once():
            self._base.execute("delete from gallery")
            self._base.execute("insert into gallery values (?, ?)", (digest, json.dumps(about)))
