"""Everything that is not scalars: which blobs a tag has, and their bytes by address."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import frames, media_types, responses
from kymograph.asgi.board import board
from kymograph.asgi.operations import Operation
from kymograph.errors import BlobUnreadableError, QueryError
from kymograph.server import paging
from kymograph.store import (
    Audio,
    BlobSeries,
    Graph,
    Histogram,
    Images,
    Metadata,
    Store,
    Tensor,
    Text,
)
from kymograph.store.blobs import Decoded

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["OPERATIONS"]

# A tensor with more numbers than this is answered as a frame, or not at all.
_MOST_IN_JSON = 10_000


# --- the list ---


class BlobsQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Whose blobs."""

    run: paging.Text
    tag: paging.Text
    dashboard: Annotated[
        paging.AnyDashboard, msgspec.Meta(description="the first that has some when empty")
    ] = ""
    limit: paging.Limit = 1000
    after: paging.After = ""


class BlobRow(msgspec.Struct):
    """One blob."""

    step: int
    wall_time: float
    address: str
    """What to ask for its bytes with; it never stands for other bytes."""


class Blobs(msgspec.Struct):
    """A page of the blobs of a tag, in the order in which they were logged."""

    change: int
    instance: str
    """Stands before each address in the path of its bytes."""
    dashboard: str
    generation: int
    """While it stays the same, blobs only came behind those that were there."""
    total: int
    next: str | None
    plugin: str
    display_name: str
    description: str
    content: bytes
    """What the plugin wrote for itself into the metadata, in base64."""
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
    # Blobs went or moved: the page goes on behind the blob where the one before it ended.
    addresses = series.addresses()
    if address not in addresses:
        raise BlobUnreadableError("the blob that the page before ended with is gone, begin again")
    return addresses.index(address) + 1


# --- the bytes ---

Number = float | str
"""A number, or `NaN`, `Infinity` or `-Infinity`."""


class BlobQuery(msgspec.Struct, forbid_unknown_fields=True):
    """In which form."""

    form: Annotated[
        Literal["raw", "item", "json", "frame"],
        msgspec.Meta(
            description="the serialized value, one picture or clip, "
            "or the decoded value as JSON or as a column frame"
        ),
    ] = msgspec.field(default="raw", name="as")
    item: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0


class _Blob(msgspec.Struct, tag_field="kind"):
    pass


class Item(msgspec.Struct):
    """One picture or clip."""

    content_type: str
    bytes: int


class ImagesBlob(_Blob, tag="images"):
    """Pictures; each is asked for with `as=item`."""

    width: int
    height: int
    items: list[Item]


class AudioBlob(_Blob, tag="audio"):
    """Clips; each is asked for with `as=item`."""

    sample_rate: Number | None
    items: list[Item]


class HistogramBlob(_Blob, tag="histogram"):
    """A histogram."""

    buckets: list[tuple[Number, Number, Number]]
    """Left edge, right edge, count."""


class TextBlob(_Blob, tag="text"):
    """Strings, row by row."""

    shape: list[int]
    strings: list[str]


class TensorBlob(_Blob, tag="tensor"):
    """Numbers, row by row."""

    dtype: str
    shape: list[int]
    values: list[Any] | None
    """A complex number is a pair; nothing if there are more than ten thousand: ask for a frame."""


class GraphBlob(_Blob, tag="graph"):
    """A serialized message, which is asked for with `as=item`."""

    bytes: int


class MetadataBlob(_Blob, tag="metadata"):
    """A value that is nothing but its metadata."""

    plugin: str
    display_name: str
    description: str
    content: bytes


class EmptyBlob(_Blob, tag="empty"):
    """A value without content."""


Value = (
    ImagesBlob
    | AudioBlob
    | HistogramBlob
    | TextBlob
    | TensorBlob
    | GraphBlob
    | MetadataBlob
    | EmptyBlob
)


class BlobValue(msgspec.Struct):
    """A decoded blob."""

    value: Value


async def content(request: Request, query: BlobQuery) -> Response:
    """The bytes of a blob, in one of its forms."""
    here = board(request)
    instance, address = request.path_params["instance"], request.path_params["address"]
    # Both go into a header below, so nothing but this may be in them.
    if not re.fullmatch(r"[0-9a-f]{1,64}", instance) or not re.fullmatch(r"[0-9a-f-]+", address):
        raise HTTPException(HTTPStatus.NOT_FOUND, "there is no blob at this address")
    if instance != here.instance:
        raise BlobUnreadableError("this address is of another start of the board, ask for the list")
    tag = responses.etag(instance, address, query.form, query.item)
    if (same := responses.unchanged(request, tag, for_ever=True)) is not None:
        return same
    body, media_type = await here.workers.run(read, here.store, address, query)
    if query.form in ("json", "frame"):
        return await responses.encoded(request, body, media_type, tag=tag, for_ever=True)
    unknown = media_type == media_types.UNKNOWN
    filename = "blob.bin" if unknown else None
    return responses.blob(request, body, media_type, tag=tag, filename=filename)


def read(store: Store, address: str, query: BlobQuery) -> tuple[bytes, str]:
    """The bytes of a blob in the form that is asked for, and their media type."""
    if query.form == "raw":
        return store.read_blob(address), media_types.UNKNOWN
    decoded = store.decode_blob(address)
    if query.form == "json":
        return msgspec.json.encode(BlobValue(_as_json(decoded))), "application/json"
    if query.form == "frame":
        return frames.encode(*_as_frame(decoded)), frames.MEDIA_TYPE
    item = _item(decoded, query.item)
    return item, media_types.sniff(item)


def _item(decoded: Decoded, index: int) -> bytes:
    if isinstance(decoded, Graph):
        items = [decoded.data]
    elif isinstance(decoded, Images | Audio):
        items = decoded.items
    else:
        raise QueryError("only pictures, clips and graphs have items")
    if index >= len(items):
        sentence = f"this blob has {len(items)} items, none of index {index}"
        raise HTTPException(HTTPStatus.NOT_FOUND, sentence)
    return items[index]


def _as_json(decoded: Decoded) -> Value:
    if isinstance(decoded, Images):
        return ImagesBlob(decoded.width, decoded.height, _items(decoded.items))
    if isinstance(decoded, Audio):
        rate = decoded.sample_rate
        return AudioBlob(None if rate is None else responses.number(rate), _items(decoded.items))
    if isinstance(decoded, Histogram):
        return HistogramBlob(_spelled(decoded.buckets).tolist())
    if isinstance(decoded, Text):
        return TextBlob(list(decoded.array.shape), decoded.array.ravel().tolist())
    if isinstance(decoded, Tensor):
        array = decoded.array
        values = _values(array) if array.size <= _MOST_IN_JSON else None
        return TensorBlob(array.dtype.name, list(array.shape), values)
    if isinstance(decoded, Graph):
        return GraphBlob(len(decoded.data))
    if isinstance(decoded, Metadata):
        return MetadataBlob(
            decoded.plugin_name, decoded.display_name, decoded.description, decoded.content
        )
    return EmptyBlob()


def _items(items: list[bytes]) -> list[Item]:
    return [Item(media_types.sniff(item), len(item)) for item in items]


def _spelled(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same with words for what JSON lacks."""
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return array
    words: npt.NDArray[Any] = np.vectorize(responses.number, otypes=[object])(array)
    return words


def _values(array: npt.NDArray[Any]) -> list[Any]:
    flat = array.ravel()
    if flat.dtype.kind == "c":
        flat = np.stack([flat.real, flat.imag], axis=-1)
    values: list[Any] = _spelled(flat).tolist()
    return values


def _as_frame(decoded: Decoded) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Columns and meta."""
    if isinstance(decoded, Histogram):
        left, right, count = decoded.buckets.T
        return {"left": left, "right": right, "count": count}, {"kind": "histogram"}
    if not isinstance(decoded, Tensor):
        raise QueryError("only histograms and tensors can be had as a frame")
    array = decoded.array
    meta = {"kind": "tensor", "dtype": array.dtype.name, "shape": list(array.shape)}
    if array.dtype.kind == "c":
        return {"real": array.real.ravel(), "imaginary": array.imag.ravel()}, meta
    if array.dtype.kind == "b":
        array = array.astype(np.uint8)
    elif array.dtype == np.float16:
        array = array.astype(np.float32)
    return {"values": array.ravel()}, meta


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
            "instance": "of the answer that has the address",
            "address": "of a blob of that answer",
        },
        failures=(400, 404, 410, 416),
        also={206: "the range that was asked for", 304: "what the client has is right"},
    ),
]
