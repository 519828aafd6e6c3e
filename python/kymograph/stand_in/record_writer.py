"""In the place of TensorBoard's and tensorboardX's `RecordWriter`: bytes into framed records."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

__all__ = ["PathRecordWriter", "RecordWriter"]


def _table() -> list[int]:
    """CRC-32C of each byte, by the reversed Castagnoli polynomial."""
    table = []
    for number in range(256):
        crc = number
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _table()


def _masked_crc(content: bytes) -> bytes:
    crc = 0xFFFFFFFF
    for byte in content:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


class RecordWriter:
    """Records into an open file."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        """Append one record."""
        length = struct.pack("<Q", len(data))
        self._writer.write(length + _masked_crc(length) + data + _masked_crc(data))

    def flush(self) -> None:
        """Flush the file."""
        self._writer.flush()

    def close(self) -> None:
        """Close the file."""
        self._writer.close()


class PathRecordWriter(RecordWriter):
    """Records into a new local file, on the disk after a flush: tensorboardX's kind."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        super().__init__(Path(path).open("wb"))  # noqa: SIM115  (open until `close`)

    def flush(self) -> None:
        """Flush the file, and wait for the disk."""
        super().flush()
        os.fsync(self._writer.fileno())
