"""Broken rule files and what is said about each.

Every `errors/NAME.game` has its snapshot `errors/NAME.txt`: all that `gdl check` prints about it. After a
change of wording, `SNAPSHOTS=write pytest tests/test_errors.py` rewrites them; then read the difference.
"""

from __future__ import annotations

import ast
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import gdl
from gdl import library
from gdl.diagnostics import RuleError, render
from gdl.source import Source
from gdl.words import BEGINNINGS, CALLED_ELSEWHERE, DECLARED_ELSEWHERE, FOREIGN, NAMED_ELSEWHERE, SIGNS
from interpreter.cli import main
from interpreter.examine import examine

ERRORS = Path(__file__).parent / "errors"
FILES = sorted(ERRORS.glob("*.game"))

#: Files too long to keep, and the one sentence about each.
LONG = {
    "five megabytes": ("# " + "x" * 78 + "\n") * 62_500,
    "a hundred thousand `not`": "turn:\n    require " + "not " * 100_000 + "yes\n",
    "a hundred thousand brackets": "turn:\n    require " + "(" * 100_000,
    "a hundred thousand lines": "option k = yes\n" * 100_000,
}

#: The modules of which every sentence must be shown by some broken file.
SPEAKERS = "parser explain names variants scopes arguments expressions statements".split()
SPEAKERS += "draft checker declarations beginning turns endings unused".split()


def said(path: Path) -> str:
    """What is said about a rule file, without its folder."""
    try:
        diagnostics = examine(library.read(str(path)), path.parent)
    except RuleError as error:  # it is not text
        diagnostics = list(error.diagnostics)
    return render(diagnostics).replace(f"{ERRORS}/", "") + "\n"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_what_is_said_about_a_broken_file(path: Path) -> None:
    snapshot = path.with_suffix(".txt")
    begin = time.process_time()
    text = said(path)
    assert time.process_time() - begin < 4
    if os.environ.get("SNAPSHOTS") == "write":
        snapshot.write_text(text, encoding="utf-8")
    assert text == snapshot.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_snapshot_is_fit_to_be_read(path: Path) -> None:
    text = path.with_suffix(".txt").read_text(encoding="utf-8")
    assert re.match(r"(error|warning): \S", text)
    assert all(c.isprintable() or c == "\n" for c in text)
    assert "Traceback" not in text
    sentences = re.findall(r"(?m)^(?:error|warning): (.*)", text)
    words = re.sub(r"`[^`]*`", "", " ".join(sentences))
    assert not re.search(r"\b[A-Z]{3,}\b|_[A-Z]+|__ANON", words.replace("UTF", "")), "the name of a terminal"
    assert not any(sentence.endswith(".") or ". " in sentence for sentence in sentences)


def test_no_snapshot_without_its_file() -> None:
    assert [path.stem for path in FILES] == sorted(path.stem for path in ERRORS.glob("*.txt"))


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_file_that_is_too_long(text: str, tmp_path: Path) -> None:
    path = tmp_path / "long.game"
    path.write_text(text)
    begin = time.process_time()
    (fault,) = examine(library.read(str(path)), tmp_path)
    assert time.process_time() - begin < 4
    assert fault.message == "the file is too long: 100,000 characters are allowed"


def test_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    plain = said(ERRORS / "crlf_as_lf.game")
    assert said(ERRORS / "crlf.game").replace("crlf.", "crlf_as_lf.") == plain
    assert said(ERRORS / "byte_order_mark.game").replace("byte_order_mark.", "crlf_as_lf.") == plain


@pytest.mark.parametrize("sign", sorted(SIGNS.keys() - {'"""'}))
def test_a_sign_of_another_language_is_answered_with_the_one_of_this(sign: str) -> None:
    text = f'game "Test"\nturn:\n    choose s in mine {sign} empty\n'
    (fault,) = examine(Source("test.game", text))
    assert fault.span.line == 3
    assert fault.span.column == 22
    assert fault.hint in (SIGNS[sign], "write empty(mine)")


@pytest.mark.parametrize(
    ("line", "table"),
    [
        ("WORD s", DECLARED_ELSEWHERE),
        ("turn:\n    WORD s", BEGINNINGS),
        ("turn:\n    require mine WORD s", FOREIGN),
        ("turn:\n    require WORD", NAMED_ELSEWHERE),
        ("turn:\n    require WORD(mine)", CALLED_ELSEWHERE),
    ],
)
def test_words_of_other_languages_are_answered_with_those_of_this(line: str, table: dict[str, str]) -> None:
    for word, hint in table.items():
        faults = examine(Source("test.game", f'game "Test"\n{line.replace("WORD", word)}\n'))
        assert hint in [fault.hint for fault in faults], word


def test_every_sentence_is_shown_by_a_broken_file() -> None:
    shown = "\n".join(path.read_text(encoding="utf-8") for path in ERRORS.glob("*.txt"))
    shown += "the file is too long: 100,000 characters are allowed"
    shown += "if no board: draw"  # what stands in for a line that cannot be read is never shown
    unseen = [
        f"{name}.py:{node.lineno}: {ast.unparse(node)}"
        for name in SPEAKERS
        for node in sentences(ast.parse((Path(gdl.__file__).parent / f"{name}.py").read_text("utf-8")))
        if not re.search(pattern(node), shown)
    ]
    assert not unseen


def sentences(tree: ast.AST) -> list[ast.Constant | ast.JoinedStr]:
    """The texts of three or more words that a module may print: no docstrings, no lists of words."""
    silent = set[ast.AST]()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as docstring):
                silent.add(docstring)
            case ast.JoinedStr() as text:
                silent |= set(ast.walk(text)) - {text}
            case ast.Attribute(value=ast.Constant() as words):
                silent.add(words)
    return [
        node
        for node in ast.walk(tree)
        if node not in silent
        and (
            isinstance(node, ast.JoinedStr)
            or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        )
        and len(re.findall(r"(?<!\\)\b[a-z]{2,}", pattern(node).replace("(.*)", " "))) > 2
    ]


def pattern(node: ast.Constant | ast.JoinedStr) -> str:
    """A regular expression for all that a text can become."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else "(.*)" for p in parts)


# --- from the shell ----------------------------------------------------------


def test_check_says_it_and_fails() -> None:
    outcome = CliRunner().invoke(main, ["check", str(ERRORS / "two_syntax_errors.game")])
    assert outcome.exit_code == 1
    assert outcome.output.count("error: ") == 2


@pytest.mark.parametrize("name", ["", "folder.game", "missing.game", "pipe.game", "/dev/zero", "/dev/null"])
def test_what_is_no_file_of_text_is_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.game").mkdir()
    os.mkfifo(tmp_path / "pipe.game")
    outcome = CliRunner().invoke(main, ["check", str(tmp_path / name)])
    assert outcome.exit_code == 1
    assert len(outcome.output.splitlines()) == 1
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "secret.game"
    path.touch(0o000)
    outcome = CliRunner().invoke(main, ["check", str(path)])
    assert (outcome.exit_code, len(outcome.output.splitlines())) == (1, 1)


def test_a_syntax_error_is_shown_at_once() -> None:
    """Measured in processor time, which other programs do not lengthen."""
    command = [sys.executable, "-m", "interpreter", "check", str(ERRORS / "two_syntax_errors.game")]
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert subprocess.run(command, capture_output=True, check=False).returncode == 1
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(times) < 0.8  # twice what an idle machine may take
