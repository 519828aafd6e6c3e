"""Everything that a run logged around one step: values, usual ranges, and the nearest items."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from kymograph.lazy import numpy as np
from kymograph.store import lod
from kymograph.store.blobs import BlobSeries
from kymograph.store.series import Series
from kymograph.store.store import Run
from kymograph.store.usual import (
    WINDOW_STEPS,
    UsualRange,
    departures,
    first_excursion,
    is_calm,
    usual_range,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]

__all__ = ["Item", "Lane", "Mark", "Moment", "Reference", "Row", "Steps", "moment"]

# Captured beside the training loop: their steps count seconds or lines, so time decides.
_SYSTEM = "system/"
_OUTPUT = "output/"
# Captured once.
_RECORDS = frozenset({"run/git", "run/git_diff", "run/command", "run/packages"})
# What PyTorch's `add_text` and ours append to tags.
_TEXT_SUFFIX = "/text_summary"
# What is logged once for a run, and not in the course of it.
_NO_LANES = frozenset({"scalars", "graphs", "hparams", "custom_scalars"})
_EVALUATION = re.compile(
    r"(?:^|[/_.\-])(?:val|valid|validation|eval|evaluation|test|dev)(?:$|[/_.\-])"
)
_LOSS = re.compile(r"(?:^|[/_.\-])loss$")

# Most points of a series that are looked at: before the reference, and on both sides of the step.
_RANGE_POINTS = 4096
_BEFORE_POINTS = 8192
_AFTER_POINTS = 4096
# Steps of the window on each side, in points of the main tag.
_SIDE_POINTS = 150
# Most evaluations that are examined for the reference.
_MOST_CANDIDATES = 64
# How many steps on each side the keys can walk without another request.
_WALK_STEPS = 60
_MOST_MARKS = 500
_MARK_COLUMNS = 4096
_LARGEST = 2**63 - 1


class Reference(NamedTuple):
    """What the moment is compared with."""

    step: int
    wall_time: float | None
    """Of the last point of the main tag at or before it."""
    kind: Literal["given", "evaluation", "item", "point"]
    """Who chose it, or what was logged there."""


class Row(NamedTuple):
    """A scalar tag; NaN for what there is not."""

    run: str
    tag: str
    is_system: bool
    """Whether it is placed by time."""
    step: float
    """Of the last point at or before the moment, in steps of the main tag."""
    wall_time: float
    value: float
    reference_step: float
    reference_value: float
    low: float
    high: float
    """The usual range."""
    range_points: int
    since: float
    """The step at which it left its usual range between the reference and the moment."""
    back: float
    """The step at which it was back, if that is in the window."""


class Lane(NamedTuple):
    """A kind of thing that is logged."""

    kind: str
    """A dashboard, `scalars`, `evaluation`, `output` or `system`."""
    series: int
    total: int
    """Points or items of all its series."""
    step: float
    """The nearest at or before the moment, NaN if there is none; likewise at the reference."""
    reference_step: float
    ticks: Floats
    """Steps in the window at which something was logged, at most one for each pixel column."""


class Item(NamedTuple):
    """What a series other than scalars has nearest at or before the moment."""

    series: BlobSeries
    clock: Literal["step", "time", "once"]
    """Whether it is placed by its step, by its time, or belongs to the whole run."""
    position: int
    """In the series; -1 if there is none."""
    reference_position: int
    place: float
    """The step of the main tag at which it was logged; NaN if there is none."""
    reference_place: float
    next_place: float
    """The step of the next item; NaN if there is none."""


class Mark(NamedTuple):
    """A step worth a look."""

    step: int
    kind: Literal["range", "nan", "restart"]
    tag: str | None


class Steps(NamedTuple):
    """Steps that the keys walk through: some on each side, and both ends of all."""

    before: list[int]
    after: list[int]
    first: int | None
    last: int | None


class Moment(NamedTuple):
    """Everything around a step."""

    step: int
    wall_time: float | None
    tag: str | None
    """The main tag; nothing if the run has no scalars."""
    tags: list[str]
    """All tags that could be the main one."""
    reference: Reference | None
    window: tuple[float, float]
    main: dict[str, Floats]
    """The main tag in the window: `x`, `first`, `min`, `max` and `last` of each pixel column."""
    rows: list[Row]
    """The first to leave its usual range is the first; those that did not come last."""
    sparks: tuple[Floats, Floats]
    """Lowest and highest value of each row in each of a few columns of the window."""
    rows_total: int
    lanes: list[Lane]
    items: list[Item]
    items_total: int
    points: Steps
    item_steps: Steps
    marks: list[Mark]


def moment(
    runs: Sequence[Run],
    *,
    step: int | None = None,
    tag: str | None = None,
    reference: int | None = None,
    columns: int = 800,
    spark_columns: int = 60,
    most_rows: int = 1000,
    most_items: int = 2000,
) -> Moment:
    """What the first of these runs, and the others as parts of it, logged around a step.

    Without a step it is the last of the main tag, without a tag the main one is a loss, and
    without a reference it is the last evaluation that was in the usual range.
    """
    scalars = [series for run in runs for series in run.all_series() if len(series)]
    blobs = [series for run in runs for series in run.all_blobs() if len(series)]
    stepped = [series for series in scalars if not series.tag.startswith(_SYSTEM)]
    main = _main(stepped, tag)
    here = _last_step(main, blobs) if step is None else step
    clock = _Clock(main, here)
    chosen = _reference(main, stepped, blobs, here, reference)
    window = _window(main, here, chosen)
    clock = _Clock(main, here, window)
    ticks = _Ticks(window, columns)
    rows = [_row(series, here, chosen, clock, ticks) for series in scalars]
    items = [_item(series, here, chosen, clock, ticks) for series in blobs]
    rows_total, items_total = len(rows), len(items)
    order = sorted(range(len(rows)), key=lambda at: _order(rows[at]))[:most_rows]
    marks = _marks(runs, main, scalars)
    item_steps = [
        series.steps for series, item in zip(blobs, items, strict=True) if item.clock == "step"
    ]
    return Moment(
        step=here,
        wall_time=clock.time_at(here),
        tag=None if main is None else main.tag,
        tags=sorted({series.tag for series in stepped}),
        reference=chosen and Reference(chosen.step, clock.time_at(chosen.step), chosen.kind),
        window=window,
        main=_main_columns(main, window, columns),
        rows=[rows[at] for at in order],
        sparks=_sparks([scalars[at] for at in order], window, clock, spark_columns),
        rows_total=rows_total,
        lanes=_lanes(scalars, rows, items, ticks),
        items=items[:most_items],
        items_total=items_total,
        points=_point_steps(main, here),
        item_steps=_steps(item_steps, here),
        marks=marks,
    )


# --- which tag, step and reference ---


def _main(stepped: list[Series], tag: str | None) -> Series | None:
    """The series of the tag, else a training loss, else any loss, else the first."""
    named = [series for series in stepped if series.tag == tag]
    losses = [series for series in stepped if _LOSS.search(series.tag.lower())]
    training = [series for series in losses if not _is_evaluation(series.tag)]
    for found in (named, training, losses, stepped):
        if found:
            return found[0]
    return None


def _is_evaluation(tag: str) -> bool:
    return _EVALUATION.search(tag.lower()) is not None


def _last_step(main: Series | None, blobs: list[BlobSeries]) -> int:
    members = blobs if main is None else [main]
    ranges = [series.step_range for series in members]
    return max((extent[1] for extent in ranges if extent is not None), default=0)


def _around(series: Series, step: float, before: int, after: int) -> lod.Around:
    place = int(max(-_LARGEST, min(_LARGEST, step)))
    return lod.around(series, place, before=before, after=after)


def _reference(
    main: Series | None,
    stepped: list[Series],
    blobs: list[BlobSeries],
    here: int,
    given: int | None,
) -> Reference | None:
    """The one that was given; else the last evaluation, item or point before that was calm."""
    if given is not None:
        return Reference(given, None, "given")
    if main is None:
        return None
    evaluations = [series for series in stepped if _is_evaluation(series.tag)]
    kinds: list[tuple[Literal["evaluation", "item", "point"], Iterable[int]]] = [
        ("evaluation", _candidates([_before(series, here) for series in evaluations])),
        ("item", _candidates([_stepped(series) for series in blobs], here)),
        ("point", _candidates([_before(main, here)])),
    ]
    for kind, candidates in kinds:
        for step in candidates:
            found = _around(main, step, _RANGE_POINTS, 0)
            if len(found.steps) and is_calm(
                found.steps.astype(np.float64), found.values, step - WINDOW_STEPS
            ):
                return Reference(step, None, kind)
    return None


def _before(series: Series, here: int) -> npt.NDArray[np.int64]:
    """The last steps of a series before the moment."""
    return _around(series, here - 1, _MOST_CANDIDATES, 0).steps


def _stepped(series: BlobSeries) -> npt.NDArray[np.int64]:
    return series.steps if _clock_of(series) == "step" else series.steps[:0]


def _candidates(steps: list[npt.NDArray[np.int64]], here: int | None = None) -> list[int]:
    """The last steps of these, the last first."""
    if not steps:
        return []
    found = np.unique(np.concatenate(steps))
    if here is not None:
        found = found[found < here]
    last: list[int] = found[::-1][:_MOST_CANDIDATES].tolist()
    return last


def _window(main: Series | None, here: int, reference: Reference | None) -> tuple[float, float]:
    """The steps that are drawn: round numbers, which stay the same for neighbouring moments."""
    if main is None:
        return float(here) - 1, float(here) + 1
    found = np.unique(_around(main, here, _SIDE_POINTS, _SIDE_POINTS).steps).astype(np.float64)
    spacing = float(np.median(np.diff(found))) if len(found) > 1 else 1.0
    side = _rounded(_SIDE_POINTS * spacing)
    centre = round(here / (side / 3)) * (side / 3)
    extent = main.step_range or (here, here)
    low, high = max(centre - side, min(extent[0], here)), min(centre + side, max(extent[1], here))
    if reference is not None and reference.step < low and here - reference.step <= 4 * side:
        low = reference.step - 0.05 * (high - reference.step)
    if low >= high:
        low, high = low - 1, high + 1
    return float(low), float(high)


def _rounded(size: float) -> float:
    """The nearest of 1, 1.5, 2, 3, 5, 7.5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(max(size, 1.0)))
    return min((part * power for part in (1, 1.5, 2, 3, 5, 7.5, 10)), key=lambda at: abs(at - size))


# --- steps and times ---


class _Clock:
    """Which time a step of the main tag has, and which step a time, near the moment."""

    def __init__(
        self, main: Series | None, here: int, window: tuple[float, float] | None = None
    ) -> None:
        if main is None:
            empty = np.zeros(0)
            self._steps, self._walls = empty, empty
            return
        found = _around(main, here, _BEFORE_POINTS, _AFTER_POINTS)
        self._main = main
        self._steps = found.steps.astype(np.float64)
        # A clock that was set back would make two steps of one time.
        self._walls = (
            np.maximum.accumulate(found.wall_times) if len(found.wall_times) else found.wall_times
        )
        self._start = -math.inf if window is None else window[0]

    def time_at(self, step: float) -> float | None:
        """The time of the last point at or before the step."""
        at = int(np.searchsorted(self._steps, step, side="right")) - 1
        if at < 0:
            if len(self._steps) == 0:
                return None
            earlier = _around(self._main, step, 1, 0).wall_times
            return float(earlier[0]) if len(earlier) else None
        return float(self._walls[at])

    def step_at(self, times: Floats) -> Floats:
        """The step of each time, in between by proportion; NaN before the first."""
        if len(self._steps) == 0:
            return np.full(len(times), math.nan)
        return np.interp(times, self._walls, self._steps, left=math.nan)


# --- scalars ---


def _row(
    series: Series, here: int, reference: Reference | None, clock: _Clock, ticks: _Ticks
) -> Row:
    is_system = series.tag.startswith(_SYSTEM)
    until = reference.step if reference is not None and reference.step < here else here
    if is_system:
        time = clock.time_at(here)
        if time is None:
            return _empty_row(series)
        found = lod.around_time(series, time, before=_BEFORE_POINTS, after=_AFTER_POINTS)
        places: Floats = found.wall_times
        until_place = clock.time_at(until) or time
        start = clock.time_at(until - WINDOW_STEPS)
        earlier = lod.around_time(series, until_place, before=_RANGE_POINTS, after=0)
        usual = usual_range(
            earlier.wall_times, earlier.values, -math.inf if start is None else start
        )
        reference_place = None if reference is None else clock.time_at(reference.step)
        at_reference = (
            earlier
            if reference_place is None or reference_place == until_place
            else lod.around_time(series, reference_place, before=1, after=0)
        )
        to_steps = clock.step_at(places)
    else:
        found = _around(series, here, _BEFORE_POINTS, _AFTER_POINTS)
        places = found.steps.astype(np.float64)
        until_place = float(until)
        earlier = _around(series, until, _RANGE_POINTS, 0)
        usual = usual_range(earlier.steps.astype(np.float64), earlier.values, until - WINDOW_STEPS)
        at_reference = (
            earlier
            if reference is None or reference.step == until
            else _around(series, reference.step, 1, 0)
        )
        to_steps = places
    ticks.add(_lane_of(series), to_steps)
    has_reference = reference is not None and len(at_reference.steps) > 0
    reference_step = math.nan
    if has_reference and is_system:
        reference_step = float(clock.step_at(at_reference.wall_times[-1:])[0])
    elif has_reference:
        reference_step = float(at_reference.steps[-1])
    since, back = _left(usual, places, found, until_place, to_steps)
    has_point = found.split > 0
    return Row(
        run=series.run,
        tag=series.tag,
        is_system=is_system,
        step=float(to_steps[found.split - 1]) if has_point else math.nan,
        wall_time=float(found.wall_times[found.split - 1]) if has_point else math.nan,
        value=float(found.values[found.split - 1]) if has_point else math.nan,
        reference_step=reference_step,
        reference_value=float(at_reference.values[-1]) if has_reference else math.nan,
        low=usual.low if usual else math.nan,
        high=usual.high if usual else math.nan,
        range_points=usual.points if usual else 0,
        since=since,
        back=back,
    )


def _left(
    usual: UsualRange | None, places: Floats, found: lod.Around, until: float, to_steps: Floats
) -> tuple[float, float]:
    """The steps at which a series left its range after the reference, and was back."""
    if usual is None:
        return math.nan, math.nan
    first = int(np.searchsorted(places, until, side="right"))
    excursion = first_excursion(usual, found.values[first:])
    if excursion is None or first + excursion.peak >= found.split:
        return math.nan, math.nan
    back = math.nan if excursion.back is None else float(to_steps[first + excursion.back])
    return float(to_steps[first + excursion.first]), back


def _empty_row(series: Series) -> Row:
    nan = math.nan
    return Row(series.run, series.tag, True, nan, nan, nan, nan, nan, nan, nan, 0, nan, nan)


def _order(row: Row) -> tuple[bool, float, float, str]:
    """The first to leave its range, then the largest change, then the names."""
    is_usual = math.isnan(row.since)
    size = abs(row.value - row.reference_value) / max(row.high - row.low, 1e-300)
    return (
        is_usual,
        0.0 if is_usual else row.since,
        0.0 if is_usual or not math.isfinite(size) else -size,
        row.tag,
    )


def _main_columns(
    main: Series | None, window: tuple[float, float], columns: int
) -> dict[str, Floats]:
    names = ("first", "min", "max", "last")
    if main is None:
        return {name: np.zeros(0) for name in ("x", *names)}
    reduced = main.lod(columns, x_range=window)
    return {
        "x": (reduced.x_first + reduced.x_last) / 2,
        **{name: getattr(reduced.raw, name) for name in names},
    }


def _sparks(
    members: list[Series], window: tuple[float, float], clock: _Clock, columns: int
) -> tuple[Floats, Floats]:
    """Lowest and highest value of each series in each column; NaN where there is no point."""
    low = np.full((len(members), columns), math.nan)
    high = low.copy()
    times = (clock.time_at(window[0]), clock.time_at(window[1]))
    lines: list[lod.Line] = []
    for series in members:
        if not series.tag.startswith(_SYSTEM):
            lines.append(lod.Line(series, "step", window, columns))
        else:
            ends = (times[0] if times[0] is not None else -math.inf, times[1] or math.inf)
            ends = ends if ends[0] < ends[1] else (-math.inf, math.inf)
            lines.append(lod.Line(series, "wall_time", ends, columns))
    if not lines:
        return low.ravel(), high.ravel()
    batch = lod.batch(lines)
    found = batch.columns
    for at, head in enumerate(batch.heads):
        span = slice(head.start, head.start + head.length)
        if head.exact:
            x = found["x"][head.x_start : head.x_start + head.length]
            bottom = top = found["value"][span]
        else:
            x = found["column_x_first"][span]
            bottom, top = found["column_min"][span], found["column_max"][span]
        start, stop = head.bounds
        ends = lines[at].x_range or (start, stop)
        start = ends[0] if math.isfinite(ends[0]) else start
        stop = ends[1] if math.isfinite(ends[1]) else stop
        share = (np.asarray(x, np.float64) - start) / max(stop - start, 1e-300)
        bins = np.clip((share * columns).astype(np.int64), 0, columns - 1)
        is_finite = np.isfinite(bottom) & np.isfinite(top)
        np.fmin.at(low[at], bins[is_finite], bottom[is_finite])
        np.fmax.at(high[at], bins[is_finite], top[is_finite])
    return low.ravel(), high.ravel()


# --- everything else ---


def _clock_of(series: BlobSeries) -> Literal["step", "time", "once"]:
    if series.dashboard == "text" and series.tag.removesuffix(_TEXT_SUFFIX) in _RECORDS:
        return "once"
    if series.dashboard == "text" and series.tag.startswith(_OUTPUT):
        return "time"
    return "once" if series.dashboard in _NO_LANES else "step"


def _item(
    series: BlobSeries, here: int, reference: Reference | None, clock: _Clock, ticks: _Ticks
) -> Item:
    kind = _clock_of(series)
    if kind == "once":
        return Item(series, kind, len(series) - 1, -1, math.nan, math.nan, math.nan)
    by_time = kind == "time"
    places: Floats = series.wall_times if by_time else series.steps.astype(np.float64)
    now = clock.time_at(here) if by_time else float(here)
    then = None
    if reference is not None:
        then = clock.time_at(reference.step) if by_time else float(reference.step)
    steps = clock.step_at(places) if by_time else places
    ticks.add(_lane_of(series), steps)
    index, reference_index = _at_or_before(places, now), _at_or_before(places, then)
    later = steps[places > now] if now is not None else steps[:0]
    later = later[np.isfinite(later)]
    return Item(
        series,
        kind,
        index,
        reference_index,
        float(steps[index]) if index >= 0 else math.nan,
        float(steps[reference_index]) if reference_index >= 0 else math.nan,
        float(later.min()) if len(later) else math.nan,
    )


def _at_or_before(places: Floats, place: float | None) -> int:
    """The index of the highest at or before the place, of several the last; -1 for none."""
    if place is None:
        return -1
    reached = places <= place
    if not reached.any():
        return -1
    return int(np.flatnonzero(reached & (places == places[reached].max()))[-1])


def _lane_of(series: Series | BlobSeries) -> str:
    if isinstance(series, BlobSeries):
        return "output" if _clock_of(series) == "time" else series.dashboard
    if series.tag.startswith(_SYSTEM):
        return "system"
    return "evaluation" if _is_evaluation(series.tag) else "scalars"


class _Ticks:
    """Steps at which each kind of thing was logged, reduced to pixel columns of the window."""

    def __init__(self, window: tuple[float, float], columns: int) -> None:
        self._window = window
        self._columns = columns
        self._first: dict[str, Floats] = {}

    def add(self, lane: str, steps: Floats) -> None:
        """Counts these steps in."""
        low, high = self._window
        inside = steps[(steps >= low) & (steps <= high)]
        bins = ((inside - low) / (high - low) * (self._columns - 1)).astype(np.int64)
        if lane not in self._first:
            self._first[lane] = np.full(self._columns, math.inf)
        np.minimum.at(self._first[lane], bins, inside)

    def of(self, lane: str) -> Floats:
        """The first step of each column that has some."""
        found = self._first.get(lane, np.zeros(0))
        return found[np.isfinite(found)]


def _lanes(scalars: list[Series], rows: list[Row], items: list[Item], ticks: _Ticks) -> list[Lane]:
    """In an order that never changes; those without data are absent."""
    nearest: dict[str, list[tuple[float, float, int]]] = {}
    for series, row in zip(scalars, rows, strict=True):
        nearest.setdefault(_lane_of(series), []).append((row.step, row.reference_step, len(series)))
    for item in items:
        if item.clock != "once":
            nearest.setdefault(_lane_of(item.series), []).append(
                (item.place, item.reference_place, len(item.series))
            )
    names = ("scalars", "evaluation", "histograms", "images", "text", "audio")
    others = sorted(set(nearest) - {*names, "output", "system"})
    lanes = []
    for kind in (*names, *others, "output", "system"):
        if kind not in nearest:
            continue
        steps, references, counts = zip(*nearest[kind], strict=True)
        lanes.append(
            Lane(kind, len(counts), sum(counts), _max(steps), _max(references), ticks.of(kind))
        )
    return lanes


def _max(values: Iterable[float]) -> float:
    return max((value for value in values if not math.isnan(value)), default=math.nan)


# --- where the keys go ---


def _point_steps(main: Series | None, here: int) -> Steps:
    if main is None or main.step_range is None:
        return Steps([], [], None, None)
    found = np.unique(_around(main, here, 4 * _WALK_STEPS, 4 * _WALK_STEPS).steps)
    before, after = found[found < here][-_WALK_STEPS:], found[found > here][:_WALK_STEPS]
    return Steps(before.tolist(), after.tolist(), *main.step_range)


def _steps(steps: list[npt.NDArray[np.int64]], here: int) -> Steps:
    if not steps:
        return Steps([], [], None, None)
    found = np.unique(np.concatenate(steps))
    before, after = found[found < here][-_WALK_STEPS:], found[found > here][:_WALK_STEPS]
    return Steps(before.tolist(), after.tolist(), int(found[0]), int(found[-1]))


def _marks(runs: Sequence[Run], main: Series | None, scalars: list[Series]) -> list[Mark]:
    """Where the main tag leaves its usual range, tags are first NaN, and the run was restarted."""
    marks = [Mark(restart.step, "restart", None) for run in runs for restart in run.restarts()]
    marks = marks[:_MOST_MARKS]
    if scalars:
        first = lod.summaries(scalars).first_non_finite_step.tolist()
        bad = [
            Mark(step, "nan", series.tag)
            for series, step in zip(scalars, first, strict=True)
            if step != lod.NO_STEP and not series.tag.startswith(_SYSTEM)
        ]
        marks += sorted(bad)[:_MOST_MARKS]
    if main is not None:
        reduced = main.lod(_MARK_COLUMNS)
        left = departures(reduced.x_first, reduced.raw.min, reduced.raw.max, most=_MOST_MARKS)
        marks += [Mark(int(reduced.x_first[at]), "range", main.tag) for at in left]
    return sorted(marks, key=lambda mark: (mark.step, mark.kind, mark.tag or ""))
