"""The search tree: what it proves is true, what it plays is good, and it stays within its memory."""

from __future__ import annotations

import sys

import pytest

from interpreter.game import Game, Position
from interpreter.players import Chair, PlayerError, make
from interpreter.search import Tree


@pytest.fixture(scope="module")
def three() -> Game:
    return Game.load("tic_tac_toe").on("native")


def after(game: Game, moves: str) -> Position:
    position = game.start()
    for move in moves.split():
        position = position.play(move)
    return position


def test_a_win_in_one_move_is_proven(three: Game) -> None:
    # Black has a1 and b1, and c1 is free.
    tree = Tree(after(three, "a1 a2 b1 b2"))
    tree.grow(500)
    best = tree.best()
    assert best is not None
    assert (str(best.move), best.proven) == ("c1", "first")
    assert tree.grow(100) == 0, "a proven position needs no more thought"


def test_a_threat_is_met(three: Game) -> None:
    # White must stop a1 b1 c1.
    tree = Tree(after(three, "a1 b2 b1"))
    tree.grow(2000)
    best = tree.best()
    assert best is not None
    assert str(best.move) == "c1"


def test_a_fork_is_a_proven_win_for_the_other_side(three: Game) -> None:
    # Black threatens c1 and a3 at once: whatever White does, Black wins.
    position = after(three, "a1 b3 b1 c2 a2")
    tree = Tree(position)
    tree.grow(5000)
    assert {p.proven for p in tree.prospects()} == {"first"}


def test_perfect_play_is_a_draw(three: Game) -> None:
    # The middle, and a corner in reply: neither side can lose from there but by a mistake.
    tree = Tree(after(three, "b2 a1"))
    tree.grow(100_000)
    assert tree.grow(1) == 0
    assert {p.proven for p in tree.prospects()} >= {"draw"}
    best = tree.best()
    assert best is not None
    assert best.proven == "draw"


def test_the_same_seed_grows_the_same_tree(three: Game) -> None:
    trees = [Tree(three.start(), seed=7) for _ in range(2)]
    for tree in trees:
        tree.grow(300)
    assert trees[0].prospects() == trees[1].prospects()


def test_a_full_tree_goes_on_thinking() -> None:
    tree = Tree(Game.load("ayu", size=5).on("native").start(), words=1 << 12)
    assert tree.grow(3000) == 3000
    assert tree.playouts == 3000
    assert tree.best() is not None


def test_what_is_known_is_kept_for_the_next_move() -> None:
    position = Game.load("egotzi", size=4, pie=False).on("native").start()
    tree = Tree(position)
    tree.grow(2000)
    line = tree.line()
    following = position.play(line[0])
    tree.advance(line[0])
    assert tree.position == following
    assert tree.playouts > 100


def test_the_pie_rule_is_decided_by_search() -> None:
    # On one site that wins at once for who has it, the second person swaps after any first move.
    position = Game.load("egotzi", size=2).on("native").start().play("a1")
    tree = Tree(position)
    tree.grow(2000)
    assert "swap" in [str(p.move) for p in tree.prospects()]


def test_more_thought_wins_more() -> None:
    game = Game.load("egotzi", size=4, pie=False).on("native")
    wins = 0
    for number in range(10):
        players = {
            "first": make("mcts:400", Chair("first", seed=number)),
            "second": make("mcts:12", Chair("second", seed=number)),
        }
        position = game.start()
        while position.result is None:
            move = players[position.person].choose(position, [])
            position = position.play(str(move))
        wins += position.result.person == "first"
    assert wins >= 7


def test_a_tree_needs_the_native_engine_and_a_game_that_goes_on(three: Game) -> None:
    with pytest.raises(ValueError, match="native"):
        Tree(three.on("reference").start())
    with pytest.raises(ValueError, match="over"):
        Tree(after(three, "a1 a2 b1 b2 c1"))


@pytest.mark.parametrize("text", ["mcts:0", "mcts:-1", "mcts:x", "mcts:1e9s", "mcts:1:2"])
def test_an_amount_of_thought_that_is_none(text: str) -> None:
    with pytest.raises(PlayerError):
        make(text, Chair("first", sys.stdout))
