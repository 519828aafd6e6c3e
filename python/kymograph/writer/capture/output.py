"""What the program prints, line by line, as text summaries."""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from typing import Any

from kymograph.writer.capture.part import Part, Writer, fenced

__all__ = ["Output", "Tee", "last_state"]

# Of what is printed between two records, and of a line without an end.
_PENDING_CHARS = 1 << 20
# Colours, cursor moves, titles and hyperlinks of terminals.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")


class Output(Part):
    """Text under `output/stdout` and `output/stderr`.

    The step is the number of lines before, of that stream. A progress bar, which returns to the
    start of its line again and again, is one line: its last state.
    """

    def __init__(self, *, interval_secs: float = 3.0) -> None:
        self.interval_secs = interval_secs
        self._streams: list[Lines] = []

    def begin(self) -> None:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            # `pythonw` has none; and one object may serve as both.
            if stream is not None and all(
                lines.tee.stream is not stream for lines in self._streams
            ):
                self._streams.append(Lines(f"output/{name}", Tee(stream)))

    def record(self, writer: Writer, *, final: bool) -> None:
        for lines in self._streams:
            lines.record(writer, final=final)

    def end(self) -> None:
        for lines in self._streams:
            lines.tee.undo()


class Tee:
    """Keeps what is written to `stream`, which stays the object it is.

    Not `sys.stdout` is replaced but the stream's `write`: log handlers and progress bars that took
    hold of the stream earlier are captured too, and `isatty`, `fileno` and the like need no copy.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.dropped_chars = 0
        self._pid = os.getpid()
        self._pieces: deque[str] = deque()
        self._taken_chars = self._given_chars = 0
        self._is_open = True
        self._had_own = "write" in getattr(stream, "__dict__", {})
        self._original = stream.write
        self._write = self._tee  # the one object by which `undo` knows ours
        stream.write = self._write

    def _tee(self, text: Any) -> Any:
        written = self._original(text)
        # A forked child only passes output on: its copy of the pieces is never written.
        if self._is_open and isinstance(text, str) and self._pid == os.getpid():
            # No lock, for a signal handler may print while this thread is printing. Counts that
            # are a little off, because two threads print at once, do no harm.
            room_chars = _PENDING_CHARS - (self._given_chars - self._taken_chars)
            kept = text if len(text) <= room_chars else text[: max(0, room_chars)]
            self._given_chars += len(kept)
            self._pieces.append(kept)
            self.dropped_chars += len(text) - len(kept)
        return written

    def take(self) -> str:
        """What was written since the last call."""
        pieces = [self._pieces.popleft() for _ in range(len(self._pieces))]
        text = "".join(pieces)
        self._taken_chars += len(text)
        return text

    def undo(self) -> None:
        """Gives the stream its own `write` back; below another's, ours only passes on."""
        self._is_open = False
        if getattr(self.stream, "write", None) is not self._write:
            return
        if self._had_own:
            self.stream.write = self._original
        else:
            del self.stream.write


class Lines:
    """The lines of one stream, under one tag."""

    def __init__(self, tag: str, tee: Tee) -> None:
        self.tee = tee
        self._tag = tag
        self._unfinished = ""
        self._count = 0

    def record(self, writer: Writer, *, final: bool) -> None:
        """Writes the lines that are whole, in the end also the one that is not."""
        *whole, unfinished = (self._unfinished + self.tee.take()).split("\n")
        lines = [last_state(line) for line in whole]
        # A `\r` at the end may be half a `\r\n`, or the start of a bar's next state.
        self._unfinished = last_state(unfinished) + "\r" * unfinished.endswith("\r")
        dropped_chars = self.tee.dropped_chars
        if final or dropped_chars or len(self._unfinished) > _PENDING_CHARS:
            lines += [rest] if (rest := last_state(self._unfinished)) else []
            self._unfinished = ""
        if dropped_chars:
            self.tee.dropped_chars -= dropped_chars
            lines.append(f"[... {dropped_chars} characters left out]")
        if lines:
            writer.add_text(self._tag, fenced("\n".join(lines)), self._count)
            self._count += len(lines)


def last_state(line: str) -> str:
    """A line as a terminal shows it in the end, roughly: after its last carriage return."""
    return _ESCAPES.sub("", line.rstrip("\r").rpartition("\r")[2])
