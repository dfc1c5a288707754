"""Checking for unused names, and for unknown words in unused definitions."""

from __future__ import annotations

from collections.abc import Iterator

from gdl import syntax as s
from gdl.boards import SITE
from gdl.diagnostics import did_you_mean
from gdl.draft import Draft
from gdl.source import Span
from gdl.variants import title


def check_unused(draft: Draft) -> None:
    """Warn about unused names; in a variant only about its own, as it need not use all of its base."""
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
    for node, bound in _words(define.body):
        if node.text not in known | bound and not SITE.fullmatch(node.text):
            draft.error(node, f"there is no `{node.text}`", did_you_mean(node.text, known))


def _words(whole: s.Node) -> Iterator[tuple[s.Word, frozenset[str]]]:
    """All words used as names in a value, at any depth, each with the names bound around it."""
    pending: list[tuple[s.Node | None, frozenset[str]]] = [(whole, frozenset())]
    while pending:
        node, bound = pending.pop()
        match node:
            case s.Word():
                yield node, bound
            case s.Apply():
                pending += [(node.function, bound), *((a.value, bound) for a in node.arguments)]
            case s.Comprehension():
                for loop in node.loops:
                    pending.append((loop.domain, bound))
                    bound |= {loop.name.text}
                    pending.append((loop.condition, bound))
                pending.append((node.body, bound))
            case s.Filter():
                pending += [(node.domain, bound), (node.condition, bound | {node.name.text})]
            case s.Index():
                pending += [(node.name, bound), (node.site, bound)]
            case s.Unary():
                pending.append((node.operand, bound))
            case s.Binary():
                pending += [(node.left, bound), (node.right, bound)]
            case s.Conditional():
                pending += [(part, bound) for part in (node.then, node.condition, node.otherwise)]
            case s.Range():
                pending += [(end, bound) for end in (node.low, node.high, node.by)]
            case s.Braces():
                pending += [(item, bound) for item in node.items]
