"""Our encodings of tensors, histograms, images and clips are those of `tf.summary`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tensorflow", reason="tensorflow is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")
pytest.importorskip("PIL", reason="PIL is not installed: make test-frameworks")

import tensorflow as tf
from PIL import Image
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.util import tensor_util

from kymograph.integrations import tf_style

pytestmark = pytest.mark.frameworks

GENERATOR = np.random.default_rng(5)


def by_tensorflow(folder: Path, log: Any) -> Any:
    """The value that TensorFlow writes."""
    writer = tf.summary.create_file_writer(str(folder))
    with writer.as_default(step=3):
        log()
    writer.close()
    (file,) = folder.iterdir()
    events = [Event.FromString(record) for record in RawEventFileLoader(str(file)).Load()]
    (value,) = events[1].summary.value
    return value


def by_us(summary: Any) -> Any:
    (value,) = Summary.FromString(summary.SerializeToString()).value
    return value


@pytest.mark.parametrize("number", [0.5, 0, -3, float("inf"), float("nan"), np.float16(2), True])
def test_scalar(number: Any, tmp_path: Path):
    expected = by_tensorflow(tmp_path, lambda: tf.summary.scalar("x", np.float32(number)))
    got = by_us(tf_style.scalar("x", number))
    # As bytes, for NaN is not equal to itself.
    assert got.SerializeToString(deterministic=True) == expected.SerializeToString(
        deterministic=True
    )


def test_scalar_that_is_too_large_is_infinite():
    got = by_us(tf_style.scalar("x", 1e300))
    assert tensor_util.make_ndarray(got.tensor) == np.inf


@pytest.mark.parametrize(
    ("values", "buckets"),
    [
        (GENERATOR.normal(size=(20, 30)), None),
        (GENERATOR.normal(size=100).astype(np.float32), 7),
        (np.full(5, 2.5), None),
        (np.zeros(0), 4),
        (np.arange(10), 10),
        (np.arange(3), 0),
    ],
)
def test_histogram(values: Any, buckets: int | None, tmp_path: Path):
    log = lambda: tf.summary.histogram("x", tf.constant(values), buckets=buckets)  # noqa: E731
    expected, got = by_tensorflow(tmp_path, log), by_us(tf_style.histogram("x", values, buckets))
    assert got.metadata == expected.metadata
    rows, our_rows = tensor_util.make_ndarray(expected.tensor), tensor_util.make_ndarray(got.tensor)
    assert our_rows.dtype == rows.dtype
    assert our_rows == pytest.approx(rows, rel=1e-12, abs=1e-12)


def test_histogram_leaves_out_what_is_not_finite():
    got = by_us(tf_style.histogram("x", [1.0, float("nan"), 2.0, float("inf")], 2))
    assert tensor_util.make_ndarray(got.tensor).tolist() == [[1, 1.5, 1], [1.5, 2, 1]]


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8", "uint16"])
def test_image(dtype: str, channels: int, tmp_path: Path):
    images = GENERATOR.uniform(-0.1, 1.1, (4, 5, 6, channels))
    if dtype.startswith("uint"):
        images = np.clip(images, 0, 1) * np.iinfo(dtype).max
    images = images.astype(dtype)
    expected = by_tensorflow(tmp_path, lambda: tf.summary.image("x", images, max_outputs=2))
    got = by_us(tf_style.image("x", images, 2))
    assert got.metadata == expected.metadata
    assert got.tensor.tensor_shape == expected.tensor.tensor_shape
    assert got.tensor.string_val[:2] == expected.tensor.string_val[:2]
    for ours, theirs in zip(got.tensor.string_val[2:], expected.tensor.string_val[2:], strict=True):
        mine, other = Image.open(io.BytesIO(ours)), Image.open(io.BytesIO(theirs))
        assert mine.mode == other.mode
        # Half precision is multiplied in half precision there.
        assert np.asarray(mine, int) == pytest.approx(
            np.asarray(other, int), abs=dtype == "float16"
        )


def test_image_refuses_what_is_none():
    with pytest.raises(ValueError, match=r"\[4, 4\]"):
        tf_style.image("x", np.zeros((4, 4)))


@pytest.mark.parametrize("channels", [1, 2])
def test_audio(channels: int, tmp_path: Path):
    clips = GENERATOR.uniform(-1.1, 1.1, (4, 50, channels)).astype(np.float32)
    log = lambda: tf.summary.audio("x", clips, 8000, max_outputs=3, encoding="wav")  # noqa: E731
    assert by_us(tf_style.audio("x", clips, 8000)) == by_tensorflow(tmp_path, log)


@pytest.mark.parametrize("content", ["# Ünïcode", b"bytes", ["a", "b"], [["a"], ["b"]]])
def test_text(content: Any, tmp_path: Path):
    log = lambda: tf.summary.text("x", tf.constant(content))  # noqa: E731
    assert by_us(tf_style.text("x", content)) == by_tensorflow(tmp_path, log)


@pytest.mark.parametrize(
    "tensor",
    [
        np.arange(6, dtype=np.int32).reshape(2, 3),
        np.array([True, False]),
        np.float64(2.5),
        np.array([1 + 2j]),
        np.array(["a", "b"]),
        GENERATOR.normal(size=(2, 2, 2)).astype(np.float16),
    ],
)
def test_write(tensor: Any, tmp_path: Path):
    metadata = tf.compat.v1.SummaryMetadata()
    metadata.plugin_data.plugin_name = "mine"
    expected = by_tensorflow(tmp_path, lambda: tf.summary.write("x", tensor, metadata=metadata))
    for given in (metadata, metadata.SerializeToString()):
        got = by_us(tf_style.write("x", tensor, given))
        assert got.metadata == expected.metadata
        ours, theirs = (tensor_util.make_ndarray(value.tensor) for value in (got, expected))
        assert (ours.dtype, ours.tolist()) == (theirs.dtype, theirs.tolist())
