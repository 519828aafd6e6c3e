"""A progress bar for long loads, on terminals only."""

from __future__ import annotations

import shutil
import sys
import time

from kymograph.cli import text
from kymograph.store import Progress, Store

__all__ = ["line", "wait"]

# Shorter loads show no bar.
_PATIENCE_SECS = 0.4
_INTERVAL_SECS = 0.1
_BAR_CELLS = 40
_CLEAR_LINE = "\r\x1b[2K"


def wait(store: Store) -> None:
    """Waits until a store is loaded, and shows progress on standard error."""
    if store.wait(_PATIENCE_SECS):
        return
    if sys.stderr.isatty():
        _wait_with_bar(store)
    else:
        store.wait()


def _wait_with_bar(store: Store) -> None:
    started = time.monotonic()
    loaded = False
    try:
        while not loaded:
            began = time.monotonic()
            loaded = store.wait(_INTERVAL_SECS)
            seconds = time.monotonic() - started
            # One cell stays free: a line that is full would wrap on some terminals.
            room = shutil.get_terminal_size().columns - 1
            sys.stderr.write(_CLEAR_LINE + line(store.progress, seconds, room))
            sys.stderr.flush()
            if not loaded and time.monotonic() - began < _INTERVAL_SECS / 2:
                return  # the store was closed
    finally:
        sys.stderr.write(_CLEAR_LINE)
        sys.stderr.flush()


def line(now: Progress, seconds: float, room: int) -> str:
    """`reading 3 of 9 files  ━━━━╌╌╌╌  1.2 GB of 3.4 GB, 250 MB/s, 9 s left`, as far as it fits."""
    files = f"reading {now.files_done:,} of {text.count(now.files_known, 'file')}"
    if not now.bytes_known:
        return files[:room]
    done = min(now.bytes_done / now.bytes_known, 1.0)
    size = f"{text.size(now.bytes_done)} of {text.size(now.bytes_known)}"
    if now.bytes_done and seconds > 0:
        rate = now.bytes_done / seconds
        left = max(now.bytes_known - now.bytes_done, 0) / rate
        size += f", {text.size(round(rate))}/s, {text.duration(max(round(left), 1))} left"
    spare = room - len(files) - len(size) - 4
    cells = min(_BAR_CELLS, spare)
    if cells < 1:
        return f"{files}, {size}"[:room]
    full = round(done * cells)
    return f"{files}  {'━' * full}{'╌' * (cells - full)}  {size}"
