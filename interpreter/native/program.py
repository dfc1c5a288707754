"""A whole game as one LLVM module: the functions that the engine calls.

=================== =================================================================
`search`            find the legal runs of a position (see `context.MODES`)
`follow`            play the run of a path
`verdict`           how the game has ended: 0, or 1 + 3 * ending + winner (2: nobody)
`perft`             count the sequences of a number of moves
`look`              of many positions: how many legal moves each has, and who has won
`play`              play the legal moves of these numbers, one in each of many positions
`playouts_uniform`  random games from each of many positions, each legal move alike
`playouts_stepwise` the same, each choice in turn alike
`step_uniform`      play random moves in each of many positions, each legal move alike
`step_stepwise`     the same, each choice in turn alike
=================== =================================================================

All take the context (see `context`) and a position (see `layout`); those for many take
positions one behind the other, as `records.Records` holds them, how many there are, and for how many
positions of the past of each there is room. They tell with how many they have done: where that is
not all, the next one took too much work or room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias

from llvmlite import ir

from gdl import core as c
from gdl.parts import walk
from interpreter.binding import Bound
from interpreter.native.alphabeta import Alphabeta
from interpreter.native.assembly import I1, I64, POINTER, Code, Unit, Value
from interpreter.native.context import DRAW, GOLDEN, MODE, Place
from interpreter.native.drawing import Drawing
from interpreter.native.layout import NOBODY, Layout
from interpreter.native.shape import uses_stuck
from interpreter.native.statements import Statements
from interpreter.native.tree.growth import Growth
from interpreter.native.tree.pruning import Pruning
from interpreter.native.turns import Turns
from interpreter.native.values import Body, Env

#: What a playout ends with where it found no end within its plies, and where a turn took too much work.
UNFINISHED, OVERWORKED = 0, -1

#: Where the turns have no more statements and expressions than this, each part searches for itself.
SHORT = 26

BYTES = ir.PointerType(ir.IntType(8))

#: What is written for each of many positions, given its number and the arguments: whether it is done with.
Each: TypeAlias = Callable[[Body, Value, Value, Sequence[Value]], Value]


class Program:
    """Writes the module of one game."""

    def __init__(
        self, bound: Bound, layout: Layout, sequence: Sequence[Place], bmi2: bool, part: str
    ) -> None:
        """The part of a game: its rules, what batches need, a search, or the playouts of a policy."""
        self.public = part == "rules"
        self.has_rules = self.public or sum(1 for _ in walk(bound.program.turns)) <= SHORT
        self.unit = Unit(bound.geometry, bmi2)
        self.layout = layout
        self.program = bound.program
        self.low = Statements(bound, layout, self.unit, sequence)
        self.turns = Turns(self.low)
        self.uses_stuck = uses_stuck(self.program)
        self.names = list(self.program.turns)
        self.verdict = self._verdict()
        match part:
            case "rules":
                self._perft()
            case "batches":
                self._add_batches()
            case "tree_uniform" | "tree_stepwise":
                self._add_tree(part.removeprefix("tree_"))
            case "lookahead":
                Alphabeta(self)
            case policy:
                self._add_playouts(policy)

    def _add_batches(self) -> None:
        """Write `look` and `play`."""
        self._many("look", [POINTER, BYTES], self._look)
        self._many("play", [POINTER], self._play)

    def _add_playouts(self, policy: str) -> None:
        """Write the random games and moves of a policy."""
        playout = self._playout(policy, self._drawn(policy))
        self._playouts(policy, playout)
        self._many(f"step_{policy}", [I64, I64], lambda *each: self._step(playout, *each))

    def _add_tree(self, policy: str) -> None:
        """Write the search of a tree, with the playouts of a policy."""
        growth = Growth(self, self._playout(policy, self._drawn(policy)))
        Pruning(self.unit, growth.amaf.table_words)

    def _drawn(self, policy: str) -> ir.Function:
        """A function that plays a random move."""
        if policy == "uniform":
            drawing = Drawing(self.turns, lambda: self.fallback)
            return self._by_turn("uniform", lambda block, name: drawing.uniform(block, name))
        return self._by_turn("stepwise", lambda block, name: self.turns.stepwise(block, name))

    @property
    def text(self) -> str:
        """The module in LLVM's own language."""
        return str(self.unit.module)

    # --- turns ---------------------------------------------------------------

    def _by_turn(self, name: str, write: Callable[[c.Block, str], ir.Function]) -> ir.Function:
        """A function that does something with the turn to be taken."""
        functions = [write(block, f"{name}.{turn}") for turn, block in self.program.turns.items()]
        body = self.turns.body(name, I1, public=self.public)
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

    @cached_property
    def search(self) -> ir.Function:
        """Find the legal runs."""
        if not self.has_rules:
            return self._of_rules("search")
        return self._by_turn("search", lambda block, name: self.turns.search(block, name))

    @cached_property
    def follow(self) -> ir.Function:
        """Play the run of a path."""
        if not self.has_rules:
            return self._of_rules("follow")
        return self._by_turn("follow", lambda block, name: self.turns.follow(block, name))

    def _of_rules(self, name: str) -> ir.Function:
        """A function whose code is in the rules alone; where that is, the engine says (`Library.link`)."""
        body = self.turns.body(name, I1)
        kind = ir.PointerType(body.code.function.ftype)
        place = ir.GlobalVariable(self.unit.module, kind, f"{name}.link")
        place.initializer = ir.Constant(kind, None)
        body.code.b.ret(body.code.b.call(body.code.b.load(place), [body.context, body.position]))
        self.turns.close(body, I1(0))
        return body.code.function

    @cached_property
    def any(self) -> ir.Function:
        """Whether there is a legal run."""
        body = self.turns.body("any", I1)
        self.low.renew(body)
        body.put("mode", I64(MODE["any"]))
        body.code.b.ret(body.code.call(self.search, body.context, body.position))
        self.turns.close(body, I1(0))
        return body.code.function

    @cached_property
    def fallback(self) -> ir.Function:
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
        body = self.turns.body("verdict", I64, [I1], public=self.public)
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
        """The verdict of a position; 0 too where only a look at the next player's moves would tell."""
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
        return code.b.select(code.equal(verdict, I64(0)), self._no_ending, verdict)

    @property
    def _no_ending(self) -> Value:
        """The verdict where nobody can move and no ending says what then."""
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
        """Who is to move: 0 the first person, 1 the second."""
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
        """How many legal runs there are; they are listed at `out`, where there is room."""
        return self._searched(body, position, "list")

    def _searched(self, body: Body, position: Value, mode: str) -> Value:
        body.put("mode", I64(MODE[mode]))
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
            body.put("count", I64(0))
            played = self._moved(body, position, move)
            return code.choice(played, lambda: [I64(0)], lambda: [self.stranded(body, position)])

        def once(ply: Value, verdict: Value) -> Sequence[Value]:
            if self.low.counts_work:
                self.low.renew(body)
            nobody = code.equal(code.word(position, self.layout.register["last_mover"]), I64(NOBODY))
            ended = code.choice(nobody, lambda: [I64(0)], lambda: [self.ended(body, position)])[0]
            over = code.differ(ended, I64(0))

            def go_on() -> list[Value]:
                return code.choice(code.less(ply, most), step, last_look)

            verdict = code.choice(over, lambda: [ended], go_on)[0]
            if self.low.counts_work:
                verdict = code.b.select(self.low.overworked(body), I64(OVERWORKED), verdict)
            return [code.b.add(ply, I64(1)), verdict]

        def last_look() -> list[Value]:
            """The last move may have left the next player without one."""
            legal = code.call(self.any, body.context, position)
            legal = code.b.or_(legal, self.may_swap(body, position))
            return [code.b.select(legal, I64(0), self.stranded(body, position))]

        def more(ply: Value, verdict: Value) -> Value:
            # One look more than plies: the last move may have ended the game.
            return code.b.and_(code.equal(verdict, I64(0)), code.b.not_(code.less(most, ply)))

        _, verdict = code.loop([I64(0), I64(0)], more, once)
        code.b.ret(verdict)
        self.turns.close(body, I64(0))
        return code.function

    def _moved(self, body: Body, position: Value, move: ir.Function) -> Value:
        """Play a move of the policy, or swap, where that is drawn; false where there is no move."""
        code = body.code
        if not self.low.bound.pie:
            return code.call(move, body.context, position)

        self.low.counts_work = True

        def with_swap() -> list[Value]:
            count = self.counted(body, position)
            drawn = self.turns.below(code, body.context, code.b.add(count, I64(1)))

            def swap() -> list[Value]:
                self.swap(body, position)
                return [code.truth(True)]

            return code.choice(
                code.equal(drawn, count), swap, lambda: [code.call(move, body.context, position)]
            )

        return code.choice(
            self.may_swap(body, position), with_swap, lambda: [code.call(move, body.context, position)]
        )[0]

    # --- many positions ------------------------------------------------------

    def _many(self, name: str, extra: Sequence[ir.Type], each: Each) -> None:
        """A function that does something with each of many positions."""
        body = self.turns.body(name, I64, [I64, I64, *extra], public=True)
        code, layout = body.code, self.layout
        count, room, *arguments = code.function.args[2:]
        history, hashes = body.word("history"), body.word("hashes")

        def once(i: Value, _: Value) -> Sequence[Value]:
            past = code.b.mul(i, code.b.mul(room, I64(8)))
            body.put("history", code.b.add(history, code.b.mul(past, I64(layout.key_words))))
            body.put("hashes", code.b.add(hashes, past))
            body.put("work", I64(0))
            done = each(body, code.at(body.position, code.b.mul(i, I64(layout.words))), i, arguments)
            done = code.b.and_(done, code.b.not_(self.low.overworked(body)))
            return [code.b.add(i, code.wide(done)), done]

        def more(i: Value, done: Value) -> Value:
            return code.b.and_(code.less(i, count), done)

        done, _ = code.loop([I64(0), code.truth(True)], more, once)
        code.ret(done)
        self.turns.close(body, I64(0))

    def _look(self, body: Body, position: Value, i: Value, arguments: Sequence[Value]) -> Value:
        """The number of legal moves, none where the game is over; the winner."""
        code = body.code
        counts, winners = arguments
        count = self.counted(body, position)
        stuck = code.equal(count, I64(0))
        nobody = code.equal(code.word(position, self.layout.register["last_mover"]), I64(NOBODY))
        verdict = code.call(self.verdict, body.context, position, stuck)
        # Before anybody has moved the game is over only for one who cannot.
        verdict = code.b.select(code.b.and_(nobody, code.b.not_(stuck)), I64(0), verdict)
        count = code.b.add(count, code.wide(self.may_swap(body, position)))
        nothing_left = code.b.and_(code.equal(verdict, I64(0)), code.equal(count, I64(0)))
        verdict = code.b.select(nothing_left, self._no_ending, verdict)
        code.put(counts, i, code.b.select(code.equal(verdict, I64(0)), count, I64(0)))
        self._put(code, winners, i, self._winner_of(body, verdict))
        return code.truth(True)

    def _play(self, body: Body, position: Value, i: Value, arguments: Sequence[Value]) -> Value:
        """Play the legal move of a number; none where it is negative."""
        code = body.code
        number = code.word(arguments[0], i)
        start, capacity, path = body.word("out"), body.word("capacity"), body.word("path")

        def listed() -> list[Value]:
            self.listed(body, position)
            fits = code.b.not_(code.less(body.word("capacity"), I64(0)))
            return code.choice(fits, played, lambda: [code.truth(False)])

        def played() -> list[Value]:
            def pass_by(k: Value, where: Value) -> Sequence[Value]:
                words = code.b.add(code.word(code.b.inttoptr(where, POINTER), 0), I64(1))
                return [code.b.add(k, I64(1)), code.b.add(where, code.b.mul(words, I64(8)))]

            def follow() -> list[Value]:
                _, where = code.loop([I64(0), start], lambda k, _: code.less(k, number), pass_by)
                body.put("path", code.b.add(where, I64(8)))
                code.call(self.follow, body.context, position)
                body.put("path", path)
                return [I64(0)]

            def swap() -> list[Value]:
                self.swap(body, position)
                return [I64(0)]

            code.choice(code.less(number, body.word("count")), follow, swap)
            body.put("out", start)
            body.put("capacity", capacity)
            return [code.truth(True)]

        return code.choice(code.less(number, I64(0)), lambda: [code.truth(True)], listed)[0]

    def _step(
        self, playout: ir.Function, body: Body, position: Value, i: Value, arguments: Sequence[Value]
    ) -> Value:
        """Play so many random moves, or as many as the game still has."""
        code = body.code
        most, seed = arguments
        self._sow(body, code.b.add(seed, code.b.mul(i, I64(GOLDEN))))
        verdict = code.call(playout, body.context, position, most)
        return code.differ(verdict, I64(OVERWORKED))

    def _playouts(self, policy: str, playout: ir.Function) -> None:
        """So many games from each position: the winner, the plies and the seats of each.

        They end at `scratch` and `scratch_hashes`, where there is room for the past of one.
        """

        def write(body: Body, position: Value, i: Value, arguments: Sequence[Value]) -> Value:
            each, most, seed, scratch, scratch_hashes, winners, plies, swapped = arguments
            code, layout = body.code, self.layout
            own = code.alloca(I64, layout.words + 1)
            if self.low.remembers:
                past = code.word(position, layout.register["remembered"])
                for name, target, words in (
                    ("history", scratch, code.b.mul(past, I64(layout.key_words))),
                    ("hashes", scratch_hashes, past),
                ):
                    code.copy(code.b.inttoptr(body.word(name), POINTER), target, words)
                    body.put(name, code.b.ptrtoint(target, I64))
            first_ply = code.word(position, layout.register["ply"])

            def once(j: Value, _: Value) -> Sequence[Value]:
                code.copy(position, own, I64(layout.words))
                number = code.b.add(code.b.mul(i, each), j)
                self._sow(body, code.b.add(seed, code.b.mul(number, I64(GOLDEN))))
                verdict = code.call(playout, body.context, own, most)
                length = code.b.sub(code.word(own, layout.register["ply"]), first_ply)
                self._put(code, winners, number, self._winner_of(body, verdict))
                self._put(code, plies, number, length)
                self._put(code, swapped, number, code.word(own, layout.register["swapped"]))
                return [code.b.add(j, I64(1)), verdict]

            def more(j: Value, verdict: Value) -> Value:
                return code.b.and_(code.less(j, each), code.differ(verdict, I64(OVERWORKED)))

            _, verdict = code.loop([I64(0), I64(0)], more, once)
            return code.differ(verdict, I64(OVERWORKED))

        arrays = [POINTER, POINTER, BYTES, ir.PointerType(ir.IntType(32)), BYTES]
        self._many(f"playouts_{policy}", [I64, I64, I64, *arrays], write)

    def _sow(self, body: Body, state: Value) -> None:
        """Start the random numbers: splitmix64 (Steele, Lea, Flood 2014) makes far states of near ones."""
        code = body.code
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            state = code.b.mul(code.b.xor(state, code.b.lshr(state, I64(shift))), I64(factor))
        state = code.b.xor(state, code.b.lshr(state, I64(31)))
        body.put("seed", code.b.select(code.equal(state, I64(0)), I64(1), state))

    def _put(self, code: Code, array: Value, i: Value, value: Value) -> None:
        """Store a number in an array of narrower ones."""
        code.b.store(code.b.trunc(value, array.type.pointee), code.b.gep(array, [i]))

    def _winner_of(self, body: Body, verdict: Value) -> Value:
        """0 or 1, -1: nobody, -2: there was no end."""
        code = body.code
        winner = code.b.srem(code.b.sub(verdict, I64(1)), I64(3))
        winner = code.b.select(code.equal(winner, I64(DRAW)), I64(-1), winner)
        return code.b.select(code.less(I64(0), verdict), winner, I64(-2))

    def _perft(self) -> None:
        """Sequences of moves of a length; -1 where the room at `out` or the work is not enough."""
        body = self.turns.body("perft", I64, [I64], public=True)
        code, layout = body.code, self.layout
        depth = code.function.args[2]
        self.low.renew(body)
        self.low.descend(body, 1, I64(-1))

        def leaves() -> list[Value]:
            count = self.counted(body, body.position)
            swaps = self.may_swap(body, body.position)
            if self.uses_stuck:
                over = code.differ(code.call(self.verdict, body.context, body.position, I1(1)), I64(0))
                stuck = code.b.and_(code.equal(count, I64(0)), over)
                swaps = code.b.and_(swaps, code.b.not_(stuck))
            return [code.b.add(count, code.wide(swaps))]

        def nodes() -> list[Value]:
            start, capacity = body.word("out"), body.word("capacity")
            count, path = self.listed(body, body.position), body.word("path")
            full = code.less(body.word("capacity"), I64(0))
            fits = code.b.not_(code.b.or_(full, self.low.overworked(body)))
            child = code.alloca(I64, layout.words + 1)

            def below(move: Callable[[], None]) -> Value:
                code.copy(body.position, child, I64(layout.words))
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
                found = below(lambda: self.swap(body, child))
                bad = code.b.or_(code.less(found, I64(0)), code.less(total, I64(0)))
                return [code.b.select(bad, I64(-1), code.b.add(total, found))]

            total = code.choice(self.may_swap(body, body.position), swapped, lambda: [total])[0]
            body.put("out", start)
            body.put("capacity", capacity)
            return [total]

        total = code.choice(code.less(I64(1), depth), nodes, leaves)[0]
        code.b.ret(code.b.select(self.low.overworked(body), I64(-1), total))
        self.turns.close(body, I64(0))
