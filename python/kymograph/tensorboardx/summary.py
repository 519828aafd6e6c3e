"""The functions of `tensorboardX.summary`: what is given becomes a summary.

Most are those of PyTorch's dialect. Their own are the cleaned tags, the names and descriptions of
scalars, sound with the channels last, the tags of meshes, and which hyperparameters are taken.
"""

from __future__ import annotations

import functools
import logging
import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph.writer import arrays, wire
from kymograph.writer.summaries import histograms as _histograms
from kymograph.writer.summaries import hparams as _hparams
from kymograph.writer.summaries import mesh as _mesh
from kymograph.writer.summaries.custom_scalars import custom_scalars
from kymograph.writer.summaries.histograms import histogram_raw
from kymograph.writer.summaries.pr_curves import pr_curve, pr_curve_raw
from kymograph.writer.summaries.text import text

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

log = logging.getLogger(__name__)

_UNCLEAN = re.compile(r"[^-/\w.]")
_WAVE = 2.0**15


@functools.lru_cache(maxsize=4096)
def clean_tag(tag: str | None) -> str:
    """The tag without leading slashes, and `_` for all but letters, digits, `-`, `_`, `.`, `/`."""
    if tag is None:
        return ""
    clean = _UNCLEAN.sub("_", tag).lstrip("/")
    if clean != tag:
        log.info("the tag `%s` has characters that are not allowed; using `%s` instead", tag, clean)
    return clean


def scalar(
    name: str, scalar: Any, display_name: str = "", summary_description: str = ""
) -> wire.Summary:
    """One number, with a name and a description if they are given."""
    shown = (wire.text(2, display_name) if display_name else b"") + (
        wire.text(3, summary_description) if summary_description else b""
    )
    number = wire.single(2, arrays.number(scalar))
    return wire.summary(wire.value(clean_tag(name), number, wire.data(9, shown) if shown else b""))


def histogram(name: str, values: Any, bins: Any, max_bins: int | None = None) -> Any:
    """A histogram with these bins."""
    return _histograms.histogram(clean_tag(name), values, bins, max_bins)


def image(tag: str, tensor: Any, rescale: float = 1, dataformats: str = "CHW") -> Any:
    """An image, or a grid of them."""
    from kymograph.writer.summaries import images

    return images.image(clean_tag(tag), tensor, rescale=rescale, dataformats=dataformats)


def image_boxes(
    tag: str,
    tensor_image: Any,
    tensor_boxes: Any,
    rescale: float = 1,
    dataformats: str = "CHW",
    labels: list[str] | None = None,
) -> Any:
    """An image with boxes drawn on it; the tag stays as it is."""
    from kymograph.writer.summaries import images

    return images.image_boxes(
        tag, tensor_image, tensor_boxes, rescale=rescale, dataformats=dataformats, labels=labels
    )


def video(tag: str, tensor: Any, fps: float = 4, dataformats: str = "NTCHW") -> Any:
    """A moving picture, with the five axes in any order."""
    from kymograph.writer.summaries import video

    return video.video(clean_tag(tag), tensor, fps, dataformats=dataformats)


def audio(tag: str, tensor: Any, sample_rate: int = 44100) -> Any:
    """Sound: L samples, or L x C of one or two channels, from -1 to 1 or as 16-bit integers."""
    from kymograph.writer.summaries import audio

    samples = arrays.to_numpy(tensor)
    if not samples.size:
        raise ValueError("audio needs at least one sample")
    if samples.ndim == 1:
        samples = samples[:, np.newaxis]
    if samples.ndim != 2:
        raise AssertionError("Input tensor should be 2 dimensional.")
    if samples.shape[1] not in (1, 2):
        raise AssertionError("The second dimension should be 1 or 2.")
    if samples.dtype != np.int16:
        samples = _sixteen_bits(samples)
    return audio.encode(tag, samples, sample_rate)


def _sixteen_bits(samples: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
    """As libsndfile makes them: -1 is the lowest integer, 1 is one more than the highest."""
    whole = np.nan_to_num(samples.astype(np.float64), nan=0.0, posinf=2.0, neginf=-2.0)
    if whole.size and abs(whole).max() > 1:
        warnings.warn("audio outside the range -1 to 1 was clipped", RuntimeWarning, 3)
        whole = whole.clip(-1, 1)
    return np.floor(whole * _WAVE).clip(-_WAVE, _WAVE - 1).astype(np.int16)


def mesh(
    tag: str,
    vertices: Any,
    colors: Any,
    faces: Any,
    config_dict: Mapping[str, Any] | None = None,
) -> wire.Summary:
    """Values `<tag>_1` of vertices, `<tag>_2` of faces and `<tag>_3` of colours."""
    return _mesh.encode(tag, "123", vertices, colors, faces, config_dict)


def hparams(hparam_dict: Mapping[str, Any], metric_dict: Iterable[str]) -> _hparams.Summaries:
    """Three summaries; functions are known by their name, of other things only the name is kept."""
    chosen = [
        _hparams.Hparam(name, _taken(value))
        for name, value in hparam_dict.items()
        if value is not None
    ]
    return _hparams.summaries(chosen, metric_dict)


def _taken(value: Any) -> _hparams.Plain | None:
    try:
        return _hparams.plain(value)
    except (IndexError, TypeError, ValueError, NotImplementedError):
        return getattr(value, "__name__", str(value)) if callable(value) else None
