"""Point clouds and triangle meshes into a summary of up to three values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph.writer import arrays, wire

__all__ = ["encode", "mesh"]

_DT_FLOAT = 1
_VERTEX, _FACE, _COLOR = 1, 2, 3


def mesh(
    tag: str | None,
    vertices: Any,
    colors: Any = None,
    faces: Any = None,
    config_dict: Mapping[str, Any] | None = None,
    display_name: str | None = None,
    description: str | None = None,
) -> wire.Summary:
    """Values `<tag>_VERTEX`, `<tag>_FACE` and `<tag>_COLOR`, of the parts that are given.

    Each part is B x N x 3, where B counts meshes shown together; `ValueError` if not of rank 3.
    """
    suffixes = ["VERTEX", "FACE", "COLOR"]
    shown = (wire.text(2, display_name) if display_name else b"") + (
        wire.text(3, description) if description else b""
    )
    return encode(tag, suffixes, vertices, colors, faces, config_dict, shown)


def encode(
    tag: str | None,
    suffixes: Sequence[str],
    vertices: Any,
    colors: Any,
    faces: Any,
    config_dict: Mapping[str, Any] | None,
    shown: bytes = b"",
) -> wire.Summary:
    """As `mesh`; with the suffixes of vertices, faces and colours, and more fields of metadata."""
    tag = None if tag is None else wire.string(tag)
    given = {_VERTEX: vertices, _FACE: faces, _COLOR: colors}
    parts = {kind: _array(part) for kind, part in given.items() if part is not None}
    components = sum(1 << kind for kind in parts)
    config = "{}" if config_dict is None else json.dumps(config_dict, sort_keys=True)
    return wire.summary(
        *(
            wire.value(
                f"{tag}_{suffixes[kind - 1]}",
                _tensor(part),
                _metadata(_content(tag, kind, config, part.shape, components), shown),
            )
            for kind, part in parts.items()
        )
    )


def _array(given: Any) -> npt.NDArray[np.float32]:
    array = arrays.to_numpy(given)
    if array.ndim != 3:
        raise ValueError(f"tensor shape should be of shape BxNx3, but got: {array.shape}")
    with np.errstate(over="ignore"):
        # Not `unsafe`: complex numbers and strings are a TypeError.
        return array.astype(np.float32, casting="same_kind")


def _tensor(array: npt.NDArray[np.float32]) -> bytes:
    dims = [wire.message(2, wire.integer(1, size)) for size in array.shape]
    numbers = wire.packed(5, array) if array.size else b""
    return wire.message(8, wire.integer(1, _DT_FLOAT), wire.message(2, *dims), numbers)


def _content(
    tag: str | None, kind: int, config: str, shape: tuple[int, ...], components: int
) -> bytes:
    return (
        (wire.text(2, tag) if tag else b"")
        + wire.integer(3, kind)
        + wire.text(5, config)
        + wire.packed_integers(6, shape)
        + wire.integer(7, components)
    )


def _metadata(content: bytes, shown: bytes) -> bytes:
    return wire.message(9, wire.message(1, wire.text(1, "mesh"), wire.data(2, content)), shown)
