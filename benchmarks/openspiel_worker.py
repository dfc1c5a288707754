"""OpenSpiel, run by a Python that has it: a process that answers lines of JSON.

`["playouts", "go(board_size=9)", 100, 1]` (what to play, the game, how much of it, a seed) is answered with
the seconds of processor time that it took, or with null if OpenSpiel does not know the game.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

import pyspiel  # type: ignore[import-not-found]


def playouts(game: Any, count: int, seed: int) -> None:
    """Play them all from the first position, in C++, as a search of one simulation does."""
    evaluator = pyspiel.RandomRolloutEvaluator(count, seed)
    pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, seed, False).step(game.new_initial_state())


def moves(game: Any, count: int, seed: int) -> None:
    """Make moves one by one, as a program in Python does that leaves each position unchanged."""
    draw, state = random.Random(seed), game.new_initial_state()
    for _ in range(count):
        if state.is_terminal():
            state = game.new_initial_state()
        state = state.clone()
        state.apply_action(draw.choice(state.legal_actions()))


WORK = {"playouts": playouts, "moves": moves}

for line in sys.stdin:
    what, name, count, seed = json.loads(line)
    try:
        game = pyspiel.load_game(name)
        before = time.process_time()
        WORK[what](game, count, seed)
        print(json.dumps(time.process_time() - before), flush=True)
    except pyspiel.SpielError:
        print("null", flush=True)
