"""Positions as pictures for the terminal, in colour or in plain ASCII.

A picture is a sheet: characters at places, where each line is a row of the board (or every other line, if
diagonals go between them) and a site lies at its x times the pitch. All ways of drawing paint the same
sheet; they differ in their looks, and the plain one leaves the colours out.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import Factory, define, evolve, frozen

from gdl.boards import Board, column_name
from gdl.words import written

if TYPE_CHECKING:
    from rich.text import Text

    from interpreter.game import Game, Position

#: Characters from one site to the next along a row; more if the names of columns need it.
PITCH = {"point": 2, "square": 3, "hex": 2}

#: How far each row of a board starts to the right of the one below it, in sites.
SLANT = {"point": 0.0, "square": 0.0, "hex": 0.5}

#: The crossing of lines that leave north (1), east (2), south (4) and west (8), by the sum of these.
CROSSINGS = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
CROSSING_WAYS = ("north", "east", "south", "west")

#: Diagonals, and how two that cross each other are drawn.
DIAGONALS = {"north_east": "╱", "north_west": "╲"}  # noqa: RUF001
CROSSED = "╳"  # noqa: RUF001

#: Characters from the outermost site to the number of its row, at least: a bracket fits in between.
REACH = 3

#: Colours of players by name; players with other names get the first ones left over.
INKS = {
    "black": "bold #000000",
    "white": "bold #ffffff",
    "red": "bold #b3001b",
    "blue": "bold #003f9e",
    "green": "bold #00571d",
    "yellow": "bold #fff275",
}
#: Players with these names have light pieces.
LIGHT = ("white", "yellow")
LABEL_INK = "dim"


@frozen
class Looks:
    """The characters and the colours to draw with; an empty text means no colour.

    `grounds` alternate on squares; `changed` is the ground of sites that the last move has changed, or
    whose pieces have decided the game; without it, brackets mark them.
    """

    discs: tuple[str, str]
    neutral: str
    empty: Mapping[str, str]  # an empty site by its cell
    lines: bool = False  # join points by lines
    inks: Mapping[str, str] = INKS
    line_ink: str = ""
    neutral_ink: str = ""
    grounds: tuple[str, str] = ("", "")
    changed: str = ""


ASCII = Looks(("X", "O"), "#", {"point": ".", "square": ".", "hex": "."})
#: The colours of the board are among the 256 that many terminals have.
COLOURS = Looks(
    ("●", "●"),
    "■",
    {"point": "·", "square": " ", "hex": "·"},
    lines=True,
    line_ink="#875f00",
    neutral_ink="#5f5f5f",
    grounds=("#d7af5f", "#d7af87"),
    changed="#afd75f",
)
#: Sixteen colours, each terminal's own: black on light grey, as in a book, is legible on all of them.
FEW_COLOURS = Looks(
    ("●", "○"),
    "■",
    {"point": "·", "square": "·", "hex": "·"},
    lines=True,
    inks={**dict.fromkeys(INKS, "black"), "red": "red", "blue": "blue", "green": "green"},
    line_ink="black",
    neutral_ink="black",
    grounds=("white", "white"),
    changed="yellow",
)


def draw(position: Position, looks: Looks = COLOURS, room: int = sys.maxsize) -> Text:
    """The position in colour: the board with coordinates, and who is to move or has won.

    A board wider than `room` columns is cut, with a note that says so.
    """
    from rich.text import Text  # imported here so that plain drawing need not wait for it

    text = Text(no_wrap=True, overflow="ignore")
    for part in _parts(position, evolve(looks, discs=_discs(position.game.players, looks)), room):
        if isinstance(part, str):
            text.append(part + "\n")
        else:
            for line in part.lines():
                for mark in line:
                    text.append(mark.character, f"{mark.ink} on {mark.ground}" if mark.ground else mark.ink)
                text.append("\n")
    text.rstrip()
    return text


def draw_ascii(position: Position, room: int = sys.maxsize) -> str:
    """The position in ASCII, otherwise like `draw`."""
    parts = (part if isinstance(part, str) else part.plain() for part in _parts(position, ASCII, room))
    return "\n".join(parts).encode("ascii", "replace").decode()


def _discs(players: tuple[str, str], looks: Looks) -> tuple[str, str]:
    """The discs of the players: the second one, hollow if there are few colours, goes to a light player."""
    first, second = (player.lower() in LIGHT for player in players)
    return looks.discs[::-1] if first and not second else looks.discs


def _parts(position: Position, looks: Looks, room: int) -> Iterator[Sheet | str]:
    """What to draw, from top to bottom."""
    game = position.game
    sheet = _board_sheet(position, looks)
    width = sheet.width
    yield sheet.cut(room)
    counters = position.counters
    for name, value in position.state.items():
        if name in counters:
            sheet = _counter_sheet(game.board, list(map(str, counters[name].values())))
            width = max(width, sheet.width)
            yield f"{name}:"
            yield sheet.cut(room)
        else:
            yield f"{name}: {state_text(value)}"
    if width > room:
        yield f"The terminal is too narrow: it has {room} columns, and the board needs {width}."
    yield _legend(position, looks)
    if position.result is None and position.scores:
        yield f"score: {state_text(position.scores)}"
    yield _status(position)


# --- words -------------------------------------------------------------------


def state_text(value: object) -> str:
    """The value of a state as text."""
    match value:
        case dict():
            return ", ".join(f"{player} {state_text(own)}" for player, own in value.items())
        case list() | tuple():
            return " ".join(value) or "none"
        case _:
            return written(value)


def _status(position: Position) -> str:
    head = f"{position.game.name}, ply {position.ply}: "
    if position.result is None:
        return f"{head}{position.to_move} ({position.person}) to move"
    return f"{head}{position.result}"


def _legend(position: Position, looks: Looks) -> Sheet:
    """Which signs belong to which player, and which person plays that colour."""
    game = position.game
    pieces, inks = _pieces(game, looks), _inks(game.players, looks)
    items = []
    for player in game.players:
        own = [sign for sign, owner in pieces.values() if owner == player]
        items.append((f"{player} ({position.seats[player]})", own, inks[player]))
    items += [(piece, [sign], looks.neutral_ink) for piece, (sign, owner) in pieces.items() if owner is None]
    sheet, ground = Sheet(), looks.grounds[1]
    for text, signs, ink in items:
        between = "  " if ground else ", "
        sheet.add(between * bool(sheet.marks) + text)
        for sign in signs:
            sheet.add(" ", ground=ground)
            sheet.add(sign, ink, ground)
        sheet.add(" " * bool(signs and ground), ground=ground)
    return sheet


def _pieces(game: Game, looks: Looks) -> dict[str, tuple[str, str | None]]:
    """The sign and the owner of each piece, by its text in `Position.board`.

    Pieces of one kind are discs; several kinds are letters, the second player's in lower case.
    """
    owned = [kind for kind in game.rules.kinds if not kind.neutral]
    neutral = [kind for kind in game.rules.kinds if kind.neutral]
    pieces: dict[str, tuple[str, str | None]] = {}
    for kind in owned:
        letters = (kind.letter, kind.letter.lower())
        for player, sign in zip(game.players, looks.discs if len(owned) == 1 else letters, strict=True):
            pieces[f"{player} {kind.name}"] = (sign, player)
    for kind in neutral:
        pieces[kind.name] = (looks.neutral if len(neutral) == 1 else kind.letter, None)
    return pieces


# --- sheets ------------------------------------------------------------------

Place = tuple[int, int]  # line, counted from the bottom as rows are, and column


@frozen
class Mark:
    """A character, its colour and that of its ground; an empty text means no colour."""

    character: str
    ink: str = ""
    ground: str = ""


@define
class Sheet:
    """Marks by place."""

    marks: dict[Place, Mark] = Factory(dict)

    def put(self, line: int, start: int, text: str, ink: str = "", ground: str = "") -> None:
        """Write a text from a column on; without a ground of its own it keeps the one that is there."""
        for column, character in enumerate(text, start):
            place = line, column
            below = self.marks.get(place)
            self.marks[place] = Mark(character, ink, ground or (below.ground if below else ""))

    def add(self, text: str, ink: str = "", ground: str = "") -> None:
        """Append to a sheet of one line."""
        self.put(0, len(self.marks), text, ink, ground)

    @property
    def left(self) -> int:
        """The leftmost column that has a mark."""
        return min(column for _, column in self.marks)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return max(column for _, column in self.marks) + 1 - self.left

    def cut(self, width: int) -> Sheet:
        """The sheet without what lies beyond this width."""
        end = self.left + width
        return Sheet({place: mark for place, mark in self.marks.items() if place[1] < end})

    def lines(self) -> Iterator[list[Mark]]:
        """The marks of each line, from the top; each line starts at the leftmost column of the sheet."""
        widths: defaultdict[int, int] = defaultdict(int)
        left = self.left
        for line, column in self.marks:
            widths[line] = max(widths[line], column + 1 - left)
        for line in range(max(widths), min(widths) - 1, -1):
            yield [self.marks.get((line, left + at), BLANK) for at in range(widths[line])]

    def plain(self) -> str:
        """The characters alone."""
        return "\n".join("".join(mark.character for mark in line).rstrip() for line in self.lines())


BLANK = Mark(" ")


def _board_sheet(position: Position, looks: Looks) -> Sheet:
    game, board = position.game, position.game.board
    pitch, lines = _pitch(board, 1), looks.lines and board.cell == "point"
    places = _places(board, pitch, 2 if lines and _has_diagonals(board) else 1)
    sheet = _frame(board, pitch, places)
    pieces, inks = _pieces(game, looks), _inks(game.players, looks)
    changed = [board.index[name] for name in position.decisive or position.last_move]
    for site in sorted(range(board.size), key=changed.__contains__):  # the changed ones go on top
        shade = (board.columns[site] + board.rows[site]) % 2 if board.cell == "square" else 1
        line, column = places[site]
        ground = (site in changed and looks.changed) or looks.grounds[shade]
        sheet.put(line, column - 1, " " * max(3, pitch), ground=ground)
    if lines:
        _put_lines(sheet, board, pitch, places, looks.line_ink)
    else:
        for line, column in places:
            sheet.put(line, column, looks.empty[board.cell], looks.line_ink)
    for name, piece in position.board.items():
        sign, owner = pieces[piece]
        sheet.put(*places[board.index[name]], sign, inks[owner] if owner else looks.neutral_ink)
    if not looks.changed:
        for line, column in sorted(places[site] for site in changed):
            # Two changed neighbours share the bracket between them.
            shared = sheet.marks[line, column - 1].character == ")"
            sheet.put(line, column - 1, "|" if shared else "(")
            sheet.put(line, column + 1, ")")
    return sheet


def _has_diagonals(board: Board) -> bool:
    """Whether the board is made of lines, some of them diagonal, which need room between the rows."""
    return board.kind == "lines" and any(max(_towards(board, way)) >= 0 for way in DIAGONALS)


def _towards(board: Board, way: str) -> tuple[int, ...]:
    """The next site in a direction from each, or -1."""
    return board.steps[board.directions.index(way)]


def _put_diagonals(sheet: Sheet, board: Board, places: Sequence[Place], ink: str) -> None:
    """Join the points of diagonal lines."""
    for way, sign in DIAGONALS.items():
        for (line, column), target in zip(places, _towards(board, way), strict=True):
            end, far = places[target] if target >= 0 else (line, column)
            for between in range(line + 1, end):
                at = between, column + round((far - column) * (between - line) / (end - line))
                crossed = at in sheet.marks and sheet.marks[at].character in DIAGONALS.values()
                sheet.put(*at, CROSSED if crossed else sign, ink)


def _put_lines(sheet: Sheet, board: Board, pitch: int, places: Sequence[Place], ink: str) -> None:
    """Join the points of a square grid by lines, including those farther apart."""
    if _has_diagonals(board):
        _put_diagonals(sheet, board, places, ink)
    ways = [_towards(board, way) for way in CROSSING_WAYS]
    for site, (line, column) in enumerate(places):
        crossing = CROSSINGS[sum(1 << bit for bit, targets in enumerate(ways) if targets[site] >= 0)]
        sheet.put(line, column, crossing, ink)
        north, east = (places[ways[way][site]] for way in (0, 1))
        if ways[1][site] >= 0:
            # A line that wraps around the board is drawn as short as any other.
            length = east[1] - column if east[1] > column else pitch
            sheet.put(line, column + 1, "─" * (length - 1), ink)
        for between in range(line + 1, north[0] if ways[0][site] >= 0 else 0):
            sheet.put(between, column, "│", ink)


def _counter_sheet(board: Board, texts: list[str]) -> Sheet:
    """A number for each site."""
    pitch = _pitch(board, max(map(len, texts)))
    places = _places(board, pitch)
    sheet = _frame(board, pitch, places)
    for (line, column), text in zip(places, texts, strict=True):
        _put_middle(sheet, line, column, text)
    return sheet


def _frame(board: Board, pitch: int, places: Sequence[Place]) -> Sheet:
    """A sheet with the coordinates alone, on all sides.

    On a slanted board each appears once, where its line leaves the board: the letter of a column below,
    the number of a row at the right.
    """
    sheet, slant = Sheet(), round(SLANT[board.cell] * pitch)
    left, right = min(column for _, column in places), max(column for _, column in places)
    bottom, top = min(line for line, _ in places), max(line for line, _ in places)
    reach = max(pitch, REACH)
    by_column: defaultdict[int, list[Place]] = defaultdict(list)
    by_row: defaultdict[int, list[Place]] = defaultdict(list)
    for site, place in enumerate(places):
        by_column[board.columns[site]].append(place)
        by_row[board.rows[site]].append(place)
    for number, ends in by_column.items():
        line, column = min(ends)
        if slant:
            beside = line > bottom  # keep clear of the sites of the row beside it
            _put_middle(sheet, line - 1, column - slant - beside, column_name(number), LABEL_INK)
        else:
            for line in (bottom - 1, top + 1):
                _put_middle(sheet, line, column, column_name(number), LABEL_INK)
    for number, ends in by_row.items():
        line, column = max(ends)
        label = str(number)
        sheet.put(line, (column if slant else right) + reach, label, LABEL_INK)
        if not slant:
            sheet.put(line, left - reach + 1 - len(label), label, LABEL_INK)
    return sheet


def _put_middle(sheet: Sheet, line: int, column: int, text: str, ink: str = "") -> None:
    """Write a text with its middle at the column."""
    sheet.put(line, column - (len(text) - 1) // 2, text, ink)


def _places(board: Board, pitch: int, rise: int = 1) -> list[Place]:
    """Where each site lies on a sheet on which each row is `rise` lines above the one below it."""
    return [(rise * row, round(x * pitch)) for row, (x, _) in zip(board.rows, board.xy, strict=True)]


def _pitch(board: Board, width: int) -> int:
    """The least pitch that keeps texts of this width, and the names of columns, apart."""
    pitch = max(PITCH[board.cell], width + 1, len(column_name(max(board.columns))) + 1)
    return pitch + pitch % 2 if board.cell == "hex" else pitch  # half a site must be whole characters


def _inks(players: tuple[str, str], looks: Looks) -> dict[str, str]:
    """The colour of each player's pieces."""
    left = (ink for name, ink in looks.inks.items() if name not in map(str.lower, players))
    return {player: looks.inks.get(player.lower()) or next(left) for player in players}
