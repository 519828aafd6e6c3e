"""The routes of TensorBoard's histograms plugin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from kymograph.asgi.board import Board
from kymograph.compat import tagged
from kymograph.compat.answers import Json, Query, numbers
from kymograph.store import BlobSeries, Histogram

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ANSWERS", "each", "tags"]

_HISTOGRAMS = "histograms"


def tags(board: Board, _query: Query) -> Json:
    """Display name and description of each tag of each run."""
    return tagged.listing(board.store, _HISTOGRAMS)


def histograms(board: Board, query: Query) -> Json:
    """Every histogram of one tag of one run: left edge, right edge and count of each bucket."""
    blobs = tagged.blobs(board.store, _HISTOGRAMS, query.text("run"), query.text("tag"))
    return [(wall_time, step, numbers(buckets)) for wall_time, step, buckets in each(blobs)]


def each(blobs: BlobSeries) -> Iterator[tuple[float, int, npt.NDArray[np.float64]]]:
    """Wall time, step and buckets of each histogram."""
    for wall_time, step, value in tagged.decoded(blobs):
        if isinstance(value, Histogram):
            yield wall_time, step, value.buckets


ANSWERS = {"tags": tags, "histograms": histograms}
