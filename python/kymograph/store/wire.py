"""Protobuf messages inside logged values: the core takes them apart, this gives fields a type."""

from __future__ import annotations

import struct
from typing import TypeAlias

from kymograph import _core

__all__ = [
    "Field",
    "bytes_of",
    "double_of",
    "doubles_of",
    "integer_of",
    "integers_of",
    "messages_of",
    "read",
    "single_of",
    "text_of",
    "texts_of",
]

Field: TypeAlias = "int | bytes"


def read(message: bytes) -> dict[int, list[Field]]:
    """All fields by number: varints as unsigned integers, everything else as its bytes.

    Raises BlobUnreadableError when the bytes are not a message.
    """
    fields: dict[int, list[Field]] = {}
    for number, value in _core.message_fields(message):
        fields.setdefault(number, []).append(value)
    return fields


def bytes_of(fields: dict[int, list[Field]], number: int) -> bytes:
    """The last value of a field; empty when it is not there."""
    value = fields.get(number, [b""])[-1]
    return value if isinstance(value, bytes) else b""


def integer_of(fields: dict[int, list[Field]], number: int) -> int:
    """The last value of a field, signed; 0 when it is not there."""
    value = fields.get(number, [0])[-1]
    if not isinstance(value, int):
        return 0
    return value - (1 << 64) if value >> 63 else value


def integers_of(fields: dict[int, list[Field]], number: int) -> list[int]:
    """All values of a repeated varint field, packed or not, unsigned."""
    values: list[int] = []
    for part in fields.get(number, []):
        values += [part] if isinstance(part, int) else _core.packed_varints(part)
    return values


def messages_of(fields: dict[int, list[Field]], number: int) -> list[dict[int, list[Field]]]:
    """All values of a repeated message field."""
    return [read(part) for part in fields.get(number, []) if isinstance(part, bytes)]


def text_of(fields: dict[int, list[Field]], number: int) -> str:
    """The last value of a `string` field; empty when it is not there."""
    return bytes_of(fields, number).decode("utf-8", errors="replace")


def texts_of(fields: dict[int, list[Field]], number: int) -> list[str]:
    """All values of a repeated `string` field."""
    parts = fields.get(number, [])
    return [part.decode("utf-8", errors="replace") for part in parts if isinstance(part, bytes)]


def single_of(fields: dict[int, list[Field]], number: int) -> float:
    """The last value of a `float` field; 0 when it is not there."""
    value = bytes_of(fields, number)
    return float(struct.unpack("<f", value)[0]) if len(value) == 4 else 0.0


def double_of(fields: dict[int, list[Field]], number: int) -> float:
    """The last value of a `double` field; 0 when it is not there."""
    value = bytes_of(fields, number)
    return float(struct.unpack("<d", value)[0]) if len(value) == 8 else 0.0


def doubles_of(fields: dict[int, list[Field]], number: int) -> list[float]:
    """All values of a repeated `double` field, packed or not."""
    parts = [part for part in fields.get(number, []) if isinstance(part, bytes)]
    return [x for part in parts for (x,) in struct.iter_unpack("<d", part[: len(part) // 8 * 8])]
