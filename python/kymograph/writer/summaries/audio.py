"""Audio: samples into WAV files of 16 bits."""

from __future__ import annotations

import io
import warnings
import wave
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph.writer import arrays, wire

__all__ = ["audio", "encode", "wav"]


def audio(tag: str | None, tensor: Any, sample_rate: int = 44100) -> wire.Summary:
    """Sound of one channel, or of two with the shape (L, 2) or (2, L).

    Values are between -1 and 1, and clipped to that; int16 are samples already, and kept.
    """
    return encode(tag, _frames(arrays.to_numpy(tensor)), sample_rate)


def encode(tag: str | None, frames: npt.NDArray[np.int16], sample_rate: int) -> wire.Summary:
    """Samples as they are: frames by channels."""
    content = wire.message(
        6,
        wire.single(1, sample_rate),
        wire.integer(2, frames.shape[1]),
        wire.integer(3, frames.shape[0]),
        wire.data(4, wav(frames, sample_rate)),
        wire.text(5, "audio/wav"),
    )
    return wire.summary(wire.value(tag, content))


def wav(frames: npt.NDArray[np.int16], sample_rate: int) -> bytes:
    """A WAV file of these samples: frames by channels."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(frames.shape[1])
        out.setsampwidth(2)
        out.setframerate(sample_rate)
        out.writeframes(frames.astype("<i2").tobytes())
    return file.getvalue()


def _frames(array: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
    """16-bit samples: frames by channels."""
    if array.dtype.kind in "US":
        raise TypeError(f"audio needs numbers, not text: {array.dtype}")
    array = array.squeeze()
    if not array.size:
        raise ValueError("audio needs at least one sample")
    if array.ndim == 1:
        array = array[:, np.newaxis]
    elif array.ndim == 2 and array.shape[0] == 2 != array.shape[1]:
        array = array.T
    if array.ndim != 2 or array.shape[1] not in (1, 2):
        raise AssertionError(f"audio must have shape (L,), (L, 2) or (2, L), not: {array.shape}")
    if array.dtype.kind == "i" and array.dtype.itemsize == 2:
        return array.astype("<i2")
    # Half precision cannot hold the products, and integers cannot hold them all.
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float32)
    if (abs(array) > 1).any():
        warnings.warn("audio outside the range -1 to 1 was clipped", RuntimeWarning, 2)
        array = array.clip(-1, 1)
    return np.where(np.isnan(array), 0, array * 32767).astype("<i2")
