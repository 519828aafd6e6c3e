"""The routes of TensorBoard's mesh plugin."""

from __future__ import annotations

from typing import Any

import numpy as np

from kymograph.asgi.board import Board
from kymograph.compat import tagged
from kymograph.compat.answers import Content, Json, Query
from kymograph.errors import RequestError
from kymograph.store import Blob, Tensor
from kymograph.store.meshes import MESH, Part, part_of

__all__ = ["ANSWERS"]

# The parts of a mesh: their number in event files, and the type of their numbers on the wire.
_PARTS: dict[str, tuple[int, type[Any]]] = {
    "VERTEX": (1, np.float32),
    "FACE": (2, np.int32),
    "COLOR": (3, np.uint8),
}


def tags(board: Board, _query: Query) -> Json:
    """The meshes of each run, with the number of meshes per step."""
    answer: dict[str, Json] = {}
    for run, series in tagged.each(board.store, MESH):
        parts = [part_of(one) for one in series]
        answer[run] = {part.name: {"samples": (part.shape or (0,))[0]} for part in parts}
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
            "data_shape": list(part.shape),
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


def _blobs(board: Board, query: Query) -> list[tuple[Part, Blob]]:
    run, tag = query.text("run"), query.text("tag")
    series = board.store[run].all_blobs(MESH) if run in board.store else []
    return [(part, blob) for one in series if (part := part_of(one)).name == tag for blob in one]


ANSWERS = {"tags": tags, "meshes": meshes, "data": data}
