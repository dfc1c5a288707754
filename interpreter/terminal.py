"""Positions as pictures for the terminal, in colour or in plain ASCII.

A picture is a sheet: characters at places, where a line is a row of the board and a site
lies at its x times the pitch. Both ways of drawing paint the same sheet; they differ in
their signs, and the plain one leaves the styles out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import Factory, define, evolve, frozen

from gdl.boards import Board, column_name
from gdl.core import Type

if TYPE_CHECKING:
    from rich.text import Text

    from interpreter.game import Game, Position

#: Characters from one site to the next along a row; wider where names of columns need it.
PITCH = {"point": 2, "square": 3, "hex": 2}

#: How far each row of a board starts to the right of the one below it, in sites.
SLANT = {"point": 0.0, "square": 0.0, "hex": 0.5}

#: The crossing of lines that leave to the north (1), east (2), south (4) and west (8), by the sum of these.
CROSSINGS = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
CROSSING_WAYS = ("north", "east", "south", "west")

#: Colours of players by name; players of other names get the first ones that are left.
INKS = {
    "black": "#000000",
    "white": "#ffffff",
    "red": "#b3001b",
    "blue": "#003f9e",
    "green": "#00571d",
    "yellow": "#fff275",
}
GROUNDS = ("#c99a5b", "#dfb981")
LINE_INK, NEUTRAL_INK, MARK_INK, LABEL_INK = "#7a5426", "#4a3115", "#a30018", "dim"


@frozen
class Signs:
    """The characters to draw with: discs of the two players, a neutral piece, an empty site by its cell."""

    discs: tuple[str, str]
    neutral: str
    empty: Mapping[str, str]
    lines: bool  # join points by lines


ASCII = Signs(("X", "O"), "#", {"point": ".", "square": ".", "hex": "."}, lines=False)
UNICODE = Signs(("●", "○"), "■", {"point": "·", "square": "·", "hex": "·"}, lines=True)


def draw(position: Position) -> Text:
    """The position in colour: the board with coordinates, and who is to move or has won."""
    from rich.text import Text  # plain drawing must not wait for it

    # White is the hollow one even where it plays first.
    white_first = position.game.players[0] == "White"
    signs = evolve(UNICODE, discs=UNICODE.discs[::-1]) if white_first else UNICODE
    text = Text(no_wrap=True, overflow="ignore")
    for part in _parts(position, signs):
        if isinstance(part, str):
            text.append(part + "\n")
        else:
            for line in part.lines():
                for mark in line:
                    text.append(mark.character, f"{mark.ink} on {mark.ground}" if mark.ground else mark.ink)
                text.append("\n")
    text.rstrip()
    return text


def draw_ascii(position: Position) -> str:
    """The position in ASCII: the board with coordinates, and who is to move or has won."""
    parts = (part if isinstance(part, str) else part.plain() for part in _parts(position, ASCII))
    return "\n".join(parts).encode("ascii", "replace").decode()


def _parts(position: Position, signs: Signs) -> Iterator[Sheet | str]:
    """What to draw, from top to bottom."""
    game = position.game
    yield _board_sheet(position, signs)
    counters = {spec.name for spec in game.rules.states.values() if spec.type is Type.COUNTERS}
    for name, value in position.state.items():
        if name in counters:
            assert isinstance(value, dict)
            yield f"{name}:"
            yield _counter_sheet(game.board, [str(value.get(site, 0)) for site in game.board.names])
        else:
            yield f"{name}: {_state_text(value)}"
    yield _legend(position, signs)
    yield _status(position)


# --- words -------------------------------------------------------------------


def _state_text(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{player} {_state_text(own)}" for player, own in value.items())
        case list() | tuple():
            return " ".join(value) or "none"
        case _:
            return str(value)


def _status(position: Position) -> str:
    head = f"{position.game.name}, ply {position.ply}: "
    result = position.result
    if result is None:
        return f"{head}{position.to_move} ({position.person}) to move"
    verdict = f"{result.winner} ({result.person}) wins" if result.winner else "draw"
    scores = ", ".join(f"{player} {score}" for player, score in (result.scores or {}).items())
    return f"{head}{verdict}: {result.reason}" + (f" ({scores})" if scores else "")


def _legend(position: Position, signs: Signs) -> str:
    """Which signs are whose, and who sits there."""
    game = position.game
    pieces = _pieces(game, signs)
    items = []
    for player in game.players:
        own = [sign for piece, (sign, owner) in pieces.items() if owner == player]
        items.append(f"{player} ({position.seats[player]}) {' '.join(own)}".rstrip())
    items += [f"{piece} {sign}" for piece, (sign, owner) in pieces.items() if owner is None]
    return ", ".join(items)


def _pieces(game: Game, signs: Signs) -> dict[str, tuple[str, str | None]]:
    """The sign and the owner of each piece, by its text in `Position.board`.

    Pieces of one kind are discs; several kinds are letters, the second player's in lower case.
    """
    owned = [kind for kind in game.rules.kinds if not kind.neutral]
    neutral = [kind for kind in game.rules.kinds if kind.neutral]
    pieces: dict[str, tuple[str, str | None]] = {}
    for kind in owned:
        letters = (kind.letter, kind.letter.lower())
        for player, sign in zip(game.players, signs.discs if len(owned) == 1 else letters, strict=True):
            pieces[f"{player} {kind.name}"] = (sign, player)
    for kind in neutral:
        pieces[kind.name] = (signs.neutral if len(neutral) == 1 else kind.letter, None)
    return pieces


# --- sheets ------------------------------------------------------------------

Place = tuple[int, int]  # line, counted from the bottom as rows are, and column


@frozen
class Mark:
    """A character with the colours of itself and of its ground; no colour where empty."""

    character: str
    ink: str = ""
    ground: str = ""


@define
class Sheet:
    """Marks by place."""

    marks: dict[Place, Mark] = Factory(dict)

    def put(self, line: int, start: int, text: str, ink: str = "", ground: str = "") -> None:
        """Write a text from a column on; without a ground of its own it leaves the ground that is there."""
        for column, character in enumerate(text, start):
            place = line, column
            below = self.marks.get(place)
            self.marks[place] = Mark(character, ink, ground or (below.ground if below else ""))

    def lines(self) -> Iterator[list[Mark]]:
        """The marks of each line, from the top and from the leftmost column of all."""
        widths: defaultdict[int, int] = defaultdict(int)
        left = min(column for _, column in self.marks)
        for line, column in self.marks:
            widths[line] = max(widths[line], column + 1 - left)
        for line in range(max(widths), min(widths) - 1, -1):
            yield [self.marks.get((line, left + at), BLANK) for at in range(widths[line])]

    def plain(self) -> str:
        """The characters alone."""
        return "\n".join("".join(mark.character for mark in line).rstrip() for line in self.lines())


BLANK = Mark(" ")


def _board_sheet(position: Position, signs: Signs) -> Sheet:
    game, board = position.game, position.game.board
    pitch = _pitch(board, 1)
    sheet = _frame(board, pitch)
    pieces, inks = _pieces(game, signs), _inks(game.players)
    places = _places(board, pitch)
    for site, (line, column) in enumerate(places):
        shade = (board.columns[site] + board.rows[site]) % 2 if board.cell == "square" else 1
        sheet.put(line, column - 1, " " * max(3, pitch), ground=GROUNDS[shade])
    if signs.lines and board.cell == "point":
        _put_lines(sheet, board, pitch)
    else:
        for line, column in places:
            sheet.put(line, column, signs.empty[board.cell], LINE_INK)
    for name, piece in position.board.items():
        sign, owner = pieces[piece]
        sheet.put(*places[board.index[name]], sign, f"bold {inks[owner] if owner else NEUTRAL_INK}")
    for line, column in sorted(places[board.index[name]] for name in position.last_move):
        # Neighbours that have both changed share the bracket between them.
        shared = sheet.marks[line, column - 1].character == ")"
        sheet.put(line, column - 1, "|" if shared else "(", f"bold {MARK_INK}")
        sheet.put(line, column + 1, ")", f"bold {MARK_INK}")
    return sheet


def _put_lines(sheet: Sheet, board: Board, pitch: int) -> None:
    """Join the points of a square grid by lines."""
    ways = [board.steps[board.directions.index(way)] for way in CROSSING_WAYS]
    for site, (line, column) in enumerate(_places(board, pitch)):
        crossing = CROSSINGS[sum(1 << bit for bit, targets in enumerate(ways) if targets[site] >= 0)]
        eastward = "─" * (pitch - 1) if ways[1][site] >= 0 else ""
        sheet.put(line, column, crossing + eastward, LINE_INK)


def _counter_sheet(board: Board, texts: list[str]) -> Sheet:
    """A number for each site."""
    pitch = _pitch(board, max(map(len, texts)))
    sheet = _frame(board, pitch)
    for (line, column), text in zip(_places(board, pitch), texts, strict=True):
        _put_middle(sheet, line, column, text)
    return sheet


def _frame(board: Board, pitch: int) -> Sheet:
    """A sheet with the coordinates alone: each label lies where its column or row leaves the board.

    At the lower left and upper right of a hexagon, where both would lie at one place, the column's stands.
    """
    sheet, places, slant = Sheet(), _places(board, pitch), round(SLANT[board.cell] * pitch)
    left, right = min(column for _, column in places), max(column for _, column in places)
    by_column: defaultdict[int, list[Place]] = defaultdict(list)
    by_row: defaultdict[int, list[Place]] = defaultdict(list)
    for site, place in enumerate(places):
        by_column[board.columns[site]].append(place)
        by_row[board.rows[site]].append(place)
    for number, ends in by_column.items():
        (low, start), (high, stop) = min(ends), max(ends)
        if not slant:  # level with the labels of the other columns, where the board has gaps too
            low, high = min(board.rows), max(board.rows)
        for line, column in ((low - 1, start - slant), (high + 1, stop + slant)):
            _put_middle(sheet, line, column, column_name(number), LABEL_INK)
    for number, ends in by_row.items():
        (line, start), (_, stop) = min(ends), max(ends)
        if not slant:
            start, stop = left, right
        label = str(number)
        for anchor, column in ((start - pitch, start - pitch + 1 - len(label)), (stop + pitch, stop + pitch)):
            if (line, anchor) not in sheet.marks:
                sheet.put(line, column, label, LABEL_INK)
    return sheet


def _put_middle(sheet: Sheet, line: int, column: int, text: str, ink: str = "") -> None:
    """Write a text with its middle at the column."""
    sheet.put(line, column - (len(text) - 1) // 2, text, ink)


def _places(board: Board, pitch: int) -> list[Place]:
    """Where each site lies on a sheet."""
    return [(row, round(x * pitch)) for row, (x, _) in zip(board.rows, board.xy, strict=True)]


def _pitch(board: Board, width: int) -> int:
    """The least pitch at which texts of this width and the names of columns keep apart."""
    pitch = max(PITCH[board.cell], width + 1, len(column_name(max(board.columns))) + 1)
    return pitch + pitch % 2 if board.cell == "hex" else pitch  # half a site must be whole characters


def _inks(players: tuple[str, str]) -> dict[str, str]:
    """The colour of each player's pieces."""
    named = {player: INKS[player.lower()] for player in players if player.lower() in INKS}
    left = (ink for ink in INKS.values() if ink not in named.values())
    return {player: named.get(player) or next(left) for player in players}
