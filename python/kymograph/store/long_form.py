"""Every point of many series as text: a row for each, in pieces, with all digits."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from kymograph.store.series import Series

__all__ = ["csv_line", "csv_text", "json_number", "json_text", "spelled", "without_formula"]

# Rows of one piece, so that memory does not grow with the series.
_PIECE = 1 << 14
# What spreadsheets take for the beginning of a formula, blanks before it included.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(series: Iterable[Series]) -> Iterator[str]:
    """Comma-separated values: a line of names, then a line for each point."""
    yield "run,tag,step,wall_time,value\n"
    for one in series:
        names = csv_line([one.run, one.tag])[:-1]
        for steps, walls, values in _pieces(one, _csv_column):
            rows = zip(steps, walls, values, strict=True)
            yield "".join([f"{names},{step},{wall},{value}\n" for step, wall, value in rows])


def json_text(series: Iterable[Series]) -> Iterator[str]:
    """An array of objects, one in each line."""
    first = True
    for one in series:
        names = json.dumps({"run": one.run, "tag": one.tag}, ensure_ascii=False)[:-1]
        for steps, walls, values in _pieces(one, _json_column):
            rows = [
                f'{names}, "step": {step}, "wall_time": {wall}, "value": {value}}}'
                for step, wall, value in zip(steps, walls, values, strict=True)
            ]
            yield ("[\n" if first else ",\n") + ",\n".join(rows)
            first = False
    yield "[]\n" if first else "\n]\n"


def csv_line(cells: Sequence[str]) -> str:
    """One line of text cells, quoted where it must be and without formulas."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([without_formula(cell) for cell in cells])
    return line.getvalue()


def without_formula(cell: str) -> str:
    """A text cell that spreadsheets show and do not run: after a `'`, where it could be a formula.

    Names come from log files, which may be another person's.
    """
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell


def spelled(value: float) -> str:
    """The shortest digits that give the same double back, or `NaN`, `Infinity`, `-Infinity`."""
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def json_number(value: float) -> str:
    """JSON has no word for NaN and infinities: they are strings."""
    word = spelled(value)
    return word if word[-1].isdigit() else f'"{word}"'


def _pieces(
    series: Series, spell: Callable[[memoryview[Any]], list[Any]]
) -> Iterator[list[list[Any]]]:
    columns = series.views()
    for start in range(0, len(series), _PIECE):
        yield [spell(column[start : start + _PIECE]) for column in columns]


def _csv_column(column: memoryview[Any]) -> list[Any]:
    """What a format string turns into the right digits: `str` of a float is its `repr`."""
    values: list[Any] = column.tolist()
    # A sum is finite only if all of it is, and quickly made.
    return values if math.isfinite(sum(values)) else [spelled(value) for value in values]


def _json_column(column: memoryview[Any]) -> list[Any]:
    values: list[Any] = column.tolist()
    return values if math.isfinite(sum(values)) else [json_number(value) for value in values]
