"""Checking statements: from syntax to typed core statements."""

from __future__ import annotations

import re

from gdl import core as c
from gdl import syntax as s
from gdl.core import Type
from gdl.diagnostics import Diagnostic, did_you_mean
from gdl.explain import shown
from gdl.expressions import Expressions, is_first, is_none
from gdl.names import TYPES, Unsure, Wrong
from gdl.parser import parse_value
from gdl.source import Span

#: What a statement is called in a message.
CALLED: dict[type[s.Node], str] = {
    s.Choose: "choose", s.Let: "let", s.Require: "require", s.Place: "place", s.Move: "move",
    s.Remove: "remove", s.Flip: "flip", s.Become: "become", s.Assign: ":=", s.Again: "again",
    s.Nothing: "nothing", s.AtOnce: "at once",
    s.IfBlock: "if", s.ForBlock: "for", s.Either: "either", s.Prefer: "prefer", s.Repeat: "repeat",
    s.OnlyMost: "only the most", s.Notation: "notation", s.Diagram: "diagram",
}  # fmt: skip

ANYWHERE = (s.Let, s.Place, s.Remove, s.IfBlock, s.ForBlock, s.Nothing)
IN_SETUP = (*ANYWHERE, s.Diagram)
AT_ONCE = (*ANYWHERE, s.Move, s.Flip, s.Become, s.Assign)
#: Blocks may nest this deep; each `else if` is nested in the `else` of the one before.
MAX_BLOCKS = 40
#: These may appear only at the top level of a turn, or of a branch of `prefer`.
TOP_LEVEL = (s.Prefer, s.OnlyMost)
#: A turn with one of these leaves the player a choice.
CHOICES = (c.Choose, c.Either, c.Prefer, c.Pass, c.Sides)


class Statements:
    """Checks the statements of one game's turns and setup."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.names = expressions.names
        self.scopes = expressions.scopes
        #: How many statements could not be understood.
        self.lost = 0
        self._allowed: tuple[type[s.Node], ...] | None = None
        self._depth = 0

    def setup(self, suite: s.Suite) -> c.Block:
        """The block of `setup`."""
        self._allowed = IN_SETUP
        with self.scopes.open("setup"):
            block = self._suite(suite)
        self._allowed = None
        return block

    def turn(self, suite: s.Suite) -> c.Block:
        """The block of a turn."""
        with self.scopes.open("turn"):
            return self._suite(suite, top=True)

    def _suite(self, suite: s.Suite, top: bool = False) -> c.Block:
        """The statements of one block; faults are reported, and the rest is still checked."""
        block: list[c.Stmt] = []
        for early in [node for node in suite if isinstance(node, s.Again)][:-1]:
            message = "a later `again` of this block takes the place of this one"
            self.expressions.report(Diagnostic("warning", early.span, message, "leave one of them out"))
        for place, node in enumerate(suite):
            if isinstance(node, s.Prefer) and top:
                # What follows belongs to each branch: a branch is legal only if the whole turn is.
                prefer = self.expressions.attempt(self._prefer, node, suite[place + 1 :])
                self.lost += prefer is None
                return (*block, prefer) if prefer else tuple(block)
            statement = self.expressions.attempt(self._statement, node, top)
            if statement is not None:
                block.append(statement)
                continue
            self.lost += 1
            if isinstance(node, s.Choose | s.Let):
                # Bind the name all the same, so that its uses are not reported too.
                self.scopes.bind_unknown(node.name)
        return tuple(block)

    def _block(self, suite: s.Suite) -> c.Block:
        self._depth += 1
        try:
            if self._depth > MAX_BLOCKS:
                raise Wrong(
                    suite[0], f"blocks are nested more than {MAX_BLOCKS} deep, an `else if` counted as one"
                )
            with self.scopes.open():
                return self._suite(suite)
        finally:
            self._depth -= 1

    def _prefer(self, node: s.Prefer, rest: s.Suite) -> c.Prefer:
        self.expressions.count(node)
        branches = []
        for branch in node.branches:
            with self.scopes.open():
                block = self._suite(branch, top=True)
            with self.scopes.open():
                branches.append(block + self._suite(rest, top=True))
        return c.Prefer(node.span, tuple(branches))

    def _statement(self, node: s.Node, top: bool) -> c.Stmt:
        self.expressions.count(node)
        if self._allowed is not None and not isinstance(node, self._allowed):
            where = "`setup`" if self._allowed is IN_SETUP else "`at once`"
            word = node.words if isinstance(node, s.Simple) else CALLED[type(node)]
            raise Wrong(node, f"`{word}` cannot stand in {where}")
        if isinstance(node, s.Diagram) and self._allowed is not IN_SETUP:
            raise Wrong(node, "`diagram` stands directly in `setup`")
        if isinstance(node, TOP_LEVEL) and not top:
            word = CALLED[type(node)]
            raise Wrong(
                node, f"`{word}` stands directly in a turn or in a branch of `prefer`, not in another block"
            )
        value, all_of, span = self.expressions.value, self.expressions.all, node.span
        match node:
            case s.Choose():
                return self._choose(node)
            case s.Let():
                found = value(node.value)
                if found.type in (Type.GROUPS, Type.COUNTERS):
                    raise Wrong(
                        node.value,
                        f"{TYPES[found.type]} cannot be kept under a name",
                        "use them where they are needed",
                    )
                return c.SetLocal(span, self.scopes.bind(node.name, found.type, assignable=True), found)
            case s.Require():
                condition = value(node.condition, Type.BOOL)
                return c.Require(span, condition)
            case s.Place():
                return self._place(node)
            case s.Move():
                return c.Move(span, *all_of([(node.origin, Type.SET), (node.target, Type.SET)]))
            case s.Remove():
                return c.Remove(span, value(node.at, Type.SET))
            case s.Flip():
                return c.Flip(span, value(node.at, Type.SET))
            case s.Become():
                return c.Become(span, *self._kind_and_sites(node))
            case s.Assign():
                return self._assign(node)
            case s.Again():
                return c.Again(span, self.names.turn(node.turn) if node.turn else None)
            case s.Nothing():
                # A local that nothing reads.
                return c.SetLocal(span, self.scopes.new_slot(), c.Const(Type.BOOL, span, True))
            case s.Simple():
                return self._simple(node)
            case s.AtOnce():
                outer, self._allowed = self._allowed, AT_ONCE
                try:
                    return c.AtOnce(span, self._block(node.body))
                finally:
                    self._allowed = outer
            case s.IfBlock():
                sound = self._reported(node.condition)
                then, otherwise = self._block(node.then), self._block(node.otherwise)
                if sound is None:
                    raise Unsure
                return c.IfStmt(span, sound, then, otherwise)
            case s.ForBlock():
                return self._for(node)
            case s.Either():
                return c.Either(span, tuple(self._block(branch) for branch in node.branches))
            case s.Repeat():
                return self._repeat(node)
            case s.OnlyMost():
                return c.OnlyMost(span, value(node.value, Type.INT))
            case s.Notation():
                return self._notation(node.text, node.add)
            case s.Diagram():
                return self._diagram(node)
        raise AssertionError(node)

    def _reported(self, condition: s.Node) -> c.Expr | None:
        """The condition of a block, or None with its fault reported: the body is checked in any case."""
        return self.expressions.attempt(self.expressions.value, condition, Type.BOOL)

    def _domain(self, node: s.Choose | s.ForBlock) -> c.Domain:
        """What is run over. `A, t in B` and `A and t in B` are attempts to bind two names at once."""
        match node.domain:
            case (
                s.Listing(items=(_, s.Binary(operator=s.Word(text="in"), left=s.Word() as second), *_))
                | s.Binary(
                    operator=s.Word(text="and"),
                    right=s.Binary(operator=s.Word(text="in"), left=s.Word() as second),
                )
            ) if self.scopes.find(second.text) is None and not self.names.known(second.text):
                self.scopes.bind_unknown(second)
                word = CALLED[type(node)]
                raise Wrong(
                    second, f"one `{word}` has one name", f"write a `{word}` below for `{second.text}`"
                )
        return self.expressions.domain(node.domain)

    def _choose(self, node: s.Choose) -> c.Stmt:
        domain = self._domain(node)
        if domain.kind == "sites" and is_none(domain.args[0]):
            raise Wrong(node.domain, "there is nothing to choose from: `none` is empty")
        slot = self.scopes.bind_each(node.name, domain)
        condition = self.expressions.value(node.condition, Type.BOOL) if node.condition else None
        return c.Choose(node.span, slot, node.name.text, domain, condition)

    def _for(self, node: s.ForBlock) -> c.Stmt:
        domain = self._domain(node)
        with self.scopes.open():
            slot = self.scopes.bind_each(node.name, domain)
            condition = self.expressions.value(node.condition, Type.BOOL) if node.condition else None
            return c.For(node.span, slot, domain, condition, self._block(node.body))

    def _repeat(self, node: s.Repeat) -> c.Stmt:
        """A `repeat`; if the player may stop, every round that another may follow ends in a choice."""
        span = node.span
        with self.scopes.open():
            body = self._suite(node.body)
            condition = self.expressions.value(node.condition, Type.BOOL)
        if not node.may_stop:
            return c.Repeat(span, body, condition)
        onward = c.Local(Type.BOOL, span, self.scopes.new_slot(), "onward")
        stop, go = (c.SetLocal(span, onward.slot, c.Const(Type.BOOL, span, yes)) for yes in (False, True))
        ask = c.IfStmt(span, onward, (c.Either(span, ((stop,), (go,))),), ())
        return c.Repeat(span, (*body, c.SetLocal(span, onward.slot, condition), ask), onward)

    def _kind_and_sites(self, node: s.Place | s.Become) -> tuple[c.Expr, c.Expr]:
        """Both parts of a statement; the faults of both are reported."""
        kind = self.expressions.attempt(self._kind, node.kind)
        at = self.expressions.attempt(self.expressions.value, node.at, Type.SET)
        if kind is None or at is None:
            raise Unsure
        return kind, at

    def _kind(self, node: s.Node) -> c.Expr:
        """A kind of piece; here the name of a kind means the kind, even if a local has the same name."""
        kinds = [kind.name for kind in self.names.kinds]
        hint = "pieces are " + ", ".join(kinds) if kinds else None
        if isinstance(node, s.Word):
            number = self.names.kind(node.text)
            if number is not None:
                self.names.used.add(f"piece {node.text}")
                return c.Const(Type.KIND, node.span, number)
            if kinds and self.scopes.find(node.text) is None and not self.names.known(node.text):
                self.names.doubt(node)
                raise Wrong(
                    node, f"no piece is called `{node.text[:40]}`", did_you_mean(node.text, kinds) or hint
                )
        try:
            return self.expressions.value(node, Type.KIND)
        except Wrong as wrong:
            raise Wrong(node, wrong.diagnostic.message, wrong.diagnostic.hint or hint) from None

    def _place(self, node: s.Place) -> c.Stmt:
        kind, at = self._kind_and_sites(node)
        neutral = isinstance(kind, c.Const) and self.names.kinds[kind.value].neutral
        if node.owner is not None:
            if neutral:
                raise Wrong(node.owner, "a neutral piece belongs to nobody", "leave the player out")
            owner: c.Expr | None = self.expressions.value(node.owner, Type.PLAYER)
        elif neutral:
            owner = None
        elif self.scopes.context == "setup":
            whose = next(iter(self.names.players), "PLAYER")
            raise Wrong(node, "whose piece is this?", f"the form is: place {whose} KIND at SITES")
        else:
            owner = c.Call(Type.PLAYER, node.span, "mover", ())
        return c.Place(node.span, owner, kind, at)

    def _assign(self, node: s.Assign) -> c.Stmt:
        name, operator, span = node.name.text, node.operator.text, node.span
        state = self.names.states.get(name)
        binding = self.scopes.use(node.name) if state is None else None
        if state is None and binding is None:
            self.names.doubt(node.name)
            if name not in self.names.values():
                self.scopes.bind_unknown(node.name)
                states = [spec.name for spec in self.names.states.values()]
                form = f"TYPE = VALUE; for this turn alone: let {name} = VALUE"
                if node.site is not None:
                    form = f"int per site, or state {name}: TYPE per player = VALUE"
                hint = did_you_mean(name, states) or f"to declare it: state {name}: {form}"
                raise Wrong(node.name, f"there is no state `{name}`", hint)
        self.names.changed.add(f"state {name}")
        if name in self.names.per_player:
            return self._assign_of_player(node, self.names.per_player[name])
        if node.site is not None:
            if state is None or state.type is not Type.COUNTERS:
                raise Wrong(
                    node.name,
                    f"`{name}` has no counters on sites",
                    "a state has them: state NAME: int per site",
                )
            site, amount = self.expressions.all([(node.site, Type.SET), (node.value, Type.INT)])
            if operator == "-=":
                amount = c.Call(Type.INT, amount.span, "negate", (amount,))
            return c.SetCounters(span, name, site, amount, operator != ":=")
        if state is not None:
            if state.type is Type.COUNTERS:
                raise Wrong(
                    node.name,
                    f"`{name}` has a number on each site",
                    f"the form is: {name}[SITES] {operator} NUMBER",
                )
            now: c.Expr = c.State(state.type, node.name.span, name)
        elif binding is not None and binding.slot is not None:
            assert binding.value is not None
            now = binding.value
        else:
            raise Wrong(
                node.name, f"`{name}` cannot be changed", "only a `state` and what `let` has named can"
            )
        found = self._changed(node, now)
        if binding is not None:
            assert binding.slot is not None
            return c.SetLocal(span, binding.slot, found)
        return c.SetState(span, name, found)

    def _assign_of_player(self, node: s.Assign, type_: Type) -> c.Stmt:
        """A new value for one player's state."""
        name, span = node.name.text, node.span
        if node.site is None:
            form = f"the form is: {name}[PLAYER] {node.operator.text} VALUE"
            raise Wrong(node.name, f"`{name}` has a value for each player", form)
        player = self.expressions.value(node.site, Type.PLAYER)
        keys = [self.names.state_of(name, p) for p in (0, 1)]
        first, second = (
            (c.SetState(span, key, self._changed(node, c.State(type_, node.name.span, key))),) for key in keys
        )
        return c.IfStmt(span, is_first(player), first, second)

    def _changed(self, node: s.Assign, now: c.Expr) -> c.Expr:
        """The new value of `:=`, `+=` or `-=`."""
        found = self.expressions.value(node.value, now.type)
        if node.operator.text == ":=":
            return found
        keys = {
            (Type.INT, "+="): "add", (Type.INT, "-="): "subtract",
            (Type.SET, "+="): "union", (Type.SET, "-="): "difference",
            (Type.DIRECTIONS, "+="): "either_way", (Type.DIRECTIONS, "-="): "without_way",
        }  # fmt: skip
        key = keys.get((now.type, node.operator.text))
        if key is None:
            raise Wrong(node.operator, f"`{node.operator.text}` works on numbers and sets only", "write :=")
        return c.Call(now.type, node.span, key, (now, found))

    def _simple(self, node: s.Simple) -> c.Stmt:
        if node.words == "pass":
            return c.Pass(node.span)
        return c.Sides(node.span, swap=node.words.startswith("swap"))

    # --- texts ---

    def _notation(self, node: s.Node, add: bool, depth: int = 0) -> c.Stmt:
        if depth > MAX_BLOCKS:
            raise Wrong(node, f"a notation is a choice of at most {MAX_BLOCKS + 1} texts")
        if isinstance(node, s.Conditional):
            condition = self.expressions.value(node.condition, Type.BOOL)
            return c.IfStmt(
                node.span,
                condition,
                (self._notation(node.then, add),),
                (self._notation(node.otherwise, add, depth + 1),),
            )
        assert isinstance(node, s.Text)
        parts: list[str | c.Expr] = []
        place = 0
        for match in re.finditer(r"\{([^{}]*)\}", node.text):
            parts.append(node.text[place : match.start()])
            parts.append(self._inserted(node, match))
            place = match.end()
        parts.append(node.text[place:])
        if not any(part.strip() if isinstance(part, str) else True for part in parts):
            raise Wrong(node, "a notation cannot be empty")
        if any(isinstance(part, str) and set("{};[]\"'").intersection(part) for part in parts):
            raise Wrong(node, "a notation cannot hold [ ] ; \" ' and holds { } only in pairs, around a value")
        return c.Notation(node.span, tuple(part for part in parts if part != ""), add)

    def _inserted(self, node: s.Text, match: re.Match[str]) -> c.Expr:
        """The value in braces inside a text."""
        span = node.span
        column = span.column + 1 + match.start(1)
        where = Span(span.source, span.line, column, span.line, column + max(1, len(match[1])))
        if not match[1].strip():
            raise Wrong(where, "a name is missing between the braces")
        parsed = parse_value(span.source, match[1], where)
        if isinstance(parsed, Diagnostic):
            raise Wrong(where, f"`{match[1][:40]}` is no value")
        found = self.expressions.value(parsed)
        if found.type not in (Type.SET, Type.KIND, Type.INT, Type.PLAYER, Type.DIRECTIONS):
            raise Wrong(where, "only sites, kinds, numbers, players and directions can stand in a notation")
        return found

    def _diagram(self, node: s.Diagram) -> c.Stmt:
        letters = self._letters()
        rows, spans = [], []
        for offset, line in enumerate(node.text.text.split("\n")):
            if not line.strip():
                continue
            number = node.text.span.line + offset
            start = node.text.span.column + 3 if offset == 0 else 1
            tokens = list(re.finditer(r"\S+" if re.search(r"\S\s+\S", line) else r"\S", line))
            places = []
            for token in tokens:
                column = start + token.start()
                places.append(Span(node.span.source, number, column, number, column + len(token[0])))
                if token[0] not in letters:
                    message = f"{shown(token[0])} is no piece in this picture"
                    raise Wrong(places[-1], message, self._whose(letters))
            spans.append(tuple(places))
            rows.append(tuple(letters[token[0]] for token in tokens))
        if not rows:
            raise Wrong(node.text, "this picture is empty")
        return c.Diagram(node.span, tuple(rows), tuple(spans))

    def _letters(self) -> dict[str, tuple[int | None, int] | None]:
        """What each sign of a picture means: upper case is the first player's, lower case the second's."""
        letters: dict[str, tuple[int | None, int] | None] = {".": None}
        for number, kind in enumerate(self.names.kinds):
            self.names.used.add(f"piece {kind.name}")
            if kind.neutral:
                letters[kind.letter] = letters[kind.letter.lower()] = (None, number)
            else:
                letters[kind.letter] = (0, number)
                letters[kind.letter.lower()] = (1, number)
        owned = [number for number, kind in enumerate(self.names.kinds) if not kind.neutral]
        if len(owned) == 1:
            # With one kind of piece, the players' initials read better: B and W.
            for player, name in enumerate(self.names.players):
                letters.setdefault(name[0].upper(), (player, owned[0]))
        return letters

    def _whose(self, letters: dict[str, tuple[int | None, int] | None]) -> str:
        """Which letters of a picture belong to which player."""
        said = ["nothing: `.`"]
        for owner, name in [*enumerate(self.names.players), (None, "nobody")]:
            theirs = [f"`{letter}`" for letter, piece in letters.items() if piece and piece[0] == owner]
            if theirs:
                said.append(f"pieces of {name}: {', '.join(theirs)}")
        return "; ".join(said)


def leaves_a_choice(block: c.Block) -> bool:
    """Whether a turn leaves the player anything to decide."""
    for statement in block:
        match statement:
            case c.IfStmt(then=then, otherwise=otherwise):
                if leaves_a_choice(then) or leaves_a_choice(otherwise):
                    return True
            case c.For(body=body) | c.Repeat(body=body):
                if leaves_a_choice(body):
                    return True
            case _ if isinstance(statement, CHOICES):
                return True
    return False
