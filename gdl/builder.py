"""From parse trees to syntax trees: one method for each rule of the grammar that makes a node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token, Transformer_NonRecursive, Tree
from lark.tree import Meta

from gdl import syntax as s
from gdl.source import Span

MakeSpan = Callable[[int, int, int, int], Span]

#: Numbers with more than 12 digits are cut to this value, which the checker refuses.
HUGE = 10**12


class Builder(Transformer_NonRecursive[Token, Any]):
    """Builds the nodes of `gdl.syntax`; `span` maps places in the parsed text to places in the file.

    Children come as lark gives them: words and signs that the tree does not keep are
    gone, an absent `[...]` is None.
    """

    def __init__(self, span: MakeSpan) -> None:
        super().__init__(visit_tokens=False)
        self._make = span

    def _call_userfunc(self, tree: Tree[Token], new_children: list[Any] | None = None) -> Any:
        children = tree.children if new_children is None else new_children
        method = getattr(self, f"_{tree.data}")
        return method(self._span(tree.meta), *children)

    def _span(self, meta: Meta) -> Span:
        if meta.empty:
            return self._make(1, 1, 1, 2)
        return self._make(meta.line, meta.column, meta.end_line, meta.end_column)

    def _at(self, token: Token) -> Span:
        return self._make(token.line or 1, token.column or 1, token.end_line or 1, token.end_column or 2)

    def _name(self, token: Token) -> s.Word:
        return s.Word(self._at(token), str(token))

    def _quoted(self, token: Token) -> s.Text:
        return s.Text(self._at(token), token[1:-1])

    def _integer(self, token: Token) -> int:
        return int(token) if len(token) <= 12 else HUGE

    # --- declarations ---

    def _declaration(self, span: Span, node: s.Node) -> s.Node:
        return node

    def _expression(self, span: Span, node: s.Node) -> s.Node:
        return node

    def _game(self, span: Span, name: Token, designer: Token | None, year: Token | None) -> s.Node:
        return self._header(span, name, None, designer, year)

    def _variant(
        self, span: Span, name: Token, base: Token, designer: Token | None, year: Token | None
    ) -> s.Node:
        return self._header(span, name, base, designer, year)

    def _header(
        self, span: Span, name: Token, base: Token | None, designer: Token | None, year: Token | None
    ) -> s.Header:
        return s.Header(
            span,
            span,
            self._quoted(name),
            self._quoted(base) if base else None,
            self._quoted(designer) if designer else None,
            self._integer(year) if year else None,
        )

    def _about(self, span: Span, text: Token) -> s.Node:
        return s.About(span, span, self._quoted(text))

    def _option(self, span: Span, name: Token, limits: s.Range | None, default: s.Node) -> s.Node:
        return s.OptionDecl(span, self._at(name), self._name(name), limits, default)

    def _range(self, span: Span, low: s.Node, high: s.Node, by: s.Node | None) -> s.Range:
        return s.Range(span, low, high, by)

    def _players(self, span: Span, *names: Token) -> s.Node:
        players = tuple(s.PlayerDecl(self._at(name), self._name(name), ()) for name in names)
        return s.Players(span, span, players)

    def _players_block(self, span: Span, *players: s.PlayerDecl) -> s.Node:
        return s.Players(span, players[0].span, players)

    def _player(self, span: Span, name: Token, *constants: s.Constant) -> s.Node:
        return s.PlayerDecl(span, self._name(name), constants)

    def _constant(self, span: Span, name: Token, value: s.Node) -> s.Node:
        return s.Constant(span, self._name(name), value)

    def _board(self, span: Span, *parts: Any) -> s.Node:
        if len(parts) == 1:
            return s.BoardDecl(span, span, parts[0], None, None)
        site, shape, condition = parts
        return s.BoardDecl(span, span, shape, self._name(site), condition)

    def _board_lines(self, span: Span, name: Token, *lines: tuple[s.Word, ...]) -> s.Node:
        shape = s.Apply(self._at(name), self._name(name), ())
        return s.BoardDecl(span, self._at(name), shape, None, None, lines)

    def _sites(self, span: Span, *names: Token) -> Any:
        return tuple(map(self._name, names))

    def _pieces(self, span: Span, *pieces: s.PieceDecl) -> s.Node:
        return s.Pieces(span, span, pieces)

    def _piece(self, span: Span, name: Token, letter: Token | None, neutral: Token | None) -> s.Node:
        return s.PieceDecl(
            span, self._name(name), self._quoted(letter) if letter else None, neutral is not None
        )

    def _state(self, span: Span, name: Token, type_: s.Word, initial: Any) -> s.Node:
        if isinstance(initial, tuple):
            return s.StateDecl(span, self._at(name), self._name(name), type_, None, initial)
        return s.StateDecl(span, self._at(name), self._name(name), type_, initial, ())

    def _state_type(self, span: Span, *words: Token | None) -> s.Node:
        return s.Word(span, " ".join(word for word in words if word))

    def _counters(self, span: Span, *counters: tuple[s.Node, s.Node]) -> Any:
        return counters

    def _counter(self, span: Span, value: s.Node, sites: s.Node) -> Any:
        return value, sites

    def _pie(self, span: Span, condition: s.Node | None) -> s.Node:
        return s.Pie(span, span, condition)

    def _define(self, span: Span, name: Token, parameters: tuple[s.Word, ...] | None, body: s.Node) -> s.Node:
        return s.Define(span, self._at(name), self._name(name), parameters or (), body)

    def _parameters(self, span: Span, *names: Token) -> Any:
        return tuple(map(self._name, names))

    def _score(self, span: Span, player: Token, value: s.Node) -> s.Node:
        return s.Score(span, self._at(player), self._name(player), value)

    def _without(self, span: Span, what: Token, name: Token | None = None) -> s.Node:
        dropped = "pie rule" if what.type == "PIE" else str(what)
        return s.Without(span, span, dropped, self._name(name) if name else None)

    def _setup(self, span: Span, body: s.Suite) -> s.Node:
        return s.Setup(span, self._head(span), body)

    def _turn(self, span: Span, name: Token | None, body: s.Suite) -> s.Node:
        head = self._at(name) if name else self._head(span)
        return s.TurnDecl(span, head, self._name(name) if name else s.Word(head, "turn"), body)

    def _play(self, span: Span, *steps: s.PlayStepDecl) -> s.Node:
        return s.Play(span, self._head(span), steps)

    def _play_step(self, span: Span, how: Token, *rest: Any) -> s.Node:
        *players, turn, condition = rest
        return s.PlayStepDecl(
            span, how.type == "ONCE", tuple(map(self._name, players)), self._name(turn), condition
        )

    def _end(self, span: Span, *endings: s.EndingDecl) -> s.Node:
        return s.End(span, self._head(span), endings)

    def _head(self, span: Span) -> Span:
        """The first line of a declaration with a block."""
        line = span.source.line(span.line)
        return Span(
            span.source, span.line, span.column, span.line, max(len(line.split(":")[0]), span.column) + 1
        )

    def _ending(self, span: Span, condition: s.Node, outcome: s.OutcomeDecl, reason: Token | None) -> s.Node:
        return s.EndingDecl(span, condition, outcome, self._quoted(reason) if reason else None)

    def _decided(self, span: Span, player: s.Node, how: Token) -> s.Node:
        return s.OutcomeDecl(span, str(how), player, None)

    def _draw(self, span: Span, word: Token) -> s.Node:
        return s.OutcomeDecl(span, "draw", None, None)

    def _by_score(self, span: Span, which: Token, tie: s.OutcomeDecl | None) -> s.Node:
        return s.OutcomeDecl(span, str(which), None, tie)

    # --- statements ---

    def _block(self, span: Span, *statements: s.Node) -> Any:
        return statements

    def _choose(self, span: Span, name: Token, domain: s.Node, condition: s.Node | None) -> s.Node:
        return s.Choose(span, self._name(name), domain, condition)

    def _let(self, span: Span, name: Token, value: s.Node) -> s.Node:
        return s.Let(span, self._name(name), value)

    def _require(self, span: Span, condition: s.Node) -> s.Node:
        return s.Require(span, condition)

    def _place(self, span: Span, *parts: s.Node) -> s.Node:
        owner = parts[0] if len(parts) == 3 else None
        return s.Place(span, owner, parts[-2], parts[-1])

    def _move(self, span: Span, origin: s.Node, target: s.Node) -> s.Node:
        return s.Move(span, origin, target)

    def _remove(self, span: Span, at: s.Node) -> s.Node:
        return s.Remove(span, at)

    def _flip(self, span: Span, at: s.Node) -> s.Node:
        return s.Flip(span, at)

    def _become(self, span: Span, kind: s.Node, at: s.Node) -> s.Node:
        return s.Become(span, kind, at)

    def _assign(self, span: Span, name: Token, site: s.Node | None, operator: Token, value: s.Node) -> s.Node:
        return s.Assign(span, self._name(name), site, self._name(operator), value)

    def _again(self, span: Span, turn: Token | None) -> s.Node:
        return s.Again(span, self._name(turn) if turn else None)

    def _nothing(self, span: Span, word: Token) -> s.Node:
        return s.Nothing(span)

    def _fixed(self, span: Span, *words: Token) -> s.Node:
        return s.Simple(span, " ".join(words))

    def _only_most(self, span: Span, value: s.Node) -> s.Node:
        return s.OnlyMost(span, value)

    def _notation(self, span: Span, add: Token | None, text: s.Node) -> s.Node:
        return s.Notation(span, text, add is not None)

    def _string(self, span: Span, text: Token) -> s.Node:
        return self._quoted(text)

    def _text_choice(self, span: Span, text: Token, condition: s.Node, otherwise: s.Node) -> s.Node:
        return s.Conditional(span, self._quoted(text), condition, otherwise)

    def _diagram(self, span: Span, picture: Token) -> s.Node:
        return s.Diagram(span, s.Text(self._at(picture), picture[3:-3]))

    def _at_once(self, span: Span, body: s.Suite) -> s.Node:
        return s.AtOnce(span, body)

    def _if_block(
        self, span: Span, condition: s.Node, then: s.Suite, otherwise: s.Suite | s.Node | None
    ) -> s.Node:
        if isinstance(otherwise, s.Node):
            otherwise = (otherwise,)
        return s.IfBlock(span, condition, then, otherwise or ())

    def _for_block(
        self, span: Span, name: Token, domain: s.Node, condition: s.Node | None, body: s.Suite
    ) -> s.Node:
        return s.ForBlock(span, self._name(name), domain, condition, body)

    def _either(self, span: Span, *branches: s.Suite) -> s.Node:
        return s.Either(self._head(span), branches)

    def _prefer(self, span: Span, *branches: s.Suite) -> s.Node:
        return s.Prefer(self._head(span), branches)

    def _repeat(self, span: Span, body: s.Suite, condition: s.Node, stop: Token | None) -> s.Node:
        return s.Repeat(span, body, condition, stop is not None)

    def _listing(self, span: Span, *items: s.Node) -> s.Node:
        return s.Listing(span, items)

    # --- expressions ---

    def _word(self, span: Span, name: Token) -> s.Node:
        return self._name(name)

    def _number(self, span: Span, digits: Token) -> s.Node:
        return s.Number(span, self._integer(digits))

    def _truth(self, span: Span, word: Token) -> s.Node:
        return s.Truth(span, word.type == "YES")

    def _unary(self, span: Span, operator: Token, operand: s.Node) -> s.Node:
        return s.Unary(span, self._name(operator), operand)

    def _binary(self, span: Span, left: s.Node, operator: Token, right: s.Node) -> s.Node:
        return s.Binary(span, self._name(operator), left, right)

    def _conditional(self, span: Span, then: s.Node, condition: s.Node, otherwise: s.Node) -> s.Node:
        return s.Conditional(span, then, condition, otherwise)

    def _call(self, span: Span, function: Token, *arguments: s.Argument | None) -> s.Node:
        return s.Apply(span, self._name(function), tuple(a for a in arguments if a is not None))

    def _argument(self, span: Span, label: Token | None, value: s.Node) -> s.Node:
        return s.Argument(span, self._name(label) if label else None, value)

    def _comprehension(self, span: Span, function: Token, body: s.Node, *loops: s.Loop) -> s.Node:
        return s.Comprehension(span, self._name(function), body, loops)

    def _loop(self, span: Span, name: Token, domain: s.Node, condition: s.Node | None) -> s.Node:
        return s.Loop(span, self._name(name), domain, condition)

    def _index(self, span: Span, name: Token, site: s.Node) -> s.Node:
        return s.Index(span, self._name(name), site)

    def _filter(self, span: Span, name: Token, domain: s.Node, condition: s.Node) -> s.Node:
        return s.Filter(span, self._name(name), domain, condition)

    def _braces(self, span: Span, *items: s.Node) -> s.Node:
        return s.Braces(span, items)
