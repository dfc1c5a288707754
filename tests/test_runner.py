"""The runner and its players on the bundled games, and the replay of what they played.

Ayu of size 3 is played out by hand: Black is on b1 and b3, White on a2 and c2. Black joins his two units,
say by b1-b2; the white ones can then meet only round the other side, by a2-a1 or c2-c1. After that Black,
with one unit, cannot move and has won.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from attrs import Factory, define, evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import runner
from interpreter.errors import MoveError, counted
from interpreter.game import Game, Move, Position
from interpreter.perft import distinct, sequences
from interpreter.players import Chair, Decision, Player, PlayerError, Wish, make, seat
from interpreter.players.human import Human
from interpreter.players.random import Random
from interpreter.record import Record, parse
from interpreter.replay import Report, replay, replay_all
from interpreter.runner import Match, plies


@define
class Script:
    """Plays given moves in order; `asked` notes the colours it was asked to move."""

    words: list[str | Wish]
    name: str = "script"
    asked: list[str] = Factory(list)

    def choose(self, position: Position, history: Sequence[Decision]) -> Move | Wish:
        self.asked.append(position.to_move)
        word = self.words.pop(0)
        return word if isinstance(word, Wish) else position.parse(word)


class Terminal(StringIO):
    """Lines as if typed at a terminal."""

    def isatty(self) -> bool:
        return True


def play(game: Game, first: Player, second: Player) -> Match:
    match = Match(game, first, second)
    match.run()
    return match


@pytest.fixture(scope="module")
def ayu() -> Game:
    return Game.load("ayu", size=3)


@pytest.fixture(scope="module")
def egotzi() -> Game:
    return Game.load("egotzi", size=2, pie=True)


# --- the loop ----------------------------------------------------------------


def test_a_game_from_start_to_end(ayu: Game) -> None:
    match = play(ayu, Script(["b1-b2"]), Script(["a2-a1"]))
    assert match.result is not None
    assert (match.result.winner, match.result.person) == ("Black", "first")
    assert match.record().moves == ("b1-b2", "a2-a1")
    assert match.record().result == "Black"


def test_after_the_swap_each_person_plays_the_other_colour(egotzi: Game) -> None:
    first, second = Script(["a1", "b2", Wish.LEAVE]), Script(["swap", "a2"])
    match = play(egotzi, first, second)
    assert first.asked == ["Black", "White", "White"]
    assert second.asked == ["White", "Black"]
    assert match.record().moves[:2] == ("a1", "swap")


def test_who_resigns_after_the_swap_loses_as_the_other_colour(egotzi: Game) -> None:
    match = play(egotzi, Script(["a1", Wish.RESIGN]), Script(["swap"]))
    assert match.result is not None
    assert (match.result.winner, match.result.person, match.result.reason) == ("Black", "second", "resign")
    assert match.record().resigned
    assert replay(match.record()).fault is None


def test_undo_goes_back_to_the_previous_decision_of_who_asks(ayu: Game) -> None:
    first = Script(["b1-b2"])
    second = Script([Wish.UNDO, "a2-a1"])  # no decision of this person to go back to
    assert play(ayu, first, second).record().moves == ("b1-b2", "a2-a1")
    game = Game.load("ayu", size=5)
    first, second = Script(["b1-b2", Wish.UNDO, "d1-d2", Wish.LEAVE]), Script(["a2-a3", "a2-b2"])
    match = play(game, first, second)
    assert match.record().moves == ("d1-d2", "a2-b2")
    assert match.position == game.start().play("d1-d2").play("a2-b2")


def test_one_player_on_both_sides_takes_back_any_decision() -> None:
    both = Script(["b1-b2", "a2-a3", Wish.UNDO, Wish.UNDO, "d1-d2", Wish.LEAVE])
    match = play(Game.load("ayu", size=5), both, both)
    assert both.asked == ["Black", "White", "Black", "White", "Black", "White"]
    assert match.record().moves == ("d1-d2",)


def test_two_who_type_at_one_keyboard_are_one_player() -> None:
    first, second = seat("human", "human", Chair())
    assert first is second
    first, second = seat("human", "random:7", Chair())
    assert (first.name, second) == ("human", Random(7, "second"))


def test_who_leaves_leaves_it_unfinished(ayu: Game) -> None:
    match = play(ayu, Script(["b1-b2"]), Script([Wish.LEAVE]))
    assert (match.result, match.left, match.record().result) == (None, True, "*")


def test_a_game_that_is_stopped_can_be_recorded(ayu: Game) -> None:
    match = Match(ayu, Script(["b1-b2"]), Script(["h9"]))
    with pytest.raises(MoveError):
        match.run()
    assert match.record().moves == ("b1-b2",)
    assert match.record().result == "*"


def test_a_game_that_goes_on_for_ever_is_left_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MOST_PLIES", 3)
    match = play(Game.load("ayu", size=5), Random(1, "first"), Random(1, "second"))
    assert (match.position.ply, match.result) == (3, None)


def test_a_long_game_keeps_the_moves_that_were_made_and_no_others() -> None:
    def kept() -> int:
        gc.collect()
        return sum(isinstance(thing, Move) for thing in gc.get_objects())

    before = kept()
    match = play(Game.load("ayu", size=7), Random(1, "first"), Random(2, "second"))
    assert match.position.ply <= kept() - before < 2 * match.position.ply


def test_the_watcher_sees_each_move_where_it_is_made(ayu: Game) -> None:
    seen = []
    Match(ayu, Script(["b1-b2"]), Script(["a2-a1"])).run(
        lambda before, move: seen.append((before.ply, str(move)))
    )
    assert seen == [(0, "b1-b2"), (1, "a2-a1")]


# --- players -----------------------------------------------------------------


def test_the_same_seed_plays_the_same_game() -> None:
    game = Game.load("egotzi", size=4)
    one, two = (play(game, Random(5, "first"), Random(6, "second")).record() for _ in range(2))
    assert one == two


def test_people_with_one_seed_draw_different_numbers() -> None:
    start = Game.load("egotzi", size=7, pie=False).start()
    one, two = Random(5, "first"), Random(5, "second")
    assert [one.choose(start, []) for _ in range(10)] != [two.choose(start, []) for _ in range(10)]


def test_every_legal_move_is_drawn_equally_often() -> None:
    """Chi-squared over 9 squares and 1800 draws: 26.1 is exceeded by one seed in a thousand."""
    start = Game.load("egotzi", size=3, pie=False).start()
    player = Random(2011, "first")
    drawn = [player.choose(start, []) for _ in range(1800)]
    counts = [drawn.count(move) for move in start.legal_moves]
    assert len(counts) == 9
    assert sum((count - 200) ** 2 / 200 for count in counts) < 26.1


def test_players_by_name() -> None:
    assert make("random:7", Chair("first", StringIO())) == Random(7, "first")
    assert make("human", Chair("first", StringIO())).name == "human"
    again = make("random", Chair("second", StringIO()))
    assert make(again.name, Chair("second", StringIO())) == again


@pytest.mark.parametrize(
    "text", ["", "robot", "random:", "random:x", "random:-1", "random:٣", "human:me", "human:", ":"]
)
def test_no_players(text: str) -> None:
    with pytest.raises(PlayerError):
        make(text, Chair("first", StringIO()))


def test_a_person_at_a_pipe(ayu: Game) -> None:
    said = StringIO()
    lines = StringIO("b1-b2\n\nA2 a1\n")
    match = play(ayu, Human(lines, said), Human(lines, said))
    assert match.record().moves == ("b1-b2", "a2-a1")
    assert said.getvalue() == ""


def test_the_end_of_the_input_leaves_the_game(ayu: Game) -> None:
    assert Human(StringIO(""), StringIO()).choose(ayu.start(), []) is Wish.LEAVE


@pytest.mark.parametrize("line", ["b1-c3", "hello", "undo"])
def test_a_bad_line_from_a_pipe_is_an_error(ayu: Game, line: str) -> None:
    with pytest.raises(MoveError):
        Human(StringIO(f"{line}\nb1-b2\n"), StringIO()).choose(ayu.start(), [])


@pytest.mark.parametrize("line", ["b1-c3", "hello", "undo", "help", "moves", ""])
def test_a_terminal_answers_and_asks_again(ayu: Game, line: str) -> None:
    said = StringIO()
    move = Human(Terminal(f"{line}\nb1-b2\n"), said).choose(ayu.start(), [])
    assert str(move) == "b1-b2"
    assert said.getvalue().count("Black's move (or help): ") == 2


def asked(position: Position, typed: str, history: Sequence[Decision] = ()) -> str:
    """What is shown below the board at a terminal while lines are typed."""
    said = StringIO()
    Human(Terminal(typed), said, ("first",)).choose(position, history)
    return said.getvalue().split(" to move\n", 1)[1]


def test_what_a_terminal_answers(ayu: Game) -> None:
    said = asked(ayu.start(), "moves\nhelp\nundo\n")
    assert "b1-b2  b3-b2\n" in said
    assert "Type a move, such as b1-b2, or" in said
    assert "take back your last move" in said
    assert "no earlier move of yours" in said


def test_a_player_who_chooses_no_move_is_at_fault(ayu: Game) -> None:
    """Once, the match asked forever."""

    class Talker:
        name = "talker"

        def choose(self, position: Position, history: Sequence[Decision]) -> Any:
            return str(position.legal_moves[0])

    with pytest.raises(TypeError, match="talker chose 'b1-b2', which is no move and no wish"):
        play(ayu, Talker(), Talker())


def test_how_the_game_is_played_is_told_at_a_terminal() -> None:
    said = " ".join(asked(Game.load("ayu", size=3).start(), "rules\n").split())
    assert "Attach your units. A player who cannot move has won. Black begins, and each turn" in said
    untold = (
        'game "Untold"\nplayers Black, White\nboard squares(2)\npieces stone\n'
        "turn:\n    choose s in empty\n    place stone at s\nend:\n    if no empty: draw\n"
    )
    assert "These rules do not tell how to play." in asked(Game.from_text(untold).start(), "rules\n")


def test_the_move_of_another_person_is_not_taken_back(ayu: Game) -> None:
    start = ayu.start()
    swapped = [(start, start.parse("b1-b2"))]
    said = StringIO()
    Human(Terminal("undo\n"), said, ("second",)).choose(start.play("b1-b2"), swapped)
    assert "no earlier move of yours" in said.getvalue()


def test_a_mistyped_move_is_answered_in_one_sentence(ayu: Game) -> None:
    prompt = "Black's move (or help): "
    assert asked(ayu.start(), "b1-c3\n") == (
        f"{prompt}`b1-c3` is not legal here; near it: b1-b2; 2 legal moves in all.\n{prompt}\n"
    )


def test_the_end_of_the_input_ends_the_line_of_the_prompt(ayu: Game) -> None:
    assert asked(ayu.start(), "") == "Black's move (or help): \n"


@pytest.mark.parametrize(
    ("game", "moves", "prompt"),
    [
        ("squared_egotzi", "", "Black's move, bid: 0 2 4 ... 18 (or help): "),
        ("squared_egotzi", "4", "White's move, take side: keep or swap (or help): "),
        ("squared_egotzi", "4 keep", "Black's move (or help): "),
        ("egotzi", "a1", "White's move (swap is possible; or help): "),
    ],
)
def test_the_prompt_names_what_the_board_does_not_show(game: str, moves: str, prompt: str) -> None:
    position = Game.load(game, size=3).start()
    for move in moves.split():
        position = position.play(move)
    assert asked(position, "").startswith(prompt)


TWISTING = """game "Twisting"
players Black, White
board squares(3)
pieces stone
turn:
    choose s in empty
    place stone at s
    again: twist_it
turn twist_it:
    either:
        choose s in mine
        remove s
    or:
        notation "go"
end:
    if no empty: draw
"""


def test_the_prompt_names_the_turn_that_again_has_led_to() -> None:
    """Once, nothing at the terminal told that the mover was to turn something now."""
    position = Game.from_text(TWISTING).start()
    assert asked(position, "").startswith("Black's move (or help): ")
    assert asked(position.play("a1"), "").startswith("Black's move, twist it (go is possible; or help): ")


def test_help_shows_a_move_of_each_sort() -> None:
    position = Game.load("egotzi", size=2).start().play("a1")
    assert "Type a move, such as b1 or swap, or one" in asked(position, "help\n")


def test_many_moves_are_listed_by_their_first_words() -> None:
    start = Game.load("ayu", size=7).start()  # the move counts of an independent program: 34 moves
    said = asked(start, "moves\n").splitlines()[:-1]
    assert len(said) == 12, "one line for each stone of Black"
    assert said[0].endswith("b1-b2  b1-c1")
    assert " ".join(said).count("-") == 34


@pytest.mark.parametrize("word", ["quit", "exit", "q", "Q"])
def test_words_that_leave(ayu: Game, word: str) -> None:
    assert Human(StringIO(f"{word}\n"), StringIO()).choose(ayu.start(), []) is Wish.LEAVE


@pytest.mark.parametrize(("line", "wish"), [("resign", Wish.RESIGN), ("Undo", Wish.UNDO)])
def test_wishes(ayu: Game, line: str, wish: Wish) -> None:
    start = ayu.start()
    history = [(start, start.parse("b1-b2"))]
    assert Human(StringIO(f"{line}\n"), StringIO()).choose(start, history) is wish


# --- replaying ---------------------------------------------------------------

REPETITION = (
    "b1-b2 a2-a3 b2-b4 c2-d2 d3-d4 c4-c3 b3-c4 c3-c2 b5-b3 c2-e3 d5-b2 d2-e5 b2-d3 e5-d2 d3-b2".split()
)


def record(game: str, result: str, moves: str, /, **options: int | bool) -> Record:
    return Record(game=game, result=result, moves=tuple(moves.split()), options=options)


def test_a_repeated_position_is_a_draw() -> None:
    game = Record(game="Ayu", result="draw", moves=tuple(REPETITION), options={"size": 5})
    assert replay(game) == Report("Ayu", "draw", plies=15)
    early = evolve(game, moves=game.moves[:-1], result="*")
    assert replay(early).fault is None


def test_the_record_in_the_manual_is_right() -> None:
    manual = (Path(__file__).parent.parent / "docs" / "records.md").read_text(encoding="utf-8")
    (report,) = replay_all(manual.split("```\n")[1], Path())
    assert (report.game, report.plies, report.fault) == ("Ayu", 15, None)


def test_numbers_of_plies_in_words() -> None:
    assert str(replay(record("Ayu", "*", "b1-b2", size=3))) == "Ayu: 1 ply, *: ok"
    assert str(replay(record("Ayu", "*", "", size=3))) == "Ayu: 0 plies, *: ok"


def test_the_result_must_be_the_recorded_one() -> None:
    right = record("Ayu", "Black", "b1-b2 a2-a1", size=3)
    assert replay(right).fault is None
    for result in ("White", "draw", "*", "first"):
        fault = replay(evolve(right, result=result)).fault
        assert fault is not None
        assert f'[Result "{result}"]' in fault
        assert "Black (first) wins" in fault


def test_an_unfinished_game_has_no_winner() -> None:
    assert replay(record("Ayu", "*", "b1-b2", size=3)).fault is None
    assert "the game is not over" in str(replay(record("Ayu", "Black", "b1-b2", size=3)).fault)


def test_who_resigns_loses() -> None:
    resigned = evolve(record("Ayu", "Black", "b1-b2", size=3), resigned=True)
    assert replay(resigned).fault is None
    wrong = replay(evolve(resigned, result="White"))
    assert (wrong.ply, wrong.move) == (2, "resign")
    assert "Black (first) wins; White has resigned" in str(wrong.fault)
    assert "Nobody can resign" in str(replay(evolve(resigned, moves=("b1-b2", "a2-a1"))).fault)


def test_the_first_illegal_move_is_named() -> None:
    report = replay(record("Ayu", "*", "b1-b2 a2-a3 b9-b8 c1-c2", size=5))
    assert (report.plies, report.ply, report.move) == (2, 3, "b9-b8")
    assert str(report).startswith("Ayu, ply 3, b9-b8: ")


def test_nothing_is_played_after_the_end() -> None:
    report = replay(record("Ayu", "Black", "b1-b2 a2-a1 b2-b1", size=3))
    assert (report.ply, report.move) == (3, "b2-b1")
    assert "already over" in str(report.fault)


@pytest.mark.parametrize(
    "broken",
    [
        record("No Such Game", "*", ""),
        record("Ayu", "*", "", size=4),
        record("Ayu", "*", "", colour=1),
        record("Ayu", "*", "", game=1),
        record("Ayu", "*", "", name=5),
        record("Ayu", "*", "", size=True),
        evolve(record("Ayu", "*", ""), file="no/such/file.game"),
        evolve(record("Another Game", "*", ""), file="ayu"),
        evolve(record("Ayu", "*", ""), file="\0"),
    ],
)
def test_a_game_that_cannot_be_loaded_is_a_fault(broken: Record) -> None:
    report = replay(broken)
    assert report.fault
    assert report.ply is None


def test_a_title_that_leads_to_no_rules_needs_a_file_tag() -> None:
    tag = "a File tag in the record says where its rules are"
    assert tag in str(replay(record("No Such Game", "*", "")).fault)
    assert tag not in str(replay(evolve(record("Ayu", "*", ""), file="no/such/file.game")).fault)


def test_one_record_after_the_other() -> None:
    good = str(record("Ayu", "Black", "b1-b2 a2-a1", size=3))
    bad = str(record("Ayu", "White", "b1-b2 a2-a1", size=3))
    reports = list(replay_all("\n".join([good, bad, '[Game "Ayu"]\n{', good]), Path()))
    assert [report.fault is None for report in reports] == [True, False, False, True]


def test_options_named_like_our_own_arguments_are_unknown_options() -> None:
    text = "".join(str(record("Ayu", "*", "", **{name: 5})) for name in ("name", "cls", "self", "rules"))
    reports = list(replay_all(text, Path()))
    assert ["has no option" in str(report.fault) for report in reports] == [True] * 4


def test_a_rule_file_beside_the_records_is_found(tmp_path: Path) -> None:
    (tmp_path / "my.game").write_text('variant "My Ayu" of "Ayu"\n"Small."\n\noption size: 3..5 step 2 = 3\n')
    mine = evolve(record("My Ayu", "Black", "b1-b2 a2-a1"), file="my.game")
    assert replay(mine, tmp_path).fault is None
    assert replay(mine).fault


# --- counting ----------------------------------------------------------------


def test_move_sequences_of_ayu() -> None:
    assert list(sequences(Game.load("ayu", size=3).start(), 3)) == [2, 4, 0]
    assert list(sequences(Game.load("ayu", size=5).start(), 3)) == [14, 176, 1460]


def test_distinct_positions_of_egotzi() -> None:
    assert list(distinct(Game.load("egotzi", size=2, pie=False).start(), 4)) == [4, 12, 12, 6]
    assert list(distinct(Game.load("egotzi", size=3, pie=False).start(), 4)) == [9, 60, 224, 664]


def test_the_swap_counts_as_a_move() -> None:
    """4 squares, then 3 squares or the swap."""
    assert list(sequences(Game.load("egotzi", size=2, pie=True).start(), 2)) == [4, 4 * (3 + 1)]


# --- what must always hold ---------------------------------------------------

GAMES = [
    ("ayu", {"size": 5}),
    ("ayu", {"size": 5, "pie": True}),
    ("egotzi", {"size": 4}),
    ("squared_egotzi", {"size": 3}),
    ("squared_egotzi", {"size": 2, "auction": False, "komi": 4}),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_random_games_replay_from_their_records(name: str, options: dict[str, int | bool], seed: int) -> None:
    match = play(Game.load(name, **options), Random(seed, "first"), Random(seed, "second"))
    assert match.result is not None
    (again,) = parse(str(match.record()))
    assert again == match.record()
    assert isinstance(again, Record)
    assert replay(again).fault is None


@pytest.mark.parametrize(("name", "options"), GAMES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**9), data=st.data())
def test_undo_is_the_replay_of_the_prefix(
    name: str, options: dict[str, int | bool], seed: int, data: st.DataObject
) -> None:
    game = Game.load(name, **options)
    match = play(game, Random(seed, "first"), Random(seed, "second"))
    place = data.draw(st.integers(0, len(match.history) - 1))
    position = game.start()
    for _, move in match.history[:place]:
        position = position.play(move.notation)
    assert position == match.history[place][0]


def test_one_thing_is_one_thing_and_many_have_commas() -> None:
    """Once, there were "1 positions" and "10000 plies"."""
    assert [plies(number) for number in (0, 1, 10_000)] == ["0 plies", "1 ply", "10,000 plies"]
    assert [counted(number, "position") for number in (1, 2)] == ["1 position", "2 positions"]
