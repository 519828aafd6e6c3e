"""Level of detail: fewer points, same picture, always computed on the raw series."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import msgspec

from kymograph import _core
from kymograph.errors import QueryError
from kymograph.lazy import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from kymograph.store.series import Series

__all__ = [
    "NO_STEP",
    "Around",
    "Axis",
    "BandLabel",
    "Bands",
    "BandsBatch",
    "BandsHead",
    "Batch",
    "Centre",
    "Envelope",
    "Group",
    "Head",
    "Line",
    "LineLabel",
    "Neighbour",
    "Reduced",
    "Summaries",
    "around",
    "around_time",
    "bands",
    "bands_batch",
    "batch",
    "reduce",
    "summaries",
    "summary_views",
]

Axis: TypeAlias = Literal["step", "wall_time", "relative_time"]
"""The x axis; relative times count from the first point of each series."""

Centre: TypeAlias = Literal["mean", "median", "iqm"]
"""The centre of a group; `iqm` is the interquartile mean."""

NO_STEP = -(2**63)
"""The step of a point that does not exist."""

Floats: TypeAlias = "npt.NDArray[np.float64]"
Ints: TypeAlias = "npt.NDArray[np.int64]"


class Envelope(msgspec.Struct, frozen=True):
    """The finite values behind each entry; NaN where there are none."""

    first: Floats
    min: Floats
    max: Floats
    last: Floats


class Neighbour(msgspec.Struct, frozen=True):
    """The nearest point outside the range, so that a line can reach the edge of the plot."""

    x: float
    value: float
    smoothed: float | None


class Reduced(msgspec.Struct, frozen=True):
    """One series, reduced for a plot.

    One entry for each pixel column with points, in the order of x; if `exact`, one for each
    point, in the order of the series.
    """

    exact: bool
    sorted: bool
    """Whether x never decreases from point to point."""
    total_points: int
    points_in_range: int
    skipped: int
    """Points without a finite x."""
    bounds: tuple[float, float]
    """Where the first pixel column begins and the last one ends."""
    x_first: Floats
    x_last: Floats
    raw: Envelope
    smoothed: Envelope | None
    count: npt.NDArray[np.uint32]
    """Number of points behind each entry, including those that are not finite."""
    flags: npt.NDArray[np.uint8]
    """1 for NaN, 2 for +inf, 4 for -inf, added up."""
    before: Neighbour | None
    after: Neighbour | None


class Bands(msgspec.Struct, frozen=True):
    """Statistics over several series, one entry for each x."""

    exact: bool
    """Whether these are all x of all members; else they are the centres of pixel columns."""
    skipped: int
    """Points left out because x or value is not finite."""
    x: Floats
    count: npt.NDArray[np.uint32]
    """Members with a value there."""
    mean: Floats
    median: Floats
    min: Floats
    max: Floats
    std: Floats
    stderr: Floats
    iqm: Floats
    """Interquartile mean: the mean of the middle half."""
    q25: Floats
    q75: Floats
    boot_low: Floats | None = None
    """Lower end of the 95 % interval of mean, median or iqm, if `bootstrap` requests it."""
    boot_high: Floats | None = None


class Line(NamedTuple):
    """One line of a batch."""

    series: Series | _core.Series
    x: Axis | Series | _core.Series = "step"
    """The x axis, or the series whose value at the same step is x."""
    x_range: tuple[float, float] | None = None
    columns: int = 1000
    smoothing: str = "none"
    from_point: int = 0
    """Points known from an earlier result of the same query, if `generation` is still the same.

    Entries of theirs that are still the same are left out, where a line is exact and whole.
    """
    smooth_points: bool = True
    """If false, a line that has every point of its series has no smoothed values."""


class Head(NamedTuple):
    """What is known of a line of a batch, and where its entries are."""

    exact: bool
    """Whether the entries are points, in `x` and `value`; else they are in the `column_…` ones."""
    sorted: bool
    total_points: int
    points_in_range: int
    skipped: int
    bounds: tuple[float, float]
    start: int
    """Index of the first entry in the columns."""
    length: int
    """Number of entries."""
    smoothed_start: int
    """Index of the first entry in `smoothed` or in the `column_smoothed_…` ones; -1 for none."""
    before: tuple[float, float, float | None] | None
    """x, value and smoothed value of the nearest point outside the range."""
    after: tuple[float, float, float | None] | None
    from_point: int
    """The point that the first entry is of; what was known before it stays as it was.

    At most what was asked for, and less where smoothing changed earlier points; 0 where the line
    is reduced, has a range, or takes x from another series.
    """
    x_start: int
    """Index of the first entry in `x`, if exact: `start` unless lines share their x."""


class LineLabel(NamedTuple):
    """Which line of an answer a row is about."""

    card: int
    run: str
    tag: str
    """Or the expression."""
    change: int
    generation: int


class Batch:
    """The answers to many lines at once."""

    def __init__(self, heads: _core.LineHeads, views: dict[str, memoryview]) -> None:
        self._heads = heads
        self.views = views
        """`columns` as memory views, which need no numpy."""

    @cached_property
    def heads(self) -> list[Head]:
        """One for each line, in their order."""
        return [Head(**head) for head in self._heads.named()]

    @cached_property
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The entries of all lines, one after the other; every column is there, maybe empty.

        `x` may be shorter where lines share them.
        `x`, `value` and `smoothed` hold points, `column_x_first`, `column_x_last`, `column_first`,
        `column_min`, `column_max`, `column_last`, `column_count`, `column_flags` and
        `column_smoothed_…` (`first`, `min`, `max`, `last`) pixel columns. Values are float32 where
        nothing is lost by it, else float64; so are x that are not int32 or uint32.
        """
        return _arrays(self.views)

    def rows(self, labels: Sequence[LineLabel]) -> bytes:
        """The heads as a JSON array, as the HTTP API has them, labelled in their order."""
        return self._heads.rows(list(labels))


def _arrays(views: dict[str, memoryview]) -> dict[str, npt.NDArray[Any]]:
    return {name: np.asarray(view) for name, view in views.items()}


class Group(NamedTuple):
    """Series that are drawn as one."""

    members: Sequence[Series | _core.Series]
    x: Axis | Sequence[Series | _core.Series] = "step"
    """The x axis, or for each member the series whose value at the same step is x."""
    x_range: tuple[float, float] | None = None
    columns: int = 1000
    smoothing: str = "none"
    bootstrap: Centre | None = None


class BandsHead(NamedTuple):
    """What is known of a group, and where its entries are."""

    exact: bool
    skipped: int
    start: int
    """Index of the first entry in the columns."""
    length: int
    """Number of entries."""
    boot_start: int
    """Index of the first entry in `band_boot_low` and `band_boot_high`; -1 for none."""


class BandLabel(NamedTuple):
    """Which band of an answer a row is about."""

    card: int
    group: int
    """Its position in the card's list."""
    runs: int
    """The number of its runs that have the tag."""


class BandsBatch:
    """The bands of many groups."""

    def __init__(self, heads: _core.BandHeads, views: dict[str, memoryview]) -> None:
        self._heads = heads
        self.views = views
        """`columns` as memory views, which need no numpy."""

    @cached_property
    def heads(self) -> list[BandsHead]:
        """One for each group, in their order."""
        return [BandsHead(**head) for head in self._heads.named()]

    @cached_property
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The entries of all groups, one after the other: the columns of `Bands`, named `band_…`.

        Every column is there, maybe empty; each is as narrow as nothing is lost, as in a `Batch`.
        """
        return _arrays(self.views)

    def rows(self, labels: Sequence[BandLabel]) -> bytes:
        """The heads as a JSON array, as the HTTP API has them, labelled in their order."""
        return self._heads.rows(list(labels))


class Around(NamedTuple):
    """The points on both sides of a step or a time, in the order of their steps or times."""

    steps: Ints
    wall_times: Floats
    values: Floats
    split: int
    """How many of these are at or before the place."""


class Summaries(msgspec.Struct, frozen=True):
    """What a table shows of series: one entry for each, in their order.

    First and last are meant in the order of the points. Where there is no such point, its step is
    `NO_STEP` and its value NaN.
    """

    count: Ints
    first_step: Ints
    last_step: Ints
    first_wall_time: Floats
    last_wall_time: Floats
    last_value: Floats
    """The last value, which need not be finite."""
    finite_last: Floats
    min: Floats
    """Of the finite values, as `max`."""
    min_step: Ints
    """The first step at which the minimum occurs."""
    max: Floats
    max_step: Ints
    nan_count: Ints
    first_nan_step: Ints
    inf_count: Ints
    first_non_finite_step: Ints
    """The step of the first NaN or infinity."""


def reduce(
    series: _core.Series,
    *,
    x: Axis | _core.Series,
    x_range: tuple[float, float] | None,
    columns: int,
    smoothing: str,
) -> Reduced:
    """A series reduced for a plot of `columns` pixels."""
    _check(columns)
    answer = _core.lod(
        series, x_range=x_range, columns=columns, smoothing=smoothing, **_axis(series, x)
    )
    for name in ("raw", "smoothed"):
        answer[name] = answer[name] and Envelope(**answer[name])
    for name in ("before", "after"):
        answer[name] = answer[name] and Neighbour(*answer[name])
    return Reduced(**answer)


def _check(columns: int) -> None:
    if columns < 1:
        raise QueryError(f"`columns` must be at least 1, not: {columns}")


def _axis(series: _core.Series, x: Axis | _core.Series) -> dict[str, Any]:
    if isinstance(x, _core.Series):
        return {"x": _core.x_from_other(series, x)}
    return {"axis": x}


def batch(lines: Sequence[Line], *, share_x: bool = False) -> Batch:
    """Many series reduced for plots, computed in parallel.

    With `share_x`, lines with the same x have them in the column `x` only once.

    Raises `QueryError` for what cannot be asked, and where the answer would be too large or take
    too long.
    """
    for line in lines:
        _check(line.columns)
        if line.from_point < 0:
            raise QueryError(f"`from_point` must not be negative: {line.from_point}")
    heads, views = _core.lod_batch(
        [(_unwrapped(series), _x(x), *rest) for series, x, *rest in lines],  # type: ignore[misc]
        share_x,
    )
    return Batch(heads, views)


def _unwrapped(series: Series | _core.Series) -> _core.Series:
    return series if isinstance(series, _core.Series) else series._core  # noqa: SLF001


def _x(x: Axis | Series | _core.Series) -> str | _core.Series:
    return x if isinstance(x, str) else _unwrapped(x)


def around(series: Series | _core.Series, step: int, *, before: int, after: int) -> Around:
    """The last points at or before a step and the first behind it: no more of them are unpacked."""
    return Around(*_unwrapped(series).around(step, before=before, after=after))


def around_time(
    series: Series | _core.Series, wall_time: float, *, before: int, after: int
) -> Around:
    """The same at a time."""
    return Around(*_unwrapped(series).around_time(wall_time, before=before, after=after))


def summaries(members: Sequence[Series | _core.Series]) -> Summaries:
    """Count, ends, extremes and what is not finite of each series."""
    return Summaries(**_arrays(summary_views(members)))


def summary_views(members: Sequence[Series | _core.Series]) -> dict[str, memoryview]:
    """The columns of `Summaries` by name, as memory views, which need no numpy."""
    return _core.summaries([_unwrapped(member) for member in members])


def bands(
    members: Sequence[_core.Series],
    *,
    x: Axis | Sequence[_core.Series],
    x_range: tuple[float, float] | None,
    columns: int,
    smoothing: str,
    bootstrap: Centre | None = None,
) -> Bands:
    """Mean, median and spread of several series on a common x, or that of a series for each."""
    _check(columns)
    axis: dict[str, Any] = {"axis": x}
    if not isinstance(x, str):
        if len(x) != len(members):
            raise QueryError("there must be one x for each member")
        axis = {"xs": [_core.x_from_other(*pair) for pair in zip(members, x, strict=True)]}
    answer = _core.bands(
        list(members),
        x_range=x_range,
        columns=columns,
        smoothing=smoothing,
        bootstrap=bootstrap,
        **axis,
    )
    return Bands(**answer)


def bands_batch(groups: Sequence[Group]) -> BandsBatch:
    """The bands of many groups, computed in parallel.

    Raises `QueryError` for what cannot be asked, and where the answer would be too large or take
    too long.
    """
    for group in groups:
        _check(group.columns)
    heads, views = _core.bands_batch(
        [
            (
                [_unwrapped(member) for member in group.members],
                group.x if isinstance(group.x, str) else [_unwrapped(x) for x in group.x],
                group.x_range,
                group.columns,
                group.smoothing,
                group.bootstrap,
            )
            for group in groups
        ]
    )
    return BandsBatch(heads, views)
