"""In the place of `tensorboard.summary.Writer`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from kymograph.stand_in.outputs import DirectoryOutput

__all__ = ["Writer"]


class Writer:
    """Scalars into a directory, or into any `tensorboard.summary.Output`."""

    def __init__(self, output: Any) -> None:
        if isinstance(output, str):
            output = DirectoryOutput(output)
        elif not hasattr(output, "emit_scalar"):
            raise TypeError(f"Unsupported output object {output!r}")
        self._output = output
        self._closed = False

    def add_scalar(
        self,
        tag: str,
        data: Any,
        step: Any,
        *,
        wall_time: float | None = None,
        description: str | None = None,
    ) -> None:
        """Add a point to the series of a tag."""
        self._check_not_closed()
        self._output.emit_scalar(
            plugin_name="scalars",
            tag=tag,
            data=_scalar(np.float32(data), "data"),
            step=_scalar(np.int64(step), "step"),
            wall_time=time.time() if wall_time is None else wall_time,
            description=description,
        )

    def flush(self) -> None:
        """Have everything written."""
        self._check_not_closed()
        self._output.flush()

    def close(self) -> None:
        """Have everything written, and end."""
        self._check_not_closed()
        self._output.close()
        self._closed = True

    def _check_not_closed(self) -> None:
        if self._closed:
            raise RuntimeError("Writer is already closed")


def _scalar(number: Any, name: str) -> Any:
    if number.ndim:
        raise ValueError(f"Expected scalar value for {name!r} but got {number!r}")
    return number
