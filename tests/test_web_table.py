"""A game played in a real browser: choosing moves, leafing, two people, and the ways to a table."""

from __future__ import annotations

import re

import pytest
from browser import Opens, Server, begin, check, middle, moves, overflow, site, write
from playwright.sync_api import Locator, Page, expect

pytest_plugins = ["browser"]

#: Chess up to where White may castle.
CASTLE = ("e2-e4", "e7-e5", "g1-f3", "b8-c6", "f1-c4", "f8-c5")


def friends(opens: Opens, server: Server, game: str, **options: int | bool) -> tuple[Page, Page, str]:
    """The pages of two people at one table, and the invitation."""
    mine = opens()
    begin(mine, game, "a friend by link", **options)
    link = mine.get_by_label("Link for your friend").input_value().removeprefix(server.address)
    friend = opens(link)
    expect(friend.get_by_role("grid")).to_be_visible()
    return mine, friend, link


def own_seat(page: Page) -> Locator:
    return page.locator(".seat", has=page.get_by_text("You", exact=True))


# --- choosing a move ---------------------------------------------------------------


def test_a_jump_is_chosen_by_where_it_leads(opens: Opens) -> None:
    """In Konane the rules ask for a direction, but a person can choose the site that the piece goes to."""
    page = opens()
    begin(page, "konane")
    write(page, "e5", "e6")
    for name in ("g5", "e5"):
        site(page, name).click()
    expect(page.locator(".moves button").last).to_have_text("g5-e5")


def test_a_long_capture_is_chosen_by_its_end(opens: Opens) -> None:
    page = opens()
    begin(page, "international_draughts")
    write(page, "d4-c5", "e7-f6", "e3-d4", "g7-h6", "c5-b6")
    for name in ("a7", "g5"):
        site(page, name).click()
    expect(page.locator(".moves button").last).to_have_text("a7-c5-e3-g5")


def test_a_piece_falls_into_its_column(opens: Opens) -> None:
    page = opens()
    begin(page, "connect_four")
    for count, name in enumerate(("c6", "c6", "d4"), 1):
        site(page, name).click()
        moves(page, count)
    expect(page.locator(".moves button")).to_have_text(["c1", "c2", "d1"])


def test_castling_by_the_king_and_by_the_rook(opens: Opens) -> None:
    page = opens()
    begin(page, "chess")
    write(page, *CASTLE)
    site(page, "h1").click()
    expect(page.get_by_role("button", name="O-O")).to_be_visible()
    page.keyboard.press("Escape")
    site(page, "e1").click()
    for target in ("e2", "f1", "g1"):
        expect(site(page, target)).to_have_attribute("aria-label", re.compile("can be chosen"))
    site(page, "g1").click()
    expect(page.locator(".moves button").last).to_have_text("O-O")
    expect(site(page, "f1")).to_have_attribute("aria-label", re.compile("White rook"))
    page.get_by_role("button", name="Undo").click()
    moves(page, 6)
    page.mouse.move(*middle(site(page, "e1")))
    page.mouse.down()
    page.mouse.move(*middle(site(page, "g1")), steps=5)
    page.mouse.up()
    expect(page.locator(".moves button").last).to_have_text("O-O")


def test_a_move_that_can_be_ended_is_named_or_stopped(opens: Opens) -> None:
    """In Abalone one marble in line, or more of them sideways; in Fanorona a capture that could go on."""
    page = opens()
    begin(page, "abalone")
    site(page, "e3").click()
    page.get_by_role("button", name="east", exact=True).click()
    expect(page.get_by_role("button", name="e3-east", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="2", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Stop here")).to_have_count(0)
    page.get_by_role("link", name="Games").click()
    begin(page, "fanorona")
    write(page, "d3-e3-east", "f4-f3-south")
    site(page, "e3").click()
    site(page, "f2").click()  # from where e3-f2-north_west can go on to f1
    page.get_by_role("button", name="Stop here").click()
    expect(page.locator(".moves button").last).to_have_text("e3-f2-north_west")


def test_what_can_go_on_in_one_way_does(opens: Opens) -> None:
    """In Fanorona d2 steps to e3 and captures ahead: behind it there is no piece to withdraw from."""
    page = opens()
    begin(page, "fanorona")
    site(page, "d2").click()
    site(page, "e3").click()
    moves(page, 1)
    expect(page.locator(".moves button")).to_have_text("d2-e3-north_east")


def test_typed_moves_as_people_write_them(opens: Opens) -> None:
    page = opens()
    begin(page, "chess")
    write(page, "e4", "d5", "exd5", "Nf6", "Nf3", "Qxd5", "Be2", "Qe5", "0-0")
    played = ["e2-e4", "d7-d5", "e4-d5", "g8-f6", "g1-f3", "d8-d5", "f1-e2", "d5-e5", "O-O"]
    expect(page.locator(".moves button")).to_have_text(played)


def test_numbers_have_a_name_and_the_nearest_is_chosen(opens: Opens) -> None:
    page = opens()
    begin(page, "squared_egotzi", size=5)
    expect(page.locator(".now .say")).to_have_text("Bid: choose a number (points), 0 to 50 in steps of 2.")
    field = page.get_by_role("spinbutton")
    assert field.get_attribute("step") == "2"
    field.fill("400")
    page.get_by_role("button", name="Choose 50").click()
    moves(page, 1)
    expect(page.locator(".moves button")).to_have_text("50")


def test_the_focus_stays_where_one_goes_on(opens: Opens) -> None:
    page = opens()
    begin(page, "chess")
    write(page, "a2-a4", "b7-b5", "a4-b5", "a7-a6", "b5-a6", "c8-b7", "a6-b7", "d7-d6")
    site(page, "d4").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("d4 cannot be chosen.")
    for name in ("b7", "a8"):
        site(page, name).focus()
        page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("a8. Choose one.")
    queen = page.get_by_role("button", name="Queen")
    expect(queen).to_be_visible()
    queen.focus()
    page.keyboard.press("Enter")
    moves(page, 9)
    expect(page.locator("[data-site]:focus")).to_have_count(1)
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    moves(page, 8)
    expect(page.get_by_role("button", name="Undo")).to_be_focused()


# --- leafing -----------------------------------------------------------------------


def test_leafing_loses_no_step_and_moves_no_button(opens: Opens) -> None:
    page = opens()
    begin(page, "tic_tac_toe")
    write(page, "a1", "b1", "a2", "c3", "c1", "b2")
    page.reload()  # forgets what was shown, so that each position is fetched
    moves(page, 6)
    back = page.get_by_label("One move back")
    before = back.bounding_box()
    page.evaluate(
        """() => {
            const left = () => new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true });
            for (let i = 0; i < 4; i++) document.body.dispatchEvent(left());
        }"""
    )
    expect(page.locator(".now")).to_contain_text("Position after 2 moves")
    assert back.bounding_box() == before
    back.click()
    expect(page.locator(".now")).to_contain_text("Position after 1 move.")
    current = page.locator(".moves [tabindex='0']")  # one stop for the Tab key
    expect(current).to_have_text("a1")
    current.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".moves button:focus")).to_have_text("b1")


def test_moves_are_listed_by_who_made_them(opens: Opens) -> None:
    page = opens()
    begin(page, "kalah")
    write(page, "d1", "g1", "c2")  # d1 ends in South's own store: South moves again
    turns = page.locator(".moves .turn-moves")
    expect(turns).to_have_text(["d1g1", "c2"])


# --- two people --------------------------------------------------------------------


def test_an_invitation_is_good_once(opens: Opens, server: Server) -> None:
    mine = opens()
    begin(mine, "ayu", "a friend by link", size=3)
    expect(mine.locator(".seat .presence")).to_have_text("has not come yet")
    link = mine.get_by_label("Link for your friend").input_value().removeprefix(server.address)
    own = mine.context.new_page()
    own.goto(server.address + link)
    expect(own.locator(".note")).to_contain_text("This link is for your friend.")
    friend = opens(link)
    expect(mine.locator(".seat .presence")).to_have_text("here")
    expect(mine.get_by_label("Link for your friend")).to_be_hidden()
    expect(own_seat(friend)).to_contain_text("White")
    late = opens(link)
    expect(late.locator(".note")).to_contain_text("This invitation has been accepted already. You can watch.")
    expect(late.locator(".now")).to_contain_text("You are watching")
    friend.reload()
    expect(own_seat(friend)).to_contain_text("White")
    friend.goto(server.address)
    expect(mine.locator(".seat .presence")).to_have_text("not here now")
    expect(mine.get_by_role("button", name="Hint")).to_have_count(0)


def test_taking_back_is_asked_allowed_declined_and_withdrawn(opens: Opens, server: Server) -> None:
    mine, friend, _ = friends(opens, server, "ayu", size=5)
    ask = mine.get_by_role("button", name="Ask to take back")
    expect(ask).to_be_disabled()
    write(mine, "b1-b2")
    moves(friend, 1)
    ask.click()
    expect(friend.locator(".note")).to_contain_text("Your friend asks to take back a move.")
    friend.get_by_role("button", name="Decline").click()
    expect(mine.locator(".note")).to_contain_text("Your friend does not want to take back a move.")
    ask.click()
    expect(friend.get_by_role("button", name="Allow")).to_be_visible()
    mine.get_by_role("button", name="Withdraw").click()
    expect(friend.get_by_role("button", name="Allow")).to_have_count(0)
    ask.click()
    friend.get_by_role("button", name="Allow").click()
    moves(mine, 0)
    moves(friend, 0)


def test_people_play_again_with_sides_changed(opens: Opens, server: Server) -> None:
    mine, friend, _ = friends(opens, server, "ayu", size=3)
    for page, text in ((mine, "b1-b2"), (friend, "a2-a1")):
        write(page, text)
        for each in (mine, friend):
            expect(each.locator(".moves")).to_contain_text(text)
    before = mine.url
    watcher = opens(before.removeprefix(server.address))
    expect(watcher.locator(".verdict")).to_contain_text("Black wins")
    friend.get_by_role("button", name="Play again").click()
    friend.wait_for_url(lambda url: url != before)
    moves(friend, 0)
    # The person asked stays until they accept, and may think about it.
    expect(mine.locator(".note")).to_have_text("Your friend wants to play again.")
    expect(mine.locator(".verdict")).to_contain_text("Your friend wants to play again.")
    check(mine)
    expect(friend.locator(".seat .presence")).to_have_text("has not come yet")
    mine.get_by_role("button", name="Not now").click()
    expect(mine.locator(".verdict")).not_to_contain_text("Your friend wants")
    expect(friend.locator(".note")).to_have_text("Your friend does not want to play now.")
    assert mine.url == before
    mine.reload()
    mine.get_by_role("button", name="Play again").click()
    for page, colour in ((mine, "White"), (friend, "Black")):
        moves(page, 0)
        expect(own_seat(page)).to_contain_text(colour)
        expect(page.locator(".seat .presence")).to_have_text("here")
    assert mine.url == friend.url
    watcher.get_by_role("link", name="Watch the next game").click()
    expect(watcher.locator(".now")).to_contain_text("You are watching")
    assert watcher.url == friend.url
    friend.go_back()
    expect(friend.get_by_role("button", name="To the new game")).to_be_visible()


def test_a_friend_is_heard_while_one_looks_at_an_earlier_move(opens: Opens, server: Server) -> None:
    """Once a request passed unseen in a note, and the end of the game even without one."""
    mine, friend, _ = friends(opens, server, "ayu", size=5)
    for page, other, text in ((mine, friend, "b1-b2"), (friend, mine, "a2-a3"), (mine, friend, "d1-d2")):
        write(page, text)
        expect(other.locator(".moves")).to_contain_text(text)
    friend.get_by_label("One move back").click()
    said = friend.locator(".now")
    expect(said).to_contain_text("Position after 2 moves.")
    mine.get_by_role("button", name="Ask to take back").click()
    expect(said).to_contain_text("Your friend asks to take back a move.")
    friend.get_by_role("button", name="Allow").click()
    moves(friend, 2)
    friend.get_by_label("To the start").click()
    expect(said).to_contain_text("Position after 0 moves.")
    mine.get_by_role("button", name="Resign").click()
    mine.get_by_role("dialog").get_by_role("button", name="Resign").click()
    verdict = friend.locator(".verdict")
    expect(verdict).to_contain_text("White wins: you have won")
    expect(said).to_contain_text("Position after 0 moves.")
    friend.get_by_label("One move on").click()
    expect(said).to_contain_text("Position after 1 move.")
    expect(own_seat(friend)).to_contain_text("to move")
    expect(own_seat(friend)).not_to_contain_text("your move")
    mine.get_by_role("button", name="Play again").click()
    expect(verdict).to_contain_text("Your friend wants to play again.")
    check(friend)


def test_both_are_told_that_sides_were_swapped(opens: Opens, server: Server) -> None:
    mine, friend, _ = friends(opens, server, "ayu", size=5, pie=True)
    write(mine, "b1-b2")
    friend.get_by_role("button", name="Swap sides").click()
    expect(mine.locator(".now")).to_contain_text("Your friend has swapped sides: you are White now.")
    expect(friend.locator(".now")).to_contain_text("You have swapped sides: you are Black now.")


@pytest.mark.parametrize(("game", "below"), [("chess", "a8"), ("go", "a1")])
def test_the_board_is_turned_where_pieces_face_each_other(
    opens: Opens, server: Server, game: str, below: str
) -> None:
    _, friend, _ = friends(opens, server, game)
    heights = {name: middle(site(friend, name))[1] for name in ("a1", "a8")}
    assert max(heights, key=lambda name: heights[name]) == below


# --- to a table, and from it ---------------------------------------------------------


def test_games_that_go_on_can_be_gone_on_with_and_removed(opens: Opens) -> None:
    page = opens("#/game/tic_tac_toe")
    page.get_by_label("Opponent").select_option("Easy")
    expect(page.get_by_text("Looks at the next move only.")).to_be_visible()
    expect(page.get_by_label("It thinks by")).to_be_hidden()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".seat", has_text="Machine, easy")).to_contain_text("looks at the next move only")
    page.get_by_role("link", name="Games").click()
    item = page.locator(".going li")
    expect(item).to_contain_text("with machine, easy, your move, just now")
    check(page)
    item.get_by_role("button", name="Remove").click()
    expect(item).to_have_count(0)


def test_games_are_found_by_their_board(opens: Opens) -> None:
    page = opens()
    page.get_by_label("Search the games").fill("hexagon")
    for game in ("havannah", "tumbleweed"):
        expect(page.locator(f'a[href="#/game/{game}"]')).to_be_visible()
    expect(page.locator('a[href="#/game/chess"]')).to_have_count(0)


@pytest.mark.parametrize(("text", "titles"), [("Hex", ["Hex", "Misère Hex"]), ("go ", ["Go", "Gomoku"])])
def test_games_that_are_called_so_come_first(opens: Opens, text: str, titles: list[str]) -> None:
    page = opens()
    expect(page.locator(".game").first).to_be_visible()
    page.get_by_label("Search the games").fill(text)
    for i, title in enumerate(titles):
        expect(page.locator(".game strong").nth(i)).to_have_text(title)


def test_rules_of_ones_own_are_played_from_their_card(opens: Opens, server: Server) -> None:
    page = opens()
    page.evaluate(
        """() => fetch("/api/files", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ name: "Mine", text: 'variant "Mine" of "Ayu"\\n"M."\\n' }),
        })"""
    )
    page.reload()
    expect(page.get_by_role("link", name="Edit Mine")).to_be_visible()
    page.locator("button.game").click()
    box = page.get_by_role("dialog")
    box.locator('[name="option-size"]').select_option("3")
    box.get_by_text("someone here").click()
    box.get_by_role("button", name="Play", exact=True).click()
    write(page, "b1-b2", "a2-a1")
    expect(page.locator(".verdict")).to_contain_text("Black wins")


def test_a_bare_list_of_moves_is_imported_and_shared(opens: Opens, server: Server) -> None:
    page = opens()
    page.get_by_role("button", name="Import").click()
    box = page.get_by_role("dialog")
    box.get_by_label("Record", exact=True).fill("1. b2 a1 2. c1 a3")
    box.get_by_role("button", name="Import").click()
    expect(box.get_by_role("alert")).to_contain_text("choose it above")
    box.get_by_label("Game, where the text does not say").select_option("Tic-tac-toe")
    box.get_by_role("button", name="Import").click()
    moves(page, 4)
    page.get_by_label("One move back").click()
    expect(page.locator(".now")).to_contain_text("Position after 3 moves")
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to this game").input_value()
    check(page)
    other = opens(link.removeprefix(server.address))
    expect(other.locator(".now")).to_contain_text("Position after 3 moves")
    # A dialog does not stay over another page.
    page.evaluate("location.hash = '#/'")
    expect(page.locator(".game").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_small_points_are_confirmed_on_a_phone(opens: Opens) -> None:
    page = opens(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.locator('a[href="#/game/go"]').click()
    expect(page.locator('[name="side"]')).to_be_in_viewport()
    page.locator('[name="option-size"]').fill("19")
    page.get_by_text("someone here").click()
    page.get_by_role("button", name="Play", exact=True).click()
    site(page, "d4").tap()
    expect(page.locator(".now")).to_contain_text("Play this?")
    assert overflow(page) <= 0
    page.locator(".now").get_by_role("button", name="Play").click()
    moves(page, 1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_at_a_table_of_two(opens: Opens, server: Server, scheme: str) -> None:
    mine = opens(color_scheme=scheme)
    begin(mine, "go", "a friend by link", size=9)
    check(mine)
    link = mine.get_by_label("Link for your friend").input_value().removeprefix(server.address)
    friend = opens(link, color_scheme=scheme)
    expect(mine.locator(".seat .presence")).to_have_text("here")
    mine.get_by_text("How to play").click()
    expect(mine.locator(".about")).to_contain_text("Area scoring")
    expect(mine.get_by_role("link", name="Rule text")).to_be_visible()
    expect(mine.locator(".seat .score")).to_have_text(["score 7", "score 0"])
    write(mine, "c3")
    moves(friend, 1)
    mine.get_by_role("button", name="Ask to take back").click()
    expect(friend.get_by_role("button", name="Decline")).to_be_visible()
    check(mine)
    check(friend)
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(mine.get_by_role("button", name="Play again")).to_be_visible()
    check(mine)
