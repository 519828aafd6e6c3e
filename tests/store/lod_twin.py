"""Level of detail as it is defined, slow and obvious: the twin that the fast one must equal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median, stdev

Numbers = Sequence[float]


@dataclass
class Envelope:
    """First, least, greatest and last finite value behind each entry."""

    first: list[float] = field(default_factory=list)
    min: list[float] = field(default_factory=list)
    max: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)

    def push(self, values: Numbers) -> None:
        nothing = [math.nan]
        self.first.append((values or nothing)[0])
        self.min.append(min(values or nothing))
        self.max.append(max(values or nothing))
        self.last.append((values or nothing)[-1])


Neighbour = tuple[float, float, "float | None"]


@dataclass
class Reduced:
    """What a plot shows of one series; the fields are those of the fast answer."""

    exact: bool = True
    sorted: bool = True
    total_points: int = 0
    points_in_range: int = 0
    skipped: int = 0
    bounds: tuple[float, float] = (math.nan, math.nan)
    x_first: list[float] = field(default_factory=list)
    x_last: list[float] = field(default_factory=list)
    raw: Envelope = field(default_factory=Envelope)
    smoothed: Envelope | None = None
    count: list[int] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    before: Neighbour | None = None
    after: Neighbour | None = None


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return math.fsum(values) / len(values)


# --- smoothing ------------------------------------------------------------------------------------


def smooth(x: Numbers, values: Numbers, smoothing: str) -> list[float]:
    """Values smoothed in series order; one that is not finite stays and influences nothing."""
    name, _, number = smoothing.partition(":")
    if name == "none":
        return list(values)
    if name == "ema":
        return ema(values, float(number))
    if name == "twema":
        return time_ema(x, values, float(number))
    if name == "gaussian":
        return gaussian(values, float(number))
    middle: Callable[[list[float]], float] = mean if name == "mean" else median
    return windowed(values, int(number), middle)


def ema(values: Numbers, weight: float) -> list[float]:
    """TensorBoard's: debiased, and a constant series is left alone."""
    if all(value == values[0] for value in values):
        return list(values)
    last, count, out = 0.0, 0, []
    for value in values:
        if not math.isfinite(value):
            out.append(value)
            continue
        last = last * weight + (1 - weight) * value
        count += 1
        out.append(last / (1.0 if weight == 1 else 1 - weight**count))
    return out


def time_ema(x: Numbers, values: Numbers, weight: float) -> list[float]:
    """The past fades with distance on the x axis, in units of the usual distance."""
    known = [at for at in x if math.isfinite(at)]
    distances = sorted(abs(b - a) for a, b in pairwise(known) if a != b)
    unit = distances[(len(distances) - 1) // 2] if distances else 1.0
    total = norm = 0.0
    previous, out = None, []
    for at, value in zip(x, values, strict=True):
        if not (math.isfinite(value) and math.isfinite(at)):
            out.append(value)
            continue
        factor = 0.0 if previous is None else weight ** (abs(at - previous) / unit)
        total, norm, previous = total * factor + value, norm * factor + 1, at
        out.append(total / norm)
    return out


def windowed(values: Numbers, window: int, of: Callable[[list[float]], float]) -> list[float]:
    """Of the finite values around each point; an even window reaches one further back."""
    out = []
    for i, value in enumerate(values):
        around = values[max(0, i - window // 2) : i + (window - 1) // 2 + 1]
        finite = [other for other in around if math.isfinite(other)]
        out.append(of(finite) if math.isfinite(value) else value)
    return out


def gaussian(values: Numbers, sigma: float) -> list[float]:
    """Weighed by distance in points; for a wide bell, points stand at the middle of a block."""
    block = min(max(1, int(sigma / 16)), len(values))
    out = []
    for i, value in enumerate(values):
        total = norm = 0.0
        for j, other in enumerate(values):
            distance = j // block * block + (block - 1) / 2 - i
            if math.isfinite(other) and abs(distance) <= 4 * sigma:
                weight = math.exp(-((distance / sigma) ** 2) / 2)
                total += weight * other
                norm += weight
        out.append(total / norm if math.isfinite(value) else value)
    return out


# --- one series -----------------------------------------------------------------------------------


def x_from_other(steps: Sequence[int], other: Sequence[tuple[int, float]]) -> list[float]:
    """The other tag's last value at the same step, else at the greatest lower one."""
    out = []
    for step in steps:
        earlier = [at for at, _ in other if at <= step]
        values = [value for at, value in other if earlier and at == max(earlier)]
        out.append(values[-1] if values else math.nan)
    return out


def limits(x_range: tuple[float, float] | None) -> tuple[float, float]:
    """The range, in order and with open ends."""
    low, high = x_range or (-math.inf, math.inf)
    low, high = -math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high
    return min(low, high), max(low, high)


def bounds_of(low: float, high: float, known: Numbers) -> tuple[float, float]:
    """Where columns begin and end."""
    return low if math.isfinite(low) else min(known), high if math.isfinite(high) else max(known)


def column_of(x: float, bounds: tuple[float, float], columns: int) -> int:
    if bounds[0] == bounds[1]:
        return 0
    return min(int((x - bounds[0]) / (bounds[1] - bounds[0]) * columns), columns - 1)


def flag_of(value: float) -> int:
    return 1 if math.isnan(value) else {math.inf: 2, -math.inf: 4}.get(value, 0)


def reduce(
    x: Numbers,
    values: Numbers,
    x_range: tuple[float, float] | None = None,
    columns: int = 1000,
    smoothing: str = "none",
) -> Reduced:
    """The points in the range, or first/min/max/last per column where they are many."""
    smoothed = smooth(x, values, smoothing)
    has_smoothed = smoothing != "none"
    known = [i for i, at in enumerate(x) if math.isfinite(at)]
    out = Reduced(total_points=len(x), skipped=len(x) - len(known))
    out.smoothed = Envelope() if has_smoothed else None
    out.sorted = all(x[i] <= x[j] for i, j in pairwise(known))
    if not known:
        return out
    low, high = limits(x_range)
    out.bounds = bounds = bounds_of(low, high, [x[i] for i in known])
    order = sorted(known, key=lambda i: (x[i], i))

    def neighbour(i: int) -> Neighbour:
        return x[i], values[i], smoothed[i] if has_smoothed else None

    below = [i for i in order if x[i] < low]
    above = [i for i in order if x[i] > high]
    out.before = neighbour(below[-1]) if below else None
    out.after = neighbour(above[0]) if above else None
    inside = [i for i in known if low <= x[i] <= high]
    out.points_in_range = len(inside)
    out.exact = len(inside) <= 2 * columns
    if out.exact:
        groups = [[i] for i in inside]
    else:
        by_column: dict[int, list[int]] = {}
        for i in order:
            if low <= x[i] <= high:
                by_column.setdefault(column_of(x[i], bounds, columns), []).append(i)
        groups = [by_column[column] for column in sorted(by_column)]
    for group in groups:
        out.x_first.append(x[group[0]])
        out.x_last.append(x[group[-1]])
        out.count.append(len(group))
        flags = 0
        for i in group:
            flags |= flag_of(values[i])
        out.flags.append(flags)
        for envelope, column in ((out.raw, values), (out.smoothed, smoothed)):
            if envelope is not None:
                envelope.push([column[i] for i in group if out.exact or math.isfinite(column[i])])
    return out


def summarize(steps: Sequence[int], walls: Numbers, values: Numbers) -> dict[str, float]:
    """A row of the table."""
    points = list(zip(steps, walls, values, strict=True))
    finite = [point for point in points if math.isfinite(point[2])]
    nans = [point for point in points if math.isnan(point[2])]
    odd = [point for point in points if not math.isfinite(point[2])]
    nothing = (-(2**63), math.nan, math.nan)
    # Of equal values both take the first.
    least = min(finite, key=lambda point: point[2], default=nothing)
    greatest = max(finite, key=lambda point: point[2], default=nothing)
    return {
        "count": len(points),
        "first_step": points[0][0],
        "last_step": points[-1][0],
        "first_wall_time": points[0][1],
        "last_wall_time": points[-1][1],
        "last_value": points[-1][2],
        "finite_last": [nothing, *finite][-1][2],
        "min": least[2],
        "min_step": least[0],
        "max": greatest[2],
        "max_step": greatest[0],
        "nan_count": len(nans),
        "first_nan_step": [*nans, nothing][0][0],
        "inf_count": len(odd) - len(nans),
        "first_non_finite_step": [*odd, nothing][0][0],
    }


# --- a group of series ----------------------------------------------------------------------------


@dataclass
class Bands:
    """Statistics over members; the fields are those of the fast answer."""

    exact: bool = True
    skipped: int = 0
    x: list[float] = field(default_factory=list)
    count: list[int] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)
    median: list[float] = field(default_factory=list)
    min: list[float] = field(default_factory=list)
    max: list[float] = field(default_factory=list)
    std: list[float] = field(default_factory=list)
    stderr: list[float] = field(default_factory=list)
    iqm: list[float] = field(default_factory=list)
    q25: list[float] = field(default_factory=list)
    q75: list[float] = field(default_factory=list)
    boot_low: list[float] | None = None
    boot_high: list[float] | None = None

    def push(self, x: float, values: list[float], bootstrap: str | None) -> None:
        if bootstrap:
            assert self.boot_low is not None
            assert self.boot_high is not None
            centres = sorted(resampled(values, bootstrap))
            self.boot_low.append(quantile(centres, 0.025))
            self.boot_high.append(quantile(centres, 0.975))
        values = sorted(values)
        n = len(values)
        std = stdev(values) if n > 1 else 0.0
        self.x.append(x)
        self.count.append(n)
        self.mean.append(mean(values))
        self.median.append(median(values))
        self.min.append(values[0])
        self.max.append(values[-1])
        self.std.append(std)
        self.stderr.append(std / math.sqrt(n))
        self.iqm.append(interquartile_mean(values))
        self.q25.append(quantile(values, 0.25))
        self.q75.append(quantile(values, 0.75))


def interquartile_mean(values: Numbers) -> float:
    # Every value four times: the middle half is then a whole number of them.
    fours = [value for value in sorted(values) for _ in range(4)]
    return mean(fours[len(values) : 3 * len(values)])


def resampled(values: Numbers, centre: str) -> Iterator[float]:
    """The centre of each of a thousand resamples, drawn with SplitMix64."""
    state = n = len(values)
    centres: dict[str, Callable[[Numbers], float]]
    centres = {"mean": mean, "median": median, "iqm": interquartile_mean}
    of = centres[centre]
    for _ in range(1000):
        drawn = []
        for _ in range(n):
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            bits = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            bits = (bits ^ bits >> 27) * 0x94D049BB133111EB % 2**64
            drawn.append(values[((bits ^ bits >> 31) >> 32) * n >> 32])
        yield of(drawn)


def quantile(ordered: Numbers, part: float) -> float:
    rank = part * (len(ordered) - 1)
    low, high = ordered[math.floor(rank)], ordered[math.ceil(rank)]
    return low + (high - low) * (rank - math.floor(rank))


def value_at(curve: Sequence[tuple[float, float]], x: float) -> float | None:
    """Mean of the values at x, or what lies on the line between its neighbours."""

    def here(at: float) -> float:
        return mean(value for other, value in curve if other == at)

    left = max((at for at, _ in curve if at <= x), default=None)
    right = min((at for at, _ in curve if at >= x), default=None)
    if left is None or right is None:
        return None
    if left == right:
        return here(left)
    return here(left) + (here(right) - here(left)) * (x - left) / (right - left)


def bands(
    members: Sequence[tuple[Numbers, Numbers]],
    x_range: tuple[float, float] | None = None,
    columns: int = 1000,
    smoothing: str = "none",
    bootstrap: str | None = None,
) -> Bands:
    """What is typical of the members, each given as x and values."""
    out = Bands()
    if bootstrap:
        out.boot_low, out.boot_high = [], []
    points = [list(zip(x, smooth(x, y, smoothing), strict=True)) for x, y in members]
    known = [at for member in points for at, _ in member if math.isfinite(at)]
    out.skipped = sum(len(member) for member in points) - len(known)
    if not known:
        return out
    low, high = limits(x_range)
    bounds = bounds_of(low, high, known)
    odd = [at for member in points for at, value in member if not math.isfinite(value)]
    out.skipped += sum(math.isfinite(at) and low <= at <= high for at in odd)
    curves = [
        [(at, value) for at, value in member if math.isfinite(at) and math.isfinite(value)]
        for member in points
    ]
    common = sorted({at for curve in curves for at, _ in curve if low <= at <= high})
    out.exact = len(common) <= columns
    if not out.exact:
        width = bounds[1] - bounds[0]
        common = [bounds[0] + (column + 0.5) / columns * width for column in range(columns)]
    for index, x in enumerate(common):
        values = []
        for curve in curves:
            inside = [
                value
                for at, value in curve
                if not out.exact and low <= at <= high and column_of(at, bounds, columns) == index
            ]
            value = mean(inside) if inside else value_at(curve, x)
            if value is not None:
                values.append(value)
        if values:
            out.push(x, values, bootstrap)
    return out
