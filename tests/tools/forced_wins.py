"""Writes tests/data/forced_wins.json: positions of random games in which the person to move can force a win.

Looking ahead finds them, natively; tests/test_alphabeta.py works each of them out by brute force on the
reference engine.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from interpreter.deepening import WON, Lookahead
from interpreter.game import Game, Position

PATH = Path(__file__).parents[1] / "data" / "forced_wins.json"

#: Games, their options, and how many positions are wanted in which one move wins, and two.
GAMES: list[tuple[str, dict[str, int | bool], int, int]] = [
    ("tic_tac_toe", {}, 1, 2),
    ("connect_four", {}, 1, 2),
    ("connect_four", {"columns": 5, "rows": 5}, 0, 1),
    ("hex", {"columns": 4, "pie": False}, 0, 2),
    ("ayu", {"size": 5}, 0, 2),
    ("egotzi", {"size": 3}, 0, 2),
    ("breakthrough", {"columns": 5, "rows": 6}, 1, 2),
    ("knightthrough", {"columns": 5, "rows": 6}, 1, 1),
    ("english_draughts", {}, 0, 2),
    ("losing_draughts", {}, 0, 2),
    ("fox_and_hounds", {}, 0, 2),
    ("konane", {"size": 6}, 0, 2),
    ("clobber", {"columns": 4, "rows": 5}, 0, 2),
    ("domineering", {"columns": 5, "rows": 5}, 0, 1),
    ("reversi", {"size": 4}, 0, 2),
    ("los_alamos_chess", {}, 1, 1),
    ("yavalath", {}, 1, 1),
    ("y", {"size": 4}, 0, 1),
    ("magpie", {}, 0, 1),
    ("lines_of_action", {}, 1, 1),
    ("nine_mens_morris", {}, 1, 1),
    ("brandubh", {}, 1, 1),
]

#: How many moves there may be where one or two must be played, so that brute force stays quick.
MOST_MOVES = {1: 30, 2: 15}

#: What part of the moves may win.
PART = 0.35


def main() -> None:
    found: list[dict[str, Any]] = []
    for name, options, *wanted in GAMES:
        game = Game.load(name, **options).on("native")
        draw = random.Random(f"{name} {options}")
        left = {1: wanted[0], 2: wanted[1]}
        for _ in range(3000):
            if not any(left.values()):
                break
            case = _sought(game, draw, left)
            if case is not None:
                left[case["own_moves"]] -= 1
                found.append({"game": name, "options": options, **case})
        print(name, options, "missing" if any(left.values()) else "", left)
    PATH.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(len(found), "positions")


def _sought(game: Game, draw: random.Random, left: dict[int, int]) -> dict[str, Any] | None:
    """A position wanted, from one random game."""
    position = game.start()
    moves: list[str] = []
    ahead = Lookahead(position, positions=1 << 12, guesses=False)
    while not position.over and len(moves) < 90:
        if 2 < len(position.legal_moves) <= max(MOST_MOVES.values()):
            # In some games the last move is the other's, who must make it.
            own_moves = next((n for n in (1, 2) if _wins(ahead, position, 2 * n)), None)
            if own_moves and left[own_moves] and len(position.legal_moves) <= MOST_MOVES[own_moves]:
                winning = [
                    move.notation
                    for move in position.legal_moves
                    if _lost(ahead, position.play(move), position.person, 2 * own_moves - 1)
                ]
                if len(winning) <= PART * len(position.legal_moves):
                    return {"moves": moves, "winning": winning, "own_moves": own_moves}
        moves.append(draw.choice(position.legal_moves).notation)
        position = position.play(moves[-1])
    return None


def _wins(ahead: Lookahead, position: Position, plies: int) -> bool:
    ahead.advance(position)
    return ahead.look(plies, alpha=WON - 1, beta=WON).value >= WON


def _lost(ahead: Lookahead, position: Position, person: str, plies: int) -> bool:
    """Whether a person has won, or wins so soon, with the other to move."""
    if position.result is not None or plies == 0:
        return position.result is not None and position.result.person == person
    ahead.advance(position)
    return ahead.look(plies, alpha=-WON, beta=1 - WON).value <= -WON


if __name__ == "__main__":
    main()
