"""Who can sit at a board: the `Player` protocol, and the table of players by name.

A player acts for a person ("first" or "second"). When the people swap seats it goes
on with the other colour, so it reads the colour from the position, never remembers it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Protocol, TextIO

from attrs import field, frozen

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


@frozen
class Prospect:
    """What thinking says of a move: how often it was tried, its mover's share of wins, what is proven.

    `value` is 0 where all is lost and 1 where all is won. `proven` is the person who wins by force
    ("first" or "second"), "draw", or None.
    """

    move: Move
    visits: int
    value: float
    proven: str | None


@frozen
class Thought:
    """How far a player has come in thinking about a position, for those who watch."""

    #: The part of its thinking that is over, 0 to 1.
    done: float
    #: What it has looked at, in words: "12,345 random games".
    effort: str
    #: What the person to move can expect: 0 lost, 0.5 drawn, 1 won; None where there is no idea yet.
    value: float | None
    #: The person who wins by force, "draw", or None where nothing is proven.
    proven: str | None
    #: The moves that both sides are expected to play.
    line: tuple[Move, ...] = ()
    #: The moves most worth playing, the best first.
    prospects: tuple[Prospect, ...] = ()


@frozen
class Chair:
    """What a player is told as it sits down."""

    #: The person it acts for.
    person: str = "first"
    #: Where it says what it has to say to people.
    dialogue: TextIO = field(factory=lambda: sys.stderr)
    #: The seed of its chance, where its name has none; None: one of its own.
    seed: int | None = None
    #: How many threads it may think with.
    threads: int = 1
    #: Told a few times a second how its thinking goes.
    watch: Callable[[Thought], None] | None = None


class PlayerError(ValueError):
    """No such player."""


#: Makes a player from what follows the colon of its name ("" where there is none) and its chair.
Maker = Callable[[str, Chair], Player]


def _human(argument: str, chair: Chair) -> Player:
    from interpreter.players.human import Human

    if argument:
        raise PlayerError("`human` takes nothing after a colon.")
    return Human(sys.stdin, chair.dialogue, (chair.person,))


def _random(argument: str, chair: Chair) -> Player:
    from interpreter.players.random import Random, fresh_seed

    if argument and not (argument.isascii() and argument.isdigit() and len(argument) <= 18):
        raise PlayerError(f"The seed in `random:{argument}` is no whole number of at most 18 digits.")
    if argument:
        return Random(int(argument), chair.person)
    return Random(fresh_seed() if chair.seed is None else chair.seed, chair.person)


def _mcts(argument: str, chair: Chair) -> Player:
    from interpreter.players.mcts import Mcts

    thought = re.fullmatch(r"([1-9][0-9]{0,8})|([0-9]{1,5}(?:\.[0-9]{1,3})?)s", argument or "1000")
    if thought is None:
        message = f"`mcts:{argument}` says no amount of thought; write mcts:1000 (random games) or mcts:2s."
        raise PlayerError(message)
    return Mcts(int(thought[1]) if thought[1] else None, float(thought[2]) if thought[2] else None)


#: Players by name; each imports its module when it is first asked for.
PLAYERS: dict[str, Maker] = {"human": _human, "random": _random, "mcts": _mcts}


def make(text: str, chair: Chair) -> Player:
    """The player that `text` names, as "human", "random" or "random:7"; PlayerError if there is none."""
    name, colon, argument = text.partition(":")
    if name not in PLAYERS or (colon and not argument):
        raise PlayerError(
            f"No player is called `{text}`; write one of: human, random, random:7, mcts, mcts:1000, mcts:2s."
        )
    return PLAYERS[name](argument, chair)


def seat(first: str, second: str, dialogue: TextIO) -> tuple[Player, Player]:
    """The players of both people; two who type at one keyboard are one player. PlayerError as in `make`."""
    if first == second == "human":
        from interpreter.players.human import Human

        both = Human(sys.stdin, dialogue)
        return both, both
    return make(first, Chair("first", dialogue)), make(second, Chair("second", dialogue))
