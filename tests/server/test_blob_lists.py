"""Lists of the blobs of many series: whole, continued, unchanged, missing, cut off."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kymograph.asgi import frames
from kymograph.server import blob_lists
from tests import event_files
from tests.event_files import metadata, string_tensor, value
from tests.golden import make_frames
from tests.server.boards import ROOT, BoardClient, served

# The numbers of an address, in their order.
ADDRESS = ("kind", "file", "record_offset", "payload_length", "value_offset", "value_length")


def note(step: int, tag: str = "note", wall_time: float | None = None) -> bytes:
    time = event_files.START + (step if wall_time is None else wall_time)
    return value(
        tag,
        metadata("text", b"\x01\xff", "Note", "what *was*"),
        string_tensor(b"%d" % step),
        step=step,
        wall_time=time,
    )


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    event_files.write(tmp_path / "a", *(note(step) for step in range(3)))
    event_files.write(tmp_path / "b", note(7), note(8, "other"))
    return tmp_path


@pytest.fixture
def client(logdir: Path) -> Iterator[BoardClient]:
    with served(logdir) as client:
        yield client


def listed(client: BoardClient, *series: dict[str, Any], **query: Any) -> tuple[Any, Any]:
    body = {"series": list(series)} | query
    answer = client.post(f"{ROOT}/blobs/list", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == frames.MEDIA_TYPE
    return frames.decode(answer.content)


def addresses(columns: Any) -> list[str]:
    rows = zip(*(columns[name].tolist() for name in ADDRESS), strict=True)
    return ["-".join(f"{int(number):x}" for number in row) for row in rows]


def grow(client: BoardClient, logdir: Path, *events: bytes) -> None:
    path = next((logdir / "a").iterdir())
    event_files.append(path, *events)
    client.board.store.refresh()


A, B = {"run": "a", "tag": "note"}, {"run": "b", "tag": "note", "dashboard": "text"}


def test_many_series_come_one_after_another(client):
    columns, meta = listed(client, B, A)
    store = client.board.store
    assert columns["step"].tolist() == [7, 0, 1, 2]
    assert columns["wall_time"].tolist() == [event_files.START + step for step in (7, 0, 1, 2)]
    assert meta == {
        "instance": client.board.instance,
        "change": store.change,
        "complete": True,
        "series": [
            {
                "series": position,
                "run": run,
                "tag": "note",
                "dashboard": "text",
                "change": store[run].blobs("note").change,
                "generation": store[run].blobs("note").generation,
                "total": count,
                "first": 0,
                "start": start,
                "count": count,
                "plugin": "text",
                "display_name": "Note",
                "description": "what *was*",
                "content": base64.b64encode(b"\x01\xff").decode(),
            }
            for position, run, start, count in ((0, "b", 0, 1), (1, "a", 1, 3))
        ],
        "unchanged": [],
        "missing": [],
    }


def test_addresses_are_those_of_the_list_of_one_tag(client):
    columns, meta = listed(client, A)
    page = client.get(f"{ROOT}/blobs", params=A).json()
    assert addresses(columns) == [blob["address"] for blob in page["blobs"]]
    path = f"{ROOT}/blobs/{meta['instance']}/{addresses(columns)[2]}"
    assert client.get(path, params={"as": "json"}).json()["value"]["strings"] == ["2"]


def test_what_did_not_change_is_only_named(client, logdir):
    _, before = listed(client, A, B)
    grow(client, logdir, note(3))
    since = {"instance": before["instance"], "since": before["change"]}
    columns, meta = listed(client, A, B, **since)
    assert (meta["unchanged"], [one["run"] for one in meta["series"]]) == ([1], ["a"])
    assert columns["step"].tolist() == [0, 1, 2, 3]
    columns, meta = listed(client, A, B, instance=meta["instance"], since=meta["change"])
    assert (meta["unchanged"], meta["series"], len(columns["step"])) == ([0, 1], [], 0)


def test_only_blobs_that_the_client_lacks_are_sent(client, logdir):
    _, before = listed(client, A)
    known = {"generation": before["series"][0]["generation"], "count": 3}
    grow(client, logdir, note(3), note(4))
    columns, meta = listed(client, A | {"known": known})
    (one,) = meta["series"]
    assert (one["first"], one["start"], one["count"], one["total"]) == (3, 0, 2, 5)
    assert columns["step"].tolist() == [3, 4]


def test_what_the_client_has_in_part_is_sent_although_nothing_changed(client):
    _, before = listed(client, A)
    known = {"generation": before["series"][0]["generation"], "count": 1}
    since = {"instance": before["instance"], "since": before["change"]}
    columns, meta = listed(client, A | {"known": known}, **since)
    assert (columns["step"].tolist(), meta["unchanged"]) == ([1, 2], [])
    columns, meta = listed(client, A | {"known": known | {"count": 3}}, **since)
    assert (columns["step"].tolist(), meta["unchanged"]) == ([], [0])


def test_a_restart_that_supersedes_blobs_sends_all_again(client, logdir):
    _, before = listed(client, A)
    known = {"generation": before["series"][0]["generation"], "count": 3}
    restart = [event_files.header(event_files.START + 100), note(1, wall_time=101)]
    second = logdir / "a/events.out.tfevents.1700000100.host.1.1"
    second.write_bytes(b"".join(restart))
    client.board.store.refresh()
    columns, meta = listed(client, A | {"known": known}, since=before["change"])
    assert (meta["series"][0]["first"], columns["step"].tolist()) == (0, [0, 1])


@pytest.mark.parametrize("known", [{"generation": -1, "count": 2}, {"generation": 0, "count": 99}])
def test_knowledge_that_fits_nothing_is_ignored(client, known):
    if known["generation"] == 0:
        known = known | {"generation": client.board.store["a"].blobs("note").generation}
    columns, _ = listed(client, A | {"known": known})
    assert columns["step"].tolist() == [0, 1, 2]


def test_numbers_of_another_start_are_ignored(client):
    known = {"generation": client.board.store["a"].blobs("note").generation, "count": 3}
    columns, meta = listed(client, A | {"known": known}, instance="0" * 16, since=10**6)
    assert (columns["step"].tolist(), meta["unchanged"]) == ([0, 1, 2], [])


def test_what_is_not_there_is_named(client):
    wanted = ({"run": "c", "tag": "note"}, {"run": "a", "tag": "c"}, A | {"dashboard": "images"})
    columns, meta = listed(client, *wanted, B)
    assert meta["missing"] == [
        {"series": 0, "lacks": "run"},
        {"series": 1, "lacks": "tag"},
        {"series": 2, "lacks": "tag"},
    ]
    assert columns["step"].tolist() == [7]


def test_a_long_answer_is_continued(client, monkeypatch):
    monkeypatch.setattr(blob_lists, "_MOST_ROWS", 2)
    columns, meta = listed(client, A, B)
    assert columns["step"].tolist() == [0, 1]
    assert not meta["complete"]
    first, second = meta["series"]
    assert (first["count"], first["total"], second["count"], second["total"]) == (2, 3, 0, 1)
    known = [
        {"known": {"generation": one["generation"], "count": one["first"] + one["count"]}}
        for one in meta["series"]
    ]
    since = {"instance": meta["instance"], "since": meta["change"]}
    columns, meta = listed(client, A | known[0], B | known[1], **since)
    assert (columns["step"].tolist(), meta["complete"]) == ([2, 7], True)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"series": [A] * 5001}, "length <= 5000"),
        ({"series": [A | {"known": {"generation": 1, "count": -1}}]}, "`int` >= 0"),
        ({"series": [A | {"dashboard": "x"}]}, "unknown dashboard `x`"),
        ({"series": [{"run": "a"}]}, "missing required field `tag`"),
        ({}, "missing required field `series`"),
    ],
)
def test_an_invalid_request_gets_a_sentence(client, body, sentence):
    answer = client.post(f"{ROOT}/blobs/list", json=body)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_the_golden_frame_has_the_columns_and_fields_that_are_sent(client):
    """The page's tests read it."""
    columns, meta = listed(client, A)
    assert list(columns) == [name for name, _, _ in make_frames.BLOB_LIST]
    golden = make_frames.BLOB_LIST_META
    assert meta.keys() == golden.keys()
    assert meta["series"][0].keys() == golden["series"][0].keys()  # type: ignore[index]
    msgspec.convert(golden, blob_lists.BlobListMeta)
