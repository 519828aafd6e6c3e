"""Every point of a series or of many, as text."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Iterator
from functools import cached_property
from typing import Annotated, Literal
from urllib.parse import quote

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from kymograph.asgi import responses
from kymograph.asgi.board import board
from kymograph.asgi.names import Name, RunNames, Text
from kymograph.dashboards.scalars.search import Found, Search, what_of
from kymograph.store import Series, Store, long_form
from kymograph.store.expression import Expression

# Points that become text at once.
_CHUNK = 20_000


class DownloadQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which series, and in which format."""

    run: Name
    tag: Name
    format: Literal["csv", "json"] = "csv"


async def download(request: Request, query: DownloadQuery) -> Response:
    """Every point of a series, as TensorBoard's download has them."""
    here = board(request)
    series = here.store[query.run].series(query.tag)
    tag = responses.etag(here.instance, series.change, query.format)
    if (same := responses.unchanged(request, tag)) is not None:
        return same
    name = quote(f"{query.run} {query.tag}.{query.format}", safe="")
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
        "ETag": tag,
    }
    media_type = "text/csv" if query.format == "csv" else "application/json"
    if request.method == "HEAD":
        return Response(None, headers=headers, media_type=media_type)
    to_text = _csv if query.format == "csv" else _json
    columns = _Columns(series)

    async def chunks() -> AsyncIterator[bytes]:
        # At least one, which has the beginning and the end.
        for start in range(0, max(len(series), 1), _CHUNK):
            yield await here.workers.run(to_text, columns, start)

    return StreamingResponse(chunks(), headers=headers, media_type=media_type)


class _Columns:
    """The columns of a series, unpacked when the first piece of them is requested."""

    def __init__(self, series: Series) -> None:
        self._series = series

    def __len__(self) -> int:
        return len(self._series)

    @cached_property
    def _views(self) -> tuple[memoryview[int], memoryview[float], memoryview[float]]:
        return self._series.views()

    def rows(self, start: int) -> tuple[memoryview[float], memoryview[int], memoryview[float]]:
        """Wall times, steps and values of the points that become text at once."""
        part = slice(start, start + _CHUNK)
        steps, walls, values = self._views
        return walls[part], steps[part], values[part]


def _csv(columns: _Columns, start: int) -> bytes:
    text = io.StringIO()
    table = csv.writer(text)
    if start == 0:
        table.writerow(["Wall time", "Step", "Value"])
    table.writerows(zip(*columns.rows(start), strict=True))
    return text.getvalue().encode()


def _json(columns: _Columns, start: int) -> bytes:
    walls, steps, values = columns.rows(start)
    text = msgspec.json.encode(list(zip(walls, steps, responses.numbers(values), strict=True)))
    is_last = start + _CHUNK >= len(columns)
    return (b"[" if start == 0 else b",") + text[1:-1] + (b"]" if is_last else b"")


class ExportCard(msgspec.Struct, forbid_unknown_fields=True):
    """The series of one plot."""

    tag: Name | UnsetType = UNSET
    runs: RunNames | None = None
    """`null` for all runs that have the tag."""
    expression: Text | UnsetType = UNSET
    """Instead of `tag`."""


class ExportQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which series, and in which format."""

    cards: Annotated[list[ExportCard], msgspec.Meta(max_length=1000)]
    format: Literal["csv", "json"] = "csv"


async def export(request: Request, query: ExportQuery) -> Response:
    """Every point of many series, a row for each."""
    here = board(request)
    found = await here.slow_workers.run(_exported, here.store, query)
    as_text = long_form.csv_text if query.format == "csv" else long_form.json_text
    text = as_text(_drained(found))

    async def pieces() -> AsyncIterator[str]:
        while (piece := await here.slow_workers.run(next, text, None)) is not None:
            yield piece

    return StreamingResponse(
        pieces(),
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="scalars.{query.format}"',
        },
        media_type="text/csv" if query.format == "csv" else "application/json",
    )


def _exported(store: Store, query: ExportQuery) -> list[Found]:
    """The series of all cards, each once; what is not there has no rows."""
    search = Search(store)
    found: dict[tuple[str, str | Expression], Found] = {}
    for card in query.cards:
        what = what_of(card.tag, card.expression)
        lines, _ = search.line_up(what, card.runs, "step")
        found |= {(one.source.run, what): one for one in lines}
    return list(found.values())


def _drained(found: list[Found]) -> Iterator[Series]:
    """Each series, and then no more hold on it: an unpacked column is large."""
    found.reverse()
    while found:
        yield found.pop().series
