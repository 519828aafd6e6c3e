"""The tags of a dashboard: over all runs or some, searched, in pages."""

from __future__ import annotations

from bisect import bisect_right
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import paging
from kymograph.asgi.operations import Operation
from kymograph.store import Store

__all__ = ["OPERATIONS"]

_RunNames = Annotated[
    list[paging.Text],
    msgspec.Meta(max_length=1000, description="only tags of these runs; all runs by default"),
]


class TagsQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which tags to list."""

    dashboard: paging.Dashboard = "scalars"
    run: _RunNames = []
    search: Annotated[paging.Text, msgspec.Meta(description="part of the tag; case is ignored")] = (
        ""
    )
    regex: Annotated[
        paging.Text,
        msgspec.Meta(description="regular expression to find in the tag; case is ignored"),
    ] = ""
    limit: paging.Limit = 1000
    after: paging.After = ""


class TagRow(msgspec.Struct):
    """One tag."""

    tag: str
    runs: int
    """The number of runs that have it."""
    display_name: str
    """The display name from the first run that has one; else empty."""
    description: str
    plugin: str
    """The name of the plugin it was logged for."""


class Tags(msgspec.Struct):
    """A page of tags, sorted."""

    change: int
    total: int
    matched: int
    next: str | None
    tags: list[TagRow]


async def page(request: Request, query: TagsQuery) -> Response:
    """A page of the tags found so far."""
    return await paging.answer(request, select, query)


def select(store: Store, query: TagsQuery) -> Tags:
    """The response to a query."""
    table = store.tag_table(query.dashboard, query.run or None)
    found = paging.matching(table.tags, query.search, query.regex)
    rest = found
    if query.after:
        # Tags are sorted, so their places are too.
        rest = found[
            bisect_right(found, paging.place(query.after, str), key=table.tags.__getitem__) :
        ]
    shown = rest[: query.limit]
    return Tags(
        change=table.change,
        total=len(table.tags),
        matched=len(found),
        next=paging.cursor(table.tags[shown[-1]]) if len(shown) < len(rest) else None,
        tags=[
            TagRow(
                table.tags[at],
                table.run_counts[at],
                table.display_names[at],
                table.descriptions[at],
                table.plugins[at],
            )
            for at in shown
        ],
    )


OPERATIONS = [Operation("GET", "/tags", page, "the tags of a dashboard", TagsQuery, answer=Tags)]
