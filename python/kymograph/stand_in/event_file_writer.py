"""In the place of TensorBoard's `EventFileWriter`, the layer under its and torch's writers."""

from __future__ import annotations

import os
from typing import Any

from kymograph import _core

__all__ = ["EventFileWriter"]


class EventFileWriter:
    """Events into a new file of a directory, written by a thread of the core."""

    def __init__(
        self,
        logdir: str | os.PathLike[str],
        max_queue_size: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
    ) -> None:
        self._logdir = logdir
        self._writer = _core.EventWriter(
            os.fspath(logdir),
            max_queue=max_queue_size,
            flush_secs=flush_secs,
            suffix=filename_suffix,
        )
        self._file_name = self._writer.path
        self._closed = False

    def get_logdir(self) -> str | os.PathLike[str]:
        """The directory of the file."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Add an event: any protobuf message, or one that is serialised already."""
        if not isinstance(event, bytes):
            if not hasattr(event, "SerializeToString"):
                raise TypeError(f"Expected an event_pb2.Event proto,  but got {type(event)}")
            event = event.SerializeToString()
        self._check_not_closed()
        self._writer.add_event(event)

    def flush(self) -> None:
        """Have everything in the file."""
        self._check_not_closed()
        self._writer.flush()

    def close(self) -> None:
        """Have everything in the file, and end; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self._writer.close()

    def _check_not_closed(self) -> None:
        if self._closed:
            raise OSError("Writer is closed")
