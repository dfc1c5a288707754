"""Malicious rule texts at the command line: a sentence or a game, soon, in little memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.alone import Alone
from tests.hostile import FAMILIES, TEXTS, sample

SAMPLE = sample(2)
#: The commands run on a sound text.
SOUND = (["format", "--check"], ["show"], ["draw"], ["perft", "--depth", "1"])


@pytest.fixture(scope="module")
def alone() -> Iterator[Alone]:
    with Alone() as running:
        yield running


def test_there_are_many_and_each_is_another() -> None:
    assert len(TEXTS) == sum(map(len, FAMILIES.values())) >= 200
    assert len(set(TEXTS.values())) == len(TEXTS)


@pytest.mark.parametrize(
    "name", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.slow) for name in TEXTS]
)
def test_each_is_answered(name: str, alone: Alone, tmp_path: Path) -> None:
    path = tmp_path / "hostile.game"
    path.write_text(TEXTS[name], encoding="utf-8", newline="")
    sound = answered(alone, "check", str(path))
    for word, *more in SOUND if sound else ():
        answered(alone, word, str(path), *more)


def answered(alone: Alone, *command: str) -> bool:
    """Whether the command finds nothing wrong; its answer must be in words, and within its limits."""
    outcome = alone.run(*command)
    assert outcome.status in (0, 1), (command[0], outcome)
    assert outcome.said
    assert "Traceback" not in outcome.said
    assert all(sign.isprintable() or sign == "\n" for sign in outcome.said)
    return outcome.status == 0
