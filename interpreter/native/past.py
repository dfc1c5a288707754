"""Earlier positions in native code: how they are stored, and how often one has occurred."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gdl.core import Type
from interpreter.native.assembly import I1, I64, POINTER, Code, Unit, Value
from interpreter.native.body import Body, Env
from interpreter.native.layout import Layout


class Past:
    """Writes the code for what one game remembers: a key and a hash of each position, in order."""

    def __init__(self, layout: Layout, unit: Unit) -> None:
        self.layout = layout
        self.unit = unit

    def put_key(self, code: Code, target: Value, env: Env) -> None:
        """Write the board and the state of a run to the words of a key, except the turn, its last word."""
        for q, offset in enumerate(self.layout.planes):
            code.put_set(target, offset, env["plane", q])
        for name, (type_, offset) in self.layout.states.items():
            if type_ is Type.SET:
                code.put_set(target, offset, env["state", name])
            elif type_ is Type.COUNTERS:
                code.copy_elsewhere(env["state", name], code.at(target, offset), self.layout.sites)
            else:
                code.put(target, offset, env["state", name])

    def remember(self, body: Body) -> None:
        """Append the key of the position to the history."""
        code, layout = body.code, self.layout
        where = layout.register["remembered"]
        count = code.word(body.position, where)
        target = code.at(self._history(body), code.b.mul(count, I64(layout.key_words)))
        if layout.key_words <= 16:
            for i in range(layout.key_words):
                code.put(target, i, code.word(body.position, i))
        else:
            code.copy(body.position, target, I64(layout.key_words))
        code.put(self._hashes(body), count, self._hash(code, body.position))
        code.put(body.position, where, code.b.add(count, I64(1)))

    def seen(self, body: Body, env: Env, turn: Value, board_only: bool = False) -> Value:
        """How many earlier positions equal the one of the run, with this turn of this player next."""
        code, layout = body.code, self.layout
        key = code.alloca(I64, layout.key_words)
        self.put_key(code, key, env)
        code.put(key, layout.turn, turn)
        words = len(layout.planes) * layout.set_words if board_only else layout.key_words
        past = code.word(body.position, layout.register["remembered"])
        if "next" in env:
            past = code.b.sub(past, I64(1))  # the last one is the position itself
        alike = self.unit.shared("alike", I1, [POINTER, I64, I64], _alike)
        hash_ = self._hash(code, key)
        function = self.unit.shared(
            f"seen{words}", I64, [key.type, key.type, I64], lambda *a: self._count_seen(words, *a), cold=True
        )
        return code.choice(
            code.call(alike, self._hashes(body), past, hash_),
            lambda: [code.call(function, key, self._history(body), past)],
            lambda: [I64(0)],
        )[0]

    def _count_seen(self, words: int, code: Code, key: Value, history: Value, past: Value) -> Value:
        """Compare word for word, as two boards could have the same hash."""

        def alike(entry: Value) -> Value:
            def same(i: Value) -> Value:
                return code.choice(
                    code.less(i, I64(words)),
                    lambda: [code.equal(code.word(key, i), code.word(entry, i))],
                    lambda: [code.truth(False)],
                )[0]

            return code.loop([I64(0)], same, lambda i: [code.b.add(i, I64(1))])[0]

        def each(i: Value, count: Value) -> Sequence[Value]:
            entry = code.at(history, code.b.mul(i, I64(self.layout.key_words)))
            return [code.b.add(i, I64(1)), code.b.add(count, code.wide(code.equal(alike(entry), I64(words))))]

        return code.loop([I64(0), I64(0)], lambda i, _: code.less(i, past), each)[1]

    def _hash(self, code: Code, key: Value) -> Value:
        """The `Layout.board_hash` of a key."""
        total: Value = I64(0)
        for i in range(len(self.layout.planes) * self.layout.set_words):
            product = code.b.mul(code.word(key, i), I64(self.layout.factor(i)))
            total = code.b.add(total, code.b.xor(product, code.b.lshr(product, I64(29))))
        return total

    def _hashes(self, body: Body) -> Value:
        return body.code.b.inttoptr(body.word("hashes"), ir.PointerType(I64))

    def _history(self, body: Body) -> Value:
        return body.code.b.inttoptr(body.word("history"), ir.PointerType(I64))


def _alike(code: Code, hashes: Value, count: Value, wanted: Value) -> Value:
    """Whether one of `count` hashes is the one wanted: eight at a time; the last eight may overlap others."""
    b, eight, none = code.b, ir.VectorType(I64, 8), ir.Constant(ir.VectorType(I64, 8), [0] * 8)
    splat = b.insert_element(none, wanted, I64(0))
    splat = b.shuffle_vector(splat, none, ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8))
    last = b.sub(count, I64(8))

    def found_at(i: Value, found: Value) -> Value:
        some = b.load(b.bitcast(code.at(hashes, i), ir.PointerType(eight)), align=8)
        return b.or_(found, b.sext(b.icmp_unsigned("==", some, splat), eight))

    def by_eight() -> list[Value]:
        _, found = code.loop(
            [I64(0), none],
            lambda i, _: code.less(i, last),
            lambda i, found: [b.add(i, I64(8)), found_at(i, found)],
        )
        wide = ir.IntType(512)
        return [code.differ(b.bitcast(found_at(last, found), wide), wide(0))]

    def one_by_one() -> list[Value]:
        return code.loop(
            [I64(0), I1(0)],
            lambda i, _: code.less(i, count),
            lambda i, found: [b.add(i, I64(1)), b.or_(found, code.equal(code.word(hashes, i), wanted))],
        )[1:]

    return code.choice(code.less(last, I64(0)), one_by_one, by_eight)[0]
