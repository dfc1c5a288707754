"""Fair values: planted ones are found, by curves, in a game that can be counted, and after interruptions."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interpreter.analysis import pie
from interpreter.analysis.balance import Balance, Question
from interpreter.analysis.games import Play, Played, Task, pack, play_task
from interpreter.analysis.sequential import Response, Winnings, always
from interpreter.cli import main
from interpreter.game import Game, OptionError

TOLL = str(Path(__file__).parent / "games" / "toll.game")

CONSTANT = """\
game "Constant"
option gift: 0..5 = 0
option spare: 3..3 = 3
option idle: 0..5 = 0
option late = no
players Black, White
board squares(2)
pieces stone
turn:
    choose square in a1 & empty
    place stone at square
score p = spare + (gift if late else 0)
end:
    if not no mine: highest score wins, tie: mover wins
"""


def gdl(*args: str) -> Result:
    return CliRunner().invoke(main, args, catch_exceptions=False)


# --- intervals that hold at every moment --------------------------------------------


def test_eight_wins_of_eight_are_no_accident_but_seven_of_seven_may_be():
    """8 wins in 8 games: 1/9 over all shares, 1/256 for even chances, odds of 28 to 1; after 7, 16 to 1."""
    assert always(Winnings(7, 7)).low < 0.5 < always(Winnings(8, 8)).low
    assert always(Winnings(0, 8)).high < 0.5 < always(Winnings(0, 7)).high


@pytest.mark.parametrize(("points", "games"), [(3, 10), (50.5, 80), (700, 1000)])
def test_at_its_ends_the_odds_are_twenty_to_one(points: float, games: int):
    lost = games - points
    share = always(Winnings(points, games))
    assert share.value == points / games
    alike = math.lgamma(points + 1) + math.lgamma(lost + 1) - math.lgamma(games + 2)
    for end in (share.low, share.high):
        odds = math.exp(alike - points * math.log(end) - lost * math.log(1 - end))
        assert odds == pytest.approx(20, rel=1e-6)


def test_nothing_is_known_before_the_first_game():
    assert (always(Winnings()).low, always(Winnings()).high) == (0, 1)


def test_a_true_share_is_hardly_ever_outside_at_any_moment():
    ever = 0
    for seed in range(100):
        chance, points = random.Random(seed), 0
        for games in range(1, 301):
            points += chance.random() < 0.5
            share = always(Winnings(points, games))
            if not share.low <= 0.5 <= share.high:
                ever += 1
                break
    assert ever <= 10  # 5 are allowed on average; Wilson's interval would miss in about 40


# --- curves ---------------------------------------------------------------------------


@pytest.mark.parametrize("rises", [False, True])
def test_between_two_shares_that_are_as_far_from_a_half_lies_the_fair_value(rises: bool):
    shares = (0.7, 0.3) if not rises else (0.3, 0.7)
    table = {at: Winnings(share * 4000, 4000) for at, share in zip((4, 8), shares, strict=True)}
    half = Response.to(table, range(21)).half()
    assert half.value == pytest.approx(6, abs=0.5)
    assert 4 <= half.low < 5.5
    assert 6.5 < half.high <= 8


def test_the_share_at_a_value_where_many_were_played_is_theirs():
    table = {4: Winnings(700, 1000), 8: Winnings(450, 1000)}
    response = Response.to(table, range(21))
    assert response.share(4) == pytest.approx(0.7, abs=0.03)
    assert response.share(8) == pytest.approx(0.45, abs=0.03)


# --- planted answers --------------------------------------------------------------------


def played(task: Task, points: float, moves: tuple[str, ...]) -> Played:
    person = {1.0: "first", 0.0: "second"}.get(points)
    return Played(task, person, person, None, True, moves, (), (), 0.0)


def chances(share: Callable[[int], float], seed: int) -> Play:
    """Games won at random, with the chance that `share` gives for the value."""
    chance = random.Random(seed)

    def play(tasks: Sequence[Task]) -> list[Played]:
        return [
            played(task, float(chance.random() < share(int(task.label))), (str(chance.random()),))
            for task in tasks
        ]

    return play


def sought(values: range, share: Callable[[int], float], games: int, seed: int = 0) -> Balance:
    found = Balance(Question("none", {}, "bonus", "random", seed), values)
    found.run(games, chances(share, seed))
    return found


def contains(found: Balance, value: float) -> bool:
    low, high = found.ends
    return not found.nowhere and (low is None or low <= value) and (high is None or value <= high)


#: Shares by value, and where they are a half: symmetric or not, in steps, rising.
PLANTED: dict[str, tuple[range, Callable[[int], float], float]] = {
    "logistic": (range(0, 401, 2), lambda v: 1 / (1 + math.exp((v - 23.3) / 15)), 23.3),
    "bent": (
        range(0, 401, 2),
        lambda v: 1 - math.exp((v - 23.3) / 40) / 2 if v < 23.3 else math.exp((23.3 - v) / 10) / 2,
        23.3,
    ),
    "never sure": (range(0, 401, 2), lambda v: 0.5 + 0.2 * math.tanh((150.3 - v) / 60), 150.3),
    "steps of two": (range(-50, 51), lambda v: 1 / (1 + math.exp((v // 2 * 2 - 8.5) / 6)), 9.3),
    "few values": (range(7), lambda v: 1 / (1 + math.exp((v - 3) / 3)), 3),
    "rising": (range(15), lambda v: min(max((v + 0.5) / 15, 0), 1), 7),
}


@pytest.mark.parametrize("shape", PLANTED)
def test_a_planted_value_is_found_in_19_of_20_runs(shape: str):
    values, share, fair = PLANTED[shape]
    runs = [sought(values, share, 200, seed) for seed in range(20)]
    assert sum(contains(found, fair) for found in runs) >= 19
    ends = [(values[0] if low is None else low, values[-1] if high is None else high) for low, high in
            (found.ends for found in runs)]  # fmt: skip
    assert sum(high - low for low, high in ends) / 20 < 0.85 * (values[-1] - values[0])


def test_it_stops_as_soon_as_it_knows_the_value_but_for_a_step():
    found = sought(range(401), lambda v: 0.95 if v <= 123 else 0.05, 10_000)
    assert found.settled
    assert contains(found, 123.5)
    assert found.ends[1] - found.ends[0] <= 2
    assert found.whole.games < 300


def test_a_value_at_which_all_is_drawn():
    points = {"18": 1.0, "19": 0.5, "20": 0.0}
    found = Balance(Question("none", {}, "bonus", "random"), range(18, 21))
    found.run(2000, lambda tasks: [played(task, points[task.label], ("a1",)) for task in tasks])
    assert (found.ends, found.nearest) == ((18, 20), 19)
    assert found.whole.games < 100


def test_more_games_make_it_narrower():
    values, share, fair = PLANTED["logistic"]
    few, many = sought(values, share, 200), sought(values, share, 3000)
    assert contains(many, fair)
    assert many.ends[1] - many.ends[0] < (few.ends[1] - few.ends[0]) / 2


@pytest.mark.parametrize("mirrored", [False, True])
def test_no_value_may_be_fair(mirrored: bool):
    def share(value: int) -> float:
        return 0.9 - 0.01 * (20 - value if mirrored else value)

    found = sought(range(21), share, 2000)
    assert found.nowhere
    assert found.whole.games < 1000
    assert found.figures()["fair"] is None
    (sentence,) = found.sentences()
    assert sentence.startswith(
        f"No value of bonus from 0 to 20 makes it fair: at {0 if mirrored else 20} the first person gets "
    )
    assert sentence.endswith("A wider range in the rule file might.")


def test_the_second_person_may_be_better_off_everywhere():
    (sentence,) = sought(range(21), lambda value: 0.25, 2000).sentences()
    assert "the second person gets" in sentence


def test_an_option_that_changes_nothing():
    found = sought(range(21), lambda value: 0.5, 300)
    assert "300 games do not tell which value of bonus makes it fair" in next(found.sentences())
    assert found.steady


def test_a_fair_value_may_be_out_of_the_range():
    found = sought(range(21), lambda value: 0.9 - 0.019 * value, 150)  # 52% at 20
    assert found.ends[1] is None
    assert "or more, perhaps more than 20." in next(found.sentences())
    assert found.so_far() == f"fair bonus: {found.ends[0]} or more, perhaps more than 20"


def test_no_value_out_of_the_range_is_named_as_fair():
    """Once, 48.1 was called fair although the values end at 15."""
    found = Balance(Question("none", {}, "bonus", "random"), range(2, 16))
    for value, points, games in ((2, 7, 7), (9, 4, 7), (15, 6, 6)):
        found.table[value] = Winnings(points, games)
    found.response = Response.to(found.table, found.values)
    assert found.response.half().value > 15
    assert found.figures()["fair"]["value"] is None
    (sentence,) = found.sentences()
    assert sentence.startswith(
        "No value of bonus from 2 to 15 seems fair: at 15, the nearest, the first person gets 100% ("
    )
    assert sentence.endswith("If one is fair, it is surely (99%) 9 or more, perhaps more than 15.")


def test_before_there_are_games_nothing_is_known_of_them():
    """Once, it said `bonus ? to ?`, and named the first of all moves as the fairest."""
    assert sought(range(21), lambda value: 0.5, 0).so_far() == "fair bonus: not known yet"
    assert raced("hex", 0, 0, columns=3, pie=False).so_far() == "fairest so far: not known yet"


def test_two_values_and_none_of_them_fair():
    few, many = (
        sought(range(5, 7), lambda value: 0.53 if value == 5 else 0.47, games) for games in (60, 9000)
    )
    assert next(few.sentences()).startswith("60 games do not tell")
    assert many.ends == (5, 6)
    assert next(many.sentences()).startswith("Fair is bonus = 5.")


def test_a_share_that_goes_up_and_down():
    found = sought(range(21), lambda value: 0.5 + 0.45 * math.cos(value / 20 * math.tau), 1000)
    assert not found.steady
    assert any("seems to go up and down" in sentence for sentence in found.sentences())


def test_a_player_without_chance_is_found_out():
    found = Balance(Question("none", {}, "bonus", "alphabeta:2"), range(21))
    found.run(64, lambda tasks: [played(task, float(int(task.label) < 9), ("a1",)) for task in tasks])
    assert any("alphabeta:2 leaves nothing to chance" in sentence for sentence in found.sentences())


# --- a game that can be counted ------------------------------------------------------------


def toll_shares(size: int, toll: int, first: int | None = None) -> float:
    """Black's share if both play at random: all sets of fields are equally likely; the first may be given."""
    mine, points, count = (size + 1) // 2, 0.0, 0
    for fields in combinations(range(1, size + 1), mine):
        if first is None or first in fields:
            ahead = 2 * sum(fields) - size * (size + 1) // 2 - toll
            points += 1 if ahead > 0 else 0.5 if ahead == 0 else 0
            count += 1
    return points / count


def in_this_process() -> Play:
    rules = pack(TOLL)
    return lambda tasks: [play_task(task, rules) for task in tasks]


def test_the_fair_toll_by_counting():
    """Black takes one field more, worth 5 on average; all is symmetric about that."""
    assert toll_shares(9, 5) == 0.5
    assert toll_shares(9, 4) > 0.5 > toll_shares(9, 6)


def the_toll(games: int, seed: int) -> Balance:
    found = Balance(question := Question(TOLL, {}, "toll", "random", seed), question.values())
    found.run(games, in_this_process())
    return found


def test_the_fair_toll_is_found():
    for seed in range(3):
        found = the_toll(120, seed)
        assert contains(found, 5)
        assert found.ends != (None, None)


@pytest.mark.slow
def test_the_fair_toll_is_found_in_19_of_20_runs():
    runs = [the_toll(400, seed) for seed in range(20)]
    assert sum(contains(found, 5) for found in runs) >= 19
    assert sum(found.ends[1] - found.ends[0] for found in runs) / 20 < 8  # of 60


def test_the_shares_in_the_table_are_those_of_the_game():
    found = the_toll(400, 1)
    for value, tally in found.table.items():
        share = always(tally, 1 - 0.05 / len(found.table))
        assert share.low <= toll_shares(9, value) <= share.high


# --- the same games again -------------------------------------------------------------------


def test_with_more_games_the_first_ones_are_the_same():
    values, share, _ = PLANTED["rising"]
    asked = list[list[Task]]()
    for games in (75, 150):
        tasks, play = list[Task](), chances(share, 1)
        asked.append(tasks)

        def noted(some: Sequence[Task], tasks: list[Task] = tasks, play: Play = play) -> list[Played]:
            tasks += some
            return list(play(some))

        Balance(Question("none", {}, "bonus", "random"), values).run(games, noted)
    few, many = asked
    assert len(few) == 75
    assert many[:75] == few


def test_the_order_in_which_games_end_does_not_matter():
    forth, back = (Balance(q := Question(TOLL, {}, "toll", "random"), q.values()) for _ in range(2))
    play = in_this_process()
    forth.run(60, play)
    back.run(60, lambda tasks: list(play(tasks))[::-1])
    assert forth.figures() == back.figures()


COMMAND = ("balance", TOLL, "toll", "size=7", "--player", "random", "--games", "60", "--json")


def test_one_process_or_two_are_the_same():
    one, two = (gdl(*COMMAND, "--processes", number).stdout for number in "12")
    assert json.loads(one) == json.loads(two)
    assert json.loads(one)["games"] == 60


def test_who_is_killed_goes_on(tmp_path: Path):
    command = (*COMMAND, "--save", str(tmp_path / "toll.jsonl"), "--processes", "1")
    running = subprocess.Popen([sys.executable, "-m", "interpreter", *command], stdout=subprocess.PIPE)
    file = tmp_path / "toll.jsonl"
    while not file.exists() or file.read_bytes().count(b"\n") < 10:
        assert running.poll() is None
        time.sleep(0.02)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    before = file.read_bytes().splitlines()
    again = gdl(*command)
    assert again.stdout == gdl(*COMMAND).stdout
    assert file.read_bytes().splitlines()[: len(before) - 1] == before[:-1]


def test_who_is_interrupted_sees_what_is_known(tmp_path: Path):
    file = tmp_path / "toll.jsonl"
    command = ("balance", TOLL, "toll", "--player", "random", "--games", "100000", "--save", str(file))
    running = subprocess.Popen(
        [sys.executable, "-m", "interpreter", *command, "--processes", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not file.exists() or file.read_bytes().count(b"\n") < 40:
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, said = running.communicate()
    assert running.returncode == 130
    assert out.startswith("toll  games")
    assert "the same command goes on from there" in said


def test_a_file_of_another_question_is_refused(tmp_path: Path):
    file = str(tmp_path / "toll.jsonl")
    assert gdl(*COMMAND, "--save", file).exit_code == 0
    refused = gdl(*COMMAND, "--seed", "1", "--save", file)
    assert refused.exit_code == 1
    assert "other seed" in refused.stderr


# --- what is printed ---------------------------------------------------------------------------


def test_the_table_and_what_it_says():
    done = gdl("balance", TOLL, "toll", "--player", "random", "--games", "40", "--processes", "1")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["toll", "games", "first", "person", "low", "high"]
    assert lines[1].split() == ["-20", "8", "100.0%", "52.3%", "100.0%"]
    assert lines[-2].startswith("Fair is toll = ")
    assert lines[-1].startswith("40 games of random, ")
    assert " 0 seconds" not in lines[-1]


def test_json_has_the_question_and_the_answer():
    data = json.loads(gdl(*COMMAND).stdout)
    assert data["game"] == "Toll"
    assert data["options"] == {"size": 7}
    assert data["range"] == {"low": -20, "high": 40, "step": 1}
    assert data["fair"]["low"] <= data["fair"]["value"] <= data["fair"]["high"]
    assert sum(row["games"] for row in data["table"]) == 60
    assert [row["value"] for row in data["table"]] == sorted(row["value"] for row in data["table"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((TOLL, "tol"), "Toll has no option `tol`; did you mean `toll`?"),
        ((TOLL,), "Name one OPTION of the game, the one to be found, or give --pie."),
        ((TOLL, "toll", "size"), "Name one OPTION of the game, the one to be found, or give --pie."),
        ((TOLL, "toll", "toll=3"), "The option toll is what is looked for; do not give it a value."),
        ((TOLL, "toll", "size=99"), "option `size` cannot be 99: it is a whole number from 2 to 15"),
        ((TOLL, "toll", "--player", "human"), "`human` cannot play here"),
        ((TOLL, "toll", "--player", "nobody"), "nobody"),
        ((TOLL, "toll", "--pie"), "--pie weighs up the first moves: it takes no OPTION and no --opening."),
        ((TOLL, "--pie", "--games", "8"), "There are 9 first moves; --games must be as many at least."),
        (("nowhere", "toll"), "nowhere"),
        (("CONSTANT", "late"), "option `late` is yes or no, not a number"),
        (("CONSTANT", "spare"), "option `spare` has no other value than 3"),
        (("CONSTANT", "idle"), "option `idle` is used by no rule: all its values play alike"),
        ((TOLL, "toll", "--seed", str(10**18)), f"is not in the range 0<=x<={10**18 - 1}"),
        (("CONSTANT", "--pie"), "Constant has no choice of first moves."),
    ],
)
def test_bad_input_is_told_in_one_sentence(arguments: tuple[str, ...], sentence: str, tmp_path: Path):
    (tmp_path / "constant.game").write_text(CONSTANT, encoding="utf-8")
    constant = str(tmp_path / "constant.game")
    done = gdl("balance", *(constant if word == "CONSTANT" else word for word in arguments))
    assert done.exit_code in (1, 2)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_an_option_that_is_no_number():
    with pytest.raises(OptionError):
        Question("ayu", {}, "pie", "random").values()


# --- first moves ------------------------------------------------------------------------------------


def raced(rules: str, games: int, seed: int, **options: int) -> pie.Race:
    game = Game.load(rules, **options)
    race = pie.Race(pie.Question(rules, options, "random", seed), game)
    packed = pack(rules)
    race.run(games, lambda tasks: [play_task(task, packed) for task in tasks])
    return race


def check_race(race: pie.Race) -> None:
    """Each share is the one found by counting, and what is said about swapping is true."""
    options = race.game.options
    for move, tally in race.table.items():
        true = toll_shares(options["size"], options["toll"], first=ord(move[0]) - ord("a") + 1)
        share = always(tally, 1 - 0.01 / len(race.table))
        assert share.low <= true <= share.high
        assert race.swap(move) in (None, true > 0.5)


def test_what_each_first_move_is_worth():
    race = raced(TOLL, 600, 1, size=5, toll=3)
    assert race.colour == "Black"
    check_race(race)
    assert race.swap("e1") is True  # 3 of 4
    assert race.swap("a1") is False  # 1 of 4
    assert race.swap("c1") is None  # 1 of 2
    assert (race.ordered[0], race.ordered[-1]) == ("e1", "a1")


def test_games_go_where_there_is_doubt():
    race = raced(TOLL, 600, 1, size=5, toll=3)
    assert race.table["c1"].games > 3 * max(race.table[move].games for move in ("a1", "e1"))


def test_where_all_is_clear_the_race_ends():
    race = raced(TOLL, 2000, 1, toll=40)
    assert not race.doubtful
    assert race.whole.games < 200
    assert [race.swap(move) for move in race.table] == [False] * 9
    check_race(race)


def test_the_colour_counts_whoever_sits_there(tmp_path: Path):
    """Random players swap now and then; Black's share stays the same."""
    (tmp_path / "toll.game").write_text(Path(TOLL).read_text(encoding="utf-8"), encoding="utf-8")
    swapping = tmp_path / "swapping.game"
    swapping.write_text('variant "Swapping Toll" of "Toll"\npie rule\n', encoding="utf-8")
    check_race(raced(str(swapping), 600, 2, size=5, toll=3))


def test_the_table_of_first_moves():
    done = gdl("balance", TOLL, "toll=5", "--pie", "--player", "random", "--games", "300", "--processes", "1")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["move", "games", "Black", "low", "high", "swap"]
    assert sorted(line.split()[0] for line in lines[1:10]) == [f"{column}1" for column in "abcdefghi"]
    assert lines[10].startswith("The fairest first move is ")
    assert lines[11].startswith("Worth swapping: ")


def test_of_few_games_no_first_move_is_the_fairest():
    """Once, one was named although each was as doubtful as all the others."""
    race = raced(TOLL, 18, 1, toll=5)
    assert race.figures()["fairest"] is None
    assert race.so_far() == "fairest so far: not known yet"
    assert list(race.sentences()) == [
        "18 games do not tell which first move is the fairest: "
        "after each of them either side may be better off.",
        "Worth swapping: 0 of 9 first moves; not worth it: 0; in doubt: 9.",
    ]


def test_first_moves_as_json():
    command = ("balance", TOLL, "toll=5", "--pie", "--player", "random", "--games", "90", "--json")
    data = json.loads(gdl(*command, "--processes", "2").stdout)
    assert data == json.loads(gdl(*command, "--processes", "1").stdout)
    assert data["games"] == 90
    assert {row["move"] for row in data["openings"]} == {f"{column}1" for column in "abcdefghi"}
