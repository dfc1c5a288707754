"""Checking a game: its declarations together, from syntax to a `CheckedGame`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

import attrs

from gdl import core as c
from gdl import syntax as s
from gdl.boards import BOARDS, LINES, LineError, drawn
from gdl.core import Type
from gdl.diagnostics import Diagnostic, did_you_mean
from gdl.expressions import Expressions
from gdl.names import CALLED, FUNCTION_WORDS, SITE, Names, Unsure, Wrong
from gdl.source import Source, Span
from gdl.statements import Statements, leaves_a_choice
from gdl.stuck import is_true, may_be_stuck
from gdl.variants import title

#: The types an author can give a state.
STATE_TYPES = {t.value: t for t in Type if t is not Type.GROUPS}

#: So many outcomes of an equal score may follow one another.
MAX_TIES = 8

D = TypeVar("D", bound=s.Declaration)
T = TypeVar("T")


def check(
    source: Source, declarations: list[s.Declaration], faults: Iterable[Diagnostic] = ()
) -> tuple[c.CheckedGame | None, list[Diagnostic]]:
    """The checked game, or None where anything is wrong, and all that is to be said about the file.

    `source` is the file asked for; declarations of another file come from the game it varies.
    `faults` are those of parsing: what could not be read is not called missing.
    """
    checker = _Checker(source, declarations, list(faults))
    game = checker.game()
    return (None if checker.failed else game), checker.diagnostics


class _Checker:
    """One pass over the declarations of one game, in the order in which they need each other."""

    def __init__(self, source: Source, declarations: list[s.Declaration], faults: list[Diagnostic]) -> None:
        self.source = source
        self.declarations = declarations
        self.diagnostics: list[Diagnostic] = list(faults)
        self._said = set(faults)
        self.unreadable = bool(faults)
        #: Declarations of what has been declared before.
        self.repeated: list[s.Declaration] = []
        self.names = Names(broken={word for fault in faults for word in _words_around(fault.span)})
        self.expressions = Expressions(self.names, self.report)
        self.statements = Statements(self.expressions)
        self.attempt = self.expressions.attempt

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    def report(self, diagnostic: Diagnostic) -> None:
        """Keep a diagnostic; the same words about the same place are said once."""
        if diagnostic.severity == "error" and not self._own(diagnostic.span):
            hint = "this stands in the base game; the variant may have replaced or dropped what it needs"
            diagnostic = attrs.evolve(diagnostic, hint=hint)
        if diagnostic not in self._said:
            self._said.add(diagnostic)
            self.diagnostics.append(diagnostic)

    def error(self, where: s.Node | Span, message: str, hint: str | None = None) -> None:
        self.report(Wrong(where, message, hint).diagnostic)

    def warn(self, where: Span, message: str, hint: str | None = None) -> None:
        self.report(Diagnostic("warning", where, message, hint))

    def every(self, kind: type[D]) -> list[D]:
        return [d for d in self.declarations if isinstance(d, kind)]

    def one(self, kind: type[D]) -> D | None:
        return next(iter(self.every(kind)), None)

    def required(self, kind: type[D], message: str, hint: str) -> D | None:
        """The declaration that every game has. If part of the file was unreadable it may have been there."""
        found = self.one(kind)
        if found is None and not self.unreadable:
            self.error(self.place, message, hint)
        return found

    @property
    def place(self) -> Span:
        """Where to say what is missing in the file: at its header, or at its beginning."""
        header = self.one(s.Header)
        return header.span if header and self._own(header.span) else Span(self.source, 1, 1, 1, 2)

    # --- the whole game ---

    def game(self) -> c.CheckedGame | None:
        """Check everything; the game is sound only if nothing was reported as an error."""
        header = self.required(
            s.Header, "this file is no game yet: it has no header", 'begin with: game "Name"'
        )
        if header is None and not self.declarations:
            return None
        self.names.headless = header is None and self.unreadable
        self._order(header)
        self._twice()
        players = self.required(s.Players, "this game has no players", "for example: players Black, White")
        board = self.required(s.BoardDecl, "this game has no board", "for example: board squares(8)")
        pieces = self.one(s.Pieces)
        if not self.every(s.StateDecl):
            self.required(s.Pieces, "this game has no pieces", "for example: pieces stone")
        end = self.required(
            s.End, "nothing ends this game", "for example: end: and, below it, if stuck(next): next loses"
        )
        self._declare(players, pieces, board)
        options = self._options()
        board_args = self._board(board) if board else ()
        self._constants(players)
        site_slot, site_condition = self._site_condition(board)
        setup = self.one(s.Setup)
        block = self.statements.setup(setup.body) if setup else ()
        states = self._states()  # after `setup`: their first values look at the board
        turns = {turn.name.text: self._turn(turn) for turn in self.every(s.TurnDecl)}
        play = self._play(self.one(s.Play), turns)
        pie = self._pie(self.one(s.Pie))
        slot, score = self._score(self.one(s.Score))
        endings = self._end(end, score) if end else ()
        self._useful(turns, play)
        if end:
            self._answers_stuck(end, endings, turns, play)
        if header is None or board is None or self.failed:
            return None
        about = self.one(s.About)
        options = {n: o for n, o in options.items() if f"option {n}" in self.names.used or self._own(o.span)}
        return c.CheckedGame(
            name=header.name.text,
            base=header.base.text if header.base else None,
            designer=header.designer.text if header.designer else None,
            year=header.year,
            about=about.text.text if about else "",
            options=options,
            players=(self.names.players[0], self.names.players[1]),
            kinds=self.names.kinds,
            board=board.shape.function.text,
            board_args=board_args,
            board_lines=tuple(tuple(site.text for site in line) for line in board.lines),
            site_slot=site_slot,
            site_condition=site_condition,
            states=states,
            setup=block,
            turns=turns,
            play=play,
            pie=pie,
            score_slot=slot,
            score=score,
            end=endings,
            slots=self.expressions.slots,
        )

    def _own(self, span: Span) -> bool:
        """Whether something was written in the file asked for, not in the game it varies."""
        return span.source == self.source

    def _order(self, header: s.Header | None) -> None:
        """The header comes first; `without` belongs to variants; a name is no empty text."""
        if header is None:
            return
        if self._own(header.span) and header is not self.declarations[0] and header.base is None:
            self.error(header, "the header stands above everything else")
        if not any(ch.isalnum() for ch in header.name.text):
            self.error(header.name, "a game needs a name with letters in it")
        if header.year is not None and not 0 < header.year < 10_000:
            self.error(header, "the year is a number from 1 to 9999")
        for text in [header.name, header.designer]:
            if text is not None and len(text.text) > 80:
                self.error(text, "this name is too long: 80 characters are allowed")
        for without in self.every(s.Without):
            self.error(
                without, "only a variant can do without something", 'begin with: variant "Name" of "Base"'
            )

    def _twice(self) -> None:
        """Each thing is declared once; a variant's declaration has replaced the base's already."""
        seen: dict[str, s.Declaration] = {}
        for declaration in self.declarations:
            if isinstance(declaration, s.Without):
                continue
            name = title(declaration)
            if name in seen:
                line = seen[name].head.line
                self.error(declaration.head, f"`{name}` is declared twice; the first is on line {line}")
                self.repeated.append(declaration)
            seen.setdefault(name, declaration)

    # --- names ---

    def _declare(self, players: s.Players | None, pieces: s.Pieces | None, board: s.BoardDecl | None) -> None:
        """Note all names before anything that uses them is checked."""
        if board is not None:
            self.names.board = LINES if board.lines else BOARDS.get(board.shape.function.text)
        taken: dict[str, Span] = {}

        def declare(word: s.Word, functions: bool = False) -> None:
            """Complain where the word has a meaning already."""
            meaning = self.names.taken(word.text)
            if meaning is None and functions and word.text in FUNCTION_WORDS:
                meaning = "a built-in function"
            if meaning is None and word.text in taken and taken[word.text] != word.span:
                meaning = f"declared on line {taken[word.text].line}"
            if meaning is not None:
                self.error(word, f"`{word.text}` is {meaning} already", "choose another name")
            taken.setdefault(word.text, word.span)

        if players is not None:
            self._players(players, declare)
        if pieces is not None:
            self._pieces(pieces, declare)
        for define in self.every(s.Define):
            if define in self.repeated:
                continue
            declare(define.name, functions=bool(define.parameters))
            for place, parameter in enumerate(define.parameters):
                if parameter.text in [p.text for p in define.parameters[:place]]:
                    self.error(parameter, f"`{parameter.text}` is a parameter already", "choose another name")
                    self.names.broken.add(define.name.text)
            self.names.defines.setdefault(define.name.text, define)
        later: list[s.OptionDecl | s.StateDecl] = [*self.every(s.OptionDecl), *self.every(s.StateDecl)]
        for named in later:
            self.names.later.add(named.name.text)
            if named not in self.repeated:
                declare(named.name)
        self.names.turns = {turn.name.text for turn in self.every(s.TurnDecl)}

    def _players(self, declaration: s.Players, declare: Callable[[s.Word], None]) -> None:
        for player in declaration.players:
            declare(player.name)
        names = [player.name.text for player in declaration.players]
        if len(names) != 2:
            self.error(
                declaration.head,
                f"a game has two players, not {len(names)}",
                "for example: players Black, White",
            )
        self.names.players = tuple([*names, "?", "?"][:2])

    def _pieces(self, declaration: s.Pieces, declare: Callable[[s.Word], None]) -> None:
        kinds: list[c.Kind] = []
        for piece in declaration.pieces:
            declare(piece.name)
            letter = (piece.letter.text if piece.letter else piece.name.text[0]).upper()
            where: s.Node = piece.letter or piece.name
            if len(letter) != 1 or not (letter.isascii() and letter.isalpha()):
                self.error(
                    where,
                    "the letter of a piece is one letter from A to Z",
                    f'for example: {piece.name.text} "{_letter(piece.name.text)}"',
                )
            same = next((kind for kind in kinds if kind.letter == letter), None)
            if same is not None and same.name != piece.name.text:
                hint = f'give them letters: {same.name} "{letter}", {piece.name.text} "..."'
                self.error(
                    where, f"`{same.name}` and `{piece.name.text}` have the same letter {letter}", hint
                )
            kinds.append(c.Kind(piece.name.text, letter, piece.neutral))
        if len(kinds) > 16:
            self.error(declaration, "a game has at most 16 kinds of pieces")
        self.names.kinds = tuple(kinds)

    def _options(self) -> dict[str, c.OptionSpec]:
        """The options in order: bounds and defaults may use earlier ones."""
        for option in self.every(s.OptionDecl):
            name = option.name.text
            spec = self.attempt(lambda option=option: self._option(option))  # type: ignore[misc]
            if spec is None:
                self.names.broken.add(name)
            else:
                self.names.options[name] = spec
        return self.names.options

    def _option(self, option: s.OptionDecl) -> c.OptionSpec:
        value = self.expressions.value
        span, name = option.name.span, option.name.text
        default = value(option.default)
        limits = option.range
        if limits is None:
            if default.type is Type.INT:
                raise Wrong(
                    option.default,
                    "an option that is a number needs a range",
                    f"for example: option {name}: 1..9 = 5",
                )
            if default.type is not Type.BOOL:
                raise Wrong(option.default, "an option is a number with a range, or yes or no")
            return c.OptionSpec(name, span, Type.BOOL, default)
        self.expressions.fit(default, Type.INT, option.default)
        low, high = self.expressions.all([(limits.low, Type.INT), (limits.high, Type.INT)])
        step = value(limits.by, Type.INT) if limits.by else None
        spec = c.OptionSpec(name, span, Type.INT, default, low, high, step)
        self._constant_range(option, spec)
        return spec

    def _constant_range(self, option: s.OptionDecl, spec: c.OptionSpec) -> None:
        """Where range and default are plain numbers, they fit each other."""
        low, high = _number(spec.low), _number(spec.high)
        default, step = _number(spec.default), _number(spec.step) if spec.step else 1
        assert option.range is not None
        if step is not None and step < 1 and option.range.by:
            raise Wrong(option.range.by, "the step of a range is at least 1")
        if low is None or high is None:
            return
        if low > high:
            raise Wrong(option.range, "this range is empty: it starts above its end")
        if (
            default is not None
            and step is not None
            and (not low <= default <= high or (default - low) % step)
        ):
            by = f" step {step}" if step > 1 else ""
            raise Wrong(option.default, f"the default is not one of {low}..{high}{by}")

    def _board(self, declaration: s.BoardDecl) -> tuple[tuple[str, c.Expr], ...]:
        """The arguments of the board by their parameters."""
        if declaration.lines:
            self._board_lines(declaration)
            return ()
        shape = declaration.shape
        name = shape.function.text
        kind = BOARDS.get(name)
        if kind is None:
            hint = did_you_mean(name, BOARDS) or "boards are " + ", ".join(BOARDS)
            if name == LINES.name:
                hint = "write board lines: and below it the sites of each line, as: a1 b1 c1"
            self.error(shape.function, f"there is no board `{name}`", hint)
            return ()
        arguments: dict[str, c.Expr] = {}
        unlabelled = iter(kind.parameters)
        for argument in shape.arguments:
            label = argument.label.text if argument.label else getattr(next(unlabelled, None), "name", None)
            known = [side.name for side in kind.parameters] + ["adjacent", "wrap"]
            if label not in known or label in arguments:
                sides = ", ".join(side.name for side in kind.parameters)
                self.error(
                    argument,
                    f"`{kind.name}` has no place for this argument",
                    f"the form is: {kind.name}({sides})",
                )
                continue
            want = Type.DIRECTIONS if label in ("adjacent", "wrap") else Type.INT
            value = self.attempt(lambda node=argument.value, want=want: self.expressions.value(node, want))  # type: ignore[misc]
            if value is not None:
                arguments[label] = value
        for side in kind.parameters:
            if side.default is None and side.name not in arguments and not self.failed:
                sides = ", ".join(side.name for side in kind.parameters)
                self.error(
                    shape,
                    f"`{kind.name}` needs its argument `{side.name}`",
                    f"the form is: {kind.name}({sides})",
                )
        return tuple(arguments.items())

    def _board_lines(self, declaration: s.BoardDecl) -> None:
        """The lines of a board lead from site to site."""
        name = declaration.shape.function
        if name.text != LINES.name:
            self.error(name, f"there is no board `{name.text}` of lines", "write board lines:")
        for line in declaration.lines:
            if len(line) == 1:
                self.error(line[0], "a line has two sites or more")
        try:
            drawn([[site.text for site in line] for line in declaration.lines])
        except LineError as error:
            self.error(declaration.lines[error.line][error.place], str(error))

    def _site_condition(self, board: s.BoardDecl | None) -> tuple[int, c.Expr | None]:
        """Which sites of the full board there are."""
        if board is None or board.site is None or board.condition is None:
            return -1, None
        site, condition = board.site, board.condition
        with self.expressions.scope("constant"):
            slot = self.attempt(lambda: self.expressions.bind(site, Type.SET))
            if slot is None:
                return -1, None
            return slot, self.attempt(lambda: self.expressions.value(condition, Type.BOOL))

    def _constants(self, players: s.Players | None) -> None:
        """The constants of the players' block: every player has the same ones, of the same types."""
        if players is None or not any(player.constants for player in players.players):
            return
        first, *others = players.players
        for player in others:
            mine, theirs = [x.name.text for x in player.constants], [x.name.text for x in first.constants]
            for name in sorted(set(mine) ^ set(theirs)):
                has, lacks = (player, first) if name in mine else (first, player)
                self.error(lacks.name, f"{lacks.name.text} lacks `{name}`, which {has.name.text} has")
                self.names.broken.add(name)
        for constant in first.constants:
            name = constant.name.text
            if name in FUNCTION_WORDS or name in self.names.defines:
                self.error(constant.name, f"`{name}` is a function already", "choose another name")
            found = [
                self.attempt(lambda node=x.value: self.expressions.value(node))  # type: ignore[misc]
                for player in players.players
                for x in player.constants
                if x.name.text == name
            ]
            values = tuple(value for value in found if value is not None)
            if len(values) != 2:
                self.names.broken.add(name)
            elif values[0].type is not values[1].type:
                here, there = (CALLED[value.type] for value in values)
                self.error(constant, f"`{name}` is {here} for one player, {there} for the other")
                self.names.broken.add(name)
            else:
                self.names.constants[name] = values

    def _states(self) -> dict[str, c.StateSpec]:
        """The states in order: first values may use earlier ones."""
        states = self.every(s.StateDecl)
        on_sites = [state for state in states if "per site" in state.type.text]
        for few, most, what in ((states, 32, "states"), (on_sites, 8, "states with a number on each site")):
            if len(few) > most:
                self.error(few[most].head, f"a game has at most {most} {what}")
        for state in self.every(s.StateDecl):
            name = state.name.text
            type_ = STATE_TYPES.get(state.type.text.removesuffix(" per player"))
            if type_ is None:
                hint = did_you_mean(state.type.text, STATE_TYPES) or "types are " + ", ".join(STATE_TYPES)
                self.error(state.type, f"there is no type `{state.type.text}`", hint)
                self.names.broken.add(name)
                continue
            spec = c.StateSpec(name, type_, state.name.span, None)
            with self.expressions.scope("setup"):
                found = self.attempt(lambda state=state, spec=spec: self._initial(state, spec))  # type: ignore[misc]
            spec = found or spec
            if not state.type.text.endswith(" per player"):
                self.names.states[name] = spec
                continue
            self.names.per_player[name] = type_
            for player in (0, 1):
                self.names.states[self.names.state_of(name, player)] = attrs.evolve(spec, player=player)
        return self.names.states

    def _initial(self, state: s.StateDecl, spec: c.StateSpec) -> c.StateSpec:
        """The state with its first value."""
        name = spec.name
        if state.initial is None and not state.per_site:
            if spec.type is Type.COUNTERS:
                return spec
            raise Wrong(
                state.name,
                f"the state `{name}` needs a first value",
                f"the form is: state {name}: {spec.type.value} = VALUE",
            )
        if state.per_site:
            if spec.type is not Type.COUNTERS:
                raise Wrong(state.type, "only `int per site` has values on sites")
            pairs = []
            for value, sites in state.per_site:
                amount, at = self.expressions.all([(value, Type.INT), (sites, Type.SET)])
                pairs.append((amount, at))
            return attrs.evolve(spec, per_site=tuple(pairs))
        assert state.initial is not None
        want = Type.INT if spec.type is Type.COUNTERS else spec.type
        return attrs.evolve(spec, initial=self.expressions.value(state.initial, want))

    # --- rules ---

    def _turn(self, turn: s.TurnDecl) -> c.Block:
        before = self.statements.lost
        block = self.statements.turn(turn.body)
        if self.statements.lost == before and not self.unreadable and not leaves_a_choice(block):
            self.error(
                turn.head, "this turn leaves the player nothing to choose", "for example: choose s in empty"
            )
        return block

    def _play(self, declaration: s.Play | None, turns: dict[str, c.Block]) -> tuple[c.PlayStep, ...]:
        if declaration is None:
            if "turn" not in turns and not self.unreadable:
                hint = "for example: turn: and, below it, choose s in empty"
                if turns:
                    hint = (
                        "for example: play: and, below it, repeat "
                        + ", ".join(self.names.players)
                        + f": {next(iter(turns))}"
                    )
                self.error(self.place, "this game does not say what a turn is", hint)
            self.names.used.add("turn turn")
            return (c.PlayStep(False, (0, 1), "turn"),)
        steps = []
        for place, step in enumerate(declaration.steps):
            last = place == len(declaration.steps) - 1
            if step.once == last:
                message = (
                    "the last line of `play` is the one that repeats"
                    if last
                    else "only the last line of `play` repeats"
                )
                self.error(step, message, "begin it with " + ("`repeat`" if last else "`once`"))
            checked = self.attempt(lambda step=step: self._play_step(step))  # type: ignore[misc]
            if checked is not None:
                steps.append(checked)
        return tuple(steps)

    def _play_step(self, step: s.PlayStepDecl) -> c.PlayStep:
        players = []
        for word in step.players:
            if word.text not in self.names.players:
                self.names.doubt(word)
                raise Wrong(
                    word, f"there is no player `{word.text}`", did_you_mean(word.text, self.names.players)
                )
            players.append(self.names.players.index(word.text))
        if len(players) > 64:
            raise Wrong(step, "a line of `play` names at most 64 players")
        if step.turn.text not in self.names.turns:
            if self.unreadable:
                raise Unsure
            raise Wrong(
                step.turn,
                f"there is no turn `{step.turn.text}`",
                did_you_mean(step.turn.text, self.names.turns),
            )
        self.names.used.add(f"turn {step.turn.text}")
        with self.expressions.scope("setup"):
            when = self.expressions.value(step.condition, Type.BOOL) if step.condition else None
        if when is not None and not step.once:
            raise Wrong(step, "the line that repeats has no condition")
        return c.PlayStep(step.once, tuple(players), step.turn.text, when)

    def _pie(self, declaration: s.Pie | None) -> c.Expr | None:
        if declaration is None:
            return None
        if declaration.condition is None:
            return c.Const(Type.BOOL, declaration.span, True)
        node = declaration.condition
        return self.attempt(lambda: self.expressions.value(node, Type.BOOL))

    def _score(self, declaration: s.Score | None) -> tuple[int, c.Expr | None]:
        if declaration is None:
            return -1, None
        with self.expressions.scope("turn"):
            slot = self.attempt(lambda: self.expressions.bind(declaration.player, Type.PLAYER))
            score = self.attempt(lambda: self.expressions.value(declaration.value, Type.INT))
        return -1 if slot is None else slot, score

    def _end(self, declaration: s.End, score: c.Expr | None) -> tuple[c.Ending, ...]:
        endings: list[c.Ending] = []
        for node in declaration.endings:
            with self.expressions.scope("end"):
                ending = self.attempt(lambda node=node: self._ending(node))  # type: ignore[misc]
            if ending is None:
                continue
            if any(before.condition == ending.condition or is_true(before.condition) for before in endings):
                self.warn(
                    node.condition.span, "this ending is never reached: an earlier one holds whenever it does"
                )
            if _is_false(ending.condition):
                self.warn(node.condition.span, "this ending is never reached: its condition never holds")
            endings.append(ending)
        return tuple(endings)

    def _ending(self, node: s.EndingDecl) -> c.Ending:
        condition = self.attempt(lambda: self.expressions.value(node.condition, Type.BOOL))
        outcome = self._outcome(node.outcome)
        if condition is None:
            raise Unsure
        if node.reason is None:
            return c.Ending(condition, outcome, text_of(node.condition.span))
        if not 0 < len(node.reason.text.strip()) <= 60:
            raise Wrong(node.reason, "the reason for an ending is a text of 1 to 60 characters")
        return c.Ending(condition, outcome, node.reason.text)

    def _outcome(self, node: s.OutcomeDecl, depth: int = 0) -> c.Outcome:
        if depth > MAX_TIES:
            raise Wrong(node, f"more than {MAX_TIES} ties follow one another")
        if node.player is not None:
            return c.Outcome(node.kind, self.expressions.value(node.player, Type.PLAYER))
        if node.kind == "draw":
            return c.Outcome("draw")
        if self.one(s.Score) is None and not self.unreadable:
            raise Wrong(node, "this game has no score", "for example: score p = size(pieces(p))")
        self.names.used.add("score")
        tie = self._outcome(node.tie, depth + 1) if node.tie else c.Outcome("draw")
        return c.Outcome(node.kind, None, tie)

    # --- what is of no use ---

    def _useful(self, turns: dict[str, c.Block], play: tuple[c.PlayStep, ...]) -> None:
        """Warn of names that nothing uses. In a variant only of its own: the base may be less used."""
        for define in self.every(s.Define):
            if title(define) not in self.names.used and self._own(define.span):
                self._words_exist(define)
        if self.failed:
            return
        declared: list[tuple[str, Span]] = [
            (title(d), d.head)
            for d in self.declarations
            if isinstance(d, s.OptionDecl | s.Define | s.StateDecl | s.TurnDecl | s.Score)
        ]
        pieces = self.one(s.Pieces)
        declared += (
            [(f"piece {p.name.text}", p.name.span) for p in pieces.pieces]
            if pieces and len(pieces.pieces) > 1
            else []
        )
        players = self.one(s.Players)
        declared += (
            [(f"constant {x.name.text}", x.name.span) for x in players.players[0].constants]
            if players
            else []
        )
        for name, span in declared:
            if (name if name != "turn" else "turn turn") not in self.names.used and self._own(span):
                self.warn(span, f"nothing uses `{name.split()[-1]}`", "leave it out, or use it")
        for span, name in self.expressions.bindings.items():
            if span not in self.expressions.used_bindings and self._own(span) and not name.startswith("_"):
                self.warn(span, f"nothing uses `{name}`", f"call it `_{name}` if that is meant")

    def _words_exist(self, define: s.Define) -> None:
        """A definition that nothing uses has no types yet; its words must still exist."""
        known = {
            *self.names.values(),
            *self.names.functions(),
            "players",
            *(p.text for p in define.parameters),
            *self.names.broken,
        }
        for node, bound in _words(define.body, frozenset()):
            if node.text not in known | bound and not SITE.match(node.text):
                self.error(node, f"there is no `{node.text}`", did_you_mean(node.text, known))

    def _answers_stuck(
        self,
        end: s.End,
        endings: tuple[c.Ending, ...],
        turns: dict[str, c.Block],
        play: tuple[c.PlayStep, ...],
    ) -> None:
        """Warn where a player may be without a legal move and `end` does not say what then."""
        if not self.failed and may_be_stuck(turns, play, endings):
            message = "`end` does not say what happens to a player without a legal move: a draw then"
            self.warn(end.head, message, "add a line, such as if stuck(next): next loses")


def text_of(span: Span) -> str:
    """The text of a stretch of a rule file, on one line."""
    lines = [span.source.line(number) for number in range(span.line, span.end_line + 1)]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(lines).split())


def _words_around(span: Span) -> set[str]:
    """The words of the declaration that a fault of reading stands in: it may have declared them."""
    lines = span.source.lines
    first = last = span.line - 1
    while first > 0 and (not lines[first] or lines[first][0].isspace()):
        first -= 1
    while last + 1 < len(lines) and (not lines[last + 1] or lines[last + 1][0].isspace()):
        last += 1
    if lines[first].startswith(("turn", "setup", "end", "play", "pie", "score")):
        # The other lines of a block are read all the same; this one may have named something.
        return set(re.findall(r"[A-Za-z_]\w*", lines[span.line - 1])[:2]) if first != span.line - 1 else set()
    return set(re.findall(r"[A-Za-z_]\w*", "\n".join(lines[first : last + 1])))


def _letter(name: str) -> str:
    """A letter for the pieces of this name: its first one."""
    return next((ch.upper() for ch in name if ch.isascii() and ch.isalpha()), "X")


def _number(value: c.Expr | None) -> int | None:
    return value.value if isinstance(value, c.Const) else None


def _is_false(condition: c.Expr) -> bool:
    return isinstance(condition, c.Const) and condition.value is False


def _words(node: object, bound: frozenset[str]) -> Iterable[tuple[s.Word, frozenset[str]]]:
    """All words used as names in a value, each with the names bound around it."""
    match node:
        case s.Word():
            yield node, bound
        case s.Apply():
            yield node.function, bound
            for argument in node.arguments:
                yield from _words(argument.value, bound)
        case s.Comprehension() | s.Builder():
            yield from _words(node.domain, bound)
            inside = bound | {node.name.text}
            yield from _words(node.condition, inside)
            if isinstance(node, s.Comprehension):
                yield from _words(node.body, inside)
        case s.Index():
            yield node.name, bound
            yield from _words(node.site, bound)
        case s.Unary():
            yield from _words(node.operand, bound)
        case s.Binary():
            yield from _words(node.left, bound)
            yield from _words(node.right, bound)
        case s.Conditional():
            for part in (node.then, node.condition, node.otherwise):
                yield from _words(part, bound)
        case s.Range():
            for end in (node.low, node.high, node.by):
                yield from _words(end, bound)
        case s.Braces():
            for item in node.items:
                yield from _words(item, bound)
