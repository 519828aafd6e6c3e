"""Summaries as `tf.summary` writes them: each value a tensor that names its plugin.

Keras, Flax and clu log through TensorFlow; with these their users see the tags, buckets and images
they know, without TensorFlow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph import _core
from kymograph.writer import arrays, wire
from kymograph.writer.summaries.audio import wav

__all__ = ["audio", "histogram", "image", "keras_model", "scalar", "text", "write"]

Array = npt.NDArray[Any]

_STRING = 7
_DTYPES = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}
_AUDIO_IS_WAV = wire.integer(2, 11)


def scalar(tag: str, value: Any) -> wire.Summary:
    """One number, as float32."""
    with np.errstate(over="ignore"):  # what is too large becomes infinite
        return _value(tag, _numbers(np.float32(arrays.number(value))), "scalars")


def histogram(tag: str, values: Any, buckets: int | None = None) -> wire.Summary:
    """Counts in equal buckets from the min to the max finite value, 30 by default."""
    return _value(tag, _numbers(_buckets(arrays.to_numpy(values), buckets)), "histograms")


def image(tag: str, images: Any, max_outputs: int = 3) -> wire.Summary:
    """The first images of an array of [count, height, width, channels], each with its own PNG."""
    pixels = _as_bytes(arrays.to_numpy(images))
    if pixels.ndim != 4 or pixels.shape[3] not in range(1, 5):
        shape = list(pixels.shape)
        raise ValueError(f"images must be [count, height, width, 1 to 4 channels]: {shape}")
    _, height, width, _ = pixels.shape
    strings = [
        str(width).encode(),
        str(height).encode(),
        *map(_core.encode_png, pixels[:max_outputs]),
    ]
    return _value(tag, _strings(strings, [len(strings)]), "images")


def audio(tag: str, clips: Any, sample_rate: int, max_outputs: int = 3) -> wire.Summary:
    """The first clips of an array of [count, frames, channels], from -1 to 1, each a WAV file."""
    samples = arrays.to_numpy(clips)
    if samples.ndim != 3:
        raise ValueError(f"audio must be [count, frames, channels]: {list(samples.shape)}")
    strings: list[bytes] = []
    for clip in samples[:max_outputs]:
        strings += [_wav(clip, sample_rate), b""]  # each with its label, which is always empty
    return _value(tag, _strings(strings, [len(strings) // 2, 2]), "audio", _AUDIO_IS_WAV)


def text(tag: str, content: Any) -> wire.Summary:
    """A text, or an array of texts; the tag stays as it is."""
    return _value(tag, _tensor(content), "text")


def keras_model(tag: str, json: str) -> wire.Summary:
    """A Keras model's JSON, from which the graph of layers is drawn."""
    return _value(tag, _strings([json.encode()], []), "graph_keras_model", b"1")


def write(tag: str, tensor: Any, metadata: Any = None) -> wire.Summary:
    """Any tensor, with a serialised `SummaryMetadata`, an object that can be made one, or none."""
    if metadata is None:
        return wire.summary(wire.value(tag, _tensor(tensor)))
    content = metadata if isinstance(metadata, bytes) else metadata.SerializeToString()
    return wire.summary(wire.value(tag, _tensor(tensor), wire.data(9, content)))


def _value(tag: str, tensor: bytes, plugin: str, content: bytes = b"") -> wire.Summary:
    return wire.summary(wire.value(tag, tensor, wire.plugin(plugin, content)))


# --- tensors ---


def _tensor(tensor: Any) -> bytes:
    if isinstance(tensor, (str, bytes)):
        return _strings([_encoded(tensor)], [])
    plain = isinstance(tensor, (list, tuple, int, float, complex, np.generic))
    array = np.asarray(tensor) if plain else arrays.to_numpy(tensor)
    if array.dtype.kind in "OSU":
        return _strings([_encoded(item) for item in array.flat], array.shape)
    return _numbers(array)


def _encoded(item: str | bytes) -> bytes:
    return item.encode() if isinstance(item, str) else item


def _numbers(array: Any) -> bytes:
    if array.dtype.name not in _DTYPES:
        raise ValueError(f"a tensor of this type cannot be written: {array.dtype}")
    content = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
    dtype = wire.integer(1, _DTYPES[array.dtype.name])
    return wire.message(8, dtype, _shape(array.shape), wire.data(4, content))


def _strings(strings: Sequence[bytes], shape: Sequence[int]) -> bytes:
    values = [wire.data(8, string) for string in strings]
    return wire.message(8, wire.integer(1, _STRING), _shape(shape), *values)


def _shape(shape: Sequence[int]) -> bytes:
    return wire.message(2, *[wire.message(2, wire.integer(1, size)) for size in shape])


# --- contents ---


def _buckets(values: Array, buckets: int | None) -> npt.NDArray[np.float64]:
    """Rows of left edge, right edge and count."""
    count = 30 if buckets is None else max(0, buckets)
    rows = np.zeros((count, 3))
    numbers = values.astype(np.float64).ravel()
    numbers = numbers[np.isfinite(numbers)]
    if not numbers.size or not count:
        return rows
    low, high = numbers.min(), numbers.max()
    edges = np.linspace(low, high, count + 1)
    rows[:, 0], rows[:, 1] = edges[:-1], edges[1:]
    if low == high:
        rows[-1, 2] = numbers.size
        return rows
    which = np.floor((numbers - low) / ((high - low) / count)).astype(np.int64)
    rows[:, 2] = np.bincount(np.minimum(which, count - 1), minlength=count)
    return rows


def _as_bytes(pixels: Array) -> Array:
    """Colours from 0 to 255: floats are taken from 0 to 1, integers up to the end of their type."""
    colours: Array
    if pixels.dtype.kind == "f":
        colours = np.nan_to_num(pixels.astype(np.float32), nan=0.0) * np.float32(255.5)
    elif pixels.dtype.kind in "iu":
        colours = pixels // max(1, (int(np.iinfo(pixels.dtype).max) + 1) // 256)
    else:
        colours = pixels.astype(np.uint8) * np.uint8(255)
    return colours.clip(0, 255).astype(np.uint8)


def _wav(clip: Array, sample_rate: int) -> bytes:
    samples = np.clip(np.round(clip.astype(np.float64) * 32768), -32768, 32767)
    return wav(samples.astype(np.int16), int(sample_rate))
