"""Nothing in a rule file crashes the process or keeps it busy: what is too much work says so."""

from __future__ import annotations

import json
import subprocess
import sys
from textwrap import dedent

import pytest

from interpreter.game import Game

#: Board, turn and end; the outcome of the first moves, of one playout by each policy, and of perft.
RULES = {
    "more choices than sites": """
        board squares(1)
        turn:
            for k in 1, 2, 3, 4, 5, 6, 7, 8, 9, 10:
                choose j in 1..1
                pass
        """,
    "passes without end": """
        board squares(2)
        turn:
            choose s in board
            for k in 1..100000:
                pass
        """,
    "a loop of choices over all numbers": """
        board squares(2)
        turn:
            for k in 1..2000000000:
                choose s in board
                require k > 0
        """,
    "two ways, sixty times": """
        board squares(8)
        turn:
            let n = 0
            repeat:
                choose s in a1, a2
                n += 1
            while n < 60
            require n < 0
        """,
    "two ways, all of them legal": """
        board squares(8)
        turn:
            repeat:
                choose s in a1, a2
            while yes
        """,
    "a call for each of 1600 sites": """
        board squares(40)
        state c: int per site
        turn:
            choose a in a1, b1
            let n = 0
            repeat:
                choose k in 1..1
                c[a] += k
                n += 1
            while n < 5000
            require n >= 1600
            notation "{a}"
        """,
    "four choices of 1600 sites": """
        board squares(40)
        turn:
            choose a in board
            choose b in board
            choose c in board
            choose d in board
            require a = b and size(groups(board - a - b - c)) = 7
        """,
    "walks in loops in loops": """
        board squares(40)
        turn:
            choose s in empty
            place stone at s
            require sum(sum(size(reach(a, through: board - b)) for a in board) for b in board) > 0
        """,
    "all numbers, none legal": """
        board squares(2)
        turn:
            choose k in 0..2000000000
            require k < 0
            pass
        """,
    "an end that is never worked out": """
        board squares(40)
        turn:
            choose s in empty
            place stone at s
        end:
            if sum(sum(size(groups(a + b)) for a in board) for b in board) < 0: draw
        """,
    "sums over neighbours of 1600 sites that double again and again": """
        board squares(40)
        define total_0(s) = sum(size(adjacent(t) & mine) for t in adjacent(s))
        define total_1(s) = total_0(s) + total_0(s)
        define total_2(s) = total_1(s) + total_1(s)
        define total_3(s) = total_2(s) + total_2(s)
        define total_4(s) = total_3(s) + total_3(s)
        define total_5(s) = total_4(s) + total_4(s)
        define total_6(s) = total_5(s) + total_5(s)
        define total_7(s) = total_6(s) + total_6(s)
        define total_8(s) = total_7(s) + total_7(s)
        define total_9(s) = total_8(s) + total_8(s)
        turn:
            choose s in {s in empty: total_9(s) < 1000000}
            place stone at s
        """,
    "a loop that goes round in a plain repeat": """
        board squares(40)
        turn:
            choose s in empty
            place stone at s
            let n = 0
            repeat:
                for a in board:
                    for b in board:
                        n += size(reach(a, through: b))
            while yes
        """,
}

#: Much of everything.
DEEP = {
    "a value that doubles with each definition": [
        "define d_0(s) = row(s)",
        *(f"define d_{i + 1}(s) = d_{i}(s) + (d_{i}(s) if s = a1 else 1)" for i in range(9)),
        "turn:",
        "    choose s in empty",
        "    require " + "(1 + " * 20 + "d_9(s)" + ")" * 20 + " > 0",
        "    place stone at s",
    ],
    "many choices": ["turn:", *(f"    choose s_{i} in empty" for i in range(30)), "    place stone at s_0"],
    "many branches": [
        "turn:",
        *(f"    either:\n        choose s_{i} in a1\n    or:\n        choose t_{i} in b1" for i in range(40)),
    ],
    "many statements": [
        "turn:",
        "    choose s in empty",
        *(f"    let n_{i} = size(group(s) + reach(s, through: row({i})))" for i in range(400)),
        "    require " + " + ".join(f"n_{i}" for i in range(0, 400, 10)) + " >= 0",
        "    place stone at s",
    ],
}

SCRIPT = """
import json, resource, sys, threading, time
from interpreter.game import Game, TooMuchWork
from gdl.library import check_source
from gdl.source import Source

def outcome(what):
    start = time.process_time()
    try:
        what()
        said = "done"
    except TooMuchWork as error:
        said = str(error)
    return said, time.process_time() - start

def run(text):
    game = Game.from_text(text).on("native")
    first = outcome(lambda: game.native)
    start = game.start()
    parts = {
        "compile": lambda: game.native and [game.native.part(p).loaded() for p in ("uniform", "stepwise")],
        "moves": lambda: start.legal_moves,
        "perft": lambda: start.perft(2),
        "uniform": lambda: start.playouts(1, most_plies=2),
        "stepwise": lambda: game.native and start.playouts(1, policy="stepwise", most_plies=2),
    }
    return {"native": first, **{name: outcome(part) for name, part in parts.items()}}

for text in json.load(sys.stdin):
    found = []
    threading.stack_size(1 << 18)  # small, as on some systems
    thread = threading.Thread(target=lambda: found.append(run(text)))
    thread.start()
    thread.join()
    print(json.dumps(found[0]), flush=True)
"""


def text(rules: str) -> str:
    """A whole file from rules whose first line is the board."""
    board, *lines = dedent(rules).strip().splitlines()
    if "end:" not in lines:
        lines += ["end:", "    if ply > 2: draw", "    if stuck(next): draw"]
    return "\n".join(['game "Limits"', "players Black, White", board, "pieces stone", *lines]) + "\n"


def outcomes(rules: str) -> dict[str, tuple[str, float]]:
    """The outcomes of a rule file in a separate process: what was said, and after how many seconds."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", SCRIPT],
        input=json.dumps([rules]), capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, tuple[str, float]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_no_turn_takes_for_ever(rules: str):
    found = outcomes(text(rules))
    for name, (_, seconds) in found.items():
        assert seconds < 20, (name, found)


@pytest.mark.parametrize("lines", DEEP.values(), ids=DEEP)
def test_no_rules_are_too_deep(lines: list[str]):
    found = outcomes(text("\n".join(["board squares(3)", *lines])))
    assert all(seconds < 20 for _, seconds in found.values()), found


def test_long_moves_are_not_kept() -> None:
    """Thousands of moves, each of thousands of words, took gigabytes."""
    text = """\
game "Long"
players Black, White
board squares(4)
pieces stone
turn:
    choose s in empty
    for k in 1..40:
        choose x in ply..ply
    place stone at s
end:
    if no empty: draw
"""
    for rules, kept in ((text, 0), (text.replace("1..40", "1..4"), 16 + 15)):
        start = Game.from_text(rules).on("native").start()
        assert len(start.play(start.legal_moves[0]).legal_moves) == 15
        assert start.game.native is not None
        assert len(start.game.native._moves) == kept
