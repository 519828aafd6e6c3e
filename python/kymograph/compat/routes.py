"""TensorBoard's HTTP routes, answered from the store: scripts written for it keep working.

Everything below `/data`, where an `/experiment/<id>` before it and a slash after it mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kymograph.asgi import responses
from kymograph.asgi.board import Board, board
from kymograph.asgi.errors import MethodNotAllowedError, UnknownRouteError
from kymograph.compat import forms, plugins
from kymograph.compat.answers import Content, Json, Query
from kymograph.compat.plugins import core

__all__ = ["ROUTES", "paths"]

_Answer = Callable[[Board, Query], Json]
# Each is imported when it is first asked for: most boards are never asked for most of them.
_PLUGINS = tuple(found.name for found in iter_modules(plugins.__path__) if found.name != "core")


def _answers(plugin: str) -> Mapping[str, _Answer]:
    found: Mapping[str, _Answer] = import_module(f"kymograph.compat.plugins.{plugin}").ANSWERS
    return found


def paths() -> dict[str, _Answer]:
    """What answers which path below `/data`."""
    return core.ANSWERS | {
        f"plugin/{plugin}/{name}": answer
        for plugin in _PLUGINS
        for name, answer in _answers(plugin).items()
    }


def _answer(path: str) -> _Answer | None:
    """What answers this path, if anything does."""
    plugin, _, name = path.removeprefix("plugin/").partition("/")
    if path.startswith("plugin/") and plugin in _PLUGINS:
        return _answers(plugin).get(name)
    return core.ANSWERS.get(path)


_ONLY_POST = ("plugin/scalars/scalars_multirun",)
# Those take JSON in the body, and no forms.
_TAKES_BODY = "plugin/hparams/"
_LATER = ("graphs", "projector")


async def data(request: Request) -> Response:
    """Anything below `/data`."""
    path = str(request.path_params["path"]).removesuffix("/")
    answer = await board(request).workers.run(_answer, path)
    if answer is None:
        plugin = path.removeprefix("plugin/").partition("/")[0]
        late = f"the routes of `{plugin}` are not supported yet"
        other = f"there is no such route: `/data/{path}`"
        raise UnknownRouteError(late if plugin in _LATER else other)
    if path in _ONLY_POST and request.method != "POST":
        raise MethodNotAllowedError("this route expects a form sent by POST", ["POST"])
    served = board(request)
    # Taken before the answer is made, so that what changes meanwhile is asked for again.
    tag = responses.etag(served.instance, served.store.change)
    if request.method != "POST" and (same := responses.unchanged(request, tag)) is not None:
        return same
    asked = _Asked(
        url=request.query_params.multi_items(),
        content_type=request.headers.get("content-type", ""),
        body=await request.body() if request.method == "POST" else None,
        takes_body=path.startswith(_TAKES_BODY),
    )
    # Whole lists of everything, and every requested point: this may take any time.
    found = await served.slow_workers.run(_answered, answer, served, asked)
    if found.tag is not None:
        return responses.blob(request, found.body, found.media_type, tag=found.tag)
    return await responses.encoded(request, found.body, found.media_type, tag=tag)


class _Asked(NamedTuple):
    """What a request brings along, not yet read."""

    url: list[tuple[str, str]]
    content_type: str
    body: bytes | None
    takes_body: bool

    def read(self) -> Query:
        if self.body is None or self.takes_body:
            return Query(self.url, body=self.body)
        return Query(self.url, forms.fields(self.content_type, self.body))


def _answered(answer: _Answer, served: Board, asked: _Asked) -> Content:
    """The answer in bytes; to read a long question takes its time, as does a long answer."""
    found = answer(served, asked.read())
    if isinstance(found, Content):
        return found
    return Content(msgspec.json.encode(found), "application/json")


async def notifications(_request: Request) -> Response:
    """Where TensorBoard keeps its news."""
    return RedirectResponse("../notifications_note.json", 302)


async def notifications_note(request: Request) -> Response:
    """News; there are none."""
    return await responses.json(request, {"notifications": []})


ROUTES = [
    route
    for prefix in ("", "/experiment/{experiment}")
    for route in (
        Route(f"{prefix}/data/notifications", notifications),
        Route(f"{prefix}/notifications_note.json", notifications_note),
        Route(f"{prefix}/data/{{path:path}}", data, methods=["GET", "POST"]),
    )
]
"""For the app; they are not part of the API's description."""
