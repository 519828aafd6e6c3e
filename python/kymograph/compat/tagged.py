"""The tags of a dashboard in the words of TensorBoard's listings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from kymograph.compat import markdown, pictures
from kymograph.errors import UnknownRunError, UnknownTagError
from kymograph.store import BlobSeries, Run, Series, Store
from kymograph.store.blobs import Decoded
from kymograph.store.series import Tagged

__all__ = [
    "SCALARS",
    "blobs",
    "decoded",
    "described",
    "each",
    "find_blobs",
    "find_scalars",
    "listing",
]

SCALARS = "scalars"

# Blobs that are decoded at once, and are then in memory together.
_BATCH = 64


def each(store: Store, dashboard: str) -> Iterator[tuple[str, list[Tagged]]]:
    """The series of each run that has some, with the run's name."""
    for name, run in store.runs.items():
        series = _series(run, dashboard)
        if series:
            yield name, series


def _series(run: Run, dashboard: str) -> list[Tagged]:
    if dashboard == SCALARS:
        return [*run.all_series()]
    return [*pictures.joined(run, dashboard)]


def listing(store: Store, dashboard: str) -> dict[str, dict[str, dict[str, str]]]:
    """Display name and description of each tag of each run."""
    return {
        run: {one.tag: described(one) for one in series} for run, series in each(store, dashboard)
    }


def described(series: Tagged) -> dict[str, str]:
    """The metadata that the writer logged for a tag."""
    metadata = series.metadata
    description = markdown.html(metadata.description) if metadata.description else ""
    return {"displayName": metadata.display_name, "description": description}


def blobs(store: Store, dashboard: str, run: str, tag: str) -> BlobSeries:
    """The blobs of a tag. Raises UnknownRunError or UnknownTagError when there are none."""
    here = store[run]
    return pictures.find(here, tag) if dashboard == pictures.IMAGES else here.blobs(tag, dashboard)


def find_blobs(store: Store, dashboard: str, run: str, tag: str) -> BlobSeries | None:
    """The blobs of a tag, if there are any."""
    try:
        return blobs(store, dashboard, run, tag)
    except (UnknownRunError, UnknownTagError):
        return None


def decoded(blobs: BlobSeries) -> Iterator[tuple[float, int, Decoded]]:
    """Wall time, step and value of each blob; those that cannot be read are left out."""
    walls, steps = blobs.wall_times.tolist(), blobs.steps.tolist()
    for start in range(0, len(blobs), _BATCH):
        for at, value in enumerate(blobs.decode_all(start, start + _BATCH), start):
            if value is not None:
                yield walls[at], steps[at], value


def find_scalars(store: Store, runs: Iterable[str], tag: str) -> dict[str, Series]:
    """The scalars of a tag in those runs that have some."""
    found: dict[str, Series] = {}
    for run in runs:
        with suppress(UnknownRunError, UnknownTagError):
            found[run] = store[run].series(tag)
    return found
