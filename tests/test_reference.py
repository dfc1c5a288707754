"""The meaning of statements, play sequences and endings, by small games; and counts for real ones."""

from __future__ import annotations

import pytest
from rules import game, legal, play, start

import interpreter.reference
from gdl.core import Const, Place
from gdl.diagnostics import RuleError
from interpreter.game import Game, OptionError, Position, TooMuchWork

BOARD = "board squares(3)\npieces stone\n"
END = "end:\n    if no empty: draw\n    if stuck(next): draw\n"


def turn(body: str, *, setup: str = "", board: str = BOARD, end: str = END) -> Position:
    """The start of a game with this turn; `body` and `setup` are statements, one per line."""

    def block(name: str, lines: str) -> str:
        return f"{name}:\n" + "".join(f"    {line}\n" for line in lines.strip("\n").split("\n"))

    return start(board + (block("setup", setup) if setup else "") + block("turn", body) + end)


def after(body: str, *, setup: str = "", board: str = BOARD) -> dict[str, str]:
    """The board after the first move of a game whose turn ends with these effects."""
    position = turn("choose k in 1..1\n" + body, setup=setup, board=board)
    return position.play("1").board


# --- counts that other programs agree on ----------------------------------------


def perft(position: Position, depth: int) -> int:
    if depth == 1:
        return len(position.legal_moves)
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves)


@pytest.mark.parametrize(
    ("size", "counts"), [(3, [2, 4, 0]), (5, [14, 176, 1460]), (7, [34, 1104]), (9, [62, 3744]), (11, [98])]
)
def test_ayu_counts(size, counts):
    """Two independent programs agree on these counts."""
    position = Game.load("ayu", size=size).start()
    assert [perft(position, depth + 1) for depth in range(len(counts))] == counts


def distinct(position: Position, depth: int) -> list[int]:
    counts, level = [], [position]
    for _ in range(depth):
        level = list({new.key: new for old in level for new in map(old.play, old.legal_moves)}.values())
        counts.append(len(level))
    return counts


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (2, [4, 12, 12, 6]),
        (3, [9, 60, 224, 664, 1212, 1632, 1260, 630, 126]),
        (4, [16, 192, 1004]),
        (5, [25, 520]),
    ],
)
def test_egotzi_distinct_positions(size, counts):
    assert distinct(Game.load("egotzi", size=size, pie=False).start(), len(counts)) == counts


# --- values -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition",
    [
        "{d in orthogonal: step(a1, d) in mine} = none",
        "none != north",
        "(none if ply = 0 else north) = none",
        "(none else north) = north",
        "(diagonal & orthogonal else {east, none}) = east",
        "none + north = north - none",
        "none within diagonal and no none & diagonal and not none in diagonal",
        "size(orthogonal) = 4 and some orthogonal",
        "around(none) = 0 and around(orthogonal) = 2",
        "step(a1, none) = none",
    ],
)
def test_none_is_no_direction_beside_directions(condition):
    ways = "define around(d) = size(step(a1, d))\n" * ("around" in condition)
    position = turn(f"require {condition}\npass", board=BOARD + ways)
    assert legal(position) == ["pass"]


def test_nothing_does_nothing():
    body = "either:\n    choose s in corner\n    place stone at s\nor:\n    nothing"
    position = turn(body)
    assert legal(position) == ["a1", "c1", "a3", "c3", "go"]
    after_it = position.play("go")
    assert (after_it.board, after_it.to_move) == ({}, "White")


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("sum(column(s) * k for s in row(1) for k in 1..column(s))", 1 + 2 * 3 + 3 * 6),
        ("count(d for s in board if row(s) = 1 for d in orthogonal if some step(s, d))", 2 + 3 + 2),
        ("count(j for k in 1..3 for i in 1..3 for j in 1..3 if k = i)", 9),
        ("max(-k for s in row(1) for k in 2..column(s))", -2),
        ("max(-k for s in row(1) for k in 5..column(s))", 0),
        ("max(-k for s in row(1) for k in column(s)..2 for _t in {t in s: column(t) > 1})", -2),
        ("min(k for s in row(1) for k in 2..column(s))", 2),
        ("min(k for s in row(1) for k in 5..column(s))", 2147483647),
        ("size(union(step(s, d) for s in corner for d in orthogonal if s in row(1)))", 3),
        ("size(union(d for s in a1 for d in orthogonal if some step(s, d)))", 2),
        ("1 if any(step(s, d) = b2 for s in a1 for d in orthogonal) else 0", 0),
        ("1 if all(step(s, d) != b2 for s in a1 for d in orthogonal) else 0", 1),
    ],
)
def test_loops_inside_each_other_in_one_value(value, number):
    position = turn(f"choose n in {number}..{number} where n = ({value})\nplace stone at a1")
    assert legal(position) == [str(number)]


def test_a_line_goes_on_behind_a_word_that_wants_more():
    body = """
choose s in
    empty where
    not
    s in
    corner
for
    t in
    board - s:
    place stone at
        t
    move t to
        s
let n = 1
n +=
    2
choose k in n..
    3
"""
    position = turn(body)
    assert legal(position) == [f"{s}-3" for s in "b1 a2 b2 c2 b3".split()]


# --- effects ----------------------------------------------------------------------


def test_place_replaces():
    assert after("place White stone at a1", setup="place Black stone at a1") == {"a1": "White stone"}


def test_place_of_the_mover():
    assert after("place stone at a1 + c3") == {"a1": "Black stone", "c3": "Black stone"}


def test_a_neutral_piece_belongs_to_nobody():
    board = "board squares(3)\npieces stone, rock neutral\n"
    assert after("place rock at b2", board=board) == {"b2": "rock"}
    assert after("flip b2", setup="place rock at b2", board=board) == {"b2": "rock"}
    assert after("become stone at b2", setup="place rock at b2", board=board) == {"b2": "rock"}
    assert after("become rock at b2", setup="place Black stone at b2", board=board) == {"b2": "rock"}


def test_move_pairs_sites_in_their_order_as_far_as_both_go():
    setup = "place Black stone at a1\nplace White stone at b1 + c1"
    assert after("move a1 + b1 + c1 to a3 + b3", setup=setup) == {
        "c1": "White stone",
        "a3": "Black stone",
        "b3": "White stone",
    }


def test_move_leaves_out_empty_sites():
    setup = "place Black stone at b1"
    assert after("move a1 + b1 to a3 + b3", setup=setup) == {"a3": "Black stone"}


def test_move_captures_and_lets_pieces_change_places():
    setup = "place Black stone at a1\nplace White stone at b1"
    assert after("move a1 to b1", setup=setup) == {"b1": "Black stone"}
    assert after("move a1 + b1 to b1 + c1", setup=setup) == {"b1": "Black stone", "c1": "White stone"}


def test_move_to_nowhere_moves_nothing():
    assert after("move a1 to none", setup="place Black stone at a1") == {"a1": "Black stone"}


def test_remove_and_flip():
    setup = "place Black stone at a1\nplace White stone at b1"
    assert after("remove a1 + c1", setup=setup) == {"b1": "White stone"}
    assert after("flip a1 + b1 + c1", setup=setup) == {"a1": "White stone", "b1": "Black stone"}


def test_become_keeps_the_owner():
    board = "board squares(3)\npieces man, king\n"
    setup = "place Black man at a1\nplace White man at b1\nplace White king at c1"
    assert after("become king at row(1)", setup=setup, board=board) == {
        "a1": "Black king",
        "b1": "White king",
        "c1": "White king",
    }


def test_one_after_the_other_sees_what_went_before():
    setup = "place Black stone at a1"
    assert after("move a1 to b1\nmove b1 to c1", setup=setup) == {"c1": "Black stone"}


def test_at_once_sees_the_board_as_it_was():
    setup = "place Black stone at a1\nplace White stone at b1"
    swapped = "at once:\n    move a1 to b1\n    move b1 to a1"
    assert after(swapped, setup=setup) == {"a1": "White stone", "b1": "Black stone"}
    chain = "at once:\n    for s in row(1):\n        move s to step(s, east)"
    assert after(chain, setup=setup) == {"b1": "Black stone", "c1": "White stone"}


def test_at_once_lets_in_what_arrives_where_another_leaves_later():
    setup = "place Black stone at a1\nplace White stone at b1"
    body = "at once:\n    place stone at b1\n    remove b1 + a1"
    assert after(body, setup=setup) == {"b1": "Black stone"}


def test_at_once_assigns_from_the_old_state():
    board = BOARD + "state a: int = 1\nstate b: int = 2\nstate n: int per site = 0\n"
    body = "choose k in 1..1\nat once:\n    a := b\n    b := a\n    n[a1 + b1] += b\n    n[a1] += 1"
    state = turn(body, board=board).play("1").state
    assert (state["a"], state["b"]) == (2, 1)
    assert {site: n for site, n in state["n"].items() if n} == {"a1": 3, "b1": 2}


def test_counters():
    board = BOARD + "state n: int per site = 4 on row(1), 1 on a1\n"
    body = "choose k in 1..1\nn[b1 + c1] -= 1\nn[a2] := n[a1] + n[b1]\nn[none] := 9"
    counts = turn(body, board=board).play("1").state["n"]
    assert list(counts.values()) == [1, 3, 3, 4, 0, 0, 0, 0, 0]


# --- choices ----------------------------------------------------------------------


def test_choices_come_depth_first_in_the_order_of_the_sites():
    body = "choose a in c1 + a1\nchoose b in row(2) - column(2)\nplace stone at a + b"
    assert legal(turn(body)) == ["a1-a2", "a1-c2", "c1-a2", "c1-c2"]


def test_a_require_looks_at_the_board_as_it_then_is():
    body = "choose s in row(1)\nplace stone at s\nrequire no b1 & mine"
    assert legal(turn(body)) == ["a1", "c1"]


def test_a_run_changes_nothing_for_the_others():
    position = turn("choose s in empty\nplace stone at s\nrequire size(mine) = 1", end=END)
    assert len(position.legal_moves) == 9
    assert position.board == {}


def test_either_and_pass():
    body = "either:\n    choose s in row(1)\n    place stone at s\nor:\n    pass\nplace stone at c3"
    position = turn(body)
    assert legal(position) == ["a1", "b1", "c1", "pass"]
    assert position.play("pass").board == {"c3": "Black stone"}


def test_prefer_takes_the_later_block_only_where_the_whole_turn_has_no_run():
    first = "    choose s in row(1)\n    place stone at s\n"
    body = f"prefer:\n{first}otherwise:\n{first.replace('row(1)', 'row(2)')}"
    assert legal(turn(body + "require some a2 & mine")) == ["a2"]
    assert legal(turn(body + "require some b1 & mine")) == ["b1"]
    passing = "prefer:\n    choose s in row(1) & empty\n    place stone at s\notherwise:\n    pass"
    position = turn(passing)
    assert legal(position) == ["a1", "b1", "c1"]
    assert legal(play(position, "a1 b1 c1")) == ["pass"]


def test_only_most_keeps_the_best_runs():
    body = "choose s in board\nplace stone at s\nonly the most size(adjacent(s))"
    assert legal(turn(body)) == ["b2"]
    body = "choose s in board\nonly the most size(adjacent(s))\nrequire not s = b2\nplace stone at s"
    assert legal(turn(body)) == []


def test_repeat_goes_on_while_it_may():
    """A stone jumps over its neighbours one after the other, as long as there are any."""
    board = "board rectangle(7, 1)\npieces stone\n"
    setup = "place Black stone at a1\nplace White stone at b1 + d1"
    body = """
choose from in mine
let here = from
repeat:
    choose d in orthogonal
    let over = step(here, d) & theirs
    let landing = step(over, d) & empty
    require some landing
    remove over
    move here to landing
    here := landing
while some step(here, east) & theirs
"""
    position = turn(body, setup=setup, board=board)
    assert legal(position) == ["a1-east-east"]
    assert position.play("a1-east-east").board == {"e1": "Black stone"}


def test_repeat_with_choices_ends_after_as_many_rounds_as_there_are_sites():
    """Without choices, laps of sowing may be many more; once, they silently ended after as many."""
    board = BOARD + "state n: int = 0\n"
    for condition, rounds in (("n < 100", 100), ("yes", 1000)):
        position = turn(f"choose k in 1..1\nrepeat:\n    n += 1\nwhile {condition}", board=board)
        assert position.play("1").state == {"n": rounds}
    body = "repeat:\n    choose k in 1..1\n    n += 1\nwhile yes"
    assert turn(body, board=board).play("-".join("1" * 9)).state == {"n": 9}


def test_a_loop_of_choices_over_many_sites_does_not_recurse():
    board = "board squares(40)\npieces stone\n"
    body = "for s in board:\n    choose k in 1..1\n    place stone at s"
    position = turn(body, board=board, end="end:\n    if no empty: mover wins\n    if stuck(next): draw\n")
    assert len(position.legal_moves) == 1
    assert position.play(position.legal_moves[0]).result.winner == "Black"


def test_a_loop_reads_its_domain_once():
    assert after("for s in empty & row(1):\n    place stone at step(s, north)\n    remove step(s, east)") == {
        "a2": "Black stone",
        "b2": "Black stone",
        "c2": "Black stone",
    }


# --- play sequence, sides, endings --------------------------------------------------

BIDDING = """
option auction = yes
board squares(2)
pieces stone
state bonus: int = 0
turn bid:
    choose points in 0..6 step 2
    bonus := points
turn take_side:
    either:
        keep sides
    or:
        swap sides
turn:
    choose s in empty
    place stone at s
score p = size(pieces(p)) + (bonus if p = White else 0)
play:
    once Black: bid when auction
    once White: take_side when auction
    repeat Black, White: turn
end:
    if no empty: highest score wins, tie: draw
"""


def test_once_steps_come_first_and_then_the_round_goes_on():
    position = start(BIDDING)
    assert legal(position) == ["0", "2", "4", "6"]
    position = position.play("2")
    assert (position.to_move, position.person, legal(position)) == ("White", "second", ["keep", "swap"])
    assert position.play("keep").to_move == "Black"
    assert play(position, "keep a1 b1 a2").to_move == "White"


def test_swap_sides_changes_the_people_and_not_the_stones():
    position = play(start(BIDDING), "2 swap")
    assert position.seats == {"Black": "second", "White": "first"}
    assert (position.to_move, position.person) == ("Black", "second")
    result = play(position, "a1 b1 a2 b2").result
    assert (result.winner, result.person, result.scores) == ("White", "first", {"Black": 2, "White": 4})
    assert result.reason == "no empty"


def test_equal_scores_are_what_tie_says():
    result = play(start(BIDDING), "0 keep a1 b1 a2 b2").result
    assert (result.winner, result.person, result.scores) == (None, None, {"Black": 2, "White": 2})


def test_a_reason_behind_a_tie_is_that_of_the_whole_line():
    end = '    if no empty: highest score wins, tie: White wins "the board is full"\n'
    rules = "board squares({})\npieces stone\nscore p = size(pieces(p))\n"
    rules += "turn:\n    choose s in empty\n    place stone at s\nend:\n" + end
    for sides, moves, winner in (("3, 1", "a1 b1 c1", "Black"), ("2, 1", "a1 b1", "White")):
        result = play(start(rules.format(sides)), moves).result
        assert (result.winner, result.reason) == (winner, "the board is full")


def test_steps_are_left_out_where_their_condition_fails():
    position = start(BIDDING, auction=False)
    assert (position.to_move, legal(position)) == ("Black", ["a1", "b1", "a2", "b2"])


def test_again_stays_on_the_same_step():
    position = turn("choose s in empty\nplace stone at s\nif s = b2:\n    again")
    assert play(position, "b2").to_move == "Black"
    assert play(position, "b2 a1").to_move == "White"


ROWS = """
board squares(5)
pieces stone
state won: int per player = 0
turn:
    choose s in empty
    place stone at s
    if some line(mine, 3):
        again: take
turn take:
    choose d in north, east
    choose s in {t in mine: all(step(t, d, k) in mine for k in 1..2)}
    remove s + step(s, d) + step(s, d, 2)
    won[mover] += 1
    if some line(mine, 3):
        again
end:
    if won[mover] = 3: mover wins
    if stuck(next): draw
"""


def test_again_leads_to_another_turn_and_then_the_order_goes_on():
    """Three in a row are taken off by the player who made them; only `again` leads to that turn."""
    position = play(start(ROWS), "a1 a5 b1 b5 c1")
    assert (position.to_move, legal(position), position.ply) == ("Black", ["east-a1"], 5)
    position = position.play("east-a1")
    assert (position.to_move, position.board) == ("White", {"a5": "White stone", "b5": "White stone"})
    assert legal(position)[:2] == ["a1", "b1"]
    assert position.state["won"] == {"Black": 1, "White": 0}


def test_again_alone_takes_the_turn_that_again_has_led_to_once_more():
    setup = "setup:\n    place Black stone at column(1) + row(3) - a3 - e3\n"
    position = start(ROWS + setup).play("a3")
    assert legal(position) == ["north-a1", "north-a2", "north-a3", "east-a3", "east-b3"]
    once = position.play("east-b3")
    assert (once.to_move, legal(once)) == ("Black", ["north-a1", "north-a2", "north-a3"])
    assert once.play("north-a2").to_move == "White"
    assert legal(position.play("north-a3")) == ["east-b3"]


SEVERAL = """
board squares(2)
pieces stone
state n: int = 0
turn first:
    choose k in 1..4
    n := k
    if k = 2:
        again: second
    if k = 3:
        again: first
turn second:
    choose k in 5..7
    n := k
    if k = 6:
        again: first
    if k = 7:
        again: third
turn third:
    choose k in 8..8
    again: second
turn last:
    choose k in 9..9
play:
    once Black, White: first when n < 7
    repeat Black, White, White: last
end:
    if ply = 20: draw
"""


@pytest.mark.parametrize(
    ("moves", "to_move", "offered"),
    [
        ("1", "White", "1 2 3 4"),
        ("2", "Black", "5 6 7"),
        ("2 5", "White", "1 2 3 4"),
        ("2 6", "Black", "1 2 3 4"),
        ("2 6 1", "White", "1 2 3 4"),
        ("2 7", "Black", "8"),
        ("2 7 8 5", "White", "1 2 3 4"),
        ("3", "Black", "1 2 3 4"),
        ("3 2 5 2", "White", "5 6 7"),
        ("3 2 5 2 5", "Black", "9"),
        ("1 1 9", "White", "9"),
        ("1 1 9 9", "White", "9"),
        ("1 1 9 9 9", "Black", "9"),
    ],
)
def test_turns_lead_to_turns_until_one_ends_without_again(moves: str, to_move: str, offered: str):
    for engine in ("reference", "native"):
        position = play(game(SEVERAL).on(engine).start(), moves)
        assert (position.to_move, " ".join(legal(position))) == (to_move, offered)


def test_what_once_depends_on_is_asked_when_the_turn_is_over():
    text = SEVERAL.replace("n < 7", "n < 5")
    assert legal(play(start(text), "2 5")) == ["9"]
    assert play(start(text), "2 5").to_move == "Black"
    assert legal(play(start(text), "2 7")) == ["8"]


def test_who_must_take_a_turn_and_cannot_is_stuck():
    text = BOARD + "turn:\n    choose s in empty\n    place stone at s\n    again: take\n"
    text += "turn take:\n    choose s in theirs\n    remove s\nend:\n    if stuck(next): next loses\n"
    result = start(text).play("a1").result
    assert (result.winner, result.reason) == ("White", "stuck(next)")


def test_the_same_board_before_another_turn_is_another_position():
    """What may be played next differs: `repeated`, `key` and `hash64` tell them apart."""
    text = BOARD + "turn:\n    choose s in a1, b1\n    if s = a1:\n        again: other\n"
    text += (
        "turn other:\n    choose k in 1..2\n    if k = 1:\n        again: turn\nend:\n    if repeated: draw\n"
    )
    for engine in ("reference", "native"):
        begin = game(text).on(engine).start()
        led = begin.play("a1")
        assert (led.to_move, led.board, led.result) == (begin.to_move, begin.board, None)
        assert led.key != begin.key
        assert led.hash64 != begin.hash64
        assert led.play("1").result.reason == "repeated", "the turn that the game began with"
        assert led.play("1").key == begin.key
        assert led.play("2").to_move == "White"


def test_the_pie_rule_waits_until_the_other_player_moves():
    text = PIE.replace("place stone at s\n", "place stone at s\n    again: more\n")
    text += "turn more:\n    choose s in empty\n    place stone at s\n"
    position = start(text).play("b2")
    assert "swap" not in legal(position)
    assert (position.play("a1").to_move, legal(position.play("a1"))[-1]) == ("White", "swap")


def test_the_first_ending_that_holds_counts():
    end = (
        "end:\n    if size(mine) = 2: mover wins\n    if size(occupied) = 3: draw\n    if stuck(next): draw\n"
    )
    result = play(turn("choose s in empty\nplace stone at s", end=end), "a1 b1 c1").result
    assert (result.winner, result.person, result.reason) == ("Black", "first", "size(mine) = 2")


def test_without_a_word_for_no_move_the_game_is_a_draw():
    position = turn("choose s in empty & row(1)\nplace stone at s", end="end:\n    if no empty: mover wins\n")
    result = play(position, "a1 b1 c1").result
    assert (result.winner, result.reason) == (None, "no legal move")


def test_nobody_can_move_at_the_start():
    position = turn("choose s in empty & none\nplace stone at s", end="end:\n    if stuck(next): next wins\n")
    assert position.result.winner == "Black"
    assert position.legal_moves == ()


PIE = (
    BOARD + "option pie = yes\npie rule when pie\nturn:\n    choose s in empty\n    place stone at s\n" + END
)


def test_an_outcome_may_look_back_too():
    end = "end:\n    if ply = 4: (Black if repeated else White) wins\n    if stuck(next): draw\n"
    body = "choose s in mine\nchoose t in step(s, north + south)\nmove s to t"
    position = turn(body, setup="place Black stone at a1\nplace White stone at c1", end=end)
    assert play(position, "a1-a2 c1-c2 a2-a1 c2-c1").result.winner == "Black"
    assert play(position, "a1-a2 c1-c2 a2-a3 c2-c3").result.winner == "White"


def test_pie_rule():
    position = start(PIE)
    assert "swap" not in legal(position)
    position = position.play("b2")
    assert legal(position)[-1] == "swap"
    assert len(legal(position)) == 9
    swapped = position.play("swap")
    assert swapped.board == position.board
    assert (swapped.to_move, swapped.person, swapped.ply) == ("White", "first", 2)
    assert "swap" not in legal(swapped)
    assert "swap" not in legal(swapped.play("a1"))
    declined = play(position, "a1 a2")
    assert declined.person == "second"
    assert "swap" not in legal(declined)
    assert "swap" not in legal(start(PIE, pie=False).play("b2"))


def test_the_pie_rule_waits_for_a_second_player():
    text = PIE.replace(
        "place stone at s", "place stone at s\n    if size(mine) = 1 and no theirs:\n        again"
    )
    position = start(text).play("b2")
    assert (position.to_move, "swap" in legal(position)) == ("Black", False)
    assert "swap" in legal(position.play("a1"))


# --- setup ------------------------------------------------------------------------


def test_diagram():
    setup = 'diagram """\nS . s\n. . .\ns . S\n"""'
    assert turn("choose s in empty\nplace stone at s", setup=setup).board == {
        "a1": "White stone",
        "c1": "Black stone",
        "a3": "Black stone",
        "c3": "White stone",
    }


def test_two_pieces_on_one_site_of_the_setup():
    with pytest.raises(RuleError) as caught:
        turn(
            "choose s in empty\nplace stone at s",
            setup="place Black stone at row(1)\nplace White stone at b1 + b2",
        )
    (fault,) = caught.value.diagnostics
    assert fault.message == "two pieces are set up on b1"
    assert fault.span.line == 7


def test_a_picture_of_the_wrong_size():
    with pytest.raises(RuleError, match=r"the board has 3 rows, the picture 2 rows"):
        turn("choose s in empty\nplace stone at s", setup='diagram """\n. . .\n. . .\n"""')
    with pytest.raises(RuleError, match=r"row 2 of the board has 3 sites, this row of the picture has 4"):
        turn("choose s in empty\nplace stone at s", setup='diagram """\n. . .\n. . . .\n. . .\n"""')


def test_states_start_after_the_setup_and_in_order():
    states = "state free: set = empty\nstate n: int = size(free)\n"
    states += "state p: player = White\nstate q: bool = n = 3\n"
    setup = "place Black stone at row(1) + row(2)"
    position = turn("choose s in empty\nplace stone at s", board=BOARD + states, setup=setup)
    assert position.state == {"free": ["a3", "b3", "c3"], "n": 3, "p": "White", "q": True}


# --- options ----------------------------------------------------------------------

OPTIONS = """
option size: 3..9 step 2 = 5
option rows: 2..size+1 = size
option wide = no
board squares(size, rows)
pieces stone
turn:
    choose s in empty - (c3 if wide else z26)
    place stone at s
end:
    if no empty: draw
"""


def test_options_take_their_defaults_in_order():
    assert game(OPTIONS, wide=True).options == {"size": 5, "rows": 5, "wide": True}
    assert game(OPTIONS, size=3, wide=True).options == {"size": 3, "rows": 3, "wide": True}
    assert game(OPTIONS, size=3, rows=4, wide=True).board.size == 12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 4}, "option `size` cannot be 4: it is a whole number from 3 to 9 in steps of 2"),
        ({"size": 11}, "option `size` cannot be 11: it is a whole number from 3 to 9 in steps of 2"),
        ({"size": True}, "option `size` cannot be yes: it is a whole number from 3 to 9 in steps of 2"),
        (
            {"size": "5"},
            "option `size` cannot be the text '5': it is a whole number from 3 to 9 in steps of 2",
        ),
        ({"size": 3, "rows": 5}, "option `rows` cannot be 5: it is a whole number from 2 to 4"),
        ({"wide": 1}, "option `wide` cannot be 1: it is yes or no"),
        ({"sise": 5}, "Test has no option `sise`; did you mean `size`?"),
        ({"rules": 5}, "Test has no option `rules`; it has size, rows, wide"),
        ({"komi": 5}, "Test has no option `komi`; it has size, rows, wide"),
    ],
)
def test_option_errors(options, message):
    with pytest.raises(OptionError) as caught:
        game(OPTIONS, **options)
    assert str(caught.value) == message


def test_what_an_option_may_be():
    start = game(OPTIONS, size=3, wide=True)
    assert start.choices("size") == range(3, 10, 2)
    assert start.choices("rows") == range(2, 5)
    assert start.choices("wide") == (False, True)
    with pytest.raises(OptionError, match="did you mean `size`"):
        start.choices("sise")


def test_a_site_that_the_board_lacks_is_a_fault_only_where_it_is_asked_for():
    with pytest.raises(RuleError) as caught:
        game(OPTIONS)
    (fault,) = caught.value.diagnostics
    assert fault.message == "this board has no site `z26`"
    assert fault.span.line == 10
    assert game(OPTIONS, wide=True).start()


def test_a_board_that_is_too_large():
    board = "option size: 2..90 = 90\nboard squares(size)\npieces stone\n"
    with pytest.raises(RuleError, match="must be from 1 to 40, not 90"):
        turn("choose s in empty\nplace stone at s", board=board)


def test_binding_computes_what_is_constant():
    setup = Game.load("ayu", size=5)._bound.program.setup
    assert all(isinstance(stmt, Place) and isinstance(stmt.at, Const) for stmt in setup)


# --- bounds -----------------------------------------------------------------------


def test_too_much_work_is_said_and_not_done():
    body = "choose a in 1..100000\nchoose b in 1..100000\nrequire a + b = 0\nplace stone at a1"
    with pytest.raises(TooMuchWork, match="a turn of Test takes more than 1,000,000 steps"):
        legal(turn(body))


def test_a_huge_range_is_not_made():
    with pytest.raises(TooMuchWork):
        legal(turn("choose a in 1..infinite\nplace stone at a1"))


def test_large_counters_and_long_texts_count_as_work(monkeypatch):
    """On 1,600 sites, each of 10,000 branches would hold its own counters."""
    monkeypatch.setattr(interpreter.reference, "BUDGET", 100_000)
    board = "board squares(40)\npieces stone\nstate n: int per site = 0\n"
    with pytest.raises(TooMuchWork):
        legal(turn("choose a in 1..10000\nn[a1] := a", board=board))
    with pytest.raises(TooMuchWork):
        legal(turn(f'choose a in 1..10000\nplace stone at a1\nnotation "{{a}}{"x" * 10_000}"'))


def test_too_many_moves(monkeypatch):
    monkeypatch.setattr(interpreter.reference, "MOST_MOVES", 100)
    with pytest.raises(TooMuchWork, match="more than 100 moves"):
        legal(turn("choose a in 1..101\nplace stone at a1"))
    assert len(legal(turn("choose a in 1..100\nplace stone at a1"))) == 100


# --- values -----------------------------------------------------------------------


def test_positions_are_values():
    one, other = Game.load("ayu", size=5).start(), Game.load("ayu", size=5).start()
    assert one == other
    assert hash(one) == hash(other)
    assert one.play("b1-b2") != other
    assert one.play("b1-b2") == other.play("b1-b2")
    assert one != Game.load("ayu", size=7).start()


def test_hash64_of_the_key():
    """By hand from the definition: one stone of Black on a1 of a 1x1 board, White to move.

    Words: 1 (Black), 0 (White), 1 (the player). M = 0xBF58476D1CE4E5B9.
    """
    position = start(
        "board squares(1)\npieces stone\nturn:\n    choose s in empty\n    place stone at s\n" + END
    )
    value = 0
    for word in (1, 0, 1):
        value = (value ^ word) * 0xBF58476D1CE4E5B9 % 2**64
        value ^= value >> 32
    assert position.play("a1").hash64 == value


def test_a_lone_kind_is_run_over_as_the_sites_of_its_pieces():
    board = "board squares(2)\npieces stone\nsetup:\n    place Black stone at {a1, b2}\n"
    position = start(board + "turn:\n    choose s in stone\nend:\n    if count(s for s in stone) > 4: draw\n")
    assert legal(position) == ["a1", "b2"]


WITH_STATES = "board squares(3)\npieces stone\n{}turn:\n    choose s in empty\nend:\n    if no empty: draw\n"


@pytest.mark.parametrize(
    "early",
    [
        "state n: int = 3\nsetup:\n    place Black stone at {s in board: row(s) > n}\n",
        "state m: int = n + 1\nstate n: int = 3\n",
        "state n: int = n + 1\n",
        "state m: int = n[a1]\nstate n: int per site\n",
    ],
)
def test_a_state_cannot_be_read_before_it_has_a_value(early: str):
    with pytest.raises(RuleError, match="`n` has no value yet here"):
        start(WITH_STATES.replace("{}", early))


def test_a_first_value_may_depend_on_the_states_before_it():
    position = start(WITH_STATES.replace("{}", "state m: int = 3\nstate n: int = m + 1\n"))
    assert position.state == {"m": 3, "n": 4}
