"""HTTP connections that cannot be held open by sending too little, too much or nothing.

A connection is in one of three states, and none of them may last:

    waiting for a head   from the start, and from the first byte after an answer, until a request's
                         head is complete: `head_secs`, `head_bytes`
    answering            as long as the app takes; that bodies arrive in time is up to the app
    idle                 between an answer and the next byte: uvicorn's `timeout_keep_alive`

A client that takes nothing of its answer for `stall_secs` is cut off. Until then one message at
most waits for it, because uvicorn's `send` returns only when those before it are sent.

Requests that arrive while another is answered wait in a queue. Once there are `most_queued`, the
bytes behind them are held back unparsed, and no more are read until the queue is shorter:

    socket ── not read while anything is held ──► held bytes ──► parser ──► queue ──► app

uvicorn alone would read on after each answer, and parse all it has read at once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
from http import HTTPStatus
from types import FunctionType
from typing import Any

__all__ = ["KEEP_ALIVE_SECS", "h11_protocol", "httptools_protocol", "protocol"]

_log = logging.getLogger(__name__)

KEEP_ALIVE_SECS = 30
"""For `uvicorn.Config(timeout_keep_alive=...)`."""
# What is parsed between two looks at the queue: at most about 150 requests.
_PIECE_BYTES = 4 << 10


def protocol() -> type[asyncio.Protocol]:
    """For `uvicorn.Config(http=...)`: with the fast parser if it is there.

    The classes of uvicorn that are extended here are not meant for that. If a release no longer
    has what is used of them, its own are used as they are, and a warning is logged.
    """
    try:
        bounded = httptools_protocol()
    except ImportError:
        bounded = h11_protocol()
    lacks = missing(bounded)
    if not lacks:
        return bounded
    _log.warning(
        "this version of uvicorn lacks %s: connections are served without limits on their "
        "number, time and size",
        ", ".join(lacks),
    )
    return _plain(bounded)


def missing(bounded: type[Bounded]) -> list[str]:
    """What the protocol of uvicorn under a bounded one lacks of what is used of it."""
    return sorted(bounded.uses - _attributes(_plain(bounded)))


def _plain(bounded: type[Bounded]) -> type:
    """The protocol of uvicorn that it is mixed in before."""
    return bounded.__mro__[bounded.__mro__.index(Bounded) + 1]


def _attributes(kind: type) -> set[str]:
    """The names that a class has, and those that its objects get when they are made."""
    made = vars(kind).get("__init__")
    return set(dir(kind)) | set(made.__code__.co_names if isinstance(made, FunctionType) else ())


def _most_connections() -> int:
    """Half of the files that this process may have open; the rest is for event files."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 1000
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1000 if soft == resource.RLIM_INFINITY else min(1000, soft // 2)


def _queued(transport: asyncio.Transport) -> int:
    """What the kernel has taken and the client has not, where the system reports it.

    It can be megabytes, which a slow client takes minutes for; without it, it would seem to stall.
    """
    if sys.platform != "linux":
        return 0
    import fcntl
    import termios

    descriptor = transport.get_extra_info("socket").fileno()
    answer = fcntl.ioctl(descriptor, termios.TIOCOUTQ, b"\0" * 4)
    return int.from_bytes(answer, sys.byteorder)


class Bounded(asyncio.Protocol):
    """What uvicorn's protocols lack; to be mixed in before one of them."""

    head_secs = 10.0
    head_bytes = 64 << 10
    stall_secs = 60.0
    most_connections = _most_connections()
    most_queued = 32
    held_bytes = 1 << 20

    uses = frozenset(
        {
            *("loop", "transport", "connections", "cycle", "flow"),
            *("connection_made", "connection_lost", "data_received", "send_400_response"),
            *("pause_writing", "resume_writing", "on_response_complete"),
        }
    )
    """What is used of uvicorn's protocols."""

    # Of uvicorn's protocols.
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    connections: set[Any]
    cycle: Any
    flow: Any

    _head_timer: asyncio.TimerHandle | None = None
    _stall_timer: asyncio.TimerHandle | None = None
    _unsent_bytes = 0
    _is_too_large = False
    _held = b""
    _is_holding = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        connection = self.transport.get_extra_info("socket")
        if connection.family != getattr(socket, "AF_UNIX", None):
            # asyncio does it only for listeners that name their protocol. Without, a body waits
            # until its head is acknowledged: 40 ms.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Whatever the kernel does not take counts as unsent: it is what a stalled client leaves.
        self.transport.set_write_buffer_limits(high=0)
        resume = self.flow.resume_reading
        # uvicorn resumes after each answer, and whenever the app waits for a body.
        self.flow.resume_reading = lambda: None if self._held else resume()
        if len(self.connections) > self.most_connections:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections at once")
        else:
            self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._held = b""
        self._stop_head_timer()
        self._stop_stall_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._held += data
        if len(self._held) <= self.held_bytes:
            self._feed()
        else:  # it was read although nothing was to be
            self.transport.abort()

    def on_response_complete(self) -> None:
        """Called by uvicorn when an answer is sent."""
        super().on_response_complete()  # type: ignore[misc]  # (of uvicorn's protocols)
        if self._held:
            self._feed()

    def _feed(self) -> None:
        """Parses what is held until the queue is full."""
        held, self._held = self._held, b""
        start = 0
        while start < len(held) and not self._is_full() and not self.transport.is_closing():
            self._parse(held[start : start + _PIECE_BYTES])
            start += _PIECE_BYTES
        self._held = b"" if self.transport.is_closing() else held[start:]
        if self._held:
            self._is_holding = True
            self.flow.pause_reading()
        elif self._is_holding:
            self._is_holding = False
            self.flow.resume_reading()
        self._watch_for_head()

    def _is_full(self) -> bool:
        """Whether so many requests wait that no more are parsed."""
        raise NotImplementedError

    def _parse(self, data: bytes) -> None:
        super().data_received(data)

    def _watch_for_head(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_head_timer()
        else:  # part of a head, or the rest of a body that was refused
            self._expect_head()

    def _expect_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_secs, self.transport.close)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_for_stall()

    def resume_writing(self) -> None:
        self._stop_stall_timer()
        super().resume_writing()

    def _watch_for_stall(self) -> None:
        self._unsent_bytes = self._count_unsent()
        self._stall_timer = self.loop.call_later(self.stall_secs, self._end_if_stalled)

    def _end_if_stalled(self) -> None:
        if self._count_unsent() >= self._unsent_bytes:
            self.transport.abort()  # to close would wait for the client
        else:
            self._watch_for_stall()

    def _count_unsent(self) -> int:
        return self.transport.get_write_buffer_size() + _queued(self.transport)

    def _stop_stall_timer(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def send_400_response(self, _message: str) -> None:
        """Called by uvicorn for what is not HTTP."""
        if self._is_too_large:
            status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            self._refuse(status, f"the request headers are larger than {self.head_bytes} bytes")
        else:
            self._refuse(HTTPStatus.BAD_REQUEST, "not a valid HTTP/1.1 request")

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        answering = self.cycle is not None and self.cycle.response_started
        if not answering or self.cycle.response_complete:
            body = json.dumps({"error": sentence}).encode()
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\n"
                "content-type: application/json\r\n"
                f"content-length: {len(body)}\r\n"
                "x-content-type-options: nosniff\r\n"
                "connection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self.transport.close()


def httptools_protocol() -> type[Bounded]:
    """With httptools, which bounds no head."""
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class BoundedHttpTools(Bounded, HttpToolsProtocol):
        _head_size = 0
        _is_in_head = False
        _unparsed_bytes = 0
        uses = Bounded.uses | {
            *("pipeline", "on_message_begin", "on_url", "on_header", "on_headers_complete"),
            *("on_body", "on_message_complete"),
        }

        def _is_full(self) -> bool:
            return len(self.pipeline) >= self.most_queued

        def _parse(self, data: bytes) -> None:
            self._unparsed_bytes += len(data)
            super()._parse(data)
            # The parser collects a single header or trailer before it reports it.
            if self._unparsed_bytes > self.head_bytes and not self.transport.is_closing():
                self._is_too_large = True
                self.send_400_response("")

        def on_message_begin(self) -> None:
            self._head_size = 0
            self._is_in_head = True
            super().on_message_begin()

        def on_url(self, url: bytes) -> None:
            self._measure(len(url))
            super().on_url(url)

        def on_header(self, name: bytes, value: bytes) -> None:
            self._measure(len(name) + len(value) + 4)
            # What comes after a body must not pass for what was checked before it.
            if self._is_in_head:
                super().on_header(name, value)

        def _measure(self, length: int) -> None:
            self._head_size += length
            if self._head_size > self.head_bytes:
                self._is_too_large = True
                raise ValueError("head too large")  # ends the parser

        def on_headers_complete(self) -> None:
            self._unparsed_bytes = 0
            self._is_in_head = False
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._unparsed_bytes = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._unparsed_bytes = 0
            super().on_message_complete()

    return BoundedHttpTools


def h11_protocol() -> type[Bounded]:
    """With h11, which bounds the heads that come in pieces, and queues one request at a time."""
    import h11
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class BoundedH11(Bounded, H11Protocol):
        uses = Bounded.uses | {"conn"}

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.conn = h11.Connection(h11.SERVER, self.head_bytes)

        def _is_full(self) -> bool:
            is_answering = self.cycle is not None and not self.cycle.response_complete
            if not is_answering or self.conn.their_state is not h11.DONE:
                return False
            waiting, _ = self.conn.trailing_data
            return bool(waiting)

    return BoundedH11
