"""The built page: what browsers may keep, in which form it comes, and that nothing else comes."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette

from kymograph.asgi import errors
from kymograph.asgi.board import Board
from kymograph.server import static
from kymograph.server.app import create_app
from kymograph.store import Store
from tests.asgi.client import Client

SCRIPT = "console.log('a script that is long enough')\n" * 50


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with Store(tmp_path / "runs") as store:
        board = Board(store)
        yield board
        board.close()


def client_of(folder: Path, board: Board) -> Client:
    app = Starlette(routes=[static.page(folder)], exception_handlers=errors.HANDLERS)
    app.state.board = board
    return Client(app)


@pytest.fixture
def client(tmp_path: Path, board: Board) -> Client:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>x</title>", "utf-8")
    (folder / "mark.svg").write_text("<svg/>", "utf-8")
    (folder / "assets/index-Abc123.js").write_text(SCRIPT, "utf-8")
    (folder / "assets/font-Abc123.woff2").write_bytes(b"wOF2")
    (folder / "assets/what.unheard-of").write_bytes(b"?")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return client_of(folder, board)


def test_index_is_asked_for_each_time_and_sent_only_when_it_changed(client: Client):
    answer = client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.text == client.get("/index.html").text
    again = client.get("/", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/", headers={"If-None-Match": '"older"'}).status_code == 200


@pytest.mark.parametrize(
    ("path", "media_type", "cache_control"),
    [
        ("/mark.svg", "image/svg+xml", "no-cache"),
        ("/assets/index-Abc123.js", "text/javascript; charset=utf-8", "immutable"),
        ("/assets/font-Abc123.woff2", "font/woff2", "immutable"),
        ("/assets/what.unheard-of", "application/octet-stream", "immutable"),
    ],
)
def test_type_and_lifetime_do_not_depend_on_the_system(
    client: Client, path: str, media_type: str, cache_control: str
):
    answer = client.get(path)
    assert answer.headers["content-type"] == media_type
    assert answer.headers["cache-control"].endswith(cache_control)


def test_compressed_only_where_the_client_can_and_it_pays(client: Client):
    url = "/assets/index-Abc123.js"
    small = client.get(url, headers={"Accept-Encoding": "gzip"})
    large = client.get(url, headers={"Accept-Encoding": "identity"})
    assert small.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in large.headers
    assert small.text == large.text == SCRIPT
    assert int(small.headers["content-length"]) < int(large.headers["content-length"])
    assert small.headers["etag"] != large.headers["etag"]
    assert small.headers["vary"] == large.headers["vary"] == "Accept-Encoding"
    font = client.get("/assets/font-Abc123.woff2", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in font.headers


def test_what_the_build_compressed_is_sent_as_it_is_to_clients_that_read_it(
    tmp_path: Path, board: Board
):
    (tmp_path / "static").mkdir()
    (tmp_path / "static/index.html").write_text("<!doctype html><title>x</title>", "utf-8")
    (tmp_path / "static/index.html.br").write_bytes(b"\x06")  # nothing, compressed
    client = client_of(tmp_path / "static", board)
    by_brotli = client.get("/", headers={"Accept-Encoding": "gzip, br"})
    assert by_brotli.headers["content-encoding"] == "br"
    assert by_brotli.headers["content-length"] == "1"
    by_gzip = client.get("/", headers={"Accept-Encoding": "gzip, br;q=0"})
    assert by_gzip.headers["content-encoding"] == "gzip"
    assert by_gzip.headers["etag"] != by_brotli.headers["etag"]
    assert client.get("/index.html.br").status_code == 404


def test_compressed_bytes_are_the_same_each_time():
    asset = static._Asset("a.js", SCRIPT.encode())
    assert gzip.decompress(asset.gzip) == SCRIPT.encode()
    assert asset.gzip == static._Asset("a.js", SCRIPT.encode()).gzip


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/assets/..%5c..%5csecret.txt",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/assets",
        "/assets/",
        "/secret.txt%00.js",
        "/index.html%00",
        "/nothing",
        "/api/v1/nothing",
    ],
)
def test_no_path_leads_elsewhere(client: Client, path: str):
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"].startswith("not found: ")


def test_page_stays_whole_when_its_files_go(client: Client, tmp_path: Path):
    for path in (tmp_path / "static").rglob("*.*"):
        path.unlink()
    assert client.get("/").status_code == 200
    assert client.get("/assets/index-Abc123.js").text == SCRIPT


def test_link_in_the_folder_is_read_as_the_installer_left_it(tmp_path: Path, board: Board):
    """Some installers link files instead of copying them."""
    (tmp_path / "cache.html").write_text("linked", "utf-8")
    (tmp_path / "static").mkdir()
    (tmp_path / "static/index.html").symlink_to(tmp_path / "cache.html")
    assert client_of(tmp_path / "static", board).get("/").text == "linked"


def test_page_that_was_not_built_says_so(tmp_path: Path, board: Board):
    answer = client_of(tmp_path / "none", board).get("/")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/plain")
    assert "does not include the page" in answer.text
    assert "hint: in a git checkout, run `make build`" in answer.text


def test_other_methods_are_refused(client: Client):
    assert client.post("/").status_code == 405
    assert client.request("HEAD", "/").headers["content-type"] == "text/html; charset=utf-8"


def test_built_page_is_served_whole_below_any_path(board: Board):
    for prefix in ("", "/a/b/c"):
        client = Client(create_app(board, prefix=prefix))
        index = client.get(f"{prefix}/")
        assert index.status_code == 200
        named = re.findall(r'(?:src|href)="([^"]+)"', index.text)
        assert len(named) >= 3
        for url in named:
            assert url.startswith("./"), "an absolute address breaks below a proxy's path"
            assert client.get(f"{prefix}/{url}").status_code == 200


def test_all_files_that_are_kept_for_ever_bear_a_hash():
    names = [path.name for path in (static.PAGE / "assets").iterdir()]
    assert names
    assert [name for name in names if not re.search(r"-[\w-]{8}\.\w+(\.br)?$", name)] == []


def test_built_page_has_no_inline_code_and_no_foreign_address():
    html = (static.PAGE / "index.html").read_text("utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", html)
    for path in (static.PAGE / "assets").glob("*.css"):
        assert not re.search(r"url\((?!\./)", path.read_text("utf-8"))
