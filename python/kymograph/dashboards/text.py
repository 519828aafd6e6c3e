"""Texts: many of them at once, and what is found in them."""

from __future__ import annotations

from bisect import bisect_left
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph import _core
from kymograph.asgi import paging, responses
from kymograph.asgi.addresses import check_instance, first_within
from kymograph.asgi.board import board
from kymograph.asgi.names import Name, RunNames
from kymograph.asgi.operations import Operation
from kymograph.errors import QueryError
from kymograph.store import BlobSeries, Store, Text
from kymograph.store.blobs import Decoded
from kymograph.store.blobs.text import FoundText

__all__ = ["OPERATIONS"]

_TEXT = "text"

# --- many at once ---

_MOST_ADDRESSES = 1000
# Most bytes that are read for one answer, unless it is about a single text.
_MOST_BYTES = 32 << 20
# Most bytes of one text in an answer; the blob itself has all of them.
_MOST_TEXT_BYTES = 8 << 20


class ReadQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which texts to read."""

    instance: Name
    """The instance that the addresses are from."""
    addresses: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=128)]],
        msgspec.Meta(max_length=_MOST_ADDRESSES),
    ]


class ReadText(msgspec.Struct):
    """A text, or an error message."""

    shape: list[int] | None = None
    """Empty for a single string."""
    strings: list[str] | None = None
    """Row by row."""
    left_out: int = 0
    """The number of characters that are not in this answer, since the text is too long."""
    error: str | None = None


class ReadTexts(msgspec.Struct):
    """An object for each address, in their order; the last addresses may be left out."""

    texts: list[ReadText]


async def read(request: Request, query: ReadQuery) -> Response:
    """Many texts."""
    here = board(request)
    check_instance(here, query.instance)
    answer = await here.workers.run(read_texts, here.store, query.addresses)
    return await responses.json(request, answer)


def read_texts(store: Store, addresses: list[str]) -> ReadTexts:
    """The answer for as many addresses as may be read at once, and for at least one."""
    chosen = first_within(addresses, _MOST_BYTES)
    return ReadTexts([_read(one) for one in store.decode_blobs(chosen)])


def _read(found: Decoded | str) -> ReadText:
    if isinstance(found, str):
        return ReadText(error=found)
    if not isinstance(found, Text):
        return ReadText(error="the value is not text")
    left = _MOST_TEXT_BYTES
    strings: list[str] = []
    left_out = 0
    for string in found.strings:
        # A character has at least one byte, and at most four.
        shown = string if len(string) * 4 <= left else _beginning(string, left)
        left -= len(shown.encode()) if left else 0
        left_out += len(string) - len(shown)
        strings.append(shown)
    return ReadText(list(found.shape), strings, left_out)


def _beginning(string: str, most_bytes: int) -> str:
    """As many characters as have so many bytes."""
    start = string[:most_bytes].encode()[:most_bytes]
    return start.decode(errors="ignore")


# --- what is found in them ---

_SEARCH_SECS = 2.0
_SEARCH_BYTES = 2 << 30
_MOST_SEARCHED_SERIES = 200_000


class SearchQuery(msgspec.Struct, forbid_unknown_fields=True):
    """What to find, and where."""

    query: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
    kind: Literal["text", "regex"] = "text"
    case: bool = False
    """Whether upper and lower case differ."""
    tags: Annotated[list[Name], msgspec.Meta(max_length=5000)] | None = None
    """Only these tags."""
    runs: RunNames | None = None
    """Only these runs."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 200
    """Most series in the answer."""
    texts: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 3
    """Most texts of each series in the answer."""
    after: paging.After = ""


class SearchedSeries(msgspec.Struct):
    """A series with matches."""

    run: str
    tag: str
    hits: int
    """The number of matches."""
    matching: int
    """The number of texts with matches."""
    texts: list[FoundText]
    """The first of them, in the order in which they were logged."""
    next: str | None
    """`after` for the rest of this series, in a query with this run and tag alone."""


class SearchResults(msgspec.Struct):
    """What was found after `after`."""

    instance: str
    """The instance that the addresses are from."""
    change: int
    total: int
    """The number of texts to search."""
    searched: int
    unsearched: int
    """How many of those searched cannot be read, or took too long."""
    hits: int
    matching: int
    stopped: str | None
    """`time` or `bytes` if the search stopped before the last text."""
    series: list[SearchedSeries]
    """By tag, then by run."""
    next: str | None
    """`after` for what is not in this answer."""


async def search(request: Request, query: SearchQuery) -> Response:
    """What is found in texts."""
    here = board(request)
    pattern = _core.Pattern(query.query, ignore_case=not query.case, literal=query.kind == "text")
    answer = await here.slow_workers.run(found, here.store, here.instance, pattern, query)
    return await responses.json(request, answer)


def found(store: Store, instance: str, pattern: _core.Pattern, query: SearchQuery) -> SearchResults:
    """The answer to a query."""
    change = store.change
    series = _series(store, query)
    start = 0
    if query.after:
        tag, run, index = paging.place(query.after, tuple[str, str, int])
        first = bisect_left(series, (tag, run), key=_key)
        series = series[first:]
        if series and _key(series[0]) == (tag, run):
            start = max(0, index)
    hits = store.search_texts(
        pattern,
        series,
        start=start,
        most_series=query.limit,
        most_texts=query.texts,
        timeout=_SEARCH_SECS,
        most_bytes=_SEARCH_BYTES,
    )
    return SearchResults(
        instance=instance,
        change=change,
        total=max(0, sum(map(len, series)) - start),
        searched=hits.searched,
        unsearched=hits.unsearched,
        hits=hits.hits,
        matching=hits.matching,
        stopped=hits.stopped,
        series=[
            SearchedSeries(
                run=series[one.series].run,
                tag=series[one.series].tag,
                hits=one.hits,
                matching=one.matching,
                texts=one.found,
                next=None if one.next is None else _cursor(series[one.series], one.next),
            )
            for one in hits.series
        ],
        next=None if hits.next is None else _cursor(series[hits.next[0]], hits.next[1]),
    )


def _series(store: Store, query: SearchQuery) -> list[BlobSeries]:
    """What is to be searched, by tag and run."""
    names = None if query.runs is None else set(query.runs)
    tags = None if query.tags is None else set(query.tags)
    chosen = [
        series
        for name, run in store.runs.items()
        if names is None or name in names
        for series in run.all_blobs(_TEXT)
        if tags is None or series.tag in tags
    ]
    if len(chosen) > _MOST_SEARCHED_SERIES:
        raise QueryError(
            f"at most {_MOST_SEARCHED_SERIES} series can be searched\nhint: name runs or tags"
        )
    return sorted(chosen, key=_key)


def _key(series: BlobSeries) -> tuple[str, str]:
    return series.tag, series.run


def _cursor(series: BlobSeries, index: int) -> str:
    return paging.cursor((series.tag, series.run, index))


OPERATIONS = [
    Operation(
        "POST",
        "/text/read",
        read,
        "many texts",
        body=ReadQuery,
        answer=ReadTexts,
        failures=(400, 410),
    ),
    Operation(
        "POST",
        "/text/search",
        search,
        "what is found in texts",
        body=SearchQuery,
        answer=SearchResults,
    ),
]
