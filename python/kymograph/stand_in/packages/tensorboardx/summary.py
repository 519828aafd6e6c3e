"""In the place of `tensorboardX.summary`: its functions, which return our messages."""

from kymograph.stand_in import originals
from kymograph.stand_in.messages import as_messages, only_arrays
from kymograph.stand_in.pillow import encoded_by_pillow
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
image = encoded_by_pillow(as_messages(_summary.image))
image_boxes = encoded_by_pillow(as_messages(_summary.image_boxes))
mesh = as_messages(_summary.mesh)
pr_curve = as_messages(_summary.pr_curve)
pr_curve_raw = as_messages(_summary.pr_curve_raw)
scalar = as_messages(_summary.scalar)
text = as_messages(_summary.text)
video = as_messages(_summary.video)


def __getattr__(name: str) -> object:
    return originals.original(__name__, name)
