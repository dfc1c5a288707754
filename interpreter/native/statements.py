"""Translating core statements that do not branch to native code, and positions to environments and back."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gdl import core as c
from gdl.core import Type
from gdl.parts import rounds, walk
from interpreter.binding import Bound
from interpreter.native.assembly import I1, I64, Code, Unit, Value
from interpreter.native.body import Body, Env, Key
from interpreter.native.context import LONGEST_PATH, LOW_BITS, TAG, TAG_OF
from interpreter.native.layout import NOBODY, Layout
from interpreter.native.shape import cheap_first, is_single, longest_path, work
from interpreter.native.values import NOWHERE, Values


class Statements(Values):
    """Writes the statements of one game, except choices and branches."""

    def __init__(self, bound: Bound, layout: Layout, unit: Unit) -> None:
        super().__init__(bound, layout, unit)
        self.notations = [id(node) for node in walk(bound.program.turns) if isinstance(node, c.Notation)]
        turns = bound.program.turns.values()
        self._path_may_be_full = max(longest_path(turn, bound.board) for turn in turns) > LONGEST_PATH

    # --- positions -----------------------------------------------------------

    def load(self, body: Body, mover: Value | None = None) -> Env:
        """The environment of a position; `mover` is by default the player to move."""
        code, layout, position = body.code, self.layout, body.position
        env: Env = {}
        for q, offset in enumerate(layout.planes):
            env["plane", q] = env["before", q] = code.set_from(position, offset)
        for name, (type_, offset) in layout.states.items():
            env["state", name] = self._load(code, type_, offset, position)
        for name in ("cursor", "ply", "passes"):
            env[name] = code.word(position, layout.register[name])
        env["mover"] = code.word(position, layout.mover) if mover is None else mover
        env["last_move"] = code.set_from(position, layout.last_move)
        env["passed"] = env["swapped"] = code.truth(False)
        env["again"] = NOWHERE
        env["depth"] = I64(0)
        return env

    def _load(self, code: Code, type_: Type, offset: int, position: Value) -> Value:
        match type_:
            case Type.SET:
                return code.set_from(position, offset)
            case Type.COUNTERS:
                return code.at(position, offset)
            case Type.BOOL:
                return code.differ(code.word(position, offset), I64(0))
        return code.word(position, offset)

    def commit(self, body: Body, env: Env) -> None:
        """Overwrite the position with the one after the run."""
        code, layout, position = body.code, self.layout, body.position
        following = self.following(body, env)
        changed = self._changed(code, env)
        last_mover = code.word(position, layout.register["last_mover"])
        swapped = code.word(position, layout.register["swapped"])
        pie = code.word(position, layout.register["pie"])
        self.past.put_key(code, position, env)
        mover = env["mover"]
        keeps = code.b.or_(code.equal(last_mover, I64(NOBODY)), code.equal(last_mover, mover))
        registers = {
            "cursor": following,
            "ply": code.b.add(env["ply"], I64(1)),
            "passes": code.b.select(env["passed"], code.b.add(env["passes"], I64(1)), I64(0)),
            "last_mover": mover,
            "swapped": code.b.xor(swapped, code.wide(env["swapped"])),
            "pie": code.b.and_(pie, code.wide(keeps)),
        }
        for name, value in registers.items():
            code.put(position, layout.register[name], value)
        code.put_set(position, layout.last_move, changed)
        code.put(position, layout.mover, self.player_at(code, following))
        code.put(position, layout.turn, self.number_at(code, following))
        if self.remembers:
            self.past.remember(body)

    # --- statements ----------------------------------------------------------

    def acts(self, body: Body, block: c.Block, env: Env) -> Env:
        """The environment after some statements."""
        for stmt in cheap_first(block):
            env = self.act(body, stmt, env)
        return env

    def act(self, body: Body, stmt: c.Stmt, env: Env) -> Env:
        self.written += 1
        code = body.code
        match stmt:
            case c.SetLocal():
                return {**env, ("local", stmt.slot): self.value(body, stmt.value, env)}
            case c.Require():
                self.require(body, self.value(body, stmt.condition, env))
                return env
            case c.IfStmt():
                condition = self.value(body, stmt.condition, env)
                return self.branch(
                    body,
                    condition,
                    lambda: self.acts(body, stmt.then, env),
                    lambda: self.acts(body, stmt.otherwise, env),
                )
            case c.For():
                return self._for(body, stmt, env)
            case c.Repeat():
                return self._repeat(body, stmt, env)
            case c.AtOnce():
                return self._at_once(body, stmt, env)
            case c.Pass():
                return self.note(body, {**env, "passed": code.truth(True)}, TAG["pass"])
            case c.Sides(swap=swap):
                return self.note(body, {**env, "swapped": code.truth(swap)}, TAG["swap" if swap else "keep"])
            case c.Again(turn=turn):
                return {**env, "again": self.led(code, turn, env)}
            case c.Notation():
                return self._notation(body, stmt, env)
        return self._effect(body, stmt, env)

    def require(self, body: Body, condition: Value) -> None:
        """Continue only if the condition holds."""
        legal = body.code.function.append_basic_block()
        body.code.b.cbranch(condition, legal, body.fail)
        body.code.b.position_at_end(legal)

    def note(self, body: Body, env: Env, word: int | Value, members: Value | None = None) -> Env:
        """Write a word into the path, followed by a set if given; or skip them."""
        if body.path == "none":
            return env
        code = body.code
        depth = env["depth"]
        if body.path == "write" and self._path_may_be_full:
            full, fits = code.function.append_basic_block(), code.function.append_basic_block()
            code.b.cbranch(code.less(I64(LONGEST_PATH - 1 - self.layout.set_words), depth), full, fits)
            code.b.position_at_end(full)
            self.give_up(body)
            code.b.branch(body.fail)
            code.b.position_at_end(fits)
        if body.path == "write":
            path = code.b.inttoptr(body.word("path"), ir.PointerType(I64))
            code.put(path, depth, I64(word) if isinstance(word, int) else word)
            if members is not None:
                code.put_set(path, code.b.add(depth, I64(1)), members)
        words = 1 if members is None else 1 + self.layout.set_words
        return {**env, "depth": code.b.add(depth, I64(words))}

    def note_value(self, body: Body, env: Env, type_: Type, value: Value) -> Env:
        """Write a value into the path."""
        tag = TAG[TAG_OF[type_]]
        if type_ is Type.SET:
            return self.note(body, env, tag, value)
        code = body.code
        number = code.wide(value) if value.type == I1 else code.b.and_(value, I64(LOW_BITS))
        return self.note(body, env, code.b.or_(I64(tag), number))

    def _notation(self, body: Body, stmt: c.Notation, env: Env) -> Env:
        """Write the values of a notation into the path; its text is made from them later."""
        if body.path == "none":
            return env
        env = self.note(body, env, TAG["notation"] | self.notations.index(id(stmt)))
        for part in stmt.parts:
            if isinstance(part, c.Expr):
                value = self.value(body, part, env)
                env = self.note_value(body, env, part.type, value)
        return env

    def _for(self, body: Body, stmt: c.For, env: Env) -> Env:
        def each(inner: Env) -> Env:
            if stmt.condition is None:
                return self.acts(body, stmt.body, inner)
            condition = self.value(body, stmt.condition, inner)
            return self.branch(body, condition, lambda: self.acts(body, stmt.body, inner), lambda: inner)

        return self.iterate(
            body,
            stmt.slot,
            stmt.domain,
            env,
            self.assigned(stmt.body, body.waiting),
            each,
            (stmt.condition, stmt.body),
        )

    def _repeat(self, body: Body, stmt: c.Repeat, env: Env) -> Env:
        """Run the body once, then as long as the condition holds."""
        code, most = body.code, rounds(stmt, self.layout.sites)
        keys = [key for key in self.assigned(stmt.body, body.waiting) if key in env]

        def once(i: Value, goes_on: Value, *values: Value) -> Sequence[Value]:
            after = self.acts(body, stmt.body, {**env, **dict(zip(keys, values, strict=True))})
            again = self.value(body, stmt.condition, after)
            return [code.b.add(i, I64(1)), again, *(after[key] for key in keys)]

        def more(i: Value, goes_on: Value, *_: Value) -> Value:
            test = code.b.and_(goes_on, code.less(i, I64(most)))
            return code.b.and_(test, self.affordable(body, steps)) if steps else test

        steps = self.enter(body, most, work((stmt.body, stmt.condition), self.layout.sites))
        _, _, *values = code.loop([I64(0), code.truth(True), *(env[key] for key in keys)], more, once)
        self.leave(body, most)
        return {**env, **dict(zip(keys, values, strict=True))}

    # --- effects -------------------------------------------------------------

    def _at_once(self, body: Body, stmt: c.AtOnce, env: Env) -> Env:
        """All effects wait under separate keys until the last statement has seen the board."""
        code, nothing = body.code, body.code.sites(0)
        waiting: Env = {**env, "leave": nothing}
        for q in range(len(self.sorts)):
            waiting["lands", q] = nothing
        for name in self.layout.states:
            waiting["later", name] = env["state", name]
        for name in {stmt.name for stmt in walk(stmt.body) if isinstance(stmt, c.SetCounters)}:
            # If this is repeated, the waiting counters could share memory with those that are read.
            waiting["state", name] = memory = self._counters(code)
            code.copy_elsewhere(env["state", name], memory, self.layout.sites)
        outside, body.waiting = body.waiting, True
        after = self.acts(body, stmt.body, waiting)
        body.waiting = outside
        env = {key: after[key] for key in env}
        env = self._leave(body, env, after["leave"])
        for q in range(len(self.sorts)):
            env = self._leave(body, env, after["lands", q])
        for q in range(len(self.sorts)):
            env["plane", q] = body.code.b.or_(env["plane", q], after["lands", q])
        for name in self.layout.states:
            env["state", name] = after["later", name]
        return env

    def _leave(self, body: Body, env: Env, sites: Value) -> Env:
        if isinstance(sites, ir.Constant) and sites.constant == 0:
            return env
        planes = {("plane", q): body.code.without(env["plane", q], sites) for q in range(len(self.sorts))}
        return {**env, **planes}

    def _lift(self, body: Body, env: Env, sites: Value) -> Env:
        """What is on the sites leaves: now, or with everything else that happens at once."""
        if body.waiting:
            return {**env, "leave": body.code.b.or_(env["leave"], sites)}
        return self._leave(body, env, sites)

    def _land(self, body: Body, env: Env, lands: Sequence[tuple[int, Value]]) -> Env:
        """Pieces land, no two on one site, replacing what landed or stood there: (plane, sites) pairs."""
        code, where = body.code, "lands" if body.waiting else "plane"
        taken = code.union([sites for _, sites in lands])
        out = dict(env)
        for q in range(len(self.sorts)):
            arriving = [sites for target, sites in lands if target == q]
            out[where, q] = code.union([code.without(env[where, q], taken), *arriving])
        return out

    def _effect(self, body: Body, stmt: c.Stmt, env: Env) -> Env:
        code = body.code
        match stmt:
            case c.Place():
                return self._place(body, stmt, env)
            case c.Move():
                return self._move(body, stmt, env)
            case c.Remove():
                return self._lift(body, env, self.value(body, stmt.at, env))
            case c.Flip():
                sites = self.value(body, stmt.at, env)
                lands = [
                    (self.sorts[kind, 1 - owner], code.b.and_(env["plane", q], sites))
                    for (kind, owner), q in self.sorts.items()
                    if owner is not None
                ]
                return self._land(body, env, lands)
            case c.Become():
                kind, sites = self.value(body, stmt.kind, env), self.value(body, stmt.at, env)
                lands = []
                for owner in dict.fromkeys(owner for _, owner in self.sorts):
                    theirs = [env["plane", q] for (_, o), q in self.sorts.items() if o == owner]
                    turned = code.b.and_(code.union(theirs), sites)
                    targets = self._planes(code, kind, None if owner is None else I64(owner))
                    lands += [(target, code.where(asked, turned)) for asked, target in targets]
                return self._land(body, env, lands)
            case c.SetState(name=name):
                key = ("later" if body.waiting else "state", name)
                return {**env, key: self.value(body, stmt.value, env)}
            case c.SetCounters():
                return self._count(body, stmt, env)
        raise TypeError(stmt)

    def _planes(self, code: Code, kind: Value, owner: Value | None) -> list[tuple[Value, int]]:
        """The possible planes of such pieces, each with the condition that selects it."""
        found = []
        for (k, o), q in self.sorts.items():
            asked = code.equal(kind, I64(k))
            if isinstance(kind, ir.Constant):
                if kind.constant != k:
                    continue
                asked = code.truth(True)
            if o is not None:
                if owner is None:
                    continue
                mine = code.equal(owner, I64(o))
                if isinstance(owner, ir.Constant):
                    if owner.constant != o:
                        continue
                    mine = code.truth(True)
                asked = code.b.and_(asked, mine)
            found.append((asked, q))
        return found

    def _place(self, body: Body, stmt: c.Place, env: Env) -> Env:
        code = body.code
        kind, sites = self.value(body, stmt.kind, env), self.value(body, stmt.at, env)
        owner = self.value(body, stmt.owner, env) if stmt.owner else None
        planes = self._planes(code, kind, owner)
        some: Value = code.truth(False)
        for asked, _ in planes:
            some = code.b.or_(some, asked)
        # A kind known by name has a plane whoever owns it; one read from the board may be no kind.
        surely = isinstance(kind, ir.Constant) and planes
        env = self._lift(body, env, sites if surely else code.where(some, sites))
        return self._land(body, env, [(q, code.where(asked, sites)) for asked, q in planes])

    def _move(self, body: Body, stmt: c.Move, env: Env) -> Env:
        code = body.code
        origin, target = self.value(body, stmt.origin, env), self.value(body, stmt.target, env)
        origin = code.b.and_(origin, self.occupied(code, env))
        before = dict(env)
        if is_single(stmt.origin, self.singles) and is_single(stmt.target, self.singles):
            both = code.b.and_(code.some(origin), code.some(target))
            origin = code.where(both, origin)
            return self._land(
                body, self._lift(body, env, origin), self._arriving(code, before, origin, target)
            )
        keys = [key for key in self._effect_keys(body.waiting) if key in env]

        def leave(starts: Value, ends: Value, leaving: Value) -> Sequence[Value]:
            start, end = code.lowest(starts), code.lowest(ends)
            return [code.b.xor(starts, start), code.b.xor(ends, end), code.b.or_(leaving, start)]

        def more(starts: Value, ends: Value, *_: Value) -> Value:
            return code.b.and_(code.some(starts), code.some(ends))

        _, _, leaving = code.loop([origin, target, code.sites(0)], more, leave)
        env = self._lift(body, env, leaving)

        def each(starts: Value, ends: Value, *values: Value) -> Sequence[Value]:
            start, end = code.lowest(starts), code.lowest(ends)
            after = {**env, **dict(zip(keys, values, strict=True))}
            after = self._land(body, after, self._arriving(code, before, start, end))
            return [code.b.xor(starts, start), code.b.xor(ends, end), *(after[key] for key in keys)]

        _, _, *values = code.loop([origin, target, *(env[key] for key in keys)], more, each)
        return {**env, **dict(zip(keys, values, strict=True))}

    def _arriving(self, code: Code, before: Env, origin: Value, target: Value) -> list[tuple[int, Value]]:
        """The target for the plane of the piece on the origin, and nothing for the other planes."""
        return [
            (q, code.where(code.some(code.b.and_(before["plane", q], origin)), target))
            for q in range(len(self.sorts))
        ]

    def _count(self, body: Body, stmt: c.SetCounters, env: Env) -> Env:
        """Counters are copied before they change, so that other branches see them unchanged."""
        code = body.code
        key = ("later" if body.waiting else "state", stmt.name)
        sites, value = self.value(body, stmt.at, env), self.value(body, stmt.value, env)
        memory = self._counters(code)
        code.copy_elsewhere(env[key], memory, self.layout.sites)

        def each(left: Value) -> Sequence[Value]:
            low = code.lowest(left)
            place = code.first(low)
            new = code.clamp(code.b.add(code.word(memory, place), value)) if stmt.add else value
            code.put(memory, place, new)
            return [code.b.xor(left, low)]

        code.loop([sites], code.some, each)
        return {**env, key: memory}

    def _counters(self, code: Code) -> Value:
        """Memory for one count per site."""
        return code.alloca(I64, self.layout.sites)

    # --- what statements change ----------------------------------------------

    def _effect_keys(self, waiting: bool) -> list[Key]:
        if waiting:
            return ["leave", *(("lands", q) for q in range(len(self.sorts)))]
        return [("plane", q) for q in range(len(self.sorts))]

    def assigned(self, block: c.Block, waiting: bool = False) -> list[Key]:
        """The keys of the environment that some statements may change."""
        keys: dict[Key, None] = {}
        for stmt in walk(block):
            match stmt:
                case c.Place() | c.Move() | c.Remove() | c.Flip() | c.Become():
                    keys |= dict.fromkeys(self._effect_keys(waiting))
                    keys |= dict.fromkeys(self._effect_keys(False))
                case c.SetState(name=name) | c.SetCounters(name=name):
                    keys |= {("later", name): None, ("state", name): None}
                case c.SetLocal(slot=slot) | c.Choose(slot=slot):
                    keys |= {("local", slot): None, "depth": None}
                case c.Pass():
                    keys |= {"passed": None, "depth": None}
                case c.Sides():
                    keys |= {"swapped": None, "depth": None}
                case c.Again():
                    keys |= {"again": None}
                case c.Either() | c.Prefer() | c.Notation():
                    keys |= {"depth": None}
        return list(keys)
