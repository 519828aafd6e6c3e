"""The board below a path, for proxies that pass paths on as they are."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import quote, unquote

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from kymograph.asgi import errors

__all__ = ["Prefix", "normal"]


def normal(prefix: str) -> str:
    """The prefix as `/a/b`, or nothing. Raises ValueError when it cannot be one."""
    path = unquote(prefix).strip("/")
    parts = path.split("/")
    is_plain = not any(mark in path for mark in "?#\\") and path.isprintable()
    if path and not (is_plain and all(part.strip(".") for part in parts)):
        raise ValueError(f"a path prefix must look like `/a/b`, not: `{prefix}`")
    return f"/{path}" if path else ""


class Prefix:
    """Passes on what is below the prefix; outside it there is nothing."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app = app
        self.prefix = normal(prefix)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI call."""
        answer: ASGIApp = self.app
        if self.prefix and scope["type"] != "lifespan":
            if scope["path"].startswith(f"{self.prefix}/"):
                # The path stays whole: by ASGI's rules it begins with the root path.
                scope = {**scope, "root_path": scope.get("root_path", "") + self.prefix}
            else:
                answer = self._elsewhere(scope)
        await answer(scope, receive, send)

    def _elsewhere(self, scope: Scope) -> Response:
        if scope["path"] != self.prefix:
            sentence = f"this board is served under: `{self.prefix}/`"
            return errors.answer(HTTPStatus.NOT_FOUND, sentence)
        # Relative, because only the browser knows what a proxy put before it.
        target = quote(self.prefix.rpartition("/")[2]) + "/"
        if query := scope.get("query_string", b""):
            target += "?" + query.decode("latin-1")
        return Response(None, HTTPStatus.TEMPORARY_REDIRECT, {"Location": target})
