"""What a page of a game says and offers in a real browser: prompts, the focus, messages, what is in view."""

from __future__ import annotations

import re

import pytest
from browser import Opens, begin, moves, overflow, site, write
from playwright.sync_api import Page, Route, expect

pytest_plugins = ["browser"]

#: Chess up to where the pawn on b7 can only take the rook on a8, and is promoted.
PROMOTION = ("a2-a4", "b7-b5", "a4-b5", "a7-a6", "b5-a6", "c8-b7", "a6-b7", "d7-d6")


#: A man is placed; then the eight sites around the middle turn by a quarter, or nothing does.
CAROUSEL = """\
game "Carousel"
"Place a man, then turn the ring."
players Black, White
board squares(3)
pieces man
turn:
    choose s in empty
    place man at s
    again: turn_ring
turn turn_ring:
    either:
        choose middle in {b2}
        choose quarter_turn in 1, -1
        at once:
            for t in step(middle, all_directions) & occupied:
                move t to step(middle, turned(direction(middle, t), 2 * quarter_turn))
    or:
        nothing
end:
    if no empty: draw
"""


def play(page: Page, text: str) -> None:
    """Open a table of the game with these rules, for two people here."""
    page.evaluate(
        """async (text) => {
            const { post } = await import("/static/api.js");
            const { tables } = await import("/static/memory.js");
            const { id, seats } = await post("/api/tables", { rules: { text } });
            tables.keep(id, { seats });
            location.hash = `#/table/${id}`;
        }""",
        text,
    )
    expect(page.get_by_role("grid")).to_be_visible()


def press(page: Page, *names: str) -> None:
    """Choose these sites by the keyboard."""
    for name in names:
        site(page, name).focus()
        page.keyboard.press("Enter")


# --- the prompt ----------------------------------------------------------------------


def test_a_move_that_is_being_sent_is_on_its_way(opens: Opens) -> None:
    page = opens()
    begin(page, "amazons")
    held = list[Route]()
    page.route("**/moves", lambda route: held.append(route))
    for name in ("d1", "d9", "d2"):
        site(page, name).click()
    prompt = page.locator(".now")
    expect(prompt).to_have_text("d1-d9/d2 is on its way…")
    expect(prompt.get_by_role("button")).to_have_count(0)
    expect(page.locator("[data-site].open")).to_have_count(0)
    expect(site(page, "d9")).to_have_attribute("aria-label", "d9, White queen, chosen")
    page.keyboard.press("Escape")
    site(page, "g1").click()
    expect(site(page, "d9")).to_have_attribute("aria-label", "d9, White queen, chosen")
    held[0].continue_()
    moves(page, 1)
    expect(prompt).to_contain_text("Choose a piece.")


def test_a_move_that_does_not_arrive_can_be_made_again(opens: Opens) -> None:
    page = opens()
    begin(page, "ayu", size=3)
    page.route("**/moves", lambda route: route.abort())
    for name in ("b1", "b2"):
        site(page, name).click()
    expect(page.locator(".note")).to_have_text("The server cannot be reached just now.")
    expect(site(page, "b1")).to_have_attribute("aria-label", "b1, Black stone, can be chosen")
    page.unroute("**/moves")
    for name in ("b1", "b2"):
        site(page, name).click()
    moves(page, 1)
    expect(page.locator(".note")).to_have_count(0)


def test_what_can_be_taken_is_a_place_to_go_to(opens: Opens) -> None:
    page = opens()
    begin(page, "chess")
    write(page, *PROMOTION)
    site(page, "b7").click()
    expect(page.locator(".now .say")).to_have_text("Now choose where.")


def test_a_move_is_typed_like_those_that_can_be_made_now(opens: Opens) -> None:
    page = opens()
    begin(page, "squared_egotzi", size=3)
    field = page.get_by_label("Type a move")
    expect(field).to_have_attribute("placeholder", "Type a move, e.g. 0")
    write(page, "4", "keep")
    expect(field).to_have_attribute("placeholder", "Type a move, e.g. a1")


def test_a_number_that_there_is_not_is_said(opens: Opens) -> None:
    """With 25 points per side, the first player names an even number up to 50."""
    page = opens()
    begin(page, "squared_egotzi", size=5)
    expect(page.locator(".now .say")).to_have_text("Bid: choose a number (points), 0 to 50 in steps of 2.")
    field = page.get_by_role("spinbutton")
    field.fill("7")
    expect(page.locator(".number [role=status]")).to_have_text("There is no 7: 0 to 50 in steps of 2.")
    field.fill("8")
    expect(page.locator(".number [role=status]")).to_have_text("")
    page.get_by_role("button", name="Choose 8").click()
    moves(page, 1)


def test_what_is_being_written_stays_when_something_beside_it_is_drawn(opens: Opens) -> None:
    """Once, news from the server in the middle of typing a number settled that number too early."""
    page = opens()
    begin(page, "squared_egotzi", size=5)
    field = page.get_by_role("spinbutton")
    field.fill("7")
    shown = page.evaluate("""async () => {
        const { refill, redraw } = await import("/static/dom.js");
        const now = document.querySelector(".now");
        redraw(now, () => refill(now, "before ", now.firstChild, " after"), () => {});
        return now.textContent;
    }""")
    assert re.fullmatch("before .+ after", shown)
    expect(field).to_be_focused()
    field.press_sequentially("8")
    expect(page.locator(".number [role=status]")).to_have_text("There is no 78: 0 to 50 in steps of 2.")


def test_a_piece_is_shown_ahead_only_where_one_will_be(opens: Opens) -> None:
    """Once the empty middle of a ring to be turned got a man of the mover's, too."""
    page = opens()
    page.evaluate("localStorage.setItem('gdl.settings', JSON.stringify({careful: true}))")
    play(page, CAROUSEL)
    site(page, "a1").click()
    expect(page.locator(".now .say")).to_have_text("Play this?")
    expect(page.locator(".ghost")).to_have_count(1)
    page.locator(".now").get_by_role("button", name="Play").click()
    moves(page, 1)
    site(page, "b2").click()
    expect(site(page, "b2")).to_have_attribute("aria-label", "b2, empty, chosen")
    expect(page.locator(".chosen-mark")).to_have_count(1)
    expect(page.locator(".ghost")).to_have_count(0)


def test_a_number_is_called_as_in_the_rules(opens: Opens) -> None:
    """Once the page asked for "a number of quarter turn"."""
    page = opens()
    play(page, CAROUSEL)
    write(page, "a1")
    site(page, "b2").click()
    expect(page.locator(".now .say")).to_have_text("Choose a number (quarter turn).")


def test_a_turn_is_named_and_so_is_doing_nothing(opens: Opens) -> None:
    """Once the page did not tell which turn `again` had led to, and offered "go"."""
    page = opens()
    play(page, CAROUSEL)
    prompt = page.locator(".now .say")
    expect(prompt).to_have_text("Choose a place.")
    site(page, "a1").click()
    expect(prompt).to_have_text("Turn ring: choose a place.")
    page.get_by_role("button", name="Do nothing").click()
    expect(page.locator(".moves button")).to_have_text(["a1", "go"])
    expect(prompt).to_have_text("Choose a place.")


# --- before a game -------------------------------------------------------------------


def test_the_picture_is_that_of_the_board_one_will_get(opens: Opens) -> None:
    page = opens("#/game/ayu")
    box = page.get_by_role("dialog")
    for size in (5, 3):
        box.locator('[name="option-size"]').select_option(str(size))
        expect(box.locator("[data-site]")).to_have_count(size * size)
    expect(box.locator(".picture img")).to_have_count(0)


def test_the_picture_stays_where_there_is_no_other_board(opens: Opens) -> None:
    page = opens("#/game/go")
    box = page.get_by_role("dialog")
    size = box.locator('[name="option-size"]')
    size.fill("5")
    expect(box.locator("[data-site]")).to_have_count(25)
    size.fill("")
    size.fill("7")
    expect(box.locator("[data-site]")).to_have_count(49)


def test_an_option_that_follows_another_is_what_it_says(opens: Opens) -> None:
    """Domineering has as many rows as columns, 8 and 8, until somebody sets the number, even to 8."""
    page = opens("#/game/domineering")
    box = page.get_by_role("dialog")
    columns, rows = (box.locator(f'[name="option-{name}"]') for name in ("columns", "rows"))
    columns.fill("2")
    columns.press("Tab")
    expect(rows).to_have_value("2")
    page.keyboard.type("8")
    expect(rows).to_have_value("8")
    expect(box.locator("[data-site]")).to_have_count(16)
    box.get_by_text("someone here").click()
    box.get_by_role("button", name="Play", exact=True).click()
    expect(box).to_have_count(0)
    expect(page.locator("[data-site]")).to_have_count(16)


def test_words_of_the_language_are_set_as_code(opens: Opens) -> None:
    page = opens("#/game/squared_egotzi")
    box = page.get_by_role("dialog")
    expect(box.locator(".options code")).to_have_text(["komi", "auction"])
    expect(box.locator(".options")).to_contain_text("0 to 400 in steps of 2")
    expect(box).not_to_contain_text("`")
    box.get_by_text("someone here").click()
    box.get_by_role("button", name="Play", exact=True).click()
    page.locator(".headline summary").click()
    expect(page.locator(".about .remark code")).to_have_text(["komi", "auction"])


# --- the focus -----------------------------------------------------------------------


def test_a_game_that_begins_has_the_focus_and_is_announced(opens: Opens) -> None:
    page = opens("#/game/tic_tac_toe")
    page.get_by_text("someone here").click()
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-site]:focus")).to_have_count(1)
    expect(page.locator("#say")).to_contain_text("Tic-tac-toe. Cross to move.")


def test_the_focus_is_where_one_chooses(opens: Opens) -> None:
    """The first player names a number; the second is asked which side to take; then stones are placed."""
    page = opens("#/game/squared_egotzi")
    page.locator('[name="option-size"]').select_option("2")
    page.get_by_text("someone here").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#say")).to_contain_text("Black to move. Bid: choose a number (points). 0, 2, 4")
    expect(page.get_by_role("button", name="0", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    moves(page, 1)
    expect(page.locator("#say")).to_contain_text("Take side: choose one. Keep sides, Swap sides.")
    expect(page.get_by_role("button", name="Keep sides")).to_be_focused()
    page.keyboard.press("Enter")
    moves(page, 2)
    expect(page.locator("[data-site]:focus")).to_have_count(1)


def test_the_board_is_one_stop_and_is_flipped_under_the_focus(opens: Opens) -> None:
    page = opens()
    begin(page, "tic_tac_toe")
    press(page, "b2")
    moves(page, 1)
    page.keyboard.press("f")
    expect(site(page, "b2")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("To the start")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(site(page, "b2")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#theme")).to_be_focused()


def test_a_promotion_by_the_keyboard(opens: Opens) -> None:
    page = opens()
    begin(page, "chess")
    write(page, *PROMOTION)
    press(page, "b7")
    expect(page.locator("#say")).to_contain_text("b7. Now choose where.")
    press(page, "a8")
    expect(page.locator("#say")).to_contain_text("a8. Choose one. Queen, Rook, Bishop, Knight.")
    expect(page.get_by_role("button", name="Queen")).to_be_focused()
    page.keyboard.press("Backspace")
    expect(page.locator(".now .say")).to_have_text("Now choose where.")
    press(page, "a8")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Rook")).to_be_focused()
    page.keyboard.press("Enter")
    moves(page, 9)
    expect(page.locator(".moves button").last).to_have_text("b7-a8=R")
    expect(page.locator("[data-site]:focus")).to_have_count(1)


# --- messages ------------------------------------------------------------------------


def test_a_message_goes_when_something_happens(opens: Opens) -> None:
    page = opens()
    begin(page, "ayu", size=3)
    note = page.locator(".note")
    field = page.get_by_label("Type a move")
    page.clock.install()  # notes disappear by themselves after a while
    for leaves in (lambda: write(page, "b1-b2"), lambda: page.get_by_role("link", name="Games").click()):
        field.fill("32-28")
        field.press("Enter")
        expect(note).to_contain_text("32-28")
        leaves()
        expect(note).to_have_count(0)


# --- what is in view -----------------------------------------------------------------


def test_a_long_list_of_moves_leaves_the_tools_in_view(opens: Opens) -> None:
    page = opens()
    begin(page, "chess")
    write(page, "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "0-0", "Be7", "Re1", "b5")
    page.evaluate("scrollTo(0, 0)")
    for name in ("Record", "Picture"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Type a move")).to_be_in_viewport(ratio=1)
    expect(page.locator(".moves button").last).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def test_on_a_phone_the_tools_follow_the_prompt(opens: Opens) -> None:
    page = opens(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    begin(page, "chess")
    for name in ("Undo", "Hint"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def test_what_is_to_be_confirmed_stays_in_view(opens: Opens) -> None:
    page = opens(viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True)
    begin(page, "go", size=19)
    site(page, "k16").tap()
    play = page.locator(".now").get_by_role("button", name="Play")
    for part in (site(page, "k16"), site(page, "a1"), page.get_by_text("Play this?"), play):
        expect(part).to_be_in_viewport(ratio=1)
    play.tap()
    moves(page, 1)
    expect(site(page, "k16")).to_be_in_viewport(ratio=1)


def test_on_a_phone_how_a_machine_thinks_is_not_cut_off(opens: Opens) -> None:
    page = opens("#/game/hex", viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True)
    select = page.locator('[name="method"]')
    expect(select.locator(":checked")).to_have_text("random games")
    lacking = """select => {
        const is = select.offsetWidth;
        select.replaceChildren(select.selectedOptions[0]);
        select.style.width = "max-content";
        return select.offsetWidth - is;
    }"""
    assert select.evaluate(lacking) <= 0


@pytest.mark.parametrize(("game", "ends"), [("chess", "a1 h8"), ("oware", "a1 f2"), ("go", "a1 i9")])
def test_a_phone_on_its_side_shows_the_whole_board(opens: Opens, game: str, ends: str) -> None:
    page = opens(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    begin(page, game)
    for name in ends.split():
        expect(site(page, name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Flip board")).to_be_in_viewport(ratio=1)
    assert overflow(page) <= 0
