"""Anything that holds numbers, of whichever framework, as a numpy array or a float.

No framework is imported: a torch tensor can only come from a program that imported torch.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # numpy.typing takes long to import
    import numpy.typing as npt

__all__ = ["number", "to_numpy"]

_NUMBERS = "biufc"


def to_numpy(value: Any) -> npt.NDArray[Any]:
    """The values of an array, tensor, number or nested list.

    A number or string becomes an array of one element, a tensor comes from any device, without its
    gradient. Narrow floats that numpy does not know (bfloat16, float8) become float32.

    Raises `NotImplementedError` for what holds no numbers, as PyTorch's writer does.
    """
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind != "V" else _widened(value)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, getattr(torch, "Tensor", ())):
        return _from_torch(torch, value)
    if np.isscalar(value):
        return _widened(np.array([value]))
    if isinstance(value, (list, tuple)):
        return _only_numbers(_from_sequence(value), value)
    if hasattr(type(value), "__array__"):
        # Called here, since TensorFlow gives out a number where numpy insists on an array.
        return _only_numbers(_widened(np.asarray(value.__array__())), value)
    if hasattr(type(value), "__dlpack__"):
        return np.from_dlpack(value)
    raise _not_an_array(value)


def number(value: Any) -> float:
    """The one number in `value`, whatever its shape.

    Raises `AssertionError` when there are more or none, `TypeError` for a complex number and
    `ValueError` for a string that spells none, as PyTorch's writer does.
    """
    if isinstance(value, (float, int)):
        return float(value)
    if hasattr(type(value), "item"):
        try:
            item = value.item()
        except (RuntimeError, TypeError, ValueError):
            pass  # more than one element, or none: reported below
        else:
            if isinstance(item, (float, int)):
                return float(item)
    array = to_numpy(value).squeeze()
    if array.ndim:
        raise AssertionError(
            "Tensor should contain one element (0 dimensions). "
            f"Was given size: {array.size} and {array.ndim} dimensions."
        )
    return float(array)


def _from_torch(torch: Any, tensor: Any) -> npt.NDArray[Any]:
    if tensor.is_meta:
        raise NotImplementedError("a tensor on the `meta` device has no values to log")
    if getattr(tensor, "is_quantized", False):
        tensor = tensor.dequantize()
    elif tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    dtype = tensor.dtype
    if dtype.is_floating_point and dtype not in (torch.float16, torch.float32, torch.float64):
        tensor = tensor.float()
    elif dtype is torch.complex32:
        tensor = tensor.to(torch.complex64)
    array: npt.NDArray[Any] = tensor.numpy(force=True)
    return array


def _from_sequence(values: list[Any] | tuple[Any, ...]) -> npt.NDArray[Any]:
    leaf: Any = values
    while isinstance(leaf, (list, tuple)) and leaf:
        leaf = leaf[0]
    try:
        if np.isscalar(leaf) or isinstance(leaf, (list, tuple, np.ndarray)):
            return np.asarray(values)
        return np.array([np.asarray(v) if np.isscalar(v) else to_numpy(v) for v in values])
    except ValueError:  # rows of different lengths
        raise _not_an_array(values) from None


def _widened(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """JAX and TensorFlow hand out bfloat16 and its like as types that numpy cannot compute with."""
    foreign = array.dtype.type.__module__.partition(".")[0] == "ml_dtypes"
    return array.astype(np.float32) if foreign else array


def _only_numbers(array: npt.NDArray[Any], value: object) -> npt.NDArray[Any]:
    if array.dtype.kind not in _NUMBERS:
        raise _not_an_array(value)
    return array


def _not_an_array(value: object) -> NotImplementedError:
    return NotImplementedError(f"Got {type(value)}, but numpy array or torch tensor are expected.")
