"""Files that have the name of an event file and are something else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from kymograph.store.store import FileReport

__all__ = ["Kind", "foreign_files", "kind_of"]

Kind: TypeAlias = Literal["gzip", "zip", "git-lfs", "icloud"]
"""Compressed, or a placeholder for a file that was not downloaded."""

_BEGINNINGS: dict[bytes, Kind] = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"version https://git-lfs": "git-lfs",
}
_LONGEST = max(map(len, _BEGINNINGS))


def kind_of(file: FileReport) -> Kind | None:
    """What a file is, unless it is an event file or cannot be read."""
    if file.records or file.error or not file.bytes:
        return None
    if file.path.name.endswith(".icloud"):
        return "icloud"
    try:
        with file.path.open("rb") as opened:
            beginning = opened.read(_LONGEST)
    except OSError:
        return None
    return next((kind for start, kind in _BEGINNINGS.items() if beginning.startswith(start)), None)


def foreign_files(files: Iterable[FileReport]) -> dict[FileReport, Kind]:
    """Those of some files that are not event files."""
    return {file: kind for file in files if (kind := kind_of(file))}
