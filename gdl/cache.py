"""Where to keep things that can be rebuilt: the parser's tables, native code."""

from __future__ import annotations

import os
from pathlib import Path


def folder() -> Path | None:
    """The user's own cache folder for this program, created if need be; None if there can be none.

    Code is loaded from it, so nobody else may own it or write to it.
    """
    try:
        asked = Path(os.environ.get("XDG_CACHE_HOME", ""))
        path = (asked if asked.is_absolute() else Path.home() / ".cache") / "gdl"
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except (OSError, RuntimeError):
        return None
    private = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    return path if private else None
