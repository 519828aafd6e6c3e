"""One writer for the whole program: `kymograph.log({"loss": loss})` without any setup."""

from __future__ import annotations

import itertools
import math
import numbers
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kymograph.writer import lifetime
from kymograph.writer.summary_writer import SummaryWriter

__all__ = ["default_writer", "finish", "init", "log"]

_writer: SummaryWriter | None = None
_steps = itertools.count()


def init(log_dir: str | os.PathLike[str] | None = None, **kwargs: Any) -> SummaryWriter:
    """Creates the writer that `log` uses, with the arguments of `SummaryWriter`.

    An earlier one is closed, and steps are counted from 0 again.
    """
    finish()
    with lifetime.opening():
        return _make(log_dir, **kwargs)


def default_writer() -> SummaryWriter:
    """The writer that `log` uses; created with default settings if there is none."""
    if writer := _writer:
        return writer
    with lifetime.opening():
        return _writer or _make(None)


def finish() -> None:
    """Closes the writer; the next `log` creates a new one, in its own directory."""
    global _writer
    with lifetime.opening():
        writer, _writer = _writer, None
    if writer:
        writer.close()


def log(values: Mapping[str, Any], step: int | None = None) -> None:
    """Logs numbers as scalars and strings as text, all at one step.

    Nested mappings are joined by slashes. Without `step`, the first call has step 0 and each
    further one the step after the last.

        kymograph.log({"loss": 0.25, "accuracy": {"train": 0.9, "test": 0.8}}, step)
    """
    global _steps  # noqa: PLW0603
    flat = list(_flatten(values, ""))
    if strange := [_kind(tag, value) for tag, value in flat if not _is_loggable(value)]:
        raise TypeError(
            f"`log` takes numbers, strings and mappings of them: {', '.join(strange)}\n"
            "hint: use the methods of `kymograph.default_writer()` for other types"
        )
    writer = default_writer()
    if step is None:
        step = next(_steps)
    else:
        _steps = itertools.count(int(step) + 1)
    for tag, value in flat:
        if isinstance(value, str):
            writer.add_text(tag, value, step)
        else:
            writer.add_scalar(tag, value, step)


def _flatten(values: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", value


def _kind(tag: str, value: object) -> str:
    shape = getattr(value, "shape", None)
    return f"`{tag}` is {type(value).__name__}" + ("" if shape is None else f" of shape {shape}")


def _is_loggable(value: object) -> bool:
    """Also true for an array of one number, of whichever library."""
    if isinstance(value, (str, numbers.Real, np.bool_)):
        return True
    shape = getattr(value, "shape", None)
    try:
        return shape is not None and math.prod(shape) == 1
    except TypeError:  # a shape that is not known, or none at all
        return False


def _make(log_dir: str | os.PathLike[str] | None, **kwargs: Any) -> SummaryWriter:
    global _writer, _steps
    writer = SummaryWriter(log_dir, **kwargs)
    _writer, _steps = writer, itertools.count()
    return writer
