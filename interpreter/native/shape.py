"""What can be told about a program before any code is written: what it calls, where it branches."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import attrs

from gdl import core as c
from gdl.boards import Board
from gdl.builtins import LOOKING_BACK
from gdl.core import LIMIT, Type
from gdl.parts import branches, calls, rounds, walk

#: Rough relative costs of the words that walk over the board.
COSTS = {"steps": 2, "closest": 2, "connected": 3, "reach": 3, "group": 3, "groups": 4}


#: The words that walk over the board, and those that do so repeatedly.
FAR = frozenset(
    "step ray run beyond nearest farthest line between direction leaps group connected reach steps "
    "closest".split()
)
FARTHER = frozenset(["group_count", "groups"])


def work(node: Any, sites: int) -> int:
    """About how many steps it takes to evaluate a part of a program once; loops in it count their own."""
    match node:
        case c.Fold() | c.For() | c.Repeat():
            return 1
        case c.Call(function=function, args=args):
            inside = sum(work(argument, sites) for argument in args)
            far = 1 + sites // 8
            return inside + (far if function in FAR else 8 * far if function in FARTHER else 1)
        case tuple():
            return sum(work(part, sites) for part in node)
        case c.Expr() | c.Stmt() | c.Domain():
            return 1 + sum(work(getattr(node, part.name), sites) for part in attrs.fields(type(node)))
    return 0


def uses_stuck(program: c.CheckedGame) -> bool:
    """Whether the end of the game may depend on the moves of the next player."""
    return calls(program.end, {"stuck"})


def score_sign(program: c.CheckedGame) -> int:
    """1 if the higher score wins, -1 if the lower one does, 0 if no score decides."""
    signs = {"highest": 1, "lowest": -1}
    return next((signs[e.outcome.kind] for e in program.end if e.outcome.kind in signs), 0)


def stuck_wins(program: c.CheckedGame) -> bool:
    """Whether a player without a move wins, always or under a further condition."""
    for ending in program.end:
        match ending.outcome:
            case c.Outcome("wins", c.Call(function="next")) | c.Outcome("loses", c.Call(function="mover")):
                if _asks_whether_stuck(ending.condition):
                    return True
    return False


def _asks_whether_stuck(condition: c.Expr) -> bool:
    """Whether having no move can help to make a condition true."""
    match condition:
        case c.Call(function=function):
            return function == "stuck"
        case c.If(condition=first, then=then, otherwise=otherwise):
            return any(map(_asks_whether_stuck, (first, then, otherwise)))
        case c.Let(body=body):
            return _asks_whether_stuck(body)
    return False


def remembers(program: c.CheckedGame) -> bool:
    """Whether a rule asks for earlier positions."""
    return calls((program.turns, program.play, program.score, program.end), LOOKING_BACK)


def splits(block: c.Block) -> bool:
    return any(map(branches, block))


def moves_pieces(program: c.CheckedGame) -> bool:
    """Whether a statement moves pieces that are on the board."""
    return any(isinstance(stmt, c.Move) for stmt in walk(program.turns))


def takes_pieces(program: c.CheckedGame) -> bool:
    """Whether a statement takes or flips pieces; moves that capture by landing on a piece are not counted."""
    return any(isinstance(stmt, c.Remove | c.Flip) for stmt in walk(program.turns))


def calls_itself(program: c.CheckedGame) -> bool:
    """Whether there are choices in a loop, whose native code is recursive."""
    return any(isinstance(stmt, c.For | c.Repeat) and branches(stmt) for stmt in walk(program.turns))


def most_values(domain: c.Domain, board: Board) -> int:
    """The most values a domain can have."""
    match domain.kind:
        case "sites" | "groups":
            return board.size
        case "range":
            ends = [argument.value for argument in domain.args if isinstance(argument, c.Const)]
            return max(1, len(range(ends[0], ends[1] + 1, max(1, ends[2])))) if len(ends) == 3 else 2 * LIMIT
        case "directions":
            return len(board.directions)
    return max(2, len(domain.args))


def longest_path(block: c.Block, board: Board) -> int:
    """The most words that the path of a run of a block can have."""

    def words(type_: Type) -> int:
        return 1 + -(-board.size // 64) if type_ is Type.SET else 1

    total = 0
    for stmt in block:
        match stmt:
            case c.Choose(domain=domain):
                total += 1 if domain.kind == "sites" else words(domain.type)
            case c.Pass() | c.Sides():
                total += 1
            case c.Notation(parts=parts):
                total += 1 + sum(words(part.type) for part in parts if isinstance(part, c.Expr))
            case c.IfStmt():
                total += max(longest_path(part, board) for part in (stmt.then, stmt.otherwise))
            case c.Either(branches=blocks) | c.Prefer(branches=blocks):
                total += 1 + max(longest_path(part, board) for part in blocks)
            case c.For(domain=domain, body=body):
                total += most_values(domain, board) * longest_path(body, board)
            case c.Repeat(body=body):
                total += rounds(stmt, board.size) * longest_path(body, board)
    return total


def is_single(node: c.Expr, slots: set[int]) -> bool:
    """Whether a set surely has at most one site; `slots` are the locals of which that is known."""
    match node:
        case c.Const(value=value):
            return int(value).bit_count() <= 1
        case c.Local(slot=slot):
            return slot in slots
        case c.If(then=then, otherwise=otherwise):
            return is_single(then, slots) and is_single(otherwise, slots)
        case c.Let(body=body):
            return is_single(body, slots)
        case c.Call(function="intersection", args=args):
            return any(is_single(argument, slots) for argument in args)
        case c.Call(function="difference", args=args):
            return is_single(args[0], slots)
        case c.Call(function="step" | "beyond", args=args):
            return is_single(args[0], slots) and _one_way(args[1], slots)
        case c.Call(function="nearest" | "farthest", args=args):
            return is_single(args[1], slots) and _one_way(args[2], slots)
    return False


def _one_way(node: c.Expr, slots: set[int]) -> bool:
    """Whether there is surely at most one direction."""
    match node:
        case c.Const(value=value):
            return int(value).bit_count() <= 1
        case c.Local(slot=slot):
            return slot in slots
        case c.Call(function="opposite" | "turned", args=args):
            return _one_way(args[0], slots)
    return False


def single_slots(program: c.CheckedGame) -> set[int]:
    """The locals that always hold at most one site or one direction."""
    bound: dict[int, list[c.Expr | None]] = {}  # None: a value of a loop over sites or directions
    parts = (program.setup, program.turns, program.end, program.score, program.play)
    for node in walk(parts):
        match node:
            case c.SetLocal(slot=slot, value=value) | c.Let(slot=slot, value=value):
                bound.setdefault(slot, []).append(value)
            case (
                c.Choose(slot=slot, domain=domain)
                | c.For(slot=slot, domain=domain)
                | c.Fold(slot=slot, domain=domain)
            ):
                if domain.kind in ("sites", "directions"):
                    bound.setdefault(slot, []).append(None)
    singles = set(bound)
    while True:
        kept = {
            slot
            for slot in singles
            if all(
                value is None or is_single(value, singles) or _one_way(value, singles)
                for value in bound[slot]
            )
        }
        if kept == singles:
            return singles
        singles = kept


def cheap_first(block: c.Block) -> c.Block:
    """The block with each run of `require`s sorted by cost: as they change nothing, their order is free."""
    out: list[c.Stmt] = []
    for is_require, row in groupby(block, lambda stmt: isinstance(stmt, c.Require)):
        out += sorted(row, key=cost if is_require else lambda _: 0)
    return tuple(out)


def cost(node: Any) -> int:
    """The rough cost of a condition, with loops counted as if they ran once."""
    return sum(COSTS.get(part.function, 0) for part in walk(node) if isinstance(part, c.Call))
