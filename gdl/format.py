"""One style for all rule files: indentation, blanks and line ends are corrected, nothing else is touched.

Each line of a file becomes a `Row` of `Part`s, which remember where they were. What the author lined up in
consecutive lines stays lined up, line breaks and comments stay, texts and pictures are left alone.
Formatting a formatted text changes nothing.

Columns count from 0 here, and a tab goes to the next multiple of four.
"""

from __future__ import annotations

import re
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from attrs import Factory, define
from lark import Token

from gdl.diagnostics import Diagnostic, RuleError
from gdl.parser import MAX_LENGTH, Chunk, chunks, normalise, tokens, unreadable
from gdl.source import Source, Span

#: A block is indented by this many blanks more than the line that begins it.
INDENT = 4

#: How many blanks separate a line from a comment after it.
BEFORE_COMMENT = 2

OPENS, CLOSES = frozenset("([{"), frozenset(")]}")
LAYOUT = ("_NL", "_INDENT", "_DEDENT")

#: A continuation line may be lined up with what follows one of these.
BEFORE_ALIGNED = OPENS | {"=", ":=", ":"}


@define
class Part:
    """A word, sign or comment in a line."""

    text: str
    type: str
    column: int  # where it was
    gap: int  # how many blanks were before it
    blanks: int  # how many are to go before it


@define
class Row:
    """A line. One without parts is blank; the text of a part may extend over further lines."""

    column: int  # where it began
    indent: int  # where it is to begin
    parts: list[Part] = Factory(list)
    #: The part of a row above that it is to begin beneath instead.
    beneath: tuple[Row, int] | None = None
    #: How many parts have been passed, and the column where the last of them ends, minus `indent`.
    _passed: int = 0
    _width: int = 0

    def end_before(self, index: int) -> int:
        """The column where what precedes a part will end; to be asked in the order of the parts."""
        for part in self.parts[self._passed : index]:
            _, picture, last = part.text.rpartition("\n")
            self._width = len(last) + (-self.indent if picture else self._width + part.blanks)
        self._passed = max(self._passed, index)
        return self.indent + self._width

    def __str__(self) -> str:
        return " " * self.indent + "".join(" " * part.blanks + part.text for part in self.parts)


#: Parts of one type, one below the other: each with its row and its number there.
Group: TypeAlias = list[tuple[Row, int]]


def format_text(text: str) -> str:
    """The text of a rule file, formatted. What cannot be read stays as it is."""
    try:
        return format_source(Source("the text", normalise(text)))[0]
    except RuleError:
        return text


def format_source(source: Source) -> tuple[str, list[Diagnostic]]:
    """The text of a rule file, formatted, and the faults of the declarations that stay as they are.

    Raises RuleError for a file that is faulty as a whole.
    """
    faults = unreadable(source)
    if faults:
        raise RuleError(faults)
    rows, faults = _read(source)
    _align(rows)
    lines: list[str] = []
    for line in map(str, rows):
        if line or (lines and lines[-1]):
            lines.append(line)
    text = "\n".join(lines).rstrip("\n")
    text += "\n" if text else ""
    if len(text) > MAX_LENGTH:
        message = f"this file would be too long if it were formatted: {MAX_LENGTH:,} characters are allowed"
        raise RuleError([Diagnostic("error", Span(source, 1, 1, 1, 2), message)])
    return text, faults


# --- reading ---


def _read(source: Source) -> tuple[list[Row], list[Diagnostic]]:
    """The lines of a file, and the first fault of each declaration that cannot be read."""
    found = [(chunk, tokens(chunk)) for chunk in chunks(source)]
    words = chain.from_iterable(result for _, result in found if not isinstance(result, Diagnostic))
    reader = _Reader(next((_advance(0, word) for word in words if word.type == "_INDENT"), INDENT))
    faults = []
    lines = source.text.split("\n")
    reader.comments(lines[: found[0][0].lines] if found else lines)
    for chunk, result in found:
        if chunk.lines and not lines[chunk.lines - 1].strip():
            reader.rows.append(Row(0, 0))
        if isinstance(result, Diagnostic):
            faults.append(result)
            text = _without_tabs(chunk.text.rstrip())
            reader.rows.append(Row(0, 0, [Part(text, "", 0, 0, 0)]))
        else:
            reader.declaration(chunk, result)
    return reader.rows, faults


def _without_tabs(text: str) -> str:
    """The text with blanks for leading tabs: the lines of a file must not begin with a mix of both."""
    return re.sub(r"^\t+", lambda tabs: " " * INDENT * len(tabs[0]), text, flags=re.MULTILINE)


def _advance(column: int, blanks: str) -> int:
    """The column after some blanks and tabs that begin at a column."""
    return len((" " * (column % INDENT) + blanks).expandtabs(INDENT)) + column - column % INDENT


@define
class _Reader:
    """Turns the declarations of a file into rows, one after another."""

    #: By how many columns the author has indented a block.
    unit: int
    rows: list[Row] = Factory(list)
    #: Where the last statement of each depth began.
    _columns: dict[int, int] = Factory(dict)
    #: The first row of the statement being read.
    _statement: Row = Factory(lambda: Row(0, 0))
    #: What its continuation lines may be lined up with, by column.
    _anchors: dict[int, tuple[Row, int]] = Factory(dict)

    def declaration(self, chunk: Chunk, words: list[Token]) -> None:
        """Add the rows of a declaration and of the comments after it."""
        position = column = depth = before_depth = 0
        begins, sign = True, False  # whether a statement begins, and whether the last word was a sign: -1
        before: Token | None = None
        for token in words:
            match token.type:
                case "_NL":
                    begins = True
                case "_INDENT":
                    depth += 1
                case "_DEDENT":
                    depth -= 1
            if token.type in LAYOUT:
                continue
            assert token.start_pos is not None
            assert token.end_pos is not None
            first, *between = chunk.text[position : token.start_pos].split("\n")
            if before is None or between:
                self.trailing(column, first)
                column = _advance(0, between[-1] if between else "")
                row = self.begin(column, depth) if begins else self.go_on(column, depth, token)
                self.comments(between[:-1], before_depth, depth, None if begins else row)
                self.rows.append(row)
                before_depth, gap, blanks = depth, 0, 0
            else:
                gap = _advance(column, first) - column
                blanks = 0 if sign else _blanks(before, token)
                column += gap
            row = self.rows[-1]
            if before in BEFORE_ALIGNED and row.parts:
                self._anchors[column] = row, len(row.parts)
            row.parts.append(Part(_without_tabs(token), token.type, column, gap, blanks))
            sign = token.type == "MINUS" and not _ends_value(before)
            position, before, begins = token.end_pos, token, False
            _, picture, last = row.parts[-1].text.rpartition("\n")
            column = len(last) + (0 if picture else column)
        first, *between = chunk.text[position:].rstrip().split("\n")
        self.trailing(column, first)
        self.comments(between, before_depth, 0)

    def begin(self, column: int, depth: int) -> Row:
        """The row that begins a statement."""
        self._columns[depth] = column
        self._statement = Row(column, INDENT * depth)
        self._anchors = {}
        return self._statement

    def go_on(self, column: int, depth: int, token: Token) -> Row:
        """A row that continues a statement: lined up with a part above, or indented more than the first."""
        base = self._statement
        if column in self._anchors:
            return Row(column, 0, beneath=self._anchors[column])
        least = 0 if depth and token in CLOSES else 1
        steps = max(least, -((base.column - column) // self.unit))
        return Row(column, base.indent + INDENT * steps)

    def trailing(self, column: int, text: str) -> None:
        """Add the comment at the end of a line, if there is one."""
        comment = text.strip()
        if comment:
            start = _advance(column, text[: text.index("#")])
            gap = start - column
            self.rows[-1].parts.append(Part(comment, "COMMENT", start, gap, BEFORE_COMMENT))

    def comments(self, lines: list[str], before: int = 0, after: int = 0, row: Row | None = None) -> None:
        """Add the blank lines and comments between two lines.

        They come between statements of two depths, or above a row that continues a statement. If a
        block ends there, a comment belongs to the innermost block that its indentation fits.
        """
        for line in lines:
            text = line.strip()
            if not text:
                self.rows.append(Row(0, 0))
                continue
            column = _advance(0, line[: line.index("#")])
            above = self.rows[-1] if self.rows else None
            if above and above.parts and _goes_on(above, column):
                comment = Row(column, 0, beneath=(above, len(above.parts) - 1))
            elif row:
                comment = Row(row.column, row.indent, beneath=row.beneath)
            else:
                depth = after
                while depth < before and self._columns[depth + 1] <= column:
                    depth += 1
                comment = Row(column, INDENT * depth)
            comment.parts.append(Part(text, "COMMENT", comment.column, 0, 0))
            self.rows.append(comment)


def _goes_on(above: Row, column: int) -> bool:
    """Whether a comment at a column continues the comment at the end of the line above."""
    last = above.parts[-1]
    behind = len(above.parts) > 1 or above.beneath is not None
    return last.type == "COMMENT" and behind and last.column == column


def _blanks(before: Token, token: Token) -> int:
    """How many blanks go between two words or signs."""
    tight = {before, token} & {"..", "^"} or before in OPENS or token in CLOSES or token in {",", ":"}
    call = token in {"(", "["} and before.type in {"NAME", "NOTHING"}
    return 0 if tight or call else 1


def _ends_value(before: Token | None) -> bool:
    """Whether a `-` after a word subtracts; otherwise it is a sign."""
    return before is not None and (before.type in {"NAME", "NUMBER", "YES"} or before in CLOSES)


# --- lining up ---


def _align(rows: list[Row]) -> None:
    """Settle the blanks before parts that are lined up, and the beginnings of rows, from left to right."""
    columns: list[tuple[int, Group | Row]] = [*_groups(rows)]
    columns += [(row.column, row) for row in rows if row.beneath]
    for _, what in sorted(columns, key=itemgetter(0)):
        if isinstance(what, list):
            _settle(what)
        elif what.beneath:
            above, index = what.beneath
            what.indent = above.end_before(index) + above.parts[index].blanks


def _groups(rows: list[Row]) -> list[tuple[int, Group]]:
    """The columns that have parts of one type in consecutive lines, each with these parts."""
    groups: list[tuple[int, Group]] = []
    above: dict[tuple[str, int], Group] = {}
    for row in rows:
        here: dict[tuple[str, int], Group] = {}
        for index, part in enumerate(row.parts):
            if index and (part.blanks or part.type == "COLON"):
                key = part.type, part.column
                if key not in above:
                    groups.append((part.column, []))
                here[key] = above.get(key, groups[-1][1])
                here[key].append((row, index))
        above = here
    return groups


def _settle(group: Group) -> None:
    """Line up the parts of a group, if their author has lined them up."""
    parts = [row.parts[index] for row, index in group]
    ends = [row.end_before(index) for row, index in group]
    gaps = [max(part.gap, part.blanks) for part in parts]
    if parts[0].type == "COMMENT":
        if max(gaps) == BEFORE_COMMENT:
            return
        column = max(parts[0].column, max(ends) + BEFORE_COMMENT)
    else:
        # If all gaps or all ends are equal, nothing shows that the alignment was intended.
        if min(gaps) == max(gaps) or min(ends) == max(ends):
            return
        column = max(ends) + min(gaps)
    for part, end in zip(parts, ends, strict=True):
        part.blanks = column - end
