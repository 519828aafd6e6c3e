"""A progress bar for long loads, on terminals only."""

from __future__ import annotations

import sys
import time

from kymograph.store import Store

__all__ = ["wait"]

# Shorter loads show no bar.
_PATIENCE_SECS = 0.4
_INTERVAL_SECS = 0.1


def wait(store: Store) -> None:
    """Waits until a store is loaded, and shows progress on standard error."""
    if store.wait(_PATIENCE_SECS):
        return
    if sys.stderr.isatty():
        _wait_with_bar(store)
    else:
        store.wait()


def _wait_with_bar(store: Store) -> None:
    # Rich takes longer to import than most logdirs to load.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(binary_units=False),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        loaded = False
        while not loaded:
            began = time.monotonic()
            loaded = store.wait(_INTERVAL_SECS)
            now = store.progress
            files = f"reading {now.files_done:,} of {now.files_known:,} files"
            total = now.bytes_known or None
            bar.update(task, description=files, completed=now.bytes_done, total=total)
            if not loaded and time.monotonic() - began < _INTERVAL_SECS / 2:
                return  # the store was closed
