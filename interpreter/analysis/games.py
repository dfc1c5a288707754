"""Games as data: one to play, one that was played, and the function that turns the first into the second."""

from __future__ import annotations

import hashlib
import math
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any

import attrs
from attrs import frozen

from gdl import library
from interpreter.game import PERSONS, Move, unpickled
from interpreter.players import Chair, Decision, PlayerError, Wish
from interpreter.players.own import make_trusted
from interpreter.runner import resignation
from interpreter.settings import MOST_PLIES
from interpreter.thought import Thought

Options = dict[str, int | bool]

#: What identifies a task among those of one question.
Key = tuple[str, int]


@frozen
class Task:
    """A game to play. Two tasks of the same question differ in `label` or `number`.

    `game` is a name or a path, `opening` the moves made before the players are asked. The random choices of
    both players derive from `seed`, so that a task is the same game wherever it is played, unless a player
    thinks by the clock. A game that is not over after `most_plies` is left unfinished.
    """

    label: str
    number: int
    game: str
    first: str
    second: str
    seed: int
    options: Options = attrs.field(factory=dict)
    opening: tuple[str, ...] = ()
    most_plies: int = MOST_PLIES

    @property
    def key(self) -> Key:
        """Its label and number."""
        return self.label, self.number


@frozen
class Played:
    """A game that was played. `winner` is a colour, `person` who had it; None: a draw, or not `finished`.

    For each move, including those of the opening: `moves` holds its notation, `counts` the number of legal
    moves, `values` the chance of the person "first" to win as the mover saw it (0 to 1), or None.
    """

    task: Task
    winner: str | None
    person: str | None
    reason: str | None
    finished: bool
    moves: tuple[str, ...]
    counts: tuple[int, ...]
    values: tuple[float | None, ...]
    seconds: float

    @property
    def plies(self) -> int:
        """The number of moves made."""
        return len(self.moves)

    @property
    def points(self) -> float:
        """The points of the person "first": 1, 0, or a half for a draw or an unfinished game."""
        return {"first": 1.0, "second": 0.0, None: 0.5}[self.person]

    def data(self) -> dict[str, Any]:
        """The game as JSON data."""
        return attrs.asdict(self)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Played:
        """The game from JSON data. Raises TypeError, KeyError or ValueError if they are not a game."""
        task = Task(**{**data["task"], "opening": tuple(data["task"]["opening"])})
        rows = {name: tuple(data[name]) for name in ("moves", "counts", "values")}
        played = cls(**{**data, **rows, "task": task})
        if not played.possible:
            raise ValueError("this is no game")
        return played

    @property
    def possible(self) -> bool:
        """Whether each part is what it should be. Raises TypeError for some parts that are not."""
        return (
            isinstance(self.winner, str | None)
            and self.person in (None, *PERSONS)
            and isinstance(self.reason, str | None)
            and isinstance(self.finished, bool)
            and all(isinstance(move, str) for move in self.moves)
            and all(isinstance(count, int) for count in self.counts)
            and all(value is None or 0 <= value <= 1 for value in self.values)
            and len(self.moves) == len(self.counts) == len(self.values)
            and 0 <= self.seconds < math.inf
        )


#: Plays tasks and gives their games, in whatever order they end.
Play = Callable[[Sequence[Task]], Iterable[Played]]


def pack(game: str) -> bytes:
    """The checked rules of a name or path, to be played where there is no file. Raises as `library.load`."""
    return pickle.dumps(library.load(game))


def identity(game: str) -> dict[str, str]:
    """What a file of results holds for a name or path: itself, and a hash of the rules it now stands for."""
    return {"game": game, "rules": hashlib.sha256(pack(game)).hexdigest()}


def play_task(task: Task, rules: bytes | None = None) -> Played:
    """Play a game; `rules` are its rules as `pack` gives them, or None to read them here.

    Raises what the rules, the options, the opening or the players raise.
    """
    began = perf_counter()
    position = unpickled(rules or pack(task.game), tuple(task.options.items())).start()
    thoughts = list[Thought]()
    players = {
        person: make_trusted(name, Chair(person, seed=2 * task.seed + at, watch=thoughts.append))
        for at, (person, name) in enumerate(zip(PERSONS, (task.first, task.second), strict=True))
    }
    history, counts, values = list[Decision](), list[int](), list[float | None]()
    resigned = None
    while not position.over and position.ply < task.most_plies:
        thoughts.clear()
        if position.ply < len(task.opening):
            choice: Move | Wish = position.parse(task.opening[position.ply])
        else:
            choice = players[position.person].choose(position, history)
            if not isinstance(choice, Move | Wish):
                who = players[position.person].name
                raise TypeError(f"{who} chose {choice!r}, which is no move and no wish")
        if isinstance(choice, Wish):  # a machine's only wish is to resign
            resigned = resignation(position)
            break
        counts.append(len(position.legal_moves))
        values.append(_chance(position.person, thoughts))
        history.append((attrs.evolve(position), choice))  # a copy, which does not hold its legal moves
        position = position.play(choice)
    result = resigned or position.result
    return Played(
        task=task,
        winner=result.winner if result else None,
        person=result.person if result else None,
        reason=result.reason if result else None,
        finished=result is not None,
        moves=tuple(move.notation for _, move in history),
        counts=tuple(counts),
        values=tuple(values),
        seconds=round(perf_counter() - began, 3),
    )


def _chance(person: str, thoughts: Sequence[Thought]) -> float | None:
    """The chance of the person "first" to win, according to the last thought of the person to move."""
    value = thoughts[-1].value if thoughts else None
    return value if value is None or person == "first" else 1 - value


def check_player(name: str) -> None:
    """Raises PlayerError if no player has this name, or if it is a person, who cannot play many games."""
    make_trusted(name, Chair())
    if name.partition(":")[0] == "human":
        raise PlayerError("`human` cannot play here: these games are played by programs, many at a time.")
