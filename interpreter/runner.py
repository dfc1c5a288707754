"""The loop that plays any game between two players."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve, field

from gdl import library
from interpreter.errors import counted
from interpreter.game import Game, Move, Position, Result
from interpreter.players import Decision, Player, Wish
from interpreter.record import Record
from interpreter.settings import MOST_PLIES


def resignation(position: Position) -> Result:
    """How the game ends if the person to move resigns."""
    (winner,) = (colour for colour in position.game.players if colour != position.to_move)
    return Result(winner=winner, person=position.seats[winner], reason="resign", scores=None)


def plies(number: int) -> str:
    """A number of moves in words."""
    return counted(number, "ply", "plies")


def rules_file(game: str, title: str) -> str | None:
    """The File tag for a game that was loaded as `game`; None if its title leads to the same rules."""
    bundled = library.folder() / f"{library.slug(title)}.game"
    return None if library.locate(game).resolve() == bundled.resolve() else game


def ignore(position: Position, move: Move) -> None:
    """Watch nothing."""


@define
class Match:
    """One game between two people, which can be recorded at any time, whatever stops it.

    `result` is the result by the rules or by resignation, None while the game is unfinished.
    """

    game: Game
    first: Player
    second: Player
    position: Position = field(init=False)
    history: list[Decision] = field(init=False, factory=list)
    result: Result | None = field(init=False, default=None)
    resigned: bool = field(init=False, default=False)
    left: bool = field(init=False, default=False)

    @position.default
    def _start(self) -> Position:
        return self.game.start()

    def run(self, watch: Callable[[Position, Move], None] = ignore) -> None:
        """Play until the game is over, someone resigns or leaves, or the ply limit is reached.

        `watch` is called with each move and the position in which it was made. Exceptions of players and
        rules pass through and leave the match as it was.
        """
        self.result = self.position.result
        while self.result is None and not self.left and self.position.ply < MOST_PLIES:
            match self._player(self.position).choose(self.position, self.history):
                case Wish.RESIGN:
                    self.resigned, self.result = True, resignation(self.position)
                case Wish.LEAVE:
                    self.left = True
                case Wish.UNDO:
                    self._undo()
                case Move() as move:
                    before, self.position = self.position, self.position.play(move)
                    # A copy, as `before` caches all its legal moves: too much for a long game.
                    self.history.append((evolve(before), move))
                    watch(before, move)
                    self.result = self.position.result
                case other:
                    who = self._player(self.position).name
                    raise TypeError(f"{who} chose {other!r}, which is no move and no wish")

    def record(self, file: str | None = None) -> Record:
        """The game so far, for a game of the file `file` (None: a bundled game)."""
        return Record(
            game=self.game.name,
            file=file,
            options=self.game.options,
            first=self.first.name,
            second=self.second.name,
            result="*" if self.result is None else self.result.winner or "draw",
            moves=tuple(move.notation for _, move in self.history),
            resigned=self.resigned,
        )

    def _player(self, position: Position) -> Player:
        """The player to ask for a move in a position of this match."""
        return self.first if position.person == "first" else self.second

    def _undo(self) -> None:
        """Go back to the previous decision of the player who asks, if there is one.

        Positions are immutable, so the one the player saw then is simply restored.
        """
        asking = self._player(self.position)
        for place in reversed(range(len(self.history))):
            if self._player(self.history[place][0]) is asking:
                self.position = self.history[place][0]
                del self.history[place:]
                return
