"""Requests about rules and their answers: the work of a process that the server does not trust.

A request and an answer are JSON on one line each. A request says what to `do`, the rules (`{"bundled": name}`
or `{"text": ...}`), their options and the moves so far; all that is kept between requests is kept for speed.
An answer is `{"answer": ...}`, or `{"fault": ..., "says": sentence}`; while a player thinks, lines of
`{"thought": ...}` come before it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import chdir
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import IO

from gdl import library
from gdl.diagnostics import RuleError
from gdl.format import format_text
from gdl.guide import how_to_play
from gdl.source import Source
from interpreter.errors import MoveError, OptionError, TooMuchWork
from interpreter.examine import examine
from interpreter.game import Game, Position
from interpreter.players import PlayerError
from interpreter.thought import ADVISED, ADVISER
from interpreter.web import Json
from interpreter.web.machines import THREADS, Watch, considered, machine
from interpreter.web.positions import UNNAMED, beside, game_of, keep, last_of, position_of, rules_of
from interpreter.web.showing import board, diagnostic, options, table, view

#: The longest answer (bytes); the 28,056 first moves of Tumbleweed take 2 million.
MOST_BYTES = 8_000_000

#: The most moves made so that the picture of a game has something to show.
STONES = 30

#: The most games read from a file of records.
RECORDS = 200


# --- what can be asked -----------------------------------------------------------


def _check(request: Json, watch: Watch) -> Json:
    """What is wrong with a text, and if nothing is, which game it is."""
    rules = request["rules"]
    with beside(rules) as folder:
        faults = examine(Source(UNNAMED, rules["text"]), Path(folder))
    answer: Json = {"ok": all(fault.severity != "error" for fault in faults), "game": None}
    answer["diagnostics"] = [diagnostic(fault) for fault in faults]
    if answer["ok"]:
        checked = rules_of(json.dumps(rules, sort_keys=True))
        about = {"title": checked.name, "about": checked.about, "how": how_to_play(checked)}
        answer["game"] = {**about, "options": options(Game.of(checked))}
    return answer


def _format(request: Json, watch: Watch) -> Json:
    """A text in the standard layout."""
    return {"text": format_text(request["text"])}


def _games(request: Json, watch: Watch) -> Json:
    """All bundled games, for the gallery."""
    games = [
        {
            "name": name,
            "title": rules.name,
            "about": rules.about,
            "how": how_to_play(rules),
            "designer": rules.designer,
            "year": rules.year,
            "base": rules.base,
            "words": _words(name),
            "options": options(Game.of(rules)),
        }
        for name, rules in ((name, library.load(name)) for name in library.bundled())
    ]
    return {"games": games}


def _words(name: str) -> str:
    """Further words to find a game by: its board and its other names."""
    return " ".join(re.findall(r"^(?:board|# Also called) (.*)", library.read(name).text, re.MULTILINE))


def _picture(request: Json, watch: Watch) -> Json:
    """The picture of a game in the gallery."""
    from interpreter.svg import draw

    game = game_of({**request, "engine": "reference"})  # a picture is not worth compiling
    return {"picture": draw(_scene(game), labels=False)}


def _scene(game: Game) -> Position:
    """A position to recognize the game by: the first one, or one from a random game if that shows nothing."""
    position, chance = game.start(), Random(game.name)
    shows = len(position.board) > 2 or not game.rules.kinds  # without kinds, seeds lie there from the start
    wanted = 0 if shows else min(game.board.size // 4, STONES)
    for _ in range(wanted):
        if position.over:
            break
        later = position.play(chance.choice(position.legal_moves))
        if later.over:
            break
        position = later
    return position


def _open(request: Json, watch: Watch) -> Json:
    """All there is to know about a game, and its position after some moves; checks the players, too."""
    for person, player in zip(("first", "second"), request["players"], strict=True):
        if player != "human":
            machine(player, person)
    game = game_of(request)
    position, moves, movers = game.start(), list[str](), list[str]()
    for ply, text in enumerate(request["moves"], 1):
        try:
            move = position.parse(text)
        except MoveError as error:
            raise MoveError(f"Move {ply}: {error}") from None
        moves.append(move.notation)
        movers.append(position.person)
        position = position.play(move)
    keep(game, tuple(moves), position)
    return {
        "moves": moves,
        "movers": movers,
        "title": game.name,
        "options": game.options,
        "game": table(game),
        "view": view(position, *last_of({**request, "moves": moves})),
    }


def _view(request: Json, watch: Watch) -> Json:
    """A position, with the board and the options of its game."""
    position = position_of(request)
    game = position.game
    return {"board": board(game), "view": view(position, *last_of(request)), "options": options(game)}


def _draw(request: Json, watch: Watch) -> Json:
    """A position as a picture."""
    from interpreter.svg import draw

    return {"picture": draw(position_of(request))}


def _play(request: Json, watch: Watch) -> Json:
    """A move in its notation, and the position after it."""
    before = position_of(request)
    move = before.parse(request["move"])
    moves = (*request["moves"], move.notation)
    after = before.play(move)
    keep(before.game, moves, after)
    return {"move": move.notation, "person": before.person, "view": view(after, before, move)}


def _random(request: Json, watch: Watch) -> Json:
    """A random legal move, for when a machine has failed."""
    return {"move": Random().choice(position_of(request).legal_moves).notation}


def _think(request: Json, watch: Watch) -> Json:
    """The move that a machine chooses."""
    return {"move": considered(request, request["player"], 0, watch)[1]}


def _hint(request: Json, watch: Watch) -> Json:
    """The moves most worth playing, with their likely continuations."""
    last, move = considered(request, ADVISER, ADVISED, watch)
    if last is None:
        return {"effort": "", "moves": [{"move": move, "value": None, "proven": None, "line": []}]}
    return {"effort": last.effort, "moves": [prospect.data() for prospect in last.prospects[:ADVISED]]}


def _records(request: Json, watch: Watch) -> Json:
    """The games in a file of records, each with its `fault` if it cannot be read."""
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
    """What games that a machine plays against itself show about the rules."""
    from interpreter.web.study import study  # which imports much that no other request needs

    rules, options = request["rules"], request["options"]
    if "bundled" in rules:
        return study(rules["bundled"], options, watch)
    title = rules_of(json.dumps(rules, sort_keys=True)).name
    with beside(rules) as folder, chdir(folder):  # the report shows the name of the file, not of its folder
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


@cache
def prepare() -> None:
    """Load what all requests need."""
    Game.of(library.load("tic_tac_toe")).start()


def main() -> None:
    """Answer requests until there are no more.

    The arguments are the memory in megabytes and how far to stand back for others (see nice(1)).
    """
    prepare()
    _limit(int(sys.argv[1]) << 20)
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[2]))  # only now, so that starting up has full priority
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # prints must not get in between
    for line in sys.stdin.buffer:
        request = json.loads(line)
        _allow(request["seconds"])
        reply = answer(request, lambda thought: _send(out, {"thought": thought}))
        _send(out, reply)
        if reply.get("fault") == "memory":
            break  # what is left of the memory cannot be relied on


def _send(out: IO[bytes], data: Json) -> None:
    text = json.dumps(data, separators=(",", ":")).encode()
    if len(text) > MOST_BYTES:
        text = json.dumps(
            {"fault": "work", "says": "These rules have more to show than a page can."}
        ).encode()
    out.write(text + b"\n")
    out.flush()


def _limit(memory: int) -> None:
    """Limit the memory and the files of this process; it cannot take that back."""
    try:
        import resource
    except ImportError:  # not on every system; the server still ends a process that takes too long
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def _allow(seconds: float) -> None:
    """Let the system end this process after this much more processor time, even if the server is gone."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds * THREADS) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


if __name__ == "__main__":
    main()
