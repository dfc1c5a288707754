"""How a position is shown: in colour on a terminal, in ASCII everywhere else; and its moves in order."""

from __future__ import annotations

import os
import re
import sys
from shutil import get_terminal_size
from typing import TextIO

from interpreter.game import Position
from interpreter.terminal import COLOURS, FEW_COLOURS, draw, draw_ascii


def show(position: Position, file: TextIO) -> None:
    """Draw the position on the stream; at a terminal, so that no line of the board is broken."""
    room = get_terminal_size().columns if file.isatty() else sys.maxsize
    if _colourful(file):
        from rich.console import Console  # costs more than all the rest, and a pipe never needs it

        console = Console(file=file, highlight=False)
        few = console.color_system in ("standard", "windows")
        console.print(draw(position, FEW_COLOURS if few else COLOURS, room))
    else:
        print(draw_ascii(position, room), file=file, flush=True)


def _colourful(file: TextIO) -> bool:
    """Whether the stream is a terminal that shows colours and discs, and nobody asked for none."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return file.isatty() and not plain and (file.encoding or "").lower().replace("-", "") == "utf8"


def ordered(position: Position) -> list[str]:
    """The legal moves, sorted as people read them: a2 before a10."""
    return sorted((move.notation for move in position.legal_moves), key=_by_numbers)


def _by_numbers(text: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", text)]
