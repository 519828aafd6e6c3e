"""Names and pages of others get nothing, and every answer is strict."""

import json
import re

import pytest

from kymograph.server.serving import Serving
from tests.server.security.conftest import DESCRIPTION, exchange, post
from tests.server.wire import get


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


def test_responses_have_no_cors_headers(board: Serving):
    asked = ["Origin: http://evil.org", "Access-Control-Request-Method: PATCH"]
    preflight = get("/api/v1/curation", *asked).replace(b"GET", b"OPTIONS", 1)
    for request in (preflight, get("/api/v1/curation", "Origin: http://evil.org")):
        answer = exchange(board, request)
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


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
