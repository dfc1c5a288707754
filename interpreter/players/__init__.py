"""The players: their protocol `Player`, and the table of them by name.

A player acts for a person ("first" or "second"). When the people swap seats it goes on with the other
colour, so it reads the colour from the position and never remembers it.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Protocol, TextIO

from attrs import evolve, field, frozen

from gdl.diagnostics import did_you_mean
from interpreter.game import PERSONS, Move, Position
from interpreter.settings import POLICIES
from interpreter.thought import Thought


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
        """The name for the record, from which the same player can be made again."""

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        """A legal move of the position, or a wish; `history` holds all earlier decisions, oldest first."""


@frozen
class Chair:
    """What a player is given when it sits down."""

    #: The person it acts for.
    person: str = field(default="first")
    #: Where it writes messages for people.
    dialogue: TextIO = field(factory=lambda: sys.stderr)
    #: The seed of its random choices, unless its name has one; None: a fresh one.
    seed: int | None = None
    #: How many threads it may think with; only random games can be shared among several.
    threads: int = 1
    #: The most seconds it should think about a move, whatever its name says.
    patience: float = math.inf
    #: Called a few times a second with its current thought.
    watch: Callable[[Thought], None] | None = None
    #: For how many of its best moves the last thought should have a likely continuation; that takes time.
    lines: int = 0

    @person.validator
    def _check(self, _: object, person: str) -> None:
        if person not in PERSONS:
            raise ValueError(f"a chair is for the person {' or '.join(PERSONS)}, not {person!r}")


class PlayerError(ValueError):
    """There is no such player, or it cannot play this game."""


@frozen
class Form:
    """The form of a part of a player's name: as a regular expression, and in words."""

    pattern: str
    words: str

    def fits(self, text: str) -> bool:
        return re.fullmatch(self.pattern, text) is not None


@frozen
class Entry:
    """A row of the table of players."""

    #: What it does: the rest of a sentence that starts with its name.
    doc: str
    #: Makes one from what follows the colon in its name ("" if there is none) and its chair.
    make: Callable[[str, Chair], Player]
    #: What may follow the colon: one of these, or nothing if there are none.
    forms: Sequence[Form] = ()
    #: Example names with something after the colon, and what that means.
    examples: Mapping[str, str] = {}
    #: What may follow that, each after a comma: `threads=2`.
    settings: Mapping[str, Form] = {}

    def fault(self, name: str, argument: str) -> str | None:
        """What is wrong with the part of its name after the colon, if anything."""
        amount, *settings = argument.split(",") if self.settings else [argument]
        if not any(form.fits(amount) for form in self.forms):
            forms = " or ".join(form.words for form in self.forms)
            more = f", or {forms} behind the colon, as in {', '.join(self.examples)}" if forms else ""
            return f"write {name} alone{more}"
        for setting in settings:
            key, _, value = setting.partition("=")
            if key not in self.settings:
                return f"{name} has no setting `{key[:40]}`; it has {', '.join(self.settings)}"
            if not self.settings[key].fits(value):
                return f"{key} is {self.settings[key].words}, not `{value[:40]}`"
        return None


SEED = Form(r"[0-9]{1,18}", "a seed of up to 18 digits")
GAMES = Form(r"[1-9][0-9]{0,8}", "a number of random games from 1 to 999,999,999")
DEPTH = Form(r"[1-9][0-9]?", "a depth from 1 to 99")
TIME = Form(r"(?=.*[1-9])[0-9]{1,5}(\.[0-9]{1,3})?s", "a time from 0.001s to 99999.999s")
THREADS = Form(r"[1-9][0-9]?", "a number from 1 to 99")
POLICY = Form("|".join(POLICIES), " or ".join(POLICIES))


def seed_of(argument: str, chair: Chair) -> int:
    """The seed given by a name, or by the chair, or else a new one."""
    from interpreter.players.random import fresh_seed

    if argument:
        return int(argument)
    return fresh_seed() if chair.seed is None else chair.seed


def _human(argument: str, chair: Chair) -> Player:
    from interpreter.players.human import Human

    return Human(sys.stdin, chair.dialogue, (chair.person,))


def _random(argument: str, chair: Chair) -> Player:
    from interpreter.players.random import Random

    return Random(seed_of(argument, chair), chair.person)


def _greedy(argument: str, chair: Chair) -> Player:
    from interpreter.players.greedy import Greedy

    return Greedy(seed_of(argument, chair), chair.person)


def _mcts(argument: str, chair: Chair) -> Player:
    from interpreter.players.mcts import Mcts

    return Mcts.asked(argument or "1000", chair)


def _alphabeta(argument: str, chair: Chair) -> Player:
    from interpreter.players.alphabeta import Alphabeta

    seconds = float(argument[:-1]) if argument.endswith("s") else None
    return Alphabeta(int(argument) if argument and seconds is None else None, seconds, chair)


def _solve(argument: str, chair: Chair) -> Player:
    from interpreter.players.solve import SECONDS, Solve

    return Solve(float(argument[:-1]) if argument else SECONDS, chair)


#: The players by name; each imports its module when it is first asked for.
PLAYERS: dict[str, Entry] = {
    "human": Entry("types moves: at a terminal, or one per line from a file or a pipe", _human),
    "random": Entry(
        "plays each legal move with equal probability",
        _random,
        (SEED,),
        {"random:7": "the same moves again: 7 is the seed"},
    ),
    "greedy": Entry(
        "looks at the next move only",
        _greedy,
        (SEED,),
        {"greedy:7": "the same moves again: 7 is the seed"},
    ),
    "mcts": Entry(
        "thinks ahead by random games, 1,000 per move",
        _mcts,
        (GAMES, TIME),
        {
            "mcts:5000": "5,000 random games per move",
            "mcts:2s": "2 seconds per move",
            "mcts:2s,threads=2": "on two threads; seed=7 and policy=uniform work too",
        },
        {"threads": THREADS, "seed": SEED, "policy": POLICY},
    ),
    "alphabeta": Entry(
        "looks ahead move by move, at 100,000 positions per move",
        _alphabeta,
        (DEPTH, TIME),
        {"alphabeta:6": "six plies ahead", "alphabeta:2s": "2 seconds per move"},
    ),
    "solve": Entry(
        "plays what it can prove within 5 seconds per move, otherwise as mcts does",
        _solve,
        (TIME,),
        {"solve:20s": "20 seconds per move"},
    ),
}


def make(text: str, chair: Chair) -> Player:
    """The player that `text` names, such as "human", "random" or "mcts:2s"; PlayerError if there is none."""
    name, colon, argument = text.partition(":")
    entry = PLAYERS.get(name)
    if entry is None:
        hint = did_you_mean(name.lower(), PLAYERS) or f"there are {', '.join(PLAYERS)}."
        raise PlayerError(f"There is no player `{text[:40]}`; {hint}")
    if colon and (fault := entry.fault(name, argument)):
        raise PlayerError(f"`{text[:40]}`: {fault}.")
    return entry.make(argument, chair)


def moves_of(position: Position) -> tuple[Move, ...]:
    """The legal moves, at least one; ValueError if the game is over, so that there is no move to choose."""
    if not position.legal_moves:
        raise ValueError(f"the game is over, there is no move to choose: {position}")
    return position.legal_moves


def natively(position: Position) -> Position:
    """The position on the native engine, which thinking ahead needs; PlayerError if that cannot play it."""
    if position.game.native is not None:
        return position
    game = position.game.on("native")
    if game.native is None:
        raise PlayerError(f"{game.name}: {game.engine_note}, and thinking ahead needs the native one.")
    return Position(game, position.snapshot)


def seat(first: str, second: str, chair: Chair) -> tuple[Player, Player]:
    """The players for both people, as `own.make_trusted` makes them, each with a chair like `chair`.

    Two people at one keyboard are one player.
    """
    if first == second == "human":
        from interpreter.players.human import Human

        both = Human(sys.stdin, chair.dialogue)
        return both, both
    from interpreter.players.own import make_trusted

    one, other = (
        make_trusted(name, evolve(chair, person=person))
        for name, person in zip((first, second), PERSONS, strict=True)
    )
    return one, other
