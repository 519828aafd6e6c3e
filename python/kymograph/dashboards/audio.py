"""Audio: clips as waveforms and spectrograms, reduced to the columns of pixels that are drawn."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Annotated, Literal, TypeVar

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
    int, msgspec.Meta(ge=0, le=2**31 - 1, description="which of the clips logged together")
]
_Columns = Annotated[
    int, msgspec.Meta(ge=1, le=4096, description="fewer are sent where there are fewer samples")
]

_Query = TypeVar("_Query", bound=msgspec.Struct)


class WaveformQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which clip to draw, and how wide."""

    item: _Item = 0
    columns: _Columns = 1000


class WaveformHead(msgspec.Struct):
    """What is known of a clip."""

    items: int
    """How many clips were logged together."""
    sample_rate: int
    channels: int
    frames: int
    """Samples of each channel."""
    encoding: str
    note: str | None
    """What is odd about the clip, in a sentence."""
    columns: int
    peak: float
    """The highest absolute value; 1 is full scale."""
    loudness: float | None
    """In LUFS (ITU-R BS.1770); `null` for silence. Of more than a minute, excerpts are measured."""
    not_finite: int
    """Samples that are NaN or infinite; they are drawn as silence."""


class SpectrogramQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which clip to draw, and how large."""

    item: _Item = 0
    columns: _Columns = 1000
    rows: Annotated[int, msgspec.Meta(ge=1, le=512)] = 128
    scale: Annotated[
        Literal["mel", "log"], msgspec.Meta(description="how frequencies are spread over the rows")
    ] = "mel"


class SpectrogramHead(msgspec.Struct):
    """What the levels mean."""

    columns: int
    rows: int
    window: int
    """Samples of one spectrum."""
    floor_decibels: float
    """The level 0; 255 is a sine of full scale."""


async def waveform(request: Request, query: WaveformQuery) -> Response:
    """A clip as columns of pixels."""
    return await _drawn(request, query, read_waveform)


async def spectrogram(request: Request, query: SpectrogramQuery) -> Response:
    """A clip as a picture of its frequencies."""
    return await _drawn(request, query, read_spectrogram)


async def _drawn(
    request: Request, query: _Query, read: Callable[[Store, str, _Query], bytes]
) -> Response:
    here = board(request)
    instance, address = request.path_params["instance"], request.path_params["address"]
    check_address(here, instance, address)
    tag = responses.etag(instance, address, *msgspec.structs.astuple(query))
    if (same := responses.unchanged(request, tag, for_ever=True)) is not None:
        return same
    # Decoding a long clip takes seconds.
    body = await here.slow_workers.run(read, here.store, address, query)
    return await responses.encoded(request, body, frames.MEDIA_TYPE, tag=tag, for_ever=True)


def read_waveform(store: Store, address: str, query: WaveformQuery) -> bytes:
    """The answer to a query."""
    found = store.waveform(address, query.item, columns=query.columns)
    head = WaveformHead(*(getattr(found, name) for name in WaveformHead.__struct_fields__))
    return frames.encode({"min": _floats(found.min), "max": _floats(found.max)}, head)


def read_spectrogram(store: Store, address: str, query: SpectrogramQuery) -> bytes:
    """The answer to a query."""
    found = store.spectrogram(
        address, query.item, columns=query.columns, rows=query.rows, scale=query.scale
    )
    head = SpectrogramHead(found.columns, found.rows, found.window, found.floor_decibels)
    columns: frames.Columns = {
        "levels": memoryview(found.levels),
        "edges": _floats(found.edges),
    }
    return frames.encode(columns, head)


def _floats(data: bytes) -> array[float]:
    numbers = array("f")
    numbers.frombytes(data)
    return numbers


_PARAMETERS = {
    "instance": "that of the list with the address",
    "address": "that of a blob in the list",
}
_UP_TO_DATE = {304: "what the client has is up to date"}

OPERATIONS = [
    Operation(
        "GET",
        "/audio/{instance}/{address}/waveform",
        waveform,
        "a clip as columns of pixels",
        WaveformQuery,
        answer=frames.MEDIA_TYPE,
        parameters=_PARAMETERS,
        failures=(400, 404, 410),
        also=_UP_TO_DATE,
    ),
    Operation(
        "GET",
        "/audio/{instance}/{address}/spectrogram",
        spectrogram,
        "a clip as a picture of its frequencies",
        SpectrogramQuery,
        answer=frames.MEDIA_TYPE,
        parameters=_PARAMETERS,
        failures=(400, 404, 410),
        also=_UP_TO_DATE,
    ),
]
