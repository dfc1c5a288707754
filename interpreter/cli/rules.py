"""Commands about rule files: games, rules, check, format."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from interpreter.cli.files import write
from interpreter.cli.shared import game_argument, json_option, print_json
from interpreter.cli.shell import echo, main, sentence

if TYPE_CHECKING:
    from gdl.core import Expr
    from gdl.diagnostics import Diagnostic


@main.command()
@json_option
def games(as_json: bool) -> None:
    """List the bundled games."""
    from gdl import library

    rules = {name: library.load(name) for name in library.bundled()}
    if as_json:
        keys = ("designer", "year", "about", "base")
        print_json(
            [{"name": n, "game": r.name, **{key: getattr(r, key) for key in keys}} for n, r in rules.items()]
        )
        return
    width = max(map(len, rules), default=0)
    for name, rule in rules.items():
        click.echo(f"{name:{width}}  {rule.about or rule.name}")


@main.command()
@game_argument
@json_option
def rules(game: str, as_json: bool) -> None:
    """Show the options and the rule file of a game.

    \b
    gdl rules egotzi
    """
    from gdl import library
    from gdl.words import written

    rules, source = library.load(game), library.read(game)
    keys = ("default", "low", "high", "step")
    options = [
        {"name": o.name, "type": o.type.value, **{key: _constant(getattr(o, key)) for key in keys}}
        for o in rules.options.values()
    ]
    if as_json:
        about = {"designer": rules.designer, "year": rules.year, "about": rules.about, "base": rules.base}
        print_json({"game": rules.name, **about, "options": options, "source": source.text})
        return
    by = f" by {rules.designer}" if rules.designer else ""
    click.echo(f"{rules.name}{by}" + (f", {rules.year}" if rules.year else ""))
    if rules.base:
        beside = library.locate(game).parent / f"{library.slug(rules.base)}.game"
        base = (
            str(beside)
            if beside.is_file() and beside.parent != library.folder()
            else library.slug(rules.base)
        )
        echo(f"A variant of {rules.base}; `gdl rules {base}` shows what it does not change.")
    click.echo(rules.about)
    for option in options:
        spread = "yes or no" if option["low"] is None else f"{option['low']}..{option['high']}"
        step = "" if option["step"] in (None, 1) else f" step {option['step']}"
        click.echo(f"  {option['name']}: {spread}{step}, {written(option['default'])} if not given")
    click.echo(f"\n{source.text.rstrip()}")


def _constant(expr: Expr | None) -> int | bool | str | None:
    """The value of a constant; anything else as the author wrote it."""
    from gdl.core import Const

    if expr is None:
        return None
    if isinstance(expr, Const):
        return expr.value
    span = expr.span
    return span.source.line(span.line)[span.column - 1 : span.end_column - 1]


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@json_option
def check(files: tuple[str, ...], as_json: bool) -> None:
    """Look for mistakes in rule files.

    Prints every error and warning with its place. FILE may be - for the standard input. Exit status 1 if
    there is an error.
    """
    from pathlib import Path

    from gdl import library
    from gdl.diagnostics import RuleError
    from interpreter.examine import examine

    found: list[dict[str, object]] = []
    for file in files:
        try:
            beside = Path() if file == "-" else library.locate(file).parent
            diagnostics = examine(library.decode(*_read(file)), beside)
        except RuleError as error:  # the file is not text
            diagnostics = list(error.diagnostics)
        except (OSError, library.UnknownGame) as error:
            message = sentence(error)
            found.append(_finding(file, message))
            echo(str(message), err=True)
            continue
        here = [_finding(file, diagnostic.message, diagnostic) for diagnostic in diagnostics]
        found += here
        if not as_json:
            for diagnostic in diagnostics:
                echo(f"{diagnostic}\n")
            if not _has_error(here):
                echo(f"{file}: ok")
    if as_json:
        print_json(found)
    if _has_error(found):
        click.get_current_context().exit(1)


def _has_error(found: Sequence[dict[str, object]]) -> bool:
    return any(finding["severity"] == "error" for finding in found)


def _finding(file: str, message: str | None, diagnostic: Diagnostic | None = None) -> dict[str, object]:
    """One mistake as data; a file that cannot be read has no place."""
    span = diagnostic and diagnostic.span
    places = ("line", "column", "end_line", "end_column")
    return {
        "file": span.source.name if span else file,
        **{place: getattr(span, place, None) for place in places},
        "severity": diagnostic.severity if diagnostic else "error",
        "message": message,
        "hint": diagnostic and diagnostic.hint,
    }


@main.command("format")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", "only_check", is_flag=True, help="Only say which files would change.")
def format_files(files: tuple[str, ...], only_check: bool) -> None:
    """Format rule files in the usual style: indentation, spaces, line ends.

    Their meaning does not change; comments, texts, pictures, line breaks and aligned columns are kept. A
    declaration that cannot be read is left as it is. FILE may be - for the standard input, which is
    formatted to the standard output. Exit status 1 if something cannot be read or, with --check, would
    change.
    """
    from gdl import library
    from gdl.diagnostics import RuleError
    from gdl.format import format_source

    fine = True
    for file in files:
        try:
            name, raw = _read(file)
            text, faults = format_source(library.decode(name, raw))
            changes = text.encode() != raw
            if changes and file != "-" and not only_check:
                write(str(library.locate(file)), text.encode())
        except RuleError as error:  # the file as a whole is faulty
            text, changes, faults = "", False, list(error.diagnostics)
        except (OSError, library.UnknownGame) as error:
            echo(str(sentence(error)), err=True)
            fine = False
            continue
        for fault in faults:
            echo(f"{fault}\n", err=True)
        if faults:
            echo(f"{file}: what cannot be read stays as it is", err=True)
        if file == "-" and not only_check:
            click.echo(text, nl=False)
        else:
            done = "would change" if only_check else "formatted"
            echo(f"{file}: {done if changes else 'unchanged'}")
        fine = fine and not faults and not (changes and only_check)
    if not fine:
        click.get_current_context().exit(1)


def _read(file: str) -> tuple[str, bytes]:
    """The name of a rule file or the standard input, and its bytes, no more than are decoded."""
    from gdl import library

    if file != "-":
        return library.read_bytes(file)
    return "standard input", sys.stdin.buffer.read(library.MAX_BYTES)
