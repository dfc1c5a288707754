"""The cache folder: code is loaded from it, so it must belong to the user, or there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl.cache import folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return tmp_path


def test_the_folder_that_the_environment_names(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert folder() == home / ".cache" / "gdl"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "mine"))
    assert folder() == home / "mine" / "gdl"


@pytest.mark.parametrize("path", ["", "here", "./here", "../here"])
def test_a_relative_path_is_ignored(home: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", path)
    assert folder() == home / ".cache" / "gdl"


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_nobody_else_may_write_to_it(mode: int) -> None:
    made = folder()
    assert made is not None
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(mode)
    assert folder() is None
