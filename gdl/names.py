"""The names of one game: what is declared, what is used, and what an unknown word may have meant."""

from __future__ import annotations

from attrs import Factory, define

from gdl import syntax as s
from gdl.boards import BOARDS, SITE, Compass
from gdl.builtins import AGGREGATES, FUNCTIONS, VALUES
from gdl.core import Expr, Kind, OptionSpec, StateSpec, Type
from gdl.diagnostics import Diagnostic, did_you_mean
from gdl.source import Span
from gdl.words import CALLED_ELSEWHERE, NAMED_ELSEWHERE, RESERVED

#: The most names to list as suggestions.
MOST_SHOWN = 12

#: Words for values that can have no other meaning.
VALUE_WORDS = frozenset(row.word for row in VALUES)
FUNCTION_WORDS = frozenset(row.word for row in FUNCTIONS) | AGGREGATES.keys()


class Wrong(Exception):
    """A fault in what the author wrote, found while checking one statement or expression."""

    def __init__(self, node: s.Node | Span, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        span = node if isinstance(node, Span) else node.span
        self.diagnostic = Diagnostic("error", span, message, hint)


class Unsure(Exception):
    """What is being checked depends on something already reported: no second message."""


@define
class Names:
    """All that a rule file declares, by kind of name."""

    players: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    board: Compass | None = None
    options: dict[str, OptionSpec] = Factory(dict)
    states: dict[str, StateSpec] = Factory(dict)
    #: The type of each state that has a value for each player.
    per_player: dict[str, Type] = Factory(dict)
    defines: dict[str, s.Define] = Factory(dict)
    #: Constants of the players' block: name -> one value per player.
    constants: dict[str, tuple[Expr, ...]] = Factory(dict)
    turns: set[str] = Factory(set)
    #: Options and states, some of which come after what is being checked.
    later: set[str] = Factory(set)
    #: Names that have been used, as `title`s: "option size", "define approach".
    used: set[str] = Factory(set)
    #: Those that have been given a new value.
    changed: set[str] = Factory(set)
    #: Names whose declaration is faulty: using them is not a second fault.
    broken: set[str] = Factory(set)
    #: The header could not be read: names may come from a base game.
    headless: bool = False
    #: Parts of the file could not be read: turns may be declared there.
    unreadable: bool = False

    def state_of(self, name: str, player: int) -> str:
        """The key of a player's state of this name."""
        # If the players are missing (already reported), their numbers serve as names.
        return f"{name}[{self.players[player] if self.players else player}]"

    def kind(self, word: str) -> int | None:
        """The number of the kind of this name."""
        return next((i for i, kind in enumerate(self.kinds) if kind.name == word), None)

    def turn(self, word: s.Word) -> str:
        """The turn of this name."""
        if word.text not in self.turns:
            if self.unreadable:
                raise Unsure
            raise Wrong(word, f"there is no turn `{_short(word.text)}`", did_you_mean(word.text, self.turns))
        return word.text

    def directions(self, word: str) -> int | None:
        """The directions of this name on the board of this game."""
        if self.board is None:
            return None
        if word in self.board.directions:
            return 1 << self.board.directions.index(word)
        return self.board.direction_sets.get(word)

    def values(self) -> list[str]:
        """All words that denote a value."""
        return [
            *VALUE_WORDS,
            *self.options,
            *(spec.name for spec in self.states.values()),
            *(name for name, define in self.defines.items() if not define.parameters),
            *self.players,
            *(kind.name for kind in self.kinds),
            *((*self.board.directions, *self.board.direction_sets) if self.board else ()),
        ]

    def known(self, word: str) -> bool:
        """Whether a word denotes a value wherever it appears."""
        return word in self.values() or SITE.fullmatch(word) is not None

    def functions(self) -> list[str]:
        """All words that are followed by arguments in brackets."""
        return [
            *FUNCTION_WORDS,
            *(name for name, define in self.defines.items() if define.parameters),
            *self.constants,
            *(kind.name for kind in self.kinds if not kind.neutral),
        ]

    def unknown_value(self, word: s.Word, local: list[str]) -> Wrong:
        """The fault of an unknown name used as a value."""
        self.doubt(word)
        if word.text in self.functions():
            return Wrong(word, f"`{word.text}` needs arguments in brackets", f"write {word.text}(...)")
        hint = NAMED_ELSEWHERE.get(word.text.lower()) or did_you_mean(word.text, [*local, *self.values()])
        if word.text in self.later:
            hint = "an option or a state is declared above what uses it; a state has no value before the game"
            return Wrong(word, f"`{_short(word.text)}` has no value yet here", hint)
        if hint is None:
            self._doubt()
        ways = {way for board in BOARDS.values() for way in (*board.directions, *board.direction_sets)}
        if self.board and word.text in ways | {"up", "down", "left", "right", "forward", "backward"}:
            here = ", ".join([*self.board.directions, *self.board.direction_sets])
            hint = f"directions of this board are {here}"
        states = (spec.name for spec in self.states.values())
        declared = dict.fromkeys(
            [*local, *self.players, *(k.name for k in self.kinds), *self.options, *states]
        )
        if hint is None and 0 < len(declared) <= MOST_SHOWN:
            hint = "names here are " + ", ".join(declared)
        return Wrong(word, f"there is no `{_short(word.text)}`", hint)

    def unknown_function(self, word: s.Word) -> Wrong:
        """The fault of an unknown name used as a function."""
        self.doubt(word)
        state = self.states.get(word.text)
        each = "site" if state and state.type is Type.COUNTERS else "player"
        if each == "site" or word.text in self.per_player:
            form = f"write {word.text}[{each.upper()}], with square brackets"
            return Wrong(word, f"`{word.text}` has a value for each {each}", form)
        if word.text in self.values():
            return Wrong(word, f"`{word.text}` takes no arguments", f"write {word.text} alone")
        hint = CALLED_ELSEWHERE.get(word.text.lower()) or did_you_mean(word.text, self.functions())
        if hint is None:
            self._doubt()
        return Wrong(word, f"there is no function `{_short(word.text)}`", hint)

    def doubt(self, word: s.Word) -> None:
        """If its declaration has been reported as faulty, a name has no fault of its own."""
        if self.headless or word.text in self.broken:
            raise Unsure

    def _doubt(self) -> None:
        """If players, board or pieces are missing (already reported), an unknown word may be one of them."""
        may_lack_pieces = bool(self.broken) or not self.states
        if self.board is None or not self.players or (may_lack_pieces and not self.kinds):
            raise Unsure

    def taken(self, word: str) -> str | None:
        """What a name already means, if it means anything."""
        if word in RESERVED:
            return "a word of the language"
        if word in VALUE_WORDS:
            return "a built-in word"
        if self.directions(word) is not None:
            return "a direction"
        if SITE.fullmatch(word):
            return "the name of a site"
        return None


def _short(word: str) -> str:
    return word if len(word) <= 40 else word[:37] + "..."


#: What a type is called in a sentence.
TYPES = {
    Type.SET: "a set of sites",
    Type.INT: "a number",
    Type.BOOL: "a condition",
    Type.PLAYER: "a player",
    Type.DIRECTIONS: "a direction",
    Type.KIND: "a kind of piece",
    Type.COUNTERS: "counters on sites",
    Type.GROUPS: "groups",
}

#: What a type is called when the form of a function is shown.
FORMS = {
    Type.SET: "SITES",
    Type.INT: "NUMBER",
    Type.BOOL: "CONDITION",
    Type.PLAYER: "PLAYER",
    Type.DIRECTIONS: "DIRECTION",
    Type.KIND: "KIND",
    Type.GROUPS: "GROUPS",
}
