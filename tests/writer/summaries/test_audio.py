"""Samples into WAV files: scale, channels and what is refused."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from kymograph.writer.summaries import audio
from tests.golden import wire
from tests.interop.stdlib_media import wav_clip


def sound(tensor: Any, sample_rate: int = 44100) -> tuple[int, list[int]]:
    """Channels and samples of the file, whose header agrees with the summary's fields."""
    summary = audio.audio("sound", tensor, sample_rate)
    (value,) = wire.all_bytes(summary.SerializeToString(), 1)
    assert wire.last_bytes(value, 1) == b"sound"
    fields = wire.last_bytes(value, 6)
    assert wire.last_bytes(fields, 5) == b"audio/wav"
    rate, channels, frames, samples = wav_clip(wire.last_bytes(fields, 4))
    assert struct.unpack("<f", wire.last_bytes(fields, 1)) == (rate,) == (sample_rate,)
    assert (wire.last_integer(fields, 2), wire.last_integer(fields, 3)) == (channels, frames)
    return channels, np.frombuffer(samples, "<i2").tolist()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", ">f4"])
def test_floats_are_scaled_and_cut_off(dtype: str):
    assert sound(np.array([0, 0.5, 1, -1], dtype=dtype), 8000) == (1, [0, 16383, 32767, -32767])


@pytest.mark.parametrize("shape", [(4,), (1, 4), (4, 1), (1, 1, 4)])
def test_axes_of_length_one_are_left_out(shape: tuple[int, ...]):
    assert sound(np.array([0, 0.5, 1, -1]).reshape(shape)) == (1, [0, 16383, 32767, -32767])


@pytest.mark.parametrize("shape", [(3, 2), (2, 3)])
def test_two_channels_come_in_both_orders(shape: tuple[int, ...]):
    left, right = [0, 100, 200], [1, 101, 201]
    stereo = np.array([left, right], dtype=np.int16)
    channels, samples = sound(stereo if shape == (2, 3) else stereo.T)
    assert (channels, samples[::2], samples[1::2]) == (2, left, right)


def test_two_frames_of_two_channels_are_frames_first():
    _, samples = sound(np.array([[1, 2], [3, 4]], dtype=np.int16))
    assert samples == [1, 2, 3, 4]


def test_samples_of_16_bits_are_kept():
    samples = [-32768, -1, 0, 1, 32767]
    assert sound(np.array(samples, dtype=np.int16))[1] == samples
    assert sound(np.array(samples, dtype=">i2"))[1] == samples


@pytest.mark.parametrize("dtype", ["float32", "int64", "int8"])
def test_what_is_too_loud_is_clipped_with_a_warning(dtype: str):
    with pytest.warns(RuntimeWarning, match="clipped"):
        _, samples = sound(np.array([2, -3, 1, 0], dtype=dtype))
    assert samples == [32767, -32767, 32767, 0]


def test_nan_is_silence():
    assert sound(np.array([np.nan, 1]))[1] == [0, 32767]


@pytest.mark.parametrize(
    ("shape", "error"),
    [
        ((3, 4), AssertionError),
        ((1, 1), AssertionError),
        ((2, 3, 4), AssertionError),
        ((0,), ValueError),
    ],
)
def test_wrong_shapes_raise_what_pytorch_raises(shape: tuple[int, ...], error: type[Exception]):
    with pytest.raises(error):
        sound(np.zeros(shape))


def test_what_is_no_array_is_refused():
    with pytest.raises(NotImplementedError):
        audio.audio("sound", None)
    for text in ("word", np.array(["0.5", "1"])):
        with pytest.raises(TypeError):
            audio.audio("sound", text)
