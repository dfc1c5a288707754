"""Checking how a game ends: the score, the endings and their outcomes."""

from __future__ import annotations

from gdl import core as c
from gdl import syntax as s
from gdl.core import Type
from gdl.draft import Draft
from gdl.names import Unsure, Wrong
from gdl.stuck import is_true, may_be_stuck

#: How many ties may follow one another in the outcome of a score.
MAX_TIES = 8


def check_score(draft: Draft, declaration: s.Score | None) -> tuple[int, c.Expr | None]:
    """The slot of the player being scored, and the score itself."""
    if declaration is None:
        return -1, None
    name = declaration.player
    if name.text in draft.names.players:
        message = f"`{name.text}` is a player; behind `score` stands a new name, for either of them"
        draft.error(name, message, "for example: score p = size(pieces(p))")
        return -1, None
    with draft.scopes.open("turn"):
        slot = draft.attempt(draft.scopes.bind, name, Type.PLAYER)
        score = draft.attempt(draft.expressions.value, declaration.value, Type.INT)
    return -1 if slot is None else slot, score


def check_end(draft: Draft, declaration: s.End) -> tuple[c.Ending, ...]:
    """The endings in order; warns about those that are never reached."""
    endings: list[c.Ending] = []
    for node in declaration.endings:
        with draft.scopes.open("end"):
            ending = draft.attempt(_ending, draft, node)
        if ending is None:
            continue
        condition, where = ending.condition, node.condition.span
        if any(before.condition == condition or is_true(before.condition) for before in endings):
            draft.warn(where, "this ending is never reached: an earlier one holds whenever it does")
        if isinstance(condition, c.Const) and condition.value is False:
            draft.warn(where, "this ending is never reached: its condition never holds")
        endings.append(ending)
    return tuple(endings)


def _ending(draft: Draft, node: s.EndingDecl) -> c.Ending:
    condition = draft.attempt(draft.expressions.value, node.condition, Type.BOOL)
    outcome = _outcome(draft, node.outcome)
    if condition is None:
        raise Unsure
    if node.reason is None:
        return c.Ending(condition, outcome, node.condition.span.text)
    if not 0 < len(node.reason.text.strip()) <= 60:
        raise Wrong(node.reason, "the reason for an ending is a text of 1 to 60 characters")
    return c.Ending(condition, outcome, node.reason.text)


def _outcome(draft: Draft, node: s.OutcomeDecl, depth: int = 0) -> c.Outcome:
    if depth > MAX_TIES:
        raise Wrong(node, f"more than {MAX_TIES} ties follow one another")
    if node.player is not None:
        return c.Outcome(node.kind, draft.expressions.value(node.player, Type.PLAYER))
    if node.kind == "draw":
        return c.Outcome("draw")
    if draft.one(s.Score) is None and not draft.unreadable:
        raise Wrong(node, "this game has no score", "for example: score p = size(pieces(p))")
    draft.names.used.add("score")
    tie = _outcome(draft, node.tie, depth + 1) if node.tie else c.Outcome("draw")
    return c.Outcome(node.kind, None, tie)


def check_stuck(
    draft: Draft,
    end: s.End,
    endings: tuple[c.Ending, ...],
    turns: dict[str, c.Block],
    play: tuple[c.PlayStep, ...],
) -> None:
    """Warn if a player may have no legal move and `end` does not say what happens then."""
    if not draft.failed and may_be_stuck(turns, play, endings):
        message = "`end` does not say what happens to a player without a legal move: a draw then"
        draft.warn(end.head, message, "add a line, such as if stuck(next): next loses")
