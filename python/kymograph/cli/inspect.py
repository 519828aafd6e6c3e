"""`kymograph inspect`: what a logdir contains, and what is damaged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import click

from kymograph.cli import logdir, selection, text
from kymograph.cli.program import NothingFound
from kymograph.store import BlobSeries, FileReport, Run, Series, Store, foreign

__all__ = ["inspect"]

# With more than this, a run is a line, and a list of tags is cut.
_RUNS_IN_FULL = 6
_TAGS_IN_FULL = 25
_PLACES_IN_FULL = 4

Tag: TypeAlias = Series | BlobSeries


@dataclass(frozen=True)
class _Contents:
    """What is shown of a run."""

    run: Run
    tags: list[Tag]
    files: list[FileReport] = field(default_factory=list)
    foreign: dict[FileReport, foreign.Kind] = field(default_factory=dict)
    """Those of the files that are not event files."""

    @property
    def points(self) -> int:
        return sum(len(tag) for tag in self.tags)

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)

    @property
    def damaged(self) -> list[FileReport]:
        """The event files in which something was lost; those that cannot be read at all are not."""
        return [
            file
            for file in self.files
            if file.is_damaged and not file.error and file not in self.foreign
        ]

    @property
    def hidden_points(self) -> int:
        return sum(tag.hidden_points for tag in self.tags)

    @property
    def step_range(self) -> tuple[int, int] | None:
        ranges = [found for tag in self.tags if (found := tag.step_range)]
        return (min(r[0] for r in ranges), max(r[1] for r in ranges)) if ranges else None


@click.command()
@logdir.argument
@selection.options
@click.option("--all", "everything", is_flag=True, help="Show every tag of every run.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def inspect(
    logdirs: tuple[str, ...], choice: selection.Choice, everything: bool, as_json: bool
) -> None:
    """Show the runs of LOGDIR with their tags, points, steps, times, sizes and damage."""
    with logdir.loaded(logdirs) as store:
        contents = _contents(store, choice)
        if as_json:
            document = json.dumps(_document(store, contents), indent=1, ensure_ascii=False)
            click.echo(text.utf8(document))
        elif contents:
            for line in _report(contents, logdir.unreachable(store), everything=everything):
                click.echo(line)
        if not contents:
            raise _nothing(store, logdirs, choice)


def _nothing(store: Store, logdirs: tuple[str, ...], choice: selection.Choice) -> NothingFound:
    if not len(store):
        return logdir.no_event_files(store, logdirs)
    hint = f"hint: {logdir.command('inspect', *logdirs)} lists all runs and tags"
    if runs := choice.runs_of(store):
        return NothingFound(f"no tag matches in {text.count(len(runs), 'run')}\n{hint}")
    return NothingFound(f"no match among {text.count(len(store), 'run')}\n{hint}")


def _contents(store: Store, choice: selection.Choice) -> list[_Contents]:
    found = {}
    for run in choice.runs_of(store):
        tags: list[Tag] = [*run.all_series(), *run.all_blobs()]
        chosen = [tag for tag in tags if choice.has_tag(tag.tag)]
        if chosen or not choice.tags:
            found[run.name] = _Contents(run, chosen)
    for file in store.files:
        if file.run in found:
            found[file.run].files.append(file)
            if kind := foreign.kind_of(file):
                found[file.run].foreign[file] = kind
    return list(found.values())


def _report(
    contents: list[_Contents], unreachable: list[tuple[Path, str]], *, everything: bool
) -> Iterator[str]:
    limit = text.width()
    if everything or len(contents) <= _RUNS_IN_FULL:
        for run in contents:
            yield from _run_in_full(run, limit=limit, everything=everything)
            yield ""
    else:
        yield from _runs_in_short(contents, limit)
        yield ""
    yield from _totals(contents)
    if unreachable:
        yield _labelled("unreachable", f"{text.count(len(unreachable), 'path')} cannot be read")
        shown = unreachable if everything else unreachable[:_PLACES_IN_FULL]
        for path, reason in shown:
            yield f"  {text.printable(str(path))}: {reason}"
        if len(shown) < len(unreachable):
            yield _dim(f"  … {len(unreachable) - len(shown):,} more; `--all` shows them")
    if not everything and len(contents) > _RUNS_IN_FULL:
        hint = "`--all` shows the tags of every run, `--run` those of some"
        yield _dim(text.wrapped(hint, first=0))


def _runs_in_short(contents: list[_Contents], limit: int | None) -> Iterator[str]:
    layout = (
        text.Column("run", shrinks=True),
        text.Column("tags", right=True, leaves=5),
        text.Column("points", right=True),
        text.Column("steps", right=True, leaves=4),
        text.Column("started", leaves=1),
        text.Column("duration", right=True, leaves=2),
        text.Column("size", right=True, leaves=3),
        text.Column("", leaves=6),
    )
    rows = [
        (
            text.printable(run.run.name),
            f"{len(run.tags):,}",
            f"{run.points:,}",
            text.span(run.step_range),
            _began(run.run),
            _lasted(run.run),
            text.size(run.bytes),
            ", ".join(_marks(run)),
        )
        for run in contents
    ]
    title, *lines = text.columns(layout, rows, limit=limit)
    yield _dim(title)
    yield from lines


def _run_in_full(run: _Contents, *, limit: int | None, everything: bool) -> Iterator[str]:
    files = f"{text.size(run.bytes)} in {text.count(len(run.files), 'file')}"
    facts = [files] if run.files else []
    if run.run.start_time is not None:
        facts.append(f"{_began(run.run)}, {_lasted(run.run)}")
    name = text.shortened(text.printable(run.run.name), limit)
    beside = " · ".join(facts)
    if limit is None or text.cells(name) + 2 + text.cells(beside) <= limit:
        yield f"{click.style(name, bold=True)}  {_dim(beside)}"
    else:
        yield click.style(name, bold=True)
        yield _dim("  " + text.wrapped(beside, first=2))
    shown = run.tags
    if not everything:
        place = Counter[str]()
        shown = []
        for tag in run.tags:
            place[_dashboard(tag)] += 1
            if place[_dashboard(tag)] <= _TAGS_IN_FULL:
                shown.append(tag)
    layout = (
        text.Column("dashboard", leaves=2),
        text.Column("tag", shrinks=True),
        text.Column("points", right=True),
        text.Column("steps", right=True, leaves=3),
        text.Column("duration", right=True, leaves=1),
    )
    rows = [
        (
            _dashboard(tag),
            text.printable(tag.tag),
            f"{len(tag):,}",
            text.span(tag.step_range),
            _tag_lasted(tag),
        )
        for tag in shown
    ]
    if rows:
        title, *lines = text.columns(layout, rows, limit=limit, indent=2)
        yield _dim(title)
        yield from lines
    if len(shown) < len(run.tags):
        left_out = text.count(len(run.tags) - len(shown), "more tag")
        yield _dim(f"  … {left_out}; `--all` shows them")
    for remark in _remarks(run) or ([] if run.tags else ["no data"]):
        yield click.style("  " + text.wrapped(remark, first=2, rest=4), fg="yellow")


def _totals(contents: list[_Contents]) -> Iterator[str]:
    files = [file for run in contents for file in run.files]
    parts = [
        text.count(len(contents), "run"),
        text.count(sum(len(run.tags) for run in contents), "tag"),
        text.count(sum(run.points for run in contents), "point"),
        f"{text.size(sum(file.bytes for file in files))} in {text.count(len(files), 'file')}",
    ]
    yield click.style(text.wrapped(", ".join(parts), first=0), bold=True)
    damaged = [file for run in contents for file in run.damaged]
    if damaged:
        what = "; ".join(_damage(damaged))
        yield _labelled("damage", f"{what}, in {text.count(len(damaged), 'file')}")
    unreadable = sum(file.error is not None for file in files)
    if unreadable:
        yield _labelled("unreadable", text.count(unreadable, "file"))
    if kinds := _kinds(contents):
        yield _labelled("not event files", kinds)


def _labelled(label: str, sentence: str) -> str:
    rest = text.wrapped(sentence, first=len(label) + 2)
    return f"{click.style(label, fg='yellow', bold=True)}: {rest}"


def _kinds(contents: list[_Contents]) -> str:
    """`2 gzip, 1 icloud`: the files with the name of an event file that are something else."""
    kinds = Counter(kind for run in contents for kind in run.foreign.values())
    return ", ".join(f"{number:,} {kind}" for kind, number in sorted(kinds.items()))


def _marks(run: _Contents) -> list[str]:
    """The remarks of a run in a word each."""
    files = run.files
    return [
        *(["unreadable"] if any(file.error for file in files) else []),
        *(["damaged"] if run.damaged else []),
        *(["not event files"] if run.foreign else []),
        *([f"{run.hidden_points:,} hidden"] if run.hidden_points else []),
    ]


def _remarks(run: _Contents) -> list[str]:
    """Notes on a run: damage, hidden points and unreadable files."""
    remarks = _damage(run.damaged)
    if kinds := _kinds([run]):
        remarks.append(f"not event files: {kinds}")
    errors = [file.error for file in run.files if file.error]
    if errors:
        remarks.append(f"{text.count(len(errors), 'unreadable file')}: {errors[0]}")
    tail = sum(
        file.tail_bytes
        for file in run.files
        if not file.broken_tail and not file.error and file not in run.foreign
    )
    if tail:
        remarks.append(f"{tail:,} bytes of an unfinished record at the end")
    if run.hidden_points:
        remarks.append(f"{text.count(run.hidden_points, 'point')} superseded by restarts")
    return remarks


def _damage(files: list[FileReport]) -> list[str]:
    bad_records = sum(file.bad_records for file in files)
    bad_headers = sum(file.bad_headers for file in files)
    skipped_bytes = sum(file.skipped_bytes for file in files)
    bad_tails = sum(file.tail_bytes for file in files if file.broken_tail)
    return [
        *([text.count(bad_records, "damaged record")] if bad_records else []),
        *([text.count(bad_headers, "broken header")] if bad_headers else []),
        *([f"{text.count(skipped_bytes, 'byte')} skipped"] if skipped_bytes else []),
        *([f"{text.count(bad_tails, 'unreadable byte')} at the end"] if bad_tails else []),
    ]


def _dashboard(tag: Tag) -> str:
    return "scalars" if isinstance(tag, Series) else tag.dashboard


def _began(run: Run) -> str:
    return "-" if run.start_time is None else text.date_and_time(run.start_time)


def _lasted(run: Run) -> str:
    if run.start_time is None or run.end_time is None:
        return "-"
    return text.duration(run.end_time - run.start_time)


def _tag_lasted(tag: Tag) -> str:
    times = tag.wall_time_range
    return "-" if times is None else text.duration(times[1] - times[0])


def _dim(line: str) -> str:
    return click.style(line, dim=True)


def _document(store: Store, contents: list[_Contents]) -> dict[str, Any]:
    files = [file for run in contents for file in run.files]
    return {
        "version": 1,
        "roots": [{"name": name, "path": str(path)} for name, path in store.roots],
        "runs": [_run_document(run) for run in contents],
        "unreachable": [
            {"path": str(path), "reason": reason} for path, reason in logdir.unreachable(store)
        ],
        "totals": {
            "runs": len(contents),
            "tags": sum(len(run.tags) for run in contents),
            "points": sum(run.points for run in contents),
            "hidden_points": sum(run.hidden_points for run in contents),
            "files": len(files),
            "bytes": sum(file.bytes for file in files),
            "damaged_files": sum(len(run.damaged) for run in contents),
            "unreadable_files": sum(file.error is not None for file in files),
            "foreign_files": sum(len(run.foreign) for run in contents),
        },
    }


def _run_document(run: _Contents) -> dict[str, Any]:
    return {
        "name": run.run.name,
        "start_time": run.run.start_time,
        "end_time": run.run.end_time,
        "bytes": run.bytes,
        "points": run.points,
        "hidden_points": run.hidden_points,
        "tags": [
            {
                "tag": tag.tag,
                "dashboard": _dashboard(tag),
                "plugin": tag.metadata.plugin_name,
                "points": len(tag),
                "hidden_points": tag.hidden_points,
                "steps": tag.step_range,
                "wall_times": tag.wall_time_range,
            }
            for tag in run.tags
        ],
        "files": [
            {
                "path": str(file.path),
                "bytes": file.bytes,
                "bytes_read": file.bytes_read,
                "tail_bytes": file.tail_bytes,
                "broken_tail": file.broken_tail,
                "records": file.records,
                "bad_records": file.bad_records,
                "bad_headers": file.bad_headers,
                "skipped_bytes": file.skipped_bytes,
                "bad_wall_times": file.bad_wall_times,
                "damaged": file in run.damaged,
                "foreign": run.foreign.get(file),
                "error": file.error,
            }
            for file in run.files
        ],
    }
