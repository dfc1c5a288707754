"""The page of the games is what its script makes."""

from __future__ import annotations

import pytest
from tools import games_page

from gdl.library import bundled

STALE = "python tests/tools/games_page.py writes it anew"


def test_the_page_is_up_to_date():
    assert (games_page.DOCS / "games.md").read_text(encoding="utf-8") == games_page.page(), STALE


@pytest.mark.parametrize("name", bundled())
def test_a_picture_is_up_to_date(name: str):
    drawn = (games_page.DOCS / "games" / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == games_page.picture(name), STALE


def test_pictures_are_small_and_of_games_that_there_are():
    pictures = list((games_page.DOCS / "games").iterdir())
    assert {path.name for path in pictures} == {f"{name}.svg" for name in bundled()}
    assert sum(path.stat().st_size for path in pictures) < 600_000


def test_the_tables_name_games_that_there_are():
    assert games_page.NOTES.keys() == set(bundled())
    assert {*games_page.COUNTED_BY, *games_page.BY_HAND, *games_page.SHOWN} <= set(bundled())
    assert games_page.COUNTED_BY.keys() == {name for name in bundled() if games_page.counts_of(name)}


@pytest.mark.parametrize("name", bundled())
def test_every_game_is_compared_with_something(name: str):
    assert games_page.games_of(name) or games_page.counts_of(name) or name in games_page.BY_HAND
