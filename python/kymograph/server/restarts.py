"""Where runs were restarted, so that charts can mark it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import paging
from kymograph.asgi.operations import Operation
from kymograph.errors import UnknownRunError
from kymograph.store import Restart, Store

__all__ = ["OPERATIONS"]

_Names = Annotated[list[paging.Text], msgspec.Meta(max_length=1000)]


class RestartsQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which runs and tags."""

    run: Annotated[_Names, msgspec.Meta(description="all runs by default")] = []
    tag: Annotated[
        _Names,
        msgspec.Meta(description="according to each of these tags; all tags together by default"),
    ] = []


class RestartRow(msgspec.Struct):
    """One restart of one run."""

    run: str
    tag: str | None
    """`null` for all tags together."""
    step: int
    """Of the first point after it; for all tags together, the lowest."""
    wall_time: float
    hidden_points: int
    """Points that it superseded."""


class Restarts(msgspec.Struct):
    """All restarts, in the order of the requested runs and tags, then by time."""

    change: int
    restarts: list[RestartRow]


async def restarts(request: Request, query: RestartsQuery) -> Response:
    """The restarts found so far."""
    return await paging.answer(request, select, query)


def select(store: Store, query: RestartsQuery) -> Restarts:
    """The answer to a query; unknown runs and tags have none."""
    table = store.run_table()
    wanted = set(query.run)
    runs = [
        name
        for name, count in zip(table.names, table.restarts, strict=True)
        if count and (not wanted or name in wanted)
    ]
    tags: list[str | None] = [*dict.fromkeys(query.tag)] or [None]
    return Restarts(
        table.change,
        [
            RestartRow(name, tag, one.step, one.wall_time, one.hidden_points)
            for name in runs
            for tag in tags
            for one in _restarts(store, name, tag)
        ],
    )


def _restarts(store: Store, run: str, tag: str | None) -> list[Restart]:
    try:
        return store[run].restarts(tag)
    except UnknownRunError:  # it was removed meanwhile
        return []


OPERATIONS = [
    Operation(
        "GET",
        "/restarts",
        restarts,
        "where runs were restarted",
        RestartsQuery,
        answer=Restarts,
    )
]
