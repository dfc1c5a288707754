"""Which lines of a rule file never mattered: planted ones are named, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from gdl import library
from interpreter.analysis.coverage import Coverage, cover
from interpreter.analysis.games import Task, play_task
from interpreter.game import Game

TIC_TAC_TOE = library.read("tic_tac_toe").text


def look(game: str, count: int = 25, seconds: float = 20, **options: int | bool) -> Coverage:
    """The coverage by random games."""
    tasks = [Task("test", number, game, "random", "random", number, options) for number in range(count)]
    return cover(game, options, list(map(play_task, tasks)), seconds)


def planted(tmp_path: Path, place: str, more: str) -> str:
    """The path of tic-tac-toe with more text inserted after a place in it."""
    assert TIC_TAC_TOE.count(place) == 1
    path = tmp_path / "planted.game"
    path.write_text(TIC_TAC_TOE.replace(place, place + more), encoding="utf-8")
    return str(path)


def named(coverage: Coverage) -> list[tuple[str, str]]:
    return [(dead.text, dead.why) for dead in coverage.dead]


@pytest.mark.parametrize("game", ["tic_tac_toe", "misere_tic_tac_toe"])
def test_a_game_without_dead_lines(game: str) -> None:
    coverage = look(game)
    assert coverage.dead == ()
    assert coverage.seen == coverage.positions


# Tic-tac-toe has nine squares: no game has more than nine plies, nobody has more than five marks.
MARK, SQUARE, END = "place mark at square\n", "choose square in empty\n", "end:\n"

#: The place, the text inserted there, the line that is then dead, and why.
PLANTED = [
    (MARK, "    require ply < 20\n", "require ply < 20", "it never failed in "),
    (
        "choose square in empty",
        " where ply < 20",
        "choose square in empty where ply < 20",
        "left nothing out",
    ),
    (
        MARK,
        "    remove theirs if ply > 20 else none\n",
        "remove theirs if ply > 20 else none",
        "never changed",
    ),
    (MARK, "    if ply > 20:\n        remove theirs\n", "if ply > 20:", "its condition never held in "),
    (MARK, "    if ply < 20:\n        let _a = 1\n", "if ply < 20:", "its condition always held in "),
    (
        MARK,
        "    if ply < 20:\n        let _a = 1\n    else:\n        remove theirs\n",
        "else:",
        "the condition of line 15 always held in ",
    ),
    (
        MARK,
        "    either:\n        let _a = 1\n    or:\n        require ply > 20\n        pass\n",
        "require ply > 20",
        "it never held in ",
    ),
    (SQUARE, "    prefer:\n        let _a = 1\n    otherwise:\n        pass\n", "otherwise:", "never needed"),
    (
        MARK,
        "    for s in theirs where ply > 20:\n        remove s\n",
        "for s in theirs where ply > 20:",
        "it never had anything to run over",
    ),
    (
        MARK,
        "    repeat:\n        let _a = 1\n    while ply > 20\n",
        "while ply > 20",
        "it never went round again",
    ),
    (MARK, "    only the most size(mine)\n", "only the most size(mine)", "it never left a move out in "),
    (END, "    if ply > 20: mover wins\n", "if ply > 20: mover wins", "this ending never fired in 25 games"),
    (
        TIC_TAC_TOE.rstrip(),
        "\n    if no empty: mover wins",
        "if no empty: mover wins",
        "this ending never fired",
    ),
    ("pieces mark\n", "define many = size(board) > 5\n", "define many = size(board) > 5", "nothing uses it"),
    ("place mark at square", " else theirs", "place mark at square else theirs", "`theirs` was never needed"),
    (
        "place mark at square",
        " if ply < 20 else theirs",
        "place mark at square if ply < 20 else theirs",
        "`theirs` was never needed",
    ),
    (
        MARK,
        "    require ply > 20 or square in center or ply > 0\n",
        "require ply > 20 or square in center or ply > 0",
        "`ply > 20` never held",
    ),
    (
        MARK,
        "    require ply < 20 and (square in center or ply > 0)\n",
        "require ply < 20 and (square in center or ply > 0)",
        "`ply < 20` always held",
    ),
    (
        MARK,
        "    require center & {s in mine: ply < 20} = center or ply > 0\n",
        "require center & {s in mine: ply < 20} = center or ply > 0",
        "`ply < 20` left nothing out",
    ),
]


@pytest.mark.parametrize(("place", "more", "line", "why"), PLANTED)
def test_it_names_the_dead_line_that_was_planted(
    place: str, more: str, line: str, why: str, tmp_path: Path
) -> None:
    coverage = look(planted(tmp_path, place, more))
    ((found, reason),) = named(coverage)
    assert found == line
    assert why in reason


def test_a_line_that_the_options_switch_off_is_not_dead(tmp_path: Path) -> None:
    text = TIC_TAC_TOE.replace("players", "option gift = no\n\nplayers")
    text = text.replace(MARK, MARK + "    if gift:\n        place Nought mark at a1\n")
    path = tmp_path / "gift.game"
    path.write_text(text, encoding="utf-8")
    without, with_it = look(str(path)), look(str(path), gift=True)
    assert without.dead == with_it.dead == ()
    off = [line.text.strip() for line in without.files[0].lines if line.status == "off"]
    assert off == ["if gift:", "place Nought mark at a1"]
    assert not [line for line in with_it.files[0].lines if line.status == "off"]


def test_a_variant_shows_both_its_files() -> None:
    own, base = look("misere_tic_tac_toe").files
    assert (own.name, base.name) == ("misere_tic_tac_toe.game", "tic_tac_toe.game")
    used = [line.text.split(":")[0].strip() for line in own.lines if line.status == "used"]
    assert used == ["if some line(pieces(mover), 3)", "if no empty"]
    replaced = [line.number for line in base.lines if line.notes == ("replaced by the variant",)]
    assert replaced == [1, 2, 16, 17, 18]


def test_a_pie_rule_is_told_by_how_often_it_was_used() -> None:
    (file,) = look("hex", columns=3, rows=3).files
    (pie,) = [line for line in file.lines if line.text == "pie rule when pie"]
    assert pie.status == "used"
    assert pie.notes[0].endswith("of 25 games")
    (file,) = look("hex", columns=3, rows=3, pie=False).files
    (pie,) = [line for line in file.lines if line.text == "pie rule when pie"]
    assert (pie.status, pie.notes) == ("off", ("switched off by the options",))


def test_without_time_it_says_how_little_was_seen() -> None:
    coverage = look("tic_tac_toe", seconds=0)
    assert coverage.seen < coverage.positions


@pytest.mark.parametrize(
    "name", ["ataxx", "egotzi", "english_draughts", "nine_mens_morris", "oware", "pentago"]
)
def test_counting_changes_nothing(name: str) -> None:
    plain = Game.load(name).on("reference").start()
    counted = Game.load(name).on("traced").start()
    for _ in range(6):
        assert [m.path for m in counted.legal_moves] == [m.path for m in plain.legal_moves]
        plain, counted = plain.play(plain.legal_moves[-1]), counted.play(counted.legal_moves[-1])
    assert counted.key == plain.key
    assert counted.game.trace
    assert plain.game.trace is None


def test_a_turn_that_the_options_skip_is_not_dead() -> None:
    coverage = look("squared_egotzi", count=5, size=3, auction=False)
    assert coverage.dead == ()
    off = [line.text for line in coverage.files[0].lines if line.status == "off"]
    assert [text.split("#")[0].strip() for text in off] == [
        "turn bid:",
        "choose points in 0..2 * size * size step 2",
        "bonus := points",
        "turn take_side:",
        "either:",
        "keep sides",
        "or:",
        "swap sides",
        "once Black: bid when auction",
        "once White: take_side when auction",
    ]
    (define,) = [line for line in coverage.files[1].lines if line.text.startswith("define groups_of")]
    assert define.notes == ("the variant does not use it",)


def test_a_turn_that_is_never_taken_is_dead(tmp_path: Path) -> None:
    more = "turn extra:\n    pass\n\nplay:\n    repeat Cross, Nought: turn\n\n"
    path = tmp_path / "planted.game"
    path.write_text(TIC_TAC_TOE.replace(END, more + END), encoding="utf-8")
    assert named(look(str(path))) == [("turn extra:", "this turn was never taken")]


def test_turns_that_again_leads_to(tmp_path: Path) -> None:
    """They are off if the options have switched off what leads to them, and dead if that never happened."""
    text = TIC_TAC_TOE.replace("players", "option more = no\n\nplayers")
    text = text.replace(MARK, MARK + "    if more: again: first\n    if size(mine) > 9: again: second\n")
    for name, statement in (("first", "again: third"), ("second", "pass"), ("third", "pass")):
        text += f"\nturn {name}:\n    choose _k in 1..2\n    {statement}\n"
    path = tmp_path / "led.game"
    path.write_text(text, encoding="utf-8")
    for more, off in ((False, {"turn first:", "turn third:"}), (True, set())):
        coverage = look(str(path), more=more)
        turns = [line for line in coverage.files[0].lines if line.text.startswith("turn ")]
        assert {line.text for line in turns if line.status == "off"} == off
        assert [dead for dead in named(coverage) if dead[0].startswith("turn")] == [
            ("turn second:", "this turn was never taken")
        ]


def test_an_ending_on_several_lines_has_fired_where_games_end_so(tmp_path: Path) -> None:
    """If little was looked at, the games' reasons show it: by the whole condition, not its first line."""
    path = tmp_path / "long.game"
    path.write_text(
        'game "Long"\nplayers Black, White\nboard squares(2)\npieces stone\n'
        "turn:\n    choose s in empty\n    place stone at s\n"
        "end:\n    if no empty and\n        ply = 4: draw\n    if stuck(next): next loses\n"
    )
    assert "if no empty and" not in [text for text, _ in named(look(str(path), 4, 0))]
