"""A position as a small SVG: the board by its cells, the pieces as discs, letters and numbers on them."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, radians, sin, sqrt

from gdl.boards import Board
from interpreter.game import Position

UNIT = 20  # from a site to its neighbour
WOOD, SHADE, LINE = "#f1dcae", "#e2c48c", "#8a6a3c"
NEUTRAL = "#8d9299"
#: The fill of a player's pieces and the ink on it: by the player's name, else by who is first.
PAINTS = {
    "Black": ("#26282d", "#fff"),
    "White": ("#fff", "#26282d"),
    "Red": ("#c8372d", "#fff"),
    "Blue": ("#2d62b3", "#fff"),
    "Yellow": ("#f4c51c", "#26282d"),
}
BY_SEAT = ("Black", "White")


def number(value: float) -> str:
    """To a tenth, as short as can be."""
    return f"{round(value, 1):g}"


def outline(board: Board, sites: Iterable[int], corners: list[tuple[float, float]]) -> str:
    """The path of a polygon around each of these sites."""
    shapes = []
    for site in sites:
        x, y = board.xy[site]
        words = [f"{number((x + dx) * UNIT)} {number(-(y + dy) * UNIT)}" for dx, dy in corners]
        shapes.append(f"M{'L'.join(words)}z")
    return "".join(shapes)


def points(board: Board) -> str:
    """Lines from neighbour to neighbour, as long as they are straight."""
    lines = []
    for d, targets in enumerate(board.steps[: len(board.steps) // 2]):
        if not board.adjacency >> d & 1:
            continue
        for site in range(board.size):
            if not _beside(board, site, board.steps[board.opposite[d]][site]):
                end = site
                while _beside(board, end, targets[end]):
                    end = targets[end]
                ends = (f"{number(x * UNIT)} {number(-y * UNIT)}" for x, y in (board.xy[site], board.xy[end]))
                lines.append(f"M{'L'.join(ends)}")
    return f'<path d="{"".join(lines)}" stroke="{LINE}" stroke-linecap="square"/>'


def _beside(board: Board, site: int, other: int) -> bool:
    """Whether the other is a site, and not one across a board that wraps."""
    far = zip(board.xy[site], board.xy[other], board.around, strict=True)
    return other >= 0 and all(abs(a - b) < (around or 2) - 1 or not around for a, b, around in far)


def squares(board: Board) -> str:
    """A checkerboard."""
    corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    shades = [(WOOD, 1), (SHADE, 0)]
    return "".join(
        f'<path d="{path}" fill="{fill}" stroke="{LINE}" stroke-width=".5"/>'
        for fill, odd in shades
        if (path := outline(board, _of_shade(board, odd), corners))
    )


def _of_shade(board: Board, odd: int) -> list[int]:
    return [site for site in range(board.size) if (board.columns[site] + board.rows[site]) % 2 == odd]


def hexes(board: Board) -> str:
    """A honeycomb."""
    turns = [radians(angle) for angle in range(30, 390, 60)]
    path = outline(board, range(board.size), [(cos(turn) / sqrt(3), sin(turn) / sqrt(3)) for turn in turns])
    return f'<path d="{path}" fill="{WOOD}" stroke="{LINE}" stroke-width=".8"/>'


CELLS = {"point": points, "square": squares, "hex": hexes}


def draw(position: Position, title: str) -> str:
    """The whole file."""
    board = position.game.board
    xs, ys = zip(*board.xy, strict=True)
    left, top = (min(xs) - 0.8) * UNIT, (-max(ys) - 0.8) * UNIT
    width, height = (max(xs) - min(xs) + 1.6) * UNIT, (max(ys) - min(ys) + 1.6) * UNIT
    box = " ".join(map(number, (left, top, width, height)))
    place = f'x="{number(left)}" y="{number(top)}" width="{number(width)}" height="{number(height)}"'
    ground = WOOD if board.cell == "point" else "#fffaf0"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">',
            f"<title>{title}</title>",
            f'<rect {place} rx="4" fill="{ground}"/>',
            CELLS[board.cell](board),
            '<g font-family="sans-serif" font-size="10" font-weight="bold" text-anchor="middle">',
            *pieces(position),
            "</g>",
            "</svg>\n",
        ]
    )


def pieces(position: Position) -> Iterable[str]:
    """A disc for each piece, smaller where it is nobody's; on it the number of its site or its letter."""
    board, players = position.game.board, position.game.players
    owned = [kind for kind in position.game.rules.kinds if not kind.neutral]
    letters = {kind.name: kind.letter for kind in (owned if len(owned) > 2 else owned[1:])}
    counters = (value for value in position.state.values() if isinstance(value, dict))
    labels = {
        site: str(count)
        for counter in counters
        for site, count in counter.items()
        if site in board.index and count
    }
    for name, site in board.index.items():
        x, y = (number(value * UNIT) for value in (board.xy[site][0], -board.xy[site][1]))
        owner, _, kind = position.board.get(name, "").rpartition(" ")
        ink = "#26282d"
        if owner:
            fill, ink = PAINTS.get(owner) or PAINTS[BY_SEAT[players.index(owner)]]
            yield f'<circle cx="{x}" cy="{y}" r="8.5" fill="{fill}" stroke="#26282d" stroke-width=".8"/>'
        elif kind:
            yield f'<circle cx="{x}" cy="{y}" r="5.5" fill="{NEUTRAL}"/>'
        label = labels.get(name, letters.get(kind, ""))
        if label:
            yield f'<text x="{x}" y="{number(3.5 - board.xy[site][1] * UNIT)}" fill="{ink}">{label}</text>'
