"""The words of the language as the editor offers them: how each is written, and what it means."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain

from gdl.boards import BOARDS, HEX_DIRECTIONS, HEX_SETS, SQUARE_DIRECTIONS, SQUARE_SETS
from gdl.builtins import AGGREGATES, FUNCTIONS, OPERATORS, VALUES, Aggregate, Builtin
from gdl.core import Type
from gdl.names import TYPES
from gdl.words import DECLARING, INSIDE, OUTCOMES, STATING
from interpreter.web import Json

#: Directions and sets of directions, by what a board is made of.
COMPASSES = {
    "squares and points": (SQUARE_DIRECTIONS, SQUARE_SETS),
    "hexes": (HEX_DIRECTIONS, HEX_SETS),
}


@cache
def vocabulary() -> list[Json]:
    """Every word with its kind, its form and a sentence about it, if the language has one."""
    return [
        *(_word(word, "declaration", *row) for word, row in DECLARING.items()),
        *(_word(word, "statement", *row) for word, row in STATING.items()),
        *(
            _word(name, "board", f"{name}({', '.join(side.name for side in kind.parameters)})", "")
            for name, kind in BOARDS.items()
        ),
        *(_word(row.word, "value", f"{row.word}: {row.result.value}", row.doc) for row in VALUES),
        *_directions(),
        *(_word(row.word, "function", _form(row), row.doc) for row in FUNCTIONS),
        *(_word(row.word, "function", _over_many(row), row.doc) for row in AGGREGATES.values()),
        *(_word(row.word, "operator", _operation(row), row.doc) for row in OPERATORS),
        *(
            _word(type_.value, "type", type_.value, f"{TYPES[type_]}.".capitalize())
            for type_ in Type
            if type_ is not Type.GROUPS
        ),
        *(_word(word, "outcome", *row) for word, row in OUTCOMES.items()),
        *(_word(word, "word", *row) for word, row in INSIDE.items()),
    ]


def _directions() -> Iterator[Json]:
    """Each direction and each set of directions, with the boards that have it."""
    for word in dict.fromkeys(chain(SQUARE_DIRECTIONS, HEX_DIRECTIONS)):
        on = [sites for sites, (directions, _) in COMPASSES.items() if word in directions]
        yield _word(word, "direction", f"{word}: directions", f"On boards of {', and of '.join(on)}.")
    for word in dict.fromkeys(chain(SQUARE_SETS, HEX_SETS)):
        on = [
            f"On boards of {sites}: {', '.join(d for i, d in enumerate(directions) if sets[word] >> i & 1)}."
            for sites, (directions, sets) in COMPASSES.items()
            if word in sets
        ]
        yield _word(word, "direction", f"{word}: directions", " ".join(on))


def _word(word: str, kind: str, form: str, doc: str) -> Json:
    return {"word": word, "kind": kind, "form": form, "doc": doc}


def _form(row: Builtin) -> str:
    """steps(set, set, through: set): int"""
    arguments = ", ".join(
        (f"{p.label}: " if p.label else "") + p.type.value + ("" if p.default is None else f" = {p.default}")
        for p in row.parameters
    )
    return f"{row.word}({arguments}): {row.result.value}"


def _over_many(row: Aggregate) -> str:
    """sum(int for NAME in SITES if CONDITION): int"""
    each = row.of.value if row.of else "NAME"
    return f"{row.word}({each} for NAME in SITES if CONDITION): {row.result.value}"


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
