"""Sessions of experiments in groups: runs that were started with hyper-parameters."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from kymograph.compat import tagged
from kymograph.store import Store, lod
from kymograph.store.hparam_messages import (
    EXPERIMENT,
    SESSION_END,
    SESSION_START,
    End,
    Experiment,
    Hparam,
    Metric,
    Start,
    Value,
)

__all__ = ["Group", "Measured", "Session", "experiment", "groups", "run_of"]


@dataclass(frozen=True)
class Measured:
    """The last value of a metric."""

    group: str
    tag: str
    value: float
    step: int
    wall_time: float


@dataclass(frozen=True)
class Session:
    """A run that was started with hyper-parameters."""

    name: str
    start: Start
    end: End
    measured: list[Measured]


@dataclass
class Group:
    """Sessions that belong together: trials of the same hyper-parameters."""

    name: str
    hparams: dict[str, Value]
    monitor_url: str
    sessions: list[Session] = field(default_factory=list)
    measured: list[Measured] = field(default_factory=list)


def experiment(store: Store, *, with_metrics: bool = True) -> Experiment:
    """What writers say of the experiment, or else what follows from its sessions."""
    contents = _contents(store)
    declared = [
        Experiment.read(tags[EXPERIMENT]) for tags in contents.values() if EXPERIMENT in tags
    ]
    found = _joined([one for one in declared if one is not None])
    if found is None:
        starts = _starts(contents)
        hparams = _hparams(starts.values())
        found = Experiment(hparams=hparams, metrics=_metrics(store, starts) if hparams else [])
    found.hparams.sort(key=lambda one: (not one.differs, one.name))
    return found if with_metrics else replace(found, metrics=[])


def groups(store: Store, metrics: Sequence[Metric], statuses: Sequence[str]) -> list[Group]:
    """The sessions with one of these statuses, in groups, by name."""
    contents = _contents(store)
    starts = _starts(contents)
    last = _last(store, {(run_of(name, m.group), m.tag) for name in starts for m in metrics})
    found: dict[str, Group] = {}
    for name, start in starts.items():
        end = End.read(contents[name].get(SESSION_END, b"")) or End()
        if end.status not in statuses:
            continue
        values = [(m, last.get((run_of(name, m.group), m.tag))) for m in metrics]
        measured = [Measured(m.group, m.tag, *value) for m, value in values if value is not None]
        title = start.group_name or name
        hparams = {key: value for key, value in start.hparams.items() if _is_json(value)}
        group = found.setdefault(title, Group(title, hparams, start.monitor_url))
        group.sessions.append(Session(name, start, end, measured))
    return sorted(found.values(), key=lambda group: group.name)


def _is_json(value: Value) -> bool:
    """Whether JSON has a word for it; as in TensorBoard, others are not there."""
    return isinstance(value, str) or math.isfinite(value)


def run_of(session: str, group: str) -> str:
    """The run that has a metric of a session."""
    return f"{session}/{group}".rstrip("/") if group else session


def _contents(store: Store) -> dict[str, dict[str, bytes]]:
    """What the tags of the plugin say in each run."""
    listing = tagged.each(store, "hparams")
    return {run: {one.tag: one.metadata.content for one in series} for run, series in listing}


def _starts(contents: dict[str, dict[str, bytes]]) -> dict[str, Start]:
    read = {run: Start.read(tags.get(SESSION_START, b"")) for run, tags in contents.items()}
    return {run: start for run, start in read.items() if start is not None}


def _joined(declared: list[Experiment]) -> Experiment | None:
    """The first, with what others know besides: PyTorch writes one for each session."""
    if not declared:
        return None
    first = declared[0]
    hparams = {one.name: one for part in reversed(declared) for one in part.hparams}
    metrics = {(one.group, one.tag): one for part in reversed(declared) for one in part.metrics}
    mine = [(one.group, one.tag) for one in first.metrics]
    order = [*mine, *sorted(name for name in metrics if name not in mine)]
    return replace(first, hparams=[*hparams.values()], metrics=[metrics[name] for name in order])


def _hparams(starts: Iterable[Start]) -> list[Hparam]:
    values: dict[str, list[Value]] = {}
    for start in starts:
        for name, value in start.hparams.items():
            values.setdefault(name, []).append(value)
    return [_hparam(name, found) for name, found in values.items()]


def _hparam(name: str, values: list[Value]) -> Hparam:
    """Of the type that all values have; of strings, when they differ in it."""
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        booleans: list[Value] = sorted({value for value in values if isinstance(value, bool)})
        kind, differs = "DATA_TYPE_BOOL", len(booleans) > 1
        return Hparam(name, type=kind, discrete=booleans, differs=differs)
    if kinds == {float}:
        numbers = [value for value in values if isinstance(value, float) and _is_json(value)]
        interval = (min(numbers, default=math.nan), max(numbers, default=math.nan))
        differs = interval[0] < interval[1]
        return Hparam(name, type="DATA_TYPE_FLOAT64", interval=interval, differs=differs)
    known = [value for value in values if _is_json(value)]
    texts: list[Value] = sorted({v if isinstance(v, str) else json.dumps(v) for v in known})
    return Hparam(name, type="DATA_TYPE_STRING", discrete=texts, differs=len(texts) > 1)


def _metrics(store: Store, sessions: Iterable[str]) -> list[Metric]:
    """All scalars of the runs of sessions and of the runs below them."""
    known = set(sessions)
    names = set()
    for run, series in tagged.each(store, tagged.SCALARS):
        session = run
        while session and session not in known:
            session = session.rpartition("/")[0]
        if session:
            group = run[len(session) :].lstrip("/")
            names |= {(one.tag, group) for one in series}
    return [Metric(group, tag) for tag, group in sorted(names)]


def _last(
    store: Store, places: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], tuple[float, int, float]]:
    """Value, step and wall time of the last point of each series that is there."""
    by_tag: dict[str, list[str]] = {}
    for run, tag in places:
        by_tag.setdefault(tag, []).append(run)
    found = [
        (run, tag, series)
        for tag, runs in by_tag.items()
        for run, series in tagged.find_scalars(store, runs, tag).items()
    ]
    about = lod.summaries([series for _, _, series in found])
    columns = (about.last_value.tolist(), about.last_step.tolist(), about.last_wall_time.tolist())
    points = zip(found, *columns, strict=True)
    return {(run, tag): (value, step, time) for (run, tag, _), value, step, time in points}
