"""The whole board behind reverse proxies, below `/a/b/c/`, with the path stripped and as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

import httpx
import numpy as np
import pytest

import kymograph
from kymograph.asgi.board import Board
from kymograph.asgi.security import Access
from kymograph.server import sockets
from kymograph.server.serving import Serving
from kymograph.store import Store
from tests.server.proxy import MOUNT, Proxy

TOKEN = "a-token-of-this-test-only"


@dataclass(frozen=True)
class Behind:
    """A board behind a proxy."""

    url: str
    client: httpx.Client
    logdir: Path

    def get(self, path: str, **options: object) -> httpx.Response:
        """Asks below the page's address, as the page itself does."""
        return self.client.get(urljoin(self.url, path), **options)  # type: ignore[arg-type]


def write(logdir: Path, run: str) -> None:
    with kymograph.SummaryWriter(logdir / run) as writer:
        writer.add_scalar("loss", 0.5, 0)
        writer.add_image("noise", np.zeros((3, 8, 8), np.uint8), 0)


@pytest.fixture(params=["stripping", "stripping, own host", "as it is", "as it is, own host"])
def proxy_options(request: pytest.FixtureRequest) -> dict[str, bool]:
    return {"strips": "stripping" in request.param, "keeps_host": "own host" not in request.param}


def behind(
    tmp_path: Path, options: dict[str, bool], access: Access | None = None
) -> Iterator[Behind]:
    logdir = tmp_path / "runs"
    write(logdir, "first")
    prefix = "" if options["strips"] else MOUNT
    listening = sockets.tcp("127.0.0.1", 0)
    assert listening.port is not None
    with (
        Serving(Board(Store(logdir, follow=True)), listening, access, prefix=prefix) as serving,
        Proxy(listening.port, **options) as proxy,
        httpx.Client(timeout=60) as client,
    ):
        serving.board.store.wait()
        yield Behind(proxy.url, client, logdir)


@pytest.fixture
def board(
    tmp_path: Path, proxy_options: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Behind]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield from behind(tmp_path, proxy_options)


@pytest.fixture
def locked_board(tmp_path: Path, proxy_options: dict[str, bool]) -> Iterator[Behind]:
    yield from behind(tmp_path, proxy_options, Access(auth="token", token=TOKEN))


def test_page_and_all_its_files_come_through(board: Behind):
    page = board.get("")
    assert page.status_code == 200
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(named) >= 3
    for url in named:
        answer = board.get(url)
        assert (answer.status_code, answer.headers.get("content-encoding")) in {
            (200, "gzip"),
            (200, None),
        }
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_address_without_its_last_slash_leads_to_the_page(board: Behind):
    answer = board.client.get(board.url.removesuffix("/"), follow_redirects=True)
    assert answer.status_code == 200
    assert str(answer.url) == board.url


def test_outside_the_mount_is_nothing(board: Behind):
    root = board.url.removesuffix(f"{MOUNT}/")
    for path in ("/", "/a/b/", "/api/v1/status", "/a/b/cd/"):
        assert board.client.get(root + path).status_code == 404


def test_api_and_its_description_come_through(board: Behind):
    assert board.get("api/v1/status").json()["runs"] == 1
    assert board.get("api/v1/runs").json()["runs"][0]["name"] == "first"
    described = board.get("api/v1/openapi.json")
    server = urljoin(str(described.url), described.json()["servers"][0]["url"])
    for path in ("/status", "/runs", "/curation"):
        assert path in described.json()["paths"]
        assert board.client.get(server.rstrip("/") + path).status_code == 200


def test_edits_come_through_and_those_of_other_sites_do_not(board: Behind):
    url = urljoin(board.url, "api/v1/curation")
    body = {"set": [{"key": ["run", "first", "title"], "value": "renamed"}]}
    own = {"Origin": board.url.removesuffix(f"{MOUNT}/"), "Sec-Fetch-Site": "same-origin"}
    assert board.client.patch(url, json=body, headers=own).status_code == 200
    # A browser that is too old to say where a request comes from sends the origin alone.
    assert board.client.patch(url, json=body, headers={"Origin": own["Origin"]}).status_code == 200
    foreign = {"Origin": "http://elsewhere.example"}
    assert board.client.patch(url, json=body, headers=foreign).status_code == 403
    assert board.get("api/v1/curation").json()["runs"] == [{"name": "first", "title": "renamed"}]


def test_blob_comes_through_whole_in_part_and_not_at_all_when_it_is_known(board: Behind):
    listed = board.get(
        "api/v1/blobs", params={"dashboard": "images", "run": "first", "tag": "noise"}
    ).json()
    instance = board.get("api/v1/status").json()["instance"]
    path = f"api/v1/blobs/{instance}/{listed['blobs'][0]['address']}"
    whole = board.get(path)
    assert whole.status_code == 200
    part = board.get(path, headers={"Range": "bytes=0-7"})
    assert (part.status_code, part.content) == (206, whole.content[:8])
    known = board.get(path, headers={"If-None-Match": whole.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


def events(answer: httpx.Response) -> Iterator[tuple[str, dict[str, object]]]:
    name = ""
    for line in answer.iter_lines():
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


def test_events_come_through_as_they_happen_and_resume(board: Behind):
    url = urljoin(board.url, "api/v1/live")
    with board.client.stream("GET", url) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        stream = events(answer)
        name, hello = next(stream)
        assert name == "hello"
        write(board.logdir, "second")
        assert any(name == "change" and "second" in data["runs"] for name, data in stream)  # type: ignore[operator]
    # The change is sent again to clients that did not receive it.
    last = f"{hello['instance']}.{hello['change']}"
    with board.client.stream("GET", url, params={"last": last}) as answer:
        changes = (data for name, data in events(answer) if name == "change")
        assert "second" in next(changes)["runs"]  # type: ignore[operator]


def test_login_comes_through_and_holds_for_everything_below(locked_board: Behind):
    board = locked_board
    refused = board.get("", headers={"Accept": "text/html"})
    assert refused.status_code == 401
    assert "Token" in refused.text
    assert board.get("api/v1/status").status_code == 401
    welcome = board.get(f"?token={TOKEN}")
    assert welcome.status_code == 303
    landed = urljoin(str(welcome.url), welcome.headers["location"])
    assert landed == board.url
    assert board.client.get(landed).status_code == 200
    assert board.get("mark.svg").status_code == 200
    assert board.get("api/v1/status").status_code == 200
    with board.client.stream("GET", urljoin(board.url, "api/v1/live")) as answer:
        assert next(events(answer))[0] == "hello"
