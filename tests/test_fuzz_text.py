"""Randomly spoiled rule files: whatever a file says, the answer is a game or a list of faults, and quick."""

from __future__ import annotations

import re
import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gdl import library
from gdl.diagnostics import Diagnostic, RuleError
from gdl.library import UnknownGame, check_source
from gdl.source import Source

TEXTS = [library.read(name).text for name in library.bundled()]
TOKENS = re.compile(r"\w+|[ \t]+|\n|[^\w\s]")
SPELLED = sorted({token for text in TEXTS for token in TOKENS.findall(text)})

#: One spoiling: what to do with the parts (tokens or lines) at two places, and a text to insert.
SPOILINGS = st.tuples(
    st.sampled_from(["delete", "repeat", "swap", "replace", "insert"]),
    st.floats(0, 1, exclude_max=True),
    st.floats(0, 1, exclude_max=True),
    st.sampled_from(SPELLED) | st.text(max_size=8) | st.characters(),
)

bounded = settings(max_examples=150, deadline=2000, suppress_health_check=[HealthCheck.too_slow])


def spoil(parts: list[str], spoiling: tuple[str, float, float, str]) -> None:
    what, first, second, text = spoiling
    if not parts:
        return
    i, k = int(first * len(parts)), int(second * len(parts))
    match what:
        case "delete":
            del parts[i]
        case "repeat":
            parts.insert(i, parts[i])
        case "swap":
            parts[i], parts[k] = parts[k], parts[i]
        case "replace":
            parts[i] = text
        case "insert":
            parts.insert(i, text)


def answered(text: str) -> None:
    """Check that there is a game, or faults that can be printed and have places in the file."""
    begin = time.process_time()
    faults: tuple[Diagnostic, ...] = ()
    try:
        check_source(Source("spoiled.game", text))
    except RuleError as error:
        faults = error.diagnostics
    except UnknownGame:
        pass
    assert time.process_time() - begin < 4
    for fault in faults:
        assert all(c.isprintable() or c == "\n" for c in str(fault))
        assert 1 <= fault.span.line <= fault.span.source.text.count("\n") + 1
        assert fault.span.column >= 1


@bounded
@given(st.sampled_from(TEXTS), st.lists(SPOILINGS, min_size=1, max_size=4))
def test_spoiled_words(text: str, spoilings: list[tuple[str, float, float, str]]) -> None:
    tokens = TOKENS.findall(text)
    for spoiling in spoilings:
        spoil(tokens, spoiling)
    answered("".join(tokens))


@bounded
@given(st.sampled_from(TEXTS), st.lists(SPOILINGS, min_size=1, max_size=4))
def test_spoiled_lines(text: str, spoilings: list[tuple[str, float, float, str]]) -> None:
    lines = text.splitlines(keepends=True)
    for spoiling in spoilings:
        spoil(lines, spoiling)
    answered("".join(lines))


@bounded
@given(st.lists(st.sampled_from(SPELLED), max_size=60))
def test_words_in_any_order(tokens: list[str]) -> None:
    answered(" ".join(tokens))


@bounded
@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    answered(text)
