"""Whole files that replace older ones in one step, so that they are never there half-written."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from interpreter.cli.shell import Wrong

#: How a rule file begins: with its header, after comments.
_HEADER = re.compile(rb'(\xef\xbb\xbf)?\s*(#[^\n\r]*\s*)*(game|variant)\s*"')


def check_writable(file: str) -> None:
    """Raises an OSError that names the file if `write` could not begin; the file is not changed."""
    with _beside(file):
        pass


def spare_rules(file: str, *games: str) -> None:
    """Raises Wrong if writing the file would overwrite a rule file, that of a game in use or any other."""
    from gdl import library

    if not os.path.isfile(file):
        return
    with open(file, "rb") as open_file:
        head = open_file.read(1 << 14)
    used = any(os.path.samefile(file, library.locate(game)) for game in games)
    if used or file.endswith(".game") or _HEADER.match(head):
        raise Wrong(f"{file} is a rule file; it is left as it is.")


def write(file: str, data: bytes) -> None:
    """Write a file; if that fails, the old content stays. Raises an OSError that names the file.

    A device, or anything else with a name that is not an ordinary file, is written to directly.
    """
    with _beside(file) as beside, open(beside or file, "ab") as out:
        out.write(data)
        out.flush()
        if beside is None:
            return
        os.fsync(out.fileno())
        place = Path(file).resolve()
        if place.exists():
            shutil.copymode(place, beside)
        os.replace(beside, place)


@contextmanager
def _beside(file: str) -> Iterator[Path | None]:
    """A path on the same disk to write to before it replaces the file; None for a device."""
    try:
        place = Path(file).resolve()
        if place.exists():
            # This fails for a folder, or for a write-protected file.
            open(file, "ab").close()
        # /dev/stdout may lead to a file, but that one somebody else has opened.
        system = os.path.abspath(file).startswith(("/dev/", "/proc/"))
        if system or (place.exists() and not place.is_file()):
            yield None
        else:
            with TemporaryDirectory(dir=place.parent, prefix=".gdl-") as folder:
                yield Path(folder) / "file"
    except OSError as error:
        raise OSError(error.errno, error.strerror, file) from None
