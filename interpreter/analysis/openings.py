"""Openings by chance: first moves that pairs of games share, so that neither player gets the better ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

from interpreter.game import SWAP, Game, Position

#: An opening that leads where another did is drawn again so often; then there are no others, most likely.
TRIES = 20


def openings(game: Game, plies: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Random openings without end, the same ones for the same seed, as different as there are enough.

    Each has `plies` moves, fewer where the next would end the game or the pie rule asks whether to swap:
    that is for the players to decide.
    """
    chance, seen, start = random.Random(seed), set(), game.start()
    while True:
        for _ in range(TRIES):
            moves, position = _draw(start, plies, chance)
            if position.key not in seen:
                break
        else:
            seen.clear()  # there are hardly any others: they all come again
        seen.add(position.key)
        yield moves


def _draw(position: Position, plies: int, chance: random.Random) -> tuple[tuple[str, ...], Position]:
    """A random opening and where it leads."""
    moves = list[str]()
    while len(moves) < plies and all(move.path != SWAP for move in position.legal_moves):
        move = chance.choice(position.legal_moves)
        after = position.play(move)
        if after.over:
            break
        moves.append(move.notation)
        position = after
    return tuple(moves), position
