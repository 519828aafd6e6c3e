"""PyTorch's profiler: traces into a log directory."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kymograph.writer.directories import local_directory

__all__ = ["trace_handler"]

_LOG = logging.getLogger(__name__)


def trace_handler(
    dir_name: str | os.PathLike[str], worker_name: str | None = None, use_gzip: bool = False
) -> Callable[[Any], None]:
    """What `torch.profiler.profile` takes as `on_trace_ready`: a file for each cycle.

        from kymograph.integrations.torch_profiler import trace_handler

        with torch.profiler.profile(on_trace_ready=trace_handler("runs/first")):
            train()

    A trace appears under its name when it is whole, and one that cannot be written is a warning,
    not the end of the training.

    Args:
        dir_name: where the traces go; made if it is missing.
        worker_name: names the process; `<host>_<pid>` by default.
        use_gzip: compress the traces.
    """
    directory = local_directory(dir_name)

    def write(profile: Any) -> None:
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        name = f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"
        path = Path(directory, name)
        # The profiler compresses depending on the suffix, so only the beginning can differ.
        partial = path.with_name(f".{name}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            profile.export_chrome_trace(str(partial))
            partial.replace(path)
        except (OSError, RuntimeError) as error:
            with contextlib.suppress(OSError):
                partial.unlink()
            _LOG.warning("trace not written, %s: %s", error, path)

    return write
