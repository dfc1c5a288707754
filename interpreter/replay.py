"""Replaying records, to check that they are right."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from attrs import evolve, frozen

from gdl import library
from gdl.diagnostics import RuleError
from interpreter.errors import MoveError, OptionError, TooMuchWork, file_trouble
from interpreter.game import Game, Position
from interpreter.record import CHESS_RESULTS, Record, RecordError, parse
from interpreter.runner import plies, resignation


@frozen
class Report:
    """What came of replaying a record.

    `game` is the title (None if the record cannot be read), `plies` how many moves could be played.
    `fault` is the first one, if any, with the ply (counted from 1) and the move where it shows.
    """

    game: str | None
    result: str | None
    plies: int = 0
    ply: int | None = None
    move: str | None = None
    fault: str | None = None

    def __str__(self) -> str:
        head = self.game or "no record"
        if self.fault is None:
            return f"{head}: {plies(self.plies)}, {self.result}: ok"
        return ", ".join([head, *([f"ply {self.ply}, {self.move}"] if self.ply else [])]) + f": {self.fault}"


def replay_all(text: str, folder: Path, engine: str | None = None) -> Iterator[Report]:
    """Replay the records of a file one by one; a fault in one does not stop the others."""

    @lru_cache(maxsize=8, typed=True)
    def load(name: str, /, **options: int | bool) -> Game:
        game = Game.load(name, **options)
        return game.on(engine) if engine else game

    for record in parse(text):
        if isinstance(record, RecordError):
            yield Report(None, None, fault=str(record))
        else:
            yield replay(record, folder, load)


def replay(record: Record, folder: Path = Path(), load: Callable[..., Game] = Game.load) -> Report:
    """Replay a record: each move must be legal, and the result must be the recorded one.

    A rule file that is not found from the working directory is searched for in `folder`.
    """
    report = Report(record.game, record.result)
    try:
        game = load(_rules(record, folder), **record.options)
        if record.file is not None and game.name != record.game:
            return evolve(report, fault=f"The file {record.file} holds another game, {game.name}.")
        position = game.start()
        for ply, move in enumerate(record.moves, 1):
            report = evolve(report, ply=ply, move=move)
            if position.result is not None:
                return evolve(report, fault=f"The game is already over: {position.result}.")
            position = position.play(move)
            report = evolve(report, plies=ply)
        if record.resigned:
            report = evolve(report, ply=len(record.moves) + 1, move="resign")
        fault = _wrong_result(record, position)
        return evolve(report, fault=fault) if fault else evolve(report, ply=None, move=None)
    except library.UnknownGame as error:
        hint = "; a File tag in the record says where its rules are" if record.file is None else ""
        return evolve(report, fault=f"{error}{hint}")
    except RuleError:
        # The message would show lines of the file, and a record may name any file of the person replaying it.
        name = (record.file or record.game)[:80]
        why = "`gdl show` with these options says why"
        return evolve(report, fault=f"{name} holds no game that can be played so; {why}.")
    except OSError as error:
        return evolve(report, fault=file_trouble(error))
    except (OptionError, MoveError, TooMuchWork) as error:
        return evolve(report, fault=str(error))


def _rules(record: Record, folder: Path) -> str:
    """The bundled name or path of the rules of a record."""
    name = record.file or record.game
    beside = str(folder / name)
    lost = library.slug(name) not in library.bundled() and not os.path.exists(name)
    return beside if lost and os.path.isfile(beside) else name


def _wrong_result(record: Record, position: Position) -> str | None:
    """What is wrong with the recorded result at the end of the moves; None if it is right."""
    result = position.result
    if record.result in CHESS_RESULTS:  # the players may have agreed on it before the end
        if result is None or result.person == CHESS_RESULTS[record.result]:
            return None
        return f"The record says {record.result}, but the game ends: {result}."
    if record.resigned:
        if result is not None:
            return f"Nobody can resign here, the game is over: {result}."
        result = resignation(position)
    if result is None:
        true, story = "*", "the game is not over"
    else:
        words = f"{result.verdict}; {position.to_move} has resigned" if record.resigned else str(result)
        true, story = result.winner or "draw", f"the game ends: {words}"
    if record.result.lower() == true.lower():
        return None
    return f'The record says [Result "{record.result}"], but {story}.'
