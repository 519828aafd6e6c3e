"""Queries: which runs, which tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import translate
from typing import TYPE_CHECKING, TypeAlias

from kymograph import _core
from kymograph.store import frames, lod
from kymograph.store.series import Series

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

__all__ = ["Pattern", "Selection", "linear_pattern", "matcher"]

Pattern: TypeAlias = "str | re.Pattern[str] | Iterable[str] | None"
"""A glob, a compiled regular expression that is searched for, exact names, or nothing for all."""


def matcher(pattern: Pattern) -> Callable[[str], bool]:
    """A test for names."""
    if pattern is None:
        return lambda _name: True
    if isinstance(pattern, str):
        glob = re.compile(translate(pattern))
        # A name may itself hold what would be a wildcard.
        return lambda name: name == pattern or glob.match(name) is not None
    if isinstance(pattern, re.Pattern):
        return lambda name: pattern.search(name) is not None
    return frozenset(pattern).__contains__


def linear_pattern(text: str, *, ignore_case: bool = False) -> _core.Pattern:
    """A regular expression from someone who is not trusted: `pattern.search(names)`.

    It takes linear time whatever it is, and knows no look-around and no references back. Raises
    QueryError if it is invalid, too long or too complex.
    """
    return _core.Pattern(text, ignore_case=ignore_case)


class Selection:
    """Some series of a store, as they were when they were selected."""

    def __init__(self, series: list[Series]) -> None:
        self._series = series

    def __repr__(self) -> str:
        return f"<Selection: {len(self)} series>"

    def __iter__(self) -> Iterator[Series]:
        return iter(self._series)

    def __len__(self) -> int:
        return len(self._series)

    def bands(
        self,
        columns: int = 1000,
        *,
        x: lod.Axis | Sequence[Series] = "step",
        x_range: tuple[float, float] | None = None,
        smoothing: str = "none",
        bootstrap: lod.Centre | None = None,
    ) -> lod.Bands:
        """Mean, median and spread over all series of the selection, on a common x.

        `x` may be a list of other series, one for each, whose values at the same steps are x.

        Where the series have at most `columns` different x, at each of them; else in so many
        pixel columns. A series between two of its points counts with the line between them.
        `bootstrap` is `mean`, `median` or `iqm`, and asks for its 95 % interval.
        """
        members = [series._core for series in self._series]  # noqa: SLF001
        axis = x if isinstance(x, str) else [series._core for series in x]  # noqa: SLF001
        return lod.bands(
            members,
            x=axis,
            x_range=x_range,
            columns=columns,
            smoothing=smoothing,
            bootstrap=bootstrap,
        )

    def to_pandas(self, layout: frames.Layout = "long") -> pd.DataFrame:
        """A DataFrame with a row for each point, or (`wide`) for each run and step."""
        return frames.to_pandas(frames.layout(self._series, layout))

    def to_polars(self, layout: frames.Layout = "long") -> pl.DataFrame:
        """A DataFrame with a row for each point, or (`wide`) for each run and step."""
        return frames.to_polars(frames.layout(self._series, layout))

    def to_arrow(self, layout: frames.Layout = "long") -> pa.Table:
        """A table with a row for each point, or (`wide`) for each run and step."""
        return frames.to_arrow(frames.layout(self._series, layout))
