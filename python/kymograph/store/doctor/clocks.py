"""Wall times that cannot be right."""

from __future__ import annotations

import time
from collections.abc import Iterator

from kymograph.lazy import numpy as np
from kymograph.store.doctor.finding import Finding, count, finding
from kymograph.store.store import Run, Store

__all__ = ["findings"]

# 2015-01-01: there were no event files before.
_EARLIEST = 1_420_070_400.0
# Clocks of two machines may be this far apart.
_TOLERANCE_SECS = 600.0


def findings(store: Store, *, now: float | None = None) -> list[Finding]:
    """What is odd about the wall times of a store; `now` is the present unless given."""
    latest = (time.time() if now is None else now) + _TOLERANCE_SECS
    runs = store.runs.values()
    return [
        *_future([run for run in runs if run.end_time is not None and run.end_time > latest]),
        *_past([run for run in runs if run.start_time is not None and run.start_time < _EARLIEST]),
        *_backwards([run for run in runs if _goes_backwards(run)]),
        *_not_numbers(store),
    ]


def _future(runs: list[Run]) -> Iterator[Finding]:
    if runs:
        yield finding(
            "future-times",
            "warning",
            f"{count(len(runs), 'run has', 'runs have')} times in the future",
            "check the clock of the machine that wrote them; use steps as x",
            places=[run.name for run in runs],
        )


def _past(runs: list[Run]) -> Iterator[Finding]:
    if runs:
        yield finding(
            "ancient-times",
            "warning",
            f"{count(len(runs), 'run has', 'runs have')} times before 2015",
            "the writer gave no times, or not in seconds; use steps as x",
            places=[run.name for run in runs],
        )


def _backwards(runs: list[Run]) -> Iterator[Finding]:
    if runs:
        yield finding(
            "times-go-back",
            "note",
            f"time goes backwards while steps increase, in {count(len(runs), 'run')}",
            "the clock was set back, or files of several machines are mixed; use steps as x",
            places=[run.name for run in runs],
        )


def _goes_backwards(run: Run) -> bool:
    return any(
        len(series) > 1
        and bool(np.any((np.diff(series.wall_times) < -1.0) & (np.diff(series.steps) > 0)))
        for series in run.all_series()
    )


def _not_numbers(store: Store) -> Iterator[Finding]:
    files = [file for file in store.files if file.bad_wall_times]
    if files:
        events = sum(file.bad_wall_times for file in files)
        yield finding(
            "times-not-numbers",
            "warning",
            f"{count(events, 'event has', 'events have')} no valid time; the time of the"
            " previous event is used",
            "check what the writer passes as `walltime`",
            places=[file.path for file in files],
        )
