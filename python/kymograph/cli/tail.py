"""`kymograph tail`: new points as they arrive."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import click

from kymograph.cli import logdir as logdirs
from kymograph.cli import selection, text
from kymograph.cli.program import NothingFound
from kymograph.cli.seconds import SECONDS
from kymograph.errors import UnknownRunError, UnknownTagError
from kymograph.store import Change, Series, Store

__all__ = ["tail"]

_SCALARS = "scalars"
# Names are aligned up to this many cells.
_WIDEST_NAME = 40


@dataclass(frozen=True, order=True)
class Point:
    """A line of the output."""

    wall_time: float
    run: str
    tag: str
    step: int
    value: float


Write: TypeAlias = Callable[[Point], None]


@click.command()
@click.argument("logdir")
@selection.options
@click.option(
    "-n",
    "--last",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Start with the last N points of each series.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object per line.")
@click.option(
    "--idle",
    type=SECONDS,
    metavar="SECS",
    help="Exit after this long without a new point; otherwise run until Ctrl-C.",
)
def tail(
    logdir: str, choice: selection.Choice, last: int, as_json: bool, idle: float | None
) -> None:
    """Print each new scalar point of LOGDIR as it arrives: time, run, tag, step and value."""
    write = _write_json if as_json else _Lines().write
    try:
        with Store(logdir, follow=True) as store:
            _announce(store)
            _follow(store, choice, write, last=last, idle=idle)
            missing = logdirs.missing(store)
            if len(missing) == len(store.roots):
                waited = f"no such directory, and none appeared within {idle:g} s"
                hint = f"hint: {logdirs.command('doctor', missing[0])} suggests similar paths"
                raise NothingFound(f"{waited}: {', '.join(missing)}\n{hint}")
    except KeyboardInterrupt:
        return


def _announce(store: Store) -> None:
    if not sys.stderr.isatty():
        return
    if missing := logdirs.missing(store):
        click.echo(f"waiting for {', '.join(missing)} to appear; Ctrl-C to exit", err=True)
    elif not store.wait(0.5):
        click.echo("loading existing points ...", err=True)


def _follow(
    store: Store, choice: selection.Choice, write: Write, *, last: int, idle: float | None
) -> None:
    store.wait()
    # The number is read before the points: what arrives in between is seen as a change, and
    # compared with the points that were there.
    since = store.change
    seen = {(series.run, series.tag): series for series in choice.scalars_of(store)}
    if sys.stderr.isatty() and (seen or not logdirs.missing(store)):
        click.echo(f"following {text.count(len(seen), 'series')}; Ctrl-C to exit", err=True)
    if last:
        _put(write, (p for series in seen.values() for p in _points(series, len(series) - last)))
    while (number := store.wait_for_change(since, idle)) > since:
        changes, since = store.changes(since), number
        _put(write, _news(store, choice, changes, seen))


def _news(
    store: Store,
    choice: selection.Choice,
    changes: Iterable[Change],
    seen: dict[tuple[str, str], Series],
) -> list[Point]:
    found: list[Point] = []
    for change in changes:
        if change.tag is None or change.removed:
            for key in [k for k in seen if k[0] == change.run and change.tag in (None, k[1])]:
                del seen[key]
        elif (
            change.dashboard == _SCALARS
            and choice.has_run(change.run)
            and choice.has_tag(change.tag)
        ):
            try:
                series = store[change.run].series(change.tag)
            except (UnknownRunError, UnknownTagError):
                continue  # gone by now; a later change reports it
            found += new_points(seen.get((change.run, change.tag)), series)
            seen[change.run, change.tag] = series
    return found


def new_points(before: Series | None, now: Series) -> list[Point]:
    """The points that a series has more than it had."""
    if before is None:
        return _points(now, 0)
    if before.generation == now.generation:
        return _points(now, len(before))
    # Points vanished or moved: two writers at once, a restart, a file that was replaced.
    old = Counter(_identities(_points(before, 0)))
    fresh = []
    for point, identity in zip(points := _points(now, 0), _identities(points), strict=True):
        if old[identity]:
            old[identity] -= 1
        else:
            fresh.append(point)
    return fresh


def _identities(points: list[Point]) -> list[tuple[int, float, str]]:
    # NaN does not equal itself; its spelling does.
    return [(point.step, point.wall_time, text.spelled(point.value)) for point in points]


def _points(series: Series, start: int) -> list[Point]:
    start = max(start, 0)
    columns = (series.wall_times[start:], series.steps[start:], series.values[start:])
    return [
        Point(wall_time, series.run, series.tag, step, value)
        for wall_time, step, value in zip(*(c.tolist() for c in columns), strict=True)
    ]


def _put(write: Write, points: Iterable[Point]) -> None:
    for point in sorted(points, key=lambda point: point.wall_time):
        write(point)
    sys.stdout.flush()


def _write_json(point: Point) -> None:
    value = json.dumps(point.value if point.value - point.value == 0 else text.spelled(point.value))
    names = json.dumps({"run": point.run, "tag": point.tag}, ensure_ascii=False)[:-1]
    wall_time = text.spelled(point.wall_time)
    line = f'{names}, "step": {point.step}, "wall_time": {wall_time}, "value": {value}}}'
    click.echo(text.utf8(line))


class _Lines:
    """Aligned columns on a terminal, tab-separated elsewhere."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        # They grow with the names that arrive.
        self._run_width = self._tag_width = 0

    def write(self, point: Point) -> None:
        run, tag = text.printable(point.run), text.printable(point.tag)
        if not self._is_terminal:
            moment, value = text.date_and_time(point.wall_time), text.spelled(point.value)
            click.echo("\t".join([moment, run, tag, str(point.step), value]))
            return
        self._run_width = min(max(self._run_width, text.cells(run)), _WIDEST_NAME)
        self._tag_width = min(max(self._tag_width, text.cells(tag)), _WIDEST_NAME)
        moment = click.style(text.clock(point.wall_time), dim=True)
        click.echo(
            f"{moment}  {text.padded(run, self._run_width)}  {text.padded(tag, self._tag_width)}"
            f"  {point.step:>9}  {point.value:.6g}"
        )
