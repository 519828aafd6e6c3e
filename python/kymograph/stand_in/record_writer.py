"""In the place of TensorBoard's and tensorboardX's `RecordWriter`: bytes into framed records."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kymograph import _core
from kymograph.writer.directories import refuse_remote

__all__ = ["PathRecordWriter", "RecordWriter"]


class RecordWriter:
    """Records into an open file."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        """Append one record."""
        self._writer.write(_core.frame_record(data))

    def flush(self) -> None:
        """Flush the file."""
        self._writer.flush()

    def close(self) -> None:
        """Close the file."""
        self._writer.close()


class PathRecordWriter(RecordWriter):
    """Records into a new local file, on the disk after a flush: tensorboardX's kind."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        refuse_remote(path)
        self.path = path
        super().__init__(Path(path).open("wb"))  # noqa: SIM115  (open until `close`)

    def flush(self) -> None:
        """Flush the file, and wait for the disk."""
        super().flush()
        os.fsync(self._writer.fileno())
