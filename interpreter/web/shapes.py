"""The shapes of requests and answers, which are checked and described (OpenAPI)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StringConstraints

from interpreter.web.table import MOST_PLIES

#: The longest rule text (characters), the same as in the language.
MOST_TEXT = 100_000


def _whole(value: object) -> object:
    """JSON has one type of number: 2.0 is a whole number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_WHOLE = BeforeValidator(_whole)

_NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"
Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Text = Annotated[str, StringConstraints(max_length=MOST_TEXT)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=_NO_CONTROLS)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=1000, pattern=_NO_CONTROLS)]
PlayerName = Annotated[str, StringConstraints(pattern=r"^[a-z]+(:[A-Za-z0-9.,=]{1,60})?$", max_length=80)]
Ply = Annotated[int, Field(ge=0, le=MOST_PLIES, strict=True), _WHOLE]
OptionName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=60)]
OptionValue = StrictBool | Annotated[int, Field(ge=-(2**31), le=2**31, strict=True), _WHOLE]
Options = Annotated[dict[OptionName, OptionValue], Field(max_length=50)]
Moves = Annotated[list[MoveText], Field(max_length=MOST_PLIES)]
Person = Literal["first", "second"]


class Strict(BaseModel):
    """A model that accepts no unknown fields."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """What is wrong, in one sentence."""

    detail: str


# --- rules -------------------------------------------------------------------


class Bundled(Strict):
    """The rules of a bundled game."""

    bundled: Name


class Filed(Strict):
    """The rules of one of your own files; of its newest version unless another is given."""

    file: Id
    version: Annotated[int, Field(ge=1, le=1_000_000, strict=True), _WHOLE] | None = None


class Written(Strict):
    """Rules as text."""

    text: Text


class Tabled(Strict):
    """The rules of a table."""

    table: Id


Rules = Bundled | Filed | Written | Tabled


class OptionShape(BaseModel):
    """An option of a game and its value; a number may range from `low` to `high` in steps of `step`.

    These may depend on other options. `about` is the comment on it in the rules.
    """

    name: str
    type: Literal["int", "bool"]
    value: bool | int
    low: int | None
    high: int | None
    step: int | None
    about: str | None


class GameShape(BaseModel):
    """A bundled game; `words` are further search terms, `how` explains how to play."""

    name: str
    title: str
    about: str
    how: list[str]
    designer: str | None
    year: int | None
    base: str | None
    words: str
    options: list[OptionShape]
    thumbnail: str


class DiagnosticShape(BaseModel):
    """A fault in a rule text, and its place: lines and columns count from 1, the end column is one past it.

    `file` is the base game if the fault is in that, else null.
    """

    file: str | None
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Literal["error", "warning"]
    message: str
    hint: str | None


class CheckedGame(BaseModel):
    """A game whose rules are sound; `how` explains how to play."""

    title: str
    about: str
    how: list[str]
    options: list[OptionShape]


class Checked(BaseModel):
    """The result of checking a rule text."""

    ok: bool
    game: CheckedGame | None
    diagnostics: list[DiagnosticShape]


class Word(BaseModel):
    """A word of the language."""

    word: str
    kind: Literal[
        "declaration",
        "statement",
        "outcome",
        "board",
        "direction",
        "value",
        "function",
        "operator",
        "type",
        "word",
    ]
    form: str
    doc: str


class ToCheck(Strict):
    """A rule text."""

    text: Text


class ToPreview(Strict):
    """Rules, the values of options other than the defaults, and moves."""

    rules: Rules
    options: Options = {}
    moves: Moves = []


# --- positions ---------------------------------------------------------------


class Site(BaseModel):
    """A site: its name, its place (y up, neighbours 1 apart), its column and row, counted from 1."""

    name: str
    x: float
    y: float
    column: int
    row: int


Line = list[tuple[float, float]]


class Edges(BaseModel):
    """The outer edges of what a player has to reach: a side to link, a row."""

    player: str
    lines: list[Line]


class Exit(BaseModel):
    """A site at an edge beyond which the board begins again, and the way out there."""

    site: str
    way: tuple[int, int]


class BoardShape(BaseModel):
    """An empty board; `lines` are those between points, from end to end, `stars` the marked points.

    After `around` columns and rows the board begins again, at the `exits`; 0: it has an edge there. No move
    involves the `idle` sites; `slots` are those between two of them, and the way there. If `pits` is true,
    a site holds nothing but the seeds counted there; `stores` names the state that says what each player
    has taken, and `owners` gives the owner of each site that belongs to one player.
    """

    kind: str
    cell: Literal["point", "square", "hex"]
    size: int
    sites: list[Site]
    lines: list[Line]
    stars: list[str]
    around: tuple[int, int]
    exits: list[Exit]
    edges: list[Edges]
    idle: list[str]
    slots: dict[str, tuple[int, int]]
    #: What the rules call the numbers that players choose.
    number: str | None
    #: Whether each column has just one place for a piece, as if it fell there.
    falls: bool
    pits: bool
    owners: dict[str, str]
    stores: str | None
    #: Kinds of pieces that have a shape, not a letter: its width, and its path from -32 to 512 in height.
    shapes: dict[str, tuple[int, str]]


class Piece(BaseModel):
    """A piece on a site; a neutral one has no owner."""

    site: str
    owner: str | None
    kind: str
    letter: str


class LegalMove(BaseModel):
    """A legal move: its notation `n`, its choices `c` in order, each a pair of its sort and its value.

    Sorts are "site", "sites" (a list), "direction", "player", "kind", "int" and "word". If the notation does
    not name the sites, `goes` are pairs of sites from and to which the move takes the mover's pieces. A
    `bare` move puts no piece of the mover's on the empty site chosen first; a `still` one, without choices,
    changes nothing on the board.
    """

    n: str
    c: list[list[Any]]
    goes: list[list[str]] = []
    bare: bool = False
    still: bool = False


class Stage(BaseModel):
    """What the first choices `c` of a move have changed: the pieces that came, the sites left empty."""

    c: list[list[Any]]
    came: list[Piece]
    left: list[str]


class ResultShape(BaseModel):
    """How a game has ended; without a winner, in a draw."""

    winner: str | None
    person: Person | None
    reason: str
    scores: dict[str, int] | None


class ViewShape(BaseModel):
    """A position.

    `last` are the sites that the last move changed, `trail` those on which the moved piece stood, in order.
    """

    ply: int
    to_move: str
    #: The name of the turn to be taken, if the rules have several and it has one.
    turn: str | None
    person: Person
    seats: dict[str, Person]
    pieces: list[Piece]
    #: The number on each site that has one; "1/2" for several counters.
    counts: dict[str, str]
    state: dict[str, str]
    #: What each player has taken, if the board has pits.
    stores: dict[str, int] | None
    #: By colour, if the rules keep a score.
    scores: dict[str, int] | None
    last: list[str]
    trail: list[str]
    #: The sites of the pieces that decided the game: five in a row, a chain.
    decisive: list[str]
    moves: list[LegalMove]
    stages: list[Stage]
    result: ResultShape | None
    line: str


class Preview(BaseModel):
    """A position, the board under it, and the options of its game."""

    board: BoardShape
    view: ViewShape
    options: list[OptionShape]


# --- tables ------------------------------------------------------------------


class ToOpen(Strict):
    """A game to be played; a player is "human", or a machine such as "mcts:2s".

    It goes on after these moves; if it is `resigned`, the person to move then has resigned. `invited` is the
    person who is yet to come: the first to accept the invitation is given that seat.
    """

    rules: Rules
    options: Options = {}
    moves: Moves = []
    resigned: StrictBool = False
    first: PlayerName = "human"
    second: PlayerName = "human"
    invited: Person | None = None


class Seats(BaseModel):
    """The secret of each person's seat; none for a machine or for the person invited."""

    first: str | None
    second: str | None


class Opened(BaseModel):
    """A new table. The secrets are shown only once."""

    id: str
    seats: Seats
    invitation: str | None


class ToSit(Strict):
    """An invitation: the secret that came with a new table."""

    invitation: Annotated[str, StringConstraints(max_length=200)]


class Seat(BaseModel):
    """A seat and its secret, which is shown only once."""

    person: Person
    secret: str


class Again(BaseModel):
    """The table where the same people play again."""

    id: str


class TableShape(BaseModel):
    """A table and the state of its game; `you` is the person whose secret was sent with the request.

    `movers` made the `moves`, `asked` asks to take one back; the same people go on at the table `next`.
    `above` is the player whose pieces begin on the upper half of the board, the other's on the lower.
    `how` are paragraphs that explain how to play, as far as the rule file does; `remarks` are its comments
    on some of the `options`.
    """

    id: str
    title: str
    about: str
    how: list[str]
    rules: dict[str, Any]
    options: dict[str, bool | int]
    board: BoardShape
    players: list[str]
    above: str | None
    remarks: dict[str, str]
    people: dict[Person, str]
    you: Person | None
    number: int
    ply: int
    plies: int
    moves: list[str]
    movers: list[Person]
    asked: Person | None
    next: str | None
    presence: dict[Person, Literal["machine", "awaited", "away", "here"]]
    view: ViewShape
    record: str


class ToMove(Strict):
    """A move and the number of moves before it."""

    ply: Ply
    move: MoveText


class ToAct(Strict):
    """The number of moves made so far, as far as you know."""

    ply: Ply


class Done(BaseModel):
    """What has happened: the event's number and kind, the number of moves made, the notation of the move."""

    number: int
    kind: Literal["move", "undo", "ask", "decline", "resign"]
    ply: int
    move: str | None


class Advice(BaseModel):
    """A move worth playing: what its player can expect (0 lost, 1 won), and the likely continuation."""

    move: str
    value: float | None
    proven: str | None
    line: list[str]


class Hint(BaseModel):
    """The moves most worth playing, best first."""

    effort: str
    moves: list[Advice]


# --- records and analyses ------------------------------------------------------


class RecordShape(BaseModel):
    """A game in a file of records; `fault` says why it cannot be opened, if so.

    `rules` are those of the bundled game, or your own file, of the same name.
    """

    game: str
    rules: dict[str, str] | None = None
    options: dict[str, bool | int] = {}
    moves: list[str] = []
    resigned: bool = False
    first: str = "?"
    second: str = "?"
    result: str = "*"
    fault: str | None = None


class ToAnalyse(Strict):
    """Rules, and the values of options other than the defaults."""

    rules: Rules
    options: Options = {}


# --- files -------------------------------------------------------------------


class ToFile(Strict):
    """A rule file to be stored."""

    name: Name
    text: Text


class ToSave(Strict):
    """The next version of a rule file, and its new name if that changes."""

    text: Text
    name: Name | None = None


class Listed(BaseModel):
    """One of your rule files; `made` is in seconds since 1970."""

    id: str
    name: str
    version: int
    made: float


class FileShape(Listed):
    """A version of a rule file, with its text."""

    text: str


class VersionShape(BaseModel):
    """A version of a rule file."""

    version: int
    made: float
