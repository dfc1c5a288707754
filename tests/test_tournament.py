"""Tournaments: the same games, wherever and however often they are started, whatever is killed meanwhile."""

from __future__ import annotations

import json
import os
import pickle
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from attrs import evolve
from click.testing import CliRunner
from rules import game as game_of

from interpreter.analysis.farm import Farm, Lost
from interpreter.analysis.games import Played, Task, check_player, pack, play_task
from interpreter.analysis.openings import openings
from interpreter.analysis.tournament import Standings, Tournament
from interpreter.analysis.workers import Workers, start
from interpreter.cli import main
from interpreter.errors import FarmError, IllegalMove
from interpreter.game import Game, Move, Position
from interpreter.players import PlayerError
from interpreter.settings import MOST_PLIES
from interpreter.web.machines import machine

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

TIC = Game.load("tic_tac_toe")
PLAYERS = "random", "random:1", "random:2"


def tournament(games: int = 4, players: tuple[str, ...] = PLAYERS, **options: int) -> Tournament:
    settings = {"seed": 1, "opening": 2, "most_plies": 100} | options
    return Tournament("tic_tac_toe", TIC, players, games, **settings)


def timeless(played: Played) -> Played:
    return evolve(played, seconds=0.0)


# --- openings ---------------------------------------------------------------------


def test_openings_are_the_same_for_the_same_seed() -> None:
    some = list(islice(openings(TIC, 2, 5), 30))
    assert some == list(islice(openings(TIC, 2, 5), 30))
    assert some != list(islice(openings(TIC, 2, 6), 30))


def test_openings_differ_while_there_are_enough() -> None:
    some = list(islice(openings(TIC, 2, 0), 30))  # of the 72 positions after two moves
    assert len(set(some)) == 30
    assert {len(moves) for moves in some} == {2}


def test_where_openings_are_few_they_come_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, a tournament of thousands of games kept looking for new ones until somebody lost patience."""
    play, played = Position.play, 0

    def counted(position: Position, move: Move) -> Position:
        nonlocal played
        played += 1
        return play(position, move)

    monkeypatch.setattr(Position, "play", counted)
    drawn = Counter(islice(openings(TIC, 1, 0), 900))
    assert len(drawn) == 9
    assert min(drawn.values()) > 80  # a hundred each, if they were dealt like cards
    assert played < 6 * 900
    assert len(list(islice(openings(TIC, 1, 0), 30))) == 30  # of nine
    assert set(islice(openings(TIC, 0, 0), 3)) == {()}


def test_an_opening_leaves_the_pie_rule_to_the_players() -> None:
    for moves in islice(openings(Game.load("ayu", size=5, pie=True), 3, 0), 10):
        assert len(moves) == 1
    for moves in islice(openings(Game.load("ayu", size=5), 3, 0), 10):
        assert len(moves) == 3


def test_an_opening_does_not_end_the_game() -> None:
    game = Game.load("ayu", size=3)  # in which b1-b2 a2-a1 is a whole game
    for moves in islice(openings(game, 50, 0), 20):
        position = game.start()
        for move in moves:
            position = position.play(move)
        assert not position.over


OVER = """\
board squares(3)
pieces stone
turn:
    choose s in mine
    place stone at s
end:
    if ply > 5: draw
"""


def test_a_game_that_is_over_at_the_start_has_an_empty_opening() -> None:
    """Once, a move was drawn from an empty list."""
    over = game_of(OVER)
    assert list(islice(openings(over, 2, 0), 2)) == [(), ()]


# --- tasks and games -------------------------------------------------------------------


def test_each_opening_is_played_twice_by_each_pair() -> None:
    tasks = list(tournament(6).tasks())
    assert len(tasks) == len({task.key for task in tasks}) == len({task.seed for task in tasks}) == 18
    for one, other in (("random", "random:1"), ("random", "random:2"), ("random:1", "random:2")):
        own = [task for task in tasks if {task.first, task.second} == {one, other}]
        assert [(task.first, task.second) for task in own] == 3 * [(one, other), (other, one)]
        assert [task.opening for task in own[::2]] == [task.opening for task in own[1::2]]
        assert len({task.opening for task in own}) == 3


def test_more_games_are_the_same_ones_and_others() -> None:
    assert list(tournament(10).tasks())[:12] == list(tournament(4).tasks())
    assert tournament(10).asked() == tournament(4).asked()
    assert tournament(4, seed=2).asked() != tournament(4).asked()


def test_a_task_is_the_same_game_again() -> None:
    for task in tournament().tasks():
        played = play_task(task)
        assert timeless(played) == timeless(play_task(task, pack("tic_tac_toe")))
        assert Played.of(json.loads(json.dumps(played.data()))) == played
        assert played.moves[:2] == task.opening
        assert played.counts == tuple(range(9, 9 - played.plies, -1))
        position = TIC.start()
        for move in played.moves:
            position = position.play(move)
        result = position.result
        assert result is not None
        assert (result.winner, result.person, result.reason) == (played.winner, played.person, played.reason)
        assert played.finished
        assert played.values == (None,) * played.plies


def test_a_game_that_goes_on_too_long_is_not_finished_and_counts_as_a_draw() -> None:
    played = play_task(next(tournament(most_plies=4).tasks()))
    assert (played.plies, played.finished, played.winner, played.reason) == (4, False, None, None)
    assert played.points == 0.5
    standings = Standings(TIC, PLAYERS)
    standings.add(played)
    assert standings.points("random", "random:1") == standings.points("random:1", "random") == 0.5
    assert (standings.unfinished, standings.figures()["draws"]) == (1, 0)


def test_what_a_player_thinks_is_the_chance_of_the_first_person() -> None:
    """First Cross, to move, has two in a row, then Nought: both know whether the first person wins."""
    opening = ("a1", "b1", "a2", "b2")
    played = play_task(Task("", 0, "tic_tac_toe", "mcts:300", "mcts:300", 1, {}, opening))
    assert (played.moves, played.person) == ((*opening, "a3"), "first")
    assert played.values[:4] == (None,) * 4
    lost = play_task(
        Task("", 0, "tic_tac_toe", "mcts:300", "mcts:300", 1, {}, ("a1", "b2", "c3", "b1", "c2"))
    )
    values = [value for value in lost.values if value is not None]  # Nought wins with b3
    assert values
    assert max(values) < 0.3


def test_people_do_not_sit_through_many_games() -> None:
    check_player("mcts:10")
    with pytest.raises(PlayerError, match="`human` cannot play here"):
        check_player("human")
    with pytest.raises(PlayerError, match="no player `nobody`"):
        check_player("nobody")


# --- standings ---------------------------------------------------------------------------


def test_standings_of_games_played_by_hand() -> None:
    standings = Standings(TIC, ("a", "b", "c"))
    for first, second, person, colour in [
        ("a", "b", "first", "Cross"),
        ("b", "a", "second", "Cross"),  # after a swap
        ("a", "c", None, None),
        ("c", "b", "second", "Nought"),
    ]:
        task = Task(f"{first} {second}", 0, "tic_tac_toe", first, second, 0)
        standings.add(Played(task, colour, person, "", True, (), (), (), 0.0))
    assert [standings.total(player) for player in "abc"] == [2.5, 1, 0.5]
    assert [standings.points("a", other) for other in "abc"] == [0, 2, 0.5]
    assert standings.record("b") == {"won": 1, "drawn": 0, "lost": 2}
    figures = standings.figures()
    assert [row["player"] for row in figures["players"]] == ["a", "b", "c"]
    assert figures["colours"] == {"Cross": 2, "Nought": 1}
    assert figures["people"] == {"first": 1, "second": 2}
    assert (figures["draws"], figures["unfinished"]) == (1, 0)
    standings.add(
        Played(task, "Cross", "first", "", True, (), (), (), 0.0)
    )  # the last with the same moves as the one before
    assert (standings.games, standings.figures()["different"]) == (5, 4)
    assert sum(row["elo"] for row in figures["players"]) == pytest.approx(0, abs=0.2)


# --- players that users write --------------------------------------------------------------

LAST = """
from helper import key

class Last:
    def __init__(self, chair):
        self.person = chair.person

    def choose(self, position, history):
        return max(position.legal_moves, key=key)

class Talker(Last):
    def choose(self, position, history):
        return "b2"
"""


@pytest.fixture
def bot(tmp_path: Path) -> str:
    """A file with players as a user writes them, and what it imports."""
    (tmp_path / "helper.py").write_text("def key(move):\n    return move.notation\n", encoding="utf-8")
    (tmp_path / "bot.py").write_text(LAST, encoding="utf-8")
    return str(tmp_path / "bot.py")


def test_a_player_of_a_file_plays_in_processes_and_at_a_board(bot: str) -> None:
    words = f"tic_tac_toe --players {bot}:Last random:1 --opening 0 --games 2 --processes 1 --json"
    done = run(*words.split())
    one, other = json.loads(done.stdout)["games"]
    assert one["moves"][0] == "c3"
    assert other["moves"][1] in ("c2", "c3")
    words = f"tic_tac_toe --first {bot}:Last --second {bot}:Last --json"
    done = CliRunner().invoke(main, ["play", *words.split()])
    data = json.loads(done.stdout)
    assert data["games"][0]["moves"] == "c3 c2 c1 b3 b2 b1 a3".split()
    assert data["first"] == f"{bot}:Last"  # which makes the same player again


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (":Nobody", "There is no class `Nobody` in {} that can `choose` a move."),
        (":key", "There is no class `key` in {} that can `choose` a move."),
        (".py:Last", "There is no file {}.py."),
    ],
)
def test_a_player_that_no_file_has_is_told_in_a_sentence(name: str, said: str, bot: str) -> None:
    with pytest.raises(PlayerError, match=re.escape(said.format(bot))):
        check_player(bot + name)


def test_a_player_who_chooses_no_move_is_at_fault(bot: str) -> None:
    task = Task("a", 0, "tic_tac_toe", f"{bot}:Talker", "random", 1)
    with pytest.raises(PlayerError, match=re.escape(f"{bot}:Talker chose 'b2'; return one of")):
        play_task(task)


def test_an_error_in_the_file_of_a_player_is_told_with_its_line(bot: str) -> None:
    """It ended in a page of what was called, hardly any of it in that file."""
    Path(bot).write_text(
        "class Bad:\n    def __init__(self, chair):\n        pass\n    def choose(self, *_):\n        1 / 0\n"
    )
    words = f"tic_tac_toe --first {bot}:Bad --second random"
    done = CliRunner().invoke(main, ["play", *words.split()])
    assert (done.exit_code, done.stderr) == (
        1,
        f"{bot}:Bad failed in line 5: ZeroDivisionError: division by zero\n",
    )
    Path(bot + ".py").write_text("class Bad\n")
    with pytest.raises(PlayerError, match=r"failed: SyntaxError: .*line 1"):
        check_player(f"{bot}.py:Bad")


def test_no_file_is_run_for_whoever_asks_the_server(bot: str) -> None:
    with pytest.raises(PlayerError, match="There is no player"):
        machine(f"{bot}:Last", "first")
    assert bot not in sys.modules


# --- processes -----------------------------------------------------------------------------


class Deadly:
    """Kills the process that unpickles it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.kill, (_Pid(), signal.SIGKILL)


class _Pid:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.getpid, ()


def test_a_game_that_ends_its_process_is_lost_alone() -> None:
    tasks, rules = list(tournament().tasks())[:5], pack("tic_tac_toe")
    jobs = [(task, pickle.dumps(Deadly()) if at == 1 else rules) for at, task in enumerate(tasks)]
    workers = Workers(2)
    outcomes = list(workers.run(jobs))
    workers.close()
    assert [outcome.task for outcome in outcomes if isinstance(outcome, Lost)] == [tasks[1]]
    games = [timeless(outcome) for outcome in outcomes if isinstance(outcome, Played)]
    assert sorted(games, key=str) == sorted(
        (timeless(play_task(*job)) for job in jobs if job[1] == rules), key=str
    )


def test_a_process_that_is_interrupted_while_it_is_started_is_told_all() -> None:
    """Otherwise it complains at the terminal, with a traceback, that it was told too little."""
    told, done = list[str](), Event()

    class Process:
        def start(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)  # which any thread may receive
            time.sleep(0.1)
            told.append("all")

    other = Thread(target=done.wait)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        start(cast("BaseProcess", Process()))
    done.set()
    other.join()
    assert told == ["all"]


def test_processes_serve_several_times() -> None:
    tasks = list(tournament().tasks())
    with Farm(2) as farm:
        games = farm.play(tasks)
        started = next(games)
        games.close()  # closing the iterator ends the games in progress
        again = sorted(farm.play(tasks), key=lambda played: tasks.index(played.task))
    assert timeless(started) in map(timeless, again)
    assert [timeless(played) for played in again] == [timeless(play_task(task)) for task in tasks]


def test_what_goes_wrong_in_a_process_is_raised_here() -> None:
    task = evolve(next(tournament().tasks()), opening=("a1", "a1"))
    with Farm(1) as farm, pytest.raises(IllegalMove) as caught:
        list(farm.play([task]))
    assert "in play_task" in caught.value.__notes__[0]


def test_without_ray_there_is_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(FarmError, match="needs Ray, which is not installed"):
        Farm(cluster="auto")


class Gone(ModuleType):
    """Ray, with a cluster that is gone as soon as it has games to play."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.started, self.cancelled = False, False
        self.exceptions = ModuleType("ray.exceptions")
        for name in "RayError NodeDiedError OutOfMemoryError WorkerCrashedError".split():
            setattr(self.exceptions, name, type(name, (Exception,), {}))

    def init(self, **_: object) -> None:
        self.started = True

    def shutdown(self) -> None:
        self.started = False

    def is_initialized(self) -> bool:
        return self.started

    def remote(self, **_: object) -> Callable[[Callable[..., Any]], SimpleNamespace]:
        return lambda function: SimpleNamespace(remote=partial(partial, function))

    def get(self, answer: Callable[[], Any]) -> Any:
        return answer()

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def wait(self, answers: list[Any]) -> Any:
        self.started = False
        raise ConnectionError("GRPC connection failed")

    def cancel(self, answer: Any, force: bool) -> None:
        self.cancelled = True


def test_a_cluster_that_goes_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Gone()
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setitem(sys.modules, "ray.exceptions", ray.exceptions)
    with (
        Farm(cluster="auto") as farm,
        pytest.raises(FarmError, match="stopped playing: GRPC connection failed"),
    ):
        list(farm.play([next(tournament().tasks())]))
    assert not ray.cancelled  # as that would start a cluster


# --- the command -----------------------------------------------------------------------------


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "interpreter", "tournament", *words]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True, timeout=120, check=False)


#: Games that take some seconds in all, none of them long.
GAMES = 120
LONG = tuple(f"ayu size=7 --players random random:1 --games {GAMES} --json --save".split())


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def children(process: subprocess.Popen[str]) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def is_gone(pid: int) -> bool:
    """Whether a process has ended, even if nobody has waited for it yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until_gone(pids: list[int]) -> None:
    wait_until(lambda: all(map(is_gone, pids)))


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="processes are looked up in /proc"
)


@contextmanager
def going(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A tournament in progress; some of its games are in the file."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command(*LONG, str(path), "--processes", "2"), stdout=pipe, stderr=pipe, text=True
    ) as process:
        before = lines(path)
        wait_until(lambda: lines(path) >= before + 8)
        yield process
        process.kill()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the tournament prints if nothing disturbs it, in one process."""
    path = tmp_path_factory.mktemp("undisturbed") / "games.jsonl"
    done = run(*LONG, str(path), "--processes", "1")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@needs_proc
def test_who_was_killed_goes_on(tmp_path: Path, undisturbed: str) -> None:
    path = tmp_path / "games.jsonl"
    for _ in range(2):
        with going(path) as process:
            workers = children(process)
            process.kill()
        assert len(workers) >= 2
        wait_until_gone(workers)
    with path.open("ab") as file:
        file.write(b'{"task": {"label": "a li')  # a line still being written
    assert 16 <= lines(path) < GAMES
    done = run(*LONG, str(path))
    assert (done.stdout, done.stderr, done.returncode) == (undisturbed, "", 0)
    assert lines(path) == 1 + GAMES
    rows = [json.loads(line)["task"] for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert len({(row["label"], row["number"]) for row in rows}) == GAMES


@needs_proc
def test_who_is_interrupted_is_told_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with going(path) as process:
        workers = children(process)
        process.send_signal(signal.SIGINT)
        output, said = process.communicate(timeout=60)
    games = lines(path) - 1
    assert (output, process.returncode) == ("", 130)
    assert said in [
        f"Interrupted after {told} of {GAMES} games; the same command goes on from there.\n"
        for told in (games, games - 1)  # it may be interrupted right after a game was written
    ]
    wait_until_gone(workers)


def test_who_is_interrupted_is_told_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, games that were not kept were lost."""

    def interrupted(standings: Standings, played: Played) -> None:
        add(standings, played)
        if standings.games == 3:
            raise KeyboardInterrupt

    add = Standings.add
    monkeypatch.setattr(Standings, "add", interrupted)
    words = "tournament tic_tac_toe --players random random:1 --games 10 --processes 1".split()
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 130
    assert "3 games, " in result.stdout
    assert "with --save FILE a second start would go on" in result.stderr


@needs_proc
def test_a_process_that_is_killed_takes_nothing_with_it(tmp_path: Path, undisturbed: str) -> None:
    with going(tmp_path / "games.jsonl") as process:
        for pid in children(process):
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
        output, said = process.communicate(timeout=120)
    assert (output, said, process.returncode) == (undisturbed, "", 0)


def test_two_at_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with going(path):
        done = run(*LONG, str(path))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"{path} is being written by somebody else; wait until it is done.\n"


def test_the_table_says_who_is_stronger(tmp_path: Path) -> None:
    done = run(*"tic_tac_toe --players random mcts:100 --games 20 --opening 0 --seed 3".split())
    assert done.returncode == 0, done.stderr
    head, first, second, ends = done.stdout.splitlines()
    assert head.split() == ["player", *"Elo low high points won drawn lost 1 2".split()]
    assert first.split()[:2] == ["1", "mcts:100"]
    assert second.split()[:2] == ["2", "random"]
    assert float(first.split()[5]) + float(second.split()[5]) == 20
    assert re.match("20 games, [0-9]+ different: wins Cross ", ends)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--players random human --games 2", "`human` cannot play here"),
        ("--players random nobody --games 2", "There is no player `nobody`"),
        ("--players random --games 2", "--players takes two or more players, each of them once."),
        ("--players random random --games 2", "--players takes two or more players, each of them once."),
        ("--players --games 2", "Missing option '--players'"),
        ("--players random random:1 --games 3", "--games is an even number: each opening is played twice."),
        ("--players random random:1", "Missing option '--games'"),
        ("--players random random:1 --games 2 --save=", "--save needs the name of a file."),
        ("--players random random:1 --games 2 --processes 2 --cluster auto", "give one."),
    ],
)
def test_wrong_commands_are_told_in_a_sentence(words: str, said: str) -> None:
    done = CliRunner().invoke(main, ["tournament", "tic_tac_toe", *words.split()])
    assert done.exit_code == 2
    assert said in done.output


@pytest.mark.parametrize(
    "words",
    [
        "ayu size=5 --players random random:1 --games 2 --seed 1",
        "ayu --players random random:1 --games 2 size=5 --seed 1",
        "--games 2 --players random random:1 --seed 1 ayu size=5",
        "ayu size=5 --players random --players random:1 --seed 1 --games 2",
    ],
)
def test_players_stand_behind_one_option(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Any]()
    monkeypatch.setattr(
        "interpreter.cli.tournament.playing", lambda use, *_: use(lambda tasks: asked.extend(tasks) or [])
    )
    assert CliRunner().invoke(main, ["tournament", *words.split()]).exit_code == 0
    assert [(task.first, task.second) for task in asked] == [("random", "random:1"), ("random:1", "random")]
    assert asked[0].options["size"] == 5


def test_json_says_what_was_asked() -> None:
    words = "tic_tac_toe --players random greedy --games 2 --seed 3 --processes 1 --json"
    done = CliRunner().invoke(main, ["tournament", *words.split()])
    data = json.loads(done.stdout)
    assert (data["seed"], data["opening"], data["most_plies"]) == (3, 2, MOST_PLIES)
    assert {row["player"] for row in data["players"]} == {"random", "greedy"}
    again = CliRunner().invoke(main, [*shlex.split(data["command"])[1:], "--json"])
    assert json.loads(again.stdout) == data


def test_a_cluster_is_shown_the_token_that_is_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.setenv(name, "")  # so that what is there in the end is undone
        monkeypatch.delenv(name)

    def mode() -> str | None:
        with pytest.raises(FarmError):
            Farm(cluster="auto")
        return os.environ.get("RAY_AUTH_MODE")

    assert mode() is None
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").touch()
    assert mode() == "token"
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    assert mode() == "disabled"


@pytest.mark.slow
def test_a_cluster_plays_the_same_games(tmp_path: Path) -> None:
    """This includes a rule file that exists only here: its rules travel."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    rules = tmp_path / "mine.game"
    rules.write_text('variant "Mine" of "Ayu"\n', encoding="utf-8")
    words = [str(rules), *"size=5 --players random random:1 mcts:20 --games 6 --json".split()]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    try:
        there = run(*words, "--cluster", cluster.address)
    finally:
        cluster.shutdown()
    here = run(*words)
    assert (there.stdout, there.returncode) == (here.stdout, 0), there.stderr
    assert len(json.loads(here.stdout)["games"]) == 18


def test_a_cluster_that_is_not_there_is_told_soon() -> None:
    pytest.importorskip("ray")
    for address, reason in [
        ("127.0.0.1:9", "Connection refused"),
        ("here", "an address is written HOST:PORT"),
    ]:
        with pytest.raises(FarmError, match=f"No Ray cluster answers at `{address}`: {reason}"):
            Farm(cluster=address)


@pytest.mark.parametrize("guarded", [False, True])
def test_a_script_without_a_guard_is_told_so(guarded: bool, tmp_path: Path) -> None:
    """Once, it was told that a process could not start, but not why."""
    script = tmp_path / "script.py"
    play = "with Farm(1) as farm: print([game.plies for game in farm.play([TASK])])"
    script.write_text(
        "from interpreter.analysis.farm import Farm\n"
        "from interpreter.analysis.games import Task\n"
        "TASK = Task('a', 0, 'tic_tac_toe', 'random:1', 'random:2', 5)\n"
        + (f"if __name__ == '__main__':\n    {play}\n" if guarded else play)
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=60
    )
    if guarded:
        assert (done.returncode, done.stdout) == (0, "[8]\n")
    else:
        assert done.returncode == 1
        assert 'must stand below `if __name__ == "__main__":`.' in done.stderr.splitlines()[-1]
