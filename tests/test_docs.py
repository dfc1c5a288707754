"""The README and the manuals are true: every rule file, command and snippet in them is run.

- A `game` block is a rule file, or declarations for a variant of the manual's game "Example". Its comments
  `# start: CLAIMS` and `# after MOVES: CLAIMS` are played. A block whose first line is `# NAME.game` is also
  the file of that name for the commands that follow; so is a `text` block, which may be faulty, or Python.
- A `console` block holds commands and what they print; a line `...` in it stands for any lines.
- A `python` block is a session, run as a doctest.
- An example in a table of the manual is a condition that holds in its game "Sample".
- The `sh` blocks of the README install the project; `.ci/run` runs them.
"""

from __future__ import annotations

import doctest
import os
import random
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

import pytest
from attrs import frozen

from gdl import boards, endings, expressions, library, parser, parts, statements, turns
from gdl.boards import BOARDS
from gdl.builtins import AGGREGATES, BUILTINS, FUNCTIONS, OPERATORS, VALUES, Builtin
from gdl.core import Type
from gdl.diagnostics import RuleError
from gdl.names import FUNCTION_WORDS, VALUE_WORDS
from gdl.source import Source
from gdl.words import DECLARATIONS, RESERVED
from interpreter import reference, settings
from interpreter.examine import examine
from interpreter.game import Game, Position
from interpreter.native import context

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MANUAL = ROOT / "docs" / "language.md"
DOCUMENTS = [README, *sorted((ROOT / "docs").glob("*.md"))]


@frozen
class Block:
    """A fenced block of a document: the words after its fence, its text, the line of the fence."""

    document: Path
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.document.name}:{self.line}"


def blocks(document: Path, *kinds: str) -> list[Block]:
    """The blocks of these kinds, in the order of the document; the first word after a fence is the kind."""
    text = document.read_text(encoding="utf-8")
    found = re.finditer(r"^```(.*)\n([\s\S]*?)^```$", text, re.MULTILINE)
    return [
        Block(document, text.count("\n", 0, fence.start()) + 1, fence[1], fence[2])
        for fence in found
        if fence[1].split(" ")[0] in kinds
    ]


def every(kind: str) -> list[Block]:
    return [block for document in DOCUMENTS for block in blocks(document, kind)]


def of_each(blocks: list[Block]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("block", blocks, ids=map(str, blocks))


# --- rule files ---------------------------------------------------------------


def titled(title: str) -> str:
    """The rule file of this title in the manual."""
    return next(b.text for b in blocks(MANUAL, "game") if b.text.startswith(f'game "{title}"'))


def is_whole(text: str) -> bool:
    return re.search(r"^(game|variant) ", text, re.MULTILINE) is not None


def load(text: str, folder: Path) -> tuple[Game, list[str]]:
    """The game of a block and all messages about it, with the games of the manual beside it."""
    for title in ("Example", "Sample"):
        (folder / f"{title.lower()}.game").write_text(titled(title), encoding="utf-8")
    source = Source("block.game", text if is_whole(text) else f'variant "Fragment" of "Example"\n{text}')
    whole = text.startswith("game ")
    said = [str(d) for d in examine(source, folder) if whole or d.severity == "error"]
    return Game.of(library.check_source(source, folder)[0]), said


@of_each(every("game"))
def test_rules_check_and_play(block: Block, tmp_path: Path) -> None:
    game, said = load(block.text, tmp_path)
    assert said == []
    position, choice = game.start(), random.Random(1)
    while not position.over and position.ply < 40:
        position = position.play(choice.choice(position.legal_moves))
    for moves, claims in re.findall(r"^# (?:start|after (.*?)): (.*)$", block.text, re.MULTILINE):
        position = game.start()
        for move in moves.split():
            position = position.play(move)
        for claim in claims.split("; "):
            assert holds(claim, position), f"{claim}\n{position}\n{position.result}"


def holds(claim: str, position: Position) -> bool:
    """Whether a claim about a position is true."""
    legal = [move.notation for move in position.legal_moves]
    result = position.result
    match claim.split():
        case ["legal", *moves]:
            return sorted(legal) == sorted(moves)
        case ["can", move]:
            return move in legal
        case ["cannot", move]:
            return move not in legal
        case [player, "to", "move"]:
            return result is None and position.to_move == player
        case [player, "wins" | "loses" as verb, *reason]:
            assert result is not None
            return (result.winner == player) == (verb == "wins") and by(reason, result.reason)
        case ["draw", *reason]:
            return result is not None and result.winner is None and by(reason, result.reason)
        case [site, "holds", *piece]:
            return position.board.get(site, "nothing") == " ".join(piece)
        case [state, "=", *value]:
            return str(position.state[state]) == " ".join(value)
    raise ValueError(f"no claim: {claim}")


def by(words: list[str], reason: str) -> bool:
    return not words or words == ["by", *reason.split()]


def test_the_readme_shows_the_rules_of_ayu() -> None:
    assert (ROOT / "games" / "ayu.game").read_text(encoding="utf-8") in README.read_text(encoding="utf-8")


# --- the manual agrees with the tables of the language --------------------------


def table(header: str) -> list[list[str]]:
    """The cells of the tables of the manual that begin with this column."""
    text = MANUAL.read_text(encoding="utf-8")
    found = re.findall(rf"^\| {header} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for t in found for line in t.splitlines()]


def row_of(row: Builtin) -> list[str]:
    """What the manual should say about a built-in: its form, type, meaning, and where it may stand."""
    types = [p.type.value for p in row.parameters]
    if row in FUNCTIONS:
        shown = [
            (f"{p.label}: " if p.label else "") + p.type.value + (f" = {p.default}" if p.default else "")
            for p in row.parameters
        ]
        form = f"{row.word}({', '.join(shown)})"
    elif row.key == "kind_of":
        form = "KIND(player)"
    elif row.key == "at":
        form = "COUNTERS[set]"
    elif row in VALUES or row.key == "all_of_kind":
        form = row.word
    elif len(types) == 1:
        form = f"-{types[0]}" if row.word == "-" else f"{row.word} {types[0]}"
    else:
        form = f"{types[0]} {row.word} {types[1]}"
    where = "anywhere" if row.where == "any" else row.where
    return [f"`{form}`", row.result.value, row.doc, where]


def test_every_builtin_is_in_the_manual_as_it_is() -> None:
    for header, rows in (("word", VALUES), ("function", FUNCTIONS), ("operator", OPERATORS)):
        said = [[*cells[:3], cells[4]] for cells in table(header)]
        assert said == [row_of(row) for row in rows]


def examples() -> list[str]:
    """The examples in the tables of the manual, which are conditions."""
    found = []
    lines = MANUAL.read_text(encoding="utf-8").splitlines()
    for is_table, group in groupby(lines, lambda line: line.startswith("|")):
        if is_table:
            header, _, *rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in group]
            column = header.index("example") if "example" in header else None
            found += [row[column].strip("`") for row in rows if column is not None]
    return found


def test_what_runs_over_many_is_in_the_manual() -> None:
    forms = [cells[0] for cells in table("form") if " for x in " in cells[0]]
    assert [form.strip("`").split("(")[0] for form in forms] == list(AGGREGATES)


def test_there_is_an_example_of_every_builtin() -> None:
    assert len(examples()) > len(BUILTINS)


@pytest.mark.parametrize("condition", examples())
def test_an_example_holds(condition: str, tmp_path: Path) -> None:
    rule = f'variant "Question" of "Sample"\nturn:\n    require {condition}\n    pass\n'
    if "stuck" in condition:
        rule = f'variant "Question" of "Sample"\nend:\n    if {condition}: mover wins\n'
    position = load(rule, tmp_path)[0].start()
    if "stuck" in condition:
        assert position.play(position.legal_moves[0]).result.reason == condition
    else:
        assert [str(move) for move in position.legal_moves] == ["pass"]


def test_every_board_is_in_the_manual_as_it_is() -> None:
    said = [[name.split("(")[0].strip("`"), *cells] for name, _, *cells in table("board")]
    assert said == [[k.name, ", ".join(k.directions), ", ".join(k.direction_sets)] for k in BOARDS.values()]
    for form, *_ in table("board"):
        name, sides = form.strip("`)").split("(")
        assert sides.split(", ") == [side.name for side in BOARDS[name].parameters]


@of_each(blocks(MANUAL, "board"))
def test_a_picture_of_a_board(block: Block) -> None:
    """The names are in rows, each as far to the right as its site is."""
    _, name, *sides = block.kind.split()
    board = BOARDS[name].build(**{side: int(n) for side, n in (item.split("=") for item in sides)})
    places = {
        word[0]: (word.start(), -number)
        for number, line in enumerate(block.text.splitlines())
        for word in re.finditer(r"\S+", line)
    }
    assert places.keys() == board.index.keys()
    width = places["b1" if "b1" in places else "d1"][0] - places["a1" if "a1" in places else "c1"][0]
    origin = board.xy[board.index["c1"]]
    for name, (x, y) in places.items():
        at = board.xy[board.index[name]]
        assert x - places["c1"][0] == round((at[0] - origin[0]) * width)
        assert (y > places["c1"][1]) == (at[1] > origin[1] + 0.1)


def test_the_limits_are_those_of_the_code() -> None:
    limits = [int(cells[1].replace(",", "")) for cells in table("what")]
    assert limits == [
        parser.MAX_LENGTH,
        parser.MAX_BRACKETS,
        parser.MAX_BLOCKS,
        expressions.MAX_DEPTH,
        statements.MAX_BLOCKS + 1,
        endings.MAX_TIES,
        expressions.MAX_NODES,
        library.MAX_BASES,
        turns.MOST_PLACES,
        parts.ROUNDS,
        turns.MOST_WAYS,
        boards.LONGEST_SIDE,
        boards.LONGEST_HEXAGON_SIDE,
        boards.LONGEST_SIDE**2,
        reference.BUDGET,
        context.BUDGET,
        context.LONG_GAME,
        reference.MOST_MOVES,
        settings.MOST_PLIES,
    ]


def test_the_kept_words_are_those_of_the_code() -> None:
    section = MANUAL.read_text(encoding="utf-8").split("### Kept words\n\n")[1].split("\n\n")[0]
    assert re.findall(r"`(\w+)`", section) == sorted(RESERVED)


#: Rules in which WORD is the name of something.
NAMING = (
    "turn:\n    choose WORD in empty\n    place stone at WORD\n",
    "define twice(WORD) = 2 * WORD\nturn:\n    choose n in 1..twice(3)\n",
    "turn WORD:\n    pass\nplay:\n    repeat Black, White: WORD\n",
    "option WORD: 1..3 = 2\nturn:\n    choose n in 1..WORD\n",
    "state WORD: int = 1\nturn:\n    choose n in 1..3\n    WORD += 1\n",
    "players WORD, White\nend:\n    if mover = WORD: WORD wins\n",
    'pieces WORD, rock "X"\nturn:\n    choose s in empty\n    become rock at WORD & s\n',
)


@pytest.mark.parametrize("word", sorted(RESERVED | VALUE_WORDS))
def test_a_kept_word_names_nothing(word: str, tmp_path: Path) -> None:
    for rules in NAMING:
        with pytest.raises(RuleError, match=rf"`{word}` is a .* already"):
            load(rules.replace("WORD", word), tmp_path)


#: Other words of the language, except functions.
OTHERS = DECLARATIONS.keys() | set("rule when most sides per site stop nothing".split())
OTHERS -= RESERVED | VALUE_WORDS | FUNCTION_WORDS


@pytest.mark.parametrize("word", sorted(OTHERS))
def test_another_word_may_name_anything(word: str, tmp_path: Path) -> None:
    for rules in NAMING:
        _, said = load(rules.replace("WORD", word), tmp_path)
        assert said == []


def test_the_types_are_those_of_the_code() -> None:
    said = [cells[0].strip("`") for cells in table("type")]
    assert said == [t.value for t in Type if t not in (Type.COUNTERS, Type.GROUPS)]


# --- commands and snippets ------------------------------------------------------


#: A command, and the lines it should print.
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands(document: Path, tmp_path: Path) -> None:
    """The commands of a document, one after the other in one folder, print what it shows."""
    home = {"HOME": str(tmp_path), "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for block in blocks(document, "game", "text", "console"):
        name = re.match(r"# (\w+\.(?:game|py))\n", block.text)
        if name:
            (tmp_path / name[1]).write_text(block.text, encoding="utf-8")
        for command, expected in COMMAND.findall(block.text) if block.kind == "console" else []:
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env={**os.environ, **home},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=120,
            )
            assert done.returncode == 0 or expected, done.stdout
            pattern = r"(?:.*\n)*".join(map(re.escape, re.split(r"^\.\.\.\n", expected, flags=re.MULTILINE)))
            shown = re.sub(r"[ \t]+$", "", done.stdout, flags=re.MULTILINE)
            if expected:
                assert re.fullmatch(pattern, shown), f"{block}: {command}\n{shown}"


@of_each(every("python"))
def test_snippets(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(block.text, {}, str(block), str(block), 0)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


# --- the picture ----------------------------------------------------------------


def test_the_picture_shows_a_position_of_ayu() -> None:
    """Its description gives the moves; its stones are where these lead."""
    picture = ElementTree.parse(ROOT / "docs" / "ayu.svg").getroot()
    svg = "{http://www.w3.org/2000/svg}"
    size, moves = re.fullmatch(r"size=(\d+) (.*)", (picture.findtext(f"{svg}desc") or "").strip()).groups()
    position = Game.load("ayu", size=int(size)).start()
    for move in moves.split():
        position = position.play(move)
    stones = {use.get("id"): use.get("href").strip("#") for use in picture.iter(f"{svg}use") if use.get("id")}
    assert stones == {site: piece.split()[0].lower() for site, piece in position.board.items()}
