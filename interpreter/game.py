"""Games and positions: what players, the runner and the command line build on.

>>> position = Game.load("ayu", size=5).start()
>>> position = position.play("b1-b2")
>>> position.to_move
'White'
"""

from __future__ import annotations

import os
import pickle
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, SupportsIndex, cast

import attrs
from attrs import field, frozen

from gdl import library
from gdl.boards import Board
from gdl.core import CheckedGame, Type
from gdl.source import Source
from interpreter import engines
from interpreter.binding import Bound, bind, choices
from interpreter.engine import STUCK, Candidate, Choice, Engine, Key, Snapshot
from interpreter.errors import (
    AmbiguousMove,
    IllegalMove,
    MoveError,
    OptionError,
    TooMuchWork,
    UnreadableMove,
    whole,
)
from interpreter.notation import Move, Speller, find, members_of, told_apart
from interpreter.piece import Piece
from interpreter.settings import MOST_PLIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.native.engine import Native
    from interpreter.playouts import Playouts
    from interpreter.sequence import Place
    from interpreter.stages import Staging
    from interpreter.trace import Trace
    from interpreter.tracing import Traced

__all__ = [
    "AmbiguousMove",
    "Game",
    "IllegalMove",
    "Move",
    "MoveError",
    "OptionError",
    "Piece",
    "Position",
    "Result",
    "TooMuchWork",
    "UnreadableMove",
]

PERSONS = ("first", "second")

#: The factor of `Position.hash64`.
HASHING = 0xBF58476D1CE4E5B9

#: How many unpickled games a process keeps.
RECEIVED = 32

#: The choices of the pie rule's move, which no engine generates, and the move.
SWAP: tuple[Choice, ...] = (("swap", 0),)
_SWAP = Candidate(Move(SWAP, "swap"), False, None)


@frozen
class Result:
    """How a game ended. `winner` is a colour, `person` who played it ("first" or "second"); None: a draw.

    `reason` is that of the ending that held. `scores` are by colour, if the score decided.
    """

    winner: str | None
    person: str | None
    reason: str
    scores: dict[str, int] | None = field(hash=False)

    @property
    def verdict(self) -> str:
        """Who has won, in words: "White (second) wins", or "draw"."""
        return "draw" if self.winner is None else f"{self.winner} ({self.person}) wins"

    def __str__(self) -> str:
        """In a few words: "White (second) wins: stuck(next)", "draw: no empty (Black 8, White 8)"."""
        scores = ", ".join(f"{colour} {score}" for colour, score in (self.scores or {}).items())
        return f"{self.verdict}: {self.reason}" + (f" ({scores})" if scores else "")


@frozen(hash=False)
class Game:
    """A rule file with its options bound."""

    rules: CheckedGame
    _options: dict[str, int | bool]
    _bound: Bound = field(eq=False)
    _asked: str = field(eq=False)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self._options.items())
        return f"Game({self.name!r}{options})"

    @classmethod
    def load(cls, game: str | os.PathLike[str], /, **options: SupportsIndex) -> Game:
        """The bundled game with this name, or the rule file at this path.

        Raises gdl.diagnostics.RuleError for a faulty rule file, OptionError for a faulty option.
        """
        return cls.of(library.load(os.fspath(game)), **options)

    @classmethod
    def from_text(cls, text: str, /, **options: SupportsIndex) -> Game:
        """The game of a rule text; a variant must have a bundled base. Raises what `load` raises."""
        return cls.of(library.check_source(Source("rules.game", text))[0], **options)

    @classmethod
    def of(cls, rules: CheckedGame, /, **options: SupportsIndex) -> Game:
        """A game from checked rules. Raises what `load` raises; TooMuchWork for rules nested too deeply."""
        try:
            bound = bind(rules, options)
        except RecursionError:
            raise _too_deep(rules) from None
        return cls(rules, bound.options, bound, engines.DEFAULT)

    @property
    def options(self) -> dict[str, int | bool]:
        """The value of each option."""
        return self._options.copy()

    def choices(self, option: str) -> tuple[int | bool, ...] | range:
        """All values that an option may have if the others stay as they are; numbers are a range.

        Raises OptionError if there is no such option.
        """
        return choices(self.rules, self.options, option)

    def on(self, engine: str) -> Game:
        """The same game on another engine: `native`, `reference`, or `traced`, which counts what is used."""
        engines.check(engine)
        return attrs.evolve(self, asked=engine)

    @property
    def engine(self) -> str:
        """The name of the engine that is playing."""
        return "reference" if self.engine_note else self._asked

    @property
    def engine_note(self) -> str | None:
        """Why another engine is playing than was asked for; None if it is the one asked for."""
        return self._made[1]

    @cached_property
    def _made(self) -> tuple[Engine, str | None]:
        try:
            return engines.make(self._asked, self._bound)
        except RecursionError:
            raise _too_deep(self.rules) from None

    @property
    def _engine(self) -> Engine:
        return self._made[0]

    @property
    def native(self) -> Native | None:
        """The native engine, for what only it can do; None if another is playing."""
        return cast("Native", self._engine) if self.engine == "native" else None

    @property
    def trace(self) -> Trace | None:
        """What the engine `traced` has counted so far; None if another is playing."""
        return cast("Traced", self._engine).trace if self.engine == "traced" else None

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[object, ...]]:
        """Equal games sent to a process become one game there, with one engine."""
        return unpickled, (self._pickled, tuple(self._options.items()), self._asked)

    @cached_property
    def _pickled(self) -> bytes:
        return pickle.dumps(self.rules)

    def __hash__(self) -> int:
        return hash((self.rules.name, tuple(self._options.items())))

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def players(self) -> tuple[str, str]:
        return self.rules.players

    @property
    def board(self) -> Board:
        return self._bound.board

    @property
    def planes(self) -> tuple[Piece, ...]:
        """All sorts of pieces."""
        return tuple(
            Piece(self.rules.kinds[kind].name, None if owner is None else self.players[owner])
            for kind, owner in self._bound.planes
        )

    @cached_property
    def goals(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The sites that `end` or `score` intends for each player: sides to link, a row to reach."""
        from interpreter.places import goals

        return tuple((self.players[player], self.sites(sites)) for player, sites in goals(self._bound))

    @cached_property
    def idle(self) -> tuple[str, ...]:
        """The sites that no move can ever involve, as far as that is clear from the rules."""
        from interpreter.places import idle

        return self.sites(idle(self._bound))

    def sites(self, members: int) -> tuple[str, ...]:
        """The names of the sites of a set, whose bits are numbered like the sites of the board."""
        return tuple(members_of(self.board.names, members))

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self._bound)

    @cached_property
    def _staging(self) -> Staging:
        from interpreter.stages import Staging

        return Staging(self._bound)

    @cached_property
    def _fewest_choices(self) -> int | None:
        from interpreter.stages import fewest_choices

        return fewest_choices(self._bound)

    def start(self) -> Position:
        """The position after the setup. Raises gdl.diagnostics.RuleError if the setup is impossible."""
        return Position(self, self._engine.start())


@lru_cache(RECEIVED)
def unpickled(
    rules: bytes, options: tuple[tuple[str, int | bool], ...], engine: str = engines.DEFAULT
) -> Game:
    """The game of pickled rules, which is bound and compiled only once in a process."""
    return Game.of(pickle.loads(rules), **dict(options)).on(engine)


@frozen
class Position:
    """A position of a game: an immutable value."""

    game: Game
    #: What an engine knows about the position; players do not need it.
    snapshot: Snapshot

    def __repr__(self) -> str:
        return f"<{self.line()}>"

    @property
    def ply(self) -> int:
        """How many moves have been played."""
        return self.snapshot.ply

    @property
    def to_move(self) -> str:
        """The colour to move; if the game is over, the one that would have been."""
        return self.game.players[self._place.player]

    @property
    def turn(self) -> str | None:
        """The name of the turn to take; None if the rules have only one turn, or this one has no name."""
        name = self._place.turn
        return name if len(self.game.rules.turns) > 1 and name != "turn" else None

    @property
    def person(self) -> str:
        """The person who plays the colour to move: "first" or "second"."""
        return self.seats[self.to_move]

    @property
    def seats(self) -> dict[str, str]:
        """The person who plays each colour."""
        return dict(
            zip(self.game.players, reversed(PERSONS) if self.snapshot.swapped else PERSONS, strict=True)
        )

    @property
    def board(self) -> dict[str, Piece]:
        """What is on each occupied site, in the order of the sites: {"b1": "Black stone"}."""
        return self._board.copy()  # the caller may change it

    @cached_property
    def _board(self) -> dict[str, Piece]:
        return self._standing(self.snapshot.planes)

    def _standing(self, planes: tuple[int, ...]) -> dict[str, Piece]:
        names = self.game.board.names
        pieces = dict[int, Piece]()
        for piece, plane in zip(self.game.planes, planes, strict=True):
            pieces |= {site: piece for site in range(len(names)) if plane >> site & 1}
        return {names[site]: pieces[site] for site in sorted(pieces)}

    def stages(self, move: Move | None = None) -> dict[tuple[Choice, ...], dict[str, Piece]]:
        """What the board looks like in the middle of a move: what stands on it, by the choices made so far.

        For this legal move, or else for all of them; empty if the board changes only after the last choice.
        Raises TooMuchWork.
        """
        fewest = self.game._fewest_choices
        paths = (each.path for each in (self.legal_moves if move is None else (move,)))
        if fewest is None or all(sum(sort != "branch" for sort, _ in path) < fewest for path in paths):
            return {}
        found = self.game._staging.stages(self.snapshot, None if move is None else move.path)
        return {path: self._standing(planes) for path, planes in found.items()}

    @property
    def state(self) -> dict[str, object]:
        """The state variables by name: ints, bools, names of players, kinds, directions and sites.

        A counter is a dict by site, a state `per player` a dict by player.
        """
        values = dict[str, Any]()
        for spec, value in zip(self.game.rules.states.values(), self.snapshot.states, strict=True):
            shown = self._shown(spec.type, value)
            if spec.player is None:
                values[spec.name] = shown
            else:
                values.setdefault(spec.name, {})[self.game.players[spec.player]] = shown
        return values

    @property
    def counters(self) -> dict[str, dict[str, int]]:
        """The counters, which are part of `state`: by name, the number on each site."""
        specs, values = self.game.rules.states.values(), self.snapshot.states
        return {
            spec.name: dict(zip(self.game.board.names, value, strict=True))
            for spec, value in zip(specs, values, strict=True)
            if spec.type is Type.COUNTERS
        }

    def _shown(self, type_: Type, value: Any) -> object:
        match type_:
            case Type.SET:
                return list(self.game.sites(value))
            case Type.COUNTERS:
                return dict(zip(self.game.board.names, value, strict=True))
            case Type.INT | Type.BOOL:
                return value
        return self.game._speller.value(type_.value, value)

    @property
    def scores(self) -> dict[str, int] | None:
        """The current `score` of each colour; None if the rules define none. Raises TooMuchWork."""
        return None if self._scores is None else dict(zip(self.game.players, self._scores, strict=True))

    @cached_property
    def _scores(self) -> tuple[int, int] | None:
        return self.game._engine.reference.scores(self.snapshot)

    @cached_property
    def decisive(self) -> tuple[str, ...]:
        """The sites of the pieces that decided the game: five in a row, a chain, the man that broke through.

        Empty if the ending was not about pieces, or if that takes too much work to find out.
        """
        if self.result is None or self.result.winner is None:
            return ()
        from interpreter.decisive import decisive

        try:
            return self.game.sites(decisive(self.game._engine.reference, self.snapshot))
        except TooMuchWork:  # the reference engine may manage less than the one that is playing
            return ()

    @property
    def last_move(self) -> tuple[str, ...]:
        """The sites that the last move changed."""
        return self.game.sites(self.snapshot.last_move)

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves in the order of generation; none if the game is over. Raises TooMuchWork."""
        return () if self.over else tuple(told_apart(self.game._speller, self._found))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._result is not None

    @property
    def result(self) -> Result | None:
        """How the game has ended, or None while it goes on."""
        found = self._result
        if found is None or found.scores is None:
            return found
        return attrs.evolve(found, scores=found.scores.copy())  # the caller may change them

    @cached_property
    def _result(self) -> Result | None:
        verdict = self.game._engine.verdict(self.snapshot)
        if verdict is None or (verdict is STUCK and self._swaps):
            return None
        players = self.game.players
        winner = None if verdict.winner is None else players[verdict.winner]
        scores = dict(zip(players, verdict.scores, strict=True)) if verdict.scores else None
        return Result(winner, self.seats[winner] if winner else None, verdict.reason, scores)

    @property
    def key(self) -> Key:
        """The exact identity of board, state, player to move and turn to take."""
        return (self.snapshot.planes, self.snapshot.states, self._place.number)

    @property
    def hash64(self) -> int:
        """A 64-bit hash of `key`, the same in every run and on every machine.

        The key as 64-bit words (sets: lowest sites first, one word for each 64 sites of the board; each
        count of a counter, each other value: one word, two's complement; the player, 0 or 1, plus two for
        each turn that the rules declare before the one to take) goes word by word through
        h = (h ^ word) * HASHING mod 2^64, h = h ^ (h >> 32), starting from h = 0.
        """
        value = 0
        for word in self._words():
            value = (value ^ word) * HASHING & 0xFFFF_FFFF_FFFF_FFFF
            value ^= value >> 32
        return value

    def play(self, move: Move | str) -> Position:
        """The position after a legal move. Raises MoveError for a move that is not legal here."""
        legal = self.legal_moves
        # Usually it is one of these very objects, and identity is faster to test than equality.
        number = next((i for i, known in enumerate(legal) if known is move), None)
        if number is None:
            number = legal.index(move if move in legal else self.parse(str(move)))
        candidate = self._found[number]
        if candidate is _SWAP:
            snapshot = self.snapshot
            after = attrs.evolve(snapshot, swapped=not snapshot.swapped, pie=False, ply=snapshot.ply + 1)
        else:
            after = self.game._engine.after(self.snapshot, candidate)
        return Position(self.game, after)

    def parse(self, text: str) -> Move:
        """The legal move that a text means; case, spaces and signs between words do not matter.

        Raises UnreadableMove, IllegalMove or AmbiguousMove.
        """
        return find(self.game._bound, self.legal_moves, text, self._board, self)

    def playouts(
        self,
        count: SupportsIndex,
        *,
        policy: str = "uniform",
        seed: SupportsIndex | None = None,
        threads: SupportsIndex = 1,
        most_plies: SupportsIndex = MOST_PLIES,
    ) -> Playouts:
        """Random games from here: the same seed gives the same games, however many threads.

        Without a seed they differ each time. `policy` is `uniform` (every legal move is equally likely) or
        `stepwise` (the choices of a turn are drawn uniformly one by one, backing up if a run fails: cheaper,
        but not uniform over moves). A game that has not ended after `most_plies` counts as unfinished.
        Raises ValueError for arguments out of range, TooMuchWork if a turn takes too long.
        """
        from interpreter.playouts import run_playouts

        return run_playouts(self, count, policy, seed, threads, most_plies)

    def perft(self, depth: SupportsIndex) -> int:
        """How many sequences of `depth` legal moves lead on from here; 1 for a depth of 0.

        Raises ValueError for a depth out of range, TooMuchWork.
        """
        depth = whole("depth", depth, 0)
        if depth == 0:
            return 1
        if self.over:
            return 0
        if depth == 1:
            return len(self._found)
        native = self.game.native
        if native is not None:
            return native.perft(self.snapshot, depth)
        return sum(self.play(move).perft(depth - 1) for move in self.legal_moves)

    def line(self) -> str:
        """The position on one line: "Ayu, ply 11, White to move: Black stone b1 d1 / White stone a2"."""
        sorts = dict[str, list[str]]()
        for site, piece in self._board.items():
            sorts.setdefault(piece, []).append(site)
        pieces = " / ".join(f"{piece} {' '.join(sites)}" for piece, sites in sorted(sorts.items()))
        return f"{self.game.name}, ply {self.ply}, {self.to_move} to move: {pieces or 'an empty board'}"

    def __str__(self) -> str:
        return self.line()

    def _repr_svg_(self) -> str:
        """The position as a picture, under the name that notebooks look for."""
        from interpreter.svg import draw

        return draw(self)

    @property
    def _place(self) -> Place:
        return self.game._bound.sequence[self.snapshot.cursor]

    @cached_property
    def _found(self) -> list[Candidate]:
        """The legal moves as the engine has found them, plus the pie rule's."""
        found = self.game._engine.candidates(self.snapshot)
        return [*found, _SWAP] if self._swaps else found

    @property
    def _swaps(self) -> bool:
        """Whether the pie rule offers to swap sides."""
        return self.snapshot.pie and self.snapshot.last_mover not in (None, self._place.player)

    def move_of(self, run: tuple[int, ...] | None) -> Move:
        """The legal move that the engine knows by these words; None: the pie rule's swap."""
        return self._by_run[run]

    @cached_property
    def _by_run(self) -> dict[tuple[int, ...] | None, Move]:
        return {found.run: move for move, found in zip(self.legal_moves, self._found, strict=True)}

    def _words(self) -> list[int]:
        width = range(0, self.game.board.size, 64)
        planes, states, number = self.key
        words = [plane >> low for plane in planes for low in width]
        for spec, value in zip(self.game.rules.states.values(), states, strict=True):
            match spec.type:
                case Type.SET:
                    words += [value >> low for low in width]
                case Type.COUNTERS:
                    words += value
                case _:
                    words.append(value)
        return [word & 0xFFFF_FFFF_FFFF_FFFF for word in [*words, number]]


def _too_deep(rules: CheckedGame) -> TooMuchWork:
    return TooMuchWork(f"the rules of {rules.name} are nested too deeply to be played")
