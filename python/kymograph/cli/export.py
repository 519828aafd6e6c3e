"""`kymograph export`: scalars as CSV, JSON or Parquet."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeAlias

import click
import numpy as np
import numpy.typing as npt

from kymograph.cli import logdir as logdirs
from kymograph.cli import selection, text
from kymograph.cli.program import NothingFound
from kymograph.errors import MissingDependencyError
from kymograph.store import Series, frames

__all__ = ["export"]

# Rows are written in pieces of this many, so that memory does not grow with the logdir.
_PIECE = 1 << 14
_PARQUET_PIECE = 1 << 20
_SUFFIXES = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".pq": "parquet"}

Chunks: TypeAlias = Iterator[str]


@click.command(short_help="Scalars as CSV, JSON or Parquet.")
@click.argument("logdir")
@click.option("--csv", "form", flag_value="csv", help="Comma-separated values.")
@click.option("--json", "form", flag_value="json", help="An array of objects, one in each line.")
@click.option("--parquet", "form", flag_value="parquet", help="Parquet; needs pyarrow and --out.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write; its ending may tell the format. Standard output if not given.",
)
@selection.options
@click.option(
    "--layout",
    type=click.Choice(["long", "wide"]),
    default="long",
    show_default=True,
    help="A row for each point, or for each run and step with a column for each tag.",
)
def export(
    logdir: str,
    form: str | None,
    out: Path | None,
    choice: selection.Choice,
    layout: frames.Layout,
) -> None:
    """Writes the scalars of LOGDIR, every point in full precision."""
    form = form or (_SUFFIXES.get(out.suffix) if out else None)
    if form is None:
        raise click.UsageError("one of --csv, --json and --parquet is needed")
    if form == "parquet" and out is None:
        raise click.UsageError("--parquet needs --out FILE")
    with logdirs.loaded([logdir]) as store:
        series = choice.scalars_of(store)
        if not series:
            raise NothingFound(
                "no scalars were chosen\n"
                f"hint: `kymograph inspect {logdir}` shows the runs and tags there are"
            )
        with _output(out) as file:
            if form == "parquet":
                _write_parquet(series, layout, file)
            else:
                for chunk in _WRITERS[form, layout](series):
                    file.write(chunk.encode())
            file.flush()


@contextmanager
def _output(out: Path | None) -> Iterator[IO[bytes]]:
    """A file that is there only when it is whole, or standard output."""
    if out is None:
        yield sys.stdout.buffer
        return
    part = out.with_name(f"{out.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(out)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        message = f"cannot write: {error.strerror or error}: {error.filename or out}"
        raise click.ClickException(message) from error
    finally:
        part.unlink(missing_ok=True)


def _csv_long(series: list[Series]) -> Chunks:
    yield "run,tag,step,wall_time,value\n"
    for one in _drained(series):
        names = _csv_line([one.run, one.tag])[:-1]
        for steps, walls, values in _pieces([one.steps, one.wall_times, one.values], _csv_column):
            rows = zip(steps, walls, values, strict=True)
            yield "".join([f"{names},{step},{wall},{value}\n" for step, wall, value in rows])


def _csv_wide(series: list[Series]) -> Chunks:
    tags = list(dict.fromkeys(one.tag for one in series))
    yield _csv_line(["run", "step", *tags])
    for run, steps, columns in _wide_runs(series):
        name = _csv_line([run])[:-1]
        # A tag that was not logged at a step is an empty cell, one that was NaN is not.
        missing = [""] * len(steps)
        cells = [_cells(columns[tag]) if tag in columns else missing for tag in tags]
        for step, *row in zip(steps.tolist(), *cells, strict=True):
            yield f"{name},{step},{','.join(row)}\n"


def _json_long(series: list[Series]) -> Chunks:
    first = True
    for one in _drained(series):
        names = json.dumps({"run": one.run, "tag": one.tag}, ensure_ascii=False)[:-1]
        columns = [one.steps, one.wall_times, one.values]
        for steps, walls, values in _pieces(columns, _json_column):
            rows = [
                f'{names}, "step": {step}, "wall_time": {wall}, "value": {value}}}'
                for step, wall, value in zip(steps, walls, values, strict=True)
            ]
            yield ("[\n" if first else ",\n") + ",\n".join(rows)
            first = False
    yield "[]\n" if first else "\n]\n"


def _json_wide(series: list[Series]) -> Chunks:
    first = True
    for run, steps, columns in _wide_runs(series):
        name = json.dumps({"run": run}, ensure_ascii=False)[:-1]
        tags = [json.dumps(tag, ensure_ascii=False) for tag in columns]
        cells = [_cells(column, quoted=True) for column in columns.values()]
        for step, *row in zip(steps.tolist(), *cells, strict=True):
            values = "".join(
                f", {tag}: {cell}" for tag, cell in zip(tags, row, strict=True) if cell
            )
            yield f'{"[" if first else ","}\n{name}, "step": {step}{values}}}'
            first = False
    yield "[]\n" if first else "\n]\n"


_WRITERS: dict[tuple[str, str], Callable[[list[Series]], Chunks]] = {
    ("csv", "long"): _csv_long,
    ("csv", "wide"): _csv_wide,
    ("json", "long"): _json_long,
    ("json", "wide"): _json_wide,
}


def _pieces(
    columns: Sequence[npt.NDArray[Any]], spell: Callable[[npt.NDArray[Any]], list[Any]]
) -> Iterator[list[list[Any]]]:
    for start in range(0, len(columns[0]), _PIECE):
        yield [spell(column[start : start + _PIECE]) for column in columns]


def _csv_column(column: npt.NDArray[Any]) -> list[Any]:
    """What a format string turns into the right digits: `str` of a float is its `repr`."""
    values: list[Any] = column.tolist()
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        return [text.spelled(value) for value in values]
    return values


def _json_column(column: npt.NDArray[Any]) -> list[Any]:
    values: list[Any] = column.tolist()
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        return [_json_number(value) for value in values]
    return values


def _json_number(value: float) -> str:
    """JSON has no word for NaN and infinities: they are strings."""
    word = text.spelled(value)
    return word if word[-1].isdigit() else f'"{word}"'


class _Sparse:
    """The values of a tag at some of the steps of its run."""

    def __init__(self, rows: int) -> None:
        self.values = np.zeros(rows)
        self.is_there = np.zeros(rows, dtype=bool)


def _cells(column: _Sparse, *, quoted: bool = False) -> list[str]:
    spell = _json_number if quoted else text.spelled
    values = zip(column.values.tolist(), column.is_there.tolist(), strict=True)
    return [spell(value) if is_there else "" for value, is_there in values]


def _wide_runs(
    series: list[Series],
) -> Iterator[tuple[str, npt.NDArray[np.int64], dict[str, _Sparse]]]:
    """Each run with its steps and the last value of each tag at each of them."""
    runs: dict[str, list[Series]] = {}
    for one in series:
        runs.setdefault(one.run, []).append(one)
    for run, own in runs.items():
        steps = np.unique(np.concatenate([one.steps for one in own]))
        columns: dict[str, _Sparse] = {}
        for one in own:
            column = columns[one.tag] = _Sparse(len(steps))
            at = np.searchsorted(steps, one.steps)
            column.values[at] = one.values
            column.is_there[at] = True
        yield run, steps, columns


def _csv_line(cells: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _write_parquet(series: list[Series], layout: frames.Layout, file: IO[bytes]) -> None:
    try:
        from pyarrow import parquet
    except ImportError as error:
        message = "pyarrow is not installed\nhint: pip install 'kymograph[arrow]'"
        raise MissingDependencyError(message) from error
    groups = _groups(series) if layout == "long" else iter([series])
    table = frames.to_arrow(frames.layout(next(groups), layout))
    with parquet.ParquetWriter(file, table.schema) as writer:
        writer.write_table(table)
        for group in groups:
            writer.write_table(frames.to_arrow(frames.layout(group, layout)))


def _groups(series: list[Series]) -> Iterator[list[Series]]:
    """Series of about a million points together."""
    group: list[Series] = []
    points = 0
    for one in _drained(series):
        if group and points + len(one) > _PARQUET_PIECE:
            yield group
            group, points = [], 0
        group.append(one)
        points += len(one)
    yield group


def _drained(series: list[Series]) -> Iterator[Series]:
    """Each series, and then no more hold on it: an unpacked column is large."""
    series.reverse()
    while series:
        yield series.pop()
