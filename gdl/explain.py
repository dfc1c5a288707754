"""Syntax errors as sentences, from what the parser met and what it could have accepted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise

from attrs import frozen
from lark import Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from gdl.boards import BOARDS
from gdl.diagnostics import Diagnostic, did_you_mean
from gdl.names import FUNCTION_WORDS
from gdl.source import Span
from gdl.words import (
    BEGINNINGS,
    DECLARATIONS,
    DECLARED_ELSEWHERE,
    FOREIGN,
    JOINING,
    LINES,
    OPENERS,
    RESERVED,
    SEQUELS,
    SIGNS,
    STATEMENTS,
)

MakeSpan = Callable[[int, int, int, int], Span]

#: Terminals of the grammar whose names are not the words themselves.
NAMED = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'a text in "quotes"',
    "PICTURE": 'a picture in """three quotes"""',
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
}

#: What can begin a value, and what can follow one.
VALUE = frozenset("NAME NUMBER LPAR LBRACE MINUS NOT SOME NO YES".split())
DIRECTIONS = frozenset(word for board in BOARDS.values() for word in board.directions)
COMPARISON = frozenset("EQ NE LT LE GT GE IN WITHIN TOUCHES".split())
OPERATOR = COMPARISON | frozenset("PLUS MINUS TIMES DIV MOD BOTH POWER AND OR ELSE IF".split())

SPELLED = {
    "LPAR": "(", "RPAR": ")", "LBRACE": "{", "RBRACE": "}", "LSQB": "[", "RSQB": "]", "COLON": ":",
    "COMMA": ",", "EQ": "=", "NE": "!=", "LE": "<=", "GE": ">=", "LT": "<", "GT": ">", "PLUS": "+",
    "MINUS": "-", "TIMES": "*", "BOTH": "&", "POWER": "^", "ASSIGN": ":=", "ADD": "+=",
    "SUBTRACT": "-=", "DOTS": "..",
}  # fmt: skip

COMPARING = frozenset(SPELLED.get(name, name.lower()) for name in COMPARISON)

#: `some` or `no` before a value that extends to the end of the text.
_BREAKS = "|".join("and or not if where require".split())
_ASKING = re.compile(rf"\b(some|no)\s(?!.*(?:\b(?:{_BREAKS})\b|[(:]))")
#: The words and signs of a rule file as a reader sees them.
_WORDS = re.compile(r'"""[^"]*"""|"[^"\n]*"|#[^\n]*|\w+|:=|\+=|-=|!=|<=|>=|\.\.|[^\w\s]')
#: Signs after which a line continues on the next.
_JOINING_SIGN = re.compile(r"[-+*&^=<>!,]|[:+-]=|[!<>]=")
#: An assignment to a counter or a player's state with round brackets instead of square ones.
_IN_BRACKETS = re.compile(r"\w+\(([^()]*)\)\s*([-+:]?=)(?!=)")
#: The name of a turn where it is declared.
_TURN = re.compile(r"(?m)^turn\s+(\w+)")
#: What may separate two words: blanks, line ends and comments.
_BLANK = re.compile(r"\s*(#.*\s*)*")
#: The operator that a line begins with; `or:`, `else:` and the like are not operators.
_BETWEEN = "|".join("and in within touches div mod where".split())
_OPENS = rf"[ \t]*(?:[:#\n]|\Z|(?:{'|'.join(STATEMENTS)})\b)"
LEADING = re.compile(rf"[ \t]*((?:{_BETWEEN})\b|(?:or|else)\b(?!{_OPENS})|[-+](?!=)|[*&^]|[<>]=?|!?=)")


@frozen
class Snippet:
    """A word or sign in a text and its position; an empty one is the end of a line."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@frozen
class Finding:
    """What is wrong, with the words to show."""

    word: Snippet
    message: str
    hint: str | None = None


@frozen
class Met:
    """What the parser met, the word before it, and the terminals it could have accepted."""

    text: str
    word: Snippet
    before: Snippet
    accepts: frozenset[str]
    begins: str  # "_INDENT" or "_DEDENT" if the word begins or ends a block, else ""
    taken: str  # the beginning of the word, if the parser has taken that for a word of the language
    turns: frozenset[str]  # the names of the turns of the file

    @property
    def new_line(self) -> bool:
        """Whether the line of the word before has ended too early."""
        if not self.word.text:
            return True
        joins = self.before.text in JOINING or _JOINING_SIGN.fullmatch(self.before.text) is not None
        return joins and self._lines_apart

    @property
    def line_end(self) -> Snippet:
        """The end of the line of the word before."""
        return Snippet("", self.before.end)

    @property
    def _lines_apart(self) -> bool:
        return "\n" in self.text[self.before.end : self.word.start]

    @property
    def first(self) -> Snippet:
        """The first word of the statement in question: first in its line, or after the colon of a block."""
        place = self.word if self._lines_apart and not self.new_line else self.before
        first = self.first_of_line(place.start)
        if first.text not in OPENERS:
            return first
        depth = 0
        words = [Snippet(m[0], m.start()) for m in _WORDS.finditer(self.text, first.start, place.end)]
        for colon, behind in pairwise(words):
            depth += (colon.text in "([{") - (colon.text in ")]}")
            if depth == 0 and colon.text == ":":
                return behind
        return first

    def first_of_line(self, position: int) -> Snippet:
        """The first word of the line that contains a position."""
        start = self.text.rfind("\n", 0, position) + 1
        match = _WORDS.search(self.text, start)
        return Snippet(match[0], match.start()) if match else Snippet("", position)

    @property
    def declaration(self) -> str:
        """The first word of the declaration."""
        return self.first_of_line(0).text

    @property
    def in_brackets(self) -> str:
        """The text from the innermost bracket still open at the word; "" if there is none."""
        code = re.sub(r'"[^"\n]*"|#[^\n]*', "", self.text[: self.word.start])
        opened: list[int] = []
        for place, sign in enumerate(code):
            if sign in "([{":
                opened.append(place)
            elif sign in ")]}" and opened:
                opened.pop()
        return code[opened[-1] :] if opened else ""


def explain(error: UnexpectedInput, text: str, span: MakeSpan) -> Diagnostic:
    """The diagnostic for a parser's error; `span` maps places in the text to places in the file."""
    if isinstance(error, UnexpectedToken) and isinstance(error.token, Token):
        turns = frozenset(_TURN.findall(span(1, 1, 1, 1).source.text))
        fault = _unexpected(_met(error, error.token, text, turns))
    else:
        fault = _character(text, max(0, error.pos_in_stream or 0))
    line = text.count("\n", 0, fault.word.start) + 1
    column = fault.word.start - (text.rfind("\n", 0, fault.word.start) + 1) + 1
    shown = fault.word.text.split("\n")[0]
    return Diagnostic(
        "error", span(line, column, line, column + max(1, len(shown))), fault.message, fault.hint
    )


def _met(error: UnexpectedToken, token: Token, text: str, turns: frozenset[str]) -> Met:
    layout = token.type in ("_NL", "_INDENT", "_DEDENT", "$END")
    position = len(text) if token.start_pos is None else token.start_pos
    if token.type == "_INDENT":
        position = len(text) if token.end_pos is None else token.end_pos
    before = Snippet("", 0)
    word = Snippet("", position)
    for match in _WORDS.finditer(text):
        if match[0].startswith("#"):
            continue
        if match.end() > position:
            if not layout or token.type == "_INDENT":
                word = Snippet(match[0], match.start())
            break
        before = Snippet(match[0], match.start())
    accepts = frozenset(error.accepts or error.expected)
    taken = text[word.start : position] if word.text else ""
    return Met(text, word, before, accepts, token.type if layout else "", taken, turns)


def _character(text: str, position: int) -> Finding:
    """A character that cannot begin a word or sign of the language."""
    character = text[position : position + 1]
    if position >= 2 and text.startswith("...", position - 2):
        position -= 2
    sign = next((sign for sign in SIGNS if text.startswith(sign, position)), None)
    if character == '"' and sign is None:
        return Finding(
            Snippet('"', position), "this text is never closed on its line", 'a text ends with `"`'
        )
    if sign is not None:
        hint = SIGNS[sign]
        called = re.search(r"(\w+)\s*$", text[:position])
        member = re.match(r"\.\s*([A-Za-z_]\w*)", text[position:])
        if sign == "." and re.compile(r"(?<=\d)\.|\.\d").match(text, position):
            hint = "numbers are whole; a range has two dots: 1..5"
        elif sign == "." and called and member:
            way = member[1] in DIRECTIONS
            hint = f"write step({called[1]}, {member[1]})" if way else f"write {member[1]}({called[1]})"
        return Finding(Snippet(sign, position), f"{shown(sign)} has no meaning here", hint)
    if character.isalpha() or character.isnumeric():
        hint = "names are made of the letters a to z, digits and `_`"
        return Finding(Snippet(character, position), f"`{character}` cannot stand in a name", hint)
    return Finding(Snippet(character, position), f"{shown(character)} has no meaning here")


def shown(word: str) -> str:
    """A word or sign as it is, or the name of an unprintable character in it."""
    if word == "`":
        return 'the sign "`"'
    unseen = next((sign for sign in word if not sign.isprintable()), None)
    if unseen is None:
        return f"`{word[:40]}`"
    return f"the character U+{ord(unseen):04X} ({unicodedata.name(unseen, 'no name').lower()})"


def _unexpected(met: Met) -> Finding:
    """What to say about a word that the grammar does not accept: the first case that fits."""
    return (
        _longer_word(met)
        or _leading_operator(met)
        or _foreign_word(met)
        or _layout(met)
        or _foreign_sign(met)
        or _wrong_equals(met)
        or _beginning(met)
        or _reserved(met)
        or _missing(met)
        or _misplaced(met)
    )


def _longer_word(met: Met) -> Finding | None:
    """A word that begins with the one that belongs there: `off` for `of`."""
    if not met.taken.isidentifier():
        return None
    hint = longer_word(met.word.text, met.taken, met.word.start == 0)
    return Finding(met.word, f"`{met.word.text[:40]}` cannot stand here", hint)


def longer_word(word: str, taken: str, declares: bool) -> str | None:
    """What a word that begins with a word of the language may mean."""
    hint = DECLARED_ELSEWHERE.get(word) if declares else None
    return hint or did_you_mean(word, [taken, *(DECLARATIONS if declares else ())])


def _leading_operator(met: Met) -> Finding | None:
    """A line that begins with an operator, which should have ended the line above."""
    if met.word.text and met.new_line:
        return None  # the line above does end with one
    following = _BLANK.match(met.text, met.before.end)
    for place in (met.word.start, following.end() if following and met.new_line else 0, met.before.start):
        match = LEADING.match(met.text, met.text.rfind("\n", 0, place) + 1)
        if match and match.start(1) == place:
            word = Snippet(match[1], place)
            hint = "write it at the end of the line above, which then goes on in this one"
            if place == 0:
                hint = "write it at the end of the line above, and indent this line"
            return Finding(word, f"`{word.text}` cannot begin a line", hint)
    return None


def _foreign_word(met: Met) -> Finding | None:
    """A word that another language, or plain English, would use there."""
    word, before = met.word, met.before
    behind_value = _is_value(met, before)
    if word.text in FOREIGN and (behind_value or met.accepts & {"OR", "_NL"}):
        return Finding(word, f"`{word.text}` has no meaning here", FOREIGN[word.text])
    if word.text == "on" and met.first.text == "place":
        return Finding(word, "`on` has no meaning here", "write `at`: place KIND at SITES")
    if before.text == "not" and behind_value:
        hint = "write A - B for the sites of A that are not in B"
        return Finding(before, "`not` stands before a condition", hint)
    if before.text in ("wins", "loses") and behind_value:
        return Finding(
            before, f"the player stands before `{before.text}`", f"write {word.text} {before.text}"
        )
    if before.text in BEGINNINGS.keys() - RESERVED and behind_value and met.declaration not in LINES:
        return Finding(before, f"`{before.text}` has no meaning here", BEGINNINGS[before.text])
    asking = _ASKING.search(_line_before(met))
    if asking and word.text in COMPARING and "AND" in met.accepts:
        message = f"`{asking[1]}` asks about all that stands on its right, and cannot be compared"
        left = _line_before(met)[asking.start() :].strip()
        return Finding(word, message, f"write {left} & B, for the sites that two sets share")
    if before.text in FUNCTION_WORDS and behind_value and word.text.isalnum() and word.text not in RESERVED:
        hint = f"write {before.text}({word.text})"
        return Finding(word, f"what belongs to `{before.text}` stands in brackets", hint)
    if word.text == "for" and "_NL" in met.accepts and met.first_of_line(word.start) != word:
        hint = "write union(VALUE for NAME in SITES), or a line above: for NAME in SITES:"
        return Finding(word, "`for` stands in brackets here, or on a line of its own", hint)
    if word.text in ("if", "for") and "COLON" in met.accepts and met.in_brackets.startswith("{"):
        if word.text == "for":
            hint = "write {s in A: any(CONDITION for d in B)}"
            return Finding(word, "braces run over one set only", hint)
        return Finding(word, "a colon stands before the condition", "the form is: {NAME in SITES: CONDITION}")
    return None


def _line_before(met: Met) -> str:
    """The line of the word, up to it."""
    return met.text[met.text.rfind("\n", 0, met.word.start) + 1 : met.word.start]


def _layout(met: Met) -> Finding | None:
    """Indentation and colons."""
    word, before, accepts = met.word, met.before, met.accepts
    if met.begins == "_INDENT":
        indent = met.text.rfind("\n", 0, word.start) + 1
        hint = "indent all lines of a block alike"
        message = "this line is indented, but the line above it opens no block"
        return Finding(Snippet(met.text[indent : word.start], indent), message, hint)
    if accepts == {"_INDENT"}:
        message = "an indented block must follow this colon"
        if met.first_of_line(before.start).start == 0:
            return Finding(before, message)
        return Finding(before, message, "write `nothing` for a block in which nothing is done")
    if "COLON" not in accepts or met.in_brackets:
        return None
    if met.new_line:
        return Finding(met.line_end, "a colon is missing at the end of this line")
    begins = "_NL" not in accepts or (before.text == "again" and word.text not in RESERVED)
    if word.text.isidentifier() and before.text != "end" and "NAME" not in accepts and begins:
        return Finding(word, f"a colon is missing before `{word.text}`")
    return None


def _foreign_sign(met: Met) -> Finding | None:
    """A sign of another language, such as `==`, even if its parts are signs of this one."""
    for start in (met.word.start - 1, met.word.start):
        sign = next((sign for sign in SIGNS if len(sign) > 1 and met.text.startswith(sign, start)), None)
        if sign is not None and start >= 0 and start + len(sign) > met.word.start:
            hint = "write `:=`" if sign == "==" and "ASSIGN" in met.accepts else SIGNS[sign]
            return Finding(Snippet(sign, start), f"`{sign}` has no meaning here", hint)
    return None


def _wrong_equals(met: Met) -> Finding | None:
    """`=` instead of `:=`, or the other way round."""
    word, before = met.word, met.before
    if word.text == "=" and "ASSIGN" in met.accepts:
        target = met.text[met.first.start : before.end]
        return Finding(word, "`=` compares; it does not change anything", f"write `:=`: {target} := ...")
    if word.text == ":=" and met.declaration not in SEQUELS:
        name = met.first.text
        if before == met.first and name in RESERVED | set(DECLARATIONS):
            return Finding(
                before, f"`{name}` is a word of the language and cannot be a name", "choose another name"
            )
        message = "`:=` changes a state or a local name; it neither compares nor defines"
        return Finding(word, message, "write `=`")
    return None


def _beginning(met: Met) -> Finding | None:
    """The first word of a declaration or of a statement."""
    word, before, accepts = met.word, met.before, met.accepts
    if {"GAME", "OPTION", "BOARD"} <= accepts:
        if word.text in STATEMENTS:
            message = f"`{word.text}` stands inside a block, such as that of a turn"
            return Finding(word, message, "indent this line")
        if word.text in SEQUELS:
            return _sequel(word)
        hint = (
            DECLARED_ELSEWHERE.get(word.text.lower())
            or did_you_mean(word.text, DECLARATIONS)
            or "declarations begin with " + ", ".join(DECLARATIONS)
        )
        return Finding(word, f"no declaration begins with `{word.text[:40]}`", hint)
    if "ASSIGN" not in accepts or before != met.first or before.text in STATEMENTS:
        return None
    if before.text in SEQUELS:
        return _sequel(before)
    counted = _IN_BRACKETS.match(met.text, before.start)
    if counted:
        message = f"`{before.text}` of a player or a site is written with square brackets"
        sign = ":=" if counted[2] == "=" else counted[2]
        hint = f"write {before.text}[{counted[1]}] {sign} ..."
        return Finding(word, message, hint)
    if before.text in DECLARATIONS and before.text not in STATEMENTS:
        message = f"`{before.text}` stands at the left edge of the file, not in a block"
        return Finding(before, message, "do not indent this line")
    turn = word.text or before.text
    hint = (
        (f"to go on with the turn `{turn}`, write again: {turn}" if turn in met.turns else None)
        or (f"write `{word.text}`" if word.text in STATEMENTS else None)
        or BEGINNINGS.get(before.text)
        or BEGINNINGS.get(word.text)
        or did_you_mean(before.text, STATEMENTS)
        or (f"the form is: {STATEMENTS['place']}" if met.declaration == "setup" else None)
        or "statements begin with " + ", ".join(STATEMENTS)
    )
    return Finding(before, f"no statement begins with `{before.text[:40]}`", hint)


def _sequel(word: Snippet) -> Finding:
    begun = SEQUELS[word.text]
    form = f"the form is: {STATEMENTS[begun]}"
    return Finding(word, f"this `{word.text}` belongs to no `{begun}`", form if word.text in form else None)


def _reserved(met: Met) -> Finding | None:
    """A word of the language that was taken for a name."""
    before = met.before
    if before.text in RESERVED and before != met.first and _is_value(met, before):
        return _value_missing(met, before)
    if before.text in STATEMENTS and before == met.first and "ASSIGN" not in met.accepts:
        # The line above continues here: it ended in an operator.
        above = met.text[: before.start].rstrip()
        if above and not above.endswith(":") and before.start - len(above) > 1 and _is_value(met, before):
            return Finding(Snippet("", len(above)), "a value is missing at the end of this line")
    return None


def _is_value(met: Met, word: Snippet) -> bool:
    """Whether the parser has taken the word before for a value: operators may follow it."""
    return "PLUS" in met.accepts and word == met.before


def _value_missing(met: Met, word: Snippet) -> Finding:
    if word.text in JOINING or word.text in ("for", "while"):
        return Finding(word, f"a value is missing before `{word.text}`")
    return Finding(word, f"`{word.text}` is a word of the language and no value")


def _missing(met: Met) -> Finding | None:
    """If only one thing can come here, it is missing."""
    word, accepts = met.word, met.accepts
    where, place = f"before `{word.text[:40]}`", word
    if met.new_line:
        where, place = "at the end of this line", met.line_end
    things = _things(accepts)
    first = met.first
    if first.text in STATEMENTS and first.start > 0 and met.text.startswith("(", first.end):
        return Finding(first, f"`{first.text}` is a statement: its parts stand without brackets", _form(met))
    if things == ["a value"]:
        return Finding(place, f"a value is missing {where}", _form(met))
    if met.before.text.startswith('"') and re.compile(r",\s*tie\b").match(met.text, word.start):
        hint = 'the form is: highest score wins, tie: OUTCOME "REASON"; a line above may tell of a tie'
        return Finding(met.before, "one reason for all results of a line stands at its end", hint)
    if len(accepts - {"_DEDENT"}) == 1 and "_NL" in accepts:
        return Finding(word, f"the line should end before `{word.text[:40]}`", _form(met))
    if accepts == {"COMMA", "_NL"} and word.text.isidentifier():
        return Finding(place, f"a comma is missing {where}")
    if "PLUS" in accepts and word.text in STATEMENTS and "_NL" in accepts and not met.in_brackets:
        return Finding(word, f"`{word.text}` belongs on a line of its own")
    if things == ["`if`"] and word.text in {*SEQUELS, *BEGINNINGS}:
        hint = "each begins with `if`, and the first whose condition holds decides"
        return Finding(word, f"no line of `end` begins with `{word.text}`", hint)
    if len(things) == 1:
        return Finding(place, f"{things[0]} is missing {where}", _form(met))
    condition = met.text.rfind(" if ", first.start, word.start) + 1
    if accepts & {"ELSE"} and condition and first.text in ("choose", "for"):
        message = "the condition of what is chosen or run over begins with `where`"
        return Finding(Snippet("if", condition), message, _form(met))
    if accepts & {"ELSE"} and accepts.isdisjoint({"_NL", "COMMA", "RPAR", "IF"}):
        return Finding(place, f"`else` is missing {where}", "the form is `A if CONDITION else B`")
    return None


def _misplaced(met: Met) -> Finding:
    """A word that cannot come here, or a line that ends too early."""
    word, accepts = met.word, met.accepts
    if met.new_line and "WINS" in accepts and met.before.text.isidentifier():
        hint = did_you_mean(met.before.text, ["draw"]) or _form(met)
        return Finding(met.before, f"`{met.before.text[:40]}` is no outcome", hint)
    if met.new_line:
        return Finding(met.line_end, "the line ends too early", _form(met) or _wanted(accepts))
    if word.text in COMPARING and "AND" in accepts:
        return Finding(word, "a comparison has two sides only", "write A < B and B < C")
    if word.text == "if" and "ELSE" in accepts:
        # `A else B if C else D` could be read in two ways, so it is refused.
        hint = "write (A else B) if C else D, or A else (B if C else D)"
        return Finding(word, "an `if` behind an `else` needs brackets", hint)
    if word.text == "," and "FOR" in accepts:
        second = re.compile(r",\s*(\w+)\s+in\b").match(met.text, word.start)
        hint = f"a second loop begins with `for`, too: for {second[1]} in ..." if second else None
        return Finding(word, "`,` cannot stand here", hint or "a set of several is written {A, B}")
    keywords = [name.lower() for name in accepts if name.isalpha() and name not in SPELLED]
    hint = did_you_mean(word.text, keywords) if word.text.isidentifier() else None
    if hint is None and not met.in_brackets:
        hint = _form(met)
    return Finding(word, f"`{word.text[:40]}` cannot stand here", hint or _wanted(accepts))


def _form(met: Met) -> str | None:
    """What the bracket or the line should look like, by its first word."""
    first = met.first.text
    if re.search(r"\bfor\b", met.in_brackets):
        return "the form is: count(VALUE for NAME in SITES if CONDITION)"
    inside = met.first.start > 0 and met.declaration in LINES
    if met.word.text == "if" and "_NL" in met.accepts and first in STATEMENTS and not inside:
        return f"write if CONDITION: {met.text[met.first.start : met.before.end]}"
    form = LINES[met.declaration] if inside else None
    if form is None:
        form = STATEMENTS.get(first) if met.first.start > 0 else DECLARATIONS.get(first)
    return f"the form is: {form}" if form else None


def _things(accepts: frozenset[str]) -> list[str]:
    """What may come here, in words."""
    things = []
    if accepts >= {"NAME", "NUMBER", "LPAR"}:
        things.append("a value")
        accepts = accepts - VALUE
    if accepts >= {"PLUS", "MINUS"}:
        things.append("an operator")
        accepts = accepts - OPERATOR
    return things + sorted(
        NAMED.get(name) or f"`{SPELLED.get(name, name.lower())}`" for name in accepts if name != "_DEDENT"
    )


def _wanted(accepts: frozenset[str]) -> str | None:
    """What may come here, if that is at most six things."""
    things = _things(accepts)
    return "here may stand: " + ", ".join(things) if 0 < len(things) <= 6 else None
