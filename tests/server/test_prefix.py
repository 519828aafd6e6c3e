"""A board below a path: inside it everything, outside it nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kymograph.asgi.board import Board
from kymograph.server.app import create_app
from kymograph.server.prefix import normal
from kymograph.store import Store
from tests.asgi.client import Client


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Store(tmp_path) as store:
        board = Board(store)
        yield Client(create_app(board, prefix="/a/b/c/"))
        board.close()


def test_below_the_prefix_is_the_board(client: Client):
    assert client.get("/a/b/c/").status_code == 200
    assert client.get("/a/b/c/mark.svg").status_code == 200
    assert client.get("/a/b/c/api/v1/curation").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/", "/a/b", "/a/b/", "/a/b/cd/", "/api/v1/curation", "/a/b/C/", "/x/a/b/c/", "//a/b/c"],
)
def test_outside_the_prefix_is_nothing(client: Client, path: str):
    for method in ("GET", "POST", "DELETE"):
        answer = client.request(method, path)
        assert answer.status_code == 404
        assert answer.json() == {"error": "this board is served under: `/a/b/c/`"}


@pytest.mark.parametrize(("query", "kept"), [("", ""), ("?x=1&y=%2F", "?x=1&y=%2F")])
def test_prefix_without_its_slash_leads_to_it_whatever_stands_before(
    client: Client, query: str, kept: str
):
    answer = client.get(f"/a/b/c{query}")
    assert answer.status_code == 307
    assert answer.headers["location"] == f"c/{kept}"
    assert client.get(f"/a/b/{answer.headers['location']}").status_code == 200


@pytest.mark.parametrize(
    ("given", "prefix"),
    [
        ("", ""),
        ("/", ""),
        ("/a", "/a"),
        ("a/b/", "/a/b"),
        ("/user/some%20one/", "/user/some one"),
        ("/proxy/6006:x", "/proxy/6006:x"),
        ("/é", "/é"),
    ],
)
def test_prefix_has_one_form(given: str, prefix: str):
    assert normal(given) == prefix


@pytest.mark.parametrize("given", ["/a//b", "/../a", "/a/./b", "/a?x", "/a#x", "/a\nb", "/a\\b"])
def test_what_cannot_be_a_prefix_is_refused(given: str):
    with pytest.raises(ValueError, match="a path prefix must look like `/a/b`"):
        normal(given)


def test_unusual_prefix_leads_to_itself(tmp_path: Path):
    with Store(tmp_path) as store:
        board = Board(store)
        client = Client(create_app(board, prefix="/proxy/6006:x y"))
        location = client.get("/proxy/6006:x y").headers["location"]
        assert location == "6006%3Ax%20y/"
        assert client.get(f"/proxy/{location}").status_code == 200
        board.close()
