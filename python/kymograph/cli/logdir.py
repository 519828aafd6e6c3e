"""The LOGDIR of a command: opened, and loaded with a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from kymograph.cli import progress
from kymograph.cli.program import NothingFound
from kymograph.store import Store

__all__ = ["argument", "loaded", "require_existing"]


def argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds LOGDIR, once or several times."""
    return click.argument("logdirs", metavar="LOGDIR...", nargs=-1, required=True)(function)


@contextmanager
def loaded(logdirs: Sequence[str], *, purge_orphaned_data: bool = True) -> Iterator[Store]:
    """A store with everything loaded. Ends the command when nothing of it exists."""
    # One string may also be a spec; of several, each is a path.
    logdir = logdirs[0] if len(logdirs) == 1 else logdirs
    with Store(logdir, purge_orphaned_data=purge_orphaned_data) as store:
        require_existing(store)
        progress.wait(store)
        yield store


def require_existing(store: Store) -> None:
    """Ends the command when no root exists, and warns when only some do."""
    missing = [str(path) for _, path in store.roots if not path.exists()]
    if len(missing) == len(store.roots):
        hint = f"hint: `kymograph doctor {missing[0]}` looks for what may be meant"
        raise NothingFound(f"no such directory: {', '.join(missing)}\n{hint}")
    for path in missing:
        click.echo(f"warning: no such directory: {path}", err=True)
