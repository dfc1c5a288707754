"""Translating core expressions to native code.

The state of a run is an environment: a dict from keys to LLVM values, never modified but
copied with new values. So one branch of a run cannot affect another, nothing needs to be undone,
and what is never read (such as the effects of a move that is only listed) costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from llvmlite import ir

from gdl import core as c
from gdl.core import LIMIT, Type
from interpreter import meanings as plain
from interpreter.binding import Bound
from interpreter.native.assembly import I64, Code, Unit, Value
from interpreter.native.body import Body, Env, Key
from interpreter.native.context import BUDGET, OUT_OF_STACK, TooLarge
from interpreter.native.layout import Layout
from interpreter.native.meanings import MEANINGS, connected, fewer_steps, flood, meets
from interpreter.native.past import Past
from interpreter.native.shape import is_single, most_values, remembers, single_slots, work

#: A loop: its start, whether there is more, the next value and what is left.
Cursor: TypeAlias = tuple[Value, Callable[[Value], Value], Callable[[Value], tuple[Value, Value]]]

#: Loops that could take more steps than this count them.
LONG = 200_000

#: A program that becomes larger than this is left to the reference engine.
LARGEST = 40_000

#: Stands for the place that `again` leads to, if there was no `again`.
NOWHERE = I64(-1)

#: Loops over directions and the like are written out up to this size.
UNROLLED = 64

#: A set known when the rules are bound is split into its groups then, if it has no more than this.
FEW = 16


class Values:
    """Writes the expressions of one game."""

    def __init__(self, bound: Bound, layout: Layout, unit: Unit) -> None:
        self.bound = bound
        self.program = bound.program
        self.layout = layout
        self.unit = unit
        self.sequence = bound.sequence
        #: The condition of each place that is played once.
        self.once = [step.when for step in bound.program.play if step.once for _ in step.players]
        self.sorts = {sort: i for i, sort in enumerate(bound.planes)}
        self.singles = single_slots(bound.program)
        self.remembers = remembers(bound.program)
        self.past = Past(layout, unit)
        self.written = 0
        self.counts_work = False

    # --- whose turn ----------------------------------------------------------

    def player_at(self, code: Code, cursor: Value) -> Value:
        """The player of a place of the play sequence."""
        return self._of_place(code, cursor, "players", [place.player for place in self.sequence])

    def number_at(self, code: Code, cursor: Value) -> Value:
        """The number of a place: who takes which turn there."""
        return self._of_place(code, cursor, "numbers", [place.number for place in self.sequence])

    def _of_place(self, code: Code, cursor: Value, name: str, numbers: Sequence[int]) -> Value:
        """The entry of a table for a place."""
        if numbers == list(range(len(numbers))):
            return cursor
        return code.looked_up(self.unit.table(name, I64, numbers), cursor)

    def following(self, body: Body, env: Env) -> Value:
        """The place in the play sequence of the turn after this one."""
        code, cursor = body.code, env["cursor"]
        after = [place.after for place in self.sequence]
        if after == [1, 0]:
            place = code.b.xor(cursor, I64(1))
        else:
            place = code.looked_up(self.unit.table("after", I64, after), cursor)
        for i, when in enumerate(self.once):
            if when is not None:
                here = code.equal(place, I64(i))
                skipped = code.b.and_(here, code.b.not_(self.value(body, when, env)))
                place = code.b.select(skipped, I64(i + 1), place)
        return code.b.select(code.equal(env["again"], NOWHERE), place, env["again"])

    def led(self, code: Code, turn: str | None, env: Env) -> Value:
        """The place that `again` leads to."""
        places = [place.again.get(turn, 0) for place in self.sequence]
        return self._of_place(code, env["cursor"], f"again.{turn}", places)

    # --- expressions ---------------------------------------------------------

    def value(self, body: Body, node: c.Expr, env: Env) -> Value:
        self.written += 1
        if self.written > LARGEST:
            raise TooLarge
        code = body.code
        match node:
            case c.Const(value=constant):
                return code.const(node.type, constant)
            case c.Local(slot=slot):
                return env["local", slot]
            case c.State(name=name):
                return env["state", name]
            case c.If():
                return self._if(body, node, env)
            case c.Let():
                value = self.value(body, node.value, env)
                return self.value(body, node.body, {**env, ("local", node.slot): value})
            case c.Call():
                return self._call(body, node, env)
            case c.Fold():
                return self._fold(body, node, env)
        raise TypeError(node)

    def _if(self, body: Body, node: c.If, env: Env) -> Value:
        condition = self.value(body, node.condition, env)
        if all(isinstance(part, c.Const | c.Local | c.State) for part in (node.then, node.otherwise)):
            then, otherwise = (self.value(body, part, env) for part in (node.then, node.otherwise))
            return body.code.b.select(condition, then, otherwise)
        return body.code.choice(
            condition,
            lambda: [self.value(body, node.then, env)],
            lambda: [self.value(body, node.otherwise, env)],
        )[0]

    def _call(self, body: Body, node: c.Call, env: Env) -> Value:
        code, key = body.code, node.function
        if key in ("some", "no"):
            met = self._meeting(body, node.args[0], env)
            if met is not None:
                return met if key == "some" else code.b.not_(met)
        if key == "group_count":
            groups = node.args[0]
            assert isinstance(groups, c.Call)
            return MEANINGS[key](code, self.value(body, groups.args[0], env))
        if key == "less" and isinstance(node.args[0], c.Call) and node.args[0].function == "steps":
            start, goal, through = (self.value(body, argument, env) for argument in node.args[0].args)
            return fewer_steps(code, start, goal, through, self.value(body, node.args[1], env))
        arguments = [self.value(body, argument, env) for argument in node.args]
        known = [argument.constant for argument in arguments if isinstance(argument, ir.Constant)]
        if key in plain.MEANINGS and len(known) == len(arguments) and node.type is not Type.COUNTERS:
            return code.const(node.type, plain.MEANINGS[key](self.bound.geometry, *known))
        if key == "connected":
            joined = node.args[0]
            if isinstance(joined, c.Call) and joined.function == "union":
                # The part added last is as good a start, and rarely at the far end of the rest.
                return connected(code, arguments[0], self.value(body, joined.args[1], env))
        if key in MEANINGS:
            return MEANINGS[key](code, *arguments)
        return self._here(body, node, arguments, env)

    def _meeting(self, body: Body, node: c.Expr, env: Env) -> Value | None:
        """Whether `reach(A, through: B) & C` has members, without completing the walk."""
        if not (isinstance(node, c.Call) and node.function == "intersection"):
            return None
        for reach, goal in (node.args, node.args[::-1]):
            if isinstance(reach, c.Call) and reach.function == "reach":
                members, through = (self.value(body, argument, env) for argument in reach.args)
                return meets(body.code, members, through, self.value(body, goal, env))
        return None

    def _here(self, body: Body, node: c.Call, arguments: Sequence[Value], env: Env) -> Value:
        """The words that look at the position."""
        code, key = body.code, node.function
        match key:
            case "empty":
                return code.without(code.sites(self.bound.geometry.all), self.occupied(code, env))
            case "occupied":
                return self.occupied(code, env)
            case "mine":
                return self.pieces(code, env, env["mover"])
            case "theirs":
                return self.pieces(code, env, code.b.xor(env["mover"], I64(1)))
            case "changed":
                return env["last_move"] if "next" in env else self._changed(code, env)
            case "last_move" | "mover" | "ply" | "passes":
                return env[key]
            case "next":
                return env["next"] if "next" in env else self.player_at(code, self.following(body, env))
            case "stuck":
                return code.b.and_(env["stuck"], code.equal(arguments[0], env["next"]))
            case "repeated":
                return code.differ(self._seen(body, env), I64(0))
            case "repetitions":
                return code.b.add(self._seen(body, env), I64(1))
            case "repeated_board":
                return code.differ(self._seen(body, env, board_only=True), I64(0))
            case "pieces":
                return self.pieces(code, env, arguments[0])
            case "kind_at":
                site = code.lowest(arguments[0])
                found: Value = I64(-1)
                for (kind, _), q in self.sorts.items():
                    here = code.some(code.b.and_(env["plane", q], site))
                    found = code.b.select(here, I64(kind), found)
                return found
            case "group":
                sides = [self.pieces(code, env, I64(0)), self.pieces(code, env, I64(1))]
                neutral = [env["plane", q] for (_, owner), q in self.sorts.items() if owner is None]
                sides += [code.union(neutral)] if neutral else []
                site = arguments[0]
                if is_single(node.args[0], self.singles):
                    # A single site belongs to one side only, so one walk is enough.
                    side = sides[-1]
                    for other in sides[-2::-1]:
                        side = code.b.select(code.some(code.b.and_(site, other)), other, side)
                    sides = [side]
                return code.union([flood(code, code.b.and_(site, side), side) for side in sides])
            case "all_of_kind":
                return self._selected(code, env, arguments[0], None)
            case "kind_of":
                return self._selected(code, env, arguments[0], arguments[1])
            case "at":
                some = code.some(arguments[1])
                place = code.b.select(some, code.first(arguments[1]), I64(0))
                return code.b.select(some, code.word(arguments[0], place), I64(0))
        raise KeyError(key)

    def occupied(self, code: Code, env: Env) -> Value:
        return code.union([env["plane", q] for q in range(len(self.sorts))])

    def pieces(self, code: Code, env: Env, player: Value) -> Value:
        """All pieces of a player."""
        owned = [
            code.union([env["plane", q] for (_, owner), q in self.sorts.items() if owner == p])
            for p in (0, 1)
        ]
        if isinstance(player, ir.Constant):
            return owned[player.constant]
        return code.b.select(code.equal(player, I64(0)), *owned)

    def _selected(self, code: Code, env: Env, kind: Value, player: Value | None) -> Value:
        """The pieces of a kind, those of one player or all."""
        found = []
        for (k, owner), q in self.sorts.items():
            if isinstance(kind, ir.Constant) and kind.constant != k:
                continue
            members = env["plane", q]
            if not isinstance(kind, ir.Constant):
                members = code.where(code.equal(kind, I64(k)), members)
            if player is not None:
                if owner is None:
                    continue
                members = code.where(code.equal(player, I64(owner)), members)
            found.append(members)
        return code.union(found)

    def _changed(self, code: Code, env: Env) -> Value:
        return code.union([code.b.xor(env["plane", q], env["before", q]) for q in range(len(self.sorts))])

    def _seen(self, body: Body, env: Env, board_only: bool = False) -> Value:
        """How many earlier positions equal the current state of the run."""
        place = env["cursor"] if "next" in env else self.following(body, env)
        return self.past.seen(body, env, self.number_at(body.code, place), board_only)

    # --- what runs over something --------------------------------------------

    def _fold(self, body: Body, node: c.Fold, env: Env) -> Value:
        code, here = body.code, ("fold", node.slot)
        starts = {"all": 1, "min": LIMIT, "max": -LIMIT - 1}
        start = self.unit.type(node.type)(starts.get(node.op, 0))

        def each(inner: Env) -> Env:
            before = inner[here]
            if node.condition is None:
                return {**inner, here: self._folded(body, node, before, inner)}
            condition = self.value(body, node.condition, inner)
            after = code.choice(
                condition, lambda: [self._folded(body, node, before, inner)], lambda: [before]
            )
            return {**inner, here: after[0]}

        decided = {"any": lambda e: e[here], "all": lambda e: code.b.not_(e[here])}.get(node.op)
        result = self.iterate(
            body,
            node.slot,
            node.domain,
            {**env, here: start},
            [here],
            each,
            (node.condition, node.body),
            decided,
        )[here]
        if node.op == "max":
            return code.b.select(code.equal(result, start), I64(0), result)
        return result

    def _folded(self, body: Body, node: c.Fold, before: Value, env: Env) -> Value:
        """The aggregate with one more value."""
        code = body.code
        if node.op == "count":
            return code.b.add(before, I64(1))
        value = self.value(body, node.body, env)
        match node.op:
            case "sum":
                return code.clamp(code.b.add(before, value))
            case "max":
                return code.b.select(code.less(before, value), value, before)
            case "min":
                return code.b.select(code.less(value, before), value, before)
            case "any" | "union":
                return code.b.or_(before, value)
        return code.b.and_(before, value)

    def iterate(
        self,
        body: Body,
        slot: int,
        domain: c.Domain,
        env: Env,
        carried: Iterable[Key],
        each: Callable[[Env], Env],
        inside: Any,
        decided: Callable[[Env], Value] | None = None,
    ) -> Env:
        """The environment after `each` has been done for every value of a domain, in order.

        `carried` are the keys that `each` may change, `inside` the part of the program that it writes;
        the loop may end early once `decided` holds.
        """
        code, here = body.code, ("local", slot)
        keys = [key for key in carried if key in env]

        def kept(before: Env, after: Env) -> Env:
            return {**before, **{key: after[key] for key in keys}}

        values = self.few(body, domain, env)
        if values is not None and len(values) * body.unrolled <= UNROLLED:
            outside, body.unrolled = body.unrolled, body.unrolled * max(1, len(values))
            for asked, value in values:
                inner = {**env, here: value}
                if asked is None:
                    env = kept(env, each(inner))
                else:
                    env = kept(env, self.branch(body, asked, lambda e=inner: each(e), lambda e=inner: e))  # type: ignore[misc]
            body.unrolled = outside
            return env
        start, more, take = self.cursor(body, domain, env)
        steps = self.enter(body, self.longest(domain), work(inside, self.layout.sites))

        def goes_on(cursor: Value, *values: Value) -> Value:
            test = more(cursor)
            if decided is not None:
                done = decided({**env, **dict(zip(keys, values, strict=True))})
                test = code.b.and_(test, code.b.not_(done))
            return code.b.and_(test, self.affordable(body, steps)) if steps else test

        def once(cursor: Value, *values: Value) -> Sequence[Value]:
            value, rest = take(cursor)
            after = each({**env, **dict(zip(keys, values, strict=True)), here: value})
            return [rest, *(after[key] for key in keys)]

        _, *values_after = code.loop([start, *(env[key] for key in keys)], goes_on, once)
        self.leave(body, self.longest(domain))
        return {**env, **dict(zip(keys, values_after, strict=True))}

    def enter(self, body: Body, times: int, each: int) -> int:
        """Note that a loop of `each` steps per round begins; how many it must count per round, 0 for none."""
        body.nest *= times
        counts = body.nest * (each + 1) > LONG
        self.counts_work |= counts
        return each + 1 if counts else 0

    def leave(self, body: Body, times: int) -> None:
        body.nest //= times

    def longest(self, domain: c.Domain) -> int:
        return most_values(domain, self.bound.board)

    def affordable(self, body: Body, steps: int) -> Value:
        """Count some steps; whether the turn may go on."""
        total = body.code.b.add(body.word("work"), I64(steps))
        body.put("work", total)
        return body.code.less(total, I64(BUDGET))

    def renew(self, body: Body) -> None:
        """Reset the work for a new turn, unless it was too much already."""
        body.put("work", body.code.b.select(self.overworked(body), body.word("work"), I64(0)))

    def overworked(self, body: Body) -> Value:
        return body.code.b.not_(body.code.less(body.word("work"), I64(BUDGET)))

    def give_up(self, body: Body) -> None:
        """Mark this turn as too much work."""
        self.counts_work = True
        body.put("work", I64(BUDGET))

    def descend(self, body: Body, steps: int, result: Value) -> None:
        """Begin a recursive function: it returns `result` if it has gone too deep or worked too much.

        Its calls are counted, and all loops in it, however short.
        """
        self.counts_work = True
        body.nest = LONG
        code = body.code
        here, floor = code.b.ptrtoint(code.alloca(I64), I64), body.word("floor")
        unset = code.equal(floor, I64(0))
        body.put("floor", code.b.select(unset, code.b.sub(here, body.word("room")), floor))

        def out() -> Sequence[Value]:
            body.put("floor", I64(OUT_OF_STACK))
            self.give_up(body)
            return [code.truth(False)]

        deep = code.b.icmp_unsigned("<", here, floor)
        (goes_on,) = code.choice(deep, out, lambda: [self.affordable(body, steps)])
        leave, on = code.function.append_basic_block(), code.function.append_basic_block()
        code.b.cbranch(goes_on, on, leave)
        code.b.position_at_end(leave)
        code.b.ret(result)
        code.b.position_at_end(on)

    def few(self, body: Body, domain: c.Domain, env: Env) -> list[tuple[Value | None, Value]] | None:
        """The values that a small domain can have, each with the condition that it does (None: always)."""
        code = body.code
        match domain.kind:
            case "players":
                return [(None, I64(0)), (None, I64(1))]
            case "values":
                return [(None, self.value(body, argument, env)) for argument in domain.args]
            case "groups" if isinstance(domain.args[0], c.Const):
                parts = plain.DOMAINS["groups"](self.bound.geometry, domain.args[0].value)
                return [(None, code.sites(part)) for part in parts] if len(parts) <= FEW else None
            case "directions":
                directions = self.value(body, domain.args[0], env)
                ways = range(len(self.bound.board.directions))
                if isinstance(directions, ir.Constant):
                    return [(None, I64(1 << d)) for d in ways if directions.constant >> d & 1]
                return [
                    (code.differ(code.b.and_(directions, I64(1 << d)), I64(0)), I64(1 << d)) for d in ways
                ]
        return None

    def cursor(self, body: Body, domain: c.Domain, env: Env) -> Cursor:
        """A loop over a domain: its start, whether there is more, the next value and what is left."""
        code = body.code
        match domain.kind:
            case "sites":

                def take(left: Value) -> tuple[Value, Value]:
                    low = code.lowest(left)
                    return low, code.b.xor(left, low)

                return self.value(body, domain.args[0], env), code.some, take
            case "groups":

                def part(left: Value) -> tuple[Value, Value]:
                    group = flood(code, code.lowest(left), left)
                    return group, code.without(left, group)

                return self.value(body, domain.args[0], env), code.some, part
            case "range":
                low, high, by = (self.value(body, argument, env) for argument in domain.args)
                runs = code.less(I64(0), by)
                end = code.b.select(runs, high, I64(-LIMIT - 1))
                return low, lambda i: code.b.not_(code.less(end, i)), lambda i: (i, code.b.add(i, by))
            case "directions":
                directions = self.value(body, domain.args[0], env)

                def way(left: Value) -> tuple[Value, Value]:
                    low = code.lowest(left)
                    return low, code.b.xor(left, low)

                return directions, lambda left: code.differ(left, I64(0)), way
        values = self.few(body, domain, env)
        assert values is not None
        kind = self.unit.type(domain.type)
        memory = code.alloca(kind, len(values))
        for i, (_, value) in enumerate(values):
            code.b.store(value, code.b.gep(memory, [I64(i)], inbounds=True))
        return (
            I64(0),
            lambda i: code.less(i, I64(len(values))),
            lambda i: (code.b.load(code.b.gep(memory, [i], inbounds=True)), code.b.add(i, I64(1))),
        )

    def branch(
        self, body: Body, condition: Value, then: Callable[[], Env], otherwise: Callable[[], Env]
    ) -> Env:
        """The environment after one of two pieces of code; names bound in only one of them are dropped."""
        code = body.code
        blocks = [code.function.append_basic_block() for _ in range(3)]
        code.b.cbranch(condition, blocks[0], blocks[1])
        ends = []
        for block, write in zip(blocks[:2], (then, otherwise), strict=True):
            code.b.position_at_end(block)
            ends.append((write(), code.b.block))
            code.b.branch(blocks[2])
        code.b.position_at_end(blocks[2])
        (one, _), (two, _) = ends
        keys = [key for key in one if key in two]
        values = code.joined([([env[key] for key in keys], block) for env, block in ends])
        return dict(zip(keys, values, strict=True))
