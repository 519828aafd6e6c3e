"""Columns into the tables of other libraries, long and wide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from kymograph.errors import MissingDependencyError, QueryError
from kymograph.lazy import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from kymograph.store.series import Series

__all__ = [
    "Columns",
    "Layout",
    "Names",
    "layout",
    "tag_column",
    "to_arrow",
    "to_pandas",
    "to_polars",
]

Layout: TypeAlias = Literal["long", "wide"]


class Names(msgspec.Struct, frozen=True):
    """A column of repeated names: codes into a list, so that a name is stored once."""

    codes: npt.NDArray[np.int32]
    names: list[str]


Columns: TypeAlias = "dict[str, npt.NDArray[Any] | Names]"


def layout(series: Iterable[Series], kind: Layout) -> Columns:
    """The points of several series as one table.

    Long: a row for each point, with `run`, `tag`, `step`, `wall_time`, `value`.
    Wide: a row for each run and step, and a column for each tag; where a tag was logged several
    times at one step, its last value; where it was not, NaN. Tags called `run` or `step` have
    columns `run (tag)` and `step (tag)`.
    """
    if kind == "long":
        return _long(list(series))
    if kind == "wide":
        return _wide(list(series))
    raise QueryError(f"layout must be `long` or `wide`, not: {kind!r}")


def _long(series: Sequence[Series]) -> Columns:
    lengths = np.array([len(one) for one in series], dtype=np.intp)
    return {
        "run": _repeated([one.run for one in series], lengths),
        "tag": _repeated([one.tag for one in series], lengths),
        "step": _joined([one.steps for one in series], np.int64),
        "wall_time": _joined([one.wall_times for one in series], np.float64),
        "value": _joined([one.values for one in series], np.float64),
    }


def _wide(series: Sequence[Series]) -> Columns:
    runs = list(dict.fromkeys(one.run for one in series))
    steps_of = {
        run: np.unique(np.concatenate([one.steps for one in series if one.run == run]))
        for run in runs
    }
    lengths = np.array([len(steps_of[run]) for run in runs], dtype=np.intp)
    starts = dict(zip(runs, np.cumsum(lengths) - lengths, strict=True))
    tags: dict[str, npt.NDArray[np.float64]] = {}
    for one in series:
        column = tags.setdefault(tag_column(one.tag), np.full(int(lengths.sum()), np.nan))
        # Where a step repeats, numpy keeps the last assignment.
        column[starts[one.run] + np.searchsorted(steps_of[one.run], one.steps)] = one.values
    return {
        "run": _repeated(runs, lengths),
        "step": _joined(list(steps_of.values()), np.int64),
        **tags,
    }


def tag_column(tag: str) -> str:
    """The name of a tag's column in a wide table: the tag, but never that of another column."""
    return f"{tag} (tag)" if tag in ("run", "step") else tag


def _repeated(names: Sequence[str], lengths: npt.NDArray[np.intp]) -> Names:
    index = {name: code for code, name in enumerate(dict.fromkeys(names))}
    codes = np.array([index[name] for name in names], dtype=np.int32)
    return Names(np.repeat(codes, lengths), list(index))


def _joined(parts: Sequence[npt.NDArray[Any]], dtype: type) -> npt.NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, dtype=dtype)


def to_pandas(columns: Columns) -> pd.DataFrame:
    """A pandas DataFrame; names become a categorical column."""
    pandas = _require("pandas")

    def column(data: npt.NDArray[Any] | Names) -> Any:
        if isinstance(data, Names):
            return pandas.Categorical.from_codes(data.codes, categories=data.names)
        return data

    data = {name: column(data) for name, data in columns.items()}
    frame: pd.DataFrame = pandas.DataFrame(data, copy=False)
    return frame


def to_arrow(columns: Columns) -> pa.Table:
    """An Arrow table; names become a dictionary column."""
    pyarrow = _require("pyarrow", extra="arrow")

    def column(data: npt.NDArray[Any] | Names) -> Any:
        if isinstance(data, Names):
            names = pyarrow.array(data.names, type=pyarrow.string())
            return pyarrow.DictionaryArray.from_arrays(pyarrow.array(data.codes), names)
        return pyarrow.array(data)

    return pyarrow.table({name: column(data) for name, data in columns.items()})


def to_polars(columns: Columns) -> pl.DataFrame:
    """A polars DataFrame; names become a categorical column."""
    polars = _require("polars")

    def column(data: npt.NDArray[Any] | Names) -> Any:
        if isinstance(data, Names):
            names = polars.Series(data.names, dtype=polars.String)
            return names.gather(data.codes).cast(polars.Categorical)
        return data

    frame: pl.DataFrame = polars.DataFrame({name: column(data) for name, data in columns.items()})
    return frame


def _require(module: str, *, extra: str | None = None) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        message = f"{module} is not installed\nhint: pip install 'kymograph[{extra or module}]'"
        raise MissingDependencyError(message) from error
