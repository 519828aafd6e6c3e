"""What a reader finds in the directory of a captured run."""

from __future__ import annotations

from pathlib import Path

import kymograph
from kymograph.store import Run, Text


def open_run(directory: Path) -> Run:
    store = kymograph.open(directory)
    (name,) = store
    return store[name]


def tags(directory: Path) -> set[str]:
    run = open_run(directory)
    return {*run.tags(), *(series.tag for series in run.all_blobs())}


def scalars(directory: Path, tag: str) -> list[tuple[int, float]]:
    """Steps and values."""
    series = open_run(directory).series(tag)
    return list(zip(series.steps.tolist(), series.values.tolist(), strict=True))


def texts(directory: Path, tag: str) -> list[tuple[int, str]]:
    """Steps and code blocks without their fences; nothing for a tag that is not there."""
    if f"{tag}/text_summary" not in tags(directory):
        return []
    found = []
    for blob in open_run(directory).blobs(f"{tag}/text_summary"):
        decoded = blob.decode()
        assert isinstance(decoded, Text)
        (text,) = decoded.array.ravel()
        opening, *lines, closing = text.split("\n")
        assert closing.strip("`") == ""
        assert opening.startswith(closing)
        found.append((blob.step, "\n".join(lines)))
    return found
