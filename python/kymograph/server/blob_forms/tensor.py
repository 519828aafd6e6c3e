"""Tensors as answers."""

from __future__ import annotations

import struct
from typing import Any

from kymograph.asgi import responses
from kymograph.errors import QueryError
from kymograph.server.blob_forms.form import Form, Framed, ValueBlob
from kymograph.store import Tensor
from kymograph.store.blobs.tensor import name_of, numbers, size_of

__all__ = ["FORM", "TensorBlob"]

# A tensor with more numbers than this is answered as a frame, or not at all.
_MOST_IN_JSON = 10_000
# What any numpy reads.
_MOST_DIMENSIONS_OF_NPY = 32


class TensorBlob(ValueBlob, tag="tensor"):
    """Numbers, row by row."""

    dtype: str
    shape: list[int]
    values: list[Any] | None
    """Complex numbers are pairs; `null` if there are more than 10,000: request a frame."""


def _as_json(tensor: Tensor) -> TensorBlob:
    count = len(tensor.data) // size_of(tensor.dtype)
    values = None
    if count <= _MOST_IN_JSON:
        values = [responses.plain(one) for one in numbers(tensor.dtype, tensor.data)]
    return TensorBlob(name_of(tensor.dtype), list(tensor.shape), values)


def _as_frame(tensor: Tensor) -> Framed:
    flat = tensor.flat
    meta = {"kind": "tensor", "dtype": name_of(tensor.dtype), "shape": list(tensor.shape)}
    if flat.dtype.kind == "c":
        return {"real": flat.real, "imaginary": flat.imag}, meta
    if flat.dtype.kind == "b":
        flat = flat.view("u1")
    elif flat.dtype == "f2":
        flat = flat.astype("f4")
    return {"values": flat}, meta


def _as_npy(tensor: Tensor) -> bytes:
    """The bytes of a `.npy` file.

    Its format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
    """
    if len(tensor.shape) > _MOST_DIMENSIONS_OF_NPY:
        raise QueryError(
            f"the tensor has {len(tensor.shape)} dimensions, more than a `.npy` file can have"
        )
    sizes = "".join(f"{size}, " for size in tensor.shape)
    text = f"{{'descr': '{tensor.dtype}', 'fortran_order': False, 'shape': ({sizes}), }}"
    # Magic, version and length take ten bytes, and all of it a multiple of 64.
    header = text.encode("ascii")
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + tensor.data


FORM = Form(_as_json, as_frame=_as_frame, as_npy=_as_npy)
