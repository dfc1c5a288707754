"""Rule files as text, and places in them."""

from __future__ import annotations

from functools import cached_property

from attrs import field, frozen


@frozen
class Source:
    """The text of one rule file and the name to show for it (a path or a bundled name)."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> list[str]:
        """The text line by line."""
        return self.text.split("\n")

    def line(self, number: int) -> str:
        """The text of a line, counted from 1; empty past the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@frozen
class Span:
    """A stretch of a rule file: lines and columns count from 1, the end column is one past the last."""

    source: Source = field(repr=False)
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The stretch from the start of this one to the end of the other."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)

    @property
    def text(self) -> str:
        """Its text, joined to one line."""
        lines = [self.source.line(number) for number in range(self.line, self.end_line + 1)]
        lines[-1] = lines[-1][: self.end_column - 1]
        lines[0] = lines[0][self.column - 1 :]
        return " ".join(" ".join(lines).split())

    def within(self, other: Span) -> bool:
        """Whether this stretch is part of the other."""
        return (
            self.source == other.source
            and (other.line, other.column) <= (self.line, self.column)
            and (self.end_line, self.end_column) <= (other.end_line, other.end_column)
        )
