"""Move sequences counted to the depth that others have counted, on the native engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.game import Game, Position
from interpreter.perft import sequences


def load(name: str, **options: int | bool) -> Position:
    return Game.load(name, **options).on("native").start()


#: The game, its options and the counts by depth.
COUNTS: list[tuple[str, dict[str, int | bool], list[int]]] = [
    # Regular Boardgames
    ("tic_tac_toe", {}, [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
    ("connect_four", {}, [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]),
    ("gomoku", {}, [225, 50400, 11239200]),
    ("yavalath", {}, [61, 3660, 215940]),
    ("knightthrough", {}, [40, 1600, 63520, 2521306]),
    # ... where the fox picks its first square, then takes its first step.
    ("fox_and_hounds", {}, [4, 7, 49, 182]),
    # ... and OpenSpiel
    ("hex", {"pie": False}, [121, 14520, 1727880]),
    ("pentago", {}, [288, 80640]),
    ("reversi", {}, [4, 12, 56, 244, 1396, 8200, 55092, 390216]),
    ("nine_mens_morris", {}, [24, 552, 12144, 255024]),
    # ... and AbstractPlay
    ("breakthrough", {}, [22, 484, 11132, 256036]),
    ("lines_of_action", {}, [36, 1244, 44952, 1563208]),
    ("amazons", {}, [2176, 4307152]),
    # ... and published (Aart Bik for draughts)
    ("english_draughts", {}, [7, 49, 302, 1469, 7361, 36768, 179740]),
    ("international_draughts", {}, [9, 81, 658, 4265, 27117, 167140]),
    # Rein Halbersma
    ("brazilian_draughts", {}, [7, 49, 302, 1469, 7473, 37628, 187302]),
    # OpenSpiel
    ("clobber", {}, [49, 2116, 80063]),
    ("dots_and_boxes", {"columns": 2}, [12, 132, 1320, 11880]),
    ("kalah", {}, [6, 35, 185, 942]),
    ("havannah", {}, [169, 28392]),
    # ... and AbstractPlay
    ("oware", {}, [6, 36, 190, 1014, 5219]),
    ("go", {"size": 9}, [82, 6643, 531522]),
    # Two separate programs for Havannah and Ayu
    ("havannah", {"size": 5}, [61, 3660, 215940, 12524520]),
    ("ayu", {"size": 5}, [14, 176, 1460, 11308, 65152, 367148, 1730020]),
    ("ayu", {"size": 7}, [34, 1104, 29516, 755864]),
    ("ayu", {"size": 9}, [62, 3744, 202268, 10648744]),
    ("ayu", {"size": 11}, [98, 9440, 845932]),
    ("ayu", {"size": 13}, [142, 19920, 2656124]),
    # AbstractPlay
    ("domineering", {}, [56, 2940, 146580]),
    ("konane", {"size": 6}, [4, 12, 28, 156, 668, 4192]),
    ("reversi", {"size": 6}, [4, 12, 56, 244, 1364, 7604]),
    ("lines_of_action", {"size": 9}, [42, 1712]),
    # The Chess Programming Wiki: Chinese Chess Perft Results
    ("xiangqi", {}, [44, 1920, 79666]),
    # Fairy-Stockfish
    ("minishogi", {}, [14, 181, 2512, 35401, 533203]),
    # python-chess
    ("antichess", {}, [20, 400, 8067, 153299, 2732672]),
]

#: The same, taking minutes in all.
DEEP: list[tuple[str, dict[str, int | bool], list[int]]] = [
    # Fairy-Stockfish
    ("racing_kings", {}, [21, 421, 11264, 296242, 9472927]),
    ("xiangqi", {}, [44, 1920, 79666, 3290240]),
    ("english_draughts", {}, [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564]),
    # Aart Bik has 6483961: he leaves out ten captures of the same men in another order.
    ("international_draughts", {}, [9, 81, 658, 4265, 27117, 167140, 1049442, 6483971]),
    ("reversi", {}, [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]),
]


def names(value: object) -> str:
    return str(value)[:24]


@pytest.mark.parametrize(("name", "options", "counts"), COUNTS, ids=names)
def test_counts(name, options, counts):
    assert list(sequences(load(name, **options), len(counts))) == counts


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "counts"), DEEP, ids=names)
def test_deep_counts(name, options, counts):
    assert list(sequences(load(name, **options), len(counts))) == counts


def test_all_games_of_tic_tac_toe():
    """255168, as is well known. After n moves, each game that goes on has 9 - n legal moves."""
    counts = [*sequences(load("tic_tac_toe"), 9), 0]
    going_on = [following // (9 - n) if n < 9 else 0 for n, following in enumerate(counts[1:], 1)]
    assert sum(counts) - sum(going_on) == 255168


# --- chess ---------------------------------------------------------------------

#: The six positions of the page Perft Results of the Chess Programming Wiki.
CHESS = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "e1 + a1 + h1 + e8 + a8 + h8",
        [20, 400, 8902, 197281, 4865609],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
        "e1 + a1 + h1 + e8 + a8 + h8",
        [48, 2039, 97862, 4085603],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8", "none", [14, 191, 2812, 43238, 674624, 11030083]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1",
        "e8 + a8 + h8",
        [6, 264, 9467, 422333, 15833292],
    ),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R", "e1 + h1", [44, 1486, 62379, 2103487]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1",
        "none",
        [46, 2079, 89890, 3894594],
    ),
]


def chess(tmp_path: Path, board: str, unmoved: str) -> Position:
    """Chess from a board in Forsyth's notation; `unmoved` lists what may still castle. White is to move."""
    rows = re.sub(r"[1-8]", lambda run: "." * int(run[0]), board).split("/")
    picture = "\n".join("    " + " ".join(row) for row in rows)
    study = tmp_path / "study.game"
    study.write_text(
        'variant "Study" of "Chess"\n'
        f'setup:\n    diagram """\n{picture}\n    """\n'
        f"state unmoved: set = {unmoved}\n"
    )
    return Game.load(str(study)).on("native").start()


@pytest.mark.parametrize(("board", "unmoved", "counts"), CHESS, ids=range(1, 7))
def test_chess(tmp_path, board, unmoved, counts):
    shallow = [count for count in counts if count < 1_000_000]
    assert list(sequences(chess(tmp_path, board, unmoved), len(shallow))) == shallow


@pytest.mark.slow
@pytest.mark.parametrize(("board", "unmoved", "counts"), CHESS, ids=range(1, 7))
def test_chess_in_depth(tmp_path, board, unmoved, counts):
    assert list(sequences(chess(tmp_path, board, unmoved), len(counts))) == counts


@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_count_is_made_of_short_ones(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """Once, nothing could interrupt it, as one call counted everything."""
    counted, once = Position.perft, list[int]()

    def watched(position: Position, depth: int) -> int:
        once.append(counted(position, depth))
        return once[-1]

    monkeypatch.setattr("interpreter.perft.MOST", 500)
    monkeypatch.setattr(Position, "perft", watched)
    counts = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]  # those of tic-tac-toe
    assert list(sequences(load("tic_tac_toe"), 9, threads)) == counts
    assert max(once) <= 500
