"""What each first move is worth, and which of them a pie rule makes fair: a race between all of them.

Games are played after each first move until it is certain that the move is too good or too bad. Then it is
out of the race; the remaining games go to the moves still in doubt, which are the fairest.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import attrs
from attrs import define, field, frozen

from interpreter.analysis.games import Options, Play, Task, identity
from interpreter.analysis.sequential import Winnings, always, cells, percent, rounded, together, unfinished
from interpreter.errors import counted
from interpreter.game import Game
from interpreter.settings import MOST_PLIES

#: Games after each move that is still in the race, before it is decided again which ones are.
ROUND = 4

#: How the table shows whether to swap.
SWAPS = {True: "yes", False: "no", None: "?"}


@frozen
class Question:
    """What the first moves of a game are worth if `player` goes on with both colours.

    `rules` is a name or path, `options` are those given.
    """

    rules: str
    options: Options
    player: str
    seed: int = 0
    most_plies: int = MOST_PLIES

    def asked(self) -> dict[str, Any]:
        """What a file of its games must agree with; it may hold more games or fewer."""
        names = attrs.asdict(self, filter=attrs.filters.exclude("rules"))
        return {"command": "balance --pie", **identity(self.rules), **names}


@define
class Race:
    """The first moves, and the points of the colour that makes them in the games that followed.

    The people may swap, if the pie rule lets them; what counts is the colour.
    """

    question: Question
    game: Game
    #: The games after each first move.
    table: dict[str, Winnings] = field(init=False)
    _asked: int = field(init=False, default=0)  # how many games were set up

    @table.default
    def _all(self) -> dict[str, Winnings]:
        return {move.notation: Winnings() for move in self.game.start().legal_moves}

    @property
    def colour(self) -> str:
        """The colour that makes the first move."""
        return self.game.start().to_move

    def run(self, games: int, play: Play) -> None:
        """Play until it is known for every move which side it favours, or `games` have been set up.

        The question alone determines the games: with more `games` come the same ones, and then others.
        """
        while self._asked < games and (doubtful := self.doubtful):
            fairest = sorted(doubtful, key=lambda move: abs(self.table[move].share - 0.5))
            tasks = [self._task(move, turn) for turn in range(ROUND) for move in fairest]
            tasks = tasks[: games - self._asked]
            self._asked += len(tasks)
            for played in play(tasks):
                points = 0.5 if played.winner is None else float(played.winner == self.colour)
                move = played.task.label
                self.table[move] = self.table[move].add(points, played)

    def _task(self, move: str, turn: int) -> Task:
        """The next game after a move, with `turn` others before it."""
        number = self.table[move].games + turn
        return Task(
            label=move,
            number=number,
            game=self.question.rules,
            first=self.question.player,
            second=self.question.player,
            seed=random.Random(f"{self.question.seed} {move} {number}").getrandbits(48),
            options=self.question.options,
            opening=(move,),
            most_plies=self.question.most_plies,
        )

    @property
    def doubtful(self) -> list[str]:
        """The moves that may favour either side, as far as is known."""
        return [move for move in self.table if self.swap(move) is None]

    def swap(self, move: str) -> bool | None:
        """Whether the other person should take the side that has made this move; None: in doubt."""
        share = always(self.table[move])
        return None if share.low <= 0.5 <= share.high else share.low > 0.5

    @property
    def fairest(self) -> str:
        """The move after which the sides seem most equal; among equals, the one tried most."""
        tried = [move for move in self.table if self.table[move].games] or list(self.table)
        return min(tried, key=lambda move: (abs(self.table[move].share - 0.5), -self.table[move].games))

    @property
    def open(self) -> bool:
        """Whether every move is in doubt, so that only chance may have put one ahead of the others."""
        return len(self.doubtful) == len(self.table)

    @property
    def whole(self) -> Winnings:
        """The games after all moves together."""
        return together(self.table.values())

    @property
    def ordered(self) -> list[str]:
        """The moves, those best for their colour first."""
        return sorted(self.table, key=lambda move: -self.table[move].share)

    def figures(self) -> dict[str, Any]:
        """All of it as JSON data; the moves best for their colour come first."""
        return {
            "player": self.question.player,
            "seed": self.question.seed,
            "most_plies": self.question.most_plies,
            "colour": self.colour,
            "fairest": None if self.open else self.fairest,
            "games": self.whole.games,
            "unfinished": self.whole.unfinished,
            "openings": [
                {
                    "move": move,
                    "games": self.table[move].games,
                    **rounded(always(self.table[move])),
                    "swap": self.swap(move),
                }
                for move in self.ordered
            ],
        }

    def rows(self) -> Iterator[dict[str, str]]:
        """The table of the games played, as text by columns."""
        for move in self.ordered:
            winnings, swap = self.table[move], SWAPS[self.swap(move)]
            yield {"move": move, "games": str(winnings.games), **cells(self.colour, winnings), "swap": swap}

    def so_far(self) -> str:
        """The answer while games are being played."""
        return f"fairest so far: {'not known yet' if self.open else self.fairest}"

    def sentences(self) -> Iterator[str]:
        """What the games say, in words."""
        share = always(self.table[self.fairest])
        if self.open:
            yield (
                f"{counted(self.whole.games, 'game')} do not tell which first move is the fairest: after "
                "each of them either side may be better off."
            )
        else:
            yield (
                f"The fairest first move is {self.fairest}, after which {self.colour} gets {percent(share)} "
                "of the points: with a pie rule, "
                f"{min(share.value, 1 - share.value):.0%} for whoever moves first."
            )
        answers = [self.swap(move) for move in self.table]
        yield (
            f"Worth swapping: {answers.count(True)} of {len(answers)} first moves; "
            f"not worth it: {answers.count(False)}; in doubt: {answers.count(None)}."
        )
        if any(winnings.alike for winnings in self.table.values()):
            yield (
                "After some moves all games were the same, move for move: where "
                f"{self.question.player} leaves nothing to chance, shares mean little."
            )
        if self.whole.unfinished:
            yield unfinished(self.whole)
