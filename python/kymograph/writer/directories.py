"""Where a run is written: a directory of this machine, resolved once."""

from __future__ import annotations

import os
import re

from kymograph.errors import LogdirError

__all__ = ["local_directory", "refuse_remote"]

# One letter before the colon is a drive of Windows.
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
# `Path("s3://bucket")` is `s3:/bucket`, so in a path only the schemes of known storages count.
_STORAGE = re.compile(
    r"(abfss?|adl|az|azure|dbfs|file|ftps?|gcs|gs|hdfs|hf|https?|memory|oci|oss|r2|s3a?|s3n|sftp|"
    r"ssh|wasbs?|webhdfs):[/\\]",
    re.IGNORECASE,
)


def refuse_remote(log_dir: str | os.PathLike[str]) -> None:
    """Raises `LogdirError` for an address such as `s3://bucket/run`."""
    pattern = _ADDRESS if isinstance(log_dir, str) else _STORAGE
    if pattern.match(path := str(log_dir)):
        raise LogdirError(
            f"runs can only be written to a local directory for now, not to an address: {path}"
        )


def local_directory(log_dir: str | os.PathLike[str], base: str | None = None) -> str:
    """The absolute path of `log_dir`, which is relative to `base`, or to the current directory.

    Resolved when a writer is made, so that a later `os.chdir` does not move its files.
    Raises `LogdirError` for an address.
    """
    refuse_remote(log_dir)
    path = str(log_dir)
    if os.path.isabs(path):  # noqa: PTH117
        return path
    return os.path.join(base or os.getcwd(), path)  # noqa: PTH109, PTH118
