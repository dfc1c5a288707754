"""The syntax tree: what a rule file says, word for word, before names are resolved."""

from __future__ import annotations

from attrs import field, frozen

from gdl.source import Span


@frozen
class Node:
    """A piece of a rule file."""

    span: Span = field(eq=False, repr=False)


@frozen
class Word(Node):
    """A name, as declared or used."""

    text: str


# --- expressions -------------------------------------------------------------


@frozen
class Number(Node):
    """A whole number."""

    value: int


@frozen
class Truth(Node):
    """`yes` or `no`."""

    value: bool


@frozen
class Argument(Node):
    """An argument of a call, with the label written before it (`through: empty`)."""

    label: Word | None
    value: Node


@frozen
class Apply(Node):
    """A function with its arguments: `group(stone)`."""

    function: Word
    arguments: tuple[Argument, ...]


@frozen
class Index(Node):
    """A counter of a site: `seeds[pit]`."""

    name: Word
    site: Node


@frozen
class Unary(Node):
    """An operator before its operand: `not`, `some`, `no`, `-`."""

    operator: Word
    operand: Node


@frozen
class Binary(Node):
    """An operator between its operands; `else` is one of them."""

    operator: Word
    left: Node
    right: Node


@frozen
class Conditional(Node):
    """`then if condition else otherwise`."""

    then: Node
    condition: Node
    otherwise: Node


@frozen
class Range(Node):
    """`low..high step by`."""

    low: Node
    high: Node
    by: Node | None


@frozen
class Listing(Node):
    """Values one by one: `queen, rook, bishop`."""

    items: tuple[Node, ...]


@frozen
class Loop(Node):
    """`for name in domain if condition`."""

    name: Word
    domain: Node
    condition: Node | None


@frozen
class Comprehension(Node):
    """`function(body loop loop)`: each loop is nested in those before it."""

    function: Word
    body: Node
    loops: tuple[Loop, ...]


@frozen
class Filter(Node):
    """`{name in domain: condition}`."""

    name: Word
    domain: Node
    condition: Node


@frozen
class Braces(Node):
    """`{a1, b2}`: all of these sites (or directions)."""

    items: tuple[Node, ...]


@frozen
class Text(Node):
    """A quoted text, without its quotes."""

    text: str


# --- statements --------------------------------------------------------------

Suite = tuple["Node", ...]


@frozen
class Choose(Node):
    """`choose name in domain where condition`."""

    name: Word
    domain: Node
    condition: Node | None


@frozen
class Let(Node):
    """`let name = value`."""

    name: Word
    value: Node


@frozen
class Require(Node):
    """`require condition`."""

    condition: Node


@frozen
class Place(Node):
    """`place owner kind at sites`."""

    owner: Node | None
    kind: Node
    at: Node


@frozen
class Move(Node):
    """`move origin to target`."""

    origin: Node
    target: Node


@frozen
class Remove(Node):
    """`remove sites`."""

    at: Node


@frozen
class Flip(Node):
    """`flip sites`."""

    at: Node


@frozen
class Become(Node):
    """`become kind at sites`."""

    kind: Node
    at: Node


@frozen
class Assign(Node):
    """`name := value`, `name[site] += value` and the like; the operator is `:=`, `+=` or `-=`."""

    name: Word
    site: Node | None
    operator: Word
    value: Node


@frozen
class Again(Node):
    """`again`, or `again: turn`."""

    turn: Word | None


@frozen
class Nothing(Node):
    """`nothing`."""


@frozen
class Simple(Node):
    """A statement of fixed words: `pass`, `swap sides`, `keep sides`."""

    words: str


@frozen
class AtOnce(Node):
    """`at once:`."""

    body: Suite


@frozen
class IfBlock(Node):
    """`if condition:` with its `else:`; an `else if` is an `else:` with one `if` inside."""

    condition: Node
    then: Suite
    otherwise: Suite


@frozen
class ForBlock(Node):
    """`for name in domain:`."""

    name: Word
    domain: Node
    condition: Node | None
    body: Suite


@frozen
class Either(Node):
    """`either:` with its `or:`s."""

    branches: tuple[Suite, ...]


@frozen
class Prefer(Node):
    """`prefer:` with its `otherwise:`s."""

    branches: tuple[Suite, ...]


@frozen
class Repeat(Node):
    """`repeat:` ... `while condition`, or `while condition, or stop`."""

    body: Suite
    condition: Node
    may_stop: bool


@frozen
class OnlyMost(Node):
    """`only the most value`."""

    value: Node


@frozen
class Notation(Node):
    """`notation "..."`, or one of several texts, by conditions; with `add`, `notation += ...`."""

    text: Node
    add: bool


@frozen
class Diagram(Node):
    """`diagram` and its picture."""

    text: Text


# --- declarations ------------------------------------------------------------


@frozen
class Declaration(Node):
    """A top-level part of a rule file. `head` is the place of its first words."""

    head: Span = field(eq=False, repr=False)


@frozen
class Header(Declaration):
    """`game "name" by "designer", year` or `variant "name" of "base"`."""

    name: Text
    base: Text | None
    designer: Text | None
    year: int | None


@frozen
class About(Declaration):
    """The line of text under the header."""

    text: Text


@frozen
class OptionDecl(Declaration):
    """`option name: low..high step by = default`."""

    name: Word
    range: Range | None
    default: Node


@frozen
class Constant(Node):
    """`name = value` of one player."""

    name: Word
    value: Node


@frozen
class PlayerDecl(Node):
    """A player with their own constants."""

    name: Word
    constants: tuple[Constant, ...]


@frozen
class Players(Declaration):
    """`players Black, White`, or the block with constants."""

    players: tuple[PlayerDecl, ...]


@frozen
class BoardDecl(Declaration):
    """`board squares(size)`, `board {site in squares(size): condition}`, or the block with lines of sites."""

    shape: Apply
    site: Word | None
    condition: Node | None
    lines: tuple[tuple[Word, ...], ...] = ()


@frozen
class PieceDecl(Node):
    """A kind of piece, its letter, and `neutral`."""

    name: Word
    letter: Text | None
    neutral: bool


@frozen
class Pieces(Declaration):
    """`pieces pawn "P", arrow neutral`."""

    pieces: tuple[PieceDecl, ...]


@frozen
class StateDecl(Declaration):
    """`state name: type = initial`; counters may give values `on` sets of sites."""

    name: Word
    type: Word
    initial: Node | None
    per_site: tuple[tuple[Node, Node], ...]


@frozen
class Setup(Declaration):
    """`setup:`."""

    body: Suite


@frozen
class Pie(Declaration):
    """`pie rule when condition`."""

    condition: Node | None


@frozen
class Define(Declaration):
    """`define name(parameters) = body`."""

    name: Word
    parameters: tuple[Word, ...]
    body: Node


@frozen
class TurnDecl(Declaration):
    """`turn name:`; the turn without a name is called `turn`."""

    name: Word
    body: Suite


@frozen
class PlayStepDecl(Node):
    """`once Black: opening when long` or `repeat Black, White: turn`."""

    once: bool
    players: tuple[Word, ...]
    turn: Word
    condition: Node | None


@frozen
class Play(Declaration):
    """`play:`."""

    steps: tuple[PlayStepDecl, ...]


@frozen
class Score(Declaration):
    """`score p = value`."""

    player: Word
    value: Node


@frozen
class OutcomeDecl(Node):
    """`player wins`, `player loses`, `draw`, `highest score wins, tie: outcome`."""

    kind: str
    player: Node | None
    tie: OutcomeDecl | None


@frozen
class EndingDecl(Node):
    """`if condition: outcome "reason"`."""

    condition: Node
    outcome: OutcomeDecl
    reason: Text | None


@frozen
class End(Declaration):
    """`end:`."""

    endings: tuple[EndingDecl, ...]


@frozen
class Without(Declaration):
    """`without pie rule`: a variant drops this declaration of its base. Some have no name."""

    what: str
    name: Word | None
