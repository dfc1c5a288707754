"""OpenSpiel's random playouts, for the Python that has it: a process that answers lines of JSON.

`["go(board_size=9)", 100, 1]`, a game, a number of playouts and a seed, is answered with the seconds
of processor time that they took, or with null where OpenSpiel does not know the game. A search of one
simulation plays them all from the first position, in C++.
"""

from __future__ import annotations

import json
import sys
import time

import pyspiel  # type: ignore[import-not-found]

for line in sys.stdin:
    name, count, seed = json.loads(line)
    try:
        game = pyspiel.load_game(name)
        evaluator = pyspiel.RandomRolloutEvaluator(count, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, seed, False)
        state = game.new_initial_state()
        before = time.process_time()
        bot.step(state)
        print(json.dumps(time.process_time() - before), flush=True)
    except pyspiel.SpielError:
        print("null", flush=True)
