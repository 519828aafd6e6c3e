"""Numbers: one value of one tag."""

from __future__ import annotations

import struct
from typing import Any

from kymograph.writer import arrays, wire

__all__ = ["scalar", "style_of"]

_FLOAT, _DOUBLE = 1, 2


def style_of(new_style: bool, double_precision: bool) -> int:
    """How the core stores a scalar: 0 as a simple value, 1 as a float tensor, 2 as a double."""
    return (_DOUBLE if double_precision else _FLOAT) if new_style else 0


def scalar(
    tag: str, value: Any, new_style: bool = False, double_precision: bool = False
) -> wire.Summary:
    """One number as a summary; `double_precision` needs `new_style`, as in PyTorch.

    >>> scalar("loss", 0.5)
    Summary(13 bytes)
    """
    number = arrays.number(value)
    style = style_of(new_style, double_precision)
    if style == 0:
        return wire.summary(wire.value(tag, wire.single(2, number)))
    if style == _DOUBLE:
        numbers = wire.data(6, struct.pack("<d", number))
    else:
        numbers = wire.data(5, wire.single(1, number)[1:])
    tensor = wire.message(8, wire.integer(1, style), numbers)
    return wire.summary(wire.value(tag, tensor, wire.plugin("scalars")))
