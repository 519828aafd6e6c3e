"""`kymograph export`: writes scalars as CSV, JSON or Parquet."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING, TypeAlias

import click

from kymograph.cli import logdir as logdirs
from kymograph.cli import selection, text
from kymograph.cli.program import Failure, NothingFound
from kymograph.errors import MissingDependencyError
from kymograph.lazy import numpy as np
from kymograph.store import Series, Store, frames, long_form

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["export"]

_PARQUET_PIECE = 1 << 20
_SUFFIXES = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".pq": "parquet"}

Chunks: TypeAlias = Iterator[str]


@click.command()
@click.argument("logdir")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values.")
@click.option("--json", "as_json", is_flag=True, help="An array of objects, one per line.")
@click.option("--parquet", "as_parquet", is_flag=True, help="Parquet; needs pyarrow and --out.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write; its suffix can select the format. Default: standard output.",
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
    *,
    logdir: str,
    as_csv: bool,
    as_json: bool,
    as_parquet: bool,
    out: Path | None,
    choice: selection.Choice,
    layout: frames.Layout,
) -> None:
    """Export the scalars of LOGDIR, every point in full precision."""
    flags = {"csv": as_csv, "json": as_json, "parquet": as_parquet}
    form = _form([name for name, is_given in flags.items() if is_given], out)
    with logdirs.loaded([logdir]) as store:
        _warn_of_losses(store, choice)
        series = choice.scalars_of(store)
        if not len(store):
            raise logdirs.no_event_files(store, [logdir])
        if not series:
            raise NothingFound(
                "no scalars match\n"
                f"hint: {logdirs.command('inspect', logdir)} lists all runs and tags"
            )
        with _output(out) as file:
            if form == "parquet":
                _write_parquet(series, layout, file)
            else:
                for chunk in _WRITERS[form, layout](series):
                    file.write(chunk.encode())
            file.flush()


def _form(asked: list[str], out: Path | None) -> str:
    """The format, from the options and the suffix of the file."""
    ending = _SUFFIXES.get(out.suffix.lower()) if out else None
    if len(asked) > 1:
        raise click.UsageError(f"use only one of these options: --{', --'.join(asked)}")
    form = asked[0] if asked else ending
    if form is None:
        raise click.UsageError("one of --csv, --json or --parquet is required")
    if ending not in (None, form):
        raise click.UsageError(f"--{form} contradicts the suffix of --out: {out}")
    if form == "parquet" and out is None:
        raise click.UsageError("--parquet requires --out FILE")
    return form


def _warn_of_losses(store: Store, choice: selection.Choice) -> None:
    files = [file for file in store.files if choice.has_run(file.run)]
    unreadable = sum(file.error is not None for file in files)
    damaged = sum(file.is_damaged and file.error is None for file in files)
    unreachable = len(logdirs.unreachable(store))
    losses = [
        *([text.count(damaged, "damaged file")] if damaged else []),
        *([text.count(unreadable, "unreadable file")] if unreadable else []),
        *([text.count(unreachable, "unreachable path")] if unreachable else []),
    ]
    if losses:
        label = click.style("warning", fg="yellow", bold=True)
        click.echo(f"{label}: points may be missing: {', '.join(losses)}", err=True)


@contextmanager
def _output(out: Path | None) -> Iterator[IO[bytes]]:
    """A file that appears when it is complete, or standard output."""
    if out is None:
        yield sys.stdout.buffer
        return
    try:
        # A pipe or device, such as `/dev/null`, cannot be replaced by a file.
        with out.open("wb") if out.exists() and not out.is_file() else _whole(out) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(f"cannot write: {error.strerror or error}: {out}") from error


@contextmanager
def _whole(out: Path) -> Iterator[IO[bytes]]:
    """A file that is renamed to its place at the end, with the permissions it would have had."""
    target = Path(os.path.realpath(out))  # a link stays one
    mask = os.umask(0)
    os.umask(mask)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask
    with NamedTemporaryFile(dir=target.parent, prefix=".kymograph-", delete=False) as file:
        part = Path(file.name)
        try:
            yield file.file
            file.close()
            part.chmod(mode)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def _csv_long(series: list[Series]) -> Chunks:
    return long_form.csv_text(_drained(series))


def _csv_wide(series: list[Series]) -> Chunks:
    tags = list(dict.fromkeys(one.tag for one in series))
    yield long_form.csv_line(["run", "step", *map(frames.tag_column, tags)])
    for run, steps, columns in _wide_runs(series):
        name = long_form.csv_line([run])[:-1]
        # A tag that was not logged at a step is an empty cell, one that was NaN is not.
        missing = [""] * len(steps)
        cells = [_cells(columns[tag]) if tag in columns else missing for tag in tags]
        for step, *row in zip(steps.tolist(), *cells, strict=True):
            yield f"{name},{step},{','.join(row)}\n"


def _json_long(series: list[Series]) -> Chunks:
    return long_form.json_text(_drained(series))


def _json_wide(series: list[Series]) -> Chunks:
    first = True
    for run, steps, columns in _wide_runs(series):
        name = json.dumps({"run": run}, ensure_ascii=False)[:-1]
        tags = [json.dumps(frames.tag_column(tag), ensure_ascii=False) for tag in columns]
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


class _Sparse:
    """The values of a tag at some of the steps of its run."""

    def __init__(self, rows: int) -> None:
        self.values = np.zeros(rows)
        self.is_there = np.zeros(rows, dtype=bool)


def _cells(column: _Sparse, *, quoted: bool = False) -> list[str]:
    spell = long_form.json_number if quoted else long_form.spelled
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
    """Each series, released after use: an unpacked column is large."""
    series.reverse()
    while series:
        yield series.pop()
