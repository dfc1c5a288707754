"""The core of a checked game: a small, closed, typed tree that an engine runs.

The checker turns a syntax tree into this form. Every name is resolved, every
definition is inlined, every expression carries its type; what is left is a dozen
kinds of expression and some twenty statements. Options and names of sites stay
symbolic (`Option`, `SiteName`) until a game is bound to option values and a board.

Values at run time:

========== ==================================================================
set        an integer with one bit per site, bit i for site i of the board
int        an integer from -LIMIT to LIMIT; arithmetic saturates there
bool       true or false
player     0 or 1, the index in `CheckedGame.players`
directions an integer with one bit per direction of the board
kind       the index in `CheckedGame.kinds`, or -1: no piece
========== ==================================================================
"""

from __future__ import annotations

from enum import Enum

from attrs import field, frozen

from gdl.source import Span

#: Integers of the language run from -LIMIT to LIMIT; `infinite` is LIMIT.
LIMIT = 2**31 - 1


class Type(Enum):
    """The types of the language. A single site is a set of one, a direction a set of one direction."""

    SET = "set"
    INT = "int"
    BOOL = "bool"
    PLAYER = "player"
    DIRECTIONS = "directions"
    KIND = "kind"
    COUNTERS = "int per site"
    GROUPS = "groups"  # only as something to loop over or to count


# --- expressions -------------------------------------------------------------


@frozen
class Expr:
    """An expression: its type, and where the author wrote it."""

    type: Type
    span: Span = field(eq=False, repr=False)


@frozen
class Const(Expr):
    """A value known when the file is read."""

    value: int | bool


@frozen
class Option(Expr):
    """The value of an option; a constant once the game is bound."""

    name: str


@frozen
class SiteName(Expr):
    """The set of the one site with this name; a constant once the game is bound."""

    name: str


@frozen
class Local(Expr):
    """A value bound by `choose`, `let`, `for`, a comprehension or a parameter.

    Slots are unique in a game and run from 0 to `CheckedGame.slots` - 1.
    """

    slot: int
    name: str = field(eq=False)


@frozen
class State(Expr):
    """A `state` variable as it is now; `name` is a key of `CheckedGame.states`."""

    name: str


@frozen
class Call(Expr):
    """A built-in of `gdl.builtins` applied to its arguments, all of them evaluated."""

    function: str
    args: tuple[Expr, ...]


@frozen
class If(Expr):
    """`then` if the condition holds, else `otherwise`; only one of them is evaluated.

    `a and b` is If(a, b, false), `a or b` is If(a, true, b).
    """

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class Let(Expr):
    """`body` with the slot bound to `value`."""

    slot: int
    value: Expr
    body: Expr


@frozen
class Fold(Expr):
    """An aggregate over a domain.

    `op` is one of sum, count, max, min, any, all, union. `body` is evaluated for each
    value that meets the condition. Over nothing: sum, count and max are 0, min is
    LIMIT (infinite), any is false, all is true, union is the empty set (of sites or
    of directions, depending on `type`). any and all stop at the first value that decides.
    """

    op: str
    slot: int
    domain: Domain
    condition: Expr | None
    body: Expr


@frozen
class Domain:
    """What a loop, a choice or an aggregate runs over, in this order.

    ============ ================ ================================================
    kind         args             values
    ============ ================ ================================================
    sites        (set,)           each site as a set of one, in ascending order
    groups       (set,)           each group of the set, by its lowest site
    range        (low, high, by)  low, low+by, ... up to high; none if by < 1
    directions   (directions,)    each direction as a set of one, in ascending order
    players      ()               both players
    values       (v1, v2, ...)    the listed values, all of one type
    ============ ================ ================================================
    """

    kind: str
    type: Type
    args: tuple[Expr, ...]


# --- statements --------------------------------------------------------------


@frozen
class Stmt:
    """A statement. A turn runs its statements from first to last."""

    span: Span = field(eq=False, repr=False)


Block = tuple[Stmt, ...]


@frozen
class Choose(Stmt):
    """Continue once for each value of the domain that meets the condition: the run branches."""

    slot: int
    name: str
    domain: Domain
    condition: Expr | None


@frozen
class SetLocal(Stmt):
    """`let`, or `:=` to a local: the slot holds the value from here on in this run."""

    slot: int
    value: Expr


@frozen
class Require(Stmt):
    """This run is not a legal move unless the condition holds now."""

    condition: Expr


@frozen
class Place(Stmt):
    """Put a piece on each site of the set; what stood there is gone. Owner None: neutral."""

    owner: Expr | None
    kind: Expr
    at: Expr


@frozen
class Move(Stmt):
    """The piece on the i-th site of `origin` goes to the i-th site of `target`, until either runs out.

    Both sets are read before anything moves, and sites of `origin` without a piece are
    dropped first; what stood on a target site is gone, unless it moves away too.
    """

    origin: Expr
    target: Expr


@frozen
class Remove(Stmt):
    """Take away the pieces on these sites."""

    at: Expr


@frozen
class Flip(Stmt):
    """The pieces on these sites change owner; neutral ones stay as they are."""

    at: Expr


@frozen
class Become(Stmt):
    """The pieces on these sites become this kind and keep their owner."""

    kind: Expr
    at: Expr


@frozen
class SetState(Stmt):
    """`name := value`."""

    name: str
    value: Expr


@frozen
class SetCounters(Stmt):
    """`name[at] := value` on each site of `at`; with `add`, `name[at] += value`.

    The value is evaluated once.
    """

    name: str
    at: Expr
    value: Expr
    add: bool


@frozen
class Pass(Stmt):
    """This turn is a pass: `passes` counts them."""


@frozen
class Again(Stmt):
    """The same player continues with the turn of this name; None: takes the same turn once more."""

    turn: str | None


@frozen
class Sides(Stmt):
    """`swap sides` (the two people change seats) or `keep sides` (they do not)."""

    swap: bool


@frozen
class AtOnce(Stmt):
    """All expressions inside see the board and the state as they were before; then all effects land.

    First all pieces that move, are replaced or removed leave the board, then those that arrive land,
    in the order of the statements. Only Place, Move, Remove, Flip, Become, SetState, SetCounters,
    SetLocal, IfStmt and For may appear inside.
    """

    body: Block


@frozen
class IfStmt(Stmt):
    """Run one of two blocks."""

    condition: Expr
    then: Block
    otherwise: Block


@frozen
class For(Stmt):
    """Run the body for each value of the domain, which is evaluated once, beforehand."""

    slot: int
    domain: Domain
    condition: Expr | None
    body: Block


@frozen
class Either(Stmt):
    """The run branches: one branch for each of the blocks."""

    branches: tuple[Block, ...]


@frozen
class Prefer(Stmt):
    """The first of the blocks that has a legal run; the later ones are then ignored.

    The checker has moved the rest of the turn to the end of each block, so a
    block counts as legal only if the whole turn is.
    """

    branches: tuple[Block, ...]


@frozen
class Repeat(Stmt):
    """Run the body, then again as long as the condition holds, at most `parts.rounds` times."""

    body: Block
    condition: Expr


@frozen
class OnlyMost(Stmt):
    """Of all runs that get this far in the block, keep only those with the largest value.

    Appears only at the top level of a turn or of a branch of `prefer`.
    """

    value: Expr


@frozen
class Notation(Stmt):
    """The notation of this move: pieces of text and values, joined.

    A part is a str or an Expr: a set prints as the names of its sites joined by `-`, a kind
    as its letter, an int in digits, a player by name, directions by name. With `add` it is
    appended to what earlier ones in this turn have written.
    """

    parts: tuple[str | Expr, ...]
    add: bool = False


# --- the game ----------------------------------------------------------------


@frozen
class Kind:
    """A kind of piece: its name, its letter (upper case), and whether it belongs to nobody."""

    name: str
    letter: str
    neutral: bool = False


@frozen
class OptionSpec:
    """An option: an int with a range (bounds are constant expressions of earlier options), or yes/no."""

    name: str
    span: Span = field(eq=False, repr=False)
    type: Type  # INT or BOOL
    default: Expr
    low: Expr | None = None
    high: Expr | None = None
    step: Expr | None = None


@frozen
class StateSpec:
    """A `state` variable; `initial` is evaluated after `setup`, in order.

    For Type.COUNTERS `initial` has Type.INT, or `per_site` holds (value, set) pairs: 0 elsewhere.
    A `TYPE per player` is two of these, one for each `player`, with the keys `NAME[PLAYER]` in
    `CheckedGame.states`.
    """

    name: str
    type: Type
    span: Span = field(eq=False, repr=False)
    initial: Expr | None
    per_site: tuple[tuple[Expr, Expr], ...] = ()
    player: int | None = None


@frozen
class PlayStep:
    """`once` or `repeat`: these players, in this order, each take the turn `turn`.

    The once-steps come first, each skipped if `when` is false at the time; the
    repeat-step (always exactly one, the last) goes round forever.
    """

    once: bool
    players: tuple[int, ...]
    turn: str
    when: Expr | None = None


@frozen
class Outcome:
    """The outcome of an ending.

    ======== ===========================================================
    kind     meaning
    ======== ===========================================================
    wins     the player `player` wins
    loses    the other player wins
    draw     nobody wins
    highest  the higher `score` wins; if equal, `tie` decides
    lowest   the lower `score` wins; if equal, `tie` decides
    ======== ===========================================================
    """

    kind: str
    player: Expr | None = None
    tie: Outcome | None = None


@frozen
class Ending:
    """`if condition: outcome "reason"`, tried in order after each turn.

    `text` is the reason, or the condition as written if there is none.
    """

    condition: Expr
    outcome: Outcome
    text: str


@frozen
class Diagram(Stmt):
    """A picture of the board, top row first: for each site a piece's (owner, kind) or None.

    `places` gives the place of each letter in the file.
    """

    rows: tuple[tuple[tuple[int | None, int] | None, ...], ...]
    places: tuple[tuple[Span, ...], ...] = field(eq=False, repr=False)


@frozen
class CheckedGame:
    """A rule file that has passed the checker, together with its base file if it is a variant."""

    name: str
    base: str | None
    designer: str | None
    year: int | None
    about: str
    options: dict[str, OptionSpec]
    players: tuple[str, str]
    kinds: tuple[Kind, ...]
    board: str  # a key of gdl.boards.BOARDS, or "lines"
    board_args: tuple[tuple[str, Expr], ...]  # (parameter, value): constant expressions of options
    board_lines: tuple[tuple[str, ...], ...]  # the sites on each line, if the board is "lines"
    site_slot: int
    site_condition: Expr | None  # whether the site of the full board in `site_slot` exists
    states: dict[str, StateSpec]
    setup: Block
    turns: dict[str, Block]
    play: tuple[PlayStep, ...]
    pie: Expr | None  # a constant expression of options
    score_slot: int
    score: Expr | None  # Type.INT, of the player in `score_slot`
    end: tuple[Ending, ...]
    slots: int
