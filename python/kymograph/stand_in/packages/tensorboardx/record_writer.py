"""In the place of `tensorboardX.record_writer`, for local files."""

import os
from pathlib import Path

from kymograph.stand_in import originals
from kymograph.stand_in.record_writer import PathRecordWriter as RecordWriter
from kymograph.writer.directories import refuse_remote

__all__ = ["RecordWriter", "directory_check"]


def directory_check(path: str | os.PathLike[str]) -> None:
    """Make a directory if it is missing."""
    refuse_remote(path)
    Path(path).mkdir(parents=True, exist_ok=True)


def __getattr__(name: str) -> object:
    return originals.original(__name__, name)
