"""The words of the language as an editor offers them: how each is written, and what it means."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain

from gdl.boards import BOARDS, HEX_DIRECTIONS, HEX_SETS, SQUARE_DIRECTIONS, SQUARE_SETS
from gdl.builtins import FUNCTIONS, OPERATORS, VALUES, Builtin
from gdl.core import Type
from gdl.names import CALLED
from gdl.words import DECLARATIONS, LINES, STATEMENTS
from interpreter.web import Json

#: Directions and sets of them, by what a board is made of.
COMPASSES = {
    "squares and points": (SQUARE_DIRECTIONS, SQUARE_SETS),
    "hexes": (HEX_DIRECTIONS, HEX_SETS),
}

#: Functions that run over many values: what of each, the result, and what it is.
MANY = {
    "sum": ("int", "int", "The sum of the numbers; 0 over nothing."),
    "count": ("NAME", "int", "How many there are; 0 over nothing."),
    "max": ("int", "int", "The largest number; 0 over nothing."),
    "min": ("int", "int", "The smallest number; infinite over nothing."),
    "any": ("bool", "bool", "The condition holds for one at least; no over nothing."),
    "all": ("bool", "bool", "The condition holds for each; yes over nothing."),
    "union": ("set", "set", "All members of the sets (of sites or directions); none over nothing."),
}

#: Words of the lines of `end`, and what they say.
OUTCOMES = {
    "wins": ("PLAYER wins", "This player has won."),
    "loses": ("PLAYER loses", "The other player has won."),
    "draw": ("draw", "Nobody has won."),
    "highest": ("highest score wins, tie: OUTCOME", "Who has the higher `score` has won."),
    "lowest": ("lowest score wins, tie: OUTCOME", "Who has the lower `score` has won."),
    "tie": (
        "tie: OUTCOME",
        "What becomes of it where both have the same `score`; a draw, if it is left out.",
    ),
}

#: Words inside of declarations, statements and values: a form that they stand in, and what they say.
INSIDE = {
    "by": (DECLARATIONS["game"], "Who has made the game."),
    "of": (DECLARATIONS["variant"], "The game that it varies."),
    "when": (DECLARATIONS["pie"], "On which condition that is done, here and in the lines of `play`."),
    "neutral": ("pieces NAME neutral", "Pieces of this kind belong to nobody."),
    "wrap": ("board squares(8, wrap: DIRECTIONS)", "A step off the board this way leads to its other side."),
    "per": ("state NAME: TYPE per player = VALUE", "Each player has a value of their own: `NAME[PLAYER]`."),
    "on": ("state NAME: int per site = NUMBER on SITES", "The sites that begin with this number."),
    "once": (LINES["play"], "That turn is played once."),
    "where": (STATEMENTS["choose"], "Only those for which the condition holds."),
    "in": (STATEMENTS["for"], "What it runs over."),
    "to": (STATEMENTS["move"], "Where the pieces go."),
    "otherwise": (STATEMENTS["prefer"], "What is done where no block above leads to a legal move."),
    "while": (STATEMENTS["repeat"], "The block is done again as long as the condition holds."),
    "stop": ("while CONDITION, or stop", "The player may stop after each round."),
    "or": ("CONDITION or CONDITION", "One of both holds, or both; it also begins a block below `either`."),
    "and": ("CONDITION and CONDITION", "Both hold."),
    "else": (
        "VALUE if CONDITION else VALUE",
        "The other value, or what is done, where the condition does not hold.",
    ),
    "yes": ("yes", "A condition that always holds."),
    "no": ("no", "A condition that never holds."),
}


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
        *_directions(),
        *(_word(row.word, "function", _form(row), row.doc) for row in FUNCTIONS),
        *(
            _word(word, "function", f"{word}({of} for NAME in SITES if CONDITION): {result}", doc)
            for word, (of, result, doc) in MANY.items()
        ),
        *(_word(row.word, "operator", _operation(row), row.doc) for row in OPERATORS),
        *(
            _word(type_.value, "type", type_.value, f"{CALLED[type_]}.".capitalize())
            for type_ in Type
            if type_ is not Type.GROUPS
        ),
        *(_word(word, "outcome", *row) for word, row in OUTCOMES.items()),
        *(_word(word, "word", *row) for word, row in INSIDE.items()),
    ]


def _directions() -> Iterator[Json]:
    """Each direction and each set of them, with the boards that have it."""
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
