"""The native engine compared with the reference, for tests."""

from __future__ import annotations

from collections import Counter
from random import Random

from interpreter.batch import Batch
from interpreter.errors import TooMuchWork
from interpreter.game import Game, Position

POLICIES = ("uniform", "stepwise")


def walk_together(game: Game, random: Random, plies: int = 1_000, draws: int = 0) -> int:
    """Play one random game on both engines and compare everything; returns how many plies were compared.

    In the first positions, `draws` random moves are drawn by each policy, too. If a turn is too much work
    for one of the engines, the walk ends.
    """
    played = 0
    try:
        reference, native = game.on("reference").start(), game.on("native").start()
        assert native.game.engine == "native", native.game.engine_note
        for played in range(plies):
            compare(reference, native)
            if reference.over:
                break
            if draws and played < 4:
                compare_draws(reference, native, draws, random.getrandbits(32))
            number = random.randrange(len(reference.legal_moves))
            reference = reference.play(reference.legal_moves[number])
            native = native.play(native.legal_moves[number])
    except TooMuchWork:
        pass
    return played


def compare(reference: Position, native: Position) -> None:
    """Check that position, result and moves are the same, and the moves in the same order."""
    assert native.snapshot == reference.snapshot
    assert native_hash(native) == reference.hash64
    assert native.result == reference.result
    assert native.legal_moves == reference.legal_moves


def compare_draws(reference: Position, native: Position, count: int, seed: int) -> None:
    """Check that only legal moves are drawn at random."""
    legal = {reference.play(move).snapshot for move in reference.legal_moves}
    for policy in POLICIES:
        assert drawn(native, count, policy, seed).keys() <= legal


def drawn(native: Position, count: int, policy: str, seed: int) -> Counter[object]:
    """How often each position results from one random move, drawn natively `count` times."""
    batch = Batch.of(native, copies=count)
    batch.step(1, seed=seed, policy=policy)
    return Counter(batch.position(i).snapshot for i in range(count))


def native_hash(position: Position) -> int:
    """`Position.hash64` computed from the words in which native code holds the key."""
    native = position.game.native
    assert native is not None
    value = 0
    for word in native.layout.pack(position.snapshot)[: native.layout.key_words]:
        value = (value ^ word) * 0xBF58476D1CE4E5B9 & 0xFFFF_FFFF_FFFF_FFFF
        value ^= value >> 32
    return value
