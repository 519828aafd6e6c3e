"""Video: what is known of a film, and the frames of a GIF one by one."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import frames, responses
from kymograph.asgi.addresses import check_address
from kymograph.asgi.board import board
from kymograph.asgi.operations import Operation
from kymograph.store import Store

__all__ = ["OPERATIONS"]

_Item = Annotated[
    int, msgspec.Meta(ge=0, le=2**31 - 1, description="which of the videos logged together")
]


class VideoQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which video to describe."""

    item: _Item = 0


class DescribedVideo(msgspec.Struct):
    """A video."""

    items: int
    """How many were logged together."""
    container: Literal["gif", "mp4", "webm"] | None
    """`null` for what is no video."""
    bytes: int
    width: int | None
    """Of a GIF that can be decoded, as are the fields below; in pixels."""
    height: int | None
    delays_millis: list[int] | None
    """How long each frame is shown."""
    note: str | None
    """What is odd about it, in a sentence."""
    error: str | None
    """Why the frames of a GIF cannot be shown."""


class FramesQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which frames of a GIF to send."""

    item: _Item = 0
    first: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    count: Annotated[int, msgspec.Meta(ge=1, le=256)] = 1
    stride: Annotated[
        int, msgspec.Meta(ge=1, le=2**31 - 1, description="from one frame to the next")
    ] = 1
    width: Annotated[
        int, msgspec.Meta(ge=1, le=65_535, description="wider frames are made smaller")
    ] = 65_535


class FramesHead(msgspec.Struct):
    """The size of the frames that are sent."""

    width: int
    height: int


async def describe(request: Request, query: VideoQuery) -> Response:
    """What is known of a video."""
    here = board(request)
    instance, address = request.path_params["instance"], request.path_params["address"]
    check_address(here, instance, address)
    tag = responses.etag(instance, address, "video", query.item)
    if (same := responses.unchanged(request, tag, for_ever=True)) is not None:
        return same
    body = await here.slow_workers.run(read_description, here.store, address, query)
    return await responses.encoded(request, body, "application/json", tag=tag, for_ever=True)


def read_description(store: Store, address: str, query: VideoQuery) -> bytes:
    """The answer to a query."""
    found = store.describe_video(address, query.item)
    names = DescribedVideo.__struct_fields__
    return msgspec.json.encode(DescribedVideo(*(getattr(found, name) for name in names)))


async def send_frames(request: Request, query: FramesQuery) -> Response:
    """Some frames of a GIF as PNG files."""
    here = board(request)
    instance, address = request.path_params["instance"], request.path_params["address"]
    check_address(here, instance, address)
    tag = responses.etag(instance, address, *msgspec.structs.astuple(query))
    if (same := responses.unchanged(request, tag, for_ever=True)) is not None:
        return same
    body = await here.slow_workers.run(read_frames, here.store, address, query)
    return await responses.encoded(request, body, frames.MEDIA_TYPE, tag=tag, for_ever=True)


def read_frames(store: Store, address: str, query: FramesQuery) -> bytes:
    """The answer to a query."""
    found = store.video_frames(
        address,
        query.item,
        first=query.first,
        count=query.count,
        stride=query.stride,
        max_width=query.width,
    )
    ends = array("I", accumulate(map(len, found.files), initial=0))
    columns = {"offset": ends, "data": array("B", b"".join(found.files))}
    return frames.encode(columns, FramesHead(found.width, found.height))


_PARAMETERS = {
    "instance": "that of the list with the address",
    "address": "that of a blob in the list",
}
_UP_TO_DATE = {304: "what the client has is up to date"}

OPERATIONS = [
    Operation(
        "GET",
        "/video/{instance}/{address}",
        describe,
        "what is known of a video",
        VideoQuery,
        answer=DescribedVideo,
        parameters=_PARAMETERS,
        failures=(400, 404, 410),
        also=_UP_TO_DATE,
    ),
    Operation(
        "GET",
        "/video/{instance}/{address}/frames",
        send_frames,
        "some frames of a GIF as PNG files",
        FramesQuery,
        parameters=_PARAMETERS,
        failures=(400, 404, 410),
        also=_UP_TO_DATE,
    ),
]
