"""Requests that are too large, too slow, too costly, or none."""

from contextlib import ExitStack

import httpx
import pytest

from kymograph.server.serving import Serving
from tests.server.security.conftest import DESCRIPTION, address, exchange, post
from tests.server.wire import Wire, get


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


ODD = [
    "",
    ",",
    ";",
    "=",
    '"',
    "\xff\xfe",
    "-1",
    "9" * 5000,
    "," * 5000,
    "W/" * 5000,
    "a=b;" * 2000,
]
ODD_HEADERS = [
    *("Accept", "Accept-Encoding", "If-None-Match", "If-Range", "Range", "Last-Event-ID"),
    *("Authorization", "Cookie", "Content-Type", "Forwarded", "X-Forwarded-For", "TE"),
]


@pytest.mark.parametrize("name", ODD_HEADERS)
def test_headers_that_make_no_sense_do_no_harm(client: httpx.Client, name: str):
    listed = client.get("/api/v1/blobs", params={"run": "run", "tag": "note"}).json()
    blob = f"/api/v1/blobs/{listed['instance']}/{listed['blobs'][0]['address']}"
    for path in ("/", "/api/v1/runs", "/data/runs", blob, f"{blob}?as=json"):
        for odd in (
            *ODD,
            "bytes=0-" + "9" * 5000,
            "bytes=5-1",
            "bytes=" + "0-0," * 2000,
            "gzip;q=x",
        ):
            answer = client.get(path, headers={name.encode(): odd.encode("latin-1")})
            assert answer.status_code in (200, 206, 304, 400, 416), odd[:50]


@pytest.mark.parametrize("name", ["limit", "after", "dashboard", "sort", "search", "unknown"])
def test_parameters_that_make_no_sense_are_refused(client: httpx.Client, name: str):
    odd = [*ODD[:8], "\0", "²", "1e3", "NaN", "null", "[[" * 2000, "WzFdLA==", "../../x"]
    for path in ("/api/v1/runs", "/api/v1/tags?dashboard=scalars", "/api/v1/damage"):
        for text in odd:
            answer = client.get(path, params={**httpx.URL(path).params, name: text})
            assert answer.status_code in (200, 400, 404), text[:50]


# --- too slow ---


@pytest.mark.slow
def test_slow_senders_are_disconnected_and_delay_no_other_client(board: Serving):
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
