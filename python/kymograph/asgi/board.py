"""What every route needs: the store, the curation beside it, and where slow work goes."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field

from starlette.requests import Request

from kymograph.asgi.work import Workers
from kymograph.store import Store
from kymograph.store.sidecar import Sidecar

__all__ = ["Board", "board"]


@dataclass(frozen=True)
class Board:
    """One served logdir."""

    store: Store
    title: str = "Kymograph"
    instance: str = field(default_factory=lambda: secrets.token_hex(8))
    """Another one with each start: change numbers and blob addresses of one mean nothing to
    another."""
    workers: Workers = field(default_factory=Workers)
    """For what is done within a moment, so that nobody waits long for it."""
    slow_workers: Workers = field(default_factory=Workers)
    """For what may take many seconds, and must hold up nothing but its like."""
    editors: Workers = field(default_factory=lambda: Workers(threads=1))
    """For edits of the curation: one after another, and each may wait for another process."""
    closing: threading.Event = field(default_factory=threading.Event)
    """Set when serving ends: what would go on for ever stops."""
    sidecar: Sidecar = field(init=False)
    """The curation of the first directory, which is that of all."""

    def __post_init__(self) -> None:
        _, first = self.store.roots[0]
        object.__setattr__(self, "sidecar", Sidecar(first))

    @property
    def is_busy(self) -> bool:
        """Whether anything is still being done for a request."""
        return any(workers.is_busy for workers in self._all_workers)

    def abandon(self) -> None:
        """Gives up all requests that wait for threads; to be called in the event loop."""
        for workers in self._all_workers:
            workers.abandon()

    def close(self) -> None:
        """Ends what goes on for ever, and lets the threads end."""
        self.closing.set()
        for workers in self._all_workers:
            workers.close()

    @property
    def _all_workers(self) -> tuple[Workers, ...]:
        return self.workers, self.slow_workers, self.editors


def board(request: Request) -> Board:
    """The board that a request is for."""
    found = request.app.state.board
    assert isinstance(found, Board)  # noqa: S101  (set by `create_app`)
    return found
