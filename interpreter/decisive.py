"""What decided a game: the five in a row, the chain from side to side, the man that has broken through.

The condition that held is turned into an expression for the sites that made it true: for `some X` and
`size(X) >= n` these are the sites of X; if X is the intersection of a group or a walk with something else,
they are the whole group or walk.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from gdl.core import Call, Const, Expr, Fold, If, Let, Local, Type
from interpreter.engine import Snapshot
from interpreter.reference import Reference, question

#: Comparisons that hold if the first number is large, and if the second one is.
LARGE, SMALL = {"greater", "at_least", "equal_int"}, {"less", "at_most"}

#: The values of locals.
Known = Mapping[int, Expr]


@question
def decisive(reference: Reference, snapshot: Snapshot) -> int:
    """The pieces that made the reached ending true; no site if it was about something else."""
    run = reference.between_turns(snapshot)
    for (holds, *_), ending in zip(reference.endings, reference.program.end, strict=True):
        if holds(run):
            sites = reference.value(_true(ending.condition, {}))(run)
            return int(sites & reference.value(Call(Type.SET, ending.condition.span, "occupied", ()))(run))
    return 0


def _true(node: Expr, known: Known) -> Expr:
    """The sites that make a condition true, if it is."""
    match node:
        case Let(slot=slot, value=value, body=body):
            return evolve(node, type=Type.SET, body=_true(body, {**known, slot: value}))
        case If(condition=condition, then=then, otherwise=otherwise):
            both = Call(Type.SET, node.span, "union", (_true(condition, known), _true(then, known)))
            return If(Type.SET, node.span, condition, both, _true(otherwise, known))
        case Fold(op="any", condition=condition, body=body):
            no = Const(Type.BOOL, node.span, False)
            holds = body if condition is None else If(Type.BOOL, node.span, condition, body, no)
            return evolve(node, type=Type.SET, op="union", condition=holds, body=_true(body, known))
        case Fold(op="count", condition=Expr() as condition):
            return evolve(node, type=Type.SET, op="union", body=_true(condition, known))
        case Call(function="some" | "connected" | "size", args=(sites,)):
            return _whole(sites, known)
        case Call(function=function, args=(number, _)) if function in LARGE:
            return _true(number, known)
        case Call(function=function, args=(_, number)) if function in SMALL:
            return _true(number, known)
    return Const(Type.SET, node.span, 0)


def _whole(sites: Expr, known: Known) -> Expr:
    """The group or walk that these sites are part of, else the sites."""
    match sites:
        case Let(slot=slot, value=value, body=body):
            return evolve(sites, body=_whole(body, {**known, slot: value}))
        case Call(function="intersection", args=args):
            return next((part for part in args if _grows(part, known)), sites)
    return sites


def _grows(sites: Expr, known: Known) -> bool:
    """Whether a set is a group or a walk, which grows from site to site."""
    match sites:
        case Local(slot=slot) if slot in known:
            return _grows(known[slot], known)
        case Let(body=body):
            return _grows(body, known)
        case Call(function=function):
            return function in ("group", "reach")
    return False
