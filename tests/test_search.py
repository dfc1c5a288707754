"""The search tree: what it proves is true, what it plays is good, and it stays within its memory."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from time import monotonic, process_time, sleep

import pytest

from gdl import library
from interpreter.game import Game, Position
from interpreter.native.engine import Native
from interpreter.players import Chair, PlayerError, make
from interpreter.search import Tree
from interpreter.thought import Prospect, Thought


@pytest.fixture(scope="module")
def three() -> Game:
    return Game.load("tic_tac_toe").on("native")


def after(game: Game, moves: str) -> Position:
    position = game.start()
    for move in moves.split():
        position = position.play(move)
    return position


def thought_of(position: Position, playouts: int) -> Prospect:
    """The best move after this many random games."""
    tree = Tree(position)
    tree.grow(playouts)
    best = tree.best()
    assert best is not None
    return best


def value(position: Position, known: dict[object, str] | None = None) -> str:
    """The person who can force a win, or "draw", found by looking at everything that can be played."""
    known = {} if known is None else known
    place = position.key, position.person, position.snapshot.pie, position.snapshot.cursor
    if place not in known:
        if position.result is not None:
            known[place] = position.result.person or "draw"
        else:
            values = {value(position.play(move), known) for move in position.legal_moves}
            other = {"first": "second", "second": "first"}[position.person]
            known[place] = next(v for v in (position.person, "draw", other) if v in values)
    return known[place]


# --- what is proven ------------------------------------------------------------


def test_a_win_in_one_move_is_proven(three: Game) -> None:
    # Black has a1 and b1, and c1 is free.
    tree = Tree(after(three, "a1 a2 b1 b2"))
    tree.grow(500)
    best = tree.best()
    assert best is not None
    assert (str(best.move), best.proven, tree.proven) == ("c1", "first", "first")
    assert tree.grow(100) == 0, "a proven position needs no more thought"


def test_a_threat_is_met(three: Game) -> None:
    # White must stop a1 b1 c1.
    assert str(thought_of(after(three, "a1 b2 b1"), 2000).move) == "c1"


def test_a_fork_is_a_proven_win_for_the_other_side(three: Game) -> None:
    # Black threatens c1 and a3 at once: whatever White does, Black wins.
    tree = Tree(after(three, "a1 b3 b1 c2 a2"))
    tree.grow(5000)
    assert {p.proven for p in tree.prospects()} == {"first"}


def test_who_is_lost_resists_as_long_as_possible(three: Game) -> None:
    # White loses at once to c1 unless it plays there; then Black makes two threats with b2, and wins later.
    tree = Tree(after(three, "a1 a3 b1"))
    tree.grow(100_000)
    assert tree.proven == "first"
    assert str(tree.prospects()[0].move) == "c1"


def test_perfect_play_is_a_draw(three: Game) -> None:
    # The middle, and a corner in reply: from there neither side can lose except by a mistake.
    tree = Tree(after(three, "b2 a1"))
    tree.grow(100_000)
    assert tree.proven == "draw"
    best = tree.best()
    assert best is not None
    assert best.proven == "draw"


def test_a_draw_is_better_than_what_is_lost(three: Game) -> None:
    # Black has a corner and White the edge beside it: only some replies hold.
    for moves in ("a1 b2 c3", "b2 a1 c3"):
        best = thought_of(after(three, moves), 100_000)
        assert value(after(three.on("reference"), moves).play(str(best.move))) == "draw"


SMALL = [
    ("tic_tac_toe", {}, "a1 b1"),
    ("misere_tic_tac_toe", {}, "b2"),
    ("hex", {"columns": 2, "pie": False}, ""),
    ("hex", {"columns": 2, "pie": True}, ""),  # the second player has the pie rule
    ("hex", {"columns": 3, "pie": True}, "b2"),
    ("egotzi", {"size": 2}, ""),
    ("squared_egotzi", {"size": 2}, ""),  # a bid, the choice of a side, and the stones
    ("dots_and_boxes", {"columns": 1}, ""),
    ("dots_and_boxes", {"columns": 2, "rows": 1}, ""),  # after closing a box, a player moves again
]


@pytest.mark.parametrize(("name", "options", "moves"), SMALL)
def test_what_is_proven_is_what_looking_at_everything_finds(
    name: str, options: dict[str, int], moves: str
) -> None:
    game = Game.load(name, **options)
    tree = Tree(after(game.on("native"), moves))
    tree.grow(400_000)
    position = after(game, moves)
    assert tree.proven == value(position)
    for prospect in tree.prospects():
        if prospect.proven is not None:
            assert prospect.proven == value(position.play(str(prospect.move)))
    best = tree.best()
    assert best is not None
    assert value(position.play(str(best.move))) == tree.proven


# Moves that win at once, or make two threats at a time; worked out by hand.
FORCED = [
    # Three in the bottom row, with room on one side.
    ("connect_four", {}, "c1 c2 d1 d2 e1 e2", {"b1", "f1"}, 1),
    # Two in the bottom row, with room on both sides: a third makes two threats.
    ("connect_four", {}, "c1 c2 d1 d2", {"b1", "e1"}, 2),
    # Four in a row, open at both ends.
    ("gomoku", {}, "h8 a1 h9 b1 h10 c1 h11 d2", {"h7", "h12"}, 1),
    # Three in a row, open at both ends: a fourth makes two threats.
    ("gomoku", {}, "h8 a1 h9 o1 h10 a15", {"h7", "h11"}, 2),
]


@pytest.mark.parametrize(("name", "options", "moves", "wins", "length"), FORCED)
def test_forced_wins_are_found(
    name: str, options: dict[str, int], moves: str, wins: set[str], length: int
) -> None:
    best = thought_of(after(Game.load(name, **options).on("native"), moves), 1000)
    assert str(best.move) in wins
    if length == 1:
        assert best.proven == "first"


# --- people and sides ------------------------------------------------------------


def test_the_pie_rule_is_decided_by_search() -> None:
    # On a small Hex board whoever has the middle wins: the second person takes it over.
    position = after(Game.load("hex", columns=3, pie=True).on("native"), "b2")
    best = thought_of(position, 20_000)
    assert (str(best.move), best.proven) == ("swap", "second")


def test_a_bid_and_a_side_are_decided_by_search() -> None:
    game = Game.load("squared_egotzi", size=3).on("native")
    # 18 points, as many as the largest group can make and more: White has won before the first stone.
    position = after(game, "18")
    assert str(thought_of(position, 3000).move) == "swap sides" or position.to_move == "White"
    tree = Tree(game.start())
    tree.grow(20_000)
    bid = tree.best()
    assert bid is not None
    # Neither nothing nor everything: the other person would take the better side.
    assert 0 < int(str(bid.move)) < 18


# --- growing -----------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_seed_grows_the_same_tree(three: Game, threads: int) -> None:
    trees = [Tree(three.start(), seed=7, threads=threads) for _ in range(2)]
    trees[0].grow(600)
    for _ in range(2):  # the number of parts does not matter
        trees[1].grow(300)
    assert trees[0].prospects() == trees[1].prospects()
    assert trees[0].playouts == trees[1].playouts == 600


def test_threads_share_the_work_and_what_they_find(three: Game) -> None:
    position = Game.load("ayu", size=5).on("native").start()
    tree = Tree(position, threads=3)
    assert tree.grow(1000) == 1000
    assert sum(p.visits for p in tree.prospects()) == 1000
    won = Tree(after(three, "a1 a2 b1 b2"), threads=2)
    won.grow(1000)
    assert won.proven == "first"
    assert len({p.move for p in won.prospects()}) == len(won.prospects())


def test_both_policies_are_there() -> None:
    position = Game.load("amazons").on("native").start()
    for policy in ("uniform", "stepwise"):
        assert Tree(position, policy=policy).grow(100) == 100
    with pytest.raises(ValueError, match="policy"):
        Tree(position, policy="clever")


def test_a_full_tree_forgets_and_goes_on() -> None:
    tree = Tree(Game.load("ayu", size=5).on("native").start(), words=1 << 13)
    assert tree.grow(5000) == 5000
    assert tree.playouts == 5000
    line = tree.line()
    assert len(line) >= 2
    tree.advance(line[0])
    kept = tree.playouts
    assert kept > 0
    assert tree.grow(5000) == 5000
    assert tree.playouts == kept + 5000


def test_a_tree_that_forgets_still_proves(three: Game) -> None:
    tree = Tree(after(three, "b2 a1"), words=3000)
    tree.grow(1_000_000)
    assert tree.proven == "draw"


def test_a_tree_without_room_for_one_list_of_moves_plays_on() -> None:
    tree = Tree(Game.load("amazons").on("native").start(), words=1 << 10)
    assert tree.grow(50) == 50
    assert tree.best() is None


def test_what_is_known_is_kept_for_the_next_move() -> None:
    position = Game.load("egotzi", size=4, pie=False).on("native").start()
    tree = Tree(position)
    tree.grow(2000)
    line = tree.line()
    tree.advance(line[0])
    assert tree.position == position.play(line[0])
    assert tree.playouts > 100
    assert tree.line()[: len(line) - 1] == line[1:]
    tree.advance(tree.position.legal_moves[0])  # perhaps a move that nobody would play
    assert tree.grow(100) == 100


def test_it_stops_on_time() -> None:
    tree = Tree(Game.load("ayu").on("native").start())
    tree.grow(10)  # compiles
    before = monotonic()
    steps = list(tree.think(seconds=0.3))
    assert 0.3 <= monotonic() - before < 2
    assert steps == sorted(steps)
    assert steps[-1] == 1


@pytest.mark.parametrize(("name", "threads"), [("hex", 1), ("hex", 2), ("english_draughts", 1)])
def test_it_can_be_interrupted(name: str, threads: int) -> None:
    tree = Tree(Game.load(name).on("native").start(), threads=threads)
    tree.grow(10)
    interruption = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    interruption.start()
    before = monotonic()
    with pytest.raises(KeyboardInterrupt):
        tree.grow(10**9)
    assert monotonic() - before < 2
    seen = tree.playouts
    assert tree.grow(100) == 100
    assert tree.playouts == seen + 100


def test_a_tree_needs_the_native_engine_and_a_game_that_goes_on(three: Game) -> None:
    with pytest.raises(ValueError, match="native"):
        Tree(three.on("reference").start())
    with pytest.raises(ValueError, match="over"):
        Tree(after(three, "a1 a2 b1 b2 c1"))
    tree = Tree(after(three, "a1 a2 b1 b2"))
    with pytest.raises(ValueError, match="over"):
        tree.advance(tree.position.parse("c1"))


# --- the player ----------------------------------------------------------------------


def played(game: Game, first: str, second: str, seed: int) -> tuple[str | None, str]:
    """The winner of a game between two players, and its moves."""
    players = {p: make(name, Chair(p, seed=seed)) for p, name in (("first", first), ("second", second))}
    position, history = game.start(), []
    while position.result is None:
        move = position.parse(str(players[position.person].choose(position, history)))
        history.append((position, move))
        position = position.play(move)
    return position.result.person, " ".join(str(move) for _, move in history)


def winners(game: Game, strong: str, weak: str, games: int) -> list[str | None]:
    """The winner of each game, "strong" or "weak"; they take turns to move first."""
    found: list[str | None] = []
    for number in range(games):
        seats = ("strong", "weak") if number % 2 == 0 else ("weak", "strong")
        people = (strong, weak) if number % 2 == 0 else (weak, strong)
        person = played(game, *people, seed=number)[0]
        found.append(person and dict(zip(("first", "second"), seats, strict=True))[person])
    return found


def wins(game: Game, strong: str, weak: str, games: int) -> float:
    """How many of these games the strong player wins; a draw counts a half."""
    found = winners(game, strong, weak, games)
    return found.count("strong") + found.count(None) / 2


def test_more_thought_wins_more() -> None:
    assert wins(Game.load("breakthrough", columns=5, rows=5).on("native"), "mcts:400", "mcts:20", 10) >= 8


def test_its_name_makes_the_same_player_again() -> None:
    game = Game.load("hex", columns=5).on("native")
    names = [make(text, Chair(seed=5)).name for text in ("mcts:50", "mcts:60,threads=2,policy=uniform")]
    assert names == ["mcts:50,seed=5", "mcts:60,threads=2,policy=uniform,seed=5"]
    assert played(game, *names, seed=1) == played(game, *names, seed=2)
    assert make("mcts:1.5s,seed=3", Chair()).name == "mcts:1.5s,seed=3"
    assert make("mcts:9", Chair()).name != make("mcts:9", Chair()).name, "a seed of its own"


def test_it_tells_what_it_thinks() -> None:
    position = Game.load("ayu").on("native").start()
    thoughts: list[Thought] = []
    player = make("mcts:0.5s", Chair(watch=thoughts.append))
    move = player.choose(position, [])
    last = thoughts[-1]
    assert 1 <= len(thoughts) <= 10
    assert last.done == 1
    assert last.effort.endswith(" random games")
    assert last.prospects[0].move == last.line[0] == move
    assert len(last.prospects) == 10
    assert last.value == last.prospects[0].value
    assert last.proven is None


def test_compiling_a_game_is_no_time_for_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, the first hint in a new game was based on a single random game."""
    part, compiled = Native.part, set[str]()

    def slow(native: Native, name: str) -> object:
        if name not in compiled:
            compiled.add(name)
            sleep(0.5)
        return part(native, name)

    monkeypatch.setattr(Native, "part", slow)
    thoughts: list[Thought] = []
    player = make("mcts:0.3s", Chair(watch=thoughts.append))
    player.choose(Game.load("tic_tac_toe").on("native").start(), [])
    assert int(thoughts[-1].effort.split()[0].replace(",", "")) > 20


@pytest.mark.parametrize(
    "text", ["mcts:0", "mcts:-1", "mcts:x", "mcts:1e9s", "mcts:1:2", "mcts:5,threads=0", "mcts:5,depth=3"]
)
def test_an_amount_of_thought_that_is_none(text: str) -> None:
    with pytest.raises(PlayerError):
        make(text, Chair("first", sys.stdout))


# --- strength ------------------------------------------------------------------------

SIZES = [
    ("ayu", {"size": 7}),
    ("egotzi", {"size": 5}),
    ("hex", {"columns": 7}),
    ("breakthrough", {"columns": 6, "rows": 6}),
    ("reversi", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), SIZES)
def test_ten_times_the_thought_wins_three_of_four(name: str, options: dict[str, int]) -> None:
    assert wins(Game.load(name, **options).on("native"), "mcts:2000", "mcts:200", 100) >= 75


#: Games that are draws with perfect play, and how many of 100 may be lost to a random player. To count wins
#: would say little: the best play against a random player wins no more than 97 and 95 of 100 games, by
#: enumeration, with both seats taken together. In the second game that means losing some: opening at the
#: middle of a side wins most against a random player (90 of 100; the middle of the board 65), but loses 5.
DRAWN = {"tic_tac_toe": 0, "misere_tic_tac_toe": 5}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), DRAWN.items())
def test_thought_hardly_loses_to_chance_what_is_a_draw(name: str, most: int) -> None:
    assert winners(Game.load(name).on("native"), "mcts:500", "random", 100).count("weak") <= most


#: Wins out of 100 games that are reached today, rather than wanted: in these games one side must see further
#: ahead than 500 random games show to hold what it has. In all others 98 games are won.
TODAY = {"fox_and_hounds": 85, "magpie": 88}


#: A hundred games on the default boards of these take hours.
SMALLER = {"go": 9, "toroidal_go": 9, "tumbleweed": 5}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in library.bundled() if name not in DRAWN])
def test_thought_wins_against_chance(name: str) -> None:
    options = {"size": SMALLER[name]} if name in SMALLER else {}
    assert wins(Game.load(name, **options).on("native"), "mcts:500", "random", 100) >= TODAY.get(name, 98)


def test_a_long_list_of_moves_does_not_hold_up_the_first_random_game(tmp_path: Path) -> None:
    """Once, all 9,900 moves times all replies were examined first: no answer for minutes, not even to ^C."""
    file = tmp_path / "wide.game"
    file.write_text(
        'game "Wide"\nplayers Black, White\nboard squares(10)\npieces stone\n'
        "turn:\n    choose s in empty\n    choose t in empty - s\n    place stone at {s, t}\n"
        "end:\n    if no empty: draw\n    if stuck(next): next loses\n",
        encoding="utf-8",
    )
    tree = Tree(Game.load(str(file)).on("native").start())
    began = process_time()
    tree.grow(10)
    assert tree.playouts == 10
    assert process_time() - began < 20
