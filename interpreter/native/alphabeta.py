"""Alpha-beta search in native code (Knuth, Moore 1975), with a table of positions and a history of moves.

`look_ahead` looks a given number of plies ahead and returns what the position is worth to the person to move,
within bounds: wins are exact, and so is whatever no longer depends on how far it looks (`HEAD`: open). A
position is worth as much as its best move, as seen by the person who makes it: the same person may
move twice in a row, and people may swap seats between two moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from llvmlite import ir

from interpreter.native.assembly import I1, I64, POINTER, Code, Value
from interpreter.native.body import Body
from interpreter.native.context import DRAW
from interpreter.native.exploring import Exploring
from interpreter.native.layout import NOBODY
from interpreter.native.lookahead import (
    CLOSED,
    DEPTH_BITS,
    FACTORS,
    HISTORY_BITS,
    MOST_GUESSED,
    MOVE_BITS,
    OFFSET,
    REPLY_BITS,
    VALUE_BITS,
    WIN,
    WON,
)
from interpreter.native.material import material
from interpreter.native.shape import score_sign, stuck_wins

if TYPE_CHECKING:
    from interpreter.native.program import Program

#: What a point of the score is worth; a move is worth 1, and pieces what `worths` says.
POINT = 16

#: This many moves are taken in the order of their promise, the others as they come.
SORTED = 16

#: The promise of the move that the table remembers, above that of any that history knows.
FIRST = 1 << 62

#: The number of words kept for each move while it waits to be searched (see `Alphabeta._order`).
CELL = 3


class Alphabeta(Exploring):
    """Writes the search of one game."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.score_sign = score_sign(program.program)
        self.node = self._node()
        self._look_ahead()

    def _look_ahead(self) -> None:
        """The value of a position that is not over."""
        body = Body.begin(self.unit, "look_ahead", I64, [POINTER], public=True)
        code = body.code
        (head,) = code.function.args[2:]
        body.put("out", self.of(code, head, "moves"))
        body.put("capacity", self.of(code, head, "room"))
        asked = [self.of(code, head, name) for name in ("depth", "alpha", "beta")]
        code.b.ret(code.call(self.node, body.context, body.position, head, *asked, I64(0), I64(0), I1(1)))
        body.end(I64(0))

    # --- a position ----------------------------------------------------------

    def _node(self) -> ir.Function:
        """The value of a position to the person to move there, between alpha and beta, or a bound outside.

        Further arguments: the depth left, both bounds, how many moves the other person had before, the
        place of the last move in the history, whether this is the root.
        """
        body = Body.begin(self.unit, "node", I64, [POINTER, I64, I64, I64, I64, I64, I1])
        code = body.code
        head, depth, alpha, beta, before, last, root = code.function.args[2:]
        looked = code.b.add(self.of(code, head, "looked"), I64(1))
        self.to(code, head, "looked", looked)
        stops = code.differ(self.of(code, head, "stop"), I64(0))
        stops = code.b.or_(stops, code.less(self.of(code, head, "limit"), looked))

        def broken() -> Value:
            self.to(code, head, "broken", I64(1))
            return I64(0)

        def over(verdict: Value) -> Value:
            self.to(code, head, "open", I64(0))
            return self._worth(code, body.position, verdict)

        def guessed(count: Value) -> Value:
            self.to(code, head, "open", I64(1))
            return self._guess(body, head, count, before)

        self.leave(code, stops, broken)
        self.low.renew(body)
        nobody = code.equal(code.word(body.position, self.layout.register["last_mover"]), I64(NOBODY))
        verdict = code.choice(
            nobody,
            lambda: [I64(0)],
            lambda: [code.call(self.program.verdict, body.context, body.position, I1(0))],
        )[0]
        self.leave(code, code.differ(verdict, I64(0)), lambda: over(verdict))
        at_horizon = code.less(depth, I64(1))
        horizon, inside = code.function.append_basic_block(), code.function.append_basic_block()
        code.b.cbranch(at_horizon, horizon, inside)
        code.b.position_at_end(horizon)
        count = self._counted(body)
        verdict = self.without_moves(body, count)
        self.leave(code, code.differ(verdict, I64(0)), lambda: over(verdict))
        code.b.ret(guessed(count))
        code.b.position_at_end(inside)

        hashes = self.hashes(code, body.position)
        first, second, data, more = self.probe(code, head, hashes)
        self._use_bounds(body, head, data, depth, alpha, beta, root)
        start, capacity = body.word("out"), body.word("capacity")
        found = self.program.listed(body, body.position)
        self.leave(code, self.low.overworked(body), broken)
        verdict_here = self.without_moves(body, found)

        def free() -> None:
            body.put("out", start)
            body.put("capacity", capacity)

        def over_here() -> Value:
            free()
            return over(verdict_here)

        self.leave(code, code.differ(verdict_here, I64(0)), over_here)
        total = code.b.add(found, code.wide(self.program.may_swap(body, body.position)))
        order = body.word("out")
        words = code.b.mul(total, I64(CELL))
        left = code.b.sub(body.word("capacity"), words)

        def no_room() -> Value:
            free()
            return guessed(total)

        self.leave(code, code.less(left, I64(0)), no_room)
        body.put("out", code.b.add(order, code.b.mul(words, I64(8))))
        body.put("capacity", left)
        remembered = code.b.sub(code.b.and_(more, I64((1 << MOVE_BITS) - 1)), I64(1))
        killers = code.b.inttoptr(self.of(code, head, "killers"), POINTER)
        killers = code.at(killers, code.b.mul(depth, I64(2)))
        self._order(body, head, (start, order), (found, total), remembered, killers, last)
        best, number, open_ = self._best(
            body, head, (depth, alpha, beta, before, last, root), (order, total, killers)
        )
        free()
        self.leave(code, code.differ(self.of(code, head, "broken"), I64(0)), lambda: I64(0))
        effort = code.b.sub(self.of(code, head, "looked"), looked)
        self._store(
            code, head, hashes, (first, second), data, (depth, alpha, beta), (best, number, open_, effort)
        )
        self.to(code, head, "open", open_)
        code.b.ret(best)
        body.end(I64(0))
        return code.function

    def _worth(self, code: Code, position: Value, verdict: Value) -> Value:
        """What an ending is worth to the player who would be to move; the seats do not matter any more."""
        winner = code.b.srem(code.b.sub(verdict, I64(1)), I64(3))
        mine = code.equal(winner, code.word(position, self.layout.mover))
        decided = code.b.select(mine, I64(WIN), I64(-WIN))
        return code.b.select(code.equal(winner, I64(DRAW)), I64(0), decided)

    # --- guesses -------------------------------------------------------------

    def _counted(self, body: Body) -> Value:
        """How many legal moves there are, or something above 0 if the number is not needed."""
        if not self.score_sign:
            return self.program.counted(body, body.position)
        if self.program.uses_stuck:
            return body.code.wide(body.code.call(self.program.any, body.context, body.position))
        return I64(1)

    def _guess(self, body: Body, head: Value, count: Value, before: Value) -> Value:
        """What a position seems to be worth to the player to move."""
        code = body.code

        def guess() -> list[Value]:
            value = self._score(body) if self.score_sign else self._activity(body, head, count, before)
            low = code.b.select(code.less(value, I64(-MOST_GUESSED)), I64(-MOST_GUESSED), value)
            return [code.b.select(code.less(I64(MOST_GUESSED), low), I64(MOST_GUESSED), low)]

        asked = code.differ(self.of(code, head, "guesses"), I64(0))
        return code.choice(asked, guess, lambda: [I64(0)])[0]

    def _score(self, body: Body) -> Value:
        """The lead in the score."""
        code, program = body.code, self.program.program
        assert program.score is not None
        player = code.word(body.position, self.layout.mover)
        last = code.word(body.position, self.layout.register["last_mover"])
        last = code.b.select(code.equal(last, I64(NOBODY)), code.b.xor(player, I64(1)), last)
        env = self.low.load(body, last) | {"next": player}
        slot = ("local", program.score_slot)
        scores = [self.low.value(body, program.score, {**env, slot: I64(p)}) for p in (0, 1)]
        lead = code.b.sub(*scores)
        lead = code.b.select(code.equal(player, I64(0)), lead, code.b.neg(lead))
        return code.b.mul(lead, I64(POINT * self.score_sign))

    def _activity(self, body: Body, head: Value, count: Value, before: Value) -> Value:
        """The lead in pieces and moves: good, unless a player who cannot move wins."""
        code = body.code
        player = code.word(body.position, self.layout.mover)
        lead = material(self.low, body, self.of(code, head, "worths"))
        lead = code.b.select(code.equal(player, I64(0)), lead, code.b.neg(lead))
        moves = code.b.sub(count, before)
        value = code.b.add(lead, moves)
        return code.b.neg(value) if stuck_wins(self.program.program) else value

    # --- the table -----------------------------------------------------------

    def _bound(self, code: Code, data: Value, upper: bool) -> tuple[Value, Value]:
        """A bound of an entry: (value, depth)."""
        shift = (VALUE_BITS + DEPTH_BITS) * upper
        data = code.b.lshr(data, I64(shift))
        value = code.b.sub(code.b.and_(data, I64((1 << VALUE_BITS) - 1)), I64(OFFSET))
        return value, code.b.and_(code.b.lshr(data, I64(VALUE_BITS)), I64((1 << DEPTH_BITS) - 1))

    def _use_bounds(
        self, body: Body, head: Value, data: Value, depth: Value, alpha: Value, beta: Value, root: Value
    ) -> None:
        """Leave with a bound found before, if that is enough."""
        code = body.code
        usable = code.b.and_(code.b.not_(root), code.differ(self.of(code, head, "blind"), I64(0)))
        low, low_depth = self._bound(code, data, False)
        high, high_depth = self._bound(code, data, True)
        low_holds = code.less(depth, low_depth)
        high_holds = code.less(depth, high_depth)
        enough_low = code.b.and_(low_holds, code.b.not_(code.less(low, beta)))
        enough_high = code.b.and_(high_holds, code.b.not_(code.less(alpha, high)))
        exact = code.b.and_(code.b.and_(low_holds, high_holds), code.equal(low, high))

        def use(value: Value, depths: Sequence[Value]) -> Value:
            closed = code.truth(True)
            for found in depths:
                closed = code.b.and_(closed, code.equal(found, I64(CLOSED)))
            self.to(code, head, "open", code.b.not_(closed))
            return value

        self.leave(code, code.b.and_(usable, enough_low), lambda: use(low, [low_depth]))
        self.leave(code, code.b.and_(usable, enough_high), lambda: use(high, [high_depth]))
        self.leave(code, code.b.and_(usable, exact), lambda: use(low, [low_depth, high_depth]))

    def _store(
        self,
        code: Code,
        head: Value,
        hashes: tuple[Value, Value],
        entries: tuple[Value, Value],
        data: Value,
        asked: tuple[Value, Value, Value],
        found: tuple[Value, Value, Value, Value],
    ) -> None:
        """Keep what was found, as far as it says more than what is there."""
        depth, alpha, beta = asked
        value, number, open_, effort = found
        closed = code.equal(open_, I64(0))
        depth = code.b.select(closed, I64(CLOSED), code.b.add(depth, I64(1)))
        words: list[Value] = []
        for upper in (False, True):
            old, old_depth = self._bound(code, data, upper)
            # A win holds however much deeper the search goes, and so does a loss.
            sure = code.less(value, I64(1 - WON)) if upper else code.less(I64(WON - 1), value)
            new_depth = code.b.select(sure, I64(CLOSED), depth)
            holds = code.less(value, beta) if upper else code.less(alpha, value)
            tighter = code.less(value, old) if upper else code.less(old, value)
            deeper = code.less(old_depth, new_depth)
            better = code.b.or_(deeper, code.b.and_(code.equal(old_depth, new_depth), tighter))
            better = code.b.and_(holds, better)
            words += [code.b.select(better, value, old), code.b.select(better, new_depth, old_depth)]
        packed: Value = I64(0)
        for k, (word, width) in enumerate(
            zip(words, (VALUE_BITS, DEPTH_BITS, VALUE_BITS, DEPTH_BITS), strict=True)
        ):
            word = code.b.add(word, I64(OFFSET)) if k % 2 == 0 else word
            shift = (VALUE_BITS + DEPTH_BITS) * (k // 2) + VALUE_BITS * (k % 2)
            packed = code.b.or_(packed, code.b.shl(code.b.and_(word, I64((1 << width) - 1)), I64(shift)))
        self.keep(code, head, hashes, entries, (packed, number, effort))

    # --- the moves -----------------------------------------------------------

    def _order(
        self,
        body: Body,
        head: Value,
        memory: tuple[Value, Value],
        counts: tuple[Value, Value],
        remembered: Value,
        killers: Value,
        last: Value,
    ) -> None:
        """Write a cell for each move: where its path is (0: the swap), its number above its place in the
        history, and its promise. The paths are at the start of the memory, the cells after them."""
        start, order = memory
        found, total = counts
        code = body.code
        history, replies = self._history(code, body.position, head)
        cells = code.b.inttoptr(order, POINTER)

        def each(i: Value, where: Value) -> Sequence[Value]:
            path = code.b.inttoptr(where, POINTER)
            is_swap = code.equal(i, found)
            length = code.b.select(is_swap, I64(0), code.word(path, 0))

            def mix(k: Value, hash_: Value) -> Sequence[Value]:
                word = code.word(path, code.b.add(k, I64(1)))
                return [code.b.add(k, I64(1)), code.b.mul(code.b.xor(hash_, word), I64(FACTORS[0]))]

            _, hash_ = code.loop([I64(0), I64(1)], lambda k, _: code.less(k, length), mix)
            place = code.b.lshr(hash_, I64(64 - HISTORY_BITS))
            promise = code.b.add(
                code.word(history, place),
                code.b.shl(code.word(replies, self._pair(code, last, place)), I64(2)),
            )
            for k in (1, 0):
                killer = code.equal(code.word(killers, k), place)
                promise = code.b.select(killer, I64(FIRST >> 1 + k), promise)
            promise = code.b.select(code.equal(i, remembered), I64(FIRST), promise)
            cell = code.at(cells, code.b.mul(i, I64(CELL)))
            number = code.b.or_(code.b.shl(i, I64(HISTORY_BITS)), place)
            for k, value in enumerate((code.b.select(is_swap, I64(0), where), number, promise)):
                code.put(cell, k, value)
            return [code.b.add(i, I64(1)), code.b.add(where, code.b.mul(code.b.add(length, I64(1)), I64(8)))]

        code.loop([I64(0), start], lambda i, _: code.less(i, total), each)

    def _history(self, code: Code, position: Value, head: Value) -> tuple[Value, Value]:
        """How often each move of the person to move, and each reply to a move, caused a cutoff."""
        person = self.program.person(code, position)
        tables = (("history", HISTORY_BITS), ("replies", REPLY_BITS))
        return tuple(
            code.at(code.b.inttoptr(self.of(code, head, name), POINTER), code.b.shl(person, I64(bits)))
            for name, bits in tables
        )

    def _pair(self, code: Code, last: Value, place: Value) -> Value:
        """The place of a pair of moves, the last one and this one, in the table of replies."""
        mixed = code.b.mul(code.b.or_(code.b.shl(last, I64(HISTORY_BITS)), place), I64(FACTORS[0]))
        return code.b.lshr(mixed, I64(64 - REPLY_BITS))

    def _best(
        self,
        body: Body,
        head: Value,
        asked: tuple[Value, Value, Value, Value, Value, Value],
        moves: tuple[Value, Value, Value],
    ) -> tuple[Value, Value, Value]:
        """The best value among the moves, the number of its move, and whether that depends on the horizon."""
        code = body.code
        depth, alpha, beta, before, last, root = asked
        order, total, killers = moves
        cells = code.b.inttoptr(order, POINTER)
        child = code.alloca(I64, self.layout.words + 1)
        person = self.program.person(code, body.position)
        history, replies = self._history(code, body.position, head)

        def each(i: Value, low: Value, best: Value, number: Value, open_: Value, _: Value) -> Sequence[Value]:
            code.choice(
                code.less(i, I64(SORTED)), lambda: [self._pick(code, cells, i, total)], lambda: [I64(0)]
            )
            cell = code.at(cells, code.b.mul(i, I64(CELL)))
            self.play(body, head, child, code.word(cell, 0))
            same = code.equal(person, self.program.person(code, child))
            others = code.b.select(same, before, total)
            place = code.b.and_(code.word(cell, 1), I64((1 << HISTORY_BITS) - 1))

            def below(low: Value, high: Value) -> Value:
                """The value of the child to the person who moves here."""
                low, high = self._far(code, low), self._far(code, high)
                a = code.b.select(same, low, code.b.neg(high))
                b = code.b.select(same, high, code.b.neg(low))
                deeper = code.b.sub(depth, I64(1))
                value = code.call(
                    code.function, body.context, child, head, deeper, a, b, others, place, I1(0)
                )
                return self._near(code, code.b.select(same, value, code.b.neg(value)))

            def scout() -> list[Value]:
                value = below(low, code.b.add(low, I64(1)))
                between = code.b.and_(code.less(low, value), code.less(value, beta))
                again = code.b.and_(between, code.equal(self.of(code, head, "broken"), I64(0)))
                return code.choice(again, lambda: [below(low, beta)], lambda: [value])

            value = code.choice(code.less(I64(0), i), scout, lambda: [below(low, beta)])[0]
            broken = code.differ(self.of(code, head, "broken"), I64(0))
            open_here = self.of(code, head, "open")
            better = code.b.and_(code.less(best, value), code.b.not_(broken))
            here = code.word(cell, 1)
            own = code.b.lshr(here, I64(HISTORY_BITS))

            def tell_root() -> list[Value]:
                for name, new in (("best", own), ("value", value)):
                    self.to(code, head, name, code.b.select(better, new, self.of(code, head, name)))
                code.put(code.b.inttoptr(self.of(code, head, "values"), POINTER), own, value)
                return [I64(0)]

            code.choice(root, tell_root, lambda: [I64(0)])
            cut = code.b.and_(better, code.b.not_(code.less(value, beta)))

            def learn() -> list[Value]:
                for table, at in ((history, place), (replies, self._pair(code, last, place))):
                    code.put(table, at, code.b.add(code.word(table, at), code.b.mul(depth, depth)))
                killer = code.word(killers, 0)
                code.put(killers, 0, place)
                code.put(killers, 1, code.b.select(code.equal(killer, place), code.word(killers, 1), killer))
                return [I64(0)]

            code.choice(cut, learn, lambda: [I64(0)])
            all_open = code.b.or_(open_, open_here)
            return [
                code.b.add(i, I64(1)),
                code.b.select(code.b.and_(better, code.less(low, value)), value, low),
                code.b.select(better, value, best),
                code.b.select(better, own, number),
                # After a cutoff only that move counts; otherwise all of them do.
                code.b.select(cut, open_here, all_open),
                code.b.or_(broken, cut),
            ]

        start = [I64(0), alpha, I64(-WIN - 1), I64(-1), I64(0), code.truth(False)]
        _, _, best, number, open_, _ = code.loop(
            start, lambda i, *values: code.b.and_(code.less(i, total), code.b.not_(values[-1])), each
        )
        return best, number, open_

    def _pick(self, code: Code, cells: Value, i: Value, total: Value) -> Value:
        """Bring the most promising of the moves from the i-th on into the i-th place."""

        def look(j: Value, best: Value, most: Value) -> Sequence[Value]:
            promise = code.word(cells, code.b.add(code.b.mul(j, I64(CELL)), I64(CELL - 1)))
            more = code.less(most, promise)
            return [code.b.add(j, I64(1)), code.b.select(more, j, best), code.b.select(more, promise, most)]

        _, best, _ = code.loop([i, i, I64(-1)], lambda j, *_: code.less(j, total), look)
        one, two = (code.at(cells, code.b.mul(k, I64(CELL))) for k in (i, best))
        for k in range(CELL):
            words = code.word(one, k), code.word(two, k)
            code.put(one, k, words[1])
            code.put(two, k, words[0])
        return best

    def _far(self, code: Code, value: Value) -> Value:
        """A bound for the position after a move: wins and losses are one ply nearer there."""
        up = code.b.select(code.less(I64(WON - 1), value), I64(1), I64(0))
        down = code.b.select(code.less(value, I64(1 - WON)), I64(1), I64(0))
        return code.b.sub(code.b.add(value, up), down)

    def _near(self, code: Code, value: Value) -> Value:
        """The value before a move: wins and losses are one ply further away."""
        down = code.b.select(code.less(I64(WON), value), I64(1), I64(0))
        up = code.b.select(code.less(value, I64(-WON)), I64(1), I64(0))
        return code.b.sub(code.b.add(value, up), down)
