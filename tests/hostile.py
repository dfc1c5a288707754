"""Malicious rule texts in families: `FAMILIES` holds them by what they try, `TEXTS` all of them.

Many are sound, and expensive only when they are played: those are the dangerous ones.
"""

# ruff: noqa: E501, RUF001 - each row of a table is one line, and some texts try strange letters

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

Texts = Iterator[tuple[str, str]]

#: The longest text, as longer ones are not read.
LONGEST = 100_000


def indented(*lines: str) -> str:
    return "".join(f"\n    {line}" for line in lines)


def turn(*lines: str) -> str:
    return "turn:" + indented(*lines)


def setup(*lines: str) -> str:
    return "setup:" + indented(*lines)


#: An innocent game on the largest board, declaration by declaration.
PARTS = {
    "header": 'game "Hostile"',
    "players": "players Black, White",
    "options": "",
    "board": "board squares(40)",
    "pieces": "pieces stone",
    "more": "",
    "turn": turn("choose s in empty", "place stone at s"),
    "end": "end:\n    if no empty: draw",
}


def game(**parts: str) -> str:
    """The innocent game with some of its declarations replaced."""
    return "\n".join(part for part in {**PARTS, **parts}.values() if part) + "\n"


# --- hardly readable ------------------------------------------------------------


def unreadable() -> Texts:
    """Texts that are no rules at all, or rules with a great many faults."""
    yield "nothing", ""
    characters = {
        "zeros": "\x00",
        "lines": "\n",
        "carriage returns": "\r",
        "line separators": "\u2028",
        "tabs": "\t",
        "form feeds": "\f",
        "letters that turn": "\u202e",
        "marks over marks": "e\u0301",
        "letters of no language": "\U000f0000",
        "halves of letters that stand alone": "\ufffe",
        "quotes": '"',
        "picture quotes": '"""',
        "comments": "# \n",
        "colons": ":",
        "digits": "9",
        "open brackets": "board squares(",
        "open braces": "{s in ",
        "closed brackets": ")",
        "other digits": "٣",
        "wide letters": "ｇａｍｅ ",
        "snowmen": "define ☃ = 1\n",
    }
    for name, sign in characters.items():
        yield f"nothing but {name}", sign * (LONGEST // len(sign))
    yield "one line", 'game "X" ' + "a" * 90_000
    yield "all blanks", game().replace(" ", " " * 1000)[:LONGEST]
    yield "deeper with each line", "turn:\n" + "".join(" " * i + "if yes:\n" for i in range(1, 400))
    yield "a turn on a turn", game(turn="turn turn turn\n" * 5000)
    yield "half a game", game() + "turn:\n    choose s in"
    yield "a game in a game", game() * 200
    yield "lines that go on", game(turn="turn:\n    require " + "1 +\n    " * 12_000 + "1 > 0")
    yield "mixed line ends", game().replace("\n", "\r\n\r") * 50
    yield "blanks and tabs", game().replace("    ", "\t  ")


# --- nesting ----------------------------------------------------------------------

#: Values inside each other: the text before and after the inner one.
VALUES_INSIDE = {
    "brackets": ("(", ")"),
    "minus signs": ("-", ""),
    "sums": ("1 + (", ")"),
    "powers": ("2 ^ ", ""),
    "conditionals": ("(1 if yes else ", ")"),
    "calls": ("abs(", ")"),
    "calls of two": ("max(1, ", ")"),
    "sizes of rows": ("size(row(", "))"),
    "sets in braces": ("size({row(", "), a1})"),
    "chosen sets": ("size({s in row(", "): yes})"),
    "sums over many": ("sum(", " for s in board)"),
    "conditions over many": ("count(s for s in board if row(s) = ", ")"),
    "counters": ("c[row(", ")]"),
    "groups": ("size(groups(row(", ")))"),
    "steps": ("size(step(a1, north, ", "))"),
}
#: Blocks inside each other: what is repeated, each more indented than the one before.
BLOCKS_INSIDE = {
    "conditions": "if ply < 9:",
    "loops over sites": "for s in empty:",
    "loops over numbers": "for k in 0..99999:",
    "loops over groups": "for g in groups(empty):",
    "loops over players": "for p in players:",
    "choices": "either:",
    "preferences": "prefer:",
    "repetitions": "repeat:",
    "things at once": "at once:",
}
CLOSED_BY = {"either:": "or: pass", "prefer:": "otherwise: pass", "repeat:": "while ply < 9"}


def nested() -> Texts:
    """Each construct inside itself: as deep as is allowed, deeper, and as deep as the text has room for."""
    for name, value in {"sum": "1 + " * 20_000 + "1", "loops": f"sum(1{' for s in a1' * 6000})"}.items():
        yield f"a deep {name} in a definition that nothing uses", game(more=f"define unused = {value}")
    for name, (before, behind) in VALUES_INSIDE.items():
        for depth in (38, min(20_000, 90_000 // len(before + behind))):
            value = before * depth + "ply" + behind * depth
            lines = ["choose s in empty", f"require {value} > 0 or ply < 2", "place stone at s"]
            yield f"{depth} {name}", game(more="state c: int per site", turn=turn(*lines))
    for name, head in BLOCKS_INSIDE.items():
        for depth in (7, 150):
            heads = ["    " * i + head for i in range(1, depth + 1)]
            tails = ["    " * i + CLOSED_BY[head] for i in range(depth, 0, -1) if head in CLOSED_BY]
            lines = [*heads, "    " * (depth + 1) + "remove empty", *tails]
            yield f"{depth} {name}", game(turn="\n".join(["turn:", "    choose s in empty", *lines]))


def chained() -> Texts:
    """What may be repeated again and again at one level."""
    for times in (11, 2000):
        blocks = indented("prefer:", "    pass", "otherwise:", "    pass") * times
        yield f"{times} preferences one after another", game(turn=turn("choose s in empty") + blocks)
    links = {
        "nots": ("not ", "yes"),
        "sums": ("1 + ", "ply >= 0"),
        "products of sets": ("board & ", "board = board"),
        "fallbacks": ("none else ", "board = board"),
        "conditions": ("ply >= 0 and ", "yes"),
        "answers": ("ply < 0 or ", "yes"),
        "conditionals": ("no if ply < 0 else ", "yes"),
    }
    for name, (link, last) in links.items():
        for times in (50, 9000):
            lines = ["choose s in empty", "place stone at s", f"require {link * times}{last}"]
            yield f"{times} {name} in a chain", game(turn=turn(*lines))
    for times in (7, 3000):
        others = "".join(indented(f"else if ply = {i}:", "    pass") for i in range(times))
        yield f"{times} other cases", game(turn=turn("choose s in empty", "if ply < 0:", "    pass") + others)
        ties = ", tie: highest score wins" * times
        yield (
            f"{times} ties",
            game(more="score p = row(pieces(p))", end=f"end:\n    if ply > 3: highest score wins{ties}"),
        )
        texts = "".join(f'"{i}" if ply = {i} else ' for i in range(times)) + '"x"'
        yield (
            f"{times} notations",
            game(turn=turn("choose s in empty", f"notation {texts}", "place stone at s")),
        )


# --- expensive values wherever a value can stand ------------------------------------

WALKS = "sum(sum(size(reach(a, through: empty - b)) for a in board) for b in board)"

#: Numbers that take long to work out, or would if anybody tried; the late ones depend on the position.
NUMBERS = {
    "walks on an empty board": WALKS.replace("empty", "board"),
    "a giant range": "max(k mod 7 for k in 0..2000000000)",
    "ranges in ranges": "sum(sum(j * k for j in 0..99999) for k in 0..99999)",
}
LATE_NUMBERS = {
    "walks": WALKS,
    "a giant range": NUMBERS["a giant range"],
    "ranges in ranges": "sum(sum(j * k for j in ply..99999) for k in 0..99999)",
}
#: These are sound.
PAID_LATER = {
    "what can just be paid": "sum(size(reach(a, through: empty)) for a in corner)",
    "walks after two plies": f"(1 if ply < 2 else {WALKS})",
}

#: A value at each place of a rule file, written as NUMBER.
EARLY_PLACES = {
    "the bound of an option": {"options": "option o: 0..NUMBER = 0"},
    "the step of an option": {"options": "option o: 0..9 step NUMBER = 0"},
    "the default of an option": {"options": "option o: 0..2147483647 = NUMBER"},
    "the side of the board": {"board": "board squares(1 + NUMBER mod 40)"},
    "the neighbours of a board": {
        "board": "board squares(40, adjacent: all_directions if NUMBER > 0 else none)"
    },
    "the sites of the board": {"board": "board {s in squares(40): NUMBER > row(s)}"},
    "a constant": {
        "players": "players:\n    Black: c = NUMBER\n    White: c = 1",
        "more": "state x: int = c(Black)",
    },
    "the pie rule": {"more": "pie rule when NUMBER > 0"},
    "a set up site": {"more": setup("place Black stone at {s in board: NUMBER > row(s)}")},
    "a condition of the setup": {"more": setup("if NUMBER > 0: place Black stone at a1")},
    "a loop of the setup": {"more": setup("for k in 0..NUMBER: remove a1")},
    "a state": {"more": "state x: int = NUMBER"},
    "a counter": {"more": "state x: int per site = NUMBER on board"},
}
CHOOSE, PLACE = "choose s in empty", "place stone at s"
PLACES = {
    "a where": {"turn": turn("choose s in empty where NUMBER > row(s)", PLACE)},
    "a requirement": {"turn": turn(CHOOSE, PLACE, "require NUMBER > 0")},
    "a range of choices": {"turn": turn("choose k in 0..NUMBER", "require k < 3", "pass")},
    "a list of choices": {"turn": turn("choose k in NUMBER, NUMBER, NUMBER", "pass")},
    "a set of choices": {"turn": turn("choose s in {t in empty: NUMBER > row(t)}", PLACE)},
    "a let": {"turn": turn(CHOOSE, "let n = NUMBER", "place stone at row(n) + s")},
    "a condition": {"turn": turn(CHOOSE, "if NUMBER > 0: place stone at s")},
    "a loop": {"turn": turn(CHOOSE, "for k in 0..NUMBER: place stone at s")},
    "a repetition": {"turn": turn(CHOOSE, "repeat:", "    place stone at s", "while NUMBER > 0")},
    "what happens at once": {"turn": turn(CHOOSE, "at once:", "    place stone at step(s, north, NUMBER) + s")},
    "a preference": {"turn": turn("prefer:", "    choose s in empty", "    require NUMBER < 0", "otherwise: pass")},
    "the most": {"turn": turn(CHOOSE, PLACE, "only the most NUMBER")},
    "a notation": {"turn": turn(CHOOSE, PLACE, 'notation "{s}-{NUMBER}"')},
    "a notation that depends": {"turn": turn(CHOOSE, PLACE, 'notation "{s}" if NUMBER > 0 else "{s}x"')},
    "a state that changes": {"more": "state x: int = 0", "turn": turn(CHOOSE, PLACE, "x += NUMBER")},
    "a counter that changes": {"more": "state x: int per site", "turn": turn(CHOOSE, PLACE, "x[board] += NUMBER")},
    "a definition": {"more": "define d(n) = n + n", "turn": turn(CHOOSE, PLACE, "require d(d(NUMBER)) > 0")},
    "the order of turns": {"more": "play:" + indented("once Black: t when NUMBER > 0", "repeat White, Black: t"), "turn": PARTS["turn"].replace("turn", "turn t")},
    "the end": {"end": "end:" + indented("if NUMBER < 0: draw", "if ply > 99: draw")},
    "the score": {"more": "score p = NUMBER + size(pieces(p))", "end": "end:" + indented("if ply > 0: highest score wins")},
    "who wins": {"end": "end:" + indented("if ply > 2: (mover if NUMBER > 0 else next) wins")},
}  # fmt: skip


def dear() -> Texts:
    """Numbers that take long, at each place where a number can stand."""
    for number, (place, parts) in enumerate(EARLY_PLACES.items()):
        yield from _with(place, parts, _some(NUMBERS, number, 2))
    for number, (place, parts) in enumerate(PLACES.items()):
        yield from _with(place, parts, PAID_LATER | _some(LATE_NUMBERS, number, 1))


def _some(numbers: dict[str, str], start: int, count: int) -> dict[str, str]:
    """`count` of the numbers, different ones at each place."""
    return dict(islice(cycle(numbers.items()), start % len(numbers), start % len(numbers) + count))


def _with(place: str, parts: dict[str, str], numbers: dict[str, str]) -> Texts:
    for name, number in numbers.items():
        yield f"{name} in {place}", game(**{k: part.replace("NUMBER", number) for k, part in parts.items()})


# --- boards -------------------------------------------------------------------------

#: The largest board of each kind, and arguments that ask for more than there can be.
LARGEST = {
    "squares": "squares(40)",
    "squares on a torus": "squares(40, wrap: orthogonal)",
    "points with many neighbours": "points(40, adjacent: all_directions)",
    "a rectangle": "rectangle(40, 40)",
    "a hexagon": "hexagon(23)",
    "a rhombus that wraps": "rhombus(40, wrap: east + west)",
    "a comb": "{s in squares(40): column(s) mod 2 = 1 or row(s) = 1}",
    "a snake": "{s in squares(40): row(s) mod 4 = 1 or row(s) mod 4 = 3 and column(s) = 40 or "
    "row(s) mod 2 = 0 and column(s) = (40 if row(s) mod 4 = 2 else 1)}",
    "dust": "{s in squares(40): (column(s) * column(s) + row(s)) mod 3 = 0}",
}
TOO_LARGE = {
    "a huge side": "squares(2000000000)",
    "a side that is no number at all": "squares(" + "9" * 5000 + ")",
    "two huge sides": "rectangle(2000000000, 2000000000)",
    "a huge hexagon": "hexagon(999999)",
    "a side that overflows": "rhombus(2147483647 * 2147483647 + 1)",
    "a board without sites": "{s in squares(40): no s}",
    "a board chosen by walks": "{s in squares(40): steps(s, corner, through: board - center) mod 2 = 0}",
    "a board chosen by lines": "{s in squares(40): size(line(board - s, 40)) > 0}",
    "a board of many sides": "squares(" + ", ".join(["40"] * 5000) + ")",
}
#: Actions on the whole board at once.
ON_ALL_SITES = {
    "walks to the middle": turn(CHOOSE, PLACE, "require sum(steps(s, t, through: empty) for t in center) > 0"),
    "lines of all lengths": turn(CHOOSE, PLACE, "require size(line(board - s, 39)) + size(line(empty, 20)) >= 0"),
    "pairs of sites": turn("choose a in empty", "choose b in ray(a, all_directions) & edge", "place stone at a + b"),
    "groups of all groups": turn(CHOOSE, PLACE, "require all(connected(g) for g in groups(board - mine))"),
}  # fmt: skip


def boards() -> Texts:
    """The largest boards of each kind, sound but full of work, and impossible boards."""
    for name, board in LARGEST.items():
        for work, rules in ON_ALL_SITES.items():
            yield f"{name}, {work}", game(board=f"board {board}", turn=rules)
    for name, board in TOO_LARGE.items():
        yield name, game(board=f"board {board}")
    sites = [f"{column}{row}" for row in range(1, 41) for column in "abcdefghijklmnopqrstuvwxyz"]
    yield "a board in one line", game(board="board lines:" + indented(" ".join(sites)))
    yield (
        "a board of rows",
        game(
            board="board lines:" + indented(*(" ".join(sites[i : i + 26]) for i in range(0, len(sites), 26)))
        ),
    )
    yield (
        "a board of one line again and again",
        game(board="board lines:" + indented(*["a1 b1 c1 a1"] * 5000)),
    )
    yield "a board of sites alone", game(board="board lines:" + indented(*sites))
    yield "a board of far sites", game(board="board lines:" + indented("a1 zz99", "a" * 5000 + "1"))


# --- ranges and loops -----------------------------------------------------------------

HUGE = "-2147483647..2147483647"
#: Each place where a range can stand.
RANGES = {
    "an option of all numbers": {"options": f"option o: {HUGE} = 0"},
    "an option of huge steps": {"options": "option o: 0..2147483647 step 2147483647 = 0"},
    "an option that is no number": {"options": "option o: 0..99999999999999999999 = 99999999999999999999"},
    "an option without values": {"options": "option o: 5..1 = 3"},
    "options of options": {"options": "\n".join(f"option o_{i}: 0..{f'o_{i - 1} + ' if i else ''}9 = 0" for i in range(300))},
    "a choice of all numbers": {"turn": turn(f"choose k in {HUGE}", "pass")},
    "a choice of just too few numbers": {"turn": turn("choose k in 1..99999", "pass")},
    "a choice of numbers, later": {"turn": turn("choose k in 1..(3 if ply < 4 else 2000000000)", "pass")},
    "choices of numbers": {"turn": turn(*(f"choose k_{i} in 0..999" for i in range(30)), "pass")},
    "a choice that never fits": {"turn": turn("choose k in 0..2000000000 where k < 0", "pass")},
    "a loop over all numbers": {"turn": turn(CHOOSE, PLACE, f"for k in {HUGE}: remove a1")},
    "a loop over numbers at once": {"turn": turn(CHOOSE, "at once:", f"    for k in {HUGE}: place stone at s")},
    "a loop of tiny steps": {"turn": turn(CHOOSE, f"for k in {HUGE} step 0: remove a1", PLACE)},
    "a loop of huge steps": {"turn": turn(CHOOSE, f"for k in {HUGE} step 2147483647: remove a1", PLACE)},
    "a loop of the setup over all numbers": {"more": setup(f"for k in {HUGE}: remove a1")},
    "loops in loops of the setup": {"more": setup(*("    " * i + f"for k_{i} in 0..999:" for i in range(6)), "    " * 6 + "remove a1")},
    "a sum of all numbers": {"turn": turn(CHOOSE, PLACE, f"require sum(k for k in {HUGE}) = 0")},
    "any of all numbers": {"end": "end:" + indented(f"if any(k = ply for k in {HUGE}): draw")},
    "all sets of numbers": {"turn": turn("choose s in union(row(k) for k in 0..2000000000) & empty", PLACE)},
    "directions of numbers": {"turn": turn(CHOOSE, "for d in union(north for k in 0..2000000000): remove step(s, d)", PLACE)},
    "loops over groups of groups": {"turn": turn(CHOOSE, PLACE, "for g in groups(board - s):", "    for h in groups(board - g): remove h & corner")},
    "loops over sites of sites": {"turn": turn(CHOOSE, PLACE, *("    " * i + f"for s_{i} in board:" for i in range(5)), "    " * 5 + "remove s_4 & theirs")},
}  # fmt: skip


def ranges() -> Texts:
    for name, parts in RANGES.items():
        yield name, game(**parts)


# --- choices and turns without end ------------------------------------------------------

CHOICES = {
    "pairs of all sites": turn("choose a in board", "choose b in board", "place stone at a + b"),
    "as many moves as may be": turn("choose a in row(1) + row(2)", "choose b in board & row(1) + column(2)", "place stone at a + b"),
    "four sites that must be one": turn(*(f"choose {x} in board" for x in "abcd"), "require a = b and b = c and c = d", "pass"),
    "two ways, sixty times": turn("let n = 0", "repeat:", "    choose s in a1, a2", "    n += 1", "while n < 60", "require n < 0"),
    "two ways, all legal": turn("repeat:", "    choose s in a1, a2", "while yes"),
    "a choice for each site": turn("for s in board:", "    either: remove s", "    or: pass"),
    "a list of a thousand": turn("choose k in " + ", ".join(map(str, range(3000))), "choose j in 1..30", "pass"),
    "three hundred branches": turn("either:", *(f"    place stone at row({i}) & empty" if j else "or:" for i in range(300) for j in (1, 0)), "    pass"),
    "branches of branches": turn(*(line for i in range(16) for line in ("either:", f"    remove row({i})", "or:", "    pass"))),
    "a preference for pairs": turn("prefer:", "    choose a in empty", "    choose b in empty", "    require a = b and ply < 0", "otherwise:", "    pass"),
    "a preference that costs all": turn("prefer:", *(f"    choose {x} in board" for x in "abc"), "    require no a", "otherwise:", "    pass"),
    "the most of pairs": turn("choose a in board", "choose b in row(1) + row(3)", "only the most row(a) * column(b)", "place stone at a"),
    "many in a row": turn(*(f"choose s_{i} in a1 + a2" for i in range(16)), "pass"),
    "many in a row that are one": turn(*(f"choose s_{i} in board & a1" for i in range(2000)), "pass"),
    "repeats in repeats": turn("choose k in 1..3", "repeat:", "    repeat:", "        repeat:", "            remove a1", "        while yes", "    while yes", "while yes", "pass"),
    "a repetition for ever": turn(CHOOSE, "let n = 0", "repeat:", "    n += 1", "while yes", PLACE),
    "a repetition one may stop": turn("repeat:", "    choose s in empty & row(1)", "    place stone at s", "while yes, or stop"),
    "the same player for ever": turn("choose s in board", "pass", "again"),
    "sides that swap for ever": turn("choose s in board", "swap sides"),
    "nothing but passes": turn("pass"),
    "pieces that move for ever": turn("either:", f"    {CHOOSE}", f"    {PLACE}", "or:", "    choose a in mine", "    choose b in empty", "    move a to b"),
    "all pieces move": turn("choose d in all_directions", "place stone at empty & edge", "move mine to step(mine, d)", "flip edge"),
}  # fmt: skip
#: Rules for which the past counts.
REMEMBERED = {
    "superko": turn(CHOOSE, PLACE, "remove {t in theirs: row(t) = row(s)}", "require not repeated_board"),
    "superko of dear boards": turn(CHOOSE, "place stone at row(row(s))", "flip board - s", "require not repeated"),
    "repetitions": turn("choose s in board", "if s in empty:", f"    {PLACE}", "else:", "    remove s", "require repetitions < 3"),
}  # fmt: skip


def choices() -> Texts:
    """Turns with more choices than can be listed, or with none that ends anything."""
    for name, rules in CHOICES.items():
        yield name, game(turn=rules)
    for name, rules in REMEMBERED.items():
        yield name, game(turn=rules)
        yield (
            f"{name} with counters",
            game(more="state c: int per site = 1", turn=rules + indented("c[s] += ply")),
        )
    rules = CHOICES["pairs of all sites"]
    for size in (15, 17):
        yield f"pairs of {size} by {size} sites", game(board=f"board squares({size})", turn=rules)
        yield (
            f"pairs of {size} by {size} sites in one turn after another",
            game(board=f"board points({size})", turn=rules + indented("if ply mod 9 > 0: again")),
        )


# --- much of everything --------------------------------------------------------------------


def many() -> Texts:
    """So many declarations of each kind that something may give way."""

    def lines(form: str, times: int) -> str:
        return "\n".join(form.replace("#", str(i)) for i in range(times))

    yield "many options", game(options=lines("option o_#: 0..2000000000 = 0", 2000))
    yield "many answers", game(options=lines("option o_# = no", 2000))
    yield "many states", game(more=lines("state x_#: int = #", 2000))
    yield "many sets", game(more=lines("state x_#: set = board", 1000), turn=turn(CHOOSE, PLACE, "x_7 += s"))
    yield "many counters", game(more=lines("state x_#: int per site = 1", 500))
    yield "states of each player", game(more=lines("state x_#: int per player = #", 2000))
    yield (
        "all states there can be",
        game(
            more=lines("state x_#: set = board", 32),
            turn=turn(CHOOSE, PLACE, *(f"x_{i} -= s" for i in range(32))),
        ),
    )
    yield (
        "all counters there can be",
        game(
            more=lines("state x_#: int per site = 1", 8),
            turn=turn(CHOOSE, PLACE, *(f"x_{i}[edge] += x_{i}[s]" for i in range(8))),
        ),
    )
    yield "many definitions", game(more=lines("define d_#(s) = d_# + 1", 2000))
    yield (
        "definitions of definitions",
        game(more="define d_0 = 1\n" + "\n".join(f"define d_{i + 1} = d_{i} + 1" for i in range(2000))),
    )
    yield "kinds without number", game(pieces="pieces " + ", ".join(f"k_{i}" for i in range(3000)))
    kinds = [f'{name} "{name.upper()}"' for name in "abcdefghijklmnop"]
    yield (
        "all kinds there can be",
        game(
            pieces="pieces " + ", ".join(kinds),
            turn=turn(CHOOSE, "choose k in " + ", ".join("abcdefghijklmnop"), "place k at s"),
        ),
    )
    yield "players without number", game(players="players " + ", ".join(f"P_{i}" for i in range(5000)))
    constants = ", ".join(f"c_{i} = {i}" for i in range(2000))
    yield (
        "constants without number",
        game(players=f"players:\n    Black: {constants}\n    White: {constants}"),
    )
    turns = "\n".join(f"turn t_{i}:" + indented(CHOOSE, PLACE) for i in range(300))
    order = "\n    ".join(f"once {'Black, White, ' * 16}Black: t_{i}" for i in range(300))
    yield "turns without number", game(turn=turns, more=f"play:\n    {order}\n    repeat Black, White: t_0")
    order = "\n    ".join([f"once {'Black, White, ' * 31}Black: t when ply = 5"] * 15)
    asked = "choose s in empty where sum(count(x for x in board if next = Black) for y in board) >= 0"
    yield (
        "conditions of turns that are skipped",
        game(
            board="board squares(10)",
            turn=turn(asked, PLACE).replace("turn:", "turn t:"),
            more=f"play:\n    once Black: t\n    {order}\n    repeat Black, White: t",
        ),
    )
    loops = " ".join(f"for x_{i} in a1 if row(x_{i}) > 0" for i in range(36))
    largest = f"require max(row(x_0) {loops}) >= 0"
    yield "the largest of the largest", game(turn=turn(CHOOSE, *[largest] * 60, PLACE))
    yield "endings without number", game(end="end:" + indented(*(f"if ply = {i}: draw" for i in range(4000))))
    yield (
        "dear endings",
        game(end="end:" + indented(*(f"if size(groups(empty)) > {i + 1600}: draw" for i in range(400)))),
    )
    yield "scores without number", game(more=lines("score p = #", 3000))
    yield "the same again", game(more=lines("define d = 1", 3000))
    yield "statements without number", game(turn=turn(CHOOSE, PLACE, *["remove a1"] * 4000))
    yield "requirements without number", game(turn=turn(CHOOSE, PLACE, *["require some mine"] * 3000))
    yield "names of letters alone", game(more="\n".join(f"define {'x' * i} = {i}" for i in range(1, 400)))
    yield "names nearly right", game(turn=turn(*(f"chose s_{i} in emtpy" for i in range(3000))))


def doubling() -> Texts:
    """Definitions that are small, but large once they are expanded."""
    bodies = {
        "sums": ("row(s)", "d_{}(s) + d_{}(s)"),
        "parts of which few are needed": ("row(s)", "d_{}(s) + (d_{}(s) if s = a1 else 1)"),
        "sums over neighbours": ("1", "sum(d_{}(t) for t in adjacent(s)) + d_{}(s)"),
        "walks": ("s", "reach(d_{}(s), through: board - d_{}(s))"),
    }
    for name, (first, body) in bodies.items():
        for times in (5, 9, 40):
            defines = [f"define d_0(s) = {first}"]
            defines += [f"define d_{i + 1}(s) = {body.format(i, i)}" for i in range(times)]
            value = f"size(d_{times}(s))" if first == "s" else f"d_{times}(s)"
            rules = turn(CHOOSE, PLACE, f"require {value} > 0")
            yield f"{name}, doubled {times} times", game(more="\n".join(defines), turn=rules)
    yield (
        "a definition of itself",
        game(more="define d(n) = d(n + 1)", turn=turn(CHOOSE, "require d(1) > 0", PLACE)),
    )
    yield (
        "two of each other",
        game(more="define d(n) = e(n)\ndefine e(n) = d(n)", turn=turn(CHOOSE, "require d(1) > 0", PLACE)),
    )
    yield (
        "an argument again and again",
        game(
            more="define d(n) = " + " + ".join(["n"] * 500),
            turn=turn(CHOOSE, f"require d(d({WALKS})) > 0", PLACE),
        ),
    )


#: Statements for sound rules of any length, each different from the one before.
LONG = {
    "walks": "require size(reach(s, through: board - row({i}))) + {i} > 0",
    "wide sets": "let x_{i} = (board - row({i}) & column({i})) + step(mine, north_east, {i})",
    "loops": "for t in row({i}): place stone at t & empty",
    "runs of all directions": "flip run(s, all_directions, theirs - row({i}))",
    "groups": "if any(size(g) = {i} for g in groups(mine)): remove row({i})",
    "counters": "c[row({i})] += c[s] + {i}",
    "branches": "if ply = {i}: place stone at row({i})",
    "moves": "move mine & row({i}) to empty & row({i} + 1)",
    "sums in sums": "require sum(sum(row(t) * {i} for t in adjacent(u)) for u in adjacent(s)) >= 0",
}


def long() -> Texts:
    """Sound rules that are expensive to compile."""
    for name, form in LONG.items():
        for times in (30, 300):
            lines = [form.replace("{i}", str(i)) for i in range(1, times + 1)]
            rules = turn(CHOOSE, PLACE, *lines)
            yield f"{times} {name}", game(board="board squares(12)", more="state c: int per site", turn=rules)


# --- numbers, texts, pictures, variants ------------------------------------------------------


def numbers() -> Texts:
    """What overflows, or asks for a number that does not exist."""
    odd = {
        "towers of powers": "9 ^ 9 ^ 9 ^ 9 ^ 9",
        "a power of all": "2147483647 ^ 2147483647",
        "a negative power": "(0 - 9) ^ (0 - 2147483647)",
        "products without end": " * ".join(["2147483647"] * 500),
        "a quotient of nothing": "(ply + 1) div (ply - ply) + (ply mod 0)",
        "the smallest by minus one": "(0 - 2147483647 - 1) div (0 - 1)",
        "the smallest modulo minus one": "(0 - 2147483647) mod (0 - 1)",
        "digits": "9" * 90_000,
        "a row far away": "size(row(2147483647)) + size(column(0 - 2147483647))",
        "a leap far away": "size(leaps(s, 2147483647, 0 - 2147483647))",
        "a step far away": "size(step(s, north, 2147483647))",
        "a line without length": "size(line(mine, 0 - 2147483647)) + size(line(mine, 0))",
        "an endless line": "size(line(board, 2147483647))",
    }
    for name, value in odd.items():
        yield name, game(turn=turn(CHOOSE, PLACE, f"require {value} >= 0 or ply >= 0"))
    yield (
        "a counter that overflows",
        game(
            more="state n: int = 2147483647\nstate c: int per site = 2147483647",
            turn=turn(CHOOSE, PLACE, "n += n", "n += n * n", "c[board] += c[s]", "c[board] -= n ^ n"),
        ),
    )


def texts() -> Texts:
    """Names and texts that are long, or mean something else where they are shown."""
    markup = "<script>alert(1)</script><img src=x onerror=alert(1)>&amp;${1}{{7*7}}%s%n\\u0000"
    yield "a script", game(header=f'game "{markup}" by "{markup}", 1\n"{markup}"')
    yield "a wide name", game(header=f'game "{"W" * 90_000}"')
    yield "a wide name of other letters", game(header=f'game "{"𝕎" * 20_000}"\n"{"‮" * 20_000}"')
    yield "letters that clear the screen", game(header='game "\x1b[2J\x1b]0;x\x07\x9b31m"\n"\x07\x08\x08"')
    yield "a year far away", game(header=f'game "X" by "Y", {"9" * 5000}')
    yield "a name of a path", game(header='game "../../../../etc/passwd"')
    yield "a long reason", game(end=f'end:\n    if ply > 0: draw "{"because " * 10_000}"')
    yield (
        "a reason of many lines of conditions",
        game(end="end:" + indented("if " + " or ".join(f"ply = {i} + 10" for i in range(900)) + ": draw")),
    )
    for name, value in {
        "boards": "{board}",
        "sites": "{s}",
        "numbers": "{2 ^ 30}",
        "words": "x" * 50,
    }.items():
        for times in (90, 1800):
            rules = turn(CHOOSE, PLACE, f'notation "{value * times}"')
            yield f"a notation of {times} {name}", game(turn=rules)
    yield "a notation that grows", game(turn=turn(CHOOSE, PLACE, 'for t in board: notation += "{board}"'))
    yield (
        "moves that look alike",
        game(turn=turn("choose s in board", "choose k in 1..60", 'notation "x"', "pass")),
    )
    yield "a piece with a long letter", game(pieces=f'pieces stone "{"X" * 50_000}"')
    yield "a piece with marks over marks", game(pieces=f'pieces stone "X{chr(0x301) * 30_000}"')
    yield (
        "long names",
        game(
            pieces="pieces stone, " + "y" * 40_000,
            more=f"define {'x' * 40_000} = 1",
            turn=turn(CHOOSE, PLACE),
        ),
    )


def pictures() -> Texts:
    """Diagrams of the setup."""
    row = " ".join("Ss" * 20)
    full = "\n".join(["    " + row] * 40)

    def picture(text: str) -> str:
        return game(more='setup:\n    diagram """\n' + text + '\n    """')

    yield "a full board", picture(full)
    yield "a board that is too large", picture(full + "\n" + full)
    yield "a picture of one line", picture("S" * 90_000)
    yield "a picture of empty lines", picture("\n" * 90_000)
    yield "a picture of dots", picture(". " * 40_000)
    yield "a picture of other letters", picture(full.replace("S", "𝕏"))
    yield "a picture without end", game(more='setup:\n    diagram """\n' + full)
    yield "a board half full", picture(full.replace("s", "."))
    yield "pictures one upon the other", game(more=setup(*[f'diagram """\n{full}\n    """'] * 20))
    yield (
        "setups one upon the other",
        game(more=setup(*["place Black stone at board", "remove board"] * 1000)),
    )
    yield "groups of a full board", game(
        more=setup("place Black stone at {s in board: (column(s) + row(s)) mod 2 = 0}"),
        turn=turn("choose g in groups(mine) where size(adjacent(g) & empty) > 0", "choose h in groups(empty)", "remove g + h"),
        end="end:\n    if ply > 9: draw",
    )  # fmt: skip


def variants() -> Texts:
    """Variants of games that do not exist, of themselves, and of games in which they change everything."""
    bases = {
        "itself": "Hostile",
        "a base above": "../" * 5000,
        "a base of the system": "/etc/passwd",
        "a base without name": "",
        "a base of zeros": "\x00" * 100,
        "a base of dots": "...",
        "a long base": "a" * 90_000,
        "a base of other letters": "Ayu\u202e\u0301",
    }
    for name, base in bases.items():
        yield f"a variant of {name}", f'variant "Hostile" of "{base}"\n'
    changes = {
        "all sizes": "option size: 3..2147483647 = 40",
        "a size that is no number": "option size: 3..99 = no",
        "nothing left": "without setup\nwithout turn\nwithout end\nwithout pie rule\nwithout option size",
        "the same left out again": "without setup\n" * 5000,
        "a definition of itself": "define approach(unit) = approach(unit)",
        "a dear definition": f"define approach(unit) = row({WALKS}) + empty",
        "a dear turn": turn(
            "choose a in board", "choose b in board", "choose c in board", "place stone at a + b"
        ),
    }
    for name, change in changes.items():
        yield f"a variant with {name}", f'variant "Hostile" of "Ayu"\n{change}\n'


#: All families, each a list of texts by what they try; no two texts are the same.
FAMILIES: dict[str, dict[str, str]] = {
    family.__name__: dict(family())
    for family in (
        unreadable, nested, chained, dear, boards, ranges, choices, many, doubling, long, numbers, texts,
        pictures, variants,
    )
}  # fmt: skip
TEXTS: dict[str, str] = {name: text for family in FAMILIES.values() for name, text in family.items()}


def sample(of_each: int) -> dict[str, str]:
    """`of_each` texts of each family, spread over it from its beginning to its end."""
    found = dict[str, str]()
    for family in FAMILIES.values():
        found |= islice(family.items(), 0, None, max(1, len(family) // of_each))
    return found
