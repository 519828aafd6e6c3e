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

# A look around must not become a walk over a whole disk.
_ENTRIES_AROUND = 20_000
_DEPTH_AROUND = 4

# What other tools leave behind, by the end of a file's name, or by the name of a directory.
_OTHER_FILES = {
    ".pt.trace.json": ("PyTorch profiler traces", "open them at https://ui.perfetto.dev"),
    ".pt.trace.json.gz": ("PyTorch profiler traces", "open them at https://ui.perfetto.dev"),
    ".xplane.pb": ("profiler traces", "they are shown by a profiler, not by a board"),
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
    "mlruns": ("MLflow runs", "look at them with `mlflow ui`"),
    ".aim": ("Aim runs", "look at them with `aim up`"),
    ".neptune": ("Neptune runs", "log with a TensorBoard logger as well"),
}


@dataclass
class _Walk:
    """What lies below a directory."""

    entries: int = 0
    event_files: int = 0
    unreadable: list[str] = field(default_factory=list)
    others: dict[str, tuple[int, str]] = field(default_factory=dict)
    """What other tools left: how many, and what to do."""

    def note_other(self, name: str, known: dict[str, tuple[str, str]]) -> None:
        for ending, (what, hint) in known.items():
            if name.endswith(ending):
                self.others[what] = (self.others.get(what, (0, hint))[0] + 1, hint)
                return


def findings(store: Store) -> list[Finding]:
    """What is wrong with the roots of a store."""
    return [found for _, path in store.roots for found in _root(path)]


def _root(path: Path) -> Iterator[Finding]:
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
                "the logdir is a file, and no event file",
                "give the directory that holds the runs",
                places=[path],
            )
    elif not os.access(path, os.R_OK | os.X_OK):
        yield _unreadable(path)
    else:
        yield from _directory(path)


def _missing(path: Path) -> Finding:
    hint = f"a relative path counts from {Path.cwd()}"
    parent = path.absolute().parent
    if not parent.is_dir():
        while not parent.is_dir():
            parent = parent.parent
        hint = f"the path exists only up to {parent}"
    elif similar := get_close_matches(path.name, _names(parent), n=3, cutoff=0.5):
        hint = f"there is: {', '.join(str(path.parent / name) for name in similar)}"
    elif path.is_absolute():
        hint = "check the path that the training job logs to"
    return finding(
        "missing-directory", "error", "the directory does not exist", hint, places=[path]
    )


def _unreadable(path: Path) -> Finding:
    return finding(
        "unreadable-directory",
        "error",
        "the directory may not be read by this user",
        "ask its owner for read and search permission: `chmod -R a+rX`",
        places=[path],
    )


def _directory(path: Path) -> Iterator[Finding]:
    walk = _walk(path)
    if walk.unreadable:
        yield finding(
            "unreadable-subdirectory",
            "warning",
            f"{count(len(walk.unreadable), 'directory', 'directories')} below may not be read",
            "ask the owner for read and search permission: `chmod -R a+rX`",
            places=walk.unreadable,
        )
    if walk.event_files:
        return
    if not walk.entries:
        yield finding(
            "empty-directory",
            "error",
            "the directory is empty",
            _nearby(path) or "start a job that logs here, or look for the directory it logs to",
            places=[path],
        )
        return
    yield finding(
        "no-event-files",
        "error",
        f"there is no event file among {count(walk.entries, 'entry', 'entries')} below",
        _nearby(path) or "event files have `tfevents` in their names; look where the job logs to",
        places=[path],
    )
    for what, (number, hint) in walk.others.items():
        there = "it holds what no board shows"
        yield finding("other-logs", "note", f"{there}: {what} ({number:,})", hint)


def _walk(path: Path) -> _Walk:
    found = _Walk()

    def refuse(error: OSError) -> None:
        if isinstance(error, PermissionError):
            found.unreadable.append(str(error.filename))

    for _, directories, names in os.walk(path, onerror=refuse, followlinks=False):
        found.entries += len(directories) + len(names)
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
