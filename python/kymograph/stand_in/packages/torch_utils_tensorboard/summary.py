"""In the place of `torch.utils.tensorboard.summary`: its functions, which return our messages."""

from typing import Any

import numpy as np

from kymograph.stand_in import originals
from kymograph.stand_in.messages import as_messages, only_arrays
from kymograph.writer.summaries import (
    audio as _audio,
)
from kymograph.writer.summaries import (
    custom_scalars as _custom_scalars,
)
from kymograph.writer.summaries import (
    histograms as _histograms,
)
from kymograph.writer.summaries import (
    hparams as _hparams,
)
from kymograph.writer.summaries import (
    images as _images,
)
from kymograph.writer.summaries import (
    mesh as _mesh,
)
from kymograph.writer.summaries import (
    pr_curves as _pr_curves,
)
from kymograph.writer.summaries import (
    scalars as _scalars,
)
from kymograph.writer.summaries import (
    tensors as _tensors,
)
from kymograph.writer.summaries import (
    text as _text,
)
from kymograph.writer.summaries import (
    video as _video,
)

__all__ = [
    "audio",
    "custom_scalars",
    "half_to_int",
    "histogram",
    "histogram_raw",
    "hparams",
    "image",
    "image_boxes",
    "int_to_half",
    "mesh",
    "pr_curve",
    "pr_curve_raw",
    "scalar",
    "tensor_proto",
    "text",
    "video",
]

audio = as_messages(_audio.audio)
custom_scalars = as_messages(_custom_scalars.custom_scalars)
histogram = as_messages(only_arrays(_histograms.histogram))
histogram_raw = as_messages(_histograms.histogram_raw)
hparams = as_messages(_hparams.hparams)
image = as_messages(_images.image)
image_boxes = as_messages(_images.image_boxes)
mesh = as_messages(_mesh.mesh)
pr_curve = as_messages(_pr_curves.pr_curve)
pr_curve_raw = as_messages(_pr_curves.pr_curve_raw)
scalar = as_messages(_scalars.scalar)
tensor_proto = as_messages(_tensors.tensor)
text = as_messages(_text.text)
video = as_messages(_video.video)


def __getattr__(name: str) -> object:
    return originals.original(__name__, name)


def _calc_scale_factor(tensor: Any) -> int:
    """What the values of an image are multiplied by to be bytes."""
    return 1 if np.asarray(tensor).dtype == np.uint8 else 255


def half_to_int(number: float) -> int:
    """The bit pattern of a number as single precision, which torch calls half."""
    return int(np.float32(number).view(np.int32))


def int_to_half(pattern: int) -> Any:
    """The number that `half_to_int` turned into a bit pattern."""
    return np.int32(pattern).view(np.float32)
