"""The board as an ASGI app; everything is assembled here, and nothing else happens here."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Router
from starlette.types import ASGIApp

from kymograph import _core, dashboards
from kymograph.asgi import errors, responses
from kymograph.asgi.board import Board
from kymograph.asgi.limits import Limits
from kymograph.asgi.operations import Operation, openapi, route
from kymograph.asgi.security import Access, Guard
from kymograph.compat.routes import ROUTES
from kymograph.server import (
    blob_lists,
    blobs,
    curation,
    doctor,
    live,
    moment,
    restarts,
    runs,
    static,
    status,
    tags,
)
from kymograph.server.prefix import Prefix

__all__ = ["OPERATIONS", "create_app"]

_ROOT = "/api/v1"


class Description(msgspec.Struct):
    """The OpenAPI description of this API."""

    openapi: str
    info: dict[str, str]
    servers: list[dict[str, str]]
    paths: dict[str, Any]
    components: dict[str, Any]


async def description(request: Request) -> Response:
    """The OpenAPI description of everything under `/api/v1`."""
    return await responses.json(
        request, openapi(OPERATIONS, title="Kymograph", version=_core.__version__)
    )


OPERATIONS: list[Operation] = [
    Operation("GET", "/openapi.json", description, "this description", answer=Description),
    *status.OPERATIONS,
    *doctor.OPERATIONS,
    *runs.OPERATIONS,
    *tags.OPERATIONS,
    *restarts.OPERATIONS,
    *moment.OPERATIONS,
    *dashboards.OPERATIONS,
    *blobs.OPERATIONS,
    *blob_lists.OPERATIONS,
    *curation.OPERATIONS,
    *live.OPERATIONS,
]
"""Everything under `/api/v1`."""


def create_app(board: Board, access: Access | None = None, *, prefix: str = "") -> ASGIApp:
    """The app that serves a board, below a path prefix if there is one."""
    # Under a mount of their own, so that a wrong method is not mistaken for a missing page.
    api = Router([route(operation, "") for operation in OPERATIONS], redirect_slashes=False)
    app = Starlette(
        routes=[Mount(_ROOT, api), *ROUTES, static.page()], exception_handlers=errors.HANDLERS
    )
    app.state.board = board
    app.state.live = live.Live(board)
    return Guard(Limits(Prefix(app, prefix=prefix)), access or Access(), prefix=prefix)
