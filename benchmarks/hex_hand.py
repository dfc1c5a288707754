"""Hex written by hand: a yardstick for what the rule file compiles to.

A cell is drawn by counting and selecting bits. After each move a flood of the mover's stones, from the
new stone or from a side, is compared with the sides. One column of padding keeps the rows apart.
"""

from __future__ import annotations

from typing import Any

from benchmarks.hand import I64, STATE, Hand, Play


def hex_by_hand(size: int, start: str) -> Play:
    """Uniform random games of Hex; floods start from the `cell` or from the `side`."""
    width = size + 1
    hand = Hand(size * width, [(None, k) for k in (1, -1, width, -width, width - 1, 1 - width)], steps=1)

    def cells(rows: range, columns: range) -> int:
        return sum(1 << (row * width + column) for row in rows for column in columns)

    whole, first, last = range(size), range(1), range(size - 1, size)
    sides = [(cells(first, whole), cells(last, whole)), (cells(whole, first), cells(whole, last))]
    playouts, b = hand.function("playouts", I64, [I64, STATE], inline=False)
    games, state = playouts.args
    stones, empty = [b.alloca(hand.set), b.alloca(hand.set)], b.alloca(hand.set)
    moves, game, left = b.alloca(I64), b.alloca(I64), b.alloca(I64)
    b.store(I64(0), moves)
    b.store(I64(0), game)

    def one_game(_: Any) -> None:
        for player in (0, 1):
            b.store(hand.set(0), stones[player])
        b.store(hand.set(cells(whole, whole)), empty)
        b.store(I64(size * size), left)
        turns, over = [playouts.append_basic_block() for _ in (0, 1)], playouts.append_basic_block()
        b.branch(turns[0])
        for player in (0, 1):
            b.position_at_end(turns[player])
            count, cells_left = b.load(left), b.load(empty)
            cell = b.call(hand.select, [cells_left, hand.below(b, state, count)])
            mine = b.or_(b.load(stones[player]), cell)
            b.store(b.xor(cells_left, cell), empty)
            b.store(mine, stones[player])
            b.store(b.sub(count, I64(1)), left)
            b.store(b.add(b.load(moves), I64(1)), moves)
            near, far = map(hand.set, sides[player])
            linked = b.call(hand.flood, [cell if start == "cell" else b.and_(mine, near), mine])
            won = hand.some(b, b.and_(linked, far))
            if start == "cell":
                won = b.and_(won, hand.some(b, b.and_(linked, near)))
            b.cbranch(won, over, turns[1 - player])
        b.position_at_end(over)
        b.store(b.add(b.load(game), I64(1)), game)

    hand.loop(b, lambda: b.icmp_unsigned("<", b.load(game), games), one_game)
    b.ret(b.load(moves))
    return hand.compiled("playouts")
