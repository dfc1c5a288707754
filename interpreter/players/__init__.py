"""Who can sit at a board: the `Player` protocol, and the table of players by name.

A player acts for a person ("first" or "second"). When the people swap seats it goes
on with the other colour, so it reads the colour from the position, never remembers it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Protocol, TextIO

from interpreter.game import Move, Position


class Wish(Enum):
    """What a player can want instead of a move."""

    RESIGN = auto()
    UNDO = auto()  # back to this player's previous decision
    LEAVE = auto()  # stop here, the game stays unfinished


#: A position that a player saw, and the move that was made there.
Decision = tuple[Position, Move]


class Player(Protocol):
    """Decides for one person."""

    @property
    def name(self) -> str:
        """What the record says, such that the same name makes the same player again."""

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        """A legal move of the position, or a wish; `history` holds all decisions before, oldest first."""


class PlayerError(ValueError):
    """No such player."""


#: Makes a player from what follows the colon of its name ("" where there is none), the
#: person it acts for, and the stream for what it has to say to people.
Maker = Callable[[str, str, TextIO], Player]


def _human(argument: str, person: str, dialogue: TextIO) -> Player:
    import sys

    from interpreter.players.human import Human

    if argument:
        raise PlayerError("`human` takes nothing after a colon.")
    return Human(sys.stdin, dialogue, (person,))


def _random(argument: str, person: str, dialogue: TextIO) -> Player:
    from interpreter.players.random import Random, fresh_seed

    if argument and not (argument.isascii() and argument.isdigit() and len(argument) <= 18):
        raise PlayerError(f"The seed in `random:{argument}` is no whole number of at most 18 digits.")
    return Random(int(argument) if argument else fresh_seed(), person)


def _mcts(argument: str, person: str, dialogue: TextIO) -> Player:
    from interpreter.players.mcts import Mcts

    thought = re.fullmatch(r"([1-9][0-9]{0,8})|([0-9]{1,5}(?:\.[0-9]{1,3})?)s", argument or "1000")
    if thought is None:
        message = f"`mcts:{argument}` says no amount of thought; write mcts:1000 (random games) or mcts:2s."
        raise PlayerError(message)
    return Mcts(int(thought[1]) if thought[1] else None, float(thought[2]) if thought[2] else None)


#: Players by name; each imports its module when it is first asked for.
PLAYERS: dict[str, Maker] = {"human": _human, "random": _random, "mcts": _mcts}


def make(text: str, person: str, dialogue: TextIO) -> Player:
    """The player that `text` names, as "human", "random" or "random:7"; PlayerError if there is none."""
    name, colon, argument = text.partition(":")
    if name not in PLAYERS or (colon and not argument):
        raise PlayerError(
            f"No player is called `{text}`; write one of: human, random, random:7, mcts, mcts:1000, mcts:2s."
        )
    return PLAYERS[name](argument, person, dialogue)


def seat(first: str, second: str, dialogue: TextIO) -> tuple[Player, Player]:
    """The players of both people; two who type at one keyboard are one player. PlayerError as in `make`."""
    if first == second == "human":
        import sys

        from interpreter.players.human import Human

        both = Human(sys.stdin, dialogue)
        return both, both
    return make(first, "first", dialogue), make(second, "second", dialogue)
