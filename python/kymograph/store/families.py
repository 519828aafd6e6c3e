"""Runs that belong together: what `add_scalars` and `add_hparams` write below a run, and sessions.

    exp                     loss, acc: the run that its writer was opened on
    exp/loss_train          loss only: by `add_scalars("loss", {"train": ...})`
    exp/1700000000.5        a session with its hyper-parameters: by `add_hparams`

The two below are no runs of their own to their writers, and are folded into `exp`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from math import isnan
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from kymograph import _core
from kymograph.errors import BlobUnreadableError
from kymograph.store.hparam_messages import (
    EXPERIMENT,
    SESSION_END,
    SESSION_START,
    STATUSES,
    End,
    Start,
    Value,
)
from kymograph.store.tables import RunTable

__all__ = ["Families", "FamilyTree", "Folded", "Session", "Status"]

Status: TypeAlias = Literal["unknown", "success", "failure", "running"]

_SCALARS = 1 << _core.DASHBOARDS.index("scalars")
_HPARAMS = 1 << _core.DASHBOARDS.index("hparams")
_STATUSES: tuple[Status, ...] = ("unknown", "success", "failure", "running")


class Folded(NamedTuple):
    """The run that another one belongs to, and as what."""

    into: str
    kind: Literal["scalars", "hparams"]
    label: str
    """The key that `add_scalars` was given, or the rest of the name."""
    tag: str | None
    """The tag that `add_scalars` was given."""


class Session(NamedTuple):
    """What a run was started with, and how it ended."""

    hparams: Mapping[str, Value]
    status: Status


class Families(msgspec.Struct, frozen=True):
    """How the runs of a store belong together."""

    folded: Mapping[str, Folded] = msgspec.field(default_factory=dict)
    """Of runs that belong to another."""
    sessions: Mapping[str, Session] = msgspec.field(default_factory=dict)
    """Of runs that are not folded and have hyper-parameters, by name."""
    moved: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Of runs that were first there and then belonged to another one, or no more: the change."""


class _Facts(NamedTuple):
    """What is known of one run."""

    only_tag: str | None = None
    """Of a run with one series of scalars and nothing else."""
    session: Session | None = None
    is_whole: bool = False
    """Whether experiment, start and end of a session are all there, as `add_hparams` writes."""


class FamilyTree:
    """Knows the families of a store, and looks at a run again only when its tags changed."""

    def __init__(self, core: _core.Store) -> None:
        self._core = core
        self._lock = threading.Lock()
        self._names: list[str] = []
        self._tags_changes: list[int] = []
        self._facts: dict[str, _Facts] = {}
        self._families = Families()

    def families(self, table: RunTable) -> Families:
        """The families of all runs."""
        with self._lock:
            if table.names == self._names and table.tags_changes == self._tags_changes:
                return self._families
            known = dict(zip(self._names, self._tags_changes, strict=True))
            facts: dict[str, _Facts] = {}
            columns = (table.names, table.tags_changes, table.dashboards, table.series)
            rows = zip(*columns, strict=True)
            for name, tags_change, bits, series in rows:
                is_sole = bits == _SCALARS and series == 1
                if not (is_sole or bits & _HPARAMS):
                    continue
                if known.get(name) == tags_change and name in self._facts:
                    facts[name] = self._facts[name]
                else:
                    facts[name] = self._look(name)
            self._names, self._tags_changes, self._facts = table.names, table.tags_changes, facts
            found = _families(table, facts)
            self._families = replace(found, moved=_moved(table, known, self._families, found))
            return self._families

    def _look(self, name: str) -> _Facts:
        run = self._core.run(name)
        series = [] if run is None else run.all_series()
        if len(series) == 1 and series[0].dashboard == "scalars":
            return _Facts(only_tag=series[0].tag)
        contents = {
            one.tag: one.metadata.content
            for one in series
            if one.dashboard == "hparams" and one.metadata is not None
        }
        try:
            start = Start.read(contents.get(SESSION_START, b""))
            end = End.read(contents.get(SESSION_END, b"")) or End()
        except BlobUnreadableError:
            start = None
        if start is None:
            return _Facts()
        session = Session(start.hparams, _STATUSES[STATUSES.index(end.status)])
        return _Facts(None, session, EXPERIMENT in contents and SESSION_END in contents)


def _families(table: RunTable, facts: dict[str, _Facts]) -> Families:
    series = dict(zip(table.names, table.series, strict=True))
    direct = {
        name: own
        for name, fact in facts.items()
        if (own := _folded(name, fact, series)) is not None
    }
    folded = {name: one._replace(into=_head(one.into, direct)) for name, one in direct.items()}
    times = dict(zip(table.names, table.start_times, strict=True))
    logged = [
        (0.0 if isnan(times[name]) else times[name], name, fact.session)
        for name, fact in facts.items()
        if fact.session
    ]
    sessions: dict[str, Session] = {}
    for _, name, session in sorted(logged):
        head = folded[name].into if name in folded else name
        before = sessions[head].hparams if head in sessions else {}
        sessions[head] = Session({**before, **session.hparams}, session.status)
    if sessions:
        # Keras logs the curves of a session into runs below it.
        for name in table.names:
            if name not in sessions and name not in folded:
                above = next((up for up in _above(name) if up in sessions), None)
                if above is not None:
                    sessions[name] = sessions[above]
    return Families(folded, {name: sessions[name] for name in sorted(sessions)})


def _moved(
    table: RunTable, known: dict[str, int], before: Families, found: Families
) -> dict[str, int]:
    """The earlier ones, and those that moved now, of the runs that exist."""
    # The table may contain some later changes.
    now = max([table.change, *table.tags_changes])
    moved: dict[str, int] = {}
    for name in table.names:
        if name in known and before.folded.get(name) != found.folded.get(name):
            moved[name] = now
        elif name in before.moved:
            moved[name] = before.moved[name]
    return moved


def _folded(name: str, fact: _Facts, series: dict[str, int]) -> Folded | None:
    for above in _above(name):
        if above not in series:
            continue
        rest = name if above == "." else name[len(above) + 1 :]
        if fact.only_tag is not None:
            # PyTorch's directories, and tensorboardX's.
            for stem in (fact.only_tag.replace("/", "_") + "_", fact.only_tag + "/"):
                if rest.startswith(stem):
                    return Folded(above, "scalars", rest[len(stem) :], fact.only_tag)
        # A run that has nothing but such children is a sweep, and each of them a run of it.
        elif fact.is_whole and series[above]:
            return Folded(above, "hparams", rest, None)
    return None


def _above(name: str) -> Iterator[str]:
    """The names of all directories above, the nearest first; the logdir itself is `.`."""
    if name == ".":
        return
    while "/" in name:
        name = name.rpartition("/")[0]
        yield name
    yield "."


def _head(name: str, direct: dict[str, Folded]) -> str:
    while name in direct:
        name = direct[name].into
    return name
