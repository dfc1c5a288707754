"""The engines by name, and which of them serves where one cannot."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from interpreter.binding import Bound
from interpreter.engine import Engine
from interpreter.errors import OptionError
from interpreter.settings import ENGINES

if TYPE_CHECKING:
    from interpreter.reference import Reference

#: What plays where nothing else is asked for; the environment variable is for tests and for doubts.
DEFAULT = os.environ.get("GDL_ENGINE") or "native"

#: Beside those that play, one that counts what was needed of the rules.
NAMES = (*ENGINES, "traced")


def make(name: str, bound: Bound) -> tuple[Engine, str | None]:
    """The engine of this name for a game, or the reference engine and why it must serve instead.

    Engines are imported here, when one is needed: each costs time to load.
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
