"""Attacks on a board that is really served: all refused or inert, and it keeps answering."""

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from kymograph.asgi.board import Board
from kymograph.asgi.security import Access, session
from kymograph.server import sockets
from kymograph.server.serving import Serving
from kymograph.store import Store
from tests import event_files
from tests.event_files import metadata, scalar, string_tensor, value
from tests.server.wire import Answer, Wire, get

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
    """A board that asks for a token."""
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
        while client.get("/api/v1/status").json()["progress"]["loading"]:
            threading.Event().wait(0.01)
        yield client


def post(path: str, body: bytes, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", *headers, f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


# --- paths ---

UP = [
    *("../" * 8 + "etc/passwd", "..%2f" * 8 + "etc%2fpasswd", "%2e%2e/" * 8 + "etc/passwd"),
    *("..%252f" * 8 + "etc%252fpasswd", "%252e%252e%252f" * 8 + "etc/passwd"),
    *("....//" * 8 + "etc/passwd", "..\\" * 8 + "etc\\passwd", "..%5c" * 8 + "etc%5cpasswd"),
    *("%c0%ae%c0%ae/" * 8 + "etc/passwd", "..;/" * 8 + "etc/passwd", "..%00/" * 8 + "etc/passwd"),
    *("/etc/passwd", "%2fetc%2fpasswd", "file:///etc/passwd", "etc/passwd%00.js", "%00", "%0d%0a"),
    *("../app.py", "%2e%2e/app.py", "assets/../../app.py", "..%2fapp.py", "..%5capp.py"),
    *("run/secret.txt", "link/secret.txt", "~root/.profile", "C:/windows/win.ini", "."),
]
BELOW = ["/", "//", "/assets/", "/api/v1/", "/api/v1/blobs/", "/data/", "/data/plugin/"]


def leaks(answer: Answer) -> bool:
    return any(mark in answer.body for mark in (b"root:", SECRET.encode(), b"create_app"))


@pytest.mark.parametrize("below", BELOW)
def test_no_path_leads_to_a_file(board: Serving, below: str):
    for way in UP:
        answer = exchange(board, get(below + way))
        # `/..` of nothing is the page: there is nothing above it.
        is_page = answer.status == 200 and b"<!doctype html>" in answer.body
        assert is_page or 400 <= answer.status < 500, way
        assert not leaks(answer), way


@pytest.mark.parametrize("below", ["", "http://localhost", "http://evil.org", "*", "localhost:80"])
def test_targets_that_are_no_paths_lead_nowhere(board: Serving, below: str):
    for way in ("", "/../../etc/passwd", "?../../etc/passwd"):
        if below + way:
            answer = exchange(board, get(below + way))
            assert not leaks(answer)
            assert answer.status < 500


@pytest.mark.parametrize(
    "raw", [b"/\xff\xfe", b"/?\xff", b"/\xc3\xa9?\xc3\xa9", b"/%", b"/%zz?%zz"]
)
def test_paths_that_are_no_text_are_refused_or_not_found(board: Serving, raw: bytes):
    assert 200 <= exchange(board, get(raw)).status < 500


def test_below_a_prefix_there_is_no_way_out_either(logdir: Path):
    with start(logdir, prefix="/a/b") as board:
        assert exchange(board, get("/a/b" + DESCRIPTION)).status == 200
        for way in UP:
            for below in ("/", "/a/b/", "/a/b/../", "/a/b%2f..%2f"):
                answer = exchange(board, get(below + way))
                assert answer.status < 500
                assert not leaks(answer)


QUERIES = [
    "/api/v1/tags?dashboard=scalars&run={}",
    "/api/v1/scalars/download?run={}&tag=loss&format=csv",
    "/api/v1/scalars/download?run=run&tag={}&format=csv",
    "/api/v1/blobs?run={}&tag=note",
    "/api/v1/blobs?run=run&tag={}",
    "/api/v1/damage?after={}",
    "/data/plugin/scalars/scalars?run={}&tag=loss",
    "/data/plugin/images/individualImage?blob_key={}",
    "/data/plugin/text/text?run={}&tag=note",
    "/data/plugin/timeseries/imageData?imageId={}",
]


@pytest.mark.parametrize("query", QUERIES)
def test_no_name_leads_to_a_file(board: Serving, query: str):
    for way in UP:
        answer = exchange(board, get(query.format(way.replace("\\", "%5c"))))
        # A name that nobody logged has no data; it is never looked for on the disk.
        assert answer.status in (200, 400, 404, 410), way
        assert not leaks(answer), way


def test_addresses_of_blobs_cannot_be_made_up(client: httpx.Client):
    listed = client.get("/api/v1/blobs", params={"run": "run", "tag": "note"}).json()
    instance, address_ = listed["instance"], listed["blobs"][0]["address"]
    assert client.get(f"/api/v1/blobs/{instance}/{address_}").status_code == 200
    parts = address_.split("-")
    forged = ["-".join([*parts, "0"]), "-".join(parts[1:]), "f" * 5000, "-", "--", "é", "0x1"]
    wrong = ("ff", "ffffffff", "f" * 16, "1" + "0" * 40, "", "-1", "x", "../../etc/passwd")
    for at in range(len(parts)):
        forged += ["-".join([*parts[:at], part, *parts[at + 1 :]]) for part in wrong]
    for one in forged:
        for form in ("raw", "item", "json", "frame"):
            answer = client.get(f"/api/v1/blobs/{instance}/{quote(one)}", params={"as": form})
            assert answer.status_code in (400, 404, 410), one
    for other in ("0" * 16, instance[:-1], instance + "0", "..", "%2e%2e", "x"):
        assert client.get(f"/api/v1/blobs/{other}/{address_}").status_code in (404, 410)


def test_what_a_blob_was_read_from_cannot_be_swapped_for_another_file(tmp_path: Path):
    """The file becomes a link to one outside, of the same length."""
    note = value("note", string_tensor(b"mine!"), metadata("text"), step=0)
    file = event_files.write(tmp_path / "logdir/run", note)
    with start(tmp_path / "logdir") as board, httpx.Client(timeout=60) as client:
        url = f"{board.listening.origin}/api/v1/blobs"
        while (listed := client.get(url, params={"run": "run", "tag": "note"})).status_code != 200:
            threading.Event().wait(0.01)
        found = listed.json()
        address_ = found["blobs"][0]["address"]
        outside = tmp_path / "outside"
        outside.write_bytes(file.read_bytes().replace(b"mine!", SECRET.encode()[:5]))
        file.unlink()
        file.symlink_to(outside)
        answer = client.get(f"{url}/{found['instance']}/{address_}")
        assert answer.status_code == 410
        assert SECRET[:5] not in answer.text


# --- names and other sites ---


@pytest.mark.parametrize("host", ["evil.org", "evil.org:6006", "localhost.evil.org", "127.0.0.1.x"])
def test_a_rebound_name_gets_nothing(board: Serving, host: str):
    for path in ("/", DESCRIPTION, "/data/runs", "/assets/x.js"):
        answer = exchange(board, get(path, host=host))
        assert answer.status == 403
        assert "--allow-host" in answer.json()["error"]


def test_headers_of_proxies_do_not_stand_in_for_the_host(board: Serving):
    forwarded = ["X-Forwarded-Host: localhost", "Forwarded: host=localhost", "X-Host: localhost"]
    assert exchange(board, get(DESCRIPTION, *forwarded, host="evil.org")).status == 403
    request = (
        b"GET http://localhost" + DESCRIPTION.encode() + b" HTTP/1.1\r\nHost: evil.org\r\n\r\n"
    )
    assert exchange(board, request).status == 403


def test_a_request_has_one_host(board: Serving):
    assert exchange(board, get("/", host=None)).status == 400
    assert exchange(board, get("/", "Host: localhost")).status == 400
    assert exchange(board, get("/", "host: evil.org")).status == 400
    assert exchange(board, b"GET / HTTP/1.0\r\n\r\n").status == 400


@pytest.mark.parametrize(
    "headers",
    [
        ["Origin: http://evil.org"],
        ["Origin: null"],
        ["Origin: http://localhost:8888"],
        ["Sec-Fetch-Site: cross-site", "Origin: http://localhost"],
        ["Sec-Fetch-Site: same-site"],
        ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"],
    ],
)
def test_a_page_of_another_site_changes_nothing(board: Serving, headers: list[str]):
    edit = {"set": [{"key": ["run", "run", "title"], "value": "changed"}]}
    body = json.dumps(edit).encode()
    request = post("/api/v1/curation", body, "Content-Type: application/json", *headers)
    for method in (b"PATCH", b"POST", b"PUT", b"DELETE"):
        answer = exchange(board, request.replace(b"POST", method, 1))
        assert answer.status == 403
        assert not [name for name in answer.headers if name.startswith("access-control")]
    assert b"changed" not in exchange(board, get("/api/v1/curation")).body


def test_a_form_is_not_taken_for_json(board: Serving):
    """What other pages may send without asking, were the browser to leave out who it is for."""
    edit = {"set": [{"key": ["run", "run", "title"], "value": "changed"}]}
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        request = post("/api/v1/curation", json.dumps(edit).encode(), f"Content-Type: {kind}")
        assert exchange(board, request.replace(b"POST", b"PATCH", 1)).status == 400
    assert b"changed" not in exchange(board, get("/api/v1/curation")).body


def test_other_sites_are_told_nothing(board: Serving):
    asked = ["Origin: http://evil.org", "Access-Control-Request-Method: PATCH"]
    preflight = get("/api/v1/curation", *asked).replace(b"GET", b"OPTIONS", 1)
    for request in (preflight, get("/api/v1/curation", "Origin: http://evil.org")):
        answer = exchange(board, request)
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


# --- tokens ---


def test_a_closed_board_shows_strangers_the_login_page_and_nothing_else(closed_board: Serving):
    page = exchange(closed_board, get("/", "Accept: text/html"))
    assert page.status == 401
    assert b'name="token"' in page.body
    for path in (DESCRIPTION, "/api/v1/curation", "/data/runs", "/mark.svg", "/nothing"):
        answer = exchange(closed_board, get(path))
        assert answer.status == 401
        assert answer.headers["www-authenticate"] == "Bearer"
    assert exchange(closed_board, post("/api/v1/curation", b"{}")).status == 401


def test_wrong_and_expired_tokens_open_nothing(closed_board: Serving):
    assert exchange(closed_board, get(DESCRIPTION, "Authorization: Bearer wrong")).status == 403
    assert exchange(closed_board, get("/?token=wrong")).status == 403
    name = Access(auth="token", token=TOKEN).cookie
    for value_ in (session.issue(TOKEN, now=0), session.issue(TOKEN + "x"), TOKEN, "x.y.z", ""):
        answer = exchange(closed_board, get(DESCRIPTION, f"Cookie: {name}={value_}"))
        assert answer.status == 401


def test_the_token_opens_the_board_to_a_browser(closed_board: Serving):
    url = closed_board.url
    with httpx.Client(base_url=url, follow_redirects=True, timeout=60) as client:
        page = client.get("/", params={"token": TOKEN}, headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert str(page.url) == url
        set_cookie = page.history[0].headers["set-cookie"]
        assert {"HttpOnly", "SameSite=Lax"} <= set(set_cookie.split("; "))
        assert TOKEN not in set_cookie
        assert client.get(DESCRIPTION).status_code == 200


def test_the_token_opens_the_board_to_a_script(closed_board: Serving):
    answer = exchange(closed_board, get(DESCRIPTION, f"Authorization: Bearer {TOKEN}"))
    assert answer.status == 200
    # Whoever has the token knows where he is.
    request = get(DESCRIPTION, f"Authorization: Bearer {TOKEN}", host="any.example.org")
    assert exchange(closed_board, request).status == 200


def test_nothing_that_is_answered_or_printed_has_the_token(closed_board: Serving, capfd):
    for path in (f"/?token={TOKEN}", f"/nothing?token={TOKEN}", f"{DESCRIPTION}?token={TOKEN}"):
        answer = exchange(closed_board, get(path, f"Authorization: Bearer {TOKEN}"))
        assert TOKEN not in answer.body.decode()
        assert TOKEN not in str(answer.headers)
    assert TOKEN not in "".join(capfd.readouterr())


def test_a_launched_board_answers_its_launcher_only(launched_board: Serving):
    for headers in ([], ["X-Kymograph-Key: wrong"], [f"Authorization: Bearer {KEY}"]):
        assert exchange(launched_board, get("/", "Accept: text/html", *headers)).status == 401
        assert exchange(launched_board, get(DESCRIPTION, *headers)).status == 401
    request = get(DESCRIPTION, f"X-Kymograph-Key: {KEY}", host="hub.example.org")
    assert exchange(launched_board, request).status == 200


# --- headers ---


@pytest.mark.parametrize(
    "request_bytes",
    [
        get("/"),
        get("/mark.svg"),
        get("/nothing"),
        get(DESCRIPTION),
        get("/api/v1/nothing"),
        get("/", host="evil.org"),
        post(DESCRIPTION, b""),
        post("/api/v1/curation", b"x" * 2_000_000, "Content-Type: application/json"),
    ],
)
def test_every_answer_is_strict(board: Serving, request_bytes: bytes):
    answer = exchange(board, request_bytes)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'self'" in policy
    assert not re.search(r"unsafe|\*|https?:", policy)
    assert "server" not in answer.headers


# --- what was logged ---

SHOWN = [
    "/api/v1/runs",
    "/api/v1/tags?dashboard=scalars",
    "/api/v1/tags?dashboard=text",
    "/api/v1/blobs?run=run&tag=note",
    "/api/v1/status",
    "/api/v1/damage",
    "/data/runs",
    "/data/plugin/scalars/tags",
    "/data/plugin/text/tags",
    "/data/plugin/text/text?run=run&tag=note",
    "/data/plugin/timeseries/tags",
    "/data/plugin/images/tags",
]


@pytest.mark.parametrize("path", SHOWN)
def test_script_in_what_was_logged_is_only_data(client: httpx.Client, path: str):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    answer.json()


def test_names_are_sent_as_they_are_and_back(client: httpx.Client):
    runs = {run["name"] for run in client.get("/api/v1/runs").json()["runs"]}
    assert {name.replace("/", "\\") for name in NAMES} <= runs
    assert "not \ufffd\ufffd text" in runs
    for run in runs - {"run", "svg", "html"}:
        for tag in NAMES:
            asked = {"run": run, "tag": tag, "format": "csv"}
            answer = client.get("/api/v1/scalars/download", params=asked)
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "text/csv; charset=utf-8"
            assert answer.headers["content-disposition"].startswith("attachment")
            assert "x-injected" not in answer.headers


def test_no_failure_repeats_what_was_asked_as_markup(client: httpx.Client):
    for path in ("/{}", "/api/v1/{}", "/data/{}", "/api/v1/runs?{}", "/api/v1/runs?regex=[{}"):
        answer = client.get(path.format(quote(SCRIPT)))
        assert answer.status_code in (400, 404)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"


class Markup(HTMLParser):
    """What a browser would make of a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, found or "") for name, found in attrs]


def test_markdown_runs_nothing(client: httpx.Client):
    rows = client.get("/data/plugin/text/text", params={"run": "run", "tag": "note"}).json()
    assert len(rows) == len(MARKDOWN)
    descriptions = client.get("/data/plugin/timeseries/tags").json()
    shown = [row["text"] for row in rows]
    for found in descriptions.values():
        shown += found["tagDescriptions"].values()
    for text in shown:
        markup = Markup(text)
        assert not markup.tags & {"script", "style", "svg", "iframe", "object", "embed", "form"}
        for name, found in markup.attributes:
            assert name in {"href", "src", "title", "alt", "start"}
            # Browsers skip blanks and control characters before and inside of a scheme.
            bare = re.sub(r"[\x00-\x20]", "", found).lower()
            scheme = re.match(r"[a-z][a-z0-9+.-]*:", bare)
            assert name == "title" or scheme is None or scheme[0] in {"http:", "https:", "mailto:"}


@pytest.mark.parametrize("tag", ["svg", "html"])
def test_a_picture_that_is_a_page_is_saved_and_not_shown(client: httpx.Client, tag: str):
    listed = client.get("/api/v1/blobs", params={"run": tag, "tag": tag}).json()
    place = f"/api/v1/blobs/{listed['instance']}/{listed['blobs'][0]['address']}?as=item"
    rows = client.get(f"/data/plugin/images/images?run={tag}&tag={tag}&sample=0").json()
    for path in (place, f"/data/plugin/images/individualImage?{rows[0]['query']}"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert b"<script>" in answer.content
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]


def test_names_with_line_breaks_do_not_make_events(client: httpx.Client):
    instance = client.get("/api/v1/status").json()["instance"]
    with client.stream("GET", "/api/v1/live", params={"last": f"{instance}.0"}) as stream:
        lines = stream.iter_lines()
        seen = []
        while "event: change" not in seen:
            seen.append(next(lines))
        told = next(line for line in lines if line.startswith("data: "))
    assert {name.replace("/", "\\") for name in NAMES} <= set(json.loads(told[6:])["runs"])
    assert "event: reset" not in seen


# --- too much ---


@pytest.mark.parametrize(
    "regex",
    [
        *("(a+)+$", "(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*a){30}$"),
        *("(?:a{1000}){1000}", "a{0,99999999}", r"\p{L}{900}", "(x{100}){100}{100}"),
        *(
            "(" * 4000,
            "[" * 4000,
            "(?:" * 1000 + "a" + ")" * 1000,
            "|" * 4096,
            "\\",
            "(?P<n>a)(?P=n)",
        ),
    ],
)
def test_an_expression_that_would_take_for_ever_does_not(client: httpx.Client, regex: str):
    for path in ("/api/v1/runs", "/api/v1/tags?dashboard=scalars"):
        answer = client.get(path, params={**httpx.URL(path).params, "regex": regex})
        assert answer.status_code in (200, 400)
    asked = {"run": "run", "tag": regex}
    answer = client.get("/data/plugin/custom_scalars/scalars", params=asked)
    assert answer.status_code == 200


def test_a_query_that_is_too_long_is_refused(board: Serving):
    assert exchange(board, get("/?" + "q" * 17_000)).status == 414
    assert exchange(board, get("/?" + "q" * 70_000)).status == 431


def test_a_head_that_is_too_large_is_refused(board: Serving):
    assert exchange(board, get("/", "X: " + "x" * 70_000)).status == 431
    assert exchange(board, get("/", *["X: x"] * 20_000)).status == 431


def test_a_body_that_is_too_large_is_refused(board: Serving):
    answer = exchange(board, post("/api/v1/curation", b"x" * 1_048_577))
    assert answer.status == 413
    head = (
        b"PATCH /api/v1/curation HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with Wire(address(board)) as wire:
        wire.send(head + chunk * 17)
        assert wire.answer().status == 413


def test_a_length_that_is_a_lie_is_refused(board: Serving):
    for length in ("1048577", "99999999999999999999", "18446744073709551615", "-1", "0x10", "1e9"):
        head = b"PATCH /api/v1/curation HTTP/1.1\r\nHost: localhost\r\n"
        claim = f"Content-Length: {length}\r\n\r\n".encode()
        assert exchange(board, head + claim).status in (400, 413)


def test_json_that_is_nested_too_deep_is_refused(board: Serving):
    for body in (b"[" * 500_000, b'{"set":' * 100_000, b'{"set":[' + b"[" * 500_000):
        request = post("/api/v1/curation", body, "Content-Type: application/json")
        assert exchange(board, request.replace(b"POST", b"PATCH", 1)).status == 400


# --- too slow ---


@pytest.mark.slow
def test_slow_senders_are_let_go_and_hold_up_nobody(board: Serving):
    """As many connections as there are hands: heads and bodies that never end, and silence."""
    body = b"PATCH /api/v1/curation HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
    with ExitStack() as held:
        wires = [held.enter_context(Wire(address(board))) for _ in range(60)]
        for number, wire in enumerate(wires):
            if number % 3:
                wire.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX" if number % 3 == 1 else body)
        assert exchange(board, get(DESCRIPTION)).status == 200
        ends = [wire.read_to_end() for wire in wires]
    for number, end in enumerate(ends):
        expected = b"HTTP/1.1 408 " if number % 3 == 2 else b""
        assert end.startswith(expected)
        assert bool(end) == bool(expected)


def test_many_connections_do_not_keep_others_out(board: Serving):
    with ExitStack() as held:
        for _ in range(200):
            held.enter_context(Wire(address(board)))
        assert exchange(board, get(DESCRIPTION)).status == 200


# --- nonsense ---


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x00" * 1000,
        b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"CONNECT evil.org:443 HTTP/1.1\r\nHost: evil.org\r\n\r\n",
        b"TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\nY: b\r\n\r\n",
        post("/", b"0\r\n\r\n", "Transfer-Encoding: chunked"),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_what_is_no_good_request_is_refused(board: Serving, request_bytes: bytes):
    with Wire(address(board)) as wire:
        wire.send(request_bytes)
        assert 400 <= wire.answer().status < 500


def test_there_is_no_other_protocol_to_change_to(board: Serving):
    for to in ("websocket", "h2c"):
        upgrade = ["Connection: Upgrade", f"Upgrade: {to}", "Sec-WebSocket-Version: 13"]
        upgrade += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
        assert exchange(board, get(DESCRIPTION, *upgrade)).status == 200


# --- the file system ---


def test_a_unix_socket_is_for_its_owner_and_guarded_all_the_same(logdir: Path, tmp_path: Path):
    path = tmp_path / "socket"
    listening = sockets.unix(path)
    with Serving(Board(Store(logdir)), listening, Access(bind="unix")):
        assert path.stat().st_mode & 0o777 == 0o600
        for host, status in (("localhost", 200), ("evil.org", 403)):
            with Wire(str(path)) as wire:
                wire.send(get(DESCRIPTION, host=host))
                assert wire.answer().status == status
    assert not path.exists()
