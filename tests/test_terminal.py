"""Pictures of positions, compared with pictures drawn by hand."""

from collections.abc import Mapping
from textwrap import dedent
from types import SimpleNamespace

import pytest
from rich.console import Console

from gdl.boards import BOARDS, Board, drawn
from gdl.core import Kind
from interpreter.game import Result
from interpreter.terminal import COLOURS, FEW_COLOURS, Looks, draw, draw_ascii

STONE = (Kind("stone", "S"),)
CHESSMEN = (Kind("king", "K"), Kind("queen", "Q"))


def position(
    board: str | Board,
    pieces: str = "",
    kinds: tuple[Kind, ...] = STONE,
    players: tuple[str, str] = ("Black", "White"),
    last_move: tuple[str, ...] = (),
    result: Result | None = None,
    state: Mapping[str, object] | None = None,
    counters: Mapping[str, Mapping[str, int]] | None = None,
    name: str = "Ayu",
    scores: dict[str, int] | None = None,
) -> SimpleNamespace:
    """What is drawn of a position. A board is like "points 5 4", pieces like "a1 Black stone, b1 arrow"."""
    if isinstance(board, str):
        kind, *sides = board.split()
        given = zip((side.name for side in BOARDS[kind].parameters), map(int, sides), strict=False)
        board = BOARDS[kind].build(**dict(given))
    none = dict.fromkeys(board.names, 0)
    counted = {name: {**none, **counts} for name, counts in (counters or {}).items()}
    return SimpleNamespace(
        game=SimpleNamespace(
            name=name,
            players=players,
            board=board,
            rules=SimpleNamespace(kinds=kinds),
        ),
        ply=3,
        to_move=players[1],
        person="second",
        seats=dict(zip(players, ("first", "second"), strict=True)),
        board=dict(piece.split(" ", 1) for piece in pieces.split(", ") if piece),
        state={**counted, **(state or {})},
        counters=counted,
        last_move=last_move,
        decisive=(),
        result=result,
        scores=scores,
    )


def few(position: SimpleNamespace) -> str:
    """The characters on a terminal with few colours."""
    return "\n".join(line.rstrip() for line in draw(position, FEW_COLOURS).plain.splitlines())


def styles(position: SimpleNamespace, looks: Looks, sign: str) -> list[str]:
    """The colours at each place that has the sign."""
    text = draw(position, looks)
    return [str(span.style) for span in text.spans if text.plain[span.start : span.end] == sign]


def picture(text: str) -> str:
    """A picture as written in this file, where `|` keeps the blanks at the left of a line."""
    return "\n".join(line.removeprefix("|") for line in dedent(text).strip().splitlines())


def test_points_in_ascii() -> None:
    drawn = draw_ascii(
        position("points 5", "b1 Black stone, a2 White stone, e5 Black stone", last_move=("a2", "d3"))
    )
    assert drawn == picture("""
        |   a b c d e
        |5  . . . . X  5
        |4  . . . . .  4
        |3  . . .(.).  3
        |2 (O). . . .  2
        |1  . X . . .  1
        |   a b c d e
        |Black (first) X, White (second) O
        |Ayu, ply 3: White (second) to move
    """)


def test_points_are_joined_by_lines() -> None:
    drawn = few(position("points 4 3", "b1 Black stone, c2 White stone, d3 Black stone", last_move=("c2",)))
    assert drawn == picture("""
        |   a b c d
        |3  ┌─┬─┬─●  3
        |2  ├─┼─○─┤  2
        |1  └─●─┴─┘  1
        |   a b c d
        |Black (first) ●   White (second) ○
        |Ayu, ply 3: White (second) to move
    """)


ASKEW = """\
a1 b1 c1
a2 b2 c2
a3 b3 c3
a1 a2 a3
b1 b2 b3
c1 c2 c3
a1 b2 c3
a3 b2 c1
c1 e3
c3 e1
e1 e3"""


def test_diagonals_have_lines_between_the_rows() -> None:
    """Once, a board of lines was drawn without those that go askew."""
    board = drawn([line.split() for line in ASKEW.splitlines()])
    assert few(position(board, "b2 Black stone", last_move=("b2",))) == picture("""
        |   a b c   e
        |3  ┌─┬─┐   ╷  3
        |   │╲│╱│╲ ╱│
        |2  ├─●─┤ ╳ │  2
        |   │╱│╲│╱ ╲│
        |1  └─┴─┘   ╵  1
        |   a b c   e
        |Black (first) ●   White (second) ○
        |Ayu, ply 3: White (second) to move
    """)  # noqa: RUF001
    assert draw_ascii(position(board)).splitlines()[1:4] == [
        "3  . . .   .  3",
        "2  . . .      2",
        "1  . . .   .  1",
    ]


def test_without_diagonals_no_line_stands_between_the_rows() -> None:
    board = drawn([line.split() for line in ("a1 b1 c1", "a3 b3 c3", "a1 a3", "b1 b3", "c1 c3")])
    assert few(position(board)).splitlines()[1:4] == ["3  ┌─┬─┐  3", "   │ │ │", "1  └─┴─┘  1"]


def test_what_is_wider_than_the_room_is_cut_and_said() -> None:
    """Once, the terminal broke the lines of such a board, so that they no longer lined up."""
    board = position("points 9", counters={"seeds": {}}, state={"ko": ["a1"]})
    whole, cut = draw_ascii(board).splitlines(), draw_ascii(board, 20).splitlines()
    says = "The terminal is too narrow: it has 20 columns, and the board needs 23."
    assert [line for line in cut if line != says] == [
        line[:20].rstrip() if line[:1] in " 123456789" else line for line in whole
    ]
    assert cut.count(says) == 1
    assert says in draw(board, room=20).plain
    assert draw_ascii(board, 23) == draw_ascii(board)


def test_neighbours_that_both_changed_share_a_bracket() -> None:
    drawn = draw_ascii(position("points 3 1", "a1 Black stone, b1 White stone", last_move=("b1", "a1")))
    assert "1 (X|O).  1" in drawn.splitlines()


def test_squares_in_ascii_and_rows_of_two_digits() -> None:
    drawn = draw_ascii(position("squares 2 10", "b10 White stone", last_move=("b10",)))
    assert drawn.splitlines()[:3] == ["    a  b", "10  . (O) 10", " 9  .  .  9"]


def test_a_hexagon_has_letters_below_and_numbers_at_the_right() -> None:
    drawn = draw_ascii(position("hexagon 3", "c3 Black stone, e1 White stone", last_move=("c3",)))
    assert drawn == picture("""
        |    . . .  5
        |   . . . .  4
        |  . .(X). .  3
        |a  . . . .  2
        | b  . . O  1
        |   c d e
        |Black (first) X, White (second) O
        |Ayu, ply 3: White (second) to move
    """)


def test_a_rhombus_leans_to_the_right() -> None:
    drawn = draw_ascii(position("rhombus 4 3", "a1 Black stone, d3 White stone"))
    assert drawn.splitlines()[:4] == [
        "   . . . O  3",
        "  . . . .  2",
        " X . . .  1",
        "a b c d",
    ]


def test_kinds_are_letters_and_the_second_player_has_small_ones() -> None:
    drawn = draw_ascii(
        position(
            "squares 2", "a1 White king, b1 White queen, b2 Black king", CHESSMEN, players=("White", "Black")
        )
    )
    assert drawn == picture("""
        |   a  b
        |2  .  k  2
        |1  K  Q  1
        |   a  b
        |White (first) K Q, Black (second) k q
        |Ayu, ply 3: Black (second) to move
    """)


def test_a_neutral_piece_is_nobodys() -> None:
    drawn = draw_ascii(
        position("squares 2 1", "a1 White stone, b1 arrow", (*STONE, Kind("arrow", "A", neutral=True)))
    )
    assert "1  O  #  1" in drawn.splitlines()
    assert "Black (first) X, White (second) O, arrow #" in drawn.splitlines()


@pytest.mark.parametrize("players", [("White", "Black"), ("Black", "White")])
def test_white_is_white_on_wood_and_hollow_on_paper_whoever_plays_first(players: tuple[str, str]) -> None:
    stones = position("squares 2 1", "a1 White stone, b1 Black stone", players=players)
    white, black = styles(stones, COLOURS, "●")[:2]
    assert ("#ffffff" in white, "#000000" in black) == (True, True)
    assert "1  ○  ●  1" in few(stones).splitlines()
    assert styles(stones, FEW_COLOURS, "○") == ["black on white"] * 2, "on the board and in the legend"


def test_no_piece_has_the_colour_of_its_ground() -> None:
    for looks in (COLOURS, FEW_COLOURS):
        grounds = {*looks.grounds, looks.changed}
        inks = {*looks.inks.values(), looks.line_ink, looks.neutral_ink}
        assert grounds.isdisjoint(ink.removeprefix("bold ") for ink in inks)


@pytest.mark.parametrize("looks", [COLOURS, FEW_COLOURS])
@pytest.mark.parametrize("board", ["points 3", "squares 3", "hexagon 2"])
def test_the_last_move_has_a_ground_of_its_own(board: str, looks: Looks) -> None:
    shown = position(board, "a2 Black stone", last_move=("a2",))
    on_board, *in_legend = styles(shown, looks, "●")
    assert looks.changed in on_board
    assert not any(looks.changed in style for style in in_legend)
    assert "(●" not in draw(shown, looks).plain


def test_empty_squares_have_no_dots_where_their_colours_part_them() -> None:
    assert "·" not in draw(position("squares 3")).plain
    assert few(position("squares 3")).count("·") == 9


def test_the_scores_stand_beneath_as_long_as_the_game_goes_on() -> None:
    """In the end, those that decided the game are shown with the result."""
    scores = {"Black": 2, "White": 11}
    assert "\nscore: Black 2, White 11\nAyu, ply 3: White" in draw_ascii(position("squares 2", scores=scores))
    result = Result("White", "second", "no empty", scores)
    drawn = draw_ascii(position("squares 2", scores=scores, result=result))
    assert drawn.endswith("Ayu, ply 3: White (second) wins: no empty (Black 2, White 11)")
    assert "score" not in drawn


def test_state_and_counters_stand_beneath() -> None:
    drawn = draw_ascii(
        position(
            "squares 2",
            kinds=(),
            counters={"seeds": {"a1": 12, "a2": 4, "b2": 100}},
            state={
                "asked": True,
                "ko": ["a1", "b2"],
                "bonus": 8,
                "taken": {"Black": 1, "White": 0},
            },
        )
    )
    assert drawn == picture("""
        |   a  b
        |2  .  .  2
        |1  .  .  1
        |   a  b
        |seeds:
        |    a   b
        |2   4  100  2
        |1   12  0   1
        |    a   b
        |asked: yes
        |ko: a1 b2
        |bonus: 8
        |taken: Black 1, White 0
        |Black (first), White (second)
        |Ayu, ply 3: White (second) to move
    """)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (Result("White", "second", "stuck(next)", None), "Ayu, ply 3: White (second) wins: stuck(next)"),
        (Result(None, None, "repeated", None), "Ayu, ply 3: draw: repeated"),
        (
            Result("Black", "first", "no empty", {"Black": 9, "White": 4}),
            "Ayu, ply 3: Black (first) wins: no empty (Black 9, White 4)",
        ),
    ],
)
def test_a_finished_game_tells_its_result(result: Result, words: str) -> None:
    assert draw_ascii(position("points 3", result=result)).splitlines()[-1] == words


@pytest.mark.parametrize("board", ["points 40", "squares 40", "rectangle 40 3", "rhombus 40 3", "hexagon 23"])
def test_wide_boards_stay_aligned(board: str) -> None:
    drawn = position(board)
    names = drawn.game.board.names
    lines = draw_ascii(drawn).splitlines()
    rows, slants = max(drawn.game.board.rows), drawn.game.board.cell == "hex"
    bottom = rows - 1 if slants else rows  # the line of row 1: only straight boards have letters above
    assert all(
        lines[bottom + 1 - row].count(".") == drawn.game.board.rows.count(row) for row in range(1, rows + 1)
    )
    for site in (names.index("ab1"), names.index("an1")) if "an1" in names else ():
        row, label = lines[bottom], lines[bottom + 1]
        dot = [at for at, character in enumerate(row) if character == "."][site]
        lean = 2 if slants else 0
        assert label[dot - lean : dot - lean + 2] in names[site]


@pytest.mark.parametrize("kind", BOARDS)
def test_ascii_is_ascii(kind: str) -> None:
    drawn = draw_ascii(
        position(f"{kind} 4 4", "b4 Black stone, d3 White stone", last_move=("d3",), name="Öd")
    )
    assert drawn.isascii()


@pytest.mark.parametrize("kind", BOARDS)
def test_a_picture_in_colour_prints_the_same_characters(kind: str) -> None:
    shown = position(f"{kind} 4 4", "b4 Black stone, d3 White stone", last_move=("d3",))
    console = Console(force_terminal=True, color_system="truecolor", width=80, _environ={})
    with console.capture() as capture:
        console.print(draw(shown))
    assert "\x1b[" in capture.get()
    assert draw(shown).plain.count("●") == 4, "two on the board and two in the legend"
