"""The meanings of the built-in words that look at the position; the others are in `interpreter.meanings`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.engine import Key
from interpreter.meanings import union
from interpreter.run import (
    BEFORE,
    CURSOR,
    HISTORY,
    LAST_MOVE,
    MOVER,
    NEXT,
    PASSES,
    PLANES,
    PLY,
    SNAPSHOT,
    Run,
)

if TYPE_CHECKING:
    from interpreter.reference import Reference
    from interpreter.sequence import Place


def pieces(engine: Reference, run: Run, player: int | None) -> int:
    members = 0
    for plane in engine.owned[player]:
        members |= run[plane]
    return members


def occupied(engine: Reference, run: Run) -> int:
    return union(run[PLANES : engine.planes.stop])


def changed(engine: Reference, run: Run) -> int:
    if run[SNAPSHOT]:
        return int(run[LAST_MOVE])
    return union(now ^ before for now, before in zip(engine.board(run), run[BEFORE], strict=True))


def following(engine: Reference, run: Run) -> Place:
    """The place of the next turn."""
    return engine.sequence[run[CURSOR] if run[SNAPSHOT] else engine.following(run)]


def key(engine: Reference, run: Run) -> Key:
    return (engine.board(run), tuple(run[engine.states]), following(engine, run).number)


def repeated_board(engine: Reference, run: Run) -> bool:
    board = engine.board(run)
    return any(planes == board for planes, _, _ in run[HISTORY])


def kind_at(engine: Reference, run: Run, site: int) -> int:
    site &= -site
    return next((kind for (kind, _), plane in engine.plane_of.items() if run[plane] & site), -1)


def group(engine: Reference, run: Run, site: int) -> int:
    """Neutral pieces are connected among themselves."""
    sides = [pieces(engine, run, player) for player in (0, 1, None)]
    return union(engine.geometry.flood(site & side, side) for side in sides)


def stuck(engine: Reference, run: Run, player: int) -> bool:
    return player == run[NEXT] and next(engine.runs(run[SNAPSHOT]), None) is None


def all_of_kind(engine: Reference, run: Run, kind: int) -> int:
    return union(run[plane] for (k, _), plane in engine.plane_of.items() if k == kind)


#: The built-ins by key; each takes the engine and the run, then its arguments.
HERE: dict[str, Callable[..., Any]] = {
    "empty": lambda e, run: e.geometry.all & ~occupied(e, run),
    "occupied": occupied,
    "mine": lambda e, run: pieces(e, run, run[MOVER]),
    "theirs": lambda e, run: pieces(e, run, 1 - run[MOVER]),
    "changed": changed,
    "last_move": lambda e, run: run[LAST_MOVE],
    "mover": lambda e, run: run[MOVER],
    "next": lambda e, run: following(e, run).player,
    "ply": lambda e, run: run[PLY],
    "passes": lambda e, run: run[PASSES],
    "repeated": lambda e, run: key(e, run) in run[HISTORY],
    "repetitions": lambda e, run: run[HISTORY].count(key(e, run)) + 1,
    "repeated_board": repeated_board,
    "pieces": pieces,
    "kind_at": kind_at,
    "group": group,
    "stuck": stuck,
    "all_of_kind": all_of_kind,
    "kind_of": lambda e, run, kind, player: (
        run[e.plane_of[kind, player]] if (kind, player) in e.plane_of else 0
    ),
}
