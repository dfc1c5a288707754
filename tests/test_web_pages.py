"""The board in a real browser: games by mouse, keys and touch, two browsers and a spectator, the editor."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytest.importorskip("fastapi")

from playwright.sync_api import Browser, BrowserContext, Page, expect  # noqa: E402

CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no Chromium here", allow_module_level=True)

#: How much longer than promised anything may take where other tests run beside it.
PATIENCE = float(os.environ.get("PATIENCE", "5"))


class Server:
    """`gdl serve` on a port of its own, which it keeps when it is started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "interpreter", "serve", "--no-browser", "--no-limits"]
        command += ["--port", str(self.port), "--data", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert self.process.stdout is not None
        assert "The board is at" in self.process.stdout.readline()

    def kill(self) -> None:
        """The server and its processes, without a word."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("data"))
    yield running
    running.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM)
        yield running
        running.close()


expect.set_options(timeout=20_000)

Opens = Callable[..., Page]


@pytest.fixture
def opens(server: Server, browser: Browser) -> Iterator[Opens]:
    """Open a page of the server in a browser of its own; nothing may go wrong in it unseen."""
    contexts = list[BrowserContext]()
    faults = list[str]()

    def open_page(path: str = "", **settings: Any) -> Page:
        settings.setdefault("reduced_motion", "reduce")
        context = browser.new_context(
            viewport=settings.pop("viewport", {"width": 1280, "height": 800}), **settings
        )
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
        page.goto(server.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def begin(page: Page, game: str, whom: str = "someone here", **options: int | bool) -> None:
    """Choose a game in the gallery, its options, whom to play, and start it."""
    page.locator(f'a[href="#/game/{game}"]').click()
    for name, value in options.items():
        field = page.locator(f'[name="option-{name}"]')
        if isinstance(value, bool):
            field.set_checked(value)
        elif field.evaluate("field => field.localName") == "select":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    page.get_by_text(whom).click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("grid")).to_be_visible()


def site(page: Page, name: str) -> Any:
    return page.locator(f'[data-site="{name}"]')


def moves(page: Page, count: int) -> None:
    """Wait until so many moves are listed."""
    expect(page.locator(".moves button")).to_have_count(count)


def check(page: Page) -> None:
    """axe finds nothing."""
    found = axe.Axe().run(page).response["violations"]
    assert [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found] == []


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_a_game_of_ayu_by_mouse(opens: Opens) -> None:
    page = opens()
    begin(page, "ayu", size=3)
    expect(site(page, "b1")).to_have_attribute("aria-label", "b1, Black stone, can be chosen")
    site(page, "b1").click()
    expect(site(page, "b1")).to_have_attribute("aria-selected", "true")
    expect(site(page, "b2")).to_have_attribute("aria-label", "b2, empty, can be chosen")
    page.keyboard.press("Escape")  # cancelled: all is open again
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


def middle(element: Any) -> tuple[float, float]:
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


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
    # The second person has taken Black, and moves first with it.
    expect(page.locator(".seat.turn")).to_contain_text("Black")
    expect(page.locator(".seat.turn")).to_contain_text("Second player")


def test_two_browsers_and_a_spectator(opens: Opens, server: Server) -> None:
    mine = opens()
    begin(mine, "ayu", "a friend by link", size=5)
    link = mine.get_by_label("Link for your friend").input_value()
    friend, watcher = opens(link.removeprefix(server.address)), opens(mine.url.removeprefix(server.address))
    assert "seat" not in friend.url  # the secret is out of the address once it is kept
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
    friend.get_by_role("button", name="Undo").click()
    mine.get_by_role("button", name="Allow").click()
    for page in (mine, friend, watcher):
        moves(page, 1)
    mine.get_by_role("button", name="Resign").click()
    mine.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for page, words in ((mine, "White wins (your friend)"), (friend, "that is you"), (watcher, "White wins")):
        expect(page.locator(".verdict")).to_contain_text(words)
        expect(page.locator(".verdict")).to_contain_text("by resignation")


def test_reload_and_a_killed_server(opens: Opens, server: Server) -> None:
    page = opens()
    begin(page, "ayu", size=5)
    for start, end in (("b1", "b2"), ("a2", "a3")):
        site(page, start).click()
        site(page, end).click()
    moves(page, 2)
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
    page.evaluate("localStorage.setItem('gdl.settings', JSON.stringify({machine: 'random'}))")
    begin(page, "tic_tac_toe", "the machine")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint-ring")).to_have_count(1)
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
    # A black stone that is placed on c3 pushes the one on d3 to e3; nothing has gone from d3 to c3.
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


def lines(page: Page) -> Any:
    return page.locator(".faults li")


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
    expect(lines(page)).to_contain_text(["there is no `emty`"])
    expect(lines(page)).to_contain_text(["did you mean `empty`?"])
    expect(page.locator(".cm-lintRange-error")).to_have_text("emty")
    # Mended, and broken again: how long that takes from the last key to the mark under the word.
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
    page.get_by_role("link", name="Games", exact=True).click()
    expect(page.get_by_text("<b>Short</b> Ayu")).to_be_visible()  # a name is a text, whatever it says
    page.get_by_role("link", name="Rules", exact=True).click()
    page.get_by_role("button", name="Delete <b>Short</b> Ayu").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("is listed here")).to_be_visible()


def test_help_for_a_word(opens: Opens) -> None:
    page = opens("#/edit/new")
    expect(lines(page)).to_have_text(["No mistakes."])
    page.locator(".cm-line", has_text="choose square in empty").get_by_text("empty").hover()
    expect(page.locator(".cm-tooltip-hover")).to_contain_text("empty")
    write(page, ROW + "define x = ")
    page.keyboard.type("clos")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("closest")


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
    page.locator("nav").get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", name="Your rules")).to_be_visible()
    check(page)
    page.get_by_role("link", name="A new game").click()
    expect(lines(page)).to_have_text(["No mistakes."])
    check(page)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    paste(page, "nonsense")
    expect(page.locator(".faults .error").first).to_be_visible()
    check(page)


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
    box.get_by_role("button", name="2 moves").first.click()
    expect(page.locator(".verdict")).to_contain_text("Black wins")
    before = page.url
    page.get_by_label("One move back").click()
    page.get_by_role("button", name="Play on from here").click()
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


def test_a_board_that_wraps_shows_it(opens: Opens) -> None:
    page = opens()
    begin(page, "cylinder_connect_four")
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-label", "Cylinder Connect Four board, left and right edges meet")
    # An arrow out of either end of its six rows.
    assert grid.locator(".around").get_attribute("d").count("M") == 12  # type: ignore[union-attr]


def test_the_list_of_words_can_be_reached(opens: Opens) -> None:
    page = opens("#/edit/new")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("c")
    expect(page.locator(".cm-tooltip-autocomplete")).to_be_visible()
    check(page)


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
