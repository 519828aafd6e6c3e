"""Point clouds and triangle meshes into a summary of up to three values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph.writer import arrays, wire

__all__ = ["mesh"]

_DT_FLOAT = 1
_VERTEX, _FACE, _COLOR = 1, 2, 3
_SUFFIXES = {_VERTEX: "VERTEX", _FACE: "FACE", _COLOR: "COLOR"}


def mesh(
    tag: str,
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
    parts = given_parts(vertices, colors, faces)
    json_config = "{}" if config_dict is None else json.dumps(config_dict, sort_keys=True)
    components = sum(1 << part for part in parts)
    descriptions = (wire.text(2, display_name) if display_name else b"") + (
        wire.text(3, description) if description else b""
    )
    return wire.summary(
        *(
            value(
                f"{tag}_{_SUFFIXES[part]}",
                array,
                _content(tag, part, array.shape, json_config, components),
                descriptions,
            )
            for part, array in parts.items()
        )
    )


def given_parts(vertices: Any, colors: Any, faces: Any) -> dict[int, npt.NDArray[np.float32]]:
    """The parts that are not None, by their content type and in the order of the file."""
    parts = {_VERTEX: vertices, _FACE: faces, _COLOR: colors}
    return {part: _array(given) for part, given in parts.items() if given is not None}


def value(
    tag: str, array: npt.NDArray[np.float32], content: bytes, descriptions: bytes = b""
) -> bytes:
    """One part: its numbers, and what the dashboard must know of them."""
    plugin_data = wire.message(1, wire.text(1, "mesh"), wire.data(2, content))
    dims = [wire.message(2, wire.integer(1, size)) for size in array.shape]
    numbers = wire.packed(5, array) if array.size else b""
    tensor = wire.message(8, wire.integer(1, _DT_FLOAT), wire.message(2, *dims), numbers)
    return wire.value(tag, tensor, wire.message(9, plugin_data, descriptions))


def _array(given: Any) -> npt.NDArray[np.float32]:
    array = arrays.to_numpy(given)
    if array.ndim != 3:
        raise ValueError(f"tensor shape should be of shape BxNx3, but got: {array.shape}")
    with np.errstate(over="ignore"):
        # Not `unsafe`: complex numbers and strings are a TypeError.
        return array.astype(np.float32, casting="same_kind")


def _content(
    tag: str, part: int, shape: tuple[int, ...], json_config: str, components: int
) -> bytes:
    return (
        wire.text(2, tag)
        + wire.integer(3, part)
        + wire.text(5, json_config)
        + wire.packed_integers(6, shape)
        + (wire.integer(7, components) if components else b"")
    )
