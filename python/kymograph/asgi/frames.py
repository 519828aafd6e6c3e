"""Column frames: numbers on the wire as they lie in memory, with a JSON header that names them.

    bytes    0 .. 4     `KYMF`
             4          version: 1
             5 .. 8     zero
             8 .. 12    length of the header, little-endian
            12 .. H     header: JSON in UTF-8, padded with spaces so that H is a multiple of 8
             H ..       columns, little-endian, each padded with zeros to a multiple of 8

The header is `{"columns": [{"name", "dtype", "length", "offset"}, ...], "meta": {...}}`, where
offsets count from H. `docs/reference/http-api.md` is the contract; golden files hold it.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
import numpy as np

from kymograph.errors import RequestError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["MEDIA_TYPE", "Columns", "decode", "encode"]

Columns: TypeAlias = "dict[str, npt.NDArray[Any]]"
"""Columns by name."""

MEDIA_TYPE = "application/vnd.kymograph.columns"

_MAGIC = b"KYMF"
_VERSION = 1
_FIXED = struct.Struct("<4sB3xI")
_ALIGN = 8
_DTYPES: dict[str, np.dtype[Any]] = {
    "f64": np.dtype("<f8"),
    "f32": np.dtype("<f4"),
    "i64": np.dtype("<i8"),
    "i32": np.dtype("<i4"),
    "i16": np.dtype("<i2"),
    "i8": np.dtype("<i1"),
    "u64": np.dtype("<u8"),
    "u32": np.dtype("<u4"),
    "u16": np.dtype("<u2"),
    "u8": np.dtype("<u1"),
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}


_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Column(msgspec.Struct):
    name: str
    dtype: str
    length: _Count
    offset: _Count


class _Header(msgspec.Struct):
    columns: list[_Column]
    meta: dict[str, Any]


def encode(columns: Mapping[str, npt.NDArray[Any]], meta: object) -> bytes:
    """The bytes of a frame. `meta` is anything that becomes a JSON object."""
    heads: list[_Column] = []
    parts: list[bytes | memoryview] = []
    offset = 0
    for name, column in columns.items():
        flat = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<"))
        heads.append(_Column(name, _NAMES[flat.dtype], flat.size, offset))
        padding = -flat.nbytes % _ALIGN
        # An empty array cannot be seen as bytes.
        parts += [flat.reshape(-1).data.cast("B") if flat.size else b"", bytes(padding)]
        offset += flat.nbytes + padding
    header = msgspec.json.encode({"columns": heads, "meta": meta})
    header += b" " * (-(_FIXED.size + len(header)) % _ALIGN)
    return b"".join([_FIXED.pack(_MAGIC, _VERSION, len(header)), header, *parts])


def decode(data: bytes) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """The columns and the meta of a frame. Raises RequestError when it is none."""
    try:
        magic, version, length = _FIXED.unpack_from(data)
        if magic != _MAGIC or version != _VERSION:
            raise RequestError("not a column frame of version 1")
        start = _FIXED.size + length
        if start > len(data):
            raise RequestError("a column frame that is cut off in its header")
        header = msgspec.json.decode(data[_FIXED.size : start], type=_Header)
        columns = {
            head.name: np.frombuffer(data, _DTYPES[head.dtype], head.length, start + head.offset)
            for head in header.columns
        }
    except (struct.error, msgspec.MsgspecError, KeyError, ValueError) as error:
        raise RequestError(f"a damaged column frame: {error}") from error
    return columns, header.meta
