"""Slow work in threads: so much at once, so much waiting, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from kymograph.errors import BusyError

__all__ = ["Workers"]

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


class Workers:
    """A few threads for what would hold up the event loop.

    The core spreads its own work over all processors, so more threads would only contend for
    the interpreter. What cannot start soon is refused instead of queued without end.
    """

    def __init__(self, threads: int = 4, most_waiting: int = 1024) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="kymograph-work")
        self._most_waiting = most_waiting
        # What was asked for, as the event loop and as the threads see it.
        self._awaited: set[asyncio.Future[Any]] = set()
        self._work: set[Future[Any]] = set()
        self._is_abandoned = False

    @property
    def is_busy(self) -> bool:
        """Whether a thread is at work."""
        return any(work.running() for work in list(self._work))

    async def run(
        self,
        function: Callable[_Arguments, _Answer],
        *args: _Arguments.args,
        **options: _Arguments.kwargs,
    ) -> _Answer:
        """What the function returns, called in a thread.

        Raises BusyError when too much waits, and when it is abandoned.
        """
        if len(self._awaited) >= self._most_waiting:
            raise BusyError("too many requests at once, try again")
        work = self._threads.submit(function, *args, **options)
        self._work.add(work)
        work.add_done_callback(self._work.discard)
        awaited = asyncio.wrap_future(work)
        self._awaited.add(awaited)
        try:
            return await awaited
        except asyncio.CancelledError:
            if self._is_abandoned:
                raise BusyError("the board is closing") from None
            raise
        finally:
            self._awaited.discard(awaited)

    def abandon(self) -> None:
        """Waits for nothing any more; to be called in the event loop."""
        self._is_abandoned = True
        for awaited in list(self._awaited):
            awaited.cancel()

    def close(self) -> None:
        """Lets the threads end when they are done."""
        self._threads.shutdown(wait=False, cancel_futures=True)
