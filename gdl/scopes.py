"""The local names of rules: which are bound, where they can be used, and which slots hold their values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define

from gdl import core as c
from gdl import syntax as s
from gdl.core import Type
from gdl.names import Names, Unsure, Wrong
from gdl.source import Span


@define
class Binding:
    """A name bound inside a rule: what it stands for (None: a fault already reported), and its place."""

    value: c.Expr | None
    span: Span
    #: The slot, if `let` bound it; other names cannot be given a new value.
    slot: int | None = None


class Scopes:
    """The names in scope, one scope per block, and the part of the game being checked."""

    def __init__(self, names: Names) -> None:
        self.names = names
        #: The part of the game: "constant" (there is no board yet), "setup", "turn" or "end".
        self.context = "constant"
        #: How many slots there are.
        self.slots = 0
        #: All names ever bound, and the places of those that were used.
        self.bindings: dict[Span, str] = {}
        self.used: set[Span] = set()
        #: Names of this rule whose blocks have ended.
        self.forgotten: set[str] = set()
        #: Names bound in turns, which are unknown in `end`.
        self.of_turns: set[str] = set()
        #: The slots that hold one site.
        self.sites: set[int] = set()
        self._scopes: list[dict[str, Binding]] = []

    @contextmanager
    def open(self, context: str | None = None) -> Iterator[None]:
        """Names bound inside are forgotten afterwards; `context` is the part of the game."""
        before = self.context
        self.context = context or before
        if context is not None:
            self.forgotten = set()
        self._scopes.append({})
        try:
            yield
        finally:
            self.forgotten |= self._scopes.pop().keys()
            if self.context == "turn":
                self.of_turns |= self.forgotten
            self.context = before

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Only names bound inside are visible: a definition sees no names of the rule that uses it."""
        outer, self._scopes = self._scopes, [{}]
        try:
            yield
        finally:
            self._scopes = outer

    def new_slot(self) -> int:
        """A slot that no other local value has."""
        self.slots += 1
        return self.slots - 1

    def bind(self, word: s.Word, type_: Type, assignable: bool = False) -> int:
        """Give a name to a new slot and return the slot."""
        taken = self.names.taken(word.text)
        if taken is None and self.find(word.text) is not None:
            taken = "a name in this rule"
        states = {*self.names.states, *self.names.per_player}
        if taken is None and (word.text in self.names.options or word.text in states):
            taken = "an option" if word.text in self.names.options else "a state"
        if taken is None and word.text in self.names.players:
            taken = "a player"
        if taken is not None:
            raise Wrong(word, f"`{word.text}` is {taken} already", "choose another name")
        slot = self.new_slot()
        value = c.Local(type_, word.span, slot, word.text)
        self._scopes[-1][word.text] = Binding(value, word.span, slot if assignable else None)
        self.bindings[word.span] = word.text
        return slot

    def bind_each(self, word: s.Word, domain: c.Domain) -> int:
        """Give a name to the values of a domain, taken one by one, and return its slot."""
        slot = self.bind(word, domain.type)
        if domain.kind == "sites":
            self.sites.add(slot)
        return slot

    def bind_value(self, word: s.Word, value: c.Expr) -> None:
        """Give a name to a value that needs no slot."""
        self._scopes[-1][word.text] = Binding(value, word.span)
        self.bindings[word.span] = word.text

    def bind_unknown(self, word: s.Word) -> None:
        """Bind a name whose value is faulty, so that its uses are not reported as faults too."""
        self._scopes[-1][word.text] = Binding(None, word.span)

    def use(self, word: s.Word) -> Binding | None:
        """The local name, marked as used."""
        binding = self.find(word.text)
        if binding is not None:
            self.used.add(binding.span)
            if binding.value is None:
                raise Unsure
        return binding

    def find(self, name: str) -> Binding | None:
        """The local name, without marking it as used."""
        return next((scope[name] for scope in reversed(self._scopes) if name in scope), None)

    def all(self) -> list[str]:
        """All local names that are bound here."""
        return [name for scope in self._scopes for name in scope]
