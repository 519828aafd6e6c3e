"""Images as Pillow encodes them, for code that compares summaries with stored ones."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from typing import Any, ParamSpec

from kymograph.stand_in.messages import Message, Summary
from kymograph.writer import wire

__all__ = ["encoded_by_pillow"]

_P = ParamSpec("_P")


def encoded_by_pillow(function: Callable[_P, Any]) -> Callable[_P, Any]:
    """`function`, which returns a message with an image, with the bytes that the original writes.

    Without Pillow, which the original needs, the image stays as it is.
    """

    @functools.wraps(function)
    def made(*args: _P.args, **kwargs: _P.kwargs) -> Any:
        message = function(*args, **kwargs)
        try:
            from PIL import Image
        except ImportError:
            return message
        image = message.value[0].image
        file = io.BytesIO()
        with Image.open(io.BytesIO(image.encoded_image_string)) as picture:
            picture.save(file, "PNG")
        return _with_file(message, file.getvalue())

    return made


def _with_file(message: Message, file: bytes) -> Message:
    value = message.value[0]
    image = wire.message(
        4,
        wire.integer(1, value.image.height),
        wire.integer(2, value.image.width),
        wire.integer(3, value.image.colorspace),
        wire.data(4, file),
    )
    return Summary(wire.summary(wire.value(value.tag, image)))
