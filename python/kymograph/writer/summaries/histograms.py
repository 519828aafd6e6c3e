"""Values into histograms, with the buckets that PyTorch's writer makes."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph import _core
from kymograph.writer import arrays, wire

__all__ = ["default_bins", "histogram", "histogram_raw"]

_Doubles = npt.NDArray[np.float64]
_EXACT_AS_SINGLE = tuple(np.dtype(name) for name in ("f4", "f2", "?", "i1", "u1", "i2", "u2"))


def default_bins() -> _Doubles:
    """The edges of `bins="tensorflow"`."""
    return _core.default_bins()


def histogram(
    name: str, values: Any, bins: Any = "tensorflow", max_bins: int | None = None
) -> wire.Summary:
    """A histogram of `values`; other `bins` are those of `numpy.histogram`.

    Raises `ValueError` if there are no values, `IndexError` if there is no bin.
    """
    array = arrays.to_numpy(values)
    exact = np.float32 if array.dtype in _EXACT_AS_SINGLE else np.float64
    array = np.ravel(array.astype(exact, copy=False))
    if array.size == 0:
        raise ValueError("The input has no element.")
    array = array if array.flags.aligned else array.copy()
    if isinstance(bins, str) and bins == "tensorflow":
        counts, low, high, total, squares = _core.count_in_default_bins(array)
        limits = _core.default_bins()
    else:
        low, high, total, squares = _core.totals(array)
        counts, limits = _counted(array, bins, low, high)
    counts, limits = _trimmed(*_grouped(counts, limits, max_bins))
    return _summary(name, (low, high, array.size, total, squares), limits, counts)


def _counted(
    array: npt.NDArray[Any], bins: Any, low: float, high: float
) -> tuple[_Doubles, _Doubles]:
    """Counts and edges, the same as those of `numpy.histogram`."""
    edges = _equal_edges(array, bins, low, high)
    if edges is not None:
        return _core.count_in_equal_bins(array, edges), edges
    counts, limits = np.histogram(array.astype(np.float64, copy=False), bins=bins)
    if not counts.size:
        raise IndexError("a histogram needs at least one bin, which has two edges")
    return counts.astype(np.float64), limits.astype(np.float64)


def _equal_edges(array: npt.NDArray[Any], bins: Any, low: float, high: float) -> _Doubles | None:
    """The edges of bins of equal width; `None` if `bins` means others."""
    extremes = np.array([low, high])
    if isinstance(bins, (int, np.integer)):
        return np.histogram_bin_edges(extremes, bins)
    if not isinstance(bins, str):
        return None
    rule = _auto_rule() if bins == "auto" else _freedman_diaconis if bins == "fd" else None
    if rule is None:
        return np.histogram_bin_edges(array.astype(np.float64, copy=False), bins)
    first, last = np.histogram_bin_edges(extremes, 1)
    width = rule(array, high - low)
    count = int(np.ceil((last - first) / width)) if width else 1
    return np.histogram_bin_edges(extremes, count)


_Rule = Callable[[npt.NDArray[Any], float], float]


@functools.cache
def _auto_rule() -> _Rule | None:
    """How the installed numpy chooses the width of `bins="auto"`; `None` if in another way."""
    probe = np.append(np.linspace(0, 1, 1000), 1000)  # a far outlier, which they treat differently
    expected = len(np.histogram_bin_edges(probe, "auto")) - 1
    rules: list[_Rule] = [_limited_auto, _plain_auto]
    spread = float(np.ptp(probe))
    counts = [math.ceil(spread / rule(probe, spread)) for rule in rules]
    return rules[counts.index(expected)] if expected in counts else None


def _limited_auto(array: npt.NDArray[Any], spread: float) -> float:
    """Since numpy 2.0: no more bins than twice the root of the number of values."""
    width = max(_freedman_diaconis(array, spread), spread / np.sqrt(array.size) / 2)
    return float(min(width, _sturges(array, spread)))


def _plain_auto(array: npt.NDArray[Any], spread: float) -> float:
    width, sturges = _freedman_diaconis(array, spread), _sturges(array, spread)
    return min(width, sturges) if width else sturges


def _sturges(array: npt.NDArray[Any], spread: float) -> float:
    return float(spread / (np.log2(array.size) + 1.0))


def _freedman_diaconis(array: npt.NDArray[Any], spread: float) -> float:  # noqa: ARG001
    places = [(array.size - 1) * part for part in (0.25, 0.75)]
    around = _core.ranked(array, [math.floor(place) + more for place in places for more in (0, 1)])
    first = _between(around[0], around[1], places[0] % 1)
    third = _between(around[2], around[3], places[1] % 1)
    return float(2.0 * (third - first) * array.size ** (-1.0 / 3.0))


def _between(lower: float, upper: float, weight: float) -> float:
    """Numpy's interpolation, to the last bit."""
    step = upper - lower
    return lower + step * weight if weight < 0.5 else upper - step * (1 - weight)


def histogram_raw(
    name: str,
    min: Any,  # noqa: A002  (PyTorch's names)
    max: Any,  # noqa: A002
    num: Any,
    sum: Any,  # noqa: A002
    sum_squares: Any,
    bucket_limits: Any,
    bucket_counts: Any,
) -> wire.Summary:
    """A histogram that was counted elsewhere; each limit is the right edge of its bucket."""
    given = [
        column if hasattr(column, "__len__") else list(column)
        for column in (bucket_limits, bucket_counts)
    ]
    if len(given[0]) != len(given[1]):
        raise ValueError("len(bucket_limits) != len(bucket_counts), see the document.")
    limits, counts = map(_column, given)
    statistics = [_real(value) for value in (min, max, num, sum, sum_squares)]
    return _summary(name, statistics, limits, counts)


def _grouped(counts: _Doubles, limits: _Doubles, max_bins: int | None) -> tuple[_Doubles, _Doubles]:
    """Neighbours taken together. There may still be more than `max_bins`: PyTorch rounds so."""
    if max_bins is None or len(counts) <= max_bins:
        return counts, limits
    if max_bins < 0:
        raise ValueError(f"`max_bins` must be positive, not: {max_bins}")
    starts = np.arange(0, len(counts), len(counts) // operator.index(max_bins))
    return np.add.reduceat(counts, starts), np.append(limits[starts], limits[-1])


def _trimmed(counts: _Doubles, limits: _Doubles) -> tuple[_Doubles, _Doubles]:
    """What is between the first and the last value, and an empty bucket that ends where they
    begin: only right edges are stored."""
    filled = np.flatnonzero(counts)
    start, end = (int(filled[0]), int(filled[-1]) + 1) if filled.size else (len(counts), 1)
    counts = counts[start - 1 : end] if start else np.append(0.0, counts[:end])
    limits = limits[start : end + 1]
    if not (counts.size and limits.size):
        raise ValueError("The histogram is empty, please file a bug report.")
    return counts, limits


def _summary(
    name: str, statistics: Iterable[float], limits: _Doubles, counts: _Doubles
) -> wire.Summary:
    """`statistics` are min, max, num, sum and sum of squares."""
    numbers = [
        wire.double(field, number)
        for field, number in enumerate(statistics, 1)
        if number or math.copysign(1, number) < 0
    ]
    columns = wire.packed(6, limits) + wire.packed(7, counts) if counts.size else b""
    return wire.summary(wire.value(name, wire.message(5, *numbers, columns)))


def _column(values: Any) -> _Doubles:
    if not hasattr(values, "__array__"):
        return np.array([_real(value) for value in values])
    array = arrays.to_numpy(values)
    if array.dtype.kind in "US":
        raise TypeError(f"must be real number, not {array.dtype}")
    if array.ndim != 1:
        raise TypeError(f"buckets must be one-dimensional, not of shape: {array.shape}")
    return array.astype(np.float64, copy=False)


def _real(value: Any) -> float:
    if value is None:  # protobuf's word for absent
        return 0.0
    if isinstance(value, (str, bytes)):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    try:
        return arrays.number(value)
    except (AssertionError, NotImplementedError):
        raise TypeError(f"must be real number, not {type(value).__name__}") from None
