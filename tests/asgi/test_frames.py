"""Column frames: what goes in comes out, and damage is reported in a sentence."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kymograph.asgi import frames
from kymograph.errors import RequestError

COLUMNS: dict[str, npt.NDArray[Any]] = {
    "x": np.array([0, 1, 2], np.int32),
    "value": np.array([0.5, np.nan, -np.inf], np.float64),
    "flags": np.array([1], np.uint8),
    "empty": np.array([], np.float32),
}


def test_what_is_encoded_is_decoded():
    columns, meta = frames.decode(frames.encode(COLUMNS, {"change": 7, "names": ["a", "ü"]}))
    assert meta == {"change": 7, "names": ["a", "ü"]}
    assert list(columns) == list(COLUMNS)
    for name, column in COLUMNS.items():
        assert columns[name].dtype == column.dtype
        np.testing.assert_array_equal(columns[name], column)


@pytest.mark.parametrize(
    "dtype", ["<f8", "<f4", "<i8", "<i4", "<i2", "i1", "<u8", "<u4", "<u2", "u1", ">f8", ">i4"]
)
def test_every_kind_of_number_is_little_endian(dtype):
    column = np.array([0, 1, 100], dtype)
    decoded = frames.decode(frames.encode({"x": column}, {}))[0]["x"]
    assert decoded.tolist() == [0, 1, 100]
    assert decoded.dtype == column.dtype.newbyteorder("<")


def test_columns_that_do_not_lie_side_by_side_are_gathered():
    table = np.arange(12, dtype=np.float64).reshape(3, 4)
    decoded = frames.decode(frames.encode({"x": table[:, 1]}, {}))[0]["x"]
    assert decoded.tolist() == [1, 5, 9]


def test_columns_begin_at_multiples_of_eight():
    data = frames.encode(COLUMNS, {"x": "y"})
    header_length = int.from_bytes(data[8:12], "little")
    assert (12 + header_length) % 8 == 0
    assert len(data) % 8 == 0
    assert data[12 + header_length :][:4] == b"\0\0\0\0"
    assert data[12 + header_length + 16 :][:8] == np.float64(0.5).tobytes()


def test_a_frame_cut_anywhere_is_damaged():
    data = frames.encode({"x": np.arange(3.0)}, {"a": 1})
    for length in range(len(data)):
        with pytest.raises(RequestError):
            frames.decode(data[:length])


@pytest.mark.parametrize(
    "data", [b"", b"KYMG" + bytes(20), b"KYMF\x02" + bytes(20), b"KYMF\x01\0\0\0\x02\0\0\0[]"]
)
def test_what_is_no_frame_is_refused(data):
    with pytest.raises(RequestError):
        frames.decode(data)
