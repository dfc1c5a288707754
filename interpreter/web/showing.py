"""Positions, boards, options and faults as JSON for the pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gdl.core import CheckedGame, Choose, Type
from gdl.diagnostics import Diagnostic
from gdl.guide import how_to_play
from gdl.parts import walk
from interpreter.errors import TooMuchWork
from interpreter.game import Game, Move, Piece, Position
from interpreter.ground import XY, edges, exits, lines, owners, slot_ways, stars, stores
from interpreter.svg import counts, letters, shapes
from interpreter.terminal import state_text
from interpreter.web import Json
from interpreter.web.course import changes, stages, trail
from interpreter.web.positions import UNNAMED

#: Of moves whose notation or choices do not tell where they lead, how many may be played to find out.
UNLIKE = 100


def view(position: Position, before: Position | None = None, move: Move | None = None) -> Json:
    """All that a page shows of a position, and the legal moves by their choices.

    `before` and `move` are the position and the move that led to it, if any.
    """
    game, result = position.game, position.result
    state: Json = position.state
    held = stores(game)
    counters = position.counters
    return {
        "ply": position.ply,
        "to_move": position.to_move,
        "turn": position.turn,
        "person": position.person,
        "seats": position.seats,
        "pieces": list(_pieces(game, position.board)),
        "counts": counts(position),
        "state": {name: state_text(value) for name, value in state.items() if name not in counters},
        "stores": state[held] if held else None,
        "scores": _scores(position),
        "last": changes(before, position) if before else list(position.last_move),
        "trail": trail(before, move, position) if before and move else [],
        "decisive": position.decisive,
        "moves": list(_moves(position)),
        "stages": list(_stages(position)),
        "result": result
        and {
            "winner": result.winner,
            "person": result.person,
            "reason": result.reason,
            "scores": result.scores,
        },
        "line": position.line(),
    }


def _scores(position: Position) -> dict[str, int] | None:
    """The current scores, if they are of interest and can be worked out."""
    if stores(position.game) and not position.over:  # they would count the seeds in a player's own pits, too
        return None
    try:
        return position.scores
    except TooMuchWork:
        return None


def _moves(position: Position) -> Iterator[Json]:
    game, moves = position.game, position.legal_moves
    shown = [_path(game, move.path) for move in moves]
    unlike = {
        i
        for i, (move, choices) in enumerate(zip(moves, shown, strict=True))
        if any(_hides(move, *choice) for choice in choices)
    }
    bare = _bare(position, shown)
    for i, (move, choices) in enumerate(zip(moves, shown, strict=True)):
        goes = _goes(position, move) if i in unlike and len(unlike) <= UNLIKE else []
        still = not choices and not changes(position, position.play(move))
        facts = {"goes": goes, "bare": i in bare, "still": still}
        yield {"n": move.notation, "c": choices} | {name: fact for name, fact in facts.items() if fact}


def _hides(move: Move, sort: str, value: Any) -> bool:
    """Whether a choice of a move leaves open where it leads."""
    return sort == "direction" or (sort == "site" and value not in move.notation)


def _goes(position: Position, move: Move) -> list[list[str]]:
    """From where to where a move takes the mover's pieces, for each sort of which just one goes."""
    before, after = position.board, position.play(move).board
    gone, come = dict[Piece, list[str]](), dict[Piece, list[str]]()
    for these, others, sites in ((before, after, gone), (after, before, come)):
        for site, piece in these.items():
            if piece.owner == position.to_move and others.get(site) != piece:
                sites.setdefault(piece, []).append(site)
    return [
        [*sites, *come[piece]]
        for piece, sites in gone.items()
        if len(sites) == 1 and len(come.get(piece, ())) == 1
    ]


def _bare(position: Position, shown: list[list[list[Any]]]) -> set[int]:
    """Which moves put no piece of the mover's on the empty site chosen first; one of each form is tried."""
    board, known, found = position.board, dict[tuple[object, ...], bool](), set[int]()
    for i, (move, choices) in enumerate(zip(position.legal_moves, shown, strict=True)):
        match choices:
            case [["site", site], *_] if site not in board:
                form = tuple(value if sort == "branch" else sort for sort, value in move.path)
                if form not in known:
                    piece = position.play(move).board.get(site)
                    known[form] = piece is None or piece.owner != position.to_move
                if known[form]:
                    found.add(i)
    return found


def _falls(game: Game) -> bool:
    """Whether there is only one way to put a piece into each column, as if it fell there."""
    position, board = game.start(), game.board
    first = [_path(game, move.path) for move in position.legal_moves]
    if not game.rules.kinds or any([sort for sort, _ in choices] != ["site"] for choices in first):
        return False
    sites = {site for ((_, site),) in first}
    columns = {board.columns[board.index[site]] for site in sites}
    one_each = len(first) == len(columns) == len(set(board.columns)) < board.size
    return one_each and not sites & position.board.keys()


def _number(rules: CheckedGame) -> str | None:
    """What the rules call the numbers that players choose, if all have the same name."""
    chosen = [part for part in walk(rules.turns) if isinstance(part, Choose)]
    names = {choose.name for choose in chosen if choose.domain.type is Type.INT}
    return names.pop() if len(names) == 1 else None


def _pieces(game: Game, board: dict[str, Piece]) -> Iterator[Json]:
    lettered = letters(game)
    for site, piece in board.items():
        yield {
            "site": site,
            "owner": piece.owner,
            "kind": piece.kind,
            "letter": lettered.get(piece.kind, ""),
        }


def _stages(position: Position) -> Iterator[Json]:
    """What the first choices of a legal move have changed on the board before the next choice is made."""
    for path, came, left in stages(position):
        yield {
            "c": _path(position.game, path),
            "came": list(_pieces(position.game, came)),
            "left": left,
        }


def _path(game: Game, path: tuple[Any, ...]) -> list[list[Any]]:
    """The choices of a move."""
    return [_choice(game, *choice) for choice in path if choice[0] != "branch"]


def _choice(game: Game, sort: str, value: int) -> list[Any]:
    """A choice as a pair of its sort and its value: ["site", "b1"], ["int", 3], ["word", "swap"]."""
    match sort:
        case "set":
            sites = game.sites(value)
            return ["site", sites[0]] if len(sites) == 1 else ["sites", list(sites)]
        case "directions":
            names = game.board.directions
            return ["direction", "-".join(name for i, name in enumerate(names) if value >> i & 1)]
        case "player":
            return ["player", game.players[value]]
        case "kind":
            return ["kind", game.rules.kinds[value].name if value >= 0 else ""]
        case "bool":
            return ["word", "yes" if value else "no"]
        case "int":
            return ["int", value]
    return ["word", sort]


def table(game: Game) -> Json:
    """All that a page shows of a game besides its positions."""
    return {
        "about": game.rules.about,
        "how": how_to_play(game.rules),
        "players": list(game.players),
        "board": board(game),
        "above": _above(game),
        "remarks": {name: remark for name in game.options if (remark := _remark(game.rules, name))},
    }


def _above(game: Game) -> str | None:
    """The player whose pieces begin on the upper half of the board while the other's are on the lower."""
    names, heights = game.board.names, [y for _, y in game.board.xy]
    pieces = game.start().board
    sums = [
        [y for name, y in zip(names, heights, strict=True) if name in pieces and pieces[name].owner == player]
        for player in game.players
    ]
    if not all(sums):
        return None
    middle = (min(heights) + max(heights)) / 2
    first, second = (sum(own) / len(own) - middle for own in sums)
    return None if first * second >= -0.1 else game.players[second > 0]


def board(game: Game) -> Json:
    """The empty board: its sites, and what is drawn between and around them."""
    board = game.board
    sites = zip(board.names, board.xy, board.columns, board.rows, strict=True)
    ends = lines(board) if board.cell == "point" else ()
    pits = not game.rules.kinds
    return {
        "kind": board.kind,
        "cell": board.cell,
        "size": board.size,
        "sites": [
            {"name": name, "x": round(x, 4), "y": round(y, 4), "column": column, "row": row}
            for name, (x, y), column, row in sites
        ],
        "lines": _rounded([board.xy[end] for end in line] for line in ends),
        "stars": [board.names[site] for site in stars(board)],
        "around": board.around,
        "exits": [{"site": board.names[site], "way": way} for site, way in exits(board)],
        "number": _number(game.rules),
        "falls": _falls(game),
        "edges": [{"player": player, "lines": _rounded(found)} for player, found in edges(game).items()],
        "idle": game.idle,
        "slots": slot_ways(game),
        "pits": pits,
        "owners": owners(game) if pits else {},
        "stores": stores(game),
        "shapes": shapes(game),
    }


def _rounded(lines: Iterable[Iterable[XY]]) -> list[list[list[float]]]:
    return [[[round(z, 4) for z in end] for end in line] for line in lines]


def options(game: Game) -> list[Json]:
    """The options of a game: the value of each, and its possible values given those of the others."""
    found = []
    for name, value in game.options.items():
        values = game.choices(name)
        span: Json = {"low": None, "high": None, "step": None}
        if isinstance(values, range):
            span = {"low": values[0], "high": values[-1], "step": values.step}
        option = {"name": name, "type": game.rules.options[name].type.value, "value": value, **span}
        found.append(option | {"about": _remark(game.rules, name)})
    return found


def _remark(rules: CheckedGame, option: str) -> str | None:
    """The comment after an option."""
    span = rules.options[option].span
    line = span.source.text.splitlines()[span.line - 1]
    return line.partition("#")[2].strip(" #") or None


def diagnostic(fault: Diagnostic) -> Json:
    """A fault with its place; `file` is the base game if the fault is in that, else None."""
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
