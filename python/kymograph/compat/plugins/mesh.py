"""The routes of TensorBoard's mesh plugin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kymograph.asgi.board import Board
from kymograph.compat import tagged
from kymograph.compat.answers import Content, Json, Query
from kymograph.errors import RequestError
from kymograph.store import Blob, BlobSeries, Tensor, wire
from kymograph.store.series import Tagged

__all__ = ["ANSWERS"]

_MESH = "mesh"
# The parts of a mesh: their number in event files, and the type of their numbers on the wire.
_PARTS: dict[str, tuple[int, type[Any]]] = {
    "VERTEX": (1, np.float32),
    "FACE": (2, np.int32),
    "COLOR": (3, np.uint8),
}
# A bit for each part; older writers do not set them.
_ALL_COMPONENTS = sum(1 << number for number, _ in _PARTS.values())


@dataclass(frozen=True)
class _Part:
    """What the metadata of a tag says: which part of which mesh it is."""

    name: str
    content_type: int
    components: int
    config: str
    shape: list[int]


def tags(board: Board, _query: Query) -> Json:
    """The meshes of each run, with the number of meshes per step."""
    answer: dict[str, Json] = {}
    for run, series in tagged.each(board.store, _MESH):
        parts = [_part(one) for one in series]
        answer[run] = {part.name: {"samples": (part.shape or [0])[0]} for part in parts}
    return answer


def meshes(board: Board, query: Query) -> Json:
    """The parts of one mesh of one run, by step; their numbers are asked for one by one."""
    found = [
        {
            "wall_time": blob.wall_time,
            "step": blob.step,
            "content_type": part.content_type,
            "components": part.components,
            "config": part.config,
            "data_shape": part.shape,
        }
        for part, blob in _blobs(board, query)
    ]
    return sorted(found, key=lambda entry: (entry["step"], entry["content_type"]))


def data(board: Board, query: Query) -> Content:
    """The numbers of one part of one mesh at one step."""
    step, sample, name = _step(query), query.count("sample"), query.find("content_type")
    if name not in _PARTS:
        raise RequestError(f"not a part of a mesh: {name!r}; use one of: {', '.join(_PARTS)}")
    number, kind = _PARTS[name]
    found = [b for part, b in _blobs(board, query) if part.content_type == number]
    arrays = [blob.decode() for blob in found if blob.step == step]
    numbers: list[bytes] = []
    for decoded in arrays:
        if not isinstance(decoded, Tensor) or not decoded.array.ndim:
            continue
        if sample >= len(decoded.array):
            raise RequestError(f"no such sample: {sample}")
        with np.errstate(invalid="ignore"):
            numbers.append(decoded.array[sample].astype(kind).tobytes())
    return Content(b"".join(numbers), "application/octet-stream")


def _step(query: Query) -> float:
    text = query.find("step") or "0"
    try:
        return float(text)
    except ValueError as error:
        raise RequestError(f"`step` is not a number: {text!r}") from error


def _blobs(board: Board, query: Query) -> list[tuple[_Part, Blob]]:
    run, tag = query.text("run"), query.text("tag")
    series = board.store[run].all_blobs(_MESH) if run in board.store else []
    return [(part, blob) for one in series if (part := _part(one)).name == tag for blob in one]


def _part(series: Tagged | BlobSeries) -> _Part:
    fields = wire.read(series.metadata.content)
    return _Part(
        name=wire.text_of(fields, 2),
        content_type=wire.integer_of(fields, 3),
        components=wire.integer_of(fields, 7) or _ALL_COMPONENTS,
        config=wire.text_of(fields, 5),
        shape=wire.integers_of(fields, 6),
    )


ANSWERS = {"tags": tags, "meshes": meshes, "data": data}
