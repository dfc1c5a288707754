"""Random openings: first moves that pairs of games share, so that neither player gets the better ones."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator

from interpreter.game import SWAP, Game, Position

#: How often an opening that leads where another did is drawn again; then there are most likely no others.
TRIES = 20


def openings(game: Game, plies: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Endless random openings, the same ones for the same seed, all different as long as there are enough.

    Each has `plies` moves, or fewer if the next would end the game or the pie rule asks whether to swap,
    which is for the players to decide.
    """
    chance, seen, start = random.Random(seed), set[Hashable](), game.start()
    while True:
        for _ in range(TRIES):
            moves, position = _draw(start, plies, chance)
            if position.key not in seen:
                break
        else:
            seen.clear()  # there are hardly any others: all may come again
        seen.add(position.key)
        yield moves


def _draw(position: Position, plies: int, chance: random.Random) -> tuple[tuple[str, ...], Position]:
    """A random opening and where it leads."""
    moves = list[str]()
    while len(moves) < plies and not position.over:
        if any(move.path == SWAP for move in position.legal_moves):
            break
        move = chance.choice(position.legal_moves)
        after = position.play(move)
        if after.over:
            break
        moves.append(move.notation)
        position = after
    return tuple(moves), position
