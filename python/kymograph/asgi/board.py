"""What every route needs: the store, its curation, and threads for slow work."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from starlette.requests import Request

from kymograph.asgi.work import Cost, Workers
from kymograph.store import Store
from kymograph.store.sidecar import Sidecar

__all__ = ["Board", "board"]

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Board:
    """One served logdir."""

    store: Store
    title: str = "Kymograph"
    instance: str = field(default_factory=lambda: secrets.token_hex(8))
    """Different after each start: change numbers and blob addresses are only valid for one."""
    workers: Workers = field(default_factory=Workers)
    """For short work, so that no client waits long for it."""
    slow_workers: Workers = field(default_factory=Workers)
    """For work that may take many seconds, and must not delay other kinds of work."""
    editors: Workers = field(default_factory=lambda: Workers(threads=1))
    """For edits of the curation: one after another, and each may wait for another process."""
    closing: threading.Event = field(default_factory=threading.Event)
    """Set when serving ends: endless streams stop."""
    sidecar: Sidecar = field(init=False)
    """The curation of the first directory, which is that of all."""

    def __post_init__(self) -> None:
        _, first = self.store.roots[0]
        object.__setattr__(self, "sidecar", Sidecar(first))

    async def run(
        self,
        cost: Cost,
        function: Callable[_Arguments, _Answer],
        *args: _Arguments.args,
        **options: _Arguments.kwargs,
    ) -> _Answer:
        """What the function returns, called where work of this cost is done.

        Raises BusyError when too much is waiting there.
        """
        if cost is Cost.TINY:
            return function(*args, **options)
        workers = self.workers if cost is Cost.QUICK else self.slow_workers
        return await workers.run(function, *args, **options)

    @property
    def is_busy(self) -> bool:
        """Whether anything is still being done for a request."""
        return any(workers.is_busy for workers in self._all_workers)

    def abandon(self) -> None:
        """Gives up all requests that wait for threads; to be called in the event loop."""
        for workers in self._all_workers:
            workers.abandon()

    def close(self) -> None:
        """Ends endless streams, and lets the threads end."""
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
