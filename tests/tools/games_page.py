"""Write docs/games.md and its pictures from the rule files, the data of the tests and the tables below.

python tests/tools/games_page.py
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import test_ayu
import test_games
import test_openspiel
import test_other_programs
import test_perft

from gdl.core import CheckedGame
from gdl.library import bundled, load, read
from interpreter.game import Game
from interpreter.svg import draw

DOCS = Path(__file__).parents[2] / "docs"

Options = dict[str, int | bool]
#: How many move sequences there are by depth, from a start with these options.
Counts = tuple[str, Options, Sequence[int]]

OPENSPIEL = test_openspiel.DATA["source"].split(",")[0]
PYTHON_CHESS = test_openspiel.DATA["source"].split(", ")[1]
WIKI = "Chess Programming Wiki"

#: Who else has counted. Where there are several, not all went to the greatest depth.
COUNTED_BY = {
    "amazons": "Regular Boardgames, AbstractPlay",
    "antichess": "python-chess, Fairy-Stockfish",
    "ayu": "two programs of their own",
    "brandubh": "tafl",
    "brazilian_draughts": "Rein Halbersma",
    "breakthrough": "Regular Boardgames, OpenSpiel, AbstractPlay",
    "chess": f"Regular Boardgames, OpenSpiel, {WIKI}; also in five further positions of it",
    "clobber": "OpenSpiel",
    "connect6": "omok",
    "connect_five": "by hand",
    "connect_four": "Regular Boardgames",
    "cylinder_connect_four": "by hand: as its base",
    "dodgem": "dodgem-game",
    "domineering": "AbstractPlay",
    "dots_and_boxes": "OpenSpiel",
    "english_draughts": "Regular Boardgames, OpenSpiel, Aart Bik",
    "fanorona": "AbstractPlay",
    "fox_and_hounds": "Regular Boardgames, fox-and-hounds-ai; by hand where the hounds begin",
    "go": "OpenSpiel, AbstractPlay",
    "gomoku": "Regular Boardgames",
    "havannah": "OpenSpiel, AbstractPlay, two programs of their own",
    "hex": "Regular Boardgames, OpenSpiel",
    "international_draughts": "Regular Boardgames, Aart Bik, py-draughts",
    "kalah": "OpenSpiel",
    "king_of_the_hill": "python-chess",
    "knightthrough": "Regular Boardgames, KnightThroughBot",
    "konane": "AbstractPlay",
    "lines_of_action": "Regular Boardgames, OpenSpiel, AbstractPlay",
    "los_alamos_chess": "Fairy-Stockfish",
    "losing_draughts": "by hand: as its base",
    "losing_reversi": "by hand: as its base",
    "magpie": "AbstractPlay",
    "minishogi": "Fairy-Stockfish",
    "misere_breakthrough": "by hand: as its base",
    "misere_hex": "by hand: as its base",
    "nine_mens_morris": "Regular Boardgames, OpenSpiel",
    "nogo": "Polygames",
    "oware": "OpenSpiel, AbstractPlay",
    "pentago": "Regular Boardgames, OpenSpiel",
    "pente": "AbstractPlay",
    "pro_gomoku": "AbstractPlay",
    "racing_kings": "python-chess, Fairy-Stockfish",
    "reversi": "Regular Boardgames, OpenSpiel, AbstractPlay",
    "surakarta": "MiniZero",
    "three_check": "python-chess",
    "tic_tac_toe": "Regular Boardgames; all 255,168 games, as is known",
    "ultimate_tic_tac_toe": "OpenSpiel",
    "xiangqi": f"{WIKI}, OpenSpiel",
    "y": "OpenSpiel",
    "yavalath": "Regular Boardgames",
}

#: What else is tested, and nothing that another program has said.
BY_HAND = {
    "abalone": "Pushes and broadsides in a drawn position.",
    "antichess": "Captures in passing, blocked pawns, and bishops that never meet.",
    "brandubh": "Captures, and the king's end, in drawn positions.",
    "brazilian_draughts": "Draws of a lone king.",
    "chess": "Mate, stalemate, repetition, castling and promotion; too few pieces to mate.",
    "connect_five": "A row of five.",
    "cylinder_connect_four": "A row that goes round.",
    "dodgem": "That the first player wins, as is known.",
    "egotzi": "Every clause of its rules; numbers of different positions; a second program in the tests.",
    "hex": "Boards that are not square, and the swap.",
    "king_of_the_hill": "The hill, and check on it.",
    "lines_of_action": "Draws at the second and the third repetition.",
    "losing_reversi": "A game in which a colour loses all its discs.",
    "minishogi": "Mate by a dropped pawn, forced promotion, where pawns are dropped, the fourth repetition.",
    "misere_breakthrough": "The last row, and the last man.",
    "nogo": "Captures and suicide.",
    "pentago": "Five in a row before and after the quarter is turned.",
    "racing_kings": "Who arrives, and when.",
    "squared_egotzi": "Auction, komi and scores; that an auction and an agreement give the same game.",
    "surakarta": "Captures round a loop.",
    "three_check": "The draw of two kings.",
    "toroidal_go": "Liberties across the seam.",
    "tumbleweed": "Where one may settle, on a small board.",
}

#: What is missing, and where sources differ.
NOTES = {
    "abalone": (
        "One start only, the classical one. A third repetition is a draw, of which the rules say nothing."
    ),
    "amazons": "Smaller boards have the start drawn nearer in; sources differ on it.",
    "antichess": (
        "As lichess has it: nobody castles, and who has no move has won, with more pieces left or fewer. "
        "Draws by repetition and fifty moves come by themselves."
    ),
    "ataxx": (
        "AbstractPlay counts a step once for each blob that may grow, so its numbers of moves are not "
        "compared. A third repetition is a draw here. No walls."
    ),
    "ayu": "AbstractPlay scores a position that comes back; by the inventor's rules, and here, it is a draw.",
    "black_hole_lines_of_action": "As the base.",
    "brandubh": (
        "The old rules are lost and reconstructions differ: `strong_king` has two of them. tafl spares a "
        "king on the edge, and takes one who went between two attackers when a third comes; by most rules, "
        "and here, it is the other way round. A third repetition is a draw here."
    ),
    "brazilian_draughts": (
        "As the base. pydraughts counts the moves of an ending from the last capture on, also while the lone "
        "piece is a man."
    ),
    "breakthrough": "",
    "chess": (
        "Draws by repetition and fifty moves come by themselves, not by a claim. With two kings and a knight "
        "or bishop at most the game is over; other positions in which nobody can mate go on."
    ),
    "clobber": "",
    "connect6": "Regular Boardgames counts the two stones of a turn as one move, here they are two.",
    "connect_five": "Six and more win too, unless `exact`.",
    "connect_four": "",
    "cylinder_connect_four": "",
    "dodgem": "A third repetition is a draw, as in dodgem-game; the first rules say nothing of it.",
    "domineering": "A domino is named by its lower or left square.",
    "dots_and_boxes": "At most 9 by 9 boxes.",
    "egotzi": "",
    "english_draughts": (
        "OpenSpiel calls a draw after 40 moves in a row without a capture; here it is `quiet` moves by each "
        "player without a capture or a move of a man, as the federation has it."
    ),
    "fanorona": "A third repetition is a draw here. No handicap (vela).",
    "fox_and_hounds": (
        "Sources differ on who begins: `hounds_begin`. The fox picks its square, as in Regular Boardgames. "
        "In fox-and-hounds-ai the hounds lose as soon as they have no move, here when it is their turn."
    ),
    "go": (
        "All stones count as alive at the end. `komi` is a whole number, so a draw is possible: OpenSpiel "
        "has half a point more. AbstractPlay's second player may take the first's side, where ours may "
        "pass. Superko is positional or `situational`."
    ),
    "gomoku": "Sources differ on six and more in a row: `exact`. No Renju rules.",
    "havannah": "",
    "hex": "The games of others are without the pie rule.",
    "international_draughts": (
        "A lone king draws after sixteen moves each against three pieces, five against two, one of them a "
        "king. Aart Bik's and py-draughts' eighth number is less by ten captures of the same men in another "
        "order."
    ),
    "kalah": "Sources differ on the last seed in a pit that faces an empty one: `empty_capture`.",
    "king_of_the_hill": "Draws as in the base, but not for want of pieces.",
    "knightthrough": "",
    "konane": "Even sizes only; the games on seven columns are played in a variant.",
    "lines_of_action": (
        "Sources differ on both sides connected at once: `both_draw`; and on the repetition that is a draw: "
        "`repeats`, which is 2 for OpenSpiel."
    ),
    "los_alamos_chess": "As the base. Fairy-Stockfish goes on where nobody can mate.",
    "losing_draughts": "As the base.",
    "losing_reversi": "As the base.",
    "magpie": "As AbstractPlay has it. A third repetition is a draw here.",
    "minishogi": (
        "Perpetual check loses by the rules; here any fourth repetition is a win for Gote. A pawn that mates "
        "where it is dropped loses at once; by the rules it may not be dropped there."
    ),
    "misere_breakthrough": "",
    "misere_hex": "",
    "misere_tic_tac_toe": "",
    "nine_mens_morris": (
        "OpenSpiel calls a draw after 200 moves, here it is a third repetition. Sources differ on `flying`."
    ),
    "nogo": "",
    "oware": (
        "Sources differ on taking all seeds at once: here the move stands and takes nothing, unless "
        "`grand_slam`. When a position comes back, each side keeps the seeds on it."
    ),
    "pentago": (
        "Five in a row by both at once is a draw. OpenSpiel counts five only once the quarter is turned: "
        "`at_once=no`."
    ),
    "pente": "Sources differ on the first moves: `tournament`.",
    "pro_gomoku": "AbstractPlay lets players pass after the fifth move, here nobody may.",
    "racing_kings": "Draws by repetition and fifty moves come by themselves.",
    "reversi": "Starts with four discs, as Othello does; the Reversi of 1883 began with an empty board.",
    "squared_egotzi": "",
    "surakarta": "Sources differ on when a game without captures ends: `quiet`.",
    "three_check": "Draws as in the base, but two kings and a knight or bishop play on.",
    "tic_tac_toe": "",
    "toroidal_go": "As the base.",
    "tumbleweed": "",
    "ultimate_tic_tac_toe": (
        "OpenSpiel has two steps where the small board is free, here it is one move. Sources differ on games "
        "without three boards in a row: here they are drawn, however many boards each side has."
    ),
    "xiangqi": (
        "Check and chase without end are a draw at the third repetition, whoever gives them; by most rules "
        "that player loses. OpenSpiel goes on, and calls a draw after 500 moves."
    ),
    "y": "The plain triangle, not the curved board.",
    "yavalath": "For two players.",
}

#: The options and moves that lead to the position of the picture; the start where a game is not here.
SHOWN: dict[str, tuple[Options, str]] = {
    "amazons": ({}, "d1-d7/g7 g10-g8/d5"),
    "antichess": ({}, "e2-e3 b7-b5 f1-b5 c8-a6 b5-d7"),
    "breakthrough": ({}, "d2-d3 e7-e6 d3-d4 b7-b6 d4-e5"),
    "chess": ({}, "e2-e4 e7-e5 g1-f3 b8-c6 f1-b5 a7-a6"),
    "clobber": ({}, "c3-c4 b5-c5"),
    "connect6": ({"size": 13}, "g7 h7 h8 g8 f6 i9 e7 h5 f9"),
    "connect_five": ({}, "e5 f6 e6 e7 f5 d5 g5 g6"),
    "connect_four": ({}, "d1 d2 e1 c1 e2 e3 c2 d3 f1 g1"),
    "cylinder_connect_four": ({}, "a1 d1 g1 d2 b1 c1 a2 f1"),
    "dodgem": ({}, "a3-b3 b1-b2 b3-c3"),
    "domineering": ({}, "d4 e5 b2 f2 g6 c7"),
    "dots_and_boxes": ({"columns": 3}, "b1 a2 c2 b3 d3 e4 f5"),
    "egotzi": ({}, "d4 d5 c3 e5 d3 b4"),
    "english_draughts": ({}, "c3-d4 b6-a5 b2-c3 a7-b6"),
    "fox_and_hounds": ({}, "e1 e1-d2 d8-c7 d2-e3 f8-e7"),
    "go": ({"size": 9}, "e5 c3 g3 c6 g7 f3 f2 g2 e3 f4 g4 h3"),
    "gomoku": ({}, "h8 i9 h9 h10 i8 g8 j8 k8 j7 g10 f9"),
    "havannah": ({"size": 6}, "f6 g6 f7 e7 g5 h5 h4 e8 g7 d9"),
    "hex": ({}, "f6 e7 g5 d9 h8 f8 e5 c8"),
    "king_of_the_hill": ({}, "e2-e4 e7-e6 e1-e2 d8-h4 e2-e3 d7-d5 e3-d4"),
    "lines_of_action": ({}, "c1-c3 a4-c4 f8-f6"),
    "minishogi": ({}, "h1-h2 e5-h2 g1-h2 R*f4 B*e4 d5-d3 e4-f5 f4-f1"),
    "misere_hex": ({"columns": 7}, "d4 c5 e3 b6 f5 d6"),
    "misere_tic_tac_toe": ({}, "b2 a1 c3 a3 a2"),
    "nine_mens_morris": ({}, "a7 d6 a1 f4 g1 b4 d1-f4 f4"),
    "nogo": ({}, "e5 d4 f6 c7 g3 b2 h8 d6"),
    "pentago": ({}, "b5-b2-east e2-e5-west c4-b5-west d4-e2-east"),
    "pente": ({"size": 13}, "g7 h8 g11 h7 h6 h10 i8"),
    "pro_gomoku": ({}, "h8 i9 l8 h9 g9 i7 i8"),
    "reversi": ({}, "d3 c3 c4 e3"),
    "squared_egotzi": ({}, "20 keep d4 d5 c3 e4 d3 c5 f4"),
    "three_check": ({}, "e2-e4 e7-e5 d1-h5 b8-c6 h5-f7"),
    "tic_tac_toe": ({}, "b2 a3 a1 c3 b3"),
    "toroidal_go": ({}, "f6 c3 i9 c9 i3 b10 j10 a1"),
    "tumbleweed": ({}, "h12-h4 f6 j10 h6 h10"),
    "ultimate_tic_tac_toe": (
        {},
        "j5 g1 k3 k10 i6 a7 a11 a10 c6 k5 j1 f1 f2 f5 g2 j6 e7 c11 j10 g5 i1 c1 j3 g9 i3 b9 e2 c7",
    ),
    "xiangqi": ({}, "h3-e3 h10-g8"),
    "y": ({}, "d4 c4 c5 e3 e4 f2 b6 b5"),
    "yavalath": ({}, "e5 f5 e6 d6 f4 g3 d7"),
}

HEAD = """\
# The games

{count} games come with the project. This page is made from their rule files and from the data of the tests by
`python tests/tools/games_page.py`; a test fails where it is out of date.

## How well tested are they?

Every game is played at random to its end, 10,000 times by the native engine and 200 times by both engines
side by side, which must agree on every position and every move. That says that a game runs and ends, not
that its rules are the right ones. For this the numbers and games of others are needed:

- **Whole games** ({whole} of {count} games). Another program has played them at random; move by move ours
  has as many legal moves as that program, and the same winner in the end, or the last column says why not.
  Of AbstractPlay's games the boards are compared too, and where legal moves are listed, the lists.
  {games} such games in all.
- **Counts** (all that there is for {counted} of the others). Another program, or a publication, has counted
  all ways to play so many moves from the start; ours are as many. What comes later in a game, the end above
  all, is not reached by such numbers.
- **By hand** ({hand} more). Only the tests' authors have thought out what must happen: counts made on
  paper, or a few positions and what follows from them.

Lines are without comments and blank lines; a variant has those of its base on top. *3 moves: 8,902* means
that there are 8,902 ways to play three moves. AbstractPlay is the program
[gameslib](https://github.com/AbstractPlay/gameslib); the others are {openspiel}, {chess} and Regular
Boardgames, and for a game or two each {others}.
Most games of OpenSpiel and of these, and the deepest counts, are compared only when the slow tests run:
`pytest -m slow`.

| game | | options | lines | tested | against | limits, and where sources differ |
|---|---|---|--:|---|---|---|
"""


# --- what the tests compare -------------------------------------------------------


def all_counts() -> Iterator[Counts]:
    yield from test_games.COUNTS
    yield from test_perft.COUNTS
    yield from test_perft.DEEP
    yield ("chess", {}, test_perft.CHESS[0][2])
    yield from (("ayu", {"size": size}, counts) for size, counts in test_ayu.DEEP.items())
    for trace, name, options, _ in test_openspiel.CASES:
        if trace in test_openspiel.DATA["counts"]:
            yield name, options, test_openspiel.DATA["counts"][trace]
    for trace, name, options, _ in test_other_programs.CASES:
        if trace in test_other_programs.DATA["counts"]:
            yield name, options, test_other_programs.DATA["counts"][trace]


def counts_of(name: str) -> str:
    """The deepest counts of each start."""
    deepest: dict[str, Sequence[int]] = {}
    for game, options, counts in all_counts():
        shown = written(options)
        if game == name and len(counts) > len(deepest.get(shown, ())):
            deepest[shown] = counts
    if not deepest:
        return ""
    said = "; ".join(
        f"{shown}{' ' if shown else ''}{len(counts)} move{'s' * (len(counts) > 1)}: {counts[-1]:,}"
        for shown, counts in deepest.items()
    )
    return f"{said} ({COUNTED_BY[name]})."


def written(options: Options) -> str:
    words = {True: "yes", False: "no"}
    text = " ".join(
        f"{name}={words[value] if isinstance(value, bool) else value}" for name, value in options.items()
    )
    return f"`{text}`" if text else ""


def whole_games() -> Iterator[tuple[str, str, int]]:
    """The game, the program that has played it, and how often."""
    for trace, name in [
        *((trace, name) for trace, name, *_ in test_games.TRACES),
        ("konane_size-7", "konane"),
    ]:
        yield name, "AbstractPlay", len(test_games.ABSTRACT_PLAY["games"][trace])
    yield "ayu", "AbstractPlay", len(test_ayu.TRACES)
    for trace, name in [
        *((trace, name) for trace, name, *_ in test_openspiel.CASES),
        ("gomoku on a torus", "gomoku"),
    ]:
        played = test_openspiel.TRACES[trace]
        program = PYTHON_CHESS if played["game"] == "python-chess" else OPENSPIEL
        yield name, program.split()[0], len(played["games"])
    for trace, name, *_ in test_other_programs.CASES:
        played = test_other_programs.TRACES[trace]
        yield name, played["program"].split()[0].split("/")[-1], len(played["games"])


def games_of(name: str) -> str:
    programs: dict[str, int] = {}
    for game, program, count in whole_games():
        if game == name:
            programs[program] = programs.get(program, 0) + count
    said = ", ".join(f"{count} of {program}" for program, count in programs.items())
    return f"Whole games: {said}." if said else ""


def grade(name: str) -> str:
    if games_of(name):
        return "whole games"
    if not COUNTED_BY.get(name, "by hand").startswith("by hand"):
        return "counts"
    return "by hand"


# --- the page ---------------------------------------------------------------------


def lines(text: str) -> int:
    return sum(bool(re.sub("#.*", "", line).strip()) for line in text.splitlines())


def options_of(rules: CheckedGame) -> str:
    """The options as the rule file says them."""
    declared = (o.span.source.line(o.span.line).partition("#")[0] for o in rules.options.values())
    return "<br>".join(f"`{line.strip().removeprefix('option ')}`" for line in declared)


def row(name: str) -> str:
    rules = load(name)
    title = f"[{rules.name}](../games/{name}.game)"
    if rules.base:
        title += f"<br>of {rules.base}"
    against = "<br>".join(filter(None, [games_of(name), counts_of(name), BY_HAND.get(name)]))
    image = f'<img src="games/{name}.svg" width="120" alt="{rules.name}">'
    cells = [title, image, options_of(rules), str(lines(read(name).text)), grade(name), against, NOTES[name]]
    return f"| {' | '.join(cells)} |\n"


def page() -> str:
    grades = [grade(name) for name in bundled()]
    head = HEAD.format(
        count=len(grades),
        whole=grades.count("whole games"),
        counted=grades.count("counts"),
        hand=grades.count("by hand"),
        games=sum(count for _, _, count in whole_games()),
        openspiel=OPENSPIEL,
        others=", ".join(sorted({trace["program"] for trace in test_other_programs.TRACES.values()})),
        chess=PYTHON_CHESS,
    )
    return head + "".join(map(row, bundled()))


def picture(name: str) -> str:
    options, moves = SHOWN.get(name, ({}, ""))
    position = Game.load(name, **options).on("reference").start()
    for move in moves.split():
        position = position.play(move)
    return draw(position, labels=False)


def main() -> None:
    (DOCS / "games").mkdir(exist_ok=True)
    (DOCS / "games.md").write_text(page(), encoding="utf-8")
    for name in bundled():
        (DOCS / "games" / f"{name}.svg").write_text(picture(name), encoding="utf-8")


if __name__ == "__main__":
    main()
