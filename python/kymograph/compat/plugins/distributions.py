"""The routes of TensorBoard's distributions plugin."""

from __future__ import annotations

from kymograph.asgi.board import Board
from kymograph.compat import tagged, values
from kymograph.compat.answers import Json, Query
from kymograph.compat.plugins import histograms

__all__ = ["ANSWERS"]

_BASIS_POINTS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000)


def distributions(board: Board, query: Query) -> Json:
    """Every histogram of one tag of one run, as the values at nine basis points."""
    blobs = tagged.blobs(board.store, "histograms", query.text("run"), query.text("tag"))
    return [
        (wall_time, step, values.compressed_rows(buckets, _BASIS_POINTS))
        for wall_time, step, buckets in histograms.each(blobs)
    ]


ANSWERS = {"tags": histograms.tags, "distributions": distributions}
