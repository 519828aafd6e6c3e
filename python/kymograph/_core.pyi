# The compiled half of Kymograph: event files into columns. Nothing here is public;
# `kymograph.store` wraps it. Whatever takes time releases the interpreter.

from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

__version__: str
DASHBOARDS: list[str]

@final
class Pattern:
    def __new__(cls, text: str, *, ignore_case: bool = False) -> Pattern: ...
    def search(self, names: list[str]) -> list[bool]: ...

# Offset, bytes, steps before and after.
_Gap: TypeAlias = tuple[int, int, int | None, int | None]
_File: TypeAlias = tuple[str, Path, int, int, int, int, int, int, int, bool, str | None, list[_Gap]]

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
    # As of a change number: names, first and last wall times, changes, tags_changes, dashboards
    # (bit i for `DASHBOARDS[i]`), numbers of series, points, hidden points and restarts.
    def run_table(
        self,
    ) -> tuple[
        int,
        list[str],
        npt.NDArray[np.float64],
        npt.NDArray[np.float64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
    ]: ...
    # As of a change number: tags, numbers of runs, display names, descriptions, plugins.
    def tag_table(
        self, dashboard_name: str, runs: list[str] | None = None
    ) -> tuple[int, list[str], npt.NDArray[np.int64], list[str], list[str], list[str]]: ...
    # As of a change number: runs, and whether their tags changed; runs that went.
    def changed_runs(self, since: int) -> tuple[int, list[tuple[str, bool]], list[str]]: ...
    def read_blob_at(self, address: str) -> bytes: ...
    def decode_blob_at(self, address: str) -> tuple[Any, ...]: ...
    def progress(self) -> tuple[int, int, int, int, bool]: ...
    def runs(self) -> list[Run]: ...
    def run(self, name: str) -> Run | None: ...
    def __len__(self) -> int: ...
    def files(self) -> list[_File]: ...
    def damaged_files(self) -> list[_File]: ...

@final
class Run:
    @property
    def name(self) -> str: ...
    @property
    def change(self) -> int: ...
    @property
    def wall_times(self) -> tuple[float, float] | None: ...
    @property
    def first_event_time(self) -> float | None: ...
    def restarts(self, tag: str | None = None) -> list[tuple[int, float, int]]: ...
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
    def derived(
        self,
        tag: str,
        steps: npt.NDArray[np.int64],
        wall_times: npt.NDArray[np.float64],
        values: npt.NDArray[np.float64],
    ) -> Series: ...
    def extent(self) -> tuple[int, int, float, float] | None: ...
    def read_blob(self, index: int) -> bytes: ...
    def decode_blob(self, index: int) -> tuple[Any, ...]: ...
    def blob_addresses(self, start: int = 0, stop: int | None = None) -> list[str]: ...

def lod(
    series: Series,
    *,
    axis: str = "step",
    x: npt.NDArray[np.float64] | None = None,
    x_range: tuple[float, float] | None = None,
    columns: int = 1000,
    smoothing: str = "none",
) -> dict[str, Any]: ...

# Series, name of the axis or the series whose values are x, range, columns, smoothing, points known
# from an earlier answer to the same question, whether points come with their smoothed values.
_Item: TypeAlias = tuple[Series, str | Series, tuple[float, float] | None, int, str, int, bool]
_Neighbour: TypeAlias = tuple[float, float, float | None]

# exact, sorted, total points, points in range, skipped, bounds, first entry, number of entries,
# first smoothed entry or -1, before, after, the point of the first entry, where its x are.
_Head: TypeAlias = tuple[
    bool,
    bool,
    int,
    int,
    int,
    tuple[float, float],
    int,
    int,
    int,
    _Neighbour | None,
    _Neighbour | None,
    int,
    int,
]

def lod_batch(
    items: list[_Item], share_x: bool
) -> tuple[list[_Head], dict[str, npt.NDArray[Any]]]: ...
def summaries(members: list[Series]) -> dict[str, npt.NDArray[Any]]: ...
def x_from_other(series: Series, other: Series) -> npt.NDArray[np.float64]: ...
def bands(
    members: list[Series],
    *,
    axis: str = "step",
    xs: list[npt.NDArray[np.float64]] | None = None,
    x_range: tuple[float, float] | None = None,
    columns: int = 1000,
    smoothing: str = "none",
    bootstrap: str | None = None,
) -> dict[str, Any]: ...

# Members, name of the axis or for each the series whose values are x, range, columns, smoothing,
# what an interval is wanted of.
_Group: TypeAlias = tuple[
    list[Series], str | list[Series], tuple[float, float] | None, int, str, str | None
]

# Heads are: exact, skipped, first entry, number of entries, first entry of the interval or -1.
def bands_batch(
    items: list[_Group],
) -> tuple[list[tuple[bool, int, int, int, int]], dict[str, npt.NDArray[Any]]]: ...

# Images are (N, H, W, C), videos (N, T, H, W, C), of type uint8, float32 or float64 and with any
# strides. They become pixels at once, side by side in a `grid` of rows and columns.
_Samples: TypeAlias = npt.NDArray[np.uint8] | npt.NDArray[np.float32] | npt.NDArray[np.float64]

def pixels(images: _Samples, *, grid: tuple[int, int] = ...) -> npt.NDArray[np.uint8]: ...
def encode_png(image: _Samples) -> bytes: ...
def image_summary(
    tag: str | None,
    images: _Samples,
    *,
    grid: tuple[int, int] = ...,
    size: tuple[int, int] | None = None,
) -> LateSummary: ...
def video_summary(
    tag: str | None,
    videos: _Samples,
    *,
    fps: float,
    grid: tuple[int, int] = ...,
    encoder: str | None = None,
    container: str = "mp4",
) -> LateSummary: ...

@final
class LateSummary:
    def SerializeToString(self) -> bytes:  # noqa: N802  (protobuf's name)
        ...

@final
class EventWriter:
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
    def path(self) -> str: ...
    def add_scalar(
        self, tag: object, value: object, step: object, wall_time: object, style: int, /
    ) -> int: ...
    def add_summary(
        self, summary: bytes | LateSummary, step: int = 0, wall_time: float | None = None
    ) -> int: ...
    def add_event(
        self, event: bytes, step: int | None = None, wall_time: float | None = None
    ) -> int: ...
    def flush(self) -> bool: ...
    def close(self) -> int: ...
    def take_notice(self) -> str | None: ...

def flush_at_exit() -> list[str]: ...
def frame_record(payload: bytes) -> bytes: ...
def after_fork_in_child() -> None: ...
def default_bins() -> npt.NDArray[np.float64]: ...
def count_in_default_bins(
    values: npt.NDArray[np.float32] | npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], float, float, float, float]: ...
