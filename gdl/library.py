"""Finding rule files, by bundled name or by path, and checking them together with their base games."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from functools import cache
from pathlib import Path

from gdl import syntax as s
from gdl.checker import check
from gdl.core import CheckedGame
from gdl.diagnostics import Diagnostic, RuleError, did_you_mean
from gdl.parser import MAX_LENGTH, normalise, parse
from gdl.source import Source, Span
from gdl.variants import merge

#: How long a chain of variants of variants may be.
MAX_BASES = 8

#: No more of a file is read: a character takes at most four bytes, and the parser refuses longer texts.
MAX_BYTES = 4 * MAX_LENGTH + 4


class UnknownGame(LookupError):
    """There is no game of this name and no readable rule file at this path."""


@cache
def folder() -> Path:
    """Where the bundled games are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "games"
    return installed if installed.is_dir() else package.parent / "games"


def bundled() -> list[str]:
    """The names of the bundled games, sorted."""
    return sorted(path.stem for path in folder().glob("*.game"))


def slug(title: str) -> str:
    """The file name of a title: `Misère Hex` is misere_hex."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")


def locate(game: str) -> Path:
    """The rule file of a bundled name, a bundled title or a path."""
    names = bundled()
    if "/" not in game and slug(game) in names and not game.endswith(".game"):
        return folder() / f"{slug(game)}.game"
    path = Path(game)
    if game and ("/" in game or game.endswith(".game") or os.path.exists(path)):
        return path
    beside = f"did you mean `{game}.game`?" if os.path.isfile(f"{game}.game") else None
    hint = beside or did_you_mean(slug(game), names) or "`gdl games` lists those that are bundled"
    raise UnknownGame(f"there is no game `{game[:80]}`; {hint}")


def read(game: str) -> Source:
    """The text of a rule file. Raises what `read_bytes` and `decode` raise."""
    return decode(*read_bytes(game))


def read_bytes(game: str) -> tuple[str, bytes]:
    """What a rule file is called in messages, and its first MAX_BYTES.

    Raises UnknownGame if there is none, OSError if it cannot be read.
    """
    path = locate(game)
    name = path.name if path.parent == folder() else str(path)
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
            raise UnknownGame(f"`{name}` is {kind}, not a rule file")
        with path.open("rb") as file:
            return name, file.read(MAX_BYTES)
    except FileNotFoundError:
        hint = f"; the bundled game is `{path.stem}`" if (folder() / game).is_file() else ""
        raise UnknownGame(f"there is no file `{name}`{hint}") from None
    except ValueError:  # a path with a null character
        raise UnknownGame("this is no path of a file") from None


def decode(name: str, raw: bytes) -> Source:
    """The text of a rule file, from its first MAX_BYTES. Raises RuleError if it is not UTF-8 text."""
    try:
        return Source(name, normalise(raw.decode("utf-8")))
    except UnicodeDecodeError as error:
        source = Source(name, normalise(raw.decode("utf-8", "replace")))
        if len(raw) == MAX_BYTES:  # cut in the middle of a character, and too long in any case
            return source
        before = raw[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        place = Span(source, line, column, line, column + 1)
        message, hint = "the file is not UTF-8 text", "save it as UTF-8 in your editor"
        raise RuleError([Diagnostic("error", place, message, hint)]) from None


def load(game: str) -> CheckedGame:
    """The checked game of a bundled name or path.

    Raises what `read` raises, and RuleError for faults in the rules.
    """
    return check_source(read(game), locate(game).parent)[0]


def check_source(source: Source, beside: Path | None = None) -> tuple[CheckedGame, list[Diagnostic]]:
    """A checked game and the warnings about it, from its text. Raises RuleError.

    `beside` is a folder to search for the base of a variant before the bundled games.
    """
    merged, faults = declarations(source, beside)
    game, more = check(source, merged, faults)
    faults = sorted(more, key=lambda d: (d.span.source.name != source.name, d.span.line, d.span.column))
    if game is None:
        raise RuleError([d for d in faults if d.severity == "error"] or faults)
    return game, faults


def declarations(
    source: Source, beside: Path | None = None, above: tuple[str, ...] = ()
) -> tuple[list[s.Declaration], list[Diagnostic]]:
    """The declarations of a file, merged with those of its base game, and what is wrong with them.

    `beside` is as in `check_source`; `above` holds the variants that lead here. Raises RuleError if
    the base cannot be found.
    """
    own, faults = parse(source)
    header = next((d for d in own if isinstance(d, s.Header)), None)
    if header is None or header.base is None:
        return own, faults
    base = header.base
    message = None
    if slug(base.text) == slug(header.name.text):
        message = f"“{base.text}” cannot be a variant of itself"
    elif slug(base.text) in above or len(above) == MAX_BASES:
        message = (
            "these variants go round in a circle"
            if slug(base.text) in above
            else "too many variants of variants"
        )
    else:
        found = _base(base.text, source, beside)
        if found is None:
            message = f"there is no game “{base.text}”"
    if message:
        hint = None
        if message.startswith("there is"):
            hint = did_you_mean(slug(base.text), bundled()) or (
                f"a base stands beside its variant, as {slug(base.text) or 'name'}.game, "
                "or `gdl games` lists it"
            )
        # Without the base, hardly a word of the variant would have a meaning.
        raise RuleError([*faults, Diagnostic("error", base.span, message, hint)])
    assert found is not None
    under, more = declarations(found, beside, (*above, slug(header.name.text)))
    merged, dropped = merge(under, own)
    return merged, faults + more + dropped


def _base(title: str, source: Source, beside: Path | None) -> Source | None:
    """The rule file of the base game: beside the variant, or bundled."""
    name = f"{slug(title)}.game"
    for place in [beside, folder()]:
        if (
            place is None
            or not slug(title)
            or str(place / name) == source.name
            or not os.path.isfile(place / name)  # also false if the name is too long for a file
        ):
            continue
        return read(str(place / name))
    return None
