"""Boards: what a rule file's `board` statement can name, as tables.

A board is a list of sites, a few named directions (each a partial map from site to
site), names, and coordinates for drawing. It may wrap, and sites may be cut out of it.
A kind of board is one row of `BOARDS` and one short builder; what all boards have in
common is derived here. A board of any other shape is given by its lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from math import dist, sqrt

from attrs import evolve, field, frozen

#: The longest side of a board of rows and columns, and of a hexagon, so that no board exceeds 1,600 sites.
LONGEST_SIDE = 40
LONGEST_HEXAGON_SIDE = 23

Cell = tuple[int, int]  # column and row, counted from 1

#: How far a piece goes in each direction, in (columns, rows). Directions are numbered clockwise.
SQUARE_DIRECTIONS = {
    "north": (0, 1),
    "north_east": (1, 1),
    "east": (1, 0),
    "south_east": (1, -1),
    "south": (0, -1),
    "south_west": (-1, -1),
    "west": (-1, 0),
    "north_west": (-1, 1),
}
HEX_DIRECTIONS = {
    "north_east": (0, 1),
    "east": (1, 0),
    "south_east": (1, -1),
    "south_west": (0, -1),
    "west": (-1, 0),
    "north_west": (-1, 1),
}

#: Sets of directions by name: bit d for direction d. The first one makes neighbours by default.
SQUARE_SETS = {"orthogonal": 0b01010101, "diagonal": 0b10101010, "all_directions": 0b11111111}
HEX_SETS = {"all_directions": 0b111111}


class BoardError(ValueError):
    """A board that cannot be built; the message is one sentence."""


class LineError(BoardError):
    """A line of sites that cannot be drawn: which line, and at which of its sites."""

    def __init__(self, message: str, line: int, place: int) -> None:
        super().__init__(message)
        self.line, self.place = line, place


@frozen(cache_hash=True)
class Board:
    """A board. Sites are numbered from 0, row by row from the lower left; a set has bit i for site i."""

    kind: str  # a key of BOARDS, or "lines"
    cell: str  # how to draw a site: "point", "square" or "hex"
    names: tuple[str, ...]  # of each site: "a1" is the lower left one
    columns: tuple[int, ...]  # of each site, counted from 1
    rows: tuple[int, ...]  # of each site, counted from 1
    xy: tuple[tuple[float, float], ...]  # centre of each site: x to the right, y up, neighbours 1 apart
    directions: tuple[str, ...]  # names, clockwise
    steps: tuple[tuple[int, ...], ...] = field(repr=False)  # [direction][site]: the next site, or -1
    opposite: tuple[int, ...]  # of each direction
    adjacency: int  # the set of the directions that make neighbours
    corner: int  # sets of sites
    edge: int
    center: int
    around: tuple[int, int] = (0, 0)  # after how many columns and rows the board wraps; 0: never

    @property
    def size(self) -> int:
        """How many sites there are."""
        return len(self.names)

    @cached_property
    def all(self) -> int:
        """The set of all sites."""
        return (1 << self.size) - 1

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each site by its name."""
        return {name: site for site, name in enumerate(self.names)}

    @cached_property
    def shifts(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """[direction]: pairs (mask, offset) that step a whole set at once.

        The step of a set is the union over the pairs of `(set & mask) << offset`, where a
        negative offset shifts right. The masks of a direction share no site.
        """
        return tuple(tuple(_shifts(targets)) for targets in self.steps)

    def cut(self, members: int) -> Board:
        """The board of these sites alone: a step to any other leads off it. Names and coordinates stay.

        Its edge is where a neighbour is missing, its corners are those of the old ones that are left.
        Raises BoardError if no site is left.
        """
        kept = [site for site in range(self.size) if members >> site & 1]
        if not kept:
            raise BoardError("no site of the board meets the condition")
        number = {site: i for i, site in enumerate(kept)}
        steps = tuple(tuple(number.get(targets[site], -1) for site in kept) for targets in self.steps)
        xy = tuple(self.xy[site] for site in kept)
        return evolve(
            self,
            names=tuple(self.names[site] for site in kept),
            columns=tuple(self.columns[site] for site in kept),
            rows=tuple(self.rows[site] for site in kept),
            xy=xy,
            steps=steps,
            corner=_set(number[site] for site in kept if self.corner >> site & 1),
            edge=_edge(steps, self.adjacency),
            center=_center(xy),
        )


def _shifts(targets: tuple[int, ...]) -> Iterable[tuple[int, int]]:
    masks: dict[int, int] = {}
    for site, target in enumerate(targets):
        if target >= 0:
            masks[target - site] = masks.get(target - site, 0) | 1 << site
    return ((mask, offset) for offset, mask in masks.items())


def _edge(steps: tuple[tuple[int, ...], ...], adjacency: int) -> int:
    """The sites that lack a neighbour."""
    ways = [targets for d, targets in enumerate(steps) if adjacency >> d & 1]
    return _set(site for site in range(len(steps[0])) if any(targets[site] < 0 for targets in ways))


def _center(xy: tuple[tuple[float, float], ...]) -> int:
    """The sites nearest to the middle of the board."""
    middle = (sum(x for x, _ in xy) / len(xy), sum(y for _, y in xy) / len(xy))
    from_middle = [dist(middle, place) for place in xy]
    nearest = min(from_middle) + 1e-6  # so that rounding loses none of several
    return _set(site for site, far in enumerate(from_middle) if far < nearest)


@frozen
class Plan:
    """What a builder makes: the cells in the order of the sites, the corner cells, the layout of rows.

    Each row lies `height` above the one below it and starts `slant` to the right of it.
    """

    cells: list[Cell]
    corners: set[Cell]
    slant: float = 0
    height: float = 1


@frozen
class Side:
    """A parameter of a kind of board: its range, and the earlier parameter that is its default."""

    name: str
    low: int = 1
    high: int = LONGEST_SIDE
    default: str | None = None


@frozen
class Compass:
    """The directions of a kind of board, which are known before anything else about it."""

    name: str
    cell: str
    offsets: dict[str, Cell]  # of each direction, clockwise
    direction_sets: dict[str, int]

    @property
    def directions(self) -> tuple[str, ...]:
        return tuple(self.offsets)

    @property
    def opposite(self) -> tuple[int, ...]:
        """The opposite of each direction."""
        count = len(self.offsets)
        return tuple((d + count // 2) % count for d in range(count))


@frozen
class BoardKind(Compass):
    """A row of `BOARDS`: all that is known about a board before its sides are given."""

    parameters: tuple[Side, ...]
    builder: Callable[..., Plan]
    wraps: bool = True

    @property
    def adjacency(self) -> int:
        """The directions that make neighbours unless the author names others."""
        return next(iter(self.direction_sets.values()))

    def build(self, adjacency: int | None = None, wrap: int = 0, **sides: int) -> Board:
        """The board with these sides; `adjacency` replaces the directions that make neighbours.

        A step off the board in one of the directions `wrap` leads to its other side. Raises BoardError
        for an unknown, missing or out-of-range side, for an adjacency or a wrap that goes one way only,
        and for a wrap that this kind of board does not support.
        """
        opposite = self.opposite
        adjacency = self.adjacency if adjacency is None else adjacency
        self._check_mutual(adjacency, opposite, "neighbours are mutual: where {} is adjacent, {} must be")
        plan = self.builder(**self._complete(sides))
        columns, rows = zip(*plan.cells, strict=True)
        around = self._around(wrap, opposite, max(columns), max(rows))
        site = {cell: number for number, cell in enumerate(plan.cells)}
        steps = tuple(
            tuple(site.get(beside(cell, offset, around), -1) for cell in plan.cells)
            for offset in self.offsets.values()
        )
        xy = tuple((c + r * plan.slant, r * plan.height) for c, r in plan.cells)
        return Board(
            kind=self.name,
            cell=self.cell,
            names=tuple(f"{column_name(c)}{r}" for c, r in plan.cells),
            columns=columns,
            rows=rows,
            xy=xy,
            directions=self.directions,
            steps=steps,
            opposite=opposite,
            adjacency=adjacency,
            corner=0 if any(around) else _set(site[cell] for cell in plan.corners),
            edge=_edge(steps, self.adjacency),
            center=_center(xy),
            around=around,
        )

    def _around(self, wrap: int, opposite: tuple[int, ...], columns: int, rows: int) -> tuple[int, int]:
        """After how many columns and rows the board wraps."""
        if wrap and not self.wraps:
            raise BoardError(f"`{self.name}` cannot wrap")
        self._check_mutual(wrap, opposite, "a board wraps both ways: where {} does, {} must")
        offsets = [offset for d, offset in enumerate(self.offsets.values()) if wrap >> d & 1]
        if any(dc and dr for dc, dr in offsets):
            along = [name for name, (dc, dr) in self.offsets.items() if not (dc and dr)]
            raise BoardError(f"a board wraps along its rows and columns: {', '.join(along)}")
        return columns * any(dc for dc, _ in offsets), rows * any(dr for _, dr in offsets)

    def _complete(self, sides: dict[str, int]) -> dict[str, int]:
        """All sides by name, defaults filled in and ranges checked."""
        known = [side.name for side in self.parameters]
        for name in sides:
            if name not in known:
                raise BoardError(f"`{self.name}` has no `{name}`, only {' and '.join(known)}")
        complete: dict[str, int] = {}
        for side in self.parameters:
            value = sides.get(side.name, complete.get(side.default or ""))
            if value is None:
                raise BoardError(f"`{self.name}` needs a number for `{side.name}`")
            if not side.low <= value <= side.high:
                limits = f"from {side.low} to {side.high}"
                raise BoardError(f"`{side.name}` of `{self.name}` must be {limits}, not {value}")
            complete[side.name] = value
        return complete

    def _check_mutual(self, ways: int, opposite: tuple[int, ...], sentence: str) -> None:
        for d, name in enumerate(self.directions):
            if ways >> d & 1 and not ways >> opposite[d] & 1:
                raise BoardError(sentence.format(name, self.directions[opposite[d]]))


def beside(cell: Cell, offset: Cell, around: tuple[int, int]) -> Cell:
    """The cell `offset` columns and rows away, on a board that wraps after `around` of them."""
    column, row = (
        (place + by - 1) % size + 1 if size else place + by
        for place, by, size in zip(cell, offset, around, strict=True)
    )
    return column, row


def column_name(column: int) -> str:
    """The letters of a column counted from 1: a to z, then aa, ab and so on."""
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def _set(sites: Iterable[int]) -> int:
    return sum(1 << site for site in sites)


# --- builders ----------------------------------------------------------------


def _squares(columns: int, rows: int) -> Plan:
    return Plan(_block(columns, rows), _block_corners(columns, rows))


def _rhombus(columns: int, rows: int) -> Plan:
    return _hexes(_block(columns, rows), _block_corners(columns, rows))


def _hexagon(side: int) -> Plan:
    last = 2 * side - 1
    cells = [(c, r) for c, r in _block(last, last) if side < c + r < 3 * side]
    return _hexes(cells, {(side, 1), (last, 1), (1, side), (last, side), (1, last), (side, last)})


def _hexes(cells: list[Cell], corners: set[Cell]) -> Plan:
    return Plan(cells, corners, slant=1 / 2, height=sqrt(3) / 2)


def _block(columns: int, rows: int) -> list[Cell]:
    return [(c, r) for r in range(1, rows + 1) for c in range(1, columns + 1)]


def _block_corners(columns: int, rows: int) -> set[Cell]:
    return {(c, r) for c in (1, columns) for r in (1, rows)}


# --- boards of lines ---------------------------------------------------------

#: Points joined by lines that a rule file lists one by one.
LINES = Compass("lines", "point", SQUARE_DIRECTIONS, SQUARE_SETS)

#: The name of a site: its column and its row.
SITE = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")


def drawn(lines: Sequence[Sequence[str]]) -> Board:
    """The board of these lines, each given as the names of the sites on it, in order.

    A name says where a site lies, as on `points`. Sites next to each other on a line are neighbours, in
    the direction that leads from one to the other; sites that no line joins are not. Raises LineError for
    an invalid name, for a site that follows itself, and for one with two neighbours in one direction.
    """
    cells = {name: _cell(name, i, j) for i, line in enumerate(lines) for j, name in enumerate(line)}
    names = sorted(cells, key=lambda name: cells[name][::-1])
    site = {name: number for number, name in enumerate(names)}
    steps = [[-1] * len(names) for _ in LINES.offsets]
    for i, line in enumerate(lines):
        for j, (here, there) in enumerate(pairwise(line), 1):
            if here == there:
                raise LineError(f"`{here}` follows itself on this line", i, j)
            d = _way(cells[here], cells[there])
            for way, start, end in ((d, here, there), (LINES.opposite[d], there, here)):
                before = steps[way][site[start]]
                if before not in (-1, site[end]):
                    both = " and ".join(sorted((names[before], end)))
                    towards = LINES.directions[way]
                    raise LineError(f"`{start}` has two neighbours towards {towards}: {both}", i, j)
                steps[way][site[start]] = site[end]
    columns, rows = zip(*map(cells.__getitem__, names), strict=True)
    targets = tuple(map(tuple, steps))
    adjacency = _set(d for d, ways in enumerate(steps) if max(ways) >= 0)
    xy = tuple((float(c), float(r)) for c, r in zip(columns, rows, strict=True))
    ends = [(min(columns), max(columns)), (min(rows), max(rows))]
    return Board(
        kind=LINES.name,
        cell=LINES.cell,
        names=tuple(names),
        columns=columns,
        rows=rows,
        xy=xy,
        directions=LINES.directions,
        steps=targets,
        opposite=LINES.opposite,
        adjacency=adjacency,
        corner=_set(site[name] for name in names if cells[name][0] in ends[0] and cells[name][1] in ends[1]),
        edge=_edge(targets, adjacency),
        center=_center(xy),
    )


def _cell(name: str, line: int, place: int) -> Cell:
    """The column and the row in the name of a site."""
    found = SITE.fullmatch(name)
    column = sum((ord(x) - ord("a") + 1) * 26**i for i, x in enumerate(reversed(found[1]))) if found else 0
    if found is None or column > LONGEST_SIDE or int(found[2]) > LONGEST_SIDE:
        last = f"{column_name(LONGEST_SIDE)}{LONGEST_SIDE}"
        raise LineError(f"`{name[:40]}` is no site: sites are a1 to {last}", line, place)
    return column, int(found[2])


def _way(here: Cell, there: Cell) -> int:
    """The direction from one cell to another."""
    by = tuple((b > a) - (b < a) for a, b in zip(here, there, strict=True))
    return list(LINES.offsets.values()).index(by)  # type: ignore[arg-type]


# --- the table ---------------------------------------------------------------

_COLUMNS, _ROWS, _ROWS_AS_COLUMNS = Side("columns"), Side("rows"), Side("rows", default="columns")
_HEXAGON_SIDE = Side("side", high=LONGEST_HEXAGON_SIDE)
_SQUARE = (SQUARE_DIRECTIONS, SQUARE_SETS)
_HEX = (HEX_DIRECTIONS, HEX_SETS)

#: Every kind of board, by its word in a rule file.
BOARDS = {
    kind.name: kind
    for kind in (
        BoardKind("squares", "square", *_SQUARE, (_COLUMNS, _ROWS_AS_COLUMNS), _squares),
        BoardKind("points", "point", *_SQUARE, (_COLUMNS, _ROWS_AS_COLUMNS), _squares),
        BoardKind("rectangle", "square", *_SQUARE, (_COLUMNS, _ROWS), _squares),
        BoardKind("hexagon", "hex", *_HEX, (_HEXAGON_SIDE,), _hexagon, wraps=False),
        BoardKind("rhombus", "hex", *_HEX, (_COLUMNS, _ROWS_AS_COLUMNS), _rhombus),
    )
}
