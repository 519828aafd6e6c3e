"""How much a request may carry, and how long it may take to send it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from http import HTTPStatus

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kymograph.asgi import errors

__all__ = ["Limits"]

_BODY_BYTES = 1 << 20
_BODY_SECS = 20.0
_HELD_BYTES = 64 << 20
_QUERY_BYTES = 16 << 10


class Limits:
    """Passes on a request when all of it is there, so that no slow sender holds up the rest."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        body_bytes: int = _BODY_BYTES,
        body_secs: float = _BODY_SECS,
        held_bytes: int = _HELD_BYTES,
        query_bytes: int = _QUERY_BYTES,
    ) -> None:
        self._app = app
        self._body_bytes = body_bytes
        self._body_secs = body_secs
        self._held_bytes = held_bytes
        self._query_bytes = query_bytes
        self._held = 0
        """Bytes of all bodies that are being sent."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if len(scope["query_string"]) > self._query_bytes:
                sentence = f"the query is longer than {self._query_bytes} bytes"
                answer = errors.answer(HTTPStatus.REQUEST_URI_TOO_LONG, sentence)
                await answer(scope, receive, send)
                return
            if _has_body(scope["headers"]):
                read = await self._read(scope["headers"], receive)
                if not isinstance(read, bytes):
                    await read(scope, receive, send)
                    return
                receive = _replay(read, receive)
        await self._app(scope, receive, send)

    async def _read(
        self, headers: Iterable[tuple[bytes, bytes]], receive: Receive
    ) -> bytes | Response:
        """The whole body, or what to answer instead."""
        lengths = [int(value) for name, value in headers if name == b"content-length"]
        body = bytearray()
        try:
            if max(lengths, default=0) > self._body_bytes:
                raise _TooLargeError
            await asyncio.wait_for(self._receive(body, receive), timeout=self._body_secs)
        except asyncio.TimeoutError:
            sentence = f"the body was not sent within {self._body_secs:g} seconds"
            return errors.answer(HTTPStatus.REQUEST_TIMEOUT, sentence, {"Connection": "close"})
        except _TooLargeError:
            sentence = f"the body is larger than {self._body_bytes} bytes"
            return errors.answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)
        except _EndedError:
            return errors.answer(
                HTTPStatus.BAD_REQUEST, "the body ended early"
            )  # no client gets it
        except _TooManyError:
            sentence, later = "too many requests; try again later", {"Retry-After": "1"}
            return errors.answer(HTTPStatus.SERVICE_UNAVAILABLE, sentence, later)
        finally:
            self._held -= len(body)
        return bytes(body)

    async def _receive(self, body: bytearray, receive: Receive) -> None:
        is_all = False
        while not is_all:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _EndedError
            piece = message.get("body", b"")
            if len(body) + len(piece) > self._body_bytes:
                raise _TooLargeError
            if self._held + len(piece) > self._held_bytes:
                raise _TooManyError
            body += piece
            self._held += len(piece)
            is_all = not message.get("more_body", False)


class _EndedError(Exception):
    pass


class _TooLargeError(Exception):
    pass


class _TooManyError(Exception):
    pass


def _has_body(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in headers
    )


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body first; what it waits for after that is the end."""
    whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return whole.pop() if whole else await receive()

    return replayed
