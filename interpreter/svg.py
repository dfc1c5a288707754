"""A position as an SVG picture: the board by its cells, on it the pieces, the counters and the last move.

Everything has a class (`board`, `label`, `last`, `piece`, `Black`, ...), so that a page can paint it in other
colours; by itself the picture needs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import cos, radians, sin, sqrt
from typing import TYPE_CHECKING

from gdl.boards import Board, column_name

if TYPE_CHECKING:
    from interpreter.game import Game, Position

UNIT = 20  # from a site to its neighbour
PIXELS = 2.4  # of a picture shown in its own size, for each unit of it

WOOD, SHADE, LINE, PAPER = "#f1dcae", "#e2c48c", "#8a6a3c", "#fffaf0"
DARK, LIGHT, NEUTRAL, LAST = "#26282d", "#fff", "#8d9299", "#4d9a3a"
#: The fill of a player's pieces and the ink on it: by the player's name, else by who is first.
PAINTS = {
    "Black": (DARK, LIGHT),
    "White": (LIGHT, DARK),
    "Red": ("#c8372d", LIGHT),
    "Blue": ("#2d62b3", LIGHT),
    "Green": ("#2f7d46", LIGHT),
    "Yellow": ("#f4c51c", DARK),
}
BY_SEAT = ("Black", "White")

#: Pieces that everybody knows by their shape. Where a game has others beside them, all are letters.
GLYPHS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}

#: The corners of a cell, from its centre.
SQUARE = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
HEX = [
    (cos(turn) / sqrt(3), sin(turn) / sqrt(3)) for turn in (radians(angle) for angle in range(30, 390, 60))
]


def draw(position: Position, *, labels: bool = True) -> str:
    """The whole picture; `labels` are the coordinates around the board and the mark of the last move."""
    game = position.game
    board = game.board
    xs, ys = zip(*board.xy, strict=True)
    beside = 1.4 if labels else 0.8
    left, top = (min(xs) - beside) * UNIT, (-max(ys) - beside) * UNIT
    width, height = (max(xs) - min(xs) + 2 * beside) * UNIT, (max(ys) - min(ys) + 2 * beside) * UNIT
    box = " ".join(map(_number, (left, top, width, height)))
    size = f'width="{_number(width * PIXELS)}" height="{_number(height * PIXELS)}" ' if labels else ""
    place = f'x="{_number(left)}" y="{_number(top)}" width="{_number(width)}" height="{_number(height)}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}viewBox="{box}">',
            f"<title>{escape(str(position) if labels else game.name)}</title>",
            f'<rect class="ground" {place} rx="4" fill="{WOOD if board.cell == "point" else PAPER}"/>',
            f'<g class="board">{CELLS[board.cell](board)}</g>',
            '<g font-family="sans-serif" font-size="10" font-weight="bold" text-anchor="middle">',
            *(_labels(board) if labels else ()),
            *_pieces(position),
            *(_last(position) if labels else ()),
            "</g>",
            "</svg>\n",
        ]
    )


def _number(value: float) -> str:
    """To a tenth, as short as can be."""
    return f"{round(value, 1):g}"


def _at(x: float, y: float) -> tuple[str, str]:
    """A place of the board as one of the picture, where y goes down."""
    return _number(x * UNIT), _number(-y * UNIT)


# --- the board ---------------------------------------------------------------


def _outline(board: Board, sites: Iterable[int], corners: list[tuple[float, float]]) -> str:
    """The path of a polygon around each of these sites."""
    shapes = []
    for site in sites:
        x, y = board.xy[site]
        words = [" ".join(_at(x + dx, y + dy)) for dx, dy in corners]
        shapes.append(f"M{'L'.join(words)}z")
    return "".join(shapes)


def lines(board: Board) -> Iterator[tuple[int, int]]:
    """The two ends, as sites, of each line from neighbour to neighbour, as long as it is straight."""
    for d, targets in enumerate(board.steps[: len(board.steps) // 2]):
        if not board.adjacency >> d & 1:
            continue
        for site in range(board.size):
            if not _beside(board, site, board.steps[board.opposite[d]][site]):
                end = site
                while _beside(board, end, targets[end]):
                    end = targets[end]
                yield site, end


def _points(board: Board) -> str:
    """All lines."""
    path = "".join(f"M{'L'.join(' '.join(_at(*board.xy[end])) for end in line)}" for line in lines(board))
    return f'<path d="{path}" stroke="{LINE}" stroke-linecap="square"/>'


def _beside(board: Board, site: int, other: int) -> bool:
    """Whether the other is a site, and not one across a board that wraps."""
    far = zip(board.xy[site], board.xy[other], board.around, strict=True)
    return other >= 0 and all(not around or abs(a - b) < around - 1 for a, b, around in far)


def _squares(board: Board) -> str:
    """A checkerboard."""
    shades = [(WOOD, 1), (SHADE, 0)]
    return "".join(
        f'<path d="{path}" fill="{fill}" stroke="{LINE}" stroke-width=".5"/>'
        for fill, odd in shades
        if (path := _outline(board, _of_shade(board, odd), SQUARE))
    )


def _of_shade(board: Board, odd: int) -> list[int]:
    return [site for site in range(board.size) if (board.columns[site] + board.rows[site]) % 2 == odd]


def _hexes(board: Board) -> str:
    """A honeycomb."""
    path = _outline(board, range(board.size), HEX)
    return f'<path d="{path}" fill="{WOOD}" stroke="{LINE}" stroke-width=".8"/>'


CELLS = {"point": _points, "square": _squares, "hex": _hexes}


def _labels(board: Board) -> Iterator[str]:
    """The letter of each column below it, the number of each row beside it."""
    slants = board.cell == "hex"
    by_column, by_row = dict[int, list[int]](), dict[int, list[int]]()
    for site in range(board.size):
        by_column.setdefault(board.columns[site], []).append(site)
        by_row.setdefault(board.rows[site], []).append(site)
    left, bottom = (min(axis) for axis in zip(*board.xy, strict=True))
    for column, sites in by_column.items():
        x, y = board.xy[min(sites, key=lambda site: board.xy[site][1])]
        x, y = (x - 0.5, y - sqrt(3) / 2) if slants else (x, bottom - 1)
        yield _label(x, y, column_name(column))
    for row, sites in by_row.items():
        x, y = board.xy[max(sites, key=lambda site: board.xy[site][0])]
        yield _label(x + 1 if slants else left - 1, y, str(row))


def _label(x: float, y: float, text: str) -> str:
    column, line = _at(x, y)
    return (
        f'<text class="label" x="{column}" y="{line}" dy="2.5" font-size="7" font-weight="normal" '
        f'fill="{LINE}">{text}</text>'
    )


# --- what stands on it -------------------------------------------------------


def _pieces(position: Position) -> Iterator[str]:
    """Each piece, and the number of each site that has one."""
    game = position.game
    board, drawn, lettered = game.board, glyphs(game), letters(game)
    counters = (value for value in position.state.values() if isinstance(value, dict))
    counts = {
        site: str(count)
        for counter in counters
        for site, count in counter.items()
        if site in board.index and count
    }
    for name, site in board.index.items():
        x, y = _at(*board.xy[site])
        owner, _, kind = position.board.get(name, "").rpartition(" ")
        fill, ink = _paint(game, owner) if owner else (NEUTRAL, DARK)
        if kind in drawn and owner:
            around = DARK if fill == LIGHT else LIGHT
            yield (
                f'<text class="piece {owner}" x="{x}" y="{y}" dy="6" font-size="17" font-weight="normal" '
                f'fill="{fill}" stroke="{around}" stroke-width=".5">{drawn[kind]}</text>'
            )
            continue
        if owner:
            yield (
                f'<circle class="piece {owner}" cx="{x}" cy="{y}" r="8.5" fill="{fill}" stroke="{DARK}" '
                'stroke-width=".8"/>'
            )
        elif kind:
            yield f'<circle class="piece" cx="{x}" cy="{y}" r="5.5" fill="{fill}"/>'
        if text := counts.get(name, lettered.get(kind, "")):
            yield f'<text x="{x}" y="{y}" dy="3.5" fill="{ink}">{text}</text>'


def _paint(game: Game, owner: str) -> tuple[str, str]:
    """The colour of a player's pieces and that of the ink on them."""
    return PAINTS.get(owner) or PAINTS[BY_SEAT[game.players.index(owner)]]


def glyphs(game: Game) -> dict[str, str]:
    """The glyphs of a game whose pieces all have one; none where it has but one kind of piece."""
    owned = [kind.name for kind in game.rules.kinds if not kind.neutral]
    return GLYPHS if len(owned) > 2 and GLYPHS.keys() >= set(owned) else {}


def letters(game: Game) -> dict[str, str]:
    """The letter on each piece; of two kinds the first has none."""
    owned = [kind for kind in game.rules.kinds if not kind.neutral]
    return {kind.name: kind.letter for kind in (owned if len(owned) > 2 else owned[1:])}


def _last(position: Position) -> Iterator[str]:
    """A ring on each site that the last move has changed, around what stands there."""
    for name in position.last_move:
        x, y = _at(*position.game.board.xy[position.game.board.index[name]])
        radius = 9.4 if name in position.board else 4
        ring = f'r="{radius}" fill="none" stroke="{LAST}" stroke-width="1.6"'
        yield f'<circle class="last" cx="{x}" cy="{y}" {ring}/>'
