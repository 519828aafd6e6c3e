"""Summaries where tensorboardX's differ from PyTorch's."""

from __future__ import annotations

import io
import logging
import wave
from typing import Any

import numpy as np
import pytest

from kymograph.tensorboardx import summary
from tests.golden import wire
from tests.interop import plugin_messages


def only_value(message: Any) -> bytes:
    (value,) = wire.all_bytes(message.SerializeToString(), 1)
    return value


@pytest.mark.parametrize(
    ("tag", "clean"),
    [
        ("train/loss_1.5-a", "train/loss_1.5-a"),
        ("//odd tag:x", "odd_tag_x"),
        ("größe", "größe"),
        ("a\\b%c", "a_b_c"),
        ("/", ""),
    ],
)
def test_tags_are_cleaned(tag: str, clean: str, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    summary.clean_tag.cache_clear()
    assert summary.clean_tag(tag) == clean
    assert bool(caplog.records) == (tag != clean)


def test_a_scalar_may_have_a_name_and_a_description():
    plain = only_value(summary.scalar("a b", 0.5))
    assert list(wire.fields(plain)) == [(1, b"a_b"), (2, b"\0\0\0?")]
    value = only_value(summary.scalar("a", np.array([[0.5]]), "Name", "*why*"))
    assert wire.last_bytes(value, 2) == b"\0\0\0?"
    assert list(wire.fields(wire.last_bytes(value, 9))) == [(2, b"Name"), (3, b"*why*")]


def test_a_scalar_is_one_number():
    with pytest.raises(AssertionError):
        summary.scalar("a", np.zeros(2))


@pytest.mark.parametrize(
    ("samples", "written"),
    [
        ([0.5, -0.5, 1.0, -1.0], [16384, -16384, 32767, -32768]),
        ([[0.1], [-0.1]], [3276, -3277]),
        ([[0.5, -0.5], [0.25, 0.0], [0, 0]], [16384, -16384, 8192, 0, 0, 0]),
        ([np.nan], [0]),
        ([[0.5, -0.5]], [16384, -16384]),
        (np.array([5, -6], np.int16), [5, -6]),
        (np.array([1, 0, -1]), [32767, 0, -32768]),
    ],
)
def test_sound_is_scaled_as_libsndfile_does(samples: Any, written: list[int]):
    sound = wire.last_bytes(only_value(summary.audio("a", np.array(samples), 8000)), 6)
    channels = np.array(samples).shape[1] if np.ndim(samples) == 2 else 1
    assert wire.last_integer(sound, 2) == channels
    assert wire.last_integer(sound, 3) == len(samples)
    with wave.open(io.BytesIO(wire.last_bytes(sound, 4))) as clip:
        assert clip.getframerate() == 8000
        assert clip.getnchannels() == channels
        assert np.frombuffer(clip.readframes(100), "<i2").tolist() == written


def test_sound_out_of_range_is_clipped():
    with pytest.warns(RuntimeWarning, match="clipped"):
        sound = summary.audio("a", [2.0, -np.inf])
    assert b"\xff\x7f\x00\x80" in sound.SerializeToString()


@pytest.mark.parametrize("shape", [(1, 5), (5, 3), (2, 5, 1)])
def test_sound_of_other_shapes_is_refused(shape: tuple[int, ...]):
    with pytest.raises(AssertionError):
        summary.audio("a", np.zeros(shape))


def test_parts_of_a_mesh_are_numbered():
    points = np.zeros((1, 2, 3))
    message = summary.mesh("shape", points, points, points, {"a": 1})
    found = wire.all_bytes(message, 1)
    tags = [wire.last_bytes(value, 1) for value in found]
    assert tags == [b"shape_1", b"shape_2", b"shape_3"]
    kinds = [wire.last_integer(plugin_messages.plugin_content(value), 3) for value in found]
    assert kinds == [1, 2, 3]


def train() -> None:
    """A function to be named."""


def test_hparams_of_every_kind():
    chosen = {
        "lr": 0.1,
        "layers": 3,
        "flag": True,
        "numpy": np.int64(4),
        "array": np.array([0.5]),
        "name": "x",
        "function": train,
        "type": np.float32,
        "none": None,
        "list": [1, 2],
    }
    experiment, start, end = (
        plugin_messages.hparams(plugin_messages.plugin_content(only_value(message)))
        for message in summary.hparams(chosen, {"loss": 1})
    )
    assert start["hparams"] == {
        "lr": 0.1,
        "layers": 3.0,
        "flag": True,
        "numpy": 4.0,
        "array": 0.5,
        "name": "x",
        "function": "train",
        "type": "float32",
    }
    names = [name for name in chosen if name != "none"]
    assert experiment == {"hparam_names": names, "metric_tags": ["loss"]}
    assert end == {"status": 1}
