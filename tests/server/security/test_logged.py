"""Script in whatever was logged comes back as data that nothing runs."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from kymograph.store.hparam_messages import EXPERIMENT, SESSION_END, SESSION_START
from tests import event_files
from tests.event_files import metadata, value
from tests.server.boards import ROOT, served
from tests.server.security.conftest import MARKDOWN, NAMES, SCRIPT

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


@pytest.mark.parametrize("tag", [SESSION_START, SESSION_END, EXPERIMENT])
@pytest.mark.parametrize(
    "content",
    [
        b"\xff" * (1 << 20),  # a key that does not end
        b"\x1a" + b"\xff" * (1 << 20),  # a length that does not end
        b"\x08" + b"\xff" * 10 + b"\x01",  # a number beyond 64 bits
        b"\x1a\x80\x80\x80\x7f",  # longer than what is there
    ],
    ids=["key", "length", "number", "short"],
)
def test_hyper_parameters_that_are_no_message_hold_up_no_list(
    tmp_path: Path, tag: str, content: bytes
):
    event_files.write(tmp_path / "bad", value(tag, metadata("hparams", content), step=0))
    event_files.write(tmp_path / "good", event_files.scalar("loss", 0, 1.0))
    with served(tmp_path) as board:
        runs = board.get(f"{ROOT}/runs").json()["runs"]
        assert [run["name"] for run in runs] == ["bad", "good"]
        assert board.get(f"{ROOT}/hparams").json()["runs"] == []
        for route in ("experiment", "session_groups"):
            answer = board.post(f"/data/plugin/hparams/{route}", json={})
            assert answer.status_code < 500


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
        data = next(line for line in lines if line.startswith("data: "))
    assert {name.replace("/", "\\") for name in NAMES} <= set(json.loads(data[6:])["runs"])
    assert "event: reset" not in seen
