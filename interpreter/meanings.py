"""The meanings of the built-in words that depend only on their arguments and the board.

The words that look at a position are in `interpreter.words`; together the two
tables have every key of `gdl.builtins.BUILTINS`. Sets are integers, bit i for site i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from gdl.boards import Board, beside
from gdl.core import LIMIT, Type


def clamp(value: int) -> int:
    """The nearest integer of the language."""
    return max(-LIMIT, min(LIMIT, value))


def bits(members: int) -> Iterator[int]:
    """The members of a set in ascending order, each as a set of one."""
    while members:
        low = members & -members
        yield low
        members ^= low


def first(members: int) -> int:
    """The number of the first member of a set that is not empty."""
    return (members & -members).bit_length() - 1


def union(sets: Iterable[int]) -> int:
    """All members of all the sets."""
    out = 0
    for members in sets:
        out |= members
    return out


class Geometry:
    """A board, and what the built-ins need to know about it. `work` counts the shifts of sets."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.all = board.all
        self.size = board.size
        self.work = 0
        self.neighbours = [
            shift
            for d in range(len(board.directions))
            if board.adjacency >> d & 1
            for shift in board.shifts[d]
        ]
        directions = range(len(board.directions))
        #: The numbers of the directions in each set of directions.
        self.ways = [[d for d in directions if ways >> d & 1] for ways in range(1 << len(directions))]
        self.rows = _lines(board.rows)
        self.columns = _lines(board.columns)
        self.places = {place: 1 << i for i, place in enumerate(zip(board.columns, board.rows, strict=True))}

    def shift(self, members: int, direction: int) -> int:
        """The sites one step from the set in the direction with this number."""
        self.work += len(self.board.shifts[direction])
        out = 0
        for mask, offset in self.board.shifts[direction]:
            out |= (members & mask) << offset if offset >= 0 else (members & mask) >> -offset
        return out

    def spread(self, members: int) -> int:
        """All neighbours of the members."""
        self.work += len(self.neighbours)
        out = 0
        for mask, offset in self.neighbours:
            out |= (members & mask) << offset if offset >= 0 else (members & mask) >> -offset
        return out

    def flood(self, members: int, through: int) -> int:
        """The set and all of `through` that can be reached by walking through it."""
        edge = members
        while edge:
            edge = self.spread(edge) & through & ~members
            members |= edge
        return members

    def walk(self, members: int, direction: int, through: int) -> int:
        """The sites passed in a direction from the set, as long as they are in `through`."""
        passed = 0
        edge = self.shift(members, direction) & through
        while edge:
            passed |= edge
            edge = self.shift(edge, direction) & through & ~passed
        return passed


def _lines(numbers: Sequence[int]) -> dict[int, int]:
    """The set of the sites of each row (or column) number."""
    lines = dict[int, int]()
    for site, number in enumerate(numbers):
        lines[number] = lines.get(number, 0) | 1 << site
    return lines


# --- lines -------------------------------------------------------------------


def step(g: Geometry, start: int, directions: int, count: int) -> int:
    """`count` steps, all in the same direction."""
    out = 0
    for d in g.ways[directions]:
        reached = start
        for _ in range(min(count, g.size)):
            reached = g.shift(reached, d)
            if not reached:
                break
        out |= reached
    return out


def ray(g: Geometry, start: int, directions: int) -> int:
    return run(g, start, directions, g.all) & ~start


def run(g: Geometry, start: int, directions: int, through: int) -> int:
    return union(g.walk(start, d, through) for d in g.ways[directions])


def beyond(g: Geometry, start: int, directions: int, through: int) -> int:
    return union(g.shift(start | g.walk(start, d, through), d) & ~through for d in g.ways[directions])


def nearest(g: Geometry, goal: int, start: int, directions: int) -> int:
    return beyond(g, start, directions, g.all & ~goal)


def farthest(g: Geometry, goal: int, start: int, directions: int) -> int:
    """The members met on the way that have no further member ahead of them."""
    out = 0
    for d in g.ways[directions]:
        met = g.walk(start, d, g.all) & goal
        out |= met & ~g.walk(met, g.board.opposite[d], g.all)
    return out


def line(g: Geometry, members: int, length: int) -> int:
    """Walk back from the ends of all lines of this length, along each of them."""
    if length > members.bit_count():
        return 0
    out = 0
    for d, back in enumerate(g.board.opposite):
        ends = members
        for _ in range(length - 1):
            ends &= g.shift(ends, d)
        out |= ends
        for _ in range(length - 1):
            ends = g.shift(ends, back)
            out |= ends
    return out


def between(g: Geometry, start: int, goal: int) -> int:
    return union(
        g.walk(start, d, g.all) & g.walk(goal, back, g.all) for d, back in enumerate(g.board.opposite)
    )


def direction(g: Geometry, start: int, goal: int) -> int:
    return sum(1 << d for d in range(len(g.board.directions)) if g.walk(start, d, g.all) & goal)


def opposite(g: Geometry, directions: int) -> int:
    return union(1 << g.board.opposite[d] for d in g.ways[directions])


def flank(g: Geometry, directions: int) -> int:
    around = len(g.board.directions)
    return union(1 << (d - 1) % around | 1 << (d + 1) % around for d in g.ways[directions])


def turned(g: Geometry, directions: int, number: int) -> int:
    around = len(g.board.directions)
    return union(1 << (d + number) % around for d in g.ways[directions])


def leaps(g: Geometry, start: int, a: int, b: int) -> int:
    out = 0
    g.work += 32 * start.bit_count()  # each member takes as long as about 32 shifts
    for site in map(first, bits(start)):
        column, row = g.board.columns[site], g.board.rows[site]
        for dx, dy in {(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)}:
            out |= g.places.get(beside((column, row), (dx, dy), g.board.around), 0)
    return out


# --- connection --------------------------------------------------------------


def groups(g: Geometry, members: int) -> tuple[int, ...]:
    """The connected parts of the set, ordered by their lowest sites."""
    found = []
    while members:
        part = g.flood(members & -members, members)
        found.append(part)
        members &= ~part
    return tuple(found)


def steps(g: Geometry, start: int, goal: int, through: int) -> int:
    if start & goal:
        return 0
    seen = edge = start
    count = 0
    while edge:
        count += 1
        edge = g.spread(edge) & ~seen
        if edge & goal:
            return count
        edge &= through
        seen |= edge
    return LIMIT


def closest(g: Geometry, members: int, goal: int, through: int) -> int:
    """Work outward from the goal: the members met by the first wave that meets any."""
    seen = edge = goal
    while edge and not edge & members:
        seen |= edge & through
        edge = g.spread(edge & (through | goal)) & ~seen
    return edge & members


# --- numbers -----------------------------------------------------------------


def power(_: Geometry, base: int, exponent: int) -> int:
    """The power; an exponent above 32 only decides the sign, as the result exceeds the limit anyway."""
    if exponent < 0:
        return 0
    return clamp(base ** (exponent if exponent <= 32 else 32 + exponent % 2))


#: The built-ins by key; each takes the geometry of the board, then its arguments.
MEANINGS: dict[str, Callable[..., Any]] = {
    "board": lambda g: g.all,
    "none": lambda g: 0,
    "edge": lambda g: g.board.edge,
    "corner": lambda g: g.board.corner,
    "center": lambda g: g.board.center,
    "infinite": lambda g: LIMIT,
    "size": lambda g, a: a.bit_count(),
    "group_count": lambda g, a: len(a),
    "way_count": lambda g, a: a.bit_count(),
    "row_of": lambda g, a: g.board.rows[first(a)] if a else 0,
    "column_of": lambda g, a: g.board.columns[first(a)] if a else 0,
    "row": lambda g, k: g.rows.get(k, 0),
    "column": lambda g, k: g.columns.get(k, 0),
    "step": step,
    "adjacent": lambda g, a: g.spread(a) & ~a,
    "ray": ray,
    "run": run,
    "beyond": beyond,
    "nearest": nearest,
    "farthest": farthest,
    "line": line,
    "between": between,
    "direction": direction,
    "opposite": opposite,
    "flank": flank,
    "turned": turned,
    "leaps": leaps,
    "groups": groups,
    "connected": lambda g, a: g.flood(a & -a, a) == a,
    "reach": lambda g, a, through: g.flood(a, through),
    "steps": steps,
    "closest": closest,
    "other": lambda g, p: 1 - p,
    "abs": lambda g, a: abs(a),
    "larger": lambda g, a, b: max(a, b),
    "smaller": lambda g, a, b: min(a, b),
    "union": lambda g, a, b: a | b,
    "difference": lambda g, a, b: a & ~b,
    "intersection": lambda g, a, b: a & b,
    "either_way": lambda g, a, b: a | b,
    "without_way": lambda g, a, b: a & ~b,
    "both_ways": lambda g, a, b: a & b,
    "add": lambda g, a, b: clamp(a + b),
    "subtract": lambda g, a, b: clamp(a - b),
    "multiply": lambda g, a, b: clamp(a * b),
    "divide": lambda g, a, b: a // b if b else 0,
    "modulo": lambda g, a, b: a % b if b else 0,
    "power": power,
    "negate": lambda g, a: -a,
    "less": lambda g, a, b: a < b,
    "at_most": lambda g, a, b: a <= b,
    "greater": lambda g, a, b: a > b,
    "at_least": lambda g, a, b: a >= b,
    "is_in": lambda g, a, b: a != 0 and not a & ~b,
    "way_in": lambda g, a, b: a != 0 and not a & ~b,
    "within": lambda g, a, b: not a & ~b,
    "way_within": lambda g, a, b: not a & ~b,
    "touches": lambda g, a, b: g.spread(a) & b != 0,
    "some": lambda g, a: a != 0,
    "no": lambda g, a: a == 0,
    "some_way": lambda g, a: a != 0,
    "no_way": lambda g, a: a == 0,
    "not": lambda g, a: not a,
    "at": lambda g, counts, a: counts[first(a)] if a else 0,
    **{
        f"equal_{t.name.lower()}": (lambda g, a, b: a == b)
        for t in (Type.SET, Type.INT, Type.BOOL, Type.PLAYER, Type.DIRECTIONS, Type.KIND)
    },
}


# --- loops -------------------------------------------------------------------

#: The values of each kind of domain, from the values of its arguments.
DOMAINS: dict[str, Callable[..., Sequence[int]]] = {
    "sites": lambda g, members: tuple(bits(members)),
    "groups": groups,
    "range": lambda g, low, high, by: range(low, high + 1, by) if by >= 1 else (),
    "directions": lambda g, directions: tuple(bits(directions)),
    "players": lambda g: (0, 1),
    "values": lambda g, *values: values,
}


def total(values: Iterable[int]) -> int:
    """The sum, which saturates at each step."""
    out = 0
    for value in values:
        out = clamp(out + value)
    return out


#: Each aggregate, over the values in order; `any` and `all` stop at the first that decides.
AGGREGATES: dict[str, Callable[[Iterable[Any]], Any]] = {
    "sum": total,
    "count": lambda values: sum(1 for _ in values),
    "max": lambda values: max(values, default=0),
    "min": lambda values: min(values, default=LIMIT),
    "any": any,
    "all": all,
    "union": union,
}
