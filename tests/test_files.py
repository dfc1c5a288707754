"""Whole files: either the new one is there completely, or the old one is."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli import main
from interpreter.cli.files import check_writable, write


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Meanwhile, no file can be larger than this."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_where_the_disk_is_full_the_old_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(b"old")
    with full_disk(100), pytest.raises(OSError, match="File too large") as caught:
        write(str(file), bytes(1000))
    assert caught.value.filename == str(file)
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("words", "name"), [(["draw", "ayu", "size=3", "-o"], "old.svg"), (["format"], "old.game")]
)
def test_a_command_on_a_full_disk_leaves_the_old_file(
    words: list[str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, a picture was emptied before the full disk was noticed."""
    monkeypatch.chdir(tmp_path)
    head = 'game "Old"' if name == "old.game" else "<svg/>"
    file, old = Path(name), f"{head}\n" + "# a line\n" * 20 + "players  A,B\n"
    file.write_text(old)
    with full_disk(100):
        result = CliRunner().invoke(main, [*words, str(file)])
    assert result.exit_code == 1
    assert result.stderr == f"{name}: File too large.\n"
    assert file.read_text() == old


def test_a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    new, old, usual = tmp_path / "new", tmp_path / "old", tmp_path / "usual"
    usual.write_bytes(b"")
    old.write_bytes(b"old")
    old.chmod(0o640)
    for file in (new, old):
        write(str(file), b"text")
        assert file.read_bytes() == b"text"
    assert stat.S_IMODE(new.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_a_link_leads_to_the_same_file_as_before(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    link.symlink_to(file)
    write(str(link), b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"


def test_what_cannot_be_written_is_told_before(tmp_path: Path) -> None:
    check_writable(str(tmp_path / "new"))
    assert not list(tmp_path.iterdir())
    for file, said in ((tmp_path, "Is a directory"), (tmp_path / "no" / "file", "No such file")):
        for attempt in (check_writable, lambda name: write(name, b"text")):
            with pytest.raises(OSError, match=said) as caught:
                attempt(str(file))
            assert caught.value.filename == str(file)


def test_a_device_is_written_to_and_stays_a_device() -> None:
    write("/dev/null", b"text")
    with pytest.raises(OSError, match="No space left"):
        write("/dev/full", b"text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_the_standard_output_is_not_replaced_where_it_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "out"
    with open(file, "wb") as out:
        words = [sys.executable, "-m", "interpreter", "draw", "ayu", "size=3", "-o", "/dev/stdout"]
        subprocess.run(words, stdout=out, check=True, timeout=60)
        assert os.fstat(out.fileno()).st_ino == file.stat().st_ino
    assert file.read_text().startswith("<svg")
