"""Ayu written by hand: a yardstick for what the rule file compiles to.

Uniform: each unit and the points it may go to are found once a turn; a pair of stone and point is drawn from
all of them until the group stays whole. Stepwise: a stone, then a point, until one is legal. There is no rule
of repetition, and after 500 failed draws a player is taken to have no move.
"""

from __future__ import annotations

from typing import Any

from benchmarks.hand import I1, I64, STATE, Hand, Play


def ayu_by_hand(size: int, policy: str) -> Play:
    """Random games of Ayu."""
    hand = _hand(size)
    playouts, b = hand.function("playouts", I64, [I64, STATE], inline=False)
    games, state = playouts.args
    turn = _Uniform(hand, b, state) if policy == "uniform" else _Stepwise(hand, b, state)
    mine_at, theirs_at = b.alloca(hand.set), b.alloca(hand.set)
    moves, game = b.alloca(I64), b.alloca(I64)
    b.store(I64(0), moves)
    b.store(I64(0), game)
    first, second = (
        sum(1 << (r * size + c) for r in range(size) for c in range(size) if (c % 2, r % 2) == parity)
        for parity in ((1, 0), (0, 1))
    )
    board = hand.set((1 << size * size) - 1)

    def one_game(_: Any) -> None:
        b.store(hand.set(first), mine_at)
        b.store(hand.set(second), theirs_at)

        def one_turn(over: Any) -> None:
            mine, theirs = b.load(mine_at), b.load(theirs_at)
            empty = b.and_(b.not_(b.or_(mine, theirs)), board)
            b.store(I1(0), turn.found)
            turn.write(mine, empty)
            with b.if_then(b.not_(b.load(turn.found))):
                b.branch(over)
            b.store(theirs, mine_at)
            b.store(b.or_(b.xor(mine, b.load(turn.stone)), b.load(turn.point)), theirs_at)
            b.store(b.add(b.load(moves), I64(1)), moves)

        hand.loop(b, lambda: I1(1), one_turn)
        b.store(b.add(b.load(game), I64(1)), game)

    hand.loop(b, lambda: b.icmp_unsigned("<", b.load(game), games), one_game)
    b.ret(b.load(moves))
    return hand.compiled("playouts")


def _hand(size: int) -> Hand:
    rows, columns = range(size), range(size)
    not_first = sum(1 << (r * size + c) for r in rows for c in columns if c)
    not_last = sum(1 << (r * size + c) for r in rows for c in columns if c < size - 1)
    return Hand(size * size, [(not_first, 1), (not_last, -1), (None, size), (None, -size)], steps=2)


class _Turn:
    """Leaves in memory whether there was a legal move, its stone and its point."""

    def __init__(self, hand: Hand, b: Any, state: Any) -> None:
        self.hand, self.b, self.state = hand, b, state
        self.found, self.stone, self.point = b.alloca(I1), b.alloca(hand.set), b.alloca(hand.set)
        self.left = b.alloca(hand.set)
        self.approach = self._approach()

    def try_move(self, unit: Any, stone: Any, point: Any) -> Any:
        """Note a stone and a point; the result is whether the group stays whole."""
        b = self.b
        moved = b.or_(b.xor(unit, stone), point)
        whole = b.icmp_unsigned("==", b.call(self.hand.flood, [point, moved]), moved)
        b.store(stone, self.stone)
        b.store(point, self.point)
        b.store(whole, self.found)
        return whole

    def _approach(self) -> Any:
        """The empty points next to a unit that the other units of its side reach first."""
        hand = self.hand
        function, b = hand.function("approach", hand.set, [hand.set, hand.set, hand.set])
        unit, mine, empty = function.args
        others = b.and_(mine, b.not_(unit))
        targets = b.and_(hand.spread(b, unit), empty)
        before, again, after = b.block, function.append_basic_block(), function.append_basic_block()
        b.branch(again)
        b.position_at_end(again)
        reached = b.phi(hand.set)
        reached.add_incoming(others, before)
        grown = b.or_(reached, b.and_(hand.spread(b, reached), empty))
        hit = b.and_(grown, targets)
        reached.add_incoming(grown, again)
        b.cbranch(b.or_(hand.some(b, hit), b.icmp_unsigned("==", grown, reached)), after, again)
        b.position_at_end(after)
        b.ret(hit)
        return function


class _Uniform(_Turn):
    """Every legal move is equally likely."""

    def __init__(self, hand: Hand, b: Any, state: Any) -> None:
        super().__init__(hand, b, state)
        self.units, self.points = (b.alloca(hand.set, I64(hand.sites)) for _ in range(2))
        self.sums = b.alloca(I64, I64(hand.sites))
        self.rows, self.total, self.tries, self.row = (b.alloca(I64) for _ in range(4))

    def write(self, mine: Any, empty: Any) -> None:
        hand, b = self.hand, self.b
        b.store(mine, self.left)
        for memory in (self.rows, self.total, self.tries):
            b.store(I64(0), memory)

        def add_unit(_: Any) -> None:
            left = b.load(self.left)
            unit = b.call(hand.flood, [hand.lowest(b, left), mine])
            b.store(b.and_(left, b.not_(unit)), self.left)
            points = b.call(self.approach, [unit, mine, empty])
            with b.if_then(hand.some(b, points)):
                row = b.load(self.rows)
                total = b.add(b.load(self.total), b.mul(hand.size(b, unit), hand.size(b, points)))
                for memory, value in ((self.units, unit), (self.points, points), (self.sums, total)):
                    b.store(value, b.gep(memory, [row]))
                b.store(total, self.total)
                b.store(b.add(row, I64(1)), self.rows)

        hand.loop(b, lambda: hand.some(b, b.load(self.left)), add_unit)

        def go_on() -> Any:
            missing = b.and_(b.not_(b.load(self.found)), b.icmp_unsigned("!=", b.load(self.total), I64(0)))
            return b.and_(missing, b.icmp_unsigned("<", b.load(self.tries), I64(500)))

        hand.loop(b, go_on, lambda _: self._draw())

    def _draw(self) -> None:
        hand, b = self.hand, self.b
        number = hand.below(b, self.state, b.load(self.total))
        b.store(I64(0), self.row)

        def at(memory: Any) -> Any:
            return b.load(b.gep(memory, [b.load(self.row)]))

        hand.loop(
            b,
            lambda: b.icmp_unsigned("<=", at(self.sums), number),
            lambda _: b.store(b.add(b.load(self.row), I64(1)), self.row),
        )
        unit, points = at(self.units), at(self.points)
        offset = b.sub(b.sub(at(self.sums), I64(1)), number)
        count = hand.size(b, points)
        stone = b.call(hand.select, [unit, b.udiv(offset, count)])
        self.try_move(unit, stone, b.call(hand.select, [points, b.urem(offset, count)]))
        b.store(b.add(b.load(self.tries), I64(1)), self.tries)


class _Stepwise(_Turn):
    """A stone, then a point, each equally likely."""

    def __init__(self, hand: Hand, b: Any, state: Any) -> None:
        super().__init__(hand, b, state)
        self.points = b.alloca(hand.set)

    def write(self, mine: Any, empty: Any) -> None:
        hand, b = self.hand, self.b
        b.store(mine, self.left)

        def try_stone(_: Any) -> None:
            stone = self._take(self.left)
            unit = b.call(hand.flood, [stone, mine])
            b.store(b.call(self.approach, [unit, mine, empty]), self.points)

            def try_point(out: Any) -> None:
                with b.if_then(self.try_move(unit, stone, self._take(self.points))):
                    b.branch(out)

            hand.loop(b, lambda: hand.some(b, b.load(self.points)), try_point)

        hand.loop(b, lambda: b.and_(hand.some(b, b.load(self.left)), b.not_(b.load(self.found))), try_stone)

    def _take(self, memory: Any) -> Any:
        """Remove a random member from a set, and return it."""
        hand, b = self.hand, self.b
        members = b.load(memory)
        one = b.call(hand.select, [members, hand.below(b, self.state, hand.size(b, members))])
        b.store(b.xor(members, one), memory)
        return one
