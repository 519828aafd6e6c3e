"""How a process ends or splits: what was logged is on disk before, and a child has its own files.

SIGTERM and SIGHUP are the core's business: a Python handler would wait for the training step.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading

from kymograph import _core

__all__ = ["opening", "watch"]

_logger = logging.getLogger("kymograph.writer")
_opening = threading.RLock()
# The process in which `multiprocessing` was last asked to call us at its end.
_registered_in = 0


def opening() -> threading.RLock:
    """Held while files are opened or closed, so that two threads do not open the same run twice."""
    return _opening


def watch() -> None:
    """To be called where a writer is made: in children of `multiprocessing` `atexit` is silent."""
    global _registered_in  # noqa: PLW0603  (one fact about the process)
    util = sys.modules.get("multiprocessing.util")
    if util is not None and _registered_in != os.getpid():
        _registered_in = os.getpid()
        util.Finalize(None, _flush, exitpriority=0)


def _flush() -> None:
    for notice in _core.flush_at_exit():
        _logger.warning("%s", notice)


def _after_fork() -> None:
    global _opening  # noqa: PLW0603
    _opening = threading.RLock()  # a thread that is not here may hold the old one
    _core.after_fork_in_child()
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        # A child forgets all finalizers when it starts; this is called after that.
        util.register_after_fork(_core, lambda _: watch())


atexit.register(_flush)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
