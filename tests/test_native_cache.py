"""Machine code kept on disk: whatever is wrong with it, games can be played."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gdl import cache
from interpreter.game import Game

COUNT = "from interpreter.game import Game; print(Game.load('ayu', size=5).on('native').start().perft(2))"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = cache.folder()
    assert made is not None
    return made


def perft() -> int:
    return Game.load("ayu", size=5).on("native").start().perft(2)


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.native"))


def test_code_is_kept_once(folder: Path):
    first = perft()
    names = kept(folder)
    assert len(names) == 1
    before = names[0].stat().st_mtime_ns
    assert perft() == first
    assert kept(folder) == names
    assert names[0].stat().st_mtime_ns == before
    assert not list(folder.glob("*.part"))


@pytest.mark.parametrize("spoil", [b"", b"x", b"\0" * 5000, None], ids=["empty", "short", "zeros", "cut"])
def test_a_spoilt_file_is_made_anew(folder: Path, spoil: bytes | None):
    first = perft()
    (file,) = kept(folder)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if spoil is None else spoil)
    assert perft() == first
    assert file.read_bytes()[:32] == whole[:32]


def test_a_file_that_is_a_folder(folder: Path):
    first = perft()
    (file,) = kept(folder)
    file.unlink()
    file.mkdir()
    assert perft() == first


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache.folder() is None
    assert perft() > 0


def test_a_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """Every write fails, as on /dev/full."""

    def full(*_: object, **__: object) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("interpreter.native.compiler.os.fdopen", full)
    assert perft() > 0
    assert not kept(folder)
    assert not list(folder.glob("*.part"))


def test_random_games_have_the_rules_compiled_that_they_ask_for(folder: Path):
    """Where most captures go first, moves are drawn from a search of all; its code is kept with the rules."""

    def lengths() -> list[int]:
        start = Game.load("international_draughts").on("native").start()
        return start.playouts(20, seed=1, threads=2).plies.tolist()

    first = lengths()
    assert len(kept(folder)) == 2
    assert lengths() == first
    for file in kept(folder):
        file.unlink()
        assert lengths() == first


def test_many_processes_at_once(folder: Path):
    runs = [
        subprocess.Popen([sys.executable, "-c", COUNT], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert {run.communicate(timeout=120)[0].strip() for run in runs} == {str(perft())}
    assert len(kept(folder)) == 1


def test_without_llvmlite_the_reference_engine_plays_and_says_so():
    code = (
        "import sys; sys.modules['llvmlite'] = None\n"
        "from interpreter.game import Game\n"
        "game = Game.load('ayu', size=3).on('native')\n"
        "print(game.engine, game.engine_note, len(game.start().legal_moves), sep='\\n')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    engine, note, count = run.stdout.splitlines()
    assert (engine, note) == ("reference", "llvmlite is not installed here: the slow reference engine plays")
    assert int(count) > 0
