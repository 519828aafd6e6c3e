"""Series that an expression computes from others of the same run, kept while they stay the same.

Points are joined on equal steps, in the order of the first tag. Where a tag has a step several
times, the first of one tag belongs to the first of the other, the second to the second, and so on;
what has no partner in every tag is left out. Of the wall times the last counts.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kymograph import _core
from kymograph.errors import QueryError
from kymograph.lazy import numpy as np
from kymograph.store.expression import Expression
from kymograph.store.series import Series

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Derivation", "Derivations", "DerivedSeries"]

Ints: TypeAlias = "npt.NDArray[np.int64]"
Columns: TypeAlias = "tuple[Ints, npt.NDArray[np.float64], npt.NDArray[np.float64]]"

# Points times what is to be done with each.
_MOST_WORK = 4_000_000_000
_MOST_BYTES = 256 << 20


class DerivedSeries(Series):
    """What an expression makes of a run; its tag is the text of the expression."""

    def __init__(self, run: str, core: _core.Series, change: int, generation: int) -> None:
        super().__init__(run, core)
        self._change = change
        self._generation = generation

    @property
    def change(self) -> int:
        """That of the tag that changed last."""
        return self._change

    @property
    def generation(self) -> int:
        """Negative, so that it is never that of a tag with the name of the expression."""
        return self._generation


class Derivation:
    """A series that is computed on request, unless it is cached."""

    def __init__(self, kept: Derivations, expression: Expression, members: list[Series]) -> None:
        self._kept = kept
        self.expression = expression
        self.members = members
        self.run = members[0].run

    @property
    def tag(self) -> str:
        """The text of the expression."""
        return self.expression.text

    @property
    def change(self) -> int:
        """That of the tag that changed last."""
        return max(member.change for member in self.members)

    @property
    def changes(self) -> tuple[int, ...]:
        """Those of all tags: while these stay the same, so does the series."""
        return tuple(member.change for member in self.members)

    @property
    def cost(self) -> int:
        """The number of points that are read to compute it."""
        known = self._kept.known(self)
        if known is not None:
            return len(known)
        return sum(len(member) for member in self.members) + self.work

    @property
    def work(self) -> int:
        """Points times what is to be done with each."""
        return min(len(member) for member in self.members) * len(self.expression.steps)

    def series(self) -> DerivedSeries:
        """The series."""
        return self._kept.series(self)

    def columns(self) -> Columns:
        """Steps, wall times and values, computed now."""
        steps, places = _joined([member.steps for member in self.members])
        walls = np.array([])
        values: dict[str, npt.NDArray[np.float64]] = {}
        for member, rows in zip(self.members, places, strict=True):
            own = member.wall_times[rows]
            walls = np.maximum(walls, own) if values else own
            values[member.tag] = member.values[rows]
        return steps, walls, np.ascontiguousarray(self.expression.compute(values))


class _Kept(NamedTuple):
    core: _core.Series
    changes: tuple[int, ...]
    generation: int


class Derivations:
    """The series computed last, so that zooming into one does not compute it again."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._bytes = 0

    def known(self, wanted: Derivation) -> _core.Series | None:
        """The series, if it is here and nothing changed."""
        with self._lock:
            kept = self._kept.get((wanted.run, wanted.tag))
        return kept.core if kept is not None and kept.changes == wanted.changes else None

    def series(self, wanted: Derivation) -> DerivedSeries:
        """The series, computed if need be."""
        key = (wanted.run, wanted.tag)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
        if kept is None or kept.changes != wanted.changes:
            kept = _computed(wanted, kept)
            self._keep(key, kept)
        return DerivedSeries(wanted.run, kept.core, wanted.change, kept.generation)

    def _keep(self, key: tuple[str, str], kept: _Kept) -> None:
        with self._lock:
            before = self._kept.pop(key, None)
            self._bytes += kept.core.heap_bytes - (before.core.heap_bytes if before else 0)
            self._kept[key] = kept
            # The last one stays, however large: it is in use.
            while self._bytes > self._most_bytes and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= oldest.core.heap_bytes


def _computed(wanted: Derivation, before: _Kept | None) -> _Kept:
    if wanted.work > _MOST_WORK:
        raise QueryError(f"run `{wanted.run}` has too many points to compute: {wanted.tag}")
    columns = wanted.columns()
    core = wanted.members[0].derive(wanted.tag, columns)
    goes_on = before is not None and _begins_with(columns, before.core)
    generation = before.generation if before is not None and goes_on else -wanted.change
    return _Kept(core, wanted.changes, generation)


def _begins_with(columns: Columns, before: _core.Series) -> bool:
    """Whether all earlier points are still in their places; NaN is NaN."""
    then = (before.steps(), before.wall_times(), before.values())
    return all(
        len(old) <= len(new) and np.array_equal(old.view(np.int64), new[: len(old)].view(np.int64))
        for old, new in zip(then, columns, strict=True)
    )


def _joined(steps: Sequence[Ints]) -> tuple[Ints, list[Any]]:
    """The steps that all have, and for each the rows in which they are."""
    first, *others = steps
    if all(np.array_equal(first, other) for other in others):
        return first, [slice(None)] * len(steps)
    own, *rest = _keys(steps)
    rows: list[Ints] = []
    is_shared = np.ones(len(own), bool)
    for keys in rest:
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        at = np.minimum(np.searchsorted(ordered, own), len(ordered) - 1)
        is_shared &= ordered[at] == own if len(ordered) else False
        rows.append(order[at] if len(ordered) else at)
    return first[is_shared], [np.flatnonzero(is_shared), *(row[is_shared] for row in rows)]


def _keys(steps: Sequence[Ints]) -> Sequence[Ints]:
    """A number for each point, the same for points that belong together, never twice in a tag."""
    if all(np.all(np.diff(column) > 0) for column in steps):
        return steps
    occurrences = [_occurrences(column) for column in steps]
    most = max(int(column.max(initial=0)) for column in occurrences) + 1
    _, numbers = np.unique(np.concatenate(steps), return_inverse=True)
    parts = np.split(numbers, np.cumsum([len(column) for column in steps])[:-1])
    return [part * most + times for part, times in zip(parts, occurrences, strict=True)]


def _occurrences(steps: Ints) -> Ints:
    """How often each step was there before."""
    order = np.argsort(steps, kind="stable")
    ordered = steps[order]
    is_new = np.ones(len(steps), bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    places = np.arange(len(steps))
    found = np.empty(len(steps), np.int64)
    found[order] = places - np.maximum.accumulate(np.where(is_new, places, 0))
    return found
