"""The play sequence of a game: who takes which turn, and what comes next."""

from __future__ import annotations

from attrs import frozen

from gdl.core import CheckedGame
from gdl.parts import onward


@frozen
class Place:
    """A place of the play sequence: a player who takes a turn."""

    player: int
    turn: str
    #: Both as one number: the player, plus two for each turn declared before this one.
    number: int
    #: The place that comes after it.
    after: int
    #: The places that `again: TURN` leads to; for None, `again` alone, this one.
    again: dict[str | None, int]


def play_sequence(program: CheckedGame) -> list[Place]:
    """The places of `play`, in order, the last one followed by the first that repeats.

    After them come those that only `again: TURN` leads to: the same player takes another turn there,
    followed by whatever would have followed the first.
    """
    once = sum(len(step.players) for step in program.play if step.once)
    played = [(player, step.turn) for step in program.play for player in step.players]
    found = [(*way, after) for way, after in zip(played, [*range(1, len(played)), once], strict=True)]
    known = {way: place for place, way in enumerate(found)}
    numbers = {turn: 2 * i for i, turn in enumerate(program.turns)}
    leads = {turn: onward(block) for turn, block in program.turns.items()}
    sequence = list[Place]()
    for player, turn, after in found:  # it grows as we go
        again: dict[str | None, int] = {None: len(sequence)}
        for name in leads[turn]:
            way = player, name, after
            if way not in known:
                known[way] = len(found)
                found.append(way)
            again[name] = known[way]
        sequence.append(Place(player, turn, numbers[turn] + player, after, again))
    return sequence
