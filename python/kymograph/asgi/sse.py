"""Server-sent events: their framing, and the response that streams them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

import msgspec
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

__all__ = ["MEDIA_TYPE", "EventStream", "comment", "event", "retry"]

MEDIA_TYPE = "text/event-stream"


def event(name: str, data: object, *, id: str | None = None) -> bytes:  # noqa: A002
    """An event. The client gives the last `id` it saw when it connects again."""
    # JSON holds no line breaks, so its text is always one `data` line.
    identity = "" if id is None else f"id: {id}\n"
    return f"event: {name}\n{identity}data: ".encode() + msgspec.json.encode(data) + b"\n\n"


def comment(text: str = "") -> bytes:
    """A line that clients skip; keeps proxies from closing a silent connection."""
    return f": {text}\n\n".encode()


def retry(millis: int) -> bytes:
    """How long a client waits before it connects again."""
    return f"retry: {millis}\n\n".encode()


class EventStream(StreamingResponse):
    """Streams framed events until they end or the client disconnects.

    Then their generator is closed and `on_close` called, whether or not anything was streamed.
    """

    media_type = MEDIA_TYPE

    def __init__(
        self, events: AsyncGenerator[bytes, None], on_close: Callable[[], None] = lambda: None
    ) -> None:
        # `no-transform` and `X-Accel-Buffering` keep proxies from holding events back in order
        # to compress or to buffer them.
        headers = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
        super().__init__(events, headers=headers)
        self._events = events
        self._on_close = on_close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._on_close()
            # A client that disconnects while an event is sent leaves the generator suspended.
            await self._events.aclose()
