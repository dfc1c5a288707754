"""Rule files that nobody wrote: each checks, binds and plays within its bounds, without any other error."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import attrs
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from rule_files import rule_files
from strategies import randoms, walk

from gdl.builtins import BUILTINS
from gdl.core import Call, CheckedGame, Fold, Stmt
from gdl.library import check_source
from gdl.source import Source
from interpreter import reference
from interpreter.binding import extremes
from interpreter.deepening import Lookahead
from interpreter.errors import TooMuchWork
from interpreter.game import Game
from interpreter.search import Tree

#: Work enough for small boards; the real bound would only slow the tests down.
BUDGET = 20_000
PLIES = 30


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "BUDGET", BUDGET)


def checked(text: str) -> CheckedGame:
    return check_source(Source("random.game", text))[0]


def playout(game: Game, random: Random) -> None:
    """Play a random game; its turns may be too much work, but nothing else may go wrong."""
    try:
        for position, _ in walk(game.start(), random, PLIES):
            moves = position.legal_moves
            assert len({move.notation for move in moves}) == len(moves)
            assert all(position.parse(move.notation) == move for move in moves[:10])
            assert position.over == (not moves)
            assert 0 <= position.hash64 < 2**64
            assert position.line()
            assert position.state.keys() == {spec.name for spec in game.rules.states.values()}
    except TooMuchWork:
        pass


COMMON = settings(suppress_health_check=list(HealthCheck))


@COMMON
@given(text=rule_files())
def test_every_rule_file_checks(text: str):
    checked(text)


@COMMON
@given(text=rule_files(), random=randoms())
def test_every_rule_file_plays_within_its_bounds(text: str, random: Random):
    rules = checked(text)
    playout(Game.of(rules), random)
    largest = dict.fromkeys(rules.options, True)
    playout(Game.of(rules, **extremes(rules, largest)), random)


@pytest.mark.slow
@settings(COMMON, max_examples=2000)
@given(text=rule_files(), random=randoms())
def test_many_rule_files_play_within_their_bounds(text: str, random: Random):
    playout(Game.of(checked(text)), random)


@pytest.mark.slow
@settings(COMMON, max_examples=100)
@given(text=rule_files())
def test_every_rule_file_can_be_thought_about(text: str):
    """A search works out from the rules what a lead in pieces is worth, whatever pieces there are."""
    try:
        start = Game.of(checked(text)).on("native").start()
        if start.game.native is None or start.over:
            return
        tree = Tree(start)
        tree.grow(30)
        best = tree.best()
        assert best is None or best.move in start.legal_moves
        found = Lookahead(start).look(2, limit=5_000)
        assert found.move is None or found.move in start.legal_moves
    except TooMuchWork:
        pass


# --- the generator -----------------------------------------------------------------


@pytest.mark.slow
def test_the_whole_language_comes_up():
    """Every built-in word, every aggregate and every statement occurs in one of many random files."""
    found: set[str] = set()

    @settings(COMMON, max_examples=600, phases=[Phase.generate], derandomize=True, database=None)
    @given(text=rule_files())
    def collect(text: str) -> None:
        found.update(words(checked(text)))

    collect()
    statements = {kind.__name__ for kind in Stmt.__subclasses__()}
    assert BUILTINS.keys() | statements | set("sum count max min any all union".split()) <= found


def words(node: object) -> Iterator[str]:
    """The built-ins, aggregates and statements in a part of a checked game."""
    match node:
        case Call():
            yield node.function
        case Fold():
            yield node.op
        case Stmt():
            yield type(node).__name__
    if isinstance(node, dict):
        node = tuple(node.values())
    if isinstance(node, tuple):
        for part in node:
            yield from words(part)
    elif attrs.has(type(node)):
        for part in attrs.fields(type(node)):
            if part.name != "span":
                yield from words(getattr(node, part.name))
