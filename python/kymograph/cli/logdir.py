"""The LOGDIR of a command: opened, loaded with a progress bar, and what of it is unreachable."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from kymograph.cli import progress, text
from kymograph.cli.program import NothingFound
from kymograph.store import Store

__all__ = ["argument", "command", "loaded", "missing", "no_event_files", "unreachable"]


def argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the argument LOGDIR, which may be repeated."""
    return click.argument("logdirs", metavar="LOGDIR...", nargs=-1, required=True)(function)


@contextmanager
def loaded(logdirs: Sequence[str], *, purge_orphaned_data: bool = True) -> Iterator[Store]:
    """A store with everything loaded. Ends the command when nothing of it exists."""
    # One string may also be a spec; of several, each is a path.
    logdir = logdirs[0] if len(logdirs) == 1 else logdirs
    with Store(logdir, purge_orphaned_data=purge_orphaned_data) as store:
        _require_existing(store)
        progress.wait(store)
        yield store


def _require_existing(store: Store) -> None:
    """Ends the command when no root exists, and warns when only some do."""
    absent = missing(store)
    if len(absent) == len(store.roots):
        hint = f"hint: {command('doctor', absent[0])} suggests similar paths"
        raise NothingFound(f"no such directory: {', '.join(absent)}\n{hint}")
    for path in absent:
        click.echo(f"warning: no such directory: {path}", err=True)


def missing(store: Store) -> list[str]:
    """The roots that do not exist."""
    return [str(path) for _, path in store.roots if _is_missing(path)]


def unreachable(store: Store) -> list[tuple[Path, str]]:
    """Paths that exist but cannot be read, and why."""
    return [(path, reason) for path, reason in store.unreachable if not _is_missing(path)]


def no_event_files(store: Store, logdirs: Sequence[str]) -> NothingFound:
    """What ends a command on a LOGDIR in which no run was found."""
    hint = f"hint: {command('doctor', *logdirs)} explains why"
    if places := unreachable(store):
        (path, reason), more = places[0], len(places) - 1
        others = f", and {text.count(more, 'other path')}" if more else ""
        return NothingFound(f"cannot read {path}: {reason}{others}\n{hint}")
    return NothingFound(f"no event files: {' '.join(logdirs)}\n{hint}")


def command(name: str, *logdirs: str) -> str:
    """A command as a hint shows it, to be pasted into a shell."""
    return f"`{shlex.join(['kymograph', name, *logdirs])}`"


def _is_missing(path: Path) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False  # it may exist and be unreachable
    return False
