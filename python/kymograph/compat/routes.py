"""TensorBoard's HTTP routes, answered from the store: scripts written for it go on working.

Everything below `/data`, where an `/experiment/<id>` before it and a slash after it mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kymograph.asgi import responses
from kymograph.asgi.board import Board, board
from kymograph.compat import forms
from kymograph.compat.answers import Content, Json, Query
from kymograph.compat.plugins import (
    audio,
    core,
    custom_scalars,
    distributions,
    histograms,
    hparams,
    images,
    mesh,
    pr_curves,
    scalars,
    text,
    timeseries,
)

__all__ = ["PATHS", "ROUTES"]

_Answer = Callable[[Board, Query], Json]
_ANSWERS_OF: dict[str, Mapping[str, _Answer]] = {
    "timeseries": timeseries.ANSWERS,
    "scalars": scalars.ANSWERS,
    "custom_scalars": custom_scalars.ANSWERS,
    "images": images.ANSWERS,
    "audio": audio.ANSWERS,
    "distributions": distributions.ANSWERS,
    "histograms": histograms.ANSWERS,
    "text": text.ANSWERS,
    "pr_curves": pr_curves.ANSWERS,
    "hparams": hparams.ANSWERS,
    "mesh": mesh.ANSWERS,
}
PATHS: dict[str, _Answer] = {
    **core.ANSWERS,
    **{
        f"plugin/{plugin}/{name}": answer
        for plugin, answers in _ANSWERS_OF.items()
        for name, answer in answers.items()
    },
}
"""What answers which path below `/data`."""

_ONLY_POST = ("plugin/scalars/scalars_multirun",)
# Those take JSON in the body, and no forms.
_TAKES_BODY = tuple(f"plugin/hparams/{name}" for name in hparams.ANSWERS)
_LATER = ("graphs", "projector")


async def data(request: Request) -> Response:
    """Anything below `/data`."""
    path = str(request.path_params["path"]).removesuffix("/")
    answer = PATHS.get(path)
    if answer is None:
        plugin = path.removeprefix("plugin/").partition("/")[0]
        late = f"the routes of `{plugin}` join with its dashboard"
        other = f"there is no such route: `/data/{path}`"
        raise HTTPException(404, late if plugin in _LATER else other)
    if path in _ONLY_POST and request.method != "POST":
        raise HTTPException(405, "this route takes a form by POST", {"Allow": "POST"})
    form, body = [], None
    if request.method == "POST" and path in _TAKES_BODY:
        body = await request.body()
    elif request.method == "POST":
        form = forms.fields(request.headers.get("content-type", ""), await request.body())
    served = board(request)
    # Taken before the answer is made, so that what changes meanwhile is asked for again.
    tag = responses.etag(served.instance, served.store.change)
    if request.method != "POST" and (same := responses.unchanged(request, tag)) is not None:
        return same
    query = Query(request.query_params.multi_items(), form, body)
    found = await served.workers.run(_answered, answer, served, query)
    if found.tag is not None:
        return responses.blob(request, found.body, found.media_type, tag=found.tag)
    return await responses.encoded(request, found.body, found.media_type, tag=tag)


def _answered(answer: _Answer, served: Board, query: Query) -> Content:
    """The answer in bytes, which takes its time where it is long."""
    found = answer(served, query)
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
