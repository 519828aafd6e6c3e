"""Tensors: their statistics, windows of their values, and their files, whatever their type."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from kymograph.asgi import frames
from kymograph.dashboards import tensors
from kymograph.errors import BlobUnreadableError
from tests import event_files
from tests.event_files import metadata, string_tensor, value
from tests.golden import wire
from tests.server.boards import ROOT, BoardClient, served

NAN, INF = math.nan, math.inf
BFLOAT16 = 14


def tensor(dtype: int, content: bytes, shape: Sequence[int]) -> bytes:
    dims = b"".join(wire.message(2, wire.integer(1, size)) for size in shape)
    parts = [wire.integer(1, dtype), wire.message(2, dims)]
    return wire.message(8, *parts, *([wire.message(4, content)] if content else []))


def array(dtype: int, numbers: Any, kind: str) -> bytes:
    found = np.asarray(numbers, kind)
    return tensor(dtype, found.tobytes(), found.shape)


CUBE = np.arange(24, dtype="<f4").reshape(2, 3, 4)
VALUES: dict[str, bytes] = {
    "cube": array(1, CUBE, "<f4"),
    "single": array(2, 2.5, "<f8"),
    "list": array(9, [1, -(2**60), 3], "<i8"),
    "unsigned": array(23, [2**64 - 1], "<u8"),
    "odd": array(2, [[1.5, NAN, INF], [-INF, 0.0, -0.5]], "<f8"),
    "bfloat16": tensor(BFLOAT16, bytes([0x80, 0x3F, 0x00, 0xC0]), [2]),
    "half": array(19, [1.0, -2.0], "<f2"),
    "complex": array(8, [3 - 4j, complex(NAN, 1)], "<c8"),
    "bool": array(10, [[True, False, True]], "|b1"),
    "strings": string_tensor(b"a", "né".encode(), b"\xff", b"x" * 3000, shape=[2, 2]),
    "empty": tensor(1, b"", [0, 3]),
    "zeros": tensor(1, b"", [2, 2]),
    "repeated": tensor(2, np.array([1.0, 3.0]).tobytes(), [2**40]),
    "rank 65": tensor(1, np.float32(7).tobytes(), [1] * 65),
    "strings of rank 65": string_tensor(b"deep", shape=[1] * 65),
    "misfit": tensor(1, bytes(12), [2]),
    "beyond memory": tensor(1, bytes(4), [2**40, 2**40]),
    "unknown type": tensor(20, b"", [1]),
    "no value": b"",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    events = [
        value(tag, metadata("mine"), body, step=step)
        for step, (tag, body) in enumerate(VALUES.items())
    ]
    event_files.write(logdir / "run", *events)
    with served(logdir) as client:
        yield client


def address_of(client: BoardClient, tag: str) -> str:
    return client.board.store["run"].blobs(tag, "tensors")[0].address


def described(client: BoardClient, *addresses: str) -> list[dict[str, Any]]:
    body = {"instance": client.board.instance, "addresses": list(addresses)}
    answer = client.post(f"{ROOT}/tensors/describe", json=body)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["tensors"]
    return found


def values(client: BoardClient, tag: str, **query: Any) -> Any:
    path = f"{ROOT}/tensors/{client.board.instance}/{address_of(client, tag)}/values"
    return client.get(path, params=query)


# --- what kind each is ---


@pytest.mark.parametrize(
    ("tag", "dtype", "shape", "elements"),
    [
        ("cube", "float32", [2, 3, 4], 24),
        ("single", "float64", [], 1),
        ("list", "int64", [3], 3),
        ("bfloat16", "bfloat16", [2], 2),
        ("half", "float16", [2], 2),
        ("complex", "complex64", [2], 2),
        ("bool", "bool", [1, 3], 3),
        ("strings", "string", [2, 2], 4),
        ("empty", "float32", [0, 3], 0),
        ("repeated", "float64", [2**40], 2**40),
        ("rank 65", "float32", [1] * 65, 1),
    ],
)
def test_type_and_shape_are_those_that_were_logged(client, tag, dtype, shape, elements):
    (found,) = described(client, address_of(client, tag))
    assert found["error"] is None
    assert (found["dtype"], found["shape"], found["elements"]) == (dtype, shape, elements)


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("cube", {"min": 0.0, "max": 23.0, "mean": 11.5, "finite": 24, "zeros": 1}),
        ("odd", {"min": -0.5, "max": 1.5, "finite": 3, "nan": 1, "zeros": 1}),
        ("odd", {"positive_infinities": 1, "negative_infinities": 1}),
        ("bfloat16", {"min": -2.0, "max": 1.0, "mean": -0.5, "std": 1.5}),
        ("half", {"min": -2.0, "max": 1.0}),
        ("complex", {"min": 5.0, "max": 5.0, "finite": 1, "nan": 1}),
        ("bool", {"min": 0.0, "max": 1.0, "finite": 3, "zeros": 1}),
        ("empty", {"min": None, "max": None, "mean": None, "std": None, "finite": 0}),
        ("zeros", {"min": 0.0, "max": 0.0, "finite": 4, "zeros": 4}),
        ("repeated", {"min": 1.0, "max": 3.0, "finite": 2**40}),
    ],
)
def test_statistics_are_of_finite_numbers_and_count_the_others(client, tag, expected):
    (found,) = described(client, address_of(client, tag))
    statistics = found["statistics"]
    assert {name: statistics[name] for name in expected} == expected


def test_the_standard_deviation_is_that_of_numpy(client):
    (found,) = described(client, address_of(client, "cube"))
    assert found["statistics"]["std"] == pytest.approx(CUBE.astype(np.float64).std(), rel=1e-12)


def test_strings_are_shown_from_their_beginning(client):
    (found,) = described(client, address_of(client, "strings"))
    assert found["statistics"] is None
    assert found["strings"] == ["a", "né", "\ufffd", "x" * 1000 + "…"]


def test_what_is_no_tensor_gets_a_sentence_and_the_rest_is_described(client):
    tags = ("misfit", "beyond memory", "unknown type", "no value", "single")
    *wrong, right = described(client, *(address_of(client, tag) for tag in tags))
    assert [one["error"] for one in wrong] == [
        "the elements do not fit the shape",
        "the shape is too large",
        "elements of data type 20 cannot be read",
        "the value is not a tensor",
    ]
    assert all(one["dtype"] is one["shape"] is one["statistics"] is None for one in wrong)
    assert right["elements"] == 1
    forged, gone = described(client, "x-y", "14-ffff-0-0-0-0")
    assert "not the address of a blob" in forged["error"]
    assert gone["error"] == "its file no longer exists"


def test_one_answer_reads_so_much_and_at_least_one_tensor(client, monkeypatch):
    addresses = [address_of(client, tag) for tag in ("cube", "odd", "half")]
    payload = int(addresses[0].split("-")[3], 16)
    monkeypatch.setattr(tensors, "_MOST_BYTES", payload)
    assert len(described(client, *addresses)) == 1
    monkeypatch.setattr(tensors, "_MOST_BYTES", 1)
    assert len(described(client, *addresses)) == 1
    assert described(client) == []


def test_addresses_of_another_start_are_gone(client):
    body = {"instance": "0" * 16, "addresses": [address_of(client, "cube")]}
    assert client.post(f"{ROOT}/tensors/describe", json=body).status_code == 410
    path = f"{ROOT}/tensors/{'0' * 16}/{address_of(client, 'cube')}/values"
    assert client.get(path).status_code == 410


# --- windows of values ---


@pytest.mark.parametrize(
    ("tag", "query", "expected"),
    [
        ("cube", {}, CUBE[0].tolist()),
        ("cube", {"index": "1", "rows": "1:3", "columns": "2:9"}, CUBE[1, 1:3, 2:9].tolist()),
        ("cube", {"rows": "5:9"}, []),
        ("single", {}, [[2.5]]),
        ("list", {}, [[1], [str(-(2**60))], [3]]),
        ("unsigned", {}, [[str(2**64 - 1)]]),
        ("odd", {}, [[1.5, "NaN", "Infinity"], ["-Infinity", 0.0, -0.5]]),
        ("bfloat16", {}, [[1.0], [-2.0]]),
        ("half", {}, [[1.0], [-2.0]]),
        ("complex", {}, [[[3.0, -4.0]], [["NaN", 1.0]]]),
        ("bool", {"columns": "1:3"}, [[False, True]]),
        ("strings", {"rows": "0:1"}, [["a", "né"]]),
        ("empty", {}, []),
        ("zeros", {}, [[0.0, 0.0], [0.0, 0.0]]),
        ("repeated", {"rows": f"{2**39}:{2**39 + 2}"}, [[3.0], [3.0]]),
        ("rank 65", {}, [[7.0]]),
        ("strings of rank 65", {}, [["deep"]]),
    ],
)
def test_values_come_as_a_table(client, tag, query, expected):
    answer = values(client, tag, **query)
    assert answer.status_code == 200, answer.text
    assert answer.json()["values"] == expected


def test_a_table_says_which_part_it_is(client):
    found = values(client, "cube", index="1", rows="1:99", columns="0:2").json()
    del found["values"]
    assert found == {
        "dtype": "float32",
        "shape": [2, 3, 4],
        "index": [1],
        "rows": [1, 3],
        "columns": [0, 2],
    }


def test_values_come_as_a_frame(client):
    def framed(tag: str) -> tuple[Any, Any]:
        return frames.decode(values(client, tag, **{"as": "frame"}).content)

    columns, meta = framed("cube")
    assert columns["values"].tolist() == CUBE[0].ravel().tolist()
    assert (meta["dtype"], meta["shape"], meta["rows"]) == ("float32", [2, 3, 4], [0, 3])
    assert framed("complex")[0]["imaginary"].tolist() == [-4.0, 1.0]
    assert framed("bool")[0]["values"].tolist() == [1, 0, 1]
    assert framed("half")[0]["values"].tolist() == [1.0, -2.0]
    assert framed("list")[0]["values"].tolist() == [1, -(2**60), 3]


@pytest.mark.parametrize(
    ("tag", "query", "status", "sentence"),
    [
        ("cube", {"index": "0,0"}, 400, "wrong number of indices for rank 3: expected 1, got 2"),
        ("cube", {"index": "2"}, 400, "index 2 is out of bounds for axis 0 of size 2"),
        ("cube", {"index": "-1"}, 400, "matching regex"),
        ("cube", {"rows": "1"}, 400, "matching regex"),
        ("cube", {"rows": "9" * 30 + ":1"}, 400, "matching regex"),
        ("repeated", {"rows": f"0:{2**40}"}, 400, "at most 20000 values"),
        ("strings", {"as": "frame"}, 400, "not available as a frame"),
        ("misfit", {}, 410, "the elements do not fit the shape"),
        ("no value", {}, 410, "the value is not a tensor"),
    ],
)
def test_a_window_that_is_not_there_gets_a_sentence(client, tag, query, status, sentence):
    answer = values(client, tag, **query)
    assert answer.status_code == status, answer.text
    assert sentence in answer.json()["error"]


def test_values_are_kept_for_ever(client):
    answer = values(client, "cube")
    assert "immutable" in answer.headers["cache-control"]
    path = f"{ROOT}/tensors/{client.board.instance}/{address_of(client, 'cube')}/values"
    again = client.get(path, headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


# --- files, and other forms of the same ---


def blob(client: BoardClient, tag: str, form: str) -> Any:
    path = f"{ROOT}/blobs/{client.board.instance}/{address_of(client, tag)}"
    return client.get(path, params={"as": form})


@pytest.mark.parametrize(
    "tag",
    ["cube", "single", "list", "odd", "bfloat16", "half", "complex", "bool", "empty", "zeros"],
)
def test_numpy_reads_the_file(client, tag):
    answer = blob(client, tag, "npy")
    assert answer.headers["content-disposition"] == 'attachment; filename="tensor.npy"'
    loaded = np.load(io.BytesIO(answer.content), allow_pickle=False)
    decoded: Any = client.board.store["run"].blobs(tag)[0].decode()
    assert (loaded.dtype, loaded.shape) == (decoded.array.dtype, decoded.array.shape)
    np.testing.assert_array_equal(loaded, decoded.array)


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [("strings", "only tensors of numbers"), ("rank 65", "65 dimensions"), ("misfit", "only")],
)
def test_what_has_no_file_gets_a_sentence(client, tag, sentence):
    answer = blob(client, tag, "npy")
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_a_tensor_of_any_rank_is_answered_in_every_form(client):
    assert blob(client, "rank 65", "json").json()["value"]["values"] == [7.0]
    columns, meta = frames.decode(blob(client, "rank 65", "frame").content)
    assert (columns["values"].tolist(), meta["shape"]) == ([7.0], [1] * 65)
    strings = blob(client, "strings of rank 65", "json").json()["value"]
    assert strings == {"kind": "text", "shape": [1] * 65, "strings": ["deep"]}


@pytest.mark.parametrize("tag", ["rank 65", "strings of rank 65"])
def test_an_array_that_numpy_cannot_hold_is_a_sentence(client, tag):
    decoded: Any = client.board.store["run"].blobs(tag)[0].decode()
    with pytest.raises(BlobUnreadableError, match="numpy cannot hold"):
        _ = decoded.array
