"""What the engine `traced` counts about the rules while it plays.

A part is identified by its place in the rule file, so that all uses of a definition are counted
together. A part without any count does not belong to the game with these options.
"""

from __future__ import annotations

from collections.abc import Hashable

from attrs import Factory, define


@define
class Tally:
    """How often something was true, and how often it was not."""

    yes: int = 0
    no: int = 0

    @property
    def tries(self) -> int:
        return self.yes + self.no

    def note(self, so: object) -> None:
        if so:
            self.yes += 1
        else:
            self.no += 1


@define
class Trace:
    """What was counted: a tally for each part of the rules, by what is counted and where.

    ========== ============================= ===================================================
    what       where                         yes
    ========== ============================= ===================================================
    reached    the span of a statement       the statement was run
    changed    the span of an effect         it changed the board or the state
    asked      the span of what has a        the condition held
               condition; ("end", place),
               ("play", place)
    held       the span of an `and`, `or`    all of it held
    choice     the span of a `choose`        there was something to choose
    turn       the name of a turn            it was begun
    entered    (span, number) of a branch    it was tried
    legal      (span, number) of a branch    it led to a run that is legal as far as its end
    thinned    the span of `only the most`   it left a run out
    needed     the span of a value           the value was asked for (only the outermost of a line)
    ========== ============================= ===================================================
    """

    tallies: dict[tuple[str, Hashable], Tally] = Factory(dict)

    def tally(self, what: str, where: Hashable) -> Tally:
        """The tally to count with."""
        return self.tallies.setdefault((what, where), Tally())

    def get(self, what: str, where: Hashable) -> Tally | None:
        """The tally, or None if the bound game has no such part."""
        return self.tallies.get((what, where))
