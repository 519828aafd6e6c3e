"""In the place of `torch.utils.tensorboard.summary`: its functions, which give our summaries."""

from typing import Any

import numpy as np

from kymograph.stand_in import originals
from kymograph.writer.summaries.audio import audio
from kymograph.writer.summaries.custom_scalars import custom_scalars
from kymograph.writer.summaries.histograms import histogram, histogram_raw
from kymograph.writer.summaries.hparams import hparams
from kymograph.writer.summaries.images import image, image_boxes
from kymograph.writer.summaries.mesh import mesh
from kymograph.writer.summaries.pr_curves import pr_curve, pr_curve_raw
from kymograph.writer.summaries.scalars import scalar
from kymograph.writer.summaries.tensors import tensor as tensor_proto
from kymograph.writer.summaries.text import text
from kymograph.writer.summaries.videos import video

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


def __getattr__(name: str) -> object:
    return originals.original(__name__, name)


def half_to_int(number: float) -> int:
    """The bit pattern of a number as single precision, which torch calls half."""
    return int(np.float32(number).view(np.int32))


def int_to_half(pattern: int) -> Any:
    """The number that `half_to_int` turned into a bit pattern."""
    return np.int32(pattern).view(np.float32)
