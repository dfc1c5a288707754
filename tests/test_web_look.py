"""How boards look in a real browser: the purpose of a board and the effects of a move can be seen."""

from __future__ import annotations

import pytest
from browser import Opens, begin, check, middle, moves, site
from playwright.sync_api import expect

pytest_plugins = ["browser"]


def test_edges_show_who_links_them(opens: Opens) -> None:
    page = opens()
    begin(page, "hex", columns=3, rows=3)
    # By hand, as for the pictures: 12 edges are Red's and 10 are Blue's.
    for colour, count in (("red", 12), ("blue", 10)):
        edges = page.locator(f".goal.{colour}").get_attribute("d")
        assert edges is not None
        assert edges.count("M") == count


def test_a_place_for_a_line_is_seen_before_it_is_drawn(opens: Opens) -> None:
    page = opens()
    begin(page, "dots_and_boxes", columns=1)
    expect(page.locator(".dot")).to_have_count(4)
    slots = page.locator(".slot").get_attribute("d")
    assert slots is not None
    assert slots.count("M") == 4
    site(page, "b1").click()
    expect(page.locator(".bar")).to_have_count(1)


def test_pits_are_somebodys_and_tell_what_was_sown(opens: Opens) -> None:
    page = opens()
    begin(page, "oware")
    # Six houses and a store each, South's the black ones.
    expect(page.locator(".pit.black")).to_have_count(7)
    expect(page.locator(".pit.white")).to_have_count(7)
    expect(page.locator(".target-ring")).to_have_count(6)
    expect(page.locator(".last-ring")).to_have_count(0)
    site(page, "a1").click()
    moves(page, 1)
    expect(page.locator(".last-ring:not(.also)")).to_have_count(1)
    expect(page.locator(".last-ring.also")).to_have_count(4)
    expect(site(page, "b1")).to_have_attribute("aria-label", "b1, 5, last move")


def test_a_piece_is_where_its_move_has_come_to(opens: Opens) -> None:
    page = opens()
    begin(page, "fanorona")
    site(page, "d3").click()
    site(page, "e3").click()
    # It has approached f3 and withdrawn from c3, so which of them it takes is still to be chosen.
    expect(site(page, "d3")).to_have_attribute("aria-label", "d3, empty, chosen")
    expect(site(page, "e3")).to_have_attribute("aria-label", "e3, White stone, chosen")
    page.get_by_role("button", name="East").click()
    moves(page, 1)
    expect(site(page, "e3")).to_have_attribute("aria-label", "e3, White stone, last move")
    expect(site(page, "f3")).to_have_attribute("aria-label", "f3, empty, last move")


def test_the_way_of_a_long_move_is_marked(opens: Opens) -> None:
    shown = opens().evaluate(
        """async () => {
            const { Board } = await import("/static/board.js");
            const holder = document.querySelector("main");
            const name = (x) => "abcde"[x - 1] + "1";
            const sites = [1, 2, 3, 4, 5].map((x) => ({ name: name(x), x, y: 1, column: x, row: 1 }));
            const empty = { kind: "rectangle", cell: "square", size: 5, sites, lines: [], around: [0, 0] };
            const man = (owner, site) => ({ owner, site, kind: "man", letter: "" });
            const way = [["site", "a1"], ["site", "c1"], ["site", "e1"]];
            const before = {
                pieces: [man("White", "a1"), man("Black", "b1"), man("Black", "d1")],
                counts: {}, last: [], trail: [], decisive: [], to_move: "White",
                moves: [{ n: "a1-c1-e1", c: way }, { n: "a1-c1", c: way.slice(0, 2) }],
                stages: [{ c: way.slice(0, 2), came: [man("White", "c1")], left: ["a1", "b1"] }],
            };
            const board = new Board(holder);
            const bare = { stars: [], exits: [], edges: [], idle: [], slots: {}, shapes: {} };
            board.set({ ...empty, ...bare, pits: false, stores: null }, ["White", "Black"]);
            board.show(before, { active: true });
            board.pick("a1");
            board.pick("c1");
            const staged = [board.describe("c1"), holder.querySelectorAll(".taken").length];
            const after = { ...before, pieces: [man("White", "e1")], moves: [], stages: [] };
            board.show({ ...after, last: ["a1", "b1", "d1", "e1"], trail: ["a1", "c1", "e1"] });
            return { staged, trail: holder.querySelector(".trail").getAttribute("d") };
        }"""
    )
    assert shown == {"staged": ["c1, White man, chosen", 1], "trail": "M40 -40L120 -40L200 -40"}


def test_the_mouse_leaves_no_square_on_what_it_is_over(opens: Opens) -> None:
    page = opens()
    begin(page, "ayu", size=3)
    point = site(page, "b1")
    page.mouse.move(*middle(point))
    expect(page.locator(".over-mark")).to_have_count(1)
    assert point.evaluate("site => getComputedStyle(site).fill") == "rgba(0, 0, 0, 0)"
    page.mouse.move(1, 1)
    expect(page.locator(".over-mark")).to_have_count(0)


@pytest.mark.parametrize("game", ["hex", "oware", "dots_and_boxes"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opens: Opens, game: str, scheme: str) -> None:
    page = opens(color_scheme=scheme)
    begin(page, game)
    check(page)
