"""Every built-in word, worked out by hand on small boards.

The words that need no position are tested on the 5x5 board of points below, by the names of sites:

    a5 b5 c5 d5 e5
    a4 b4 c4 d4 e4
    a3 b3 c3 d3 e3
    a2 b2 c2 d2 e2
    a1 b1 c1 d1 e1
"""

from __future__ import annotations

import pytest
from rules import legal, play, start

from gdl import builtins
from gdl.boards import BOARDS
from gdl.builtins import BUILTINS
from gdl.core import LIMIT
from interpreter.meanings import AGGREGATES, MEANINGS, Geometry
from interpreter.words import HERE

POINTS = Geometry(BOARDS["points"].build(columns=5))
HEXES = Geometry(BOARDS["hexagon"].build(side=2))


def test_every_builtin_has_one_meaning():
    assert MEANINGS.keys() | HERE.keys() == BUILTINS.keys()
    assert AGGREGATES.keys() == builtins.AGGREGATES.keys()
    assert not MEANINGS.keys() & HERE.keys()


def sites(names: str, g: Geometry = POINTS) -> int:
    return sum(1 << g.board.index[name] for name in names.split())


def ways(names: str, g: Geometry = POINTS) -> int:
    return sum(1 << g.board.directions.index(name) for name in names.split())


S, D = sites, ways
ORTHOGONAL = D("north east south west")
DIAGONAL = D("north_east south_east south_west north_west")

EXAMPLES = [
    ("board", (), S(" ".join(POINTS.board.names))),
    ("none", (), 0),
    ("edge", (), S("a1 b1 c1 d1 e1 a5 b5 c5 d5 e5 a2 a3 a4 e2 e3 e4")),
    ("corner", (), S("a1 e1 a5 e5")),
    ("center", (), S("c3")),
    ("infinite", (), LIMIT),
    ("size", (S("a1 b2 c3"),), 3),
    ("size", (0,), 0),
    ("group_count", ((1, 2),), 2),
    ("way_count", (D("north east"),), 2),
    ("way_count", (0,), 0),
    ("row_of", (S("b4"),), 4),
    ("row_of", (0,), 0),
    ("column_of", (S("b4"),), 2),
    ("column_of", (0,), 0),
    ("row", (2,), S("a2 b2 c2 d2 e2")),
    ("row", (6,), 0),
    ("row", (0,), 0),
    ("column", (5,), S("e1 e2 e3 e4 e5")),
    ("column", (-1,), 0),
    ("step", (S("a1 e5"), D("north"), 1), S("a2")),
    ("step", (S("c3"), DIAGONAL, 1), S("b2 b4 d2 d4")),
    ("step", (S("c3"), D("east west"), 2), S("a3 e3")),
    ("step", (S("c3"), D("east"), 3), 0),
    ("step", (S("c3"), D("east"), 0), S("c3")),
    ("step", (S("c3"), D("east"), -7), S("c3")),
    ("step", (S("c3"), 0, 0), 0),
    ("step", (S("c3"), D("east"), LIMIT), 0),
    ("adjacent", (S("a1 b1"),), S("c1 a2 b2")),
    ("adjacent", (0,), 0),
    ("ray", (S("c3"), D("north east")), S("c4 c5 d3 e3")),
    ("run", (S("a1"), D("east"), S("b1 c1 e1")), S("b1 c1")),
    ("run", (S("a1"), D("east"), S("c1")), 0),
    ("run", (S("a1"), D("north east"), S("b1 a2 a3")), S("b1 a2 a3")),
    ("beyond", (S("a1"), D("east"), S("b1 c1")), S("d1")),
    ("beyond", (S("a1"), D("east"), 0), S("b1")),
    ("beyond", (S("a1"), D("east"), S("b1 c1 d1 e1")), 0),
    ("nearest", (S("c1 e1"), S("a1"), D("east")), S("c1")),
    ("nearest", (S("a1 c1"), S("a1"), D("east")), S("c1")),
    ("nearest", (S("c2"), S("a1"), D("east")), 0),
    ("nearest", (S("c1 a3 e5"), S("a1"), D("east north")), S("c1 a3")),
    ("farthest", (S("c1 d1"), S("a1"), D("east")), S("d1")),
    ("farthest", (S("a1"), S("a1"), D("east")), 0),
    ("farthest", (S("b1 d1 a2"), S("c1"), D("east west")), S("d1 b1")),
    ("farthest", (S("d1 d2 e2"), S("a1 a2"), D("east")), S("d1 e2")),
    ("line", (S("a1 b1 c1 e1"), 3), S("a1 b1 c1")),
    ("line", (S("a1 b2 c3 d4 a4"), 4), S("a1 b2 c3 d4")),
    ("line", (S("a1 b2 c3"), 4), 0),
    ("line", (S("a1 c1"), 1), S("a1 c1")),
    ("line", (S("a1 c1"), 0), S("a1 c1")),
    ("line", (S("a1 b1 c1 c2 c3"), 3), S("a1 b1 c1 c2 c3")),
    ("between", (S("a1"), S("d4")), S("b2 c3")),
    ("between", (S("a1"), S("b1")), 0),
    ("between", (S("a1"), S("b3")), 0),
    ("between", (S("a1"), S("a1")), 0),
    ("between", (S("a5"), S("a1")), S("a2 a3 a4")),
    ("direction", (S("a1"), S("d4")), D("north_east")),
    ("direction", (S("d1"), S("a1")), D("west")),
    ("direction", (S("a1"), S("b3")), 0),
    ("opposite", (D("north east"),), D("south west")),
    ("opposite", (0,), 0),
    ("flank", (D("north"),), D("north_west north_east")),
    ("flank", (D("south_west"),), D("south west")),
    ("turned", (D("north"), 1), D("north_east")),
    ("turned", (D("north"), -2), D("west")),
    ("turned", (D("north west"), 3), D("south_east north_east")),
    ("turned", (D("north"), 8 * 1000 - 1), D("north_west")),
    ("turned", (ORTHOGONAL, 1), DIAGONAL),
    ("turned", (0, 1), 0),
    ("leaps", (S("a1"), 1, 2), S("b3 c2")),
    ("leaps", (S("c3"), 1, 2), S("a2 a4 b1 b5 d1 d5 e2 e4")),
    ("leaps", (S("a1"), 0, 4), S("e1 a5")),
    ("leaps", (S("a1"), LIMIT, 0), 0),
    ("groups", (S("e1 a1 b1 c3 a3"),), (S("a1 b1"), S("e1"), S("a3"), S("c3"))),
    ("groups", (0,), ()),
    ("connected", (S("a1 b1 b2"),), True),
    ("connected", (S("a1 b2"),), False),
    ("connected", (0,), True),
    ("reach", (S("a1"), S("b1 c1 e1")), S("a1 b1 c1")),
    ("reach", (S("a1"), S("c1")), S("a1")),
    ("reach", (0, S("c1")), 0),
    ("steps", (S("a1"), S("a1 e5"), 0), 0),
    ("steps", (S("a1"), S("b1"), 0), 1),
    ("steps", (S("a1"), S("d1"), S("b1 c1")), 3),
    ("steps", (S("a1"), S("d1"), S("b1")), LIMIT),
    ("steps", (S("a1"), S("c1"), S("a2 a3 b3 c3 c2")), 6),
    ("steps", (0, S("c1"), S("a2")), LIMIT),
    ("steps", (S("c1"), 0, S("a2")), LIMIT),
    ("closest", (S("a1 d1 c3"), S("e1"), S("b1 c1")), S("d1")),
    ("closest", (S("b1 d1"), S("c1"), 0), S("b1 d1")),
    ("closest", (S("a1 c1"), S("c1 e1"), 0), S("c1")),
    ("closest", (S("a1 a5"), S("e1"), S("b1 c1 d1")), S("a1")),
    ("closest", (S("a1"), S("e1"), S("b1 c1")), 0),
    ("closest", (S("a1"), 0, S("b1 c1")), 0),
    ("other", (0,), 1),
    ("other", (1,), 0),
    ("abs", (-3,), 3),
    ("larger", (-3, 2), 2),
    ("smaller", (-3, 2), -3),
    ("union", (S("a1 b1"), S("b1 c1")), S("a1 b1 c1")),
    ("difference", (S("a1 b1"), S("b1 c1")), S("a1")),
    ("intersection", (S("a1 b1"), S("b1 c1")), S("b1")),
    ("either_way", (D("north"), D("east")), D("north east")),
    ("without_way", (ORTHOGONAL, D("east")), D("north south west")),
    ("both_ways", (ORTHOGONAL, D("east north_east")), D("east")),
    ("add", (2, 3), 5),
    ("add", (LIMIT, 1), LIMIT),
    ("subtract", (2, 3), -1),
    ("subtract", (-LIMIT, 1), -LIMIT),
    ("multiply", (-4, 3), -12),
    ("multiply", (LIMIT, -2), -LIMIT),
    ("divide", (7, 2), 3),
    ("divide", (-7, 2), -4),
    ("divide", (7, -2), -4),
    ("divide", (7, 0), 0),
    ("modulo", (7, 2), 1),
    ("modulo", (-7, 3), 2),
    ("modulo", (7, -3), -2),
    ("modulo", (7, 0), 0),
    ("power", (2, 10), 1024),
    ("power", (2, 31), LIMIT),
    ("power", (-2, 31), -LIMIT),
    ("power", (0, 0), 1),
    ("power", (5, -1), 0),
    ("power", (-1, LIMIT), -1),
    ("power", (-1, LIMIT - 1), 1),
    ("power", (-3, LIMIT), -LIMIT),
    ("power", (-3, LIMIT - 1), LIMIT),
    ("power", (0, LIMIT), 0),
    ("negate", (4,), -4),
    ("less", (1, 2), True),
    ("less", (2, 2), False),
    ("at_most", (2, 2), True),
    ("at_most", (3, 2), False),
    ("greater", (2, 1), True),
    ("greater", (2, 2), False),
    ("at_least", (2, 2), True),
    ("at_least", (1, 2), False),
    ("is_in", (S("a1"), S("a1 b1")), True),
    ("is_in", (S("a1 c1"), S("a1 b1")), False),
    ("is_in", (0, S("a1")), False),
    ("way_in", (D("north"), ORTHOGONAL), True),
    ("way_in", (D("north north_east"), ORTHOGONAL), False),
    ("way_in", (0, ORTHOGONAL), False),
    ("within", (S("a1"), S("a1 b1")), True),
    ("within", (S("a1 c1"), S("a1 b1")), False),
    ("within", (0, 0), True),
    ("way_within", (D("north"), ORTHOGONAL), True),
    ("way_within", (D("north north_east"), ORTHOGONAL), False),
    ("way_within", (0, ORTHOGONAL), True),
    ("touches", (S("a1"), S("b1")), True),
    ("touches", (S("a1"), S("a1 b2")), False),
    ("touches", (0, S("a1")), False),
    ("some", (S("a1"),), True),
    ("some", (0,), False),
    ("no", (0,), True),
    ("no", (S("a1"),), False),
    ("some_way", (D("north"),), True),
    ("some_way", (0,), False),
    ("no_way", (0,), True),
    ("no_way", (D("north"),), False),
    ("not", (True,), False),
    ("not", (False,), True),
    ("at", ((7, *[0] * 24), S("a1")), 7),
    ("at", ((7, *[0] * 24), 0), 0),
    ("equal_set", (S("a1"), S("a1")), True),
    ("equal_set", (S("a1"), S("a1 b1")), False),
    ("equal_int", (3, 3), True),
    ("equal_int", (3, 4), False),
    ("equal_bool", (True, True), True),
    ("equal_bool", (True, False), False),
    ("equal_player", (0, 0), True),
    ("equal_player", (0, 1), False),
    ("equal_directions", (D("north"), D("north")), True),
    ("equal_directions", (D("north"), D("south")), False),
    ("equal_kind", (1, 1), True),
    ("equal_kind", (-1, 1), False),
]


@pytest.mark.parametrize(("key", "arguments", "expected"), EXAMPLES, ids=lambda value: str(value)[:24])
def test_meaning(key, arguments, expected):
    assert MEANINGS[key](POINTS, *arguments) == expected


def test_every_meaning_has_an_example():
    assert {key for key, _, _ in EXAMPLES} == MEANINGS.keys()


def test_words_on_hexes():
    """The hexagon of side 2: a2 a3 / b1 b2 b3 / c1 c2 around b2."""

    def s(names: str) -> int:
        return sites(names, HEXES)

    assert MEANINGS["adjacent"](HEXES, s("b2")) == HEXES.all & ~s("b2")
    assert MEANINGS["adjacent"](HEXES, s("b1")) == s("c1 a2 b2")
    assert MEANINGS["line"](HEXES, s("b1 b2 b3 c1"), 3) == s("b1 b2 b3")
    assert MEANINGS["flank"](HEXES, ways("east", HEXES)) == ways("north_east south_east", HEXES)
    assert MEANINGS["between"](HEXES, s("a2"), s("c2")) == s("b2")
    assert MEANINGS["turned"](HEXES, ways("east", HEXES), 1) == ways("south_east", HEXES)
    assert MEANINGS["turned"](HEXES, ways("north_east west", HEXES), -2) == ways("west south_east", HEXES)


def test_a_knight_on_hexes():
    """As the message about `leaps` on hexes gives it: the twelve sites at the same distance, all around."""
    position = start(
        """
board hexagon(4)
pieces stone
turn:
    choose s in union(step(step(d4, d, 2), flank(d)) for d in all_directions)
    place stone at s
end:
    if stuck(next): draw
"""
    )
    assert legal(position) == "e1 f1 c2 g2 b3 g3 a5 f5 a6 e6 b7 c7".split()


@pytest.mark.parametrize(
    ("op", "over_nothing", "of_minus_two_and_one"),
    [("sum", 0, -1), ("count", 0, 2), ("max", 0, 1), ("min", LIMIT, -2), ("union", 0, -2 | 1)],
)
def test_aggregates(op, over_nothing, of_minus_two_and_one):
    assert AGGREGATES[op]([]) == over_nothing
    assert AGGREGATES[op]([-2, 1]) == of_minus_two_and_one


def test_the_largest_of_negative_numbers_is_negative():
    assert AGGREGATES["max"]([-5, -3]) == -3


def test_a_sum_saturates_at_each_step():
    assert AGGREGATES["sum"]([LIMIT, 5, -1]) == LIMIT - 1


def test_any_and_all_stop_at_the_value_that_decides():
    values = iter([False, True, True])
    assert AGGREGATES["any"](values) is True
    assert list(values) == [True]
    assert AGGREGATES["all"](iter([])) is True
    assert AGGREGATES["any"](iter([])) is False


# --- words that look at the position ------------------------------------------

#: Black a1 b1, White c1, a black man on a2, a rock on b2 of a 3x3 board.
SETUP = """
board squares(3)
pieces stone, man, rock neutral
setup:
    place Black stone at {a1, b1}
    place White stone at c1
    place Black man at a2
    place rock at b2
"""

TURN = """
turn:
    choose site in {value}
    place stone at site
end:
    if no empty: draw
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("empty", "c2 a3 b3 c3"),
        ("occupied", "a1 b1 c1 a2 b2"),
        ("mine", "a1 b1 a2"),
        ("theirs", "c1"),
        ("pieces(White)", "c1"),
        ("pieces(mover)", "a1 b1 a2"),
        ("pieces(next)", "c1"),
        ("stone + none", "a1 b1 c1"),
        ("rock + none", "b2"),
        ("stone(Black)", "a1 b1"),
        ("man(White)", ""),
        ("group(a1)", "a1 b1 a2"),
        ("group(c1)", "c1"),
        ("group(b2)", "b2"),
        ("group(c3)", ""),
        ("{s in board: kind(s) = man}", "a2"),
        ("{s in board: kind(s) = kind(c3)}", "c2 a3 b3 c3"),
        ("last_move", ""),
        ("changed", ""),
        ("row(ply + 1)", "a1 b1 c1"),
        ("row(passes + 2)", "a2 b2 c2"),
        ("(board if mover = Black else none)", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    ],
)
def test_sets_of_the_position(words, expected):
    position = start(SETUP + TURN.replace("{value}", words) + "    if stuck(next): draw\n")
    assert legal(position) == expected.split()


PASSING = """
board squares(2)
pieces stone
turn:
    either:
        choose site in empty
        place stone at site
    or:
        pass
end:
"""


def test_passes_counts_the_last_moves_only():
    position = start(PASSING + "    if passes = 2: mover wins\n")
    assert play(position, "a1 pass b1 pass").result is None
    assert play(position, "a1 pass pass").result.winner == "Black"


def test_ply_counts_the_move_just_made_in_end():
    position = start(PASSING + "    if ply = 3: draw\n")
    assert play(position, "a1 pass").result is None
    assert play(position, "a1 pass b1").result.reason == "ply = 3"


def test_last_move_and_changed_are_the_turn_just_made_in_end():
    position = start(PASSING + "    if b2 in last_move: mover wins\n    if b1 in changed: draw\n")
    assert play(position, "a1 b2").result.winner == "White"
    assert play(position, "a1 b1").result.winner is None
    assert play(position, "a1 a2").result is None
    assert play(position, "a1 a2").last_move == ("a2",)
    assert play(position, "a1 a2 pass").last_move == ()


SHUTTLE = """
board squares(2)
pieces stone
setup:
    place Black stone at a1
    place White stone at b1
turn:
    choose stone in mine
    choose site in step(stone, north + south)
    move stone to site
end:
"""


def test_repeated_looks_at_the_board_and_the_player_to_move():
    position = start(SHUTTLE + "    if repeated: draw\n")
    assert play(position, "a1-a2 b1-b2 a2-a1").result is None
    assert play(position, "a1-a2 b1-b2 a2-a1 b2-b1").result.reason == "repeated"


def test_repetitions_counts_this_time_too():
    position = start(SHUTTLE + "    if repetitions = 3: draw\n")
    round_trip = "a1-a2 b1-b2 a2-a1 b2-b1 "
    assert play(position, round_trip).result is None
    assert play(position, 2 * round_trip).over


def test_repeated_board_does_not_ask_who_moves():
    after_a_pass = play(start(PASSING + "    if repeated_board: draw\n"), "a1 pass")
    assert after_a_pass.result.reason == "repeated_board"
    assert play(start(PASSING + "    if repeated: draw\n"), "a1 pass").result is None


def test_repeated_in_a_turn_speaks_of_the_board_as_it_would_be():
    position = start(
        SHUTTLE.replace("end:\n", "    require not repeated\nend:\n    if stuck(next): mover wins\n")
    )
    position = play(position, "a1-a2 b1-b2 a2-a1")
    assert position.result.winner == "Black"
    assert position.result.reason == "stuck(next)"


def test_stuck_asks_for_a_move_of_the_player_to_move():
    text = """
board squares(2)
pieces stone
turn:
    choose site in empty & row(1)
    place stone at site
end:
    if stuck(next): next wins
"""
    assert play(start(text), "a1").result is None
    result = play(start(text), "a1 b1").result
    assert (result.winner, result.person) == ("Black", "first")


def test_next_is_the_mover_after_again():
    text = """
board squares(3)
pieces stone
turn:
    choose site in empty
    place stone at site
    if site in edge:
        again
    if next = Black:
        place stone at a3
end:
    if no empty: draw
"""
    position = play(start(text), "b2")
    assert (position.to_move, "a3" in position.board) == ("White", False)
    position = play(start(text), "a1")
    assert (position.to_move, "a3" in position.board) == ("Black", True)
