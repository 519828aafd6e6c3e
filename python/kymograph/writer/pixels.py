"""Arrays in the forms that the core turns into pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["samples", "transposed"]

_AS_THEY_ARE = tuple(np.dtype(name) for name in ("uint8", "float32", "float64"))


def samples(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array itself where it can be read in place, else a copy of type float32.

    Only uint8 means 0 to 255; all other types are multiplied by 255, as in PyTorch.
    """
    if array.dtype not in _AS_THEY_ARE:
        return array.astype(np.float32)
    return array if array.flags.aligned else array.copy()


def transposed(array: npt.NDArray[Any], dataformats: str, order: str) -> npt.NDArray[Any]:
    """A view of `array`, whose axes are named by the letters of `dataformats`, in `order`.

    Raises `AssertionError` when the letters repeat or are not as many as the axes, `ValueError`
    when they are others than those of `order`.
    """
    if len(set(dataformats)) != len(dataformats):
        raise AssertionError(f"`dataformats` contains a letter twice: {dataformats}")
    if array.ndim != len(dataformats):
        raise AssertionError(
            f"`dataformats` has {len(dataformats)} axes: {dataformats}, but shape: {array.shape}"
        )
    letters = dataformats.upper()
    view: npt.NDArray[Any] = array.transpose([letters.find(letter) for letter in order])
    return view
