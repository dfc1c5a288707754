"""What the rules reveal about single sites before play: whose goals they are, and which are idle."""

from __future__ import annotations

from functools import reduce
from operator import or_

from gdl.core import (
    Become,
    Call,
    Choose,
    Const,
    Diagram,
    Domain,
    Expr,
    Fold,
    For,
    If,
    Let,
    Local,
    Move,
    Place,
    SetCounters,
    SetLocal,
    Type,
)
from gdl.parts import walk
from interpreter.binding import Bound


def goals(bound: Bound) -> list[tuple[int, int]]:
    """(player, sites) for each set that `end` or `score` asks about and that differs between the players."""
    found = dict[tuple[int, int], None]()
    for node in walk((bound.program.end, bound.program.score)):
        match node:
            case If(
                condition=Call(function="equal_player", args=(_, Const(value=player))),
                then=Const(type=Type.SET, value=his),
                otherwise=Const(value=others),
            ) if his != others:
                found[int(player), int(his)] = found[1 - int(player), int(others)] = None
    return sorted((player, sites) for player, sites in found if sites)


def idle(bound: Bound) -> int:
    """The sites that are surely never chosen and on which nothing ever stands or is counted.

    Every set is approximated by a larger one that is known to contain it.
    """
    program, every = bound.program, bound.board.all
    known = dict[int, int]()  # the value of each local
    used = 0

    def among(node: Expr) -> int:
        match node:
            case Const(type=Type.SET, value=sites):
                return int(sites)
            case Local(slot=slot):
                return known.get(slot, every)
            case Call(function="intersection", args=(a, b)):
                return among(a) & among(b)
            case Call(function="difference", args=(a, _)):
                return among(a)
            case Call(function="union", args=args):
                return reduce(or_, map(among, args))
            case If(then=a, otherwise=b):
                return among(a) | among(b)
            case Let(slot=slot, value=value, body=body):
                known[slot] = among(value)
                return among(body)
            case Fold(op="union", slot=slot, domain=domain, body=body):
                known[slot] = values(domain)
                return among(body)
        return every

    def values(domain: Domain) -> int:
        return among(domain.args[0]) if domain.kind in ("sites", "groups") else every

    for node in walk((program.setup, program.turns)):
        match node:
            case Choose(slot=slot, domain=domain):
                known[slot] = values(domain)
                used |= known[slot] if domain.type is Type.SET else 0
            case For(slot=slot, domain=domain):
                known[slot] = values(domain)
            case SetLocal(slot=slot, value=value):
                # In a loop, a later value may be read earlier, so what is set twice may be anything.
                known[slot] = every if slot in known else among(value)
            case Place(at=at) | Become(at=at) | SetCounters(at=at) | Move(target=at):
                used |= among(at)
            case Diagram():
                used = every
    return every & ~used
