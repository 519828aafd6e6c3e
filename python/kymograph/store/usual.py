"""The usual range of a series, and where the series leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kymograph.lazy import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]

__all__ = [
    "FEWEST_IN_WINDOW",
    "WINDOW_STEPS",
    "Excursion",
    "UsualRange",
    "departures",
    "first_excursion",
    "is_calm",
    "usual_range",
]

WINDOW_STEPS = 2000
"""The usual range is that of so many steps."""
FEWEST_IN_WINDOW = 50
"""Of a series with fewer points in the window, the last so many count."""

# What 99 % of the points are between.
_QUANTILES = (0.005, 0.995)
# The range of fewer points says nothing.
_LEAST_POINTS = 8
# An excursion counts once it is outside by this share of the width of the range: one point in a
# hundred is outside anyway, and a slow trend leaves every range in the end.
_FAR = 0.5
# A series is back in its range once so many points in a row are inside.
_BACK_POINTS = 3


class UsualRange(NamedTuple):
    """What 99 % of the points of a window are between."""

    low: float
    high: float
    points: int
    """Finite points that it is computed from."""

    def inside(self, values: Floats) -> npt.NDArray[np.bool_]:
        """Whether each value is in it; NaN never is."""
        return (values >= self.low) & (values <= self.high)

    def near(self, values: Floats) -> npt.NDArray[np.bool_]:
        """Whether each value is in it or not far from it; NaN never is."""
        margin = _FAR * (self.high - self.low)
        return (values >= self.low - margin) & (values <= self.high + margin)


class Excursion(NamedTuple):
    """A stretch of points outside the usual range, at least one of them far outside."""

    first: int
    """Index of its first point."""
    peak: int
    """Index of its first point that is far outside."""
    back: int | None
    """Index of the first point that is back in the range and stays there for a while."""


def usual_range(places: Floats, values: Floats, start: float) -> UsualRange | None:
    """The range of the points from `start` on, of points in the order of their places.

    Places are steps or times. Nothing if there are too few finite values.
    """
    finite = _window(places, values, start)
    if len(finite) < _LEAST_POINTS:
        return None
    low, high = np.quantile(finite, _QUANTILES)
    return UsualRange(float(low), float(high), len(finite))


def is_calm(places: Floats, values: Floats, start: float) -> bool:
    """Whether the last of these points is among the others, by Tukey's fences.

    They are not moved by an excursion that takes less than a quarter of the window, as the usual
    range is.
    """
    if len(values) == 0 or not np.isfinite(values[-1]):
        return False
    finite = _window(places, values, start)
    if len(finite) < _LEAST_POINTS:
        return True
    low, high = np.quantile(finite, (0.25, 0.75))
    margin = 1.5 * (high - low)
    return bool(low - margin <= values[-1] <= high + margin)


def _window(places: Floats, values: Floats, start: float) -> Floats:
    first = int(np.searchsorted(places, start))
    first = max(0, min(first, len(places) - FEWEST_IN_WINDOW))
    window = values[first:]
    finite: Floats = window[np.isfinite(window)]
    return finite


def first_excursion(usual: UsualRange, values: Floats) -> Excursion | None:
    """Where these values, in order, first leave the range."""
    is_far = ~usual.near(values)
    if not is_far.any():
        return None
    peak = int(is_far.argmax())
    inside = usual.inside(values)
    before = np.flatnonzero(inside[:peak])
    first = int(before[-1]) + 1 if len(before) else 0
    return Excursion(first, peak, _back(inside, peak))


def _back(inside: npt.NDArray[np.bool_], peak: int) -> int | None:
    after = inside[peak:]
    if len(after) < _BACK_POINTS:
        return None
    stays = np.lib.stride_tricks.sliding_window_view(after, _BACK_POINTS).all(axis=1)
    return peak + int(stays.argmax()) if stays.any() else None


def departures(steps: Floats, low: Floats, high: Floats, *, most: int) -> list[int]:
    """Indices at which a series leaves its usual range, of points or of pixel columns.

    Each has a lowest and a highest value. The range is computed again for each quarter of a window,
    from the window before it. What is not finite is left out, since it is marked otherwise.
    """
    kept = np.flatnonzero(np.isfinite(low) & np.isfinite(high))
    steps, low, high = steps[kept], low[kept], high[kept]
    found: list[int] = []
    start, is_out = FEWEST_IN_WINDOW, False
    while start < len(steps) and len(found) < most:
        first = int(np.searchsorted(steps, steps[start] - WINDOW_STEPS))
        first = min(first, start - FEWEST_IN_WINDOW)
        stop = min(len(steps), start + max(1, (start - first) // 4))
        bottom, top = np.quantile(
            np.concatenate((low[first:start], high[first:start])), _QUANTILES
        ).tolist()
        usual = UsualRange(bottom, top, start - first)
        place = start
        while place < stop:
            part_low, part_high = low[place:stop], high[place:stop]
            inside = usual.inside(part_low) & usual.inside(part_high)
            if is_out:
                back = _back(inside, 0)
                if back is None:
                    break
                place, is_out = place + back, False
                continue
            is_far = ~(usual.near(part_low) & usual.near(part_high))
            if not is_far.any():
                break
            peak = int(is_far.argmax())
            before = np.flatnonzero(inside[:peak])
            found.append(int(kept[place + (int(before[-1]) + 1 if len(before) else 0)]))
            place, is_out = place + peak + 1, True
        start = stop
    return found[:most]
