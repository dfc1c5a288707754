"""The command line `gdl`: exit status 0 where all is fine, 1 where the input is wrong, 2 for wrong usage.

Commands import what they need when they run, so that `gdl --help` waits for nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gdl.core import Expr
    from gdl.diagnostics import Diagnostic
    from interpreter.game import Game, Move, Position
    from interpreter.runner import Match


class Wrong(click.ClickException):
    """The input is wrong; the message is shown as it is."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        click.echo(_printable(self.message), err=True)


class Shell(click.Group):
    """The group of all commands, and the one place where errors become sentences."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of their definition, which is the order to learn them in."""
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
    """What is wrong with the input or the output is told in a sentence, not as a traceback."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except (click.ClickException, click.exceptions.Exit):
        raise
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
    except BrokenPipeError:  # whoever read our output has seen enough
        _drop_output()
        raise click.exceptions.Exit(0) from None
    except Exception as error:
        sentence = _sentence(error)
        if sentence is None:
            raise
        raise Wrong(sentence) from error


def _fill_streams() -> None:
    """A closed input is an empty one, closed errors go nowhere; a closed output is wrong.

    Their numbers are taken at once, or the next file that is opened would be written to as one of them.
    """
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    if "stdout" in closed:
        raise Wrong("The standard output is closed.")


def _sentence(error: Exception) -> str | None:
    """What to tell about an error; None for one that is no fault of the input."""
    from gdl.diagnostics import RuleError
    from gdl.library import UnknownGame
    from interpreter.errors import MoveError, OptionError, TooMuchWork, file_trouble
    from interpreter.record import RecordError

    match error:
        case OSError():
            _drop_output()
            return file_trouble(error)
        case UnicodeError():
            return "The input is not UTF-8 text."
        case RuleError() | UnknownGame() | MoveError() | OptionError() | RecordError() | TooMuchWork():
            return str(error)
        case _:
            return None


def _printable(text: str) -> str:
    """The text without control characters: those of a stranger's file must not reach the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def _drop_output() -> None:
    """Forget output that nobody can take, or Python complains about it when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=Shell, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gdl", prog_name="gdl")
def main() -> None:
    """Play and examine board games that are written as rule files.

    GAME is the name of a bundled game (see `gdl games`) or the path of a rule file. Options
    of the game follow as NAME=VALUE, where VALUE is a whole number, yes or no.

    \b
    gdl play ayu                     you against random moves
    gdl play egotzi size=5 pie=no --first random --second human
    gdl check my_variant.game
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without ñ must not stop a game


class Seconds(click.FloatRange):
    """A number of seconds, which `nan` is not though it lies in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if seconds != seconds:
            self.fail(f"{value!r} is not a number.", param, ctx)
        return seconds


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
game_argument = click.argument("game")
options_argument = click.argument("options", nargs=-1, metavar="[NAME=VALUE]...")
engine_option = click.option(
    "--engine",
    type=click.Choice(["native", "reference"]),
    help="What plays: compiled rules, or the plain ones.",
)
threads_option = click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="How many threads share it."
)


def _load(game: str, options: Sequence[str], engine: str | None = None) -> Game:
    """The game with its options as the command line gives them, on an engine; which one, if not that."""
    from gdl import library
    from interpreter.record import read_option

    rules = library.load(game)  # before the engine is imported: its errors need not wait for that
    values = {}
    for text in options:
        if "=" not in text:
            raise click.UsageError(f"`{text}` is no option of a game; options are written NAME=VALUE.")
        name, value = read_option(text)
        if name in values:
            raise click.UsageError(f"The option {name} is given twice.")
        values[name] = value

    from interpreter.game import Game

    loaded = Game.of(rules, **values)
    if engine is not None:
        loaded = loaded.on(engine)
    if loaded.engine_note is not None:
        click.echo(f"{loaded.name}: {loaded.engine_note}.", err=True)
    return loaded


def _head(game: Game) -> dict[str, object]:
    """What every JSON answer about a game starts with."""
    return {"game": game.name, "options": game.options}


def _print_json(data: object) -> None:
    import json

    click.echo(json.dumps(data))


# --- about rule files --------------------------------------------------------


@main.command()
@json_option
def games(as_json: bool) -> None:
    """List the bundled games."""
    from gdl import library

    rules = {name: library.load(name) for name in library.bundled()}
    if as_json:
        keys = ("designer", "year", "about", "base")
        _print_json(
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

    rules, source = library.load(game), library.read(game)
    keys = ("default", "low", "high", "step")
    options = [
        {"name": o.name, "type": o.type.value, **{key: _constant(getattr(o, key)) for key in keys}}
        for o in rules.options.values()
    ]
    if as_json:
        about = {"designer": rules.designer, "year": rules.year, "about": rules.about, "base": rules.base}
        _print_json({"game": rules.name, **about, "options": options, "source": source.text})
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
        click.echo(f"A variant of {rules.base}; `gdl rules {base}` shows what it does not change.")
    click.echo(rules.about)
    for option in options:
        spread = "yes or no" if option["low"] is None else f"{option['low']}..{option['high']}"
        step = "" if option["step"] in (None, 1) else f" step {option['step']}"
        default = option["default"]
        shown = ("yes" if default else "no") if isinstance(default, bool) else default
        click.echo(f"  {option['name']}: {spread}{step}, {shown} if not given")
    click.echo(f"\n{source.text.rstrip()}")


def _constant(expr: Expr | None) -> int | bool | str | None:
    """A constant by its value, anything else as the author wrote it."""
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

    Prints every error and warning with its place. Exit status 1 if there is an error.
    """
    from gdl import library
    from gdl.diagnostics import RuleError
    from interpreter.examine import examine

    found: list[dict[str, object]] = []
    for file in files:
        try:
            diagnostics = examine(library.read(file), library.locate(file).parent)
        except RuleError as error:  # the file is no text
            diagnostics = list(error.diagnostics)
        except (OSError, library.UnknownGame) as error:
            message = _sentence(error)
            found.append(_finding(file, message))
            click.echo(_printable(str(message)), err=True)
            continue
        here = [_finding(file, diagnostic.message, diagnostic) for diagnostic in diagnostics]
        found += here
        if not as_json:
            for diagnostic in diagnostics:
                click.echo(_printable(f"{diagnostic}\n"))
            if not _has_error(here):
                click.echo(_printable(f"{file}: ok"))
    if as_json:
        _print_json(found)
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


# --- playing -----------------------------------------------------------------


@main.command()
@game_argument
@options_argument
@click.option("--first", default="human", show_default=True, metavar="PLAYER", help="Who moves first.")
@click.option("--second", default="random", show_default=True, metavar="PLAYER", help="Who moves second.")
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, help="How many to play.")
@click.option("--save", metavar="FILE", help="Add the record of each game to this file.")
@engine_option
@json_option
def play(
    game: str,
    options: tuple[str, ...],
    first: str,
    second: str,
    games: int,
    save: str | None,
    engine: str | None,
    as_json: bool,
) -> None:
    """Play one or many games.

    PLAYER is human, random, random:SEED, or mcts, which thinks ahead: mcts:1000 for a thousand
    random games a move, mcts:2s for two seconds. At a terminal type `help` to see what you can
    type. From a file or a pipe, human reads one move a line.

    \b
    gdl play ayu size=7 --second mcts:1s
    gdl play egotzi --first random:1 --second random:2 --games 20 --save games.txt
    """
    loaded = _load(game, options, engine)

    from interpreter.players import PlayerError, seat
    from interpreter.record import RecordError, append, is_storable
    from interpreter.runner import Match, ignore, plies, rules_file

    try:
        dialogue = sys.stderr if as_json else sys.stdout
        players = seat(first, second, dialogue)
    except PlayerError as error:
        raise click.UsageError(str(error)) from None
    file = rules_file(game, loaded.name)
    if save is not None:  # what is wrong with it is better told now than after the game
        if not save:
            raise click.UsageError("--save needs the name of a file.")
        if file is not None and not is_storable(file):
            raise RecordError(f"A record cannot hold the path {file!r}; give the rule file another name.")
        open(save, "ab").close()
    matches = []
    for number in range(1, games + 1):
        match = Match(loaded, *players)
        try:
            match.run(ignore if as_json or games > 1 else _say_move)
        except KeyboardInterrupt:
            if dialogue.isatty():
                click.echo(file=dialogue)  # behind the prompt
            kept = f"; the record of it is in {save}" if save is not None else ""
            click.echo(
                f"Interrupted after {plies(match.position.ply)}; the game is unfinished{kept}.", err=True
            )
            raise
        finally:
            if save is not None:
                append(save, match.record(file))
        matches.append(_outcome(match, with_moves=as_json))
        if not as_json:
            _say_end(match, number if games > 1 else None)
        if match.left:
            break
    summary = _summary(loaded, matches)
    if as_json:
        people = {"first": players[0].name, "second": players[1].name}
        _print_json({**_head(loaded), **people, "games": matches, "summary": summary})
    elif games > 1:
        _say_summary(summary)


def _say_move(before: Position, move: Move) -> None:
    click.echo(f"{before.ply + 1}. {before.to_move} ({before.person}): {move}")


def _say_end(match: Match, number: int | None) -> None:
    """How a game ended: with the board, or on one line where it is one of many."""
    from interpreter.runner import describe, plies
    from interpreter.screen import show

    resigned = match.position.to_move if match.resigned else None
    text = "the game is unfinished" if match.result is None else describe(match.result, resigned)
    length = plies(match.position.ply)
    if number is not None:
        click.echo(f"game {number}, {length}: {text}")
        return
    show(match.position, sys.stdout)
    if match.position.result is None:  # else the board says it
        click.echo(f"After {length}: {text}.")


def _outcome(match: Match, with_moves: bool) -> dict[str, Any]:
    """A game as data; the moves of a million games would fill the memory."""
    outcome = {"result": _result(match), "plies": match.position.ply}
    return outcome | {"moves": [move.notation for _, move in match.history]} if with_moves else outcome


def _result(ended: Match | Position) -> dict[str, object] | None:
    result = ended.result
    if result is None:
        return None
    return {key: getattr(result, key) for key in ("winner", "person", "reason", "scores")}


def _summary(game: Game, matches: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Who won how often, by colour and by person, and how long the games were."""
    results = [match["result"] for match in matches]
    finished = [result for result in results if result is not None]
    return {
        "games": len(results),
        "colours": {colour: sum(r["winner"] == colour for r in finished) for colour in game.players},
        "people": {person: sum(r["person"] == person for r in finished) for person in ("first", "second")},
        "draws": sum(result["winner"] is None for result in finished),
        "unfinished": len(results) - len(finished),
        "mean_plies": round(sum(match["plies"] for match in matches) / len(matches), 2),
    }


def _say_summary(summary: dict[str, Any]) -> None:
    wins = [f"{who} {count}" for key in ("colours", "people") for who, count in summary[key].items()]
    games = f"{summary['games']} game{'s' if summary['games'] != 1 else ''}"
    click.echo(
        f"{games}: wins {', '.join(wins)}; draws {summary['draws']}; "
        f"unfinished {summary['unfinished']}; {summary['mean_plies']} plies on average"
    )


@main.command()
@game_argument
@options_argument
@click.option("--moves", default="", metavar='"M1 M2 ..."', help="Play these moves first.")
@engine_option
@json_option
def show(game: str, options: tuple[str, ...], moves: str, engine: str | None, as_json: bool) -> None:
    """Show a position and its legal moves.

    \b
    gdl show ayu size=5 --moves "b1-b2 a2-a3"
    """
    loaded = _load(game, options, engine)

    from interpreter.record import parse_moves
    from interpreter.screen import ordered
    from interpreter.screen import show as show_board

    position = loaded.start()
    for move in parse_moves(moves):
        position = position.play(move)
    if as_json:
        legal = sorted(move.notation for move in position.legal_moves)
        keys = ("ply", "to_move", "person", "seats", "board", "state")
        data = {key: getattr(position, key) for key in keys}
        _print_json(
            {**_head(loaded), **data, "legal": legal, "over": position.over, "result": _result(position)}
        )
        return
    show_board(position, sys.stdout)
    if legal := ordered(position):
        count = "1 legal move" if len(legal) == 1 else f"{len(legal)} legal moves"
        click.echo(click.wrap_text(f"{count}: {' '.join(legal)}", 100))


# --- checking an engine, checking records ------------------------------------


@main.command()
@game_argument
@options_argument
@click.option("--depth", type=click.IntRange(1, 200), required=True, help="How many plies to go.")
@click.option("--unique", is_flag=True, help="Count different positions instead of move sequences.")
@engine_option
@threads_option
@json_option
def perft(
    game: str,
    options: tuple[str, ...],
    depth: int,
    unique: bool,
    engine: str | None,
    threads: int,
    as_json: bool,
) -> None:
    """Count the move sequences of each length up to a depth.

    Several threads share the move sequences; different positions are counted by one.

    \b
    gdl perft ayu size=5 --depth 3
    """
    start = _load(game, options, engine).start()

    from interpreter.perft import distinct, sequences

    counts = []
    found = distinct(start, depth) if unique else sequences(start, depth, threads)
    for plies, count in enumerate(found, 1):
        counts.append(count)
        if not as_json:
            click.echo(f"{plies} {count}")
    if as_json:
        _print_json({**_head(start.game), "unique": unique, "counts": counts})


@main.command()
@game_argument
@options_argument
@click.option(
    "--seconds", type=Seconds(min=0, max=86_400), default=3.0, show_default=True, help="How long to play."
)
@click.option(
    "--policy",
    type=click.Choice(["uniform", "stepwise"]),
    default="uniform",
    show_default=True,
    help="How a move is drawn: each move alike, or each choice of a turn alike.",
)
@engine_option
@threads_option
@json_option
def bench(
    game: str,
    options: tuple[str, ...],
    seconds: float,
    policy: str,
    engine: str | None,
    threads: int,
    as_json: bool,
) -> None:
    """Measure how fast a game is played at random, and how its games end.

    \b
    gdl bench ayu size=11 --seconds 2
    gdl bench egotzi --policy stepwise --threads 2
    """
    loaded = _load(game, options, engine)
    if loaded.engine == "reference" and policy != "uniform":
        raise click.UsageError("The reference engine knows the policy uniform only.")

    from interpreter.bench import compile_seconds, measure

    figures = measure(loaded.start(), seconds, policy, threads).figures()
    setup = {"engine": loaded.engine, "policy": policy, "threads": threads}
    compiled = compile_seconds(loaded, policy)
    if as_json:
        _print_json({**_head(loaded), **setup, **figures, "compile_seconds": compiled or None})
        return
    shares = {**figures["colours"], **figures["people"]}
    shares |= {name: figures[name] for name in ("draws", "unfinished")}
    times = ", ".join(f"{seconds:.3f} s {how}" for how, seconds in compiled.items())
    for line in (
        f"{loaded.name}: {loaded.engine} engine, {policy} playouts, {threads} thread{'s' * (threads > 1)}",
        f"{figures['playouts_per_second']:,.0f} playouts/s, {figures['moves_per_second']:,.0f} moves/s "
        f"({figures['playouts']:,} playouts in {figures['seconds']:.1f} s)",
        f"{figures['mean_length']:.1f} moves on average",
        ", ".join(f"{who} {share:.1%}" for who, share in shares.items()),
        *([f"compiled in {times}"] if compiled else []),
    ):
        click.echo(line)


@main.command()
@click.argument("file")
@engine_option
@json_option
def replay(file: str, engine: str | None, as_json: bool) -> None:
    """Play recorded games again.

    FILE holds one or many records; - is the standard input. Each move must be legal and the
    result the one recorded; the first fault of each game is told. Exit status 1 if there is one.
    """
    from pathlib import Path

    from attrs import asdict

    from interpreter.record import RecordError, read, read_file
    from interpreter.replay import replay_all

    text = read(sys.stdin.buffer, "the standard input") if file == "-" else read_file(file)
    reports = []
    for number, report in enumerate(replay_all(text, Path(file).parent, engine), 1):
        reports.append(report)
        if not as_json:
            click.echo(_printable(f"{number}. {report}"))
    if not reports:
        raise RecordError(f"There is no record in {file}.")
    if as_json:
        _print_json([{"ok": report.fault is None, **asdict(report)} for report in reports])
    if any(report.fault is not None for report in reports):
        click.get_current_context().exit(1)
