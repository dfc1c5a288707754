"""Where things are kept that can be made again: the parser's tables, native code."""

from __future__ import annotations

import os
from pathlib import Path


def folder() -> Path | None:
    """The user's own cache folder for this program, made if need be; None where there can be none.

    Code is loaded from it, so it must belong to nobody else.
    """
    try:
        path = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gdl"
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        private = path.stat().st_uid == os.getuid() if hasattr(os, "getuid") else True
    except (OSError, RuntimeError):
        return None
    return path if private else None
