"""The command line as a process: its streams, full disks, and signals."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from commandline import run


def test_help_imports_neither_language_nor_engine() -> None:
    code = "import sys, interpreter.cli; print([m for m in sys.modules if m.split('.')[0] in sys.argv[1:]])"
    command = [sys.executable, "-c", code, "lark", "attr", "attrs", "rich", "gdl", "json"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_an_interrupt_before_the_command_has_begun_is_no_fault(tmp_path: Path) -> None:
    """Once, there was a traceback of whatever was being imported."""
    interrupted = "import os, signal; os.kill(os.getpid(), signal.SIGINT); import time; time.sleep(60)"
    (tmp_path / "click.py").write_text(interrupted)
    result = run("--help", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")


def test_the_engine_of_the_environment() -> None:
    wrong = run("show", "ayu", env={**os.environ, "GDL_ENGINE": "steam"})
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count("\n")) == (1, "", 1)
    assert "`steam`" in wrong.stderr
    assert run("show", "ayu", env={**os.environ, "GDL_ENGINE": ""}).returncode == 0


def test_version() -> None:
    assert run("--version").stdout == "gdl, version 0.1.0\n"


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        command = [sys.executable, "-m", "interpreter", "rules", "ayu"]
        result = subprocess.run(
            command, stdout=closed, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert (result.returncode, result.stderr) == (0, "")


def test_output_on_a_full_disk_is_one_sentence() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "interpreter", "rules", "ayu"]
        result = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert (result.returncode, result.stderr) == (1, "output: No space left on device.\n")


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["play", "--help"]])
def test_help_on_a_full_disk_is_one_sentence(args: list[str]) -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "interpreter", *args]
        result = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert (result.returncode, result.stderr) == (1, "output: No space left on device.\n")


@pytest.mark.parametrize(
    ("closed", "status", "said"),
    [
        ([0], 0, ""),
        ([1], 1, "The standard output is closed.\n"),
        ([2], 0, ""),
        ([0, 1], 1, "The standard output is closed.\n"),
        ([0, 1, 2], 1, ""),
    ],
)
@pytest.mark.parametrize("args", [["--help"], ["rules", "ayu"], ["play", "ayu"]])
def test_closed_streams(args: list[str], closed: list[int], status: int, said: str) -> None:
    result = run(*args, preexec_fn=lambda: [*map(os.close, closed)])
    assert (result.returncode, result.stderr) == (status, said)


def test_a_full_disk_leaves_whole_records(tmp_path: Path) -> None:
    save = tmp_path / "games.txt"
    command = ["play", "ayu", "size=5", "--first", "random:1", "--second", "random:2", "--save", str(save)]
    assert run(*command).returncode == 0
    before = save.read_text()
    size = len(before) + 40  # room for a part of the next record
    result = run(*command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert save.name in result.stderr
    assert save.read_text() == before


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_game_is_saved(tmp_path: Path, how: signal.Signals) -> None:
    """Once, only Ctrl-C saved it."""
    save = tmp_path / "games.txt"
    words = ["play", "ayu", "size=3", "--second", "human", "--save", str(save)]
    with subprocess.Popen(
        [sys.executable, "-m", "interpreter", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("b1-b2\n")
        process.stdin.flush()
        assert process.stdout.readline() == "1. Black (first): b1-b2\n"
        process.send_signal(how)
        assert process.wait(timeout=60) == 128 + how
        assert process.stderr is not None
        assert process.stderr.read() == (
            f"Interrupted after 1 ply; the game is unfinished; the record of it is in {save}.\n"
        )
    assert '[Result "*"]\n\n1. b1-b2\n' in save.read_text()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_who_interrupts_often_is_told_once(tmp_path: Path, how: signal.Signals) -> None:
    """Once, there was a traceback from the end of the program."""
    save = tmp_path / "games.txt"
    words = ["play", "ayu", "--first", "random:1", "--second", "mcts:600s,seed=1", "--save", str(save)]
    with subprocess.Popen(
        [sys.executable, "-m", "interpreter", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("1. Black (first): ")
        while process.poll() is None:
            process.send_signal(how)
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.02)
        assert process.returncode in (128 + how, -how)  # the same to a shell
        said = f"Interrupted after 1 ply; the game is unfinished; the record of it is in {save}.\n"
        assert process.stderr.read() == said
    assert save.read_text().count("[Game ") == 1


def test_an_interrupt_after_the_command_is_nothing() -> None:
    """Once, it gave a traceback while the program waited for threads."""
    code = (
        "import atexit, os, signal, sys; atexit.register(os.kill, os.getpid(), signal.SIGINT);"
        "from interpreter.__main__ import main; sys.argv = ['gdl', '--version']; main()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr == ""
