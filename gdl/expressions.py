"""Checking values: from syntax to typed core expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import attrs

from gdl import core as c
from gdl import syntax as s
from gdl.arguments import check_count, in_order, suited_row, unlabelled
from gdl.boards import SITE
from gdl.builtins import AGGREGATES, BUILTINS, FUNCTIONS, OPERATORS, VALUES, Builtin
from gdl.core import Type
from gdl.diagnostics import Diagnostic
from gdl.names import TYPES, Names, Unsure, Wrong
from gdl.parts import walk
from gdl.scopes import Scopes
from gdl.source import Span

#: Bounds on the size of a rule file, with its definitions written out.
MAX_DEPTH = 60
MAX_NODES = 20_000
TOO_MANY = (
    f"with its definitions written out, and what follows a `prefer` in each of its blocks, "
    f"the game holds more than {MAX_NODES:,} values and statements"
)

#: Where words may be used, by their `Builtin.where`.
CONTEXTS = {
    "any": ("constant", "setup", "turn", "end"),
    "board": ("setup", "turn", "end"),
    "play": ("turn", "end"),
    "end": ("end",),
}
IN_WORDS = {
    "constant": "before there is a board",
    "setup": "before the first move",
    "turn": "in a turn, only in `end`",
}

#: The built-ins whose set hardly ever has exactly one site.
MANY = frozenset("empty occupied mine theirs pieces all_of_kind kind_of".split())

P = ParamSpec("P")
T = TypeVar("T")


class Expressions:
    """Checks the values of one game, and that together they stay within the bounds."""

    def __init__(self, names: Names, report: Callable[[Diagnostic], None]) -> None:
        self.names = names
        self.report = report
        self.scopes = Scopes(names)
        self._depth = 0
        self._nodes = 0
        self._refused = False
        self._whole: s.Node  # the value whose parts are being checked
        self._active: list[str] = []

    # --- entry points ---

    def value(self, node: s.Node, want: Type | None = None) -> c.Expr:
        """The value, of the type that is wanted. Raises Wrong or Unsure."""
        self._nodes += 1
        self._depth += 1
        if self._depth == 1:
            self._whole = node
        try:
            self._bound()
            found = self._value(node)
        finally:
            self._depth -= 1
        return found if want is None else self.fit(found, want, node)

    def _bound(self) -> None:
        """Refuse a value that is too large, once: its parts may be too large as well."""
        if self._depth <= MAX_DEPTH and self._nodes <= MAX_NODES:
            self._refused = self._refused and self._depth > 1
            return
        if self._refused:
            raise Unsure
        self._refused = True
        if self._nodes > MAX_NODES:
            raise Wrong(self._whole, TOO_MANY)
        message = f"this value is too large: more than {MAX_DEPTH} operations inside each other"
        raise Wrong(self._whole, message, "give parts of it names with `let`")

    def count(self, statement: s.Node) -> None:
        """Count a statement; one after a `prefer` counts once per block. Raises Wrong or Unsure."""
        self._whole = statement
        self._nodes += 1
        self._bound()

    def fit(self, found: c.Expr, want: Type, node: s.Node) -> c.Expr:
        """The same value as the wanted type: a kind can serve as the set of its pieces."""
        if found.type is want:
            return found
        if want is Type.SET and found.type is Type.KIND:
            self._where(BUILTINS["all_of_kind"], node)
            return c.Call(Type.SET, node.span, "all_of_kind", (found,))
        if want is Type.DIRECTIONS and is_none(found):
            return c.Const(Type.DIRECTIONS, node.span, 0)
        hint = None
        if want is Type.BOOL and found.type is Type.SET:
            hint = "write `some` or `no` before a set to ask whether it has sites"
        if want is Type.SET and found.type is Type.BOOL and isinstance(node, s.Binary):
            hint = "the sites that meet a condition: {s in board: CONDITION}"
        if want is Type.PLAYER:
            hint = "players are " + ", ".join([*self.names.players, "mover", "next"])
        if want is Type.INT and found.type is Type.SET:
            hint = "size(A) is the number of sites of a set"
        raise Wrong(node, f"this is {TYPES[found.type]}; {TYPES[want]} is needed here", hint)

    def all(self, nodes: list[tuple[s.Node, Type | None]]) -> list[c.Expr]:
        """Several values; every fault in them is reported, then Unsure is raised if there was one."""
        return self._sound([self.attempt(self.value, node, want) for node, want in nodes])

    def _fitted(self, values: list[tuple[c.Expr, s.Node]], want: Type) -> list[c.Expr]:
        """Several values as one type; faults as in `all`."""
        return self._sound([self.attempt(self.fit, value, want, node) for value, node in values])

    def _alike(self, *values: tuple[c.Expr, s.Node]) -> list[c.Expr]:
        """Values of one type: beside directions `none` is no direction, beside a set a kind is its pieces."""
        types = {value.type for value, _ in values}
        return [
            self.fit(value, Type.DIRECTIONS, node)
            if Type.DIRECTIONS in types and is_none(value)
            else self.fit(value, Type.SET, node)
            if Type.SET in types and value.type is Type.KIND
            else value
            for value, node in values
        ]

    def _sound(self, found: list[c.Expr | None]) -> list[c.Expr]:
        if None in found:
            raise Unsure
        return [value for value in found if value is not None]

    def attempt(self, check: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """The result of a check, or None with its fault reported."""
        try:
            return check(*args, **kwargs)
        except Wrong as wrong:
            self.report(wrong.diagnostic)
        except Unsure:
            pass
        return None

    # --- the forms of values ---

    def _value(self, node: s.Node) -> c.Expr:
        match node:
            case s.Word():
                return self._word(node)
            case s.Number():
                if node.value > c.LIMIT:
                    raise Wrong(node, f"this number is too large; the largest is {c.LIMIT:,}")
                return c.Const(Type.INT, node.span, node.value)
            case s.Truth():
                return c.Const(Type.BOOL, node.span, node.value)
            case s.Apply():
                return self._apply(node)
            case s.Index():
                return self._index(node)
            case s.Unary():
                return self._unary(node)
            case s.Binary():
                return self._binary(node)
            case s.Conditional():
                return self._conditional(node)
            case s.Comprehension():
                return self._comprehension(node)
            case s.Filter():
                return self._filter(node)
            case s.Braces():
                return self._braces(node)
        raise AssertionError(node)

    def _word(self, word: s.Word) -> c.Expr:
        text, span, names = word.text, word.span, self.names
        binding = self.scopes.use(word)
        if binding is not None:
            assert binding.value is not None
            return binding.value
        if text in names.broken:
            raise Unsure
        if text in names.defines and not names.defines[text].parameters:
            return self._define(names.defines[text], word, ())
        if text in names.states:
            self._use_state(word)
            return c.State(names.states[text].type, span, text)
        if text in names.per_player:
            raise Wrong(word, f"`{text}` has a value for each player", f"write {text}[PLAYER]")
        if text in names.options:
            names.used.add(f"option {text}")
            return c.Option(names.options[text].type, span, text)
        if text in names.players:
            return c.Const(Type.PLAYER, span, names.players.index(text))
        kind = names.kind(text)
        if kind is not None and text in self.scopes.forgotten and not self._active:
            # It would silently mean all pieces of the kind.
            message = f"here `{text}` would be the kind: the other `{text}` was of a block that has ended"
            raise Wrong(word, message, "give one of the two another name")
        if kind is not None:
            names.used.add(f"piece {text}")
            return c.Const(Type.KIND, span, kind)
        directions = names.directions(text)
        if directions is not None:
            return c.Const(Type.DIRECTIONS, span, directions)
        row = next((row for row in VALUES if row.word == text), None)
        if row is not None:
            self._where(row, word)
            return c.Call(row.result, span, row.key, ())
        if SITE.fullmatch(text):
            return c.SiteName(Type.SET, span, text)
        unknown = names.unknown_value(word, self.scopes.all())
        if text in self.scopes.of_turns and self.scopes.context == "end":
            message = f"`{text}` is a name of a turn, and ends with it"
            raise Wrong(word, message, "`last_move` holds the sites that the move has changed")
        if text in self.scopes.forgotten and not self._active:
            message = f"`{text}` is named in a block (or brackets) above, and known only there"
            hint = f"name it above that block, let {text} = ..., and change it in it, {text} := ..."
            raise Wrong(word, message, hint)
        raise unknown

    def _use_state(self, word: s.Word) -> None:
        if self.scopes.context == "constant":
            hint = "states get their first values after the setup, in the order of the file"
            raise Wrong(word, f"the state `{word.text}` has no value yet here", hint)
        self.names.used.add(f"state {word.text}")

    def _where(self, row: Builtin, node: s.Node) -> None:
        if self.scopes.context not in CONTEXTS[row.where]:
            raise Wrong(node, f"`{row.word}` has no meaning {IN_WORDS[self.scopes.context]}")

    def _apply(self, call: s.Apply) -> c.Expr:
        name, names = call.function.text, self.names
        if name in names.broken:
            raise Unsure
        if name in names.defines:
            define = names.defines[name]
            if not define.parameters:
                raise Wrong(call, f"`{name}` takes no arguments", f"write {name} alone")
            check_count(call, len(define.parameters))
            arguments = self.all([(unlabelled(a), None) for a in call.arguments])
            return self._define(define, call, tuple(arguments))
        if name in names.constants:
            return self._constant(call, names.constants[name])
        kind = names.kind(name)
        if kind is not None:
            check_count(call, 1)
            names.used.add(f"piece {name}")
            self._where(BUILTINS["kind_of"], call)
            player = self.value(unlabelled(call.arguments[0]), Type.PLAYER)
            what = c.Const(Type.KIND, call.function.span, kind)
            return c.Call(Type.SET, call.span, "kind_of", (what, player))
        if name in AGGREGATES and not any(row.word == name for row in FUNCTIONS):
            hint = f"the form is: {name}({'s' if name == 'count' else 'VALUE'} for s in SITES)"
            if name == "count":
                hint += "; size(A) is the number of sites of a set"
            raise Wrong(call, f"`{name}` needs something to run over", hint)
        rows = [row for row in FUNCTIONS if row.word == name]
        if not rows:
            raise names.unknown_function(call.function)
        return self._builtin(call, rows)

    def _builtin(self, call: s.Apply, rows: list[Builtin]) -> c.Expr:
        name = call.function.text
        self._where(rows[0], call.function)
        if name == "stuck":
            return self._stuck(call)
        if name == "leaps" and self.names.board and self.names.board.cell == "hex":
            hint = "a knight's leap: union(step(step(s, d, 2), flank(d)) for d in all_directions)"
            raise Wrong(call.function, "`leaps` has no meaning on a board of hexes", hint)
        nodes = in_order(call, rows)
        found = self.all([(node, None) for node in nodes])
        row = suited_row(call, rows, found)
        plain = sum(argument.label is None for argument in call.arguments)
        fitted: list[c.Expr] = []
        rest = list(zip(nodes, found, strict=True))
        for parameter in row.parameters:
            if not rest or (parameter.default is not None and len(fitted) == plain):
                assert parameter.default is not None
                fitted.append(c.Const(parameter.type, call.span, parameter.default))
            else:
                node, value = rest.pop(0)
                fitted.append(self.fit(value, parameter.type, node))
        return c.Call(row.result, call.span, row.key, tuple(fitted))

    def _stuck(self, call: s.Apply) -> c.Expr:
        check_count(call, 1)
        who = self.value(unlabelled(call.arguments[0]), Type.PLAYER)
        if not (isinstance(who, c.Call) and who.function == "next"):
            raise Wrong(
                call, "only the player who moves next can be asked for a legal move", "write stuck(next)"
            )
        return c.Call(Type.BOOL, call.span, "stuck", (who,))

    def _constant(self, call: s.Apply, values: tuple[c.Expr, ...]) -> c.Expr:
        """A constant of the players' block: the value for the given player."""
        check_count(call, 1)
        self.names.used.add(f"constant {call.function.text}")
        player = self.value(unlabelled(call.arguments[0]), Type.PLAYER)
        return c.If(values[0].type, call.span, is_first(player), *values)

    def _define(self, define: s.Define, use: s.Node, arguments: tuple[c.Expr, ...]) -> c.Expr:
        """The definition's body with the arguments in place of its parameters."""
        name = define.name.text
        self.names.used.add(f"define {name}")
        if name in self._active:
            raise Wrong(use, f"`{name}` is defined by way of itself", "a definition cannot use itself")
        self._active.append(name)
        bound: list[tuple[int, c.Expr]] = []
        try:
            with self.scopes.alone():
                for parameter, argument in zip(define.parameters, arguments, strict=True):
                    if isinstance(argument, c.Const | c.Local | c.Option | c.SiteName) or is_none(argument):
                        self.scopes.bind_value(parameter, argument)
                    else:
                        bound.append((self.scopes.bind(parameter, argument.type), argument))
                try:
                    body = self.value(define.body)
                except Wrong as wrong:
                    # Reported once, at the definition; its uses have no fault of their own.
                    hint = f"so it is where line {use.span.line} uses `{name}`" if arguments else None
                    said = wrong.diagnostic
                    self.report(attrs.evolve(said, hint=said.hint or hint))
                    raise Unsure from None
        finally:
            self._active.pop()
        for slot, argument in reversed(bound):
            body = c.Let(body.type, use.span, slot, argument, body)
        return body

    def _index(self, node: s.Index) -> c.Expr:
        type_ = self.names.per_player.get(node.name.text)
        if type_ is not None:
            self._use_state(node.name)
            player = self.value(node.site, Type.PLAYER)
            states = [c.State(type_, node.span, self.names.state_of(node.name.text, p)) for p in (0, 1)]
            return c.If(type_, node.span, is_first(player), *states)
        counters = self.value(node.name)
        if counters.type is not Type.COUNTERS:
            raise Wrong(
                node.name,
                f"`{node.name.text}` has no counters on sites",
                "a state has them: state NAME: int per site",
            )
        return c.Call(Type.INT, node.span, "at", (counters, self.value(node.site, Type.SET)))

    def _unary(self, node: s.Unary) -> c.Expr:
        word = node.operator.text
        rows = [row for row in OPERATORS if row.word == word and len(row.parameters) == 1]
        (operand,) = self.all([(node.operand, None)])
        row = next((row for row in rows if row.parameters[0].type is operand.type), rows[0])
        operand = self.fit(operand, row.parameters[0].type, node.operand)
        return c.Call(row.result, node.span, row.key, (operand,))

    def _binary(self, node: s.Binary) -> c.Expr:
        word, span = node.operator.text, node.span
        if word in ("and", "or"):
            left, right = self.all([(node.left, None), (node.right, None)])
            if {left.type, right.type} <= {Type.SET, Type.KIND}:
                hint = "`&` gives what two sets share, `+` joins them"
                raise Wrong(node, f"`{word}` stands between conditions; these are sets of sites", hint)
            left, right = self._fitted([(left, node.left), (right, node.right)], Type.BOOL)
            return self._both(span, left, right) if word == "and" else self._any(span, left, right)
        if word == "else":
            left, right = self.all([(node.left, None), (node.right, None)])
            if {left.type, right.type}.isdisjoint({Type.SET, Type.KIND, Type.DIRECTIONS}):
                hint = "the form is: A if CONDITION else B"
                raise Wrong(node, "`else` without `if` works on sets only: A, or B where A is empty", hint)
            type_ = Type.DIRECTIONS if Type.DIRECTIONS in (left.type, right.type) else Type.SET
            left, right = self._fitted([(left, node.left), (right, node.right)], type_)
            return self._else(span, left, right)
        left, right = self.all([(node.left, None), (node.right, None)])
        left, right = self._alike((left, node.left), (right, node.right))
        negated = word == "!="
        rows = [
            row for row in OPERATORS if row.word == ("=" if negated else word) and len(row.parameters) == 2
        ]
        if left.type is right.type is Type.KIND and not any(
            row.parameters[0].type is Type.KIND for row in rows
        ):
            left, right = self.fit(left, Type.SET, node.left), self.fit(right, Type.SET, node.right)
        row = next((r for r in rows if [p.type for p in r.parameters] == [left.type, right.type]), None)
        if row is None:
            raise self._mismatch(node, left, right, rows)
        if row.key == "equal_set":
            self._doubt_equality(node, left, right)
        call = c.Call(row.result, span, row.key, (left, right))
        return c.Call(Type.BOOL, span, "not", (call,)) if negated else call

    def _doubt_equality(self, node: s.Binary, left: c.Expr, right: c.Expr) -> None:
        """Warn about `s = empty`, which compares the site of a loop with a set of many sites."""
        for one, many in ((left, right), (right, left)):
            if not (isinstance(one, c.Local) and one.slot in self.scopes.sites):
                continue
            if isinstance(many, c.Call) and many.function in MANY:
                word = BUILTINS[many.function].word
                message = f"`{one.name}` is one site and `{word}` a set: they are hardly ever equal"
                hint = f"write {one.name} in {word}" + "(...)" * bool(many.args)
                self.report(Diagnostic("warning", node.span, message, hint))

    def _mismatch(self, node: s.Binary, left: c.Expr, right: c.Expr, rows: list[Builtin]) -> Wrong:
        word = node.operator.text
        (first, *others) = {row.parameters[0].type for row in rows}
        if not others:
            self._fitted([(left, node.left), (right, node.right)], first)
        if left.type is not right.type and any(row.parameters[0].type is left.type for row in rows):
            message = f"`{word}` cannot stand between {TYPES[left.type]} and {TYPES[right.type]}"
            hint = None
            if {left.type, right.type} == {Type.SET, Type.INT}:
                hint = "size(A) is the number of sites of a set"
            if (left.type, right.type, word) == (Type.SET, Type.DIRECTIONS, "+"):
                hint = f"write step({node.left.span.text}, {node.right.span.text})"
            return Wrong(node, message, hint)
        side = node.left if not any(row.parameters[0].type is left.type for row in rows) else node.right
        found = left if side is node.left else right
        hint = "size(groups(A)) is the number of groups" if found.type is Type.GROUPS else None
        return Wrong(side, f"`{word}` does not work on {TYPES[found.type]}", hint)

    def _both(self, span: Span, left: c.Expr, right: c.Expr) -> c.Expr:
        return c.If(Type.BOOL, span, left, right, c.Const(Type.BOOL, span, False))

    def _any(self, span: Span, left: c.Expr, right: c.Expr) -> c.Expr:
        return c.If(Type.BOOL, span, left, c.Const(Type.BOOL, span, True), right)

    def _else(self, span: Span, left: c.Expr, right: c.Expr) -> c.Expr:
        slot, type_ = self.scopes.new_slot(), left.type
        first = c.Local(type_, span, slot, "else")
        found = c.Call(Type.BOOL, span, "some" if type_ is Type.SET else "some_way", (first,))
        return c.Let(type_, span, slot, left, c.If(type_, span, found, first, right))

    def _conditional(self, node: s.Conditional) -> c.Expr:
        then, condition, otherwise = self.all(
            [(node.then, None), (node.condition, Type.BOOL), (node.otherwise, None)]
        )
        then, otherwise = self._alike((then, node.then), (otherwise, node.otherwise))
        otherwise = self.fit(otherwise, then.type, node.otherwise)
        return c.If(then.type, node.span, condition, then, otherwise)

    # --- what runs over something ---

    def domain(self, node: s.Node) -> c.Domain:
        """What a loop, a choice or an aggregate runs over."""
        if isinstance(node, s.Range):
            by = node.by or s.Number(node.span, 1)
            low, high, step = self.all([(node.low, Type.INT), (node.high, Type.INT), (by, Type.INT)])
            if isinstance(step, c.Const) and step.value < 1:
                raise Wrong(by, "the step of a range is at least 1")
            if isinstance(low, c.Const) and isinstance(high, c.Const) and low.value > high.value:
                raise Wrong(node, "this range is empty: it starts above its end")
            return c.Domain("range", Type.INT, (low, high, step))
        if isinstance(node, s.Listing):
            values = self.all([(item, None) for item in node.items])
            values = self._alike(*zip(values, node.items, strict=True))
            if any(value.type is not values[0].type for value in values):
                raise Wrong(node, "the values of a list are all of one type")
            return c.Domain("values", values[0].type, tuple(values))
        if isinstance(node, s.Word) and node.text == "players" and self.scopes.find("players") is None:
            return c.Domain("players", Type.PLAYER, ())
        value = self.value(node)
        match value.type:
            case Type.SET | Type.KIND:
                return c.Domain("sites", Type.SET, (self.fit(value, Type.SET, node),))
            case Type.DIRECTIONS:
                return c.Domain("directions", Type.DIRECTIONS, (value,))
            case Type.GROUPS:
                return c.Domain("groups", Type.SET, (value.args[0],) if isinstance(value, c.Call) else ())
            case Type.INT:
                raise Wrong(node, "a number is nothing to run over", "write a range, such as 1..4")
        raise Wrong(node, f"this is {TYPES[value.type]}; it is nothing to run over")

    def _comprehension(self, node: s.Comprehension) -> c.Expr:
        op = node.function.text
        if op not in AGGREGATES:
            message = f"`{op}` does not run over values"
            raise Wrong(node.function, message, "these can: " + ", ".join(AGGREGATES))
        loop, *inside = node.loops
        domain = self.domain(loop.domain)
        with self.scopes.open():
            slot = self.scopes.bind_each(loop.name, domain)
            condition = self.value(loop.condition, Type.BOOL) if loop.condition else None
            if inside:
                body = self.value(attrs.evolve(node, span=inside[0].span, loops=tuple(inside)))
            else:
                body = self.value(node.body, None if op == "union" else AGGREGATES[op].of)
        if inside and op == "max":
            # The largest of nothing is 0, which must not count as one of the numbers.
            assert isinstance(body, c.Fold)
            # It is there twice now, and the loops inside it as often again.
            self._nodes += sum(1 for _ in walk((body.domain, body.condition)))
            self._bound()
            yes = c.Const(Type.BOOL, body.span, True)
            some = c.Fold(Type.BOOL, body.span, "any", body.slot, body.domain, body.condition, yes)
            condition = self._both(some.span, condition, some) if condition else some
        elif inside and op == "count":
            op = "sum"
        elif op == "count":
            if not (isinstance(body, c.Local) and body.slot == slot):
                name = loop.name.text
                raise Wrong(
                    node.body,
                    f"`count` counts the values of `{name}`",
                    f"write count({name} for {name} in ... if ...)",
                )
            body = c.Const(Type.INT, node.body.span, 1)
        if op == "union":
            if body.type is not Type.DIRECTIONS:
                body = self.fit(body, Type.SET, node.body)
            return c.Fold(body.type, node.span, op, slot, domain, condition, body)
        return c.Fold(AGGREGATES[op].result, node.span, op, slot, domain, condition, body)

    def _filter(self, node: s.Filter) -> c.Expr:
        domain = self.domain(node.domain)
        if domain.type not in (Type.SET, Type.DIRECTIONS):
            raise Wrong(
                node.domain, f"braces gather sites or directions; this runs over {TYPES[domain.type]}"
            )
        with self.scopes.open():
            slot = self.scopes.bind_each(node.name, domain)
            condition = self.value(node.condition, Type.BOOL)
        body = c.Local(domain.type, node.name.span, slot, node.name.text)
        return c.Fold(domain.type, node.span, "union", slot, domain, condition, body)

    def _braces(self, node: s.Braces) -> c.Expr:
        items = self.all([(item, None) for item in node.items])
        items = self._alike(*zip(items, node.items, strict=True))
        type_ = Type.DIRECTIONS if items[0].type is Type.DIRECTIONS else Type.SET
        key = "either_way" if type_ is Type.DIRECTIONS else "union"
        items = [self.fit(item, type_, written) for item, written in zip(items, node.items, strict=True)]
        while len(items) > 1:  # in pairs, so that many items do not make a deep tree
            pairs = [
                c.Call(type_, node.span, key, pair) for pair in zip(items[::2], items[1::2], strict=False)
            ]
            items = [*pairs, *items[2 * len(pairs) :]]
        return items[0]


def is_none(value: c.Expr) -> bool:
    """Whether a value is the word `none`: no site, or no direction if directions are wanted."""
    return isinstance(value, c.Call) and value.function == "none"


def is_first(player: c.Expr) -> c.Expr:
    """The expression that asks whether a player is the first one of the file."""
    first = c.Const(Type.PLAYER, player.span, 0)
    return c.Call(Type.BOOL, player.span, "equal_player", (player, first))
