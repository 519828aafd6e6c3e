"""Where work is done: small tasks at once, others in a bounded number of threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from enum import Enum
from typing import Any, ParamSpec, TypeVar

from kymograph.errors import BusyError

__all__ = ["Cost", "Workers"]

# What looks at fewer points is done sooner than a thread is woken.
_TINY_POINTS = 10_000
# What looks at fewer, or looks for fewer pairs of run and tag, takes a tenth of a second or two.
_FEW_POINTS = 200_000
_FEW_PAIRS = 50_000

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


class Cost(Enum):
    """How long something takes, which decides where it is done (`Board.run`)."""

    TINY = "sooner done than a thread is woken: in the event loop"
    QUICK = "done in a moment: in threads that are soon free again"
    SLOW = "may take many seconds: in threads that hold up nothing else"

    @classmethod
    def of_points(cls, points: float) -> Cost:
        """Of reading this many points."""
        if points <= _TINY_POINTS:
            return cls.TINY
        return cls.QUICK if points <= _FEW_POINTS else cls.SLOW

    @classmethod
    def of_pairs(cls, pairs: int) -> Cost:
        """Of looking for so many pairs of run and tag among all."""
        return cls.QUICK if pairs <= _FEW_PAIRS else cls.SLOW


class Workers:
    """A few threads for what would hold up the event loop.

    The core spreads its own work over all processors, so more threads would only contend for
    the interpreter. What cannot start soon is refused instead of queued without bound.
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
        """Whether a thread is busy."""
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
            raise BusyError("too many requests; try again later")
        work = self._threads.submit(function, *args, **options)
        self._work.add(work)
        work.add_done_callback(self._work.discard)
        awaited = asyncio.wrap_future(work)
        self._awaited.add(awaited)
        try:
            return await awaited
        except asyncio.CancelledError:
            if self._is_abandoned:
                raise BusyError("the board is shutting down") from None
            raise
        finally:
            self._awaited.discard(awaited)

    def abandon(self) -> None:
        """Stops waiting for anything; to be called in the event loop."""
        self._is_abandoned = True
        for awaited in list(self._awaited):
            awaited.cancel()

    def close(self) -> None:
        """Ends the threads when they are done."""
        self._threads.shutdown(wait=False, cancel_futures=True)
