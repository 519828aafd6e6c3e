"""Precision-recall curves against one counted by hand, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kymograph.writer.summaries import pr_curves
from tests.golden import wire


def decoded(summary: bytes) -> tuple[np.ndarray, int]:
    """The rows, and the number of thresholds for the dashboard."""
    value = wire.last_bytes(summary, 1)
    plugin = wire.last_bytes(wire.last_bytes(value, 9), 1)
    assert wire.last_bytes(plugin, 1) == b"pr_curves"
    tensor = wire.last_bytes(value, 8)
    assert wire.last_integer(tensor, 1) == 1
    shape = [wire.last_integer(size, 1) for size in wire.all_bytes(wire.last_bytes(tensor, 2), 2)]
    rows = np.frombuffer(wire.last_bytes(tensor, 5), "<f4").reshape(shape)
    return rows, wire.last_integer(wire.last_bytes(plugin, 2), 2)


def curve(labels: Any, predictions: Any, *options: Any) -> np.ndarray:
    return decoded(pr_curves.pr_curve("c", labels, predictions, *options))[0]


def counted_by_hand(
    labels: list[int], predictions: list[float], weights: list[float], thresholds: int
) -> list[list[float]]:
    columns = []
    for threshold in range(thresholds):
        tp = fp = tn = fn = 0.0
        for label, prediction, weight in zip(labels, predictions, weights, strict=True):
            bucket = np.floor(prediction * (thresholds - 1))
            if not 0 <= bucket < thresholds:
                continue
            reaches = bucket >= threshold
            tp += weight * (label and reaches)
            fp += weight * ((not label) and reaches)
            tn += weight * ((not label) and not reaches)
            fn += weight * (label and not reaches)
        columns.append([tp, fp, tn, fn, tp / max(1e-7, tp + fp), tp / max(1e-7, tp + fn)])
    return [list(row) for row in zip(*columns, strict=True)]


predicted = st.tuples(
    st.integers(0, 1),
    st.floats(0, 1) | st.sampled_from([-0.5, 1.5, np.nan, np.inf, -np.inf]),
    st.integers(0, 8).map(lambda weight: weight / 4),
)


@given(st.lists(predicted, min_size=1, max_size=30), st.integers(1, 127))
def test_curves_are_those_counted_by_hand(rows, thresholds):
    labels, predictions, weights = map(list, zip(*rows, strict=True))
    expected = counted_by_hand(labels, predictions, weights, thresholds)
    found = curve(np.array(labels), np.array(predictions), thresholds, weights)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_lists_booleans_and_tables_are_taken_too():
    expected = curve(np.array([1, 0]), np.array([0.5, 0.2]), 3).tolist()
    assert curve([True, False], (0.5, 0.2), 3).tolist() == expected
    assert curve(np.array([[1, 0]]), np.array([[0.5, 0.2]]), 3).tolist() == expected
    assert curve([1, 0], [0.5, 0.2], 3, 2.0)[:4].tolist() == [
        [2 * count for count in row] for row in expected[:4]
    ]


@pytest.mark.parametrize(("asked", "written"), [(127, 127), (5, 5), (1000, 127)])
def test_there_are_at_most_127_thresholds(asked, written):
    rows, thresholds = decoded(pr_curves.pr_curve("c", [1], [0.5], asked))
    assert (rows.shape, thresholds) == ((6, written), written)


def test_a_curve_of_nothing_is_zero():
    assert not curve([], [], 4).any()


@pytest.mark.parametrize("dtype", ["f4", "longdouble", "object", "i1"])
def test_weights_are_of_any_type(dtype):
    labels, predictions = [1, 0, 1], [0.9, 0.2, 0.4]
    expected = pr_curves.pr_curve("c", labels, predictions, 5, [1.0, 2.0, 3.0])
    weights = np.array([1, 2, 3], dtype)
    assert pr_curves.pr_curve("c", labels, predictions, 5, weights) == expected


@pytest.mark.parametrize(
    ("labels", "predictions", "options", "error"),
    [
        ([1, 0], [0.5], (), ValueError),
        ([1, 0], [0.5, 0.1], (0,), ValueError),
        ([1, 0], [0.5, 0.1], (5, [1, 2, 3]), ValueError),
        ([1, 0], [0.5, 0.1], (2.5,), TypeError),
        (None, [0.5], (), NotImplementedError),
        ([1], [0.5], (5, np.array([1j])), TypeError),
        ([1], [0.5], (5, np.array(["1"])), TypeError),
    ],
)
def test_wrong_input_is_refused(labels, predictions, options, error):
    with pytest.raises(error):
        pr_curves.pr_curve("c", labels, predictions, *options)


def raw(rows: Any, thresholds: Any) -> bytes:
    tp, fp, tn, fn, precision, recall = rows
    return pr_curves.pr_curve_raw("c", tp, fp, tn, fn, precision, recall, thresholds)


def test_a_curve_counted_elsewhere_is_written_as_it_is():
    rows, thresholds = decoded(raw(np.arange(12).reshape(6, 2), 300))
    assert rows.tolist() == np.arange(12).reshape(6, 2).tolist()
    assert thresholds == 127
    huge, thresholds = decoded(raw([[1e300]] * 6, 0))
    assert np.isinf(huge).all()
    assert thresholds == 0


@pytest.mark.parametrize(
    ("rows", "thresholds", "error"),
    [
        ([[1, 2]] * 5 + [[1]], 127, ValueError),
        ([np.ones((2, 2))] * 6, 127, ValueError),
        ([[1]] * 6, -1, ValueError),
        ([[1]] * 6, 2.5, TypeError),
        ([None] * 6, 127, NotImplementedError),
        ([np.array([1j])] * 6, 127, TypeError),
        ([np.array(["1"])] * 6, 127, TypeError),
    ],
)
def test_wrong_rows_are_refused(rows, thresholds, error):
    with pytest.raises(error):
        raw(rows, thresholds)
