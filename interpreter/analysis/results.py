"""A file of games played: one line per game, written at once, so that a killed command can be resumed.

The first line says what was asked; a file that answers another question is refused. Each other line is a
game as JSON. If the last line was cut off in writing it is dropped, and its game is played again.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from contextlib import suppress
from io import FileIO
from typing import Any

from interpreter.analysis.games import Key, Played, Task
from interpreter.errors import ResultsError


class Results:
    """The games in a file, by label and number; `with Results(path, asked) as results` closes it."""

    def __init__(self, path: str, asked: dict[str, Any]) -> None:
        """The file at this path, made if need be; `asked` is JSON data: all that determines its games.

        Raises OSError, and ResultsError for a file of something else or one that is in use.
        """
        self.path = path
        self._played = dict[Key, Played]()
        self._file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666), "r+")
        try:
            self._start(asked)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others write the file."""
        self._file.close()

    def get(self, task: Task) -> Played | None:
        """The game of this task, if it is in the file."""
        played = self._played.get(task.key)
        return played if played is not None and played.task == task else None

    def add(self, played: Played) -> None:
        """Write a game; it is on the disk when this returns. After an OSError the file is as before."""
        self._write(f"{json.dumps(played.data())}\n".encode())
        self._keep(played)

    def _keep(self, played: Played) -> None:
        self._played[played.task.key] = played

    def _start(self, asked: dict[str, Any]) -> None:
        """Lock the file, read its contents, and mend its end."""
        asked = json.loads(json.dumps(asked))  # as it looks when read back
        header = f"{json.dumps({'asked': asked})}\n".encode()
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise ResultsError(f"{self.path} is a device or a pipe, not a file to keep games in.")
        if not _lock(self._file):
            raise ResultsError(f"{self.path} is being written by somebody else; wait until it is done.")
        data = self._file.readall()
        if header.startswith(data):  # new, or cut in its first line
            self._file.truncate(0)
            self._write(header)
            return
        self._agree(data.partition(b"\n")[0], asked)
        place = data.index(b"\n") + 1
        lines = data[place:].splitlines(keepends=True)
        for number, line in enumerate(lines, 2):
            try:
                if not line.endswith(b"\n"):
                    raise ValueError
                self._keep(Played.of(json.loads(line)))
            except (ValueError, TypeError, KeyError, RecursionError):
                if number - 1 < len(lines):
                    raise ResultsError(f"{self.path}, line {number}: this is no game.") from None
                self._file.truncate(place)
            place += len(line)

    def _agree(self, line: bytes, asked: dict[str, Any]) -> None:
        """Raises ResultsError if the first line of the file differs from what is asked now."""
        try:
            before = json.loads(line)["asked"]
            differing = [name for name in {**asked, **before} if before.get(name) != asked.get(name)]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ResultsError(f"{self.path} is no file of games; it is left as it is.") from None
        if differing:
            names = ", ".join(differing)
            raise ResultsError(
                f"{self.path} holds games of another command (other {names}); name another file."
            )

    def _write(self, data: bytes) -> None:
        size = os.fstat(self._file.fileno()).st_size
        try:
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(size)
            raise OSError(error.errno, error.strerror, self.path) from None


def _lock(file: FileIO) -> bool:
    """Keep others from writing the file, if the system has locks; False if somebody else is writing it."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES)
    return True
