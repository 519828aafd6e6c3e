"""Tensors: what kind each is, and windows of their values."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import frames, responses
from kymograph.asgi.addresses import check_address, check_instance, first_within
from kymograph.asgi.board import board
from kymograph.asgi.names import Name
from kymograph.asgi.operations import Operation
from kymograph.errors import QueryError
from kymograph.store import Store
from kymograph.store.blobs.tensor import TensorDescription, TensorWindow, numbers

__all__ = ["OPERATIONS"]

# Most bytes that are read for one answer, unless it is about a single tensor.
_MOST_BYTES = 256 << 20
_MOST_VALUES = 20_000
_MOST_ADDRESSES = 1000

Number = float | str
"""A number, or `NaN`, `Infinity` or `-Infinity`."""


# --- what kind each is ---


class DescribeQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which tensors to describe."""

    instance: Name
    """The instance that the addresses are from."""
    addresses: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=128)]],
        msgspec.Meta(max_length=_MOST_ADDRESSES),
    ]


class TensorStatistics(msgspec.Struct):
    """Statistics of the elements; complex numbers count by their absolute values."""

    min: Number | None
    """Of the finite elements, as are `max`, `mean` and `std`; `null` if there are none."""
    max: Number | None
    mean: Number | None
    std: Number | None
    finite: int
    nan: int
    positive_infinities: int
    negative_infinities: int
    zeros: int


class DescribedTensor(msgspec.Struct):
    """A tensor, or an error message."""

    dtype: str | None = None
    shape: list[int] | None = None
    elements: int | None = None
    statistics: TensorStatistics | None = None
    """Of a tensor of numbers."""
    strings: list[str] | None = None
    """The first of a tensor of strings."""
    error: str | None = None


class DescribedTensors(msgspec.Struct):
    """An object for each address, in their order; the last addresses may be left out."""

    tensors: list[DescribedTensor]


async def describe(request: Request, query: DescribeQuery) -> Response:
    """Type, shape and statistics of many tensors."""
    here = board(request)
    check_instance(here, query.instance)
    answer = await here.slow_workers.run(described, here.store, query.addresses)
    return await responses.json(request, answer)


def described(store: Store, addresses: list[str]) -> DescribedTensors:
    """The answer for as many addresses as may be read at once, and for at least one."""
    chosen = first_within(addresses, _MOST_BYTES)
    return DescribedTensors([_described(one) for one in store.describe_tensors(chosen)])


def _described(found: TensorDescription | str) -> DescribedTensor:
    if isinstance(found, str):
        return DescribedTensor(error=found)
    statistics = None
    if found.strings is None:
        low, high, mean, std = (
            None if one is None else responses.number(one)
            for one in (found.min, found.max, found.mean, found.std)
        )
        statistics = TensorStatistics(
            min=low,
            max=high,
            mean=mean,
            std=std,
            finite=found.finite,
            nan=found.nan,
            positive_infinities=found.positive_infinities,
            negative_infinities=found.negative_infinities,
            zeros=found.zeros,
        )
    return DescribedTensor(
        found.dtype, list(found.shape), found.elements, statistics, found.strings
    )


# --- windows of values ---

_Range = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,18}:[0-9]{1,18}$")]


class ValuesQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which part of a tensor to return."""

    index: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^([0-9]{1,18}(,[0-9]{1,18})*)?$",
            max_length=4096,
            description="positions on all axes except the last two, separated by commas; "
            "all 0 if empty",
        ),
    ] = ""
    rows: Annotated[_Range, msgspec.Meta(description="`from:to` on the second-to-last axis")] = (
        "0:50"
    )
    columns: Annotated[_Range, msgspec.Meta(description="`from:to` on the last axis")] = "0:20"
    form: Annotated[
        Literal["json", "frame"], msgspec.Meta(description="a table, or a column frame")
    ] = msgspec.field(default="json", name="as")


class TensorHead(msgspec.Struct):
    """Which tensor this is, and which part of it."""

    dtype: str
    shape: list[int]
    """Of the whole tensor."""
    index: list[int]
    rows: tuple[int, int]
    """The range that was sent."""
    columns: tuple[int, int]


class TensorValues(TensorHead):
    """Some values of a tensor."""

    values: list[list[Any]]
    """Row by row; a complex number is a pair."""


async def values(request: Request, query: ValuesQuery) -> Response:
    """Some values of a tensor, as a table."""
    here = board(request)
    instance, address = request.path_params["instance"], request.path_params["address"]
    check_address(here, instance, address)
    tag = responses.etag(instance, address, *msgspec.structs.astuple(query))
    if (same := responses.unchanged(request, tag, for_ever=True)) is not None:
        return same
    body = await here.workers.run(read, here.store, address, query)
    media_type = "application/json" if query.form == "json" else frames.MEDIA_TYPE
    return await responses.encoded(request, body, media_type, tag=tag, for_ever=True)


def read(store: Store, address: str, query: ValuesQuery) -> bytes:
    """The answer to a query."""
    window = store.tensor_window(
        address,
        index=[int(one) for one in query.index.split(",") if one],
        rows=_range(query.rows),
        columns=_range(query.columns),
        most_values=_MOST_VALUES,
    )
    head = (window.dtype, list(window.shape), list(window.index), window.rows, window.columns)
    if query.form == "json":
        return msgspec.json.encode(TensorValues(*head, _table(window)))
    if window.strings is not None:
        raise QueryError("a tensor of strings is not available as a frame")
    return frames.encode(_columns(window), TensorHead(*head))


def _range(text: str) -> tuple[int, int]:
    start, _, stop = text.partition(":")
    return int(start), int(stop)


def _table(window: TensorWindow) -> list[list[Any]]:
    flat: list[Any] = (
        [responses.plain(one) for one in numbers(window.data_dtype, window.data)]
        if window.strings is None
        else list(window.strings)
    )
    width = window.columns[1] - window.columns[0]
    return [flat[start : start + width] for start in range(0, len(flat), max(width, 1))]


def _columns(window: TensorWindow) -> frames.Columns:
    import numpy as np

    flat = np.frombuffer(window.data, window.data_dtype)
    if flat.dtype.kind == "c":
        return {"real": flat.real, "imaginary": flat.imag}
    if flat.dtype.kind == "b":
        return {"values": flat.view("u1")}
    return {"values": flat.astype("f4") if flat.dtype == "f2" else flat}


OPERATIONS = [
    Operation(
        "POST",
        "/tensors/describe",
        describe,
        "type, shape and statistics of many tensors",
        body=DescribeQuery,
        answer=DescribedTensors,
        failures=(400, 410),
    ),
    Operation(
        "GET",
        "/tensors/{instance}/{address}/values",
        values,
        "some values of a tensor, as a table",
        ValuesQuery,
        answer=(TensorValues, frames.MEDIA_TYPE),
        parameters={
            "instance": "`instance` of the list that has the address",
            "address": "`address` of a blob in the list",
        },
        failures=(400, 404, 410),
        also={304: "the client's copy is up to date"},
    ),
]
