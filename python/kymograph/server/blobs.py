"""Everything that is not scalars: which blobs a tag has, and their bytes by address."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import frames, media_types, paging, responses
from kymograph.asgi.addresses import check_address
from kymograph.asgi.board import board
from kymograph.asgi.operations import Operation
from kymograph.errors import BlobUnreadableError, QueryError, UnknownBlobError
from kymograph.server.blob_forms import Value, form_of
from kymograph.store import BlobSeries, Store

__all__ = ["OPERATIONS"]


# --- the list ---


class BlobsQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which blobs to list."""

    run: paging.Text
    tag: paging.Text
    dashboard: Annotated[
        paging.AnyDashboard,
        msgspec.Meta(description="by default, the first that has blobs with this tag"),
    ] = ""
    limit: paging.Limit = 1000
    after: paging.After = ""


class BlobRow(msgspec.Struct):
    """One blob."""

    step: int
    wall_time: float
    address: str
    """Identifies its bytes, and always refers to the same bytes."""


class Blobs(msgspec.Struct):
    """A page of the blobs of a tag, in the order in which they were logged."""

    change: int
    instance: str
    """Part of the path of each blob, before its address."""
    dashboard: str
    generation: int
    """While it stays the same, blobs are only appended."""
    total: int
    next: str | None
    plugin: str
    display_name: str
    description: str
    content: bytes
    """The plugin's own metadata, in base64."""
    blobs: list[BlobRow]


async def page(request: Request, query: BlobsQuery) -> Response:
    """A page of the blobs of a tag."""
    here = board(request)
    tag = responses.etag(here.instance, here.store.change)
    if (same := responses.unchanged(request, tag)) is not None:
        return same
    answer = await here.workers.run(select, here.store, here.instance, query)
    return await responses.json(request, answer, tag=tag)


def select(store: Store, instance: str, query: BlobsQuery) -> Blobs:
    """The answer to a query. Raises UnknownRunError and UnknownTagError."""
    change = store.change
    series = store[query.run].blobs(query.tag, query.dashboard or None)
    start = _start(series, query.after) if query.after else 0
    stop = min(start + query.limit, len(series))
    addresses = series.addresses(start, stop)
    steps, walls = series.steps[start:stop].tolist(), series.wall_times[start:stop].tolist()
    metadata = series.metadata
    return Blobs(
        change=change,
        instance=instance,
        dashboard=series.dashboard,
        generation=series.generation,
        total=len(series),
        next=paging.cursor((series.generation, stop, addresses[-1]))
        if stop < len(series)
        else None,
        plugin=metadata.plugin_name or series.dashboard,
        display_name=metadata.display_name,
        description=metadata.description,
        content=metadata.content,
        blobs=[BlobRow(*row) for row in zip(steps, walls, addresses, strict=True)],
    )


def _start(series: BlobSeries, after: str) -> int:
    generation, stop, address = paging.place(after, tuple[int, int, str])
    if generation == series.generation and 0 <= stop <= len(series):
        return stop
    # Blobs were removed or moved: continue after the last blob of the page before.
    addresses = series.addresses()
    if address not in addresses:
        raise BlobUnreadableError(
            "the last blob of the previous page is gone; start again with the first page"
        )
    return addresses.index(address) + 1


# --- the bytes ---


class BlobQuery(msgspec.Struct, forbid_unknown_fields=True):
    """In which form to return a blob."""

    form: Annotated[
        Literal["raw", "item", "json", "frame", "npy"],
        msgspec.Meta(
            description="the serialized value, one image or clip, "
            "the decoded value as JSON or as a column frame, or a tensor as a `.npy` file"
        ),
    ] = msgspec.field(default="raw", name="as")
    item: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0


class BlobValue(msgspec.Struct):
    """A decoded blob."""

    value: Value


async def content(request: Request, query: BlobQuery) -> Response:
    """The bytes of a blob, in one of its forms."""
    here = board(request)
    instance, address = request.path_params["instance"], request.path_params["address"]
    check_address(here, instance, address)
    tag = responses.etag(instance, address, query.form, query.item)
    if (same := responses.unchanged(request, tag, for_ever=True)) is not None:
        return same
    body, media_type = await here.workers.run(read, here.store, address, query)
    if query.form in ("json", "frame"):
        return await responses.encoded(request, body, media_type, tag=tag, for_ever=True)
    filename = "tensor.npy" if query.form == "npy" else "blob.bin"
    is_saved = media_type == media_types.UNKNOWN
    return responses.blob(
        request, body, media_type, tag=tag, filename=filename if is_saved else None
    )


def read(store: Store, address: str, query: BlobQuery) -> tuple[bytes, str]:
    """The bytes of a blob in the requested form, and their media type."""
    if query.form == "raw":
        return store.read_blob(address), media_types.UNKNOWN
    decoded = store.decode_blob(address)
    form = form_of(decoded)
    if query.form == "json":
        return msgspec.json.encode(BlobValue(form.as_json(decoded))), "application/json"
    if query.form == "frame":
        if form.as_frame is None:
            raise QueryError("only histograms and tensors are available as a frame")
        return frames.encode(*form.as_frame(decoded)), frames.MEDIA_TYPE
    if query.form == "npy":
        if form.as_npy is None:
            raise QueryError("only tensors of numbers are available as a `.npy` file")
        return form.as_npy(decoded), media_types.UNKNOWN
    if form.items is None:
        raise QueryError("only images, clips and graphs have items")
    items = form.items(decoded)
    if query.item >= len(items):
        raise UnknownBlobError(f"there is no item {query.item}: this blob has {len(items)} items")
    return items[query.item], media_types.sniff(items[query.item])


OPERATIONS = [
    Operation(
        "GET",
        "/blobs",
        page,
        "the blobs of a tag",
        BlobsQuery,
        answer=Blobs,
        failures=(400, 404, 410),
    ),
    Operation(
        "GET",
        "/blobs/{instance}/{address}",
        content,
        "the bytes of a blob",
        BlobQuery,
        answer=(BlobValue, frames.MEDIA_TYPE, "*/*"),
        parameters={
            "instance": "`instance` of the list that has the address",
            "address": "`address` of a blob in the list",
        },
        failures=(400, 404, 410, 416),
        also={206: "the requested range", 304: "the client's copy is up to date"},
    ),
]
