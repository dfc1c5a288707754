"""The formatter: one layout, the same meaning, and formatting again changes nothing."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from rule_files import rule_files
from test_docs import Block, every, is_whole, of_each, titled
from test_fuzz_text import SPOILINGS, TEXTS, TOKENS, spoil

from gdl import library
from gdl.core import CheckedGame
from gdl.diagnostics import RuleError
from gdl.format import format_source, format_text
from gdl.library import check_source
from gdl.parser import chunks, normalise, tokens
from gdl.source import Source
from interpreter.cli import main

GAMES = [*library.folder().glob("*.game"), *(Path(__file__).parent / "games").glob("*.game")]

HEAD = 'game "Test"\nplayers Black, White\nboard squares(5)\npieces stone\n'


def bare(text: str) -> str:
    """A text without blanks and without the comments that a test has inserted."""
    return "".join(text.replace("#~", "").split())


def checked(text: str, beside: Path | None = None) -> CheckedGame:
    """A checked game; reasons of endings, which are conditions as their author wrote them, without blanks."""
    game = check_source(Source("tested.game", text), beside)[0]
    return evolve(game, end=tuple(evolve(ending, text=bare(ending.text)) for ending in game.end))


def formatted(text: str) -> str:
    """The formatted text, which formatting again leaves unchanged."""
    result = format_text(text)
    assert format_text(result) == result
    return result


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_games_have_this_look(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text


@of_each(every("game"))
def test_the_examples_keep_their_meaning(block: Block, tmp_path: Path) -> None:
    for title in ("Example", "Sample"):
        (tmp_path / f"{title.lower()}.game").write_text(titled(title), encoding="utf-8")
    text = block.text if is_whole(block.text) else f'variant "Fragment" of "Example"\n{block.text}'
    assert checked(formatted(text), tmp_path) == checked(text, tmp_path)


@pytest.mark.parametrize(
    ("sloppy", "neat"),
    [
        ("define x=1", "define x = 1"),
        ("define  f( a,b )=a+b*2", "define f(a, b) = a + b * 2"),
        ("define x = - 1 - - 2", "define x = -1 - -2"),
        ("define x = ( 1-2 ) ^ 2", "define x = (1 - 2)^2"),
        ("define x = size ( {a1 ,b2} )", "define x = size({a1, b2})"),
        ("define x={s in board :row(s)=1}", "define x = {s in board: row(s) = 1}"),
        ("define x = closest(a1,to :mine,through:empty)", "define x = closest(a1, to: mine, through: empty)"),
        ("define x = not(yes)and no", "define x = not (yes) and no"),
        ("option size :3 .. 9 step(2)=5", "option size: 3..9 step (2) = 5"),
        ("option komi: -5..-  2=-3", "option komi: -5..-2 = -3"),
        ("state taken:int per player=0", "state taken: int per player = 0"),
        (
            "turn:\n  either : nothing\n  or:nothing [ s ]:=1",
            "turn:\n    either: nothing\n    or: nothing[s] := 1",
        ),
        (
            "turn:\n  choose s in\n    empty  where\n      row(s)=1\n  move s to\n    a1",
            "turn:\n    choose s in\n        empty where\n            row(s) = 1\n    move s to\n        a1",
        ),
        (
            "turn:\n\tplace stone at a1\n\ttaken [mover]+=1",
            "turn:\n    place stone at a1\n    taken[mover] += 1",
        ),
        ("turn :\n  if yes :pass\n  else  :\n     pass", "turn:\n    if yes: pass\n    else:\n        pass"),
        ('turn:\n notation"a  b"if  yes else"c"\n', 'turn:\n    notation "a  b" if yes else "c"'),
        ("define x = 1 \t\n\n\n \ndefine y = 2\n\n", "define x = 1\n\ndefine y = 2"),
        ("#  as it is  \n\ndefine x = 1#here ", "#  as it is\n\ndefine x = 1  #here"),
    ],
)
def test_blanks(sloppy: str, neat: str) -> None:
    assert formatted(HEAD + sloppy) == HEAD + neat + "\n"


@pytest.mark.parametrize(
    ("sloppy", "neat"),
    [
        # Columns of signs stay aligned; blanks that align nothing go.
        ("state a  : int  =1\nstate abc: int= 2", "state a  : int = 1\nstate abc: int = 2"),
        ("define a   =  1\ndefine abc =  2", "define a   = 1\ndefine abc = 2"),
        ("define a  =  1\ndefine b  =  2", "define a = 1\ndefine b = 2"),
        # So do comments, if there is room.
        ("define a=1     # one\ndefine bc = 2  # two", "define a = 1   # one\ndefine bc = 2  # two"),
        ("define a=1             # far", "define a = 1           # far"),
        ("define a = 1    # one\n                # more", "define a = 1    # one\n                # more"),
        # A statement continues below what its author aligned it with, or is indented.
        ("define f( a,\n          b )= a+\n  b", "define f(a,\n         b) = a +\n    b"),
    ],
)
def test_what_is_lined_up(sloppy: str, neat: str) -> None:
    assert formatted(HEAD + sloppy) == HEAD + neat + "\n"


def test_comments_stay_in_their_blocks() -> None:
    sloppy = (
        "turn:\n  # a\n  if yes:\n# b\n    pass\n    # c\n  # d\n  else:\n    pass\n    # e\n  # f\n# g\n"
    )
    neat = (
        "turn:\n    # a\n    if yes:\n        # b\n        pass\n        # c\n    # d\n    else:\n"
        "        pass\n        # e\n    # f\n# g\n"
    )
    assert formatted(HEAD + sloppy) == HEAD + neat


def test_pictures_stay() -> None:
    text = HEAD + 'setup:\n  diagram """\n   s . .  . .\n\n\n  . . . . S """   # here\n'
    assert formatted(text) == text.replace("  diagram", "    diagram")


def test_no_file_begins_its_lines_with_both_tabs_and_blanks() -> None:
    text = HEAD + 'setup:\n\tdiagram """\n\ts . . . .\n\t"""\nturn:\n\tif if\n'
    result, faults = format_source(Source("tabs.game", text))
    assert result == text.replace("\t", "    ")
    assert [fault.span.line for fault in faults] == [10]


def test_what_cannot_be_read_stays() -> None:
    broken = "define x= = 1 # so\n  and so\n\n\n# this, too"
    result, faults = format_source(Source("broken.game", f"{HEAD}{broken}\ndefine y=2\n{broken}\n\n"))
    assert result == f"{HEAD}{broken}\ndefine y = 2\n{broken}\n"
    assert [fault.span.line for fault in faults] == [5, 11]


@pytest.mark.parametrize("text", [" game", "game\u200b", HEAD + "turn:\n \tpass\n", "#" * 100_001])
def test_a_file_that_cannot_be_read_at_all_stays(text: str) -> None:
    assert format_text(text) == text
    with pytest.raises(RuleError) as raised:
        format_source(Source("broken.game", text))
    assert len(raised.value.diagnostics) == 1


def test_nothing_grows_too_long() -> None:
    text = HEAD + "turn:\n" + " if yes:\n  if yes:\n   if yes:\n    pass\n" * 2500
    assert len(text) < 100_000
    assert format_text(text) == text
    with pytest.raises(RuleError, match="too long"):
        format_source(Source("long.game", text))


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "\ufeff\r\n"])
def test_nothing_is_nothing(text: str) -> None:
    assert format_text(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "define a = " + "a  + " * 9000 + "1\ndefine a = " + "aa + " * 9000 + "1\n",
        "define a = f(b,\n" + "             b,\n" * 6000 + "             c)\n",
        "turn:\n\tpass" + "\t" * 90_000 + "# far\n",
        "define x = = 1 # x\n" * 5000,
    ],
    ids=["columns", "beneath", "blanks", "broken"],
)
def test_the_time_is_bounded(text: str) -> None:
    begin = time.process_time()
    format_text(HEAD + text)
    assert time.process_time() - begin < 20


# --- at random ---


@st.composite
def respaced(draw: st.DrawFn) -> tuple[str, str]:
    """A bundled game, and the same with different blanks, indentation, lines, line ends and more comments."""
    text = draw(st.sampled_from(TEXTS))
    random = draw(st.randoms(use_true_random=False))
    unit = random.choice(["\t", " ", "  ", "   ", " " * 8])
    often = random.choice([0.0, 0.05, 0.5])
    result, position = "", 0
    for chunk in chunks(Source("game", text)):
        start = sum(len(line) + 1 for line in text.split("\n")[: chunk.lines])
        words, brackets = tokens(chunk), 0
        assert isinstance(words, list)
        for word in words:
            if word.type in ("_NL", "_INDENT", "_DEDENT"):
                continue
            assert word.start_pos is not None
            assert word.end_pos is not None
            gap = text[position : start + word.start_pos]
            if gap.isspace() and "\n" not in gap:
                needed = all(x.isalnum() or x == "_" for x in (result[-1], word[0]))
                gap = random.choice([" ", "  ", "\t", "   "] + [""] * (not needed))
            while brackets and random.random() < often:
                gap += random.choice(["\n", "  #~\n", "\n\n"]) + " " * 4 * random.randint(1, 5)
            result += gap + word
            position = start + word.end_pos
            brackets += (word in {"(", "[", "{"}) - (word in {")", "]", "}"})
    lines = (result + text[position:]).split("\n")
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip(" "))
        lines[number] = unit * (indent // 4) + line[indent:] + random.choice(["", " ", "\t"])
    return text, random.choice(["\n", "\r\n", "\r"]).join(lines)


@given(respaced())
def test_other_blanks_mean_the_same(texts: tuple[str, str]) -> None:
    text, sloppy = texts
    result = formatted(sloppy)
    assert checked(result) == checked(text)
    assert bare(result) == bare(text)


@given(rule_files())
def test_random_rules_keep_their_meaning(text: str) -> None:
    assert checked(formatted(text)) == checked(text)


@given(st.sampled_from(TEXTS), st.lists(SPOILINGS, min_size=1, max_size=4))
def test_spoiled_files(text: str, spoilings: list[tuple[str, float, float, str]]) -> None:
    parts = TOKENS.findall(text)
    for spoiling in spoilings:
        spoil(parts, spoiling)
    spoiled = "".join(parts)
    result = formatted(spoiled)
    try:
        before = checked(normalise(spoiled))
    except (RuleError, library.UnknownGame):
        with pytest.raises((RuleError, library.UnknownGame)):
            checked(result)
    else:
        assert checked(result) == before


# --- the command ---


def gdl(*args: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, ["format", *args], input=stdin, catch_exceptions=False)


def test_files_are_written_in_place(tmp_path: Path) -> None:
    sloppy, neat, link = tmp_path / "sloppy.game", tmp_path / "neat.game", tmp_path / "link.game"
    sloppy.write_bytes(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode())
    sloppy.chmod(0o640)
    neat.write_text(HEAD, encoding="utf-8")
    link.symlink_to(sloppy)
    written = neat.stat().st_mtime_ns

    result = gdl("--check", str(link), str(neat))
    assert (result.exit_code, result.stdout) == (1, f"{link}: would change\n{neat}: unchanged\n")
    assert sloppy.read_bytes().startswith(b"\xef")

    result = gdl(str(link), str(neat))
    assert (result.exit_code, result.stdout) == (0, f"{link}: formatted\n{neat}: unchanged\n")
    assert sloppy.read_bytes() == HEAD.encode()
    assert stat.S_IMODE(sloppy.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert neat.stat().st_mtime_ns == written
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.game", "neat.game", "sloppy.game"]
    assert gdl("--check", str(sloppy), str(neat)).exit_code == 0


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    path, bytes_ = tmp_path / "broken.game", tmp_path / "bytes.game"
    path.write_text(HEAD + "define x= =1\ndefine y=1\n", encoding="utf-8")
    bytes_.write_bytes(b"game \xff")
    result = gdl(str(path), str(bytes_), str(tmp_path / "none.game"))
    assert result.exit_code == 1
    assert path.read_text(encoding="utf-8") == HEAD + "define x= =1\ndefine y = 1\n"
    assert bytes_.read_bytes() == b"game \xff"
    assert "5 | define x= =1" in result.stderr
    assert f"{path}: what cannot be read stays as it is" in result.stderr
    assert "not UTF-8" in result.stderr
    assert "there is no file" in result.stderr


@pytest.mark.parametrize("line", ["# more\n", "# more\r\n", "# \u20ac\n"])
def test_a_file_that_is_much_too_long_stays_whole(line: str, tmp_path: Path) -> None:
    """Once, its end was cut off, as a file refused anyway is not read to the end."""
    path, raw = tmp_path / "long.game", (HEAD + "define x=1\n" + line * 100_000).encode()
    path.write_bytes(raw)
    result = gdl(str(path))
    assert (result.exit_code, result.stdout) == (1, f"{path}: unchanged\n")
    assert "the file is too long" in result.stderr
    assert path.read_bytes() == raw


def test_standard_input(tmp_path: Path) -> None:
    result = gdl("-", stdin=HEAD + "define x=1")
    assert (result.exit_code, result.stdout) == (0, HEAD + "define x = 1\n")
    assert gdl("--check", "-", stdin="define x=1").stdout == "-: would change\n"
    assert gdl("-", stdin=b"\xff").exit_code == 1
