"""Random, well-typed rule files for hypothesis: `rule_files()`.

Every word of `gdl.builtins`, every form of value and every statement can occur. What is written makes no
sense, but it must check without an error, bind with any of its options, and play within its bounds. It has
the shape of a game: a turn begins with a choice that usually exists, and the board is small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any, TypeVar

from attrs import evolve, frozen
from hypothesis import strategies as st

from gdl.boards import BOARDS, Board
from gdl.builtins import BUILTINS, FUNCTIONS, OPERATORS, VALUES, Builtin
from gdl.core import Type
from gdl.expressions import CONTEXTS

SET, INT, BOOL = Type.SET, Type.INT, Type.BOOL
PLAYER, DIRECTIONS, KIND, COUNTERS = Type.PLAYER, Type.DIRECTIONS, Type.KIND, Type.COUNTERS

#: The types that a local name, a parameter or a constant can have.
PLAIN = (SET, INT, BOOL, PLAYER, DIRECTIONS, KIND)

#: The sides tried for each board, from the first to the second number.
SIDES = {"squares": (1, 4), "points": (2, 4), "rectangle": (1, 4), "hexagon": (2, 3), "rhombus": (1, 4)}

#: The kinds of pieces that a game may have, as declared.
KINDS = {"stone": "stone", "king": 'king "K"', "wall": 'wall "X" neutral', "fire": "fire neutral"}
NEUTRAL = ("wall", "fire")

#: Where a value may stand; one allowed at a place is allowed at the later ones, too.
PLACES = ("constant", "setup", "turn", "end")

#: The approximate number of values in a file.
LENGTH = 220

Lines = list[str]
T = TypeVar("T")


@st.composite
def rule_files(draw: Callable[..., Any]) -> str:
    """The text of a random rule file."""
    return _Writer(draw).file()


@frozen
class Name:
    """A name with a value: its text, its type, and whether `:=` may change it."""

    text: str
    type: Type
    assignable: bool = False


@frozen
class Scope:
    """What may be used at a place in the file."""

    place: str
    names: tuple[Name, ...] = ()
    states: tuple[Name, ...] = ()

    def __add__(self, name: Name) -> Scope:
        return evolve(self, names=(*self.names, name))

    def of(self, type_: Type) -> list[str]:
        """The names of locals and states of a type."""
        return [name.text for name in (*self.names, *self.states) if name.type is type_]


@frozen
class Function:
    """A `define`, or a constant of the players' block."""

    text: str
    parameters: tuple[Type, ...]
    result: Type
    place: str


@cache
def _common_sites(kind: str, low: int, high: int) -> tuple[str, ...]:
    """The names of the sites common to all boards of this kind, whatever their sides."""
    sides = [side.name for side in BOARDS[kind].parameters if side.default is None]
    boards = [
        BOARDS[kind].build(**dict(zip(sides, numbers, strict=True)))
        for numbers in product(range(low, high + 1), repeat=len(sides))
    ]
    return tuple(name for name in boards[0].names if all(name in board.index for board in boards))


class _Writer:
    """Writes one file; what is written first determines what can be written later."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self._draw = draw
        self._left = LENGTH
        self._names = 0
        self.options: list[Name] = []
        self.functions: list[Function] = []

    # --- decisions ---

    def one(self, items: Sequence[T]) -> T:
        chosen: T = items[self.number(0, len(items) - 1)]
        return chosen

    def number(self, low: int, high: int) -> int:
        return int(self._draw(st.integers(low, high))) if high > low else low

    def chance(self, of_ten: int) -> bool:
        """True `of_ten` times out of ten."""
        return self.number(0, 9) >= 10 - of_ten

    def name(self, type_: Type, assignable: bool = False) -> Name:
        self._names += 1
        return Name(f"v_{self._names}", type_, assignable)

    # --- the file ---

    def file(self) -> str:
        self.players = self.one([("Black", "White"), ("North", "South")])
        self.kinds = [kind for kind in KINDS if kind == "stone" or self.chance(3)]
        board = self.board()
        head = ['game "Random"', *self.option_lines(), *self.players_lines(), board]
        head.append("pieces " + ", ".join(KINDS[kind] for kind in self.kinds))
        defines = [self.define(place) for place in PLACES for _ in range(self.number(0, 1))]
        states = self.state_lines()
        self.turns = ["turn"] + [f"turn_{letter}" for letter in "ab" if self.chance(2)]
        rules = [line for turn in self.turns for line in self.turn(turn)]
        tail = [*self.play_lines(), *self.score_and_end()]
        pie = self.one([[], ["pie rule"], [f"pie rule when {self.value(BOOL, Scope('constant'), 1)}"]])
        return "\n".join([*head, *defines, *states, *self.setup_lines(), *pie, *rules, *tail]) + "\n"

    def board(self) -> str:
        """Choose the board; sides are numbers or options."""
        self.board_kind = self.one(list(SIDES))
        kind = BOARDS[self.board_kind]
        low, high = SIDES[self.board_kind]
        low = self.number(low, high)
        self.fixed_size = self.chance(5)
        if not self.fixed_size:
            self.options.append(Name("side", INT))
            self.side_range = (low, high)
        self.site_names = _common_sites(self.board_kind, low, low if self.fixed_size else high)
        side = str(low) if self.fixed_size else "side"
        self.build = dict.fromkeys([s.name for s in kind.parameters if s.default is None], low)
        arguments = [side for _ in self.build]
        self.direction_words = [*kind.directions, *kind.direction_sets]
        if self.chance(3):
            one = self.number(0, len(kind.directions) // 2 - 1)
            back = kind.directions[one + len(kind.directions) // 2]
            ways = [*kind.direction_sets, f"{{{kind.directions[one]}, {back}}}"]
            arguments.append(f"adjacent: {self.one(ways)}")
        if kind.wraps and self.chance(2):
            rows_too = (
                " + orthogonal" if "orthogonal" in kind.direction_sets else " + north_east + south_west"
            )
            arguments.append("wrap: east + west" + self.one(["", rows_too]))
        shape = f"{self.board_kind}({', '.join(arguments)})"
        self.cut = self.chance(2)
        if not self.cut:
            return f"board {shape}"
        left = self.smallest_board().names
        self.site_names = tuple(name for name in self.site_names if name in left)
        return f"board {{s in {shape}: (column(s) + row(s)) mod 3 > 0}}"

    def smallest_board(self) -> Board:
        """The board with the smallest sides, without the sites cut out of it."""
        board = BOARDS[self.board_kind].build(**self.build)
        if not self.cut:
            return board
        places = zip(board.columns, board.rows, strict=True)
        return board.cut(sum(1 << site for site, place in enumerate(places) if sum(place) % 3))

    def option_lines(self) -> Lines:
        lines = []
        if not self.fixed_size:
            low, high = self.side_range
            lines.append(f"option side: {low}..{high} = {low}")
        if self.chance(3):
            self.options.append(Name("number", INT))
            high = self.one(["6", "2 + side * side"]) if not self.fixed_size else "6"
            lines.append(f"option number: 0..{high} step 2 = {self.one(['0', '2'])}")
        if self.chance(3):
            self.options.append(Name("flag", BOOL))
            lines.append(f"option flag = {self.one(['yes', 'no'])}")
        return lines

    def players_lines(self) -> Lines:
        if self.chance(7):
            return ["players " + ", ".join(self.players)]
        types = {f"constant_{letter}": self.one(PLAIN) for letter in "ab" if self.chance(6)} or {"home": SET}
        lines = ["players:"]
        for player in self.players:
            given = [f"{name} = {self.value(type_, Scope('constant'), 1)}" for name, type_ in types.items()]
            lines.append(f"    {player}: " + ", ".join(given))
        self.functions += [Function(name, (PLAYER,), type_, "constant") for name, type_ in types.items()]
        return lines

    def define(self, place: str) -> str:
        parameters = [self.name(self.one(PLAIN)) for _ in range(self.number(0, 2))]
        result = self.one(PLAIN)
        text = f"d_{place}"
        head = f"define {text}" + (f"({', '.join(p.text for p in parameters)})" if parameters else "")
        body = self.value(result, Scope(place, tuple(parameters)), 2)
        self.functions.append(Function(text, tuple(p.type for p in parameters), result, place))
        return f"{head} = {body}"

    def state_lines(self) -> Lines:
        """The states; the first value of each may depend on the states before it."""
        lines: Lines = []
        self.states: tuple[Name, ...] = ()
        for type_ in (*PLAIN, COUNTERS):
            if not self.chance(4):
                continue
            state = self.name(type_, assignable=True)
            scope = Scope("setup", (), self.states)
            first = ""
            if type_ is not COUNTERS:
                first = " = " + self.value(type_, scope, 1)
            elif self.chance(4):
                first = " = " + self.value(INT, scope, 1)
            elif self.chance(5):
                pairs = [f"{self.value(INT, scope, 1)} on {self.value(SET, scope, 1)}" for _ in range(2)]
                first = " = " + ", ".join(pairs)
            if type_ is not COUNTERS and self.chance(3):
                lines.append(f"state {state.text}: {type_.value} per player{first}")
                owned = (Name(f"{state.text}[{player}]", type_, assignable=True) for player in self.players)
                self.states = (*self.states, *owned)
                continue
            lines.append(f"state {state.text}: {type_.value}{first}")
            self.states = (*self.states, state)
        return lines

    def setup_lines(self) -> Lines:
        if self.chance(1):
            return []
        lines = ["setup:"]
        if self.fixed_size and self.chance(3):
            lines += self.diagram()
        scope = Scope("setup")
        for kind in self.kinds:
            owners = [""] if kind in NEUTRAL else [player + " " for player in self.players]
            lines += [f"    place {owner}{kind} at {self.free(scope)}" for owner in owners]
        return lines + self.block(scope, 1, self.SETUP, self.number(0, 2), "    ")

    def free(self, scope: Scope) -> str:
        """Sites on which the setup has put nothing yet."""
        every, some = self.number(2, 4), self.one(["column", "row"])
        simple = f"{{s in empty: ({some}(s) + {self.number(0, 3)}) mod {every} = 0}}"
        return f"({self.value(SET, scope, 2)}) - occupied" if self.chance(3) else simple

    def diagram(self) -> Lines:
        board = self.smallest_board()
        signs = [".", ".", ".", "S", "s"]
        lines = []
        for row in sorted(set(board.rows), reverse=True):
            lines.append(" ".join(self.one(signs) for number in board.rows if number == row))
        return ['    diagram """', *lines, '    """']

    def turn(self, name: str) -> Lines:
        """A turn, which begins with a choice that usually exists."""
        scope = Scope("turn", (), self.states)
        site, goal = self.name(SET), self.name(SET)
        match self.number(0, 4):
            case 0 | 1:
                start = [f"choose {site.text} in empty", f"place {self.one(self.kinds)} at {site.text}"]
                scope = scope + site
            case 2:
                near = self.one(
                    ["empty", f"adjacent({site.text}) - mine", f"step({site.text}, all_directions)"]
                )
                start = [f"choose {site.text} in mine", f"choose {goal.text} in {near}"]
                start.append(f"move {site.text} to {goal.text}")
                scope = scope + site + goal
            case 3:
                start = [f"choose {site.text} in ({self.value(SET, scope, 2)} else board)"]
                scope = scope + site
            case _:
                start = ["either:", f"    choose {site.text} in empty", f"    place stone at {site.text}"]
                start += ["or:", "    pass"]
        head = "turn:" if name == "turn" else f"turn {name}:"
        length = self.number(0, 4)
        return [
            head,
            *("    " + line for line in start),
            *self.block(scope, 2, self.TURN, length, "    ", True),
        ]

    def play_lines(self) -> Lines:
        """The play sequence; turns that it does not name may be reached by `again`."""
        if self.chance(7 if len(self.turns) == 1 else 2):
            return []
        scope = Scope("setup", (), self.states)
        lines = ["play:"]
        for turn in self.turns[1:]:
            if self.chance(2):
                continue
            when = f" when {self.value(BOOL, scope, 1)}" if self.chance(4) else ""
            lines.append(f"    once {self.one(self.players)}: {turn}{when}")
        order = list(self.players) + [self.one(self.players) for _ in range(self.number(0, 2))]
        return [*lines, f"    repeat {', '.join(order)}: {self.one(self.turns)}"]

    def score_and_end(self) -> Lines:
        lines, scored = [], self.chance(6)
        if scored:
            who = self.name(PLAYER)
            lines.append(f"score {who.text} = {self.value(INT, Scope('turn', (who,), self.states), 2)}")
        scope = Scope("end", (), self.states)
        lines.append("end:")
        for _ in range(self.number(0, 2)):
            late = f"ply > {self.number(0, 20)} and " if self.chance(7) else ""
            lines.append(f"    if {late}{self.value(BOOL, scope, 2)}: {self.outcome(scope, scored)}")
        if self.chance(7) or len(lines) == (2 if scored else 1):
            lines.append(f"    if stuck(next): {self.outcome(scope, scored)}")
        return lines

    def outcome(self, scope: Scope, scored: bool) -> str:
        forms = ["draw", f"{self.value(PLAYER, scope, 1)} {self.one(['wins', 'loses'])}"]
        if scored:
            form = f"{self.one(['highest', 'lowest'])} score wins"
            forms += [form, f"{form}, tie: {self.one(forms)}"]
        return self.one(forms)

    # --- statements ---

    SETUP = ("let", "remove", "nothing", "if_block", "for_block")
    AT_ONCE = (*SETUP, "place", "move", "flip", "become", "assign", "count", "change")
    TURN = (
        *AT_ONCE,
        "place",
        "move",
        "choose",
        "require",
        "simple",
        "at_once",
        "either",
        "repeat",
        "notation",
    )
    TOP = (*TURN, "prefer", "only_most")

    def block(
        self, scope: Scope, depth: int, forms: Sequence[str], length: int, pad: str, top: bool = False
    ) -> Lines:
        """Some statements; the names they introduce are known from there on."""
        lines: Lines = []
        for _ in range(length):
            form = self.one(self.TOP if top and forms is self.TURN else forms)
            written, scope = getattr(self, form)(scope, depth, forms)
            lines += [pad + line for line in written]
        return lines

    def inner(self, scope: Scope, depth: int, forms: Sequence[str], top: bool = False) -> Lines:
        """A block inside a statement, never empty."""
        length = self.number(1, 2) if depth > 0 else 0
        plain = ["    remove " + self.sites(scope, 1)]
        return self.block(scope, depth - 1, forms, length, "    ", top) or plain

    def let(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        name = self.name(self.one(PLAIN), assignable=True)
        return [f"let {name.text} = {self.value(name.type, scope, 2)}"], scope + name

    def choose(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        name, domain = self.bound(scope, 2, listing=True)
        where = f" where {self.value(BOOL, scope + name, 1)}" if self.chance(3) else ""
        return [f"choose {name.text} in {domain}{where}"], scope + name

    def for_block(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        name, domain = self.bound(scope, 2, listing=True)
        where = f" where {self.value(BOOL, scope + name, 1)}" if self.chance(3) else ""
        return [f"for {name.text} in {domain}{where}:", *self.inner(scope + name, depth, forms)], scope

    def if_block(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        lines = [f"if {self.value(BOOL, scope, 2)}:", *self.inner(scope, depth, forms)]
        if self.chance(3):
            lines += [f"else if {self.value(BOOL, scope, 1)}:", *self.inner(scope, depth, forms)]
        if self.chance(5):
            lines += ["else:", *self.inner(scope, depth, forms)]
        return lines, scope

    def require(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        easy = self.one(["", "no mine or ", "ply < 6 or ", "ply mod 3 = 0 or "])
        return [f"require {easy}{self.value(BOOL, scope, 2)}"], scope

    def place(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        kind = self.kind_atom(scope)
        owner = "" if kind in NEUTRAL or self.chance(5) else self.value(PLAYER, scope, 1) + " "
        return [f"place {owner}{kind} at {self.sites(scope, 2)}"], scope

    def kind_atom(self, scope: Scope) -> str:
        """A kind by its name, or found on the board or under a name."""
        return self.one([*self.kinds, *scope.of(KIND), f"kind({self.sites(scope, 1)})"])

    def move(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        return [f"move {self.sites(scope, 2)} to {self.sites(scope, 2)}"], scope

    def remove(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        return [f"remove {self.sites(scope, 2)}"], scope

    def flip(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        return [f"flip {self.sites(scope, 2)}"], scope

    def become(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        return [f"become {self.kind_atom(scope)} at {self.sites(scope, 2)}"], scope

    def assign(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        """`:=` to a state or a local."""
        found = [n for n in (*scope.names, *scope.states) if n.assignable and n.type is not COUNTERS]
        if not found:
            return self.let(scope, depth, forms)
        name = self.one(found)
        return [f"{name.text} := {self.value(name.type, scope, 2)}"], scope

    def change(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        """`+=` or `-=`."""
        found = [n for n in (*scope.names, *scope.states) if n.assignable and n.type in (INT, SET)]
        if not found:
            return self.let(scope, depth, forms)
        name = self.one(found)
        return [f"{name.text} {self.one(['+=', '-='])} {self.value(name.type, scope, 2)}"], scope

    def count(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        """The counters of some sites."""
        found = scope.of(COUNTERS)
        if not found:
            return self.remove(scope, depth, forms)
        sites, amount = self.sites(scope, 1), self.value(INT, scope, 1)
        return [f"{self.one(found)}[{sites}] {self.one([':=', '+=', '-='])} {amount}"], scope

    def simple(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        again = f"again: {self.one(self.turns)}"
        return [self.one(["pass", "again", again, "swap sides", "keep sides"])], scope

    def nothing(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        return ["nothing"], scope

    def at_once(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        return ["at once:", *self.inner(scope, depth, self.AT_ONCE)], scope

    def either(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        lines = ["either:", *self.inner(scope, depth, forms)]
        for _ in range(self.number(1, 2)):
            lines += ["or:", *self.inner(scope, depth, forms)]
        return lines, scope

    def prefer(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        lines = ["prefer:", *self.inner(scope, depth, forms, top=True)]
        return [*lines, "otherwise:", *self.inner(scope, depth, forms, top=True)], scope

    def repeat(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        lines = ["repeat:", *self.inner(scope, depth, forms)]
        stop = ", or stop" if self.chance(3) else ""
        return [*lines, f"while {self.value(BOOL, scope, 2)}{stop}"], scope

    def only_most(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        return [f"only the most {self.value(INT, scope, 2)}"], scope

    def notation(self, scope: Scope, depth: int, forms: Sequence[str]) -> tuple[Lines, Scope]:
        text = self.notation_text(scope)
        if self.chance(3):
            text = f"{text} if {self.value(BOOL, scope, 1)} else {self.notation_text(scope)}"
        return [f"notation {'+= ' if self.chance(3) else ''}{text}"], scope

    def notation_text(self, scope: Scope) -> str:
        types = [type_ for type_ in PLAIN if type_ is not BOOL]
        values = [self.leaf(self.one(types), scope) for _ in range(self.number(0, 2))]
        return f'"{self.one(["", "x", "- ", "Go+"])}{"".join(f"{{{value}}}" for value in values)}m"'

    # --- values ---

    def value(self, type_: Type, scope: Scope, depth: int) -> str:
        """A value of a type, in brackets wherever it is more than a word or a call."""
        self._left -= 1
        if depth <= 0 or self._left < 0:
            return self.leaf(type_, scope)
        rows = [row for row in (*FUNCTIONS, *OPERATORS) if row.result is type_ and self.fits(row, scope)]
        functions = [f for f in self.functions if f.result is type_ and self.may_call(f, scope)]
        forms: list[Callable[[], str]] = [
            lambda: self.leaf(type_, scope),
            lambda: self.either_value(type_, scope, depth),
        ]
        if rows:
            forms += [lambda: self.call(self.one(rows), scope, depth)] * 5
        if functions:
            forms += [lambda: self.use(self.one(functions), scope, depth)] * 2
        match type_:
            case Type.SET | Type.DIRECTIONS:
                forms += [
                    lambda: self.braces(type_, scope, depth),
                    lambda: self.builder(type_, scope, depth),
                    lambda: self.aggregate("union", type_, scope, depth),
                ]
            case Type.INT:
                ops = ["sum", "count", "max", "min"]
                forms += [lambda: self.aggregate(self.one(ops), INT, scope, depth)] * 3
                if scope.of(COUNTERS):
                    forms += [lambda: self.call(BUILTINS["at"], scope, depth)] * 3
            case Type.BOOL:
                forms.append(lambda: self.infix(BOOL, ["and", "or"], scope, depth))
                forms.append(lambda: self.aggregate(self.one(["any", "all"]), BOOL, scope, depth))
        if type_ in (SET, DIRECTIONS):
            forms.append(lambda: self.infix(type_, ["else"], scope, depth))
        return self.one(forms)()

    def sites(self, scope: Scope, depth: int) -> str:
        """A value where a set is wanted: there the name of a kind means the set of its pieces."""
        if scope.place != "constant" and self.chance(1):
            return self.one(self.kinds)
        return self.value(SET, scope, depth)

    def leaf(self, type_: Type, scope: Scope) -> str:
        """A word of a type."""
        found = scope.of(type_) * 2
        found += [row.word for row in VALUES if row.result is type_ and self.fits(row, scope)]
        found += [option.text for option in self.options if option.type is type_]
        match type_:
            case Type.SET:
                found.append(self.one(self.site_names))
            case Type.INT:
                found += ["0", "1", "2", "3", str(self.number(4, 9)), "2147483647"]
            case Type.BOOL:
                found += ["yes", "no"]
            case Type.PLAYER:
                found += self.players
            case Type.DIRECTIONS:
                found += self.direction_words
            case Type.KIND:
                found += self.kinds
        return self.one(found)

    def fits(self, row: Builtin, scope: Scope) -> bool:
        if row.key == "leaps" and BOARDS[self.board_kind].cell == "hex":
            return False
        counters = row.key != "at" or scope.of(COUNTERS)
        return scope.place in CONTEXTS[row.where] and bool(counters)

    @staticmethod
    def may_call(function: Function, scope: Scope) -> bool:
        return PLACES.index(function.place) <= PLACES.index(scope.place)

    def use(self, function: Function, scope: Scope, depth: int) -> str:
        arguments = [self.value(type_, scope, depth - 1) for type_ in function.parameters]
        return f"{function.text}({', '.join(arguments)})" if arguments else function.text

    def call(self, row: Builtin, scope: Scope, depth: int) -> str:
        """A row of the table of built-ins, with arguments of its types."""
        match row.key:
            case "stuck":
                return "stuck(next)"
            case "group_count":
                return f"size(groups({self.sites(scope, depth - 1)}))"
            case "all_of_kind":
                return f"({self.one(self.kinds)} & board)"
            case "kind_of":
                return f"{self.one(self.kinds)}({self.value(PLAYER, scope, depth - 1)})"
            case "at":
                return f"{self.one(scope.of(COUNTERS))}[{self.sites(scope, depth - 1)}]"
        parameters = list(row.parameters)
        if parameters[-1].default is not None and self.chance(5):
            parameters.pop()
        arguments = [
            self.sites(scope, depth - 1) if p.type is SET else self.value(p.type, scope, depth - 1)
            for p in parameters
        ]
        if row in FUNCTIONS:
            labels = [f"{p.label}: " if p.label else "" for p in parameters]
            return f"{row.word}({', '.join(map(str.__add__, labels, arguments))})"
        if len(arguments) == 1:
            return f"({row.word} {arguments[0]})"
        arguments[1] = self.or_none(parameters[1].type, arguments[1])
        word = self.one(["=", "!="]) if row.word == "=" else row.word
        return f"({arguments[0]} {word} {arguments[1]})"

    def either_value(self, type_: Type, scope: Scope, depth: int) -> str:
        one, other = (self.value(type_, scope, depth - 1) for _ in range(2))
        other = self.or_none(type_, other)
        return f"({one} if {self.value(BOOL, scope, depth - 1)} else {other})"

    def or_none(self, type_: Type, other: str) -> str:
        """A value beside one of the same type; for directions it may be `none`, the empty set of them."""
        return "none" if type_ is DIRECTIONS and self.chance(2) else other

    def infix(self, type_: Type, words: Sequence[str], scope: Scope, depth: int) -> str:
        one, other = (self.value(type_, scope, depth - 1) for _ in range(2))
        return f"({one} {self.one(words)} {self.or_none(type_, other)})"

    def braces(self, type_: Type, scope: Scope, depth: int) -> str:
        items = [self.value(type_, scope, depth - 1) for _ in range(self.number(1, 3))]
        return f"{{{', '.join(items)}}}"

    def builder(self, type_: Type, scope: Scope, depth: int) -> str:
        name, domain = self.name(type_), self.domain(scope, type_, depth - 1)
        return f"{{{name.text} in {domain}: {self.value(BOOL, scope + name, depth - 1)}}}"

    def aggregate(self, op: str, type_: Type, scope: Scope, depth: int) -> str:
        loops, inside = "", scope
        for _ in range(1 + self.chance(2)):
            name, domain = self.bound(inside, depth - 1)
            inside = inside + name
            condition = f" if {self.value(BOOL, inside, depth - 1)}" if self.chance(5) else ""
            loops += f" for {name.text} in {domain}{condition}"
        body = name.text if op == "count" else self.value(type_, inside, depth - 1)
        return f"{op}({body}{loops})"

    # --- domains of loops and choices ---

    def bound(self, scope: Scope, depth: int, listing: bool = False) -> tuple[Name, str]:
        """A name that runs over something, and what it runs over."""
        type_ = self.one(
            [SET, SET, SET, INT, DIRECTIONS, PLAYER, KIND] if listing else [SET, SET, INT, DIRECTIONS, PLAYER]
        )
        if listing and (type_ is KIND or self.chance(2)):
            values = [self.value(type_, scope, depth - 1) for _ in range(self.number(2, 3))]
            return self.name(type_), ", ".join(values)
        return self.name(type_), self.domain(scope, type_, depth)

    def domain(self, scope: Scope, type_: Type, depth: int) -> str:
        """Something to run over with members of this type: sites, groups, directions, players, numbers."""
        match type_:
            case Type.PLAYER:
                return "players"
            case Type.INT:
                high = self.one([str(self.number(1, 4)), f"(0 + {self.value(INT, scope, depth)})"])
                step = self.one(["", "", " step 2"])
                return f"{self.one(['0', '1'])}..{high}{step}"
            case Type.DIRECTIONS:
                return self.value(DIRECTIONS, scope, depth)
        sites = self.sites(scope, depth)
        if self.chance(2):
            return f"groups({sites})"
        # The checker would complain if nothing could ever be chosen.
        return sites if sites not in ("none", *(f.text for f in self.functions)) else f"({sites} + board)"
