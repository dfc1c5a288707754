"""Rule texts that mean no good, by what they try."""

from __future__ import annotations

HEAD = 'game "Hostile"\n"Means no good."\nplayers Black, White\npieces stone\n'
END = "end:\n    if no empty: draw\n"
TURN = "turn:\n    choose s in empty\n    place stone at s\n"


def _whole(board: str = "squares(40)", turn: str = TURN, more: str = "", end: str = END) -> str:
    return f"{HEAD}board {board}\n{more}{turn}{end}"


def _loops(depth: int, domain: str = "board") -> str:
    """A number that is a sum of sums of sums."""
    value = "1"
    for i in range(depth):
        value = f"sum({value} + size(reach(s_{i}, through: board - s_{i})) for s_{i} in {domain})"
    return value


def _setup(depth: int) -> str:
    lines = ["setup:"]
    for i in range(depth):
        lines.append("    " * (i + 1) + f"for n_{i} in 1..2000000000:")
    lines.append("    " * (depth + 1) + "place Black stone at a1")
    return "\n".join(lines) + "\n"


TEXTS: dict[str, str] = {
    "empty": "",
    "zeros": "\x00" * 5000,
    "no text": "\ufffe\u202e\u0000game\u2028",
    "brackets": _whole(turn="turn:\n    require " + "(" * 20_000 + "1" + ")" * 20_000 + " > 0\n    pass\n"),
    "open brackets": HEAD + "board squares(" * 5000,
    "minus signs": _whole(turn="turn:\n    require " + "-" * 30_000 + "1 > 0\n    pass\n"),
    "nots": _whole(turn="turn:\n    require " + "not " * 20_000 + "yes\n    pass\n"),
    "a long sum": _whole(turn="turn:\n    require " + " + ".join(["1"] * 20_000) + " > 0\n    pass\n"),
    "nested blocks": _whole(turn="turn:\n" + "".join(" " * (4 + i) + "if yes:\n" for i in range(300))),
    "one line": 'game "X" ' + "a" * 90_000,
    "many lines": "\n" * 99_000,
    "many faults": HEAD + "turn turn turn\n" * 5000,
    "many names": HEAD + "".join(f"define n_{i} = n_{i + 1}\n" for i in range(3000)),
    "many options": _whole(more="".join(f"option o_{i}: 0..2000000000 = 0\n" for i in range(2000))),
    "doubling": _whole(
        more="define d_0(s) = row(s)\n"
        + "".join(f"define d_{i + 1}(s) = d_{i}(s) + d_{i}(s) + size(board)\n" for i in range(30)),
        turn="turn:\n    choose s in empty\n    require d_30(s) > 0\n    place stone at s\n",
    ),
    "a huge board": _whole("squares(2000000000)"),
    "a huge hexagon": _whole("hexagon(999999)"),
    "a wide name": f'game "{"W" * 90_000}"\n' + _whole().split("\n", 1)[1],
    "a giant range": _whole(turn="turn:\n    choose k in 0..2000000000\n    pass\n"),
    "ranges of ranges": _whole(
        "squares(2)",
        "turn:\n    choose a in 0..99999\n    choose b in 0..99999\n    choose c in 0..99999\n    pass\n",
    ),
    "choices of sites": _whole(
        turn="turn:\n    choose a in board\n    choose b in board\n    choose c in board\n"
        "    choose d in board\n    require a = b and c = d and a = d\n    pass\n"
    ),
    "walks in the turn": _whole(
        turn=f"turn:\n    choose s in empty\n    require {_loops(4)} > 0\n    pass\n"
    ),
    "walks in the end": _whole(end=f"end:\n    if {_loops(4)} < 0: draw\n"),
    "walks in the setup": _whole(
        more=f"setup:\n    place Black stone at {{s in board: {_loops(4)} > row(s)}}\n"
    ),
    "walks in the board": f"{HEAD}board {{s in squares(40): {_loops(3, 'row(1)')} > 0}}\n{TURN}{END}",
    "walks in the options": _whole(more=f"option o: 0..{_loops(3)} = 0\n"),
    "loops in the setup": _whole(more=_setup(6)),
    "an endless repeat": _whole(
        turn="turn:\n    choose s in empty\n    let n = 0\n    repeat:\n        n += 1\n    while yes\n"
    ),
    "an endless turn": _whole(turn="turn:\n    choose s in board\n    pass\n    again\n"),
    "two ways, many times": _whole(
        turn="turn:\n    let n = 0\n    repeat:\n        choose s in a1 + a2\n        n += 1\n"
        "    while n < 60\n    require n < 0\n"
    ),
    "powers": _whole(turn="turn:\n    choose s in empty\n    require 9 ^ 9 ^ 9 ^ 9 ^ 9 > 0\n    pass\n"),
    "a long notation": _whole(
        turn='turn:\n    choose s in empty\n    place stone at s\n    notation "' + "{board}" * 4000 + '"\n'
    ),
    "counters": _whole(more="".join(f"state c_{i}: int per site = 1\n" for i in range(500))),
    "a script": 'game "<script>alert(1)</script>"\n"<img src=x onerror=alert(1)>"\n'
    + _whole().split("\n", 2)[2],
    "a base of a base": 'variant "Hostile" of "Hostile"\n',
    "deep variants": 'variant "A" of "' + "../" * 5000 + '"\n',
}
