"""Push: one broadcaster sends all listeners what changed, as server-sent events."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import sse
from kymograph.asgi.board import Board
from kymograph.asgi.operations import Operation
from kymograph.errors import BusyError

__all__ = ["OPERATIONS", "Live", "live"]

MOST_LISTENERS = 256
"""Half of the connections that there may be where a process may open 1024 files."""
MOST_BYTES = 64 * 1024
"""An event that would be longer says `all` instead of naming runs."""
HEARTBEAT_SECS = 15.0
_RETRY_MILLIS = 1000
# Changes within this time are announced together.
_GATHER_SECS = 0.02
# Between two events; while loading, nearly every run changes all the time.
_INTERVAL_SECS = 0.1
_INTERVAL_LOADING_SECS = 0.5
# Between two looks at what has no notification: progress, and the board closing.
_LOOK_SECS = 0.1
# New files with less than this are read before anybody could see a progress.
_MUCH_BYTES = 32 << 20
# Between two looks at files for what other processes did to the curation.
_CURATION_SECS = 2.0


class Hello(msgspec.Struct):
    """The first event: every change after this one will be announced."""

    instance: str
    change: int


class Reset(msgspec.Struct):
    """The client's id is from another instance: everything it has may be outdated."""

    instance: str


class Changed(msgspec.Struct):
    """What changed since the previous event."""

    change: int
    runs: list[str]
    """Runs with new data."""
    tags: list[str]
    """Those of them whose tags changed."""
    removed: list[str]
    """Runs that were removed and are not back."""
    all: bool
    """Too many to name: any run may have been added, changed or removed."""


class Curated(msgspec.Struct):
    """The curation has changed."""

    revision: str


@dataclass(frozen=True)
class _Announced:
    """An event about what changed after `since`, up to `change`."""

    since: int
    change: int
    event: bytes


@dataclass(eq=False)
class _Listener:
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: bool = False

    async def wait(self) -> None:
        """Waits for changes, but no longer than until the next heartbeat is due."""
        timer = self.loop.call_later(HEARTBEAT_SECS, self.news.set)
        try:
            await self.news.wait()
        finally:
            timer.cancel()


class Live:
    """The broadcaster of a board: a thread that runs only while there are listeners.

    It queries the store once for all. A listener has no queue, only the number of the last change
    it received: one that reads slowly or resumes gets one event about everything since.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._lock = threading.Lock()
        # Both are guarded by the lock, so that the thread starts with the first listener and
        # ends with the last.
        self._listeners: set[_Listener] = set()
        self._thread: threading.Thread | None = None
        # Written by the thread, read by all.
        self._announced = _Announced(0, 0, b"")
        self._progress = b""
        self._is_loading = True
        self._curation = b""

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._listeners)

    @property
    def is_running(self) -> bool:
        """Whether there is a thread."""
        return self._thread is not None

    # --- one listener, in the event loop ---

    def admit(self) -> _Listener:
        """A new listener, which counts from now on; `dismiss` must follow.

        Raises BusyError when there are too many.
        """
        listener = _Listener()
        with self._lock:
            if len(self._listeners) >= MOST_LISTENERS:
                raise BusyError(f"{MOST_LISTENERS} clients are listening already; try again later")
            self._listeners.add(listener)
            self._start()
        return listener

    def dismiss(self, listener: _Listener) -> None:
        """Removes a listener; does nothing if it was removed before."""
        with self._lock:
            self._listeners.discard(listener)

    async def events(self, listener: _Listener, last_id: str | None) -> AsyncGenerator[bytes, None]:
        """What a listener is sent, until the board closes or the generator is closed."""
        try:
            yield sse.retry(_RETRY_MILLIS)
            instance, store = self._board.instance, self._board.store
            since = self._resumed(last_id)
            if since is None:
                since = store.change
                if last_id is not None:
                    yield sse.event("reset", Reset(instance))
            # Its id is that of what the client has already: should the next event not
            # arrive, it will be announced again.
            yield sse.event("hello", Hello(instance, since), id=self._id(since))
            progress = curation = b""
            while not listener.is_over:
                listener.news.clear()
                news = []
                if self._progress != progress:
                    news.append(progress := self._progress)
                if self._curation != curation:
                    news.append(curation := self._curation)
                announced = self._announced
                if announced.change > since:
                    if announced.since > since:
                        announced = await asyncio.to_thread(self._delta, since)
                    news.append(announced.event)
                    since = announced.change
                yield b"".join(news) or sse.comment()
                await listener.wait()
        finally:
            self.dismiss(listener)

    def _id(self, change: int) -> str:
        return f"{self._board.instance}.{change}"

    def _resumed(self, last_id: str | None) -> int | None:
        """The change number in an id, if the id is one of ours."""
        instance, _, number = (last_id or "").partition(".")
        if instance != self._board.instance or not (number.isascii() and number.isdigit()):
            return None
        change = int(number[:20])
        return change if change <= self._board.store.change else None

    def _start(self) -> None:
        """Starts the thread, if there is none; to be called under the lock."""
        if self._thread is None:
            change = self._board.store.change
            self._announced = _Announced(change, change, b"")
            self._is_loading = True
            self._look_at_progress()
            self._thread = threading.Thread(
                target=self._broadcast, name="kymograph-live", daemon=True
            )
            self._thread.start()

    # --- all listeners, in the thread ---

    def _broadcast(self) -> None:
        announced_at = curation_at = float("-inf")
        try:
            while self._is_wanted():
                before = self._announced, self._progress, self._curation
                self._board.store.wait_for_change(self._announced.change, _LOOK_SECS)
                interval = _INTERVAL_LOADING_SECS if self._is_loading else _INTERVAL_SECS
                pause = max(_GATHER_SECS, announced_at + interval - time.monotonic())
                self._board.closing.wait(pause)
                self._look_at_progress()
                if time.monotonic() >= curation_at + _CURATION_SECS:
                    self._board.sidecar.snapshot()
                    curation_at = time.monotonic()
                self._curation = sse.event("curation", Curated(self._board.sidecar.revision))
                if self._board.store.change > self._announced.change:
                    self._announced = self._delta(self._announced.change)
                    announced_at = time.monotonic()
                if before != (self._announced, self._progress, self._curation):
                    self._wake()
        finally:
            self._end()

    def _is_wanted(self) -> bool:
        with self._lock:
            if not self._listeners:
                self._thread = None
            return self._thread is not None and not self._board.closing.is_set()

    def _end(self) -> None:
        """Ends all streams if the board closes or this thread fails; clients connect again."""
        with self._lock:
            if self._thread is not threading.current_thread():
                return  # it ended because there were no listeners
            self._thread = None
            for listener in self._listeners:
                listener.is_over = True
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            try:
                listener.loop.call_soon_threadsafe(listener.news.set)
            except RuntimeError:  # the loop was closed under it
                self.dismiss(listener)

    def _look_at_progress(self) -> None:
        progress = self._board.store.progress
        left = progress.bytes_known - progress.bytes_done
        if not (self._is_loading or (progress.loading and left > _MUCH_BYTES)):
            return
        self._is_loading = progress.loading
        self._progress = sse.event("progress", progress)

    def _delta(self, since: int) -> _Announced:
        """What changed after `since`, for any thread."""
        found = self._board.store.changed_runs(since)
        named = Changed(
            found.change,
            runs=[run for run, _ in found.runs],
            tags=[run for run, tags_changed in found.runs if tags_changed],
            removed=found.removed,
            all=False,
        )
        event = sse.event("change", named, id=self._id(found.change))
        if len(event) > MOST_BYTES:
            unnamed = Changed(found.change, [], [], [], all=True)
            event = sse.event("change", unnamed, id=self._id(found.change))
        return _Announced(since, found.change, event)


def live(request: Request) -> Live:
    """The broadcaster of the board that a request is for."""
    found = request.app.state.live
    assert isinstance(found, Live)  # noqa: S101  (set by `create_app`)
    return found


class LiveQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Where to resume, for clients that cannot set the header `Last-Event-ID`."""

    last: str | None = None


async def events(request: Request, query: LiveQuery) -> Response:
    """The stream of events."""
    broadcaster = live(request)
    if request.method == "HEAD":
        return Response(media_type=sse.MEDIA_TYPE)
    # A browser that connects again sends the header along with the address it had at first.
    last_id = request.headers.get("last-event-id", query.last)
    # Counted before the stream begins, so that a burst of clients cannot pass the limit.
    listener = broadcaster.admit()
    return sse.EventStream(
        broadcaster.events(listener, last_id), on_close=lambda: broadcaster.dismiss(listener)
    )


OPERATIONS = [
    Operation(
        "GET",
        "/live",
        events,
        "what changes, as server-sent events",
        query=LiveQuery,
        answer=sse.MEDIA_TYPE,
    )
]
