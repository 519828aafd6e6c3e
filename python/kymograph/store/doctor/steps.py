"""Steps and values that give no sensible curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kymograph.lazy import numpy as np
from kymograph.store.doctor.finding import Finding, count, finding
from kymograph.store.series import Series
from kymograph.store.store import Store

__all__ = ["findings"]

# Larger steps are times in nanoseconds, or bytes.
_LARGEST = 1 << 53
# From 2015 to 2100, in seconds since the epoch.
_TIMES = (1_420_070_400, 4_102_444_800)


def findings(store: Store) -> list[Finding]:
    """What is odd about the steps and values of a store."""
    series = [one for run in store.runs.values() for one in run.all_series()]
    return [*_odd_series(series), *_hidden(store)]


def _stands_still(series: Series) -> bool:
    steps = series.step_range
    return len(series) > 1 and steps is not None and steps[0] == steps[1]


def _goes_back(series: Series) -> bool:
    return bool(np.any(np.diff(series.steps) < 0))


def _is_negative(series: Series) -> bool:
    steps = series.step_range
    return steps is not None and steps[0] < 0


def _is_huge(series: Series) -> bool:
    steps = series.step_range
    return steps is not None and steps[1] > _LARGEST


def _is_time(series: Series) -> bool:
    steps = series.step_range
    return steps is not None and any(
        _TIMES[0] * unit <= steps[0] and steps[1] <= _TIMES[1] * unit for unit in (1000, 1_000_000)
    )


def _has_no_number(series: Series) -> bool:
    return len(series) > 0 and not np.isfinite(series.values).any()


_ODDITIES: list[tuple[Callable[[Series], bool], str, str, str]] = [
    (
        _stands_still,
        "steps-stand-still",
        "all points have the same step, so they are drawn at the same x",
        "pass `global_step`: without it every point is at step 0; show wall times instead",
    ),
    (
        _goes_back,
        "steps-go-back",
        "steps go backwards, and so does the line",
        "several jobs or loops log the same tag; give each its own directory or tag",
    ),
    (
        _is_negative,
        "negative-steps",
        "steps are negative",
        "check what is passed as `global_step`",
    ),
    (
        _is_huge,
        "huge-steps",
        "steps are too large for a browser to distinguish (above 2^53)",
        "check what is passed as `global_step`; a time in nanoseconds is not a step",
    ),
    (
        _is_time,
        "time-steps",
        "steps look like times in milliseconds or microseconds",
        "pass a count as `global_step`; the time of each point is stored separately",
    ),
    (
        _has_no_number,
        "no-finite-values",
        "no value is a finite number, so nothing is drawn",
        "the job diverged, or logs NaN: check its loss and learning rate",
    ),
]


def _odd_series(series: list[Series]) -> Iterator[Finding]:
    for is_odd, code, message, hint in _ODDITIES:
        odd = [f"{one.run} {one.tag}" for one in series if is_odd(one)]
        if odd:
            what = f"{message}, in {count(len(odd), 'series', 'series')}"
            yield finding(code, "warning", what, hint, places=odd)


def _hidden(store: Store) -> Iterator[Finding]:
    runs = [run for run in store.runs.values() if run.hidden_points]
    if runs:
        points = sum(run.hidden_points for run in runs)
        yield finding(
            "hidden-points",
            "note",
            f"{count(points, 'point is', 'points are')} hidden, because restarts logged the same"
            f" steps again, in {count(len(runs), 'run')}",
            "`kymograph.open(..., purge_orphaned_data=False)` shows them",
            places=[run.name for run in runs],
        )
