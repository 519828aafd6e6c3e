"""The usual range of a series, and where it is left: as its slow twin finds it."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from kymograph.store import usual
from kymograph.store.usual import UsualRange

NAN, INF = math.nan, math.inf


def slow_range(steps: list[int], values: list[float], start: float) -> UsualRange | None:
    """One value after another, and quantiles by their definition."""
    inside = [at for at, step in enumerate(steps) if step >= start]
    if len(inside) < 50:
        inside = list(range(len(steps)))[-50:]
    finite = sorted(values[at] for at in inside if math.isfinite(values[at]))
    if len(finite) < 8:
        return None

    def quantile(share: float) -> float:
        place = share * (len(finite) - 1)
        below = math.floor(place)
        above = min(below + 1, len(finite) - 1)
        return finite[below] + (finite[above] - finite[below]) * (place - below)

    return UsualRange(quantile(0.005), quantile(0.995), len(finite))


@pytest.mark.parametrize("seed", range(8))
def test_the_usual_range_is_that_of_its_slow_twin(seed: int):
    randoms = random.Random(seed)
    for count in (0, 1, 7, 8, 30, 49, 50, 51, 400):
        steps = sorted(randoms.randrange(5000) for _ in range(count))
        odd = [NAN, INF, -INF, 0.0, 1e30]
        values = [
            randoms.choice(odd) if randoms.random() < 0.1 else randoms.gauss(2, 1) for _ in steps
        ]
        start = (steps[-1] if steps else 0) - 2000
        found = usual.usual_range(np.array(steps, float), np.array(values), start)
        expected = slow_range(steps, values, start)
        if expected is None:
            assert found is None
        else:
            assert found is not None
            assert found.points == expected.points
            assert found[:2] == pytest.approx(expected[:2])


RANGE = UsualRange(1.0, 2.0, 100)


@pytest.mark.parametrize(
    ("values", "first", "back"),
    [
        ([1.5, 2.4, 2.1, 1.5], None, None),  # outside, but not far
        ([1.5, 2.1, 2.6, 2.2, 1.5, 1.6, 1.7], 1, 4),  # begins where it left the range
        ([1.5, 2.1, 1.5, 3.0, 4.0], 3, None),  # a stray point before it is another matter
        ([3.0, 1.5, 3.0, 1.5, 1.5, 1.5], 0, 3),  # one point inside is not back
        ([1.5, NAN, 1.5, 1.5, 1.5], 1, 2),
        ([1.5, INF], 1, None),
        ([0.4, 1.5, 1.5], 0, None),  # too few points to be back
        ([], None, None),
    ],
)
def test_an_excursion_begins_where_the_range_was_left(
    values: list[float], first: int | None, back: int | None
):
    found = usual.first_excursion(RANGE, np.array(values, float))
    assert (None if found is None else found.first) == first
    assert (None if found is None else found.back) == back


def test_a_constant_leaves_its_range_with_any_other_value():
    constant = usual.usual_range(np.arange(100.0), np.full(100, 7.0), 0)
    assert constant == UsualRange(7.0, 7.0, 100)
    found = usual.first_excursion(constant, np.array([7.0, 7.0, 3.5]))
    assert found is not None
    assert found.first == 2


def test_calm_is_what_is_among_the_points_before_even_within_an_excursion():
    steps = np.arange(400.0) * 10
    values = 1 + 0.1 * np.sin(np.arange(400.0))
    assert usual.is_calm(steps, values, 2000)
    values[380:] = 3.0
    assert not usual.is_calm(steps, values, 2000)
    assert usual.is_calm(steps[:380], values[:380], 1800)
    assert not usual.is_calm(steps[:5], np.array([1, 1, 1, 1, NAN]), 0)
    assert not usual.is_calm(steps[:0], values[:0], 0)


def test_departures_are_found_once_each_wherever_they_are():
    steps = np.arange(3000.0) * 10
    values = 1 + 0.05 * np.sin(np.arange(3000.0))
    values[1000:1040] += np.linspace(2, 0, 40)
    values[2000] = -3
    assert usual.departures(steps, values, values, most=10) == [1000, 2000]
    assert usual.departures(steps, values, values, most=1) == [1000]
    values[500] = NAN
    assert usual.departures(steps, values, values, most=10) == [1000, 2000]
    assert usual.departures(steps[:20], values[:20], values[:20], most=10) == []
