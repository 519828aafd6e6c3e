"""The routes of curation: what may be set, what comes back, and when nothing does."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from kymograph.asgi import errors
from kymograph.asgi.board import Board
from kymograph.asgi.operations import route
from kymograph.server import curation
from kymograph.store import Store, sidecar
from kymograph.store.sidecar import Sidecar
from tests.asgi.client import Client

URL = "/api/v1/curation"


@pytest.fixture(autouse=True)
def _private_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(sidecar, "_CHECK_SECS", 0.0)


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    logdir = tmp_path / "runs"
    logdir.mkdir()
    return logdir


@pytest.fixture
def client(logdir: Path) -> Iterator[Client]:
    with Store(logdir) as store:
        board = Board(store)
        routes = [route(operation, "/api/v1") for operation in curation.OPERATIONS]
        app = Starlette(routes=routes, exception_handlers=errors.HANDLERS)
        app.state.board = board
        yield Client(app)
        board.close()


def patch(client: Client, *edits: tuple[list[str], Any]) -> httpx.Response:
    body = {"set": [{"key": key, "value": value} for key, value in edits]}
    return client.request("PATCH", URL, json=body)


def test_everything_that_can_be_set_comes_back(client: Client):
    view = {"name": "Losses", "state": {"dashboard": "scalars", "zoom": [0, 10]}}
    note = {"text": "the rate fell", "tag": "loss/train", "run": None, "step": 120}
    answer = patch(
        client,
        (["run", "b", "title"], "baseline"),
        (["run", "b", "hidden"], True),
        (["run", "b", "colour"], "#00ff7f"),
        (["run", "b", "dash"], "dotted"),
        (["run", "b", "note"], "**kept** for the paper"),
        (["run", "b", "pinned"], True),
        (["run", "b", "trashed"], True),
        (["run", "b", "tag", "paper"], True),
        (["run", "a/b", "colour"], "run-3"),
        (["card", "scalars", "loss/train", "pinned"], True),
        (["card", "scalars", "loss/train", "better"], "lower"),
        (["card", "scalars", "acc", "better"], "higher"),
        (["view", "v-1"], view),
        (["note", "n-1"], note),
    )
    assert answer.status_code == 200
    found = client.get(URL).json()
    assert found == answer.json()
    assert found["runs"] == [
        {"name": "a/b", "colour": "run-3"},
        {
            "name": "b",
            "title": "baseline",
            "hidden": True,
            "colour": "#00ff7f",
            "dash": "dotted",
            "note": "**kept** for the paper",
            "pinned": True,
            "trashed": True,
            "tags": ["paper"],
        },
    ]
    assert found["cards"] == [
        {"dashboard": "scalars", "tag": "loss/train", "pinned": True, "better": "lower"},
        {"dashboard": "scalars", "tag": "acc", "pinned": False, "better": "higher"},
    ]
    (saved,) = found["views"]
    assert {name: saved[name] for name in ("id", *view)} == {"id": "v-1", **view}
    assert saved["editor"] == found["editor"]
    (kept,) = found["notes"]
    assert {name: kept[name] for name in ("id", *note)} == {"id": "n-1", **note}
    assert kept["editor"] == found["editor"]
    assert (found["read_only"], found["troubles"]) == (False, [])


def test_null_and_false_delete(client: Client):
    keys = [["run", "a", "hidden"], ["run", "a", "tag", "x"], ["run", "a", "pinned"]]
    patch(client, *[(key, True) for key in keys], (["run", "a", "title"], "x"))
    answer = patch(client, *[(key, False) for key in keys], (["run", "a", "title"], None))
    assert answer.json()["runs"] == []


def test_pins_and_views_come_in_the_order_in_which_they_were_made(client: Client):
    patch(client, (["card", "scalars", "b", "better"], "lower"))
    for tag in "cab":
        patch(client, (["card", "scalars", tag, "pinned"], True))
        patch(client, (["view", tag], {"name": tag, "state": {}}))
        patch(client, (["note", tag], {"text": tag}))
    found = client.get(URL).json()
    assert [card["tag"] for card in found["cards"]] == ["c", "a", "b"]
    assert [view["id"] for view in found["views"]] == ["c", "a", "b"]
    assert [note["id"] for note in found["notes"]] == ["c", "a", "b"]


def test_edits_of_other_servers_come_back_under_another_revision(client: Client, logdir: Path):
    first = client.get(URL)
    unchanged = client.get(URL, headers={"If-None-Match": first.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    Sidecar(logdir, editor="bob@lab").edit({("run", "a", "title"): "his"})
    second = client.get(URL, headers={"If-None-Match": first.headers["etag"]})
    assert second.status_code == 200
    assert second.json()["runs"] == [{"name": "a", "title": "his"}]
    assert second.json()["revision"] != first.json()["revision"]


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        (["run", "a", "title"], "", "`title`: expected `str` of length >= 1"),
        (["run", "a", "title"], "x" * 201, "`title`: expected `str` of length <= 200"),
        (["run", "a", "title"], 3, "`title`: expected `str`, got `int`"),
        (["run", "a", "hidden"], 1, "`hidden`: expected `bool`, got `int`"),
        (["run", "a", "colour"], "#FFF", "`colour`: expected `str` matching"),
        (["run", "a", "colour"], "#ffffff\n", "`colour`: expected `str` matching"),
        (["run", "a", "colour"], "red; x:url(//e)", "`colour`: expected `str` matching"),
        (["run", "a", "dash"], "wavy", "`dash`: invalid enum value 'wavy'"),
        (["run", "a", "note"], "x" * 20_001, "`note`: expected `str` of length <= 20000"),
        (["run", "a", "trashed"], "yes", "`trashed`: expected `bool`, got `str`"),
        (["card", "scalars", "a", "better"], "more", "`better`: invalid enum value 'more'"),
        (["card", "scalars", "a", "better"], True, "`better`: expected `str`, got `bool`"),
        (["note", "n"], {"text": ""}, "`note`: expected `str` of length >= 1"),
        (["note", "n"], {"text": "x", "colour": 1}, "`note`: object contains unknown field"),
        (["note", "n"], {"text": "x", "step": "1"}, "`note`: expected `float | null`, got `str`"),
        (["note", "n n"], {"text": "x"}, "id of a note: expected `str` matching"),
        (["run", "a", "tag", ""], True, "tag of a run: expected `str` of length >= 1"),
        (["run", "x" * 4097, "title"], "x", "run: expected `str` of length <= 4096"),
        (["run", "a", "owner"], "x", 'unknown key: ["run","a","owner"]'),
        (["card", "nothing", "loss", "pinned"], True, "unknown key"),
        (["card", "scalars", "loss", "big"], True, "unknown key"),
        (["view", "../x"], {"name": "x", "state": {}}, "id of a view: expected `str` matching"),
        (["view", "x"], {"name": "x"}, "`view`: object missing required field `state`"),
        (["view", "x"], {"name": "x", "state": {"x": "y" * 66_000}}, "limited to 65536 bytes"),
        (["view", "x"], {"name": "x", "state": {}, "y": 1}, "`view`: object contains unknown"),
        (["run"], "x", "length >= 2"),
        (["run", "a", "b", "c", "d"], "x", "length <= 4"),
    ],
)
def test_what_may_not_be_set_is_refused_and_nothing_else_is_set(
    client: Client, key: list[str], value: object, sentence: str
):
    answer = patch(client, (["run", "fine", "title"], "fine"), (key, value))
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]
    assert client.get(URL).json()["runs"] == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b'{"set":[{"key":["run","a","title"]}]}',
        b'{"set":[],"unset":[]}',
        b'{"set":[{"key":["run","a\xff","title"],"value":"x"}]}',
        b'{"set":[{"key":["view","a"],"value":' + b"[" * 100_000 + b"]" * 100_000 + b"}]}",
        b'{"set":[{"key":["view","a"],"value":{"name":"x","state":{"x":NaN}}}]}',
        json.dumps({"set": [{"key": ["run", "a", "title"], "value": "x"}] * 10_001}).encode(),
    ],
)
def test_bodies_that_are_no_edits_are_refused(client: Client, body: bytes):
    headers = {"Content-Type": "application/json"}
    answer = client.request("PATCH", URL, content=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_what_a_newer_version_or_a_hand_wrote_is_kept_but_not_shown(client: Client, logdir: Path):
    editor = client.get(URL).json()["editor"]
    by_hand = {
        ("run", "a", "mood"): "good",
        ("run", "a", "colour"): "javascript:",
        ("run", "a", "title"): "fine",
        ("world",): 1,
    }
    Sidecar(logdir, editor=editor).edit(by_hand)
    assert client.get(URL).json()["runs"] == [{"name": "a", "title": "fine"}]
    patch(client, (["run", "b", "title"], "x"))
    items = Sidecar(logdir, editor=editor).snapshot().items
    assert {key: items[key].value for key in by_hand} == by_hand


def test_logdir_that_cannot_be_edited_is_reported(client: Client, logdir: Path, tmp_path: Path):
    (logdir / ".kymograph").write_text("in the way", "utf-8")
    found = patch(client, (["run", "a", "title"], "x")).json()
    assert found["read_only"]
    assert found["folder"].startswith(str(tmp_path / "state"))
    assert found["troubles"][0].startswith("edits are not saved in the logdir")
    assert found["runs"] == [{"name": "a", "title": "x"}]


def test_edit_that_cannot_be_saved_is_reported(client: Client, logdir: Path, tmp_path: Path):
    (logdir / ".kymograph").write_text("in the way", "utf-8")
    (tmp_path / "state").write_text("in the way", "utf-8")
    answer = patch(client, (["run", "a", "title"], "x"))
    assert answer.status_code == 507
    assert answer.json()["error"].startswith("the edit cannot be saved: ")


def test_script_in_names_comes_back_as_it_is_and_as_json(client: Client):
    name = "</script><script>alert(1)</script>"
    answer = patch(client, (["run", name, "title"], name))
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["runs"] == [{"name": name, "title": name}]
