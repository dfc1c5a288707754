"""How thinking is reported: live on a terminal while it lasts, in a few words when it is over."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from attrs import define, field, frozen

from interpreter.game import Move, Position
from interpreter.meanwhile import Meanwhile
from interpreter.thought import ADVISED, LINE, Thought

if TYPE_CHECKING:
    from rich.console import RenderableType

    from interpreter.players import Decision, Player, Wish

#: Thinking that is over sooner (seconds) is not shown live: it would only flicker.
SOON = 0.15
#: How often the live display is drawn (times per second), and how many columns its bar may take.
DRAWN = 6
BAR = 40


# --- in words ------------------------------------------------------------------


def expectation(value: float | None, proven: str | None, person: str) -> str:
    """What a person can expect: "63%", with a draw as 50%, or "a forced win"; "" if nothing is known.

    An unproven value is never given as 0% or 100%.
    """
    if proven is not None:
        return "a forced " + {person: "win", "draw": "draw"}.get(proven, "loss")
    return "" if value is None else f"{min(max(round(100 * value), 1), 99)}%"


def remark(position: Position, move: Move, thought: Thought, room: int) -> str:
    """What a player thinks of the move it makes: " (expects 63%, then b2-b3 a3-a4)".

    After swapping sides it expects this as the other colour: " (expects 63% as Black)". Following moves
    that would exceed `room` characters are left out.
    """
    expected = expectation(thought.value, thought.proven, position.person)
    if not expected:
        return ""
    said = f"expects {expected}{_as_other(position, move)}"
    following = thought.line[1:] if thought.line[:1] == (move,) else ()
    return f" ({said}{_then(following, room - len(said) - 3)})"


def advice(position: Position, thought: Thought) -> str:
    """The best moves of a thought, one per line: what the person to move can expect, and what may follow."""
    best = thought.prospects[:ADVISED]
    width = max((len(str(prospect.move)) for prospect in best), default=0)
    head = f"After {thought.effort}, {position.to_move} ({position.person}) can expect:"
    lines = [fold(head)]
    for prospect in best:
        expected = expectation(prospect.value, prospect.proven, position.person)
        said = f"  {prospect.move!s:{width}}  {expected}{_as_other(position, prospect.move)}"
        lines.append(said + _then(prospect.line, columns() - len(said)))
    return "\n".join(lines)


def fold(text: str, indent: str = "    ", most: int = sys.maxsize) -> str:
    """A text wrapped to the width of the terminal, at most `most`, with all lines but the first indented."""
    width = min(most, columns())
    return textwrap.fill(
        text, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def columns() -> int:
    """The width of the terminal in characters; 80 if there is none."""
    return shutil.get_terminal_size().columns


def _as_other(position: Position, move: Move) -> str:
    """What to add if the move makes its person continue as the other colour: " as Black"."""
    seats = position.play(move).seats
    (colour,) = (colour for colour, person in seats.items() if person == position.person)
    return "" if colour == position.to_move else f" as {colour}"


def _then(moves: Sequence[Move], room: int, lead: str = ", then") -> str:
    """As many of the following moves as there is room for: ", then b2-b3 a3-a4"."""
    said = ""
    for move in moves[:LINE]:
        longer = f"{said or lead} {move}"
        if len(longer) > room:
            break
        said = longer
    return said


# --- live ----------------------------------------------------------------------


@define
class Watcher:
    """Keeps what players think; while they think, shows it on the stream if that is a terminal."""

    stream: TextIO | None
    #: The last thought about the position on the board.
    last: Thought | None = field(default=None, init=False)
    #: The last thought about each move of the game so far; None if there was none.
    thoughts: list[Thought | None] = field(factory=list, init=False)

    def see(self, thought: Thought) -> None:
        """Called by a player while it thinks."""
        self.last = thought

    def made(self, before: Position) -> Thought | None:
        """Called when a move was made in a position; returns what was thought of it."""
        self.thoughts[before.ply :] = [self.last]  # those of moves taken back are forgotten
        self.last = None
        return self.thoughts[-1]

    def watching(self, title: str, position: Position) -> Meanwhile:
        """Show what is thought of a position."""
        if self.stream is None or not self.stream.isatty() or os.environ.get("TERM") == "dumb":
            return Meanwhile(None)

        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        start = time.monotonic()

        def picture() -> RenderableType:
            seconds = time.monotonic() - start
            return Text() if seconds < SOON else _picture(title, position.person, self.last, seconds)

        console = Console(file=self.stream, highlight=False)
        # A separate thread draws, so that the player can go on thinking.
        live = Live(
            console=console,
            get_renderable=picture,
            refresh_per_second=DRAWN,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        return Meanwhile(live)


def _picture(title: str, person: str, thought: Thought | None, seconds: float) -> RenderableType:
    """Three lines: the progress, what is expected, and how much was examined."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    done = None if thought is None else thought.done
    bar = ProgressBar(
        total=1, completed=done or 0, pulse=done is None, complete_style="green", finished_style="green"
    )
    head = Table.grid(padding=(0, 1))
    head.add_column(no_wrap=True)
    head.add_column(max_width=BAR)
    head.add_row(Text(title), bar)
    expected = looked = ""
    if thought is not None:
        expected = expectation(thought.value, thought.proven, person)
        expected += _then(thought.line, columns() - len(expected), ":")
        looked = f"{thought.effort} in {seconds:.1f} s"
    return Group(
        head,
        Text(expected, no_wrap=True, overflow="crop"),
        Text(looked, style="dim", no_wrap=True, overflow="crop"),
    )


@frozen
class Watched:
    """A player that is watched while it thinks."""

    player: Player
    watcher: Watcher

    @property
    def name(self) -> str:
        return self.player.name

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        with self.watcher.watching(f"{position.to_move} ({position.person}) thinks", position):
            return self.player.choose(position, history)
