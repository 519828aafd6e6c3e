"""A tag of a run with its numbers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import msgspec

from kymograph import _core
from kymograph.lazy import numpy as np
from kymograph.store import frames, lod

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd
    import polars as pl
    import pyarrow as pa

__all__ = ["Metadata", "Series", "Tagged"]


_Scalar = TypeVar("_Scalar", bound="np.generic")


def _read_only(array: npt.NDArray[_Scalar]) -> npt.NDArray[_Scalar]:
    array.flags.writeable = False
    return array


class Metadata(msgspec.Struct, frozen=True):
    """The metadata that a writer logged for a tag."""

    plugin_name: str = ""
    content: bytes = b""
    display_name: str = ""
    description: str = ""
    data_class: int = 0

    @classmethod
    def from_core(cls, core: _core.Metadata) -> Metadata:
        """From what the core read."""
        return cls(
            core.plugin_name, core.content, core.display_name, core.description, core.data_class
        )


class Tagged:
    """What every tag of a run has, whatever its values are."""

    def __init__(self, run: str, core: _core.Series) -> None:
        self.run = run
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    @property
    def tag(self) -> str:
        """The tag."""
        return self._core.tag

    @cached_property
    def steps(self) -> npt.NDArray[np.int64]:
        """The steps."""
        return _read_only(self._core.steps())

    @cached_property
    def wall_times(self) -> npt.NDArray[np.float64]:
        """When each point was logged, in seconds since the epoch."""
        return _read_only(self._core.wall_times())

    @property
    def metadata(self) -> Metadata:
        """The metadata that the writer logged for the tag."""
        core = self._core.metadata
        return Metadata() if core is None else Metadata.from_core(core)

    @property
    def display_name(self) -> str:
        """The name to show: the writer's, or else the tag."""
        return self.metadata.display_name or self.tag

    @property
    def step_range(self) -> tuple[int, int] | None:
        """Minimum and maximum step; None when there are no points."""
        extent = self._core.extent()
        return extent and extent[:2]

    @property
    def wall_time_range(self) -> tuple[float, float] | None:
        """Minimum and maximum wall time; None when there are no points."""
        extent = self._core.extent()
        return extent and extent[2:]

    @property
    def hidden_points(self) -> int:
        """Points superseded by restarts; `open(..., purge_orphaned_data=False)` shows them."""
        return self._core.hidden

    @property
    def change(self) -> int:
        """The change number of the last change."""
        return self._core.change

    @property
    def generation(self) -> int:
        """Increases when points are removed or reordered, not when points are appended."""
        return self._core.generation


class Series(Tagged):
    """The scalars of one tag in one run, as they were when requested.

    Points are in the order in which they were logged; NaN, infinities and repeated steps are
    kept as logged. The columns are unpacked on first access.
    """

    def __repr__(self) -> str:
        return f"<Series {self.run!r} {self.tag!r}: {len(self)} points>"

    @cached_property
    def values(self) -> npt.NDArray[np.float64]:
        """The numbers, in double precision."""
        return _read_only(self._core.values())

    def views(self) -> tuple[memoryview[int], memoryview[float], memoryview[float]]:
        """Steps, wall times and values as memory views, unpacked now; they need no numpy."""
        return self._core.views()

    def lod(
        self,
        columns: int = 1000,
        *,
        x: lod.Axis | Series = "step",
        x_range: tuple[float, float] | None = None,
        smoothing: str = "none",
    ) -> lod.Reduced:
        """The series reduced to this many pixel columns: first, min, max and last value of each.

        `x` may be another series, whose value at the same step is then used as x.
        `smoothing` is `none`, `ema:WEIGHT` (TensorBoard's), `twema:WEIGHT`, `mean:POINTS`,
        `gaussian:SIGMA` or `median:POINTS`, computed on the raw series before it is reduced.
        """
        axis = x._core if isinstance(x, Series) else x  # noqa: SLF001
        return lod.reduce(self._core, x=axis, x_range=x_range, columns=columns, smoothing=smoothing)

    def derive(
        self,
        tag: str,
        columns: tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]],
    ) -> _core.Series:
        """Steps, wall times and values that were computed from these, as a series of this run."""
        return self._core.derived(tag, *columns)

    def to_pandas(self) -> pd.DataFrame:
        """A DataFrame with `step`, `wall_time` and `value`."""
        return frames.to_pandas(self._columns())

    def to_polars(self) -> pl.DataFrame:
        """A DataFrame with `step`, `wall_time` and `value`."""
        return frames.to_polars(self._columns())

    def to_arrow(self) -> pa.Table:
        """A table with `step`, `wall_time` and `value`."""
        return frames.to_arrow(self._columns())

    def _columns(self) -> frames.Columns:
        return {"step": self.steps, "wall_time": self.wall_times, "value": self.values}
