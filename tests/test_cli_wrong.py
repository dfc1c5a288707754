"""What the command line says about wrong input (exit status 1) and wrong usage (2)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import BROKEN, CORNER, FULL, gdl


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
        ["draw", "ayu", "-o", ""],
        ["draw", "ayu", "-o", "board.PNG"],
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


def test_control_characters_of_a_base_do_not_reach_the_terminal(tmp_path: Path) -> None:
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


PLAY = ("--first", "random:1", "--second", "random:2")


@pytest.mark.parametrize(
    "words",
    [
        ["play", "full.game", *PLAY, "--save", "full.game"],
        ["play", "ayu", "size=3", *PLAY, "--save", "full.game"],
        ["draw", "full.game", "-o", "link.svg"],
        ["draw", "ayu", "-o", "full.game"],
        ["draw", "ayu", "-o", "renamed.txt"],
        ["analyse", "full.game", "--player", "random", "--html", "full.game"],
        ["analyse", "ayu", "--player", "random", "--html", "renamed.txt"],
        ["compare", "ayu", "full.game", "--player", "random", "--html", "link.svg"],
        [
            "tournament",
            "full.game",
            "--players",
            "random:1",
            "random:2",
            "--games",
            "2",
            "--save",
            "full.game",
        ],
        ["analyse", "full.game", "--player", "random", "--save", "full.game"],
    ],
)
def test_rule_files_are_not_written_over(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, a record was appended to the rules, which spoiled them, or a page replaced them."""
    monkeypatch.chdir(tmp_path)
    for name in ("full.game", "renamed.txt"):
        Path(name).write_text(f"# Fill it.\n\n{FULL}")
    Path("link.svg").symlink_to("full.game")
    result = gdl(*words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(words[-1])
    assert result.stderr.endswith("; it is left as it is.\n")
    for name in ("full.game", "renamed.txt", "link.svg"):
        assert Path(name).read_text() == f"# Fill it.\n\n{FULL}"


def test_a_page_that_shows_rules_may_be_written_again(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for _ in range(2):
        words = ("analyse", "tic_tac_toe", "--player", "random", "--games", "8", "--html", str(page))
        assert gdl(*words).exit_code == 0


def test_a_bundled_game_is_not_looked_for_as_a_file() -> None:
    result = gdl("play", "ayu.game")
    assert (result.exit_code, result.stderr) == (
        1,
        "there is no file `ayu.game`; the bundled game is `ayu`\n",
    )
    assert gdl("play", "aju.game").stderr == "there is no file `aju.game`\n"


def test_a_host_that_no_name_can_be_written_as(tmp_path: Path) -> None:
    """An argument that is not UTF-8 text."""
    result = gdl("serve", "--no-browser", "--port", "0", "--data", str(tmp_path), "--host", "\udcff")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "'\\udcff' is not the name of a machine.\n"


@pytest.mark.parametrize("place", ["cache", "cache/scratch"])
def test_a_folder_of_data_where_a_file_is_in_the_way(place: str, tmp_path: Path) -> None:
    path = tmp_path / place
    path.parent.mkdir(exist_ok=True)
    path.touch()
    result = gdl("serve", "--no-browser", "--port", "0", "--data", str(tmp_path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Nothing can be kept in {tmp_path / 'cache' / 'scratch'}: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_lock_that_is_no_file(make: Callable[[Path], None], tmp_path: Path) -> None:
    """Writing to a pipe blocks until somebody reads from it."""
    make(tmp_path / "lock")
    result = gdl("serve", "--no-browser", "--port", "0", "--data", str(tmp_path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"{tmp_path / 'lock'} is no file; choose another folder with --data.\n"
