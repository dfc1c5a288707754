"""Broken rule files and what is said about each.

Every `errors/NAME.game` has its snapshot `errors/NAME.txt`: all that `gdl check` prints about it. After a
change of wording, `SNAPSHOTS=write pytest tests/test_errors.py` writes them anew: read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gdl import library
from gdl.diagnostics import RuleError, render
from interpreter.examine import examine

ERRORS = Path(__file__).parent / "errors"
FILES = sorted(ERRORS.glob("*.game"))


def said(path: Path) -> str:
    """What is said about a rule file, its folder left out."""
    try:
        diagnostics = examine(library.read(str(path)), path.parent)
    except RuleError as error:  # it is no text
        diagnostics = list(error.diagnostics)
    return render(diagnostics).replace(f"{ERRORS}/", "") + "\n"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_message(path: Path) -> None:
    snapshot = path.with_suffix(".txt")
    text = said(path)
    if os.environ.get("SNAPSHOTS") == "write":
        snapshot.write_text(text, encoding="utf-8")
    assert text == snapshot.read_text(encoding="utf-8")
