"""A real browser, and the built page served to it the way a proxied server would serve it."""

import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

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

from tools.browser import find_browser

STATIC = Path(__file__).parents[2] / "python/kymograph/server/static"
PREFIX = "/user/someone/proxy/6006/"
# No inline code or style, nothing from elsewhere: what the server will send.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'"


class PrefixedFiles(SimpleHTTPRequestHandler):
    """Files below a path prefix, under the strict policy; outside the prefix nothing is found."""

    def translate_path(self, path: str) -> str:
        url = urlsplit(path).path
        inside = url.removeprefix(PREFIX) if url.startswith(PREFIX) else "outside-the-prefix"
        return super().translate_path("/" + inside)

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        pass


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    arguments = ["--disable-gpu", "--no-first-run", "--disable-background-networking"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def page_url() -> Iterator[str]:
    handler = partial(PrefixedFiles, directory=str(STATIC))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
        server.shutdown()
        thread.join()


class OpenPage:
    """Opens the page in a context of its own, and hears what goes wrong without being shown."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def __call__(self, **context_options: Any) -> Page:
        context = self._browser.new_context(**context_options)
        self.contexts.append(context)
        context.on("console", self._hear_console)
        context.on("weberror", lambda error: self.complaints.append(f"uncaught: {error.error}"))
        context.on("request", self._hear_request)
        context.on("requestfailed", lambda ask: self.complaints.append(f"failed: {ask.url}"))
        context.on("response", self._hear_response)
        page = context.new_page()
        page.goto(self._url)
        return page

    def _hear_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _hear_request(self, request: Request) -> None:
        if not request.url.startswith(self._url):
            self.complaints.append(f"left the page's own address: {request.url}")

    def _hear_response(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")


@pytest.fixture
def open_page(browser: Browser, page_url: str) -> Iterator[OpenPage]:
    """At the end no opened page may have complained."""
    open_page = OpenPage(browser, page_url)
    yield open_page
    for context in open_page.contexts:
        context.close()
    assert open_page.complaints == []
