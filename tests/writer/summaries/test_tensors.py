"""Tensors: every type in its field, with the bits that the format asks for."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kymograph.writer.summaries import tensors
from tests.golden import wire


def proto(tensor: Any) -> bytes:
    value = wire.last_bytes(tensors.tensor("t", tensor), 1)
    assert wire.last_bytes(value, 1) == b"t"
    assert wire.last_bytes(value, 9) == wire.message(1, wire.text(1, "tensor"))
    return wire.last_bytes(value, 8)


def shape(tensor: Any) -> list[int]:
    sizes = wire.all_bytes(wire.last_bytes(proto(tensor), 2), 2)
    return [wire.last_integer(size, 1) for size in sizes]


@pytest.mark.parametrize(
    ("dtype", "number", "field", "form"),
    [("f4", 1, 5, "f"), ("f8", 2, 6, "d"), (">f4", 1, 5, "f"), ("?", 10, 11, "?")],
)
def test_numbers_of_fixed_width_are_copied(dtype, number, field, form):
    message = proto(np.array([[0, 1], [1, 0]], dtype))
    assert wire.last_integer(message, 1) == number
    assert wire.last_bytes(message, field) == struct.pack(f"<4{form}", 0, 1, 1, 0)


@pytest.mark.parametrize(
    ("dtype", "number", "field", "form"), [("c8", 8, 9, "f"), ("c16", 18, 12, "d")]
)
def test_complex_numbers_alternate(dtype, number, field, form):
    message = proto(np.array([1 + 2j, 3 - 4j], dtype))
    assert wire.last_integer(message, 1) == number
    assert wire.last_bytes(message, field) == struct.pack(f"<4{form}", 1, 2, 3, -4)


@pytest.mark.parametrize(
    ("dtype", "number", "field"),
    [("i1", 6, 7), ("i2", 5, 7), ("i4", 3, 7), ("i8", 9, 10), ("u1", 4, 16)],
)
def test_integers_are_varints(dtype, number, field):
    limits = np.iinfo(dtype)
    numbers = [limits.min, 0, 1, 127, limits.max]
    message = proto(np.array(numbers, dtype))
    assert wire.last_integer(message, 1) == number
    assert wire.last_bytes(message, field) == b"".join(wire.varint(each) for each in numbers)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_varints_of_any_length(numbers):
    expected = b"".join(wire.varint(each) for each in numbers)
    assert wire.last_bytes(proto(np.array(numbers, np.int64)), 10) == expected


def test_varints_of_many_numbers():
    numbers = np.arange(-70_000, 70_000)
    expected = b"".join(wire.varint(int(each)) for each in numbers)
    assert wire.last_bytes(proto(numbers), 10) == expected


def test_halves_are_patterns_of_16_bits():
    message = proto(np.array([1.0, -2.0], np.float16))
    assert wire.last_integer(message, 1) == 19
    assert wire.last_bytes(message, 13) == wire.varint(0x3C00) + wire.varint(0xC000)


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (np.float32(1), []),
        (1.5, []),
        ([[1, 2, 3]], [1, 3]),
        (np.zeros((2, 1, 3)), [2, 1, 3]),
        (np.zeros((0, 3)), [0, 3]),
        (np.zeros((4, 4))[::2, 1:], [2, 3]),
    ],
)
def test_the_shape_is_kept(tensor, expected):
    assert shape(tensor) == expected


def test_the_shape_of_a_single_number_is_present_and_empty():
    assert wire.all_bytes(proto(np.float32(1)), 2) == [b""]


def test_elements_are_written_row_by_row():
    table = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert wire.last_bytes(proto(table.T), 5) == struct.pack("<6f", 0, 3, 1, 4, 2, 5)


@pytest.mark.parametrize("dtype", ["u2", "u4", "u8", "U1", "O", "g"])
def test_types_without_a_field_are_refused(dtype):
    with pytest.raises(ValueError, match="t has unsupported tensor dtype"):
        tensors.tensor("t", np.array(["1"], "U1").astype(dtype))


def test_more_than_two_gigabytes_are_refused():
    huge = np.broadcast_to(np.float32(1), (1 << 29,))
    with pytest.raises(ValueError, match="hard limit of 2GB"):
        tensors.tensor("t", huge)


def test_what_is_no_array_is_refused():
    with pytest.raises(NotImplementedError):
        tensors.tensor("t", None)
