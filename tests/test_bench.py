"""`gdl bench`, `--engine` and `--threads`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from commandline import gdl

from interpreter.bench import Tally
from interpreter.game import Game

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "games"

# The first move fills the last site, which ends the game: one move, no winner.
ONE_MOVE = """\
game "One Move"
players Black, White
board points(2)
pieces stone
turn:
    choose point in empty
    place stone at point
end:
    if ply = 1: draw
"""

#: Nobody can take a king.
ENDLESS = """\
game "Endless"
players Black, White
board squares(3)
pieces king
setup:
    place Black king at a1
    place White king at c3
turn:
    choose king in mine
    choose point in adjacent(king) & empty
    move king to point
end:
    if no mine: mover loses
"""


@pytest.mark.parametrize(
    ("arguments", "engine", "policy", "threads"),
    [
        (("--engine", "native"), "native", "uniform", 1),
        (("--engine", "native", "--policy", "stepwise", "--threads", "2"), "native", "stepwise", 2),
        (("--engine", "reference"), "reference", "uniform", 1),
    ],
)
def test_bench_tells_rates_and_shares(
    arguments: tuple[str, ...], engine: str, policy: str, threads: int
) -> None:
    result = gdl("bench", "ayu", "size=3", "--seconds", "0.05", "--json", *arguments)
    data = json.loads(result.stdout)
    assert data["game"] == "Ayu"
    assert data["options"]["size"] == 3
    assert (data["engine"], data["policy"], data["threads"]) == (engine, policy, threads)
    assert data["playouts_per_second"] * data["mean_length"] == pytest.approx(
        data["moves_per_second"], rel=0.01
    )
    assert data["playouts"] / data["seconds"] == pytest.approx(data["playouts_per_second"], rel=0.1)
    assert sum(data["colours"].values()) + data["draws"] + data["unfinished"] == pytest.approx(1, abs=1e-4)
    assert sum(data["people"].values()) == pytest.approx(sum(data["colours"].values()), abs=1e-4)
    if engine == "native":
        assert set(data["compile_seconds"]) == {"cold", "warm"}
    else:
        assert data["compile_seconds"] is None


def test_bench_in_words(tmp_path: Path) -> None:
    path = tmp_path / "one.game"
    path.write_text(ONE_MOVE)
    lines = gdl("bench", str(path), "--engine", "native", "--seconds", "0.01").stdout.splitlines()
    assert lines[0] == "One Move: native engine, uniform playouts, 1 thread"
    assert lines[2] == "1.0 moves on average"
    assert lines[3] == "Black 0.0%, White 0.0%, first 0.0%, second 0.0%, draws 100.0%, unfinished 0.0%"


def test_bench_says_when_a_game_is_unfinished(tmp_path: Path) -> None:
    path = tmp_path / "endless.game"
    path.write_text(ENDLESS)
    words = gdl("bench", str(path), "--engine", "native", "--seconds", "0.01").stdout
    assert "unfinished 100.0%\nunfinished: stopped after 10,000 moves\n" in words


def test_people_are_counted_by_their_seats() -> None:
    """In Hex on two by two cells the second player swaps in one game in four, whatever happens then."""
    start = Game.load(str(GAMES / "hex.game"), columns=2).on("native").start()
    games = start.playouts(4000, seed=1)
    tally = Tally(start.game.players)
    tally.add(games, 1.0)
    assert tally.colours[0] == (games.winners == 0).sum()
    assert tally.persons[0] == tally.colours[0] + (games.swapped * (2 * games.winners - 1)).sum()
    assert 900 < games.swapped.sum() < 1100


def test_the_reference_engine_knows_one_policy() -> None:
    result = gdl("bench", "ayu", "--engine", "reference", "--policy", "stepwise")
    assert result.exit_code == 2


def test_engines_and_threads_count_the_same() -> None:
    outputs = {
        gdl("perft", "ayu", "size=5", "--depth", "3", *more).stdout
        for more in (
            ["--engine", "native"],
            ["--engine", "native", "--threads", "2"],
            ["--engine", "reference"],
        )
    }
    assert len(outputs) == 1


def test_rules_too_large_for_native_code_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from gdl import cache
    from interpreter.native import engine

    monkeypatch.setattr(cache, "folder", lambda: None)
    monkeypatch.setattr(engine, "LARGEST", 0)
    result = gdl("show", "ayu", "size=3", "--engine", "native")
    assert result.exit_code == 0
    assert result.stderr == (
        "Ayu: these rules are too large for native code: the slow reference engine plays.\n"
    )


def test_show_and_replay_on_either_engine(tmp_path: Path) -> None:
    record = tmp_path / "games.txt"
    assert gdl("play", "ayu", "size=3", "--first", "random:1", "--save", str(record), "--second", "random:2")
    for name in ("native", "reference"):
        assert gdl("replay", str(record), "--engine", name).exit_code == 0
    shown = [
        gdl("show", "ayu", "size=3", "--json", "--engine", name).stdout for name in ("native", "reference")
    ]
    assert shown[0] == shown[1]


@pytest.mark.slow
def test_the_table_has_a_row_for_each_pair() -> None:
    command = [sys.executable, "-m", "benchmarks", "--part", "hand", "--rounds", "1", "--seconds", "0.01"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    assert len(re.findall(r"^\| (Hex|Ayu) ", result.stdout, re.MULTILINE)) == 9
    without = [sys.executable, "-m", "benchmarks", "--part", "openspiel", "--openspiel", "no-such-python"]
    result = subprocess.run(without, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert result.stderr == "no-such-python does not run: no rows of OpenSpiel.\n"


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_who_interrupts_a_measurement_is_told_what_there_is(
    monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    """Once, nothing was reported."""

    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("interpreter.bench.compile_seconds", interrupted)
    result = gdl("bench", "ayu", "size=3", "--seconds", "0", *more)
    assert (result.exit_code, result.stderr) == (130, "Interrupted after 0.0 of 0 s.\n")
    assert "playouts_per_second" in result.stdout if more else "playouts/s, " in result.stdout
    monkeypatch.setattr("interpreter.perft._after", interrupted)
    result = gdl("perft", "ayu", "size=3", "--depth", "5", *more)
    assert (result.exit_code, result.stderr) == (130, "Interrupted at depth 1 of 5.\n")

    def some(*_: object) -> Iterator[int]:
        yield 2
        raise KeyboardInterrupt

    monkeypatch.setattr("interpreter.perft.sequences", some)
    result = gdl("perft", "ayu", "size=3", "--depth", "5", *more)
    assert (result.exit_code, result.stderr) == (130, "Interrupted at depth 2 of 5.\n")
    assert '"counts": [2]' in result.stdout if more else result.stdout == "1 2\n"
