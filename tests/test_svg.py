"""Positions as pictures: what is on the board is in the picture, in its place."""

from __future__ import annotations

import re
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
    """Where the shapes of a class are, in units of sites: columns from the left and rows from the bottom."""
    return {(float(s.get("cx", "")) / 20, -float(s.get("cy", "")) / 20) for s in shapes(picture, class_)}


def test_stones_stand_where_the_position_has_them() -> None:
    position = Game.load("ayu", size=5).start().play("b1-b2")
    picture = parsed(position)
    assert places(picture, "Black") == {(2, 2), (4, 1), (2, 3), (4, 3), (2, 5), (4, 5)}
    assert places(picture, "White") == {(1, 2), (3, 2), (5, 2), (1, 4), (3, 4), (5, 4)}
    assert places(picture, "last") == {(2, 1), (2, 2)}
    assert {ring.get("stroke") for ring in shapes(picture, "last")} == {"#1d7a3c"}
    assert [label.text for label in shapes(picture, "label")] == [*"abcde", *"12345"]


def test_chess_has_shapes_and_xiangqi_has_letters() -> None:
    chess = parsed(Game.load("chess").start())
    drawn = {shape.get("href", "") for shape in shapes(chess, "piece")}
    assert drawn == {f"#gdl-{kind}" for kind in ("king", "queen", "rook", "bishop", "knight", "pawn")}
    assert {f"#{path.get('id')}" for path in chess.iter(f"{SVG}path") if path.get("id")} == drawn
    xiangqi = parsed(Game.load("xiangqi").start())
    assert {text.text for text in xiangqi.iter(f"{SVG}text")} >= set("GAEHRCS")


#: Neutral kinds, and numbers on sites with pieces.
MARKED = """\
game "Marked"
players Black, White
board squares(3)
pieces man, king "K", ring "O" neutral, ball "B" neutral
state first: int per site = 4 on a1 + b1 + c1
state second: int per site = 7 on b1
setup:
    place Black king at a1
    place Black man at b1
    place ring at a2
    place ball at b2
turn:
    choose s in empty
    place man at s
end:
    if no empty: draw
"""


def test_pieces_that_are_not_alike_do_not_look_alike() -> None:
    """Once, two neutral kinds were the same disc, and the number of a site hid which piece was there."""
    picture = parsed(Game.from_text(MARKED).start())
    assert [text.text for text in shapes(picture, "letter")] == ["K", "4/7", "O", "B"]
    assert [text.text for text in shapes(picture, "count")] == ["4/0", "4/0"]
    one = parsed(Game.load("amazons", size=6).start().play("b1-c1/a3"))
    assert "letter" not in {shape.get("class") for shape in one.iter()}, "one neutral kind needs none"


def test_pits_show_their_seeds_and_counts() -> None:
    picture = parsed(Game.load("oware").start().play("a1"))
    counts = [count.text for count in shapes(picture, "count")]
    # Twelve houses and two stores, which are empty, as is the house sown from; four houses have 1 seed more.
    assert [counts.count(text) for text in "045"] == [3, 7, 4]
    seeds = shapes(picture, "seeds")[1].get("d", "")
    assert seeds.count("M") == 5  # in the second house: the first has none


def ends(path: str) -> list[tuple[float, float]]:
    """The ends of the lines of a path, in units of sites."""
    numbers = [float(number) for number in re.findall(r"-?[0-9.]+", path)]
    return [(round(x / 20, 2), round(-y / 20, 2)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def test_edges_have_the_colours_of_those_who_link_them() -> None:
    edges = goals(Game.load("hex", columns=3, rows=3).start())
    # By hand: 22 edges lead out of the board. Those of row 1 that lead down are Red's, two from each of its
    # three cells. Two edges of a1, two of a2 and one of a3 lead to the left of column a.
    assert {colour: len(found) for colour, found in edges.items()} == {"#c8372d": 2 * 12, "#2d62b3": 2 * 10}


def goals(position: Position) -> dict[str, list[tuple[float, float]]]:
    """The ends of marked edges by colour."""
    edges = shapes(parsed(position), "goal")[1::2]
    return {edge.get("stroke", ""): ends(edge.get("d", "")) for edge in edges}


def test_a_row_to_be_reached_has_its_outer_edge_marked() -> None:
    edges = goals(Game.load("breakthrough").start())
    heights = {colour: {y for _, y in found} for colour, found in edges.items()}
    # White's men go up, to the edge above row 8, which is a little more than half a square away.
    assert heights == {"#fdfcf9": {8.53}, "#26282d": {0.47}}


def test_a_large_square_of_lines_has_its_usual_stars() -> None:
    def stars(size: int) -> set[tuple[float, float]]:
        return places(parsed(Game.load("go", size=size).start()), "star")

    assert stars(7) == stars(10) == set()
    assert stars(9) == {(3, 3), (3, 7), (5, 5), (7, 3), (7, 7)}
    assert stars(13) == {(4, 4), (4, 10), (7, 7), (10, 4), (10, 10)}
    assert stars(19) == {(x, y) for x in (4, 10, 16) for y in (4, 10, 16)}


def test_sites_of_which_no_move_is_about_are_dots() -> None:
    position = Game.load("dots_and_boxes", columns=2, rows=1).start()
    picture = parsed(position.play("b1"))
    assert places(picture, "dot") == {(1, 1), (3, 1), (5, 1), (1, 3), (3, 3), (5, 3)}
    assert shapes(picture, "slot")[0].get("d", "").count("M") == len(position.legal_moves) == 7


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
