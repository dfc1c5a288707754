"""Egotzi according to its rules: every clause of the push drawn by hand, the end, and a second program."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import drawn, pictured, rows
from strategies import randoms, walk

from interpreter.game import Game, Position, Result
from interpreter.perft import distinct


def egotzi(picture: str, more: str = "") -> Position:
    return pictured("Egotzi", picture, more, pie=False)


# --- counts ----------------------------------------------------------------------

#: Different positions after each number of plies, from the start, without the pie rule.
COUNTS = {2: [4, 12, 12, 6], 3: [9, 60, 224, 664], 4: [16, 192], 5: [25, 520]}
DEEP = {
    3: [9, 60, 224, 664, 1212, 1632, 1260, 630, 126],
    4: [16, 192, 1004, 5494, 23392],
    5: [25, 520, 4758, 42022],
}


@pytest.mark.parametrize(("size", "counts"), COUNTS.items())
def test_counts_of_different_positions_from_the_start(size: int, counts: list[int]):
    assert list(distinct(Game.load("egotzi", size=size, pie=False).start(), len(counts))) == counts


@pytest.mark.slow
@pytest.mark.parametrize(("size", "counts"), DEEP.items())
def test_deep_counts_of_different_positions_from_the_start(size: int, counts: list[int]):
    assert list(distinct(Game.load("egotzi", size=size, pie=False).start(), len(counts))) == counts


# --- the push --------------------------------------------------------------------

#: What happens, the position, the square that Black takes, and the position after it.
PUSHES = [
    (
        "a stone without neighbours pushes nothing",
        """
        W . . . .
        . . . . .
        . . . W .
        . B . . .
        . . . . .
        """,
        "c4",
        """
        W . . . .
        . . B . .
        . . . W .
        . B . . .
        . . . . .
        """,
    ),
    (
        "a neighbour goes one square away",
        """
        . . .
        . W .
        . . .
        """,
        "a2",
        """
        . . .
        B . W
        . . .
        """,
    ),
    (
        "a stone of one's own is pushed too",
        """
        . . .
        . B .
        . . .
        """,
        "a2",
        """
        . . .
        B . B
        . . .
        """,
    ),
    (
        "a neighbour goes over other stones to the first empty square",
        """
        . . . . .
        . . . . .
        . W B W .
        . . . . .
        . . . . .
        """,
        "a3",
        """
        . . . . .
        . . . . .
        B . B W W
        . . . . .
        . . . . .
        """,
    ),
    (
        "the first empty square, not the last",
        """
        . . . . .
        . . . . .
        . W . . .
        . . . . .
        . . . . .
        """,
        "a3",
        """
        . . . . .
        . . . . .
        B . W . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "with no empty square ahead it goes to the far side, over the stone that pushed it",
        """
        . . . . .
        . . . . .
        . . . W B
        . . . . .
        . . . . .
        """,
        "c3",
        """
        . . . . .
        . . . . .
        W . B . B
        . . . . .
        . . . . .
        """,
    ),
    (
        "the far side is the farthest empty square, stones at the edge or not",
        """
        . . . . .
        . . . . .
        B . . W B
        . . . . .
        . . . . .
        """,
        "c3",
        """
        . . . . .
        . . . . .
        B W B . B
        . . . . .
        . . . . .
        """,
    ),
    (
        "at the edge itself there is nothing ahead",
        """
        . . . . .
        . . . . .
        . . . . W
        . . . . .
        . . . . .
        """,
        "d3",
        """
        . . . . .
        . . . . .
        W . . B .
        . . . . .
        . . . . .
        """,
    ),
    (
        "up and down as well: to the far side of a column",
        """
        . . W . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "c4",
        """
        . . . . .
        . . B . .
        . . . . .
        . . . . .
        . . W . .
        """,
    ),
    (
        "in a line without an empty square it stays",
        """
        . . . . .
        . . . . .
        B W . W B
        . . . . .
        . . . . .
        """,
        "c3",
        """
        . . . . .
        . . . . .
        B W B W B
        . . . . .
        . . . . .
        """,
    ),
    (
        "the square just taken is not empty: a corner, and no other square in the row",
        """
        . . .
        . . .
        . W B
        """,
        "a1",
        """
        . . .
        . . .
        B W B
        """,
    ),
    (
        "one that goes to the far side and one pushed straight meet: the one pushed straight lands",
        """
        . . . . .
        . . . . .
        . W . B W
        . . . . .
        . . . . .
        """,
        "c3",
        """
        . . . . .
        . . . . .
        W . B B W
        . . . . .
        . . . . .
        """,
    ),
    (
        "they meet the other way round, in a column",
        """
        . . W . .
        . . B . .
        . . . . .
        . . W . .
        . . . . .
        """,
        "c3",
        """
        . . W . .
        . . B . .
        . . B . .
        . . . . .
        . . W . .
        """,
    ),
    (
        "two meet in the row and two in the column at once",
        """
        . . W . .
        . . B . .
        . W . B W
        . . W . .
        . . . . .
        """,
        "c3",
        """
        . . W . .
        . . B . .
        W . B B W
        . . . . .
        . . W . .
        """,
    ),
    (
        "they meet over other stones",
        """
        . . . . . .
        . . . . . .
        . W B . B W
        . . . . . .
        . . . . . .
        . . . . . .
        """,
        "d4",
        """
        . . . . . .
        . . . . . .
        B W . B B W
        . . . . . .
        . . . . . .
        . . . . . .
        """,
    ),
    (
        "they do not meet where there is room for both",
        """
        . . . . . .
        . . . . . .
        . . . . . .
        . . W . B W
        . . . . . .
        . . . . . .
        """,
        "d3",
        """
        . . . . . .
        . . . . . .
        . . . . . .
        B W . B . W
        . . . . . .
        . . . . . .
        """,
    ),
    (
        "a square that a pushed stone leaves does not count as empty",
        """
        . . . . .
        . . . . .
        . . . . .
        B W . W B
        . . . . .
        """,
        "c2",
        """
        . . . . .
        . . . . .
        . . . . .
        B W B W B
        . . . . .
        """,
    ),
    (
        "all four neighbours at once",
        """
        . . . . .
        . . W . .
        . B . W .
        . . B . .
        . . . . .
        """,
        "c3",
        """
        . . W . .
        . . . . .
        B . B . W
        . . . . .
        . . B . .
        """,
    ),
    (
        "all four at once: straight, over a stone, to the far side, and one that stays",
        """
        . . W . .
        . . B . .
        . W . B W
        . . W . .
        . . B . .
        """,
        "c3",
        """
        . . W . .
        . . B . .
        W . B B W
        . . W . .
        . . B . .
        """,
    ),
    (
        "from a corner",
        """
        . . .
        W . .
        . B .
        """,
        "a1",
        """
        W . .
        . . .
        B . B
        """,
    ),
    (
        "into a corner, and from there to the far side",
        """
        . . W
        . . .
        . . .
        """,
        "b3",
        """
        W B .
        . . .
        . . .
        """,
    ),
    (
        "along an edge and away from it",
        """
        . . . . .
        W . . . .
        . B . . .
        B . . . .
        . . . . .
        """,
        "a3",
        """
        W . . . .
        . . . . .
        B . B . .
        . . . . .
        B . . . .
        """,
    ),
    (
        "diagonal neighbours stay",
        """
        W . W
        . . .
        W . W
        """,
        "b2",
        """
        W . W
        . B .
        W . W
        """,
    ),
]


@pytest.mark.parametrize(("before", "square", "after"), [p[1:] for p in PUSHES], ids=[p[0] for p in PUSHES])
def test_push(before: str, square: str, after: str):
    assert drawn(egotzi(before).play(square)) == rows(after)


@pytest.mark.parametrize(("before", "square", "after"), [p[1:] for p in PUSHES], ids=[p[0] for p in PUSHES])
def test_push_is_the_same_in_the_second_program(before: str, square: str, after: str):
    size = len(rows(before))
    stones = {cell: sign for cell, sign in cells(before).items() if sign != "."}
    stones = pushed(stones, size, cell_of(square), "B")
    assert stones == {cell: sign for cell, sign in cells(after).items() if sign != "."}


# --- the end ---------------------------------------------------------------------

#: Walls belong to nobody and fill what the groups leave, so that the board is full.
WALLS = 'pieces stone, wall "X" neutral'


def filled(picture: str) -> Result:
    """The end of the game: Black takes the last empty square, and nothing can be pushed."""
    (move,) = egotzi(picture, WALLS).legal_moves
    result = egotzi(picture, WALLS).play(move).result
    assert result is not None
    return result


def test_groups_of_one_size_cancel_in_pairs():
    # 3, 3, 2 against 3, 1 leaves 3, 2 against 1.
    result = filled("""
        B B B X W
        X X X X X
        B B B X W
        X X X X W
        B . X X W
    """)
    assert result.scores == {"Black": 3, "White": 1}
    assert result.winner == "Black"


def test_where_all_large_groups_cancel_the_next_size_counts():
    # 3, 2 against 3, 1 leaves 2 against 1.
    result = filled("""
        B B B X W
        X X X X X
        B . X X W
        X X X X W
        X X X X W
    """)
    assert result.scores == {"Black": 2, "White": 1}


def test_who_has_more_groups_of_the_largest_size_may_lose_to_a_larger_rest():
    # 2, 2 against 4: nothing cancels.
    result = filled("""
        B B X X W
        X X X X W
        B . X X W
        X X X X W
        X X X X X
    """)
    assert result.scores == {"Black": 2, "White": 4}
    assert (result.winner, result.person) == ("White", "second")


def test_stones_that_touch_at_a_corner_are_two_groups():
    # 1, 1, 1 against 2.
    result = filled("""
        B X X X X
        X B X X X
        X X . X X
        X X X X W
        X X X X W
    """)
    assert result.scores == {"Black": 1, "White": 2}


def test_with_nothing_left_the_last_to_place_loses():
    position = egotzi("""
        W B
        . W
    """)
    result = position.play("a1").result
    assert (result.winner, result.reason) == ("White", "no empty")
    assert result.scores == {"Black": 0, "White": 0}


def test_the_game_goes_on_until_the_board_is_full():
    position = egotzi("""
        . .
        B W
    """)
    assert not position.play("a2").over
    assert position.play("a2").play("b2").over


# --- a second program --------------------------------------------------------------
# Written from the printed rules, without any code of this project: a stone is a sign at (column, row).

Cell = tuple[int, int]
Stones = dict[Cell, str]


def cells(picture: str) -> Stones:
    """The sign at each cell of a picture."""
    lines = rows(picture)
    return {
        (column, len(lines) - line): sign
        for line, text in enumerate(lines)
        for column, sign in enumerate(text.split(), 1)
    }


def cell_of(name: str) -> Cell:
    return ord(name[0]) - ord("a") + 1, int(name[1:])


def pushed(stones: Stones, size: int, at: Cell, colour: str) -> Stones:
    """The stones after placing one of this colour."""
    placed = {**stones, at: colour}
    goes: dict[Cell, Cell] = {}
    wrapped: set[Cell] = set()
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        stone = at[0] + dx, at[1] + dy
        if stone not in placed:
            continue
        ahead = empties(placed, size, stone, dx, dy)
        behind = empties(placed, size, stone, -dx, -dy)
        if ahead:
            goes[stone] = ahead[0]
        elif behind:
            goes[stone] = behind[-1]
            wrapped.add(stone)
    for stone in wrapped:
        if list(goes.values()).count(goes[stone]) > 1:
            del goes[stone]
    after = {cell: sign for cell, sign in placed.items() if cell not in goes}
    return after | {end: placed[stone] for stone, end in goes.items()}


def empties(stones: Stones, size: int, start: Cell, dx: int, dy: int) -> list[Cell]:
    """The empty squares in sight of a stone in a direction, nearest first."""
    x, y = start
    seen = []
    while 1 <= x + dx <= size and 1 <= y + dy <= size:
        x, y = x + dx, y + dy
        if (x, y) not in stones:
            seen.append((x, y))
    return seen


def group_sizes(stones: Stones, colour: str) -> list[int]:
    """The sizes of the groups of a colour, largest first."""
    left = {cell for cell, sign in stones.items() if sign == colour}
    sizes = []
    while left:
        group, edge = 0, [left.pop()]
        while edge:
            x, y = edge.pop()
            group += 1
            for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if beside in left:
                    left.remove(beside)
                    edge.append(beside)
        sizes.append(group)
    return sorted(sizes, reverse=True)


def winner(stones: Stones, last: str) -> str:
    """Who has won on a full board."""
    black, white = group_sizes(stones, "B"), group_sizes(stones, "W")
    for size in set(black) & set(white):
        while size in black and size in white:
            black.remove(size)
            white.remove(size)
    if not black and not white:
        return "W" if last == "B" else "B"
    return "B" if max(black, default=0) > max(white, default=0) else "W"


def test_the_second_program_cancels_in_pairs():
    assert group_sizes(cells("B B W\nW B W\nB W B"), "B") == [3, 1, 1]
    assert winner(cells("B B W\nW B W\nB W B"), "B") == "B"  # 3, 1, 1 against 2, 1, 1


@given(size=st.integers(2, 7), random=randoms())
def test_random_games_are_the_same_in_the_second_program(size: int, random: Random):
    stones: Stones = {}
    for position, move in walk(Game.load("egotzi", size=size, pie=False).start(), random):
        assert {cell_of(site): piece[0] for site, piece in position.board.items()} == stones
        free = {(x, y) for x in range(1, size + 1) for y in range(1, size + 1)} - stones.keys()
        assert {cell_of(move.notation) for move in position.legal_moves} == free
        if move is None:
            last = "WB"[position.ply % 2]
            assert position.result.winner[0] == winner(stones, last)
        else:
            stones = pushed(stones, size, cell_of(move.notation), "BW"[position.ply % 2])
