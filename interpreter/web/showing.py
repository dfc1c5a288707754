"""What pages are told of positions, boards, options and faults, as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl.core import CheckedGame
from gdl.diagnostics import Diagnostic
from interpreter.game import Game, Position
from interpreter.web import Json
from interpreter.web.positions import UNNAMED


def view(position: Position) -> Json:
    """All that a page shows of a position, and the legal moves by their choices."""
    game, result = position.game, position.result
    state: Json = position.state
    counters = [value for value in state.values() if _by_site(game, value)]
    return {
        "ply": position.ply,
        "to_move": position.to_move,
        "person": position.person,
        "seats": position.seats,
        "pieces": list(_pieces(position)),
        "counts": {site: n for counter in counters for site, n in counter.items() if n},
        "state": {name: _words(value) for name, value in state.items() if not _by_site(game, value)},
        "last": list(position.last_move),
        "moves": [
            {
                "n": move.notation,
                "c": [_choice(game, *choice) for choice in move.path if choice[0] != "branch"],
            }
            for move in position.legal_moves
        ],
        "result": result
        and {
            "winner": result.winner,
            "person": result.person,
            "reason": result.reason,
            "scores": result.scores,
        },
        "line": position.line(),
    }


def _pieces(position: Position) -> Iterator[Json]:
    from interpreter.svg import glyphs, letters

    drawn, lettered = glyphs(position.game), letters(position.game)
    for site, piece in position.board.items():
        owner, _, kind = piece.rpartition(" ")
        yield {
            "site": site,
            "owner": owner or None,
            "kind": kind,
            "letter": lettered.get(kind, ""),
            "glyph": drawn.get(kind) if owner else None,
        }


def _by_site(game: Game, value: object) -> bool:
    """Whether a state is a number on each site."""
    return isinstance(value, dict) and game.board.index.keys() == value.keys()


def _words(value: object) -> str:
    """The value of a state as text."""
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{key} {_words(part)}" for key, part in value.items())
        case list():
            return " ".join(map(str, value)) or "none"
    return str(value)


def _choice(game: Game, sort: str, value: int) -> list[Any]:
    """A choice as a pair of its sort and its value: ["site", "b1"], ["int", 3], ["word", "swap"]."""
    match sort:
        case "set":
            sites = _members(game.board.names, value)
            return ["site", sites[0]] if len(sites) == 1 else ["sites", sites]
        case "directions":
            return ["direction", "-".join(_members(game.board.directions, value))]
        case "player":
            return ["player", game.players[value]]
        case "kind":
            return ["kind", game.rules.kinds[value].name if value >= 0 else ""]
        case "bool":
            return ["word", "yes" if value else "no"]
        case "int":
            return ["int", value]
    return ["word", sort]


def _members(names: tuple[str, ...], members: int) -> list[str]:
    return [name for i, name in enumerate(names) if members >> i & 1]


def board(game: Game) -> Json:
    """The empty board: its sites with their places, and the lines between points."""
    from interpreter.svg import lines

    board = game.board
    sites = zip(board.names, board.xy, board.columns, board.rows, strict=True)
    ends = lines(board) if board.cell == "point" else ()
    return {
        "kind": board.kind,
        "cell": board.cell,
        "size": board.size,
        "sites": [
            {"name": name, "x": round(x, 4), "y": round(y, 4), "column": column, "row": row}
            for name, (x, y), column, row in sites
        ],
        "lines": [[[round(z, 4) for z in board.xy[end]] for end in line] for line in ends],
        "around": board.around,
    }


def options(rules: CheckedGame) -> list[Json]:
    """The options of a game, with the values that each may have where the others are as they come."""
    game = Game.of(rules).on("reference")
    found = []
    for name, default in game.options.items():
        values = game.choices(name)
        span: Json = {"low": None, "high": None, "step": None}
        if isinstance(values, range):
            span = {"low": values[0], "high": values[-1], "step": values.step}
        found.append({"name": name, "type": rules.options[name].type.value, "default": default, **span})
    return found


def diagnostic(fault: Diagnostic) -> Json:
    """A fault with its place; `file` is the base game where it stands there, else None."""
    span = fault.span
    return {
        "file": None if span.source.name == UNNAMED else span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "severity": fault.severity,
        "message": fault.message,
        "hint": fault.hint,
    }
