"""Players that users write: classes in Python files, named as in `mybot.py:Bot`."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from interpreter.players import Chair, Player, PlayerError, make


def make_trusted(text: str, chair: Chair) -> Player:
    """The player that `text` names: one of `make`'s, or an instance of a class in a Python file.

    The file is run, so this is only for names given by the person who runs this program. Raises PlayerError,
    and whatever the file raises.
    """
    file, _, name = text.rpartition(":")
    if not file.endswith(".py"):
        return make(text, chair)
    if not Path(file).is_file():
        raise PlayerError(f"There is no file {file}.")
    kind: Any = getattr(_module(file), name, None)
    if not hasattr(kind, "choose"):
        raise PlayerError(f"There is no class `{name}` in {file} that can `choose` a move.")
    player: Player = kind(chair)
    return player


@cache
def _module(file: str) -> ModuleType:
    """A Python file as a module, run once; it may import what lies beside it."""
    spec = spec_from_file_location(file, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[file] = module_from_spec(spec)
    sys.path.append(str(Path(file).resolve().parent))
    spec.loader.exec_module(module)
    return module
