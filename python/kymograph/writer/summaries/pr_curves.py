"""Labels and predictions into precision-recall curves."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph.writer import arrays, wire

__all__ = ["pr_curve", "pr_curve_raw"]

_MOST_THRESHOLDS = 127
_MIN_COUNT = 1e-7
"""Replaces zero in a denominator."""


def pr_curve(
    tag: str, labels: Any, predictions: Any, num_thresholds: int = 127, weights: Any = None
) -> wire.Summary:
    """The curve of `predictions` from 0 to 1 against `labels` that are 0 or 1.

    There are at most 127 thresholds. A prediction outside of its range is left out.
    """
    thresholds = min(operator.index(num_thresholds), _MOST_THRESHOLDS)
    if thresholds < 1:
        raise ValueError(f"there must be at least one threshold, not: {thresholds}")
    is_positive = arrays.to_numpy(labels).astype(np.float64)
    weight = 1.0 if weights is None else _real(arrays.to_numpy(weights))
    with np.errstate(invalid="ignore"):  # infinite predictions are left out
        buckets = np.floor(arrays.to_numpy(predictions) * (thresholds - 1)).astype(np.float64)
    tp = _at_or_above(buckets, is_positive * weight, thresholds)
    fp = _at_or_above(buckets, (1.0 - is_positive) * weight, thresholds)
    tn, fn = fp[0] - fp, tp[0] - tp
    precision = tp / np.maximum(_MIN_COUNT, tp + fp)
    recall = tp / np.maximum(_MIN_COUNT, tp + fn)
    return _summary(tag, np.stack((tp, fp, tn, fn, precision, recall)), thresholds)


def pr_curve_raw(
    tag: str,
    tp: Any,
    fp: Any,
    tn: Any,
    fn: Any,
    precision: Any,
    recall: Any,
    num_thresholds: int = 127,
    weights: Any = None,  # noqa: ARG001  (PyTorch's signature; the counts hold them already)
) -> wire.Summary:
    """A curve that was counted elsewhere: six rows with one number for each threshold."""
    thresholds = min(operator.index(num_thresholds), _MOST_THRESHOLDS)
    if thresholds < 0:
        raise ValueError(f"Value out of range: {thresholds}")
    rows = np.stack([arrays.to_numpy(row) for row in (tp, fp, tn, fn, precision, recall)])
    _real(rows)
    if rows.ndim != 2:
        raise ValueError(f"rows of a curve must be one-dimensional, not of shape: {rows.shape[1:]}")
    return _summary(tag, rows, thresholds)


def _real(array: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    if array.dtype.kind in "cUS":
        raise TypeError(f"a curve must have real numbers, not: {array.dtype}")
    return array.astype(np.float64)


def _at_or_above(
    buckets: npt.NDArray[np.float64], weights: npt.NDArray[Any], thresholds: int
) -> npt.NDArray[np.float64]:
    """For each threshold, the weight of all predictions that reach it."""
    if buckets.shape != weights.shape:
        raise ValueError("weights should have the same shape as a.")
    inside = (buckets >= 0) & (buckets < thresholds)
    counted = np.bincount(buckets[inside].astype(np.intp), weights[inside], thresholds)
    return np.cumsum(counted[::-1], dtype=np.float64)[::-1]


def _summary(tag: str, rows: npt.NDArray[Any], thresholds: int) -> wire.Summary:
    sizes = [wire.message(2, wire.integer(1, size) if size else b"") for size in rows.shape]
    with np.errstate(over="ignore"):  # what a float cannot hold is infinite
        numbers = wire.packed(5, rows.astype(np.float32)) if rows.size else b""
    content = wire.integer(2, thresholds) if thresholds else b""
    tensor = wire.message(8, wire.integer(1, 1), wire.message(2, *sizes), numbers)
    return wire.summary(wire.value(tag, tensor, wire.plugin("pr_curves", content)))
