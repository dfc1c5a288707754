"""The built-in words of the language: one row each.

A row gives the word, its parameters, its result and one plain sentence for the manual.
Each row has a meaning under the same key, in `interpreter.meanings` if it needs no position
and in `interpreter.words` if it does; a test fails if one is missing. A word may have
several rows, distinguished by the types of their arguments.
"""

from __future__ import annotations

from attrs import frozen

from gdl.core import Type

SET, INT, BOOL = Type.SET, Type.INT, Type.BOOL
PLAYER, DIRECTIONS, KIND = Type.PLAYER, Type.DIRECTIONS, Type.KIND


@frozen
class Parameter:
    """A parameter: its type, and the label the author must write (`through:`), if any."""

    type: Type
    label: str | None = None
    default: int | None = None


@frozen
class Builtin:
    """One row. `where` says where the word can be used: any, board (wherever there is a position:
    setup, turn, end, score), play (wherever someone moves: turn, end, score) or end."""

    key: str
    word: str
    parameters: tuple[Parameter, ...]
    result: Type
    doc: str
    where: str = "any"


@frozen
class Aggregate:
    """A word that runs over many values: the type of each value, the result, one sentence.

    `of` is None where the name itself takes the place of the value: `count(NAME for NAME in SITES)`.
    """

    word: str
    of: Type | None
    result: Type
    doc: str


def _row(
    key: str,
    word: str,
    parameters: str,
    result: Type,
    doc: str,
    where: str = "any",
) -> Builtin:
    """A row from its short form: parameters as "set set through:set int=1"."""
    parsed = []
    for item in parameters.split():
        label, _, kind = item.rpartition(":")
        kind, _, default = kind.partition("=")
        parsed.append(
            Parameter(Type(kind.replace("-", " ")), label or None, int(default) if default else None)
        )
    return Builtin(key, word, tuple(parsed), result, doc, where)


#: Words written without brackets.
VALUES = [
    _row("board", "board", "", SET, "All sites."),
    _row("empty", "empty", "", SET, "The sites without a piece.", "board"),
    _row("occupied", "occupied", "", SET, "The sites with a piece, neutral ones too.", "board"),
    _row("mine", "mine", "", SET, "The sites with a piece of the mover.", "play"),
    _row("theirs", "theirs", "", SET, "The sites with a piece of the mover's opponent.", "play"),
    _row("none", "none", "", SET, "The empty set: nowhere."),
    _row(
        "changed",
        "changed",
        "",
        SET,
        "The sites that look different from how they looked when this turn began.",
        "play",
    ),
    _row(
        "last_move",
        "last_move",
        "",
        SET,
        "The sites that the last finished turn changed; in `end`, the turn just made.",
        "play",
    ),
    _row("edge", "edge", "", SET, "The sites that lack a neighbour in some direction of the board."),
    _row("corner", "corner", "", SET, "The corners of the board."),
    _row("center", "center", "", SET, "The site in the middle, or the sites around it."),
    _row(
        "mover",
        "mover",
        "",
        PLAYER,
        "In a turn, the player whose turn it is; in `end` and `score`, the one who has just moved.",
        "play",
    ),
    _row("next", "next", "", PLAYER, "The player who moves after this turn.", "play"),
    _row(
        "ply",
        "ply",
        "",
        INT,
        "How many moves have been played: in a turn without the present one, in `end` with it.",
        "play",
    ),
    _row("passes", "passes", "", INT, "How many of the last moves in a row were passes.", "play"),
    _row(
        "infinite", "infinite", "", INT, "The largest number: farther than everything, where there is no way."
    ),
    _row(
        "repeated",
        "repeated",
        "",
        BOOL,
        "The same board and state with the same player to move has occurred before.",
        "play",
    ),
    _row(
        "repetitions",
        "repetitions",
        "",
        INT,
        "How often the same board and state with the same player to move has occurred, now included.",
        "play",
    ),
    _row(
        "repeated_board",
        "repeated_board",
        "",
        BOOL,
        "The same board has occurred before, whoever was to move.",
        "play",
    ),
]

#: Words written as functions: word(arguments).
FUNCTIONS = [
    _row("pieces", "pieces", "player", SET, "The sites with a piece of this player.", "board"),
    _row("kind_at", "kind", "set", KIND, "The kind of the piece on the site; no kind where there is none.", "board"),
    _row("size", "size", "set", INT, "How many sites the set has."),
    _row("group_count", "size", "groups", INT, "How many groups there are."),
    _row("way_count", "size", "directions", INT, "How many directions these are."),
    _row("row_of", "row", "set", INT, "The row of the site, counted from 1 at the bottom; 0 for the empty set."),
    _row("column_of", "column", "set", INT, "The column of the site, counted from 1 at the left; 0 for the empty set."),
    _row("row", "row", "int", SET, "All sites of this row."),
    _row("column", "column", "int", SET, "All sites of this column."),
    _row("step", "step", "set directions int=1", SET, "The sites one step (or k steps) from the set in any of the directions; k below 0 counts as 0, k above the number of sites as that number."),
    _row("adjacent", "adjacent", "set", SET, "The sites next to the set that are not in it."),
    _row("ray", "ray", "set directions", SET, "All sites from the set to the edge of the board, without the set itself."),
    _row("run", "run", "set directions set", SET, "The unbroken run of members of the third argument that starts next to the first."),
    _row("beyond", "beyond", "set directions set", SET, "The site right after that run (next to the site if the run is empty)."),
    _row("nearest", "nearest", "set set directions", SET, "The first member of the first argument that a ray from the second meets."),
    _row("farthest", "farthest", "set set directions", SET, "The last member of the first argument that a ray from the second meets."),
    _row("line", "line", "set int", SET, "The members of the set that stand in an unbroken line of k or more of them, in any direction of the board."),
    _row("between", "between", "set set", SET, "The sites strictly between two sites on one line; none if no line joins them."),
    _row("direction", "direction", "set set", DIRECTIONS, "The direction from the first site to the second on one line; no direction if no line joins them."),
    _row("opposite", "opposite", "directions", DIRECTIONS, "The opposite of each direction."),
    _row("flank", "flank", "directions", DIRECTIONS, "The two directions nearest to each direction, left and right of it."),
    _row("turned", "turned", "directions int", DIRECTIONS, "Each direction turned clockwise by this many steps: of 45 degrees on boards of squares and points, of 60 on hexes; a number below 0 turns the other way."),
    _row("leaps", "leaps", "set int int", SET, "The sites a leap away: a columns and b rows or b columns and a rows, on boards of squares and points."),
    _row("group", "group", "set", SET, "The pieces of one player connected to the piece on the site, that piece included; none on an empty site.", "board"),
    _row("groups", "groups", "set", Type.GROUPS, "The connected parts of the set, to loop over or to count."),
    _row("connected", "connected", "set", BOOL, "The set is in one part (or empty)."),
    _row("reach", "reach", "set through:set", SET, "The set itself and all members of `through` that a walk through such members reaches."),
    _row("steps", "steps", "set set through:set", INT, "The least number of steps from the first set to the second, with all sites between in `through`: 0 where they share a site, 1 where they touch, infinite where there is no way."),
    _row("closest", "closest", "set to:set through:set", SET, "The members of the set with the fewest steps to `to` through `through`; none where no member has a way."),
    _row("other", "other", "player", PLAYER, "The opponent of the player."),
    _row("abs", "abs", "int", INT, "The absolute value of the number."),
    _row("larger", "max", "int int", INT, "The larger of two numbers."),
    _row("smaller", "min", "int int", INT, "The smaller of two numbers."),
    _row("stuck", "stuck", "player", BOOL, "The player to move next has no legal move: `stuck(next)`.", "end"),
]  # fmt: skip

#: Operators; `word` is the operator.
OPERATORS = [
    _row("union", "+", "set set", SET, "The sites of either set."),
    _row("difference", "-", "set set", SET, "The sites of the first set that are not in the second."),
    _row("intersection", "&", "set set", SET, "The sites of both sets."),
    _row("either_way", "+", "directions directions", DIRECTIONS, "The directions of either set."),
    _row("without_way", "-", "directions directions", DIRECTIONS, "The directions of the first set that are not in the second."),
    _row("both_ways", "&", "directions directions", DIRECTIONS, "The directions of both sets."),
    _row("add", "+", "int int", INT, "The sum."),
    _row("subtract", "-", "int int", INT, "The difference."),
    _row("multiply", "*", "int int", INT, "The product."),
    _row("divide", "div", "int int", INT, "The quotient, rounded down; 0 if the divisor is 0."),
    _row("modulo", "mod", "int int", INT, "The remainder of `div`, with the sign of the divisor; 0 if the divisor is 0."),
    _row("power", "^", "int int", INT, "The power; 0 if the exponent is below 0."),
    _row("negate", "-", "int", INT, "The number with its sign reversed."),
    _row("less", "<", "int int", BOOL, "Less than."),
    _row("at_most", "<=", "int int", BOOL, "Less than or equal."),
    _row("greater", ">", "int int", BOOL, "Greater than."),
    _row("at_least", ">=", "int int", BOOL, "Greater than or equal."),
    _row("is_in", "in", "set set", BOOL, "The first set is not empty and all of it is in the second."),
    _row("way_in", "in", "directions directions", BOOL, "The first is not empty and all of it is in the second."),
    _row("within", "within", "set set", BOOL, "All of the first set is in the second; the empty set always is."),
    _row("way_within", "within", "directions directions", BOOL, "All of the first are among the second; no direction always is."),
    _row("touches", "touches", "set set", BOOL, "A site of the first set is next to a site of the second."),
    _row("some", "some", "set", BOOL, "The set is not empty."),
    _row("no", "no", "set", BOOL, "The set is empty."),
    _row("some_way", "some", "directions", BOOL, "There is a direction among them."),
    _row("no_way", "no", "directions", BOOL, "There is no direction among them."),
    _row("not", "not", "bool", BOOL, "The condition does not hold."),
    _row("all_of_kind", "KIND", "kind", SET, "The name of a kind of piece: the sites with such a piece, whoever owns it.", "board"),
    _row("kind_of", "KIND(p)", "kind player", SET, "The name of a kind of piece with a player: the sites with that player's pieces of the kind.", "board"),
    _row("at", "[]", "int-per-site set", INT, "A counter: its value on the site; 0 for the empty set.", "board"),
] + [
    _row(f"equal_{t.name.lower()}", "=", f"{t.value} {t.value}", BOOL, f"Both are the same {t.value}.")
    for t in (SET, INT, BOOL, PLAYER, DIRECTIONS, KIND)
]  # fmt: skip

#: Every built-in by its key.
BUILTINS = {row.key: row for row in VALUES + FUNCTIONS + OPERATORS}

#: The words that run over many values. The sets of a `union` may be of directions.
AGGREGATES = {
    row.word: row
    for row in [
        Aggregate("sum", INT, INT, "The sum of the numbers; 0 over nothing."),
        Aggregate("count", None, INT, "How many there are; 0 over nothing."),
        Aggregate("max", INT, INT, "The largest number; 0 over nothing."),
        Aggregate("min", INT, INT, "The smallest number; infinite over nothing."),
        Aggregate("any", BOOL, BOOL, "The condition holds for at least one; no over nothing."),
        Aggregate("all", BOOL, BOOL, "The condition holds for each; yes over nothing."),
        Aggregate("union", SET, SET, "All members of the sets (of sites or directions); none over nothing."),
    ]
}

#: The words that need earlier positions.
LOOKING_BACK = frozenset(["repeated", "repetitions", "repeated_board"])
