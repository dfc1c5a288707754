"""Every built-in word means the same in native code as in Python, on boards of all widths of sets."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from gdl.boards import BOARDS, Board
from gdl.builtins import BUILTINS
from gdl.core import LIMIT, Type
from interpreter import meanings as plain
from interpreter.native.assembly import I1, I64, POINTER, Unit
from interpreter.native.compiler import Library, has_bmi2
from interpreter.native.meanings import MEANINGS

#: One site, one bit less than a byte, exactly one word, one bit more, two words, three, 25.
BOARDS_TRIED = {
    "1 site": ("squares", {"columns": 1, "rows": 1}),
    "9 points": ("points", {"columns": 3, "rows": 3}),
    "7 hexes": ("hexagon", {"side": 2}),
    "35 squares that wrap": ("squares", {"columns": 7, "rows": 5, "wrap": 0b01010101}),
    "70 hexes that wrap": ("rhombus", {"columns": 7, "rows": 10, "wrap": 0b011011}),
    "64 squares": ("squares", {"columns": 8, "rows": 8}),
    "65 squares": ("squares", {"columns": 13, "rows": 5}),
    "121 hexes": ("rhombus", {"columns": 11, "rows": 11}),
    "169 points": ("points", {"columns": 13, "rows": 13}),
    "1600 squares": ("squares", {"columns": 40, "rows": 40}),
}

INTS = [0, 1, -1, 2, -2, 3, 7, 8, 31, 32, 33, -33, 46341, LIMIT - 1, LIMIT, -LIMIT, 1 - LIMIT]

Run = Callable[..., int]


def board_of(name: str) -> Board:
    kind, sides = BOARDS_TRIED[name]
    return BOARDS[kind].build(**sides)


@cache
def compiled(name: str) -> tuple[Unit, Library]:
    """A function for each built-in: it reads its arguments from one array of words and writes to another."""
    unit = Unit(plain.Geometry(board_of(name)), has_bmi2())
    for key, write in MEANINGS.items():
        code = unit.function(f"word_{key}", I1, [POINTER, POINTER], public=True)
        source, target = code.function.args
        arguments, place = [], 0
        for type_ in types(key):
            if type_ is Type.SET:
                arguments.append(code.set_from(source, place))
                place += unit.words
                continue
            word = code.word(source, place)
            arguments.append(code.differ(word, I64(0)) if type_ is Type.BOOL else word)
            place += 1
        result = write(code, *arguments)
        (code.put_set if BUILTINS[key].result is Type.SET else code.put)(target, 0, result)
        code.ret(I1(1))
    text = str(unit.module)
    return unit, Library(text.encode(), lambda: text, keep=False)


def types(key: str) -> list[Type]:
    return [Type.SET if p.type is Type.GROUPS else p.type for p in BUILTINS[key].parameters]


def random_value(type_: Type, board: Board, random: Random) -> int:
    match type_:
        case Type.SET:
            several = random.getrandbits(board.size) & random.getrandbits(board.size)
            site = 1 << random.randrange(board.size)
            return random.choice(
                [0, site, site, board.all, board.edge, several, several, board.all & ~several]
            )
        case Type.DIRECTIONS:
            ways = len(board.directions)
            return random.choice([0, 1 << random.randrange(ways), random.getrandbits(ways), (1 << ways) - 1])
        case Type.INT:
            return random.choice(
                [*INTS, board.size, board.size + 1, random.randint(1, 12), random.randint(-9, 9)]
            )
        case Type.KIND:
            return random.randint(-1, 3)
    return random.randint(0, 1)


def native(unit: Unit, run: Run, key: str, values: list[int]) -> int:
    mask = (1 << 64) - 1
    words = list[int]()
    for type_, value in zip(types(key), values, strict=True):
        width = unit.words if type_ is Type.SET else 1
        words += [value >> 64 * i & mask for i in range(width)]
    source, target = (ctypes.c_uint64 * (len(words) + 1))(*words), (ctypes.c_uint64 * unit.words)()
    assert run(source, target)
    if BUILTINS[key].result is Type.SET:
        return sum(word << 64 * i for i, word in enumerate(target))
    return int(ctypes.c_int64(target[0]).value)


@pytest.mark.parametrize("name", BOARDS_TRIED)
def test_words_mean_the_same(name: str):
    board = board_of(name)
    geometry = plain.Geometry(board)
    unit, library = compiled(name)
    random = Random(name)
    for key in MEANINGS:
        run = library.function(f"word_{key}", ctypes.c_bool, [ctypes.c_void_p, ctypes.c_void_p])
        for _ in range(60 if types(key) else 1):
            values = [random_value(type_, board, random) for type_ in types(key)]
            if key == "group_count":
                expected = len(plain.groups(geometry, *values))
            else:
                expected = int(plain.MEANINGS[key](geometry, *values))
            assert native(unit, run, key, values) == expected, (key, values)
