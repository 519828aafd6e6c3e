"""One event file as other libraries expect it: `FileWriter`, and the forms of its arguments."""

from __future__ import annotations

import logging
import os
import time
from typing import Any

from kymograph._core import EventWriter, LateSummary
from kymograph.errors import WriteError
from kymograph.writer import lifetime, wire
from kymograph.writer.directories import local_directory

__all__ = [
    "CLOSED",
    "NOT_PLAIN",
    "ClosedError",
    "EventFileWriter",
    "FileWriter",
    "step_number",
    "wall_seconds",
]

# What the core answers to a record; 0 is "taken, nothing to report".
NOT_PLAIN = 1
CLOSED = 3

_logger = logging.getLogger("kymograph.writer")


class ClosedError(OSError):
    """Something was logged to a file that is closed."""

    def __init__(self) -> None:
        super().__init__("Writer is closed")


def host_name() -> str:
    """The machine's name, as used in file names."""
    if hasattr(os, "uname"):
        return os.uname().nodename
    import socket

    return socket.gethostname()


def step_number(step: Any) -> int:
    """A step as stored in event files; `None` is 0.

    Raises `ValueError` for what fits into no 64-bit integer.
    """
    if step is None:
        return 0
    number = int(step)
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError(f"Value out of range: {number}")
    return number


def wall_seconds(walltime: Any) -> float | None:
    """A wall time as stored in event files; `None` means now."""
    if walltime is None or isinstance(walltime, float):
        return walltime
    if isinstance(walltime, (str, bytes)):
        raise TypeError(f"must be real number, not {type(walltime).__name__}")
    return float(walltime)


def serialized(message: Any) -> bytes:
    """The bytes of a protobuf message of any library, or bytes as they are."""
    if isinstance(message, bytes):
        return message
    if not hasattr(message, "SerializeToString"):
        raise TypeError(f"expected a protobuf message or its bytes, not {type(message).__name__}")
    return bytes(message.SerializeToString())


class EventFileWriter:
    """What `FileWriter.event_writer` is: events in, a file out."""

    def __init__(
        self,
        logdir: str | os.PathLike[str],
        max_queue_size: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        *,
        purge_step: int | None = None,
        strict: bool = False,
        base: str | None = None,
    ) -> None:
        self._logdir = str(logdir)
        self.directory = local_directory(logdir, base)
        self._settings = (int(max_queue_size), float(flush_secs), str(filename_suffix))
        self._strict = strict
        self._is_closed = False
        self.events = self._open(purge_step)
        self.report()

    def _open(self, purge_step: int | None) -> EventWriter:
        lifetime.watch()
        max_queue, flush_secs, suffix = self._settings
        return EventWriter(
            self.directory,
            host=host_name(),
            max_queue=max_queue,
            flush_secs=flush_secs,
            suffix=suffix,
            purge_step=purge_step,
        )

    @property
    def _file_name(self) -> str:
        return self.events.path

    @property
    def _ev_writer(self) -> EventFileWriter:
        """In tensorboardX another object has the file's name."""
        return self

    def get_logdir(self) -> str:
        """The directory of the file."""
        return self._logdir

    def add_event(self, event: Any, step: Any = None, walltime: Any = None) -> None:
        """Adds an `Event` message or its bytes, at another step and wall time if given."""
        number = None if step is None else step_number(step)
        self.answer(self.events.add_event(serialized(event), number, wall_seconds(walltime)))

    def add_summary(self, summary: Any, step: Any = None, walltime: Any = None) -> None:
        """Adds a `Summary` message, its bytes, or one of ours."""
        if not isinstance(summary, (bytes, LateSummary)):
            summary = serialized(summary)
        seconds = wall_seconds(walltime)
        self.answer(self.events.add_summary(summary, step_number(step), seconds))

    def flush(self) -> None:
        """Returns when everything added so far has been handed to the operating system."""
        if self._is_closed:
            raise ClosedError
        done = self.events.flush()
        self.report()
        if self._strict and not done:
            raise WriteError(f"not everything could be written: {self._file_name}")

    def close(self) -> None:
        """Writes everything and closes the file; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self.events.close()
            self.report()

    def reopen(self) -> None:
        """Continues in a new file, if this one is closed."""
        if self._is_closed:
            self.events = self._open(None)
            self._is_closed = False

    def answer(self, code: int) -> None:
        """Acts upon what the core said of a record."""
        if code == CLOSED:
            raise ClosedError
        if code:
            self.report()

    def report(self) -> None:
        """Reports what went wrong with the disk, once: the training loop continues."""
        notice = self.events.take_notice()
        if notice is None:
            return
        if self._strict:
            raise WriteError(notice)
        _logger.warning("%s", notice)


class FileWriter:
    """Protobuf messages into one event file, with the methods of PyTorch's class of this name."""

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        *,
        purge_step: int | None = None,
        strict: bool = False,
        base: str | None = None,
    ) -> None:
        self.event_writer = EventFileWriter(
            log_dir,
            max_queue,
            flush_secs,
            filename_suffix,
            purge_step=purge_step,
            strict=strict,
            base=base,
        )

    def get_logdir(self) -> str:
        """The directory of the file."""
        return self.event_writer.get_logdir()

    def add_event(self, event: Any, step: Any = None, walltime: Any = None) -> None:
        """Adds an `Event` message or its bytes; without a wall time it happened now."""
        self.event_writer.add_event(event, step, time.time() if walltime is None else walltime)

    def add_summary(self, summary: Any, global_step: Any = None, walltime: Any = None) -> None:
        """Adds a `Summary` message, its bytes, or one of ours."""
        self.event_writer.add_summary(summary, global_step, walltime)

    def add_graph(self, graph_profile: tuple[Any, Any], walltime: Any = None) -> None:
        """Adds a graph and the run metadata that belongs to it."""
        graph, run_metadata = graph_profile
        self.add_onnx_graph(graph, walltime)
        self.add_run_metadata(run_metadata, "step1", walltime)

    def add_run_metadata(self, run_metadata: Any, tag: str, walltime: Any = None) -> None:
        """Adds run metadata under a tag."""
        fields = wire.text(1, tag) + wire.data(2, serialized(run_metadata))
        self.add_event(wire.message(8, fields), None, walltime)

    def add_onnx_graph(self, graph: Any, walltime: Any = None) -> None:
        """Adds a graph alone."""
        self.add_event(wire.data(4, serialized(graph)), None, walltime)

    def flush(self) -> None:
        """Returns when everything added so far has been handed to the operating system."""
        self.event_writer.flush()

    def close(self) -> None:
        """Writes everything and closes the file."""
        self.event_writer.close()

    def reopen(self) -> None:
        """Continues in a new file, if this one is closed."""
        self.event_writer.reopen()
