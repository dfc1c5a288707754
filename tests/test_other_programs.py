"""Whole random games of further programs, each for a game or two, move by move on the native engine.

The data names the program, with its version or commit. The numbers of legal moves agree before every move,
and in the first game of each sort the moves themselves. `GOES_ON` and `STOPPED` say when a game is over
sooner in one of the two.

Brandubh's rules are lost. The program has two reconstructions of how the king is captured: by two attackers,
or only by four. Rare events have been picked from the games after the first: the last two of draughts, which
are drawn there; the last one of Brandubh (`between_two_others`); and the last five with a strong king, in
which he is captured.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from traces import Translate, follow, letter, load, same, uci, winner_of

from interpreter.game import Position
from interpreter.perft import sequences

DATA = json.loads((Path(__file__).parent / "data" / "other_programs.json").read_text())
TRACES = DATA["traces"]


def numbered(size: int) -> Translate:
    """There the dark squares are counted from the top."""

    def translate(move: str, _: Position) -> str:
        places = (divmod(int(number) - 1, size // 2) for number in move.split("-"))
        return "-".join(f"{letter(2 * column + (row + 1) % 2)}{size - row}" for row, column in places)

    return translate


def shogi(move: str, _: Position) -> str:
    """There the hands are not on the board: the first column is our fourth."""
    field = re.sub("[a-e](?=[1-5])", lambda column: letter(ord(column[0]) - ord("a") + 3), move)
    return field.replace("@", "*") if "@" in move else f"{field[:2]}-{field[2:]}"


#: The trace, the game, its options, and the function that writes a move of the trace as here.
CASES: list[tuple[str, str, dict[str, int | bool], Translate]] = [
    ("draughts", "international_draughts", {}, numbered(10)),
    ("brazilian draughts", "brazilian_draughts", {}, numbered(8)),
    ("los alamos chess", "los_alamos_chess", {}, uci),
    ("brandubh", "brandubh", {}, same),
    ("brandubh strong king", "brandubh", {"strong_king": True}, same),
    ("connect6", "connect6", {}, same),
    ("dodgem", "dodgem", {}, same),
    ("dodgem 4", "dodgem", {"size": 4}, same),
    ("fox and hounds", "fox_and_hounds", {}, same),
    ("knightthrough", "knightthrough", {}, same),
    ("minishogi", "minishogi", {}, shogi),
    ("nogo", "nogo", {}, same),
    ("surakarta", "surakarta", {}, same),
]


def counted_from_the_last_capture(positions: list[Position]) -> bool:
    """There it is a draw after five moves each, counted from the capture that left two pieces against one.

    By the rules, and here, the moves count from the moment the single piece is a king.
    """
    crowned = [sorted(position.board.values()) for position in positions[-11:]]
    return all(len(pieces) == 3 for pieces in crowned) and crowned[0] != crowned[-1]


def king_of(position: Position) -> str:
    return next(square for square, piece in position.board.items() if piece == "Defenders king")


def taken_on_the_edge(positions: list[Position]) -> bool:
    """There a king on the edge cannot be captured; by the rules he can, wherever he is."""
    square = king_of(positions[-2])
    return positions[-1].result.reason == "no king" and (square[0] in "ag" or square[1] in "17")


def between_two_others(positions: list[Position]) -> bool:
    """There an attacker who moves beside the king captures him if two others are beside him already.

    By the rules a piece may move between two enemies, and is captured only when one of two closes in on it.
    """
    [arrived] = positions[-1].board.keys() - positions[-2].board.keys()
    column, row = (ord(c) for c in king_of(positions[-1]))
    lines = [
        {f"{chr(column + x)}{chr(row + y)}", f"{chr(column - x)}{chr(row - y)}"} for x, y in [(1, 0), (0, 1)]
    ]
    return any(
        arrived not in line and all(positions[-1].board.get(square) == "Attackers man" for square in line)
        for line in lines
    )


def no_hound_can_move(positions: list[Position]) -> bool:
    """There the fox has won when the hounds have no move, whether it is their turn or not.

    Here the fox has to move first; if it goes out of a hound's way, the game goes on.
    """
    board = positions[-1].board
    hounds = [square for square, piece in board.items() if piece == "Hounds hound" and square[1] > "1"]
    ahead = {f"{chr(ord(hound[0]) + way)}{int(hound[1]) - 1}" for hound in hounds for way in (-1, 1)}
    return not {square for square in ahead if "a" <= square[0] <= "h"} - board.keys()


def nobody_can_mate(positions: list[Position]) -> bool:
    """There the game goes on with two kings and a knight, until the position repeats."""
    pieces = [piece.split()[1] for piece in positions[-1].board.values()]
    return len(pieces) <= 3 and set(pieces) <= {"king", "knight"}


#: When a game is over here but goes on there, and when it is the other way round.
GOES_ON: dict[str, Callable[[list[Position]], bool]] = {
    "brandubh": taken_on_the_edge,
    "los alamos chess": nobody_can_mate,
}
STOPPED: dict[str, Callable[[list[Position]], bool]] = {
    "brandubh": between_two_others,
    "brazilian draughts": counted_from_the_last_capture,
    "fox and hounds": no_hound_can_move,
}
#: The winner there of such a game.
WINNER = {"brandubh": "Attackers", "brazilian draughts": None, "fox and hounds": "Fox"}


def compare(start: Position, trace: str, game: dict, translate: Translate) -> None:
    positions = follow(start, game, translate)
    last = positions[-1]
    if last.result is None:
        assert STOPPED[trace](positions), last.line()
        assert winner_of(game, start) == WINNER[trace], last.line()
    elif last.ply < len(game["counts"]):
        assert GOES_ON[trace](positions), last.line()
    else:
        assert last.result.winner == winner_of(game, start), last.line()


@pytest.mark.parametrize(("trace", "name", "options", "translate"), CASES, ids=[case[0] for case in CASES])
def test_one_game(trace, name, options, translate):
    compare(load(name, **options), trace, TRACES[trace]["games"][0], translate)


@pytest.mark.slow
@pytest.mark.parametrize(("trace", "name", "options", "translate"), CASES, ids=[case[0] for case in CASES])
def test_all_games(trace, name, options, translate):
    for game in TRACES[trace]["games"][1:]:
        compare(load(name, **options), trace, game, translate)


@pytest.mark.parametrize("trace", DATA["counts"])
def test_counts(trace):
    name, options = next(case[1:3] for case in CASES if case[0] == trace)
    assert list(sequences(load(name, **options), len(DATA["counts"][trace]))) == DATA["counts"][trace]
