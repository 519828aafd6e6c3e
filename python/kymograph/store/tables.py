"""All runs, all tags, all changed runs of a store at a glance, as columns of plain numbers."""

from __future__ import annotations

import msgspec

__all__ = ["ChangedRuns", "RunTable", "TagTable"]


class RunTable(msgspec.Struct, frozen=True):
    """A row for each run, by name."""

    change: int
    """It contains everything up to this change number, and possibly some later changes."""
    names: list[str]
    start_times: list[float]
    """As `run.start_time`, in seconds since the epoch; NaN where there are no events."""
    end_times: list[float]
    changes: list[int]
    """Numbers of the last changes."""
    tags_changes: list[int]
    """Numbers of the last changes that added or removed tags, or changed their metadata."""
    dashboards: list[int]
    """The dashboards that have data: bit i stands for `DASHBOARDS[i]`."""
    series: list[int]
    points: list[int]
    hidden_points: list[int]
    restarts: list[int]
    """How often each was restarted."""

    def __len__(self) -> int:
        return len(self.names)


class TagTable(msgspec.Struct, frozen=True):
    """A row for each tag of some runs on one dashboard, by tag."""

    change: int
    """It contains everything up to this change number, and possibly some later changes."""
    tags: list[str]
    run_counts: list[int]
    """The number of runs that have each."""
    display_names: list[str]
    """From the first run, by name, that has one; empty if none does."""
    descriptions: list[str]
    """From the first run, by name, that has one; empty if none does."""
    plugins: list[str]
    """The plugins they were logged for, else the dashboard."""

    def __len__(self) -> int:
        return len(self.tags)


class ChangedRuns(msgspec.Struct, frozen=True):
    """The runs that changed."""

    change: int
    """It contains everything up to this change number, and possibly some later changes."""
    runs: list[tuple[str, bool]]
    """Runs that changed, and whether their tags or the metadata of tags did."""
    removed: list[str]
    """Runs that were removed and have not reappeared."""
