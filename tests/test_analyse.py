"""What games show about their rules: measures against hand counts, reports, pages, and what may go wrong."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner, Result
from commandline import at_terminal

from gdl.library import bundled, folder
from interpreter.analysis.analyse import OTHER_PIE, PLAIN, Plan, hasty, weaker
from interpreter.analysis.compare import Row, difference, shown
from interpreter.analysis.coverage import Coverage
from interpreter.analysis.games import Played, Task, play_task
from interpreter.analysis.measures import (
    Findings,
    Measure,
    course,
    decided_after,
    lead_changes,
    won_from_behind,
)
from interpreter.analysis.report import Report
from interpreter.analysis.statistics import Interval
from interpreter.cli import main
from interpreter.game import Game

#: Nobody can ever win here: the one stone of each side walks forever.
ENDLESS = """
game "Endless"
"Walk."

players Black, White
board squares(3)
pieces stone

setup:
    place Black stone at a1
    place White stone at c3

turn:
    choose s in mine
    choose t in adjacent(s) & empty
    move s to t

end:
    if no mine: draw
    if stuck(next): draw
"""

HOSTILE = """
game "<script>alert(1)</script>" by "</title><img src=x onerror=alert(2)>"
"{{ 7 * 7 }} <b>bold</b> & $x^2$"

players Cross, Nought
board squares(3)
pieces mark

turn:
    choose square in empty             # <script>alert(3)</script>
    place mark at square

end:
    if some line(pieces(mover), 3): mover wins "<i>three</i>"
    if no empty: draw
    if ply > 50: draw "<u>never</u>"
"""


class Tags(HTMLParser):
    """The tags of a page, and the resources they would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags = set[str]()
        self.targets = list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.targets += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]


def gdl(*words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--processes", "1"])


def played(
    values: tuple[float | None, ...], person: str | None, label: str = PLAIN, **more: object
) -> Played:
    """A game with the first person's chances before each of its moves."""
    task = Task(label, 0, "tic_tac_toe", "mcts:100", "mcts:100", 0)
    winner = {"first": "Cross", "second": "Nought", None: None}[person]
    fields = {"reason": "no empty", "finished": True, "counts": (9,) * len(values), "seconds": 0.0} | more
    return Played(
        task=task, winner=winner, person=person, moves=("a1",) * len(values), values=values, **fields
    )


def findings(*games: Played, player: str = "mcts:100") -> Findings:
    return Findings(Plan("tic_tac_toe", Game.load("tic_tac_toe"), player, 100), list(games))


# --- measures by hand -------------------------------------------------------------


def test_a_course_is_the_mean_of_the_last_two_looks() -> None:
    assert course(played((0.5, None, 0.7, 0.9), "first")) == [
        (0, 0.5),
        (2, pytest.approx(0.6)),
        (3, pytest.approx(0.8)),
    ]
    assert course(played((None, None), "first")) == []


def test_the_lead_changes_when_the_other_person_leads() -> None:
    def changes(*values: float) -> int:
        return lead_changes(list(enumerate(values)))

    assert changes(0.6, 0.7, 0.9) == 0
    assert changes(0.6, 0.5, 0.47, 0.6) == 0  # when nearly even, nobody leads
    assert changes(0.6, 0.4, 0.6, 0.5, 0.3) == 3
    assert changes(0.5, 0.5) == 0


def test_a_game_is_decided_when_the_chance_of_its_winner_stays_high() -> None:
    def after(person: str, *values: float) -> float:
        return decided_after(played(values, person), list(enumerate(values)))

    assert after("first", 0.5, 0.95, 0.8, 0.95, 0.99) == 3 / 5
    assert after("second", 0.5, 0.05, 0.01, 0.0) == 1 / 4
    assert after("first", 0.95, 0.95) == 0
    assert after("first", 0.5, 0.6) == 1  # the winner was never sure


def test_who_was_behind_and_won() -> None:
    def behind(person: str, *values: float) -> bool:
        return won_from_behind(played(values, person), list(enumerate(values)))

    assert behind("first", 0.5, 0.4, 0.9)
    assert not behind("first", 0.5, 0.6, 0.9)
    assert behind("second", 0.6, 0.2)
    assert not behind("second", 0.5, 0.2)


def test_who_wins() -> None:
    three, full = (ending.text for ending in Game.load("tic_tac_toe").rules.end)
    found = findings(
        *(played((0.5,), "first", reason=three) for _ in range(5)),
        *(played((0.5,), "second", reason=three) for _ in range(3)),
        *(played((0.5,), None, reason=full) for _ in range(2)),
        played((0.5,), None, finished=False, reason=None),
    )
    first, decided = found.person("first"), found.decided()
    assert first
    assert decided
    assert first.value == 0.5
    assert decided.value == 5 / 8
    measures = {measure.key: measure.interval for measure in found.measures()}
    assert measures["draws"]
    assert measures["draws"].value == 0.2
    assert measures["unfinished"]
    assert measures["unfinished"].value == 1 / 11
    assert found.ends() == {three: 8, full: 2, "stopped after 1,000 plies": 1}


def test_choice_and_length() -> None:
    found = findings(
        played((0.5, 0.5), "first", counts=(9, 1)),
        played((0.5, 0.5, 0.5, 0.5), "first", counts=(7, 1, 1, 3)),
    )
    assert found.branching() == [8, 1, 1, 3]
    measures = {measure.key: measure for measure in found.measures()}
    assert measures["length"].interval
    assert measures["length"].interval.value == 3
    assert measures["branching"].interval
    assert measures["branching"].interval.value == 4  # the mean of 5 and 3
    assert measures["branching"].note == "at most 9"
    assert measures["forced"].interval
    assert measures["forced"].interval.value == 0.5


def test_repetition_is_known_by_the_words_of_the_ending() -> None:
    plan = Plan("ayu", Game.load("ayu", size=5), "random", 3)
    found = Findings(
        plan, [played((0.5,), None, reason="repeated"), played((0.5,), "first", reason="stuck(next)")]
    )
    assert found.endless() == (0, 1)


def test_the_order_in_which_games_end_does_not_matter() -> None:
    """Once, lengths were listed in that order, and sums of fractions differed in the last digit."""
    chance, games = random.Random(1), list[Played]()
    for number in range(40):
        values = tuple(chance.random() for _ in range(1 + number % 7))
        game = played(values, "first", counts=tuple(chance.randrange(1, 9) for _ in values))
        games.append(evolve(game, task=evolve(game.task, number=number)))
    found = [findings(), findings()]
    for game in games:
        found[0].add(game)
    for game in chance.sample(games, len(games)):
        found[1].add(game)
    assert found[0].figures() == found[1].figures()
    assert found[1].lengths == [1 + number % 7 for number in range(40)]


def test_the_difference_of_shares() -> None:
    # Newcombe (1998), Statistics in Medicine 17: 56/70 minus 48/80 by his method 10.
    one, other = Interval(0.6, 0.4904, 0.7004), Interval(0.8, 0.6918, 0.8775)  # Wilson's intervals
    found = difference(one, other)
    assert found
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == (pytest.approx(0.0524, abs=2e-3), pytest.approx(0.3339, abs=2e-3))


def test_a_difference_is_as_exact_as_the_shares() -> None:
    """Once, 0.0% and 0.1% differed by +0% (+0 to +0)."""
    one, other = (
        Measure("forced", "forced moves", "share", share)
        for share in (Interval(0.0, 0.0, 0.0), Interval(0.001, 0.0004, 0.0022))
    )
    assert shown(Row("forced moves", one, other, difference(one.interval, other.interval))) == (
        "+0.1% (+0.0 to +0.2)"
    )


def test_games_of_one_length_have_no_average() -> None:
    reports = [
        Report(findings(*games), Coverage((), (), 0, 0, 0))
        for games in ([played((0.5,) * 9, None)] * 7, [played((0.5,) * 9, None), played((0.5,) * 8, None)])
    ]
    same, other = (" ".join(report.sentences()) for report in reports)
    assert "Every game took 9 plies." in same
    assert "from 8 to 9 (80% of the games: 8 to 9)" in other


# --- plans --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "less"),
    [
        ("mcts:500", "mcts:125"),
        ("mcts:3", None),
        ("mcts:2s", "mcts:0.5s"),
        ("mcts:0.02s", None),
        ("mcts:400,seed=7", "mcts:100,seed=7"),
        ("alphabeta:4", "alphabeta:3"),
        ("alphabeta:1", None),
        ("random", None),
        ("greedy", None),
    ],
)
def test_a_weaker_player(player: str, less: str | None) -> None:
    assert weaker(player) == less


def test_the_series_of_a_plan() -> None:
    plan = Plan("hex", Game.load("hex", columns=3), "mcts:64", 10)
    labels = [(series.label, series.first, series.second, series.games) for series in plan.series]
    assert labels == [
        (PLAIN, "mcts:64", "mcts:64", 10),
        (OTHER_PIE, "mcts:64", "mcts:64", 5),
        ("mcts:64 mcts:16", "mcts:64", "mcts:16", 6),
        ("mcts:16 mcts:4", "mcts:16", "mcts:4", 6),
        ("mcts:4 mcts:1", "mcts:4", "mcts:1", 6),
    ]
    assert plan.series[0].options["pie"] is True
    assert plan.series[1].options["pie"] is False
    tasks = plan.tasks()
    assert tasks == plan.tasks()
    assert len({task.seed for task in tasks}) == len(tasks) == 33
    half = [task.label for task in tasks[: len(tasks) // 2]]
    assert half.count(PLAIN) == 5  # the series keep pace with each other
    strong = [task.first for task in tasks if task.label == "mcts:64 mcts:16"]
    assert strong.count("mcts:64") == strong.count("mcts:16") == 3


def test_openings_leave_the_pie_rule_to_the_players() -> None:
    plan = Plan("hex", Game.load("hex", columns=3, pie=False), "greedy", 4, opening=3)
    lengths = {(task.label, len(task.opening)) for task in plan.tasks()}
    assert lengths == {(PLAIN, 3), (OTHER_PIE, 1)}


# --- the commands -------------------------------------------------------------------------


def test_a_report_at_the_terminal() -> None:
    result = gdl("analyse", "tic_tac_toe", "--player", "random", "--games", "30")
    assert result.exit_code == 0, result.output
    text = " ".join(result.output.split())
    assert re.search(r"The first person wins \d+% \(\d+-\d+\) of the games, the second", text)
    assert "Every game came to an end within 1,000 plies." in text
    assert "random does not say what it expects" in text
    assert "Every line of the rules that can be judged mattered" in text


def test_random_play_of_tic_tac_toe() -> None:
    """Known shares: 131,184 / 77,904 / 46,080 games, weighted by probability: 0.585, 0.288, 0.127."""
    data = json.loads(gdl("analyse", "tic_tac_toe", "--player", "random", "--games", "400", "--json").stdout)
    for key, known in (("first_wins", 0.585), ("second_wins", 0.288), ("draws", 0.127)):
        assert data["measures"][key]["value"] == pytest.approx(known, abs=0.07)  # 2.8 standard deviations


def test_the_same_command_says_the_same_and_json_says_it_all() -> None:
    command = ("analyse", "hex", "columns=3", "--player", "mcts:16", "--games", "6", "--seed", "3", "--json")
    one, other = gdl(*command), gdl(*command)
    data = json.loads(one.stdout)
    assert data == json.loads(other.stdout)
    assert data["game"] == "Hex"
    assert data["options"] == {"columns": 3, "rows": 3, "pie": True}
    assert [series["games"] for series in data["series"]] == [6, 3, 4, 4]
    shares = [data["measures"][key]["value"] for key in ("first_wins", "second_wins", "draws")]
    assert sum(shares) == pytest.approx(1)
    assert data["measures"]["lead_changes"]["value"] is not None
    assert data["measures"]["advantage_other_pie"]["title"] == "the same without the pie rule"
    assert sum(data["ends"].values()) == 6
    assert data["coverage"]["games"] == 6
    assert "--seed 3" in data["command"]


BOTH = (["analyse", "tic_tac_toe"], ["compare", "tic_tac_toe", "misere_tic_tac_toe"])


@pytest.mark.parametrize("words", BOTH)
def test_it_goes_on_with_the_games_in_the_file(words: list[str], tmp_path: Path) -> None:
    """Once, a comparison kept no games."""
    file, sides = tmp_path / "games.jsonl", len(words) - 1
    command = (*words, "--player", "random", "--save", str(file), "--json")
    assert gdl(*command, "--games", "3").exit_code == 0
    before = file.read_text()
    report = json.loads(gdl(*command, "--games", "5").stdout)
    after = file.read_text()
    assert after.startswith(before)
    assert len(after.splitlines()) == 1 + 5 * sides
    for side in report.get("games", [report]):
        assert side["series"][0]["games"] == 5
        assert sum(side["ends"].values()) == 5
    assert report == json.loads(gdl(*command, "--games", "5").stdout)
    assert file.read_text() == after
    refused = gdl(*command, "--games", "5", "--seed", "1")
    assert refused.exit_code == 1
    assert "(other seed)" in refused.stderr
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize("words", BOTH)
def test_it_tells_what_it_has_when_it_is_interrupted(words: list[str], tmp_path: Path) -> None:
    """Once, a comparison reported nothing."""
    file = tmp_path / "games.jsonl"
    words = [*words, "--player", "random", "--games", "20000", "--save", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter", *words, "--processes", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not (file.exists() and file.read_bytes().count(b"\n") > 10):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    said = " ".join(out.split())
    assert "of 20,000 games were played" in said or re.search(r"[0-9,]+ games of Tic-tac-toe and", said)
    assert err.startswith("Interrupted after ")


def test_whoever_reads_the_beginning_only_is_no_fault(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ["analyse", "tic_tac_toe", "--player", "random", "--games", "3", "--html", str(page)]
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert (process.wait(timeout=60), process.stderr.read()) == (0, b"")
    assert page.stat().st_size > 10_000


def test_it_stops_when_the_time_is_over() -> None:
    result = gdl(
        "analyse", "tic_tac_toe", "--player", "random", "--games", "20000", "--seconds", "1", "--json"
    )
    assert result.exit_code == 0
    assert 2 <= json.loads(result.stdout)["series"][0]["games"] < 20_000


def test_compiling_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, compiling a large game used up the time."""
    now = 0.0

    def playing(use: Callable[[Callable[[Sequence[Task]], None]], None], *settings: Any) -> None:
        nonlocal now
        *_, watch, _, rehearsal = settings
        now += 100.0 * len(rehearsal)  # how long compiling each takes

        def play(tasks: Sequence[Task]) -> None:
            nonlocal now
            for task in tasks:
                now += 1.0
                watch(play_task(task))

        use(play)

    monkeypatch.setattr("interpreter.cli.analyse.playing", playing)
    monkeypatch.setattr("interpreter.cli.analyse.monotonic", lambda: now)
    for words in BOTH:
        found = json.loads(gdl(*words, "--player", "random", "--seconds", "20", "--json").stdout)
        assert sum(sum(side["ends"].values()) for side in found.get("games", [found])) == 21


def test_each_setting_is_rehearsed_by_a_hasty_player() -> None:
    plan = Plan("hex", Game.load("hex", columns=3), "mcts:2s,threads=2", 10)
    rehearsed = [(task.first, task.second, task.options["pie"], task.most_plies) for task in plan.rehearsal()]
    assert rehearsed == [("mcts:1,threads=2", "mcts:1,threads=2", pie, 1) for pie in (True, False)]
    assert [hasty(name) for name in ("random", "alphabeta:2s", "greedy:7", "solve")] == [
        "random",
        "alphabeta:1",
        "greedy:1",
        "solve:0.001s",
    ]


def test_games_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "endless.game"
    path.write_text(ENDLESS, encoding="utf-8")
    page = tmp_path / "endless.html"
    words = (
        "analyse",
        str(path),
        "--player",
        "random",
        "--games",
        "3",
        "--most-plies",
        "30",
        "--html",
        str(page),
    )
    result = gdl(*words)
    assert result.exit_code == 0, result.output
    text = " ".join(result.output.split())
    assert "No game was finished within 30 plies." in text
    assert "3 games had no end within 30 plies." in text
    assert "2 endings never fired: no mine; stuck(next)." in text
    assert "not known" in page.read_text(encoding="utf-8")


def test_a_page_needs_nothing_and_trusts_nobody(tmp_path: Path) -> None:
    path, file = tmp_path / "hostile.game", tmp_path / "hostile.html"
    path.write_text(HOSTILE, encoding="utf-8")
    result = gdl("analyse", str(path), "--player", "mcts:8", "--games", "4", "--html", str(file))
    assert result.exit_code == 0, result.output
    page = file.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{ 7 * 7 }}" in page
    assert "&lt;i&gt;three&lt;/i&gt;" in page
    reader = Tags()
    reader.feed(page)
    assert reader.tags.isdisjoint({"script", "img", "link", "iframe", "object", "u"})
    assert all(value.startswith("#") for value in reader.targets)
    assert not re.findall(r"@import|url\((?!#)", page)
    assert re.findall(r'<tr class="dead"><td class="no">16', page)


MARKED_UP = """\
game "[/] [red]Red[/red] :smile:"
players Black, White
board squares(1)
pieces stone
turn:
    choose s in empty
    place stone at s
end:
    if no empty: mover wins
"""


def test_a_terminal_shows_how_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "marked_up.game"
    path.write_text(MARKED_UP, encoding="utf-8")
    words = ("compare", str(path), "tic_tac_toe", "--player", "random", "--games", "20000")
    when = b"Tic-tac-toe: first person"
    output = at_terminal(b"\x03", 130, *words, "--processes", "1", when=when, NO_COLOR="1")
    assert "[/] [red]Red[/red] :smile:: first person 100%" in output


def test_what_looks_like_markup_in_a_title_is_a_title(tmp_path: Path) -> None:
    """Once, a comparison failed on it, as its table has a column with that title."""
    path = tmp_path / "marked_up.game"
    path.write_text(MARKED_UP, encoding="utf-8")
    settings = ("--player", "random", "--games", "2")
    for words in (["analyse", str(path)], ["compare", str(path), "tic_tac_toe"]):
        result = gdl(*words, *settings)
        assert result.exit_code == 0, result.output
        assert "[/] [red]Red[/red] :smile:" in result.output


def test_control_characters_of_kept_games_and_names_do_not_reach_the_terminal(tmp_path: Path) -> None:
    """Once, a file of games that had been tampered with could send anything to the terminal."""
    path, file = tmp_path / "lucky\x07.game", tmp_path / "games.jsonl"
    path.write_text(HOSTILE, encoding="utf-8")
    words = ("analyse", str(path), "--player", "random", "--games", "2", "--save", str(file))
    assert "lucky?.game:16:" in "".join(gdl(*words).output.split())  # a long path is wrapped
    header, *games = file.read_text().splitlines()
    changed = [json.dumps(json.loads(game) | {"reason": "\x07\x1b]0;title"}) for game in games]
    file.write_text("\n".join([header, *changed, ""]))
    output = gdl(*words).output
    assert "??]0;title" in output
    assert "\x07" not in output


def test_a_name_that_is_no_text_does_not_spoil_the_page(tmp_path: Path) -> None:
    path, page = tmp_path / "no text \udcff.game", tmp_path / "page.html"
    path.write_text(HOSTILE, encoding="utf-8")
    result = gdl("analyse", str(path), "--player", "random", "--games", "2", "--html", str(page))
    assert result.exit_code == 0, result.output
    assert "no text ?.game" in page.read_text(encoding="utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("words", BOTH)
def test_where_a_page_cannot_be_written_the_report_is_printed_all_the_same(words: list[str]) -> None:
    """Once, all that was found out was lost with the page."""
    result = gdl(*words, "--player", "random", "--games", "2", "--html", "/dev/full")
    assert result.exit_code == 1
    assert result.stderr == "/dev/full: No space left on device.\n"
    assert "of random" in result.stdout or "by random" in " ".join(result.stdout.split())


def test_two_games_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "two.html"
    words = ("tic_tac_toe", "misere_tic_tac_toe", "--player", "random", "--games", "40", "--html", str(file))
    result = gdl("compare", *words)
    assert result.exit_code == 0, result.output
    text = " ".join(result.output.split())
    assert "40 games of Tic-tac-toe and 40 games of Misère Tic-tac-toe, all played by random." in text
    assert "First person wins: " in text  # three in a row wins in the one game and loses in the other
    assert "Misère Tic-tac-toe" in file.read_text(encoding="utf-8")
    data = json.loads(gdl("compare", *words[:-2], "--json").stdout)
    assert data["differences"]["first_wins"]["differs"]
    assert data["differences"]["first_wins"]["high"] < 0
    assert not data["differences"]["unfinished"]["differs"]


def test_of_a_few_games_it_is_not_told_what_differs() -> None:
    """Two games that happen to be equal have no spread, and seemed to differ from others with certainty."""
    words = ("tic_tac_toe", "misere_tic_tac_toe", "--player", "random")
    few = gdl("compare", *words, "--games", "5")
    assert "What differs is told of 6 games or more of each." in " ".join(few.output.split())
    data = json.loads(gdl("compare", *words, "--games", "5", "--json").stdout)
    found = [row[name] for row in data["differences"].values() for name in ("value", "low", "high")]
    assert set(found) == {None}
    data = json.loads(gdl("compare", *words, "--games", "6", "--json").stdout)
    assert data["differences"]["length"]["value"] is not None


def test_every_measure_has_a_value_and_an_interval_in_json() -> None:
    """Once, those that could not be measured had no ends, and a part of a game could be negative."""
    command = ("analyse", "tic_tac_toe", "--player", "random", "--games", "10", "--processes", "1", "--json")
    measures = json.loads(gdl(*command).stdout)["measures"]
    assert {"value": None, "low": None, "high": None}.items() <= measures["decided"].items()
    for measure in measures.values():
        assert {"title", "unit", "note", "value", "low", "high"} == measure.keys()
        if measure["low"] is not None:
            assert 0 <= measure["low"] <= measure["value"] <= measure["high"]
            assert measure["unit"] not in ("share", "part") or measure["high"] <= 1


def test_a_few_games_have_no_intervals_of_means() -> None:
    """Once, four games that happened to be equally long had an interval of no width."""
    words = ("analyse", "tic_tac_toe", "--player", "random", "--games")
    few, enough = (json.loads(gdl(*words, games, "--json").stdout) for games in ("5", "6"))
    for key in ("length", "length_median", "branching"):
        assert (few["measures"][key]["low"], few["measures"][key]["high"]) == (None, None)
        assert few["measures"][key]["value"] > 0
        assert enough["measures"][key]["low"] is not None
    text = " ".join(gdl(*words, "5").output.split())
    assert re.search(r"A game takes \d\.\d plies on average, from", text)
    assert "Where no interval stands there are fewer than 6 games, too few for one." in text
    assert "Where no interval stands" not in gdl(*words, "6").output


def test_options_stand_behind_their_game() -> None:
    words = ("compare", "hex", "columns=2", "pie=no", "hex", "columns=3", "pie=no", "--player", "random")
    data = json.loads(gdl(*words, "--games", "4", "--json").stdout)
    assert [game["options"]["columns"] for game in data["games"]] == [2, 3]
    text = " ".join(gdl(*words, "--games", "4").output.split())
    assert "4 games of Hex columns=2 rows=2 and 4 games of Hex columns=3 rows=3" in text


def test_games_of_one_title_and_the_same_options_are_told_apart(tmp_path: Path) -> None:
    """A designer compares two versions of a file; once, both columns had the same name."""
    text = (folder() / "tic_tac_toe.game").read_text(encoding="utf-8")
    files = [tmp_path / name for name in ("old.game", "new.game")]
    for file in files:
        file.write_text(text, encoding="utf-8")
    words = ("compare", *map(str, files), "--player", "random", "--games", "4", "--json")
    first, *_ = json.loads(gdl(*words).stdout)["summary"]
    assert f"of Tic-tac-toe ({files[0]}) and 4 games of Tic-tac-toe ({files[1]})," in first
    first, *_ = json.loads(gdl("compare", "hex", "hex", *words[3:]).stdout)["summary"]
    assert "4 games of Hex (1) and 4 games of Hex (2)," in first


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["analyse", "no_such_game"], 1, "there is no game `no_such_game`"),
        (["analyse", "hex", "columns=99"], 1, "option `columns` cannot be 99"),
        (["analyse", "hex", "--player", "human"], 2, "`human` cannot play here"),
        (["analyse", "hex", "--player", "nobody"], 2, "`nobody`"),
        (["analyse", "hex", "--games", "0"], 2, "0 is not in the range"),
        (["analyse", "hex", "--html", "/no/such/folder/a.html"], 1, "/no/such/folder/a.html"),
        (["analyse", "hex", "--html", ""], 2, "--html needs the name of a file."),
        (["analyse", "hex", "--html", "a", "--save", "./a"], 2, "--html and --save need a file each."),
        (["compare", "hex"], 2, "Two games are compared, not 1."),
        (["compare", "hex", "y", "ayu"], 2, "Two games are compared, not 3."),
        (["compare", "columns=3", "hex", "y"], 2, "The option columns=3 stands behind its game."),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(words: list[str], code: int, sentence: str) -> None:
    result = gdl(*words)
    assert result.exit_code == code
    assert sentence in result.stderr
    assert not result.stdout


def test_a_faulty_rule_file(tmp_path: Path) -> None:
    path = tmp_path / "faulty.game"
    path.write_text('game "Faulty"\nplayers A, B\nboard squares(3)\n', encoding="utf-8")
    result = gdl("analyse", str(path))
    assert result.exit_code == 1
    assert "this game has no pieces" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("game", bundled())
def test_every_game_can_be_analysed(game: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    words = [
        "analyse",
        game,
        "--games",
        "4",
        "--player",
        "mcts:20",
        "--most-plies",
        "150",
        "--html",
        str(file),
    ]
    result = subprocess.run(
        [sys.executable, "-m", "interpreter", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "GDL_ENGINE": "native"},
    )
    assert result.returncode == 0, result.stderr
    assert "of the rules" in result.stdout
    assert "</html>" in file.read_text(encoding="utf-8")
