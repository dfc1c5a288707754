"""A server and its pages in a real browser, and what tests do with them."""

from __future__ import annotations

import os
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

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect  # noqa: E402

CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no Chromium here", allow_module_level=True)

#: How many times as long as promised anything may take while other tests run beside it.
PATIENCE = float(os.environ.get("PATIENCE", "5"))

#: Milliseconds before anything is answered: what a test fails to wait for should not happen in time by luck.
LATENCY = 100


class Server:
    """`gdl serve` on its own port, which it keeps when it is restarted."""

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
        """Kill the server and its processes without warning."""
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


def wrong(line: ConsoleMessage) -> bool:
    """Whether a message of the browser shows a fault of the page; a server that is away is not one."""
    return line.type == "error" and not line.text.startswith("Failed to load resource")


@pytest.fixture
def opens(server: Server, browser: Browser) -> Iterator[Opens]:
    """Open a page of the server in a separate browser; nothing may go wrong in it unnoticed."""
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
        far = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.send("Network.emulateNetworkConditions", far)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if wrong(line) else None)
        page.goto(server.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def begin(page: Page, game: str, whom: str = "someone here", **options: int | bool) -> None:
    """Choose a game in the gallery, its options and the opponent, and start it."""
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
    """Wait until `count` moves are listed."""
    expect(page.locator(".moves button")).to_have_count(count)


def write(page: Page, *texts: str) -> None:
    """Type moves, each once the one before has been made."""
    field = page.get_by_label("Type a move")
    for text in texts:
        before = page.locator(".moves button").count()
        field.fill(text)
        field.press("Enter")
        moves(page, before + 1)


def check(page: Page) -> None:
    """axe finds nothing."""
    found = axe.Axe().run(page).response["violations"]
    assert [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found] == []


def overflow(page: Page) -> int:
    """How many pixels wider than the window the page is."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def middle(element: Any) -> tuple[float, float]:
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lines(page: Page) -> Any:
    return page.locator(".faults li")
