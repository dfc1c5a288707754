"""The words of the language as an editor offers them: how each is written, and what it means."""

from __future__ import annotations

from functools import cache

from gdl.boards import BOARDS
from gdl.builtins import FUNCTIONS, OPERATORS, VALUES, Builtin
from gdl.words import DECLARATIONS, STATEMENTS
from interpreter.web import Json


@cache
def vocabulary() -> list[Json]:
    """Every word with its kind, its form and a sentence, where the language has one."""
    return [
        *(_word(word, "declaration", form, "") for word, form in DECLARATIONS.items()),
        *(_word(word, "statement", form, "") for word, form in STATEMENTS.items()),
        *(
            _word(name, "board", f"{name}({', '.join(side.name for side in kind.parameters)})", "")
            for name, kind in BOARDS.items()
        ),
        *(_word(row.word, "value", f"{row.word}: {row.result.value}", row.doc) for row in VALUES),
        *(_word(row.word, "function", _form(row), row.doc) for row in FUNCTIONS),
        *(_word(row.word, "operator", _operation(row), row.doc) for row in OPERATORS),
    ]


def _word(word: str, kind: str, form: str, doc: str) -> Json:
    return {"word": word, "kind": kind, "form": form, "doc": doc}


def _form(row: Builtin) -> str:
    """steps(set, set, through: set): int"""
    arguments = ", ".join(
        (f"{p.label}: " if p.label else "") + p.type.value + ("" if p.default is None else f" = {p.default}")
        for p in row.parameters
    )
    return f"{row.word}({arguments}): {row.result.value}"


def _operation(row: Builtin) -> str:
    """set + set: set"""
    types = [p.type.value for p in row.parameters]
    match types:
        case [one] if row.key.startswith(("all_of", "kind_of")):
            said = row.word
        case [one]:
            said = f"{row.word} {one}"
        case [one, other] if row.word == "[]":
            said = f"{one}[{other}]"
        case [one, other] if row.word.isupper() or "(" in row.word:
            said = row.word
        case _:
            said = f" {row.word} ".join(types)
    return f"{said}: {row.result.value}"
