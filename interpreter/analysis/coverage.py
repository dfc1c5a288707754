"""Which lines of a rule file mattered in the games played, and which did not.

Positions of the games are replayed on the engine that keeps count. A line is dead if the games would have
been the same without it: a condition that never failed, a branch that led to nothing, an ending that never
fired. What the options have switched off is not dead.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from time import monotonic

import attrs
from attrs import define, field, frozen

from gdl import library
from gdl import syntax as s
from gdl.core import Expr
from gdl.parser import parse
from gdl.parts import taken, walk
from gdl.source import Source, Span
from interpreter.analysis.games import Options, Played
from interpreter.errors import TooMuchWork, counted
from interpreter.game import SWAP, Game, Move, Position
from interpreter.trace import Tally, Trace

OFF = "switched off by the options"
REPLACED = "replaced by the variant"
UNUSED = "the variant does not use it"

#: A position and the move that was made there; None if the game was over.
Visit = tuple[Position, Move | None]

#: A line up to its comment.
CODE = re.compile(r'(?:[^"#]|"[^"]*")*')

#: What may be said about a line, the weightiest first.
STATUS = ("dead", "used", "off")


@frozen
class Line:
    """A line of a rule file: `dead`, `used`, `off`, or None if there is nothing to say; and why."""

    number: int
    text: str
    status: str | None = None
    notes: tuple[str, ...] = ()


@frozen
class File:
    """A rule file and the status of its lines."""

    name: str
    lines: tuple[Line, ...]


@frozen
class Dead:
    """A line that never mattered, and how that is known."""

    file: str
    line: int
    text: str
    why: str


@frozen
class Coverage:
    """The rule file of a game, then those of the games it is based on; and how much was looked at."""

    files: tuple[File, ...]
    dead: tuple[Dead, ...]
    games: int
    positions: int
    #: How many of the positions there was time to look at.
    seen: int


def cover(game: str, options: Options, games: Sequence[Played], seconds: float, seed: int = 0) -> Coverage:
    """How games covered the rules of this name or path; looking at them takes about `seconds`.

    The ends of the games are looked at first, then their other positions in random order. Raises what loading
    the game raises.
    """
    loaded = Game.load(game, **options)
    traced = loaded.on("traced")
    assert traced.trace is not None
    seen, swaps = _watch(loaded, traced, games, seconds, seed)
    source = library.read(game)
    merged, _ = library.declarations(source, library.locate(game).parent)
    reader = _Reader(
        trace=traced.trace,
        source=source,
        turns=taken(loaded.rules.turns, loaded.rules.play),
        games=len(games),
        reasons={played.reason for played in games if played.finished},
        swaps=swaps,
        written=frozenset(part.span for part in walk(loaded.rules) if isinstance(part, Expr)),
        defines=frozenset(d.name.text for d in merged if isinstance(d, s.Define)),
    )
    for declaration in merged:
        reader.declaration(declaration)
    sources = {source.name: source} | {d.span.source.name: d.span.source for d in reversed(merged)}
    kept = {declaration.span for declaration in merged}
    for other in sources.values():
        for declaration in parse(other)[0]:
            if declaration.span not in kept and not isinstance(declaration, s.Without):
                reader.mark_all(declaration.span, "off", REPLACED)
    files = tuple(map(reader.file, sources.values()))
    positions = sum(len(played.moves) + 1 for played in games)
    return Coverage(files, tuple(sorted(reader.dead, key=_place)), len(games), positions, seen)


def _watch(
    game: Game, traced: Game, games: Sequence[Played], seconds: float, seed: int
) -> tuple[int, list[int]]:
    """Look at positions of the games; returns how many, and how often the pie rule was offered and used."""
    traced.start()
    ends, others, swaps = list[Visit](), list[Visit](), [0, 0]
    limit = monotonic() + seconds
    for played in _each_ending_first(games):
        position = game.start()
        for text in played.moves:
            if monotonic() > limit - seconds / 2:
                break
            move = position.parse(text)
            swaps[0] += any(move.path == SWAP for move in position.legal_moves)
            swaps[1] += move.path == SWAP
            others.append((attrs.evolve(position), move))  # a copy, which does not hold its legal moves
            position = position.play(move)
        else:
            ends.append((attrs.evolve(position), None))
    random.Random(seed).shuffle(others)
    for seen, (position, made) in enumerate([*ends, *others]):
        if monotonic() > limit:
            return seen, swaps
        _look(attrs.evolve(position, game=traced), made)
    return len(ends) + len(others), swaps


def _each_ending_first(games: Sequence[Played]) -> list[Played]:
    """The games, ordered so that each way to end comes once before any comes twice."""
    rank, met = list[int](), Counter[str | None]()
    for played in games:
        rank.append(met[played.reason])
        met[played.reason] += 1
    return [games[at] for at in sorted(range(len(games)), key=rank.__getitem__)]


def _look(position: Position, move: Move | None) -> None:
    """Let the engine find out what it can about a position by making a move there."""
    try:
        if not position.over and move is not None:
            position.play(move)
    except TooMuchWork:
        pass  # other engines have more room


def _place(dead: Dead) -> tuple[str, int]:
    return dead.file, dead.line


@define
class _Reader:
    """Reads rules together with the counts of what they did."""

    trace: Trace
    #: The rule file of the game; a variant has others, too.
    source: Source
    #: The turns that may be taken as long as the options are not settled.
    turns: list[str]
    games: int
    #: The reasons by which games have ended.
    reasons: set[str | None]
    #: How often the pie rule was offered, and how often it was used.
    swaps: list[int]
    #: The spans of the values in the game before the options are settled, and the names of its definitions.
    written: frozenset[Span]
    defines: frozenset[str]
    dead: list[Dead] = field(factory=list)
    _status: dict[tuple[str, int], str] = field(factory=dict)
    _notes: dict[tuple[str, int], list[str]] = field(factory=dict)
    #: Whether to say nothing about conditions: `setup` runs once, the same way each time.
    _silent: bool = False

    def file(self, source: Source) -> File:
        """A rule file with all that was found out about its lines."""
        return File(source.name, tuple(self._line(source, n) for n in range(1, _length(source) + 1)))

    def _line(self, source: Source, number: int) -> Line:
        where = source.name, number
        return Line(number, source.line(number), self._status.get(where), tuple(self._notes.get(where, ())))

    # --- marking lines ---

    def mark(self, span: Span, status: str, note: str | None = None, line: int | None = None) -> None:
        """Give the line on which a part begins a status; the weightier one stays."""
        where = span.source.name, line or span.line
        before = self._status.get(where, status)
        self._status[where] = min(before, status, key=STATUS.index)
        if note and note not in self._notes.setdefault(where, []):
            self._notes[where].append(note)

    def mark_all(self, span: Span, status: str, note: str | None = None) -> None:
        """Give each line of a part the same status."""
        for number in range(span.line, span.end_line + 1):
            text = span.source.line(number).strip()
            if text and not text.startswith("#"):
                self.mark(span, status, note, number)

    def say(self, span: Span, why: str, line: int | None = None) -> None:
        """Call a line dead."""
        number = line or span.line
        self.mark(span, "dead", why, number)
        code = CODE.match(span.source.line(number))
        self.dead.append(Dead(span.source.name, number, code[0].strip() if code else "", why))

    def say_part(self, part: s.Node, how: str) -> None:
        """Call a part of a line dead."""
        self.say(part.span, f"`{part.span.text}` {how}")

    # --- declarations ---

    def declaration(self, node: s.Declaration) -> None:
        match node:
            case s.Setup():
                self._silent = True
                self.suite(node.body)
                self._silent = False
            case s.TurnDecl():
                if self._settled(node.name.text):
                    self.mark_all(node.span, "off", OFF)
                elif not (self.trace.get("turn", node.name.text) or Tally()).yes:
                    self._unused(node, "this turn was never taken", node.body)
                else:
                    self.mark(node.span, "used")
                    self.suite(node.body)
            case s.Define():
                self._define(node)
            case s.Score():
                self._valued(node, node.value, "no ending has asked for the score")
            case s.Play():
                for place, step in enumerate(node.steps):
                    self._step(place, step)
            case s.Pie():
                self._pie(node)
            case s.End():
                texts = list(map(_reason, node.endings))
                for place, ending in enumerate(node.endings):
                    told = texts.count(texts[place]) == 1 and texts[place] in self.reasons
                    self._ending(place, ending, told)

    def _unused(self, node: s.Node, why: str, body: s.Suite = ()) -> None:
        self.say(node.span, why)
        for inner in body:
            self.mark_all(inner.span, "dead")

    def _define(self, node: s.Define) -> None:
        body = node.body
        if isinstance(body, s.Word) or (isinstance(body, s.Apply) and body.function.text in self.defines):
            return  # just another name for something, with no value of its own
        if not any(span.within(body.span) for span in self.written):
            if node.span.source == self.source:
                self._unused(node, "nothing uses it")
            else:
                self.mark_all(node.span, "off", UNUSED)
            return
        self._valued(node, body, "it was never asked for")

    def _valued(self, node: s.Define | s.Score, value: s.Node, why: str) -> None:
        """A declaration with a value, which is dead if the value was never asked for."""
        needed = [
            tally.yes
            for (what, where), tally in self.trace.tallies.items()
            if what == "needed" and isinstance(where, Span) and where.within(value.span)
        ]
        if not needed:
            return  # worked out before the game begins, or switched off
        if not sum(needed):
            self._unused(node, why)
            return
        self.mark_all(node.span, "used")
        self.expression(value)

    def _settled(self, turn: str) -> bool:
        """Whether the options rule out that a turn is ever taken."""
        return turn in self.turns and self.trace.get("turn", turn) is None

    def _step(self, place: int, step: s.PlayStepDecl) -> None:
        asked = self.trace.get("asked", ("play", place))
        if self._settled(step.turn.text):
            self.mark(step.span, "off", OFF)
        elif asked is not None and not asked.yes and asked.tries:
            self.say(step.span, f"this turn was never taken: its condition never held in {_tries(asked)}")
        elif asked is not None and not asked.no and asked.tries:
            self.say(step.span, f"its condition always held in {_tries(asked)}")
        else:
            self.mark(step.span, "used")

    def _pie(self, node: s.Pie) -> None:
        offered, taken = self.swaps
        if not offered:
            self.mark_all(node.span, "off", OFF)
        elif not taken:
            self.say(node.span, f"nobody has used it in {counted(offered, 'game')}")
        else:
            self.mark(node.span, "used", f"used in {taken:,} of {counted(offered, 'game')}")

    def _ending(self, place: int, node: s.EndingDecl, told: bool) -> None:
        """An ending; `told`: whether a game says that it ended this way."""
        asked = self.trace.get("asked", ("end", place))
        if asked is None or asked.yes or told:
            self.mark(node.span, "used")
            self.expression(node.condition)
        elif not asked.no:
            self.say(node.span, "this ending was never reached: those above it came first")
        else:
            self.say(node.span, f"this ending never fired in {counted(self.games, 'game')}")

    # --- statements ---

    def suite(self, suite: s.Suite, explained: bool = False) -> None:
        """The statements of a block; `explained`: whether it has been said why none of them was reached."""
        for node in suite:
            explained = self.statement(node, explained)

    def statement(self, node: s.Node, explained: bool) -> bool:
        """Read a statement; returns whether it is now clear why those after it were not reached."""
        reached = self.trace.get("reached", _key(node))
        if isinstance(node, s.IfBlock) and reached is None:
            # Settled by the options: one of its blocks, or none, takes its place.
            found = any(map(self._present, (*node.then, *node.otherwise)))
            self.mark(node.span, "used" if found else "off", None if found else OFF)
            self.suite(node.then, explained)
            self.suite(node.otherwise, explained)
            return explained
        if reached is None:
            self.mark_all(node.span, "off", OFF)
            return explained
        if not reached.yes:
            if not explained:
                self.say(node.span, "never reached")
            self.mark_all(node.span, "dead")
            return True
        self.mark(node.span, "used")
        return not self._reached(node)

    def _present(self, node: s.Node) -> bool:
        """Whether any part of a statement is left once the options are settled."""
        return self.trace.get("reached", _key(node)) is not None or (
            isinstance(node, s.IfBlock) and any(map(self._present, (*node.then, *node.otherwise)))
        )

    def _entries(self, suite: s.Suite) -> int | None:
        """How often a block was entered; None if its first statement is not part of this game."""
        reached = self.trace.get("reached", _key(suite[0]))
        return None if reached is None else reached.yes

    def _reached(self, node: s.Node) -> bool:
        """Read a statement that was reached; returns False if nothing got past it."""
        asked = self.trace.get("asked", node.span) or Tally()
        match node:
            case s.Require():
                return self._require(node, asked)
            case s.Choose():
                choice = self.trace.get("choice", node.span)
                if choice is not None and not choice.yes:
                    self.say(node.span, f"there was never anything to choose in {_tries(choice)}")
                    return False
                self._where(node, asked)
            case s.ForBlock():
                if self._entries(node.body) == 0:
                    self.say(node.span, "it never had anything to run over")
                    self.suite(node.body, explained=True)
                else:
                    self._where(node, asked)
                    self.suite(node.body)
            case s.IfBlock():
                self._if(node, asked)
            case s.Either():
                for number, branch in enumerate(node.branches):
                    self._branch(node, number, branch, "either" if number == 0 else "or")
            case s.Prefer():
                for number, branch in enumerate(node.branches):
                    self._branch(node, number, branch, "prefer" if number == 0 else "otherwise")
            case s.Repeat():
                self.suite(node.body)
                if asked.no and not asked.yes:
                    self.say(node.condition.span, f"it never went round again in {_tries(asked)}")
                else:
                    self.mark(node.condition.span, "used")
                    self.expression(node.condition)
            case s.AtOnce():
                self.suite(node.body)
            case s.OnlyMost():
                thinned = self.trace.get("thinned", node.span)
                if thinned is not None and thinned.no and not thinned.yes:
                    self.say(node.span, f"it never left a move out in {_tries(thinned)}")
            case _:
                changed = self.trace.get("changed", node.span)
                if changed is not None and not changed.yes and not self._silent:
                    self.say(node.span, f"it never changed anything in {_tries(changed)}")
                else:
                    self.expression(node)
        return True

    def _require(self, node: s.Require, asked: Tally) -> bool:
        if asked.yes and not asked.no:
            self.say(node.span, f"it never failed in {_tries(asked)}")
        elif asked.no and not asked.yes:
            self.say(node.span, f"it never held in {_tries(asked)}")
            return False
        else:
            self.expression(node.condition)
        return True

    def _where(self, node: s.Choose | s.ForBlock, asked: Tally) -> None:
        self.expression(node.domain)
        if node.condition is None or self._silent:
            return
        if asked.yes and not asked.no:
            self.say_part(node.condition, f"left nothing out in {_tries(asked)}")
        else:
            self.expression(node.condition)

    def _if(self, node: s.IfBlock, asked: Tally) -> None:
        never, always = asked.no and not asked.yes, asked.yes and not asked.no
        if never and not self._silent:
            self.say(node.span, f"its condition never held in {_tries(asked)}")
        elif always and not self._silent:
            why = f"the condition of line {node.span.line} always held in {_tries(asked)}"
            if node.otherwise:
                self.say(node.span, why, _head(node.otherwise, "else"))
            else:
                self.say(node.span, f"its condition always held in {_tries(asked)}")
        else:
            self.expression(node.condition)
        self.suite(node.then, explained=bool(never))
        if node.otherwise:
            if not always:
                self.mark(node.span, "used", line=_head(node.otherwise, "else"))
            self.suite(node.otherwise, explained=bool(always))

    def _branch(self, node: s.Either | s.Prefer, number: int, branch: s.Suite, word: str) -> None:
        entered = self.trace.get("entered", (node.span, number)) or Tally()
        legal = self.trace.get("legal", (node.span, number)) or Tally()
        head = _head(branch, word)
        if legal.yes:
            self.mark(node.span, "used", line=head)
        elif not entered.yes:
            self.say(node.span, "never needed: what stands above it was always possible", head)
        before = len(self.dead)
        self.suite(branch, explained=not entered.yes)
        if entered.yes and not legal.yes and len(self.dead) == before:
            self.say(node.span, f"no legal move came out of it in {_tries(entered)}", head)

    # --- values ---

    def expression(self, node: object) -> None:
        """Mark the parts of a value, or of the values of a statement, that never mattered."""
        if self._silent:
            return
        said = self._said(node) if isinstance(node, s.Node) else ()
        for part in _parts(node):
            if part not in said:
                self.expression(part)

    def _said(self, node: s.Node) -> tuple[s.Node, ...]:
        """The parts of a value that never mattered, so that nothing more need be said about them."""
        asked = self.trace.get("asked", node.span)
        held = self.trace.get("held", node.span)
        if asked is None or not asked.tries:
            return ()
        match node:
            case s.Binary(operator=s.Word(text="and")) if held is not None:
                return self._operand(node.left, asked.tries, asked.no, "always held") or self._operand(
                    node.right, asked.yes, asked.yes - held.yes, "always held"
                )
            case s.Binary(operator=s.Word(text="or")) if held is not None:
                return self._operand(node.left, asked.tries, asked.yes, "never held") or self._operand(
                    node.right, asked.no, held.yes - asked.yes, "never held"
                )
            case s.Binary(operator=s.Word(text="else")):
                return self._operand(node.right, asked.tries, asked.no, "was never needed")
            case s.Conditional():
                return self._operand(node.then, asked.tries, asked.yes, "was never needed") or self._operand(
                    node.otherwise, asked.tries, asked.no, "was never needed"
                )
            case (
                s.Comprehension(loops=(s.Loop(condition=s.Node() as condition), *_))
                | s.Loop(condition=s.Node() as condition)
                | s.Filter(condition=condition)
            ):
                return self._operand(condition, asked.tries, asked.no, "left nothing out") or self._operand(
                    condition, asked.tries, asked.yes, "never held"
                )
        return ()

    def _operand(self, part: s.Node, tries: int, mattered: int, how: str) -> tuple[s.Node, ...]:
        """Call an operand dead if it never mattered, and then return it."""
        if mattered > 0:
            return ()
        self.say_part(part, f"{how} in {counted(tries, 'try', 'tries')}" if tries else "was never asked for")
        return (part,)


def _key(node: s.Node) -> Span:
    """The span by which a statement is known; a notation is known by that of its text."""
    return node.text.span if isinstance(node, s.Notation) else node.span


def _parts(node: object) -> Iterator[object]:
    """The parts of a node of the syntax tree."""
    if isinstance(node, tuple):
        yield from node
    elif isinstance(node, s.Node):
        for part in attrs.fields(type(node)):
            value = getattr(node, part.name)
            if isinstance(value, s.Node | tuple):
                yield value


def _reason(ending: s.EndingDecl) -> str:
    """The reason that a game gives when it has ended this way."""
    return ending.reason.text if ending.reason else ending.condition.span.text


def _head(suite: s.Suite, word: str) -> int:
    """The line of the word that opens a block."""
    source, line = suite[0].span.source, suite[0].span.line
    while line > 1 and not source.line(line).lstrip().startswith(word):
        line -= 1
    return line


def _length(source: Source) -> int:
    return source.text.rstrip("\n").count("\n") + 1


def _tries(tally: Tally) -> str:
    return counted(tally.tries, "try", "tries")
