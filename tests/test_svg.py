"""Positions as pictures: what is on the board is in the picture, in its place."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.library import bundled
from interpreter.cli import main
from interpreter.game import Game, Position
from interpreter.svg import draw

SVG = "{http://www.w3.org/2000/svg}"


def parsed(position: Position) -> ElementTree.Element:
    return ElementTree.fromstring(draw(position))


def shapes(picture: ElementTree.Element, class_: str) -> list[ElementTree.Element]:
    return [shape for shape in picture.iter() if class_ in shape.get("class", "").split()]


def places(picture: ElementTree.Element, class_: str) -> set[tuple[float, float]]:
    """Where the shapes of a class stand, in sites: columns from the left and rows from the bottom."""
    return {(float(s.get("cx", "")) / 20, -float(s.get("cy", "")) / 20) for s in shapes(picture, class_)}


def test_stones_stand_where_the_position_has_them() -> None:
    position = Game.load("ayu", size=5).start().play("b1-b2")
    picture = parsed(position)
    assert places(picture, "Black") == {(2, 2), (4, 1), (2, 3), (4, 3), (2, 5), (4, 5)}
    assert places(picture, "White") == {(1, 2), (3, 2), (5, 2), (1, 4), (3, 4), (5, 4)}
    assert places(picture, "last") == {(2, 1), (2, 2)}
    assert [label.text for label in shapes(picture, "label")] == [*"abcde", *"12345"]


def test_chess_has_glyphs_and_xiangqi_has_letters() -> None:
    chess = parsed(Game.load("chess").start())
    assert "".join(sorted({glyph.text or "" for glyph in shapes(chess, "piece")})) == "♚♛♜♝♞♟"
    xiangqi = parsed(Game.load("xiangqi").start())
    assert {text.text for text in xiangqi.iter(f"{SVG}text")} >= set("GAEHRCS")


def test_pits_show_their_counts() -> None:
    counts = [text.text for text in parsed(Game.load("oware").start()).iter(f"{SVG}text")]
    assert counts.count("4") == 12


def test_what_the_rule_file_says_is_text_not_markup(tmp_path: Path) -> None:
    file = tmp_path / "hostile.game"
    rules = (Path(__file__).parents[1] / "games" / "tic_tac_toe.game").read_text(encoding="utf-8")
    title = "<script>alert(1)</script>&"
    file.write_text(rules.replace("Tic-tac-toe", title).replace("Tic-Tac-Toe", title), encoding="utf-8")
    picture = draw(Game.load(str(file)).start())
    assert "<script" not in picture
    assert title in (ElementTree.fromstring(picture).find(f"{SVG}title").text or "")  # type: ignore[union-attr]


@pytest.mark.parametrize("name", bundled())
def test_every_game_has_a_picture_of_its_pieces(name: str) -> None:
    position = Game.load(name).start()
    assert len(shapes(parsed(position), "piece")) == len(position.board)
    assert position._repr_svg_() == draw(position)


def test_the_command_writes_a_file_or_prints(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    arguments = ["draw", "ayu", "size=5", "--moves", "b1-b2"]
    assert CliRunner().invoke(main, [*arguments, "-o", str(file)]).output == ""
    printed = CliRunner().invoke(main, arguments).output
    assert printed == file.read_text(encoding="utf-8")
    wrong = CliRunner().invoke(main, [*arguments, "-o", str(tmp_path / "no" / "board.svg")])
    assert (wrong.exit_code, wrong.output.count("\n")) == (1, 1)
