"""Tables of values: a row for each series."""

from __future__ import annotations

from array import array
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import frames, responses
from kymograph.asgi.answers import encoded, is_ours
from kymograph.asgi.board import Board, board
from kymograph.asgi.frames import Columns
from kymograph.asgi.names import MOST_PAIRS, Name
from kymograph.asgi.work import Cost
from kymograph.errors import QueryError
from kymograph.store import lod


class SummaryQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The series of a table."""

    tags: Annotated[list[Name], msgspec.Meta(max_length=1000)]
    runs: Annotated[list[Name], msgspec.Meta(max_length=100_000)] | None = None
    """`null` for all runs."""
    instance: Name | None = None
    """The instance that `since` is from; it is ignored if that has changed."""
    since: int | None = None
    """A `change`: only series that changed after it."""


class SummaryMeta(msgspec.Struct):
    """The names to which the columns `run` and `tag` contain indices."""

    instance: str
    change: int
    runs: list[str]
    tags: list[str]


async def summary(request: Request, query: SummaryQuery) -> Response:
    """A row for each series: first and last point, extremes, and values that are not finite."""
    here = board(request)
    cost = Cost.of_pairs(len(query.tags) * len(here.store))
    data = await here.run(cost, encoded, summarize, here, query)
    return await responses.encoded(request, data, frames.MEDIA_TYPE)


def summarize(here: Board, query: SummaryQuery) -> tuple[Columns, SummaryMeta]:
    """The response to a query; runs that do not exist, or lack a tag, have no row."""
    store, change = here.store, here.store.change
    since = query.since if is_ours(here, query.instance) else None
    tags = list(dict.fromkeys(query.tags))
    wanted = None if query.runs is None else set(query.runs)
    pairs = len(tags) * len(store)
    if pairs > MOST_PAIRS:
        raise QueryError(
            f"a query may have at most {MOST_PAIRS} pairs of run and tag, not: {pairs}"
        )
    rows = [
        (number, series)
        for number, tag in enumerate(tags)
        for series in store.all_series(tag)
        if (since is None or series.change > since) and (wanted is None or series.run in wanted)
    ]
    runs = {run: number for number, run in enumerate(dict.fromkeys(row.run for _, row in rows))}
    columns: dict[str, frames.Column] = {
        "run": array("I", [runs[series.run] for _, series in rows]),
        "tag": array("I", [number for number, _ in rows]),
        "generation": array("q", [series.generation for _, series in rows]),
    }
    summaries = lod.summary_views([series for _, series in rows])
    return columns | summaries, SummaryMeta(here.instance, change, list(runs), tags)
