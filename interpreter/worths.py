"""What the kinds of pieces of a game are worth, by how many moves they have.

This is how programs that know only the rules can tell a queen from a pawn (Pell 1996, "A Strategic Metagame
Player for General Chess-Like Games"). It is measured, once for each game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from time import thread_time
from weakref import WeakKeyDictionary

from interpreter.errors import TooMuchWork
from interpreter.game import Game, Position
from interpreter.native.engine import Native

#: What a piece of the least kind is worth; the others are worth more in proportion to their moves. To the
#: moves of every kind STANDING is added, because a piece is also an obstacle.
UNIT, STANDING = 16, 2

#: No kind is worth more than this many pieces of the least one.
MOST = 100

#: How many positions of random games are examined, how far from the start (plies), and for how many seconds.
POSITIONS, PLIES, SECONDS = 200, 80, 1.0

_known: WeakKeyDictionary[Native, tuple[int, ...]] = WeakKeyDictionary()


def worths_of(game: Game) -> tuple[int, ...]:
    """What a piece is worth, for each kind of each player in the order of the planes of a position."""
    native = game.native
    assert native is not None
    if native not in _known:
        _known[native] = _measured(game, native.bound.planes)
    return _known[native]


def _measured(game: Game, planes: list[tuple[int, int | None]]) -> tuple[int, ...]:
    pieces, moves = Counter[int](), Counter[int]()
    if len({kind for kind, owner in planes if owner is not None}) > 1:
        try:
            for position in _positions(game):
                mover = game.players.index(position.to_move)
                own = [
                    (kind, sites)
                    for (kind, owner), sites in zip(planes, position.snapshot.planes, strict=True)
                    if owner == mover
                ]
                for kind, sites in own:
                    pieces[kind] += sites.bit_count()
                for move in position.legal_moves:
                    chosen = next((value for tag, value in move.path if tag == "set"), 0)
                    moves.update(kind for kind, sites in own if sites & chosen)
        except TooMuchWork:
            moves.clear()
    if not moves:
        return (UNIT,) * len(planes)
    mobility = {kind: STANDING + moves[kind] / count for kind, count in pieces.items() if count}
    least, most = min(mobility.values()), max(mobility.values())
    # A kind that never appeared is one that pieces are promoted to.
    return tuple(round(UNIT * min(MOST, mobility.get(kind, most) / least)) for kind, _ in planes)


def _positions(game: Game) -> Iterator[Position]:
    """Positions of random games that are not over."""
    random, position, until = Random(1), game.start(), thread_time() + SECONDS
    for _ in range(POSITIONS):
        if position.over or position.ply >= PLIES:
            position = game.start()
        if position.over:
            return
        if thread_time() > until:
            raise TooMuchWork("The moves of its pieces cannot be counted in time.")
        yield position
        position = position.play(random.choice(position.legal_moves))
