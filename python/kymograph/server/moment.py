"""Everything that a run logged around one step, with one request."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import frames, responses
from kymograph.asgi.addresses import check_instance
from kymograph.asgi.answers import encoded
from kymograph.asgi.board import Board, board
from kymograph.asgi.names import Name, Text
from kymograph.asgi.operations import Operation
from kymograph.asgi.work import Cost
from kymograph.errors import BlobUnreadableError, QueryError, UnknownRunError
from kymograph.lazy import numpy as np
from kymograph.store import Histogram, Run, Store
from kymograph.store.moment import Item, Lane, Mark, Moment, Row, Steps, moment

__all__ = ["OPERATIONS"]

_MOST_PARTS = 1000
_MOST_ADDRESSES = 1000
# A histogram of a million buckets.
_MOST_BYTES = 24 << 20
# Rows are computed from some thousand points each.
_POINTS_OF_A_ROW = 4000

Step = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]


# --- everything around a step ---


class MomentQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which run, and which step of it."""

    run: Text
    parts: Annotated[list[Name], msgspec.Meta(max_length=_MOST_PARTS)] = []
    """Runs that count as parts of it; those that do not exist are left out."""
    step: Step | None = None
    """The last of the main tag by default."""
    tag: Name | None = None
    """The main tag: a loss by default, or if the run does not have it."""
    reference: Step | None = None
    """By default, the last evaluation before the step that is in the usual range."""
    columns: Annotated[int, msgspec.Meta(ge=10, le=8192)] = 800
    """Pixel columns of the window."""
    spark_columns: Annotated[int, msgspec.Meta(ge=2, le=200)] = 60
    limit: Annotated[int, msgspec.Meta(ge=1, le=5000)] = 1000
    """Most rows, and most items."""


class MomentReference(msgspec.Struct):
    """What the step is compared with."""

    step: int
    wall_time: float | None
    kind: Literal["given", "evaluation", "item", "point"]
    """Whether it was given, or what was logged at that step."""


class MomentRow(msgspec.Struct):
    """A scalar tag; its numbers are in the columns."""

    run: str
    tag: str
    is_system: bool
    """Whether it is a system metric, which is placed by its wall time."""
    range_points: int
    """Points that the usual range was computed from; 0 if there is none."""


class MomentLane(msgspec.Struct):
    """A kind of thing that was logged; its steps in the window are in the column `tick`."""

    kind: str
    """A dashboard, `evaluation` for scalars of evaluations, `output` or `system`."""
    series: int
    total: int
    step: float | None
    """Of the nearest point or item at or before the step."""
    reference_step: float | None
    start: int
    """Index of its first entry in the column `tick`."""
    count: int


class MomentItem(msgspec.Struct):
    """The nearest item of a series at or before the step."""

    run: str
    tag: str
    dashboard: str
    plugin: str
    display_name: str
    clock: Literal["step", "time", "once"]
    """Whether it was placed by its step or by its wall time, or belongs to the whole run."""
    total: int
    index: int | None
    """Its position in the series."""
    step: float | None
    """The step at which it was logged; of what is placed by wall time, the step at that time."""
    wall_time: float | None
    address: str | None
    reference_step: float | None
    reference_address: str | None
    next_step: float | None
    """The step of the next item."""


class MomentMark(msgspec.Struct):
    """A step worth a look."""

    step: int
    kind: Literal["range", "nan", "restart"]
    """The main tag leaves its usual range, a tag has its first NaN or infinity, or a restart."""
    tag: str | None


class MomentSteps(msgspec.Struct):
    """Neighbouring steps, in order, and the first and last of all."""

    before: list[int]
    after: list[int]
    first: int | None
    last: int | None


class MomentMeta(msgspec.Struct):
    """The meta object of the frame of a moment."""

    instance: str
    change: int
    run: str
    step: int
    wall_time: float | None
    start_time: float | None
    """Of the run."""
    tag: str | None
    tags: list[str]
    """Tags that can be the main one."""
    reference: MomentReference | None
    window: tuple[float, float]
    rows: list[MomentRow]
    rows_total: int
    spark_columns: int
    lanes: list[MomentLane]
    items: list[MomentItem]
    items_total: int
    points: MomentSteps
    item_steps: MomentSteps
    marks: list[MomentMark]


async def around(request: Request, query: MomentQuery) -> Response:
    """Everything that a run logged around a step."""
    here = board(request)
    runs = _runs(here.store, query)
    series = sum(len(run.tags()) for run in runs)
    cost = max(Cost.QUICK, Cost.of_points(series * _POINTS_OF_A_ROW), key=list(Cost).index)
    data = await here.run(cost, encoded, select, here, runs, query)
    return await responses.encoded(request, data, frames.MEDIA_TYPE)


def _runs(store: Store, query: MomentQuery) -> list[Run]:
    runs = [store[query.run]]
    for name in dict.fromkeys(query.parts):
        with suppress(UnknownRunError):
            runs.append(store[name])
    return runs


def select(here: Board, runs: list[Run], query: MomentQuery) -> tuple[frames.Columns, MomentMeta]:
    """The answer to a query."""
    change = here.store.change
    found = moment(
        runs,
        step=query.step,
        tag=query.tag,
        reference=query.reference,
        columns=query.columns,
        spark_columns=query.spark_columns,
        most_rows=query.limit,
        most_items=query.limit,
    )
    return _columns(found), MomentMeta(
        instance=here.instance,
        change=change,
        run=query.run,
        step=found.step,
        wall_time=found.wall_time,
        start_time=runs[0].start_time,
        tag=found.tag,
        tags=found.tags,
        reference=found.reference and MomentReference(*found.reference),
        window=found.window,
        rows=[MomentRow(row.run, row.tag, row.is_system, row.range_points) for row in found.rows],
        rows_total=found.rows_total,
        spark_columns=query.spark_columns,
        lanes=_lanes(found.lanes),
        items=[_item(item) for item in found.items],
        items_total=found.items_total,
        points=_steps(found.points),
        item_steps=_steps(found.item_steps),
        marks=[_mark(mark) for mark in found.marks],
    )


_ROW_COLUMNS = (
    "step",
    "wall_time",
    "value",
    "reference_step",
    "reference_value",
    "low",
    "high",
    "since",
    "back",
)


def _columns(found: Moment) -> frames.Columns:
    rows: list[Row] = found.rows
    low, high = found.sparks
    ticks = [lane.ticks for lane in found.lanes]
    return {
        **{
            f"row_{name}": np.array([getattr(row, name) for row in rows], np.float64)
            for name in _ROW_COLUMNS
        },
        "spark_low": low.astype(np.float32),
        "spark_high": high.astype(np.float32),
        "tick": np.concatenate(ticks) if ticks else np.zeros(0),
        **{f"main_{name}": np.ascontiguousarray(values) for name, values in found.main.items()},
    }


def _lanes(lanes: list[Lane]) -> list[MomentLane]:
    start = 0
    answer = []
    for lane in lanes:
        step, reference_step = _known(lane.step), _known(lane.reference_step)
        count = len(lane.ticks)
        answer.append(
            MomentLane(lane.kind, lane.series, lane.total, step, reference_step, start, count)
        )
        start += count
    return answer


def _item(item: Item) -> MomentItem:
    series, metadata = item.series, item.series.metadata
    has_one = item.position >= 0
    return MomentItem(
        run=series.run,
        tag=series.tag,
        dashboard=series.dashboard,
        plugin=metadata.plugin_name or series.dashboard,
        display_name=metadata.display_name,
        clock=item.clock,
        total=len(series),
        index=item.position if has_one else None,
        step=_known(item.place),
        wall_time=float(series.wall_times[item.position]) if has_one else None,
        address=series[item.position].address if has_one else None,
        reference_step=_known(item.reference_place),
        reference_address=series[item.reference_position].address
        if item.reference_position >= 0
        else None,
        next_step=_known(item.next_place),
    )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _steps(steps: Steps) -> MomentSteps:
    return MomentSteps(*steps)


def _mark(mark: Mark) -> MomentMark:
    return MomentMark(*mark)


# --- how wide histograms are ---


class SpreadsQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which histograms."""

    instance: Name
    """The instance that the addresses are from."""
    addresses: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=128)]],
        msgspec.Meta(max_length=_MOST_ADDRESSES),
    ]


class Spread(msgspec.Struct):
    """Centre and width of a histogram, or an error message."""

    count: float | None = None
    mean: float | None = None
    std: float | None = None
    """As if all values of a bucket were evenly spread over it."""
    error: str | None = None


class Spreads(msgspec.Struct):
    """One for each address, in their order."""

    spreads: list[Spread]


async def spreads(request: Request, query: SpreadsQuery) -> Response:
    """Centre and width of many histograms."""
    here = board(request)
    check_instance(here, query.instance)
    answer = await here.slow_workers.run(measured, here.store, query.addresses)
    return await responses.json(request, answer)


def measured(store: Store, addresses: list[str]) -> Spreads:
    """The answer for these addresses."""
    return Spreads([_spread(store, address) for address in addresses])


def _spread(store: Store, address: str) -> Spread:
    try:
        if int(address.split("-")[3], 16) > _MOST_BYTES:
            return Spread(error="this histogram is too large")
        found = store.decode_blob(address)
    except (BlobUnreadableError, QueryError) as error:
        return Spread(error=str(error))
    except (IndexError, ValueError):
        return Spread(error="this is not an address")
    if not isinstance(found, Histogram):
        return Spread(error="this is not a histogram")
    left, right, counts = found.buckets[np.isfinite(found.buckets).all(axis=1)].T
    total = float(counts.sum())
    if not total > 0:
        return Spread(count=0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float((counts * (left + right)).sum() / 2 / total)
        square = (left - mean) ** 2 + (left - mean) * (right - mean) + (right - mean) ** 2
        variance = float((counts * square).sum() / 3 / total)
    std = math.sqrt(variance) if variance >= 0 else math.nan
    return Spread(total, _finite(mean), _finite(std))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


OPERATIONS = [
    Operation(
        "POST",
        "/moment",
        around,
        "everything that a run logged around a step",
        body=MomentQuery,
        failures=(400, 404),
    ),
    Operation(
        "POST",
        "/moment/spreads",
        spreads,
        "centre and width of many histograms",
        body=SpreadsQuery,
        answer=Spreads,
        failures=(400, 410),
    ),
]
