# The compiled half of Kymograph: event files into columns. Nothing here is public;
# `kymograph.store` wraps it. Whatever takes time releases the interpreter.

from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np
import numpy.typing as npt

__version__: str
DASHBOARDS: list[str]

@final
class Store:
    def __new__(
        cls,
        roots: list[tuple[str | None, str | PathLike[str]]],
        *,
        follow: bool,
        purge_orphaned_data: bool,
        threads: int = 0,
    ) -> Store: ...
    @staticmethod
    def parse_spec(spec: str) -> list[tuple[str | None, Path]]: ...
    def close(self) -> None: ...
    def refresh(self) -> None: ...
    def wait_loaded(self, timeout: float) -> bool: ...
    def wait_for_change(self, since: int, timeout: float) -> int: ...
    def closed(self) -> bool: ...
    def unreachable(self) -> list[tuple[Path, str]]: ...
    def change(self) -> int: ...
    def changes(self, since: int) -> list[tuple[int, str, tuple[str, str] | None, bool]]: ...
    def progress(self) -> tuple[int, int, int, int, bool]: ...
    def runs(self) -> list[Run]: ...
    def run(self, name: str) -> Run | None: ...
    def files(
        self,
    ) -> list[tuple[str, Path, int, int, int, int, int, int, int, bool, str | None]]: ...

@final
class Run:
    @property
    def name(self) -> str: ...
    @property
    def change(self) -> int: ...
    @property
    def wall_times(self) -> tuple[float, float] | None: ...
    def all_series(self, dashboard_name: str | None = None) -> list[Series]: ...
    def series(self, dashboard_name: str, tag: str) -> Series | None: ...

@final
class Series:
    @property
    def tag(self) -> str: ...
    @property
    def dashboard(self) -> str: ...
    @property
    def metadata(self) -> tuple[str, bytes, str, str, int] | None: ...
    @property
    def hidden(self) -> int: ...
    @property
    def change(self) -> int: ...
    @property
    def generation(self) -> int: ...
    @property
    def heap_bytes(self) -> int: ...
    def __len__(self) -> int: ...
    def steps(self, start: int = 0) -> npt.NDArray[np.int64]: ...
    def wall_times(self, start: int = 0) -> npt.NDArray[np.float64]: ...
    def values(self, start: int = 0) -> npt.NDArray[np.float64]: ...
    def extent(self) -> tuple[int, int, float, float] | None: ...
    def read_blob(self, index: int) -> bytes: ...
    def decode_blob(self, index: int) -> tuple[Any, ...]: ...

def lod(
    series: Series,
    *,
    axis: str = "step",
    x: npt.NDArray[np.float64] | None = None,
    x_range: tuple[float, float] | None = None,
    columns: int = 1000,
    smoothing: str = "none",
) -> dict[str, Any]: ...
def x_from_other(series: Series, other: Series) -> npt.NDArray[np.float64]: ...
def bands(
    members: list[Series],
    *,
    axis: str = "step",
    xs: list[npt.NDArray[np.float64]] | None = None,
    x_range: tuple[float, float] | None = None,
    columns: int = 1000,
    smoothing: str = "none",
) -> dict[str, Any]: ...

@final
class LateSummary:
    """A summary that is encoded when it is written, away from the thread that logged it."""

    def SerializeToString(self) -> bytes:  # noqa: N802  (protobuf's name)
        """The serialised message, encoded now."""

@final
class EventWriter:
    """One event file being written; in the child of a fork, another one."""

    def __new__(
        cls,
        directory: str,
        *,
        host: str,
        max_queue: int = 10,
        flush_secs: float = 120.0,
        suffix: str = "",
        purge_step: int | None = None,
    ) -> EventWriter: ...
    @property
    def path(self) -> str:
        """The file, or where it will be made once the disk allows it."""

    def add_scalar(
        self, tag: object, value: object, step: object, wall_time: object, style: int, /
    ) -> int:
        """Adds a scalar of plain Python numbers; the answer is one of `writer.file_writer`'s."""

    def add_summary(
        self, summary: bytes | LateSummary, step: int = 0, wall_time: float | None = None
    ) -> int:
        """Adds a serialised summary, or one that is encoded when it is written."""

    def add_event(
        self, event: bytes, step: int | None = None, wall_time: float | None = None
    ) -> int:
        """Adds a serialised event, with another step and wall time where these are given."""

    def flush(self) -> bool:
        """Writes everything added so far; false when the disk does not take it."""

    def close(self) -> int:
        """Writes everything and lets go of the file; tells how many records are lost."""

    def take_notice(self) -> str | None:
        """What the user should be told, once."""

def flush_at_exit() -> None: ...
def after_fork_in_child() -> None: ...
def default_bins() -> npt.NDArray[np.float64]: ...
def count_in_default_bins(
    values: npt.NDArray[np.float32] | npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], float, float, float, float]: ...
