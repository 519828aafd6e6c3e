"""Nothing in a request leads to a file that is not served."""

from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from kymograph.server.serving import Serving
from tests import event_files
from tests.event_files import metadata, string_tensor, value
from tests.server.security.conftest import DESCRIPTION, SECRET, exchange, start, until
from tests.server.wire import Answer, get

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
        # A name that was never logged has no data; it is never looked for on the disk.
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
        asked = {"run": "run", "tag": "note"}
        until(lambda: client.get(url, params=asked).status_code == 200)
        found = client.get(url, params=asked).json()
        address_ = found["blobs"][0]["address"]
        outside = tmp_path / "outside"
        outside.write_bytes(file.read_bytes().replace(b"mine!", SECRET.encode()[:5]))
        file.unlink()
        file.symlink_to(outside)
        answer = client.get(f"{url}/{found['instance']}/{address_}")
        assert answer.status_code == 410
        assert SECRET[:5] not in answer.text
