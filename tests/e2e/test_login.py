"""A real browser on a guarded board: people get in, pages of other sites do not."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kymograph.asgi.board import Board
from kymograph.asgi.security import Access, login_url
from kymograph.server import sockets
from kymograph.server.serving import Serving
from kymograph.store import Store
from tests.e2e.conftest import keep_picture

ACCESS = Access(bind="other", auth="token", token="a/token+of&more=than#16%letters")
PREFIX = "/user/someone/board"


@pytest.fixture
def board_url(tmp_path: Path) -> Iterator[str]:
    """A board below a prefix that requires a token."""
    board = Board(Store(tmp_path, follow=True))
    with Serving(board, sockets.tcp("localhost", 0), ACCESS, prefix=PREFIX) as serving:
        yield f"{serving.listening.origin}{PREFIX}/"


@pytest.fixture
def open_board_url(tmp_path: Path) -> Iterator[str]:
    """A board that anyone on this machine may see."""
    with Serving(Board(Store(tmp_path)), sockets.tcp("localhost", 0), Access()) as serving:
        yield f"{serving.listening.origin}/"


@pytest.fixture(params=["light", "dark"])
def page(request, browser: Browser) -> Iterator[Page]:
    with browser.new_context(color_scheme=request.param) as context:
        yield context.new_page()


def violations(page: Page) -> list[str]:
    """What the browser says about the policy from now on."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    return said


def test_a_person_types_the_token_and_gets_to_the_same_place(page: Page, board_url: str):
    said = violations(page)
    page.goto(f"{board_url}?tab=scalars#loss")
    expect(page.get_by_text("This board requires a token.")).to_be_visible()
    keep_picture(page, "login")
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_text("Wrong token.")).to_be_visible()
    page.get_by_label("Token").fill(str(ACCESS.token))
    page.keyboard.press("Enter")
    expect(page.get_by_label("Token")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.url == f"{board_url}?tab=scalars#loss"
    assert [text for text in said if "Policy" in text] == []


def test_the_login_url_opens_the_board_until_the_cookie_goes(page: Page, board_url: str):
    answer = page.goto(login_url(board_url, ACCESS))
    assert answer is not None
    assert answer.status == 200
    assert page.url == board_url
    (cookie,) = page.context.cookies()
    assert (cookie["path"], cookie["httpOnly"], cookie["sameSite"]) == (PREFIX, True, "Lax")
    assert page.evaluate("document.cookie") == ""
    answer = page.reload()
    assert answer is not None
    assert answer.status == 200
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_label("Token")).to_be_visible()


class Blank(BaseHTTPRequestHandler):
    """The page of another site."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>another site</title>")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class named it
        pass


@pytest.fixture(params=["localhost", "127.0.0.1"])
def other_site(request) -> Iterator[str]:
    """Of the same host, so that cookies would be sent, and of another."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Blank) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://{request.param}:{server.server_port}/"
        server.shutdown()
        thread.join()


ATTACKS = """async (board) => {
  const edit = {set: [{key: ["run", "run", "title"], value: "changed"}]}
  const tries = [
    ["curation", {}],
    ["curation", {mode: "no-cors", credentials: "include"}],
    ["curation", {method: "PATCH", body: JSON.stringify(edit)}],
    ["curation", {method: "POST", mode: "no-cors", body: JSON.stringify(edit)}],
    ["openapi.json", {method: "POST", mode: "no-cors", body: new URLSearchParams({a: "b"})}],
  ]
  const read = []
  for (const [path, how] of tries)
    try { read.push(await (await fetch(board + "api/v1/" + path, how)).text()) } catch { }
  for (const name of ["img", "script", "iframe", "embed"]) {
    const element = document.createElement(name)
    const ended = new Promise(end => { element.onload = element.onerror = end })
    element.src = board + (name === "iframe" ? "" : "api/v1/curation")
    document.documentElement.append(element)
    await ended
  }
  return read.filter(text => text !== "")
}"""


def test_a_page_of_another_site_gets_nothing(page: Page, open_board_url: str, other_site: str):
    page.goto(other_site)
    statuses: list[tuple[str, int]] = []
    page.on("response", lambda answer: statuses.append((answer.request.method, answer.status)))
    assert page.evaluate(ATTACKS, open_board_url) == []
    assert statuses
    assert {status for method, status in statuses if method != "OPTIONS"} == {403}
    # A link is another matter.
    page.evaluate("(board) => { location.href = board }", open_board_url)
    expect(page).to_have_url(open_board_url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
