"""What the processes of the server say about rules and positions, with answers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.web.desk import answer

Json = dict[str, Any]

CORNERS = """\
game "Corners"
"Take a corner."
option komi: 0..3 = 1
players Black, White
board squares(2)
pieces king, stone
state lead: int = 7
state seen: int per site = 2 on a1
turn:
    choose site in corner & empty
    choose k in 1..2
    place stone at site
end:
    if no empty: draw
"""


def asked(do: str, rules: str | Json, **more: Any) -> Json:
    """The answer to a request; rules are given by name or as text."""
    given = {"bundled": rules} if isinstance(rules, str) and "\n" not in rules else rules
    given = {"text": given} if isinstance(given, str) else given
    reply = answer({"do": do, "rules": given, "options": {}, "moves": [], **more}, lambda thought: None)
    assert "answer" in reply, reply
    found: Json = reply["answer"]
    return found


def refused(do: str, rules: Json, **more: Any) -> tuple[str, str]:
    """The fault of a request, and what is said about it."""
    reply = answer({"do": do, "rules": rules, "options": {}, "moves": [], **more}, lambda thought: None)
    return reply["fault"], reply["says"]


def test_a_position_of_ayu() -> None:
    """On 3 by 3 points Black has b1 and b3, White a2 and c2."""
    seen = asked("view", "ayu", options={"size": 3})
    assert seen["board"]["cell"] == "point"
    assert seen["board"]["size"] == 9
    assert seen["board"]["sites"][1] == {"name": "b1", "x": 2, "y": 1, "column": 2, "row": 1}
    # Three lines each way, from edge to edge.
    assert sorted(map(sorted, seen["board"]["lines"])) == sorted(
        [sorted([[1, k], [3, k]]) for k in (1, 2, 3)] + [sorted([[k, 1], [k, 3]]) for k in (1, 2, 3)]
    )
    view = seen["view"]
    assert {(piece["site"], piece["owner"]) for piece in view["pieces"]} == {
        ("b1", "Black"),
        ("b3", "Black"),
        ("a2", "White"),
        ("c2", "White"),
    }
    assert (view["ply"], view["to_move"], view["person"]) == (0, "Black", "first")
    assert view["seats"] == {"Black": "first", "White": "second"}
    # Either stone can only go to the middle: nothing else brings them closer.
    assert view["moves"] == [
        {"n": "b1-b2", "c": [["site", "b1"], ["site", "b2"]]},
        {"n": "b3-b2", "c": [["site", "b3"], ["site", "b2"]]},
    ]
    assert view["result"] is None
    assert (view["counts"], view["state"], view["last"]) == ({}, {}, [])


def test_moves_that_put_nothing_on_the_empty_site_chosen_first_say_so() -> None:
    """A mark is its owner's, a line between two dots is nobody's, and a pawn begins where it stands."""
    for rules, bare in (("tic_tac_toe", False), ("dots_and_boxes", True), ("chess", False)):
        assert {move.get("bare", False) for move in asked("view", rules)["view"]["moves"]} == {bare}


FILLING = """\
game "Filling"
players Black, White
board squares(2)
pieces stone
turn:
    either:
        choose s in empty
        place stone at s
    or:
        BODY
end:
    if no empty: draw
"""


@pytest.mark.parametrize(("body", "still"), [("nothing", True), ("place stone at a1", False)])
def test_a_move_without_choices_says_whether_it_changes_anything(body: str, still: bool) -> None:
    view = asked("view", FILLING.replace("BODY", body))["view"]
    assert {move["n"]: move.get("still", False) for move in view["moves"]}["go"] == still


def test_a_turn_is_named_where_there_are_several() -> None:
    """In Squared Egotzi `turn` itself, after the bids, is not worth a name."""
    for rules, moves, turn in (
        ("ayu", [], None),
        ("squared_egotzi", [], "bid"),
        ("squared_egotzi", ["4", "keep"], None),
    ):
        assert asked("view", rules, moves=moves)["view"]["turn"] == turn


def test_what_is_drawn_between_and_around_the_sites() -> None:
    boards = {
        "go": {"size": 9},
        "hex": {"columns": 3, "rows": 3},
        "dots_and_boxes": {"columns": 1, "rows": 1},
        "cylinder_connect_four": {},
        "kalah": {},
    }
    seen = {name: asked("view", name, options=options)["board"] for name, options in boards.items()}
    assert seen["go"]["stars"] == ["c3", "g3", "e5", "c7", "g7"]
    # By hand, as for the pictures.
    assert {edge["player"]: len(edge["lines"]) for edge in seen["hex"]["edges"]} == {"Red": 12, "Blue": 10}
    assert seen["dots_and_boxes"]["slots"] == {"b1": (1, 0), "a2": (0, 1), "c2": (0, 1), "b3": (1, 0)}
    exits = [(way["site"], way["way"]) for way in seen["cylinder_connect_four"]["exits"]]
    assert exits == [
        (f"{column}{row}", way) for column, way in (("a", (-1, 0)), ("g", (1, 0))) for row in range(1, 7)
    ]
    # A player has six houses and a store.
    owners = list(seen["kalah"]["owners"].values())
    assert [owners.count(player) for player in ("South", "North")] == [7, 7]
    assert all(seen[name]["owners"] == {} for name in boards if name != "kalah")


def test_the_end_of_ayu() -> None:
    view = asked("view", "ayu", options={"size": 3}, moves=["b1-b2", "a2-a1"])["view"]
    assert view["moves"] == []
    assert view["result"] == {"winner": "Black", "person": "first", "reason": "stuck(next)", "scores": None}


def test_choices_counts_and_states() -> None:
    view = asked("view", CORNERS)["view"]
    assert view["state"] == {"lead": "7"}
    assert view["counts"] == {"a1": "2"}
    assert {"n": "a1-1", "c": [["site", "a1"], ["int", 1]]} in view["moves"]
    assert len(view["moves"]) == 8
    piece = asked("view", CORNERS, moves=["b2-2"])["view"]["pieces"]
    assert piece == [{"site": "b2", "owner": "Black", "kind": "stone", "letter": "S"}]


def test_choices_that_are_words() -> None:
    """The pie rule, a pass, and the choice of a piece."""
    swap = asked("view", "ayu", options={"size": 3, "pie": True}, moves=["b1-b2"])["view"]["moves"][-1]
    assert swap == {"n": "swap", "c": [["word", "swap"]]}
    assert {"n": "pass", "c": [["word", "pass"]]} in asked("view", "go", options={"size": 5})["view"]["moves"]


def test_shapes_of_chess() -> None:
    seen = asked("view", "chess")
    pieces = {piece["site"]: piece for piece in seen["view"]["pieces"]}
    assert len(pieces) == 32
    assert (pieces["e1"]["kind"], pieces["e1"]["owner"]) == ("king", "White")
    assert seen["board"]["shapes"].keys() == {"king", "queen", "rook", "bishop", "knight", "pawn"}
    assert asked("view", "xiangqi")["board"]["shapes"] == {}


def test_counts_of_kalah() -> None:
    """Four seeds in each of the twelve houses, none in the stores."""
    counts = asked("view", "kalah")["view"]["counts"]
    assert sorted(counts.values()) == ["4"] * 12


def test_a_move_is_played_as_people_type_it() -> None:
    played = asked("play", "ayu", options={"size": 3}, move="B1 to B2")
    assert (played["move"], played["person"], played["view"]["ply"]) == ("b1-b2", "first", 1)
    assert set(played["view"]["last"]) == {"b1", "b2"}


def test_what_is_wrong_is_one_sentence() -> None:
    ayu = {"bundled": "ayu"}
    assert refused("play", ayu, options={"size": 3}, move="a1-a2")[0] == "move"
    assert "\n" not in refused("play", ayu, options={"size": 3}, move="a1-a2")[1]
    assert refused("view", ayu, options={"size": 4})[0] == "asked"
    assert refused("view", ayu, options={"colour": 4})[0] == "asked"
    assert refused("view", ayu, moves=["zz"])[0] == "move"
    assert refused("view", {"bundled": "../ayu"})[0] == "unknown"
    assert refused("view", {"bundled": "nothing"})[0] == "unknown"
    assert refused("view", {"text": "game"})[0] == "rules"
    assert refused("open", ayu, players=["human", "deep_thought"])[0] == "asked"
    assert refused("open", ayu, players=["human", "mcts:1s,threads=64"])[0] == "asked"


def test_faults_of_a_text_with_their_places() -> None:
    checked = asked("check", 'variant "X" of "Ayu"\n\ndefine single = grup(mine)\n')
    (fault,) = [fault for fault in checked["diagnostics"] if fault["severity"] == "error"]
    assert not checked["ok"]
    assert checked["game"] is None
    place = (fault["line"], fault["column"], fault["end_line"], fault["end_column"])
    assert place == (3, 17, 3, 21)
    assert fault["hint"] == "did you mean `group`?"
    assert fault["file"] is None


def test_options_of_a_sound_text() -> None:
    checked = asked("check", CORNERS)
    assert checked["ok"]
    komi = {"name": "komi", "type": "int", "value": 1, "low": 0, "high": 3, "step": 1, "about": None}
    about = {"title": "Corners", "about": "Take a corner.", "how": []}
    assert checked["game"] == {**about, "options": [komi]}


@pytest.mark.parametrize(
    ("chosen", "rows"), [({}, 11), ({"columns": 5}, 5), ({"columns": 5, "rows": 11}, 11)]
)
def test_an_option_comes_as_another_is(chosen: dict[str, int], rows: int) -> None:
    """Hex has as many rows as columns unless their number is given."""
    options = asked("view", "hex", options=chosen, engine="reference")["options"]
    assert {each["name"]: each["value"] for each in options}["rows"] == rows


def test_a_variant_of_a_file_of_ones_own() -> None:
    variant = 'variant "Big Corners" of "Corners"\nboard squares(3)\n'
    assert not asked("check", variant)["ok"]
    rules = {"text": variant, "beside": {"corners": CORNERS}}
    assert asked("check", rules)["ok"]
    assert asked("view", rules)["board"]["size"] == 9


def test_a_variant_reads_no_file_of_the_machine() -> None:
    for name in ("../../../../etc/passwd", "/etc/passwd", "README.md"):
        said = asked("check", f'variant "X" of "{name}"\n')["diagnostics"]
        assert [fault["message"] for fault in said] == [f"there is no game “{name}”"]


@pytest.mark.parametrize("player", ["random", "greedy", "mcts:50", "alphabeta:1", "solve:1s"])
def test_machines_move(player: str) -> None:
    request = {"options": {"size": 3}, "player": player, "key": "t"}
    assert asked("think", "ayu", **request)["move"] in ("b1-b2", "b3-b2")


def test_thinking_is_told_and_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.web.machines.SECONDS", 0.1)
    told: list[Json] = []
    request = {"do": "think", "rules": {"bundled": "ayu"}, "options": {"size": 5}, "moves": []}
    reply = answer({**request, "player": "mcts:999s"}, told.append)
    legal = asked("view", "ayu", options={"size": 5})["view"]["moves"]
    assert reply["answer"]["move"] in {move["n"] for move in legal}
    assert told[-1]["person"] == "first"
    assert [thought["done"] for thought in told][-1] == 1
    assert 0 <= told[-1]["value"] <= 1


def test_a_hint() -> None:
    hint = asked("hint", "tic_tac_toe", moves=["a1", "b1", "a2", "b2"])
    best = hint["moves"][0]
    assert (best["move"], best["proven"]) == ("a3", "first")


def test_the_gallery_names_a_game() -> None:
    about = next(game for game in asked("games", "ayu")["games"] if game["name"] == "ayu")
    assert (about["title"], about["year"]) == ("Ayu", 2011)
    size = {"name": "size", "type": "int", "value": 11, "low": 3, "high": 19, "step": 2, "about": None}
    assert about["options"][0] == size


def test_options_are_explained_by_the_comments_behind_them() -> None:
    text = CORNERS.replace("option komi: 0..3 = 1", "option komi: 0..3 = 1  # for moving second")
    (komi,) = asked("check", text)["game"]["options"]
    assert komi["about"] == "for moving second"


def test_a_picture_of_a_game() -> None:
    assert asked("picture", "ayu")["picture"].startswith("<svg")


@pytest.mark.parametrize("name", ["pente", "squared_egotzi"])
def test_the_picture_of_a_game_with_an_empty_board_shows_some_of_its_pieces(name: str) -> None:
    assert 'class="piece Black"' in asked("picture", name)["picture"]


def test_how_to_play_is_what_the_comment_below_the_header_says() -> None:
    told = '"Take a corner."\n# Put down a stone\n# each turn.\n#\n# A full board ends it.\n'
    base = CORNERS.replace('"Take a corner."\n', told).replace("= 1\n", "= 1\n# This is about the option.\n")
    variant = 'variant "Wide" of "Corners"\n# Here the board is wide.\noption komi: 0..3 = 2\n'
    rules = {"text": variant, "beside": {"corners": base}}
    opened = asked("open", rules, players=["human", "human"], moves=[])
    assert asked("check", rules)["game"]["how"] == opened["game"]["how"]
    assert opened["game"]["how"] == [
        "Put down a stone each turn.",
        "A full board ends it.",
        "Here the board is wide.",
    ]


def test_a_score_that_is_much_work_holds_up_no_game() -> None:
    """Once, the slower engine worked it out for each view: such games could not be played at all."""
    text = """game "Counted"
players Black, White
board squares(40)
pieces stone
turn:
    choose s in a1 + b1 - mine - theirs
    place stone at s
score p = sum(sum(size(a & pieces(p)) for a in board) for b in board)
end:
    if stuck(next): highest score wins
"""
    view = asked("view", text, moves=["a1"])["view"]
    assert ([move["n"] for move in view["moves"]], view["scores"]) == (["b1"], None)
