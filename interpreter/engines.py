"""The engines by name, and which one stands in if another cannot play."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from interpreter.binding import Bound
from interpreter.engine import Engine
from interpreter.errors import OptionError
from interpreter.settings import ENGINES

if TYPE_CHECKING:
    from interpreter.reference import Reference

#: The engine unless another is asked for; the environment variable is for tests and troubleshooting.
DEFAULT = os.environ.get("GDL_ENGINE") or "native"

#: The engines for playing, and one that counts which parts of the rules were used.
NAMES = (*ENGINES, "traced")


def make(name: str, bound: Bound) -> tuple[Engine, str | None]:
    """The engine of this name for a game, or the reference engine and why it must stand in.

    Engines are imported here, only when needed: each takes time to load.
    """
    check(name)
    if name == "native":
        try:
            from interpreter.native.engine import Native, TooLarge
        except ImportError:
            return reference(bound), "llvmlite is not installed here: the slow reference engine plays"
        try:
            return Native(bound), None
        except (TooLarge, RecursionError):
            note = "these rules are too large for native code: the slow reference engine plays"
            return reference(bound), note
    if name == "traced":
        from interpreter.tracing import Traced

        return Traced(bound), None
    return reference(bound), None


def check(name: str) -> None:
    """Raises OptionError for an engine that does not exist."""
    if name not in NAMES:
        raise OptionError(f"there is no engine `{name[:40]}`; engines are {', '.join(NAMES)}")


def reference(bound: Bound) -> Reference:
    """The engine that reads like the rules."""
    from interpreter.reference import Reference

    return Reference(bound)
