"""Two ways to do the same thing, measured alternately (A B A B), so that a slow machine slows both."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import TypeAlias

import numpy as np
from attrs import frozen

from benchmarks.hand import Play
from interpreter.batch import Batch
from interpreter.game import Position
from interpreter.search import Tree

#: From a count and a seed: how many playouts or moves were made, and in how many seconds of processor time.
Run: TypeAlias = Callable[[int, int], tuple[int, float]]

WORKER = Path(__file__).parent / "openspiel_worker.py"


@frozen
class Score:
    """The best rate of each, and the median of the ratios of all rounds."""

    ours: float
    theirs: float
    ratio: float


def race(ours: Run, theirs: Run, rounds: int, seconds: float) -> Score:
    """Measure `rounds` rounds, with about `seconds` for each side."""
    counts = [_count(run, seconds) for run in (ours, theirs)]
    rates = []
    for seed in range(1, rounds + 1):
        done = [run(count, seed) for run, count in zip((ours, theirs), counts, strict=True)]
        rates.append([amount / took for amount, took in done])
    return Score(
        max(our for our, _ in rates),
        max(their for _, their in rates),
        median(our / their for our, their in rates),
    )


def _count(run: Run, seconds: float) -> int:
    """The count that takes about this long."""
    run(1, 0)  # now all is compiled that is compiled on first use
    count = 1
    # Twice, because late compilation or memory that is not yet warm makes the first time longer.
    while (took := min(run(count, 0)[1] for _ in range(2))) < seconds / 4:
        count *= 4
    return max(1, round(count * seconds / took))


def playouts(position: Position, policy: str = "uniform") -> Run:
    """Playouts of a position."""

    def run(count: int, seed: int) -> tuple[int, float]:
        before = process_time()
        position.playouts(count, policy=policy, seed=seed)
        return count, process_time() - before

    return run


def moves(position: Position, plies: int) -> Run:
    """The moves of the first plies of playouts."""

    def run(count: int, seed: int) -> tuple[int, float]:
        before = process_time()
        games = position.playouts(count, seed=seed, most_plies=plies)
        return int(games.plies.sum()), process_time() - before

    return run


def grown(position: Position, threads: int = 1, clock: Callable[[], float] = process_time) -> Run:
    """The playouts of a search tree of a position; what is known without a playout does not count."""

    def run(count: int, seed: int) -> tuple[int, float]:
        tree = Tree(position, seed=seed, threads=threads)
        before = clock()
        tree.grow(count)
        return tree.played, clock() - before

    return run


def one_by_one(start: Position) -> Run:
    """Random moves as a program in Python makes them."""

    def run(count: int, seed: int) -> tuple[int, float]:
        draw, position = Random(seed), start
        before = process_time()
        for _ in range(count):
            if position.over:
                position = start
            position = position.play(draw.choice(position.legal_moves))
        return count, process_time() - before

    return run


def in_batches(start: Position, copies: int) -> Run:
    """Random moves as a program in Python makes them in many positions, restarted once all are over."""

    def run(count: int, seed: int) -> tuple[int, float]:
        draw, done = np.random.default_rng(seed), 0
        before = process_time()
        batch = Batch.of(start, copies)
        while done < count:
            counts = batch.counts
            if not counts.any():
                batch = Batch.of(start, copies)
                continue
            batch.play((draw.random(copies) * counts).astype(int) - (counts == 0))
            done += int(np.count_nonzero(counts))
        return done, process_time() - before

    return run


def by_hand(play: Play) -> Run:
    """Playouts of a module written by hand."""

    def run(count: int, seed: int) -> tuple[int, float]:
        before = process_time()
        play(count, seed)
        return count, process_time() - before

    return run


class OpenSpiel:
    """OpenSpiel in a separate process."""

    def __init__(self, python: str) -> None:
        """Raises OSError if there is no such Python."""
        self._process = subprocess.Popen(
            [python, str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def has(self, game: str) -> bool:
        """Whether it is there at all and knows a game."""
        return self._seconds("playouts", game, 1, 1) is not None

    def run(self, what: str, game: str) -> Run:
        """The `playouts` of a game that it has, or its `moves` one by one."""

        def run(count: int, seed: int) -> tuple[int, float]:
            return count, self._seconds(what, game, count, seed) or float("nan")

        return run

    def _seconds(self, what: str, game: str, count: int, seed: int) -> float | None:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            print(json.dumps([what, game, count, seed]), file=stdin, flush=True)
            return float(answer) if (answer := json.loads(stdout.readline() or "null")) else None
        except BrokenPipeError:
            return None
