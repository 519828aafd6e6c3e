"""Level of detail: fewer points, same picture, always computed on the raw series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from kymograph import _core
from kymograph.errors import QueryError

__all__ = ["Axis", "Bands", "Envelope", "Neighbour", "Reduced", "bands", "reduce"]

Axis: TypeAlias = Literal["step", "wall_time", "relative_time"]
"""What is drawn to the right; relative times count from the first point of each series."""

Floats: TypeAlias = "npt.NDArray[np.float64]"


@dataclass(frozen=True)
class Envelope:
    """The finite values behind each entry; NaN where there are none."""

    first: Floats
    min: Floats
    max: Floats
    last: Floats


@dataclass(frozen=True)
class Neighbour:
    """The nearest point outside the range, so that a line can reach the edge of the plot."""

    x: float
    value: float
    smoothed: float | None


@dataclass(frozen=True)
class Reduced:
    """What a plot shows of one series.

    One entry for each pixel column that holds points, in the order of x; if `exact`, one for each
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
    """Points behind each entry, finite or not."""
    flags: npt.NDArray[np.uint8]
    """1 for NaN, 2 for +inf, 4 for -inf, added up."""
    before: Neighbour | None
    after: Neighbour | None


@dataclass(frozen=True)
class Bands:
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
    """Mean of the middle half."""
    q25: Floats
    q75: Floats


def reduce(
    series: _core.Series,
    *,
    x: Axis | _core.Series,
    x_range: tuple[float, float] | None,
    columns: int,
    smoothing: str,
) -> Reduced:
    """What a plot of `columns` pixels shows of a series."""
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
        raise QueryError(f"a plot has at least one column, not: {columns}")


def _axis(series: _core.Series, x: Axis | _core.Series) -> dict[str, Any]:
    if isinstance(x, _core.Series):
        return {"x": _core.x_from_other(series, x)}
    return {"axis": x}


def bands(
    members: Sequence[_core.Series],
    *,
    x: Axis,
    x_range: tuple[float, float] | None,
    columns: int,
    smoothing: str,
) -> Bands:
    """Mean, median and spread of several series on a common x."""
    _check(columns)
    answer = _core.bands(
        list(members), axis=x, x_range=x_range, columns=columns, smoothing=smoothing
    )
    return Bands(**answer)
