"""Chess and draughts: published counts, and rules that whole games seldom reach."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rules import legal, load, play, variant

from interpreter.game import Position
from interpreter.perft import sequences

#: From the page Perft Results of the Chess Programming Wiki: castling, en passant and promotions abound.
CHESS = [
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R", "e1 + a1 + h1 + e8 + a8 + h8", [48, 2039]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8", "none", [14, 191, 2812]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1", "e8 + a8 + h8", [6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R", "e1 + h1", [44, 1486]),
]


def chess(tmp_path: Path, board: str, unmoved: str = "none", base: str = "Chess") -> Position:
    """Chess from a board in Forsyth's notation; `unmoved` is what may still castle. White is to move."""
    rows = re.sub(r"[1-8]", lambda run: "." * int(run[0]), board).split("/")
    picture = "\n".join("    " + " ".join(row) for row in rows)
    return variant(
        tmp_path,
        f'variant "Study" of "{base}"\n'
        f'setup:\n    diagram """\n{picture}\n    """\n'
        f"state unmoved: set = {unmoved}\n",
    )


@pytest.mark.parametrize(("board", "unmoved", "counts"), CHESS)
def test_chess_counts(tmp_path, board, unmoved, counts):
    assert list(sequences(chess(tmp_path, board, unmoved), len(counts))) == counts


def test_chess_endings(tmp_path):
    mate = play(load("chess"), "f2-f3 e7-e5 g2-g4 d8-h4").result
    assert (mate.winner, mate.reason) == ("Black", "checkmate")
    stalemate = chess(tmp_path, "7k/8/6K1/8/8/8/8/5Q2").play("f1-f7").result
    assert (stalemate.winner, stalemate.reason) == (None, "stalemate")
    dance = "g1-f3 g8-f6 f3-g1 f6-g8 "
    assert play(load("chess"), dance).result is None
    assert play(load("chess"), 2 * dance).result.reason == "third repetition"


def test_chess_notation(tmp_path):
    moves = legal(chess(tmp_path, "8/P6k/8/8/8/8/8/R3K2R", "e1 + a1 + h1"))
    assert {"O-O", "O-O-O", "a7-a8=Q", "a7-a8=N"} <= set(moves)
    after = chess(tmp_path, "7k/8/8/8/8/8/8/R3K2R", "e1 + a1 + h1").play("O-O-O").board
    assert after == {"c1": "White king", "d1": "White rook", "h1": "White rook", "h8": "Black king"}


@pytest.mark.parametrize(
    ("board", "moves", "winner", "reason"),
    [
        ("8/1K4k1/8/8/8/8/8/8", "b7-b8 g7-g8", None, "both kings have arrived"),
        ("8/1K4k1/8/8/8/8/8/8", "b7-b8 g7-g6", "White", "the king has arrived"),
        ("8/1K6/6k1/8/8/8/8/8", "b7-b8", "White", "the king has arrived"),
        ("4R3/1K4k1/8/8/8/8/8/8", "b7-b8", "White", "the king has arrived"),  # the rook controls the last row
        ("8/8/1K6/6k1/8/8/8/8", "b6-a6 g5-g6 a6-b6 g6-g7 b6-a6 g7-g8", "Black", "the king has arrived"),
    ],
)
def test_black_may_still_arrive_after_white(tmp_path, board, moves, winner, reason):
    result = play(chess(tmp_path, board, base="Racing Kings"), moves).result
    assert (result.winner, result.reason) == (winner, reason)


def test_the_game_goes_on_while_black_may_still_arrive(tmp_path):
    position = chess(tmp_path, "8/1K4k1/8/8/8/8/8/8", base="Racing Kings")
    assert not position.play("b7-b8").over


@pytest.mark.parametrize(
    ("base", "board", "move", "winner", "reason"),
    [
        ("King of the Hill", "7k/8/8/8/8/4K3/8/8", "e3-e4", "White", "king on the hill"),
        ("Three-check", "8/8/8/8/8/4k3/6r1/7K", "h1-g2", None, "nobody can give check any more"),
        ("Antichess", "2b5/8/8/8/8/8/8/2B5", "c1-b2", None, "the bishops can never meet"),
        ("Antichess", "3p4/8/8/8/8/8/8/3RR3", "d1-d8", "Black", "all pieces are gone"),
        ("Antichess", "8/8/8/4p3/8/4P3/7P/8", "e3-e4", "Black", "no legal move"),
    ],
)
def test_ends_of_variants_of_chess(tmp_path, base, board, move, winner, reason):
    result = chess(tmp_path, board, base=base).play(move).result
    assert (result.winner, result.reason) == (winner, reason)


def test_the_hill_is_no_shelter_from_check(tmp_path):
    hill = "King of the Hill"
    position = chess(tmp_path, "7k/8/8/r7/8/4K3/8/8", base=hill)
    assert {"d4", "e4"} <= {move[3:] for move in legal(position)}
    assert not {"d4", "e4"} & {move[3:] for move in legal(chess(tmp_path, "7k/8/8/8/r7/4K3/8/8", base=hill))}


def test_who_can_take_must_take_also_in_passing(tmp_path):
    position = chess(tmp_path, "8/2p5/8/3P4/8/8/8/7P", base="Antichess")
    assert legal(play(position, "h1-h2 c7-c5")) == ["d5-c6"]


def test_mate_by_a_dropped_pawn_loses(tmp_path):
    position = variant(
        tmp_path,
        'variant "Study" of "Minishogi"\n'
        "setup:\n"
        "    place Sente king at d1\n"
        "    place Sente gold at {g3, j3}\n"
        "    place Sente pawn at j1\n"
        "    place Gote king at h5\n"
        "    place Gote pawn at g5\n",
    )
    for move, winner, reason in [("P*h4", "Gote", "mate by a dropped pawn"), ("G*h4", "Sente", "mate")]:
        result = position.play(move).result
        assert (result.winner, result.reason) == (winner, reason)


def test_what_is_taken_is_dropped_unpromoted(tmp_path):
    position = variant(
        tmp_path,
        'variant "Study" of "Minishogi"\n'
        "setup:\n"
        "    place Sente king at d1\n"
        "    place Sente pawn at {e4, g2}\n"
        "    place Gote king at h5\n"
        "    place Gote tokin at e5\n"
        "    place Gote pawn at e3\n",
    )
    assert {move for move in legal(position) if move[:2] == "e4"} == {"e4-e5+"}  # it could never move again
    position = play(position, "e4-e5+ e3-e2")
    assert position.board["j1"] == "Sente pawn"
    # No second pawn in a column (e has a tokin), and none on the last row.
    drops = {move[2:] for move in legal(position) if move[0] == "P"}
    assert drops == {f"{column}{row}" for column in "defh" for row in "1234"} - {"d1", "e2"}


def test_gote_wins_at_the_fourth_repetition():
    result = play(load("minishogi"), 3 * "h1-h2 d5-d4 h2-h1 d4-d5 ").result
    assert (result.winner, result.reason) == ("Gote", "fourth repetition")


def draughts(tmp_path: Path, pieces: str) -> Position:
    return variant(tmp_path, f'variant "Study" of "English Draughts"\nsetup:\n{pieces}')


def test_a_draughts_capture_goes_on_as_long_as_it_can(tmp_path):
    pieces = """
    place Black man at {a1, h2}
    place White man at {b2, d4, d6}
"""
    assert legal(draughts(tmp_path, pieces)) == ["a1-c3-e5-c7"]
    assert draughts(tmp_path, pieces).play("a1-c3-e5-c7").result.winner == "Black"


def test_a_man_crowned_in_a_capture_stops_there(tmp_path):
    pieces = """
    place Black man at b6
    place White man at {c7, e7}
"""
    position = draughts(tmp_path, pieces)
    assert legal(position) == ["b6-d8"]
    assert position.play("b6-d8").board == {"e7": "White man", "d8": "Black king"}


def test_a_king_leaps_backwards_too(tmp_path):
    pieces = """
    place Black king at e5
    place White man at {d4, f6}
"""
    assert legal(draughts(tmp_path, pieces)) == ["e5-c3", "e5-g7"]


def test_the_longest_capture_must_be_taken(tmp_path):
    text = """
variant "Study" of "International Draughts"
setup:
    place White man at {c3, i3}
    place Black man at {d4, d6, h4}
"""
    assert legal(variant(tmp_path, text)) == ["c3-e5-c7"]


def test_captured_men_stand_in_the_way_until_the_capture_is_over(tmp_path):
    """Having come round to a5, the king could go on over d2 if c3 were gone already."""
    text = """
variant "Study" of "International Draughts"
setup:
    place White king at a1
    place Black man at {c3, d6, b6, d2}
"""
    position = variant(tmp_path, text)
    assert legal(position) == ["a1-e5-c7-a5"]
    assert position.play("a1-e5-c7-a5").board == {"d2": "Black man", "a5": "White king"}


def wandered(position: Position) -> Position:
    """The end of a game in which nobody can ever capture, and no position is repeated."""
    pieces, seen = len(position.board), {position.key}
    while not position.over:
        position = next(
            after
            for after in map(position.play, position.legal_moves)
            if after.key not in seen
            and all(len(after.play(move).board) == pieces for move in after.legal_moves)
        )
        seen.add(position.key)
    return position


@pytest.mark.parametrize(
    ("others", "moves"), [("king at {b8, c7}", 5), ("king at b8", 5), ("king at {b8, c7, d8}", 16)]
)
def test_a_lone_king_draws_after_a_few_moves(tmp_path, others, moves):
    """Against two pieces after five moves each, against three after sixteen, by the federation's rules."""
    text = f"""
variant "Study" of "Brazilian Draughts"
setup:
    place White king at a1
    place Black {others}
"""
    end = wandered(variant(tmp_path, text))
    assert (end.ply, end.result.winner) == (2 * moves, None)


def test_chess_without_what_it_takes_to_mate_is_a_draw(tmp_path):
    text = """
variant "Study" of "Chess"
setup:
    place White king at a1
    place Black king at h8
    place White knight at b1
"""
    assert variant(tmp_path, text).play("b1-c3").result.winner is None
    assert variant(tmp_path, f"{text}    place Black knight at g8\n").play("b1-c3").result is None
