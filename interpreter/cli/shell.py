"""The group of all commands, and the one place where errors become sentences."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from interpreter.errors import printable


class Wrong(click.ClickException):
    """The input is wrong; the message is shown without a prefix."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        echo(self.message, err=True)


class Ended(KeyboardInterrupt):
    """A signal to end the program has come while there was something to save."""

    def __init__(self, number: int) -> None:
        self.number = number


class Shell(click.Group):
    """The group of all commands, and the one place where errors become sentences."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of their definition, which is the order in which to learn them."""
        return list(self.commands)

    def make_context(self, *args: Any, **keywords: Any) -> click.Context:
        """Read the command line, which may already print the help."""
        _fill_streams()
        with _told():
            return super().make_context(*args, **keywords)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _told():
            return super().invoke(ctx)


@contextmanager
def _told() -> Iterator[None]:
    """Report what is wrong with the input or the output in a sentence, not as a traceback."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except click.UsageError as error:
        said = error.format_message()
        if printable(said) == said:
            raise
        raise click.UsageError(printable(said), error.ctx) from None
    except (click.ClickException, click.exceptions.Exit):
        raise
    except Ended as error:
        raise click.exceptions.Exit(128 + error.number) from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
    except BrokenPipeError:  # the reader of our output has seen enough
        _drop_output()
        raise click.exceptions.Exit(0) from None
    except Exception as error:
        told = sentence(error)
        if told is None:
            raise
        raise Wrong(told) from error


def _fill_streams() -> None:
    """Treat a closed input as empty, let errors on a closed stream go nowhere; a closed output is wrong.

    Their file numbers are taken at once, or the next file opened would get one and be written to as a stream.
    """
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    if "stdout" in closed:
        raise Wrong("The standard output is closed.")


def sentence(error: Exception) -> str | None:
    """What to say about an error; None for one that is not the fault of the input."""
    from gdl.diagnostics import RuleError
    from gdl.library import UnknownGame
    from interpreter.errors import FarmError, MoveError, OptionError, ResultsError, TooMuchWork, file_trouble
    from interpreter.players import PlayerError
    from interpreter.record import RecordError

    match error:
        case OSError():
            _drop_output()
            return file_trouble(error)
        case MemoryError():
            return "There is not enough memory."
        case UnicodeError():
            return "The input is not UTF-8 text."
        case RuleError() | UnknownGame() | OptionError() | PlayerError():
            return str(error)
        case MoveError() | RecordError() | TooMuchWork():
            return str(error)
        case FarmError() | ResultsError():
            return str(error)
        case _:
            return None


def echo(text: str, *, err: bool = False) -> None:
    """Print text that may hold file names or parts of records, made safe for a terminal."""
    click.echo(printable(text), err=err)


def _drop_output() -> None:
    """Drop output that cannot be written, or Python would complain about it when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=Shell, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gdl", prog_name="gdl")
def main() -> None:
    """Play and examine board games written as rule files.

    GAME is the name of a bundled game (see `gdl games`) or the path of a rule file. Options
    of the game follow as NAME=VALUE, where VALUE is a whole number, yes or no.

    \b
    gdl play ayu --second mcts:2s    you against a machine that thinks
    gdl play egotzi size=5 pie=no --first random --second human
    gdl check my_variant.game
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without ñ must not stop a game
