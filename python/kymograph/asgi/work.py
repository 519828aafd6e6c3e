"""Slow work in threads: so much at once, so much waiting, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

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
        self._waiting = 0

    async def run(
        self,
        function: Callable[_Arguments, _Answer],
        *args: _Arguments.args,
        **options: _Arguments.kwargs,
    ) -> _Answer:
        """What the function returns, called in a thread. Raises BusyError when too much waits."""
        if self._waiting >= self._most_waiting:
            raise BusyError("too many requests at once, try again")
        loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            return await loop.run_in_executor(self._threads, lambda: function(*args, **options))
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Lets the threads end when they are done."""
        self._threads.shutdown(wait=False, cancel_futures=True)
