"""Whole tensors into summaries, in the types they have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph.writer import arrays, wire

__all__ = ["tensor"]

_Array = npt.NDArray[Any]
_LIMIT_BYTES = 1 << 31


def tensor(tag: str, tensor: Any) -> wire.Summary:
    """Every element of `tensor`, under 2 GiB of them.

    Raises `ValueError` for types that TensorBoard's readers have no field for, such as float8.
    """
    array = np.asarray(tensor) if np.isscalar(tensor) else arrays.to_numpy(tensor)
    dtype = getattr(tensor, "dtype", array.dtype)
    name = str(getattr(dtype, "name", dtype)).removeprefix("torch.")
    if name not in _TYPES:
        raise ValueError(f"{tag} has unsupported tensor dtype {dtype}")
    number, field, encode, item_bytes = _TYPES[name]
    if array.size * item_bytes >= _LIMIT_BYTES:
        raise ValueError("tensor is bigger than protocol buffer's hard limit of 2GB in size")
    sizes = [wire.message(2, wire.integer(1, size) if size else b"") for size in array.shape]
    content = wire.data(field, encode(np.ravel(array))) if array.size else b""
    proto = wire.message(8, wire.integer(1, number), wire.message(2, *sizes), content)
    return wire.summary(wire.value(tag, proto, wire.plugin("tensor")))


def _fixed(array: _Array) -> bytes:
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def _bfloat16_patterns(array: _Array) -> bytes:
    """They come as floats whose lower half is empty."""
    return _varints(array.view(np.uint32) >> 16)


def _half_patterns(array: _Array) -> bytes:
    return _varints(array.astype(np.float16, copy=False).view(np.uint16))


def _varints(array: _Array) -> bytes:
    """Each number in groups of seven bits, lowest first; all but the last group are marked."""
    # Signed ones first become their 64-bit two's complement.
    wide = array.astype(np.int64 if array.dtype.kind == "i" else np.uint64).view(np.uint64)
    shifts = np.arange(0, 70, 7, dtype=np.uint64)
    blocks = []
    for start in range(0, len(wide), 1 << 16):
        groups = wide[start : start + (1 << 16), None] >> shifts
        used = groups != 0
        used[:, 0] = True
        marks = np.zeros(groups.shape, np.uint8)
        marks[:, :-1] = used[:, 1:] * np.uint8(0x80)
        blocks.append(((groups & np.uint64(0x7F)).astype(np.uint8) | marks)[used].tobytes())
    return b"".join(blocks)


# Name → number of the type, field of `TensorProto`, encoder of the field, bytes of an element.
_TYPES: dict[str, tuple[int, int, Callable[[_Array], bytes], int]] = {
    "float32": (1, 5, _fixed, 4),
    "float64": (2, 6, _fixed, 8),
    "int32": (3, 7, _varints, 4),
    "uint8": (4, 16, _varints, 1),
    "int16": (5, 7, _varints, 2),
    "int8": (6, 7, _varints, 1),
    "complex64": (8, 9, _fixed, 8),
    "int64": (9, 10, _varints, 8),
    "bool": (10, 11, _fixed, 1),
    "bfloat16": (14, 13, _bfloat16_patterns, 2),
    "complex128": (18, 12, _fixed, 16),
    "float16": (19, 13, _half_patterns, 2),
}
