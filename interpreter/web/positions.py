"""The games and positions that requests refer to, kept from one to the next.

Rules are `{"bundled": name}` or `{"text": ...}`, the latter with texts they may be based on `beside` them.
"""

from __future__ import annotations

import json
import tempfile
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import define, field

from gdl import library
from gdl.core import CheckedGame
from gdl.source import Source
from interpreter.game import Game, Move, Position
from interpreter.web import Json

#: How many legal moves are kept, with their positions; how many moves back a known position is looked for.
MOVES, BACK = 50_000, 16

#: The name of a rule file that has none.
UNNAMED = "rules.game"


@define
class Kept:
    """The things asked for last; the oldest are forgotten first when all together weigh too much."""

    most: int
    _things: OrderedDict[Any, tuple[Any, int]] = field(init=False, factory=OrderedDict)
    _weight: int = field(init=False, default=0)

    def get(self, key: Any) -> Any:
        """The thing with this key, or None."""
        if key not in self._things:
            return None
        self._things.move_to_end(key)
        return self._things[key][0]

    def put(self, key: Any, thing: Any, weight: int = 1) -> None:
        self._weight += weight - self._things.pop(key, (None, 0))[1]
        self._things[key] = thing, weight
        while self._weight > self.most and len(self._things) > 1:
            self._weight -= self._things.popitem(last=False)[1][1]


_positions = Kept(MOVES)


def game_of(request: Json) -> Game:
    """The game that a request refers to, on the engine that it asks for."""
    rules = json.dumps(request["rules"], sort_keys=True)
    return _bound(rules, json.dumps(request.get("options", {})), request.get("engine"))


@lru_cache(maxsize=16)
def _bound(rules: str, options: str, engine: str | None) -> Game:
    game = Game.of(rules_of(rules), **json.loads(options))
    return game if engine is None else game.on(engine)


@lru_cache(maxsize=16)
def rules_of(rules: str) -> CheckedGame:
    asked = json.loads(rules)
    if "bundled" in asked:
        if asked["bundled"] not in library.bundled():
            raise library.UnknownGame(f"There is no game `{asked['bundled'][:80]}`.")
        return library.load(asked["bundled"])
    with beside(asked) as folder:
        return library.check_source(Source(UNNAMED, asked["text"]), Path(folder))[0]


def beside(rules: Json) -> tempfile.TemporaryDirectory[str]:
    """A folder that holds the rule files that these rules may be based on."""
    folder = tempfile.TemporaryDirectory(prefix="gdl-")
    for name, text in rules.get("beside", {}).items():
        (Path(folder.name) / f"{library.slug(name)}.game").write_text(text, encoding="utf-8")
    return folder


def position_of(request: Json) -> Position:
    """The position that a request refers to. Raises MoveError for a move that is not legal."""
    return after(game_of(request), tuple(request.get("moves", ())))


def last_of(request: Json) -> tuple[Position | None, Move | None]:
    """The position before the last move of a request, and that move; None for both if there was no move."""
    *earlier, last = request.get("moves") or [None]
    if last is None:
        return None, None
    before = after(game_of(request), tuple(earlier))
    return before, before.parse(last)


def after(game: Game, moves: tuple[str, ...]) -> Position:
    known = None
    for length in range(len(moves), max(-1, len(moves) - BACK), -1):
        known = _positions.get((id(game), moves[:length]))
        if known is not None:
            break
    # The key has the id of the game, which no other game gets as long as the position holds this one.
    position = game.start() if known is None else known
    for ply in range(position.ply, len(moves)):
        position = position.play(moves[ply])
    keep(game, moves, position)
    return position


def keep(game: Game, moves: tuple[str, ...], position: Position) -> None:
    _positions.put((id(game), moves), position, 20 + len(position.legal_moves))
