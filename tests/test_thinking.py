"""How thinking is shown, with a player whose thoughts are known beforehand.

In Ayu of size 3 Black can play b1-b2 or b3-b2; White then comes round by a2-a1 or c2-c1.
"""

from __future__ import annotations

import json
import os
import pty
import re
import time
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, TextIO

import pytest
from attrs import define
from click.testing import CliRunner, Result

from interpreter.cli import main
from interpreter.game import Game, Move, Position
from interpreter.players import PLAYERS, Chair, Decision, Entry, Form, PlayerError, Wish, make
from interpreter.players.human import Human
from interpreter.thinking import Watched, Watcher, advice, expectation, remark
from interpreter.thought import Prospect, Thought

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def ayu() -> Game:
    return Game.load("ayu", size=3)


def line(position: Position, moves: str) -> tuple[Move, ...]:
    """Moves one after the other from a position."""
    found = list[Move]()
    for text in moves.split():
        found.append(position.parse(text))
        position = position.play(text)
    return tuple(found)


#: What may follow the name of a player of these tests.
ANYTHING = (Form(".*", "anything"),)


@define
class Thinker:
    """Plays its first legal move, and thinks that it wins three games of four."""

    chair: Chair
    pause: float = 0.0
    name: str = "thinker"

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        move = position.legal_moves[0]
        if self.chair.watch is not None:
            prospects = tuple(Prospect(m, 10, 0.75, None) for m in position.legal_moves[:10])
            self.chair.watch(Thought(0.5, "20 dreams", 0.75, None, (move,), prospects))
            time.sleep(self.pause)
        return move


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player called `thinker`, which also gives the hints."""
    entry = Entry("thinks", lambda _, chair: Thinker(chair), ANYTHING)
    monkeypatch.setitem(PLAYERS, "thinker", entry)
    monkeypatch.setitem(PLAYERS, "mcts", entry)


# --- in words ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "proven", "said"),
    [
        (0.63, None, "63%"),
        (0.5, None, "50%"),
        (0.0, None, "1%"),
        (0.999, None, "99%"),
        (None, None, ""),
        (1.0, "first", "a forced win"),
        (0.0, "second", "a forced loss"),
        (0.5, "draw", "a forced draw"),
        (None, "first", "a forced win"),
    ],
)
def test_what_the_first_person_expects(value: float | None, proven: str | None, said: str) -> None:
    assert expectation(value, proven, "first") == said


@pytest.mark.parametrize(
    ("moves", "room", "said"),
    [
        ("b1-b2 a2-a1", 80, " (expects 63%, then a2-a1)"),
        ("b1-b2 a2-a1", 26, " (expects 63%, then a2-a1)"),
        ("b1-b2 a2-a1", 25, " (expects 63%)"),
        ("b1-b2", 80, " (expects 63%)"),
        ("b3-b2 a2-a3", 80, " (expects 63%)"),  # the line of another move
        ("", 80, " (expects 63%)"),
    ],
)
def test_what_is_told_of_a_move(ayu: Game, moves: str, room: int, said: str) -> None:
    start = ayu.start()
    thought = Thought(1.0, "", 0.63, None, line(start, moves))
    assert remark(start, start.parse("b1-b2"), thought, room) == said


def test_nothing_is_told_where_there_is_no_idea(ayu: Game) -> None:
    start = ayu.start()
    assert remark(start, start.parse("b1-b2"), Thought(1.0, "", None, None), 80) == ""


@pytest.mark.parametrize(
    ("game", "moves", "move", "said"),
    [
        ("egotzi", "a1", "swap", "63% as Black"),
        ("egotzi", "a1", "b2", "63%"),
        ("squared_egotzi", "4", "swap", "63% as Black"),
        ("squared_egotzi", "4", "keep", "63%"),
        ("squared_egotzi", "4 swap", "a1", "63%"),
    ],
)
def test_who_swaps_goes_on_as_the_other_colour(game: str, moves: str, move: str, said: str) -> None:
    position = Game.load(game, size=2).start()
    for text in moves.split():
        position = position.play(text)
    thought = Thought(1.0, "", 0.63, None)
    assert remark(position, position.parse(move), thought, 80) == f" (expects {said})"


def test_a_hint_shows_three_moves_and_what_may_follow() -> None:
    position = Game.load("egotzi", size=2).start().play("a1")
    values = {"swap": 0.9, "b1": 0.5, "b2": 0.25, "a2": 0.1}
    prospects = tuple(
        Prospect(position.parse(move), 10, value, "first" if move == "b2" else None, line(after, follows))
        for move, value in values.items()
        for after in [position.play(move)]
        for follows in ["b1" if move == "swap" else ""]
    )
    assert advice(position, Thought(1.0, "40 dreams", 0.9, None, (), prospects)).splitlines() == [
        "After 40 dreams, White (second) can expect:",
        "  swap  90% as Black, then b1",
        "  b1    50%",
        "  b2    a forced loss",
    ]


def test_a_hint_fits_the_terminal(ayu: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    start = Game.load("ayu", size=11).start()
    prospects = (Prospect(start.legal_moves[0], 1, 0.5, None, start.legal_moves[1:9]),)
    text = advice(start, Thought(1.0, "1,234,567 dreams of games", 0.5, None, (), prospects))
    assert max(map(len, text.splitlines())) <= 30
    assert "then" in text


# --- live ----------------------------------------------------------------------


@pytest.fixture
def terminal() -> Iterator[tuple[TextIO, Callable[[], str]]]:
    """A terminal to write to, and a function for what it has been sent so far."""
    ours, theirs = pty.openpty()

    def sent() -> str:
        # A terminal passes on what it is sent in pieces, and late: a mark shows where it ends.
        os.write(theirs, b"\0")
        said = b""
        while not said.endswith(b"\0"):
            said += os.read(ours, 65536)
        return said[:-1].decode()

    with open(theirs, "w", encoding="utf-8") as stream:
        yield stream, sent
    os.close(ours)


def watched(stream: TextIO, position: Position, pause: float) -> Watcher:
    """A watcher that has watched a thinker at work for `pause` seconds."""
    watcher = Watcher(stream)
    Watched(Thinker(Chair(watch=watcher.see), pause), watcher).choose(position, [])
    return watcher


def test_thinking_is_shown_while_it_lasts(
    terminal: tuple[TextIO, Callable[[], str]], ayu: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream, sent = terminal
    watched(stream, ayu.start(), 0.4)
    shown = sent()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert "Black (first) thinks ━━━" in text
    assert "75%: b1-b2" in text
    assert re.search(r"20 dreams in 0\.\d s", text)
    assert shown.rindex("\x1b[2K") > shown.rindex("dreams"), "all is wiped at the end"
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l"), "the cursor is there again"


@pytest.mark.parametrize(("kind", "pause"), [("xterm", 0.0), ("dumb", 0.4)])
def test_a_short_thought_or_a_plain_terminal_shows_nothing(
    terminal: tuple[TextIO, Callable[[], str]],
    ayu: Game,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    pause: float,
) -> None:
    monkeypatch.setenv("TERM", kind)
    stream, sent = terminal
    assert watched(stream, ayu.start(), pause).last is not None
    assert "thinks" not in sent()


def test_a_file_is_shown_nothing(ayu: Game) -> None:
    said = StringIO()
    watched(said, ayu.start(), 0.4)
    assert said.getvalue() == ""


def test_thoughts_of_moves_that_were_taken_back_are_forgotten(ayu: Game) -> None:
    watcher, start = Watcher(None), ayu.start()
    one, other = (Thought(1.0, "", value, None) for value in (0.25, 0.75))
    watcher.see(one)
    assert watcher.made(start) is one
    assert watcher.made(start.play("b1-b2")) is None
    watcher.see(other)
    watcher.made(start)
    assert watcher.thoughts == [other]


# --- the command line ----------------------------------------------------------


def gdl(*args: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, args, input=stdin, catch_exceptions=False)


def data_of(*args: str, stdin: str = "") -> Any:
    result = gdl(*args, "--json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


TWO = ("play", "ayu", "size=3", "--first", "thinker", "--second", "thinker")


@pytest.mark.usefixtures("thinker")
def test_what_machines_think_is_told_on_demand() -> None:
    assert "1. Black (first): b1-b2\n" in gdl(*TWO).stdout
    assert "1. Black (first): b1-b2\n" in gdl(*TWO, "--no-thinking").stdout
    assert "1. Black (first): b1-b2 (expects 75%)\n" in gdl(*TWO, "--thinking").stdout


@pytest.mark.usefixtures("thinker")
def test_of_many_games_it_is_told_as_data_only() -> None:
    result = gdl(*TWO, "--thinking", "--games", "2")
    assert result.exit_code == 2
    assert "--json" in result.stderr
    games = data_of(*TWO, "--thinking", "--games", "2")["games"]
    assert [len(game["thoughts"]) for game in games] == [2, 2]


@pytest.mark.usefixtures("thinker")
def test_thoughts_as_data() -> None:
    (game,) = data_of("play", "ayu", "size=3", "--second", "thinker", "--thinking", stdin="b1-b2\n")["games"]
    reply = game["moves"][1]
    human, machine = game["thoughts"]
    assert human is None
    assert machine == {
        "effort": "20 dreams",
        "value": 0.75,
        "proven": None,
        "line": [reply],
        "prospects": [
            {"move": move, "visits": 10, "value": 0.75, "proven": None, "line": []}
            for move in ("a2-a1", "c2-c1")
        ],
    }
    assert "thoughts" not in data_of(*TWO)["games"][0]


@pytest.mark.usefixtures("thinker")
def test_thoughts_after_a_move_was_taken_back() -> None:
    command = ("play", "ayu", "size=5", "--second", "thinker", "--thinking")
    (game,) = data_of(*command, stdin="b1-b2\nd1-d2\nundo\nundo\nd1-d2\nquit\n")["games"]
    assert [thought is not None for thought in game["thoughts"]] == [False, True]
    (game,) = data_of(*command, stdin="b1-b2\nundo\nquit\n")["games"]
    assert game["thoughts"] == game["moves"] == []


def test_one_seed_for_all() -> None:
    command = ("play", "egotzi", "size=3", "--first", "random", "--second", "random", "--seed", "7")
    played = data_of(*command)
    assert (played["first"], played["second"], played["seed"]) == ("random:7", "random:7", 7)
    assert data_of(*command) == played


def test_players_are_listed_with_what_may_follow_their_names() -> None:
    said = [line.split(maxsplit=1) for line in gdl("players").stdout.splitlines()]
    rows = {}
    for name, entry in PLAYERS.items():
        rows |= {name: entry.doc, **entry.examples}
    assert said == [[name, text] for name, text in rows.items()]
    assert [row["name"] for row in data_of("players")] == list(PLAYERS)
    table = (DOCS / "players.md").read_text(encoding="utf-8").split("## You")[0]
    assert re.findall(r"^\| `(.+?)` \| (.*) \|$", table, re.MULTILINE) == list(rows.items())


@pytest.mark.parametrize(
    "name", [name for name, entry in PLAYERS.items() for name in (name, *entry.examples)]
)
def test_every_example_of_a_name_is_a_player(name: str) -> None:
    made = make(name, Chair(seed=1))
    assert made.name.startswith(name.partition(":")[0])
    assert make(made.name, Chair(seed=2)).name == made.name, "the name makes the same player again"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("radnom:7", "There is no player `radnom:7`; did you mean `random`?"),
        ("MCTS", "There is no player `MCTS`; did you mean `mcts`?"),
        ("robot", "There is no player `robot`; there are human, random,"),
        ("human:me", "`human:me`: write human alone."),
        (
            "random:x",
            "`random:x`: write random alone, or a seed of up to 18 digits behind the colon, as in random:7.",
        ),
        ("mcts:2s,threads=1000", "`mcts:2s,threads=1000`: threads is a number from 1 to 99, not `1000`."),
        ("mcts:9,threads", "`mcts:9,threads`: threads is a number from 1 to 99, not ``."),
        ("mcts:9,policy=unifrom", "`mcts:9,policy=unifrom`: policy is uniform or stepwise, not `unifrom`."),
        ("mcts:9,depth=3", "`mcts:9,depth=3`: mcts has no setting `depth`; it has threads, seed, policy."),
        (
            "mcts:9999999999",
            "`mcts:9999999999`: write mcts alone, or a number of random games from 1 to 999,999,999 or a",
        ),
        (
            "alphabeta:0",
            "`alphabeta:0`: write alphabeta alone, or a depth from 1 to 99 or a time from 0.001s to",
        ),
        (
            "solve:0s",
            "`solve:0s`: write solve alone, or a time from 0.001s to 99999.999s behind the colon, as",
        ),
    ],
)
def test_a_wrong_name_is_answered_with_the_right_ones(text: str, said: str) -> None:
    with pytest.raises(PlayerError) as error:
        make(text, Chair())
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("name", [*PLAYERS, "alphabeta:2", "mcts:2s"])
def test_nobody_chooses_a_move_where_the_game_is_over(name: str) -> None:
    """Once, some players raised an IndexError."""
    over = Game.load("ayu", size=3).start().play("b1-b2").play("a2-a1")
    with pytest.raises(ValueError, match="the game is over, there is no move to choose: Ayu, ply 2"):
        make(name, Chair(seed=1)).choose(over, [])


def test_a_chair_is_for_one_of_two_people() -> None:
    with pytest.raises(ValueError, match="first or second, not 'third'"):
        Chair("third")


# --- the dialogue --------------------------------------------------------------


@pytest.mark.usefixtures("thinker")
def test_a_hint_is_no_move(ayu: Game) -> None:
    said = StringIO()
    move = Human(StringIO("hint\nb1-b2\n"), said).choose(ayu.start(), [])
    assert str(move) == "b1-b2"
    assert said.getvalue() == ("After 20 dreams, Black (first) can expect:\n  b1-b2  75%\n  b3-b2  75%\n")


@pytest.mark.parametrize(
    ("answer", "said"),
    [(None, "b1-b2 is the only move.\n"), (PlayerError("It cannot."), "It cannot.\n")],
)
def test_a_hint_that_needs_or_gets_no_thought(
    ayu: Game, monkeypatch: pytest.MonkeyPatch, answer: PlayerError | None, said: str
) -> None:
    class Silent(Thinker):
        def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
            if answer is not None:
                raise answer
            return position.legal_moves[0]

    monkeypatch.setitem(PLAYERS, "mcts", Entry("", lambda _, chair: Silent(chair), ANYTHING))
    dialogue = StringIO()
    Human(StringIO("hint\nb1-b2\n"), dialogue).choose(ayu.start(), [])
    assert dialogue.getvalue() == said


@pytest.mark.parametrize("more", [(), ("--games", "2"), ("--second", "thinker")])
@pytest.mark.usefixtures("thinker")
def test_the_end_of_the_input_is_told(more: tuple[str, ...]) -> None:
    result = gdl("play", "ayu", "size=3", *more)
    assert result.exit_code == 0
    assert result.stdout.count("The input has ended.\n") == 1


# --- a real thinker ------------------------------------------------------------


def test_thinking_needs_the_native_engine_for_itself_only(ayu: Game) -> None:
    """Whichever engine plays, players think on the native one."""
    start = ayu.on("reference").start()
    assert make("mcts:50", Chair(seed=1)).choose(start, []) in start.legal_moves


def test_where_native_code_cannot_play_nobody_thinks(ayu: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "native", None)
    monkeypatch.setattr(Game, "engine_note", "there is no compiler: the slow one plays")
    with pytest.raises(PlayerError, match=r"^Ayu: there is no compiler: the slow one plays, and thinking"):
        make("mcts:50", Chair(seed=1)).choose(ayu.start(), [])


def test_what_may_follow_is_told_of_as_many_moves_as_wanted() -> None:
    start, thoughts = Game.load("ayu", size=5).start(), list[Thought]()
    make("mcts:500", Chair(seed=1, watch=thoughts.append, lines=2)).choose(start, [])
    assert thoughts[-1].done == 1
    assert [bool(prospect.line) for prospect in thoughts[-1].prospects[:3]] == [True, True, False]
    for prospect in thoughts[-1].prospects[:2]:
        position = start.play(prospect.move)
        for move in prospect.line:
            position = position.play(move)


@pytest.mark.parametrize(("opening", "swaps"), [("a2", True), ("b1", True), ("a1", False), ("b2", False)])
def test_a_machine_swaps_where_it_wins_by_that(opening: str, swaps: bool) -> None:
    """Hex on four cells: a2 and b1 touch all others, so that the owner of one of them cannot be stopped."""
    position = Game.load("hex", columns=2, pie=True).start().play(opening)
    thoughts = list[Thought]()
    move = make("mcts:2000", Chair("second", seed=1, watch=thoughts.append)).choose(position, [])
    assert (move.notation == "swap") == swaps
    assert thoughts[-1].proven == "second"
    as_red = " as Red" if swaps else ""
    assert remark(position, move, thoughts[-1], 0) == f" (expects a forced win{as_red})"


def test_a_machine_takes_the_side_that_a_bid_makes_win() -> None:
    """Four squares hold two stones of each side, worth at most 4 points, and the bid gives White 8."""
    position = Game.load("squared_egotzi", size=2).start().play("8")
    thoughts = list[Thought]()
    move = make("mcts:2000", Chair("second", seed=1, watch=thoughts.append)).choose(position, [])
    assert move.notation == "keep"
    assert thoughts[-1].proven == "second"
