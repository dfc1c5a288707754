"""Games continued at a table, records read, and analyses, as the server answers them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interpreter.record import Record
from interpreter.web import analyses, study
from interpreter.web.analyses import Analyses
from interpreter.web.app import create
from interpreter.web.denied import Denied
from interpreter.web.desk import answer
from interpreter.web.hall import Settings
from interpreter.web.store import File, Store
from interpreter.web.workers import Crowded, Lane, Limits, Refused

Json = dict[str, Any]

#: Ayu on 3 by 3 points. By hand: after Black's b1-b2 and White's a2-a1, Black cannot move and has won.
AYU = {"rules": {"bundled": "ayu"}, "options": {"size": 3}}
WHOLE = ["b1-b2", "a2-a1"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(tmp_path_factory.mktemp("data"), limited=False)
    with TestClient(create(settings), "http://localhost") as running:
        yield running


@pytest.fixture
def client(server: TestClient) -> TestClient:
    server.cookies.clear()
    return server


def opened(client: TestClient, **more: Any) -> Json:
    """A table with its secrets."""
    answer = client.post("/api/tables", json={**AYU, **more})
    assert answer.status_code == 201, answer.text
    made: Json = answer.json()
    return {**client.get(f"/api/tables/{made['id']}").json(), "seats": made["seats"]}


# --- tables with moves -----------------------------------------------------------


def test_a_game_goes_on_from_a_position(client: TestClient) -> None:
    table = opened(client, moves=["B1 b2"])  # as a person may type it
    assert (table["moves"], table["ply"], table["view"]["to_move"]) == (["b1-b2"], 1, "White")
    path = f"/api/tables/{table['id']}"
    assert client.get(f"{path}/plies/0").json()["to_move"] == "Black"
    bearer = {"Authorization": f"Bearer {table['seats']['second']}"}
    answer = client.post(f"{path}/moves", json={"ply": 1, "move": "a2-a1"}, headers=bearer)
    assert answer.json() == {"number": 2, "kind": "move", "ply": 2, "move": "a2-a1"}
    assert client.get(path).json()["view"]["result"]["winner"] == "Black"


def test_what_was_made_before_can_be_taken_back(client: TestClient) -> None:
    table = opened(client, moves=["b1-b2"])
    for person in ("first", "second"):
        bearer = {"Authorization": f"Bearer {table['seats'][person]}"}
        answer = client.post(f"/api/tables/{table['id']}/undo", json={"ply": 1}, headers=bearer)
    assert answer.json()["ply"] == 0


def test_a_machine_goes_on(client: TestClient) -> None:
    table = opened(client, moves=["b1-b2"], second="random")
    end = time.monotonic() + 30
    while client.get(f"/api/tables/{table['id']}").json()["ply"] < 2:
        assert time.monotonic() < end
        time.sleep(0.1)


def test_games_that_are_over(client: TestClient) -> None:
    assert opened(client, moves=WHOLE)["view"]["result"]["winner"] == "Black"
    given_up = opened(client, moves=["b1-b2"], resigned=True)
    assert given_up["view"]["result"] == {
        "winner": "Black",
        "person": "first",
        "reason": "resign",
        "scores": None,
    }
    assert given_up["record"].rstrip().endswith("resign")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"moves": ["b1-b2", "zz"]}, "Move 2: `zz` is no move"),
        ({"moves": [*WHOLE, "a1-a2"]}, "Move 3: `a1-a2` cannot be played: the game is over"),
        ({"moves": WHOLE, "resigned": True}, "The game is over, nobody can give up."),
        ({"moves": ["b1-b2"] * 2001}, "moves:"),
        ({"rules": {"table": "nothing"}}, "There is no such table."),
    ],
)
def test_games_that_cannot_go_on(client: TestClient, more: Json, says: str) -> None:
    answer = client.post("/api/tables", json={**AYU, **more})
    assert answer.status_code in (404, 422)
    assert answer.json()["detail"].startswith(says)


def test_a_table_has_the_rules_of_another(client: TestClient) -> None:
    """Playing on from a game with somebody's own rules needs none of their files."""
    client.post("/api/files", json={"name": "Base", "text": 'variant "Base" of "Ayu"\n"B."\n'})
    text = 'variant "Top" of "Base"\n"T."\noption size: 3..5 step 2 = 5\n'
    mine = opened(client, rules={"text": text}, options={"size": 3})
    client.cookies.clear()
    theirs = opened(client, rules={"table": mine["id"]}, options=mine["options"], moves=["b1-b2"])
    assert (theirs["title"], theirs["ply"], len(theirs["board"]["sites"])) == ("Top", 1, 9)


# --- records ---------------------------------------------------------------------


def read(client: TestClient, *records: Record | str) -> list[Json]:
    text = "\n".join(map(str, records))
    answer = client.post("/api/records", json={"text": text})
    assert answer.status_code == 200, answer.text
    found: list[Json] = answer.json()
    return found


def test_records_are_read_and_opened(client: TestClient) -> None:
    whole = Record("Ayu", "Black", tuple(WHOLE), options={"size": 3}, first="Ann", second="Bob")
    given_up = Record("Ayu", "White", ("b1-b2", "a2-a3"), resigned=True, options={"size": 5, "pie": False})
    one, other = read(client, whole, given_up)
    assert (one["game"], one["rules"], one["options"]) == ("Ayu", {"bundled": "ayu"}, {"size": 3})
    assert (one["first"], one["second"], one["result"], one["fault"]) == ("Ann", "Bob", "Black", None)
    for found, moves in ((one, WHOLE), (other, ["b1-b2", "a2-a3"])):
        asked = {name: found[name] for name in ("rules", "options", "moves", "resigned")}
        table = opened(client, **asked)
        assert (table["moves"], table["view"]["result"]["winner"]) == (moves, found["result"])


def test_what_the_server_writes_it_reads(client: TestClient) -> None:
    table = opened(client, moves=["b1-b2"])
    (found,) = read(client, table["record"].replace("\n", "\r\n"))
    assert (found["moves"], found["options"], found["result"]) == (["b1-b2"], table["options"], "*")


def test_a_record_of_rules_of_ones_own(client: TestClient) -> None:
    file = client.post("/api/files", json={"name": "My Ayu", "text": 'variant "My Ayu" of "Ayu"\n"M."\n'})
    named, filed = read(client, Record("My Ayu", "*"), Record("X", "*", file="games\\my_ayu.game"))
    assert named["rules"] == filed["rules"] == {"file": file.json()["id"]}
    client.cookies.clear()  # no other browser has it
    (found,) = read(client, Record("My Ayu", "*"))
    assert found["fault"] == "No game here and no rule file of yours is called “My Ayu”."


def test_rules_of_ones_own_are_known_by_their_title(client: TestClient) -> None:
    other = client.post("/api/files", json={"name": "Corner", "text": 'variant "Edge" of "Ayu"\n"E."\n'})
    file = client.post("/api/files", json={"name": "My Game", "text": 'variant "Corner" of "Ayu"\n"C."\n'})
    (found,) = read(client, Record("Corner", "*"))
    assert found["rules"] == {"file": file.json()["id"]}
    (found,) = read(client, Record("Edge", "*"))
    assert found["rules"] == {"file": other.json()["id"]}
    checked = client.post("/api/check", json={"text": 'variant "Far Corner" of "Corner"\n"F."\n'}).json()
    assert (checked["ok"], checked["game"]["title"]) == (True, "Far Corner")


def test_a_file_is_looked_into_once_however_many_records_there_are(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, all of an owner's files were read for each record, while everybody else waited for seconds."""
    looked = list[tuple[str, int | None]]()
    read_file = Store.file

    def file(store: Store, owner: bytes, file: str, version: int | None = None) -> File | None:
        looked.append((file, version))
        return read_file(store, owner, file, version)

    made = []
    for number in range(3):
        body = {"name": f"File {number}", "text": f'variant "Title {number}" of "Ayu"\n"T."\n'}
        made.append(client.post("/api/files", json=body).json()["id"])
    monkeypatch.setattr(Store, "file", file)
    for _ in range(2):
        found = read(client, *[Record(f"Title {number % 4}", "*") for number in range(20)])
        assert [record["rules"] for record in found[:4]] == [*({"file": name} for name in made), None]
    client.post("/api/check", json={"text": 'variant "X" of "Nothing"\n"X."\n'})
    assert sorted(looked) == sorted((name, 1) for name in made)
    client.post("/api/check", json={"text": 'variant "X" of "Title 1"\n"X."\n'})
    assert looked[3:] == [(made[1], None)]  # the one whose text is needed


def test_the_title_of_the_newest_version_counts(client: TestClient) -> None:
    body = {"name": "Any", "text": 'variant "Early" of "Ayu"\n"E."\n'}
    file = client.post("/api/files", json=body).json()["id"]
    assert [found["rules"] for found in read(client, Record("Early", "*"))] == [{"file": file}]
    client.put(f"/api/files/{file}", json={"text": 'variant "Late" of "Ayu"\n"L."\n'})
    found = read(client, Record("Early", "*"), Record("Late", "*"), Record("Any", "*"))
    assert [record["rules"] for record in found] == [None, {"file": file}, {"file": file}]


def test_a_record_names_the_rules_that_are_not_here(client: TestClient) -> None:
    own = 'variant "Ayu" of "Small"\n"A."\n'
    client.post("/api/files", json={"name": "S", "text": 'variant "Small" of "Tic-tac-toe"\n"S."\n'})
    file = client.post("/api/files", json={"name": "Mine", "text": own}).json()["id"]
    table = opened(client, rules={"file": file}, options={}, moves=["b2"])
    assert '[File "ayu.game"]' in table["record"]
    assert list(table["rules"]["files"]) == ["ayu.game", "small.game"]
    assert table["rules"]["files"]["ayu.game"] == table["rules"]["text"] == own
    (found,) = read(client, table["record"])
    assert found["rules"] == {"file": file}  # not the bundled game of this title
    assert "File" not in opened(client)["record"]


def test_a_base_at_fault(client: TestClient) -> None:
    client.post("/api/files", json={"name": "Broken", "text": 'variant "Broken" of "Ayu"\n"B."\nnonsense\n'})
    checked = client.post("/api/check", json={"text": 'variant "Whole" of "Broken"\n"W."\n'}).json()
    (fault,) = checked["diagnostics"]
    assert (fault["file"], fault["line"]) == ("broken.game", 3)


def test_no_base(client: TestClient) -> None:
    checked = client.post("/api/check", json={"text": 'variant "My Nothing" of "Nothing"\n"N."\n'}).json()
    (fault,) = checked["diagnostics"]
    assert fault["message"] == "there is no game “Nothing”"
    assert (
        fault["hint"] == "a base is one of the games here, or a rule file of yours, by the title of its game"
    )


def test_what_is_no_record(client: TestClient) -> None:
    assert read(client, "") == []
    assert "no result" in read(client, '[Game "Ayu"]\n')[0]["fault"]
    assert "starts with its tag" in read(client, "e2-e4")[0]["fault"]
    assert "more than 2,000 moves" in read(client, Record("Ayu", "*", ("pass",) * 2001))[0]["fault"]


# --- the standard layout -----------------------------------------------------------


def test_a_text_is_formatted(client: TestClient) -> None:
    answer = client.post("/api/format", json={"text": "option  size:3..5=3\n\n\nturn:\n  pass\n%%"})
    assert answer.json()["text"].startswith("option size: 3..5 = 3\n\nturn:\n    pass\n")
    assert answer.json()["text"].rstrip().endswith("%%")


# --- analyses --------------------------------------------------------------------


def test_a_text_is_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    """On 3 by 3 points all games of Ayu are two moves long and won by Black (see above, by symmetry)."""
    monkeypatch.setattr(study, "GAMES", 4)
    monkeypatch.setattr(study, "LOOKING", 0.5)
    seen = list[Json]()
    rules = {"text": 'variant "Small <b>" of "Ayu"\n"A."\noption size: 3..5 step 2 = 5\n'}
    found = answer({"do": "analyse", "rules": rules, "options": {"size": 3}}, seen.append)["answer"]
    assert found["title"] == "Small <b>"
    assert found["sentences"][0].startswith("The first person wins 100%")
    assert "Small &lt;b&gt;" in found["page"]
    assert "Small <b>" not in found["page"]
    assert "gdl analyse small_b.game size=3" in found["page"]
    done = [news["done"] for news in seen]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, 0.8)
    assert seen[1]["says"] == "1 game played."


def test_an_analysis_and_its_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(lane: Lane, request: Json, *, client: str, watch: Any) -> Json:
        assert request["rules"] == {"bundled": "ayu"}
        watch({"done": 0.5, "says": "1 game played."})
        return {"title": "Ayu", "sentences": ["It is fair."], "page": "<h1>Ayu</h1>"}

    monkeypatch.setattr(Lane, "ask", ask)
    text = client.post("/api/analyses", json=AYU).text
    events = [part.split("\n") for part in text.strip().split("\n\n")]
    assert [name for name, _ in events] == ["event: progress"] * 2 + ["event: report"]
    report = json.loads(events[-1][1].removeprefix("data: "))
    assert report["sentences"] == ["It is fair."]
    page = client.get(f"/api/analyses/{report['page']}")
    assert (page.text, page.headers["content-type"]) == ("<h1>Ayu</h1>", "text/html; charset=utf-8")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "script" not in policy
    assert client.get("/api/analyses/nothing").status_code == 404
    assert client.post("/api/analyses", json={"rules": {"file": "nothing"}}).status_code == 404


def test_rules_that_cannot_be_analysed(client: TestClient) -> None:
    answer = client.post("/api/analyses", json={"rules": {"text": 'game "X"\n"x"\n'}})
    assert "event: trouble" in answer.text
    assert "Line 1" in answer.text


def test_one_analysis_of_a_client_at_a_time_and_none_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        ended = list[str]()

        class Endless(Lane):
            async def ask(self, request: Json, *, client: str, **more: Any) -> Any:
                if client == "refused":
                    raise Refused("work", "Too much.")
                try:
                    await asyncio.sleep(60)
                finally:
                    ended.append(client)

        running = Analyses(Endless(Limits(1, 0, 100, 0, 1.0)))
        monkeypatch.setattr(analyses, "WAITING", 2)
        first = await running.start("a", {}, {})
        monkeypatch.setattr(analyses, "ENDING", 0.01)
        with pytest.raises(Denied, match="one at a time"):
            await running.start("a", {}, {})  # though nobody has read the messages of the first
        second = await running.start("b", {}, {})
        with pytest.raises(Crowded):
            await running.start("c", {}, {})
        await anext(second)
        await anext(first)
        monkeypatch.setattr(analyses, "ENDING", 30)
        again = asyncio.create_task(running.start("a", {}, {}))
        await asyncio.sleep(0)
        await first.aclose()  # the page was closed, which is noticed only after the next request
        assert ended == ["a"]
        next_one = await again
        await anext(next_one)
        await next_one.aclose()
        said = [message async for message in await running.start("refused", {}, {})]
        assert said[-1] == 'event: trouble\ndata: {"says":"Too much."}\n\n'

    asyncio.run(check())


def test_the_oldest_reports_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ready(Lane):
        async def ask(self, request: Json, **more: Any) -> Any:
            return {"page": request["rules"]["text"]}

    async def check() -> None:
        running = Analyses(Ready(Limits(1, 0, 100, 0, 1.0)))
        monkeypatch.setattr(analyses, "KEPT", 2)
        names = []
        for text in "abc":
            *_, last = [message async for message in await running.start("x", {"text": text}, {})]
            names.append(json.loads(last.split("data: ")[1])["page"])
        assert [running.page(name) for name in names[1:]] == ["b", "c"]
        with pytest.raises(Denied, match="no such report"):
            running.page(names[0])

    asyncio.run(check())


# --- boards that wrap ------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "around"), [("toroidal_go", [11, 11]), ("cylinder_connect_four", [7, 0]), ("ayu", [0, 0])]
)
def test_boards_say_where_they_begin_again(client: TestClient, game: str, around: list[int]) -> None:
    assert client.post("/api/preview", json={"rules": {"bundled": game}}).json()["board"]["around"] == around


def test_a_file_of_data(tmp_path: Path) -> None:
    """A table opened with moves is the same after a restart."""
    with TestClient(create(Settings(tmp_path, limited=False)), "http://localhost") as client:
        table = opened(client, moves=["b1-b2"], resigned=True)
    with TestClient(create(Settings(tmp_path, limited=False)), "http://localhost") as client:
        again = client.get(f"/api/tables/{table['id']}").json()
    assert {**again, "seats": table["seats"]} == table
