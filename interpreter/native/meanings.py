"""The built-in words in native code: one row each, as in `interpreter.meanings`.

A row writes the code of a word into a function, given the values of its arguments. Words
that walk over the board are separate functions without side effects, so that LLVM
computes equal calls once and moves them out of loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gdl.core import LIMIT, Type
from interpreter.native.assembly import I1, I64, Code, Value

Write = Callable[..., Value]


def _walker(code: Code, name: str, write: Write, *arguments: Value, inline: bool = False) -> Value:
    """A call of the function with this name, which is written at its first use; its result is a set."""
    types = [argument.type for argument in arguments]
    function = code.unit.shared(name, code.unit.set, types, write, pure=True)
    return code.call(function, *arguments, inline=code.once or inline)


def _each_way(code: Code, directions: Value, write: Callable[[int, Value], Value]) -> Value:
    """The union of what `write` returns for each direction and whether it is asked for."""
    known = getattr(directions, "constant", None)
    found = []
    for d in range(len(code.unit.board.directions)):
        if known is None:
            asked = code.differ(code.b.and_(directions, I64(1 << d)), I64(0))
            found.append(write(d, asked))
        elif known >> d & 1:
            found.append(write(d, code.truth(True)))
    return code.union(found)


def _from(code: Code, start: Value, asked: Value) -> Value:
    """The start, or nothing if the direction is not asked for."""
    return start if getattr(asked, "constant", None) == 1 else code.where(asked, start)


# --- connection --------------------------------------------------------------


def flood(code: Code, members: Value, through: Value) -> Value:
    """The set and all of `through` that can be reached by walking through it."""
    return _walker(code, "flood", _flood, members, code.b.or_(members, through))


def _flood(code: Code, members: Value, within: Value) -> Value:
    def grow(x: Value, before: Value) -> Sequence[Value]:
        return [code.b.and_(code.b.or_(x, code.spread(x)), within), x]

    return code.loop([grow(members, members)[0], members], code.differ, grow)[0]


def meets(code: Code, members: Value, through: Value, goal: Value) -> Value:
    """Whether a walk from the set through `through` reaches a site of the goal."""
    function = code.unit.shared("meets", I1, [code.unit.set] * 3, _meets, pure=True)
    return code.call(function, members, code.b.or_(members, through), goal)


def _meets(code: Code, members: Value, within: Value, goal: Value) -> Value:
    # If no member of the goal can be reached at all, there is no need to walk.
    hopeful = code.some(code.b.and_(within, goal))
    start = code.where(hopeful, members)

    def goes_on(x: Value, before: Value) -> Value:
        return code.b.and_(code.differ(x, before), code.no(code.b.and_(x, goal)))

    def grow(x: Value, before: Value) -> Sequence[Value]:
        return [code.b.and_(code.b.or_(x, code.spread(x)), within), x]

    reached, _ = code.loop([grow(start, start)[0], start], goes_on, grow)
    return code.some(code.b.and_(reached, goal))


def connected(code: Code, members: Value, likely: Value | None = None) -> Value:
    """Whether the set is in one part: walks from its first member, or from that of `likely`, a part of it."""
    function = code.unit.shared("connected", I1, [code.unit.set] * 2, _connected, pure=True)
    start = members if likely is None else code.b.select(code.some(likely), likely, members)
    return code.call(function, members, code.lowest(start))


def _connected(code: Code, members: Value, start: Value) -> Value:
    """A flood from one member that ends as soon as it has all of them."""

    def goes_on(x: Value, before: Value) -> Value:
        return code.b.and_(code.differ(x, members), code.differ(x, before))

    def grow(x: Value, before: Value) -> Sequence[Value]:
        return [code.b.and_(code.b.or_(x, code.spread(x)), members), x]

    reached, _ = code.loop([start, code.sites(0)], goes_on, grow)
    return code.equal(reached, members)


def steps(code: Code, start: Value, goal: Value, through: Value) -> Value:
    function = code.unit.shared("steps", I64, [code.unit.set] * 3, _steps, pure=True)
    return code.call(function, start, goal, through)


def _steps(code: Code, start: Value, goal: Value, through: Value) -> Value:
    met, count = _waves(code, start, goal, through, I64(LIMIT))
    return code.b.select(met, count, I64(LIMIT))


def fewer_steps(code: Code, start: Value, goal: Value, through: Value, limit: Value) -> Value:
    """Whether there are fewer steps than a limit, found with no more waves than necessary."""
    function = code.unit.shared("fewer_steps", I1, [*[code.unit.set] * 3, I64], _fewer_steps, pure=True)
    return code.call(function, start, goal, through, limit)


def _fewer_steps(code: Code, start: Value, goal: Value, through: Value, limit: Value) -> Value:
    met, count = _waves(code, start, goal, through, limit)
    # What is out of reach is infinitely far.
    return code.less(code.b.select(met, count, I64(LIMIT)), limit)


def _waves(code: Code, start: Value, goal: Value, through: Value, limit: Value) -> tuple[Value, Value]:
    """Send waves outward from the start, until one meets the goal, dies out, or has reached the limit.

    Returns whether one has met the goal, and how many steps the last one has taken.
    """

    def goes_on(seen: Value, edge: Value, count: Value) -> Value:
        alive = code.b.and_(code.some(edge), code.no(code.b.and_(edge, goal)))
        return code.b.and_(alive, code.less(count, limit))

    def wave(seen: Value, edge: Value, count: Value) -> Sequence[Value]:
        passed = code.b.or_(seen, edge)
        on = code.b.select(code.equal(count, I64(0)), edge, code.b.and_(edge, through))
        return [passed, code.without(code.spread(on), passed), code.b.add(count, I64(1))]

    _, edge, count = code.loop([code.sites(0), start, I64(0)], goes_on, wave)
    return code.some(code.b.and_(edge, goal)), count


def closest(code: Code, members: Value, goal: Value, through: Value) -> Value:
    """The members met by the first wave outward from the goal that meets any."""
    return _walker(code, "closest", _closest, members, goal, through)


def _closest(code: Code, members: Value, goal: Value, through: Value) -> Value:
    within = code.b.or_(through, goal)

    def goes_on(reached: Value, before: Value, met: Value) -> Value:
        return code.b.and_(code.no(met), code.differ(reached, before))

    def wave(reached: Value, before: Value, met: Value) -> Sequence[Value]:
        touched = code.spread(reached)
        return [code.b.or_(reached, code.b.and_(touched, within)), reached, code.b.and_(touched, members)]

    return code.loop([goal, code.sites(0), code.b.and_(goal, members)], goes_on, wave)[2]


#: Lines of a known length up to this are searched for without a loop.
WRITTEN_OUT = 8


# --- lines -------------------------------------------------------------------


def _walk(code: Code, direction: int, start: Value, through: Value) -> Value:
    """The sites passed in a direction from the set, as long as they are in `through`."""

    def write(code: Code, start: Value, through: Value) -> Value:
        def on(passed: Value, edge: Value) -> Sequence[Value]:
            passed = code.b.or_(passed, edge)
            return [passed, code.without(code.b.and_(code.shift(edge, direction), through), passed)]

        edge = code.b.and_(code.shift(start, direction), through)
        return code.loop([code.sites(0), edge], lambda _, edge: code.some(edge), on)[0]

    # On a small board the code of a walk is short enough to be inlined.
    return _walker(code, f"walk{direction}", write, start, through, inline=code.unit.words <= 2)


def _all(code: Code) -> Value:
    return code.sites(code.unit.geometry.all)


def step(code: Code, start: Value, directions: Value, count: Value) -> Value:
    one = getattr(count, "constant", None) == 1
    most = I64(code.unit.geometry.size)
    times = code.b.select(code.less(most, count), most, count)

    def way(d: int, asked: Value) -> Value:
        reached = _from(code, start, asked)
        if one:
            return code.shift(reached, d)
        return code.loop(
            [I64(0), reached],
            lambda i, reached: code.b.and_(code.less(i, times), code.some(reached)),
            lambda i, reached: [code.b.add(i, I64(1)), code.shift(reached, d)],
        )[1]

    return _each_way(code, directions, way)


def run(code: Code, start: Value, directions: Value, through: Value) -> Value:
    return _each_way(code, directions, lambda d, asked: _walk(code, d, _from(code, start, asked), through))


def ray(code: Code, start: Value, directions: Value) -> Value:
    return code.without(run(code, start, directions, _all(code)), start)


def beyond(code: Code, start: Value, directions: Value, through: Value) -> Value:
    def way(d: int, asked: Value) -> Value:
        first = _from(code, start, asked)
        passed = _walk(code, d, first, through)
        return code.without(code.shift(code.b.or_(first, passed), d), through)

    return _each_way(code, directions, way)


def nearest(code: Code, goal: Value, start: Value, directions: Value) -> Value:
    return beyond(code, start, directions, code.without(_all(code), goal))


def farthest(code: Code, goal: Value, start: Value, directions: Value) -> Value:
    """The members met on the way that have no further member ahead of them."""

    def way(d: int, asked: Value) -> Value:
        met = code.b.and_(_walk(code, d, _from(code, start, asked), _all(code)), goal)
        return code.without(met, _walk(code, code.unit.board.opposite[d], met, _all(code)))

    return _each_way(code, directions, way)


def line(code: Code, members: Value, length: Value) -> Value:
    """Walk back from the ends of all lines of this length, along each of them."""
    known = getattr(length, "constant", None)
    if known is None or known > WRITTEN_OUT:
        return _walker(code, "line", _line, members, length)
    return _walker(code, f"line{known}", lambda code, members: _short_line(code, members, known), members)


def _half(code: Code) -> list[tuple[int, int]]:
    """One of each two opposite directions in which there are any steps, with its opposite."""
    board = code.unit.board
    return [(d, back) for d, back in enumerate(board.opposite) if d < back and board.shifts[d]]


def _short_line(code: Code, members: Value, length: int) -> Value:
    if length < 2:
        return members
    found = []
    for d, back in _half(code):
        ends = members
        for _ in range(length - 1):
            ends = code.b.and_(ends, code.shift(ends, d))

        def along(ends: Value = ends, back: int = back) -> list[Value]:
            line = [ends]
            for _ in range(length - 1):
                line.append(code.shift(line[-1], back))
            return [code.union(line)]

        found += code.choice(code.some(ends), along, lambda: [code.sites(0)])
    return code.union(found)


def _line(code: Code, members: Value, length: Value) -> Value:
    most = I64(code.unit.geometry.size + 1)
    length = code.b.select(code.less(most, length), most, length)
    steps = code.b.sub(length, I64(1))
    found = [code.where(code.less(length, I64(2)), members)]  # also if the board has no steps at all
    for d, back in _half(code):
        _, ends = code.loop(
            [I64(0), members],
            lambda i, ends: code.b.and_(code.less(i, steps), code.some(ends)),
            lambda i, ends, d=d: [code.b.add(i, I64(1)), code.b.and_(ends, code.shift(ends, d))],
        )
        _, _, out = code.loop(
            [I64(0), ends, ends],
            lambda i, ends, out: code.b.and_(code.less(i, steps), code.some(ends)),
            lambda i, ends, out, back=back: [
                code.b.add(i, I64(1)),
                code.shift(ends, back),
                code.b.or_(out, code.shift(ends, back)),
            ],
        )
        found.append(out)
    enough = code.b.not_(code.less(code.size(members), length))
    return code.where(enough, code.union(found))


def between(code: Code, start: Value, goal: Value) -> Value:
    everything = _all(code)
    return code.union(
        [
            code.b.and_(_walk(code, d, start, everything), _walk(code, back, goal, everything))
            for d, back in enumerate(code.unit.board.opposite)
        ]
    )


def direction(code: Code, start: Value, goal: Value) -> Value:
    out: Value = I64(0)
    for d in range(len(code.unit.board.directions)):
        leads = code.some(code.b.and_(_walk(code, d, start, _all(code)), goal))
        out = code.b.or_(out, code.b.select(leads, I64(1 << d), I64(0)))
    return out


def _mapped(targets: Callable[[Code, int], int]) -> Write:
    """A word from directions to directions, given what each direction becomes."""

    def write(code: Code, directions: Value) -> Value:
        out: Value = I64(0)
        for d in range(len(code.unit.board.directions)):
            asked = code.differ(code.b.and_(directions, I64(1 << d)), I64(0))
            out = code.b.or_(out, code.b.select(asked, I64(targets(code, d)), I64(0)))
        return out

    return write


def _beside(code: Code, d: int) -> int:
    around = len(code.unit.board.directions)
    return 1 << (d - 1) % around | 1 << (d + 1) % around


def turned(code: Code, directions: Value, number: Value) -> Value:
    """Rotate the ring of directions: bits that leave it at one end come in at the other."""
    around = len(code.unit.board.directions)
    by = code.divide(number, I64(around))[1]
    ring = code.b.or_(code.b.shl(directions, by), code.b.lshr(directions, code.b.sub(I64(around), by)))
    return code.b.and_(ring, I64((1 << around) - 1))


def leaps(code: Code, start: Value, a: Value, b: Value) -> Value:
    """Leaps site by site, using a table of the places of the board."""
    return _walker(code, "leaps", _leaps, start, a, b)


def _leaps(code: Code, start: Value, a: Value, b: Value) -> Value:
    board = code.unit.board
    width, height = max(board.columns) + 1, max(board.rows) + 1
    numbers = [-1] * (width * height)
    for site, (column, row) in enumerate(zip(board.columns, board.rows, strict=True)):
        numbers[row * width + column] = site
    places = code.unit.table("places", I64, numbers)
    columns, rows = code.unit.table("columns", I64, board.columns), code.unit.table("rows", I64, board.rows)

    def moved(numbers: Value, site: Value, by: Value, around: int) -> Value:
        number = code.b.add(code.looked_up(numbers, site), by)
        if not around:
            return number
        return code.b.add(code.divide(code.b.sub(number, I64(1)), I64(around))[1], I64(1))

    def leap(site: Value, dx: Value, dy: Value) -> Value:
        column = moved(columns, site, dx, board.around[0])
        row = moved(rows, site, dy, board.around[1])
        inside = code.b.and_(
            code.b.icmp_unsigned("<", column, I64(width)), code.b.icmp_unsigned("<", row, I64(height))
        )
        where = code.b.add(code.b.mul(row, I64(width)), column)
        number = code.looked_up(places, code.b.select(inside, where, I64(0)))
        there = code.b.and_(inside, code.b.not_(code.less(number, I64(0))))
        return code.where(there, code.site(code.b.select(there, number, I64(0))))

    def each(left: Value, out: Value) -> Sequence[Value]:
        low = code.lowest(left)
        site = code.first(low)
        ends = [
            leap(site, sign_x, sign_y)
            for x, y in ((a, b), (b, a))
            for sign_x in (x, code.b.neg(x))
            for sign_y in (y, code.b.neg(y))
        ]
        return [code.b.xor(left, low), code.b.or_(out, code.union(ends))]

    return code.loop([start, code.sites(0)], lambda left, _: code.some(left), each)[1]


def _once(name: str, write: Write, ways: int | None, result: Callable[[Code], ir.Type]) -> Write:
    """The same word as a shared function, or written in place if it has at most one, known direction.

    `ways` is the index of the directions among the arguments, if there are any.
    """

    def written(code: Code, *arguments: Value) -> Value:
        if ways is not None:
            directions = getattr(arguments[ways], "constant", None)
            if directions is not None and directions.bit_count() <= 1:
                return write(code, *arguments)
        # Known numbers, such as the one step of `step`, stay constants inside.
        known = {i: a for i, a in enumerate(arguments) if isinstance(a, ir.Constant) and a.type == I64}
        open_ = [a for i, a in enumerate(arguments) if i not in known]

        def inside(code: Code, *given: Value) -> Value:
            rest = iter(given)
            return write(code, *(known[i] if i in known else next(rest) for i in range(len(arguments))))

        own = ".".join([name, *(f"{i}={a.constant}" for i, a in known.items())])
        function = code.unit.shared(own, result(code), [a.type for a in open_], inside, pure=True)
        return code.call(function, *open_)

    return written


# --- single words ------------------------------------------------------------


def _number_of(numbers: Callable[[Code], Sequence[int]], name: str) -> Write:
    """The row or column of a set's first site; 0 for the empty set."""

    def write(code: Code, members: Value) -> Value:
        table = code.unit.table(name, I64, numbers(code))
        some = code.some(members)
        place = code.b.select(some, code.first(members), I64(0))
        return code.b.select(some, code.looked_up(table, place), I64(0))

    return write


def _line_of(lines: Callable[[Code], dict[int, int]], name: str) -> Write:
    """All sites of a row or column."""

    def write(code: Code, number: Value) -> Value:
        sets = lines(code)
        most = max(sets)
        table = code.unit.table(name, code.unit.padded, [sets.get(k, 0) for k in range(most + 1)])
        inside = code.b.icmp_unsigned("<=", number, I64(most))
        padded = code.looked_up(table, code.b.select(inside, number, I64(0)))
        return padded if code.unit.padded == code.unit.set else code.b.trunc(padded, code.unit.set)

    return write


def group_count(code: Code, members: Value) -> Value:
    def each(left: Value, count: Value) -> Sequence[Value]:
        return [code.without(left, flood(code, code.lowest(left), left)), code.b.add(count, I64(1))]

    return code.loop([members, I64(0)], lambda left, _: code.some(left), each)[1]


def _arithmetic(name: str) -> Write:
    return lambda code, a, b: code.clamp(getattr(code.b, name)(a, b))


def _compared(sign: str) -> Write:
    return lambda code, a, b: code.b.icmp_signed(sign, a, b)


def _both(code: Code, a: Value, b: Value) -> Value:
    return code.b.and_(a, b)


def _either(code: Code, a: Value, b: Value) -> Value:
    return code.b.or_(a, b)


def _subset(code: Code, a: Value, b: Value) -> Value:
    return code.equal(code.without(a, b), a.type(0))


def _found_in(code: Code, a: Value, b: Value) -> Value:
    return code.b.and_(code.differ(a, a.type(0)), _subset(code, a, b))


def _constant(members: Callable[[Code], int]) -> Write:
    return lambda code: code.sites(members(code))


#: The built-ins by key; each takes the function being written, then the values of its arguments.
MEANINGS: dict[str, Write] = {
    "board": _constant(lambda c: c.unit.geometry.all),
    "none": _constant(lambda c: 0),
    "edge": _constant(lambda c: c.unit.board.edge),
    "corner": _constant(lambda c: c.unit.board.corner),
    "center": _constant(lambda c: c.unit.board.center),
    "infinite": lambda code: I64(LIMIT),
    "size": Code.size,
    "group_count": _once("group_count", group_count, None, lambda code: I64),
    "row_of": _number_of(lambda c: c.unit.board.rows, "rows"),
    "column_of": _number_of(lambda c: c.unit.board.columns, "columns"),
    "row": _line_of(lambda c: c.unit.geometry.rows, "row_sets"),
    "column": _line_of(lambda c: c.unit.geometry.columns, "column_sets"),
    "way_count": Code.size,
    "adjacent": lambda code, a: code.without(code.spread(a), a),
    "line": line,
    "opposite": _mapped(lambda c, d: 1 << c.unit.board.opposite[d]),
    "flank": _mapped(_beside),
    "turned": turned,
    "leaps": leaps,
    **{
        name: _once(name, write, ways, lambda code: code.unit.set)
        for name, write, ways in (
            ("step", step, 1),
            ("ray", ray, 1),
            ("run", run, 1),
            ("beyond", beyond, 1),
            ("nearest", nearest, 2),
            ("farthest", farthest, 2),
            ("between", between, None),
        )
    },
    "direction": _once("direction", direction, None, lambda code: I64),
    "connected": connected,
    "reach": flood,
    "steps": steps,
    "closest": closest,
    "other": lambda code, player: code.b.xor(player, I64(1)),
    "abs": lambda code, a: code.b.select(code.less(a, I64(0)), code.b.neg(a), a),
    "larger": lambda code, a, b: code.b.select(code.less(a, b), b, a),
    "smaller": lambda code, a, b: code.b.select(code.less(b, a), b, a),
    "union": _either,
    "difference": Code.without,
    "intersection": _both,
    "either_way": _either,
    "without_way": Code.without,
    "both_ways": _both,
    "add": _arithmetic("add"),
    "subtract": _arithmetic("sub"),
    "multiply": _arithmetic("mul"),
    "divide": lambda code, a, b: code.divide(a, b)[0],
    "modulo": lambda code, a, b: code.divide(a, b)[1],
    "power": Code.power,
    "negate": lambda code, a: code.b.neg(a),
    "less": _compared("<"),
    "at_most": _compared("<="),
    "greater": _compared(">"),
    "at_least": _compared(">="),
    "is_in": _found_in,
    "way_in": _found_in,
    "within": _subset,
    "way_within": _subset,
    "touches": lambda code, a, b: code.some(code.b.and_(code.spread(a), b)),
    "some": Code.some,
    "no": Code.no,
    "some_way": lambda code, a: code.differ(a, I64(0)),
    "no_way": lambda code, a: code.equal(a, I64(0)),
    "not": lambda code, a: code.b.not_(a),
    **{
        f"equal_{t.name.lower()}": Code.equal
        for t in (Type.SET, Type.INT, Type.BOOL, Type.PLAYER, Type.DIRECTIONS, Type.KIND)
    },
}
