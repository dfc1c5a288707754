"""Records of games: plain text, several to a file; docs/records.md describes the format."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import IO

from attrs import evolve, field, frozen

from gdl.words import written


class RecordError(ValueError):
    """A record that cannot be read or written; the message names the line, if there is one."""


OptionValue = int | bool

#: The most digits of an option's value.
MAX_DIGITS = 18
WORDS = {"yes": True, "true": True, "no": False, "false": False}


@frozen
class Record:
    """One game as it is written down.

    `game` is a title, a bundled name or a path; `file` the path or name to load instead, if the title
    alone does not lead to the rules. `result` is a colour, "draw" or "*". `tags` are the tags that have
    no meaning here. `line` is where the record starts in its file.
    """

    game: str
    result: str
    moves: tuple[str, ...] = ()
    resigned: bool = False
    options: dict[str, OptionValue] = field(factory=dict)
    first: str = "?"
    second: str = "?"
    file: str | None = None
    tags: tuple[tuple[str, str], ...] = ()
    line: int = field(default=1, eq=False)

    def __str__(self) -> str:
        """The record as text, ending in a newline; RecordError if a value holds a line break."""
        file = [] if self.file is None else [("File", self.file)]
        options = [("Option", f"{name}={written(value)}") for name, value in self.options.items()]
        people = [("First", self.first), ("Second", self.second), ("Result", self.result)]
        tags = [("Game", self.game), *file, *options, *people, *self.tags]
        words = [f"{ply}. {_move_text(move)}" for ply, move in enumerate(self.moves, 1)]
        if self.resigned:
            words.append("resign")
        lines = [" ".join(words[i : i + 8]) for i in range(0, len(words), 8)]
        return "\n".join([*(f"[{tag} {_quote(value)}]" for tag, value in tags), "", *lines]) + "\n"


def read_option(text: str) -> tuple[str, OptionValue]:
    """Name and value of an option written like "size=9" or "pie=yes"; RecordError for any other text."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if name and equals and value.lower() in WORDS:
        return name, WORDS[value.lower()]
    if name and equals and (number := re.fullmatch(r"[+-]?([0-9]+)", value)):
        if len(number[1]) > MAX_DIGITS:
            raise RecordError(f"The option {name} is a number of at most {MAX_DIGITS} digits.")
        return name, int(value)
    raise RecordError(f"`{text}` is no option; write a whole number, yes or no, as in size=9 or pie=yes.")


# --- writing -----------------------------------------------------------------


def check_records(path: str) -> None:
    """Raises RecordError for an existing file that holds something other than records; OSError."""
    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        head = file.read(HEAD).decode("utf-8-sig", "replace").replace("\r", "\n")
    with suppress(RecordError):
        if _START.search(head) or next(_tokens(head, 1), None) is None:
            return
    raise RecordError(f"{path} is no file of records; it is left as it is.")


def append(path: str, record: Record) -> None:
    """Append a record to a file, which is created if need be; an OSError leaves the file as it was."""
    data = str(record).encode()
    with open(path, "ab", buffering=0) as file:
        _lock(file)
        status = os.fstat(file.fileno())
        if status.st_size:
            data = b"\n" + data  # this also ends a last line that was left open
        try:
            while data:
                data = data[file.write(data) :]
        except OSError as error:
            if stat.S_ISREG(status.st_mode):
                file.truncate(status.st_size)
            raise OSError(error.errno, error.strerror, path) from None


def _lock(file: IO[bytes]) -> None:
    """Wait until nobody else is adding a record to the file, if the system has locks."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def is_storable(value: str) -> bool:
    """Whether a record can hold the value: it must be valid as UTF-8 and have no line breaks."""
    return not re.search("[\n\r\ud800-\udfff]", value)


def _move_text(move: str) -> str:
    """A move as a word, in quotes if it would otherwise be read as something else."""
    token = _TOKEN.match(move)
    plain = token is not None and token.lastgroup == "word" and token[0] == move
    return move if plain and move not in ("resign", "*") else _quote(move)


def _quote(value: str) -> str:
    if not is_storable(value):
        raise RecordError(f"A record cannot hold a line break or what is no text, as in {value!r}.")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# --- reading -----------------------------------------------------------------

#: A file of records may have this many bytes, and a record this many tags and moves.
MAX_BYTES = 64_000_000
MAX_TOKENS = 200_000

#: How many bytes of a file are enough to tell whether it holds records.
HEAD = 1 << 16

#: Kind (tag, string or word), text (of a string without its quotes), line.
Token = tuple[str, str, int]

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_TAG = rf"\[\s*[A-Za-z]\w*\s*{_STRING}\s*\]"
_TOKEN = re.compile(
    rf"(?P<blank>\s+|\{{[^}}]*\}}|;[^\n]*|\$[0-9]+|\([^()]*\))|(?P<tag>{_TAG})|(?P<number>[0-9]+\.+|\.+)|(?P<string>{_STRING})"
    r'|(?P<word>[^\s\[\]{}";]+)',
    re.ASCII,
)
_TROUBLES = {"{": "a comment is never closed", '"': "a quote is never closed", "[": "this is no tag"}
_START = re.compile(r"^[ \t]*\[\s*Game\b", re.IGNORECASE | re.MULTILINE | re.ASCII)
#: How a record of a chess program starts; its results, by the person who has won, are below.
_CHESS = re.compile(r"^[ \t]*\[\s*Event\b", re.MULTILINE | re.ASCII)
#: How a file of many games kept by `--save` begins; each line after its first is a game.
_KEPT = '{"asked": '
USUAL = {"White": "first", "Black": "second"}
CHESS_RESULTS = {"1-0": "first", "0-1": "second", "1/2-1/2": None}


def read_file(path: str) -> str:
    """The text of a record file or pipe, but not of a device. RecordError, UnicodeError, OSError."""
    mode = os.stat(path).st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise RecordError(f"{path} is a device, not a file of records.")
    with open(path, "rb") as file:
        return read(file, path)


def read(file: IO[bytes], name: str) -> str:
    """The text of an open record file; `name` is for messages about it. Raises what `read_file` raises."""
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise RecordError(f"There are more than {MAX_BYTES:,} bytes in {name}; split it into several files.")
    return decode(data)


def decode(data: bytes) -> str:
    """The text of a record file: UTF-8, with or without a byte order mark, any line ends."""
    return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str) -> Iterator[Record | RecordError]:
    """The records of a file in order; a record that cannot be read is replaced by its error.

    Each line that starts with a Game tag starts a record, whatever precedes it, so a broken record
    never takes the next one with it. A file without such tags comes from a chess program: each line
    that starts with an Event tag starts a record. In a file kept by `gdl tournament` or `gdl analyse`
    each line is a game.
    """
    if text.startswith(_KEPT):
        games = enumerate(text.split("\n")[1:], 2)
        yield from (_parse_kept(game, line) for line, game in games if game.strip())
        return
    head = _START if _START.search(text) else _CHESS
    starts = [match.start() for match in head.finditer(text)]
    line = 1
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        chunk = text[start:end]
        try:
            if head.match(chunk):
                yield _parse_one(chunk, line)
            else:
                for _, _, place in _tokens(chunk, line):
                    raise RecordError(f'Line {place}: a record starts with its tag [Game "..."].')
        except RecordError as error:
            yield error
        line += chunk.count("\n")


def _parse_kept(text: str, line: int) -> Record | RecordError:
    """The record of a game that was kept as JSON (see `analysis.games.Played`)."""
    with suppress(ValueError, RecursionError):  # a RecordError is a ValueError
        match json.loads(text):
            case {
                "task": {
                    "game": str(game),
                    "options": dict(options),
                    "first": str(one),
                    "second": str(other),
                },
                "moves": list(moves),
                "winner": str() | None as winner,
                "reason": str() | None as reason,
                "finished": bool(finished),
            } if all(isinstance(move, str) for move in moves) and all(
                isinstance(value, OptionValue) for value in options.values()
            ):
                result = (winner or "draw") if finished else "*"
                record = Record(game, result, tuple(moves), reason == "resign", options, one, other)
                return evolve(_parse_one(str(record), 1), line=line)  # which holds what a record may
    return RecordError(f"Line {line}: this is no game.")


def parse_moves(text: str) -> tuple[str, ...]:
    """The moves of a line like `1. b1-b2 2. a2-a3`, with or without numbers; RecordError."""
    if ";" in re.sub(_STRING, "", text):  # it begins a comment in a record, and would end the line
        raise RecordError("Moves are separated by blanks, not by `;`.")
    moves = []
    for kind, value, place in _tokens(text, 1):
        if kind == "tag":
            raise RecordError(f"Line {place}: {value} is no move.")
        moves.append(value)
    return tuple(moves)


def _tokens(text: str, line: int) -> Iterator[Token]:
    """Everything but comments and move numbers."""
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            rest = text[place:].split("\n", 1)[0]
            raise RecordError(f"Line {line}: {_TROUBLES.get(text[place], 'this means nothing')}: {rest[:60]}")
        kind = str(match.lastgroup)
        if kind == "string":
            yield kind, _unquote(match[0]), line
        elif kind in ("tag", "word"):
            yield kind, match[0], line
        line += match[0].count("\n")
        place = match.end()


def _unquote(string: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", string[1:-1])


def _parse_one(text: str, line: int) -> Record:
    tokens = list(islice(_tokens(text, line), MAX_TOKENS + 1))
    if len(tokens) > MAX_TOKENS:
        raise RecordError(f"Line {line}: the record has more than {MAX_TOKENS:,} tags and moves.")
    moves_at = next((i for i, (kind, _, _) in enumerate(tokens) if kind != "tag"), len(tokens))
    tags, options, others = _parse_tags(tokens[:moves_at])
    if "game" not in tags:
        tags |= {"game": "Chess"} | {USUAL[name]: value for name, value in others if name in USUAL}
    moves, resigned = _parse_play(tokens[moves_at:], tags.get("result", "*"))
    if "result" not in tags:
        raise RecordError(f'Line {line}: the record has no result; an unfinished game has [Result "*"].')
    return Record(**tags, moves=moves, resigned=resigned, options=options, tags=others, line=line)


def _parse_tags(
    tokens: list[Token],
) -> tuple[dict[str, str], dict[str, OptionValue], tuple[tuple[str, str], ...]]:
    """The tags that a record must or may have once, by lower-case name; the options; all other tags."""
    tags: dict[str, str] = {}
    options: dict[str, OptionValue] = {}
    others = []
    for _, text, line in tokens:
        name, _, rest = text[1:-1].strip().partition('"')
        name, value = name.strip(), _unquote(f'"{rest}')
        if name.lower() == "option":
            try:
                option, setting = read_option(value)
            except RecordError as error:
                raise RecordError(f"Line {line}: {error}") from None
            if option in options:
                raise RecordError(f"Line {line}: the option {option} is given twice.")
            options[option] = setting
        elif name.lower() not in ("game", "file", "first", "second", "result"):
            others.append((name, value))
        elif name.lower() in tags:
            raise RecordError(f"Line {line}: the tag {name} is given twice.")
        else:
            tags[name.lower()] = value
    return tags, options, tuple(others)


def _parse_play(tokens: list[Token], result: str) -> tuple[tuple[str, ...], bool]:
    """The moves, and whether `resign` follows them; a chess program writes the result there."""
    moves: list[str] = []
    end = ""
    for kind, text, line in tokens:
        if kind == "tag":
            raise RecordError(f'Line {line}: a tag after the moves; a new record starts with [Game "..."].')
        if end:
            raise RecordError(f"Line {line}: `{text}` stands after `{end}`, which ends the moves.")
        if kind == "word" and (text in ("resign", "*") or text == result in CHESS_RESULTS):
            end = text
        else:
            moves.append(text)
    return tuple(moves), end == "resign"
