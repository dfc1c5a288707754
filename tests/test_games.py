"""Games of many kinds, written in the language, against other programs.

The counts are of move sequences by depth, from Regular Boardgames, OpenSpiel and AbstractPlay's
gameslib, or published. The traces are whole random games that AbstractPlay played: every number of
legal moves, every list of them where the data has it, every board and every winner must be ours too.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import median

import pytest
from rules import legal, play

from gdl.library import bundled, folder, read
from interpreter.examine import examine
from interpreter.game import Game, IllegalMove, Position
from interpreter.perft import sequences

HERE = Path(__file__).parent
ABSTRACT_PLAY = json.loads((HERE / "data" / "abstractplay.json").read_text())


def load(name: str, **options: int | bool) -> Position:
    return Game.load(name, **options).start()


def variant(tmp_path: Path, text: str, **options: int | bool) -> Position:
    """A variant of one of the games, from its text."""
    (tmp_path / "variant.game").write_text(text)
    return Game.load(str(tmp_path / "variant.game"), **options).start()


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
    # Its third number is 15676: it lets the second player take the first's side in the first turn, where
    # ours has a pass; the 26 sequences that go on from there and a pass are none here: the game is over.
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
    # By hand: the fox may begin on four squares, the hounds have seven steps then, and the fox as many
    # from its four squares together.
    ("fox_and_hounds", {"hounds_begin": True}, [4, 4 * 7, 7 * 7]),
    # By hand: the rules are those of the base but for who has won, for the board, or for what wraps.
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
    """Without comments and blank lines: chess in 120, the others in 60, half of them in 30."""
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
    """A capture is written with x there."""
    return move.replace("x", "-")


def first_passed(move: str) -> str:
    """There the second player may take the first's side in the first turn, where ours has a pass."""
    return "pass" if move == "play-second" else move


def grown(move: str) -> str:
    """There a step names the blob that grows; the rules do not ask which, so here it is one move."""
    return move.partition("-")[2] or move.replace("^", "-")


def lower_half(move: str) -> str:
    """There a domino is named by both its squares, here by the lower or left one."""
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


#: The trace, the game and options, and how a move or site of the trace is written here.
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
    """The number of legal moves by our rules, from the number of AbstractPlay's."""
    if trace == "gomoku":
        return count - (ply > 5)  # there, who has placed five stones or more together may pass as well
    return None if trace == "ataxx" else count  # see `grown`


def standing(position: Position, owners: dict[str, int]) -> dict[str, int]:
    """Who owns the pieces (0: nobody), or how many seeds lie on each site that has some."""
    if position.game.rules.kinds:
        return {site: owners.get(piece.split()[0], 0) for site, piece in position.board.items()}
    return {site: seeds for site, seeds in position.state["seeds"].items() if seeds}


def follow(position: Position, name: str, trace: dict, translate) -> None:
    """Play a trace, comparing all that it says."""
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


# --- chess ---------------------------------------------------------------------

#: From the page Perft Results of the Chess Programming Wiki: castling, passing pawns and promotions abound.
CHESS = [
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R", "e1 + a1 + h1 + e8 + a8 + h8", [48, 2039]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8", "none", [14, 191, 2812]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1", "e8 + a8 + h8", [6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R", "e1 + h1", [44, 1486]),
]


def chess(tmp_path: Path, board: str, unmoved: str = "none") -> Position:
    """Chess from a board in Forsyth's notation; `unmoved` is what may still castle. White is to move."""
    rows = re.sub(r"[1-8]", lambda run: "." * int(run[0]), board).split("/")
    picture = "\n".join("    " + " ".join(row) for row in rows)
    return variant(
        tmp_path,
        'variant "Study" of "Chess"\n'
        f'setup:\n    diagram """\n{picture}\n    """\n'
        f"state unmoved: set = {unmoved}\n",
    )


@pytest.mark.parametrize(("board", "unmoved", "counts"), CHESS)
def test_chess_counts(tmp_path, board, unmoved, counts):
    assert list(sequences(chess(tmp_path, board, unmoved), len(counts))) == counts


def test_chess_endings(tmp_path):
    mate = play(load("chess"), "f2-f3 e7-e5 g2-g4 d8-h4").result
    assert (mate.winner, mate.reason) == ("Black", "stuck(next) and attacked(king(next), mover)")
    stalemate = chess(tmp_path, "7k/8/6K1/8/8/8/8/5Q2").play("f1-f7").result
    assert (stalemate.winner, stalemate.reason) == (None, "stuck(next)")
    dance = "g1-f3 g8-f6 f3-g1 f6-g8 "
    assert play(load("chess"), dance).result is None
    assert play(load("chess"), 2 * dance).result.reason == "repetitions = 3"


def test_chess_notation(tmp_path):
    moves = legal(chess(tmp_path, "8/P6k/8/8/8/8/8/R3K2R", "e1 + a1 + h1"))
    assert {"O-O", "O-O-O", "a7-a8=Q", "a7-a8=N"} <= set(moves)
    after = chess(tmp_path, "7k/8/8/8/8/8/8/R3K2R", "e1 + a1 + h1").play("O-O-O").board
    assert after == {"c1": "White king", "d1": "White rook", "h1": "White rook", "h8": "Black king"}


# --- what the traces do not reach ------------------------------------------------


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


def test_go_suicide():
    before = "a2 a1 b2 e5 c1"
    with pytest.raises(IllegalMove):
        play(load("go", size=9), before).play("b1")
    allowed = play(load("go", size=9, suicide=True), before)
    assert set(allowed.play("b1").board) == {"a2", "b2", "c1", "e5"}
    # One stone alone would leave the board as it was.
    assert "a1" not in legal(play(load("go", size=9, suicide=True), "a2 e5 b1"))


def test_go_ko():
    """White takes at b3; Black may not take back at once, but after another move elsewhere."""
    position = play(load("go", size=5), "a2 d2 b1 c1 b3 c3 c2 b2")
    assert "c2" not in position.board
    assert "c2" not in legal(position)
    assert "c2" in legal(play(position, "e5 e4"))


def test_hex_and_its_misere():
    moves = "a1 b1 a2 b2 a3"
    assert play(load("hex", columns=3, pie=False), moves).result.winner == "Red"
    assert play(load("misere_hex", columns=3, pie=False), moves).result.winner == "Blue"
    assert "swap" in legal(load("hex").play("a2"))


def test_reversi_passes_where_nothing_can_be_turned(tmp_path):
    text = """
variant "Study" of "Reversi"
setup:
    place Black disc at {a1, c1}
    place White disc at {d1, h2}
"""
    position = variant(tmp_path, text).play("e1")
    assert legal(position) == ["pass"]
    assert play(position, "pass pass").result.scores == {"Black": 4, "White": 1}


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_the_score_is_told_at_any_time(engine):
    """Reversi begins with two discs each; any first move turns one. Nobody scores in Ayu."""
    start = Game.load("reversi").on(engine).start()
    assert start.scores == {"Black": 2, "White": 2}
    assert start.play(start.legal_moves[0]).scores == {"Black": 4, "White": 1}
    assert Game.load("ayu").on(engine).start().scores is None


def test_connect6_turns():
    position = load("connect6")
    movers = [position.to_move]
    for move in "j10 a1 b1 k10 l10 c1".split():
        position = position.play(move)
        movers.append(position.to_move)
    assert movers == "Black White White Black Black White White".split()


def test_pente_captures_pairs_only():
    position = load("pente", size=9, tournament=False)
    taken = play(position, "a1 b1 e5 c1 d1")
    assert set(taken.board) == {"a1", "d1", "e5"}
    assert taken.state["pairs"] == {"Black": 1, "White": 0}
    safe = play(position, "a1 b1 d1 c1")
    assert set(safe.board) == {"a1", "b1", "c1", "d1"}


def test_yavalath_three_lose_unless_they_are_four():
    three = play(load("yavalath"), "e5 a9 f5 b9 g5").result
    assert three.winner == "Black"
    four = play(load("yavalath"), "e5 a9 f5 c9 h5 a7 g5").result
    assert four.winner == "White"


FOX = """
variant "Study" of "Fox and Hounds"
setup:
    place Fox fox at {fox}
    place Hounds hound at {hounds}
play:
    repeat {first}: step
without turn start
"""


def test_the_fox_is_shut_in(tmp_path):
    text = FOX.format(fox="a1", hounds="c3 + h8", first="Hounds, Fox")
    assert variant(tmp_path, text).play("c3-b2").result.winner == "Hounds"


def test_the_fox_gets_through(tmp_path):
    text = FOX.format(fox="g7", hounds="b2 + c3", first="Fox, Hounds")
    assert variant(tmp_path, text).play("g7-h8").result.winner == "Fox"


def test_the_last_row_wins(tmp_path):
    text = """
variant "Study" of "Knightthrough"
setup:
    place White man at a6
    place Black man at h8
"""
    assert variant(tmp_path, text).play("a6-b8").result.winner == "White"


def test_the_longest_capture_must_be_taken(tmp_path):
    text = """
variant "Study" of "International Draughts"
setup:
    place White man at {c3, i3}
    place Black man at {d4, d6, h4}
"""
    assert legal(variant(tmp_path, text)) == ["c3-e5-c7"]


def test_captured_men_stand_in_the_way_until_the_capture_is_over(tmp_path):
    """Round to a5, the king could go on over d2 if c3 were gone already."""
    text = """
variant "Study" of "International Draughts"
setup:
    place White king at a1
    place Black man at {c3, d6, b6, d2}
"""
    position = variant(tmp_path, text)
    assert legal(position) == ["a1-e5-c7-a5"]
    assert position.play("a1-e5-c7-a5").board == {"d2": "Black man", "a5": "White king"}


def test_a_mill_takes_a_man_that_stands_in_no_mill():
    two = play(load("nine_mens_morris"), "a1 b2 d1 d2")
    assert [move for move in legal(two) if move.startswith("g1")] == ["g1-b2", "g1-d2"]
    mill = play(two, "g4 f2-g4")
    assert "g4" not in mill.board
    assert [move for move in legal(mill) if move.startswith("g1")] == ["g1-b2", "g1-d2", "g1-f2"]
    one_free = play(mill, "a4 f4")
    assert [move for move in legal(one_free) if move.startswith("g1")] == ["g1-f4"]


@pytest.mark.parametrize(
    ("move", "lands"),
    [("a1-b2-east", "a3"), ("a1-b2-west", "c1"), ("b3-b2-east", "c2"), ("b2-b2-east", "b2")],
)
def test_pentago_turns_a_quarter(move, lands):
    assert load("pentago").play(move).board == {lands: "White marble"}


FOUR = """
variant "Study" of "Pentago"
setup:
    place White marble at {a1, b1, c1, d1}
    place Black marble at {a6, b4, c6}
"""


def test_five_in_a_row_win_before_the_quarter_is_turned(tmp_path):
    position = variant(tmp_path, FOUR)
    assert [move for move in legal(position) if move.startswith("e1")] == ["e1"]
    assert position.play("e1").result.winner == "White"


def test_five_in_a_row_count_when_the_quarter_is_turned(tmp_path):
    position = variant(tmp_path, FOUR, at_once=False)
    assert len([move for move in legal(position) if move.startswith("e1")]) == 8
    assert position.play("e1-e2-east").result is None
    assert position.play("e1-b5-east").result.winner == "White"


def test_lines_of_action_may_be_drawn_at_the_first_repetition():
    back_and_forth = "c1-c3 h5-f5 c3-c1 f5-h5"
    assert play(load("lines_of_action", repeats=2), back_and_forth).result.winner is None
    twice = play(load("lines_of_action"), back_and_forth)
    assert twice.result is None
    assert play(twice, back_and_forth).result.winner is None


def test_the_hounds_may_begin():
    position = load("fox_and_hounds", hounds_begin=True).play("e1")
    assert position.to_move == "Hounds"
    assert position.play("b8-a7").to_move == "Fox"


def test_five_on_ten_by_ten_points():
    position = play(load("connect_five"), "a1 a2 b1 b2 c1 c2 d1 d2")
    assert "j10" in legal(position)
    assert position.play("e1").result.winner == "Black"


def test_who_has_no_disc_left_wins_at_losing_reversi():
    """The shortest of all games in which a colour loses all its discs, as is known."""
    moves = "e6 f4 e3 f6 g5 d6 e7 f5 c5 pass pass"
    result = play(load("losing_reversi"), moves).result
    assert (result.winner, result.scores) == ("White", {"Black": 13, "White": 0})


def test_misere_breakthrough():
    position = play(load("misere_breakthrough", columns=2, rows=5), "a2-a3 b4-b3 a3-b4 b3-a2")
    assert position.result is None
    assert position.play("b4-a5").result.winner == "Black"


def test_misere_breakthrough_is_lost_by_taking_the_last_man(tmp_path):
    text = """
variant "Study" of "Misère Breakthrough"
setup:
    place White man at {a2, h2}
    place Black man at b3
"""
    assert variant(tmp_path, text).play("a2-b3").result.winner == "Black"


def wandered(position: Position) -> Position:
    """Moves on end after which nobody can capture, and no position comes back."""
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
    """Against two pieces after five moves each, against three after sixteen, as the federation has it."""
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


def test_who_closes_a_box_draws_again():
    position = play(load("dots_and_boxes", columns=1, rows=1), "b1 a2 c2")
    assert position.to_move == "Second"
    result = position.play("b3").result
    assert (result.winner, result.scores) == ("Second", {"First": 0, "Second": 1})


def test_abalone_pushes_fewer_marbles_and_over_the_edge(tmp_path):
    text = """
variant "Study" of "Abalone"
setup:
    place Black marble at {c5, d5, e5}
    place White marble at {a5, b5, e4}
"""
    position = variant(tmp_path, text)
    assert "d5-west" not in legal(position)  # two do not push two
    after = position.play("e5-west").board
    assert [site for site, piece in after.items() if piece == "White marble"] == ["e4", "a5"]
    assert [site for site, piece in after.items() if piece == "Black marble"] == ["b5", "c5", "d5"]
    beside = position.play("c5-east-3-north_east").board
    assert [site for site, piece in beside.items() if piece == "Black marble"] == ["c6", "d6", "e6"]


def test_tumbleweed_settles_where_it_sees_more(tmp_path):
    """The rock of height 2 in the centre hides each stack from the other; White's sees five more cells."""
    position = load("tumbleweed", size=3).play("a3-e3")
    assert legal(position) == ["e1", "e2", "d3", "d4", "c5", "pass", "swap"]
    both = play(position, "e1 a5 c5 c1 e2 pass")
    assert "c3" in legal(both)
    assert both.state["height"]["e2"] == 2


# --- further rules ---------------------------------------------------------------


def test_y_links_three_sides():
    """Along the left side down to a1, which lies on two sides; the slope is the third."""
    position = play(load("y", size=3), "a3 b2 a2 b1")
    assert position.play("a1").result.winner == "Black"
    assert play(load("y", size=3), "c1 b1 a1").result is None


def test_nogo_forbids_captures_and_suicide():
    position = play(load("nogo", size=3), "a1 b1 c3")
    assert "a2" not in legal(position)  # it would capture a1
    suicide = play(load("nogo", size=3), "b1 c3 a2")
    assert "a1" not in legal(suicide)
    assert load("nogo", size=2).play("a1").play("b2").result is None


BRANDUBH = """
variant "Study" of "Brandubh"
setup:
    place Attackers man at {c1, e3, f6}
    place Defenders man at d3
    place Defenders king at KING
"""


def test_brandubh_captures_between_two_and_the_king_gets_away(tmp_path):
    position = variant(tmp_path, BRANDUBH.replace("KING", "b7"))
    assert "c1-a1" not in legal(position)  # a corner
    assert "f6-d6" in legal(position)
    after = position.play("c1-c3")
    assert "d3" not in after.board
    assert after.play("b7-a7").result.winner == "Defenders"


def test_brandubh_kings_weak_and_strong(tmp_path):
    text = BRANDUBH.replace("KING", "e4")
    assert variant(tmp_path, text).play("f6-e6").result is None
    assert variant(tmp_path, text.replace("f6", "f5")).play("f5-e5").result.winner == "Attackers"
    assert variant(tmp_path, text.replace("f6", "f5"), strong_king=True).play("f5-e5").result is None
    beside_the_throne = text.replace("{c1, e3, f6}", "{e5, e3, f6}")
    assert variant(tmp_path, beside_the_throne, strong_king=True).play("f6-f4").result.winner == "Attackers"


def test_a_strong_brandubh_king_is_taken_by_the_man_who_closes_in_only(tmp_path):
    """A king who goes between three men beside the throne is safe from a fourth man moved elsewhere."""
    text = """
variant "Study" of "Brandubh"
setup:
    place Attackers man at MEN
    place Defenders man at g3
    place Defenders king at KING
"""
    open_side = text.replace("MEN", "c5 + e5 + d6 + a1 + b2").replace("KING", "d4")
    position = variant(tmp_path, open_side, strong_king=True)
    assert play(position, "a1-b1 d4-d5 b2-b3").result is None
    edge = text.replace("MEN", "c1 + e1 + d6").replace("KING", "d1")
    assert variant(tmp_path, edge, strong_king=True).play("d6-d2").result is None


def test_surakarta_captures_round_a_loop_only(tmp_path):
    """From c1 the line goes on at a3; what stands straight ahead, on c4, is safe."""
    text = """
variant "Study" of "Surakarta"
setup:
    place Black stone at c1
    place White stone at {f3, c4}
"""
    position = variant(tmp_path, text)
    assert set(legal(position)) == {f"c1-{point}" for point in "b1 d1 b2 c2 d2 f3".split()}
    blocked = variant(tmp_path, text.replace("{f3, c4}", "{a3, f3, c4}"))
    assert "c1-a3" in legal(blocked)
    assert "c1-f3" not in legal(blocked)


def test_kalah_with_other_captures(tmp_path):
    text = """
variant "Study" of "Kalah"
state seeds: int per site = 1 on b1, 1 on g1, 1 on d2
"""
    assert variant(tmp_path, text).play("b1").state["seeds"]["h1"] == 0
    alone = variant(tmp_path, text, empty_capture=True).play("b1").state["seeds"]
    assert (alone["c1"], alone["h1"]) == (0, 1)


def test_oware_grand_slams(tmp_path):
    text = """
variant "Study" of "Oware"
state seeds: int per site = 1 on e1, 1 on f1, 1 on f2, 1 on a1
"""
    assert variant(tmp_path, text).play("f1").state["store"] == {"South": 0, "North": 0}
    slam = variant(tmp_path, text, grand_slam=True).play("f1")
    assert slam.state["store"] == {"South": 2, "North": 0}
    assert slam.result.scores == {"South": 4, "North": 0}


def test_both_sides_connected_at_once(tmp_path):
    text = """
variant "Study" of "Lines of Action"
setup:
    place Black man at {a1, b4}
    place White man at {b2, h8}
"""
    assert variant(tmp_path, text).play("b4-b2").result.winner == "Black"
    assert variant(tmp_path, text, both_draw=True).play("b4-b2").result.winner is None


def test_amazons_on_smaller_boards():
    assert sorted(load("amazons", size=6).board) == "a2 a5 b1 b6 e1 e6 f2 f5".split()


def test_the_fewest_win_where_the_game_is_turned_round():
    moves = "a1 b1 a2 b2 a3"
    assert play(load("tic_tac_toe"), moves).result.winner == "Cross"
    assert play(load("misere_tic_tac_toe"), moves).result.winner == "Nought"


def test_exactly_five():
    moves = "a1 a9 b1 b9 c1 c9 e1 e9 f1 f9 d1"
    assert play(load("gomoku"), moves).result.winner == "Black"
    assert play(load("gomoku", exact=True), moves).result is None


def test_a_row_goes_round_the_cylinder():
    moves = "a1 c1 b1 d1 g1 e1 f1"
    assert play(load("connect_four"), moves).result is None
    assert play(load("cylinder_connect_four"), moves).result.winner == "Yellow"


def test_a_stone_at_the_seam_of_a_torus_has_four_liberties():
    three = play(load("toroidal_go", size=5), "a1 b1 c3 a2 c4 a5")
    assert "a1" in three.board
    assert "a1" not in play(three, "d4 e1").board
