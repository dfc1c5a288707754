"""Walking over the parts of a checked game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import attrs

from gdl.core import (
    Again,
    Block,
    Call,
    CheckedGame,
    Choose,
    Domain,
    Either,
    Ending,
    Expr,
    For,
    IfStmt,
    OnlyMost,
    OptionSpec,
    Outcome,
    PlayStep,
    Prefer,
    Repeat,
    StateSpec,
    Stmt,
)

Part = CheckedGame | OptionSpec | StateSpec | Stmt | Domain | Expr | PlayStep | Ending | Outcome


def walk(node: Any) -> Iterator[Part]:
    """A part of a game and all the parts inside it, or those of each item of a tuple or dictionary."""
    if isinstance(node, dict):
        node = tuple(node.values())
    if isinstance(node, tuple):
        for part in node:
            yield from walk(part)
    elif isinstance(node, Part):
        yield node
        for field in attrs.fields(type(node)):
            yield from walk(getattr(node, field.name))


def calls(node: Any, words: Collection[str]) -> bool:
    """Whether any of these built-ins is called in a part of a game."""
    return any(isinstance(part, Call) and part.function in words for part in walk(node))


def taken(turns: Mapping[str, Block], play: tuple[PlayStep, ...]) -> list[str]:
    """The turns of `play`, and those reached from them by `again`."""
    found = list(dict.fromkeys(step.turn for step in play))
    for turn in found:  # it grows as we go
        found += [name for name in onward(turns[turn]) if name not in found]
    return found


def onward(turn: Block) -> list[str]:
    """The turns that a turn may lead to by `again: TURN`."""
    return list(dict.fromkeys(part.turn for part in walk(turn) if isinstance(part, Again) and part.turn))


#: The most rounds of a `repeat` in which nothing is chosen.
ROUNDS = 1_000


def rounds(stmt: Repeat, sites: int) -> int:
    """The most times the body is run: a path has room for one choice on each site of the board."""
    return sites if branches(stmt) else ROUNDS


def branches(stmt: Stmt) -> bool:
    """Whether more than one run can come out of the statement."""
    match stmt:
        case Choose() | Either() | Prefer() | OnlyMost():
            return True
        case IfStmt():
            return any(map(branches, stmt.then + stmt.otherwise))
        case For() | Repeat():
            return any(map(branches, stmt.body))
    return False
