"""Records: from text and back, and messages about broken ones. The format is described in docs/records.md."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from commandline import gdl
from hypothesis import given
from hypothesis import strategies as st

from interpreter.game import Game
from interpreter.record import (
    Record,
    RecordError,
    append,
    check_records,
    decode,
    parse,
    parse_moves,
    read_option,
)

AYU = """\
[Game "Ayu"]
[Option "size=5"]
[Option "pie=no"]
[First "human"]
[Second "random:7"]
[Result "*"]

1. b1-b2 2. a2-a3
"""


def only(text: str) -> Record:
    """The one record of a text."""
    (record,) = parse(text)
    assert isinstance(record, Record), record
    return record


def moves_of(text: str) -> tuple[str, ...]:
    return only(f'[Game "Ayu"]\n[Result "*"]\n\n{text}\n').moves


def fault_of(text: str) -> str:
    """The one error in a text that holds one record."""
    (error,) = parse(text)
    assert isinstance(error, RecordError)
    return str(error)


# --- reading -----------------------------------------------------------------


def test_a_record_has_tags_and_moves() -> None:
    assert only(AYU) == Record(
        game="Ayu",
        options={"size": 5, "pie": False},
        first="human",
        second="random:7",
        result="*",
        moves=("b1-b2", "a2-a3"),
    )


def test_writing_gives_the_documented_text() -> None:
    assert str(only(AYU)) == AYU


@pytest.mark.parametrize(
    "text",
    [
        "b1-b2 a2-a3 b2-b4",
        "1. b1-b2 a2-a3 2. b2-b4",
        "1. b1-b2 1... a2-a3 2. b2-b4",
        "1.b1-b2 2.a2-a3 3.b2-b4",
        "1. b1-b2 2. a2-a3 3. b2-b4 *",
        "1. b1-b2 ... a2-a3\n\n\n2. b2-b4",
        '"b1-b2" a2-a3 "b2-b4"',
        "b1-b2 { a fine move } a2-a3 ; and so on\nb2-b4",
        "b1-b2 { over\n\ntwo lines } a2-a3{close}b2-b4",
    ],
)
def test_numbers_comments_and_blanks_do_not_matter(text: str) -> None:
    assert moves_of(text) == ("b1-b2", "a2-a3", "b2-b4")


def test_a_bare_number_is_a_move() -> None:
    """An auction is played with numbers; only those with a dot number the moves."""
    assert moves_of("1. 24 2. swap 3. a1") == ("24", "swap", "a1")


def test_resign_is_the_last_word() -> None:
    record = only('[Game "Ayu"]\n[Result "White"]\n\n1. b1-b2 2. a2-a3 resign\n')
    assert record.resigned
    assert record.moves == ("b1-b2", "a2-a3")


def test_a_move_in_quotes_is_never_a_resignation() -> None:
    record = only('[Game "Ayu"]\n[Result "*"]\n\n"resign"\n')
    assert (record.moves, record.resigned) == (("resign",), False)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark(end: str) -> None:
    assert only(decode(b"\xef\xbb\xbf" + AYU.replace("\n", end).encode())) == only(AYU)


def test_several_records_know_their_lines() -> None:
    records = list(parse(f"; my games\n\n{AYU}\n\n{AYU}"))
    assert [record.line for record in records if isinstance(record, Record)] == [3, 13]


def test_a_record_without_moves_ends_where_the_next_one_starts() -> None:
    first, second = parse('[Game "Ayu"]\n[Result "*"]\n\n[Game "Egotzi"]\n[Result "*"]\n')
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.game, second.game) == ("Ayu", "Egotzi")


def test_other_tags_are_kept() -> None:
    assert only('[Game "Ayu"]\n[Date "2011.05.01"]\n[Result "*"]\n').tags == (("Date", "2011.05.01"),)


def test_names_of_tags_in_any_case() -> None:
    assert only('[game "Ayu"]\n[RESULT "*"]\n[option "size=5"]').options == {"size": 5}


def test_quotes_and_backslashes_in_values() -> None:
    record = only(r'[Game "The \"Game\""]' + "\n" + r'[File "C:\\games\x.game"]' + '\n[Result "*"]')
    assert (record.game, record.file) == ('The "Game"', r"C:\games\x.game")


def test_an_empty_text_holds_no_record() -> None:
    assert list(parse("")) == list(parse("\n ; nothing { here }\n")) == []


# --- broken records ----------------------------------------------------------

HEAD = '[Game "Ayu"]\n[Result "*"]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[Game "Ayu"]\n\nb1-b2', "Line 1: the record has no result"),
        (HEAD + "b1-b2 { never closed\na2-a3", "Line 3: a comment is never closed"),
        (HEAD + 'b1-b2\n"a2-a3', "Line 4: a quote is never closed"),
        (HEAD + "b1-b2 ]", "Line 3: this means nothing: ]"),
        ("[Game Ayu]", "Line 1: this is no tag: [Game Ayu]"),
        (HEAD + "[Option size=5]", "Line 3: this is no tag"),
        (HEAD + '[Option "size"]', "Line 3: `size` is no option"),
        (HEAD + '[Option "size=big"]', "Line 3: `size=big` is no option"),
        (HEAD + '[Option "size=5"]\n[Option "size=7"]', "Line 4: the option size is given twice"),
        (HEAD + '[Result "*"]', "Line 3: the tag Result is given twice"),
        (HEAD + 'b1-b2\n[First "me"]', "Line 4: a tag after the moves"),
        (HEAD + "b1-b2 resign a2-a3", "Line 3: `a2-a3` stands after `resign`"),
        (HEAD + "* b1-b2", "Line 3: `b1-b2` stands after `*`"),
    ],
)
def test_an_error_says_its_line(text: str, words: str) -> None:
    assert words in fault_of(text)


def test_text_before_the_first_record_is_an_error() -> None:
    error, record = parse(f"b1-b2\n{AYU}")
    assert str(error).startswith("Line 1: a record starts with its tag")
    assert isinstance(record, Record)


def test_a_broken_record_leaves_the_next_one_whole() -> None:
    error, record = parse(f"{HEAD}b1-b2 {{ never closed\n{AYU}")
    assert str(error).startswith("Line 3:")
    assert record == only(AYU)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(UnicodeDecodeError):
        decode(b"\xff\xfe[Game]")


def test_a_line_break_cannot_be_written() -> None:
    with pytest.raises(RecordError, match="line break"):
        str(Record(game="two\nlines", result="*"))


# --- options and lists of moves ----------------------------------------------


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("size=9", ("size", 9)),
        ("komi=-2", ("komi", -2)),
        ("pie=yes", ("pie", True)),
        ("pie=No", ("pie", False)),
        ("pie=true", ("pie", True)),
        ("pie = false", ("pie", False)),
    ],
)
def test_options(text: str, option: tuple[str, int | bool]) -> None:
    assert read_option(text) == option
    assert type(read_option(text)[1]) is type(option[1])


@pytest.mark.parametrize("text", ["", "=", "size", "size=", "=9", "size=9.5", "size=٩", "size=1_0"])
def test_no_options(text: str) -> None:
    with pytest.raises(RecordError, match="is no option"):
        read_option(text)


@pytest.mark.parametrize("digits", ["9" * 19, "-" + "9" * 23, "9" * 5000])
def test_a_number_of_too_many_digits_is_called_so(digits: str) -> None:
    """Once, it was said not to be a whole number."""
    with pytest.raises(RecordError, match=r"^The option size is a number of at most 18 digits\.$"):
        read_option(f"size={digits}")


@pytest.mark.parametrize("text", ["", "\n\n", "; games of mine\n", HEAD + "b1-b2\n", "\ufeff" + HEAD, "{ }"])
def test_a_file_for_records_may_be_empty_or_hold_some(text: str, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    check_records(str(path))
    path.write_text(text, encoding="utf-8")
    check_records(str(path))


@pytest.mark.parametrize("text", ['game "Toll"\n', "Dear all,\n", '[Event "?"]\n\n1. e4 e5 *\n', "{ open"])
def test_a_file_of_something_else_is_not_for_records(text: str, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(text)
    with pytest.raises(RecordError, match=r"letter.txt is no file of records; it is left as it is\.$"):
        check_records(str(path))


def test_moves_of_a_line() -> None:
    assert parse_moves('1. b1-b2 a2-a3 "long jump"') == ("b1-b2", "a2-a3", "long jump")
    with pytest.raises(RecordError, match="is no move"):
        parse_moves('[Game "Ayu"] b1-b2')


# --- files -------------------------------------------------------------------


def test_records_are_added_to_a_file(tmp_path: object) -> None:
    path = f"{tmp_path}/games.txt"
    append(path, only(AYU))
    append(path, only(AYU))
    with open(path, encoding="utf-8") as file:
        assert file.read() == f"{AYU}\n{AYU}"


def test_a_file_that_ends_in_the_middle_of_a_line_is_still_read(tmp_path: object) -> None:
    path = f"{tmp_path}/games.txt"
    with open(path, "w", encoding="utf-8") as file:
        file.write(AYU.rstrip("\n"))
    append(path, only(AYU))
    with open(path, "rb") as file:
        assert list(parse(decode(file.read()))) == [only(AYU)] * 2


def test_who_adds_a_record_waits_for_who_is_at_it(tmp_path: object) -> None:
    fcntl = pytest.importorskip("fcntl")
    path = f"{tmp_path}/games.txt"
    with open(path, "ab", buffering=0) as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        thread = threading.Thread(target=append, args=(path, only(AYU)))
        thread.start()
        thread.join(0.1)
        other.write(AYU.encode())
    thread.join(60)
    with open(path, encoding="utf-8") as file:
        assert file.read() == f"{AYU}\n{AYU}"


def test_a_record_that_is_longer_than_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.record.MAX_TOKENS", 8)
    assert only(AYU).moves == ("b1-b2", "a2-a3")
    assert "Line 1: the record has more than 8" in fault_of(f"{AYU.rstrip()} 3. c1-c2")


def test_a_full_disk_is_an_os_error() -> None:
    with pytest.raises(OSError, match="No space left"):
        append("/dev/full", only(AYU))


# --- round trips -------------------------------------------------------------

line_text = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=20)
tag_names = st.from_regex(r"\A[A-Z][A-Za-z0-9_]{0,8}\Z").filter(
    lambda name: name.lower() not in ("game", "file", "first", "second", "result", "option")
)
option_names = st.from_regex(r"\A[a-z][a-z0-9_]{0,8}\Z")
records = st.builds(
    Record,
    game=line_text,
    result=line_text,
    moves=st.lists(line_text | st.sampled_from(["b1-b2", "resign", "*", "1.", "1.b1", "24", "..."])).map(
        tuple
    ),
    resigned=st.booleans(),
    options=st.dictionaries(option_names, st.booleans() | st.integers(-(10**17), 10**17), max_size=4),
    first=line_text,
    second=line_text,
    file=st.none() | line_text,
    tags=st.lists(st.tuples(tag_names, line_text), max_size=3).map(tuple),
)


@given(st.lists(records, min_size=1, max_size=4))
def test_any_record_reads_as_it_was_written(games: list[Record]) -> None:
    text = decode("\n".join(map(str, games)).encode())
    assert list(parse(text)) == games


@given(st.text(st.sampled_from('[]{}";*.1ab \\\nGame"') | st.characters(), max_size=80))
def test_any_text_gives_records_or_record_errors(text: str) -> None:
    for record in parse(text):
        assert isinstance(record, (Record, RecordError))


# --- chess from elsewhere ----------------------------------------------------------

#: The Opera Game (Morphy against two allies, Paris 1858), as chess programs write it.
OPERA = """\
[Event "?"]
[Site "Paris"]
[White "Morphy"]
[Black "Allies"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {this loses time} 4. dxe5 Bxf3 5. Qxf3 dxe5 (5... Nd7) 6. Bc4 Nf6 7. Qb3 Qe7 $2
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+! Nxb8 17. Rd8# 1-0
"""


def test_a_game_of_a_chess_program() -> None:
    record, other = parse(OPERA + "\n" + OPERA.replace("17. Rd8# 1-0", "1-0"))
    assert isinstance(record, Record)
    assert (record.game, record.first, record.second, record.result) == ("Chess", "Morphy", "Allies", "1-0")
    position = Game.load("chess").start()
    for move in record.moves:
        position = position.play(move)
    assert position.result is not None
    assert (position.result.person, position.result.reason) == ("first", "checkmate")
    assert isinstance(other, Record)
    assert other.moves == record.moves[:-1]


def test_a_replay_of_games_of_a_chess_program(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(
        OPERA + OPERA.replace("17. Rd8# 1-0", "1-0") + OPERA.replace("1-0", "0-1"), encoding="utf-8"
    )
    said = gdl("replay", str(path)).stdout.splitlines()
    assert said[:2] == ["1. Chess: 33 plies, 1-0: ok", "2. Chess: 32 plies, 1-0: ok"]
    assert "The record says 0-1, but the game ends: White (first) wins: checkmate." in said[2]


# --- games kept as JSON ----------------------------------------------------------


def kept(**changes: object) -> str:
    """A file of one kept game."""
    task = {"game": "ayu", "options": {"size": 5, "pie": False}, "first": "random:1", "second": "mcts:20"}
    game = {"task": task, "moves": ["b1-b2", "a2-a3"], "winner": None, "reason": None, "finished": False}
    return f'{{"asked": {{"command": "tournament"}}}}\n{json.dumps(game | changes)}\n'


def test_a_game_that_was_kept_is_a_record() -> None:
    options = {"size": 5, "pie": False}
    moves = "b1-b2", "a2-a3"
    assert only(kept()) == Record("ayu", "*", moves, False, options, "random:1", "mcts:20")
    assert only(kept(finished=True)).result == "draw"
    resigned = only(kept(finished=True, winner="White", reason="resign"))
    assert (resigned.result, resigned.resigned) == ("White", True)
    assert only(str(resigned)) == resigned


TASK = {"game": "ayu", "options": {}, "first": "a", "second": "b"}


@pytest.mark.parametrize(
    "changes",
    [
        {"moves": "b1-b2"},
        {"moves": [1]},
        {"winner": 1},
        {"task": {}},
        # What no record can hold; the import of the server failed on it.
        {"task": {**TASK, "first": "\ud800"}},
        {"task": {**TASK, "options": {"size": 10**4200}}},
        {"task": {**TASK, "options": {"size": 10**20}}},
        {"winner": "A\nB", "finished": True},
        {"moves": ["b1\n-b2"]},
    ],
    ids=range(9),
)
def test_a_line_that_is_no_game_is_told_where_games_were_kept(changes: dict[str, object]) -> None:
    assert fault_of(kept(**changes)) == "Line 2: this is no game."


def test_a_name_with_a_line_separator_does_not_end_a_line() -> None:
    assert only(kept(task={**TASK, "first": "x\u2028y"}).replace("\\u2028", "\u2028")).first == "x\u2028y"


def test_a_last_line_that_was_cut_leaves_the_others() -> None:
    text = kept()
    record, fault = parse(text + text.splitlines()[1][:40])
    assert isinstance(record, Record)
    assert str(fault) == "Line 3: this is no game."


def test_the_games_of_a_tournament_are_replayed(tmp_path: Path) -> None:
    """Once, no record was found in such a file."""
    path = tmp_path / "games.jsonl"
    words = ("ayu", "size=3", "--players", "random", "greedy", "--games", "4", "--processes", "1")
    games = json.loads(gdl("tournament", *words, "--save", str(path), "--json").stdout)["games"]
    reports = json.loads(gdl("replay", str(path), "--json").stdout)
    assert all(report["ok"] for report in reports)
    ended = [(game["winner"] or "draw", game["plies"]) for game in games]
    assert sorted((report["result"], report["plies"]) for report in reports) == sorted(ended)
