"""How the board is doing: what it serves, how far it has loaded, what could not be read."""

from __future__ import annotations

import os
from dataclasses import asdict

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph import _core
from kymograph.asgi import paging, responses
from kymograph.asgi.board import Board, board
from kymograph.asgi.operations import Operation
from kymograph.server.live import live
from kymograph.store import DASHBOARDS, Progress

__all__ = ["OPERATIONS"]


class Root(msgspec.Struct):
    """A directory in which runs are looked for."""

    name: str | None
    path: str
    exists: bool
    """A directory that is not there yet is waited for."""


class Damage(msgspec.Struct):
    """What was lost, over all files; `/damage` has each file."""

    files: int
    """Files in which anything was lost, or which cannot be read."""
    bad_records: int
    bad_headers: int
    skipped_bytes: int
    unreadable: int
    """Files that cannot be read."""


class Unreachable(msgspec.Struct):
    """A place that could not be looked into; runs below it may be missing."""

    path: str
    reason: str


class Status(msgspec.Struct):
    """What the board serves, and how far it has got."""

    version: str
    instance: str
    title: str
    logdir: list[Root]
    change: int
    runs: int
    listeners: int
    """Clients that listen to changes."""
    progress: Progress
    damage: Damage
    unreachable: list[Unreachable]
    read_only: bool
    """Whether the logdir takes no curation."""
    dashboards: list[str]
    """The names of all dashboards, in the order in which they are shown."""
    curation_at: str | None
    """Where the next edit of the curation goes, if there is any such place."""


class Health(msgspec.Struct):
    """That the server answers."""

    status: str = "ok"


class DamageQuery(msgspec.Struct, forbid_unknown_fields=True):
    """A page of the report."""

    limit: paging.Limit = 1000
    after: paging.After = ""


class GapRow(msgspec.Struct):
    """Bytes between intact records that were skipped."""

    offset: int
    bytes: int
    step_before: int | None
    """The step of the last value before them."""
    step_after: int | None
    """The step of the event behind them, if it has values and was there already."""


class DamagedFile(msgspec.Struct):
    """An event file of which something was lost."""

    path: str
    run: str
    bytes: int
    bytes_read: int
    records: int
    """Intact records."""
    bad_records: int
    bad_headers: int
    skipped_bytes: int
    bad_wall_times: int
    broken_tail: bool
    error: str | None
    gaps: list[GapRow]
    """The first hundred."""


class DamageReport(msgspec.Struct):
    """Damaged files by path."""

    change: int
    total: int
    next: str | None
    """For `after`, unless this is the last page."""
    files: list[DamagedFile]


async def status(request: Request) -> Response:
    """What the board serves, and how far it has got."""
    now = board(request)
    listeners = live(request).listeners
    return await responses.json(request, await now.workers.run(_status, now, listeners))


async def health(request: Request) -> Response:
    """That the server answers."""
    return await responses.json(request, Health())


async def damage(request: Request, query: DamageQuery) -> Response:
    """The files of which something was lost."""
    now = board(request)
    return await responses.json(request, await now.workers.run(_damage, now, query))


def _status(board: Board, listeners: int) -> Status:
    store = board.store
    change = store.change
    files = store.damaged_files
    curation = board.sidecar.snapshot()
    return Status(
        version=_core.__version__,
        instance=board.instance,
        title=board.title,
        logdir=[
            Root(name, responses.path(path), os.path.exists(path)) for name, path in store.roots
        ],
        change=change,
        runs=len(store),
        listeners=listeners,
        progress=store.progress,
        damage=Damage(
            files=len(files),
            bad_records=sum(file.bad_records for file in files),
            bad_headers=sum(file.bad_headers for file in files),
            skipped_bytes=sum(file.skipped_bytes for file in files),
            unreadable=sum(file.error is not None for file in files),
        ),
        unreachable=[
            Unreachable(responses.path(path), reason) for path, reason in store.unreachable
        ],
        read_only=curation.read_only,
        dashboards=list(DASHBOARDS),
        curation_at=curation.folder,
    )


def _damage(board: Board, query: DamageQuery) -> DamageReport:
    change = board.store.change
    files = {responses.path(file.path): file for file in board.store.damaged_files}
    after = paging.place(query.after, str) if query.after else ""
    left = sorted(path for path in files if path > after)
    page = left[: query.limit]
    return DamageReport(
        change=change,
        total=len(files),
        next=paging.cursor(page[-1]) if len(page) < len(left) else None,
        files=[DamagedFile(**(asdict(files[path]) | {"path": path})) for path in page],
    )


OPERATIONS = [
    Operation("GET", "/status", status, "what is served, and how far it is loaded", answer=Status),
    Operation("GET", "/health", health, "that the server answers", answer=Health),
    Operation(
        "GET",
        "/damage",
        damage,
        "the event files of which something was lost",
        query=DamageQuery,
        answer=DamageReport,
    ),
]
