"""The hyper-parameters of all runs, in pages."""

from __future__ import annotations

from bisect import bisect_right

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import paging, responses
from kymograph.asgi.operations import Operation
from kymograph.store import Session, Store
from kymograph.store.families import Status

__all__ = ["OPERATIONS"]


class HparamsQuery(msgspec.Struct, forbid_unknown_fields=True):
    """A page of the list."""

    limit: paging.Limit = 1000
    after: paging.After = ""


class HparamsRow(msgspec.Struct):
    """The hyper-parameters of one run."""

    name: str
    """Never a run that is folded into another: its values belong to that one."""
    hparams: dict[str, float | str | bool]
    status: Status
    """The status that its writer logged."""


class HparamsPage(msgspec.Struct):
    """A page of runs that have hyper-parameters, by name."""

    change: int
    total: int
    next: str | None
    runs: list[HparamsRow]


async def page(request: Request, query: HparamsQuery) -> Response:
    """A page of the hyper-parameters found so far."""
    return await paging.answer(request, select, query)


def select(store: Store, query: HparamsQuery) -> HparamsPage:
    """The response to a query."""
    table = store.run_table()
    sessions = store.families(table).sessions
    names = list(sessions)
    first = bisect_right(names, paging.place(query.after, str)) if query.after else 0
    shown = names[first : first + query.limit]
    return HparamsPage(
        change=table.change,
        total=len(names),
        next=paging.cursor(shown[-1]) if first + len(shown) < len(names) else None,
        runs=[_row(name, sessions[name]) for name in shown],
    )


def _row(name: str, session: Session) -> HparamsRow:
    values = {
        key: responses.number(value) if isinstance(value, float) else value
        for key, value in session.hparams.items()
    }
    return HparamsRow(name, values, session.status)


OPERATIONS = [
    Operation(
        "GET",
        "/hparams",
        page,
        "the hyper-parameters of all runs",
        HparamsQuery,
        answer=HparamsPage,
    )
]
