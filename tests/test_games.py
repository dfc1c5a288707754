"""Games of many kinds, written in the language, compared with other programs.

The counts are numbers of move sequences by depth, from Regular Boardgames, OpenSpiel and AbstractPlay's
gameslib, or published. The traces are whole random games that AbstractPlay played: every number of legal
moves, every list of them in the data, every board and every winner must be the same here.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import median

import pytest
from rules import legal, load, variant

from gdl.library import bundled, folder, read
from interpreter.examine import examine
from interpreter.game import Position
from interpreter.perft import sequences

HERE = Path(__file__).parent
ABSTRACT_PLAY = json.loads((HERE / "data" / "abstractplay.json").read_text())


# --- counts --------------------------------------------------------------------

COUNTS = [
    # Regular Boardgames
    ("tic_tac_toe", {}, [9, 72, 504, 3024, 15120]),
    ("connect_four", {}, [7, 49, 343, 2401, 16807]),
    ("gomoku", {}, [225, 50400]),
    ("yavalath", {}, [61, 3660, 215940]),
    ("knightthrough", {}, [40, 1600, 63520]),
    # ... where the fox picks its first square, then takes its first step.
    ("fox_and_hounds", {}, [4, 7, 49, 182]),
    # ... and OpenSpiel
    ("hex", {"pie": False}, [121, 14520]),
    ("reversi", {}, [4, 12, 56, 244, 1396]),
    ("breakthrough", {}, [22, 484, 11132]),
    ("english_draughts", {}, [7, 49, 302, 1469, 7361]),
    ("lines_of_action", {}, [36, 1244]),
    ("amazons", {}, [2176]),
    ("chess", {}, [20, 400, 8902]),
    ("nine_mens_morris", {}, [24, 552, 12144]),
    ("international_draughts", {}, [9, 81, 658, 4265]),
    ("pentago", {}, [288]),
    # OpenSpiel alone
    ("kalah", {}, [6, 35, 185, 942]),
    ("dots_and_boxes", {"columns": 2}, [12, 132, 1320, 11880]),
    ("havannah", {}, [169, 28392]),
    ("clobber", {}, [49, 2116, 80063]),
    ("go", {"size": 9}, [82, 6643]),
    ("y", {}, [45, 1980, 85140]),
    # AbstractPlay
    ("havannah", {"size": 4}, [37, 1332, 46620]),
    ("oware", {}, [6, 36, 190, 1014, 5219]),
    ("fanorona", {}, [5, 39, 724]),
    ("magpie", {}, [40, 960]),
    ("reversi", {"size": 6}, [4, 12, 56, 244, 1364]),
    ("lines_of_action", {"size": 9}, [42, 1712]),
    ("konane", {"size": 6}, [4, 12, 28, 156, 668, 4192]),
    ("domineering", {}, [56, 2940, 146580]),
    ("domineering", {"columns": 6}, [30, 800, 19360]),
    ("pro_gomoku", {}, [1, 224, 44600]),
    ("pente", {"size": 15}, [1, 224, 44600]),
    # Its third number is 15676: in the first turn it lets the second player take the first's side where
    # we have a pass; the 26 sequences that continue from there after a pass do not exist here, as the game
    # is over.
    ("go", {"size": 5}, [26, 651, 15676 - 26]),
    # Regular Boardgames counts the 360 * 359 pairs of stones of the second turn as one move, ours as two.
    # The second number is omok's.
    ("connect6", {}, [361, 361 * 360]),
    # The Chess Programming Wiki, Chinese Chess Perft Results
    ("xiangqi", {}, [44, 1920]),
    # The tafl library
    ("brandubh", {}, [40, 960]),
    # Polygames
    ("nogo", {}, [81, 6480]),
    # MiniZero
    ("surakarta", {}, [16, 256]),
    # Fairy-Stockfish
    ("los_alamos_chess", {}, [10, 100, 1212]),
    # Rein Halbersma
    ("brazilian_draughts", {}, [7, 49, 302, 1469, 7473]),
    # By hand: the fox may begin on four squares, then the hounds have seven steps, and the fox has as many
    # from its four squares together.
    ("fox_and_hounds", {"hounds_begin": True}, [4, 4 * 7, 7 * 7]),
    # By hand: the rules are those of the base except for the winner, the board, or what wraps.
    ("losing_reversi", {}, [4, 12, 56, 244]),
    ("misere_breakthrough", {}, [22, 484, 11132]),
    ("connect_five", {}, [100, 100 * 99]),
    ("losing_draughts", {}, [7, 49, 302]),
    ("cylinder_connect_four", {}, [7, 49, 343]),
    ("misere_hex", {"pie": False}, [121, 14520]),
]


@pytest.mark.parametrize("name", bundled())
def test_no_warnings(name):
    assert examine(read(name), folder()) == []


def test_rule_files_are_short():
    """Without comments and blank lines, chess takes up to 120 lines, the others 60, half of them 30."""
    lengths = {
        name: sum(bool(re.sub("#.*", "", line).strip()) for line in read(name).text.splitlines())
        for name in bundled()
    }
    assert lengths.pop("chess") <= 120
    assert max(lengths.values()) <= 60
    assert median(lengths.values()) <= 30


@pytest.mark.parametrize(("name", "options", "counts"), COUNTS, ids=lambda value: str(value)[:24])
def test_counts(name, options, counts):
    assert list(sequences(load(name, **options), len(counts))) == counts


# --- traces --------------------------------------------------------------------


def same(move: str) -> str:
    return move


def dashed(move: str) -> str:
    """There a capture is written with x."""
    return move.replace("x", "-")


def first_passed(move: str) -> str:
    """There the second player may take the first's side in the first turn, where we have a pass."""
    return "pass" if move == "play-second" else move


def grown(move: str) -> str:
    """There a step names the blob that grows; the rules do not ask which, so here it is one move."""
    return move.partition("-")[2] or move.replace("^", "-")


def lower_half(move: str) -> str:
    """There a domino is named by both of its squares, here by the lower or left one."""
    return move.partition(",")[0]


def hexagonal(side: int):
    """There a letter is a row of the hexagon, and the cells in it are counted from 1."""

    def translate(move: str) -> str:
        row = ord(move[0]) - ord("a") + 1
        column = int(move[1:]) + max(0, side - row)
        return f"{chr(ord('a') + column - 1)}{row}"

    return translate


def from_to(move: str) -> str:
    """There the king has a letter, and captures are named."""
    return re.sub(r"K|x.*", "", move)


def fanorona(move: str) -> str:
    """There `f4e5-,e4+` goes from f4 to e5 and on to e4, and takes backwards (-), then ahead (+)."""
    if len(move) == 2:
        return move
    here, words = move[:2], [move[:2]]
    for step in move[2:].split(","):
        there, sign = step[:2], step[2:]
        words.append(there)
        if sign:
            words.append(bearing(here, there) if sign == "+" else bearing(there, here))
        here = there
    return "-".join(words)


def bearing(here: str, there: str) -> str:
    """The name of the direction from a point to its neighbour."""
    up, right = ord(there[1]) - ord(here[1]), ord(there[0]) - ord(here[0])
    names = [{1: "north", -1: "south"}.get(up, ""), {1: "east", -1: "west"}.get(right, "")]
    return "_".join(name for name in names if name)


#: The trace, the game, its options, and the function that writes a move or site of the trace as here.
TRACES = [
    ("amazons", "amazons", {}, same),
    ("ataxx", "ataxx", {}, grown),
    ("breakthrough", "breakthrough", {}, dashed),
    ("domineering", "domineering", {}, lower_half),
    ("domineering_size-6", "domineering", {"columns": 6, "rows": 6}, lower_half),
    ("go_size-5", "go", {"size": 5, "komi": 0}, first_passed),
    ("go_size-9", "go", {"size": 9, "komi": 5}, first_passed),
    ("gomoku", "pro_gomoku", {}, same),
    ("hex_size-11", "hex", {"pie": False}, same),
    ("konane", "konane", {"size": 6}, same),
    ("loa_classic", "lines_of_action", {}, dashed),
    ("loa", "black_hole_lines_of_action", {}, dashed),
    ("pente", "pente", {"size": 15}, same),
    ("reversi", "reversi", {}, same),
    ("reversi_standard-6", "reversi", {"size": 6}, same),
    ("yavalath", "yavalath", {}, hexagonal(5)),
    ("havannah_size-4", "havannah", {"size": 4}, hexagonal(4)),
    ("fanorona", "fanorona", {}, fanorona),
    ("oware", "oware", {}, same),
    ("tafl_magpie-7x7-cross", "magpie", {}, from_to),
]


def expected_count(trace: str, ply: int, count: int) -> int | None:
    """The number of legal moves by our rules, given AbstractPlay's number."""
    if trace == "gomoku":
        return count - (ply > 5)  # there a pass is legal, too, after more than five moves
    return None if trace == "ataxx" else count  # see `grown`


def standing(position: Position, owners: dict[str, int]) -> dict[str, int]:
    """The owner of each piece by site (0: nobody), or the number of seeds on each site that has some."""
    if position.game.rules.kinds:
        return {site: owners.get(piece.split()[0], 0) for site, piece in position.board.items()}
    return {site: seeds for site, seeds in position.state["seeds"].items() if seeds}


def follow(position: Position, name: str, trace: dict, translate) -> None:
    """Play a trace, comparing everything in it."""
    board = {translate(site): int(owner) for owner, sites in trace["start"].items() for site in sites.split()}
    owners = dict(zip(position.game.players, (trace["first"], 3 - trace["first"]), strict=True))
    for ply, (move, count, changes, *listed) in enumerate(trace["plies"], 1):
        where = f"ply {ply}, {move}: {position}"
        ours = legal(position)
        assert expected_count(name, ply, count) in (len(ours), None), where
        if listed:
            assert set(ours) == {translate(other) for other in listed[0].split()}, where
        position = position.play(translate(move))
        for change in changes.split():
            site, _, owner = change.partition("=")
            board[translate(site)] = int(owner) if owner else None
        stand = standing(position, owners)
        assert stand == {site: owner for site, owner in board.items() if owner is not None}, where
    assert position.result is not None, position
    winner = position.result.winner
    assert trace["winner"] == ([owners[winner]] if winner else []), position


@pytest.mark.parametrize(
    ("trace", "name", "options", "translate"), TRACES, ids=[trace for trace, *_ in TRACES]
)
def test_traces(trace, name, options, translate):
    for game in ABSTRACT_PLAY["games"][trace]:
        follow(load(name, **options), trace, game, translate)


def test_traces_of_konane_on_seven_columns(tmp_path):
    """There the two middle stones of an odd board are gone from the start."""
    text = """
variant "Odd Konane" of "Konane"
board rectangle(7, 6)
setup:
    place Black stone at {s in board - d3 - d4: (column(s) + row(s)) mod 2 = 0}
    place White stone at empty - d3 - d4
play:
    repeat Black, White: jump
without option size
without turn first_gap
without turn second_gap
"""
    position = variant(tmp_path, text)
    assert list(sequences(position, 4)) == ABSTRACT_PLAY["perft"]["konane_size-7"][:4]
    for game in ABSTRACT_PLAY["games"]["konane_size-7"]:
        follow(position, "konane_size-7", game, same)
