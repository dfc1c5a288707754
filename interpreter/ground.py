"""The empty board of a game as SVG, and the small parts that pictures are made of.

It looks like the board in the browser: cells or lines, goal edges in the colours of their players, and
coordinates around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from math import cos, hypot, radians, sin, sqrt
from operator import itemgetter
from typing import TYPE_CHECKING

from gdl.boards import Board, column_name
from gdl.core import Type

if TYPE_CHECKING:
    from interpreter.game import Game

UNIT = 20  # from a site to its neighbour

XY = tuple[float, float]

WOOD, LINE, EDGE, LABEL = "#e8cc98", "#7d6038", "#a98a58", "#777b82"
LIGHT_CELL, DARK_CELL = "#efdfbf", "#cfae7b"
HEXES = ("#ecd5a6", "#e3c790", "#d9b97c")
#: How pieces are painted: the light and the dark side of a stone, the plain colour, the outline of a shape.
PAINTS = {
    "black": ("#5e626b", "#17191c", "#26282d", "#0d0e10"),
    "white": ("#fff", "#d9d5cb", "#fdfcf9", "#2b2a27"),
    "red": ("#ea6a5e", "#b3261e", "#c8372d", "#5e130d"),
    "blue": ("#5f97e3", "#1c4f9c", "#2d62b3", "#10264a"),
    "green": ("#5db37d", "#1c6a3c", "#2f7d46", "#0f3119"),
    "yellow": ("#ffe37a", "#e0aa10", "#f4c51c", "#5d4803"),
    "neutral": ("#a7abb1", "#6e737b", "#8d9299", "#3a3d43"),
}
BY_SEAT = ("black", "white")
#: The corners of a cell, from its centre.
SQUARE = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
HEX = [
    (cos(turn) / sqrt(3), sin(turn) / sqrt(3)) for turn in (radians(angle) for angle in range(30, 390, 60))
]
CORNERS = {"point": SQUARE, "square": SQUARE, "hex": HEX}

#: How far the ground extends beyond the outermost sites, and the picture without and with labels.
REACH = {"point": (0.62, 0.62, 1.05), "square": (0.5, 0.55, 0.92), "hex": (0.62, 0.62, 1.2)}
STORE = 1.1  # from the outermost pit to a store


def box(game: Game, beside: float) -> tuple[float, float, float, float]:
    """Left, top, width and height of a box that extends `beside` beyond the outermost sites and stores."""
    xs, ys = zip(*game.board.xy, strict=True)
    across = beside + (STORE if stores(game) else 0)
    width, height = max(xs) - min(xs) + 2 * across, max(ys) - min(ys) + 2 * beside
    return (min(xs) - across) * UNIT, (-max(ys) - beside) * UNIT, width * UNIT, height * UNIT


def number(value: float) -> str:
    """A number to one decimal, as short as possible."""
    return f"{round(value, 1) + 0:g}"


def at(x: float, y: float) -> str:
    """A place of the board as one of the picture, where y points down."""
    return f"{number(x * UNIT)} {number(-y * UNIT)}"


def circle(name: str, xy: XY, radius: float, rest: str) -> str:
    x, y = at(*xy).split()
    return f'<circle class="{name}" cx="{x}" cy="{y}" r="{number(radius * UNIT)}" {rest}/>'


def strokes(lines: Iterable[Iterable[XY]], close: str = "") -> str:
    """The path of some lines, each through its places."""
    return "".join(f"M{'L'.join(at(*xy) for xy in line)}{close}" for line in lines)


def caption(name: str, xy: XY, size: float, rest: str, text: str) -> str:
    x, y = at(*xy).split()
    shift = number(size * 0.36)
    return (
        f'<text class="{name}" x="{x}" y="{y}" dy="{shift}" font-size="{number(size)}" {rest}>{text}</text>'
    )


# --- the board ---------------------------------------------------------------


def ground(game: Game) -> Iterator[str]:
    board = game.board
    place = 'x="{}" y="{}" width="{}" height="{}"'.format(*map(number, box(game, REACH[board.cell][0])))
    if board.cell != "hex":
        edge = "" if board.cell == "point" else f' stroke="{EDGE}" stroke-width="1.5"'
        yield f'<rect class="ground" {place} rx="2" fill="{WOOD}"{edge}/>'
    if game.idle:
        yield from _slots(game)
    elif board.cell == "point":
        path = strokes([board.xy[end] for end in line] for line in lines(board))
        yield f'<path d="{path}" stroke="{LINE}" stroke-width=".6" stroke-linecap="square"/>'
        yield from (circle("star", board.xy[site], 0.09, f'fill="{LINE}"') for site in stars(board))
    elif game.rules.kinds:
        yield from _cells(board)
    yield from _wraps(board)
    yield from _goals(game)


def outline(board: Board, sites: Iterable[int]) -> str:
    """The path of a polygon around each of these sites."""
    return strokes(
        [[shifted(board.xy[site], corner) for corner in CORNERS[board.cell]] for site in sites], "z"
    )


def shifted(xy: XY, by: XY, far: float = 1) -> XY:
    return xy[0] + by[0] * far, xy[1] + by[1] * far


def lines(board: Board) -> Iterator[tuple[int, int]]:
    """The two ends, as sites, of each straight line from neighbour to neighbour."""
    for d, targets in enumerate(board.steps[: len(board.steps) // 2]):
        if not board.adjacency >> d & 1:
            continue
        for site in range(board.size):
            if not _beside(board, site, board.steps[board.opposite[d]][site]):
                end = site
                while _beside(board, end, targets[end]):
                    end = targets[end]
                yield site, end


def _beside(board: Board, site: int, other: int) -> bool:
    """Whether the other is a site, and not one reached by wrapping around the board."""
    far = zip(board.xy[site], board.xy[other], board.around, strict=True)
    return other >= 0 and all(not around or abs(a - b) < around - 1 for a, b, around in far)


def _cells(board: Board) -> Iterator[str]:
    """A checkerboard, or a honeycomb in three shades."""
    hexes = board.cell == "hex"
    fills = HEXES if hexes else (DARK_CELL, LIGHT_CELL)
    edge = f' stroke="{EDGE}" stroke-width=".6"' if hexes else ""
    for shade, fill in enumerate(fills):
        sites = [
            site
            for site, (column, row) in enumerate(zip(board.columns, board.rows, strict=True))
            if (column - row if hexes else column + row) % len(fills) == shade
        ]
        if sites:
            yield f'<path d="{outline(board, sites)}" fill="{fill}"{edge}/>'


def stars(board: Board) -> list[int]:
    """The star points, which help one find one's way on a large square of lines."""
    size = max(board.columns)
    if board.kind != "points" or size < 9 or size % 2 == 0 or board.size != size * size or any(board.around):
        return []
    first, middle = 3 if size < 12 else 4, (size + 1) // 2
    marked = (first, middle, size + 1 - first)
    places = enumerate(zip(board.columns, board.rows, strict=True))
    return [
        site
        for site, place in places
        if set(place) <= set(marked) and (place.count(middle) != 1 or size > 13)
    ]


def exits(board: Board) -> list[tuple[int, XY]]:
    """The sites at the edges where the board wraps, and the way out from each."""
    ways = [(board.columns, (1, 0), board.around[0]), (board.rows, (0, 1), board.around[1])]
    return [
        (site, (way[0] * sign, way[1] * sign))
        for numbers, way, around in ways
        if around
        for end, sign in ((1, -1), (around, 1))
        for site in range(board.size)
        if numbers[site] == end
    ]


def _wraps(board: Board) -> Iterator[str]:
    """Arrows that lead out of the edges where the board wraps."""
    arrows = [
        [
            shifted(shifted(board.xy[site], way, along), (way[1], way[0]), aside)
            for along, aside in ((0.5, -0.11), (0.62, 0), (0.5, 0.11))
        ]
        for site, way in exits(board)
    ]
    if arrows:
        yield f'<path class="around" d="{strokes(arrows, "z")}" fill="{LABEL}"/>'


# --- sites with a purpose -----------------------------------------------------


@cache
def slot_ways(game: Game) -> dict[str, XY]:
    """The sites between two idle ones, and the direction in which those lie."""
    board, idle = game.board, set(game.idle)
    where = {(round(x, 2), round(y, 2)): name for name, (x, y) in zip(board.names, board.xy, strict=True)}
    quiet = {place for place, name in where.items() if name in idle}
    found = dict[str, XY]()
    for (x, y), name in where.items():
        for dx, dy in ((1, 0), (0, 1)):
            if name not in idle and {(x - dx, y - dy), (x + dx, y + dy)} <= quiet:
                found[name] = dx, dy
    return found


def _slots(game: Game) -> Iterator[str]:
    """Idle sites as dots; a site between two of them is a slot for something that joins them."""
    board = game.board
    ways = [(board.xy[board.index[name]], way) for name, way in slot_ways(game).items()]
    path = strokes((shifted(xy, way, -1), shifted(xy, way)) for xy, way in ways)
    yield f'<path class="slot" d="{path}" stroke="{LINE}" stroke-opacity=".18" stroke-width="2.5"/>'
    for name in game.idle:
        yield circle("dot", board.xy[board.index[name]], 0.13, f'fill="{LINE}"')


def edges(game: Game) -> dict[str, list[list[XY]]]:
    """The outer edges of the sites that each player has to reach with pieces, each from end to end."""
    board, found = game.board, dict[str, list[list[XY]]]()
    if not game.rules.kinds:
        return found
    xs, ys = zip(*board.xy, strict=True)
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    goals = [(player, {board.index[name] for name in sites}) for player, sites in game.goals]
    ways = [(player, sites, _unit(shifted(_mean(board, sites), middle, -1))) for player, sites in goals]
    out = 0.05 if board.cell == "point" else 0.03
    for a, b in zip(CORNERS[board.cell], CORNERS[board.cell][1:] + CORNERS[board.cell][:1], strict=True):
        normal = _unit((a[0] + b[0], a[1] + b[1]))
        for site in _outermost(board, normal):
            mine = [(name, _along(way, normal)) for name, sites, way in ways if site in sites]
            player, along = max(mine, key=itemgetter(1), default=("", 0))
            if along >= 0.3:
                ends = [shifted(shifted(board.xy[site], end), normal, out) for end in (a, b)]
                found.setdefault(player, []).append(ends)
    return found


def _goals(game: Game) -> Iterator[str]:
    """The edges that each player has to reach, in the player's colour."""
    for player, lines in edges(game).items():
        path, plain = strokes(lines), PAINTS[paint(game, player)][2]
        for look in (f'stroke="{LINE}" stroke-width="3.3"', f'stroke="{plain}" stroke-width="2.5"'):
            yield f'<path class="goal" d="{path}" {look} stroke-linecap="round"/>'


def _mean(board: Board, sites: set[int]) -> XY:
    xs, ys = zip(*(board.xy[site] for site in sites), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _unit(way: XY) -> XY:
    length = hypot(*way) or 1
    return way[0] / length, way[1] / length


def _along(way: XY, normal: XY) -> float:
    """How far a way leads in the direction of the normal."""
    return round(way[0] * normal[0] + way[1] * normal[1], 6)


def _outermost(board: Board, way: XY) -> list[int]:
    """The sites that have no other beyond them in this direction."""
    rows = dict[float, int]()
    for site, xy in sorted(enumerate(board.xy), key=lambda found: _along(found[1], way)):
        rows[round(xy[0] * way[1] - xy[1] * way[0], 2)] = site
    return list(rows.values())


def coordinates(game: Game) -> Iterator[str]:
    """The letter of each column below it, the number of each row beside it."""
    board = game.board
    slants, away = board.cell == "hex", 0.84 if board.cell == "point" else 0.76
    by_column, by_row = dict[int, list[int]](), dict[int, list[int]]()
    for site in range(board.size):
        by_column.setdefault(board.columns[site], []).append(site)
        by_row.setdefault(board.rows[site], []).append(site)
    left, bottom = (min(axis) for axis in zip(*board.xy, strict=True))
    left -= STORE if stores(game) else 0
    rest = f'fill="{LABEL}"'
    for column, sites in by_column.items():
        x, y = board.xy[min(sites, key=lambda site: board.xy[site][1])]
        place = (x - 0.46, y - 0.82) if slants else (x, bottom - away)
        yield caption("label", place, 6.5, rest, column_name(column))
    for row, sites in by_row.items():
        x, y = board.xy[max(sites, key=lambda site: board.xy[site][0])]
        yield caption("label", (x + 0.92, y) if slants else (left - away, y), 6.5, rest, str(row))


# --- whose is what -------------------------------------------------------------


def owners(game: Game) -> dict[str, str]:
    """The player of each site that is the goal of just one."""
    found = dict[str, set[str]]()
    for player, sites in game.goals:
        for name in sites:
            found.setdefault(name, set()).add(player)
    return {name: players.pop() for name, players in found.items() if len(players) == 1}


def paint(game: Game, owner: str | None) -> str:
    """The paint of a player's pieces: by the player's name, else by seat."""
    if owner is None:
        return "neutral"
    if owner.lower() in PAINTS:
        return owner.lower()
    seat = game.players.index(owner)
    other = game.players[1 - seat].lower()
    return BY_SEAT[1 - seat] if other == BY_SEAT[seat] else BY_SEAT[seat]


def stores(game: Game) -> str | None:
    """The state that counts what each player has taken, in games with seeds instead of pieces."""
    states = game.rules.states.values()
    held = {state.name for state in states if state.player is not None and state.type is Type.INT}
    return held.pop() if len(held) == 1 and not game.rules.kinds else None
