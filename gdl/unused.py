"""Checking what is of no use: names that nothing uses, and the words of definitions that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from gdl import syntax as s
from gdl.boards import SITE
from gdl.diagnostics import did_you_mean
from gdl.draft import Draft
from gdl.source import Span
from gdl.variants import title


def check_unused(draft: Draft) -> None:
    """Warn of names that nothing uses. In a variant only of its own: the base may be less used."""
    used = draft.names.used
    for define in draft.every(s.Define):
        if title(define) not in used and draft.own(define.span):
            _words_exist(draft, define)
    if draft.failed:
        return
    declared: list[tuple[str, Span]] = [
        (title(d), d.head)
        for d in draft.declarations
        if isinstance(d, s.OptionDecl | s.Define | s.StateDecl | s.TurnDecl | s.Score)
    ]
    pieces = draft.one(s.Pieces)
    if pieces and len(pieces.pieces) > 1:
        declared += [(f"piece {p.name.text}", p.name.span) for p in pieces.pieces]
    players = draft.one(s.Players)
    if players:
        declared += [(f"constant {x.name.text}", x.name.span) for x in players.players[0].constants]
    for name, span in declared:
        if (name if name != "turn" else "turn turn") not in used and draft.own(span):
            word = name.split()[-1]
            changed = f"nothing asks for `{word}`, it is only changed"
            said = changed if name in draft.names.changed else f"nothing uses `{word}`"
            draft.warn(span, said, "leave it out, or use it")
    for span, name in draft.scopes.bindings.items():
        if span not in draft.scopes.used and draft.own(span) and not name.startswith("_"):
            draft.warn(span, f"nothing uses `{name}`", f"call it `_{name}` if that is meant")


def _words_exist(draft: Draft, define: s.Define) -> None:
    """A definition that nothing uses has no types yet; its words must still exist."""
    known = {
        *draft.names.values(),
        *draft.names.functions(),
        "players",
        *(p.text for p in define.parameters),
        *draft.names.broken,
    }
    for node, bound in _words(define.body, frozenset()):
        if node.text not in known | bound and not SITE.fullmatch(node.text):
            draft.error(node, f"there is no `{node.text}`", did_you_mean(node.text, known))


def _words(node: object, bound: frozenset[str]) -> Iterator[tuple[s.Word, frozenset[str]]]:
    """All words used as names in a value, each with the names bound around it."""
    match node:
        case s.Word():
            yield node, bound
        case s.Apply():
            yield node.function, bound
            for argument in node.arguments:
                yield from _words(argument.value, bound)
        case s.Comprehension() | s.Filter():
            yield from _words(node.domain, bound)
            inside = bound | {node.name.text}
            yield from _words(node.condition, inside)
            if isinstance(node, s.Comprehension):
                yield from _words(node.body, inside)
        case s.Index():
            yield node.name, bound
            yield from _words(node.site, bound)
        case s.Unary():
            yield from _words(node.operand, bound)
        case s.Binary():
            yield from _words(node.left, bound)
            yield from _words(node.right, bound)
        case s.Conditional():
            for part in (node.then, node.condition, node.otherwise):
                yield from _words(part, bound)
        case s.Range():
            for end in (node.low, node.high, node.by):
                yield from _words(end, bound)
        case s.Braces():
            for item in node.items:
                yield from _words(item, bound)
