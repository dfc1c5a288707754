"""Reporting what is wrong with a rule file, so that its author can fix it."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable

from attrs import frozen

from gdl.source import Span

#: A longer line is cut around the words in question.
WIDTH = 100


@frozen
class Diagnostic:
    """One fault: where it is, one plain sentence, and what to write instead if that is known."""

    severity: str  # "error" or "warning"
    span: Span
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        """The sentence, the place, the line with a caret under the words, the hint."""
        span = self.span
        number = str(span.line)
        margin = " " * len(number)
        text, start = _window(span)
        last = len(text) if span.end_line > span.line else start + span.end_column - span.column
        carets = "^" * max(1, min(last, len(text) + 1) - start, _width(text[start:last]))
        lines = [
            f"{self.severity}: {self.message}",
            f"{margin}--> {_visible(span.source.name)}:{span.line}:{span.column}",
            f"{margin} |",
            f"{number} | {text}".rstrip(),
            f"{margin} | {' ' * _width(text[:start])}{carets}",
        ]
        if self.hint:
            lines.append(f"{margin} = {self.hint}")
        return "\n".join(lines)


def _window(span: Span) -> tuple[str, int]:
    """The part of the line to show, and the position in it where the span starts."""
    line = span.source.line(span.line)
    start = span.column - 1
    if len(line) <= WIDTH:
        return _visible(line), start
    left = max(0, start - WIDTH // 2)
    before = "..." if left else ""
    after = "..." if left + WIDTH < len(line) else ""
    return before + _visible(line[left : left + WIDTH]) + after, start - left + len(before)


def _visible(text: str) -> str:
    """The text without control characters, so that none from an untrusted file reaches the terminal."""
    return "".join(c if c.isprintable() else " " for c in text)


def _width(text: str) -> int:
    """How many terminal columns a text takes up."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


class RuleError(Exception):
    """A rule file that cannot be played. `diagnostics` holds every fault found, in file order."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return render(self.diagnostics)


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """All diagnostics as text, separated by blank lines."""
    return "\n\n".join(map(str, diagnostics))


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """`did you mean ...?` for the candidate most like the word, if one is close enough."""
    meant = closest(word, candidates)
    return f"did you mean `{meant}`?" if meant else None


def closest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the word, if one is close enough; case is ignored."""
    # A word of three letters with one of them changed matches the original by two thirds at most.
    cutoff = 0.7 if len(word) > 3 else 0.65
    spelled = {candidate.lower(): candidate for candidate in sorted(set(candidates))}
    close = difflib.get_close_matches(word[:40].lower(), spelled, n=1, cutoff=cutoff)
    return spelled[close[0]] if close else None
