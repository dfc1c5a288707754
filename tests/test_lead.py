"""The value of a lead in pieces: which games the search cuts short, and how it judges them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import interpreter.lead
from gdl import library
from interpreter.engine import Snapshot
from interpreter.errors import TooMuchWork
from interpreter.game import Game, Position
from interpreter.lead import PLIES_A_SITE, SHORT, lead_of
from interpreter.native.context import SAMPLE
from interpreter.native.engine import Native
from interpreter.native.shape import stuck_wins
from interpreter.search import Tree


def native(name: str) -> Game:
    return Game.load(name).on("native")


@pytest.mark.parametrize("name", ["chess", "xiangqi", "english_draughts", "nine_mens_morris", "surakarta"])
def test_where_pieces_are_taken_more_are_better(name: str) -> None:
    lead = lead_of(native(name), "stepwise")
    assert (lead.plies, lead.fair) == (SHORT, 0)
    assert lead.half > 0


def test_where_who_has_no_pieces_wins_fewer_are_better() -> None:
    lead = lead_of(native("losing_draughts"), "stepwise")
    assert lead.plies == SHORT
    assert lead.half == -lead_of(native("english_draughts"), "stepwise").half


@pytest.mark.parametrize("size", [8, 12, 16])
def test_fewer_are_better_on_large_boards_as_well(size: int) -> None:
    """On 12 x 12, a search that thought more men better lost all games of Lines of Action to random moves."""
    assert lead_of(Game.load("lines_of_action", size=size).on("native"), "stepwise").half < 0


@pytest.mark.parametrize("rows", [8, 9, 10])
def test_what_random_games_say_without_being_sure_is_not_believed(rows: int) -> None:
    """Once, fewer pieces counted as better in Misère Breakthrough on one board, more on the next."""
    game = Game.load("misere_breakthrough", columns=8, rows=rows).on("native")
    assert not lead_of(game, "stepwise").decides


# In these nothing is captured, or the game is soon over, or what random play makes of a lead is misleading.
PLAYED_OUT = ["hex", "go", "ayu", "amazons", "reversi", "connect_four", "misere_breakthrough", "konane"]


@pytest.mark.parametrize("name", PLAYED_OUT)
def test_other_games_are_played_to_the_end(name: str) -> None:
    game = native(name)
    assert lead_of(game, "stepwise").plies > PLIES_A_SITE * game.board.size


def test_where_each_move_takes_a_piece_it_decides_nothing() -> None:
    """Once, on large boards, where random games are long, Konane was judged by who had jumped more."""
    assert not lead_of(Game.load("konane", size=12).on("native"), "stepwise").decides


@pytest.mark.parametrize("name", ["egotzi", "squared_egotzi"])
def test_who_has_put_one_piece_more_does_not_lead(name: str) -> None:
    """Once, large boards of these were judged by whose turn it was: no captures, and long random games."""
    game = Game.load(name, size=11).on("native")
    assert not lead_of(game, "stepwise").decides


def test_what_is_fair_is_what_the_game_begins_with() -> None:
    # Magpie: eight men against four and the king.
    lead = lead_of(native("magpie"), "uniform")
    man, _, king, _ = lead.worths
    assert lead.fair == 8 * man - (4 * man + king)


def test_what_is_fair_changes_seats_with_the_pieces(tmp_path: Path) -> None:
    """Once, after a swap, the side that starts with more pieces seemed to lead doubly, or be far behind."""
    (tmp_path / "pie.game").write_text('variant "Magpie Pie" of "Magpie"\npie rule\n', encoding="utf-8")
    game = native(str(tmp_path / "pie.game"))
    asked = game.start().play("d1-b1")
    swapped = Tree(asked.play("swap"), lead=lead_of(game, "stepwise"))
    swapped.grow(400)
    other = Tree(asked, lead=lead_of(game, "stepwise"))
    other.grow(400)
    best = max(prospect.value for prospect in other.prospects() if prospect.move.notation != "swap")
    after = swapped.best()
    assert after is not None
    assert after.value == pytest.approx(best, abs=0.1)


def test_it_is_measured_once_and_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = native("english_draughts")
    found = lead_of(game, "stepwise")
    assert lead_of(native("english_draughts"), "stepwise") == found
    monkeypatch.setattr(Native, "sample", None)
    assert lead_of(game, "stepwise") == found


def test_what_is_sure_counts_however_few_games_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """12 of 100 random games end, each won by the side with a piece less; else more would be better."""
    ended = {
        "ended": 12,
        "last_lead_squares": 12 * 16**2,
        "result_squares": 12 * 64**2,
        "products": -12 * 16 * 64,
    }
    games = {"games": 100, "all_games": 100, "plies": 20_000, "looked": 4000, "taken": 100, "fewer": 100}
    sample = {**games, "lead_squares": 100 * 16**2, **ended}

    def fill(native: Native, snapshot: Snapshot, policy: str, memory: Any, games: int, room: int) -> None:
        for name, value in sample.items():
            memory[SAMPLE[name]] = value

    monkeypatch.setattr(Native, "sample", fill)
    assert lead_of(native("chess"), "stepwise").half < 0
    sample["ended"] = sample["last_lead_squares"] = sample["result_squares"] = sample["products"] = 0
    assert lead_of(native("xiangqi"), "stepwise").half > 0


def test_what_takes_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter.lead, "SECONDS", 0.0)
    assert lead_of(native("chess"), "stepwise").plies > SHORT

    sample = Native.sample

    def refuse(native: Native, snapshot: Snapshot, policy: str, memory: Any, games: int, room: int) -> None:
        sample(native, snapshot, policy, memory, 0, room)
        if games:
            raise TooMuchWork("a turn takes too many steps")

    monkeypatch.setattr(interpreter.lead, "SECONDS", 2.0)
    monkeypatch.setattr(Native, "sample", refuse)
    assert lead_of(native("chess"), "stepwise").plies > SHORT


def leads(position: Position) -> int:
    """How many pieces more than the other side White has."""
    owners = [piece.split()[0] for piece in position.board.values()]
    return owners.count("White") - owners.count("Black")


def with_a_lead(game: Game, wanted: int) -> Position:
    """A position from a random game, with White to move, in which White has a lead of `wanted` pieces."""
    for seed in range(1000):
        random, position = Random(seed), game.start()
        while not position.over and position.ply < 60:
            if leads(position) == wanted and position.to_move == "White":
                return position
            position = position.play(random.choice(position.legal_moves))
    raise AssertionError("no such position")


@pytest.mark.parametrize("wanted", [4, -4])
@pytest.mark.parametrize(("name", "sign"), [("english_draughts", 1), ("losing_draughts", -1)])
def test_who_has_what_is_good_expects_to_win(name: str, sign: int, wanted: int) -> None:
    tree = Tree(with_a_lead(native(name), wanted))
    tree.grow(400)
    best = tree.best()
    assert best is not None
    assert (best.value > 0.5) == (wanted * sign > 0)


FREE = """
game "Duel"
players Black, White
board squares({size})
pieces man
setup:
    place Black man at row(1)
    place White man at row({size})
turn:
    choose from in mine
    choose square in step(from, all_directions) - mine
    move from to square
end:
    if size(pieces(next)) <= 2: next {result}
    if stuck(next): next loses
"""


@pytest.mark.parametrize(("result", "sign"), [("loses", 1), ("wins", -1)])
def test_a_game_of_ones_own_is_measured_too(tmp_path: Path, result: str, sign: int) -> None:
    file = tmp_path / "duel.game"
    file.write_text(FREE.format(size=6, result=result), encoding="utf-8")
    lead = lead_of(native(str(file)), "uniform")
    assert lead.plies == SHORT
    assert lead.half * sign > 0


@pytest.mark.parametrize(
    ("ending", "wins"),
    [
        ("if stuck(next): next wins", True),
        ("if stuck(next): mover loses", True),
        # Once, looking ahead favoured more moves here, and measuring fewer.
        ("if stuck(next) and ply > 1: next wins", True),
        ("if no mine or ply > 1 and stuck(next): next wins", True),
        ("if stuck(next): mover wins", False),
        ("if stuck(next): other(next) wins", False),
        ("if stuck(next): draw", False),
        ("if not stuck(next) and ply > 100: next wins", False),
        ("if no mine: next wins", False),
    ],
)
def test_what_it_is_for_a_player_to_have_no_move(ending: str, wins: bool) -> None:
    rules = FREE.format(size=6, result="loses").replace("if stuck(next): next loses", ending)
    assert stuck_wins(Game.from_text(rules).rules) == wins


DEAR = """
game "Dear"
players Black, White
board squares(12)
pieces man
state count: int = 0
setup:
    place Black man at row(1)
    place White man at row(12)
turn:
    choose from in mine
    choose square in step(from, all_directions) - mine
    move from to square
    for k in 0..(0 if ply < 4 else 1500000): count := (count + k) mod 7
end:
    if ply > 9000: draw
"""


def test_a_random_game_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    """Once, nothing responded for minutes: each turn is within bounds, but there are thousands of them."""
    (tmp_path / "dear.game").write_text(DEAR, encoding="utf-8")
    game = native(str(tmp_path / "dear.game"))
    assert not lead_of(game, "stepwise").decides
    with pytest.raises(TooMuchWork, match="a random game of Dear takes more than 30,000,000 steps"):
        game.start().playouts(1, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", library.bundled())
def test_both_ways_to_draw_say_the_same(name: str) -> None:
    one, two = (lead_of(native(name), policy) for policy in ("stepwise", "uniform"))
    assert one.fair == two.fair
    assert one.half * two.half > 0
