"""Boards, compared with counts made by hand."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gdl.boards import BOARDS, Board, BoardError, LineError, column_name, drawn


def names(board: Board, sites: int) -> set[str]:
    return {name for site, name in enumerate(board.names) if sites >> site & 1}


def neighbours(board: Board, name: str) -> set[str]:
    found = {
        board.steps[d][board.index[name]] for d in range(len(board.directions)) if board.adjacency >> d & 1
    }
    return {board.names[site] for site in found if site >= 0}


def _where(board: Board, holds: Callable[[int, int], bool]) -> int:
    places = zip(board.columns, board.rows, strict=True)
    return sum(1 << site for site, (column, row) in enumerate(places) if holds(column, row))


def step(board: Board, name: str, direction: str) -> str | None:
    site = board.steps[board.directions.index(direction)][board.index[name]]
    return board.names[site] if site >= 0 else None


def boards() -> st.SearchStrategy[Board]:
    """Boards of every kind, with sides up to 9."""
    side = st.integers(1, 9)
    return st.sampled_from(list(BOARDS.values())).flatmap(
        lambda kind: st.builds(kind.build, **{parameter.name: side for parameter in kind.parameters})
    )


# --- boards of lines ---------------------------------------------------------


def test_a_board_of_lines_has_the_sites_and_the_steps_of_its_lines() -> None:
    board = drawn([["a1", "c1", "e1"], ["c1", "c4"], ["a1", "c4"]])
    assert board.names == ("a1", "c1", "e1", "c4")  # row by row
    assert board.xy == ((1, 1), (3, 1), (5, 1), (3, 4))
    assert neighbours(board, "a1") == {"c1", "c4"}
    assert neighbours(board, "c1") == {"a1", "e1", "c4"}
    assert neighbours(board, "e1") == {"c1"}
    steps = {
        way: targets[board.index["a1"]] for way, targets in zip(board.directions, board.steps, strict=True)
    }
    joined = {"east": board.index["c1"], "north_east": board.index["c4"]}
    assert steps == {way: joined.get(way, -1) for way in board.directions}
    assert names(board, board.corner) == {"a1", "e1"}


@pytest.mark.parametrize(
    ("lines", "message", "line", "place"),
    [
        ([["a1", "b1", "c1"], ["a1", "c1"]], "`a1` has two neighbours towards east: b1 and c1", 1, 1),
        ([["a1", "b2"], ["a1", "b3"]], "`a1` has two neighbours towards north_east: b2 and b3", 1, 1),
        ([["a1", "a1"]], "`a1` follows itself on this line", 0, 1),
        ([["a1", "a0"]], "`a0` is no site: sites are a1 to an40", 0, 1),
        ([["a1", "ao1"]], "`ao1` is no site: sites are a1 to an40", 0, 1),
        ([["a1", "a41"]], "`a41` is no site: sites are a1 to an40", 0, 1),
    ],
)
def test_lines_that_cannot_be_drawn(lines: list[list[str]], message: str, line: int, place: int) -> None:
    with pytest.raises(LineError) as error:
        drawn(lines)
    assert (str(error.value), error.value.line, error.value.place) == (message, line, place)


@given(st.integers(1, 7), st.integers(1, 7))
def test_the_lines_of_a_grid_make_the_board_of_points(columns: int, rows: int) -> None:
    points = BOARDS["points"].build(columns=columns, rows=rows)
    along = [
        [name for name, r in zip(points.names, points.rows, strict=True) if r == row]
        for row in range(1, rows + 1)
    ]
    up = [[line[i] for line in along] for i in range(columns)]
    board = drawn(along + up)
    assert (board.names, board.xy, board.center) == (points.names, points.xy, points.center)
    for d, targets in enumerate(points.steps):
        expected = targets if points.adjacency >> d & 1 else (-1,) * points.size
        assert board.steps[d] == expected


# --- boards of squares and points --------------------------------------------


@pytest.mark.parametrize("kind", ["squares", "points", "rectangle"])
def test_a_board_of_three_columns_and_two_rows(kind: str) -> None:
    board = BOARDS[kind].build(columns=3, rows=2)
    assert board.names == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert board.columns == (1, 2, 3, 1, 2, 3)
    assert board.rows == (1, 1, 1, 2, 2, 2)
    assert board.xy == ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2))
    assert (board.size, board.all) == (6, 0b111111)
    assert neighbours(board, "a1") == {"b1", "a2"}
    assert neighbours(board, "b2") == {"a2", "c2", "b1"}
    assert names(board, board.corner) == {"a1", "c1", "a2", "c2"}
    assert names(board, board.edge) == set(board.names)
    assert names(board, board.center) == {"b1", "b2"}


def test_square_directions_go_clockwise_from_north() -> None:
    board = BOARDS["squares"].build(columns=3)
    around = [step(board, "b2", direction) for direction in board.directions]
    assert around == ["b3", "c3", "c2", "c1", "b1", "a1", "a2", "a3"]
    assert step(board, "a1", "north_west") is None
    assert step(board, "c1", "east") is None, "a row does not run on into the next one"


def test_square_direction_sets() -> None:
    kind = BOARDS["squares"]
    sets = {
        word: [kind.directions[d] for d in range(8) if mask >> d & 1]
        for word, mask in kind.direction_sets.items()
    }
    assert sets == {
        "orthogonal": ["north", "east", "south", "west"],
        "diagonal": ["north_east", "south_east", "south_west", "north_west"],
        "all_directions": list(kind.directions),
    }


@pytest.mark.parametrize(("side", "center"), [(1, {"a1"}), (5, {"c3"}), (4, {"b2", "c2", "b3", "c3"})])
def test_the_center_of_a_square_board(side: int, center: set[str]) -> None:
    board = BOARDS["squares"].build(columns=side)
    assert names(board, board.center) == center


def test_the_edge_of_a_square_board_is_its_rim() -> None:
    board = BOARDS["points"].build(columns=4)
    assert set(board.names) - names(board, board.edge) == {"b2", "c2", "b3", "c3"}


def test_another_adjacency_changes_neighbours_but_not_the_edge() -> None:
    kind = BOARDS["points"]
    board = kind.build(columns=3, adjacency=kind.direction_sets["diagonal"])
    assert neighbours(board, "b2") == {"a1", "c1", "a3", "c3"}
    assert neighbours(board, "a1") == {"b2"}
    assert board.edge == kind.build(columns=3).edge


# --- hex boards --------------------------------------------------------------


def test_a_hexagon_of_side_three() -> None:
    board = BOARDS["hexagon"].build(side=3)
    assert board.size == 19
    assert " ".join(board.names) == "c1 d1 e1 b2 c2 d2 e2 a3 b3 c3 d3 e3 a4 b4 c4 d4 a5 b5 c5"
    assert neighbours(board, "c3") == {"b3", "d3", "c2", "c4", "d2", "b4"}
    assert neighbours(board, "c1") == {"d1", "c2", "b2"}
    assert neighbours(board, "b2") == {"c1", "c2", "b3", "a3"}
    assert names(board, board.corner) == {"c1", "e1", "a3", "e3", "a5", "c5"}
    assert len(names(board, board.edge)) == 12
    assert names(board, board.center) == {"c3"}


def test_hex_directions_go_clockwise_from_north_east() -> None:
    board = BOARDS["hexagon"].build(side=2)
    assert board.names == ("b1", "c1", "a2", "b2", "c2", "a3", "b3")
    assert [step(board, "b2", direction) for direction in board.directions] == [
        "b3",
        "c2",
        "c1",
        "b1",
        "a2",
        "a3",
    ]


def test_a_hexagon_of_side_one_is_one_cell() -> None:
    board = BOARDS["hexagon"].build(side=1)
    assert (board.names, board.corner, board.edge, board.center) == (("a1",), 1, 1, 1)


def test_a_rhombus_of_four_columns_and_three_rows() -> None:
    board = BOARDS["rhombus"].build(columns=4, rows=3)
    assert board.size == 12
    assert neighbours(board, "a1") == {"b1", "a2"}, "the acute corner"
    assert neighbours(board, "d1") == {"c1", "c2", "d2"}, "the obtuse corner"
    assert neighbours(board, "b2") == {"a2", "c2", "b1", "b3", "c1", "a3"}
    assert names(board, board.corner) == {"a1", "d1", "a3", "d3"}
    assert set(board.names) - names(board, board.edge) == {"b2", "c2"}
    assert names(board, board.center) == {"b2", "c2"}


# --- boards that wrap, boards with sites cut out --------------------------------


def test_a_cylinder_wraps_along_its_rows_only() -> None:
    board = BOARDS["squares"].build(columns=4, rows=3, wrap=0b01000100)
    assert neighbours(board, "a1") == {"b1", "d1", "a2"}
    assert step(board, "a1", "north_west") == "d2"
    assert step(board, "a1", "south") is None
    assert names(board, board.edge) == {f"{column}{row}" for column in "abcd" for row in (1, 3)}
    assert (board.corner, board.around) == (0, (4, 0))


def test_a_torus_has_no_edge() -> None:
    board = BOARDS["points"].build(columns=3, wrap=0b01010101)
    assert neighbours(board, "a1") == {"b1", "c1", "a2", "a3"}
    assert step(board, "a1", "south_west") == "c3"
    assert (board.edge, board.corner, board.around) == (0, 0, (3, 3))


def test_a_rhombus_wraps_along_its_columns() -> None:
    board = BOARDS["rhombus"].build(columns=4, rows=3, wrap=0b001001)
    assert neighbours(board, "b3") == {"a3", "c3", "b2", "c2", "b1", "a1"}
    assert neighbours(board, "a1") == {"b1", "a2", "a3", "b3"}


def test_the_dark_squares_alone() -> None:
    kind = BOARDS["squares"]
    full = kind.build(columns=4, adjacency=kind.direction_sets["diagonal"])
    board = full.cut(_where(full, lambda column, row: (column + row) % 2 == 0))
    assert board.names == ("a1", "c1", "b2", "d2", "a3", "c3", "b4", "d4")
    assert neighbours(board, "b2") == {"a1", "c1", "a3", "c3"}
    assert step(board, "a1", "north") is None
    assert names(board, board.corner) == {"a1", "d4"}
    assert names(board, board.edge) == set(board.names) - {"b2", "c3"}
    assert names(board, board.center) == {"b2", "c3"}


def test_a_triangle_of_hexes() -> None:
    full = BOARDS["rhombus"].build(columns=4)
    board = full.cut(_where(full, lambda column, row: column + row <= 5))
    assert board.size == 10
    assert names(board, board.corner) == {"a1", "d1", "a4"}
    assert set(board.names) - names(board, board.edge) == {"b2"}
    assert neighbours(board, "b2") == {"a2", "c2", "b1", "b3", "c1", "a3"}
    assert step(board, "b3", "east") is None


# --- all boards --------------------------------------------------------------


@given(boards())
def test_a_step_forth_and_back_leads_home(board: Board) -> None:
    for d, targets in enumerate(board.steps):
        assert board.opposite[board.opposite[d]] == d
        for site, target in enumerate(targets):
            assert target < 0 or board.steps[board.opposite[d]][target] == site


@given(boards(), st.data())
def test_shifts_move_a_set_as_steps_move_its_sites(board: Board, data: st.DataObject) -> None:
    sites = data.draw(st.integers(0, board.all))
    for targets, shifts in zip(board.steps, board.shifts, strict=True):
        by_shifts = 0
        for mask, offset in shifts:
            by_shifts |= (sites & mask) << offset if offset >= 0 else (sites & mask) >> -offset
        by_steps = {targets[site] for site in range(board.size) if sites >> site & 1} - {-1}
        assert by_shifts == sum(1 << site for site in by_steps)


@given(boards())
def test_names_are_unique_and_tell_column_and_row(board: Board) -> None:
    assert len(board.index) == board.size
    for site, name in enumerate(board.names):
        assert name == column_name(board.columns[site]) + str(board.rows[site])


@given(boards())
def test_neighbours_lie_one_apart(board: Board) -> None:
    for d, targets in enumerate(board.steps):
        if board.adjacency >> d & 1:
            for (x, y), target in zip(board.xy, targets, strict=True):
                if target >= 0:
                    there = board.xy[target]
                    assert (x - there[0]) ** 2 + (y - there[1]) ** 2 == pytest.approx(1)


@given(boards())
def test_corners_are_on_the_edge_and_the_center_is_small(board: Board) -> None:
    assert board.corner & ~board.edge == 0
    assert board.center.bit_count() in (1, 2, 4)


def test_columns_after_z_have_two_letters() -> None:
    assert [column_name(column) for column in (1, 26, 27, 28, 40)] == ["a", "z", "aa", "ab", "an"]


@pytest.mark.parametrize("kind", BOARDS.values(), ids=BOARDS)
def test_the_largest_board_has_at_most_1600_sites(kind) -> None:
    board = kind.build(**{side.name: side.high for side in kind.parameters})
    assert 1500 < board.size <= 1600


@pytest.mark.parametrize(
    ("kind", "arguments", "sentence"),
    [
        ("squares", {}, "`squares` needs a number for `columns`"),
        ("rectangle", {"columns": 3}, "`rectangle` needs a number for `rows`"),
        ("squares", {"columns": 0}, "`columns` of `squares` must be from 1 to 40, not 0"),
        ("points", {"columns": 3, "rows": 41}, "`rows` of `points` must be from 1 to 40, not 41"),
        ("hexagon", {"side": 24}, "`side` of `hexagon` must be from 1 to 23, not 24"),
        ("squares", {"columns": 3, "depth": 2}, "`squares` has no `depth`, only columns and rows"),
        (
            "squares",
            {"columns": 3, "adjacency": 0b1},
            "neighbours are mutual: where north is adjacent, south must be",
        ),
        ("squares", {"columns": 3, "wrap": 0b1}, "a board wraps both ways: where north does, south must"),
        (
            "rhombus",
            {"columns": 3, "wrap": 0b111111},
            "a board wraps along its rows and columns: north_east, east, south_west, west",
        ),
        ("hexagon", {"side": 3, "wrap": 0b010010}, "`hexagon` cannot wrap"),
    ],
)
def test_a_board_that_cannot_be_built_says_why(kind: str, arguments: dict[str, int], sentence: str) -> None:
    with pytest.raises(BoardError) as error:
        BOARDS[kind].build(**arguments)
    assert str(error.value) == sentence
