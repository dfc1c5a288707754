"""A game being checked: what all steps of checking share."""

from __future__ import annotations

import re
from typing import TypeVar

import attrs

from gdl import syntax as s
from gdl.diagnostics import Diagnostic
from gdl.expressions import Expressions
from gdl.names import VALUE_WORDS, Names, Wrong
from gdl.source import Source, Span
from gdl.statements import Statements

D = TypeVar("D", bound=s.Declaration)

#: Declarations whose words name nothing outside of them.
NAMELESS = frozenset("turn setup end play pie score".split())


class Draft:
    """The declarations of one game, what its names mean so far, and its diagnostics."""

    def __init__(self, source: Source, declarations: list[s.Declaration], faults: list[Diagnostic]) -> None:
        self.source = source
        self.declarations = declarations
        self.diagnostics: list[Diagnostic] = list(faults)
        self._said = set(faults)
        #: Whether parts of the file could not be read: what seems to be missing may be there.
        self.unreadable = bool(faults)
        broken = {word for fault in faults for word in _words_around(fault.span)}
        self.names = Names(broken=broken, unreadable=self.unreadable)
        self.expressions = Expressions(self.names, self.report)
        self.scopes = self.expressions.scopes
        self.statements = Statements(self.expressions)
        self.attempt = self.expressions.attempt

    # --- diagnostics ---

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    def report(self, diagnostic: Diagnostic) -> None:
        """Keep a diagnostic, unless the same one is there already."""
        if diagnostic.severity == "error" and not self.own(diagnostic.span):
            hint = "this stands in the base game; the variant may have replaced or dropped what it needs"
            diagnostic = attrs.evolve(diagnostic, hint=hint)
        if diagnostic not in self._said:
            self._said.add(diagnostic)
            self.diagnostics.append(diagnostic)

    def error(self, where: s.Node | Span, message: str, hint: str | None = None) -> None:
        self.report(Wrong(where, message, hint).diagnostic)

    def warn(self, where: Span, message: str, hint: str | None = None) -> None:
        self.report(Diagnostic("warning", where, message, hint))

    # --- declarations ---

    def every(self, kind: type[D]) -> list[D]:
        return [d for d in self.declarations if isinstance(d, kind)]

    def one(self, kind: type[D]) -> D | None:
        return next(iter(self.every(kind)), None)

    def required(self, kind: type[D], message: str, hint: str) -> D | None:
        """A declaration that every game has. It is not missed if part of the file was unreadable."""
        found = self.one(kind)
        if found is None and not self.unreadable:
            self.error(self.place, message, hint)
        return found

    @property
    def place(self) -> Span:
        """Where to report what is missing from the file: at its header, or else at its beginning."""
        header = self.one(s.Header)
        return header.span if header and self.own(header.span) else Span(self.source, 1, 1, 1, 2)

    def own(self, span: Span) -> bool:
        """Whether something was written in the file asked for, not in its base game."""
        return span.source == self.source


def _words_around(span: Span) -> set[str]:
    """The words of the declaration that contains an unreadable part: it may have declared them."""
    lines = span.source.lines
    first = last = span.line - 1
    while first > 0 and (not lines[first] or lines[first][0].isspace()):
        first -= 1
    while last + 1 < len(lines) and (not lines[last + 1] or lines[last + 1][0].isspace()):
        last += 1
    if re.split(r"\W", lines[first])[0] in NAMELESS:
        # The other lines of a block are still read; this one may have named something.
        words = re.findall(r"[A-Za-z_]\w*", lines[span.line - 1])
        return set(words) - VALUE_WORDS if first != span.line - 1 else set()
    return set(re.findall(r"[A-Za-z_]\w*", "\n".join(lines[first : last + 1])))
