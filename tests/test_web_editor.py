"""Writing rules in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser import PATIENCE, Opens, check, lines, site
from playwright.sync_api import Page, Route, expect

from interpreter.web.vocabulary import vocabulary

pytest_plugins = ["browser"]


def write(page: Page, text: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    paste(page, text)
    expect(page.locator(".right:not([aria-busy])")).to_be_visible()


def paste(page: Page, text: str) -> None:
    page.locator(".cm-content").evaluate(
        """(content, text) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const how = { clipboardData, bubbles: true, cancelable: true };
            content.dispatchEvent(new ClipboardEvent("paste", how));
        }""",
        text,
    )


ROW = """game "Row"
players Black, White
board squares(3)
pieces stone
turn:
    choose square in empty
    place stone at square
end:
    if some line(pieces(mover), 3): mover wins
    if no empty: draw
"""


def test_errors_as_one_types(opens: Opens) -> None:
    page = opens("#/edit/new")
    expect(lines(page)).to_have_text(["No mistakes."])
    write(page, ROW.replace("in empty", "in emty"))
    expect(lines(page)).to_contain_text(["there is no emty"])
    expect(lines(page)).to_contain_text(["did you mean empty?"])
    expect(lines(page).locator("code")).to_have_text(["emty", "empty"])
    expect(page.locator(".cm-lintRange-error")).to_have_text("emty")
    # Mended, then broken again, to time it from the last key to the mark under the word.
    write(page, ROW)
    expect(page.locator(".cm-lintRange-error")).to_have_count(0)
    page.evaluate(
        """() => {
            const content = document.querySelector(".code").shadowRoot.querySelector(".cm-content");
            addEventListener("keydown", () => (window.pressed = performance.now()), true);
            new MutationObserver(() => {
                if (content.querySelector(".cm-lintRange-error")) window.marked ??= performance.now();
            }).observe(content, { subtree: true, childList: true, attributes: true });
        }"""
    )
    page.keyboard.press("Control+Home")
    page.keyboard.type("x")
    expect(page.locator(".cm-lintRange-error")).not_to_have_count(0)
    taken = page.evaluate("marked - pressed")
    assert taken < 300 * PATIENCE, f"{taken:.0f} ms"


SHORT_AYU = """variant "Short Ayu" of "Ayu"
"Who cannot move has lost."

end:
    if stuck(next): next loses
    if repeated: draw
"""


def test_a_variant_is_written_saved_played_and_exported(opens: Opens) -> None:
    page = opens()
    page.locator('a[href="#/game/ayu"]').click()
    page.get_by_role("link", name="Make a variant").click()
    write(page, SHORT_AYU)
    expect(lines(page)).to_have_text(["No mistakes."])
    # The board beside the text can be played on.
    site(page, "b1").click()
    site(page, "b2").click()
    expect(page.locator(".right .say").first).to_contain_text("White to move")
    page.get_by_label("Name of the file").fill("<b>Short</b> Ayu")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".note")).to_contain_text("version 1")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    assert 'variant "Short Ayu" of "Ayu"' in Path(download.value.path()).read_text()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# more")
    page.keyboard.press("Control+s")
    expect(page.locator(".note").last).to_contain_text("version 2")
    page.get_by_label("Version").select_option("1")
    expect(page.locator(".cm-content")).not_to_contain_text("# more")
    page.get_by_label("Version").select_option("2")
    page.get_by_role("button", name="Play this").click()
    dialog = page.get_by_role("dialog")
    dialog.locator('[name="option-size"]').select_option("3")
    dialog.get_by_text("someone here").click()
    dialog.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Short Ayu")).to_be_visible()
    for text in ("b1-b2", "a2-a1"):
        page.get_by_label("Type a move").fill(text)
        page.get_by_label("Type a move").press("Enter")
        expect(page.locator(".moves")).to_contain_text(text)
    expect(page.locator(".verdict")).to_contain_text("White wins")
    page.get_by_role("button", name="Record").click()
    for name, text in (("Short Ayu.txt", '[File "short_ayu.game"]'), ("short_ayu.game", "next loses")):
        with page.expect_download() as download:
            page.get_by_role("dialog").get_by_role("button", name=name).click()
        assert download.value.suggested_filename == name
        assert text in Path(download.value.path()).read_text()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Games", exact=True).click()
    expect(page.get_by_text("<b>Short</b> Ayu")).to_be_visible()  # a name is text, whatever it says
    page.get_by_role("link", name="Rules", exact=True).click()
    page.get_by_role("button", name="Delete <b>Short</b> Ayu").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("is listed here")).to_be_visible()


def retitle(page: Page, old: str, new: str) -> None:
    """Replace the title of a game."""
    code = page.locator(".cm-content")
    code.click()
    page.keyboard.press("Control+Home")
    for _ in range(code.locator(".cm-line").first.inner_text().index(old)):
        page.keyboard.press("ArrowRight")
    for _ in old:
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.type(new)
    expect(page.locator(".right:not([aria-busy])")).to_be_visible()


def saved(page: Page, version: int) -> None:
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".note")).to_have_text(f"Saved as version {version}.")


def test_a_variant_of_a_game_of_ones_own(opens: Opens) -> None:
    page = opens("#/edit/new")
    name = page.get_by_label("Name of the file")
    expect(name).to_have_value("My Game")
    retitle(page, "My Game", "Corner")
    expect(name).to_have_value("Corner")  # a file is named after its game
    saved(page, 1)
    page.get_by_role("button", name="Make a variant").click()
    expect(page.locator(".cm-content")).to_contain_text('variant "My Corner" of "Corner"')
    expect(lines(page)).to_have_text(["No mistakes."])
    expect(name).to_have_value("My Corner")
    name.fill("Mine")
    retitle(page, "My Corner", "Edge")
    expect(name).to_have_value("Mine")  # unless somebody names it otherwise
    saved(page, 1)
    page.locator("nav").get_by_role("link", name="Rules").click()
    page.get_by_label("The game to vary").select_option("Mine")
    page.get_by_role("button", name="Make a variant").click()
    expect(lines(page)).to_have_text(["No mistakes."])  # it is found by its name, too


def test_an_older_version(opens: Opens) -> None:
    page = opens("#/edit/new")
    expect(lines(page)).to_have_text(["No mistakes."])
    saved(page, 1)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# more")
    saved(page, 2)
    expect(page.locator(".strip")).to_be_hidden()
    page.get_by_label("Version").select_option("1")
    expect(page.locator(".strip")).to_contain_text("This is version 1 of 2.")
    expect(page.get_by_role("button", name="Make a variant")).to_be_enabled()
    expect(lines(page)).to_have_text(["No mistakes."])
    page.get_by_role("button", name="Make a variant").click()
    expect(page.get_by_role("dialog")).to_contain_text("a variant is one of the newest version, 2")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_label("Version").locator("option")).to_have_count(2)  # nothing was saved
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").get_by_role("button", name="Save as version 3").click()
    expect(page.get_by_label("Version").locator("option")).to_have_count(3)
    expect(page.locator(".strip")).to_be_hidden()
    expect(page.locator(".cm-content")).not_to_contain_text("# more")


def test_a_new_name_can_be_saved(opens: Opens) -> None:
    page = opens("#/edit/new")
    saved(page, 1)
    save = page.get_by_role("button", name="Save")
    expect(save).to_be_disabled()
    page.get_by_label("Name of the file").fill("Other")
    expect(save).to_be_enabled()
    save.click()
    expect(save).to_be_disabled()
    page.locator("nav").get_by_role("link", name="Rules").click()
    expect(page.get_by_role("link", name="Other")).to_be_visible()


def test_what_is_not_saved_is_kept(opens: Opens) -> None:
    page = opens("#/edit/new?variant=ayu")
    code = page.locator(".cm-content")
    code.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# once")
    page.locator("nav").get_by_role("link", name="Games").click()
    expect(page.locator(".game").first).to_be_visible()
    page.go_back()
    expect(page.locator(".strip")).to_contain_text("Restored what was not saved.")
    expect(code).to_contain_text("# once")
    page.locator("nav").get_by_role("link", name="Rules").click()
    expect(page.locator(".files li")).to_contain_text(["My Ayu"])
    page.get_by_role("link", name="My Ayu").click()
    expect(code).to_contain_text("# once")
    saved(page, 1)
    expect(page.locator(".strip")).to_be_hidden()
    code.click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" twice")
    page.reload()  # without a question, as nothing is lost
    expect(code).to_contain_text("# once twice")
    page.get_by_role("button", name="Discard").click()
    expect(code).not_to_contain_text("twice")
    expect(page.locator(".right:not([aria-busy])")).to_be_visible()
    page.reload()
    expect(code).to_contain_text("# once")
    expect(page.locator(".strip")).to_be_hidden()


def test_the_board_of_a_text_with_mistakes(opens: Opens) -> None:
    page = opens("#/edit/new")
    says = page.locator(".right .say").first
    write(page, ROW)
    expect(says).to_have_text("Black to move.")
    site(page, "b2").click()
    expect(says).to_have_text("b2. White to move.")
    write(page, ROW + "nonsense\n")
    expect(says).to_have_text("This board shows the last version without mistakes.")
    expect(page.locator(".right .board-holder")).to_have_attribute("inert", "")
    for name in ("Undo", "Restart", "Play this", "Analyse"):
        expect(page.get_by_role("button", name=name)).to_be_disabled()
    write(page, ROW)
    expect(says).to_have_text("b2. White to move.")
    site(page, "b3").click()
    expect(says).to_have_text("b3. Black to move.")
    write(page, "nonsense")
    page.reload()
    expect(says).to_have_text("The board is drawn when the text has no mistakes.")


def test_what_is_chosen_stays(opens: Opens) -> None:
    page = opens("#/edit/new?variant=ayu")
    expect(lines(page)).to_have_text(["No mistakes."])
    site(page, "b1").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# a remark")
    expect(page.locator(".right:not([aria-busy])")).to_be_visible()
    expect(site(page, "b1")).to_have_attribute("aria-selected", "true")
    site(page, "b2").click()
    expect(page.locator(".right .say").first).to_have_text("b1-b2. White to move.")


def test_text_is_typed_over_lines(opens: Opens) -> None:
    page = opens("#/edit/new")
    code = page.locator(".cm-content")
    code.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(ROW)
    expect(lines(page)).to_have_text(["No mistakes."])
    page.keyboard.press("Control+a")
    page.keyboard.type("[")  # a bracket is put around the selection
    expect(code.locator(".cm-line").first).to_have_text('[game "Row"')
    page.keyboard.type("x")
    expect(code).to_have_text("[x]")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(lines(page)).to_have_text(["No mistakes."])


def test_all_is_seen_in_a_small_window(opens: Opens) -> None:
    page = opens("#/edit/new?game=ayu")
    expect(page.locator(".right .board")).to_be_visible()
    for place in (page.get_by_role("button", name="Analyse"), page.get_by_text("Options"), lines(page).first):
        expect(place).to_be_in_viewport(ratio=1)


def test_an_option_that_follows_another_is_what_it_says(opens: Opens) -> None:
    """There are as many rows of boxes as columns; each dot and line has a site, too."""
    page = opens("#/edit/new?game=dots_and_boxes")
    page.get_by_text("Options").click()
    page.locator('[name="option-columns"]').select_option("2")
    expect(page.locator('[name="option-rows"]')).to_have_value("2")
    expect(page.locator("[data-site]")).to_have_count(5 * 5)
    page.get_by_role("button", name="Play this").click()
    box = page.get_by_role("dialog")
    expect(box.locator('[name="option-rows"]')).to_have_value("2")
    box.locator('[name="option-rows"]').select_option("3")
    expect(box.locator("[data-site]")).to_have_count(5 * 7)


def test_an_option_may_be_chosen_before_there_is_a_board(opens: Opens) -> None:
    page = opens("#/edit")
    held = list[Route]()
    page.route("**/api/preview", lambda route: held.append(route))
    with page.expect_request("**/api/preview"):
        page.evaluate("location.hash = '#/edit/new?game=ayu'")
    page.get_by_text("Options").click()
    with page.expect_request("**/api/preview"):
        page.locator('[name="option-size"]').select_option("3")
    with page.expect_response("**/api/preview"):
        held[0].continue_()
    expect(page.locator(".right:not([aria-busy])")).to_be_visible()
    held[1].continue_()
    expect(page.locator("[data-site]")).to_have_count(9)
    expect(page.get_by_role("button", name="Play this")).to_be_enabled()


def test_the_words_of_the_language(opens: Opens) -> None:
    page = opens("#/edit/new")
    page.get_by_role("button", name="Words").click()
    words = page.get_by_role("dialog")
    words.get_by_label("Search the words").fill("closest")
    expect(words.locator(".help").first).to_contain_text("closest(set, to: set, through: set): set")
    expect(words.locator(".help").first.locator("p code")).to_have_text(["to", "through"])
    for word in ("union", "all_directions", "per player", "wrap", "neutral", "int per site", "highest"):
        words.get_by_label("Search the words").fill(word)
        expect(words.locator(".help code", has_text=word).first).to_be_visible()
    words.get_by_label("Search the words").fill("no such word")
    expect(words.locator(".help")).to_have_count(0)


def test_every_statement_and_declaration_has_a_sentence_of_its_own() -> None:
    rows = [row for row in vocabulary() if row["kind"] in ("statement", "declaration")]
    assert {row["word"] for row in rows} >= {"nothing", "again", "at", "pie", "without"}
    assert all(row["doc"].endswith(".") for row in rows)
    assert len({row["doc"] for row in rows}) == len(rows)


def test_help_for_a_word(opens: Opens) -> None:
    page = opens("#/edit/new")
    expect(lines(page)).to_have_text(["No mistakes."])
    page.locator(".cm-line", has_text="choose square in empty").get_by_text("empty").hover()
    expect(page.locator(".cm-tooltip-hover")).to_contain_text("empty")
    write(page, ROW + "define x = ")
    page.keyboard.type("clos")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("closest")
    for typed, word in (
        ("unio", "union"),
        ("all_d", "all_directions"),
        ("north_e", "north_east"),
        ("orthog", "orthogonal"),
        ("wher", "where"),
        ("coun", "count"),
    ):
        write(page, ROW + "define x = ")
        page.keyboard.type(typed)
        expect(page.locator(".cm-completionLabel").first).to_have_text(word)
    write(page, ROW + "# marvels and\n")
    page.keyboard.type("mar")
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete")).to_have_count(0)  # comments offer no words


def test_kept_words_stand_out(opens: Opens) -> None:
    page = opens("#/edit/new")
    write(
        page,
        """turn:
    prefer:
        move s to t
    otherwise:
        at once:
            place stone at union(step(s, d) for d in orthogonal)
    repeat:
        pass
    while no empty
end:
    if stuck(next): highest score wins, tie: mover loses
state seen: int per site = 1 on corner
""",
    )
    for name, words in (
        ("keyword", "prefer to otherwise once for in repeat while no highest score wins tie loses per on"),
        ("builtin", "union step orthogonal stuck next mover int corner"),
    ):
        for word in words.split():
            shown = page.locator(f".cm-line .{name}").filter(has_text=re.compile(f"^{word}$"))
            expect(shown.first).to_be_visible()


def test_an_analysis_in_the_editor(opens: Opens) -> None:
    page = opens("#/edit/new?variant=tic_tac_toe")
    button = page.get_by_role("button", name="Analyse")
    expect(button).to_be_enabled()
    button.click()
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("played.", timeout=60_000)
    check(page)
    box.get_by_role("button", name="Cancel").click()
    expect(box).to_have_count(0)
    button.click()  # the one before has ended
    expect(box.get_by_role("listitem").first).to_contain_text("The first person wins", timeout=90_000)
    check(page)
    with page.context.expect_page() as opened:
        box.get_by_role("link", name="The whole report").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("My Tic-tac-toe")


def test_rules_are_saved_in_the_usual_look(opens: Opens) -> None:
    page = opens("#/edit/new?variant=ayu")
    expect(lines(page)).to_have_text(["No mistakes."])
    code = page.locator(".cm-content")
    code.click()
    page.keyboard.press("Control+A")
    paste(page, 'variant "Small"   of "Ayu"\n"S."\n\n\n\noption size:3..5 step   2 = 5\n')
    expect(lines(page)).to_have_text(["No mistakes."])
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Control+S")
    expect(page.locator(".note")).to_contain_text("Saved as version 1.")
    tidy = ['variant "Small" of "Ayu"', '"S."', "", "option size: 3..5 step 2 = 5", ""]
    expect(code.locator(".cm-line")).to_have_text(tidy)
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    page.keyboard.type("# ")  # the cursor stays in its line
    expect(code.locator(".cm-line").nth(3)).to_have_text("# option size: 3..5 step 2 = 5")


def test_the_list_of_words_can_be_reached(opens: Opens) -> None:
    page = opens("#/edit/new")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("c")
    expect(page.locator(".cm-tooltip-autocomplete")).to_be_visible()
    check(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe(opens: Opens, scheme: str) -> None:
    page = opens("#/edit", color_scheme=scheme)
    expect(page.get_by_role("heading", name="Your rules")).to_be_visible()
    check(page)
    page.get_by_role("link", name="A new game").click()
    expect(lines(page)).to_have_text(["No mistakes."])
    check(page)
    page.get_by_role("button", name="Words").click()
    check(page)
    page.get_by_role("button", name="Close").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+f")
    page.keyboard.type("square")
    expect(page.locator(".cm-searchMatch").first).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+End")
    paste(page, "nonsense")
    expect(page.locator(".faults .error").first).to_be_visible()
    check(page)
    page.reload()
    expect(page.locator(".strip")).to_contain_text("Restored what was not saved.")
    check(page)
