"""What surrounds a training run, logged as ordinary events: machine, output, code, packages."""

from __future__ import annotations

import atexit
import logging
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kymograph.writer.capture.environment import Environment
from kymograph.writer.capture.git import Git
from kymograph.writer.capture.output import Output
from kymograph.writer.capture.part import Part, Writer
from kymograph.writer.capture.system import SystemMetrics

if TYPE_CHECKING:
    from multiprocessing.util import Finalize

__all__ = [
    "Capture",
    "Environment",
    "Git",
    "Options",
    "Output",
    "Part",
    "SystemMetrics",
    "Writer",
    "start",
]

log = logging.getLogger(__name__)

PARTS: dict[str, Callable[[], Part]] = {
    "system": SystemMetrics,
    "output": Output,
    "environment": Environment,
    "git": Git,
}
Options = bool | str | Part | Iterable[str | Part]

_HEAD_START_SECS = 0.05
# Longer than anything takes but a file system that hangs.
_STOP_SECS = 10.0


def start(writer: Writer, options: Options) -> Capture:
    """Captures what `options` names into `writer`, until `stop` is called.

    `True` is everything; else names of `PARTS`, or parts made with settings of their own:

        start(writer, ["git", SystemMetrics(interval_secs=60)])
    """
    return Capture(writer, _chosen(options))


def _chosen(options: Options) -> list[Part]:
    if isinstance(options, bool):
        options = PARTS if options else ()
    if isinstance(options, (str, Part)):
        options = [options]
    chosen: list[Part] = []
    for option in options:
        if isinstance(option, Part):
            chosen.append(option)
        elif option in PARTS:
            chosen.append(PARTS[option]())
        else:
            known = ", ".join(f"`{name}`" for name in PARTS)
            raise ValueError(f"cannot capture {option!r}; use some of: {known}")
    return chosen


class Capture:
    """Parts at work on a thread of their own; a forked child inherits nothing that runs."""

    def __init__(self, writer: Writer, parts: list[Part]) -> None:
        self._writer = writer
        self._parts: list[Part] = []
        self._pid = os.getpid()
        self._stopping = threading.Event()
        self._abandoned = False
        self._thread: threading.Thread | None = None
        self._finalizer: Finalize | None = None
        for part in parts:
            if self._try(part, part.begin):
                self._parts.append(part)
            else:
                self._try(part, part.end)
        if self._parts:
            self._start()

    def _start(self) -> None:
        thread = threading.Thread(target=self._run, name="kymograph-capture", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # too many threads, or the interpreter is about to end
            log.warning("nothing is captured: %s", error)
            for part in self._parts:
                self._try(part, part.end)
        else:
            self._thread = thread
            self._stop_at_exit()

    def _stop_at_exit(self) -> None:
        # Called last registered first, so before the core writes what it holds.
        atexit.register(self.stop)
        # A child of `multiprocessing` ends without `atexit`.
        if util := sys.modules.get("multiprocessing.util"):
            self._finalizer = util.Finalize(None, self.stop, exitpriority=10)

    def stop(self) -> None:
        """Writes what is still to be written and ends; does nothing the second time.

        The writer must be open until this returns. Called at the interpreter's exit, too.
        """
        if self._pid != os.getpid() or self._thread is None:
            return
        thread, self._thread = self._thread, None
        atexit.unregister(self.stop)
        if self._finalizer:
            self._finalizer.cancel()
        self._stopping.set()
        thread.join(_STOP_SECS)
        if thread.is_alive():
            self._abandoned = True
            log.warning("capture is still busy after %d s, its last records are lost", _STOP_SECS)
            for part in self._parts:
                self._try(part, part.end)

    def _run(self) -> None:
        # What is imported first would hold up the thread that is making the writer.
        self._stopping.wait(_HEAD_START_SECS)
        due = dict.fromkeys(self._parts, 0.0)
        # Each part gets its first turn even if the program ends at once.
        while due and not (self._stopping.is_set() and all(due.values())):
            now = time.monotonic()
            for part in [part for part, when in due.items() if when <= now]:
                due[part] = now + part.interval_secs
                if not self._record(part, final=False):
                    del due[part]
            wait_secs = min(due.values(), default=0.0) - time.monotonic()
            self._stopping.wait(min(max(wait_secs, 0.0), threading.TIMEOUT_MAX))
        for part in due:
            if part.interval_secs == math.inf or self._record(part, final=True):
                self._try(part, part.end)

    def _record(self, part: Part, *, final: bool) -> bool:
        if self._abandoned:
            return False
        if self._try(part, lambda: part.record(self._writer, final=final)):
            return True
        self._try(part, part.end)
        return False

    def _try(self, part: Part, action: Callable[[], None]) -> bool:
        try:
            action()
        except Exception as error:  # noqa: BLE001  (nothing here may disturb the training)
            name = type(part).__name__
            log.warning("no longer captured: %s: %s: %s", name, type(error).__name__, error)
            return False
        return True
