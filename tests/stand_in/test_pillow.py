"""Images of tensorboardX's summary functions have the bytes that Pillow gives them."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from kymograph.stand_in.packages.tensorboardx import summary


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_the_file_is_pillows(channels: int):
    image: Any = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    pixels = np.random.default_rng(1).integers(0, 256, (16, 9, channels), np.uint8)
    message = summary.image("a b", pixels, dataformats="HWC")
    found = message.value[0]
    assert (found.tag, found.image.height, found.image.width) == ("a_b", 16, 9)
    file = io.BytesIO()
    shown = np.repeat(pixels, 3, axis=2) if channels == 1 else pixels
    image.fromarray(shown).save(file, "PNG")
    assert found.image.encoded_image_string == file.getvalue()
