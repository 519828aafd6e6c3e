"""The logdir itself: missing, empty, unreadable, or not where the event files are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from kymograph.store.doctor.finding import Finding, count, finding
from kymograph.store.store import Store

__all__ = ["findings"]

# A search around must not become a walk over a whole disk.
_ENTRIES_AROUND = 20_000
_DEPTH_AROUND = 4

# What other tools leave behind, by the end of a file's name, or by the name of a directory.
_OTHER_FILES = {
    ".pt.trace.json": ("PyTorch profiler traces", "open them at https://ui.perfetto.dev"),
    ".pt.trace.json.gz": ("PyTorch profiler traces", "open them at https://ui.perfetto.dev"),
    ".xplane.pb": ("profiler traces", "open them with a profiler"),
    ".wandb": ("Weights & Biases logs", "log with `sync_tensorboard=True` to write event files"),
    "metrics.csv": ("CSV logs", "read them with pandas, or log with a TensorBoard logger"),
    "progress.csv": ("CSV logs", "read them with pandas, or log with a TensorBoard logger"),
    "trainer_state.json": (
        "checkpoints of transformers' Trainer",
        'set `report_to="tensorboard"`, and look for its `logging_dir`',
    ),
}
_OTHER_DIRECTORIES = {
    "wandb": ("Weights & Biases logs", "log with `sync_tensorboard=True` to write event files"),
    "mlruns": ("MLflow runs", "open them with `mlflow ui`"),
    ".aim": ("Aim runs", "open them with `aim up`"),
    ".neptune": ("Neptune runs", "log with a TensorBoard logger as well"),
}


@dataclass
class _Walk:
    """What is below a directory."""

    entries: int = 0
    event_files: int = 0
    unreadable: list[str] = field(default_factory=list)
    dangling: list[str] = field(default_factory=list)
    """Links to nowhere."""
    others: dict[str, tuple[int, str]] = field(default_factory=dict)
    """What other tools left: how many, and what to do."""

    def note_other(self, name: str, known: dict[str, tuple[str, str]]) -> None:
        for ending, (what, hint) in known.items():
            if name.endswith(ending):
                self.others[what] = (self.others.get(what, (0, hint))[0] + 1, hint)
                return


def findings(store: Store) -> list[Finding]:
    """What is wrong with the roots of a store."""
    files = [file.path for file in store.files]
    return [
        found
        for _, path in store.roots
        for found in _root(path, has_files=any(file.is_relative_to(path) for file in files))
    ]


def _root(path: Path, *, has_files: bool) -> Iterator[Finding]:
    try:
        exists, is_file = path.exists(), path.is_file()
    except PermissionError:
        yield _unreadable(path)
        return
    if not exists:
        yield _missing(path)
    elif is_file:
        if not _is_event_file(path.name):
            yield finding(
                "not-a-directory",
                "error",
                "the logdir is a file, but not an event file",
                "pass the directory that contains the runs",
                places=[path],
            )
    elif not os.access(path, os.R_OK | os.X_OK):
        yield _unreadable(path)
    else:
        yield from _directory(path, has_files=has_files)


def _missing(path: Path) -> Finding:
    if path.is_symlink():
        return finding(
            "dangling-link",
            "error",
            "the logdir is a link to a directory that does not exist",
            f"it points to {path.readlink()}: mount or restore that, or fix the link",
            places=[path],
        )
    hint = f"relative paths start at {Path.cwd()}"
    parent = path.absolute().parent
    if not parent.is_dir():
        while not parent.is_dir():
            parent = parent.parent
        hint = f"the path exists only up to {parent}"
    elif similar := get_close_matches(path.name, _names(parent), n=3, cutoff=0.5):
        hint = f"similar paths: {', '.join(str(path.parent / name) for name in similar)}"
    elif path.is_absolute():
        hint = "check the path that the training job logs to"
    return finding(
        "missing-directory", "error", "the directory does not exist", hint, places=[path]
    )


def _unreadable(path: Path) -> Finding:
    return finding(
        "unreadable-directory",
        "error",
        "permission to read the directory is denied",
        "ask its owner for read and search permission: `chmod -R a+rX`",
        places=[path],
    )


def _directory(path: Path, *, has_files: bool) -> Iterator[Finding]:
    walk = _walk(path)
    if walk.dangling:
        yield finding(
            "dangling-link",
            "warning",
            f"{count(len(walk.dangling), 'link points', 'links point')} to files that do not exist",
            "their targets may have been moved or deleted, or are not mounted",
            places=walk.dangling,
        )
    if walk.unreadable:
        yield finding(
            "unreadable-subdirectory",
            "warning",
            f"permission denied in {count(len(walk.unreadable), 'subdirectory', 'subdirectories')}",
            "ask the owner for read and search permission: `chmod -R a+rX`",
            places=walk.unreadable,
        )
    if walk.event_files or has_files:
        return
    if not walk.entries:
        yield finding(
            "empty-directory",
            "error",
            "the directory is empty",
            _nearby(path) or "start a job that logs here, or find the directory it logs to",
            places=[path],
        )
        return
    yield finding(
        "no-event-files",
        "error",
        f"there is no event file among {count(walk.entries, 'entry', 'entries')}",
        _nearby(path) or "event files have `tfevents` in their names; check where the job logs to",
        places=[path],
    )
    for what, (number, hint) in walk.others.items():
        yield finding(
            "other-logs",
            "note",
            f"logs of other tools, which a board cannot show: {what} ({number:,})",
            hint,
        )


def _walk(path: Path) -> _Walk:
    found = _Walk()

    def refuse(error: OSError) -> None:
        if isinstance(error, PermissionError):
            found.unreadable.append(str(error.filename))

    for directory, directories, names in os.walk(path, onerror=refuse, followlinks=False):
        found.entries += len(directories) + len(names)
        # A link to nowhere is listed among the files.
        paths = [Path(directory, name) for name in names]
        found.dangling += [str(path) for path in paths if path.is_symlink() and not path.exists()]
        for name in directories:
            found.note_other(name, _OTHER_DIRECTORIES)
        for name in names:
            if _is_event_file(name):
                found.event_files += 1
            else:
                found.note_other(name, _OTHER_FILES)
    return found


def _nearby(path: Path) -> str | None:
    """A hint at event files around a directory that has none."""
    parent = path.absolute().parent
    if any(_is_event_file(name) for name in _names(parent)):
        return f"there are event files one level up: {parent}"
    budget = _ENTRIES_AROUND
    for directory, directories, names in os.walk(parent):
        budget -= len(directories) + len(names)
        depth = len(Path(directory).relative_to(parent).parts)
        if budget < 0:
            return None
        if depth >= _DEPTH_AROUND:
            directories.clear()
        if any(_is_event_file(name) for name in names):
            return f"there are event files in {directory}"
    return None


def _names(directory: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in directory.iterdir())
    except OSError:
        return []


def _is_event_file(name: str) -> bool:
    return "tfevents" in name
