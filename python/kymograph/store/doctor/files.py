"""Event files that cannot be read, are damaged, cut off, something else, or hold nothing."""

from __future__ import annotations

from collections.abc import Iterator

from kymograph.store.doctor.finding import Finding, count, finding
from kymograph.store.foreign import Kind, foreign_files
from kymograph.store.store import FileReport, Run, Store

__all__ = ["findings", "is_header_only"]

# How each kind of other file is reported: code, message after the number, hint.
_FOREIGN: dict[Kind, tuple[str, str, str, str]] = {
    "gzip": (
        "compressed-file",
        "event file is compressed and was not read",
        "event files are compressed and were not read",
        "unpack it next to the original: `gunzip --keep`",
    ),
    "zip": (
        "compressed-file",
        "event file is a zip archive and was not read",
        "event files are zip archives and were not read",
        "unpack it next to the original: `unzip`",
    ),
    "git-lfs": (
        "placeholder-file",
        "event file is a Git LFS pointer without the data",
        "event files are Git LFS pointers without the data",
        "download the data: `git lfs pull`",
    ),
    "icloud": (
        "placeholder-file",
        "event file is an iCloud placeholder without the data",
        "event files are iCloud placeholders without the data",
        "download the data in Finder, or with `brctl download`",
    ),
}
_COPIES = (".bak", ".tmp", ".orig", ".old", ".swp", "~")
_PROFILE = ".profile-empty"


def findings(store: Store) -> list[Finding]:
    """What is wrong with the event files of a store."""
    files = store.files
    unreadable = [file for file in files if file.error]
    foreign = foreign_files(files)
    rest = [file for file in files if not file.error and file not in foreign]
    return [
        *_unreadable(unreadable),
        *_foreign(foreign),
        *_damaged([file for file in rest if file.is_damaged]),
        *_unfinished([file for file in rest if file.tail_bytes and not file.broken_tail]),
        *_without_data(store, rest),
        *_copies(files),
    ]


def is_header_only(file: FileReport) -> bool:
    """Whether a file holds nothing but the event that names its format."""
    return file.records <= 1 and file.bytes <= 256 and not file.is_damaged


def _unreadable(files: list[FileReport]) -> Iterator[Finding]:
    if files:
        yield finding(
            "unreadable-file",
            "warning",
            f"{count(len(files), 'event file')} cannot be read ({files[0].error})",
            "check their owner and permissions: `ls -l`",
            places=[file.path for file in files],
        )


def _foreign(foreign: dict[FileReport, Kind]) -> Iterator[Finding]:
    for kind, (code, one, many, hint) in _FOREIGN.items():
        paths = [file.path for file, found in foreign.items() if found == kind]
        if paths:
            yield finding(code, "warning", count(len(paths), one, many), hint, places=paths)


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
        "intact records are shown; common causes are a full disk, an incomplete copy, and two"
        " writers to one file: copy the files again if there is an original",
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
            "normal while a job is writing; if it has ended, its last values are lost: call"
            " `close()` or `flush()` on the writer",
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
            f"{count(len(beside), 'event file has', 'event files have')} no values, although"
            " others in the same run do",
            "normal when every rank opens a writer and only rank 0 logs; open it on rank 0 only",
            places=[file.path for file in beside],
        )
    if alone:
        yield _alone(alone, has_data=bool(with_data))
    if profiles:
        yield finding(
            "profile-only",
            "note",
            f"{count(len(profiles), 'event file only marks', 'event files only mark')} a profile",
            "profiles are in `plugins/profile` next to it",
            places=[file.path for file in profiles],
        )
    if other:
        yield finding(
            "no-summaries",
            "warning",
            f"{count(len(other), 'event file has', 'event files have')} events, but no values",
            "the job logs no summaries (`add_scalar` and others), or all its points are hidden",
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
    ranks = "; other ranks may have logged to another directory"
    return finding(
        "no-values",
        "warning" if has_data else "error",
        message,
        "the job has logged nothing yet, or not flushed it: call `flush()`, or wait" + ranks,
        places=[file.path for file in files],
    )


def _copies(files: list[FileReport]) -> Iterator[Finding]:
    copies = [file.path for file in files if file.path.name.endswith(_COPIES)]
    if copies:
        yield finding(
            "backup-copy",
            "warning",
            f"{count(len(copies), 'backup copy is', 'backup copies are')} read as data",
            "move it elsewhere: any file with `tfevents` in its name is read as an event file",
            places=copies,
        )
