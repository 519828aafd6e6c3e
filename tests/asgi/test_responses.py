"""Answers: kept by tag, compressed where it pays, blobs in ranges."""

import math

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kymograph.asgi import frames, responses
from kymograph.asgi.board import Board
from kymograph.store import Store
from tests.asgi.client import Client

TAG = responses.etag("a", 1)
BODY = bytes(range(100))


async def json(request: Request) -> Response:
    return await responses.json(request, {"x": "y" * 5000}, tag=TAG)


async def small(request: Request) -> Response:
    return await responses.json(request, {"x": 1})


async def frame(request: Request) -> Response:
    length = int(request.query_params["length"])
    data = frames.encode({"x": np.arange(length, dtype=np.float64)}, {"a": 1})
    return await responses.encoded(request, data, frames.MEDIA_TYPE)


async def blob(request: Request) -> Response:
    return responses.blob(request, BODY, "image/png", tag=TAG)


async def saved(request: Request) -> Response:
    return responses.blob(request, BODY, "image/png", tag=TAG, filename="blob.bin")


HANDLERS = (json, small, frame, blob, saved)


@pytest.fixture
def client(tmp_path):
    app = Starlette(routes=[Route(f"/{one.__name__}", one) for one in HANDLERS])
    with Store(tmp_path) as store:
        app.state.board = Board(store)
        yield Client(app)
        app.state.board.close()


def test_what_a_client_has_is_not_sent_again(client):
    first = client.get("/json")
    assert first.headers["etag"] == TAG
    for known in (TAG, f"W/{TAG}", f'"other", {TAG}', "*"):
        again = client.get("/json", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == TAG
    assert client.get("/json", headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("path", "accepted", "compressed"),
    [
        ("/json", "gzip, deflate, br", True),
        ("/json", "identity", False),
        ("/json", "gzip;q=0", False),
        ("/json", "", False),
        ("/small", "gzip", False),
        ("/frame?length=1000", "gzip", True),
        ("/frame?length=100000", "gzip", False),  # to the same machine, sending is faster
    ],
)
def test_answers_are_compressed_where_it_pays(client, path, accepted, compressed):
    answer = client.get(path, headers={"accept-encoding": accepted})
    assert ("content-encoding" in answer.headers) == compressed
    assert "Accept-Encoding" in answer.headers["vary"]


def test_large_frames_are_compressed_on_a_long_way(client):
    headers = {"accept-encoding": "gzip", "x-forwarded-for": "203.0.113.9"}
    answer = client.get("/frame?length=100000", headers=headers)
    assert answer.headers["content-encoding"] == "gzip"
    columns, meta = frames.decode(answer.content)
    assert columns["x"].tolist() == list(range(100000))
    assert meta == {"a": 1}


@pytest.mark.parametrize(
    ("wanted", "status", "body", "content_range"),
    [
        ("bytes=0-9", 206, BODY[:10], "bytes 0-9/100"),
        ("bytes=90-", 206, BODY[90:], "bytes 90-99/100"),
        ("bytes=-5", 206, BODY[-5:], "bytes 95-99/100"),
        ("bytes=-500", 206, BODY, "bytes 0-99/100"),
        ("bytes=99-1000", 206, BODY[99:], "bytes 99-99/100"),
        ("bytes=100-", 416, b"", "bytes */100"),
        ("bytes=9-3", 416, b"", "bytes */100"),
        ("bytes=-0", 416, b"", "bytes */100"),
        ("bytes=0-1,5-6", 200, BODY, None),
        ("lines=0-1", 200, BODY, None),
        ("bytes=-", 200, BODY, None),
        ("bytes=x-y", 200, BODY, None),
        (f"bytes=0-{'9' * 5000}", 200, BODY, None),
    ],
)
def test_blobs_come_in_ranges(client, wanted, status, body, content_range):
    answer = client.get("/blob", headers={"range": wanted})
    assert (answer.status_code, answer.content) == (status, body)
    assert answer.headers.get("content-range") == content_range


def test_a_range_of_another_version_is_the_whole(client):
    headers = {"range": "bytes=0-1", "if-range": '"old"'}
    assert client.get("/blob", headers=headers).status_code == 200
    headers["if-range"] = TAG
    assert client.get("/blob", headers=headers).status_code == 206


def test_a_blob_to_be_saved_says_so(client):
    assert "content-disposition" not in client.get("/blob").headers
    disposition = client.get("/saved").headers["content-disposition"]
    assert disposition == 'attachment; filename="blob.bin"'


def test_blobs_are_kept_for_ever(client):
    answer = client.get("/blob")
    assert "immutable" in answer.headers["cache-control"]
    assert client.get("/blob", headers={"if-none-match": TAG}).status_code == 304


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.5, 1.5), (math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity")],
)
def test_numbers_that_json_lacks_are_spelt(value, expected):
    assert responses.number(value) == expected
