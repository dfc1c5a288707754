"""A run of a turn, as the reference engine represents it, and the types of its closures.

A run is a flat list: the registers below, then one set of sites for each plane, then the
state variables, then the locals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter.engine import Choice

Run = list[Any]
Value = Callable[[Run], Any]
Act = Callable[[Run], bool]
Branching = Callable[[Run], Iterator[Run]]

#: The cursor before the first turn.
SETTING_UP = -1

#: The registers of a run.
MOVER = 0  # the player whose turn it is; in `end`, the one who has just moved
NEXT = 1  # the player who moves next; None in a turn, where it depends on the run
CURSOR = 2  # the place of the turn in the play sequence
PLY = 3
PASSES = 4
LAST_MOVE = 5
BEFORE = 6  # the planes when the turn began
HISTORY = 7  # the positions before the one that the run makes
SNAPSHOT = 8  # in `end`, the position being judged
PASSED = 9  # True after `pass`
AGAIN = 10  # the place that `again` leads to, or None
SWAPPED = 11  # True after `swap sides`
PATH = 12  # the choices so far
NOTATION = 13  # the text of the last `notation`, or None
WAITING = 14  # inside `at once`: the effects so far; None outside
PLANES = 15  # the first plane


def assigning(place: int, value: Value) -> Act:
    def act(run: Run) -> bool:
        run[place] = value(run)
        return True

    return act


def noting(place: int, value: bool, choice: Choice) -> Act:
    """Sets a register that is also a choice of the player."""

    def act(run: Run) -> bool:
        run[place] = value
        run[PATH] = (*run[PATH], choice)
        return True

    return act


def straight(act: Act) -> Branching:
    return lambda run: iter((run,) if act(run) else ())


def chained(parts: Sequence[Branching], run: Run) -> Iterator[Run]:
    """The runs that result from all the parts in sequence, depth first, without recursion."""
    opened = [iter((run,))]
    while opened:
        end = next(opened[-1], None)
        if end is None:
            opened.pop()
        elif len(opened) > len(parts):
            yield end
        else:
            opened.append(parts[len(opened) - 1](end))
