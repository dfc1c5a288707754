"""A whole game as one LLVM module: the functions that the engine calls.

=================== =================================================================
`search`            find the legal runs of a position (see `turns.MODES`)
`follow`            play the run of a path
`verdict`           how the game has ended: 0, or 1 + 3 * ending + winner (2: nobody)
`perft`             count the sequences of a number of moves
`playouts_uniform`  random games, each legal move alike
`playouts_stepwise` random games, each choice in turn alike
=================== =================================================================

All take the context (see `lowering.CONTEXT`) and a position (see `layout`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen
from llvmlite import ir

from gdl import core as c
from interpreter.binding import Bound
from interpreter.native.assembly import I1, I64, POINTER, Unit, Value
from interpreter.native.drawing import Drawing
from interpreter.native.layout import NOBODY, Layout
from interpreter.native.lowering import BUDGET, Body, Env, Lowering, calls
from interpreter.native.turns import MODE, Turns

#: What a playout ends with where it found no end within its plies, and where a turn took too much work.
UNFINISHED, OVERWORKED = 0, -1

#: The winner in a verdict that nobody has won.
DRAW = 2

POLICIES = ("uniform", "stepwise")


@frozen
class Place:
    """A place of the play sequence: who takes which turn, and on what condition."""

    player: int
    name: str
    when: c.Expr | None


class Program:
    """Writes the module of one game."""

    def __init__(self, bound: Bound, layout: Layout, sequence: Sequence[Place], bmi2: bool) -> None:
        self.unit = Unit(bound.geometry, bmi2)
        self.layout = layout
        self.program = bound.program
        self.low = Lowering(bound, layout, self.unit, sequence)
        self.turns = Turns(self.low)
        self.uses_stuck = calls(self.program.end, {"stuck"})
        self.names = list(self.program.turns)
        self.search = self._by_turn("search", lambda block, name: self.turns.search(block, name))
        self.follow = self._by_turn("follow", lambda block, name: self.turns.follow(block, name))
        self.any = self._any()
        self.verdict = self._verdict()
        self._perft()

    def add_playouts(self, policy: str) -> None:
        """Write the random games of a policy."""
        if policy == "uniform":
            drawing, fallback = Drawing(self.turns), self._fallback()
            move = self._by_turn("uniform", lambda block, name: drawing.uniform(block, name, fallback))
        else:
            move = self._by_turn("stepwise", lambda block, name: self.turns.stepwise(block, name))
        self._playouts(policy, self._playout(policy, move))

    @property
    def text(self) -> str:
        """The module in LLVM's own language."""
        return str(self.unit.module)

    # --- turns ---------------------------------------------------------------

    def _by_turn(self, name: str, write: Callable[[c.Block, str], ir.Function]) -> ir.Function:
        """A function that does something with the turn to be taken."""
        functions = [write(block, f"{name}.{turn}") for turn, block in self.program.turns.items()]
        body = self.turns.body(name, I1, public=True)
        code = body.code
        if len(functions) == 1:
            code.b.ret(code.call(functions[0], body.context, body.position))
            self.turns.close(body, I1(0))
            return code.function
        numbers = [self.names.index(turn.name) for turn in self.low.sequence]
        cursor = code.word(body.position, self.layout.register["cursor"])
        number = code.looked_up(self.unit.table("turns", I64, numbers), cursor)
        switch = code.b.switch(number, body.fail)
        for i, function in enumerate(functions):
            block = code.function.append_basic_block()
            switch.add_case(I64(i), block)
            code.b.position_at_end(block)
            code.b.ret(code.call(function, body.context, body.position))
        self.turns.close(body, I1(0))
        return code.function

    def _any(self) -> ir.Function:
        """Whether there is a legal run."""
        body = self.turns.body("any", I1)
        body.put("mode", I64(MODE["any"]))
        body.code.b.ret(body.code.call(self.search, body.context, body.position))
        self.turns.close(body, I1(0))
        return body.code.function

    def _fallback(self) -> ir.Function:
        """Play one of all legal runs, each alike, by searching them all."""
        body = self.turns.body("fallback", I1)
        code = body.code
        body.put("mode", I64(MODE["keep"]))
        body.put("count", I64(0))
        code.call(self.search, body.context, body.position)
        self.low.require(body, code.differ(body.word("count"), I64(0)))
        path = body.word("path")
        body.put("path", code.b.add(body.word("best"), I64(8)))
        code.call(self.follow, body.context, body.position)
        body.put("path", path)
        code.b.ret(I1(1))
        self.turns.close(body, I1(0))
        code.function.attributes.add("noinline")
        return code.function

    # --- the end -------------------------------------------------------------

    def _verdict(self) -> ir.Function:
        """The ending that holds, given whether the next player is stuck."""
        body = self.turns.body("verdict", I64, [I1], public=True)
        code, layout = body.code, self.layout
        player = code.word(body.position, layout.mover)
        last = code.word(body.position, layout.register["last_mover"])
        mover = code.b.select(code.equal(last, I64(NOBODY)), code.b.xor(player, I64(1)), last)
        env = self.low.load(body, mover)
        env |= {"next": player, "stuck": code.function.args[2]}
        for number, ending in enumerate(self.program.end):
            holds = self.low.value(body, ending.condition, env)
            yes, on = code.function.append_basic_block(), code.function.append_basic_block()
            code.b.cbranch(holds, yes, on)
            code.b.position_at_end(yes)
            winner = self._winner(body, ending.outcome, env)
            code.b.ret(code.b.add(winner, I64(1 + 3 * number)))
            code.b.position_at_end(on)
        self.turns.close(body, I64(0))
        return code.function

    def _winner(self, body: Body, outcome: c.Outcome, env: Env) -> Value:
        code = body.code
        if outcome.kind == "draw":
            return I64(DRAW)
        if outcome.player is not None:
            player = self.low.value(body, outcome.player, env)
            return player if outcome.kind == "wins" else code.b.xor(player, I64(1))
        assert self.program.score is not None
        slot = ("local", self.program.score_slot)
        scores = [self.low.value(body, self.program.score, {**env, slot: I64(p)}) for p in (0, 1)]
        for name, score in zip(("score0", "score1"), scores, strict=True):
            body.put(name, score)
        first, second = scores if outcome.kind == "highest" else scores[::-1]
        tie = outcome.tie or c.Outcome("draw")
        return code.choice(
            code.equal(first, second),
            lambda: [self._winner(body, tie, env)],
            lambda: [code.wide(code.less(first, second))],
        )[0]

    def _ended(self, body: Body, position: Value) -> Value:
        """The verdict of a position; 0 too where only a look at the next player's moves would tell."""
        code = body.code
        verdict = code.call(self.verdict, body.context, position, I1(0))
        if not self.uses_stuck:
            return verdict

        def look_closer() -> list[Value]:
            legal = code.call(self.any, body.context, position)
            return [code.call(self.verdict, body.context, position, code.b.not_(legal))]

        return code.choice(code.equal(verdict, I64(0)), lambda: [verdict], look_closer)[0]

    def _stranded(self, body: Body, position: Value) -> Value:
        """The verdict of a position without a legal move."""
        code = body.code
        verdict = code.call(self.verdict, body.context, position, I1(1))
        nothing_said = I64(1 + 3 * len(self.program.end) + DRAW)
        return code.b.select(code.equal(verdict, I64(0)), nothing_said, verdict)

    # --- whole games ---------------------------------------------------------

    def _may_swap(self, body: Body, position: Value) -> Value:
        """Whether the pie rule's swap is among the legal moves."""
        code, layout = body.code, self.layout
        last = code.word(position, layout.register["last_mover"])
        waits = code.differ(code.word(position, layout.register["pie"]), I64(0))
        moved = code.differ(last, I64(NOBODY))
        second = code.differ(last, code.word(position, layout.mover))
        return code.b.and_(waits, code.b.and_(moved, second))

    def _swap(self, body: Body, position: Value) -> None:
        code, register = body.code, self.layout.register
        code.put(position, register["swapped"], code.b.xor(code.word(position, register["swapped"]), I64(1)))
        code.put(position, register["pie"], I64(0))
        code.put(position, register["ply"], code.b.add(code.word(position, register["ply"]), I64(1)))

    def _counted(self, body: Body, position: Value) -> Value:
        """How many legal runs there are."""
        body.put("mode", I64(MODE["count"]))
        body.put("count", I64(0))
        body.code.call(self.search, body.context, position)
        return body.word("count")

    def _playout(self, policy: str, move: ir.Function) -> ir.Function:
        """Play to the end or for a number of plies, and say how it ended."""
        body = self.turns.body(f"playout.{policy}", I64, [I64])
        code, position = body.code, body.position
        most = code.function.args[2]

        def step() -> list[Value]:
            """Play one move; the verdict, if it cannot be played."""
            if self.low.counts_work:
                body.put("work", I64(0))
            body.put("count", I64(0))
            played = self._moved(body, position, move)
            verdict = code.choice(played, lambda: [I64(0)], lambda: [self._stranded(body, position)])[0]
            if self.low.counts_work:
                too_much = code.less(I64(BUDGET), body.word("work"))
                verdict = code.b.select(too_much, I64(OVERWORKED), verdict)
            return [verdict]

        def once(ply: Value, verdict: Value) -> Sequence[Value]:
            nobody = code.equal(code.word(position, self.layout.register["last_mover"]), I64(NOBODY))
            ended = code.choice(nobody, lambda: [I64(0)], lambda: [self._ended(body, position)])[0]
            over = code.differ(ended, I64(0))
            verdict = code.choice(over, lambda: [ended], step)[0]
            return [code.b.add(ply, I64(1)), verdict]

        def more(ply: Value, verdict: Value) -> Value:
            # One look more than plies: the last move may have ended the game.
            return code.b.and_(code.equal(verdict, I64(0)), code.less(ply, most))

        _, verdict = code.loop([I64(0), I64(0)], more, once)
        code.b.ret(verdict)
        self.turns.close(body, I64(0))
        return code.function

    def _moved(self, body: Body, position: Value, move: ir.Function) -> Value:
        """Play a move of the policy, or swap, where that is drawn; false where there is no move."""
        code = body.code
        if not self.low.bound.pie:
            return code.call(move, body.context, position)

        def with_swap() -> list[Value]:
            count = self._counted(body, position)
            drawn = self.turns.below(code, body.context, code.b.add(count, I64(1)))

            def swap() -> list[Value]:
                self._swap(body, position)
                return [code.truth(True)]

            return code.choice(
                code.equal(drawn, count), swap, lambda: [code.call(move, body.context, position)]
            )

        return code.choice(
            self._may_swap(body, position), with_swap, lambda: [code.call(move, body.context, position)]
        )[0]

    def _playouts(self, policy: str, playout: ir.Function) -> None:
        """Many games from one position: the verdict, the plies and the seats of each."""
        body = self.turns.body(f"playouts_{policy}", I64, [I64, I64, POINTER], public=True)
        code, layout = body.code, self.layout
        count, most, results = code.function.args[2:]
        position = code.alloca(I64, layout.words + 1)
        first_ply = code.word(body.position, layout.register["ply"])

        def once(i: Value, _: Value) -> Sequence[Value]:
            code.loop(
                [I64(0)],
                lambda k: code.less(k, I64(layout.words)),
                lambda k: [self._copy(body, body.position, position, k)],
            )
            verdict = code.call(playout, body.context, position, most)
            plies = code.b.sub(code.word(position, layout.register["ply"]), first_ply)
            row = code.at(results, code.b.mul(i, I64(3)))
            code.put(row, 0, self._winner_of(body, verdict))
            code.put(row, 1, plies)
            code.put(row, 2, code.word(position, layout.register["swapped"]))
            return [code.b.add(i, I64(1)), verdict]

        def more(i: Value, verdict: Value) -> Value:
            return code.b.and_(code.less(i, count), code.differ(verdict, I64(OVERWORKED)))

        done, _ = code.loop([I64(0), I64(0)], more, once)
        code.b.ret(done)
        self.turns.close(body, I64(0))

    def _winner_of(self, body: Body, verdict: Value) -> Value:
        """0 or 1, -1: nobody, -2: there was no end."""
        code = body.code
        winner = code.b.srem(code.b.sub(verdict, I64(1)), I64(3))
        winner = code.b.select(code.equal(winner, I64(DRAW)), I64(-1), winner)
        return code.b.select(code.less(I64(0), verdict), winner, I64(-2))

    def _copy(self, body: Body, source: Value, target: Value, k: Value) -> Value:
        body.code.put(target, k, body.code.word(source, k))
        return body.code.b.add(k, I64(1))

    def _perft(self) -> None:
        """Sequences of moves of a length; -1 where the room at `out` or the work is not enough."""
        body = self.turns.body("perft", I64, [I64], public=True)
        code, layout = body.code, self.layout
        depth = code.function.args[2]
        if self.low.counts_work:
            body.put("work", I64(0))

        def leaves() -> list[Value]:
            count = self._counted(body, body.position)
            swaps = self._may_swap(body, body.position)
            if self.uses_stuck:
                over = code.differ(code.call(self.verdict, body.context, body.position, I1(1)), I64(0))
                stuck = code.b.and_(code.equal(count, I64(0)), over)
                swaps = code.b.and_(swaps, code.b.not_(stuck))
            return [code.b.add(count, code.wide(swaps))]

        def nodes() -> list[Value]:
            start, capacity = body.word("out"), body.word("capacity")
            body.put("mode", I64(MODE["list"]))
            body.put("count", I64(0))
            code.call(self.search, body.context, body.position)
            count, path = body.word("count"), body.word("path")
            fits = code.b.not_(code.less(body.word("capacity"), I64(0)))
            child = code.alloca(I64, layout.words + 1)

            def below(move: Callable[[], None]) -> Value:
                code.loop(
                    [I64(0)],
                    lambda k: code.less(k, I64(layout.words)),
                    lambda k: [self._copy(body, body.position, child, k)],
                )
                move()
                verdict = code.call(self.verdict, body.context, child, I1(0))

                def deeper() -> list[Value]:
                    return [code.call(code.function, body.context, child, code.b.sub(depth, I64(1)))]

                return code.choice(code.equal(verdict, I64(0)), deeper, lambda: [I64(0)])[0]

            def each(i: Value, where: Value, total: Value) -> Sequence[Value]:
                def move() -> None:
                    body.put("path", code.b.add(where, I64(8)))
                    code.call(self.follow, body.context, child)
                    body.put("path", path)

                found = below(move)
                length = code.word(code.b.inttoptr(where, POINTER), 0)
                after = code.b.add(where, code.b.mul(code.b.add(length, I64(1)), I64(8)))
                bad = code.b.or_(code.less(found, I64(0)), code.less(total, I64(0)))
                return [code.b.add(i, I64(1)), after, code.b.select(bad, I64(-1), code.b.add(total, found))]

            first = code.b.select(fits, I64(0), I64(-1))
            most = code.b.select(fits, count, I64(0))
            _, _, total = code.loop([I64(0), start, first], lambda i, *_: code.less(i, most), each)

            def swapped() -> list[Value]:
                found = below(lambda: self._swap(body, child))
                bad = code.b.or_(code.less(found, I64(0)), code.less(total, I64(0)))
                return [code.b.select(bad, I64(-1), code.b.add(total, found))]

            total = code.choice(self._may_swap(body, body.position), swapped, lambda: [total])[0]
            body.put("out", start)
            body.put("capacity", capacity)
            return [total]

        total = code.choice(code.less(I64(1), depth), nodes, leaves)[0]
        if self.low.counts_work:
            total = code.b.select(code.less(I64(BUDGET), body.word("work")), I64(-1), total)
        code.b.ret(total)
        self.turns.close(body, I64(0))
