"""Text to syntax tree.

A rule file is first cut into its top-level declarations, and each is parsed by itself: a file
with faults in three declarations gets three messages, and the rest of it is still checked.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from threading import local
from typing import TYPE_CHECKING

from attrs import frozen
from lark import Lark, Token
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError, Indenter

from gdl.builder import Builder
from gdl.cache import folder as cache_folder
from gdl.diagnostics import Diagnostic
from gdl.explain import LEADING, explain, longer_word
from gdl.source import Source, Span
from gdl.syntax import Declaration, Node

if TYPE_CHECKING:
    from lark import ParseTree

#: A rule file may have this many characters; brackets and blocks may nest this deep.
MAX_LENGTH = 100_000
MAX_BRACKETS = 40
MAX_BLOCKS = 20

#: A line that ends in one of these continues on the next.
CONTINUES = frozenset(
    "EQ NE LE GE LT GT PLUS MINUS TIMES DIV MOD BOTH POWER AND OR NOT ELSE IF IN WITHIN TOUCHES COMMA "
    "ASSIGN ADD SUBTRACT DOTS WHERE FOR TO AT OF".split()
)


class Fault(Exception):
    """A fault found between lexer and parser."""

    def __init__(self, token: Token, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.token, self.message, self.hint = token, message, hint


class Lines(local, Indenter):
    """Turns indentation into tokens, and joins a line that ends in an operator with the next.

    It belongs to the one shared parser and tracks the depth of lines, so each thread has its own state.
    """

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LBRACE", "LSQB"]  # noqa: RUF012 (lark's own form)
    CLOSE_PAREN_types = ["RPAR", "RBRACE", "RSQB"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return super().process(self._joined(stream))  # type: ignore[no-any-return, no-untyped-call]

    def _joined(self, stream: Iterator[Token]) -> Iterator[Token]:
        previous: Token | None = None
        for token in stream:
            if previous is not None:
                if token.type == "_NL" and previous.type in CONTINUES:
                    continue
                if token.start_pos == previous.end_pos and _wordlike(previous[-1]) and _wordlike(token[0]):
                    hint = longer_word(previous + token, previous, previous.start_pos == 0)
                    if hint is not None and previous.isidentifier():
                        word = Token.new_borrow_pos("NAME", previous + token, previous)
                        word.end_column = token.end_column
                        raise Fault(word, f"`{word[:40]}` cannot stand here", hint)
                    raise Fault(token, f"a space is missing between `{previous}` and `{token}`")
            if token.type == "_NL":
                self.newline = token
                if len(self.indent_level) > MAX_BLOCKS:
                    raise Fault(token, f"blocks are nested more than {MAX_BLOCKS} deep")
            previous = token
            yield token


def _wordlike(character: str) -> bool:
    return character.isalnum() or character == "_"


@cache
def _parser() -> Lark:
    """The parser of declarations (start rule `declaration`) and of values in notations (`expression`)."""
    return Lark(
        (files("gdl") / "grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        postlex=Lines(),
        start=["declaration", "expression"],
        propagate_positions=True,
        maybe_placeholders=True,
        cache=_tables(),
    )


def _tables() -> str | bool:
    """Where lark keeps the parser's tables, which take longer to build than most files take to check.

    Lark rebuilds them when the grammar, lark itself or Python changes, and does without the
    file if it cannot be read or written.
    """
    folder = cache_folder()
    return folder is not None and str(folder / f"grammar.{sys.implementation.cache_tag}.tables")


@frozen
class Chunk:
    """The text of one declaration and the lines and columns before it in its file."""

    source: Source
    text: str
    lines: int = 0
    columns: int = 0

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The place in the file of a place in the chunk."""
        shift = self.columns if line == 1 else 0
        end_shift = self.columns if end_line == 1 else 0
        return Span(
            self.source, line + self.lines, column + shift, end_line + self.lines, end_column + end_shift
        )

    def at(self, position: int, length: int = 1) -> Span:
        """The place of `length` characters of a line, starting at a position in the chunk's text."""
        line = self.text.count("\n", 0, position) + 1
        column = position - (self.text.rfind("\n", 0, position) + 1) + 1
        return self.span(line, column, line, column + length)


def normalise(text: str) -> str:
    """The text with `\\n` as its only line ending and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def unreadable(source: Source) -> list[Diagnostic]:
    """What is wrong with a file as a whole, so that none of its declarations can be read."""
    if len(source.text) > MAX_LENGTH:
        message = f"the file is too long: {MAX_LENGTH:,} characters are allowed"
        return [Diagnostic("error", Span(source, 1, 1, 1, 2), message)]
    return _invisible_faults(source) or _indentation_faults(source)


def parse(source: Source) -> tuple[list[Declaration], list[Diagnostic]]:
    """The declarations of a file that could be read, and what is wrong with the others."""
    declarations: list[Declaration] = []
    diagnostics = unreadable(source)
    for chunk in [] if diagnostics else chunks(source):
        declaration, faults = _read(chunk)
        diagnostics += faults
        if declaration is not None:
            declarations.append(declaration)
    return declarations, diagnostics


#: What replaces a line that cannot be read, in the blocks whose other lines are still read.
STAND_INS = {"turn": "require yes", "setup": "remove none", "end": "if no board: draw"}

#: Statements of several blocks: without the line that begins or separates these, the rest makes no sense.
TOGETHER = frozenset("either or prefer otherwise else repeat while at".split())

#: How many lines of a block may be unreadable before the rest is given up.
MOST_FAULTS = 8


def _read(chunk: Chunk) -> tuple[Declaration | None, list[Diagnostic]]:
    """A declaration and its faults. In a block, a line that cannot be read does not hide the others."""
    faults: list[Diagnostic] = []
    seen: set[int] = set()
    while True:
        result = _brackets_fault(chunk) or _parse(chunk, "declaration")
        if isinstance(result, Declaration):
            return result, faults
        assert isinstance(result, Diagnostic)
        line = result.span.line - chunk.lines
        if line in seen:
            return None, faults  # the replacement does not fit there
        seen.add(line)
        faults.append(result)
        rest = _without_line(chunk, line)
        if rest is None or len(faults) == MOST_FAULTS:
            return None, faults
        chunk = rest


def _without_line(chunk: Chunk, number: int) -> Chunk | None:
    """The declaration with a line replaced by something harmless; None if that is not known to help."""
    stand_in = STAND_INS.get(re.split(r"\W", chunk.text, maxsplit=1)[0])
    lines = chunk.text.split("\n")
    line = lines[number - 1]
    indent = len(line) - len(line.lstrip())
    first = re.split(r"\W", line.lstrip(), maxsplit=1)[0]
    above = "\n".join(lines[: number - 1])
    in_brackets = sum(map(above.count, "([{")) != sum(map(above.count, ")]}"))
    if number == 1 or in_brackets or '"""' in chunk.text:
        return None
    operator = LEADING.match(line)
    if operator and "#" not in lines[number - 2] and lines[number - 2].strip():
        # Move the operator to the end of the line above, which joins the two lines.
        lines[number - 2] += " " + operator[1]
        lines[number - 1] = " " * operator.end() + line[operator.end() :]
        return Chunk(chunk.source, "\n".join(lines), chunk.lines, chunk.columns)
    if stand_in is None or first in TOGETHER:
        return None
    lines[number - 1] = line[:indent] + stand_in
    for below in range(number, len(lines)):
        if lines[below].strip() and len(lines[below]) - len(lines[below].lstrip()) <= indent:
            break
        if first in ("if", "for") and lines[below].strip():
            lines[number - 1] = line[:indent] + "if yes:"
        else:
            lines[below] = ""  # the line continued here
    return Chunk(chunk.source, "\n".join(lines), chunk.lines, chunk.columns)


def parse_value(source: Source, text: str, where: Span) -> Node | Diagnostic:
    """The value written inside a text at `where`, such as `{queen}` in a notation."""
    chunk = Chunk(source, text + "\n", where.line - 1, where.column - 1)
    return _brackets_fault(chunk) or _parse(chunk, "expression")


def _parse(chunk: Chunk, start: str) -> Node | Diagnostic:
    try:
        tree: ParseTree = _parser().parse(chunk.text, start=start)
    except UnexpectedInput as error:
        return explain(error, chunk.text, chunk.span)
    except Fault as fault:
        token = fault.token
        span = chunk.span(token.line or 1, token.column or 1, token.end_line or 1, token.end_column or 1)
        return Diagnostic("error", span, fault.message, fault.hint)
    except DedentError:
        line = _parser().options.postlex.newline.end_line  # type: ignore[union-attr]
        text = chunk.text.split("\n")[line - 1]
        indent = len(text) - len(text.lstrip())
        message = "this line lines up with no line above it"
        hint = "indent all lines of a block alike"
        return Diagnostic("error", chunk.span(line, 1, line, indent + 1), message, hint)
    built: Node = Builder(chunk.span).transform(tree)
    return built


def tokens(chunk: Chunk) -> list[Token] | Diagnostic:
    """The words and signs of a declaration as its grammar reads them, or its first fault."""
    result = _brackets_fault(chunk) or _parse(chunk, "declaration")
    if isinstance(result, Diagnostic):
        return result
    return list(_parser().parse_interactive(chunk.text, start="declaration").iter_parse())


def chunks(source: Source) -> list[Chunk]:
    """The top-level declarations: each starts on a line that is not indented."""
    starts: list[int] = []
    lines = source.text.split("\n")
    in_picture = False
    for number, line in enumerate(lines):
        if not in_picture and line and not line[0].isspace() and not line.startswith("#"):
            starts.append(number)
        in_picture ^= _opens_or_closes_picture(line, in_picture)
    first = next(
        (n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), None
    )
    if first is None:
        return []
    if not starts or first < starts[0]:
        starts.insert(0, first)
    ends = [*starts[1:], len(lines)]
    return [
        Chunk(source, "\n".join(lines[start:end]).rstrip() + "\n", start)
        for start, end in zip(starts, ends, strict=True)
    ]


def _opens_or_closes_picture(line: str, in_picture: bool) -> bool:
    code = line if in_picture else _TEXT_OR_COMMENT.sub(lambda m: m[0] if m[0] == '"""' else "", line)
    return code.count('"""') % 2 == 1


_TEXT_OR_COMMENT = re.compile(r'"""|"[^"\n]*"|#.*')
_BRACKETS = re.compile(r'"""[^"]*"""|"""|"[^"\n]*"|#[^\n]*|[()\[\]{}]')
#: Control characters other than tab and line end, and those that change the direction of the text.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_CLOSES = {")": "(", "]": "[", "}": "{"}


def _brackets_fault(chunk: Chunk) -> Diagnostic | None:
    """A bracket or picture that nothing closes or opens, reported at that bracket."""
    opened: list[tuple[str, int]] = []
    for match in _BRACKETS.finditer(chunk.text):
        sign, position = match[0], match.start()
        if sign == '"""':
            return Diagnostic("error", chunk.at(position, 3), 'this picture is never closed by `"""`')
        if sign in "([{":
            opened.append((sign, position))
            if len(opened) > MAX_BRACKETS:
                message = f"brackets are nested more than {MAX_BRACKETS} deep"
                return Diagnostic("error", chunk.at(position), message)
        elif sign in _CLOSES:
            if not opened:
                return Diagnostic("error", chunk.at(position), f"this `{sign}` closes nothing")
            before, where = opened.pop()
            if before != _CLOSES[sign]:
                if any(_CLOSES[sign] == outer for outer, _ in opened):
                    return Diagnostic("error", chunk.at(where), f"this `{before}` is never closed")
                line = chunk.at(where).line
                message = f"this `{sign}` does not close the `{before}` opened on line {line}"
                return Diagnostic("error", chunk.at(position), message)
    if opened:
        sign, position = opened[-1]
        return Diagnostic("error", chunk.at(position), f"this `{sign}` is never closed")
    return None


def _invisible_faults(source: Source) -> list[Diagnostic]:
    """Characters that cannot be seen but control a terminal or reverse the text."""
    match = _INVISIBLE.search(source.text)
    if match is None:
        return []
    code = f"U+{ord(match[0]):04X}"
    message = f"an invisible character stands here: {code}"
    return [Diagnostic("error", Chunk(source, source.text).at(match.start()), message, "delete it")]


def _indentation_faults(source: Source) -> list[Diagnostic]:
    """An indented first line, or both tabs and spaces used to indent."""
    kind: str | None = None  # the character that indents this file; "" until one is seen
    for number, line in enumerate(source.text.split("\n"), 1):
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        span = Span(source, number, 1, number, len(indent) + 1)
        if kind is None and indent:
            return [Diagnostic("error", span, "the first line of a file is not indented")]
        kind = kind or indent[:1]
        if indent.strip(kind):
            message = "this line is indented with tabs and spaces mixed with those above"
            return [Diagnostic("error", span, message, "indent the whole file with spaces")]
    return []
