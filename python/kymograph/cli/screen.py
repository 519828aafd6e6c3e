"""What the terminal shows of a board: where it is, what is being read, what was found."""

from __future__ import annotations

import getpass
import os
import socket
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from kymograph import __version__
from kymograph.cli import logdir, progress, text
from kymograph.server import sockets
from kymograph.store import Store

if TYPE_CHECKING:
    from kymograph.server.serving import Serving

__all__ = ["show_loading", "show_start", "show_warnings"]

# How often to check for the first run.
_INTERVAL_SECS = 0.5


def show_warnings(serving: Serving) -> None:
    """Show what is risky about how the board can be reached."""
    for warning in serving.access.warnings:
        _say(f"{click.style('warning', fg='yellow', bold=True)}: {warning}")


def show_start(serving: Serving, notices: Iterable[str]) -> None:
    """Show where the board is, and notes about how it was started."""
    for notice in notices:
        _say(f"{click.style('note', fg='cyan', bold=True)}: {notice}")
    at = serving.listening
    url = click.style(serving.login_url, fg="cyan", bold=True)
    where = "" if at.uds is None else f" on {at.uds}"
    # Scripts look for this line, in the form that TensorBoard gave it.
    _say(f"Kymograph {__version__} at {url}{where} (Press CTRL+C to quit)")
    if at.is_everywhere:
        # The name may resolve nowhere, as that of a container.
        local = serving.login_url.replace(at.origin, f"http://localhost:{at.port}", 1)
        _say(f"Also at {local} on this machine")
    elif sys.stderr.isatty() and os.environ.get("SSH_CONNECTION") and at.is_loopback:
        port = at.port or sockets.DEFAULT_PORT
        ssh = f"ssh -L {port}:{at.uds or f'localhost:{port}'}"
        here = f"{getpass.getuser()}@{socket.gethostname()}"
        _say(f"hint: `{ssh} {here}` forwards it to http://localhost:{port}/ on your machine")


def show_loading(serving: Serving, began: float) -> None:
    """Show what is read and found, until there is a run or the board ends."""
    store = serving.board.store
    was_loaded = store.wait(0)
    progress.wait(store)
    if len(store):
        _say(_found(store, 0 if was_loaded else time.monotonic() - began))
    else:
        for line in _nothing(store):
            _say(line)
        while not len(store):
            if serving.wait(_INTERVAL_SECS):
                return
        _say(f"found {text.count(len(store), 'run')}")
    damaged = sum(file.is_damaged or file.error is not None for file in store.files)
    if damaged:
        label = click.style("warning", fg="yellow", bold=True)
        _say(f"{label}: {text.count(damaged, 'file')} damaged or unreadable")
        _say(f"hint: {logdir.command('inspect', *_places(store))} shows what was lost")


def _found(store: Store, seconds: float) -> str:
    now = store.progress
    read = f"{text.size(now.bytes_known)} in {text.count(now.files_known, 'file')}"
    where = text.printable(", ".join(_places(store)))
    line = f"{text.count(len(store), 'run')} in {where}: {read}"
    # How long it took is not known when it took less than the server to start.
    return f"{line}, read in {text.duration(seconds)}" if seconds else line


def _nothing(store: Store) -> Iterable[str]:
    missing = logdir.missing(store)
    for path in missing:
        waits = "; waiting for it to appear" if store.follow else ""
        yield f"no such directory{waits}: {text.printable(path)}"
    if len(missing) < len(store.roots):
        yield f"no event files yet: {text.printable(', '.join(_places(store)))}"
        yield f"hint: {logdir.command('doctor', *_places(store))} explains why"


def _places(store: Store) -> list[str]:
    return [str(path) for _, path in store.roots]


def _say(line: str) -> None:
    try:
        click.echo(line, err=True)
    except OSError:  # the reader is gone, which is not a reason to end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
