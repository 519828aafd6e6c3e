"""Protobuf wire format and record framing in plain Python, slow and obvious."""

from __future__ import annotations

import struct
from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

_CASTAGNOLI = 0x82F63B78


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (_CASTAGNOLI if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _crc_table()


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def masked_crc(data: bytes) -> int:
    crc = crc32c(data)
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def record(payload: bytes) -> bytes:
    """Frames one payload: length, its checksum, payload, its checksum."""
    length = struct.pack("<Q", len(payload))
    return b"".join(
        [
            length,
            struct.pack("<I", masked_crc(length)),
            payload,
            struct.pack("<I", masked_crc(payload)),
        ]
    )


def records(data: bytes) -> Iterator[bytes]:
    """Yields the payloads of an undamaged file; raises ValueError on any damage."""
    at = 0
    while at < len(data):
        length_bytes = data[at : at + 8]
        (length,) = struct.unpack("<Q", length_bytes)
        payload = data[at + 12 : at + 12 + length]
        checks = struct.pack("<I", masked_crc(length_bytes)), struct.pack("<I", masked_crc(payload))
        if (data[at + 8 : at + 12], data[at + 12 + length : at + 16 + length]) != checks:
            raise ValueError(f"damaged record at byte: {at}")
        yield payload
        at += 16 + length


def varint(value: int) -> bytes:
    """Encodes an unsigned or two's complement 64-bit integer."""
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def key(number: int, wire_type: int) -> bytes:
    return varint(number << 3 | wire_type)


def integer(number: int, value: int) -> bytes:
    return key(number, VARINT) + varint(value)


def double(number: int, value: float) -> bytes:
    return key(number, FIXED64) + struct.pack("<d", value)


def single(number: int, value: float) -> bytes:
    return key(number, FIXED32) + struct.pack("<f", value)


def message(number: int, *parts: bytes) -> bytes:
    """A length-delimited field: sub-message, bytes, string or packed list."""
    body = b"".join(parts)
    return key(number, BYTES) + varint(len(body)) + body


def text(number: int, value: str) -> bytes:
    return message(number, value.encode())


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yields (field number, value): varints as unsigned integers, everything else as its bytes."""
    at = 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        if wire_type == VARINT:
            value, at = _read_varint(data, at)
            yield number, value
            continue
        if wire_type == BYTES:
            length, at = _read_varint(data, at)
        else:
            length = {FIXED64: 8, FIXED32: 4}[wire_type]
        if at + length > len(data):
            raise ValueError(f"field {number} reaches past the end")
        yield number, data[at : at + length]
        at += length


def all_bytes(data: bytes, number: int) -> list[bytes]:
    """The length-delimited or fixed occurrences of one field."""
    return [value for found, value in fields(data) if found == number and isinstance(value, bytes)]


def last_bytes(data: bytes, number: int) -> bytes:
    """The last occurrence of one field, which is the one that counts; empty when absent."""
    return next(reversed(all_bytes(data, number)), b"")


def last_integer(data: bytes, number: int) -> int:
    found = [value for at, value in fields(data) if at == number and isinstance(value, int)]
    return found[-1] if found else 0


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return value, at
        shift += 7
