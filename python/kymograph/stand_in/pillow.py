"""Images as tensorboardX encodes them, for code that compares summaries with stored ones."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from kymograph.stand_in.messages import Message, Summary
from kymograph.writer import arrays, wire

__all__ = ["encoded_by_pillow", "wrapped"]


def wrapped(tensor: Any) -> Any:
    """Pixels of an array: times 255, where what does not fit into a byte wraps around.

    Our writers clip instead; what tensorboardX's functions return has always been so.
    """
    array = arrays.to_numpy(tensor)
    if array.dtype == np.uint8 or array.dtype.kind not in "biuf":
        return array
    with np.errstate(over="ignore", invalid="ignore"):
        return (array * 255.0).astype(np.int64).astype(np.uint8)


def encoded_by_pillow(message: Message) -> Message:
    """A message with an image, with the bytes that Pillow gives the image.

    Without Pillow, which tensorboardX needs, the image stays as it is.
    """
    try:
        from PIL import Image
    except ImportError:
        return message
    value = message.value[0]
    file = io.BytesIO()
    with Image.open(io.BytesIO(value.image.encoded_image_string)) as picture:
        picture.save(file, "PNG")
    image = wire.message(
        4,
        wire.integer(1, value.image.height),
        wire.integer(2, value.image.width),
        wire.integer(3, value.image.colorspace),
        wire.data(4, file.getvalue()),
    )
    return Summary(wire.summary(wire.value(value.tag, image)))
