"""What is proven is true: compared with published results and with plain enumeration of the rules."""

from __future__ import annotations

import json
import random
import time
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from rules import game as game_of

from gdl.library import check_source
from gdl.source import Source
from interpreter.cli import main
from interpreter.deepening import Lookahead
from interpreter.game import Game, Position
from interpreter.retrograde import enumerate_all
from interpreter.solve import Solution, solve

TABLE = 1 << 18


def load(name: str, **options: int | bool) -> Position:
    return Game.load(name, **options).on("native").start()


def solved(position: Position, seconds: float = 60) -> Solution:
    solution = solve(position, seconds=seconds, table=TABLE)
    # The line is legal and, if somebody wins, it is a way for them to win.
    for move in solution.line:
        position = position.play(move)
    if position.result is not None:
        assert solution.outcome == (position.result.person or "draw")
    return solution


# --- known values -----------------------------------------------------------------

KNOWN: list[tuple[str, dict[str, int | bool], str]] = [
    ("tic_tac_toe", {}, "draw"),
    ("misere_tic_tac_toe", {}, "draw"),
    # The first player wins, as no move can hurt (Nash); so with the pie rule the second person swaps.
    *(("hex", {"columns": n, "pie": False}, "first") for n in (2, 3, 4)),
    *(("hex", {"columns": n}, "second") for n in (2, 3, 4)),
    ("connect_four", {"columns": 4, "rows": 4}, "draw"),  # Tromp, "John's Connect Four Playground"
    ("connect_four", {"columns": 5, "rows": 4}, "draw"),
    ("connect_four", {"columns": 4, "rows": 5}, "draw"),
    ("dodgem", {}, "first"),  # Berlekamp, Conway, Guy, "Winning Ways"
    ("fox_and_hounds", {}, "second"),  # the same: the hounds win
    ("reversi", {"size": 4}, "second"),  # solved so in many places, from the usual four discs
]


@pytest.mark.parametrize(("game", "options", "outcome"), KNOWN)
def test_known_values(game: str, options: dict[str, int | bool], outcome: str) -> None:
    assert solved(load(game, **options)).outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "outcome"),
    [
        ("connect_four", {"columns": 5, "rows": 5}, "draw"),  # Tromp as well
        ("hex", {"columns": 5, "pie": False}, "first"),
    ],
)
def test_known_values_that_take_minutes(game: str, options: dict[str, int | bool], outcome: str) -> None:
    assert solve(load(game, **options), seconds=1800).outcome == outcome


# --- the rules alone --------------------------------------------------------------


def truth(position: Position) -> str:
    """The person who wins, by going through all games on the reference engine; "draw" if nobody does."""

    @cache
    def outcome(position: Position) -> str:
        # A position knows its past if a rule asks for it: equal positions have equal futures.
        if position.result is not None:
            return position.result.person or "draw"
        outcomes = {outcome(position.play(move)) for move in position.legal_moves}
        other = "second" if position.person == "first" else "first"
        return next(o for o in (position.person, "draw", other) if o in outcomes)

    return outcome(Hashed(position.game, position.snapshot))


class Hashed(Position):
    """A position that can be looked up; so are those that follow from it."""

    def __hash__(self) -> int:
        return hash(self.snapshot)

    def play(self, move: object) -> Position:
        following = super().play(move)  # type: ignore[arg-type]
        return Hashed(following.game, following.snapshot)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("ayu", {"size": 3}),
        ("ayu", {"size": 3, "pie": True}),
        ("egotzi", {"size": 2}),
        ("egotzi", {"size": 2, "pie": False}),
        pytest.param("egotzi", {"size": 3, "pie": False}, marks=pytest.mark.slow),
        pytest.param("egotzi", {"size": 3}, marks=pytest.mark.slow),
    ],
)
def test_whole_games_against_full_enumeration(game: str, options: dict[str, int | bool]) -> None:
    assert solved(load(game, **options)).outcome == truth(Game.load(game, **options).on("reference").start())


#: Small games, and the number of random moves after which few enough games are left to go through them all.
SMALL: list[tuple[str, dict[str, int | bool], int]] = [
    ("tic_tac_toe", {}, 3),
    ("misere_tic_tac_toe", {}, 3),
    ("hex", {"columns": 3}, 2),
    ("misere_hex", {"columns": 3}, 3),
    ("egotzi", {"size": 2}, 0),
    ("egotzi", {"size": 3}, 4),
    ("squared_egotzi", {"size": 3}, 5),
    ("ayu", {"size": 3, "pie": True}, 0),
    ("connect_four", {"columns": 4, "rows": 4}, 8),
    ("breakthrough", {"columns": 3, "rows": 5}, 15),
    ("reversi", {"size": 4}, 7),
    ("dots_and_boxes", {"columns": 2, "rows": 2}, 6),
    ("domineering", {"columns": 4, "rows": 4}, 4),
    ("clobber", {"columns": 4, "rows": 3}, 3),
]


@pytest.mark.parametrize(("game", "options", "plies"), SMALL)
def test_positions_of_random_games_against_enumeration(
    game: str, options: dict[str, int | bool], plies: int
) -> None:
    draw = random.Random(f"{game} {options}")
    rules = Game.load(game, **options)
    for _ in range(3):
        position = rules.on("reference").start()
        while not position.over and position.ply < plies:
            position = position.play(draw.choice(position.legal_moves))
        native = Position(rules.on("native"), position.snapshot)
        assert solved(native).outcome == truth(position), position


# --- play that comes round --------------------------------------------------------

WALK = """
board rectangle({length}, 1)
pieces king
setup:
    place Black king at {black}
    place White king at {white}
turn:
    choose from in mine
    choose square in step(from, east + west{more}) & empty
    move from to square
end:
    if some pieces(mover) & {goal}: mover wins
    if stuck(next): {stuck} wins
    if {repeated}: draw
"""
WALKS = [
    {
        "length": 6,
        "black": black,
        "white": white,
        "goal": goal,
        "stuck": stuck,
        "repeated": repeated,
        "more": "",
    }
    for (black, white), goal, stuck, repeated in product(
        [("b1", "e1"), ("c1", "d1")],
        ["a1", "f1", "(a1 + f1)"],
        ["mover", "next"],
        ["repeated", "repetitions = 3"],
    )
]


@pytest.mark.parametrize("walk", WALKS[::3])
def test_repetition_is_a_draw_wherever_it_may_come(walk: dict[str, object]) -> None:
    """This includes a first repetition of a position from the real past."""
    draw = random.Random(str(walk))
    rules = game_of(WALK.format(**walk))
    for _ in range(3):
        position = rules.on("reference").start()
        for _ in range(draw.randrange(4)):
            if not position.over:
                position = position.play(draw.choice(position.legal_moves))
        native = Position(rules.on("native"), position.snapshot)
        assert Lookahead(native, positions=1 << 10).past == "draw"
        assert solved(native).outcome == truth(position), position
        if not position.over:
            graph = enumerate_all(native, 10_000, time.monotonic() + 10)
            assert graph is not None
            assert ("first", "second", "draw")[graph.winners[0]] == truth(position), position


@pytest.mark.parametrize("walk", WALKS[1::3])
def test_what_was_proven_before_is_proven_anew_as_the_game_goes_on(walk: dict[str, object]) -> None:
    """A win that leads through a position may be none once that position has occurred."""
    draw = random.Random(str(walk))
    rules = game_of(WALK.format(**walk))
    for _ in range(4):
        position = rules.on("reference").start()
        ahead = Lookahead(Position(rules.on("native"), position.snapshot), positions=1 << 10)
        while not position.over and position.ply < 8:
            ahead.advance(Position(ahead.position.game, position.snapshot))
            *_, found = ahead.deepen(depth=12)
            assert found.proven in (None, truth(position)), position
            position = position.play(draw.choice(position.legal_moves))


def test_superko_is_played_out() -> None:
    """What is legal depends on the past, so no table helps."""
    text = WALK.replace("if {repeated}: draw", "if ply = 30: draw").replace(
        "end:", "    require not repeated\nend:"
    )
    for black, white in ("b1", "d1"), ("a1", "d1"), ("c1", "a1"):
        walk = {"length": 4, "black": black, "white": white, "goal": "b1 & c1", "stuck": "mover", "more": ""}
        rules = game_of(text.format(**walk))
        native = rules.on("native").start()
        assert Lookahead(native, positions=1 << 10).past == "more"
        assert solved(native).outcome == truth(rules.on("reference").start())


def test_what_looks_back_for_more_than_draws_is_not_looked_up() -> None:
    for name, past in {"go": "more", "oware": "more", "hex": "nothing", "english_draughts": "draw"}.items():
        assert Lookahead(load(name), positions=1 << 10).past == past, name


# --- endings of draughts ----------------------------------------------------------

#: The dark squares as (column, row), and those one step away in each direction, if there are any.
DARK = [(column, row) for row in range(8) for column in range(8) if (column + row) % 2 == 0]
DIAGONALS = list(product((-1, 1), (-1, 1)))
Ending = tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]  # the kings to move, the others


def king_moves(ending: Ending) -> list[Ending]:
    """The endings after each move, as seen by the other side; leaps go on as long as they can."""
    mine, theirs = ending

    def leaps(at: tuple[int, int], rest: frozenset[tuple[int, int]]) -> list[Ending]:
        found = []
        for x, y in DIAGONALS:
            over, to = (at[0] + x, at[1] + y), (at[0] + 2 * x, at[1] + 2 * y)
            if over in rest and to in DARK and to not in rest and to not in others:
                found += leaps(to, rest - {over}) or [(rest - {over}, others | {to})]
        return found

    captures = []
    for king in mine:
        others = mine - {king}
        captures += leaps(king, theirs)
    if captures:
        return captures
    occupied = mine | theirs
    return [
        (theirs, mine - {king} | {to})
        for king in mine
        for x, y in DIAGONALS
        if (to := (king[0] + x, king[1] + y)) in DARK and to not in occupied
    ]


@cache
def wins_within(ending: Ending, plies: int) -> bool:
    """Whether the side to move wins within `plies` plies: the other side cannot move."""
    return plies > 0 and any(loses_within(after, plies - 1) for after in king_moves(ending))


@cache
def loses_within(ending: Ending, plies: int) -> bool:
    following = king_moves(ending)
    return not following or (plies > 1 and all(wins_within(after, plies - 1) for after in following))


def square(site: tuple[int, int]) -> str:
    return f"{'abcdefgh'[site[0]]}{site[1] + 1}"


def draughts(ending: Ending, quiet: int) -> Position:
    black, white = (" + ".join(map(square, sorted(kings))) for kings in ending)
    text = f"""variant "Ending" of "English Draughts"
setup:
    place Black king at {black}
    place White king at {white}
"""
    checked, _ = check_source(Source("ending.game", text))
    return Game.of(checked, quiet=quiet).on("native").start()


def test_one_king_against_one() -> None:
    """Twenty plies without a capture are a draw, and a capture ends it: no need to look further."""
    draw = random.Random(1)
    for _ in range(12):
        black, white = draw.sample(DARK, 2)
        ending = frozenset([black]), frozenset([white])
        first, second = wins_within(ending, 20), loses_within(ending, 20)
        expected = "first" if first else "second" if second else "draw"
        assert solved(draughts(ending, 10)).outcome == expected, ending


def test_two_kings_against_one() -> None:
    draw = random.Random(2)
    compared = 0
    while compared < 8:
        sites = draw.sample(DARK, 3)
        ending = frozenset(sites[:2]), frozenset(sites[2:])
        if not wins_within(ending, 7):
            continue
        compared += 1
        solution = solved(draughts(ending, 40))
        assert solution.outcome == "first"
        assert solution.plies is not None
        assert wins_within(ending, solution.plies)


# --- what is said -----------------------------------------------------------------


def test_what_is_not_solved_is_not_guessed() -> None:
    solution = solve(load("chess"), seconds=0.5, table=TABLE)
    assert solution.outcome is None
    assert solution.plies is None
    assert not solution.line
    assert solution.depth is not None
    assert solution.positions > 0


DODGEM = """board squares(3)
pieces car
setup:
    place Black car at column(1) - a1
    place White car at row(1) - a1
define ahead(p) = east if p = Black else north
define last(p) = column(3) if p = Black else row(3)
turn:
    choose car in mine
    either:
        choose square in step(car, orthogonal - opposite(ahead(mover))) & empty
        move car to square
    or:
        require car in last(mover)
        remove car
end:
    if no mine: mover wins
    if stuck(next): next wins
"""


def test_the_line_of_a_win_goes_to_its_end() -> None:
    """For a win found in the table, the line is longer than the depth looked ahead."""
    position = game_of(DODGEM).on("native").start()
    solution = solved(position)
    assert (solution.outcome, solution.depth, solution.plies) == ("first", 18, 19)
    for move in solution.line:
        position = position.play(move)
    assert position.result is not None


def test_a_game_that_is_over_is_solved() -> None:
    position = load("tic_tac_toe")
    for move in "a1 a2 b1 b2 c1".split():
        position = position.play(move)
    assert solve(position).outcome == "first"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["solve", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command() -> None:
    assert run("tic_tac_toe").startswith("Tic-tac-toe: a draw")
    said = run("hex", "columns=3", "pie=no", "--moves", "b2")
    assert said.startswith("Hex: the first person wins, in at most ")
    assert "line: " in said


def test_the_command_as_data() -> None:
    told = json.loads(run("hex", "columns=3", "--json"))
    assert told["outcome"] == "second"
    assert told["line"][1] == "swap"
    assert json.loads(run("chess", "--seconds", "0.2", "--json"))["outcome"] is None


def test_more_time_is_not_asked_for_where_none_would_help(tmp_path: Path) -> None:
    """Each move leads to another position, so no number of plies is enough."""
    turn = "state turns: int = 0\nturn:\n    turns += 1\n    pass\nend:\n    if turns < 0: draw\n"
    file = tmp_path / "counting.game"
    file.write_text(f'game "Counting"\nplayers Black, White\nboard squares(2)\npieces stone\n{turn}')
    said = "Counting: not solved within 400 plies, as far as it can look ahead\n"
    assert run(str(file), "--seconds", "5").startswith(said)
    assert run("chess", "--seconds", "0.2").startswith("Chess: not solved within 0.2 s, looking ")


def test_the_command_is_told_something_wrong() -> None:
    result = CliRunner().invoke(main, ["solve", "hex", "columns=3", "--moves", "z9"])
    assert result.exit_code == 1
    assert "Traceback" not in result.output
