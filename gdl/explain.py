"""Syntax errors in sentences: from what the parser met and what it could have taken."""

from __future__ import annotations

from collections.abc import Callable

from lark import Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from gdl.diagnostics import Diagnostic, did_you_mean
from gdl.source import Span

MakeSpan = Callable[[int, int, int, int], Span]

TOO_DEEP_BLOCKS = "blocks are nested too deep"

#: Words that begin a declaration, and words that begin a statement.
DECLARATIONS = (
    "game variant option players board pieces state setup pie define turn play score end without".split()
)
STATEMENTS = (
    "choose let require place move remove flip become pass again swap keep at if for either prefer repeat "
    "only notation diagram"
).split()

#: Signs of other languages, and what this one writes.
SIGNS = {
    ";": "a line ends by itself, without `;`",
    "!": "write `!=` for `is not equal`, and `not` before a condition",
    "'": 'texts stand in double quotes: "..."',
    "|": "write `or` between conditions, `+` between sets",
    "/": "write `div` for division",
    "%": "write `mod` for the remainder",
    "\\": "a line that ends in an operator or in an open bracket goes on by itself",
    "?": "write `a if condition else b`",
    "~": "write `not`, or `board - A` for the sites outside a set",
    ".": "write `..` in a range: 1..5",
    "@": None,
}

#: Terminals of the grammar whose names are not the words themselves.
NAMED = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'a text in "quotes"',
    "PICTURE": 'a picture in """three quotes"""',
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
}

#: What can begin a value, and what can stand behind one.
VALUE = frozenset("NAME NUMBER LPAR LBRACE MINUS NOT SOME NO YES".split())
OPERATOR = frozenset("PLUS MINUS TIMES DIV MOD BOTH POWER EQ NE LT LE GT GE IN WITHIN TOUCHES AND OR".split())

SPELLED = {
    "LPAR": "(", "RPAR": ")", "LBRACE": "{", "RBRACE": "}", "LSQB": "[", "RSQB": "]", "COLON": ":",
    "COMMA": ",", "EQ": "=", "NE": "!=", "LE": "<=", "GE": ">=", "LT": "<", "GT": ">", "PLUS": "+",
    "MINUS": "-", "TIMES": "*", "BOTH": "&", "POWER": "^", "ASSIGN": ":=", "ADD": "+=",
    "SUBTRACT": "-=", "__ANON_0": "..",
}  # fmt: skip


def explain(error: UnexpectedInput, text: str, span: MakeSpan) -> Diagnostic:
    """The diagnostic for a parser's error; `span` makes places of the file from places of the text."""
    if isinstance(error, UnexpectedToken) and isinstance(error.token, Token):
        message, hint = _token(error, text)
        token = error.token
        line, column = token.line or 1, token.column or 1
        length = 1 if token.type in ("_NL", "_INDENT", "_DEDENT", "$END") else len(token)
        if token.type in ("_NL", "_DEDENT", "$END") and token.start_pos is not None:
            line, column = _end_of_line(text, token.start_pos)
        elif token.type == "_INDENT":
            line, column, length = _next_line(text, token)
        return Diagnostic("error", span(line, column, line, column + length), message, hint)
    position = max(0, error.pos_in_stream or 0)
    line, column = max(1, error.line), max(1, error.column)
    message, hint = _character(text[position : position + 1], text[position:])
    return Diagnostic("error", span(line, column, line, column + 1), message, hint)


def _end_of_line(text: str, position: int) -> tuple[int, int]:
    """Line and column right behind the last word before a position."""
    before = text[:position].rstrip()
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _next_line(text: str, token: Token) -> tuple[int, int, int]:
    """The indentation of the line that an indent token opens."""
    line = token.end_line or 1
    content = text.split("\n")[line - 1]
    return line, 1, max(1, len(content) - len(content.lstrip()))


def _character(character: str, rest: str) -> tuple[str, str | None]:
    if character == '"':
        return "this text is never closed on its line", 'a text ends with `"`'
    if character in SIGNS:
        return f"`{character}` has no meaning here", SIGNS[character]
    if not character.isascii() and (character.isalpha() or character.isnumeric()):
        return f"`{character}` cannot stand in a name", "names are made of the letters a to z, digits and `_`"
    shown = character if character.isprintable() else f"U+{ord(character or ' '):04X}"
    return f"the character `{shown}` has no meaning here", None


def _token(error: UnexpectedToken, text: str) -> tuple[str, str | None]:
    """Sentence and hint, by the first case that fits."""
    token = error.token
    accepts = set(error.accepts or error.expected)
    word = str(token)
    before = error.token_history[-1] if error.token_history else None
    line_start = text.rfind("\n", 0, token.start_pos or 0) + 1
    first = (text[line_start:].split() or [""])[0]

    if token.type == "_INDENT":
        return "this line is indented, but the line above it opens no block", "does that line lack a colon?"
    if accepts == {"_INDENT"}:
        return "an indented block must follow this colon", None
    if "ASSIGN" in accepts and token.type == "EQ":
        return "`=` compares; it does not change anything", f"write `:=`: {first} := ..."
    if (
        token.type in ("ASSIGN", "ADD", "SUBTRACT")
        and before is not None
        and before.isalpha()
        and before == first
    ):
        return f"`{before}` is a word of the language and cannot be a name", "choose another name"
    if token.type == "ASSIGN" and "EQ" in accepts:
        return (
            "`:=` gives a new value to a state or a local; here stands a definition or a comparison",
            "write `=`",
        )
    if token.type == "EQ" and before is not None and before.type == "EQ":
        return "`==` is not an operator", "one `=` compares"
    if "COLON" in accepts and token.type in ("_NL", "_DEDENT", "$END"):
        return "a colon is missing at the end of this line", None
    if "NAME" in accepts and not (accepts & {"NO"}) and word.isidentifier():
        return f"`{word}` is a word of the language and cannot be a name here", "choose another name"
    if before is not None and accepts >= {"ASSIGN"} and before.type == "NAME":
        return f"no statement begins with `{before}`", did_you_mean(before, STATEMENTS)
    if token.type == "NAME" and accepts & {"GAME", "OPTION"} and "BOARD" in accepts:
        return f"no declaration begins with `{word}`", did_you_mean(word, DECLARATIONS)
    if token.type == "NAME" and "CHOOSE" not in accepts and accepts >= OPERATOR and before is not None:
        return f"an operator or a new line is missing before `{word}`", None
    if token.type in ("_NL", "_DEDENT", "$END"):
        return "the line ends too early", _wanted(accepts)
    if word == "else" and "ELSE" not in accepts:
        return "this `else` belongs to no `if`", None
    if token.type in STARTS_COMPARISON and "AND" in accepts:
        return "a comparison has two sides only", "write `a < b and b < c`"
    return f"`{word}` cannot stand here", _wanted(accepts)


STARTS_COMPARISON = frozenset("EQ NE LT LE GT GE IN WITHIN TOUCHES".split())


def _wanted(accepts: set[str]) -> str | None:
    """What may stand here, in words: at most six things."""
    things = []
    if accepts >= {"NAME", "NUMBER", "LPAR"}:
        things.append("a value")
        accepts = accepts - VALUE
    if accepts >= {"PLUS", "MINUS"}:
        things.append("an operator")
        accepts = accepts - OPERATOR - {"ELSE", "IF"}
    things += sorted(
        NAMED.get(name) or f"`{SPELLED.get(name, name.lower())}`" for name in accepts if name != "_DEDENT"
    )
    if not 0 < len(things) <= 6:
        return None
    return "here may stand: " + ", ".join(things)
