"""Pixels of tensorboardX's summary functions wrap around, where our writers clip.

The files are compared with tensorboardX's in `tests/interop/test_messages_like_originals.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kymograph.stand_in.packages.tensorboardx import summary
from kymograph.stand_in.pillow import wrapped
from tests.interop.stdlib_media import png_pixels


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "bool"])
def test_numbers_wrap_around(dtype: str):
    array = np.array([[0, 1, 2, 3]], dtype)
    expected = array.astype(int) * 255 % 256
    assert wrapped(array).tolist() == expected.tolist()
    assert wrapped(array).dtype == np.uint8


def test_fractions_are_cut_off_and_what_is_no_number_is_black():
    array = np.array([0.5, 0.999, 1.5, -0.5, np.nan, np.inf])
    assert wrapped(array).tolist() == [127, 254, 126, 129, 0, 0]


@pytest.mark.parametrize("pixels", [np.array([0, 200], np.uint8), np.array([1j]), np.array(["a"])])
def test_bytes_and_what_is_no_real_number_stay(pixels: np.ndarray[Any, Any]):
    assert wrapped(pixels) is pixels


def test_the_summary_has_the_pixels():
    message = summary.image("a b", np.array([[0.0, 1.5]]), dataformats="HW")
    found = message.value[0]
    assert (found.tag, found.image.height, found.image.width) == ("a_b", 1, 2)
    assert png_pixels(found.image.encoded_image_string).tolist() == [[[0] * 3, [126] * 3]]
