"""A tensor with the fields of TensorBoard's TensorProto, and without protobuf."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Dim", "TensorProto", "TensorShape"]

_STRING = 7
# Numbers of TensorFlow's DataType.
_TYPES = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}


@dataclass(frozen=True)
class Dim:
    """The length of a tensor in one direction."""

    size: int


@dataclass(frozen=True)
class TensorShape:
    """The lengths of a tensor."""

    dim: tuple[Dim, ...]


class TensorProto:
    """A tensor.

    `array` is its content, and `numpy.asarray` gives it too. For code that was written for
    protobuf there are `dtype`, `tensor_shape`, `tensor_content` and `string_val`, which is all
    that `tf.make_ndarray` asks for, and `SerializeToString()` for a true message.
    """

    # All numbers are in `tensor_content`, wherever the message has them.
    half_val: tuple[int, ...] = ()
    float_val: tuple[float, ...] = ()
    double_val: tuple[float, ...] = ()
    int_val: tuple[int, ...] = ()
    int64_val: tuple[int, ...] = ()
    uint32_val: tuple[int, ...] = ()
    uint64_val: tuple[int, ...] = ()
    bool_val: tuple[bool, ...] = ()
    scomplex_val: tuple[float, ...] = ()
    dcomplex_val: tuple[float, ...] = ()

    def __init__(self, array: npt.NDArray[Any], serialized: bytes | None = None) -> None:
        self.array = array
        self._serialized = serialized

    @classmethod
    def of_scalar(cls, value: float) -> TensorProto:
        """A scalar as it was logged: in single precision if that loses nothing."""
        with np.errstate(over="ignore"):
            single = np.float32(value)
        exact = float(single) == value or np.isnan(value)
        return cls(np.array(value, dtype=np.float32 if exact else np.float64))

    def __repr__(self) -> str:
        return f"TensorProto({self.array!r})"

    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        array = self.array if dtype is None else self.array.astype(dtype)
        return array.copy() if copy else array

    @property
    def dtype(self) -> int:
        """TensorFlow's number of the array's type; numpy has no bfloat16, which is float32 here."""
        return _STRING if self.array.dtype == object else _TYPES[self.array.dtype.name]

    @property
    def tensor_shape(self) -> TensorShape:
        """The lengths."""
        return TensorShape(tuple(Dim(size) for size in self.array.shape))

    @property
    def string_val(self) -> list[bytes]:
        """The strings, of a tensor of strings."""
        return list(self.array.reshape(-1)) if self.array.dtype == object else []

    @property
    def tensor_content(self) -> bytes:
        """The numbers in C order, little-endian; empty for strings."""
        return b"" if self.array.dtype == object else self.array.tobytes()

    def SerializeToString(self) -> bytes:  # noqa: N802  (protobuf's name)
        """The message in the wire format: the bytes of the file, where it has some."""
        if self._serialized is not None:
            return self._serialized
        content = self.tensor_content
        # Only rank 0 is made here, by `of_scalar`: an empty shape, and a few bytes of content.
        return struct.pack("<BBBBBB", 0x08, self.dtype, 0x12, 0, 0x22, len(content)) + content
