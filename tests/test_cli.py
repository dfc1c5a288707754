"""The command line: what its commands print when all is fine."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from commandline import BROKEN, CORNER, FULL, data_of, gdl

from gdl.library import bundled
from interpreter.cli import main
from interpreter.game import Game
from interpreter.record import Record, decode, parse, read_option

AYU_3 = "b1-b2\na2-a1\n"  # played out: Black has one unit, cannot move and has won


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


def test_check_reads_the_standard_input() -> None:
    """Once, it looked for a game of that name."""
    assert gdl("check", "-", stdin=FULL).stdout == "-: ok\n"
    result = gdl("check", "-", stdin=BROKEN)
    assert result.exit_code == 1
    assert "--> standard input:3:14" in result.stdout
    assert gdl("check", "-", stdin=CORNER).exit_code == 0, "a variant of a bundled game"


@pytest.mark.parametrize(
    ("raw", "says"), [(b"\xff", "not UTF-8 text"), (("#" + "\u20ac" * 140_000).encode(), "file is too long")]
)
def test_what_is_wrong_with_the_standard_input_hides_no_other_file(raw: bytes, says: str) -> None:
    result = gdl("check", "--json", "-", "ayu", "no.game", stdin=raw)
    assert [says in found["message"] for found in json.loads(result.stdout)] == [True, False]
    assert result.exit_code == 1


def test_a_picture_goes_to_the_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, it went to a file named `-`."""
    monkeypatch.chdir(tmp_path)
    picture = gdl("draw", "ayu", "size=3").stdout
    assert picture.startswith("<svg ")
    assert gdl("draw", "ayu", "size=3", "-o", "-").stdout == picture
    assert list(tmp_path.iterdir()) == []


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
        "scores": None,
        "legal": ["a2-a1", "c2-c1"],
        "over": False,
        "result": None,
    }


def test_show_as_data_when_the_game_is_over() -> None:
    shown = data_of("show", "ayu", "size=3", "--moves", "b1-b2 a2-a1")
    assert (shown["over"], shown["legal"]) == (True, [])
    assert shown["result"] == {"winner": "Black", "person": "first", "reason": "stuck(next)", "scores": None}


def test_the_scores_by_now_are_shown() -> None:
    """The first move of Reversi turns one of the two discs of White."""
    assert data_of("show", "reversi", "--moves", "d3")["scores"] == {"Black": 4, "White": 1}
    assert "\nscore: Black 4, White 1\n" in gdl("show", "reversi", "--moves", "d3").stdout


def test_moves_are_separated_by_blanks() -> None:
    """Once, those after a `;` were silently dropped, as comments of a record are."""
    result = gdl("show", "hex", "columns=4", "--moves", "b2; c3")
    assert (result.exit_code, result.stderr) == (1, "Moves are separated by blanks, not by `;`.\n")


def test_the_examples_of_the_help_can_be_played() -> None:
    """Once, one of them named an option of another game."""
    played = set[str]()
    for command in main.commands.values():
        for line in (command.help or "").splitlines():
            words = shlex.split(line)[2:] if line.strip().startswith("gdl ") else []
            if not words or words[0] not in bundled():
                continue
            options = [word for word in words[1:] if re.fullmatch("[a-z_]+=[a-z0-9]+", word)]
            played.add(Game.load(words[0], **dict(map(read_option, options))).name)
    assert {"Ayu", "Egotzi", "Hex", "Tic-tac-toe", "Connect Four"} <= played


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


def test_games_that_are_alike_are_not_counted_as_many() -> None:
    """Thinkers with a seed played one game again and again."""
    words = ("play", "ayu", "size=5", "--games", "3", "--seed", "3")
    thinkers = ("--first", "mcts:50", "--second", "mcts:50")
    assert data_of(*words, *thinkers)["summary"]["different"] > 1
    assert data_of(*words, *thinkers) == data_of(*words, *thinkers)
    certain = gdl(*words, "--first", "alphabeta:2", "--second", "alphabeta:2").stdout.splitlines()[-1]
    assert certain.startswith("3 games, 1 different: wins ")


def test_who_leaves_is_told_where_the_record_is(tmp_path: Path) -> None:
    save = tmp_path / "games.txt"
    for words, said in (((), "After 1 ply: "), (("--games", "3"), "game 1, 1 ply: ")):
        command = ("play", "ayu", "size=3", "--second", "human", "--save", str(save), *words)
        shown = gdl(*command, stdin="b1-b2\nquit\n").stdout.splitlines()
        assert f"{said}the game is unfinished; the record of it is in {save}" in [
            s.rstrip(".") for s in shown
        ]
    assert "record" not in gdl(*command[:5], stdin="quit\n").stdout


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


def test_the_page_of_json_shows_every_command_that_has_it() -> None:
    page = (Path(__file__).parents[1] / "docs" / "json.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"gdl (\w+)(?: .*)? --json", page))
    assert shown == {name for name, c in main.commands.items() if any(p.name == "as_json" for p in c.params)}
