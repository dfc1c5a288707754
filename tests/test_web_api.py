"""The answers of the server: games, rule files, tables, and who may do what."""

from __future__ import annotations

import base64
import re
import sqlite3
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from gdl import library
from gdl.boards import BOARDS
from gdl.builtins import AGGREGATES
from gdl.names import FUNCTION_WORDS, VALUE_WORDS
from gdl.words import RESERVED
from interpreter.game import Game
from interpreter.record import Record, parse
from interpreter.web.app import create
from interpreter.web.gallery import _program
from interpreter.web.hall import DATABASE, Settings
from interpreter.web.store import Store
from interpreter.web.workers import Crowded, Lane, Refused

Json = dict[str, Any]

CORNERS = """\
variant "Small Ayu" of "Ayu"
"Ayu without its pie rule."

without option pie
without pie rule
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[TestClient]:
    with TestClient(create(Settings(data, limited=False)), "http://localhost") as running:
        yield running


@pytest.fixture
def client(server: TestClient) -> TestClient:
    server.cookies.clear()
    return server


def open_table(client: TestClient, game: str = "ayu", **more: Any) -> tuple[str, Json]:
    """The path of a new table, and the secrets of its seats."""
    options = more.pop("options", {"size": 5} if game == "ayu" else {})
    answer = client.post("/api/tables", json={"rules": {"bundled": game}, "options": options, **more})
    assert answer.status_code == 201, answer.text
    return f"/api/tables/{answer.json()['id']}", answer.json()["seats"]


def bearer(secret: str | None) -> dict[str, str]:
    return {} if secret is None else {"Authorization": f"Bearer {secret}"}


def act(
    client: TestClient, path: str, secret: str | None, ply: int, move: str | None = None
) -> tuple[int, Json]:
    body = {"ply": ply} if move is None else {"ply": ply, "move": move}
    answer = client.post(path, json=body, headers=bearer(secret))
    return answer.status_code, answer.json()


# --- rules ---------------------------------------------------------------------


def test_all_bundled_games_are_in_the_gallery(client: TestClient) -> None:
    games = {game["name"]: game for game in client.get("/api/games").json()}
    assert sorted(games) == library.bundled()
    assert games["ayu"]["designer"] == "Luis Bolaños Mures"
    picture = client.get(games["hex"]["thumbnail"])
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    assert client.get("/api/games/nothing.svg").status_code == 404
    assert client.get("/api/games/ayu").json()["text"] == library.read("ayu").text


def test_words_for_the_editor(client: TestClient) -> None:
    words = {(word["word"], word["kind"]): word for word in client.get("/api/words").json()}
    assert words["steps", "function"]["form"] == "steps(set, set, through: set): int"
    assert words["mine", "value"]["doc"] == "The sites with a piece of the mover."
    assert words["choose", "statement"]["form"] == "choose NAME in SITES where CONDITION"


def test_the_words_for_the_editor_are_all(client: TestClient) -> None:
    """Each word of the grammar is listed or in the form of another; so are built-in and reserved words."""
    listed = client.get("/api/words").json()
    words = {word["word"] for word in listed}
    directions = {word for kind in BOARDS.values() for word in (*kind.directions, *kind.direction_sets)}
    assert VALUE_WORDS | FUNCTION_WORDS | RESERVED | directions <= words
    many = {word["word"] for word in listed if " for NAME in " in word["form"] and word["kind"] == "function"}
    assert many == set(AGGREGATES)
    grammar = (files("gdl") / "grammar.lark").read_text(encoding="utf-8")
    forms = " ".join(f"{word['word']} {word['form']}" for word in listed)
    assert set(re.findall(r'"([a-z]+)"', grammar)) <= set(re.findall(r"[a-z]+", forms))


def test_check_and_preview(client: TestClient) -> None:
    assert client.post("/api/check", json={"text": CORNERS}).json()["ok"]
    seen = client.post(
        "/api/preview", json={"rules": {"text": CORNERS}, "options": {"size": 3}, "moves": ["b1-b2"]}
    )
    assert seen.json()["view"]["to_move"] == "White"
    wrong = client.post("/api/preview", json={"rules": {"text": "game"}})
    assert wrong.status_code == 422
    assert wrong.json()["detail"].startswith("Line 1: ")


# --- tables ----------------------------------------------------------------------


def test_a_whole_game_and_its_record(client: TestClient) -> None:
    path, seats = open_table(client, options={"size": 3})
    assert act(client, f"{path}/moves", seats["first"], 0, "B1 B2")[1] == {
        "number": 1,
        "kind": "move",
        "ply": 1,
        "move": "b1-b2",
    }
    assert act(client, f"{path}/moves", seats["second"], 1, "a2-a1")[0] == 200
    table = client.get(path).json()
    assert table["view"]["result"]["winner"] == "Black"
    (record,) = parse(table["record"])
    assert isinstance(record, Record)
    assert (record.result, record.moves) == ("Black", ("b1-b2", "a2-a1"))
    assert act(client, f"{path}/moves", seats["first"], 2, "b2-b1")[0] == 409
    assert client.get(f"{path}/plies/1").json()["to_move"] == "White"
    assert client.get(f"{path}/plies/0/picture").text.startswith("<svg")
    assert client.get(f"{path}/plies/3").status_code == 404


def test_who_may_move(client: TestClient) -> None:
    path, seats = open_table(client)
    other, others = open_table(client)
    for secret in (None, "", "x", others["first"], seats["first"][:-1], seats["first"] + "A"):
        assert act(client, f"{path}/moves", secret, 0, "b1-b2")[0] == 403
        assert act(client, f"{path}/resign", secret, 0)[0] == 403
        assert act(client, f"{path}/undo", secret, 0)[0] == 403
        assert act(client, f"{path}/hint", secret, 0)[0] == 403
    assert act(client, f"{path}/moves", seats["second"], 0, "b1-b2")[0] == 403
    assert act(client, f"{path}/moves", seats["first"], 1, "b1-b2")[0] == 409
    status, said = act(client, f"{path}/moves", seats["first"], 0, "b1-b5")
    assert (status, "not legal" in said["detail"], "\n" in said["detail"]) == (422, True, False)
    assert client.get(path).json()["ply"] == client.get(other).json()["ply"] == 0
    assert act(client, "/api/tables/nothing/moves", seats["first"], 0, "b1-b2")[0] == 404


def test_the_side_that_was_swapped_moves(client: TestClient) -> None:
    """After the swap the first person has White, whose turn it is."""
    path, seats = open_table(client, options={"size": 5, "pie": True})
    act(client, f"{path}/moves", seats["first"], 0, "b1-b2")
    act(client, f"{path}/moves", seats["second"], 1, "swap")
    view = client.get(path).json()["view"]
    assert (view["to_move"], view["person"], view["seats"]["White"]) == ("White", "first", "first")
    assert act(client, f"{path}/moves", seats["second"], 2, "a2-a3")[0] == 403
    assert act(client, f"{path}/moves", seats["first"], 2, "a2-a3")[0] == 200


def test_secrets_are_told_once_and_stored_hashed(client: TestClient, data: Path) -> None:
    path, seats = open_table(client)
    _, more = open_table(client)
    secrets = [*seats.values(), *more.values()]
    assert len(set(secrets)) == 4
    assert all(len(base64.urlsafe_b64decode(secret)) * 8 == 192 for secret in secrets)
    assert client.get(path, headers=bearer(seats["second"])).json()["you"] == "second"
    table = client.get(path)
    assert table.json()["you"] is None
    assert not any(secret in table.text for secret in secrets)
    stored = b"".join(file.read_bytes() for file in data.glob("gdl.sqlite*"))
    assert not any(secret.encode() in stored for secret in secrets)


def test_who_accepts_the_invitation_first_has_the_seat(client: TestClient, data: Path) -> None:
    asked = {"rules": {"bundled": "ayu"}, "options": {"size": 3}, "invited": "second"}
    made = client.post("/api/tables", json=asked).json()
    path, seats, invitation = f"/api/tables/{made['id']}", made["seats"], made["invitation"]
    assert seats["second"] is None
    assert client.get(path).json()["presence"] == {"first": "away", "second": "awaited"}
    assert act(client, f"{path}/moves", seats["first"], 0, "b1-b2")[0] == 200
    assert act(client, f"{path}/moves", invitation, 1, "a2-a1")[0] == 403  # it is not the secret of a seat
    for wrong in ("", invitation[:-1], seats["first"]):
        assert client.post(f"{path}/seat", json={"invitation": wrong}).status_code == 403
    seat = client.post(f"{path}/seat", json={"invitation": invitation}).json()
    assert seat["person"] == "second"
    assert invitation != seat["secret"]
    assert client.get(path).json()["presence"] == {"first": "away", "second": "away"}
    late = client.post(f"{path}/seat", json={"invitation": invitation})
    assert late.status_code == 403
    assert late.json()["detail"] == "This invitation has been accepted already."
    stored = b"".join(file.read_bytes() for file in data.glob("gdl.sqlite*"))
    assert not any(secret.encode() in stored for secret in (invitation, seat["secret"]))
    assert act(client, f"{path}/moves", seat["secret"], 1, "a2-a1")[0] == 200


def test_a_machine_is_not_invited(client: TestClient) -> None:
    asked = {"rules": {"bundled": "ayu"}, "second": "random", "invited": "second"}
    assert client.post("/api/tables", json=asked).status_code == 409
    path, _ = open_table(client)
    assert client.post(f"{path}/seat", json={"invitation": ""}).status_code == 403


def test_the_same_people_play_again_with_sides_changed(client: TestClient) -> None:
    path, seats = open_table(client)
    assert client.post(f"{path}/again", headers=bearer(seats["first"])).status_code == 409
    act(client, f"{path}/resign", seats["first"], 0)
    assert client.post(f"{path}/again").status_code == 403
    ids = {client.post(f"{path}/again", headers=bearer(secret)).json()["id"] for secret in seats.values()}
    assert ids == {client.get(path).json()["next"]}
    other = f"/api/tables/{ids.pop()}"
    table = client.get(other, headers=bearer(seats["first"])).json()
    assert (table["you"], table["ply"], table["options"]["size"]) == ("second", 0, 5)
    assert act(client, f"{other}/moves", seats["second"], 0, "b1-b2")[0] == 200


def test_nobody_plays_again_with_somebody_who_never_came(client: TestClient) -> None:
    made = client.post("/api/tables", json={"rules": {"bundled": "ayu"}, "invited": "second"}).json()
    path, secret = f"/api/tables/{made['id']}", made["seats"]["first"]
    act(client, f"{path}/resign", secret, 0)
    assert client.post(f"{path}/again", headers=bearer(secret)).status_code == 409


def test_it_is_known_who_made_each_move(client: TestClient) -> None:
    """Sowing that ends in one's own store earns another move: in Kalah, c1 with its four seeds does."""
    path, seats = open_table(client, "kalah")
    view = client.get(path).json()["view"]
    for ply in range(3):
        move = view["moves"][2]["n"] if ply == 0 else view["moves"][0]["n"]
        act(client, f"{path}/moves", seats[view["person"]], ply, move)
        view = client.get(path).json()["view"]
    table = client.get(path).json()
    turns = [client.get(f"{path}/plies/{ply}").json()["person"] for ply in range(3)]
    assert table["movers"] == turns
    assert turns[:2] == ["first", "first"]


def test_a_move_is_named_by_where_its_pieces_go(client: TestClient) -> None:
    """Castling is chosen by the rook, but also named by the king's way from e1 to g1."""
    path, _ = open_table(client, "chess", moves=["e2-e4", "e7-e5", "g1-f3", "g8-f6", "f1-c4", "f8-c5"])
    view = client.get(path).json()["view"]
    (castling,) = (move for move in view["moves"] if "goes" in move)
    assert (castling["n"], castling["goes"]) == ("O-O", [["e1", "g1"], ["h1", "f1"]])


@pytest.mark.parametrize(
    ("game", "above"), [("chess", "Black"), ("surakarta", "White"), ("go", None), ("lines_of_action", None)]
)
def test_whose_pieces_face_each_other(client: TestClient, game: str, above: str | None) -> None:
    path, _ = open_table(client, game)
    assert client.get(path).json()["above"] == above


@pytest.mark.parametrize(
    ("game", "falls"),
    [("connect_four", True), ("tic_tac_toe", False), ("breakthrough", False), ("oware", False)],
)
def test_where_pieces_fall_into_columns(client: TestClient, game: str, falls: bool) -> None:
    path, _ = open_table(client, game)
    assert client.get(path).json()["board"]["falls"] == falls


def test_seeds_in_ones_own_pits_are_no_score_yet(client: TestClient) -> None:
    path, _ = open_table(client, "oware")
    view = client.get(path).json()["view"]
    assert (view["stores"], view["scores"]) == ({"South": 0, "North": 0}, None)


def test_numbers_have_the_name_that_the_rules_give(client: TestClient) -> None:
    path, _ = open_table(client, "squared_egotzi")
    assert client.get(path).json()["board"]["number"] == "points"


def test_taking_back_is_declined_or_asked_no_more(client: TestClient) -> None:
    path, seats = open_table(client)
    assert act(client, f"{path}/decline", seats["first"], 0)[1]["kind"] == "decline"  # not now
    act(client, f"{path}/moves", seats["first"], 0, "b1-b2")
    assert act(client, f"{path}/decline", seats["first"], 1)[0] == 409
    for person in ("second", "first"):
        act(client, f"{path}/undo", seats["first"], 1)
        assert act(client, f"{path}/decline", seats[person], 1)[1]["kind"] == "decline"
        table = client.get(path).json()
        assert (table["ply"], table["asked"]) == (1, None)


def test_people_take_back_when_both_agree(client: TestClient) -> None:
    path, seats = open_table(client)
    assert act(client, f"{path}/undo", seats["first"], 0)[0] == 409
    act(client, f"{path}/moves", seats["first"], 0, "b1-b2")
    act(client, f"{path}/moves", seats["second"], 1, "a2-a3")
    assert act(client, f"{path}/undo", seats["first"], 2)[1]["kind"] == "ask"
    assert act(client, f"{path}/undo", seats["first"], 2)[0] == 409
    assert client.get(path).json()["asked"] == "first"
    assert act(client, f"{path}/undo", seats["second"], 2)[1]["ply"] == 0
    table = client.get(path).json()
    assert (table["ply"], table["moves"], table["asked"]) == (0, [], None)
    assert act(client, f"{path}/moves", seats["first"], 0, "d1-d2")[0] == 200


def test_a_move_is_an_answer_to_who_asks_to_take_back(client: TestClient) -> None:
    path, seats = open_table(client)
    act(client, f"{path}/moves", seats["first"], 0, "b1-b2")
    act(client, f"{path}/undo", seats["first"], 1)
    act(client, f"{path}/moves", seats["second"], 1, "a2-a3")
    assert client.get(path).json()["asked"] is None


def test_a_machine_gives_back_at_once(client: TestClient) -> None:
    """Even while it thinks: it stops, and the move that it would have made never comes."""
    path, seats = open_table(client, second="mcts:20s")
    assert seats["second"] is None
    act(client, f"{path}/moves", seats["first"], 0, "b1-b2")
    assert act(client, f"{path}/undo", seats["first"], 1)[1]["ply"] == 0
    assert act(client, f"{path}/moves", seats["first"], 0, "d1-d2")[0] == 200
    assert act(client, f"{path}/resign", seats["first"], 1)[0] == 200
    table = client.get(path).json()
    assert table["moves"] == ["d1-d2"]
    assert table["view"]["result"] == {
        "winner": "White",
        "person": "second",
        "reason": "resign",
        "scores": None,
    }
    assert table["view"]["moves"] == []
    assert act(client, f"{path}/undo", seats["first"], 1)[0] == 409


def test_a_machine_that_fails_moves_at_random_and_that_is_said(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        async def ask(self, *_: Any, **__: Any) -> None:
            raise Refused("work", "It is tired.")

    monkeypatch.setattr(client.app.state.hall.tables, "slow", Broken())  # type: ignore[attr-defined]
    path, _ = open_table(client, "tic_tac_toe", first="mcts:1s")
    end = time.monotonic() + 20
    while client.get(path).json()["ply"] == 0 and time.monotonic() < end:
        time.sleep(0.05)
    (event,) = client.app.state.hall.store.events(path.rpartition("/")[2])  # type: ignore[attr-defined]
    assert event.move in {move.notation for move in Game.load("tic_tac_toe").start().legal_moves}
    assert event.note == "mcts:1s could not move, a random move was made for it: It is tired."


def test_a_hint_is_for_whose_turn_it_is(client: TestClient) -> None:
    path, seats = open_table(client, "tic_tac_toe")
    assert act(client, f"{path}/hint", seats["second"], 0)[0] == 403
    status, hint = act(client, f"{path}/hint", seats["first"], 0)
    assert status == 200
    assert 1 <= len(hint["moves"]) <= 3
    legal = {move.notation for move in Game.load("tic_tac_toe").start().legal_moves}
    assert {move["move"] for move in hint["moves"]} <= legal


@pytest.mark.parametrize(
    "body",
    [
        {"rules": {"bundled": "ayu"}, "second": "deep_thought"},
        {"rules": {"bundled": "ayu"}, "second": "mcts:1s,threads=64"},
        {"rules": {"bundled": "ayu"}, "options": {"size": 4}},
        {"rules": {"bundled": "ayu"}, "options": {"size": "5"}},
        {"rules": {"bundled": "../../etc/passwd"}},
        {"rules": {"text": "game"}},
        {"rules": {"bundled": "ayu", "text": ""}},
        {"rules": {}},
        {},
        [],
    ],
)
def test_tables_that_cannot_be(client: TestClient, body: Any) -> None:
    answer = client.post("/api/tables", json=body)
    assert answer.status_code in (404, 422)
    assert list(answer.json()) == ["detail"]
    assert "\n" not in answer.json()["detail"]


# --- rule files ------------------------------------------------------------------


def test_a_file_with_its_versions(client: TestClient) -> None:
    assert client.get("/api/files").json() == []
    made = client.post("/api/files", json={"name": "Small Ayu", "text": CORNERS})
    assert made.status_code == 201
    cookie = made.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    path = f"/api/files/{made.json()['id']}"
    assert client.put(path, json={"text": CORNERS}).json()["version"] == 1
    assert client.put(path, json={"text": CORNERS + "# more\n", "name": "Other"}).json()["version"] == 2
    assert client.get(path, params={"version": 1}).json()["text"] == CORNERS
    assert client.get(path).json()["text"].endswith("# more\n")
    assert [version["version"] for version in client.get(f"{path}/versions").json()] == [1, 2]
    assert client.get(path, params={"version": 3}).status_code == 404
    assert [file["name"] for file in client.get("/api/files").json()] == ["Other"]
    rules = {"file": made.json()["id"], "version": 1}
    opened = client.post("/api/tables", json={"rules": rules, "options": {"size": 3}})
    assert client.get(f"/api/tables/{opened.json()['id']}").json()["title"] == "Small Ayu"
    owner = client.cookies["owner"]
    client.cookies.clear()
    for method in ("get", "delete"):
        assert client.request(method, path).status_code == 404
        assert client.request(method, path, headers={"Cookie": "owner=somebody"}).status_code == 404
    assert client.put(path, json={"text": ""}).status_code == 404
    assert client.post("/api/preview", json={"rules": rules}).status_code == 404
    assert client.delete(path, headers={"Cookie": f"owner={owner}"}).status_code == 204
    assert client.get(path, headers={"Cookie": f"owner={owner}"}).status_code == 404
    # The table has the rules that it was opened with.
    rules = client.get(f"/api/tables/{opened.json()['id']}").json()["rules"]
    assert rules["text"] == CORNERS


def test_a_variant_of_ones_own_file(client: TestClient) -> None:
    client.post("/api/files", json={"name": "Small Ayu", "text": CORNERS})
    variant = 'variant "Tiny Ayu" of "Small Ayu"\n'
    assert client.post("/api/check", json={"text": variant}).json()["ok"]
    opened = client.post("/api/tables", json={"rules": {"text": variant}, "options": {"size": 3}})
    path, seats = f"/api/tables/{opened.json()['id']}", opened.json()["seats"]
    assert act(client, f"{path}/moves", seats["first"], 0, "b1-b2")[0] == 200
    client.cookies.clear()
    assert not client.post("/api/check", json={"text": variant}).json()["ok"]
    assert act(client, f"{path}/moves", seats["second"], 1, "a2-a1")[0] == 200


# --- origin, size and number of requests -------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:81"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_others_change_nothing(client: TestClient, headers: dict[str, str]) -> None:
    path, seats = open_table(client)
    before = client.get("/api/files").json()
    for method, where in [
        ("POST", "/api/tables"),
        ("POST", "/api/check"),
        ("POST", "/api/files"),
        ("PUT", "/api/files/x"),
        ("DELETE", "/api/files/x"),
        ("POST", f"{path}/moves"),
        ("POST", f"{path}/resign"),
        ("GET", f"{path}/events"),
    ]:
        answer = client.request(method, where, json={"ply": 0}, headers={**headers, **bearer(seats["first"])})
        assert answer.status_code == 403, (method, where)
    assert client.get("/api/files").json() == before
    assert "access-control-allow-origin" not in answer.headers


def test_the_own_page_may(client: TestClient) -> None:
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/check", json={"text": ""}, headers=headers).status_code == 200


def test_an_address_without_a_page(client: TestClient) -> None:
    """A browser shows a sentence, and a program can read one."""
    page = client.get("/nothing", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert 'There is no such page. <a href="/">' in page.text
    data = client.get("/nothing")
    assert (data.status_code, data.json()) == (404, {"detail": "Not Found"})


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example", "[::1"]
)
def test_names_that_lead_here_are_not_ours(client: TestClient, host: str) -> None:
    for path in ("/", "/api/games", "/static/index.html"):
        assert client.get(path, headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_names_that_are_ours(client: TestClient, host: str) -> None:
    assert client.get("/api/words", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/static/style.css", "/api/words", "/api/games/ayu.svg", "/nothing"])
def test_what_browsers_are_told(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy or "script" not in policy
    assert "unsafe-eval" not in policy
    assert "unsafe-inline" not in policy.partition("style-src")[0]
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_no_page_may_frame_ours(client: TestClient) -> None:
    assert "frame-ancestors 'none'" in client.get("/").headers["content-security-policy"]


def test_names_and_texts_are_never_html(client: TestClient) -> None:
    evil = '"><script>alert(1)</script>'.replace('"', "")
    text = library.read("ayu").text.replace('"Ayu"', f'"{evil}"')
    opened = client.post("/api/tables", json={"rules": {"text": text}, "options": {"size": 3}})
    path = f"/api/tables/{opened.json()['id']}"
    table, picture = client.get(path), client.get(f"{path}/plies/0/picture")
    assert table.headers["content-type"] == "application/json"
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in picture.headers["content-security-policy"]
    assert "<script" not in picture.text


def test_requests_have_a_size(client: TestClient) -> None:
    large = b'{"text": "' + b"#" * (256 * 1024) + b'"}'
    assert client.post("/api/check", content=large).status_code == 413
    assert client.post("/api/check", content=iter([large[:1000], large[1000:]])).status_code == 413
    assert client.post("/api/check", json={"text": "#" * 100_001}).status_code == 422


def test_bodies_that_are_none(client: TestClient) -> None:
    deep = b'{"text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    for content in (b"", b"{", b"\xff\xfe", b'{"text": "\\ud800"}', b'{"text": 1e999}', deep):
        answer = client.post("/api/check", content=content, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500, content[:20]
        assert list(answer.json()) == ["detail"]


@pytest.mark.parametrize("path", ["/api/tables/x/events%0a", "/%00", "/api/words%0d%0aX:y"])
def test_paths_have_no_signs_that_nobody_sees(client: TestClient, path: str) -> None:
    answer = client.get(path, headers={"Origin": "https://evil.example"})
    assert (answer.status_code, answer.json()["detail"]) == (400, "This is no address.")


def test_a_cookie_makes_nobody_another_person(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client is known by its address, which cannot be made up."""
    clients = list[str]()

    async def ask(lane: Lane, request: Json, *, client: str, **more: Any) -> Any:
        clients.append(client)
        raise Crowded

    monkeypatch.setattr(Lane, "ask", ask)
    for owner in ("a", "b"):
        for path in ("check", "preview", "tables", "analyses"):
            body = {"text": "x"} if path == "check" else {"rules": {"bundled": "ayu"}}
            client.post(f"/api/{path}", json=body, headers={"Cookie": f"owner={owner}"})
    assert clients == ["testclient"] * 8


def test_who_asks_too_often_is_told_to_wait(tmp_path: Path) -> None:
    with TestClient(create(Settings(tmp_path)), "http://localhost") as client:
        asked = [client.post("/api/files", json={}) for _ in range(200)]
        assert asked[0].status_code == 422
        told = [answer for answer in asked if answer.status_code == 429]
        assert told
        assert int(told[0].headers["retry-after"]) >= 1
        assert client.get("/api/words").status_code == 200


def trouble(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("no")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (sqlite3.SQLITE_FULL, "There is no room left for this."),
        (sqlite3.SQLITE_READONLY, "This cannot be written down now."),
    ],
)
def test_a_server_that_cannot_write_says_so(
    code: int, says: str, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise trouble(code)

    monkeypatch.setattr("interpreter.web.store.Store.add_event", fail)
    path, seats = open_table(client)
    assert act(client, f"{path}/moves", seats["first"], 0, "b1-b2") == (503, {"detail": says})
    monkeypatch.undo()
    assert client.get(path).json()["ply"] == 0
    assert act(client, f"{path}/moves", seats["first"], 0, "b1-b2")[0] == 200


@pytest.mark.parametrize(
    ("damage", "status", "says"),
    [
        (
            sqlite3.DatabaseError("database disk image is malformed"),
            500,
            "The data of this server are damaged.",
        ),
        (
            sqlite3.OperationalError("Could not decode to UTF-8: \x1b"),
            500,
            "The data of this server are damaged.",
        ),
        (trouble(sqlite3.SQLITE_IOERR), 503, "This cannot be read now."),
        (KeyError("first"), 500, "Something is wrong with this server."),
    ],
    ids=["pages", "texts", "disk", "unforeseen"],
)
def test_damaged_data_are_told_in_a_sentence(
    damage: Exception,
    status: int,
    says: str,
    server: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Once, the answer was “Internal Server Error”, which no page can read."""

    def fail(*_: object) -> None:
        raise damage

    client = TestClient(server.app, "http://localhost", raise_server_exceptions=False)
    monkeypatch.setattr("interpreter.web.store.Store.table", fail)
    answer = client.get("/api/tables/nothing")
    assert (answer.status_code, answer.json()) == (status, {"detail": says})
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "\x1b" not in caplog.text


def test_damaged_data_do_not_keep_the_games_from_being_shown(tmp_path: Path) -> None:
    """The kept gallery is made again if it cannot be read."""
    settings = Settings(tmp_path, limited=False)
    store = Store(tmp_path / DATABASE)
    store.keep_gallery(_program(), {})
    store._base.execute("update gallery set about = 'no JSON'")
    store.close()
    with TestClient(create(settings), "http://localhost") as client:
        assert len(client.get("/api/games").json()) == len(library.bundled())
