"""A person who types moves: at a terminal, or one a line from a file or a pipe."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TextIO

from attrs import frozen

from interpreter.errors import MoveError
from interpreter.game import Move, Position
from interpreter.players import Decision, Wish
from interpreter.screen import show

HELP = """\
Type a move as the list of `moves` shows it, or one of these words:
  moves    list the legal moves
  undo     take back your last move and all that came after it
  resign   give up: the other side wins
  quit     stop here; the game stays unfinished
  help     this text"""


@frozen
class Human:
    """Reads lines from a stream until one is a decision.

    At a terminal a line that is no legal move is answered and asked for again; from a
    file or a pipe it raises MoveError, for nobody is there to correct it. The end of
    the input leaves the game.
    """

    lines: TextIO
    dialogue: TextIO
    name: str = "human"

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        interactive = self.lines.isatty()
        if interactive:
            show(position, self.dialogue)
        while True:
            if interactive:
                self._say(f"{position.to_move}'s move (or help): ", end="")
            line = self.lines.readline()
            if not line:
                return Wish.LEAVE
            try:
                decision = self._understand(line.strip(), position, history)
            except MoveError as error:
                if not interactive:
                    raise
                self._say(str(error))
            else:
                if decision is not None:
                    return decision

    def _understand(self, text: str, position: Position, history: Sequence[Decision]) -> Move | Wish | None:
        """What a line decides; None if it was only a question."""
        match text.lower():
            case "":
                return None
            case "help" | "?":
                self._say(HELP)
                return None
            case "moves":
                self._say(textwrap.fill("  ".join(map(str, position.legal_moves)), 100))
                return None
            case "quit" | "exit":
                return Wish.LEAVE
            case "resign":
                return Wish.RESIGN
            case "undo":
                if all(seen.person != position.person for seen, _ in history):
                    raise MoveError("There is no earlier move of yours to take back.")
                return Wish.UNDO
            case _:
                return position.parse(text)

    def _say(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self.dialogue, flush=True)
