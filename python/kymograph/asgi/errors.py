"""The HTTP status of each exception, chosen here and nowhere else."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from http import HTTPStatus

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from kymograph.errors import (
    BlobUnreadableError,
    BusyError,
    CurationError,
    CurationUnwritableError,
    KymographError,
    LogdirError,
    QueryError,
    RequestError,
    UnknownBlobError,
    UnknownRunError,
    UnknownTagError,
)

__all__ = ["HANDLERS", "MethodNotAllowedError", "UnknownRouteError", "answer"]

_log = logging.getLogger(__name__)


class UnknownRouteError(RequestError):
    """A path without a route."""


class MethodNotAllowedError(RequestError):
    """A method that a path does not support."""

    def __init__(self, sentence: str, allowed: Sequence[str]) -> None:
        super().__init__(sentence)
        self.allowed = allowed


_STATUS: list[tuple[type[KymographError], HTTPStatus]] = [
    (QueryError, HTTPStatus.BAD_REQUEST),
    (UnknownRouteError, HTTPStatus.NOT_FOUND),
    (MethodNotAllowedError, HTTPStatus.METHOD_NOT_ALLOWED),
    (RequestError, HTTPStatus.BAD_REQUEST),
    (LogdirError, HTTPStatus.BAD_REQUEST),
    (UnknownRunError, HTTPStatus.NOT_FOUND),
    (UnknownTagError, HTTPStatus.NOT_FOUND),
    (UnknownBlobError, HTTPStatus.NOT_FOUND),
    (BlobUnreadableError, HTTPStatus.GONE),
    (CurationError, HTTPStatus.BAD_REQUEST),
    (CurationUnwritableError, HTTPStatus.INSUFFICIENT_STORAGE),
    (BusyError, HTTPStatus.SERVICE_UNAVAILABLE),
]
_RETRY_AFTER = {"Retry-After": "1"}


def answer(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """The response to every failed request: one sentence."""
    body = msgspec.json.encode({"error": sentence})
    return Response(body, status, headers, media_type="application/json")


async def _ours(_request: Request, error: Exception) -> Response:
    found = (status for kind, status in _STATUS if isinstance(error, kind))
    status = next(found, HTTPStatus.INTERNAL_SERVER_ERROR)
    headers = _RETRY_AFTER if status == HTTPStatus.SERVICE_UNAVAILABLE else None
    if isinstance(error, MethodNotAllowedError):
        headers = {"Allow": ", ".join(error.allowed)}
    return answer(status, str(error), headers)


async def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    status, sentence = error.status_code, error.detail
    if sentence == HTTPStatus(status).phrase:  # Starlette adds no detail
        path = request.url.path
        sentence = {
            HTTPStatus.NOT_FOUND: f"not found: `{path}`",
            HTTPStatus.METHOD_NOT_ALLOWED: f"`{request.method}` is not allowed at: `{path}`",
        }.get(HTTPStatus(status), sentence)
    return answer(status, sentence, dict(error.headers or {}))


async def _fault(_request: Request, error: Exception) -> Response:
    """A fault of the server: details are logged, the client gets one sentence."""
    _log.error("a request failed", exc_info=error)
    return answer(HTTPStatus.INTERNAL_SERVER_ERROR, "internal error while handling this request")


HANDLERS = {KymographError: _ours, HTTPException: _http, Exception: _fault}
"""For Starlette's `exception_handlers`; synchronous ones would each need a thread."""
