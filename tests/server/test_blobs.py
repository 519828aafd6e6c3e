"""Blobs: their list, and their bytes in every form, in ranges, kept, gone and forged."""

import base64
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import kymograph
from kymograph.asgi import frames
from kymograph.errors import BlobUnreadableError, QueryError, UnknownBlobError
from kymograph.server.blobs import BlobQuery, read
from kymograph.store import DASHBOARDS
from tests import event_files
from tests.event_files import double_tensor, metadata, string_tensor, value
from tests.golden import wire
from tests.server.boards import ROOT, BoardClient, served

GOLDEN = Path(__file__).parents[1] / "golden/logdirs"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(100))
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"
WAV = b"RIFF\x10\0\0\0WAVEfmt "
AUDIO = wire.message(6, wire.single(1, 8000.0), wire.message(4, WAV), wire.text(5, "text/html"))
NAN, INF = float("nan"), float("inf")
FORMS: tuple[Literal["raw", "item", "json", "frame", "npy"], ...] = (
    "raw",
    "item",
    "json",
    "frame",
    "npy",
)


def half_tensor(*bits: int) -> bytes:
    """Of type float16, which frames do not have."""
    shape = wire.message(2, wire.message(2, wire.integer(1, len(bits))))
    content = b"".join(bit.to_bytes(2, "little") for bit in bits)
    return wire.message(8, wire.integer(1, 19), shape, wire.message(4, content))


def complex_tensor(*numbers: complex) -> bytes:
    shape = wire.message(2, wire.message(2, wire.integer(1, len(numbers))))
    content = np.array(numbers, "<c16").tobytes()
    return wire.message(8, wire.integer(1, 18), shape, wire.message(4, content))


EVENTS = [
    value("image", string_tensor(b"3", b"2", PNG, SVG), metadata("images"), step=1),
    value("clip", AUDIO, step=2),
    value(
        "weights",
        metadata("histograms"),
        double_tensor(-INF, 1.0, 5.0, 1.0, 2.0, 7.0, shape=[2, 3]),
        step=3,
    ),
    value("note", metadata("text"), string_tensor("né".encode(), b"\xff", shape=[2, 1]), step=4),
    value(
        "cube", metadata("mine", b"\x01\xff"), double_tensor(1.5, NAN, INF, shape=[3, 1]), step=5
    ),
    value("big", metadata("mine"), double_tensor(*range(10_001), shape=[10_001]), step=6),
    value("deep", metadata("mine"), double_tensor(1.5, shape=[1] * 65), step=6),
    value("half", metadata("mine"), half_tensor(0x3C00, 0xC000), step=7),
    value("complex", metadata("mine"), complex_tensor(1 + 2j, complex(NAN, -1)), step=8),
    value("plan", metadata("hparams", b"\x12\x00", "Plan", "what"), step=9),
    event_files.event(wire.message(4, b"\x0a\x03\x0a\x01x"), step=0),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    event_files.write(logdir / "run", *EVENTS)
    with served(logdir) as client:
        yield client


def listed(client: BoardClient, tag: str, **query: Any) -> dict[str, Any]:
    answer = client.get(f"{ROOT}/blobs", params={"run": "run", "tag": tag} | query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def path_of(client: BoardClient, tag: str) -> str:
    answer = listed(client, tag)
    return f"{ROOT}/blobs/{answer['instance']}/{answer['blobs'][0]['address']}"


def decoded(client: BoardClient, tag: str) -> Any:
    answer = client.get(path_of(client, tag), params={"as": "json"})
    assert answer.headers["content-type"] == "application/json"
    return answer.json()["value"]


def framed(client: BoardClient, tag: str) -> tuple[dict[str, Any], dict[str, Any]]:
    answer = client.get(path_of(client, tag), params={"as": "frame"})
    assert answer.headers["content-type"] == frames.MEDIA_TYPE
    return frames.decode(answer.content)


def test_the_list_has_the_address_of_each_blob(client):
    answer = listed(client, "cube")
    address = answer["blobs"][0]["address"]
    assert answer == {
        "change": client.board.store.change,
        "instance": client.board.instance,
        "dashboard": "tensors",
        "generation": client.board.store["run"].blobs("cube").generation,
        "total": 1,
        "next": None,
        "plugin": "mine",
        "display_name": "",
        "description": "",
        "content": base64.b64encode(b"\x01\xff").decode(),
        "blobs": [{"step": 5, "wall_time": event_files.START + 5, "address": address}],
    }


def test_blobs_of_no_plugin_are_of_their_dashboards(client):
    assert listed(client, "clip")["plugin"] == listed(client, "clip")["dashboard"] == "audio"


def test_raw_bytes_are_those_of_the_file(client):
    answer = client.get(path_of(client, "clip"))
    assert answer.content == wire.text(1, "clip") + AUDIO
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("tag", "item", "data", "media_type"),
    [
        ("image", 0, PNG, "image/png"),
        # Script in a picture, and a type that the file only claims, are not let near a page.
        ("image", 1, SVG, "application/octet-stream"),
        ("clip", 0, WAV, "audio/wav"),
        ("__run_graph__", 0, b"\x0a\x03\x0a\x01x", "application/octet-stream"),
    ],
)
def test_items_have_the_type_found_in_their_bytes(client, tag, item, data, media_type):
    answer = client.get(path_of(client, tag), params={"as": "item", "item": item})
    assert (answer.content, answer.headers["content-type"]) == (data, media_type)
    is_saved = "content-disposition" in answer.headers
    assert is_saved == (media_type == "application/octet-stream")
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (
            "image",
            {
                "kind": "images",
                "width": 3,
                "height": 2,
                "items": [
                    {"content_type": "image/png", "bytes": len(PNG)},
                    {"content_type": "application/octet-stream", "bytes": len(SVG)},
                ],
            },
        ),
        (
            "clip",
            {
                "kind": "audio",
                "sample_rate": 8000.0,
                "items": [{"content_type": "audio/wav", "bytes": len(WAV)}],
            },
        ),
        (
            "weights",
            {"kind": "histogram", "buckets": [["-Infinity", 1.0, 5.0], [1.0, 2.0, 7.0]]},
        ),
        ("note", {"kind": "text", "shape": [2, 1], "strings": ["né", "\ufffd"]}),
        (
            "cube",
            {
                "kind": "tensor",
                "dtype": "float64",
                "shape": [3, 1],
                "values": [1.5, "NaN", "Infinity"],
            },
        ),
        ("big", {"kind": "tensor", "dtype": "float64", "shape": [10_001], "values": None}),
        ("deep", {"kind": "tensor", "dtype": "float64", "shape": [1] * 65, "values": [1.5]}),
        (
            "complex",
            {
                "kind": "tensor",
                "dtype": "complex128",
                "shape": [2],
                "values": [[1.0, 2.0], ["NaN", -1.0]],
            },
        ),
        (
            "plan",
            {
                "kind": "metadata",
                "plugin": "hparams",
                "display_name": "Plan",
                "description": "what",
                "content": base64.b64encode(b"\x12\x00").decode(),
            },
        ),
        ("__run_graph__", {"kind": "graph", "bytes": 5}),
    ],
)
def test_json_has_what_was_logged(client, tag, expected):
    assert decoded(client, tag) == expected


def test_frames_have_what_was_logged(client):
    columns, meta = framed(client, "weights")
    assert meta == {"kind": "histogram"}
    assert {name: column.tolist() for name, column in columns.items()} == {
        "left": [-INF, 1.0],
        "right": [1.0, 2.0],
        "count": [5.0, 7.0],
    }
    columns, meta = framed(client, "cube")
    assert meta == {"kind": "tensor", "dtype": "float64", "shape": [3, 1]}
    np.testing.assert_array_equal(columns["values"], [1.5, NAN, INF])
    columns, meta = framed(client, "big")
    assert columns["values"].tolist() == list(range(10_001))
    columns, meta = framed(client, "half")
    assert (meta["dtype"], columns["values"].dtype) == ("float16", np.float32)
    assert columns["values"].tolist() == [1.0, -2.0]
    columns, meta = framed(client, "complex")
    np.testing.assert_array_equal(columns["real"], [1.0, NAN])
    assert columns["imaginary"].tolist() == [2.0, -1.0]


@pytest.mark.parametrize(
    ("tag", "query", "status", "sentence"),
    [
        ("note", {"as": "item"}, 400, "only images, clips and graphs have items"),
        ("image", {"as": "frame"}, 400, "only histograms and tensors are available as a frame"),
        ("image", {"as": "item", "item": 2}, 404, "there is no item 2: this blob has 2 items"),
        ("image", {"as": "item", "item": -1}, 400, "`int` >= 0"),
        ("image", {"as": "html"}, 400, "invalid enum value 'html'"),
        ("image", {"form": "raw"}, 400, "unknown field `form`"),
    ],
)
def test_what_a_blob_is_not_gets_a_sentence(client, tag, query, status, sentence):
    answer = client.get(path_of(client, tag), params=query)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        ({"run": "run", "tag": "no"}, 404, "run `run` has no blobs with the tag: 'no'"),
        ({"run": "../run", "tag": "note"}, 404, "no such run: '../run'"),
        ({"run": "run", "tag": "note", "dashboard": "images"}, 404, "has no blobs"),
        ({"run": "run", "tag": "note", "dashboard": "x"}, 400, "unknown dashboard `x`"),
        ({"run": "run"}, 400, "missing required field `tag`"),
        ({"run": "run", "tag": "note", "after": "x"}, 400, "`after` is not a `next` value"),
    ],
)
def test_what_has_no_blobs_gets_a_sentence(client, query, status, sentence):
    answer = client.get(f"{ROOT}/blobs", params=query)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]


# --- kept, and in parts ---


def test_bytes_come_in_ranges(client):
    path = path_of(client, "image") + "?as=item"
    answer = client.get(path, headers={"range": "bytes=1-3"})
    assert (answer.status_code, answer.content) == (206, b"PNG")
    assert answer.headers["content-range"] == f"bytes 1-3/{len(PNG)}"
    assert answer.headers["content-type"] == "image/png"
    assert client.get(path, headers={"range": f"bytes={len(PNG)}-"}).status_code == 416
    head = client.request("HEAD", path)
    assert (head.status_code, head.headers["content-length"]) == (200, str(len(PNG)))


def test_bytes_are_kept_for_ever(client):
    path = path_of(client, "image")
    tags = set()
    for query in ("", "?as=item", "?as=item&item=1", "?as=json"):
        answer = client.get(path + query)
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
        tags.add(answer.headers["etag"])
        again = client.get(path + query, headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert "immutable" in again.headers["cache-control"]
    assert len(tags) == 4


def test_the_list_is_kept_while_nothing_changes(client):
    query = {"run": "run", "tag": "note"}
    first = client.get(f"{ROOT}/blobs", params=query)
    headers = {"if-none-match": first.headers["etag"]}
    assert client.get(f"{ROOT}/blobs", params=query, headers=headers).status_code == 304


# --- pages ---


def steps(answer: dict[str, Any]) -> list[int]:
    return [blob["step"] for blob in answer["blobs"]]


def test_paging_continues_while_blobs_are_added(tmp_path: Path):
    def note(step: int) -> bytes:
        return value("note", metadata("text"), string_tensor(b"x"), step=step)

    path = event_files.write(tmp_path / "run", *(note(step) for step in range(5)))
    with served(tmp_path) as client:
        first = listed(client, "note", limit=2)
        assert (steps(first), first["total"]) == ([0, 1], 5)
        event_files.append(path, note(5))
        client.board.store.refresh()
        second = listed(client, "note", limit=3, after=first["next"])
        assert (steps(second), second["total"]) == ([2, 3, 4], 6)
        third = listed(client, "note", limit=3, after=second["next"])
        assert (steps(third), third["next"]) == ([5], None)


def test_paging_continues_after_the_last_blob_when_a_restart_moves_the_rest(tmp_path: Path):
    def note(step: int, wall_time: float) -> bytes:
        return value(
            "note",
            metadata("text"),
            string_tensor(b"x"),
            step=step,
            wall_time=event_files.START + wall_time,
        )

    event_files.write(tmp_path / "run", *(note(step, step) for step in range(6)))
    with served(tmp_path) as client:
        first = listed(client, "note", limit=2)
        later = listed(client, "note", limit=5)
        restart = [event_files.header(event_files.START + 100), note(3, 103), note(4, 104)]
        second_file = tmp_path / "run/events.out.tfevents.1700000100.host.1.1"
        second_file.write_bytes(b"".join(restart))
        client.board.store.refresh()
        second = listed(client, "note", limit=9, after=first["next"])
        assert second["generation"] != first["generation"]
        assert steps(second) == [2, 3, 4]
        # The blob of step 4 that this page ended with is superseded.
        query = {"run": "run", "tag": "note", "after": later["next"]}
        gone = client.get(f"{ROOT}/blobs", params=query)
        assert gone.status_code == 410
        assert "start again" in gone.json()["error"]


# --- gone, foreign, forged ---


def test_the_address_of_another_start_is_gone(client):
    address = path_of(client, "note").rpartition("/")[2]
    answer = client.get(f"{ROOT}/blobs/{'0' * 16}/{address}")
    assert answer.status_code == 410
    assert "before a restart" in answer.json()["error"]


def test_a_blob_whose_file_changed_is_gone(tmp_path: Path):
    path = event_files.write(tmp_path / "run", *EVENTS)
    with served(tmp_path) as client:
        image, note = path_of(client, "image"), path_of(client, "note")
        data = bytearray(path.read_bytes())
        data[data.index(b"PNG")] ^= 0xFF
        path.write_bytes(data)
        answer = client.get(image)
        assert answer.status_code == 410
        assert answer.json()["error"]
        assert client.get(note).status_code == 200
        path.unlink()
        assert client.get(note).status_code == 410


@pytest.mark.parametrize(
    "address",
    [
        "x",
        "-",
        "0",
        "../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "0-0-0-0-0-0",
        "2-0-0-ffffffff-0-ffffffff",
        "2-ffffffff-0-0-0-0",
        "2-0-ffffffffffffffff-ffffffff-ffffffff-ffffffff",
        "ff-0-0-0-0-0",
        "2-0-0-0-0-0%0d%0aX-Evil:%201",
        '2-0-0-0-0-0"',
        "%ff%fe",
        "2-0-0-0-0-0%00",
    ],
)
def test_a_forged_address_leads_nowhere(client, address):
    for form in FORMS:
        path = f"{ROOT}/blobs/{client.board.instance}/{address}?as={form}"
        answer = client.get(path)
        assert answer.status_code in (400, 404, 410)
        assert answer.json()["error"]
        assert "x-evil" not in answer.headers


@pytest.mark.parametrize("logdir", sorted(GOLDEN.iterdir()), ids=lambda path: path.name)
def test_every_golden_blob_comes_in_every_form_and_is_never_a_fault(logdir: Path):
    """Also where the address is changed to say that the blob is of another dashboard."""
    store = kymograph.open(logdir)
    every = [blobs for run in store.runs.values() for blobs in run.all_blobs()]
    for address in (address for blobs in every for address in blobs.addresses()):
        assert read(store, address, BlobQuery("raw"))[0]
        assert read(store, address, BlobQuery("json"))[0]
        _kind, _, rest = address.partition("-")
        for kind in range(2 * len(DASHBOARDS)):
            for query in map(BlobQuery, FORMS):
                with contextlib.suppress(QueryError, BlobUnreadableError, UnknownBlobError):
                    read(store, f"{kind:x}-{rest}", query)
