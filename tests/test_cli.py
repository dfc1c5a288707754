"""The command line: what it prints, and its exit status: 0 fine, 1 the input is wrong, 2 wrong usage."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import resource
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interpreter.cli import main
from interpreter.record import Record, decode, parse

AYU_3 = "b1-b2\na2-a1\n"  # played out: Black has one unit, cannot move and has won

CORNER = """\
variant "Corner Egotzi" of "Egotzi"
"A full board without a winner is a draw."

end:
    if no empty: highest score wins, tie: draw
"""

FULL = """\
game "Full"
"Fill the board."
players Black, White
board squares(3)
pieces stone

turn:
    choose square in empty
    place stone at square

end:
    if no empty: draw
"""

BROKEN = """\
game "Broken"
players Black, White
board points(size)
"""


def gdl(*args: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, args, input=stdin, catch_exceptions=False)


def data_of(*args: str, stdin: str = "") -> Any:
    """The JSON that a command prints when all is fine."""
    result = gdl(*args, "--json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def run(*args: str, **keywords: Any) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    command = [sys.executable, "-m", "interpreter", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **keywords)


@pytest.fixture
def corner(tmp_path: Path) -> str:
    path = tmp_path / "corner.game"
    path.write_text(CORNER)
    return str(path)


# --- games, rules, check -----------------------------------------------------


def test_games_lists_what_is_bundled() -> None:
    assert "ayu " in gdl("games").stdout
    listed = {entry["name"]: entry for entry in data_of("games")}
    assert {"ayu", "egotzi", "squared_egotzi"} <= set(listed)
    assert listed["ayu"]["year"] == 2011
    assert listed["squared_egotzi"]["base"] == "Egotzi"


def test_rules_shows_about_options_and_source() -> None:
    text = gdl("rules", "ayu").stdout
    assert "Ayu by Luis Bolaños Mures, 2011" in text
    assert "size: 3..19 step 2, 11 if not given" in text
    assert "pie: yes or no, no if not given" in text
    assert "players Black, White" in text


def test_rules_of_a_variant_name_the_base_and_all_options(tmp_path: Path, corner: str) -> None:
    text = gdl("rules", corner).stdout
    assert "A variant of Egotzi; `gdl rules egotzi` shows what it does not change." in text
    assert "size: 2..15" in text, "an option of the base"
    second = tmp_path / "second.game"
    second.write_text('variant "Second" of "Corner"\n"Once more."\n')
    assert f"`gdl rules {corner}`" in gdl("rules", str(second)).stdout


def test_a_misspelt_name_of_a_game_is_answered() -> None:
    result = gdl("play", "aju")
    assert (result.exit_code, result.stderr) == (1, "there is no game `aju`; did you mean `ayu`?\n")


def test_a_rule_file_without_its_ending_is_answered(
    tmp_path: Path, corner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mill.game").write_text(Path(corner).read_text(encoding="utf-8"), encoding="utf-8")
    assert gdl("show", "mill").stderr == "there is no game `mill`; did you mean `mill.game`?\n"
    assert gdl("show", "m" * 5000).exit_code == 1


def test_rules_as_data() -> None:
    rules = data_of("rules", "Squared Egotzi")
    assert rules["base"] == "Egotzi"
    assert rules["source"].startswith('variant "Squared Egotzi"')
    assert {"name": "komi", "type": "int", "default": 0, "low": 0, "high": 400, "step": 2} in rules["options"]


def test_check_says_ok(corner: str) -> None:
    result = gdl("check", corner)
    assert (result.exit_code, result.stdout) == (0, f"{corner}: ok\n")
    assert data_of("check", corner) == []


def test_check_shows_the_errors_of_all_files(tmp_path: Path, corner: str) -> None:
    broken = tmp_path / "broken.game"
    broken.write_text(BROKEN)
    result = gdl("check", str(broken), corner, str(tmp_path / "missing.game"))
    assert result.exit_code == 1
    assert "error: " in result.stdout
    assert "broken.game:3:14" in result.stdout
    assert f"{corner}: ok" in result.stdout
    assert "missing.game" in result.stderr


def test_check_as_data(tmp_path: Path) -> None:
    broken = tmp_path / "broken.game"
    broken.write_text(BROKEN)
    result = gdl("check", str(broken), str(tmp_path / "missing.game"), "--json")
    assert result.exit_code == 1
    *found, missing = json.loads(result.stdout)
    keys = {"file", "line", "column", "end_line", "end_column", "severity", "message", "hint"}
    assert all(set(finding) == keys for finding in [*found, missing])
    assert any((entry["line"], entry["column"], entry["end_column"]) == (3, 14, 18) for entry in found)
    assert (missing["line"], missing["severity"]) == (None, "error")


def test_check_of_a_default_that_takes_too_long_to_work_out(tmp_path: Path) -> None:
    path = tmp_path / "long.game"
    option = "option size: 1..3 = sum(n for n in 1..2000000000) mod 3 + 1"
    path.write_text(FULL.replace("squares(3)", "squares(size)").replace("pieces", f"{option}\npieces"))
    result = gdl("check", str(path))
    assert (result.exit_code, result.stderr) == (1, "")
    assert "long.game:5:21" in result.stdout


# --- show and perft ----------------------------------------------------------


def test_show_draws_the_board_and_lists_the_moves() -> None:
    text = gdl("show", "ayu", "size=3", "--moves", "1. b1-b2").stdout
    assert text.isascii()
    assert "White (second) to move" in text
    assert "2 legal moves: a2-a1 c2-c1" in text


def test_moves_are_listed_as_people_read_them() -> None:
    text = gdl("show", "egotzi", "size=10", "pie=no").stdout
    assert "100 legal moves: a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 b1 " in text
    assert "\n1 legal move: b2\n" in gdl("show", "tic_tac_toe", "--moves", "a1 b1 a2 c1 c2 a3 b3 c3").stdout


def test_show_as_data() -> None:
    assert data_of("show", "ayu", "size=3", "--moves", "b1-b2") == {
        "game": "Ayu",
        "options": {"size": 3, "pie": False},
        "ply": 1,
        "to_move": "White",
        "person": "second",
        "seats": {"Black": "first", "White": "second"},
        "board": {"a2": "White stone", "b2": "Black stone", "c2": "White stone", "b3": "Black stone"},
        "state": {},
        "legal": ["a2-a1", "c2-c1"],
        "over": False,
        "result": None,
    }


def test_show_as_data_when_the_game_is_over() -> None:
    shown = data_of("show", "ayu", "size=3", "--moves", "b1-b2 a2-a1")
    assert (shown["over"], shown["legal"]) == (True, [])
    assert shown["result"] == {"winner": "Black", "person": "first", "reason": "stuck(next)", "scores": None}


def test_show_after_the_swap() -> None:
    assert "swap" in data_of("show", "egotzi", "size=3", "pie=yes", "--moves", "a1")["legal"]
    shown = data_of("show", "egotzi", "size=3", "pie=yes", "--moves", "a1 swap")
    assert (shown["to_move"], shown["person"]) == ("White", "first")
    assert shown["seats"] == {"Black": "second", "White": "first"}
    assert "swap" not in shown["legal"]


def test_the_auction() -> None:
    shown = data_of("show", "squared_egotzi", "size=2", "--moves", "4 swap")
    assert shown["state"] == {"bonus": 4}
    assert (shown["to_move"], shown["person"]) == ("Black", "second")
    assert data_of("show", "squared_egotzi", "auction=no", "komi=8")["state"] == {"bonus": 8}


def test_perft() -> None:
    assert gdl("perft", "ayu", "size=3", "--depth", "3").stdout == "1 2\n2 4\n3 0\n"
    assert (
        gdl("perft", "egotzi", "size=2", "pie=no", "--depth", "4", "--unique").stdout
        == "1 4\n2 12\n3 12\n4 6\n"
    )
    assert data_of("perft", "ayu", "size=5", "--depth", "2")["counts"] == [14, 176]


# --- play and replay ---------------------------------------------------------


def test_play_reads_one_move_a_line() -> None:
    result = gdl("play", "ayu", "size=3", "--second", "human", stdin=AYU_3)
    assert result.exit_code == 0
    assert "1. Black (first): b1-b2\n2. White (second): a2-a1\n" in result.stdout
    assert "Black (first) wins: stuck(next)" in result.stdout


def test_you_play_against_random_moves() -> None:
    played = data_of("play", "ayu", "size=3", stdin="b1-b2\n")
    assert played["first"] == "human"
    assert played["second"].startswith("random:")
    assert played["games"][0]["result"]["winner"] == "Black"


def test_play_many_games_ends_with_a_summary() -> None:
    command = [
        "play",
        "squared_egotzi",
        "size=2",
        "--first",
        "random:1",
        "--second",
        "random:2",
        "--games",
        "5",
    ]
    lines = gdl(*command).stdout.splitlines()
    assert len(lines) == 6
    assert lines[-1].startswith("5 games: wins Black ")
    played = data_of(*command)
    summary = played["summary"]
    assert len(played["games"]) == summary["games"] == 5
    assert sum(summary["colours"].values()) == sum(summary["people"].values()) == 5 - summary["draws"]
    assert summary["mean_plies"] == 6.0  # a bid, a side, four stones
    assert data_of(*command) == played


def test_the_end_of_the_input_leaves_the_game_unfinished(tmp_path: Path) -> None:
    save = tmp_path / "games.txt"
    result = gdl("play", "ayu", "size=3", "--second", "human", "--save", str(save), stdin="b1-b2\n")
    assert result.exit_code == 0
    assert "the game is unfinished" in result.stdout
    (record,) = parse(decode(save.read_bytes()))
    assert isinstance(record, Record)
    assert (record.result, record.moves) == ("*", ("b1-b2",))


def test_a_resignation_is_recorded(tmp_path: Path) -> None:
    save = tmp_path / "games.txt"
    result = gdl("play", "ayu", "--second", "human", "--save", str(save), stdin="b1-b2\nresign\n")
    assert result.stdout.endswith("After 1 ply: Black (first) wins; White has resigned.\n")
    assert gdl("replay", str(save)).exit_code == 0


def test_a_bad_line_ends_the_program_and_keeps_the_game(tmp_path: Path) -> None:
    save = tmp_path / "games.txt"
    result = gdl("play", "ayu", "size=3", "--second", "human", "--save", str(save), stdin="b1-b2\nc9\n")
    assert result.exit_code == 1
    assert "`c9`" in result.stderr
    assert '[Result "*"]\n\n1. b1-b2\n' in save.read_text()


def test_saved_games_replay(tmp_path: Path) -> None:
    save = str(tmp_path / "games.txt")
    for game in (["ayu", "size=5"], ["egotzi", "size=3"], ["squared_egotzi", "size=3"]):
        gdl("play", *game, "--first", "random:3", "--second", "random:4", "--games", "2", "--save", save)
    reports = data_of("replay", save)
    assert [report["game"] for report in reports] == ["Ayu"] * 2 + ["Egotzi"] * 2 + ["Squared Egotzi"] * 2
    assert all(report["ok"] for report in reports)
    assert gdl("replay", "-", stdin=Path(save).read_bytes()).exit_code == 0


def test_replay_names_the_first_fault_of_each_game() -> None:
    good = '[Game "Ayu"]\n[Option "size=3"]\n[Result "Black"]\n\nb1-b2 a2-a1\n'
    wrong_move = good.replace("a2-a1", "a2-b3")
    wrong_result = good.replace("Black", "draw")
    result = gdl("replay", "-", stdin=good + wrong_move + wrong_result + good)
    assert result.exit_code == 1
    lines = [line for line in result.stdout.splitlines() if line[:1].isdigit()]
    assert lines[0] == "1. Ayu: 2 plies, Black: ok"
    assert lines[1].startswith("2. Ayu, ply 2, a2-b3: ")
    assert lines[2].startswith("3. Ayu, ply 2, a2-a1: ")
    assert lines[3] == "4. Ayu: 2 plies, Black: ok"


def test_a_variant_by_its_path_checks_plays_and_replays(tmp_path: Path, corner: str) -> None:
    save = str(tmp_path / "games.txt")
    command = ["play", corner, "size=3", "--first", "random:1", "--second", "random:2", "--save", save]
    assert gdl(*command).exit_code == 0
    assert f'[Game "Corner Egotzi"]\n[File "{corner}"]\n' in Path(save).read_text()
    assert data_of("replay", save)[0]["ok"]


def test_a_bundled_game_by_its_path_needs_no_file_tag(tmp_path: Path) -> None:
    save = tmp_path / "games.txt"
    ayu = Path(__file__).parent.parent / "games" / "ayu.game"
    assert gdl("play", str(ayu), "size=3", "--save", str(save)).exit_code == 0
    assert "[File" not in save.read_text()


# --- what is wrong -----------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ["show", "no_such_game"],
        ["show", "no/such/file.game"],
        ["show", "."],
        ["show", ""],
        ["show", "ayu", "size=4"],
        ["show", "ayu", "size=yes"],
        ["show", "ayu", "pie=2"],
        ["show", "ayu", "colour=1"],
        ["show", "ayu", "game=1"],
        ["show", "ayu", "rules=1"],
        ["show", "ayu", "size=x"],
        ["show", "ayu", "--moves", "b1-b9"],
        ["show", "ayu", "--moves", "b1-b2 {"],
        ["rules", "no_such_game"],
        ["perft", "ayu", "size=2", "--depth", "1"],
        ["play", "ayu", "--save", "/no/such/folder/games.txt"],
        ["play", "ayu", "--save", "/"],
        ["replay", "/dev/zero"],
        ["replay", "/no/such/file"],
        ["replay", "/"],
        ["replay", "/dev/null"],
    ],
)
def test_wrong_input_is_one_message_and_status_1(args: list[str]) -> None:
    result = gdl(*args)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.strip()
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["juggle"],
        ["show"],
        ["show", "ayu", "size"],
        ["show", "ayu", "size=3", "size=5"],
        ["show", "ayu", "--colour"],
        ["check"],
        ["perft", "ayu"],
        ["perft", "ayu", "--depth", "0"],
        ["perft", "ayu", "--depth", "201"],
        ["perft", "ayu", "--depth", "x"],
        ["play", "ayu", "--first", "robot"],
        ["play", "ayu", "--second", "random:x"],
        ["play", "ayu", "--games", "0"],
        ["play", "ayu", "--save", ""],
        ["play", "ayu", "--seed", str(10**18)],
        ["bench", "ayu", "--seconds", "nan"],
        ["bench", "ayu", "--seconds", "inf"],
        ["replay"],
        ["replay", "one", "two"],
    ],
)
def test_wrong_usage_is_status_2(args: list[str]) -> None:
    result = gdl(*args)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


def test_records_that_are_no_text() -> None:
    result = gdl("replay", "-", stdin=b"\xff\xfe\x00")
    assert (result.exit_code, result.stderr) == (1, "The input is not UTF-8 text.\n")


def test_control_characters_of_a_record_do_not_reach_the_terminal() -> None:
    result = gdl("replay", "-", stdin='[Game "Ayu\x1b[2J"]\n[Result "*"]\n\n"b1\x07"\n')
    assert result.exit_code == 1
    assert "Ayu?[2J" in result.stdout
    assert "\x1b" not in result.stdout + result.stderr


def test_control_characters_of_a_path_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "red\x1b[31m.game"
    path.write_text(FULL)
    good, missing = gdl("check", str(path)), gdl("check", str(tmp_path / "no\x1b[31m.game"))
    assert "red?[31m.game: ok" in good.stdout
    assert "\x1b" not in good.stdout + missing.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["show", "ayu", "bell\x07"],
        ["show", "ayu", "--bell\x07"],
        ["play", "ayu", "--first", "bell\x07"],
        ["analyse", "ayu", "--player", "bell\x07"],
        ["compare", "bell\x07=3"],
        ["balance", "ayu", "bell\x07", "bell\x07=3"],
    ],
)
def test_control_characters_of_the_command_line_do_not_reach_the_terminal(words: list[str]) -> None:
    result = gdl(*words)
    assert result.exit_code == 2
    assert "\x07" not in result.stderr
    assert "bell?" in result.stderr or "bell\\x07" in result.stderr


def test_control_characters_of_a_base_do_not_reach_the_terminal(tmp_path: Path, corner: str) -> None:
    folder = tmp_path / "bell\x07"
    folder.mkdir()
    (folder / "corner_egotzi.game").write_text(CORNER)
    (folder / "second.game").write_text('variant "Second" of "Corner Egotzi"\n"Once more."\n')
    text = gdl("rules", str(folder / "second.game")).stdout
    assert "bell?/corner_egotzi.game` shows what it does not change" in text
    assert "\x07" not in text


@pytest.mark.parametrize("name", ["two\nlines.game", "no text \udcff.game"])
def test_a_path_that_no_record_can_hold_is_told_before_the_first_move(tmp_path: Path, name: str) -> None:
    path, save = tmp_path / name, tmp_path / "games.txt"
    path.write_text(FULL)
    play = "play", str(path), "--first", "random:1", "--second", "random:2"
    assert gdl(*play).exit_code == 0
    result = gdl(*play, "--save", str(save))
    assert (result.exit_code, result.stdout, save.exists()) == (1, "", False)
    assert "give the rule file another name" in result.stderr


def test_a_record_does_not_show_the_files_it_names(tmp_path: Path) -> None:
    secret, long = tmp_path / "secret.txt", "x" * 5000
    secret.write_text("the word is swordfish\n")
    for file in (secret, f"/{long}", f"{long}.game"):
        result = gdl("replay", "-", stdin=f'[Game "A"]\n[File "{file}"]\n[Result "*"]\n')
        assert result.exit_code == 1
        assert "swordfish" not in result.stdout + result.stderr
        assert len(result.stdout) < 300


def test_too_many_bytes_of_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.record.MAX_BYTES", 10)
    result = gdl("replay", "-", stdin="\n" * 11)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert "the standard input" in result.stderr


def test_a_line_without_an_end_is_no_move() -> None:
    result = gdl("play", "ayu", stdin="\0" * 200_000)
    assert (result.exit_code, result.stderr) == (1, "A line of 100,000 characters or more is no move.\n")


def test_a_rule_error_is_shown_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "broken.game"
    path.write_text(BROKEN)
    result = gdl("play", str(path))
    assert result.exit_code == 1
    assert "broken.game:3:14" in result.stderr


# --- as a process ------------------------------------------------------------


def test_help_imports_neither_language_nor_engine() -> None:
    code = "import sys, interpreter.cli; print([m for m in sys.modules if m.split('.')[0] in sys.argv[1:]])"
    command = [sys.executable, "-c", code, "lark", "attr", "attrs", "rich", "gdl", "json"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_an_interrupt_before_the_command_has_begun_is_no_fault(tmp_path: Path) -> None:
    """Once there was a traceback of whatever was being imported."""
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
    """Once only Ctrl-C saved it."""
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
        assert process.wait(timeout=60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == (
            f"Interrupted after 1 ply; the game is unfinished; the record of it is in {save}.\n"
        )
    assert '[Result "*"]\n\n1. b1-b2\n' in save.read_text()


PROMPT = b"(or help): "


def at_terminal(
    typed: bytes, status: int, *args: str, when: bytes = PROMPT, columns: int = 80, **environment: str
) -> str:
    """What the command shows on a terminal of its own where all is typed when it first shows `when`."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    command = [sys.executable, "-m", "interpreter", *args]
    variables = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environment}
    with subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=variables,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C reaches it
    ) as process:
        os.close(theirs)
        output = b""
        while True:
            try:
                output += os.read(ours, 65536)
            except OSError:  # the other end is closed: the program has ended
                break
            if typed and when in output:
                os.write(ours, typed + b"\x04")  # nothing more will come
                typed = b""
        assert process.wait(timeout=60) == status
    os.close(ours)
    return output.decode().replace("\r", "")


TWO = ("play", "ayu", "size=3", "--second", "human")


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_a_terminal_is_asked_again_and_coloured_unless_told_not_to(no_color: str, coloured: bool) -> None:
    output = at_terminal(b"b1-b9\nb3-b2\nundo\nb1-b2\na2-a1\n", 0, *TWO, NO_COLOR=no_color)
    assert "`b1-b9`" in output
    assert "Black (first) wins" in output
    assert ("\x1b[" in output) == coloured


def test_sixteen_colours_have_no_others() -> None:
    output = at_terminal(b"q\n", 0, *TWO, TERM="xterm", COLORTERM="", NO_COLOR="")
    assert "\x1b[30;47m" in output
    assert "8;5;" not in output
    assert "8;2;" not in output


def test_an_interrupt_at_a_terminal_ends_the_line_and_says_so() -> None:
    output = at_terminal(b"\x03", 130, *TWO, NO_COLOR="1")
    assert output.endswith("(or help): \nInterrupted after 0 plies; the game is unfinished.\n")


def test_the_end_of_the_input_at_a_terminal_ends_the_line() -> None:
    output = at_terminal(b"\n", 0, *TWO, NO_COLOR="1")
    assert "(or help): \n   a b c\n" in output


def test_a_hint_at_a_terminal() -> None:
    output = at_terminal(b"hint\n", 0, "play", "ayu", "size=5")
    assert "Thinking of a hint" in output
    assert re.search(
        r"After [0-9,]+ random games, Black \(first\) can expect:\n(  .*(%|forced).*\n){3}", output
    )


def test_an_interrupt_while_a_machine_thinks_keeps_the_record(tmp_path: Path) -> None:
    save = tmp_path / "games.txt"
    command = ("play", "ayu", "size=5", "--first", "random:1", "--second", "mcts:600s,seed=2")
    output = at_terminal(b"\x03", 130, *command, "--save", str(save), when=b"random games in")
    assert "White (second) thinks" in output
    assert f"Interrupted after 1 ply; the game is unfinished; the record of it is in {save}.\n" in output
    assert '[Second "mcts:600s,seed=2"]' in save.read_text()
    assert gdl("replay", str(save)).exit_code == 0


def test_control_characters_of_a_record_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    save = tmp_path / "bell\x07.txt"
    output = at_terminal(b"\x03", 130, *TWO, "--save", str(save), NO_COLOR="1")
    assert "bell?.txt" in output
    assert "\x07" not in output


def test_words_are_not_broken_where_the_terminal_is_narrow() -> None:
    environment = {"TERM": "dumb", "COLUMNS": "", "NO_COLOR": "1"}
    typed = b"help\nb1-b3\nresign\n"
    output = at_terminal(typed, 0, "play", "ayu", "size=5", columns=40, **environment)
    said = [line for line in output.splitlines() if PROMPT.decode() not in line]
    assert "    unfinished" in said
    assert max(map(len, said)) <= 40
    assert "After 0 plies: White (second) wins;\nBlack has resigned.\n" in output
    output = at_terminal(b"", 0, "show", "ayu", "size=5", columns=40, **environment)
    assert "14 legal moves: b1-b2 b1-c1 b3-b2 b3-b4\nb3-c3 " in output


@pytest.mark.parametrize("no_color", ["", "1"])
def test_a_board_that_is_wider_than_the_terminal_is_cut(no_color: str) -> None:
    output = at_terminal(b"", 0, "show", "ayu", "size=19", columns=30, COLUMNS="", NO_COLOR=no_color)
    said = re.sub(r"\x1b\[[0-9;]*m", "", output)
    assert "The terminal is too narrow: it has 30 columns, and the board needs 45." in " ".join(said.split())
    assert max(map(len, said.split("The terminal")[0].splitlines())) <= 30


def test_solving_shows_how_far_it_is_and_tells_it_when_it_is_interrupted() -> None:
    command = ("solve", "connect_four", "--seconds", "600")
    output = at_terminal(b"\x03", 130, *command, when=b"plies ahead", NO_COLOR="1")
    doing = r"looking [0-9]+ pl(y|ies)\s+ahead, [0-9,]+\s+positions"
    assert re.search(r"[0-9.]+ of 600 s: " + doing, output)
    assert re.search(r"Interrupted after [0-9.]+ s, nothing is proven: " + doing + r"\.\n$", output)


def test_an_interrupt_at_a_terminal_is_for_the_processes_that_play_as_well() -> None:
    """The first one to be started got it, and showed where it was."""
    command = ("balance", "hex", "columns", "pie=no", "--games", "1000", "--processes", "1")
    output = at_terminal(b"\x03", 130, *command, when=b"0/1000", NO_COLOR="1")
    assert "Traceback" not in output
    assert re.search(r"Interrupted after [0-9]+ of 1000 games;", output)
