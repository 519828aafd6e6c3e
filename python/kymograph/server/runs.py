"""The list of runs: searched, sorted, in pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import paging
from kymograph.asgi.operations import Operation
from kymograph.errors import QueryError, RequestError
from kymograph.store import DASHBOARDS, Folded, RunTable, Store

__all__ = ["OPERATIONS"]

Sort = Literal["name", "start_time", "end_time", "change"]
Key = tuple[bool, float, str]
"""By which runs are in order: whether the time is there, the time or the number, the name."""


class RunsQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which runs to list, and in which order."""

    search: Annotated[
        paging.Text, msgspec.Meta(description="part of the name; case is ignored")
    ] = ""
    regex: Annotated[
        paging.Text,
        msgspec.Meta(description="regular expression to find in the name; case is ignored"),
    ] = ""
    dashboard: Annotated[
        paging.AnyDashboard, msgspec.Meta(description="only runs that this dashboard can show")
    ] = ""
    sort: Sort = "name"
    order: Literal["asc", "desc"] = "asc"
    limit: paging.Limit = 1000
    after: paging.After = ""


class FoldedInto(msgspec.Struct):
    """The run that this run is part of, and why."""

    into: str
    kind: Literal["scalars", "hparams"]
    """Whether it was written by `add_scalars` or `add_hparams`."""
    label: str
    tag: str | None
    """The tag passed to `add_scalars`."""


class RunRow(msgspec.Struct):
    """One run."""

    name: str
    start_time: float | None
    """Seconds since the epoch, as are all times; `null` before the first event."""
    end_time: float | None
    change: int
    """Number of its last change."""
    tags_change: int
    """Number of the last change of its tags."""
    dashboards: list[str]
    folded: FoldedInto | None
    series: int
    points: int
    hidden_points: int
    restarts: int
    """How often it was restarted."""


class Runs(msgspec.Struct):
    """A page of runs."""

    change: int
    total: int
    matched: int
    next: str | None
    runs: list[RunRow]


async def page(request: Request, query: RunsQuery) -> Response:
    """A page of the runs found so far."""
    return await paging.answer(request, select, query)


def select(store: Store, query: RunsQuery) -> Runs:
    """The response to a query."""
    table = store.run_table()
    families = store.families(table)
    table = _with_moves(table, families.moved)
    found = paging.matching(table.names, query.search, query.regex)
    if query.dashboard:
        bit = _bit(query.dashboard)
        found = [at for at in found if table.dashboards[at] & bit]
    falls = query.order == "desc"
    rows = sorted(_keys(table, query.sort, found, falls=falls), reverse=falls)
    matched = len(rows)
    if query.after:
        last = _last(query)
        rows = [row for row in rows if (row[0] < last if falls else row[0] > last)]
    shown = rows[: query.limit]
    more = len(shown) < len(rows)
    return Runs(
        change=table.change,
        total=len(table.names),
        matched=matched,
        next=paging.cursor((query.sort, query.order, shown[-1][0])) if more else None,
        runs=_rows(table, families.folded, [at for _, at in shown]),
    )


def _with_moves(table: RunTable, moved: Mapping[str, int]) -> RunTable:
    """To which run another one belongs is a part of its row: that it is another one is a change."""
    if not moved:
        return table
    changes = table.changes.copy()
    for at, name in enumerate(table.names):
        if name in moved:
            changes[at] = max(changes[at], moved[name])
    return replace(table, changes=changes)


def _bit(dashboard: str) -> int:
    if dashboard not in DASHBOARDS:
        raise QueryError(f"unknown dashboard `{dashboard}`; use one of: {', '.join(DASHBOARDS)}")
    return 1 << DASHBOARDS.index(dashboard)


def _keys(table: RunTable, sort: Sort, found: list[int], *, falls: bool) -> list[tuple[Key, int]]:
    """Keys of runs; those without a time come last in either order."""
    names = table.names
    if sort == "name":
        return [((falls, 0.0, names[at]), at) for at in found]
    columns: dict[str, Sequence[float]] = {
        "start_time": table.start_times,
        "end_time": table.end_times,
        "change": table.changes,
    }
    values = columns[sort]
    return [
        (((not falls, 0.0, names[at]) if isnan(values[at]) else (falls, values[at], names[at])), at)
        for at in found
    ]


def _last(query: RunsQuery) -> Key:
    sort, order, key = paging.place(query.after, tuple[str, str, Key])
    if (sort, order) != (query.sort, query.order):
        raise RequestError("`after` is from a list in a different order")
    return key


def _rows(table: RunTable, folded: Mapping[str, Folded], places: list[int]) -> list[RunRow]:
    columns = (
        table.start_times,
        table.end_times,
        table.changes,
        table.tags_changes,
        table.dashboards,
        table.series,
        table.points,
        table.hidden_points,
        table.restarts,
    )
    shown = ([column[at] for at in places] for column in columns)
    names = table.names
    return [
        RunRow(
            names[at],
            _time(start),
            _time(end),
            change,
            tags,
            _names(bits),
            FoldedInto(*folded[names[at]]) if names[at] in folded else None,
            *counts,
        )
        for at, start, end, change, tags, bits, *counts in zip(places, *shown, strict=True)
    ]


def _time(seconds: float) -> float | None:
    return None if isnan(seconds) else seconds


def _names(bits: int) -> list[str]:
    return [name for bit, name in enumerate(DASHBOARDS) if bits >> bit & 1]


OPERATIONS = [Operation("GET", "/runs", page, "the runs, a page at a time", RunsQuery, answer=Runs)]
