"""Games and positions as Python programs use them: how they look, and what they accept."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from rules import load

from gdl.library import bundled
from interpreter.game import Game, OptionError, Piece, Position
from interpreter.web.showing import table

PATH = Path(__file__).parents[1] / "games" / "ayu.game"


def test_all_are_short_to_look_at() -> None:
    """Once, they were dumps of the whole rules."""
    position = load("ayu", size=3)
    assert repr(position.game) == str(position.game) == "Game('Ayu', size=3, pie=False)"
    assert repr(position) == "<Ayu, ply 0, Black to move: Black stone b1 b3 / White stone a2 c2>"
    assert repr(position.legal_moves[0]) == "Move('b1-b2')"


def test_of_no_moves_there_is_one_sequence() -> None:
    for engine in ("native", "reference"):
        position = Game.load("ayu", size=3).on(engine).start()
        assert [position.perft(depth) for depth in range(3)] == [1, 2, 4]
        over = position.play("b1-b2").play("a2-a1")
        assert (over.over, over.perft(0), over.perft(1)) == (True, 1, 0)
        with pytest.raises(ValueError, match="depth is 0 to 2,147,483,647, not -3"):
            position.perft(-3)
        with pytest.raises(TypeError):
            position.perft(1.5)  # type: ignore[arg-type]


def test_what_a_position_gives_out_is_the_askers_own() -> None:
    """Once, changing it changed what the position showed."""
    position = load("kalah")
    state: Any = position.state
    state["seeds"]["b1"] = 99
    position.scores["South"] = 99  # type: ignore[index]
    position.game.options["stones"] = 99
    assert position.state["seeds"] == load("kalah").state["seeds"]
    assert position.scores == {"South": 24, "North": 24}
    assert position.game.options["stones"] == 4
    position = load("ayu", size=3)
    position.board["a1"] = Piece("x")
    assert "a1" not in position.board
    assert position.line() == load("ayu", size=3).line()


@pytest.fixture
def hasty() -> Iterator[ThreadPoolExecutor]:
    """Threads that take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    with ThreadPoolExecutor(4) as threads:
        yield threads
    sys.setswitchinterval(interval)


def test_rules_are_read_by_several_threads(hasty: ThreadPoolExecutor) -> None:
    """Once, they shared the depth of the indentation, and found mistakes where there were none."""
    names = bundled()[:12]
    assert [game.name for game in hasty.map(Game.load, names)] == [load(name).game.name for name in names]


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_several_threads_look_at_positions_of_one_game(engine: str, hasty: ThreadPoolExecutor) -> None:
    """Once, they shared the stages found so far, and the count of the work done for a question."""
    start = Game.load("amazons", size=6).on(engine).start()
    positions = [start.play(move) for move in start.legal_moves[::40]]

    def seen(position: Position) -> object:
        new = evolve(position)  # a copy without anything remembered
        return new.stages(), [move.notation for move in new.legal_moves], new.decisive

    alone = list(map(seen, positions))
    assert list(hasty.map(seen, positions * 3)) == alone * 3


def test_a_rule_file_may_be_a_path() -> None:
    """Once, this was a TypeError from a regular expression."""
    assert Game.load(PATH, size=5) == Game.load(str(PATH), size=5)


@pytest.mark.parametrize("five", [np.int64(5), np.uint8(5)])
def test_whole_numbers_of_other_libraries_are_values_of_options(five: Any) -> None:
    game = Game.load("ayu", size=five)
    assert game == Game.load("ayu", size=5)
    assert type(game.options["size"]) is int


@pytest.mark.parametrize("value", [True, np.True_, 5.0, np.float64(5), "5", None])
def test_other_things_are_no_whole_numbers(value: Any) -> None:
    with pytest.raises(OptionError, match="is a whole number from 3 to 19"):
        Game.load("ayu", size=value)


def test_a_piece_knows_its_kind_and_its_owner() -> None:
    """Once, they were read from its text: pages took the pieces of a player Redder for those of Red."""
    text = """\
game "Reds"
players Red, Redder
board squares(2)
pieces man, rock neutral
setup:
    place Redder man at a1
    place rock at b1
    place Red man at a2
turn:
    choose s in empty
    place man at s
end:
    if no empty: draw
"""
    start = Game.from_text(text).start()
    assert {site: (piece.owner, piece.kind) for site, piece in start.board.items()} == {
        "a1": ("Redder", "man"),
        "b1": (None, "rock"),
        "a2": ("Red", "man"),
    }
    assert start.board == {"a1": "Redder man", "b1": "rock", "a2": "Red man"}
    copy = pickle.loads(pickle.dumps(start.board))["b1"]
    assert (copy, copy.owner, copy.kind) == ("rock", None, "rock")
    assert [piece.kind for piece in start.game.planes] == ["man", "man", "rock"]
    assert table(start.game)["above"] == "Red"


def test_counters_are_numbers_on_sites() -> None:
    start = load("oware")
    (seeds,) = start.counters.values()
    assert set(seeds.values()) == {4}
    assert list(seeds) == list(start.game.board.names)
    assert load("go").counters == {}


def test_a_move_tells_the_numbers_of_its_sites() -> None:
    chess = load("chess")
    names = chess.game.board.names
    for text, sites in (("e2-e4", ["e2", "e4"]), ("g1-f3", ["g1", "f3"])):
        assert [names[site] for site in chess.parse(text).sites] == sites
    assert load("hex", columns=3).play("b2").parse("swap").sites == ()


def test_what_comes_by_pickle_shares_one_game() -> None:
    """Once, each unpickled position had its own engine."""
    position = load("ayu", size=5).play("b1-b2")
    came = [pickle.loads(pickle.dumps(position)) for _ in range(2)]
    assert came == [position, position]
    assert came[0].game is came[1].game
    assert copy.deepcopy(position) == position
    assert came[0].play(position.legal_moves[3]) == position.play(position.legal_moves[3])
    slow = position.game.on("reference").start()
    assert pickle.loads(pickle.dumps(slow)).game.engine == "reference"


def test_what_a_result_gives_out_is_the_askers_own() -> None:
    position = load("tic_tac_toe")
    full = Game.load("reversi", size=4).start()
    while not full.over:
        full = full.play(full.legal_moves[0])
    assert full.result is not None
    assert full.result.scores is not None
    assert hash(full.result) == hash(full.result)
    full.result.scores.clear()
    assert len(full.result.scores) == 2
    assert position.result is None


@pytest.mark.parametrize("yes", [True, np.True_, np.array(True)])
def test_a_bool_of_numpy_is_yes_or_no(yes: Any) -> None:
    assert Game.load("ayu", pie=yes).options["pie"] is True
