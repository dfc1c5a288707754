"""Variants, files that change what they name: they check, play, are recorded and replayed by their paths."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli import main

CORNER_EGOTZI = """
variant "Corner Egotzi" of "Egotzi"
"The first stone of each player goes to a corner."

turn:
    choose square in (empty & corner if ply < 2 else empty)
    place stone at square
    at once:
        for d in orthogonal:
            let n = step(square, d) & occupied
            move n to landing(n, d)
"""

DIAGONAL_AYU = """
variant "Ayu with diagonal adjacency" of "Ayu"
"Stones at the corners of a point are next to it, too."

board points(size, adjacent: all_directions)

# At the start of Ayu all stones would be one unit: they stand farther apart.
setup:
    place Black stone at {s in board: column(s) mod 4 = 1 and row(s) mod 4 = 1}
    place White stone at {s in board: column(s) mod 4 = 3 and row(s) mod 4 = 3}
"""

VARIANTS = {"corner_egotzi": CORNER_EGOTZI, "diagonal_ayu": DIAGONAL_AYU}


def gdl(*words: str, fails: bool = False) -> str:
    """What the command line prints."""
    result = CliRunner().invoke(main, words)
    assert result.exit_code == int(fails), result.output
    return result.output


@pytest.fixture(params=VARIANTS)
def variant(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    path = tmp_path / f"{request.param}.game"
    path.write_text(VARIANTS[request.param], encoding="utf-8")
    return str(path)


def test_it_checks(variant: str):
    found = json.loads(gdl("check", variant, "--json"))
    assert not [finding for finding in found if finding["severity"] == "error"]


def test_it_plays_is_recorded_and_replayed(variant: str, tmp_path: Path):
    record = str(tmp_path / "games.txt")
    words = ["play", variant, "size=5", "--first", "random:1", "--second", "random:2"]
    played = json.loads(gdl(*words, "--games", "3", "--save", record, "--json"))["games"]
    replayed = json.loads(gdl("replay", record, "--json"))
    assert [(game["ok"], game["plies"]) for game in replayed] == [(True, game["plies"]) for game in played]
    assert all(game["result"] is not None for game in played)


def test_a_record_of_the_variant_is_not_one_of_its_base(tmp_path: Path):
    path, record = tmp_path / "corner_egotzi.game", tmp_path / "games.txt"
    path.write_text(CORNER_EGOTZI, encoding="utf-8")
    gdl("play", "egotzi", "size=5", "--first", "random:1", "--second", "random:1", "--save", str(record))
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace('[Game "Egotzi"]', f'[Game "{path}"]'), encoding="utf-8")
    assert "not legal here" in gdl("replay", str(record), fails=True)


def test_the_first_stones_of_corner_egotzi_go_to_corners(tmp_path: Path):
    path = tmp_path / "corner.game"
    path.write_text(CORNER_EGOTZI, encoding="utf-8")
    shown = json.loads(gdl("show", str(path), "size=5", "pie=no", "--json"))
    assert shown["game"] == "Corner Egotzi"
    assert shown["legal"] == ["a1", "a5", "e1", "e5"]
    shown = json.loads(gdl("show", str(path), "size=5", "pie=no", "--moves", "a1", "--json"))
    assert shown["legal"] == ["a5", "e1", "e5"]
    shown = json.loads(gdl("show", str(path), "size=5", "pie=no", "--moves", "a1 e5", "--json"))
    assert len(shown["legal"]) == 23


def test_units_of_diagonal_ayu_move_and_join_at_corners(tmp_path: Path):
    path = tmp_path / "diagonal.game"
    path.write_text(DIAGONAL_AYU, encoding="utf-8")
    shown = json.loads(gdl("show", str(path), "size=5", "--json"))
    assert shown["board"] == {
        "a1": "Black stone",
        "e1": "Black stone",
        "c3": "White stone",
        "a5": "Black stone",
        "e5": "Black stone",
    }
    # a1 is four steps from a5 and from e1: a2 and b1 are nearer, and so is b2, by steps across the corner.
    assert [move for move in shown["legal"] if move.startswith("a1")] == ["a1-a2", "a1-b1", "a1-b2"]
    # White has one unit already.
    shown = json.loads(gdl("show", str(path), "size=5", "--moves", "a1-b2", "--json"))
    assert shown["result"]["winner"] == "White"


def test_the_base_may_lie_beside_the_variant(tmp_path: Path):
    (tmp_path / "corner_egotzi.game").write_text(CORNER_EGOTZI, encoding="utf-8")
    path = tmp_path / "small_corner_egotzi.game"
    path.write_text(
        'variant "Small Corner Egotzi" of "Corner Egotzi"\n\noption size: 2..4 = 3\n', encoding="utf-8"
    )
    shown = json.loads(gdl("show", str(path), "--json"))
    assert shown["options"]["size"] == 3
    assert shown["legal"] == ["a1", "a3", "c1", "c3"]


def test_a_variant_may_not_be_of_itself(tmp_path: Path):
    path = tmp_path / "odd.game"
    path.write_text('variant "Odd" of "Odd"\n', encoding="utf-8")
    assert "cannot be a variant of itself" in gdl("check", str(path), fails=True)
