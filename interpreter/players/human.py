"""A person who types moves at a terminal, or gives one per line in a file or a pipe."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from attrs import frozen

from gdl.guide import how_to_play
from interpreter.errors import MoveError
from interpreter.game import PERSONS, Move, Position
from interpreter.players import Chair, Decision, PlayerError, Wish, make, moves_of
from interpreter.screen import ordered, show
from interpreter.thinking import Watcher, advice, fold
from interpreter.thought import ADVISED, ADVISER

HELP = """\
Type a move, such as {examples}, or one of these words:
  moves    list the legal moves
  hint     think for a second, and show the best moves
  rules    tell how the game is played
  undo     take back your last move and all that came after it
  resign   give up: the other side wins
  quit     stop here; the game stays unfinished
  help     this text"""

#: If there are more moves than this, they are listed by their first words, on lines of at most this length.
MANY = 20
WIDTH = 100

#: Longer than any move; input without line ends must not fill the memory.
MAX_LINE = 100_000


@frozen
class Human:
    """Reads lines from a stream until one is a decision.

    At a terminal, a line that is not a legal move is explained and asked for again; from a file or a pipe it
    raises MoveError, since nobody is there to correct it. At the end of the input the player leaves the game,
    and says so unless it was typed. `people` are those who type here.
    """

    lines: TextIO
    dialogue: TextIO
    people: tuple[str, ...] = PERSONS
    name: str = "human"

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        moves_of(position)
        interactive = self.lines.isatty()
        if interactive:
            show(position, self.dialogue)
        while True:
            line = self._ask(_prompt(position)) if interactive else self.lines.readline(MAX_LINE)
            if len(line) == MAX_LINE:
                raise MoveError(f"A line of {MAX_LINE:,} characters or more is no move.")
            if not line:
                self._say("" if interactive else "The input has ended.")
                return Wish.LEAVE
            try:
                decision = self._understand(line.strip(), position, history)
            except MoveError as error:
                if not interactive:
                    raise
                self._tell(str(error).partition("\n")[0])  # the position is in sight
            else:
                if decision is not None:
                    return decision

    def _ask(self, prompt: str) -> str:
        """A line typed after the prompt; an empty text is the end of the input."""
        if self.lines is not sys.stdin or self.dialogue is not sys.stdout:
            self._say(prompt, end="")
            return self.lines.readline(MAX_LINE)
        with suppress(ImportError):  # not on every system; it lets the arrow keys edit the line
            import readline

            readline.parse_and_bind("set enable-bracketed-paste off")
        try:
            return input(prompt) + "\n"
        except EOFError:
            return ""

    def _understand(self, text: str, position: Position, history: Sequence[Decision]) -> Move | Wish | None:
        """What a line decides; None if it was only a question."""
        match text.lower():
            case "":
                return None
            case "help" | "?":
                self._tell(HELP.format(examples=_examples(position)))
                return None
            case "moves":
                self._say(_listed(position))
                return None
            case "hint":
                self._say(self._hint(position, history))
                return None
            case "rules":
                self._say(_rules(position))
                return None
            case "quit" | "exit" | "q":
                return Wish.LEAVE
            case "resign":
                return Wish.RESIGN
            case "undo":
                if all(seen.person not in self.people for seen, _ in history):
                    raise MoveError("There is no earlier move of yours to take back.")
                return Wish.UNDO
            case _:
                return position.parse(text)

    def _hint(self, position: Position, history: Sequence[Decision]) -> str:
        watcher = Watcher(self.dialogue)
        chair = Chair(position.person, self.dialogue, watch=watcher.see, lines=ADVISED)
        adviser = make(ADVISER, chair)
        try:
            with watcher.watching("Thinking of a hint", position):
                move = adviser.choose(position, history)
        except PlayerError as error:
            return str(error)
        return f"{move} is the only move." if watcher.last is None else advice(position, watcher.last)

    def _say(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self.dialogue, flush=True)

    def _tell(self, text: str) -> None:
        """Say lines, wrapped to the width of the terminal."""
        self._say("\n".join(map(fold, text.splitlines())))


def _rules(position: Position) -> str:
    """What the game is about and how to play it, as far as the rule files say."""
    rules = position.game.rules
    told = [text for text in (rules.about, *how_to_play(rules)) if text]
    return "\n\n".join(fold(text, indent="") for text in told) or "These rules do not tell how to play."


def _prompt(position: Position) -> str:
    """Whose move it is, which turn of several, and the moves that the board does not show: words, numbers."""
    whose, before = f"{position.to_move}'s move", ", "
    if position.turn is not None:
        whose, before = f"{whose}, {position.turn.replace('_', ' ')}", ": "
    said = [move for move in position.legal_moves if _sorts(move).isdisjoint({"set", "directions"})]
    numbers = [move.notation for move in said if _sorts(move) == {"int"}]
    words = [move.notation for move in said if _sorts(move) != {"int"}]
    if len(numbers) > 4:
        numbers = [*numbers[:3], "...", numbers[-1]]
    possible = " or ".join([*([" ".join(numbers)] if numbers else []), *words])
    if not said:
        return f"{whose} (or help): "
    if len(said) == len(position.legal_moves):
        return f"{whose}{before}{possible} (or help): "
    return f"{whose} ({possible} is possible; or help): "


def _examples(position: Position) -> str:
    """One move of each sort."""
    by_sort = {_sorts(move): move.notation for move in reversed(position.legal_moves)}
    return " or ".join(reversed(by_sort.values()))


def _sorts(move: Move) -> frozenset[str]:
    """What a move is made of: sites, numbers, words."""
    return frozenset(sort for sort, _ in move.path if sort != "branch")


def _listed(position: Position) -> str:
    """All moves in order; if there are many, one line for each first word."""
    moves = ordered(position)
    lines: dict[str, list[str]] = {}
    for move in moves:
        first = re.match(r"\w*", move)
        assert first is not None
        lines.setdefault(first[0], []).append(move)
    parts = list(lines.values()) if len(moves) > MANY and len(lines) < len(moves) / 2 else [moves]
    return "\n".join(fold("  ".join(part), most=WIDTH) for part in parts)
