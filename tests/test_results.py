"""Games kept in a file: what was written is read back, whatever happened to the file in between."""

from __future__ import annotations

import errno
import json
import os
import resource
from pathlib import Path

import pytest

from interpreter.analysis.games import Played, Task
from interpreter.analysis.results import Results
from interpreter.errors import ResultsError

ASKED = {"command": "test", "players": ("a", "b"), "seed": 1}


def task(number: int) -> Task:
    return Task("a b", number, "ayu", "a", "b", 7 * number, {"size": 5, "pie": True}, ("b1-b2", "a2-a3"))


def played(number: int) -> Played:
    return Played(
        task(number), "Black", "first", "stuck(next)", True, ("b1-b2", "ñ"), (14, 12), (None, 0.25), 1.5
    )


def write(path: Path, *numbers: int) -> bytes:
    """A file of these games."""
    with Results(str(path), ASKED) as results:
        for number in numbers:
            results.add(played(number))
    return path.read_bytes()


def kept(path: Path) -> list[int]:
    """The numbers of the games in a file."""
    with Results(str(path), ASKED) as results:
        return [number for number in range(10) if results.get(task(number)) == played(number)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def test_what_was_written_is_there_again(path: Path) -> None:
    write(path, 0, 1)
    write(path, 3)
    assert kept(path) == [0, 1, 3]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4


def test_a_game_of_a_task_that_has_changed_is_none(path: Path) -> None:
    write(path, 1)
    with Results(str(path), ASKED) as results:
        changed = Task("a b", 1, "ayu", "a", "b", 8)
        assert results.get(changed) is None


def test_a_file_that_was_cut_anywhere_is_mended(path: Path) -> None:
    data = write(path, 0, 1)
    header = data.index(b"\n") + 1
    second = data.index(b"\n", header) + 1
    for end in sorted({*range(0, len(data), 23), header - 1, header, header + 1, second - 1, second}):
        path.write_bytes(data[:end])
        assert kept(path) == ([0] if end >= second else []), end
        assert write(path, 1, 2)
        assert kept(path) == ([0, 1, 2] if end >= second else [1, 2]), end


def test_a_last_line_of_zeros_is_dropped(path: Path) -> None:
    """Some file systems leave one after a power failure."""
    path.write_bytes(write(path, 0) + bytes(100))
    assert kept(path) == [0]
    path.write_bytes(write(path, 1) + bytes(100) + b"\n")
    assert kept(path) == [0, 1]


def test_a_line_before_the_last_that_is_no_game_is_told(path: Path) -> None:
    lines = write(path, 0, 1).split(b"\n")
    for wrong in (b"{", b"[]", b"{}", b'{"task": 1}', 9_999 * b"["):
        path.write_bytes(b"\n".join([lines[0], wrong, lines[2], b""]))
        before = path.read_bytes()
        with pytest.raises(ResultsError, match=r"games.jsonl, line 2: this is no game\."):
            Results(str(path), ASKED)
        assert path.read_bytes() == before


#: Impossible values for each part of a game.
IMPOSSIBLE: dict[str, list[object]] = {
    "winner": [5, [], {}],
    "person": [5, "third", [], {}],
    "reason": [5, True, [], {}],
    "finished": [None, 1, "yes"],
    "moves": [None, [], ["b1-b2", None]],
    "counts": [None, "14", [], [14, None], [14, "12"]],
    "values": [None, "ab", [], [None, "x"], [None, 2], [None, -1], [None, float("nan")]],
    "seconds": [None, "x", [], -1, float("nan"), float("inf")],
}


def test_a_game_that_cannot_be_is_told(path: Path) -> None:
    """Once, it was accepted, and whatever counted it crashed."""
    lines = write(path, 0, 1).splitlines()
    for name, values in IMPOSSIBLE.items():
        for value in values:
            wrong = json.dumps(json.loads(lines[1]) | {name: value}).encode()
            path.write_bytes(b"\n".join([lines[0], wrong, lines[2], b""]))
            with pytest.raises(ResultsError, match=r"games.jsonl, line 2: this is no game\."):
                Results(str(path), ASKED)


@pytest.mark.parametrize(
    "text",
    ["hello", "hello\n", "{ }", "[]\n", '{"asked": 1}\n', "\0\n", "\xff\n", 9_999 * "[", 9_999 * '{"asked":'],
)
def test_another_file_is_refused_and_left(path: Path, text: str) -> None:
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ResultsError, match="is no file of games; it is left as it is"):
        Results(str(path), ASKED)
    assert path.read_text(encoding="latin-1") == text


def test_the_games_of_another_command_are_refused_and_left(path: Path) -> None:
    before = write(path, 0)
    for asked in (ASKED | {"seed": 2, "more": 1}, {"seed": 1}):
        names = [name for name in {**asked, **ASKED} if asked.get(name) != ASKED.get(name)]
        message = rf"holds games of another command \(other {', '.join(names)}\); name another file\."
        with pytest.raises(ResultsError, match=message):
            Results(str(path), asked)
    assert path.read_bytes() == before


def test_a_file_has_one_writer(path: Path) -> None:
    with Results(str(path), ASKED), pytest.raises(ResultsError, match="written by somebody else"):
        Results(str(path), ASKED)
    assert kept(path) == []


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="/dev/null is a device or a pipe"):
        Results("/dev/null", ASKED)
    with pytest.raises(IsADirectoryError):
        Results(str(tmp_path), ASKED)
    with pytest.raises(FileNotFoundError):
        Results(str(tmp_path / "no" / "games.jsonl"), ASKED)


def test_a_disk_that_is_full_loses_nothing_that_was_written(path: Path) -> None:
    data = write(path, 0)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Results(str(path), ASKED) as results:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(data) + 50, limits[1]))
            with pytest.raises(OSError, match="File too large") as caught:
                results.add(played(1))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, str(path))
        assert path.read_bytes() == data
        assert results.get(task(1)) is None
        results.add(played(2))
    assert kept(path) == [0, 2]


def test_each_game_is_on_the_disk_when_it_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    write(path, 0, 1)
    sizes = [len(line) + 1 for line in path.read_bytes().splitlines()]
    assert synced == [sizes[0], sizes[0] + sizes[1], sum(sizes)]
    assert json.loads(path.read_bytes().splitlines()[1])["task"]["number"] == 0
