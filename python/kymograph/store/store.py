"""All runs of a logdir that are loaded so far."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Literal, TypeAlias, TypeVar

import msgspec

from kymograph import _core
from kymograph.errors import LogdirError, QueryError, UnknownRunError, UnknownTagError
from kymograph.store.blobs import BlobSeries, Decoded, decoded
from kymograph.store.blobs.audio import Spectrogram, Waveform
from kymograph.store.blobs.images import PictureLook
from kymograph.store.blobs.tensor import TensorDescription, TensorWindow
from kymograph.store.blobs.text import TextHits
from kymograph.store.blobs.video import Video, VideoFrames
from kymograph.store.derived import Derivation, Derivations
from kymograph.store.expression import Expression
from kymograph.store.families import Families, FamilyTree
from kymograph.store.meshes import Mesh
from kymograph.store.query import Pattern, Selection, matcher
from kymograph.store.series import Series
from kymograph.store.tables import ChangedRuns, RunTable, TagTable

__all__ = [
    "DASHBOARDS",
    "Change",
    "FileReport",
    "Gap",
    "Logdir",
    "Progress",
    "Restart",
    "Run",
    "Store",
    "open",
]

DASHBOARDS: tuple[str, ...] = tuple(_core.DASHBOARDS)
"""The names of all dashboards, in the order in which they are shown."""

_Store = TypeVar("_Store", bound="Store")
_SCALARS = "scalars"
# Waits are cut into slices of this length, so that Ctrl-C interrupts them.
_SLICE_SECS = 0.1
_IS_UTF8 = sys.getfilesystemencoding().lower().replace("-", "") == "utf8"

PathLike: TypeAlias = "str | os.PathLike[str]"
Logdir: TypeAlias = "PathLike | Iterable[PathLike] | Mapping[str, PathLike]"
"""A directory, several, or several with names; a string may be a `name:path,name:path` spec."""
Roots: TypeAlias = "list[tuple[str | None, Path]]"
"""Directories, with the names that their runs are shown under."""


class Progress(msgspec.Struct, frozen=True):
    """The progress of loading."""

    bytes_done: int
    bytes_known: int
    files_done: int
    files_known: int
    loading: bool


class Gap(msgspec.Struct, frozen=True):
    """Bytes between intact records that were skipped."""

    offset: int
    bytes: int
    step_before: int | None
    """The step of the last value before them, if there is one."""
    step_after: int | None
    """The step of the event behind them, if it has values and was there already."""

    @classmethod
    def from_core(cls, core: _core.Gap) -> Gap:
        """From what the core reports."""
        return cls(core.offset, core.bytes, core.step_before, core.step_after)


class FileReport(msgspec.Struct, frozen=True):
    """A report on an event file."""

    run: str
    path: Path
    bytes: int
    bytes_read: int
    records: int
    """Intact records."""
    bad_records: int
    """Records lost because their payload does not match its checksum."""
    bad_headers: int
    """Places where the framing broke and the next record had to be searched for."""
    skipped_bytes: int
    """Bytes that belong to no intact record."""
    bad_wall_times: int
    """Events whose time was not a number and was replaced by that of their neighbour."""
    broken_tail: bool
    """Whether the unread bytes at the end cannot be the beginning of a record."""
    error: str | None
    """Why it cannot be read, if it cannot."""
    gaps: tuple[Gap, ...] = ()
    """Where bytes were skipped; the first hundred places."""

    @classmethod
    def from_core(cls, core: _core.FileReport) -> FileReport:
        """From what the core reports."""
        return cls(
            run=core.run,
            path=_openable(core.path),
            bytes=core.bytes,
            bytes_read=core.bytes_read,
            records=core.records,
            bad_records=core.bad_records,
            bad_headers=core.bad_headers,
            skipped_bytes=core.skipped_bytes,
            bad_wall_times=core.bad_wall_times,
            broken_tail=core.broken_tail,
            error=core.error,
            gaps=tuple(Gap.from_core(gap) for gap in core.gaps),
        )

    @property
    def tail_bytes(self) -> int:
        """Bytes at the end that are not a complete record, or not yet."""
        return self.bytes - self.bytes_read

    @property
    def is_damaged(self) -> bool:
        """Whether anything in it was lost."""
        return bool(self.bad_records or self.bad_headers or self.skipped_bytes or self.broken_tail)


class Restart(msgspec.Struct, frozen=True):
    """A moment at which a run was restarted and continued tags it had logged before."""

    step: int
    """The lowest step at which any of these tags continued."""
    wall_time: float
    """When the first of them did, in seconds since the epoch."""
    hidden_points: int
    """Points that were superseded."""


class Change(msgspec.Struct, frozen=True):
    """A series, or a whole run, that changed."""

    number: int
    run: str
    dashboard: str | None
    """None when the whole run was removed, as for `tag`."""
    tag: str | None
    removed: bool


class Run:
    """A run of a store. It always reflects what is loaded so far.

    A run that was removed and has reappeared is another object: get it from the store again.
    """

    def __init__(self, core: _core.Run) -> None:
        self._core = core

    def __repr__(self) -> str:
        return f"<Run {self.name!r}>"

    @property
    def name(self) -> str:
        """The path of its directory relative to the logdir."""
        return self._core.name

    @property
    def start_time(self) -> float | None:
        """Time of the first value it logged, in seconds since the epoch.

        The record that opens a file has the time of its making, which says nothing of logs that
        were written with times of their own; it counts only while there is nothing else.
        """
        times = self._core.wall_times
        return times and times[0]

    @property
    def end_time(self) -> float | None:
        """Time of the last value it logged so far, in seconds since the epoch."""
        times = self._core.wall_times
        return times and times[1]

    @property
    def first_event_time(self) -> float | None:
        """Earliest time of all its events, those that open files included."""
        return self._core.first_event_time

    @property
    def change(self) -> int:
        """The change number of its last change."""
        return self._core.change

    @property
    def dashboards(self) -> list[str]:
        """The dashboards that have data, in the order in which they are shown."""
        found = {series.dashboard for series in self._core.all_series()}
        return [name for name in DASHBOARDS if name in found]

    @property
    def hidden_points(self) -> int:
        """Points superseded by restarts; `open(..., purge_orphaned_data=False)` shows them."""
        return sum(series.hidden for series in self._core.all_series())

    def restarts(self, tag: str | None = None) -> list[Restart]:
        """Where it was restarted, according to all tags or to one, in order of time."""
        return [Restart(*fields) for fields in self._core.restarts(tag)]

    def tags(self, dashboard: str = _SCALARS) -> list[str]:
        """The tags of one dashboard, sorted."""
        return [series.tag for series in self._core.all_series(_dashboard(dashboard))]

    def series(self, tag: str) -> Series:
        """The scalars of a tag. Raises UnknownTagError when there are none."""
        core = self._core.series(_SCALARS, tag)
        if core is None:
            raise UnknownTagError(f"run `{self.name}` has no scalars with the tag: {tag!r}")
        return Series(self.name, core)

    def all_series(self) -> list[Series]:
        """All scalars, by tag."""
        return [Series(self.name, core) for core in self._core.all_series(_SCALARS)]

    def blobs(self, tag: str, dashboard: str | None = None) -> BlobSeries:
        """The blobs of a tag: on this dashboard, or on the first that has some.

        Raises UnknownTagError when there are none.
        """
        names = DASHBOARDS[1:] if dashboard is None else [_dashboard(dashboard)]
        for name in names:
            core = self._core.series(name, tag)
            if core is not None and name != _SCALARS:
                return BlobSeries(self.name, core)
        if dashboard == "images" and self._core.series("video", tag) is not None:
            raise UnknownTagError(
                f"run `{self.name}` has videos, and no images, with the tag: {tag!r}\n"
                'hint: use `blobs(tag, "video")`'
            )
        raise UnknownTagError(f"run `{self.name}` has no blobs with the tag: {tag!r}")

    def all_blobs(self, dashboard: str | None = None) -> list[BlobSeries]:
        """All blobs, or those of one dashboard."""
        name = None if dashboard is None else _dashboard(dashboard)
        cores = self._core.all_series(name)
        return [BlobSeries(self.name, core) for core in cores if core.dashboard != _SCALARS]


class Store:
    """A logdir, loaded in the background and, with `follow`, kept up to date.

    The constructor does not wait: `wait()` returns when everything is loaded, and until then
    runs and points are those found so far. `kymograph.open` waits, unless it follows.

    To be notified of changes as they happen:

        with kymograph.open("runs", follow=True) as store:
            for change in store.subscribe():
                print(change.run, change.tag)
    """

    def __init__(
        self,
        logdir: Logdir,
        *,
        follow: bool = False,
        purge_orphaned_data: bool = True,
        threads: int = 0,
    ) -> None:
        self.roots = _roots(logdir)
        self.follow = follow
        self._core = _core.Store(
            list(self.roots),
            follow=follow,
            purge_orphaned_data=purge_orphaned_data,
            threads=threads,
        )
        self._family_tree = FamilyTree(self._core)
        self._derivations = Derivations()

    def __repr__(self) -> str:
        return f"<Store {', '.join(str(path) for _, path in self.roots)}: {len(self)} runs>"

    def __enter__(self: _Store) -> _Store:  # noqa: PYI019  (`Self` needs Python 3.11)
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops loading and following. What is loaded stays readable."""
        self._core.close()

    @property
    def runs(self) -> Mapping[str, Run]:
        """The runs found so far, by name."""
        return MappingProxyType({core.name: Run(core) for core in self._core.runs()})

    def __getitem__(self, name: str) -> Run:
        core = self._core.run(name)
        if core is None:
            raise UnknownRunError(f"no such run: {name!r}")
        return Run(core)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._core.run(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self._core)

    def select(self, runs: Pattern = None, tags: Pattern = None) -> Selection:
        """Scalar series by run and tag.

        A string is a glob, a compiled regular expression is searched for, any other iterable
        gives exact names, and nothing means all.
        """
        is_run, is_tag = matcher(runs), matcher(tags)
        return Selection(
            [
                series
                for name, run in self.runs.items()
                if is_run(name)
                for series in run.all_series()
                if is_tag(series.tag)
            ]
        )

    def all_series(self, tag: str) -> list[Series]:
        """The scalars of a tag, of each run that has some."""
        found = ((run.name, run.series(_SCALARS, tag)) for run in self._core.runs())
        return [Series(name, core) for name, core in found if core is not None]

    def derived(self, expression: Expression, run: str) -> Derivation:
        """The series of an expression for a run. Raises UnknownRunError or UnknownTagError."""
        members = [self[run].series(tag) for tag in expression.tags]
        return Derivation(self._derivations, expression, members)

    def all_derived(self, expression: Expression) -> list[Derivation]:
        """The series of an expression for each run that has all its tags."""
        found = []
        for run in self._core.runs():
            cores = [run.series(_SCALARS, tag) for tag in expression.tags]
            members = [Series(run.name, core) for core in cores if core is not None]
            if len(members) == len(cores):
                found.append(Derivation(self._derivations, expression, members))
        return found

    def run_table(self) -> RunTable:
        """All runs found so far, without an object for each."""
        return RunTable(**self._core.run_table())

    def families(self, table: RunTable | None = None) -> Families:
        """How the runs of a table, or all found so far, belong together."""
        return self._family_tree.families(self.run_table() if table is None else table)

    def tag_table(self, dashboard: str = _SCALARS, runs: Iterable[str] | None = None) -> TagTable:
        """The tags of all runs, or of these, on a dashboard; unknown runs have none."""
        names = None if runs is None else list(runs)
        return TagTable(**self._core.tag_table(_dashboard(dashboard), names))

    def changed_runs(self, since: int) -> ChangedRuns:
        """The runs that changed after a change number."""
        return ChangedRuns(*self._core.changed_runs(since))

    def read_blob(self, address: str) -> bytes:
        """The bytes of the blob with this `address`, as `Blob.read` returns them.

        Raises QueryError for an invalid address, BlobUnreadableError if there is nothing at it.
        """
        return self._core.read_blob_at(address)

    def decode_blob(self, address: str) -> Decoded:
        """The blob with this `address`, as `Blob.decode` returns it; raises as `read_blob` does."""
        return decoded(self._core.decode_blob_at(address))

    def decode_blobs(self, addresses: Sequence[str]) -> list[Decoded | str]:
        """The blobs with these addresses, read and decoded in parallel.

        A sentence in the place of each that is not there or cannot be read.
        """
        found = self._core.decode_blobs_at(list(addresses))
        return [str(one) if isinstance(one, Exception) else decoded(one) for one in found]

    def search_texts(
        self,
        pattern: _core.Pattern,
        series: Sequence[BlobSeries],
        *,
        start: int = 0,
        most_series: int = 1000,
        most_texts: int = 1000,
        timeout: float = 60,
        most_bytes: int = 1 << 40,
    ) -> TextHits:
        """What is found in the texts of these series, in their order, from text `start` on.

        It stops when the time is up or so many bytes are read, and says where to continue.
        """
        found = self._core.search_texts(
            pattern,
            [one._core for one in series],  # noqa: SLF001
            start,
            max_series=most_series,
            max_texts=most_texts,
            timeout=timeout,
            max_bytes=most_bytes,
        )
        return TextHits.from_core(found)

    def describe_tensors(self, addresses: Sequence[str]) -> list[TensorDescription | str]:
        """What kind of tensor is in each blob with these addresses, read and computed in parallel.

        A sentence in the place of each that is not there or is no tensor.
        """
        found = self._core.describe_tensors(list(addresses))
        return [
            str(one) if isinstance(one, Exception) else TensorDescription.from_core(one)
            for one in found
        ]

    def tensor_window(
        self,
        address: str,
        *,
        index: Sequence[int] = (),
        rows: tuple[int, int] = (0, 100),
        columns: tuple[int, int] = (0, 100),
        most_values: int = 1_000_000,
    ) -> TensorWindow:
        """A table of the values of the tensor with this `address`.

        The last two axes are rows and columns, those before them are fixed by `index`; a tensor of
        one axis is a single column. Rows and columns beyond the end are left out. Raises as
        `read_blob` does, and QueryError for an index that is not there or too many values.
        """
        core = self._core.tensor_window(address, list(index), rows, columns, max_values=most_values)
        return TensorWindow.from_core(core)

    def mesh(
        self,
        vertices: str,
        faces: str | None = None,
        colours: str | None = None,
        *,
        item: int = 0,
        most_points: int = 2_000_000,
        most_triangles: int = 2_000_000,
    ) -> Mesh:
        """One item of the mesh whose parts have these addresses, put together.

        Raises as `read_blob` does, and QueryError for vertices that are none. Problems with faces
        and colours are in `problems`.
        """
        core = self._core.mesh(
            vertices, faces, colours, item, max_points=most_points, max_triangles=most_triangles
        )
        return Mesh.from_core(core)

    def look_at_pictures(
        self, pictures: Sequence[tuple[str, int]], *, size: int | None = None
    ) -> list[PictureLook]:
        """What these pictures are, each named by the address of its blob and its number there.

        With a `size`, also copies that are at most so many pixels wide and high; the last copies
        are kept in memory. Pictures that cannot be shown have an `error`.
        """
        found = self._core.look_at_pictures(list(pictures), size)
        return [PictureLook.from_core(one) for one in found]

    def waveform(self, address: str, item: int = 0, *, columns: int = 1000) -> Waveform:
        """The clip with this `address` as columns of pixels; fewer where it has fewer samples.

        Raises as `read_blob` does, and BlobUnreadableError for what is no clip or is damaged.
        """
        return Waveform.from_core(self._core.waveform(address, item, columns))

    def spectrogram(
        self,
        address: str,
        item: int = 0,
        *,
        columns: int = 1000,
        rows: int = 128,
        scale: Literal["mel", "log"] = "mel",
    ) -> Spectrogram:
        """The clip with this `address` as a picture of its frequencies; raises as `waveform`."""
        return Spectrogram.from_core(self._core.spectrogram(address, item, columns, rows, scale))

    def describe_video(self, address: str, item: int = 0) -> Video:
        """What is known of the video with this `address`; raises as `read_blob` does."""
        return Video.from_core(self._core.describe_video(address, item))

    def video_frames(
        self,
        address: str,
        item: int = 0,
        *,
        first: int = 0,
        count: int = 1,
        stride: int = 1,
        max_width: int = 65_535,
    ) -> VideoFrames:
        """Some frames of the GIF with this `address`, from `first` on, every `stride`-th.

        There may be fewer than `count`: the GIF ends, or they would be too large together. Raises
        as `read_blob` does, and BlobUnreadableError for what is no GIF or is damaged.
        """
        return VideoFrames.from_core(
            self._core.video_frames(address, item, first, count, stride=stride, max_width=max_width)
        )

    @property
    def files(self) -> list[FileReport]:
        """A report on each event file."""
        return [FileReport.from_core(core) for core in self._core.files()]

    @property
    def damaged_files(self) -> list[FileReport]:
        """Those of `files` in which something was lost or replaced, or that cannot be read."""
        return [FileReport.from_core(core) for core in self._core.damaged_files()]

    @property
    def unreachable(self) -> list[tuple[Path, str]]:
        """Paths that could not be read, and why; runs below them may be missing."""
        return [(_openable(path), reason) for path, reason in self._core.unreachable()]

    @property
    def progress(self) -> Progress:
        """The progress of loading."""
        return Progress(*self._core.progress())

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until everything found at the start is loaded; returns whether it is."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._core.wait_loaded(_slice(deadline)):
            if self._core.closed() or (deadline is not None and time.monotonic() >= deadline):
                return False
        return True

    def refresh(self) -> None:
        """Reads new data now, without waiting for the next scan."""
        self._core.refresh()

    @property
    def change(self) -> int:
        """The change number of the last change."""
        return self._core.change()

    def changes(self, since: int) -> list[Change]:
        """What changed after a change number, oldest first; each series once.

        Nothing is left out up to the last number in it, which is where to continue.
        """
        return [
            Change(number, run, series and series[0], series and series[1], removed)
            for number, run, series, removed in self._core.changes(since)
        ]

    def wait_for_change(self, since: int, timeout: float | None = None) -> int:
        """Waits for a change after a change number; returns the current number."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            number = self._core.wait_for_change(since, _slice(deadline))
            late = deadline is not None and time.monotonic() >= deadline
            if number > since or late or self._core.closed():
                return number

    def subscribe(self, since: int = 0, *, timeout: float | None = None) -> Iterator[Change]:
        """Changes as they happen, until the store is closed or there is none within the timeout."""
        while True:
            number = self.wait_for_change(since, timeout)
            if number <= since:
                return
            changes = self.changes(since)
            yield from changes
            # Not every change is one of a series.
            since = max(number, changes[-1].number) if changes else number


def open(  # noqa: A001  (like `gzip.open`, always used qualified)
    logdir: Logdir,
    *,
    follow: bool = False,
    purge_orphaned_data: bool = True,
) -> Store:
    """Opens a logdir: every point of every run below it.

    Without `follow`, returns when everything is loaded; a directory that does not exist counts as
    empty, as before the first run is written. With it, returns at once; the store
    keeps loading, and follows files as they grow, until it is closed.

    `purge_orphaned_data` hides what a restart logged again; `run.hidden_points` counts it.

        store = kymograph.open("runs")
        frame = store.select(runs="exp-*", tags="val/*").to_pandas()
    """
    store = Store(logdir, follow=follow, purge_orphaned_data=purge_orphaned_data)
    if not follow:
        try:
            store.wait()
        except BaseException:
            store.close()
            raise
    return store


def _openable(path: Path) -> Path:
    """A path from the core in the encoding of the file system, which may not be UTF-8."""
    if _IS_UTF8:
        return path
    return Path(os.fsdecode(str(path).encode("utf-8", "surrogateescape")))


def _slice(deadline: float | None) -> float:
    if deadline is None:
        return _SLICE_SECS
    return max(0.0, min(_SLICE_SECS, deadline - time.monotonic()))


def _dashboard(name: str) -> str:
    if name not in DASHBOARDS:
        raise QueryError(f"unknown dashboard `{name}`; use one of: {', '.join(DASHBOARDS)}")
    return name


def _roots(logdir: Logdir) -> Roots:
    if not isinstance(logdir, str | os.PathLike | Iterable):
        raise LogdirError(f"a logdir must be a path or several paths, not: {logdir!r}")
    if isinstance(logdir, Mapping):
        roots: Roots = [(name, _given(path)) for name, path in logdir.items()]
    elif isinstance(logdir, str) and not os.path.exists(os.path.expanduser(logdir)):
        # A path that is there is never taken apart, whatever is in its name.
        roots = _parsed(logdir)
    elif isinstance(logdir, str | os.PathLike):
        roots = [(None, Path(logdir))]
    else:
        roots = [(None, _given(path)) for path in logdir]
    if not roots or logdir == "":
        raise LogdirError("no directory was given")
    return [(name, Path(os.path.expanduser(path))) for name, path in roots]


def _given(path: PathLike) -> Path:
    """A path that is not empty: an unset variable must not open the current directory."""
    if not os.fspath(path):
        raise LogdirError("one of the directories is an empty path")
    return Path(path)


def _parsed(spec: str) -> Roots:
    """The roots of a `name:path,name:path` spec."""
    for element in spec.split(","):
        name, colon, path = element.strip().partition(":")
        if colon and name and not path.strip():
            raise LogdirError(f"`{name}:` has no path: {spec!r}")
    try:
        text = os.fsencode(spec).decode()
    except UnicodeDecodeError:
        return [(None, Path(spec))]  # a spec is text; this is the name of a file
    return [(name, _openable(path)) for name, path in _core.Store.parse_spec(text)]
