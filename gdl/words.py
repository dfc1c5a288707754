"""The words of the language, the forms they stand in, and what writers of other languages may mean."""

# ruff: noqa: RUF001 (signs that look like others are what this table is about)

from __future__ import annotations

#: What each declaration looks like.
DECLARATIONS = {
    "game": 'game "NAME" by "DESIGNER", YEAR',
    "variant": 'variant "NAME" of "BASE GAME"',
    "option": "option NAME: LOWEST..HIGHEST = DEFAULT",
    "players": "players NAME, NAME",
    "board": "board squares(8), or board {s in squares(8): CONDITION}, or board lines:",
    "pieces": "pieces NAME, NAME",
    "state": "state NAME: TYPE = VALUE",
    "setup": "setup:",
    "pie": "pie rule when CONDITION",
    "define": "define NAME(PARAMETER) = VALUE",
    "turn": "turn NAME:",
    "play": "play:",
    "score": "score p = NUMBER",
    "end": "end:",
    "without": "without pie rule (or setup, play, score, end, or option, state, define, turn with a NAME)",
}

#: What each statement looks like, by its first word.
STATEMENTS = {
    "choose": "choose NAME in SITES where CONDITION",
    "let": "let NAME = VALUE",
    "require": "require CONDITION",
    "place": "place PLAYER KIND at SITES (in a turn PLAYER may be left out)",
    "move": "move SITES to SITES",
    "remove": "remove SITES",
    "flip": "flip SITES",
    "become": "become KIND at SITES",
    "pass": "pass",
    "again": "again",
    "swap": "swap sides",
    "keep": "keep sides",
    "at": "at once:",
    "if": "if CONDITION:",
    "for": "for NAME in SITES:",
    "either": "either:",
    "prefer": "prefer:",
    "repeat": "repeat: (and below its block: while CONDITION, or while CONDITION, or stop)",
    "only": "only the most NUMBER",
    "notation": 'notation "{SITES}-{SITES}"',
    "diagram": 'diagram """ROWS OF LETTERS"""',
}

#: What the lines of a declaration look like, where they are no statements.
LINES = {
    "end": 'if CONDITION: PLAYER wins "REASON" (or PLAYER loses, draw, highest score wins)',
    "play": "repeat PLAYER, PLAYER: TURN (or once PLAYER: TURN)",
    "players": "NAME: CONSTANT = VALUE",
    "board": "the sites of a line, as: a1 b1 c1",
}

#: Words that go on with a block begun before, and what it begins with.
SEQUELS = {"else": "if", "or": "either", "otherwise": "prefer", "while": "repeat"}

#: Words that join values; none of them can be a value's name.
JOINING = frozenset("if else and or not some no yes in within touches where div mod at to".split())

#: Words that begin or join values and statements: names like these could not be used.
RESERVED = (
    JOINING | frozenset("for players while wins loses draw on once otherwise".split()) | frozenset(STATEMENTS)
)

#: Words of other languages, where a statement or a declaration begins, and what this one writes.
BEGINNINGS = {
    **dict.fromkeys(("elif", "elseif"), "write `else if`"),
    **dict.fromkeys(("capture", "take", "kill", "delete"), "write `remove`: remove SITES"),
    **dict.fromkeys(("add", "put", "drop"), "write `place`: place KIND at SITES"),
    **dict.fromkeys(("set", "var"), "write `let` for a new name: let NAME = VALUE"),
}

#: Words of other languages inside a line, and what this one writes.
FOREIGN = {
    "is": "write `in` for a site of a set, `=` between numbers or players",
    "then": "a colon stands behind the condition",
    "full": "write `no empty`",
    "contains": "write `B within A`, or `s in A` for a site",
}

#: Signs of other languages, the longer ones first, and what this one writes.
SIGNS = {
    "->": "write `to`: move A to B",
    "=>": "write `>=` for `at least`",
    "=<": "write `<=` for `at most`",
    "<>": "write `!=` for `is not`",
    "==": "one `=` compares",
    "&&": "write `and` between conditions, `&` for what two sets share",
    "||": "write `or` between conditions, `+` to join sets",
    "**": "write `^` for powers",
    "++": "write NAME += 1",
    "//": "a comment begins with `#`",
    "/*": "a comment begins with `#`",
    "...": "write `..` in a range: 1..5",
    ";": "a line ends by itself, without `;`",
    "!": "write `not` before a condition, and `!=` for `is not`",
    "'": 'texts stand in double quotes: "..."',
    "|": "write `or` between conditions, `+` to join sets",
    "/": "write `div` for division",
    "%": "write `mod` for the remainder",
    "\\": "a line that ends in an operator or in an open bracket goes on by itself",
    "?": "write `A if CONDITION else B`",
    "~": "write `not` before a condition, `board - A` for the sites outside a set",
    ".": "write `..` in a range: 1..5",
    "@": "write `at`",
    "$": "names stand alone, without a sign before them",
    '"""': "pictures stand behind `diagram` only",
    "“": 'write straight quotes: "..."',
    "”": 'write straight quotes: "..."',
    "„": 'write straight quotes: "..."',
    "«": 'write straight quotes: "..."',
    "»": 'write straight quotes: "..."',
    "‘": 'texts stand in straight double quotes: "..."',
    "’": 'texts stand in straight double quotes: "..."',
    "–": "write `-`",
    "—": "write `-`",
    "−": "write `-`",
    "≠": "write `!=`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `div`",
    "…": "write `..` in a range: 1..5",
    "→": "write `to`: move A to B",
    "∈": "write `in`",
    "∪": "write `+`",
    "∩": "write `&`",
    "∧": "write `and`",
    "∨": "write `or`",
    "¬": "write `not`",
    "\u00a0": "write an ordinary space",
}
