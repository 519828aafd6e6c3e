"""Images: what each is, small copies of them, and many of them as one file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import takewhile
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from kymograph.asgi import frames, media_types, responses
from kymograph.asgi.addresses import check_address, check_instance
from kymograph.asgi.board import board
from kymograph.asgi.names import Name
from kymograph.asgi.operations import Operation
from kymograph.errors import BlobUnreadableError, UnknownBlobError
from kymograph.store import Images, Store
from kymograph.store.blobs.images import PictureLook

__all__ = ["OPERATIONS"]

# Most bytes that are read for one answer, unless it is about a single blob.
_MOST_BYTES = 256 << 20
# What reads more takes a while.
_FEW_BYTES = 32 << 20
_MOST_PICTURES = 1000
_MOST_ARCHIVED = 10_000
_MOST_SIZE = 2048

_Item = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
_Size = Annotated[
    int,
    msgspec.Meta(
        ge=1,
        le=_MOST_SIZE,
        description="the longest side of the copy in pixels; smaller images are not enlarged",
    ),
]


class WantedPicture(msgspec.Struct, forbid_unknown_fields=True):
    """One image."""

    address: Annotated[str, msgspec.Meta(max_length=128)]
    item: _Item = 0
    """Its number among those that were logged together."""


_Pictures = Annotated[list[WantedPicture], msgspec.Meta(max_length=_MOST_PICTURES)]


# --- what each is ---


class DescribeQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which images to describe."""

    instance: Name
    """The instance that the addresses are from."""
    pictures: _Pictures


class DescribedPicture(msgspec.Struct):
    """An image, or an error message."""

    items: int
    """How many images were logged together at this address."""
    bytes: int
    media_type: str | None
    """By its content."""
    width: int
    height: int
    channels: int
    bit_depth: int
    error: str | None


class DescribedPictures(msgspec.Struct):
    """An object for each image, in their order; the last may be left out."""

    pictures: list[DescribedPicture]


async def describe(request: Request, query: DescribeQuery) -> Response:
    """Size, channels, depth and type of many images, by their headers."""
    here = board(request)
    check_instance(here, query.instance)
    chosen = _at_once(query.pictures)
    looks = await here.slow_workers.run(here.store.look_at_pictures, chosen)
    return await responses.json(request, DescribedPictures([_described(look) for look in looks]))


def _described(look: PictureLook) -> DescribedPicture:
    return DescribedPicture(
        items=look.items,
        bytes=look.bytes,
        media_type=look.media_type,
        width=look.width,
        height=look.height,
        channels=look.channels,
        bit_depth=look.bit_depth,
        error=look.error,
    )


def _at_once(pictures: Sequence[WantedPicture]) -> list[tuple[str, int]]:
    """As many as may be read for one answer, and at least those of the first address."""
    read: dict[str, int] = {}

    def fits(picture: WantedPicture) -> bool:
        read.setdefault(picture.address, _payload_bytes(picture.address))
        return len(read) == 1 or sum(read.values()) <= _MOST_BYTES

    return [(picture.address, picture.item) for picture in takewhile(fits, pictures)]


def _payload_bytes(address: str) -> int:
    """The number of bytes to read for a blob, from its address; 0 if that is invalid."""
    try:
        return int(address.split("-")[3], 16)
    except (IndexError, ValueError):
        return 0


# --- small copies ---


class ThumbnailsQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which images to send small copies of."""

    instance: Name
    """The instance that the addresses are from."""
    size: _Size
    pictures: _Pictures


class SentThumbnail(DescribedPicture):
    """An image, and where its copy is in the column `data`; empty if there is an error."""

    start: int
    length: int
    thumbnail_type: str | None


class ThumbnailsMeta(msgspec.Struct):
    """The meta object of a frame of copies."""

    pictures: list[SentThumbnail]


async def thumbnails(request: Request, query: ThumbnailsQuery) -> Response:
    """Small copies of many images with one request."""
    here = board(request)
    check_instance(here, query.instance)
    chosen = _at_once(query.pictures)
    to_read = sum(_payload_bytes(address) for address in {address for address, _ in chosen})
    workers = here.workers if to_read <= _FEW_BYTES else here.slow_workers
    body = await workers.run(copies, here.store, chosen, query.size)
    headers = {"Cache-Control": "no-store"}
    # The copies are compressed already.
    return Response(body, headers=headers, media_type=frames.MEDIA_TYPE)


def copies(store: Store, pictures: list[tuple[str, int]], size: int) -> bytes:
    """A frame with a copy of each image."""
    parts: list[bytes] = []
    sent: list[SentThumbnail] = []
    start = 0
    for look in store.look_at_pictures(pictures, size=size):
        copy = b"" if look.thumbnail is None else look.thumbnail.data
        sent.append(
            SentThumbnail(
                **msgspec.structs.asdict(_described(look)),
                start=start,
                length=len(copy),
                thumbnail_type=None if look.thumbnail is None else look.thumbnail.media_type,
            )
        )
        parts.append(copy)
        start += len(copy)
    return frames.encode({"data": memoryview(b"".join(parts))}, ThumbnailsMeta(sent))


class ThumbnailQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which image of a blob, and how small."""

    size: _Size = 256
    item: _Item = 0


async def thumbnail(request: Request, query: ThumbnailQuery) -> Response:
    """A small copy of one image."""
    here = board(request)
    instance, address = request.path_params["instance"], request.path_params["address"]
    check_address(here, instance, address)
    tag = responses.etag(instance, address, query.item, query.size)
    if (same := responses.unchanged(request, tag, for_ever=True)) is not None:
        return same
    wanted = [(address, query.item)]
    [look] = await here.workers.run(here.store.look_at_pictures, wanted, size=query.size)
    if look.thumbnail is None:
        raise (UnknownBlobError if look.items <= query.item else BlobUnreadableError)(
            look.error or "this image has no copy"
        )
    return responses.blob(request, look.thumbnail.data, look.thumbnail.media_type, tag=tag)


# --- many of them as one file ---


class ArchivedPicture(WantedPicture):
    """One image, and its name in the archive."""

    name: Annotated[str, msgspec.Meta(max_length=1024)] = "image"
    """Without an ending; `/` separates folders."""


class ArchiveQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which images to put into the archive."""

    instance: Name
    """The instance that the addresses are from."""
    pictures: Annotated[list[ArchivedPicture], msgspec.Meta(max_length=_MOST_ARCHIVED)]


async def archive(request: Request, query: ArchiveQuery) -> Response:
    """Images as they were logged, in a zip file."""
    here = board(request)
    check_instance(here, query.instance)
    pieces = zipped(here.store, query.pictures)

    async def chunks() -> AsyncIterator[bytes]:
        while (piece := await here.slow_workers.run(next, pieces, None)) is not None:
            yield piece

    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": 'attachment; filename="images.zip"',
    }
    return StreamingResponse(chunks(), headers=headers, media_type="application/zip")


class _Pipe(io.RawIOBase):
    """What was written since it was last emptied."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._written += data
        return len(data)

    def taken(self) -> bytes:
        data = bytes(self._written)
        self._written.clear()
        return data


_ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/bmp": "bmp",
}


def zipped(store: Store, pictures: Sequence[ArchivedPicture]) -> Iterator[bytes]:
    """The bytes of the archive, one image after another; missing ones are listed in a text."""
    pipe = _Pipe()
    missing: list[str] = []
    taken: set[str] = set()
    last: tuple[str, Images | str] = ("", "")
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_STORED) as file:
        for picture in pictures:
            # Images of one step are next to each other, and in one blob.
            if last[0] != picture.address:
                last = (picture.address, _images(store, picture.address))
            found = last[1]
            if isinstance(found, str) or picture.item >= len(found.items):
                reason = found if isinstance(found, str) else f"no item {picture.item}"
                missing.append(f"{picture.name}: {reason}")
                continue
            data = found.items[picture.item]
            ending = _ENDINGS.get(media_types.sniff(data), "bin")
            file.writestr(_entry(_unused(_plain(picture.name), ending, taken)), data)
            yield pipe.taken()
        if missing:
            file.writestr(_entry("missing.txt"), "\n".join(missing) + "\n")
    yield pipe.taken()


def _entry(name: str) -> zipfile.ZipInfo:
    """An entry with the first time that the format has: the same images are the same bytes."""
    return zipfile.ZipInfo(name)


def _images(store: Store, address: str) -> Images | str:
    try:
        found = store.decode_blob(address)
    except Exception as error:  # noqa: BLE001  the archive has begun: the rest must still come
        return str(error)
    return found if isinstance(found, Images) else "not an image"


def _plain(name: str) -> str:
    """A name that no program that unpacks it takes for a path elsewhere."""
    parts = (
        "".join(one if one.isalnum() or one in "._-+=@, " else "_" for one in part).strip(". ")
        for part in name.split("/")
    )
    return "/".join(part[:100] for part in parts if part) or "image"


def _unused(name: str, ending: str, taken: set[str]) -> str:
    """The name with its ending, and with a number if it is taken."""
    number, found = 1, f"{name}.{ending}"
    while found.lower() in taken:
        number += 1
        found = f"{name} {number}.{ending}"
    taken.add(found.lower())
    return found


_PATH = {
    "instance": "that of the list with the address",
    "address": "that of a blob in the list",
}

OPERATIONS = [
    Operation(
        "POST",
        "/images/describe",
        describe,
        "size, channels, depth and type of many images",
        body=DescribeQuery,
        answer=DescribedPictures,
        failures=(400, 410),
    ),
    Operation(
        "POST",
        "/images/thumbnails",
        thumbnails,
        "small copies of many images, as a column frame",
        body=ThumbnailsQuery,
        failures=(400, 410),
    ),
    Operation(
        "GET",
        "/images/{instance}/{address}/thumbnail",
        thumbnail,
        "a small copy of one image",
        ThumbnailQuery,
        answer="image/*",
        parameters=_PATH,
        failures=(400, 404, 410, 416),
        also={206: "the requested range", 304: "what the client has is up to date"},
    ),
    Operation(
        "POST",
        "/images/archive",
        archive,
        "many images in a zip file",
        body=ArchiveQuery,
        answer="application/zip",
        failures=(400, 410),
    ),
]
