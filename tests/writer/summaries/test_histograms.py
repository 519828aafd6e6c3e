"""Histograms: every value in its bin, all the same statistics, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from kymograph import _core
from kymograph.writer.summaries import histograms
from tests.golden import wire

NAMES = {1: "min", 2: "max", 3: "num", 4: "sum", 5: "sum_squares"}


def decoded(summary: bytes) -> dict[str, Any]:
    value = wire.last_bytes(summary, 1)
    histo = wire.last_bytes(value, 5)
    numbers = {
        name: float(np.frombuffer(wire.last_bytes(histo, field) or bytes(8), "<f8")[0])
        for field, name in NAMES.items()
    }
    limits, counts = (np.frombuffer(wire.last_bytes(histo, field), "<f8") for field in (6, 7))
    return {
        "tag": wire.last_bytes(value, 1).decode(),
        **numbers,
        "limits": limits.tolist(),
        "counts": counts.tolist(),
    }


def binned(values: Any, **options: Any) -> dict[str, Any]:
    return decoded(histograms.histogram("h", values, **options))


def slow_edges() -> list[float]:
    positive, edge = [], 1e-12
    while edge < 1e20:
        positive.append(edge)
        edge *= 1.1
    return [-edge for edge in reversed(positive)] + [0.0] + positive


def slow_counts(values: list[float], edges: list[float]) -> list[int]:
    counts = [0] * (len(edges) - 1)
    for value in values:
        for index in range(len(counts)):
            is_last = index == len(counts) - 1 and value == edges[-1]
            if edges[index] <= value < edges[index + 1] or is_last:
                counts[index] += 1
    return counts


def test_the_default_edges_are_torchs():
    assert histograms.default_bins().tolist() == slow_edges()
    assert len(slow_edges()) == 1549


near_edges = st.sampled_from(slow_edges()).flatmap(
    lambda edge: st.sampled_from(
        [edge, np.nextafter(edge, np.inf), np.nextafter(edge, -np.inf), edge * 1.01]
    )
)


@given(st.lists(near_edges | st.floats(), min_size=1, max_size=5))
def test_doubles_are_counted_as_by_looking_at_every_edge(values):
    counts, *_ = _core.count_in_default_bins(np.array(values))
    assert counts.tolist() == slow_counts(values, slow_edges())


@given(st.lists(near_edges.map(np.float32) | st.floats(width=32), min_size=1, max_size=5))
def test_floats_are_counted_as_by_looking_at_every_edge(values):
    single = np.array(values, np.float32)
    counts, *_ = _core.count_in_default_bins(single)
    assert counts.tolist() == slow_counts(single.tolist(), slow_edges())


@given(
    arrays_of.arrays(
        st.sampled_from([np.float32, np.float64]),
        st.integers(1, 3000),
        elements=st.integers(-1000, 1000),
        fill=st.just(3),
    )
)
def test_statistics_are_over_all_values(values):
    _, least, greatest, total, squares = _core.count_in_default_bins(values)
    wide = values.astype(np.float64)
    expected = (wide.min(), wide.max(), wide.sum(), (wide * wide).sum())
    assert (least, greatest, total, squares) == expected


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), st.integers(2, 30))
def test_no_bucket_is_lost_by_grouping_or_trimming(values, max_bins):
    edges = histograms.default_bins()
    inside = [value for value in values if edges[0] <= value <= edges[-1]]
    if not inside:
        with pytest.raises(ValueError, match="The histogram is empty"):
            binned(values, max_bins=max_bins)
        return
    found = binned(values, max_bins=max_bins)
    assert sum(found["counts"]) == len(inside)
    assert found["counts"][0] == 0
    assert found["counts"][-1] > 0
    assert found["num"] == len(values)
    assert found["limits"][0] <= min(inside)
    assert found["limits"][-1] >= max(inside)


def test_one_value_has_the_buckets_that_torch_writes():
    found = binned(np.array([5.0]))
    assert found["limits"] == [4.636194617418625, 5.099814079160488]
    assert found["counts"] == [0, 1]
    assert (found["min"], found["max"], found["num"]) == (5, 5, 1)
    assert (found["sum"], found["sum_squares"]) == (5, 25)


def test_zeros_lie_between_zero_and_the_first_edge():
    found = binned(np.zeros(5))
    assert (found["limits"], found["counts"]) == ([0, 1e-12], [0, 5])


def test_absent_fields_are_those_that_are_zero():
    histo = wire.last_bytes(wire.last_bytes(histograms.histogram("h", np.zeros(5)), 1), 5)
    assert [field for field, _ in wire.fields(histo)] == [3, 6, 7]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4", "?", "i1", "u2", "i4", "i8", "u8", "O"])
def test_every_type_of_number_is_counted_alike(dtype):
    values = np.array([0, 1, 1], dtype)
    assert binned(values) == binned([0.0, 1.0, 1.0])


def test_arrays_in_any_layout_are_counted_alike():
    values = np.arange(24, dtype=np.float32)
    expected = binned(values)
    table = values.reshape(4, 6)
    misaligned = np.frombuffer(b"_" + values.tobytes(), np.uint8)[1:].view(np.float32)
    spread = np.zeros(48, np.float32)
    spread[::2] = values
    for layout in (table, table.T, np.asfortranarray(table), misaligned, spread[::2]):
        assert binned(layout) == expected
    assert binned(table[:, ::2])["num"] == 12


def test_nan_is_not_counted_and_shows_in_the_statistics():
    found = binned(np.array([1.0, np.nan]))
    assert (found["num"], found["counts"]) == (2, [0, 1])
    assert np.isnan([found[name] for name in ("min", "max", "sum", "sum_squares")]).all()


def test_infinities_are_not_counted():
    found = binned(np.array([1, np.inf], np.float32))
    assert (found["num"], found["counts"], found["sum"]) == (2, [0, 1], np.inf)
    assert (found["min"], found["max"]) == (1, np.inf)


@pytest.mark.parametrize("bins", [4, "auto", "fd", [0, 1, 2, 5], np.array([0.0, 2.5, 5.0])])
def test_other_bins_are_numpys(bins):
    values = np.array([0, 1, 1, 2, 4.5])
    counts, edges = np.histogram(values, bins)
    found = binned(values, bins=bins)
    assert found["counts"] == [0, *counts.tolist()]
    assert found["limits"] == edges.tolist()


def _samples() -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)
    return {
        "normal": random.normal(size=5000),
        "singles": random.normal(size=5000).astype(np.float32),
        "halves": random.normal(size=500).astype(np.float16),
        "far from zero": 1e6 + random.normal(size=3000),
        "heavy tails": random.standard_cauchy(size=4001),
        "an outlier": np.append(random.random(2000), 1e9),
        "whole numbers": random.integers(-5, 90, 3002),
        "bytes": random.integers(0, 256, 999, dtype=np.uint8),
        "booleans": random.random(100) < 0.3,
        "equal": np.full(50, 2.5),
        "mostly equal": np.append(np.zeros(99), 1.0),
        "one": np.array([-3.0]),
        "two": np.array([-3.0, 4.0], np.float32),
        "tiny": random.normal(size=300) * 1e-300,
        "many": random.normal(size=300_000).astype(np.float32),
    }


@pytest.mark.parametrize("bins", ["auto", "fd", "sturges", "sqrt", 1, 7, 64, np.int64(5)])
@pytest.mark.parametrize("name", _samples())
def test_bins_of_equal_width_are_numpys_to_the_last_bit(name: str, bins: Any):
    if (name, bins) == ("an outlier", "fd"):
        pytest.skip("more bins than there is memory for")
    values = _samples()[name]
    counts, edges = np.histogram(values.astype(float), bins)
    summary = histograms.histogram("h", values, bins)
    filled = np.flatnonzero(counts)
    first, last = int(filled[0]), int(filled[-1])
    found = decoded(summary)
    assert found["limits"] == edges[first : last + 2].tolist()
    assert found["counts"][1:] == counts[first : last + 1].tolist()
    assert (found["min"], found["max"]) == (values.min(), values.max())


@pytest.mark.parametrize("bins", ["auto", "fd", 5])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_bins_of_equal_width_need_a_finite_range(value: float, bins: Any):
    with pytest.raises(ValueError, match="is not finite"):
        histograms.histogram("h", np.array([1.0, value]), bins)


@pytest.mark.parametrize("bins", ["nothing", 0, -1])
def test_bins_that_numpy_refuses_are_refused(bins: Any):
    with pytest.raises(ValueError, match="bins"):
        histograms.histogram("h", np.array([1.0, 2.0]), bins)


def test_buckets_are_grouped_evenly_and_the_last_group_is_filled_up():
    values = np.arange(10) + 0.5
    found = binned(values, bins=np.arange(11), max_bins=4)
    assert found["limits"] == [0, 2, 4, 6, 8, 10]
    assert found["counts"] == [0, 2, 2, 2, 2, 2]
    found = binned(values, bins=np.arange(11), max_bins=3)
    assert found["limits"] == [0, 3, 6, 9, 10]
    assert found["counts"] == [0, 3, 3, 3, 1]
    assert binned(values, bins=np.arange(11), max_bins=10)["counts"] == [0, *[1] * 10]


def test_empty_buckets_are_kept_inside_and_cut_outside():
    found = binned([2.5, 2.5, 5.5], bins=np.arange(11))
    assert found["limits"] == [2, 3, 4, 5, 6]
    assert found["counts"] == [0, 2, 0, 0, 1]


@pytest.mark.parametrize(
    ("values", "options", "error", "words"),
    [
        (np.array([]), {}, ValueError, "The input has no element."),
        (np.array([1e30]), {}, ValueError, "The histogram is empty"),
        (np.array([np.nan]), {}, ValueError, "The histogram is empty"),
        (np.ones(2), {"bins": "foo"}, ValueError, "'foo' is not a valid estimator"),
        (np.array([np.nan]), {"bins": "auto"}, ValueError, "autodetected range of"),
        (np.array(["a"]), {}, ValueError, "could not convert string to float"),
        (np.ones(2), {"bins": [1.0]}, IndexError, "at least one bin"),
        (np.ones(2), {"max_bins": 0}, ZeroDivisionError, "division"),
        (np.ones(2), {"max_bins": -1}, ValueError, "must be positive"),
        (np.ones(2), {"max_bins": 2.5}, TypeError, "as an integer"),
        (None, {}, NotImplementedError, "numpy array or torch tensor are expected"),
    ],
)
def test_wrong_input_is_refused(values, options, error, words):
    with pytest.raises(error, match=words):
        histograms.histogram("h", values, **options)


@pytest.mark.parametrize("wrap", [list, tuple, np.array, iter])
def test_a_histogram_counted_elsewhere_is_written_as_it_is(wrap):
    summary = histograms.histogram_raw(
        "h", -1, np.float32(3), 4, 5.0, 6, wrap([0, 3]), wrap([1, 3])
    )
    assert decoded(summary) == {
        "tag": "h",
        "min": -1,
        "max": 3,
        "num": 4,
        "sum": 5,
        "sum_squares": 6,
        "limits": [0, 3],
        "counts": [1, 3],
    }


@pytest.mark.parametrize(
    ("least", "limits", "counts", "error"),
    [
        (0, [1, 2], [1], ValueError),
        (0, np.ones((1, 2)), np.ones((1, 2)), TypeError),
        (0, ["1"], [1], TypeError),
        (0, np.array(["1"]), [1], TypeError),
        (0, ["a", "b"], [1], ValueError),
        (0, [[1, 2]], [1], TypeError),
        (object(), [1], [1], TypeError),
        (np.ones(2), [1], [1], TypeError),
        (0, None, None, TypeError),
        ("0", [1], [1], TypeError),
        (1j, [1], [1], TypeError),
    ],
)
def test_wrong_buckets_are_refused(least, limits, counts, error):
    with pytest.raises(error):
        histograms.histogram_raw("h", least, 1, 1, 1, 1, limits, counts)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        (np.ones((2, 2), np.float32), TypeError),
        (np.ones(2, np.int64), TypeError),
        ([1.0], TypeError),
        (np.ones(4, np.float32)[::2], ValueError),
    ],
)
def test_the_counter_takes_nothing_that_it_would_have_to_copy(values, error):
    with pytest.raises(error):
        _core.count_in_default_bins(values)
