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
_QUERY_BYTES = 16 << 10
_BODY_SECS = 20.0


class Limits:
    """Passes on a request when all of it is there, so that no slow sender holds up the rest."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        body_bytes: int = _BODY_BYTES,
        query_bytes: int = _QUERY_BYTES,
        body_secs: float = _BODY_SECS,
    ) -> None:
        self._app = app
        self._body_bytes = body_bytes
        self._query_bytes = query_bytes
        self._body_secs = body_secs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if len(scope["query_string"]) > self._query_bytes:
            answer = errors.answer(
                HTTPStatus.REQUEST_URI_TOO_LONG,
                f"the query is longer than {self._query_bytes} bytes",
            )
            await answer(scope, receive, send)
        elif not _has_body(scope["headers"]):
            await self._app(scope, receive, send)
        else:
            await self._with_body(scope, receive, send)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await asyncio.wait_for(
                self._body(scope["headers"], receive), timeout=self._body_secs
            )
        except asyncio.TimeoutError:
            sentence = f"the body was not sent within {self._body_secs:g} seconds"
            answer: Response = errors.answer(
                HTTPStatus.REQUEST_TIMEOUT, sentence, {"Connection": "close"}
            )
            await answer(scope, receive, send)
            return
        except _TooLargeError:
            sentence = f"the body is larger than {self._body_bytes} bytes"
            answer = errors.answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence)
            await answer(scope, receive, send)
            return
        if body is not None:
            await self._app(scope, _replay(body, receive), send)

    async def _body(self, headers: Iterable[tuple[bytes, bytes]], receive: Receive) -> bytes | None:
        """The whole body, or nothing if the sender has gone."""
        lengths = [value for name, value in headers if name == b"content-length"]
        if any(int(length) > self._body_bytes for length in lengths):
            raise _TooLargeError
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self._body_bytes:
                raise _TooLargeError
            if not message.get("more_body", False):
                return bytes(body)


class _TooLargeError(Exception):
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
