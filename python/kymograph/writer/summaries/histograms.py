"""Values into histograms, with the buckets that PyTorch's writer makes."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph import _core
from kymograph.writer import arrays, wire

__all__ = ["default_bins", "histogram", "histogram_raw"]

_Doubles = npt.NDArray[np.float64]
_EXACT_AS_SINGLE = tuple(np.dtype(name) for name in ("f4", "f2", "?", "i1", "u1", "i2", "u2"))


def default_bins() -> _Doubles:
    """The edges that `bins="tensorflow"` stands for."""
    return _core.default_bins()


def histogram(
    name: str, values: Any, bins: Any = "tensorflow", max_bins: int | None = None
) -> wire.Summary:
    """A histogram of `values`; other `bins` are those of `numpy.histogram`.

    Raises `ValueError` if there are no values, `IndexError` if there is no bin.
    """
    array = arrays.to_numpy(values)
    is_default = isinstance(bins, str) and bins == "tensorflow"
    single = is_default and array.dtype in _EXACT_AS_SINGLE
    array = np.ravel(array.astype(np.float32 if single else np.float64, copy=False))
    if array.size == 0:
        raise ValueError("The input has no element.")
    if is_default:
        array = array if array.flags.aligned else array.copy()
        counts, least, greatest, total, squares = _core.count_in_default_bins(array)
        limits = _core.default_bins()
    else:
        counts, limits = (column.astype(np.float64) for column in np.histogram(array, bins=bins))
        least, greatest, total = float(array.min()), float(array.max()), float(array.sum())
        squares = float(array.dot(array))
        if not counts.size:
            raise IndexError("a histogram needs at least one bin, which has two edges")
    counts, limits = _trimmed(*_grouped(counts, limits, max_bins))
    return _summary(name, (least, greatest, array.size, total, squares), limits, counts)


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
    """What lies between the first and the last value, and an empty bucket that ends where they
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
        raise TypeError(f"buckets are one-dimensional, not of shape: {array.shape}")
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
