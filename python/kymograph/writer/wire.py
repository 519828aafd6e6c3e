"""Protobuf wire format, outwards: fields into bytes.

A message is the concatenation of its fields, so encoders are sums of `bytes`:

    value = wire.text(1, "loss") + wire.single(2, 0.5)
    summary = wire.message(1, value)

The functions write what they are given. Leaving out fields that hold their default, as proto3
does, is the caller's `if`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # numpy.typing takes long to import
    import numpy.typing as npt

__all__ = [
    "Summary",
    "data",
    "double",
    "integer",
    "message",
    "packed",
    "packed_integers",
    "plugin",
    "single",
    "string",
    "summary",
    "text",
    "value",
    "varint",
]

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_SHORT = [bytes([number]) for number in range(0x80)]


class Summary(bytes):
    """A serialised `Summary` message, with the one method that readers of messages call."""

    __slots__ = ()

    def SerializeToString(self) -> bytes:  # noqa: N802  (protobuf's name)
        """The message itself, as protobuf objects have it."""
        return bytes(self)

    def __repr__(self) -> str:
        return f"Summary({len(self)} bytes)"


def varint(number: int) -> bytes:
    """An integer of up to 64 bits; negative ones as their two's complement."""
    if 0 <= number < 0x80:
        return _SHORT[number]
    number &= 0xFFFF_FFFF_FFFF_FFFF
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def integer(field: int, number: int) -> bytes:
    """A field of any integer type, `bool` or an enum."""
    return varint(field << 3 | _VARINT) + varint(number)


def single(field: int, number: float) -> bytes:
    """A `float` field; what is too large becomes infinite, as in C."""
    return varint(field << 3 | _FIXED32) + _single(number)


def _single(number: float) -> bytes:
    try:
        return struct.pack("<f", number)
    except OverflowError:
        return struct.pack("<f", float("inf") if number > 0 else float("-inf"))


def double(field: int, number: float) -> bytes:
    """A `double` field."""
    return varint(field << 3 | _FIXED64) + struct.pack("<d", number)


def data(field: int, content: bytes) -> bytes:
    """A `bytes` field."""
    return varint(field << 3 | _BYTES) + varint(len(content)) + content


def text(field: int, content: str) -> bytes:
    """A `string` field."""
    return data(field, content.encode())


def string(content: object) -> str:
    """What protobuf accepts as a string: text, bytes of UTF-8, or `None` for nothing.

    Raises `TypeError` for anything else, `UnicodeDecodeError` for other bytes.
    """
    if content is None:
        return ""
    if isinstance(content, bytes):
        return content.decode()
    if not isinstance(content, str):
        raise TypeError(f"expected a string, not: `{content!r}`")
    return str(content)


def message(field: int, *fields: bytes) -> bytes:
    """A field that holds the message made of `fields`."""
    return data(field, b"".join(fields))


def packed(field: int, numbers: npt.NDArray[Any]) -> bytes:
    """A repeated field of fixed-width numbers: the array's own bytes, little-endian."""
    return data(field, np.ascontiguousarray(numbers, numbers.dtype.newbyteorder("<")).tobytes())


def packed_integers(field: int, numbers: Iterable[int]) -> bytes:
    """A repeated field of varints."""
    return data(field, b"".join([varint(int(number)) for number in numbers]))


def plugin(name: str, content: bytes = b"") -> bytes:
    """The `metadata` field of a value: which dashboard it is for."""
    return message(9, message(1, text(1, name), data(2, content) if content else b""))


def value(tag: str | None, *fields: bytes) -> bytes:
    """The field of a summary that holds one value; as in PyTorch, `None` is no tag at all."""
    name = string(tag)
    return message(1, text(1, name) if name else b"", *fields)


def summary(*values: bytes) -> Summary:
    """A whole summary, of fields made by `value`."""
    return Summary(b"".join(values))
