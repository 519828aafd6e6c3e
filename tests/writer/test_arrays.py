"""What becomes an array or a number, and what is refused, without any framework."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kymograph.writer import arrays


class Foreign:
    """Another library's array, known by its protocol only."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.array


class Capsule:
    """An array that can only be handed over by DLPack."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


class Float:
    """Something that only knows to be a float."""

    def __float__(self) -> float:
        return 1.0


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u8", "c16", "?", "O", "U3"])
def test_a_numpy_array_is_used_as_it_is(dtype):
    array = np.ones((2, 3), dtype)
    assert arrays.to_numpy(array) is array


@pytest.mark.parametrize(
    "value", [1, 2.5, True, 1 + 2j, "3.5", b"3.5", np.float16(1), Decimal("1.5"), Fraction(1, 2)]
)
def test_a_number_becomes_an_array_of_one(value):
    array = arrays.to_numpy(value)
    assert array.shape == (1,)
    assert array[0] == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ((1.5, 2), [1.5, 2]),
        ([[1, 2], [3, 4]], [[1, 2], [3, 4]]),
        ([np.float32(1), np.float32(2)], [1, 2]),
        ([np.arange(2), np.arange(2)], [[0, 1], [0, 1]]),
        ([Foreign(np.arange(2)), Foreign(np.arange(2))], [[0, 1], [0, 1]]),
        ([Foreign(np.array(7.0)), 8.0], [7, 8]),
        ([], []),
    ],
)
def test_lists_become_arrays(value, expected):
    assert arrays.to_numpy(value).tolist() == expected


@pytest.mark.parametrize("wrapper", [Foreign, Capsule])
def test_arrays_of_other_libraries_are_read_through_their_protocols(wrapper):
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    converted = arrays.to_numpy(wrapper(array))
    assert converted.dtype == np.float32
    assert converted.tolist() == array.tolist()


@pytest.mark.parametrize(
    "value",
    [
        None,
        object(),
        Float(),
        {"a": 1},
        range(3),
        ["a", "b"],
        [None],
        [[1, 2], [3]],
        [Foreign(np.arange(2)), Foreign(np.arange(3))],
        [object()],
        Foreign(np.array(["a"])),
    ],
)
@pytest.mark.parametrize("convert", [arrays.to_numpy, arrays.number])
def test_what_holds_no_numbers_is_refused_in_torchs_words(convert, value):
    with pytest.raises(NotImplementedError, match=r"Got <class .*>, but numpy array or torch"):
        convert(value)


@pytest.mark.parametrize(
    "value",
    [
        2,
        2.0,
        "2",
        b"2.0",
        Decimal(2),
        np.float16(2),
        np.int8(2),
        np.longdouble(2),
        np.array(2.0),
        np.array([[2]]),
        np.array(["2"]),
        [2],
        [[2.0]],
        Foreign(np.array([2.0])),
        Capsule(np.array([2.0])),
    ],
)
def test_one_number_is_found_in_any_wrapping(value):
    found = arrays.number(value)
    assert type(found) is float
    assert found == 2


def test_numbers_beyond_the_finite_ones_stay():
    assert arrays.number(True) == 1.0
    assert np.isnan(arrays.number(np.array([np.nan], np.float32)))
    assert arrays.number(-np.inf) == -np.inf
    assert np.signbit(arrays.number(np.float32(-0.0)))


@pytest.mark.parametrize(
    ("value", "size", "dimensions"),
    [(np.zeros(2), 2, 1), (np.zeros((1, 0, 3)), 0, 2), ([1, 2, 3], 3, 1), ([], 0, 1)],
)
def test_more_or_fewer_numbers_than_one_are_refused(value, size, dimensions):
    with pytest.raises(AssertionError, match=f"size: {size} and {dimensions} dimensions"):
        arrays.number(value)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (1j, TypeError),
        (np.complex64(1j), TypeError),
        (np.array([1j]), TypeError),
        ("abc", ValueError),
        (np.array("abc"), ValueError),
        (10**400, OverflowError),
    ],
)
def test_what_is_no_real_number_is_refused(value, error):
    with pytest.raises(error):
        arrays.number(value)


def test_an_array_method_may_give_out_a_number():
    """As that of TensorFlow's tensors of bfloat16 without axes."""

    class Number:
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
            return np.float32(0.5)

    assert arrays.number(Number()) == 0.5
    assert arrays.to_numpy(Number()).shape == ()
