"""How the board is doing: what it serves, how far it has loaded, what could not be read."""

from __future__ import annotations

import os

import msgspec
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from kymograph import _core
from kymograph.asgi import paging, responses
from kymograph.asgi.board import Board, board
from kymograph.asgi.operations import Operation
from kymograph.server.live import live
from kymograph.store import DASHBOARDS, FileReport, Progress

__all__ = ["OPERATIONS"]


class Root(msgspec.Struct):
    """A directory that is searched for runs."""

    name: str | None
    path: str
    exists: bool
    """A directory that does not exist yet appears when it is created."""


class Damage(msgspec.Struct):
    """What was lost in all files together; `/damage` lists each file."""

    files: int
    """Files in which anything was lost, or which cannot be read."""
    bad_records: int
    bad_headers: int
    skipped_bytes: int
    unreadable: int
    """Files that cannot be read."""


class Unreachable(msgspec.Struct):
    """A path that cannot be read; runs below it may be missing."""

    path: str
    reason: str


class Status(msgspec.Struct):
    """What the board serves, and how much of it is loaded."""

    version: str
    instance: str
    title: str
    logdir: list[Root]
    change: int
    runs: int
    listeners: int
    """Number of clients of `/live`."""
    progress: Progress
    damage: Damage
    unreachable: list[Unreachable]
    read_only: bool
    """Whether the logdir cannot be written to, so that edits are stored elsewhere."""
    dashboards: list[str]
    """The names of all dashboards, in the order in which they are shown."""
    curation_at: str | None
    """Where the next edit of the curation is stored, or `null` if it cannot be stored."""


class Health(msgspec.Struct):
    """The server is responding."""

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
    """The step of the event after them, if it has values and has been read."""


class DamagedFile(msgspec.Struct):
    """An event file that lost data."""

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
    """The value of `after` for the next page; `null` on the last page."""
    files: list[DamagedFile]


async def status(request: Request) -> Response:
    """What the board serves, and how much of it is loaded."""
    now = board(request)
    listeners = live(request).listeners
    return await responses.json(request, await now.workers.run(_status, now, listeners))


async def health(request: Request) -> Response:
    """Whether the server is responding."""
    return await responses.json(request, Health())


async def damage(request: Request, query: DamageQuery) -> Response:
    """The files that lost data."""
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
        files=[_damaged(path, files[path]) for path in page],
    )


def _damaged(path: str, file: FileReport) -> DamagedFile:
    gaps = [GapRow(**asdict(gap)) for gap in file.gaps]
    return DamagedFile(**asdict(file) | {"path": path, "gaps": gaps})


OPERATIONS = [
    Operation(
        "GET", "/status", status, "what is served, and how much of it is loaded", answer=Status
    ),
    Operation("GET", "/health", health, "whether the server is responding", answer=Health),
    Operation(
        "GET",
        "/damage",
        damage,
        "the event files that lost data",
        query=DamageQuery,
        answer=DamageReport,
    ),
]
