"""The blobs of many series with one request."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import frames, paging, responses
from kymograph.asgi.answers import encoded, is_ours
from kymograph.asgi.board import Board, board
from kymograph.asgi.names import MOST_SERIES, Name
from kymograph.asgi.operations import Operation
from kymograph.errors import UnknownRunError, UnknownTagError
from kymograph.store import BlobSeries, blobs

__all__ = ["OPERATIONS"]

# Most rows of one answer; the rest is requested again.
_MOST_ROWS = 200_000


class KnownBlobs(msgspec.Struct, forbid_unknown_fields=True):
    """The first blobs of a series, which the client already has."""

    generation: int
    count: Annotated[int, msgspec.Meta(ge=0)]


class WantedBlobs(msgspec.Struct, forbid_unknown_fields=True):
    """A series."""

    run: Name
    tag: Name
    dashboard: paging.AnyDashboard = ""
    """If empty, the first that has blobs with this tag."""
    known: KnownBlobs | None = None
    """If the generation is still the same, only later blobs are sent."""


class BlobListQuery(msgspec.Struct, forbid_unknown_fields=True):
    """All series on the screen."""

    series: Annotated[list[WantedBlobs], msgspec.Meta(max_length=MOST_SERIES)]
    instance: Name | None = None
    """The instance that `since` and `known` are from; both are ignored if it has changed."""
    since: int | None = None
    """A `change`: series that did not change after it, and of which the client has all, are listed
    in `unchanged` and not sent."""


class ListedBlobs(msgspec.Struct):
    """A series, and where its blobs are in the columns."""

    series: int
    """Its position in the request."""
    run: str
    tag: str
    dashboard: str
    change: int
    generation: int
    total: int
    first: int
    """The index in the series of the first blob that is sent."""
    start: int
    count: int
    plugin: str
    display_name: str
    description: str
    content: bytes


class MissingBlobs(msgspec.Struct):
    """A series that does not exist."""

    series: int
    lacks: Literal["run", "tag"]


class BlobListMeta(msgspec.Struct):
    """The meta object of a frame of blobs."""

    instance: str
    change: int
    complete: bool = True
    """Whether every series is sent to its end."""
    series: list[ListedBlobs] = []
    unchanged: list[int] = []
    missing: list[MissingBlobs] = []


async def blob_list(request: Request, query: BlobListQuery) -> Response:
    """The blobs of many series."""
    here = board(request)
    data = await here.workers.run(encoded, select, here, query)
    return await responses.encoded(request, data, frames.MEDIA_TYPE)


def select(here: Board, query: BlobListQuery) -> tuple[frames.Columns, BlobListMeta]:
    """The answer to a query."""
    # Read the number first: later changes are sent now or with the next response.
    meta = BlobListMeta(here.instance, here.store.change)
    trusted = is_ours(here, query.instance)
    ranges: list[tuple[BlobSeries, int, int]] = []
    rows = 0
    for position, wanted in enumerate(query.series):
        try:
            series = here.store[wanted.run].blobs(wanted.tag, wanted.dashboard or None)
        except UnknownRunError:
            meta.missing.append(MissingBlobs(position, "run"))
            continue
        except UnknownTagError:
            meta.missing.append(MissingBlobs(position, "tag"))
            continue
        known = wanted.known if trusted else None
        first = _first(series, known)
        has_all = known is None or (first == known.count == len(series))
        if trusted and query.since is not None and series.change <= query.since and has_all:
            meta.unchanged.append(position)
            continue
        count = min(len(series) - first, _MOST_ROWS - rows)
        meta.series.append(_listed(position, series, first, rows, count))
        meta.complete = meta.complete and first + count == len(series)
        ranges.append((series, first, count))
        rows += count
    return blobs.columns(ranges), meta


def _first(series: BlobSeries, known: KnownBlobs | None) -> int:
    """The index of the first blob that the client does not have."""
    if known is None or known.generation != series.generation or known.count > len(series):
        return 0
    return known.count


def _listed(position: int, series: BlobSeries, first: int, start: int, count: int) -> ListedBlobs:
    metadata = series.metadata
    return ListedBlobs(
        series=position,
        run=series.run,
        tag=series.tag,
        dashboard=series.dashboard,
        change=series.change,
        generation=series.generation,
        total=len(series),
        first=first,
        start=start,
        count=count,
        plugin=metadata.plugin_name or series.dashboard,
        display_name=metadata.display_name,
        description=metadata.description,
        content=metadata.content,
    )


OPERATIONS = [
    Operation("POST", "/blobs/list", blob_list, "the blobs of many series", body=BlobListQuery)
]
