"""Event files that cannot be read, are damaged, cut off, compressed or hold nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kymograph.store.doctor.finding import Finding, count, finding
from kymograph.store.store import FileReport, Run, Store

__all__ = ["findings", "is_header_only"]

_GZIP = b"\x1f\x8b"
_COPIES = (".bak", ".tmp", ".orig", ".old", ".swp", "~")
_PROFILE = ".profile-empty"


def findings(store: Store) -> list[Finding]:
    """What is wrong with the event files of a store."""
    files = store.files
    unreadable = [file for file in files if file.error]
    compressed = [file for file in files if not file.error and _is_gzip(file.path)]
    rest = [file for file in files if file not in unreadable and file not in compressed]
    return [
        *_unreadable(unreadable),
        *_compressed(compressed),
        *_damaged([file for file in rest if file.is_damaged]),
        *_unfinished([file for file in rest if file.tail_bytes and not file.broken_tail]),
        *_without_data(store, rest),
        *_copies(files),
    ]


def is_header_only(file: FileReport) -> bool:
    """Whether a file holds nothing but the event that says which format it has."""
    return file.records <= 1 and file.bytes <= 256 and not file.is_damaged


def _unreadable(files: list[FileReport]) -> Iterator[Finding]:
    if files:
        yield finding(
            "unreadable-file",
            "warning",
            f"{count(len(files), 'event file')} cannot be read ({files[0].error})",
            "check who owns them and who may read them: `ls -l`",
            places=[file.path for file in files],
        )


def _compressed(files: list[FileReport]) -> Iterator[Finding]:
    if files:
        yield finding(
            "compressed-file",
            "warning",
            f"{count(len(files), 'event file is', 'event files are')} compressed and not read",
            "unpack them beside: `gunzip --keep`",
            places=[file.path for file in files],
        )


def _damaged(files: list[FileReport]) -> Iterator[Finding]:
    if not files:
        return
    bad_records = sum(file.bad_records for file in files)
    bad_headers = sum(file.bad_headers for file in files)
    skipped = sum(file.skipped_bytes for file in files)
    tails = [file for file in files if file.broken_tail]
    what = [
        *([count(bad_records, "record") + " lost"] if bad_records else []),
        *([count(bad_headers, "broken header")] if bad_headers else []),
        *([count(skipped, "byte") + " skipped"] if skipped else []),
        *(
            f"nothing readable after byte {file.bytes_read:,} of {file.bytes:,}"
            for file in tails[:1]
        ),
    ]
    yield finding(
        "damaged-file",
        "warning",
        f"{count(len(files), 'event file is', 'event files are')} damaged ({'; '.join(what)})",
        "everything intact is shown; a full disk, a broken copy or two writers on one file do"
        " this: copy the files again if there is an original",
        places=[file.path for file in files],
    )


def _unfinished(files: list[FileReport]) -> Iterator[Finding]:
    if files:
        example = files[0]
        yield finding(
            "unfinished-record",
            "note",
            f"{count(len(files), 'event file ends', 'event files end')} inside a record (the first"
            f" at byte {example.bytes_read:,} of {example.bytes:,})",
            "normal while a job writes; after it ended, its last values are lost: call `close()`"
            " or `flush()` on the writer",
            places=[file.path for file in files],
        )


def _without_data(store: Store, files: list[FileReport]) -> Iterator[Finding]:
    by_run: dict[str, list[FileReport]] = {}
    for file in files:
        by_run.setdefault(file.run, []).append(file)
    with_data = {name for name, run in store.runs.items() if _has_data(run)}
    profiles = [f for f in files if f.path.name.endswith(_PROFILE) and f.run not in with_data]
    quiet = [file for file in files if is_header_only(file) and file not in profiles]
    beside = [file for file in quiet if file.run in with_data]
    alone = [file for file in quiet if file.run not in with_data]
    other = [
        file
        for name, own in by_run.items()
        if name not in with_data
        for file in own
        if file not in quiet and file not in profiles and file.records > 1
    ]
    if beside:
        yield finding(
            "silent-writers",
            "note",
            f"{count(len(beside), 'event file holds', 'event files hold')} no values, beside"
            " others in the same run that do",
            "usual when every rank opens a writer and only rank 0 logs; open it on rank 0 only",
            places=[file.path for file in beside],
        )
    if alone:
        yield _alone(alone, has_data=bool(with_data))
    if profiles:
        yield finding(
            "profile-only",
            "note",
            f"{count(len(profiles), 'event file')} only marks where a profile lies",
            "profiles are in `plugins/profile` beside it",
            places=[file.path for file in profiles],
        )
    if other:
        yield finding(
            "no-summaries",
            "warning",
            f"{count(len(other), 'event file has', 'event files have')} events, but no values",
            "the job logs nothing by `add_scalar` and the like, or all its points are hidden",
            places=[file.path for file in other],
        )


def _has_data(run: Run) -> bool:
    return any(len(one) for one in run.all_series()) or any(len(one) for one in run.all_blobs())


def _alone(files: list[FileReport], *, has_data: bool) -> Finding:
    empty = [file for file in files if file.bytes == 0]
    if len(empty) == len(files):
        message = f"{count(len(files), 'event file is', 'event files are')} empty"
    else:
        message = f"{count(len(files), 'event file has', 'event files have')} no values yet"
    ranks = "; if only other ranks or another directory were written to, look there"
    return finding(
        "no-values",
        "warning" if has_data else "error",
        message,
        "the job has logged nothing, or not flushed it: call `flush()`, or wait" + ranks,
        places=[file.path for file in files],
    )


def _copies(files: list[FileReport]) -> Iterator[Finding]:
    copies = [file.path for file in files if file.path.name.endswith(_COPIES)]
    if copies:
        yield finding(
            "backup-copy",
            "warning",
            f"{count(len(copies), 'file looks', 'files look')} like a copy, and is read as data",
            "move it elsewhere: whatever has `tfevents` in its name counts as an event file",
            places=copies,
        )


def _is_gzip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == _GZIP
    except OSError:
        return False
