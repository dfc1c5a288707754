"""Showing a position, in colour on a terminal and in ASCII elsewhere, and listing its moves in order."""

from __future__ import annotations

import os
import re
import sys
from shutil import get_terminal_size
from typing import TextIO

from interpreter.game import Position
from interpreter.terminal import COLOURS, FEW_COLOURS, draw, draw_ascii


def show(position: Position, file: TextIO) -> None:
    """Draw the position on the stream; on a terminal, lines of the board are cut rather than wrapped."""
    room = get_terminal_size().columns if file.isatty() else sys.maxsize
    if _colourful(file):
        from rich.console import Console  # slower to load than everything else, and never needed for a pipe

        console = Console(file=file, highlight=False)
        few = console.color_system in ("standard", "windows")
        console.print(draw(position, FEW_COLOURS if few else COLOURS, room))
    else:
        print(draw_ascii(position, room), file=file, flush=True)


def _colourful(file: TextIO) -> bool:
    """Whether the stream is a terminal that shows colours and discs, and colour is not turned off."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return file.isatty() and not plain and (file.encoding or "").lower().replace("-", "") == "utf8"


def ordered(position: Position) -> list[str]:
    """The legal moves, sorted as people read them: a2 before a10."""
    return sorted((move.notation for move in position.legal_moves), key=_by_numbers)


def _by_numbers(text: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", text)]
