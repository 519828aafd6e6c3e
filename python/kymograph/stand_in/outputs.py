"""Where the points of a `tensorboard.summary.Writer` go: a directory, or what a user made."""

from __future__ import annotations

import abc
import os

import numpy as np

from kymograph.writer import wire
from kymograph.writer.file_writer import EventFileWriter

__all__ = ["DirectoryOutput", "Output"]

_FLOAT = 1  # the type of a tensor
_SCALAR = 1  # the data class of a value


class Output(abc.ABC):
    """What takes the points of a `Writer`."""

    @abc.abstractmethod
    def emit_scalar(
        self,
        *,
        plugin_name: str,
        tag: str,
        data: np.float32,
        step: np.int64,
        wall_time: float,
        tag_metadata: bytes | None = None,
        description: str | None = None,
    ) -> None:
        """Take one point."""

    @abc.abstractmethod
    def flush(self) -> None:
        """Pass on what is held back."""

    @abc.abstractmethod
    def close(self) -> None:
        """Pass on what is held back, and end."""


class DirectoryOutput(Output):
    """Points into an event file of a directory."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._events = EventFileWriter(path)

    def emit_scalar(
        self,
        *,
        plugin_name: str,
        tag: str,
        data: np.float32,
        step: np.int64,
        wall_time: float,
        tag_metadata: bytes | None = None,
        description: str | None = None,
    ) -> None:
        """Write one point."""
        plugin = wire.text(1, plugin_name) + (wire.data(2, tag_metadata) if tag_metadata else b"")
        metadata = wire.message(
            9,
            wire.message(1, plugin),
            wire.text(3, description) if description else b"",
            wire.integer(4, _SCALAR),
        )
        number = wire.packed(5, np.array([data], np.float32))
        tensor = wire.message(8, wire.integer(1, _FLOAT), wire.message(2), number)
        self._events.add_event(
            wire.double(1, wall_time)
            + wire.integer(2, int(step))
            + wire.message(5, wire.value(tag, tensor, metadata))
        )

    def flush(self) -> None:
        """Have everything in the file."""
        self._events.flush()

    def close(self) -> None:
        """Have everything in the file, and end."""
        self._events.close()
