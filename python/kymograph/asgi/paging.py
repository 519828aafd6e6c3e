"""Pages of long lists: which names match, and where the next page begins."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import responses
from kymograph.asgi.board import board
from kymograph.errors import RequestError
from kymograph.store import DASHBOARDS, Store
from kymograph.store.query import linear_pattern

__all__ = [
    "After",
    "AnyDashboard",
    "Dashboard",
    "Limit",
    "Text",
    "answer",
    "cursor",
    "matching",
    "place",
]

_Key = TypeVar("_Key")
_Query = TypeVar("_Query")

Limit = Annotated[int, msgspec.Meta(ge=1, le=5000, description="maximum number of items")]
Text = Annotated[str, msgspec.Meta(max_length=4096)]
After = Annotated[
    str,
    msgspec.Meta(
        max_length=65536, description="`next` of the previous page; empty for the first page"
    ),
]
Dashboard = Annotated[
    str, msgspec.Meta(max_length=64, extra_json_schema={"enum": list(DASHBOARDS)})
]
AnyDashboard = Annotated[
    str, msgspec.Meta(max_length=64, extra_json_schema={"enum": ["", *DASHBOARDS]})
]


async def answer(
    request: Request, select: Callable[[Store, _Query], object], query: _Query
) -> Response:
    """A page of a list as it is now; not modified when the client has it already."""
    here = board(request)
    tag = responses.etag(here.instance, here.store.change)
    if (same := responses.unchanged(request, tag)) is not None:
        return same
    page = await here.workers.run(select, here.store, query)
    return await responses.json(request, page, tag=tag)


def matching(names: Sequence[str], search: str, regex: str) -> list[int]:
    """Indices of the names that contain `search` and match `regex`, ignoring case."""
    wanted = search.casefold()
    found = [at for at, name in enumerate(names) if wanted in name.casefold()]
    if not regex:
        return found
    hits = linear_pattern(regex, ignore_case=True).search([names[at] for at in found])
    return [at for at, hit in zip(found, hits, strict=True) if hit]


def cursor(key: object) -> str:
    """The sort key of the last item of a page, as an opaque string.

    A page begins after a key, not at a number of items, so it does not matter what came or
    went before it.
    """
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).decode().rstrip("=")


def place(text: str, kind: type[_Key]) -> _Key:
    """The key in a cursor. Raises RequestError when it is not one of such a list."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        return msgspec.json.decode(data, type=kind)
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise RequestError("`after` is not a `next` value of this list") from error
