"""What is asked about rules, and what is answered: the work of a process that the server does not trust.

A request and an answer are JSON on one line each. A request says what to `do`, the rules (`{"bundled": name}`
or `{"text": ...}`), their options and the moves so far; all that is kept from one to the next is kept to be
quick. An answer is `{"answer": ...}`, or `{"fault": ..., "says": sentence}`; while a player thinks, lines of
`{"thought": ...}` come before it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from time import monotonic
from typing import IO, Any

from attrs import define, field

from gdl import library
from gdl.core import CheckedGame
from gdl.diagnostics import Diagnostic, RuleError
from gdl.format import format_text
from gdl.source import Source
from interpreter.errors import MoveError, OptionError, TooMuchWork
from interpreter.examine import examine
from interpreter.game import Game, Position
from interpreter.players import Chair, Decision, Player, PlayerError, Prospect, Thought, Wish, make

Json = dict[str, Any]
Watch = Callable[[Json], None]

#: No answer is longer (bytes): the 28,056 first moves of Tumbleweed take 2 million.
MOST_BYTES = 8_000_000

#: So many legal moves, with their positions, are kept; so far back in a game its positions are looked for.
MOVES, BACK = 300_000, 16

#: Who thinks of a hint, and how many moves it shows.
ADVISER, ADVISED = "mcts:1s", 3

#: A machine has so many threads, and its move is due after so many seconds, whatever its name says.
THREADS, SECONDS = 2, 30.0

#: So many moves are made at most to have something to show in the picture of a game.
STONES = 30

#: So many games of a file of records are looked at.
RECORDS = 200

#: The name of a rule file that has none.
UNNAMED = "rules.game"


class TooLong(ValueError):
    """An answer that nobody could use."""


# --- games and positions, kept -------------------------------------------------


@define
class Kept:
    """The last things that were asked for, the oldest forgotten first where all weigh too much."""

    most: int
    _things: OrderedDict[Any, tuple[Any, int]] = field(init=False, factory=OrderedDict)
    _weight: int = field(init=False, default=0)

    def get(self, key: Any) -> Any:
        """The thing of this key, or None."""
        if key not in self._things:
            return None
        self._things.move_to_end(key)
        return self._things[key][0]

    def put(self, key: Any, thing: Any, weight: int = 1) -> None:
        self._weight += weight - self._things.pop(key, (None, 0))[1]
        self._things[key] = thing, weight
        while self._weight > self.most and len(self._things) > 1:
            self._weight -= self._things.popitem(last=False)[1][1]


_positions = Kept(MOVES)
_players = Kept(16)


def _game(request: Json) -> Game:
    """The game that a request is about, on the engine that it asks for."""
    rules = json.dumps(request["rules"], sort_keys=True)
    return _bound(rules, json.dumps(request.get("options", {})), request.get("engine"))


@lru_cache(maxsize=16)
def _bound(rules: str, options: str, engine: str | None) -> Game:
    game = Game.of(_checked(rules), **json.loads(options))
    return game if engine is None else game.on(engine)


@lru_cache(maxsize=16)
def _checked(rules: str) -> CheckedGame:
    asked = json.loads(rules)
    if "bundled" in asked:
        if asked["bundled"] not in library.bundled():
            raise library.UnknownGame(f"There is no game `{asked['bundled'][:80]}`.")
        return library.load(asked["bundled"])
    with _beside(asked) as folder:
        return library.check_source(Source(UNNAMED, asked["text"]), Path(folder))[0]


def _beside(rules: Json) -> tempfile.TemporaryDirectory[str]:
    """A folder that holds the rule files that these may vary."""
    folder = tempfile.TemporaryDirectory(prefix="gdl-")
    for name, text in rules.get("beside", {}).items():
        (Path(folder.name) / f"{library.slug(name)}.game").write_text(text, encoding="utf-8")
    return folder


def _position(request: Json) -> Position:
    """The position that a request is about. Raises MoveError for a move that is not legal."""
    return _after(_game(request), tuple(request.get("moves", ())))


def _after(game: Game, moves: tuple[str, ...]) -> Position:
    known = None
    for length in range(len(moves), max(-1, len(moves) - BACK), -1):
        known = _positions.get((id(game), moves[:length]))
        if known is not None:
            break
    # The key holds the game by its identity, which is its own as long as the position holds the game.
    position = game.start() if known is None else known
    for ply in range(position.ply, len(moves)):
        position = position.play(moves[ply])
    _keep(game, moves, position)
    return position


def _keep(game: Game, moves: tuple[str, ...], position: Position) -> None:
    _positions.put((id(game), moves), position, 20 + len(position.legal_moves))


# --- as data -------------------------------------------------------------------


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


# --- what can be asked -----------------------------------------------------------


def _check(request: Json, watch: Watch) -> Json:
    """What is wrong with a text, and which game it is where nothing is."""
    rules = request["rules"]
    with _beside(rules) as folder:
        faults = examine(Source(UNNAMED, rules["text"]), Path(folder))
    answer: Json = {"ok": all(fault.severity != "error" for fault in faults), "game": None}
    answer["diagnostics"] = [diagnostic(fault) for fault in faults]
    if answer["ok"]:
        checked = _checked(json.dumps(rules, sort_keys=True))
        answer["game"] = {"title": checked.name, "options": options(checked)}
    return answer


def _format(request: Json, watch: Watch) -> Json:
    """A text in the usual look."""
    return {"text": format_text(request["text"])}


def _games(request: Json, watch: Watch) -> Json:
    """All bundled games, for the gallery."""
    games = [
        {
            "name": name,
            "title": rules.name,
            "about": rules.about,
            "designer": rules.designer,
            "year": rules.year,
            "base": rules.base,
            "options": options(rules),
        }
        for name, rules in ((name, library.load(name)) for name in library.bundled())
    ]
    return {"games": games}


def _picture(request: Json, watch: Watch) -> Json:
    """The picture of a game in the gallery."""
    from interpreter.svg import draw

    game = _game({**request, "engine": "reference"})  # a picture is not worth compiling
    return {"picture": draw(_scene(game), labels=False)}


def _scene(game: Game) -> Position:
    """A position to know the game by: the first one, or one of a random game where that shows nothing."""
    position, chance = game.start(), Random(game.name)
    before = position.board
    wanted = 0 if len(before) > 2 or (position.state and not before) else min(game.board.size // 4, STONES)
    for _ in range(wanted):
        if position.over:
            break
        later = position.play(chance.choice(position.legal_moves))
        if later.over:
            break
        position = later
    return position


def _open(request: Json, watch: Watch) -> Json:
    """What there is to know of a game, and where it stands after some moves; the players must fit it."""
    for person, player in zip(("first", "second"), request["players"], strict=True):
        if player != "human":
            _player(player, person)
    game = _game(request)
    position, moves, movers = game.start(), list[str](), list[str]()
    for ply, text in enumerate(request["moves"], 1):
        try:
            move = position.parse(text)
        except MoveError as error:
            raise MoveError(f"Move {ply}: {error}") from None
        moves.append(move.notation)
        movers.append(position.person)
        position = position.play(move)
    _keep(game, tuple(moves), position)
    return {
        "moves": moves,
        "movers": movers,
        "title": game.name,
        "options": game.options,
        "players": list(game.players),
        "board": board(game),
        "view": view(position),
    }


def _view(request: Json, watch: Watch) -> Json:
    """A position, and the moves to it as they are written."""
    position = _position(request)
    return {"board": board(position.game), "view": view(position)}


def _draw(request: Json, watch: Watch) -> Json:
    """A position as a picture."""
    from interpreter.svg import draw

    return {"picture": draw(_position(request))}


def _play(request: Json, watch: Watch) -> Json:
    """A move, as it is written, and the position after it."""
    before = _position(request)
    move = before.parse(request["move"])
    moves = (*request["moves"], move.notation)
    after = before.play(move)
    _keep(before.game, moves, after)
    return {"move": move.notation, "person": before.person, "view": view(after)}


def _random(request: Json, watch: Watch) -> Json:
    """Any legal move, where a machine has failed."""
    return {"move": Random().choice(_position(request).legal_moves).notation}


class _Enough(Exception):
    """Time is up; what was thought last must do."""


def _think(request: Json, watch: Watch) -> Json:
    """The move of a machine."""
    return {"move": _considered(request, request["player"], SECONDS, 0, watch)[1]}


def _hint(request: Json, watch: Watch) -> Json:
    """The moves most worth playing, with what may follow."""
    last, move = _considered(request, ADVISER, SECONDS, ADVISED, watch)
    if last is None:
        return {"effort": "", "moves": [{"move": move, "value": None, "proven": None, "line": []}]}
    return {"effort": last.effort, "moves": [_prospect(p) for p in last.prospects[:ADVISED]]}


def _prospect(prospect: Prospect) -> Json:
    return {
        "move": prospect.move.notation,
        "value": prospect.value,
        "proven": prospect.proven,
        "line": [move.notation for move in prospect.line],
    }


def _considered(
    request: Json, name: str, seconds: float, lines: int, watch: Watch
) -> tuple[Thought | None, str]:
    """What a player has thought of a position, and the move that it chooses within this time."""
    position = _position(request)
    person, end = position.person, monotonic() + seconds
    last: Thought | None = None

    def see(thought: Thought) -> None:
        nonlocal last
        last = thought
        watch(
            {
                "person": person,
                "done": thought.done,
                "effort": thought.effort,
                "value": thought.value,
                "proven": thought.proven,
                "line": [move.notation for move in thought.line[:8]],
            }
        )
        if monotonic() > end and thought.prospects:
            raise _Enough

    # A player stays for its next move, and goes on thinking where it was.
    key = (request.get("key"), name, person)
    player, watchers = _players.get(key) or _seated(name, person, lines)
    _players.put(key, (player, watchers))
    watchers[:] = [see]
    try:
        move = player.choose(position, _history(position.game, request["moves"]))
    except _Enough:
        assert last is not None
        return last, last.prospects[0].move.notation
    if isinstance(move, Wish):
        raise PlayerError(f"{name} does not want to move.")
    return last, move.notation


def _seated(name: str, person: str, lines: int) -> tuple[Player, list[Callable[[Thought], None]]]:
    """A player, and the list of those who watch it."""
    watchers: list[Callable[[Thought], None]] = []

    def tell(thought: Thought) -> None:
        for watch in watchers:
            watch(thought)

    return _player(name, person, lines, tell), watchers


def _history(game: Game, moves: list[str]) -> list[Decision]:
    """The last decisions, by which a player knows its thoughts of before again."""
    start = max(0, len(moves) - BACK // 2)
    position = _after(game, tuple(moves[:start]))
    seen = []
    for text in moves[start:]:
        move = position.parse(text)
        seen.append((position, move))
        position = position.play(move)
    return seen


def _player(name: str, person: str, lines: int = 0, watch: Callable[[Thought], None] | None = None) -> Player:
    """The machine of this name. Raises PlayerError."""
    player = make(name, Chair(person, sys.stderr, watch=watch, lines=lines))
    if getattr(player, "threads", 1) > THREADS:
        raise PlayerError(f"{name[:40]} wants too much of this machine: at most threads={THREADS}.")
    return player


def _records(request: Json, watch: Watch) -> Json:
    """The games of a file of records, each with its `fault`, if it cannot be read."""
    from interpreter.record import RecordError, decode, parse

    found = list[Json]()
    for record in islice(parse(decode(request["text"].encode())), RECORDS):
        if isinstance(record, RecordError):
            found.append({"game": "", "fault": str(record)})
        else:
            names = ("game", "file", "options", "moves", "resigned", "first", "second", "result")
            found.append({name: getattr(record, name) for name in names})
    return {"records": found}


def _analyse(request: Json, watch: Watch) -> Json:
    """What games that a machine plays against itself say of the rules."""
    from interpreter.web.study import study  # which imports much that no other request needs

    rules, options = request["rules"], request["options"]
    if "bundled" in rules:
        return study(rules["bundled"], options, watch)
    title = _checked(json.dumps(rules, sort_keys=True)).name
    with _beside(rules) as folder, chdir(folder):  # the report shows the name of a file, not of its folder
        name = f"{library.slug(title) or 'rules'}.game"
        Path(name).write_text(rules["text"], encoding="utf-8")
        return study(name, options, watch)


ACTIONS: dict[str, Callable[[Json, Watch], Json]] = {
    "check": _check,
    "format": _format,
    "games": _games,
    "picture": _picture,
    "open": _open,
    "view": _view,
    "draw": _draw,
    "play": _play,
    "random": _random,
    "think": _think,
    "hint": _hint,
    "records": _records,
    "analyse": _analyse,
}


def answer(request: Json, watch: Watch) -> Json:
    """The answer to a request, or the fault in it."""
    try:
        return {"answer": ACTIONS[request["do"]](request, watch)}
    except RuleError as error:
        first = error.diagnostics[0]
        return {"fault": "rules", "says": f"Line {first.span.line}: {first.message}"}
    except MoveError as error:
        return {"fault": "move", "says": str(error).partition("\n")[0]}
    except library.UnknownGame as error:
        return {"fault": "unknown", "says": str(error)}
    except (OptionError, PlayerError) as error:
        return {"fault": "asked", "says": str(error)}
    except MemoryError:
        return {"fault": "memory", "says": "These rules are too much work: no memory is left."}
    except (TooMuchWork, RecursionError) as error:
        return {"fault": "work", "says": f"These rules are too much work: {error}."}


# --- the process -----------------------------------------------------------------


def main() -> None:
    """Answer what comes in until nobody asks.

    The arguments are how many megabytes of memory there are, and how far to stand back for others.
    """
    _limit(int(sys.argv[1]) << 20)
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[2]))
    Game.of(library.load("tic_tac_toe")).start()  # what all requests need is loaded before one comes
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whoever prints must not speak in between
    for line in sys.stdin.buffer:
        request = json.loads(line)
        _allow(request["seconds"])
        reply = answer(request, lambda thought: _send(out, {"thought": thought}))
        _send(out, reply)
        if reply.get("fault") in ("memory", "work"):
            break  # what is left of the memory is not to be relied on


def _send(out: IO[bytes], data: Json) -> None:
    text = json.dumps(data, separators=(",", ":")).encode()
    if len(text) > MOST_BYTES:
        text = json.dumps(
            {"fault": "work", "says": "These rules have more to show than a page can."}
        ).encode()
    out.write(text + b"\n")
    out.flush()


def _limit(memory: int) -> None:
    """Give this process no more memory and no files to write to; it cannot take that back."""
    try:
        import resource
    except ImportError:  # not on every system; the server still ends a process that takes too long
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def _allow(seconds: float) -> None:
    """Let the system end this process after so much more time of a processor, also if the server is gone."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds * THREADS) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


if __name__ == "__main__":
    main()
