"""Rules that native code once got wrong, or might have: each plays as on the reference engine."""

from __future__ import annotations

from random import Random

import pytest
from rules import game
from side_by_side import walk_together

RULES = {
    "a score that looks back": """
        turn:
            choose s in empty
            place stone at s
        score p = (1 if repeated else 0) + repetitions
        end:
            if ply > 3: highest score wins
        """,
    "a list to run over is read before the first run of its body": """
        turn:
            for k in size(empty), size(mine) + 20:
                choose s in empty
                place stone at s
                notation "{s}{k}"
        end:
            if ply > 2: draw
        """,
    "so is a range": """
        turn:
            for k in 7..size(empty):
                choose s in empty
                place stone at s
        end:
            if ply > 2: draw
        """,
    "a state of each player, at once and by another's number": """
        state n: int per player = 1
        state own: set per player = none
        turn:
            choose s in empty - own[mover]
            choose p in players
            place p stone at s
            at once:
                n[p] := n[other(p)] + row(s)
                n[other(p)] := n[p]
                own[p] += s
            own[other(p)] -= s
        end:
            if n[mover] > n[next] + 3: mover wins
            if stuck(next): draw
        """,
    "rounds that the player may stop, written one by one": """
        setup:
            place Black stone at {a1, b2}
            place White stone at {c1, c3}
        turn:
            choose s in mine
            let here = s
            notation "{s}"
            repeat:
                choose t in adjacent(here) & empty
                move here to t
                here := t
                notation += "x{t}" if t in edge else "-{t}"
            while not here in corner, or stop
        end:
            if ply = 4: draw
        """,
    "more rounds than there are sites": """
        state n: int = 0
        turn:
            choose k in 1..3
            repeat:
                n += k
                if n mod 7 = 0:
                    n += 1
                notation "{n}"
            while n < 100
            repeat:
                choose m in 1..2
                n += m
            while yes
        end:
            if ply = 2: draw
        """,
    "a range that grows with each run of the body": """
        turn:
            for k in 1..size(mine) + 1:
                choose s in empty
                place stone at s
        end:
            if ply > 2: draw
        """,
    "a requirement in a branch between choices": """
        turn:
            choose s in empty
            if column(s) = 1:
                require row(s) > 1
            choose k in 1..3
            place stone at s
            require k > 0
        end:
            if stuck(next): draw
        """,
    "a requirement in a loop between choices": """
        turn:
            choose s in empty
            for d in orthogonal:
                require step(s, d) != a1
            choose k in 1..3
            place stone at s
        end:
            if stuck(next): draw
        """,
    "branches with choices and requirements": """
        turn:
            choose s in empty
            if column(s) = 2:
                choose k in 1..2
                require k = 1 or row(s) = 1
            else:
                for t in board:
                    require t != b2 or row(s) < 3
            choose e in empty - s
            place stone at s
            remove e
        end:
            if stuck(next): draw
        """,
    "no kind is placed": """
        setup:
            place Black stone at a1
        turn:
            choose s in empty
            place kind(s) at a1
            place stone at s
        end:
            if stuck(next): draw
        """,
    "counters that wait are not those that are read": """
        state one: int per site
        state two: int per site
        turn:
            choose s in empty
            place stone at s
            for t in board:
                at once:
                    one[t] += 1
                    two[t] := one[t]
                    one[board] += 2
                    two[t] += one[a1]
        end:
            if stuck(next): draw
        """,
    "directions that may be none, and how they turn": """
        state heading: directions = none
        state used: directions per player = none
        turn:
            choose d in none, north, orthogonal - used[mover]
            choose k in -9..9 step 3
            let way = turned(d else heading, k) else east
            require some way and size(way) < 5
            used[mover] += d
            heading := none if way within diagonal else way
            heading -= north
            place stone at step(b2, way)
        end:
            if no used[mover] and ply > 3: draw
            if stuck(next): draw
        """,
    "loops inside each other in one value": """
        turn:
            choose s in empty where any(step(t, d) = s for t in corner if t != a1 for d in orthogonal)
            let far = max(-row(t) - size(d) for t in empty for d in (north if t in row(2) else none))
            let pairs = count(d for t in empty for d in orthogonal if step(t, d) in empty)
            let least = min(k + row(t) for t in mine for k in 2..3 if k > column(t))
            let sums = sum(1 for p in players for g in groups(pieces(p)) for t in g if t touches g)
            require all(k < 9 for _t in board for k in 5..6 if not s in b2)
            place stone at union(u for g in groups(mine + s) for u in g)
            notation "{s}{far}x{pairs}x{least}x{sums}"
        end:
            if stuck(next): draw
        """,
    "blocks in which nothing is done": """
        state nothing: int per site = 1 on corner
        setup:
            if some corner: nothing
        turn:
            either:
                choose s in empty
                place stone at s
                at once:
                    nothing
                    nothing[s] += 2
            or: nothing
            prefer:
                choose t in mine where nothing[t] > 2
                remove t
                nothing[t] := 0
            otherwise:
                nothing
        end:
            if ply > 6: draw
        """,
    "each of three values only the most": """
        turn:
            choose a in empty
            only the most row(a)
            choose b in empty - a
            only the most column(b)
            choose c in empty - a - b
            place stone at a
            place stone at b
            only the most column(c)
            place stone at c
        end:
            if stuck(next): draw
        """,
    "a local that holds one site, then a group": """
        turn:
            choose s in empty
            let g = s
            for h in groups(board - a1):
                g := h
            place stone at s
            move g to {a3, b3}
        end:
            if stuck(next): draw
        """,
    "turns that lead to turns, and back": """
        state n: int = 0
        turn fill:
            choose s in empty
            place stone at s
            if s in edge: again: clear
            if column(s) = 2: again
        turn clear:
            choose s in occupied
            remove s
            n += 1
            if row(s) = 1:
                again
            else if row(s) = 2:
                again: count
        turn count:
            choose k in 1..3
            n += k
            if n mod 2 = 0: again: fill
            if n mod 3 = 0: pass
        play:
            once White: count
            once Black, White: fill when n mod 2 = 1
            repeat Black, White, White: fill
        end:
            if next = mover and n > 9: mover wins
            if passes = 2 or n > 20: draw
            if stuck(next): next loses
        """,
    "a turn that is another one is no repetition": """
        turn:
            choose s in a1, b1
            if s = a1:
                again: other
            require not repeated or ply > 3
        turn other:
            choose k in 1..2
            if k = 2: again
        end:
            if repetitions = 2: draw
            if stuck(next): next wins
        """,
    "the pie rule waits for the other player": """
        pie rule
        turn:
            choose s in empty
            place stone at s
            again: other
        turn other:
            choose s in empty
            place stone at s
            if s in edge: again
        end:
            if stuck(next): draw
        """,
}


def text(rules: str, board: str = "squares(3)") -> str:
    """A rule text with a board and stones."""
    lines = rules.strip("\n").splitlines()
    return "\n".join([f"board {board}", "pieces stone", *(line.removeprefix(" " * 8) for line in lines)])


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_as_on_the_reference_engine(rules: str):
    both = game(text(rules))
    for seed in range(3):
        walk_together(both, Random(seed), plies=12, draws=8)
