"""In the place of `tensorboardX.summary`: its functions, which return our messages."""

from typing import Any

from kymograph.stand_in import originals
from kymograph.stand_in.messages import Message, Summary, as_messages, only_arrays
from kymograph.stand_in.pillow import encoded_by_pillow, wrapped
from kymograph.tensorboardx import summary as _summary
from kymograph.tensorboardx.summary import clean_tag

__all__ = [
    "audio",
    "clean_tag",
    "custom_scalars",
    "histogram",
    "histogram_raw",
    "hparams",
    "image",
    "image_boxes",
    "mesh",
    "pr_curve",
    "pr_curve_raw",
    "scalar",
    "text",
    "video",
]

audio = as_messages(_summary.audio)
custom_scalars = as_messages(_summary.custom_scalars)
histogram = as_messages(only_arrays(_summary.histogram))
histogram_raw = as_messages(_summary.histogram_raw)
hparams = as_messages(_summary.hparams)
mesh = as_messages(_summary.mesh)
pr_curve = as_messages(_summary.pr_curve)
pr_curve_raw = as_messages(_summary.pr_curve_raw)
scalar = as_messages(_summary.scalar)
text = as_messages(_summary.text)


def image(tag: str, tensor: Any, rescale: float = 1, dataformats: str = "CHW") -> Message:
    """An image, or a grid of them."""
    made = _summary.image(tag, wrapped(tensor), rescale, dataformats)
    return encoded_by_pillow(Summary(made))


def image_boxes(
    tag: str,
    tensor_image: Any,
    tensor_boxes: Any,
    rescale: float = 1,
    dataformats: str = "CHW",
    labels: list[str] | None = None,
) -> Message:
    """An image with boxes drawn on it."""
    made = _summary.image_boxes(
        tag, wrapped(tensor_image), tensor_boxes, rescale, dataformats, labels
    )
    return encoded_by_pillow(Summary(made))


def video(tag: str, tensor: Any, fps: float = 4, dataformats: str = "NTCHW") -> Message:
    """A moving picture, with the five axes in any order."""
    return Summary(_summary.video(tag, wrapped(tensor), fps, dataformats))


def __getattr__(name: str) -> object:
    return originals.original(__name__, name)
