"""The expressions of a checked game, for those who ask what its rules are made of."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from gdl import core as c
from gdl.source import Span


def expressions(node: object) -> Iterator[c.Expr]:
    """All expressions in a game or a part of one, those inside of others too."""
    kind = type(node)
    if isinstance(node, c.Expr):
        yield node
    if isinstance(node, dict):
        node = tuple(node.values())
    if isinstance(node, tuple):
        for part in node:
            yield from expressions(part)
    elif attrs.has(kind) and kind is not Span:
        for field in attrs.fields(kind):
            yield from expressions(getattr(node, field.name))
