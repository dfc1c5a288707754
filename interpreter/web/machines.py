"""Machines that think at a table, and what they think."""

from __future__ import annotations

import sys
from collections.abc import Callable

from attrs import evolve

from interpreter.game import Game
from interpreter.players import Chair, Decision, Player, PlayerError, Wish, make
from interpreter.thought import LINE, Thought
from interpreter.web import Json
from interpreter.web.positions import BACK, Kept, after, position_of

#: The most threads of a machine, and the most seconds for a move, whatever its name says.
THREADS, SECONDS = 2, 30.0

Watch = Callable[[Json], None]

_players = Kept(16)


def considered(request: Json, name: str, lines: int, watch: Watch) -> tuple[Thought | None, str]:
    """What a player thinks of a position, and the move that it chooses in time."""
    position = position_of(request)
    person = position.person
    last: Thought | None = None

    def see(thought: Thought) -> None:
        nonlocal last
        last = thought
        told = evolve(thought, line=thought.line[:LINE], prospects=()).data()
        watch({"person": person, "done": thought.done, **told})

    # A player stays for its next move, and goes on thinking where it left off.
    key = (request.get("key"), name, person)
    player, watchers = _players.get(key) or _seated(name, person, lines)
    _players.put(key, (player, watchers))
    watchers[:] = [see]
    move = player.choose(position, _history(position.game, request["moves"]))
    if isinstance(move, Wish):
        raise PlayerError(f"{name} does not want to move.")
    return last, move.notation


def _seated(name: str, person: str, lines: int) -> tuple[Player, list[Callable[[Thought], None]]]:
    """A player, and the list of its watchers."""
    watchers: list[Callable[[Thought], None]] = []

    def tell(thought: Thought) -> None:
        for watch in watchers:
            watch(thought)

    return machine(name, person, lines, tell), watchers


def _history(game: Game, moves: list[str]) -> list[Decision]:
    """The last decisions, by which a player finds its earlier thoughts again."""
    start = max(0, len(moves) - BACK // 2)
    position = after(game, tuple(moves[:start]))
    seen = []
    for text in moves[start:]:
        move = position.parse(text)
        seen.append((position, move))
        position = position.play(move)
    return seen


def machine(name: str, person: str, lines: int = 0, watch: Callable[[Thought], None] | None = None) -> Player:
    """The machine of this name. Raises PlayerError."""
    player = make(name, Chair(person, sys.stderr, patience=SECONDS, watch=watch, lines=lines))
    if getattr(player, "threads", 1) > THREADS:
        raise PlayerError(f"{name[:40]} wants too much of this machine: at most threads={THREADS}.")
    return player
