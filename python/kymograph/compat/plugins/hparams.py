"""The routes of TensorBoard's hparams plugin."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any

import msgspec

from kymograph import _core
from kymograph.asgi import responses
from kymograph.asgi.board import Board
from kymograph.compat import sessions
from kymograph.compat.answers import Content, Json, Query, points
from kymograph.compat.sessions import Group, Measured, Session
from kymograph.errors import RequestError
from kymograph.store.hparam_messages import STATUSES, Experiment, Hparam, Metric, Value
from kymograph.store.long_form import without_formula

__all__ = ["ANSWERS"]

# Groups are filtered and sorted by each of them.
_MOST_COLUMNS = 1000
_AGGREGATIONS = ("UNSET", "AVG", "MEDIAN", "MIN", "MAX")
_ORDERS = ("ORDER_UNSPECIFIED", "ORDER_ASC", "ORDER_DESC")


class _Name(msgspec.Struct, forbid_unknown_fields=True):
    group: str = ""
    tag: str = ""


class _Interval(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    min_value: float = 0.0
    max_value: float = 0.0


class _Column(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    metric: _Name | None = None
    hparam: str | None = None
    order: str | int = _ORDERS[0]
    missing_values_first: bool = False
    filter_regexp: str | None = None
    filter_interval: _Interval | None = None
    filter_discrete: list[Value] | None = None
    exclude_missing_values: bool = False
    include_in_result: bool | None = None


class _Groups(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    experiment_name: str = ""
    allowed_statuses: list[str | int] = []
    col_params: Annotated[list[_Column], msgspec.Meta(max_length=_MOST_COLUMNS)] = []
    aggregation_type: str | int = 0
    aggregation_metric: _Name | None = None
    start_index: int = 0
    slice_size: int = 0
    include_metrics: bool = True


class _WhichExperiment(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    experiment_name: str = ""
    include_metrics: bool = True
    hparams_limit: int = 0


class _Evals(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    experiment_name: str = ""
    session_name: str = ""
    metric_name: _Name = msgspec.field(default_factory=_Name)


def experiment(board: Board, query: Query) -> Json:
    """The hyper-parameters and metrics that sessions have."""
    asked = _request(query, _WhichExperiment)
    found = sessions.experiment(board.store, with_metrics=asked.include_metrics)
    if asked.hparams_limit > 0:
        found.hparams = found.hparams[: asked.hparams_limit]
    return {
        "description": found.description,
        "user": found.user,
        "timeCreatedSecs": responses.number(found.time_created_secs),
        "name": found.name,
        "hparamInfos": [_hparam(one) for one in found.hparams],
        "metricInfos": [
            {
                "name": {"group": one.group, "tag": one.tag},
                "displayName": one.display_name,
                "description": one.description,
                "datasetType": one.dataset_type,
            }
            for one in found.metrics
        ],
    }


def _hparam(one: Hparam) -> Json:
    entry: dict[str, Json] = {
        "name": one.name,
        "displayName": one.display_name,
        "description": one.description,
        "type": one.type,
        "differs": one.differs,
    }
    if one.discrete is not None:
        entry["domainDiscrete"] = one.discrete
    if one.interval is not None:
        least, greatest = map(responses.number, one.interval)
        entry["domainInterval"] = {"minValue": least, "maxValue": greatest}
    return entry


def session_groups(board: Board, query: Query) -> Json:
    """The sessions in groups: filtered, sorted, and a slice of them."""
    asked = _request(query, _Groups)
    found = _groups(board, asked, sessions.experiment(board.store).metrics)
    start = max(0, asked.start_index)
    chosen = found[start : start + max(0, asked.slice_size)]
    return {"sessionGroups": [_group(one) for one in chosen], "totalSize": len(found)}


def metric_evals(board: Board, query: Query) -> Json:
    """Every point of one metric of one session."""
    asked = _request(query, _Evals)
    run = sessions.run_of(asked.session_name, asked.metric_name.group)
    return points(board.store[run].series(asked.metric_name.tag))


def download_data(board: Board, query: Query) -> Content:
    """The table of groups: as CSV, JSON or LaTeX."""
    write = _FORMATS.get(query.find("format") or "")
    if write is None:
        raise RequestError(f"`format` must be one of: {', '.join(_FORMATS)}")
    asked = _request(query, _Groups)
    try:
        visible = msgspec.json.decode(query.text("columnsVisibility"), type=list[bool])
    except msgspec.MsgspecError as error:
        raise RequestError("`columnsVisibility` is not a JSON list of booleans") from error
    about = sessions.experiment(board.store, with_metrics=asked.include_metrics)
    found = _groups(board, asked, about.metrics)
    start = max(0, asked.start_index)
    header: list[Value | None] = [one.display_name or one.name for one in about.hparams]
    header += [one.display_name or one.tag for one in about.metrics]
    rows = [header]
    rows += [_row(one, about) for one in found[start : start + max(0, asked.slice_size)]]
    # Columns of which nothing is said are not shown.
    shown = [at for at, is_shown in enumerate(visible) if is_shown and at < len(header)]
    kept = [[row[at] for at in shown] for row in rows]
    return write(kept[0], kept[1:])


# --- requests ---


def _request(query: Query, kind: type[Any]) -> Any:
    """The request in the body, or in the parameter `request`."""
    text = query.body if query.body is not None else query.text("request").encode()
    try:
        return msgspec.convert(_camel(msgspec.json.decode(text)), kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RequestError(f"invalid request: {error}") from error


def _camel(value: Any) -> Any:
    """Names may be written in either way that protocol buffers know."""
    if isinstance(value, dict):
        return {_camel_name(name): _camel(one) for name, one in value.items()}
    return [_camel(one) for one in value] if isinstance(value, list) else value


def _camel_name(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


def _named(names: Sequence[str], value: str | int, prefix: str = "") -> str:
    """A value of an enum, by name or number."""
    if isinstance(value, int) and 0 <= value < len(names):
        return names[value]
    if isinstance(value, str) and value.removeprefix(prefix) in names:
        return value.removeprefix(prefix)
    raise RequestError(f"not one of {', '.join(names)}: {value!r}")


# --- groups ---


def _groups(board: Board, asked: _Groups, metrics: Sequence[Metric]) -> list[Group]:
    statuses = [_named(STATUSES, status) for status in asked.allowed_statuses]
    found = sessions.groups(board.store, metrics if asked.include_metrics else [], statuses)
    aggregation = _named(_AGGREGATIONS, asked.aggregation_type, "AGGREGATION_")
    for group in found:
        group.measured = _aggregated(group.sessions, aggregation, asked.aggregation_metric)
    for column in asked.col_params:
        found = _filtered(found, column)
    for column in reversed(asked.col_params):
        _sort(found, column)
    if any(column.include_in_result is not None for column in asked.col_params):
        shown = {one.hparam for one in asked.col_params if one.include_in_result is not False}
        found = [replace(one, hparams=_only(one.hparams, shown)) for one in found]
    return found


def _only(hparams: dict[str, Value], names: set[str | None]) -> dict[str, Value]:
    return {name: value for name, value in hparams.items() if name in names}


def _aggregated(members: list[Session], aggregation: str, metric: _Name | None) -> list[Measured]:
    if aggregation in ("UNSET", "AVG"):
        return _average(members)
    name = metric or _Name()
    ranked = [(one.value, at) for at, s in enumerate(members) if (one := _find(s.measured, name))]
    if not ranked:
        return []
    if aggregation == "MAX":
        chosen = max(ranked, key=lambda pair: pair[0])
    else:
        chosen = sorted(ranked)[0 if aggregation == "MIN" else (len(ranked) - 1) // 2]
    return members[chosen[1]].measured


def _average(members: list[Session]) -> list[Measured]:
    found: dict[tuple[str, str], list[Measured]] = {}
    for session in sorted(members, key=lambda session: session.name):
        for one in session.measured:
            found.setdefault((one.group, one.tag), []).append(one)
    return [
        Measured(
            group,
            tag,
            sum(one.value for one in several) / len(several),
            sum(one.step for one in several) // len(several),
            sum(one.wall_time for one in several) / len(several),
        )
        for (group, tag), several in found.items()
    ]


def _find(measured: list[Measured], name: _Name) -> Measured | None:
    found = (one for one in measured if (one.group, one.tag) == (name.group, name.tag))
    return next(found, None)


def _cell(group: Group, column: _Column) -> Value | None:
    if column.metric is not None:
        found = _find(group.measured, column.metric)
        return None if found is None else found.value
    if column.hparam is None:
        raise RequestError("a column needs a `metric` or an `hparam`")
    return group.hparams.get(column.hparam)


def _filtered(found: list[Group], column: _Column) -> list[Group]:
    cells = [_cell(group, column) for group in found]
    passes = _test(column)
    missing = not column.exclude_missing_values
    pairs = zip(found, cells, strict=True)
    return [group for group, cell in pairs if (missing if cell is None else passes(cell))]


def _test(column: _Column) -> Callable[[Value], bool]:
    if column.filter_regexp is not None:
        pattern = _core.Pattern(column.filter_regexp)
        return lambda cell: pattern.search([_text(cell)])[0]
    if (interval := column.filter_interval) is not None:
        return lambda cell: interval.min_value <= _number(cell) <= interval.max_value
    if (discrete := column.filter_discrete) is not None:
        return lambda cell: cell in discrete
    return lambda _cell: True


def _text(cell: Value) -> str:
    if not isinstance(cell, str):
        raise RequestError(f"a regular expression cannot be applied to: {cell!r}")
    return cell


def _number(cell: Value) -> float:
    if isinstance(cell, str):
        raise RequestError(f"an interval cannot be applied to: {cell!r}")
    return cell


def _sort(found: list[Group], column: _Column) -> None:
    order = _named(_ORDERS, column.order)
    if order == _ORDERS[0]:
        return
    descends = order == "ORDER_DESC"
    # Within the order that is asked for, what is missing comes first or last.
    last = column.missing_values_first if descends else not column.missing_values_first

    def key(group: Group) -> tuple[bool, Any]:
        cell = _cell(group, column)
        return ((cell is None) == last, 0.0) if cell is None else ((cell is None) == last, cell)

    try:
        found.sort(key=key, reverse=descends)
    except TypeError as error:
        raise RequestError("strings and numbers cannot be sorted together") from error


# --- answers ---


def _group(group: Group) -> Json:
    return {
        "name": group.name,
        "hparams": group.hparams,
        "metricValues": [_measured(one) for one in group.measured],
        "sessions": [
            {
                "name": one.name,
                "startTimeSecs": responses.number(one.start.start_time_secs),
                "endTimeSecs": responses.number(one.end.end_time_secs),
                "status": one.end.status,
                "modelUri": one.start.model_uri,
                "metricValues": [_measured(value) for value in one.measured],
                "monitorUrl": one.start.monitor_url,
            }
            for one in sorted(group.sessions, key=lambda session: session.name)
        ],
        "monitorUrl": group.monitor_url,
    }


def _measured(one: Measured) -> Json:
    return {
        "name": {"group": one.group, "tag": one.tag},
        "value": responses.number(one.value),
        "trainingStep": one.step,
        "wallTimeSecs": responses.number(one.wall_time),
    }


def _row(group: Group, about: Experiment) -> list[Value | None]:
    metrics = {(one.group, one.tag): one.value for one in group.measured}
    row: list[Value | None] = [group.hparams.get(one.name, "") for one in about.hparams]
    return row + [metrics.get((one.group, one.tag)) for one in about.metrics]


_Row = Sequence["Value | None"]


def _json(header: _Row, rows: Sequence[_Row]) -> Content:
    plain = [[responses.number(c) if isinstance(c, float) else c for c in row] for row in rows]
    return Content(msgspec.json.encode({"header": header, "rows": plain}), "application/json")


def _csv(header: _Row, rows: Sequence[_Row]) -> Content:
    text = io.StringIO()
    safe = [
        [without_formula(cell) if isinstance(cell, str) else cell for cell in row]
        for row in [header, *rows]
    ]
    csv.writer(text).writerows(safe)
    return Content(text.getvalue().encode(), "text/csv; charset=utf-8")


def _latex(header: _Row, rows: Sequence[_Row]) -> Content:
    lines = [" & ".join(map(_latex_cell, row)) + " \\\\" for row in (header, *rows)]
    table = [
        "\\begin{table}[tbp]",
        f"\\begin{{tabular}}{{{'l' * len(header)}}}",
        f"{lines[0]} \\hline",
        *lines[1:],
        "\\hline",
        "\\end{tabular}",
        "\\end{table}",
        "",
    ]
    return Content("\n".join(table).encode(), "application/x-latex")


def _latex_cell(cell: Value | None) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell.replace("_", "\\_").replace("%", "\\%")
    if not math.isfinite(cell):
        return "$\\mathrm{NaN}$" if math.isnan(cell) else f"${'+' if cell > 0 else '-'}\\infty$"
    if isinstance(cell, int):
        return f"${cell:d}$"
    short, _, exponent = f"{cell:.3g}".partition("e")
    return f"${short}\\cdot 10^{{{int(exponent)}}}$" if exponent else f"${short}$"


_FORMATS = {"csv": _csv, "json": _json, "latex": _latex}

ANSWERS = {
    "experiment": experiment,
    "session_groups": session_groups,
    "metric_evals": metric_evals,
    "download_data": download_data,
}
