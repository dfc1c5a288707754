"""Whole random games that OpenSpiel and python-chess played, move by move on the native engine.

The data (written by `tools/openspiel_traces.py`; the first line names the versions) holds the number of
legal moves before every move, for the first game of each sort also the moves themselves, and the winner.
The moves agree everywhere. If one of the programs ends a game that goes on by the rules here, `STOPPED`
says why.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rules import legal
from traces import Translate, follow, letter, load, same, uci, winner_of

from interpreter.game import Game, Position
from interpreter.perft import sequences

HERE = Path(__file__).parent
DATA = json.loads((HERE / "data" / "openspiel.json").read_text())
TRACES = DATA["traces"]

# --- how moves are written there -------------------------------------------------


def squares(move: str) -> list[str]:
    """The squares of a move written as pairs of letter and digit."""
    word = move.replace("+", "").replace("x", "").replace("-", "").replace("*", "")
    return [word[i : i + 2] for i in range(0, len(word), 2)]


def path(move: str, _: Position) -> str:
    """From square to square; a leap starts where the one before it ended."""
    first, *rest = [square for step in move.split("+") for square in squares(step)]
    return "-".join([first, *rest[::2]])


def upside_down(rows: int) -> Translate:
    """There the upper player begins."""

    def translate(move: str, _: Position) -> str:
        return "-".join(f"{square[0]}{rows + 1 - int(square[1])}" for square in squares(move))

    return translate


def from_above(move: str, _: Position) -> str:
    """There a square is given by its row, counted from the top of ten, and its column."""
    queen, square, arrow = (
        f"{letter(int(column) - 1)}{11 - int(row)}"
        for row, column in (step.split(",") for step in move.split("+"))
    )
    return f"{queen}-{square}/{arrow}"


def row_and_column(move: str, _: Position) -> str:
    row, column = map(int, move.split(","))
    return f"{letter(column)}{row + 1}"


def drop(move: str, position: Position) -> str:
    """There a disc is named by its column alone."""
    column = letter(int(move))
    return next(square for square in legal(position) if square[0] == column)


def side_of_a_box(move: str, _: Position) -> str:
    way, row, column = move.split(",")
    up, right = 2 * int(row) + 1, 2 * int(column)
    return f"{letter(right + 1)}{up}" if way == "h" else f"{letter(right)}{up + 1}"


def go_point(move: str, _: Position) -> str:
    """There no column is called i."""
    return "pass" if move == "PASS" else move if move < "i" else letter(ord(move[0]) - ord("b")) + move[1:]


def hexagonal(side: int) -> Translate:
    """There columns lean the other way."""

    def translate(move: str, _: Position) -> str:
        return letter(2 * side - 1 - (ord(move[0]) - ord("a") + 1)) + move[1:]

    return translate


def pit(move: str, _: Position) -> str:
    """There pits are counted around the board."""
    number = int(move)
    return f"{letter(number)}1" if number < 7 else f"{letter(14 - number)}2"


def house(move: str, _: Position) -> str:
    """There houses have letters from each player's left."""
    return f"{move}1".lower() if move.isupper() else f"{letter(ord('f') - ord(move))}2"


MILL_POINTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()


def mill_points(move: str, _: Position) -> str:
    """There points are numbered line by line."""
    return "-".join(MILL_POINTS[int(number)] for number in move.replace("+", ",").split(","))


#: The middle of the quarter, and the direction in which its top row goes.
QUARTERS = {
    "s": "b5-west", "t": "b5-east", "u": "e5-west", "v": "e5-east",
    "w": "e2-west", "x": "e2-east", "y": "b2-west", "z": "b2-east",
}  # fmt: skip


def quarter_turn(move: str, _: Position) -> str:
    """There rows are counted from the top, and a letter names the quarter and the way it turns."""
    return f"{move[0]}{7 - int(move[1])}-{QUARTERS[move[2]]}"


def xiangqi(move: str, _: Position) -> str:
    """There `C(7,1)-(5,1)` names the piece, and rows are counted from the top."""
    return "-".join(f"{letter(int(word[3]))}{10 - int(word[1])}" for word in move[1:].split("-"))


def within_a_board(move: str, _: Position) -> str:
    """There a square is given by its small board, its row from the top and its column."""
    board, row, column = map(int, move.split("+")[-1].split(","))
    return f"{letter(board % 3 * 4 + column)}{11 - board // 3 * 4 - row}"


#: The trace, the game, its options, and the function that writes a move of the trace as here.
CASES: list[tuple[str, str, dict[str, int | bool], Translate]] = [
    ("amazons", "amazons", {}, from_above),
    ("breakthrough", "breakthrough", {}, upside_down(8)),
    ("breakthrough 6x7", "breakthrough", {"columns": 6, "rows": 7}, upside_down(7)),
    ("checkers", "english_draughts", {}, path),
    ("clobber", "clobber", {}, path),
    ("clobber 8x7", "clobber", {"columns": 8, "rows": 7}, path),
    ("connect_four", "connect_four", {}, drop),
    ("dots_and_boxes", "dots_and_boxes", {"columns": 2}, side_of_a_box),
    ("dots_and_boxes 4x3", "dots_and_boxes", {"columns": 4, "rows": 3}, side_of_a_box),
    ("go 5", "go", {"size": 5}, go_point),
    ("go 9", "go", {"size": 9}, go_point),
    ("gomoku", "gomoku", {}, row_and_column),
    ("gomoku 8", "gomoku", {"size": 8}, row_and_column),
    ("mnk", "gomoku", {"size": 9}, row_and_column),
    ("havannah", "havannah", {}, hexagonal(8)),
    ("havannah 4", "havannah", {"size": 4}, hexagonal(4)),
    ("hex", "hex", {"pie": False}, same),
    ("hex 5x7", "hex", {"columns": 5, "rows": 7, "pie": False}, same),
    ("hex 7x5", "hex", {"columns": 7, "rows": 5, "pie": False}, same),
    ("misere hex 5", "misere_hex", {"columns": 5, "pie": False}, same),
    ("lines_of_action", "lines_of_action", {"repeats": 2}, path),
    ("mancala", "kalah", {}, pit),
    ("nine_mens_morris", "nine_mens_morris", {}, mill_points),
    ("othello", "reversi", {}, same),
    ("oware", "oware", {}, house),
    ("pentago", "pentago", {"at_once": False}, quarter_turn),
    ("tic_tac_toe", "tic_tac_toe", {}, row_and_column),
    ("misere tic_tac_toe", "misere_tic_tac_toe", {}, row_and_column),
    ("ultimate_tic_tac_toe", "ultimate_tic_tac_toe", {}, within_a_board),
    ("y 9", "y", {"size": 9}, same),
    ("y 5", "y", {"size": 5}, same),
    ("xiangqi", "xiangqi", {}, xiangqi),
    ("chess", "chess", {}, uci),
    ("king of the hill", "king_of_the_hill", {}, uci),
    ("three-check", "three_check", {}, uci),
    ("racing kings", "racing_kings", {}, uci),
    ("antichess", "antichess", {}, uci),
]


def no_capture(positions: list[Position]) -> bool:
    """There it is a draw after forty moves in a row without a capture, twenty by each player.

    The rules of the World Checkers/Draughts Federation require forty by each, with no man moved either.
    """
    return len(positions[-1].board) == len(positions[-41].board)


#: When a game is a draw there but goes on here: after how many moves, or for what reason.
STOPPED: dict[str, int | Callable[[list[Position]], bool]] = {
    "checkers": no_capture,
    "nine_mens_morris": 200,
    "xiangqi": 500,
}
#: The reason why a game is over here that goes on there.
GOES_ON = {
    "xiangqi": "repetitions = 3",
    # python-chess calls this insufficient material, at the same move of each game, but was made to play on.
    "chess": "no pawn + rook + queen and size(knight + bishop) <= 1",
}


def winner_here(position: Position, trace: str) -> str | None:
    """The winner; the komi of Go is half a point more there than here."""
    result = position.result
    assert result is not None, position.line()
    if trace.startswith("go "):
        assert result.scores is not None
        return "Black" if result.scores["Black"] > result.scores["White"] + 0.5 else "White"
    return result.winner


def compare(start: Position, trace: str, game: dict, translate: Translate) -> None:
    positions = follow(start, game, translate)
    last = positions[-1]
    if last.result is not None and last.ply < len(game["counts"]):
        assert last.result.reason == GOES_ON[trace], last.line()
    elif last.over or any(game["returns"]):
        assert winner_here(last, trace) == winner_of(game, start), last.line()
    else:
        why = STOPPED[trace]
        assert why(positions) if callable(why) else last.ply == why, last.line()


@pytest.mark.parametrize(("trace", "name", "options", "translate"), CASES, ids=[case[0] for case in CASES])
def test_one_game(trace, name, options, translate):
    compare(load(name, **options), trace, TRACES[trace]["games"][0], translate)


@pytest.mark.slow
@pytest.mark.parametrize(("trace", "name", "options", "translate"), CASES, ids=[case[0] for case in CASES])
def test_all_games(trace, name, options, translate):
    for game in TRACES[trace]["games"][1:]:
        compare(load(name, **options), trace, game, translate)


def test_gomoku_on_a_torus(tmp_path):
    path = tmp_path / "toroidal_gomoku.game"
    path.write_text('variant "Toroidal Gomoku" of "Gomoku"\nboard points(size, wrap: orthogonal)\n')
    start = Game.load(str(path), size=9).on("native").start()
    for game in TRACES["gomoku on a torus"]["games"]:
        compare(start, "gomoku on a torus", game, row_and_column)


@pytest.mark.parametrize("trace", DATA["counts"])
def test_counts(trace):
    name, options = next(case[1:3] for case in CASES if case[0] == trace)
    assert list(sequences(load(name, **options), len(DATA["counts"][trace]))) == DATA["counts"][trace]
