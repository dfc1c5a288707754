"""What an engine is: the few things that `Game` and `Position` ask of it, and the data they exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from interpreter.notation import Move
    from interpreter.reference import Reference

#: The board, the state, and who takes which turn next (`sequence.Place.number`): what `repeated` compares.
Key = tuple[tuple[int, ...], tuple[Any, ...], int]

#: One choice of a run: (what it is, its value). What it is: the value of a `gdl.core.Type`, or
#: "branch" (the number of an `either` block), "pass", "keep" or "swap" (the value is 0).
Choice = tuple[str, int]


@frozen
class Snapshot:
    """A position as an engine sees it: everything that the rest of the game depends on."""

    planes: tuple[int, ...]  # one set of sites for each (kind, owner)
    states: tuple[Any, ...]  # the values of the state variables, in the order of their declaration
    cursor: int  # the place in the play sequence of the turn to take
    ply: int
    passes: int  # how many of the last moves in a row were passes
    last_move: int  # the sites that the last turn changed
    last_mover: int | None  # None at the start
    swapped: bool  # the first person plays the second colour
    pie: bool  # the pie rule can still be used
    history: tuple[Key, ...]  # all positions so far, this one included; () if no rule looks back


@frozen(eq=False)
class Candidate:
    """A legal move as found: its usual notation, whether the rules wrote that, and the engine's own data."""

    move: Move
    ruled: bool
    run: Any


@frozen
class Verdict:
    """How a game ended: the winner (None: a draw), the condition that held, the scores if they decided."""

    winner: int | None
    reason: str
    scores: tuple[int, int] | None = None


#: How a game ends if the player to move has no legal move and no ending of the rules speaks of it.
STUCK = Verdict(None, "no legal move")


class Engine(Protocol):
    """The rules of one game, its options bound. Any call may raise `TooMuchWork`."""

    def start(self) -> Snapshot:
        """The position after the setup."""

    def candidates(self, snapshot: Snapshot) -> list[Candidate]:
        """The legal moves in the order of generation, without the pie rule's swap."""

    def after(self, snapshot: Snapshot, candidate: Candidate) -> Snapshot:
        """The position after a move that `candidates` has found in this one."""

    def verdict(self, snapshot: Snapshot) -> Verdict | None:
        """How the game has ended, or None while it goes on."""

    @property
    def reference(self) -> Reference:
        """The reference engine, for questions too rare to be worth compiling."""
