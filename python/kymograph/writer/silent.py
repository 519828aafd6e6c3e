"""What a rank that is not to write has instead of files."""

from __future__ import annotations

import os
from typing import Any

__all__ = ["SilentFileWriter", "silence"]


def silence(writer: Any) -> None:
    """Turns every method that logs into one that does nothing: not even arguments are looked at."""
    for name in dir(type(writer)):
        if name.startswith("add_"):
            setattr(writer, name, _nothing)


def _nothing(*_: object, **__: object) -> None:
    return None


class SilentFileWriter:
    """The methods of a `FileWriter`, without a file."""

    def __init__(self, log_dir: str | os.PathLike[str]) -> None:
        self._log_dir = str(log_dir)
        self.event_writer = self._ev_writer = self

    _file_name = ""

    def get_logdir(self) -> str:
        """The directory in which nothing is written."""
        return self._log_dir

    add_event = add_summary = add_graph = add_run_metadata = add_onnx_graph = staticmethod(_nothing)
    flush = close = reopen = staticmethod(_nothing)
