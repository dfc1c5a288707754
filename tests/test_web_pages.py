"""The board in a real browser: games by mouse, keys and touch, two browsers and a spectator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser import PATIENCE, Opens, Server, begin, check, lines, middle, moves, overflow, site
from playwright.sync_api import Browser, Route, expect

pytest_plugins = ["browser"]


def test_a_game_of_ayu_by_mouse(opens: Opens) -> None:
    page = opens()
    begin(page, "ayu", size=3)
    expect(site(page, "b1")).to_have_attribute("aria-label", "b1, Black stone, can be chosen")
    site(page, "b1").click()
    expect(site(page, "b1")).to_have_attribute("aria-selected", "true")
    expect(site(page, "b2")).to_have_attribute("aria-label", "b2, empty, can be chosen")
    page.keyboard.press("Escape")  # cancelled: every choice is open again
    expect(site(page, "b1")).to_have_attribute("aria-selected", "false")
    site(page, "b1").click()
    site(page, "b2").click()
    moves(page, 1)
    expect(site(page, "b2")).to_have_attribute("aria-label", "b2, Black stone, last move")
    page.mouse.move(*middle(site(page, "a2")))  # from-to moves can be dragged
    page.mouse.down()
    page.mouse.move(*middle(site(page, "a1")), steps=5)
    page.mouse.up()
    moves(page, 2)
    # By hand: White's unit a1 touches nothing; Black, hemmed in by the rules, cannot move and has won.
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("Black wins (first player)")
    expect(verdict).to_contain_text("stuck(next)")


def test_a_game_of_egotzi_by_keyboard(opens: Opens) -> None:
    page = opens()
    page.locator('a[href="#/game/egotzi"]').focus()
    page.keyboard.press("Enter")
    page.locator('[name="option-size"]').select_option("2")
    page.locator('[name="option-pie"]').focus()
    page.keyboard.press("Space")
    page.locator('[name="whom"][value="same"]').focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("grid")).to_be_visible()
    page.locator("[data-site][tabindex='0']").focus()
    for count in range(1, 5):
        assert (
            page.evaluate("document.activeElement.dataset.site") is not None
        )  # the focus stays on the board
        for key in ("", *("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft") * 2):
            if key:
                page.keyboard.press(key)
            if "can be chosen" in page.evaluate("document.activeElement.getAttribute('aria-label')"):
                break
        page.keyboard.press("Enter")
        moves(page, count)
    expect(page.locator(".verdict")).to_contain_text("wins")
    expect(page.locator("#say")).to_contain_text("wins")
    page.keyboard.press("Escape")


def test_an_auction_and_the_choice_of_sides(opens: Opens) -> None:
    page = opens()
    begin(page, "squared_egotzi", size=5)
    page.get_by_role("spinbutton").fill("4")
    page.get_by_role("button", name="Choose 4").click()
    moves(page, 1)
    expect(page.locator(".seat.turn")).to_contain_text("Second player")
    page.get_by_role("button", name="Swap sides").click()
    moves(page, 2)
    # The second person has taken Black, and so moves first.
    expect(page.locator(".seat.turn")).to_contain_text("Black")
    expect(page.locator(".seat.turn")).to_contain_text("Second player")


def test_two_browsers_and_a_spectator(opens: Opens, server: Server) -> None:
    mine = opens()
    begin(mine, "ayu", "a friend by link", size=5)
    link = mine.get_by_label("Link for your friend").input_value()
    friend, watcher = opens(link.removeprefix(server.address)), opens(mine.url.removeprefix(server.address))
    for page in (friend, watcher):
        expect(page.get_by_role("grid")).to_be_visible()
    assert "seat" not in friend.url  # the secret leaves the address once it is kept
    clock = "performance.timeOrigin + performance.now()"
    site(mine, "b1").click()
    mine.evaluate(f"addEventListener('pointerup', () => (window.sent = {clock}), true)")
    friend.evaluate(
        f"""new MutationObserver(() => (window.seen ??= {clock})).observe(
            document.querySelector(".moves"), {{ childList: true, subtree: true }})"""
    )
    site(mine, "b2").click()
    for page in (mine, friend, watcher):
        moves(page, 1)
    taken = friend.evaluate("seen") - mine.evaluate("sent")
    assert taken < 100 * PATIENCE, f"{taken:.0f} ms"
    expect(watcher.locator(".now")).to_contain_text("You are watching")
    expect(watcher.get_by_role("button", name="Resign")).to_have_count(0)
    expect(watcher.get_by_label("Type a move")).to_have_count(0)
    site(watcher, "a2").click()
    expect(site(watcher, "a2")).to_have_attribute("aria-selected", "false")
    site(friend, "a2").click()
    site(friend, "a3").click()
    for page in (mine, friend, watcher):
        moves(page, 2)
    # A move is taken back when both agree.
    friend.get_by_role("button", name="Ask to take back").click()
    mine.get_by_role("button", name="Allow").click()
    for page in (mine, friend, watcher):
        moves(page, 1)
    mine.get_by_role("button", name="Resign").click()
    mine.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for page, words in (
        (mine, "White wins: you have lost"),
        (friend, "White wins: you have won"),
        (watcher, "White wins"),
    ):
        expect(page.locator(".verdict")).to_contain_text(words)
        expect(page.locator(".verdict")).to_contain_text("by resignation")


def test_reload_and_a_killed_server(opens: Opens, server: Server) -> None:
    page = opens()
    begin(page, "ayu", size=5)
    for count, (start, end) in enumerate((("b1", "b2"), ("a2", "a3")), 1):
        site(page, start).click()
        site(page, end).click()
        moves(page, count)
    page.reload()
    moves(page, 2)
    site(page, "b2").click()
    server.kill()
    expect(page.get_by_text("The connection is lost")).to_be_visible()
    server.start()
    expect(page.get_by_text("The connection is lost")).to_be_hidden()
    moves(page, 2)
    site(page, "b2").click()
    page.get_by_label("Type a move").fill("d1-d2")
    page.get_by_label("Type a move").press("Enter")
    moves(page, 3)


def test_a_machine_a_hint_and_replay(opens: Opens) -> None:
    page = opens()
    page.evaluate("localStorage.setItem('gdl.settings', JSON.stringify({level: 'beginner'}))")
    begin(page, "tic_tac_toe", "the machine")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint-ring")).to_have_count(1)
    expect(page.locator(".note")).to_have_text(re.compile(r"^[abc][123]: can expect \d+%\.$"))
    site(page, "b2").click()
    moves(page, 2)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".now")).to_contain_text("Position after 0 moves")
    expect(site(page, "b2")).to_have_attribute("aria-label", "b2, empty")
    page.keyboard.press("End")
    expect(site(page, "b2")).to_have_attribute("aria-label", "b2, Cross mark")
    page.get_by_role("button", name="Undo").click()
    moves(page, 0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Record").click()
    assert "Tic" in Path(download.value.path()).read_text()
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        page.get_by_role("button", name="Picture").click()
        with page.expect_download() as download:
            page.get_by_role("dialog").get_by_text(kind).click()
        assert Path(download.value.path()).read_bytes().startswith(start)


def test_pushed_stones_go_where_they_go(opens: Opens) -> None:
    # A black stone placed on c3 pushes the one on d3 to e3; nothing has gone from d3 to c3.
    moved = opens().evaluate(
        """async () => {
            const { motions } = await import("/static/motion.js");
            const black = (site) => ({ site, owner: "Black", kind: "stone" });
            const places = new Map(["c", "d", "e"].map((column, i) => [column + "3", { x: i, y: 3 }]));
            return motions([black("d3")], [black("c3"), black("e3")], { c: [["site", "c3"]] }, places);
        }"""
    )
    assert moved == {"moved": [["d3", "e3"]], "came": ["c3"], "left": [], "turned": []}


def test_pieces_move_before_ones_eyes(opens: Opens) -> None:
    page = opens(reduced_motion="no-preference")
    begin(page, "ayu", size=5)
    page.evaluate(
        """() => {
            const animate = Element.prototype.animate;
            window.went = [];
            Element.prototype.animate = function (frames, ...rest) {
                window.went.push(frames.map((frame) => frame.transform));
                return animate.call(this, frames, ...rest);
            };
        }"""
    )
    site(page, "b1").click()
    site(page, "b2").click()
    moves(page, 1)
    assert ["translate(80px, -40px)", "translate(80px, -80px)"] in page.evaluate("went")


def test_on_a_phone(opens: Opens) -> None:
    page = opens(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    expect(page.locator(".game").first).to_be_visible()
    assert overflow(page) <= 0
    begin(page, "hex", columns=5, rows=5, pie=False)
    site(page, "c3").tap()
    moves(page, 1)
    assert overflow(page) <= 0
    page.goto(page.url.partition("#")[0] + "#/edit/new")
    expect(lines(page)).to_have_text(["No mistakes."])
    assert overflow(page) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe(opens: Opens, scheme: str) -> None:
    page = opens(color_scheme=scheme)
    expect(page.locator(".game").first).to_be_visible()
    check(page)
    page.locator('a[href="#/game/chess"]').click()
    check(page)
    page.get_by_text("someone here").click()
    page.get_by_role("button", name="Play", exact=True).click()
    site(page, "e2").click()
    check(page)
    site(page, "e4").click()
    moves(page, 1)
    page.locator(".moves button").click()
    page.keyboard.press("Home")
    expect(page.locator(".now")).to_contain_text("Position after 0 moves")
    check(page)
    page.get_by_role("link", name="Try other moves").click()
    expect(lines(page)).to_have_text(["No mistakes."])


def test_a_record_is_imported_and_played_on(opens: Opens) -> None:
    page = opens()
    page.get_by_role("button", name="Import").click()
    check(page)
    whole = '[Game "Ayu"]\n[Option "size=3"]\n[Result "Black"]\n\n1. b1-b2 2. a2-a1\n'
    box = page.get_by_role("dialog")
    box.get_by_label("Record", exact=True).fill(whole.replace("Ayu", "Nothing"))
    box.get_by_role("button", name="Import").click()
    expect(box.get_by_role("alert")).to_contain_text("is called “Nothing”")
    box.get_by_label("A file of records").set_input_files(
        {"name": "games.txt", "mimeType": "text/plain", "buffer": (whole + "\n" + whole).encode()}
    )
    box.get_by_role("button", name="2 moves, Black won").first.click()
    expect(page.locator(".verdict")).to_contain_text("Black wins")
    before = page.url
    page.get_by_label("One move back").click()
    page.get_by_role("button", name="Play on", exact=True).click()
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("Goes on after 1 move; White (second player) is to move.")
    check(page)
    box.get_by_text("someone here").click()
    box.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url(lambda url: url != before)
    moves(page, 1)
    expect(page.locator(".seat.turn")).to_contain_text("White")
    site(page, "a2").click()
    site(page, "a1").click()
    expect(page.locator(".verdict")).to_contain_text("Black wins")


def test_a_board_that_wraps_shows_it(opens: Opens) -> None:
    page = opens()
    begin(page, "cylinder_connect_four")
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-label", "Cylinder Connect Four board, left and right edges meet")
    # An arrow out of each end of its six rows.
    assert grid.locator(".around").get_attribute("d").count("M") == 12  # type: ignore[union-attr]


def test_a_page_that_cannot_be_shown_says_so(browser: Browser, server: Server) -> None:
    """Once, a faulty address gave a blank page, and a link whose script failed to load did nothing."""
    context = browser.new_context()
    page = context.new_page()
    fault, home = page.locator("main .fault"), page.get_by_role("link", name="To the games")
    page.goto(server.address + "#/game/%")
    expect(fault).to_have_text("This page cannot be shown.")
    home.click()
    page.route("**/static/edit.js", lambda route: route.abort())
    page.get_by_role("link", name="Rules").click()
    expect(fault).to_have_text("This page cannot be shown.")
    page.unroute("**/static/edit.js")
    home.click()
    expect(page.locator(".game").first).to_be_visible()
    page.get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", name="Your rules")).to_be_visible()
    context.close()


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("nowhere", "There is no such page."),
        ("table/nothing", "There is no such table."),
        ("edit/new?game=nothing", "There is no such game."),
    ],
)
def test_what_there_is_not_is_said(opens: Opens, path: str, says: str) -> None:
    page = opens(f"#/{path}")
    expect(page.locator("main .fault")).to_have_text(says)
    page.get_by_role("link", name="To the games").click()
    expect(page.locator(".game").first).to_be_visible()


def test_the_way_past_the_links_stays_on_the_page(opens: Opens) -> None:
    """Once it led to the page of all games."""
    page = opens()
    begin(page, "ayu", size=3)
    page.get_by_role("link", name="To the content").focus()
    page.keyboard.press("Enter")
    expect(page.locator("main:focus")).to_have_count(1)
    assert "#/table/" in page.url


def test_a_page_that_comes_when_one_has_left_is_not_drawn(opens: Opens) -> None:
    page = opens()
    begin(page, "ayu", size=3)
    table = page.url
    page.get_by_role("link", name="Games").click()
    held = list[Route]()
    page.route(re.compile("/api/tables/[^/]+$"), lambda route: held.append(route))
    with page.expect_request(re.compile("/api/tables/[^/]+$")):
        page.goto(table)
    page.get_by_role("link", name="Games").click()
    expect(page.locator(".game").first).to_be_visible()
    with page.expect_response(re.compile("/api/tables/[^/]+$")):
        held[0].continue_()
    page.evaluate("fetch('/api/words').then((reply) => reply.text())")
    expect(page.get_by_role("heading", name="Choose a game")).to_be_visible()


def test_a_lost_connection_is_tried_less_and_less_often_until_it_works(opens: Opens) -> None:
    """Once, it was tried every 1.5 seconds forever, refused or not, and faults of the page were hidden."""
    heard = opens().evaluate(
        r"""async () => {
            const { listen } = await import("/static/api.js");
            const told = [], waits = [], faults = [];
            addEventListener("error", (event) => {
                event.preventDefault();
                faults.push(event.error.message);
            });
            const refused = (status) => new Response('{"detail": "No."}', { status });
            const works = () => new Response('event: now\ndata: 1\n\nevent: now\ndata: 2\n\n');
            const replies = [503, 429, 500, 502, 503, 503, 503, 200, 503, 404];
            const { fetch, setTimeout } = window;
            window.fetch = async () => {
                const status = replies.shift();
                return status === 200 ? works() : refused(status);
            };
            window.setTimeout = (go, time) => {
                waits.push(time);
                queueMicrotask(waits.length % 2 ? go : () => dispatchEvent(new Event("online")));
            };
            const on = { now(data) { told.push(data); throw new Error(`Fault ${data}`); } };
            const how = { signal: new AbortController().signal, linked: () => {} };
            const end = await listen("/", on, how).catch(({ message }) => message);
            Object.assign(window, { fetch, setTimeout });
            return { told, waits, faults, end };
        }"""
    )
    seconds = [1.5, 3, 6, 12, 24, 30, 30, 1.5, 3]
    assert heard == {
        "told": [1, 2],
        "waits": [1000 * wait for wait in seconds],
        "faults": ["Fault 1", "Fault 2"],
        "end": "No.",
    }


def test_who_is_refused_at_a_table_is_told(opens: Opens) -> None:
    page = opens()
    page.route(
        "**/events", lambda route: route.fulfill(status=404, json={"detail": "There is no such table."})
    )
    begin(page, "ayu", size=3)
    expect(page.locator(".offline")).to_have_text("There is no such table.")


def test_the_first_page_is_light(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    sizes = list[float]()
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    reply = page.goto(server.address)
    page.wait_for_load_state("networkidle")
    assert reply is not None
    assert "unsafe" not in reply.headers["content-security-policy"]
    context.close()
    assert 20_000 < sum(sizes) < 300_000, f"{sum(sizes):.0f} bytes in {len(sizes)} files"


def test_nothing_makes_html_of_text() -> None:
    folder = Path(__file__).parents[1] / "interpreter" / "web" / "static"
    code = "".join(path.read_text() for path in folder.glob("*.js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(", code)
    page = (folder / "index.html").read_text()
    assert not re.search(r"<style|style=|<script(?![^>]*src=)|\son[a-z]+=|https?://", page)
