"""The server as a process: live events, what survives it, and that nobody's rules hold up others."""

from __future__ import annotations

import concurrent.futures
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import httpx
import pytest

from interpreter.game import Game
from tests.crowd import PATIENCE, Attacker, Bystander
from tests.hostile import TEXTS, sample
from tests.webserver import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as running:
        yield running


# --- live ----------------------------------------------------------------------


def test_a_move_is_seen_by_those_who_watch(server: Server) -> None:
    table = server.open(size=5)
    with table.events() as events:
        assert next(events)["event"] == "now"
        table.play("b1-b2")
        seen = next(events)
    assert (seen["event"], seen["id"], seen["ply"], seen["move"]) == ("move", "1", 1, "b1-b2")
    assert seen["view"]["to_move"] == "White"
    assert table.seats["first"] not in str(seen)


def test_it_is_told_who_is_here(server: Server) -> None:
    table = server.open(size=5)
    with table.events() as events:
        assert next(events)["presence"] == {"first": "away", "second": "away"}
        with table.events(person="second") as theirs:
            assert next(theirs)["event"] == "now"
            assert next(events)["second"] == "here"
        assert next(events) == {"event": "presence", "id": None, "first": "away", "second": "away"}


def test_an_invitation_that_was_accepted_is_spent_for_good(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        body = {"rules": {"bundled": "ayu"}, "invited": "first"}
        made = server.client.post("/api/tables", json=body).json()
        sit = f"/api/tables/{made['id']}/seat", {"invitation": made["invitation"]}
        server.kill()
        server.start()
        seat = server.client.post(sit[0], json=sit[1]).json()
        server.kill()
        server.start()
        assert server.client.post(sit[0], json=sit[1]).status_code == 403
        headers = {"Authorization": f"Bearer {seat['secret']}"}
        assert server.client.get(f"/api/tables/{made['id']}", headers=headers).json()["you"] == "first"


def test_what_was_missed_is_told_again(server: Server) -> None:
    table = server.open(size=5)
    for move in ("b1-b2", "a2-a3", "d1-d2"):
        table.play(move)
    with table.events(last="1") as events:
        missed = [next(events), next(events)]
    assert [(event["event"], event["ply"], event["move"]) for event in missed] == [
        ("move", 2, "a2-a3"),
        ("move", 3, "d1-d2"),
    ]
    assert [event["view"]["ply"] for event in missed] == [2, 3]
    with table.events(after=3) as events:
        table.act("resign", "first", 3)
        assert next(events)["event"] == "resign"


def test_who_missed_that_a_move_was_taken_back_is_told(server: Server) -> None:
    table = server.open(size=5)
    table.play("b1-b2")
    table.act("undo", "first", 1)
    assert table.act("undo", "second", 1).json()["kind"] == "undo"
    with table.events(last="1") as events:
        missed = [next(events), next(events)]
    assert [(event["event"], event["ply"], event["view"]["ply"]) for event in missed] == [
        ("ask", 1, 1),
        ("undo", 0, 0),
    ]


@pytest.mark.parametrize("last", ["99999999999999999999", "7", "none"])
def test_who_missed_what_nobody_knows_is_told_where_the_game_stands(server: Server, last: str) -> None:
    table = server.open(size=5)
    table.play("b1-b2")
    with table.events(last=last) as events:
        seen = next(events)
    assert (seen["event"], seen["ply"], seen["moves"], seen["id"]) == ("now", 1, ["b1-b2"], "1")


def test_a_machine_thinks_aloud_and_moves(server: Server) -> None:
    table = server.open("tic_tac_toe", second="mcts:300")
    with table.events(after=0) as events:
        table.play("b2")
        seen = []
        while not seen or seen[-1]["ply"] < 2:
            event = next(events)
            if event["event"] == "thought":
                assert event["person"] == "second"
            else:
                seen.append(event)
    assert [event["person"] for event in seen] == ["first", "second"]


def test_two_machines_play_while_somebody_watches(server: Server) -> None:
    table = server.open("tic_tac_toe", first="random", second="random")
    assert table.now()["ply"] == 0
    with table.events() as events:
        seen = next(event for event in events if event["view"]["result"] is not None)
    assert 5 <= seen["ply"] <= 9


def test_nobody_else_can_watch_from_another_page(server: Server) -> None:
    path = f"{server.open(size=3).path}/events"
    for headers in (
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.example"},
    ):
        assert server.client.get(path, headers=headers).status_code in (400, 403)


# --- what survives ---------------------------------------------------------------


def test_a_game_survives_the_end_of_the_server(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        table = server.open(size=5, pie=True)
        for move in ("b1-b2", "swap", "a2-a3"):
            table.play(move)
        before = table.now()
        workers = server.processes()
        server.kill()
        server.start()
        after = table.now()
        assert after == before
        assert after["moves"] == ["b1-b2", "swap", "a2-a3"]
        with table.events(last="2") as events:
            assert next(events)["moves"] == after["moves"]
        table.play(after["view"]["moves"][0]["n"])
        assert table.now()["ply"] == 4
        # No process is left behind.
        assert workers
        assert server.left(workers) == set()


def test_a_machine_goes_on_thinking_after_the_end_of_the_server(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        table = server.open(size=5, second="mcts:2s")
        table.play("b1-b2")
        time.sleep(0.3)
        server.kill()
        server.start()
        assert table.now()["moves"][:1] == ["b1-b2"]
        with table.events(after=1) as events:
            answer = next(event for event in events if event["event"] == "move")
        assert (answer["ply"], answer["person"]) == (2, "second")
        assert Game.load("ayu", size=5).start().play("b1-b2").play(answer["move"]).ply == 2


def test_it_ends_at_once_though_somebody_watches(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        table = server.open(size=5, first="mcts:20s")
        with table.events() as events:
            next(events)
            begin = time.monotonic()
            assert server.stop() == 130
            assert time.monotonic() - begin < 10


#: A server that is asked twice to end, and says whether it does and whether that is cut short.
TWICE = """
import signal
import uvicorn
from interpreter.cli import main

def run(server, sockets):
    for _ in range(2):
        server.handle_exit(signal.SIGINT, None)
    print(server.should_exit, server.force_exit)

uvicorn.Server.run = run
main()
"""


def test_it_ends_in_one_way_however_often_that_is_asked(tmp_path: Path) -> None:
    """Once, a second ^C cut its shutdown short, which gave a traceback."""
    command = [sys.executable, "-c", TWICE, "serve", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    asked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (asked.stdout, asked.stderr) == ("True False\n", "")


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    with Server(tmp_path):
        command = [sys.executable, "-m", "interpreter", "serve", "--no-browser", "--port", "0"]
        second = subprocess.run(
            [*command, "--data", str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
        )
    assert second.returncode == 1
    assert "Another server" in second.stderr


def test_a_port_that_is_taken_is_told_in_a_sentence(server: Server, tmp_path: Path) -> None:
    port = server.address.rpartition(":")[2]
    command = [
        sys.executable,
        "-m",
        "interpreter",
        "serve",
        "--no-browser",
        "--port",
        port,
        "--data",
        str(tmp_path),
    ]
    second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode == 1
    assert len(second.stderr.strip().splitlines()) == 1


# --- several at once ---------------------------------------------------------------


def test_of_moves_at_once_one_is_made(server: Server) -> None:
    table = server.open(size=5)

    def post(move: str) -> int:
        with httpx.Client(base_url=server.address, timeout=60) as client:
            body = {"ply": 0, "move": move}
            return client.post(f"{table.path}/moves", json=body, headers=table.headers("first")).status_code

    moves = [move["n"] for move in table.now()["view"]["moves"]][:8] * 2
    with concurrent.futures.ThreadPoolExecutor(16) as people:
        answers = sorted(people.map(post, moves))
    assert answers == [200] + [409] * (len(moves) - 1)
    assert table.now()["ply"] == 1


@pytest.mark.parametrize(
    ("texts", "seconds"),
    [(sample(1), 8.0), pytest.param(TEXTS, 3600.0, marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_hostile_rules_hold_up_nobody(
    texts: dict[str, str], seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six clients do all that can be done with them; meanwhile another one looks, checks and plays."""
    monkeypatch.setenv("GDL_ENGINE", "native")
    waiting = SimpleQueue[str]()
    for text in texts.values():
        waiting.put(text)
    with Server(tmp_path, "--no-limits") as server, concurrent.futures.ThreadPoolExecutor() as pool:
        attackers = [Attacker(server, f"127.0.0.{number}") for number in range(3, 9)]
        with Bystander(server) as bystander:
            attacks = [pool.submit(attacker.go_on, waiting) for attacker in attackers]
            concurrent.futures.wait(attacks, seconds)
        server.kill()
    answers = sum((attacker.answers for attacker in attackers), Counter[tuple[str, int]]())
    said = f"slowest of {bystander.rounds} rounds: {bystander.slowest:.2f} s; {dict(answers)}"
    for attack in attacks:
        attack.result()
    assert bystander.slowest < PATIENCE, said
    assert {status for _, status in answers} <= {200, 201, 404, 409, 413, 422, 503}, said
    assert answers["check", 200] > 5, said


def test_workers_have_limits(server: Server) -> None:
    """According to the system, for the processes of the server."""
    server.open()  # so that there are some
    workers = server.workers()
    assert workers
    for worker in workers:
        end = time.monotonic() + 20
        while resource.prlimit(worker, resource.RLIMIT_AS)[0] < 0 and time.monotonic() < end:
            time.sleep(0.1)  # it has not started working
        assert 0 < resource.prlimit(worker, resource.RLIMIT_AS)[0] <= 3000 << 20
        assert resource.prlimit(worker, resource.RLIMIT_CORE) == (0, 0)
