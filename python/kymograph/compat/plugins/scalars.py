"""The routes of TensorBoard's scalars plugin."""

from __future__ import annotations

import csv
import io

from kymograph.asgi.board import Board
from kymograph.compat import tagged
from kymograph.compat.answers import Content, Json, Query, check_size, points
from kymograph.errors import RequestError
from kymograph.store import Series

__all__ = ["ANSWERS", "scalars"]


def tags(board: Board, _query: Query) -> Json:
    """Display name and description of each tag of each run."""
    return tagged.listing(board.store, tagged.SCALARS)


def scalars(board: Board, query: Query) -> Json:
    """Every point of one tag of one run, as JSON or CSV."""
    run, tag = query.text("run"), query.text("tag")
    series = board.store[run].series(tag)
    return _table(series) if query.find("format") == "csv" else points(series)


def scalars_multirun(board: Board, query: Query) -> Json:
    """Every point of one tag in some runs; those that lack it are left out."""
    if len(query.every("tag")) != 1:
        raise RequestError("`tag` must be given exactly once")
    found = tagged.find_scalars(board.store, query.every("runs"), query.text("tag"))
    check_size(sum(map(len, found.values())))
    return {run: points(series) for run, series in found.items()}


def _table(series: Series) -> Content:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["Wall time", "Step", "Value"])
    steps, walls, values = series.views()
    writer.writerows(zip(walls, steps, values, strict=True))
    return Content(text.getvalue().encode(), "text/csv; charset=utf-8")


ANSWERS = {"tags": tags, "scalars": scalars, "scalars_multirun": scalars_multirun}
