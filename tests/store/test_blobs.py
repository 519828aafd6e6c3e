"""Images, audio, histograms, text and tensors, read when they are looked at."""

from pathlib import Path

import numpy as np
import pytest

import kymograph
from kymograph.errors import BlobUnreadableError, QueryError
from kymograph.store import Audio, BlobSeries, Graph, Histogram, Images, Tensor, Text
from tests import event_files
from tests.event_files import double_tensor, metadata, string_tensor, value
from tests.golden import wire

IMAGE = wire.message(4, wire.integer(1, 2), wire.integer(2, 3), wire.message(4, b"PNG..."))
AUDIO = wire.message(
    6, wire.single(1, 8000.0), wire.message(4, b"RIFF..."), wire.text(5, "audio/wav")
)


def blobs(tmp_path: Path, *events: bytes) -> BlobSeries:
    event_files.write(tmp_path, *events)
    return kymograph.open(tmp_path)["."].blobs("it")


@pytest.mark.parametrize(
    ("fields", "dashboard", "decoded"),
    [
        ([IMAGE], "images", Images(3, 2, [b"PNG..."])),
        (
            [metadata("images"), string_tensor(b"3", b"2", b"one", b"two")],
            "images",
            Images(3, 2, [b"one", b"two"]),
        ),
        ([AUDIO], "audio", Audio(8000.0, "audio/wav", [b"RIFF..."])),
        (
            [metadata("audio"), string_tensor(b"x", b"label", shape=[1, 2])],
            "audio",
            Audio(None, None, [b"x"]),
        ),
    ],
)
def test_media_are_decoded_from_both_encodings(tmp_path: Path, fields, dashboard, decoded):
    series = blobs(tmp_path, value("it", *fields, step=4))
    assert series.dashboard == dashboard
    assert series[0].decode() == decoded
    assert (series[0].step, series[0].wall_time) == (4, event_files.START + 4)


def test_histograms_have_a_row_for_each_bucket(tmp_path: Path):
    rows = [0.0, 1.0, 5.0, 1.0, 2.0, 7.0]
    event = value("it", metadata("histograms"), double_tensor(*rows, shape=[2, 3]), step=0)
    decoded = blobs(tmp_path, event)[0].decode()
    assert isinstance(decoded, Histogram)
    assert decoded.buckets.tolist() == [rows[:3], rows[3:]]


def test_text_keeps_its_shape_and_survives_broken_encoding(tmp_path: Path):
    event = value(
        "it", metadata("text"), string_tensor("né".encode(), b"\xff", shape=[2, 1]), step=0
    )
    decoded = blobs(tmp_path, event)[0].decode()
    assert isinstance(decoded, Text)
    assert decoded.array.tolist() == [["né"], ["\ufffd"]]


def test_tensors_keep_shape_and_type(tmp_path: Path):
    numbers = np.arange(6.0)
    event = value("it", metadata("mine"), double_tensor(*numbers, shape=[3, 2]), step=0)
    series = blobs(tmp_path, event)
    decoded = series[0].decode()
    assert isinstance(decoded, Tensor)
    np.testing.assert_array_equal(decoded.array, numbers.reshape(3, 2))
    assert (series.dashboard, series.metadata.plugin_name) == ("tensors", "mine")


def test_a_tensor_of_more_axes_than_numpy_has_is_still_decoded(tmp_path: Path):
    event = value("it", metadata("mine"), double_tensor(1.5, shape=[1] * 65), step=0)
    decoded = blobs(tmp_path, event)[0].decode()
    assert isinstance(decoded, Tensor)
    assert (decoded.shape, decoded.flat.tolist()) == ((1,) * 65, [1.5])
    with pytest.raises(BlobUnreadableError, match="numpy cannot hold a tensor of this shape"):
        _ = decoded.array


def test_bytes_are_those_of_the_file(tmp_path: Path):
    series = blobs(tmp_path, value("it", IMAGE, step=0))
    assert series[0].read() == wire.text(1, "it") + IMAGE


def test_blobs_are_a_sequence(tmp_path: Path):
    series = blobs(tmp_path, *(value("it", IMAGE, step=step) for step in (1, 5, 9)))
    assert [blob.step for blob in series] == series.steps.tolist() == [1, 5, 9]
    assert (len(series), series[-1].step, series.step_range) == (3, 9, (1, 9))
    for index in (3, -4):
        with pytest.raises(IndexError, match="3 blobs"):
            series[index]


def test_a_blob_whose_bytes_changed_is_an_error_and_nothing_else_is(tmp_path: Path):
    series = blobs(tmp_path, value("it", IMAGE, step=0), value("it", IMAGE, step=1))
    path = tmp_path / event_files.NAME
    data = bytearray(path.read_bytes())
    data[data.index(b"PNG")] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(BlobUnreadableError):
        series[0].read()
    assert isinstance(series[1].decode(), Images)


def test_blobs_are_sliced_and_counted_from_the_end(tmp_path: Path):
    text = wire.message(8, wire.integer(1, 7), wire.message(8, b"hi"))
    events = [event_files.value("n", text, event_files.metadata("text"), step=i) for i in range(3)]
    (tmp_path / event_files.NAME).write_bytes(b"".join(events))
    blobs = kymograph.open(tmp_path)["."].blobs("n")
    assert [blob.step for blob in blobs[1:]] == [1, 2]
    assert blobs.read(-1) == blobs[2].read()
    assert not blobs.steps.flags.writeable


def test_addresses_lead_the_store_to_the_blobs(tmp_path: Path):
    images = [value("it", IMAGE, step=step) for step in range(3)]
    event_files.write(tmp_path, *images)
    store = kymograph.open(tmp_path)
    series = store["."].blobs("it")
    addresses = series.addresses()
    assert len(set(addresses)) == 3
    assert [blob.address for blob in series] == addresses
    assert series.addresses(1) == addresses[1:]
    assert series.addresses(0, 2) == series.addresses(0, -1) == addresses[:2]
    assert series.addresses(5) == series.addresses(2, 1) == []
    for blob in series:
        assert store.read_blob(blob.address) == blob.read()
        assert store.decode_blob(blob.address) == blob.decode() == Images(3, 2, [b"PNG..."])


def test_the_address_of_a_graph_leads_to_its_bytes(tmp_path: Path):
    event_files.write(tmp_path, event_files.event(wire.message(4, b"graph")))
    store = kymograph.open(tmp_path)
    blob = store["."].blobs("__run_graph__")[0]
    assert store.decode_blob(blob.address) == blob.decode() == Graph(b"graph")


@pytest.mark.parametrize("text", ["", "x", "../../etc/passwd", "2-1-0-1", "-1", "2-1-0-1-0-\x00"])
def test_what_is_no_address_is_refused(tmp_path: Path, text: str):
    event_files.write(tmp_path, value("it", IMAGE, step=0))
    store = kymograph.open(tmp_path)
    with pytest.raises(QueryError, match="not the address of a blob: "):
        store.read_blob(text)
    with pytest.raises(QueryError, match="not the address of a blob: "):
        store.decode_blob(text)


@pytest.mark.parametrize(
    ("field", "number"),
    [
        (1, "7"),
        (1, "ffffffff"),
        (2, "ffffffffffffffff"),
        (2, "1"),
        (3, "ffffffff"),
        (5, "ffffffff"),
    ],
)
def test_a_forged_address_leads_nowhere(tmp_path: Path, field: int, number: str):
    event_files.write(tmp_path, value("it", IMAGE, step=0))
    store = kymograph.open(tmp_path)
    fields = store["."].blobs("it")[0].address.split("-")
    fields[field] = number
    with pytest.raises(BlobUnreadableError):
        store.read_blob("-".join(fields))
    with pytest.raises(BlobUnreadableError):
        store.decode_blob("-".join(fields))
