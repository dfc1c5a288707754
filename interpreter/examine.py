"""Looking for mistakes in a rule file: those the checker finds, and those that only show on a board."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from gdl import library
from gdl.core import CheckedGame
from gdl.diagnostics import Diagnostic, RuleError
from gdl.source import Source, Span
from gdl.words import written
from interpreter.errors import OptionError, TooMuchWork

if TYPE_CHECKING:
    from interpreter.game import Position

#: The most combinations of option values to try, and the most first moves.
TRIALS, MOVES = 12, 12


def examine(source: Source, beside: Path | None = None) -> list[Diagnostic]:
    """All errors and warnings about a rule file, from its text; `beside` is as in `library.check_source`."""
    try:
        rules, warnings = library.check_source(source, beside)
    except RuleError as error:
        return list(error.diagnostics)
    return sorted(warnings + _tried(rules, source), key=lambda fault: (fault.span.line, fault.span.column))


def _tried(rules: CheckedGame, source: Source) -> list[Diagnostic]:
    """The faults that show when the game is set up, with its defaults and at the extremes of its options."""
    # Imported here, so that a file with a syntax error does not wait for them.
    from interpreter.binding import bind, extremes
    from interpreter.game import Game

    whole = _header(source)
    found: dict[Diagnostic, Diagnostic] = {}
    for picks in islice(_choices(list(rules.options)), TRIALS):
        options: dict[str, int | bool] = {}
        try:
            options = extremes(rules, picks)
            if not picks:
                found |= {doubt: doubt for doubt in bind(rules, {}).doubts}
            position = Game.of(rules, **options).on("reference").start()
            if not picks:
                found |= {doubt: doubt for doubt in _over_at_once(position, whole)}
        except RuleError as error:
            shown = ", ".join(f"{name}={written(value)}" for name, value in options.items())
            for fault in error.diagnostics:
                hint = "; ".join(filter(None, [fault.hint, shown and f"this is so with {shown}"]))
                found.setdefault(fault, attrs.evolve(fault, hint=hint or None))
        except (OptionError, TooMuchWork) as error:
            where = whole if isinstance(error, OptionError) else _first_turn(rules)
            fault = Diagnostic("error", where, str(error))
            found.setdefault(fault, fault)
            break
    return list(found.values())


def _over_at_once(position: Position, where: Span) -> Iterator[Diagnostic]:
    """The warning about a game that is over before its first move or, in random games, after it."""
    if position.result is not None:
        message = "with its default options the game is over before the first move"
        yield Diagnostic("warning", where, message, f"it ends by: {position.result.reason}")
        return
    moves, reasons = position.legal_moves, set[str]()
    tried = random.Random(0).sample(moves, min(len(moves), MOVES))
    with suppress(TooMuchWork):  # other engines may manage more
        for move in tried:
            result = position.play(move).result
            if result is None:
                return
            reasons.add(result.reason)
        message = f"with its default options all {len(tried)} random games ended after the first move"
        yield Diagnostic("warning", where, message, f"they ended by: {', '.join(sorted(reasons))}")


def _header(source: Source) -> Span:
    """The first line that is neither blank nor a comment, which names the game."""
    lines = enumerate(source.text.split("\n"), 1)
    number, line = next((n, line) for n, line in lines if line.strip() and not line.startswith("#"))
    return Span(source, number, 1, number, len(line) + 1)


def _first_turn(rules: CheckedGame) -> Span:
    """The first statement of the turn that opens the game."""
    return rules.turns[rules.play[0].turn][0].span


def _choices(names: list[str]) -> Iterator[dict[str, bool]]:
    """Which options to set to their largest (True) or smallest (False) value: none, all, one by one."""
    yield {}
    for largest in (False, True):
        yield dict.fromkeys(names, largest)
    if len(names) > 1:
        for name in names:
            yield from ({name: False}, {name: True})
