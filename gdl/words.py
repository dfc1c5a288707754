"""The words of the language, the forms they appear in, and what words of other languages may mean."""

# ruff: noqa: RUF001 (signs that look like others are the point of this table)

from __future__ import annotations

#: Words that begin a declaration: the form they appear in, and what they mean.
DECLARING = {
    "game": ('game "NAME" by "DESIGNER", YEAR', "The name of the game, who has made it and when."),
    "variant": ('variant "NAME" of "BASE GAME"', "The rules of another game, changed here."),
    "option": (
        "option NAME: LOWEST..HIGHEST = DEFAULT",
        "A number, or a choice of `yes` or `no`, that is set when the game is loaded.",
    ),
    "players": ("players NAME, NAME", "The two players, of whom the first one begins."),
    "board": (
        "board squares(8), or board {s in squares(8): CONDITION}, or board lines:",
        "The board, or the part of one where a condition holds.",
    ),
    "pieces": ("pieces NAME, NAME", "The kinds of pieces."),
    "state": ("state NAME: TYPE = VALUE", "What the game remembers besides the pieces."),
    "setup": ("setup:", "What stands on the board at the beginning."),
    "pie": ("pie rule when CONDITION", "The second player may swap sides after the first move."),
    "define": ("define NAME(PARAMETER) = VALUE", "A name for a value."),
    "turn": ("turn NAME:", "What a player does in a turn."),
    "play": ("play:", "Who takes which turn, if the players do not simply alternate."),
    "score": ("score p = NUMBER", "How many points the player `p` has."),
    "end": ("end:", "When the game is over, and who has won."),
    "without": (
        "without pie rule (or setup, play, score, end, or option, state, define, turn with a NAME)",
        "In a variant: removes a declaration of the base game.",
    ),
}

#: Words that begin a statement: the form they appear in, and what they mean.
STATING = {
    "choose": (
        "choose NAME in SITES where CONDITION",
        "The player chooses one of these that meets the condition.",
    ),
    "let": ("let NAME = VALUE", "A name for a value, for the rest of the block."),
    "require": ("require CONDITION", "The turn is legal only if this holds."),
    "place": (
        "place PLAYER KIND at SITES (in a turn PLAYER may be left out)",
        "Puts a piece on each of these sites; one that stands there is replaced.",
    ),
    "move": ("move SITES to SITES", "Moves a piece; one that it lands on is removed."),
    "remove": ("remove SITES", "Removes the pieces on these sites."),
    "flip": ("flip SITES", "The pieces on these sites change owner."),
    "become": ("become KIND at SITES", "The pieces on these sites become this kind and keep their owner."),
    "pass": ("pass", "This turn is a pass, which `passes` counts."),
    "again": (
        "again (or again: TURN)",
        "The same player then takes this turn once more, or the turn that is named.",
    ),
    "nothing": ("nothing", "Does nothing, in a block that must not be empty."),
    "swap": ("swap sides", "The people exchange their colours."),
    "keep": ("keep sides", "The people keep their colours, where they might have swapped them."),
    "at": ("at once:", "All effects of this block happen together, after all its values are known."),
    "if": ("if CONDITION:", "Does this if the condition holds."),
    "for": ("for NAME in SITES where CONDITION:", "Does this for each of these that meets the condition."),
    "either": ("either: (and below its block: or:)", "The player chooses one of these blocks."),
    "prefer": (
        "prefer: (and below its block: otherwise:)",
        "Does this if it leads to a legal move, or else what stands below.",
    ),
    "repeat": (
        "repeat: (and below its block: while CONDITION, or while CONDITION, or stop)",
        "Does this, and again as long as the condition holds.",
    ),
    "only": (
        "only the most NUMBER",
        "Of all ways to make this turn, only those with the largest number are legal.",
    ),
    "notation": ('notation "{SITES}-{SITES}"', "How the move is written."),
    "diagram": ('diagram """ROWS OF LETTERS"""', "The board at the beginning, as a picture."),
}

#: What each declaration and each statement looks like, by its first word.
DECLARATIONS = {word: form for word, (form, _) in DECLARING.items()}
STATEMENTS = {word: form for word, (form, _) in STATING.items()}

#: What the lines of a declaration look like, if they are not statements.
LINES = {
    "end": 'if CONDITION: PLAYER wins "REASON" (or PLAYER loses; draw; highest score wins, tie: OUTCOME)',
    "play": "repeat PLAYER, PLAYER: TURN (or once PLAYER: TURN)",
    "players": "NAME: CONSTANT = VALUE",
    "board": "the sites of a line, as: a1 b1 c1",
}

#: Words of the lines of `end`: the form they appear in, and what they mean.
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

#: Words inside declarations, statements and values: a form they appear in, and what they mean.
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

#: Words that begin a block, or may come between its first word and its colon.
OPENERS = frozenset("setup turn at if else for either or prefer otherwise repeat".split())

#: Words that continue an earlier block, and the word that block begins with.
SEQUELS = {"else": "if", "or": "either", "otherwise": "prefer", "while": "repeat"}

#: Words that join values; none of them can be a value's name.
JOINING = frozenset("if else and or not some no yes in within touches where div mod at to".split())

#: Words that begin or join values, statements and outcomes, so that they cannot be names. `nothing`, which
#: stands alone on its line, can.
RESERVED = (
    JOINING
    | frozenset("for players while wins loses draw highest lowest on once otherwise".split())
    | frozenset(STATEMENTS)
) - {"nothing"}


def written(value: object) -> str:
    """A value as a rule file writes it: conditions as `yes` and `no`."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _by_word(rows: dict[str, str]) -> dict[str, str]:
    """A table from each word to what to write, from one that gives several words for each hint."""
    return {word: hint for hint, words in rows.items() for word in words.split()}


#: Words that begin a declaration in other languages, and what to write in this one.
DECLARED_ELSEWHERE = _by_word(
    {
        f"write `define`: {DECLARATIONS['define']}": "def func function fn macro",
        f"what changes is a state: {DECLARATIONS['state']}; for what does not, write `define`": (
            "var const int bool global"
        ),
        "write `turn:`": "rules rule phase moves action",
        "write `end:`": "ending goal goals win winner over",
        "write `setup:`": "start begin init initial",
        f"a variant takes over the rules of its base: {DECLARATIONS['variant']}": "import include extends",
    }
)

#: Words that begin a statement in other languages, and what to write in this one.
BEGINNINGS = _by_word(
    {
        "write `else if`": "elif elsif elseif",
        "write `if not`": "unless",
        f"the form is: {STATEMENTS['repeat']}": "until loop do",
        f"the form is: {STATEMENTS['for']}": "foreach",
        "a block is left at its end only: say with `if` what is done": "break continue exit stop",
        "a definition is one value, and a turn ends with its last line": "return",
        "write `nothing`": "skip noop nop",
        "write `define` at the left edge of the file": "def func function fn macro",
        "`end:` says when the game is over and who has won": "win lose draw wins loses",
        "write `remove`: remove SITES": "capture take kill delete",
        "write `place`: place KIND at SITES": "add put drop",
        f"write `become`: {STATEMENTS['become']}": "promote transform",
        f"write `choose`: {STATEMENTS['choose']}": "select pick",
        f"write `require`: {STATEMENTS['require']}": "assert ensure",
        "write `let` for a new name: let NAME = VALUE": "set var const int bool local",
    }
)

#: Words of other languages inside a line, and what to write in this one.
FOREIGN = {
    "is": "write `in` for a site of a set, `=` between numbers or players",
    "then": "a colon stands behind the condition",
    "full": "write `no empty`",
    "contains": "write `B within A`, or `s in A` for a site",
    "not": "write `not` before the whole condition: not s in A",
    "xor": "write `!=` between two conditions in brackets",
    "unless": "write `if not`",
    "where": "`where` belongs to `choose` and `for`; sites that meet a condition: {s in SITES: CONDITION}",
}

_TURNED = "turned(d, 2) is d two steps clockwise, turned(d, -2) two the other way"

#: Names of values and functions in other languages, in lower case, and what this one has instead.
NAMED_ELSEWHERE = _by_word(
    {
        "write `yes`": "true",
        "write `no`": "false",
        "write `none` for the empty set": "null nil nothing nowhere",
        "`ply` is how many moves have been played": (
            "turns turn round rounds plies move_number move_count turn_number"
        ),
        "`ply` is how many moves have been played; stuck(next) holds where the next player has none": "moves",
        "stuck(next) holds where the player to move next has no legal move": (
            "legal_moves stalemate blocked can_move cannot_move has_moves no_moves"
        ),
        "size(A) is the number of sites of a set": "len length number cardinality",
        "kind(s) is the kind of the piece on a site": "type piece piece_at kind_of",
        "write `s in pieces(PLAYER)`": "owner",
        "other(mover) is the opponent, `theirs` where their pieces are": "opponent enemy",
        "`mover` is the player whose turn it is, `mine` where their pieces are": (
            "me self own player current_player friend"
        ),
        "write adjacent(SITES)": "neighbors neighbours neighbor neighbour",
        "write steps(SITES, SITES, through: SITES)": "distance dist",
        "write `some` before a set": "exists is_occupied",
        "write `no A` for a set, `s in empty` for a site": "is_empty isempty",
        "write row(s)": "rank",
        "write column(s)": "file col",
        _TURNED: "right left clockwise counterclockwise anticlockwise rotate rotated rotation",
        "write a range, such as 1..4": "range",
        "there is no chance in these games": "random",
        "a comma stands before it: while CONDITION, or stop": "stop",
    }
)

#: The same where brackets follow.
CALLED_ELSEWHERE = NAMED_ELSEWHERE | dict.fromkeys(["turn", "turns"], _TURNED)

#: Signs of other languages, longer ones first, and what to write in this one.
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
