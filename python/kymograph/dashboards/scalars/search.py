"""The series that a query names, found in the store or computed, and how many they may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from kymograph.asgi.names import MOST_PAIRS, MOST_SERIES, Name
from kymograph.errors import QueryError, UnknownRunError, UnknownTagError
from kymograph.store import Series, Store, expression, lod
from kymograph.store.derived import Derivation
from kymograph.store.expression import Expression

Lack = Literal["run", "tag", "x"]
"""What is not there: the run, the tag in it, or the tag for x in it."""


class OtherTag(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Another tag of the same run, whose value at the same step is used as x."""

    tag: Name


X = Literal["step", "wall_time", "relative_time"] | OtherTag


class Found(NamedTuple):
    """A series that is there or can be computed, and its x axis."""

    source: Series | Derivation
    x: lod.Axis | Series

    @property
    def points(self) -> int:
        """The number of points to read."""
        own = self.source.cost if isinstance(self.source, Derivation) else len(self.source)
        return own + (0 if isinstance(self.x, str) else len(self.x))

    @property
    def series(self) -> Series:
        """The series, computed if need be."""
        return self.source.series() if isinstance(self.source, Derivation) else self.source

    def is_unchanged(self, since: int | None) -> bool:
        """Whether a client that knows all up to `since` has it."""
        if since is None or self.source.change > since:
            return False
        return isinstance(self.x, str) or self.x.change <= since


def what_of(tag: str | UnsetType, formula: str | UnsetType) -> str | Expression:
    """A tag, or what is computed from several."""
    if isinstance(tag, str) and formula is UNSET:
        return tag
    if isinstance(formula, str) and tag is UNSET:
        return expression.parse(formula)
    raise QueryError("a card must have either `tag` or `expression`")


class Search:
    """Finds the series of one query, and stops it before there are too many."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._runs = len(store)
        self._named = 0
        self._pairs = 0

    def line_up(
        self, what: str | Expression, runs: list[str] | None, x: X
    ) -> tuple[list[Found], list[tuple[str, Lack]]]:
        """The series of a tag or an expression in these runs, or in all, and what is missing."""
        members: list[tuple[str, Series | Derivation | Lack]]
        if runs is None:
            members = [(series.run, series) for series in self._all(what)]
            self._count(len(members))
        else:
            self._count(max(1, len(runs)))  # an empty group has an entry in the answer, too
            members = [(run, self._one(run, what)) for run in runs]
        found: list[Found] = []
        missing: list[tuple[str, Lack]] = []
        for run, series in members:
            if isinstance(series, str):
                missing.append((run, series))
            elif isinstance(x, str):
                found.append(Found(series, x))
            elif isinstance(other := self._one(run, x.tag), Series):
                found.append(Found(series, other))
            else:
                missing.append((run, "x"))
        return found, missing

    def _all(self, what: str | Expression) -> Sequence[Series | Derivation]:
        self._pairs += self._runs * (1 if isinstance(what, str) else len(what.tags))
        if self._pairs > MOST_PAIRS:
            raise QueryError("too many cards for all runs\nhint: name the runs")
        if isinstance(what, str):
            return self._store.all_series(what)
        return self._store.all_derived(what)

    def _one(self, run: str, what: str | Expression) -> Series | Derivation | Lack:
        try:
            if isinstance(what, str):
                return self._store[run].series(what)
            return self._store.derived(what, run)
        except UnknownRunError:
            return "run"
        except UnknownTagError:
            return "tag"

    def _count(self, named: int) -> None:
        self._named += named
        if self._named > MOST_SERIES:
            raise QueryError(
                f"a query may have at most {MOST_SERIES} series\nhint: request fewer runs at once"
            )
