"""Commands that play: play, show, replay."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

import click

from interpreter.cli.shared import (
    MOST,
    SEEDS,
    engine_option,
    game_argument,
    head,
    json_option,
    load,
    options_argument,
    print_json,
    say,
)
from interpreter.cli.shell import Ended, echo, main
from interpreter.errors import counted, printable

if TYPE_CHECKING:
    from interpreter.game import Game, Move, Position
    from interpreter.runner import Match
    from interpreter.thought import Thought


@main.command()
@game_argument
@options_argument
@click.option("--first", default="human", show_default=True, metavar="PLAYER", help="Who moves first.")
@click.option("--second", default="random", show_default=True, metavar="PLAYER", help="Who moves second.")
@click.option("--games", type=click.IntRange(min=1), default=1, show_default=True, help="How many to play.")
@click.option("--save", metavar="FILE", help="Add the record of each game to this file.")
@click.option("--seed", type=SEEDS, help="The random seed.")
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="How many threads mcts uses; other machines use one.",
)
@click.option(
    "--thinking/--no-thinking",
    default=None,
    help="Show what machines expect of their moves; by default, only at a terminal.",
)
@engine_option
@json_option
def play(
    game: str,
    options: tuple[str, ...],
    first: str,
    second: str,
    games: int,
    save: str | None,
    seed: int | None,
    threads: int,
    thinking: bool | None,
    engine: str | None,
    as_json: bool,
) -> None:
    """Play one or more games.

    PLAYER is human, or a machine such as mcts:2s, which thinks for two seconds per move; `gdl players`
    lists them all. At a terminal, type `help` to see what you can type; `hint` shows good moves.
    From a file or a pipe, human reads one move per line.

    \b
    gdl play ayu --second mcts:2s
    gdl play egotzi --first random:1 --second random:2 --games 20 --save games.txt
    """
    loaded = load(game, options, engine)

    from interpreter.players import Chair, PlayerError, seat
    from interpreter.record import RecordError, append, check_records, is_storable
    from interpreter.runner import Match, plies, rules_file
    from interpreter.screen import show
    from interpreter.thinking import Watched, Watcher

    told = games == 1 and not as_json
    # A person at a terminal sees each move and each board, however many games there are.
    typed = "human" in (first, second) and sys.stdin.isatty()
    if thinking and not told and not as_json:
        raise click.UsageError("--thinking is for one game; of several games it is told with --json.")
    if thinking is None:
        thinking = told and sys.stdout.isatty()
    watcher = Watcher(sys.stdout if told else None)
    try:
        dialogue = sys.stderr if as_json else sys.stdout
        chair = Chair(dialogue=dialogue, seed=seed, threads=threads, watch=watcher.see if thinking else None)
        players = seat(first, second, chair)
    except PlayerError as error:
        raise click.UsageError(str(error)) from None
    if thinking:
        one, other = (p if p.name == "human" else Watched(p, watcher) for p in players)
        players = one, other
    file = rules_file(game, loaded.name)
    if save is not None:  # better to complain about it now than after the game
        if not save:
            raise click.UsageError("--save needs the name of a file.")
        if file is not None and not is_storable(file):
            raise RecordError(f"A record cannot hold the path {file!r}; give the rule file another name.")
        check_records(save)
        open(save, "ab").close()

    def watch(before: Position, move: Move) -> None:
        thought = watcher.made(before)
        if told or typed:
            _say_move(before, move, thought, dialogue)

    matches, seen = list[dict[str, Any]](), set[int]()
    for number in range(1, games + 1):
        match = Match(loaded, *players)
        with _kept_first():
            try:
                match.run(watch)
            except KeyboardInterrupt:
                if dialogue.isatty():
                    click.echo(file=dialogue)  # after the prompt
                echo(f"Interrupted after {plies(match.position.ply)}; {_unfinished(save)}.", err=True)
                raise
            finally:
                if save is not None:
                    append(save, match.record(file))
        seen.add(hash(tuple(move.notation for _, move in match.history)))
        matches.append(_outcome(match, as_json, watcher.thoughts if thinking else None))
        if told or typed:
            show(match.position, dialogue)
        if typed or not as_json:
            _say_end(match, number if games > 1 else None, save, err=as_json)
        if match.left:
            break
    summary = _summary(loaded, matches, len(seen))
    if as_json:
        people = {"first": players[0].name, "second": players[1].name}
        print_json({**head(loaded), **people, "seed": seed, "games": matches, "summary": summary})
    elif games > 1:
        _say_summary(summary)


@contextmanager
def _kept_first() -> Iterator[None]:
    """Meanwhile, ending the program or closing its terminal works like Ctrl-C: it raises Ended, once."""
    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heard = [number for number in signals if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, frame: FrameType | None) -> None:
        for each in heard:
            signal.signal(each, signal.SIG_IGN)
        raise Ended(number)

    for number in heard:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)


def _unfinished(save: str | None) -> str:
    """What to say about a game that somebody has left."""
    return "the game is unfinished" + ("" if save is None else f"; the record of it is in {save}")


def _say_move(before: Position, move: Move, thought: Thought | None, file: TextIO) -> None:
    said = f"{before.ply + 1}. {before.to_move} ({before.person}): {move}"
    if thought is not None:
        from interpreter.thinking import columns, fold, remark

        said = fold(said + remark(before, move, thought, columns() - len(said)))
    click.echo(said, file=file)


def _say_end(match: Match, number: int | None, save: str | None, err: bool) -> None:
    """Say on one line how a game ended; for a single game, only what its last board does not say."""
    from interpreter.runner import plies

    if match.result is None:
        text = _unfinished(save)
    elif match.resigned:
        text = f"{match.result.verdict}; {match.position.to_move} has resigned"
    else:
        text = str(match.result)
    length = plies(match.position.ply)
    if number is not None:
        say(printable(f"game {number}, {length}: {text}"), err=err)
    elif match.position.result is None:
        say(printable(f"After {length}: {text}."), err=err)


def _outcome(match: Match, with_moves: bool, thoughts: Sequence[Thought | None] | None) -> dict[str, Any]:
    """A game as data; the moves only on request, since those of a million games would fill the memory."""
    outcome: dict[str, Any] = {"result": _result(match), "plies": match.position.ply}
    if with_moves:
        outcome["moves"] = [move.notation for _, move in match.history]
        if thoughts is not None:
            told = thoughts[: match.position.ply]
            outcome["thoughts"] = [thought and thought.data() for thought in told]
    return outcome


def _result(ended: Match | Position) -> dict[str, object] | None:
    result = ended.result
    if result is None:
        return None
    return {key: getattr(result, key) for key in ("winner", "person", "reason", "scores")}


def _summary(game: Game, matches: Sequence[dict[str, Any]], different: int) -> dict[str, Any]:
    """How often each side won, by colour and by person, and how long the games were."""
    results = [match["result"] for match in matches]
    finished = [result for result in results if result is not None]
    return {
        "games": len(results),
        "different": different,
        "colours": {colour: sum(r["winner"] == colour for r in finished) for colour in game.players},
        "people": {person: sum(r["person"] == person for r in finished) for person in ("first", "second")},
        "draws": sum(result["winner"] is None for result in finished),
        "unfinished": len(results) - len(finished),
        "mean_plies": round(sum(match["plies"] for match in matches) / len(matches), 2),
    }


def _say_summary(summary: dict[str, Any]) -> None:
    wins = [f"{who} {count}" for key in ("colours", "people") for who, count in summary[key].items()]
    games = counted(summary["games"], "game")
    if summary["different"] < summary["games"]:
        games += f", {summary['different']} different"
    say(
        f"{games}: wins {', '.join(wins)}; draws {summary['draws']}; "
        f"unfinished {summary['unfinished']}; {summary['mean_plies']} plies on average"
    )


@main.command()
@json_option
def players(as_json: bool) -> None:
    """List the players that can follow --first and --second."""
    from interpreter.players import PLAYERS

    if as_json:
        print_json(
            [{"name": n, "does": entry.doc, "examples": entry.examples} for n, entry in PLAYERS.items()]
        )
        return
    rows = dict[str, str]()
    for name, entry in PLAYERS.items():
        rows |= {name: entry.doc, **entry.examples}
    width = max(map(len, rows))
    for name, text in rows.items():
        click.echo(f"{name:{width}}  {text}")


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
    loaded = load(game, options, engine)

    from interpreter.record import parse_moves
    from interpreter.screen import ordered
    from interpreter.screen import show as show_board

    position = loaded.start()
    for move in parse_moves(moves):
        position = position.play(move)
    if as_json:
        legal = sorted(move.notation for move in position.legal_moves)
        keys = ("ply", "to_move", "person", "seats", "board", "state", "scores")
        data = {key: getattr(position, key) for key in keys}
        print_json(
            {**head(loaded), **data, "legal": legal, "over": position.over, "result": _result(position)}
        )
        return
    show_board(position, sys.stdout)
    if legal := ordered(position):
        say(f"{counted(len(legal), 'legal move')}: {' '.join(legal)}", MOST)


@main.command()
@click.argument("file")
@engine_option
@json_option
def replay(file: str, engine: str | None, as_json: bool) -> None:
    """Replay recorded games.

    FILE holds one or more records, or the games that a tournament or an analysis has saved; - is the
    standard input. Each move must be legal and the result the one recorded; the first error in each game
    is reported. Exit status 1 if there is one.
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
            echo(f"{number}. {report}")
    if not reports:
        raise RecordError(f"There is no record in {file}.")
    if as_json:
        print_json([{"ok": report.fault is None, **asdict(report)} for report in reports])
    if any(report.fault is not None for report in reports):
        click.get_current_context().exit(1)
