"""Your own players: classes in Python files, named as in `mybot.py:Bot`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from attrs import frozen

from interpreter.game import Move, Position
from interpreter.players import Chair, Decision, Player, PlayerError, Wish, make


@frozen
class Own:
    """A player of one's own, by the name that makes it again."""

    name: str
    player: Player

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        """What the player chooses. Raises PlayerError for an error of its own, and if it chooses no move."""
        try:
            chosen = self.player.choose(position, history)
        except Exception as error:
            raise _failure(self.name, error) from error
        if not isinstance(chosen, Move | Wish):
            raise PlayerError(f"{self.name} chose {chosen!r}; return one of position.legal_moves.")
        return chosen


def make_trusted(text: str, chair: Chair) -> Player:
    """The player that `text` names: one of `make`, or what a class of a Python file makes of the chair.

    The file is run, so only for names that the user of this program has given. Raises PlayerError.
    """
    file, _, name = text.rpartition(":")
    if not file.endswith(".py"):
        return make(text, chair)
    if not Path(file).is_file():
        raise PlayerError(f"There is no file {file}.")
    try:
        kind: Any = getattr(_module(file), name, None)
        if hasattr(kind, "choose"):
            return Own(text, kind(chair))
    except Exception as error:
        raise _failure(text, error) from error
    raise PlayerError(f"There is no class `{name}` in {file} that can `choose` a move.")


def _failure(player: str, error: Exception) -> PlayerError:
    """An error in the file of a player, with the last line there that led to it."""
    file = Path(player.rpartition(":")[0]).name
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if Path(frame.filename).name == file]
    where = f" in line {lines[-1]}" if lines else ""
    return PlayerError(f"{player} failed{where}: {type(error).__name__}: {error}")


@cache
def _module(file: str) -> ModuleType:
    """A Python file, run once; it may import what lies beside it."""
    spec = spec_from_file_location(file, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[file] = module_from_spec(spec)
    sys.path.append(str(Path(file).resolve().parent))
    spec.loader.exec_module(module)
    return module
