"""Write tests/data/openspiel.json: whole random games that OpenSpiel and python-chess played.

    pip install open-spiel chess
    python tests/tools/openspiel_traces.py

The tests need neither. For each game: the moves, the number of legal moves before each of them, the
returns of the first and second player at the end, and in the first game of each sort the lists of legal
moves as well, where they are short. Moves are in the words of the other program, without its spaces.
A turn that OpenSpiel cuts into steps is one move here, its steps joined by `+`. For some games also how
many move sequences there are, by depth.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import chess
import chess.variant
import pyspiel

TARGET = Path(__file__).parents[1] / "data" / "openspiel.json"
LONGEST_LIST = 70

Listed = dict[str, object]
#: A whole move and the state after it.
Turn = tuple[str, pyspiel.State]


def bare(text: str) -> str:
    return text.replace(" ", "")


def numbers(text: str) -> str:
    """The numbers alone: `X From (7, 1)` is 7,1, `Point 4` is 4."""
    return ",".join(re.findall(r"\d+", text))


def second_word(text: str) -> str:
    """`B a1` is a1."""
    return text.split()[-1]


def uncoloured(text: str) -> str:
    """`P1(h,0,1)` is h,0,1, `x(0,1)` is 0,1 and `xb8` is b8."""
    return re.sub(r"^(P\d)?[xo]?\(?|\)$", "", text)


#: The name of the traces, the game of OpenSpiel, how many games, how its moves are shortened.
GAMES: list[tuple[str, str, int, Callable[[str], str]]] = [
    ("amazons", "amazons", 5, numbers),
    ("breakthrough", "breakthrough", 20, bare),
    ("breakthrough 6x7", "breakthrough(columns=6,rows=7)", 10, bare),
    ("checkers", "checkers", 20, bare),
    ("clobber", "clobber", 20, bare),
    ("clobber 8x7", "clobber(columns=8,rows=7)", 10, bare),
    ("connect_four", "connect_four", 20, uncoloured),
    ("dots_and_boxes", "dots_and_boxes", 20, uncoloured),
    ("dots_and_boxes 4x3", "dots_and_boxes(num_cols=4,num_rows=3)", 10, uncoloured),
    ("go 5", "go(board_size=5,komi=7.5,max_game_length=2000)", 20, second_word),
    ("go 9", "go(board_size=9,komi=7.5,max_game_length=2000)", 10, second_word),
    ("gomoku", "gomoku", 10, bare),
    ("gomoku 8", "gomoku(size=8)", 20, bare),
    ("gomoku on a torus", "gomoku(size=9,wrap=true)", 10, bare),
    ("mnk", "mnk(m=9,n=9,k=5)", 20, uncoloured),
    ("havannah", "havannah", 10, bare),
    ("havannah 4", "havannah(board_size=4)", 30, bare),
    ("hex", "hex", 10, bare),
    ("hex 5x7", "hex(num_cols=5,num_rows=7)", 20, bare),
    ("hex 7x5", "hex(num_cols=7,num_rows=5)", 20, bare),
    ("misere hex 5", "misere(game=hex(board_size=5))", 20, bare),
    ("lines_of_action", "lines_of_action", 10, bare),
    ("mancala", "mancala", 20, bare),
    ("nine_mens_morris", "nine_mens_morris", 20, numbers),
    ("othello", "othello", 20, bare),
    ("oware", "oware", 20, bare),
    ("pentago", "pentago", 20, bare),
    ("tic_tac_toe", "tic_tac_toe", 20, uncoloured),
    ("misere tic_tac_toe", "misere(game=tic_tac_toe())", 20, uncoloured),
    ("ultimate_tic_tac_toe", "ultimate_tic_tac_toe", 10, numbers),
    ("y 9", "y(board_size=9)", 20, bare),
    ("y 5", "y(board_size=5)", 20, bare),
    ("xiangqi", "xiangqi", 5, bare),
]
#: The names of the traces, how many games, and how deep the variants of chess are counted.
CHESS: list[tuple[str, type[chess.Board], int, int]] = [
    ("chess", chess.Board, 20, 0),
    ("king of the hill", chess.variant.KingOfTheHillBoard, 4, 4),
    ("three-check", chess.variant.ThreeCheckBoard, 4, 4),
    ("racing kings", chess.variant.RacingKingsBoard, 4, 4),
    ("antichess", chess.variant.AntichessBoard, 4, 4),
]
#: How deep move sequences of OpenSpiel are counted.
DEPTHS = {
    "mancala": 8,
    "oware": 7,
    "clobber": 4,
    "dots_and_boxes 4x3": 4,
    "nine_mens_morris": 4,
    "ultimate_tic_tac_toe": 4,
    "xiangqi": 3,
}
#: Where another move of the same player goes on with the same turn.
IN_STEPS = {"amazons", "checkers", "nine_mens_morris", "ultimate_tic_tac_toe"}


def moves(state: pyspiel.State, name: str, short: Callable[[str], str]) -> Iterator[Turn]:
    """Each whole move and the state after it."""
    mover = state.current_player()
    for action in state.legal_actions():
        text = short(state.action_to_string(action))
        after = state.child(action)
        if name in IN_STEPS and not after.is_terminal() and after.current_player() == mover:
            for rest, last in moves(after, name, short):
                yield f"{text}+{rest}", last
        # There a move that repeats a board ends the game: no one has won, which komi rules out otherwise.
        elif not (name.startswith("go ") and after.is_terminal() and not any(after.returns())):
            yield text, after


def openspiel(name: str, spec: str, short: Callable[[str], str], seed: int) -> Listed:
    """One random game."""
    pick = random.Random(f"{name} {seed}")
    state = pyspiel.load_game(spec).new_initial_state()
    played, counts, listed = list[str](), list[int](), list[str]()
    while not state.is_terminal():
        legal = list(moves(state, name, short))
        move, state = pick.choice(legal)
        played.append(move)
        counts.append(len(legal))
        listed.append(" ".join(sorted(text for text, _ in legal)) if len(legal) <= LONGEST_LIST else "")
    game: Listed = {"moves": " ".join(played), "counts": counts, "returns": [int(x) for x in state.returns()]}
    return game | ({"legal": listed} if seed == 0 else {})


def python_chess(name: str, kind: type[chess.Board], seed: int) -> Listed:
    """One random game, which ends as its rules say, at a third repetition or after fifty moves."""
    pick = random.Random(f"{name} {seed}")
    board = kind()
    played, counts, listed = list[str](), list[int](), list[str]()
    while (legal := chess_moves(board)) and not board.is_repetition(3) and not board.is_fifty_moves():
        move = pick.choice(legal)
        played.append(move.uci())
        counts.append(len(legal))
        listed.append(" ".join(sorted(other.uci() for other in legal)))
        board.push(move)
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None
    returns = {None: [0, 0], chess.WHITE: [1, -1], chess.BLACK: [-1, 1]}[outcome.winner]
    game: Listed = {"moves": " ".join(played), "counts": counts, "returns": returns}
    return game | ({"legal": listed} if seed == 0 else {})


def chess_moves(board: chess.Board) -> list[chess.Move]:
    return [] if board.is_variant_end() else list(board.legal_moves)


def chess_sequences(board: chess.Board, depth: int) -> int:
    """How many sequences of so many moves there are."""
    legal = chess_moves(board)
    if depth == 1:
        return len(legal)
    total = 0
    for move in legal:
        board.push(move)
        total += chess_sequences(board, depth - 1)
        board.pop()
    return total


def sequences(state: pyspiel.State, name: str, depth: int) -> int:
    """How many sequences of so many moves there are."""
    after = [last for _, last in moves(state, name, bare)]
    return len(after) if depth == 1 else sum(sequences(last, name, depth - 1) for last in after)


def main() -> None:
    traces = {
        name: {"game": spec, "games": [openspiel(name, spec, short, seed) for seed in range(count)]}
        for name, spec, count, short in GAMES
    }
    traces |= {
        name: {"game": "python-chess", "games": [python_chess(name, kind, seed) for seed in range(count)]}
        for name, kind, count, _ in CHESS
    }
    specs = {name: spec for name, spec, _, _ in GAMES}
    counts = {
        name: [
            sequences(pyspiel.load_game(specs[name]).new_initial_state(), name, n)
            for n in range(1, depth + 1)
        ]
        for name, depth in DEPTHS.items()
    } | {
        name: [chess_sequences(kind(), n) for n in range(1, depth + 1)]
        for name, kind, _, depth in CHESS
        if depth
    }
    source = f"OpenSpiel {version('open-spiel')}, python-chess {version('chess')}"
    lines = [
        f'{json.dumps(name)}: {{"game": {json.dumps(trace["game"])}, "games": [\n'
        + ",\n".join(json.dumps(game, separators=(",", ":")) for game in trace["games"])
        + "\n]}"
        for name, trace in traces.items()
    ]
    head = f'{{"source": {json.dumps(source)},\n"counts": {json.dumps(counts)},\n"traces": {{\n'
    TARGET.write_text(head + ",\n".join(lines) + "\n}}\n")


if __name__ == "__main__":
    main()
