"""Numbers in any shape."""

from __future__ import annotations

import struct
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from kymograph import _core
from kymograph.errors import BlobUnreadableError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Tensor", "TensorDescription", "TensorWindow", "name_of", "numbers", "size_of"]


class Tensor(msgspec.Struct, frozen=True, dict=True):
    """Numbers in any shape."""

    dtype: str
    """The type of an element, as numpy spells it: `<f4`."""
    shape: tuple[int, ...]
    data: bytes
    """The elements, row by row."""

    @cached_property
    def flat(self) -> npt.NDArray[Any]:
        """The elements, row by row."""
        import numpy as np

        return np.frombuffer(self.data, dtype=self.dtype)

    @cached_property
    def array(self) -> npt.NDArray[Any]:
        """The elements in their shape.

        Raises BlobUnreadableError when numpy does not support the shape; `flat` always works.
        """
        try:
            return self.flat.reshape(self.shape)
        except ValueError as error:
            raise BlobUnreadableError(
                f"numpy cannot hold a tensor of this shape: {error}"
            ) from None

    @classmethod
    def from_core(cls, core: _core.Tensor) -> Tensor:
        """From what the core decoded."""
        return cls(core.dtype, tuple(core.shape), core.data)


class TensorDescription(msgspec.Struct, frozen=True):
    """What kind of tensor it is. Complex numbers count by their absolute values."""

    dtype: str
    """As it was logged: `float32`, `bfloat16`, `string`."""
    shape: tuple[int, ...]
    elements: int
    """How many the shape asks for; of strings, how many there are."""
    finite: int
    nan: int
    positive_infinities: int
    negative_infinities: int
    zeros: int
    min: float | None
    """Of the finite elements; nothing if there are none, as for `max`, `mean` and `std`."""
    max: float | None
    mean: float | None
    std: float | None
    """With the number of elements as the divisor."""
    strings: list[str] | None
    """The first ten of a tensor of strings, each cut after a thousand characters."""

    @classmethod
    def from_core(cls, core: _core.TensorDescription) -> TensorDescription:
        """From what the core computed."""
        return cls(
            dtype=core.dtype,
            shape=tuple(core.shape),
            elements=core.elements,
            finite=core.finite,
            nan=core.nan,
            positive_infinities=core.positive_infinities,
            negative_infinities=core.negative_infinities,
            zeros=core.zeros,
            min=core.min,
            max=core.max,
            mean=core.mean,
            std=core.std,
            strings=core.strings,
        )


class TensorWindow(msgspec.Struct, frozen=True):
    """A table of the values of a tensor."""

    dtype: str
    """As it was logged."""
    shape: tuple[int, ...]
    """Of the whole tensor."""
    index: tuple[int, ...]
    """Where the axes before the last two are fixed."""
    rows: tuple[int, int]
    columns: tuple[int, int]
    """The ranges that are there of those that were asked for."""
    data_dtype: str
    """The type of the numbers in `data`, as numpy spells it."""
    data: bytes
    """The numbers, row by row; empty for a tensor of strings."""
    strings: list[str] | None
    """The strings, row by row, each cut after a thousand characters; nothing for numbers."""

    @classmethod
    def from_core(cls, core: _core.TensorWindow) -> TensorWindow:
        """From what the core read."""
        return cls(
            dtype=core.dtype,
            shape=tuple(core.shape),
            index=tuple(core.index),
            rows=core.rows,
            columns=core.columns,
            data_dtype=core.data_dtype,
            data=core.data,
            strings=core.strings,
        )


# numpy's spelling of a type → its name, and how `struct` spells it.
_TYPES = {
    "<f2": ("float16", "e"),
    "<f4": ("float32", "f"),
    "<f8": ("float64", "d"),
    "|i1": ("int8", "b"),
    "<i2": ("int16", "h"),
    "<i4": ("int32", "i"),
    "<i8": ("int64", "q"),
    "|u1": ("uint8", "B"),
    "<u2": ("uint16", "H"),
    "<u4": ("uint32", "I"),
    "<u8": ("uint64", "Q"),
    "|b1": ("bool", "?"),
    "<c8": ("complex64", "ff"),
    "<c16": ("complex128", "dd"),
}


def name_of(dtype: str) -> str:
    """The name of a type that numpy spells so."""
    return _TYPES[dtype][0]


def size_of(dtype: str) -> int:
    """How many bytes an element has."""
    return struct.calcsize("<" + _TYPES[dtype][1])


def numbers(dtype: str, data: bytes) -> list[Any]:
    """The numbers in `data`; complex ones as pairs."""
    _, code = _TYPES[dtype]
    found = struct.iter_unpack("<" + code, data)
    return list(found) if len(code) > 1 else [one for (one,) in found]
