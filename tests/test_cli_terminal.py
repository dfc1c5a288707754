"""The command line at a terminal: asking again, colours, narrow terminals, and Ctrl-C."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commandline import PROMPT, at_terminal, gdl

from interpreter.meanwhile import Meanwhile

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


def test_an_interrupt_as_soon_as_something_is_shown_takes_it_away() -> None:
    """Once, it stayed, together with the final message, if the interrupt came before `with` had begun."""
    lines = list[str]()

    class Line:
        def start(self) -> None:
            lines.append("1 of 1,000 games")
            raise KeyboardInterrupt

        def stop(self) -> None:
            lines.clear()

    with pytest.raises(KeyboardInterrupt), Meanwhile(Line()):
        pytest.fail("It went on.")
    assert lines == []


def test_an_interrupt_at_a_terminal_is_for_the_processes_that_play_as_well() -> None:
    """Once, the first process started got it, and printed a traceback."""
    command = ("balance", "hex", "columns", "pie=no", "--games", "1000", "--processes", "1")
    output = at_terminal(b"\x03", 130, *command, when=b"0/1000", NO_COLOR="1")
    assert "Traceback" not in output
    assert re.search(r"Interrupted after [0-9]+ of 1,000 games;", output)


@pytest.mark.parametrize(
    "more", [("--games", "1"), ("--games", "2"), ("--json",), ("--json", "--games", "2")]
)
def test_who_types_at_a_terminal_sees_the_moves_and_the_end(more: tuple[str, ...]) -> None:
    """Once, neither was shown for several games, or with --json."""
    command = ("play", "ayu", "size=3", "--second", "human", *more)
    output = at_terminal(b"b1-b2\na2-a1\n", 0, *command, NO_COLOR="1")
    moves, end = output.split("1. Black (first): b1-b2\n")[1].split("2. White (second): a2-a1\n")
    assert "White's move" in moves
    board = end.partition("Black (first) wins")[0]
    assert re.search(r"3 .*\n.*2 .*\n.*1 ", board), "the last board"
