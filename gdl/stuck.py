"""Whether a player may have no legal move while the game goes on, without `end` saying what happens then."""

from __future__ import annotations

from gdl import core as c
from gdl.parts import calls, taken


def may_be_stuck(
    turns: dict[str, c.Block], play: tuple[c.PlayStep, ...], endings: tuple[c.Ending, ...]
) -> bool:
    """Whether some turn may have no legal run, and no ending asks about that."""
    if any(calls(ending.condition, {"stuck"}) for ending in endings):
        return False
    return not all(_always_legal(turns[name], endings) for name in taken(turns, play))


def is_true(condition: c.Expr) -> bool:
    """Whether a condition is simply `yes`."""
    return isinstance(condition, c.Const) and condition.value is True


def _never_empty(sites: c.Expr) -> bool:
    """Whether a set surely has a site: a named one, the centre or the whole board, alone or in a union."""
    match sites:
        case c.SiteName() | c.Call(function="board" | "center"):
            return True
        case c.Call(function="union", args=args):
            return any(map(_never_empty, args))
        case c.If(then=then, otherwise=otherwise):
            return _never_empty(then) and _never_empty(otherwise)
    return False


def _ends_when_none(endings: tuple[c.Ending, ...], sites: c.Expr) -> bool:
    """Whether the game is over whenever this set is empty: an ending says `no SET`, alone or in an `or`."""

    def holds(condition: c.Expr) -> bool:
        if isinstance(condition, c.If) and is_true(condition.then):
            return holds(condition.condition) or holds(condition.otherwise)
        return isinstance(condition, c.Call) and condition.function == "no" and condition.args[0] == sites

    return any(holds(ending.condition) for ending in endings)


def _always_legal(block: c.Block, endings: tuple[c.Ending, ...]) -> bool:
    """Whether a turn surely has a legal run while the game goes on."""
    for statement in block:
        match statement:
            case c.Require() | c.Repeat():
                return False
            case c.Choose(domain=domain, condition=condition):
                sure = domain.kind in ("range", "values", "players") or (
                    domain.kind == "sites"
                    and (_never_empty(domain.args[0]) or _ends_when_none(endings, domain.args[0]))
                )
                if not sure or condition is not None:
                    return False
            case c.Either(branches=branches) | c.Prefer(branches=branches):
                if not any(_always_legal(branch, endings) for branch in branches):
                    return False
            case c.IfStmt(then=then, otherwise=otherwise):
                if not (_always_legal(then, endings) and _always_legal(otherwise, endings)):
                    return False
            case c.For(body=body):
                if not _always_legal(body, endings):
                    return False
    return True
