"""A board to attack, really served; after each attack it must keep answering."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from kymograph.asgi.board import Board
from kymograph.asgi.security import Access
from kymograph.server import sockets
from kymograph.server.serving import Serving
from kymograph.store import Store
from tests import event_files
from tests.event_files import metadata, scalar, string_tensor, value
from tests.server.wire import PATIENCE_SECS, Answer, Wire, get

TOKEN = "a-token-of-more-than-16-letters"
KEY = "a-key-of-more-than-16-letters"
SECRET = "nobody may read this"
SCRIPT = "<script>alert(1)</script>"
DESCRIPTION = "/api/v1/openapi.json"
HEALTH = "/api/v1/health"


NAMES = [
    SCRIPT,
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    'q"\r\nX-Injected: 1\r\n\r\n<html>',
    "{{7*7}}${7*7}<%= 7*7 %>",
    "\u202etxt.exe\u2066\x1b[31m\x7f",
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    "data: x\n\nevent: reset\n\n",
]
"""Of tags and, as far as a file system takes them, of runs."""
MARKDOWN = [
    SCRIPT,
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#10;script:alert(1))",
    "[x](&#106;avascript&colon;alert(1))",
    "[x](<\x01javascript:alert(1)>)",
    "[x](< javascript:alert(1)>)",
    "[x](vbscript:alert(1)) [x](data:text/html,<script>alert(1)</script>)",
    "![x](javascript:alert(1)) ![x](data:image/svg+xml,<svg/onload=alert(1)>)",
    "<javascript:alert(1)>",
    '[x](https://x.org ""onmouseover=alert(1)")',
    '```"onclick=alert(1)\nx\n```',
    "[x]: javascript:alert(1)\n\n[x] [y][x]",
    "<svg><style><img title='</style><img src onerror=alert(1)>'>",
    "<!-- --!><script>alert(1)</script> -->",
    "a | b\n--|--\n<script>alert(1)</script> | [x](javascript:alert(1))",
]


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, others with script wherever text may be, and links that lead out of the logdir."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text(SECRET)
    root = tmp_path_factory.mktemp("logdir")
    texts = [
        value("note", string_tensor(text.encode()), metadata("text", description=text), step=step)
        for step, text in enumerate(MARKDOWN)
    ]
    scalars = [scalar(name, 0, 1.0) for name in NAMES]
    event_files.write(root / "run", scalar("loss", 0, 1.0), scalar("a" * 60 + "!", 0, 1.0), *texts)
    for name in NAMES:
        event_files.write(root / name.replace("/", "\\"), *scalars)
    event_files.write(Path(os.fsdecode(os.fsencode(root) + b"/not \xff\xfe text")), *scalars)
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    for tag, picture in (("svg", svg), ("html", b"<!doctype html>" + SCRIPT.encode())):
        image = string_tensor(b"1", b"1", picture)
        event_files.write(root / tag, value(tag, image, metadata("images"), step=0))
    (root / "link").symlink_to(outside)
    (root / "run" / "secret.txt").symlink_to(outside / "secret.txt")
    return root


def start(logdir: Path, access: Access | None = None, prefix: str = "") -> Serving:
    listening = sockets.tcp("127.0.0.1", 0)
    return Serving(Board(Store(logdir, follow=True)), listening, access, prefix=prefix)


@pytest.fixture(scope="module")
def board(logdir: Path) -> Iterator[Serving]:
    with start(logdir) as board:
        yield board


@pytest.fixture(scope="module")
def closed_board(logdir: Path) -> Iterator[Serving]:
    """A board that requires a token."""
    with start(logdir, Access(bind="other", auth="token", token=TOKEN)) as board:
        yield board


@pytest.fixture(scope="module")
def launched_board(logdir: Path) -> Iterator[Serving]:
    """A board that asks for a launcher's key."""
    with start(logdir, Access(key=KEY)) as board:
        yield board


def address(board: Serving) -> tuple[str, int]:
    found: tuple[str, int] = board.listening.sockets[0].getsockname()
    return found


def exchange(board: Serving, request: bytes) -> Answer:
    with Wire(address(board)) as wire:
        wire.send(request)
        return wire.answer()


@pytest.fixture(autouse=True)
def keeps_answering(board: Serving) -> Iterator[None]:
    yield
    assert exchange(board, get(HEALTH)).json() == {"status": "ok"}


@pytest.fixture(scope="module")
def client(board: Serving) -> Iterator[httpx.Client]:
    """One that waits until everything is loaded."""
    with httpx.Client(base_url=board.listening.origin, timeout=60) as client:
        until(lambda: not client.get("/api/v1/status").json()["progress"]["loading"])
        yield client


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECS
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def post(path: str, body: bytes, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", *headers, f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
