"""The routes of TensorBoard's PR curves plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kymograph.asgi.board import Board
from kymograph.compat import tagged
from kymograph.compat.answers import Json, Query, numbers
from kymograph.errors import RequestError
from kymograph.store import BlobSeries, Tensor

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ANSWERS"]

_PR_CURVES = "pr_curves"
# The rows of a curve, in the order in which they are logged.
_COUNTS = ("true_positives", "false_positives", "true_negatives", "false_negatives")
_ROWS = (*_COUNTS, "precision", "recall")


def tags(board: Board, _query: Query) -> Json:
    """Display name and description of each tag of each run."""
    return tagged.listing(board.store, _PR_CURVES)


def pr_curves(board: Board, query: Query) -> Json:
    """Every curve of one tag in some runs, each of which must have it."""
    runs, tag = query.every("run"), query.text("tag")
    if not runs:
        raise RequestError("missing parameter: `run`")
    found = {run: tagged.find_blobs(board.store, _PR_CURVES, run, tag) for run in runs}
    for run, blobs in found.items():
        if blobs is None:
            raise RequestError(f"run {run!r} has no PR curves with the tag: {tag!r}")
    return {run: _curves(blobs) for run, blobs in found.items() if blobs is not None}


def _curves(blobs: BlobSeries) -> list[Json]:
    return [
        {"wall_time": wall_time, "step": step, **_curve(value.array)}
        for wall_time, step, value in tagged.decoded(blobs)
        if isinstance(value, Tensor) and _is_curve(value)
    ]


def _is_curve(tensor: Tensor) -> bool:
    return len(tensor.shape) == 2 and tensor.shape[0] >= len(_ROWS)


def _curve(array: npt.NDArray[Any]) -> dict[str, Json]:
    """The curve without its end, where nothing is positive and precision has no meaning."""
    with np.errstate(invalid="ignore"):
        counts = array[: len(_COUNTS)].astype(np.int64)
    meaningful = np.flatnonzero(counts[0] + counts[1])
    length = int(meaningful[-1]) + 1 if len(meaningful) else 1
    rows = [*counts, *array[len(_COUNTS) : len(_ROWS)]]
    named = dict(zip(_ROWS, rows, strict=True))
    named["thresholds"] = np.linspace(0.0, 1.0, array.shape[1])
    return {name: numbers(row[:length]) for name, row in named.items()}


ANSWERS = {"tags": tags, "pr_curves": pr_curves}
