"""All runs, all tags, all changed runs of a store at a glance, as columns of plain numbers."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ChangedRuns", "RunTable", "TagTable"]


@dataclass(frozen=True)
class RunTable:
    """A row for each run, by name."""

    change: int
    """Everything up to this change number is in it; of what came later, maybe some."""
    names: list[str]
    start_times: list[float]
    """As `run.start_time`, in seconds since the epoch; NaN where there are no events."""
    end_times: list[float]
    changes: list[int]
    """Numbers of the last changes."""
    tags_changes: list[int]
    """Numbers of the last changes at which tags came or went, or got other metadata."""
    dashboards: list[int]
    """The dashboards that have data: bit i stands for `DASHBOARDS[i]`."""
    series: list[int]
    points: list[int]
    hidden_points: list[int]
    restarts: list[int]
    """How often each was started again."""

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True)
class TagTable:
    """A row for each tag of some runs on one dashboard, by tag."""

    change: int
    """Everything up to this change number is in it; of what came later, maybe some."""
    tags: list[str]
    run_counts: list[int]
    """How many of the runs have each."""
    display_names: list[str]
    """As the first run that has one says, by name; empty where none does."""
    descriptions: list[str]
    """As the first run that has one says, by name; empty where none does."""
    plugins: list[str]
    """The plugins they were logged for, else the dashboard."""

    def __len__(self) -> int:
        return len(self.tags)


@dataclass(frozen=True)
class ChangedRuns:
    """The runs that changed."""

    change: int
    """Everything up to this change number is in it; of what came later, maybe some."""
    runs: list[tuple[str, bool]]
    """Runs that are there, and whether tags came or went, or got other metadata."""
    removed: list[str]
    """Runs that went and are not back."""
