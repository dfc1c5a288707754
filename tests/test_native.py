"""The native engine against the reference: move for move, result for result, position for position."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from rule_files import rule_files
from side_by_side import compare, drawn, walk_together
from strategies import randoms

from gdl.core import Type
from gdl.library import bundled, load, read
from interpreter import reference
from interpreter.binding import extremes
from interpreter.game import Game

OTHERS = sorted(map(str, (Path(__file__).parent / "games").glob("*.game")))


@pytest.mark.parametrize("name", [*bundled(), *OTHERS], ids=lambda name: Path(name).stem)
def test_every_game_plays_alike(name: str):
    walk_together(Game.load(name), Random(name), plies=6)


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(bundled()), flags=st.lists(st.booleans(), min_size=8, max_size=8), random=randoms()
)
def test_bundled_games_play_alike_at_other_options(name: str, flags: list[bool], random: Random):
    """On the smallest boards, with the other options at random."""
    rules = load(name)
    picks = {
        option: flag if spec.type is Type.BOOL else False
        for (option, spec), flag in zip(rules.options.items(), flags, strict=False)
    }
    walk_together(Game.of(rules, **extremes(rules, picks)), random, plies=25, draws=3)


#: More games of those the project began with; the reference engine takes minutes for them.
WHOLE_GAMES = {"ayu": 1000, "egotzi": 1000, "squared_egotzi": 1000}


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled())
def test_whole_games_play_alike(name: str):
    game = Game.load(name)
    both = {engine: game.on(engine) for engine in ("native", "reference")}
    for seed in range(WHOLE_GAMES.get(name, 20)):
        random = Random(seed)
        positions = [both[engine].start() for engine in ("reference", "native")]
        while True:
            compare(*positions)
            if positions[0].over:
                break
            number = random.randrange(len(positions[0].legal_moves))
            positions = [position.play(position.legal_moves[number]) for position in positions]


# --- rule files that nobody wrote ----------------------------------------------------

GENERATED = settings(suppress_health_check=list(HealthCheck), deadline=None)


@pytest.fixture
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real bounds of the reference engine would only slow the tests down."""
    monkeypatch.setattr(reference, "BUDGET", 60_000)


@pytest.mark.usefixtures("_little_work")
@settings(GENERATED, max_examples=20)
@given(text=rule_files(), random=randoms())
def test_random_rules_play_alike(text: str, random: Random):
    walk_together(Game.from_text(text), random, plies=15, draws=4)


@pytest.mark.slow
@pytest.mark.usefixtures("_little_work")
@settings(GENERATED, max_examples=1500, phases=[Phase.explicit, Phase.generate])
@given(text=rule_files(), random=randoms())
def test_many_random_rules_play_alike(text: str, random: Random):
    walk_together(Game.from_text(text), random, plies=20, draws=6)


# --- threads, large boards -----------------------------------------------------------


def test_two_threads_on_one_game():
    game = Game.load("ayu", size=7).on("native")
    expected = [walked(game, seed) for seed in range(4)]
    again = Game.load("ayu", size=7).on("native")
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda seed: walked(again, seed), range(4))) == expected


def walked(game: Game, seed: int) -> list[object]:
    """All that can be seen in a random game of some moves, and in random moves and playouts on the way."""
    random, position, seen = Random(seed), game.start(), list[object]()
    for _ in range(15):
        if position.over:
            break
        seen += [position.legal_moves, position.perft(2), drawn(position, 5, "uniform", seed)]
        seen.append(position.playouts(5, seed=seed, policy="stepwise").winners.tolist())
        position = position.play(random.choice(position.legal_moves))
    return seen


def test_to_pass_is_one_choice_among_all_points():
    """Once, random games of Go ended after a few moves, as whether to pass was drawn before the point."""
    games = Game.load("go", size=5).on("native").start().playouts(2000, policy="stepwise", seed=0)
    # Both pass at once in one of 26 x 26 games.
    assert (games.plies == 2).mean() < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("size", [19, 25, 39])
@pytest.mark.parametrize("name", ["ayu", "egotzi", "go", "hex"])
def test_large_boards_play_alike(name: str, size: int):
    game = sized(name, size)
    walk_together(game, Random(size), plies=2)


def sized(name: str, size: int) -> Game:
    """A game on a board larger than its options allow."""
    text = read(name).text
    wider = re.sub(r"option (size|columns|rows):.*", rf"option \1: 1..40 = {size}", text)
    return Game.from_text(wider)
