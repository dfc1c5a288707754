"""What a player thinks of a position and its moves."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from interpreter.game import Move

#: How many moves of a line are shown to people.
LINE = 8

#: The player asked for advice, and how many moves it recommends.
ADVISER, ADVISED = "mcts:1s", 3


@frozen
class Prospect:
    """What thinking says about a move: how often it was tried, its mover's share of wins, what is proven.

    `value` is from 0, all lost, to 1, all won. `proven` is the person who wins by force ("first" or
    "second"), "draw", or None.
    """

    move: Move
    visits: int
    value: float
    proven: str | None
    #: The moves expected to follow it, if they were asked for.
    line: tuple[Move, ...] = ()

    def data(self) -> dict[str, Any]:
        """The prospect as JSON data."""
        return {
            "move": self.move.notation,
            "visits": self.visits,
            "value": self.value,
            "proven": self.proven,
            "line": [move.notation for move in self.line],
        }


@frozen
class Thought:
    """How far a player has got in thinking about a position, for those who watch."""

    #: The part of its thinking that is done, 0 to 1.
    done: float
    #: What it has examined, in words: "12,345 random games".
    effort: str
    #: What the person to move can expect: 0 lost, 0.5 drawn, 1 won; None if there is no estimate yet.
    value: float | None
    #: The person who wins by force, "draw", or None if nothing is proven.
    proven: str | None
    #: The moves that both sides are expected to play.
    line: tuple[Move, ...] = ()
    #: The moves most worth playing, the best first.
    prospects: tuple[Prospect, ...] = ()

    def data(self) -> dict[str, Any]:
        """The thought as JSON data."""
        return {
            "effort": self.effort,
            "value": self.value,
            "proven": self.proven,
            "line": [move.notation for move in self.line],
            "prospects": [prospect.data() for prospect in self.prospects],
        }
