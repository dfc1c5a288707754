"""What can go wrong when a game is bound to options or played; each message is plain text."""

from __future__ import annotations

import operator
from typing import SupportsIndex


class OptionError(ValueError):
    """An option that the game does not have, or a value that the option may not have."""


class MoveError(ValueError):
    """A text that is not a legal move here; the message quotes it and shows the position."""


class UnreadableMove(MoveError):
    """No word of the text means anything in this game."""


class IllegalMove(MoveError):
    """The text can be read, but it is not one of the legal moves."""


class AmbiguousMove(MoveError):
    """The text fits several legal moves."""


class TooMuchWork(RuntimeError):
    """One turn would take more steps, or offer more moves, than a game may."""


class FarmError(RuntimeError):
    """A group of games cannot be played there."""


class ResultsError(ValueError):
    """A file holds something other than the games asked for, or another process is writing it."""


def file_trouble(error: OSError) -> str:
    """What to say about a file that cannot be read or written; the middle of a long name is left out."""
    name = "output" if error.filename is None else str(error.filename)
    short = name if len(name) <= 80 else f"{name[:40]}...{name[-37:]}"
    return f"{short}: {error.strerror or error}."


def whole(name: str, value: SupportsIndex, low: int) -> int:
    """The value of an argument, a whole number from `low` up to 2^31 - 1. Raises TypeError, ValueError."""
    number = operator.index(value)
    if not low <= number < 1 << 31:
        raise ValueError(f"{name} is {low} to 2,147,483,647, not {number}")
    return number


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words: "1 ply", "1,200 positions"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def printable(text: str) -> str:
    """The text without control characters, so that none from an untrusted file reaches the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
