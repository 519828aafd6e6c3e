"""Several writers in one directory at the same time."""

from __future__ import annotations

from itertools import combinations

from kymograph.store.doctor.files import is_header_only
from kymograph.store.doctor.finding import Finding, count, finding
from kymograph.store.store import FileReport, Store, open  # noqa: A004

__all__ = ["findings"]

# Each file of a run with several is read once more, by itself; not when there is too much.
_MOST_BYTES = 4 << 30
_MOST_FILES = 4096


def findings(store: Store) -> list[Finding]:
    """Runs in which several files grew at once and hold the same tags."""
    shared = [name for name, files in _runs_of_several(store).items() if _are_at_once(files)]
    if not shared:
        return []
    return [
        finding(
            "several-writers",
            "warning",
            "the points of several writers are mixed: they logged the same tags at the same time,"
            f" in {count(len(shared), 'run')}",
            "give each job and each rank its own directory",
            places=shared,
        )
    ]


def _runs_of_several(store: Store) -> dict[str, list[FileReport]]:
    runs: dict[str, list[FileReport]] = {}
    for file in store.files:
        if not file.error and not is_header_only(file):
            runs.setdefault(file.run, []).append(file)
    several = {name: files for name, files in runs.items() if len(files) > 1}
    files = [file for own in several.values() for file in own]
    too_much = len(files) > _MOST_FILES or sum(file.bytes for file in files) > _MOST_BYTES
    return {} if too_much else several


def _are_at_once(files: list[FileReport]) -> bool:
    """Whether, for some tag, the times of two files overlap."""
    return any(
        a[tag][0] < b[tag][1] and b[tag][0] < a[tag][1]
        for a, b in combinations(map(_times, files), 2)
        for tag in a.keys() & b.keys()
    )


def _times(file: FileReport) -> dict[str, tuple[float, float]]:
    """When each tag of one file began and ended."""
    with open(file.path) as alone:
        return {
            series.tag: times
            for series in alone.select()
            if (times := series.wall_time_range) is not None
        }
