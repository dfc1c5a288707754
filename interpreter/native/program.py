"""A whole game as one LLVM module: the functions that the engine calls.

=================== =================================================================
`search`            find the legal runs of a position (see `context.MODES`)
`follow`            play the run of a path
`verdict`           how the game has ended: 0, or 1 + 3 * ending + winner (2: nobody)
`perft`             count the sequences of a number of moves
`look`              for many positions: how many legal moves each has, and who has won
`play`              play the legal moves with these numbers, one in each of many positions
`playouts_uniform`  random games from many positions, uniform over the legal moves
`playouts_stepwise` the same, uniform over each choice in turn
`step_uniform`      play random moves in many positions, uniform over the legal moves
`step_stepwise`     the same, uniform over each choice in turn
=================== =================================================================

All take the context (see `context`) and a position (see `layout`); those for many positions
take consecutive ones, as `records.Records` holds them, their number, and how many earlier
positions each has room for. They return how many they have finished: if that is not all, the
next one took too much work or room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from llvmlite import ir

from gdl import core as c
from gdl.parts import walk
from interpreter.binding import Bound
from interpreter.native.alphabeta import Alphabeta
from interpreter.native.assembly import I1, I64, Code, Unit, Value
from interpreter.native.body import Body, Env
from interpreter.native.chance import below
from interpreter.native.context import DRAW, LONG_GAME, MODE, OVERWORKED, TOO_LONG
from interpreter.native.drawing import Drawing
from interpreter.native.following import Following
from interpreter.native.layout import NOBODY, Layout
from interpreter.native.many import Many
from interpreter.native.perft import Perft
from interpreter.native.shape import uses_stuck
from interpreter.native.statements import Statements
from interpreter.native.tree.growth import Growth
from interpreter.native.tree.pruning import Pruning
from interpreter.native.turns import Turns

#: If the turns have no more statements and expressions than this, each part has its own search.
SHORT = 26


class Program:
    """Writes the module of one game."""

    def __init__(self, bound: Bound, layout: Layout, bmi2: bool, part: str) -> None:
        """Write one part of a game: its rules, what batches need, a search, or the playouts of a policy."""
        self.public = part == "rules"
        self.has_rules = self.public or sum(1 for _ in walk(bound.program.turns)) <= SHORT
        self.unit = Unit(bound.geometry, bmi2)
        self.layout = layout
        self.program = bound.program
        self.low = Statements(bound, layout, self.unit)
        self.turns, self.following = Turns(self.low), Following(self.low)
        self.uses_stuck = uses_stuck(self.program)
        self.names = list(self.program.turns)
        self.verdict = self._verdict()
        match part:
            case "rules":
                Perft(self)
            case "batches":
                Many(self).look_and_play()
            case "tree_uniform" | "tree_stepwise":
                growth = Growth(self, self._playout(part.removeprefix("tree_")))
                Pruning(self.unit, growth.amaf.table_words)
            case "lookahead":
                Alphabeta(self)
            case policy:
                Many(self).random(policy, self._playout(policy))

    def _drawn(self, policy: str) -> ir.Function:
        """A function that plays a random move."""
        if policy == "uniform":
            drawing = Drawing(self.low, lambda: self.fallback)
            return self._by_turn("uniform", drawing.uniform)
        return self._by_turn("stepwise", self.turns.stepwise)

    @property
    def text(self) -> str:
        """The module as LLVM assembly."""
        return str(self.unit.module)

    # --- turns ---------------------------------------------------------------

    def _by_turn(self, name: str, write: Callable[[c.Block, str], ir.Function]) -> ir.Function:
        """A function that calls the one written for the turn to take."""
        functions = [write(block, f"{name}.{turn}") for turn, block in self.program.turns.items()]
        body = Body.begin(self.unit, name, I1, public=self.public)
        code = body.code
        if len(functions) == 1:
            code.b.ret(code.call(functions[0], body.context, body.position))
            body.end(I1(0))
            return code.function
        numbers = [self.names.index(place.turn) for place in self.low.sequence]
        cursor = code.word(body.position, self.layout.register["cursor"])
        number = code.looked_up(self.unit.table("turns", I64, numbers), cursor)
        switch = code.b.switch(number, body.fail)
        for i, function in enumerate(functions):
            block = code.function.append_basic_block()
            switch.add_case(I64(i), block)
            code.b.position_at_end(block)
            code.b.ret(code.call(function, body.context, body.position))
        body.end(I1(0))
        return code.function

    @cached_property
    def search(self) -> ir.Function:
        """Find the legal runs."""
        if not self.has_rules:
            return self._of_rules("search")
        return self._by_turn("search", self.turns.search)

    @cached_property
    def follow(self) -> ir.Function:
        """Play the run of a path."""
        if not self.has_rules:
            return self._of_rules("follow")
        return self._by_turn("follow", self.following.follow)

    def _of_rules(self, name: str) -> ir.Function:
        """A function whose code is in the part `rules` only; the engine links it (`Library.link`)."""
        body = Body.begin(self.unit, name, I1)
        kind = ir.PointerType(body.code.function.ftype)
        place = ir.GlobalVariable(self.unit.module, kind, f"{name}.link")
        place.initializer = ir.Constant(kind, None)
        body.code.b.ret(body.code.b.call(body.code.b.load(place), [body.context, body.position]))
        body.end(I1(0))
        return body.code.function

    @cached_property
    def any(self) -> ir.Function:
        """Whether there is a legal run."""
        body = Body.begin(self.unit, "any", I1)
        self.low.renew(body)
        body.put("mode", I64(MODE["any"]))
        body.code.b.ret(body.code.call(self.search, body.context, body.position))
        body.end(I1(0))
        return body.code.function

    @cached_property
    def fallback(self) -> ir.Function:
        """Play a legal run, drawn uniformly by searching them all."""
        body = Body.begin(self.unit, "fallback", I1)
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
        body.end(I1(0))
        code.function.attributes.add("noinline")
        return code.function

    # --- the end -------------------------------------------------------------

    def _verdict(self) -> ir.Function:
        """The ending that holds, given whether the next player is stuck."""
        body = Body.begin(self.unit, "verdict", I64, [I1], public=self.public)
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
        body.end(I64(0))
        return code.function

    def _winner(self, body: Body, outcome: c.Outcome, env: Env) -> Value:
        code = body.code
        if outcome.kind == "draw":
            return I64(DRAW)
        if outcome.player is not None:
            player = self.low.value(body, outcome.player, env)
            return player if outcome.kind == "wins" else code.b.xor(player, I64(1))
        assert self.program.score is not None
        score, slot = self.program.score, ("local", self.program.score_slot)

        def next_score(player: Value, _: Value, before: Value) -> Sequence[Value]:
            return [code.b.add(player, I64(1)), before, self.low.value(body, score, {**env, slot: player})]

        _, *scores = code.loop([I64(0)] * 3, lambda player, *_: code.less(player, I64(2)), next_score)
        for name, value in zip(("score0", "score1"), scores, strict=True):
            body.put(name, value)
        first, second = scores if outcome.kind == "highest" else scores[::-1]
        tie = outcome.tie or c.Outcome("draw")
        return code.choice(
            code.equal(first, second),
            lambda: [self._winner(body, tie, env)],
            lambda: [code.wide(code.less(first, second))],
        )[0]

    def ended(self, body: Body, position: Value) -> Value:
        """The verdict of a position; 0 even if there is no legal move, unless `end` asks about that."""
        code = body.code
        verdict = code.call(self.verdict, body.context, position, I1(0))
        if not self.uses_stuck:
            return verdict

        def look_closer() -> list[Value]:
            legal = code.call(self.any, body.context, position)
            return [code.call(self.verdict, body.context, position, code.b.not_(legal))]

        return code.choice(code.equal(verdict, I64(0)), lambda: [verdict], look_closer)[0]

    def stranded(self, body: Body, position: Value) -> Value:
        """The verdict of a position without a legal move."""
        code = body.code
        verdict = code.call(self.verdict, body.context, position, I1(1))
        return code.b.select(code.equal(verdict, I64(0)), self.no_ending, verdict)

    @property
    def no_ending(self) -> Value:
        """The verdict if there is no legal move and no ending says what happens then."""
        return I64(1 + 3 * len(self.program.end) + DRAW)

    # --- whole games ---------------------------------------------------------

    def may_swap(self, body: Body, position: Value) -> Value:
        """Whether the pie rule's swap is among the legal moves."""
        code, layout = body.code, self.layout
        last = code.word(position, layout.register["last_mover"])
        waits = code.differ(code.word(position, layout.register["pie"]), I64(0))
        moved = code.differ(last, I64(NOBODY))
        second = code.differ(last, code.word(position, layout.mover))
        return code.b.and_(waits, code.b.and_(moved, second))

    def person(self, code: Code, position: Value) -> Value:
        """The person to move: 0 the first, 1 the second."""
        swapped = code.word(position, self.layout.register["swapped"])
        return code.b.xor(code.word(position, self.layout.mover), swapped)

    def swap(self, body: Body, position: Value) -> None:
        code, register = body.code, self.layout.register
        code.put(position, register["swapped"], code.b.xor(code.word(position, register["swapped"]), I64(1)))
        code.put(position, register["pie"], I64(0))
        code.put(position, register["ply"], code.b.add(code.word(position, register["ply"]), I64(1)))

    def counted(self, body: Body, position: Value) -> Value:
        """How many legal runs there are."""
        return self._searched(body, position, "count")

    def listed(self, body: Body, position: Value) -> Value:
        """How many legal runs there are; they are listed at `out` as far as there is room."""
        return self._searched(body, position, "list")

    def _searched(self, body: Body, position: Value, mode: str) -> Value:
        body.put("mode", I64(MODE[mode]))
        body.put("count", I64(0))
        body.code.call(self.search, body.context, position)
        return body.word("count")

    def _playout(self, policy: str) -> ir.Function:
        """Play to the end or for a number of plies; returns the verdict, 0 if the game has not ended."""
        move = self._drawn(policy)
        body = Body.begin(self.unit, f"playout.{policy}", I64, [I64])
        code, position = body.code, body.position
        most = code.function.args[2]

        def step() -> list[Value]:
            """Play one move; the verdict if there is none."""
            body.put("count", I64(0))
            played = self._moved(body, position, move)
            return code.choice(played, lambda: [I64(0)], lambda: [self.stranded(body, position)])

        def once(ply: Value, verdict: Value, spent: Value) -> Sequence[Value]:
            if self.low.counts_work:
                spent = code.b.add(spent, body.word("work"))
                too_long = code.less(I64(LONG_GAME), spent)
                body.put("work", code.b.select(too_long, I64(TOO_LONG), body.word("work")))
                self.low.renew(body)
            nobody = code.equal(code.word(position, self.layout.register["last_mover"]), I64(NOBODY))
            ended = code.choice(nobody, lambda: [I64(0)], lambda: [self.ended(body, position)])[0]
            over = code.differ(ended, I64(0))

            def go_on() -> list[Value]:
                return code.choice(code.less(ply, most), step, last_look)

            verdict = code.choice(over, lambda: [ended], go_on)[0]
            if self.low.counts_work:
                verdict = code.b.select(self.low.overworked(body), I64(OVERWORKED), verdict)
            return [code.b.add(ply, I64(1)), verdict, spent]

        def last_look() -> list[Value]:
            """The last move may have left the next player without one."""
            legal = code.call(self.any, body.context, position)
            legal = code.b.or_(legal, self.may_swap(body, position))
            return [code.b.select(legal, I64(0), self.stranded(body, position))]

        def more(ply: Value, verdict: Value, spent: Value) -> Value:
            # One check more than plies, as the last move may have ended the game.
            return code.b.and_(code.equal(verdict, I64(0)), code.b.not_(code.less(most, ply)))

        _, verdict, _ = code.loop([I64(0), I64(0), I64(0)], more, once)
        code.b.ret(verdict)
        body.end(I64(0))
        return code.function

    def _moved(self, body: Body, position: Value, move: ir.Function) -> Value:
        """Play a move of the policy, or swap if that is drawn; false if there is no move."""
        code = body.code
        if not self.low.bound.pie:
            return code.call(move, body.context, position)

        self.low.counts_work = True

        def with_swap() -> list[Value]:
            count = self.counted(body, position)
            drawn = below(code, body.context, code.b.add(count, I64(1)))

            def swap() -> list[Value]:
                self.swap(body, position)
                return [code.truth(True)]

            return code.choice(
                code.equal(drawn, count), swap, lambda: [code.call(move, body.context, position)]
            )

        return code.choice(
            self.may_swap(body, position), with_swap, lambda: [code.call(move, body.context, position)]
        )[0]
