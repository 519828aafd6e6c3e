"""A real browser on real boards, served below a path as behind a proxy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    sync_playwright,
)

from kymograph.asgi.board import Board
from kymograph.asgi.security import Access
from kymograph.server import sockets
from kymograph.server.serving import Serving
from kymograph.store import Store
from tools.browser import find_browser

PREFIX = "/user/someone/proxy/6006"


# Not for the session: as long as it is open, nothing else in this thread can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    arguments = ["--disable-gpu", "--no-first-run", "--disable-background-networking"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=arguments)
        yield browser
        browser.close()


class Boards:
    """Serves logdirs, each as long as the test runs or until it is closed."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def __call__(
        self,
        *logdirs: Path,
        title: str = "Kymograph",
        prefix: str = PREFIX,
        port: int = 0,
        access: Access | None = None,
    ) -> Serving:
        board = Board(Store(logdirs, follow=True), title)
        listening = sockets.tcp("127.0.0.1", port)
        return self._stack.enter_context(Serving(board, listening, access, prefix=prefix))


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Boards]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with ExitStack() as stack:
        yield Boards(stack)


@contextmanager
def served(logdir: Path) -> Iterator[str]:
    """The address of a board that the tests of a module share."""
    board = Board(Store([logdir], follow=True))
    with Serving(board, sockets.tcp("127.0.0.1", 0), prefix=PREFIX) as serving:
        yield page_url(serving)


def page_url(serving: Serving, prefix: str = PREFIX) -> str:
    return f"http://127.0.0.1:{serving.listening.port}{prefix}/"


class OpenPage:
    """Opens pages, each in a context of its own, and hears what goes wrong without being shown."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def __call__(self, url: str, **context_options: Any) -> Page:
        context = self._browser.new_context(**context_options)
        self.contexts.append(context)
        context.on("console", self._hear_console)
        context.on("weberror", lambda error: self.complaints.append(f"uncaught: {error.error}"))
        context.on("request", lambda request: self._hear_request(request, url))
        context.on("requestfailed", self._hear_failure)
        context.on("response", self._hear_response)
        page = context.new_page()
        page.goto(url)
        return page

    def close(self) -> None:
        """Leaves all pages, before what they ask goes."""
        while self.contexts:
            self.contexts.pop().close()

    def _hear_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _hear_request(self, request: Request, url: str) -> None:
        if not request.url.startswith(url.partition("?")[0]):
            self.complaints.append(f"left the page's own address: {request.url}")

    def _hear_failure(self, request: Request) -> None:
        # The page itself gives up what it does not want any more: the stream of events, which has
        # no end of its own, and answers that came too late.
        if "ABORTED" not in str(request.failure):
            self.complaints.append(f"failed: {request.url}: {request.failure}")

    def _hear_response(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")


@pytest.fixture
def open_page(browser: Browser, serve: Boards) -> Iterator[OpenPage]:
    """At the end no opened page may have complained, while its server still runs."""
    open_page = OpenPage(browser)
    yield open_page
    open_page.close()
    assert open_page.complaints == []


def keep_picture(page: Page, name: str) -> None:
    """Writes a screenshot where `KYMOGRAPH_SCREENSHOTS` says, for people to look at."""
    if folder := os.environ.get("KYMOGRAPH_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")
