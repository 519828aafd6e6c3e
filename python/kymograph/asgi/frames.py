"""Column frames: numbers on the wire as they are in memory, with a JSON header that names them.

    bytes    0 .. 4     `KYMF`
             4          version: 1
             5 .. 8     zero
             8 .. 12    length of the header, little-endian
            12 .. H     header: JSON in UTF-8, padded with spaces so that H is a multiple of 8
             H ..       columns, little-endian, each padded with zeros to a multiple of 8

The header is `{"columns": [{"name", "dtype", "length", "offset"}, ...], "meta": {...}}`, where
offsets count from H. `docs/reference/http-api.md` is the contract; golden files test it.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec

from kymograph.errors import RequestError
from kymograph.lazy import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["MEDIA_TYPE", "Column", "Columns", "decode", "encode"]

Column: TypeAlias = "memoryview | array[Any] | npt.NDArray[Any]"
"""Numbers of one type, contiguous in memory."""
Columns: TypeAlias = Mapping[str, Column]
"""Columns by name."""

MEDIA_TYPE = "application/vnd.kymograph.columns"

_MAGIC = b"KYMF"
_VERSION = 1
_FIXED = struct.Struct("<4sB3xI")
_ALIGN = 8
# Each type as numpy spells it.
_DTYPES = {
    "f64": "<f8",
    "f32": "<f4",
    "i64": "<i8",
    "i32": "<i4",
    "i16": "<i2",
    "i8": "<i1",
    "u64": "<u8",
    "u32": "<u4",
    "u16": "<u2",
    "u8": "<u1",
}
# What the formats of https://docs.python.org/3/library/struct.html are called here.
_KINDS = {"f": "fd", "i": "bhilq", "u": "BHILQ"}
_KIND_OF = {letter: kind for kind, letters in _KINDS.items() for letter in letters}

_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Column(msgspec.Struct):
    name: str
    dtype: str
    length: _Count
    offset: _Count


class _Header(msgspec.Struct):
    columns: list[_Column]
    meta: dict[str, Any]


def encode(columns: Mapping[str, Column], meta: object) -> bytes:
    """The bytes of a frame. `meta` is anything that becomes a JSON object."""
    heads: list[_Column] = []
    parts: list[bytes | memoryview] = []
    offset = 0
    for name, column in columns.items():
        # numpy's types have buffers from Python 3.12 on, numpy itself always had.
        view = memoryview(column)  # type: ignore[arg-type]
        dtype = f"{_KIND_OF[view.format[-1]]}{8 * view.itemsize}"
        heads.append(_Column(name, dtype, view.nbytes // view.itemsize, offset))
        padding = -view.nbytes % _ALIGN
        parts += [_little_endian(view), bytes(padding)]
        offset += view.nbytes + padding
    header = msgspec.json.encode({"columns": heads, "meta": meta})
    header += b" " * (-(_FIXED.size + len(header)) % _ALIGN)
    return b"".join([_FIXED.pack(_MAGIC, _VERSION, len(header)), header, *parts])


def _little_endian(view: memoryview) -> bytes | memoryview:
    """The bytes of the numbers in order, without a copy where they are already."""
    order, letter = view.format[:-1], view.format[-1]
    if order in {">", "!"} or (sys.byteorder == "big" and order != "<"):
        swapped = array(letter, view.tobytes())
        swapped.byteswap()
        return swapped.tobytes()
    # An empty view cannot be seen as bytes, nor can one that names its order.
    return view.cast("B") if view.c_contiguous and view.nbytes and not order else view.tobytes()


def decode(data: bytes) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """The columns and the meta object of a frame. Raises RequestError when it is invalid."""
    try:
        magic, version, length = _FIXED.unpack_from(data)
        if magic != _MAGIC or version != _VERSION:
            raise RequestError("not a column frame of version 1")
        start = _FIXED.size + length
        if start > len(data):
            raise RequestError("the header of the column frame is incomplete")
        header = msgspec.json.decode(data[_FIXED.size : start], type=_Header)
        columns = {
            head.name: np.frombuffer(data, _DTYPES[head.dtype], head.length, start + head.offset)
            for head in header.columns
        }
    except (struct.error, msgspec.MsgspecError, KeyError, ValueError) as error:
        raise RequestError(f"damaged column frame: {error}") from error
    return columns, header.meta
