"""JAX: clu's `MetricWriter` and Flax's `SummaryWriter`, without TensorFlow.

Neither imports JAX; in a program of several processes, only the first writes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kymograph import SummaryWriter as EventWriter
from kymograph.integrations import tf_style
from kymograph.writer import arrays
from kymograph.writer.summaries import hparams as hparams_summaries
from kymograph.writer.summaries import video as video_summaries

__all__ = ["MetricWriter", "SummaryWriter"]

_VALUES = (bool, int, float, str)


class _Events:
    """An event file, or none on processes other than the first."""

    def __init__(self, log_dir: str | os.PathLike[str]) -> None:
        self._file = EventWriter(os.fspath(log_dir)) if _is_first_process() else None
        self._session_end: Any = None

    def _add(self, step: int | None, summarise: Callable[..., Any], *args: Any) -> None:
        if self._file:
            self._file.add_summary(summarise(*args), None if step is None else int(step))

    def _start_session(self, values: dict[str, Any]) -> None:
        if self._file:
            _, start, self._session_end = hparams_summaries.hparams(values, {})
            self._file.add_summary(start)

    def flush(self) -> None:
        if self._file:
            self._file.flush()

    def close(self) -> None:
        """Writes what is left; a second call does nothing."""
        if self._file:
            if self._session_end:
                self._file.add_summary(self._session_end)
            self._file.close()
            self._file = None


class MetricWriter(_Events):
    """A replacement for the writers of `clu.metric_writers`.

    from kymograph.integrations.jax import MetricWriter

    writer = MetricWriter("runs/first")
    writer.write_scalars(step, {"loss": loss, "accuracy": accuracy})
    writer.close()
    """

    def __init__(self, logdir: str | os.PathLike[str]) -> None:
        super().__init__(logdir)

    def write_scalars(self, step: int, scalars: Mapping[str, Any]) -> None:
        for tag, value in scalars.items():
            self._add(step, tf_style.scalar, tag, value)

    def write_images(self, step: int, images: Mapping[str, Any]) -> None:
        """Images of [count, height, width, channels], all of them, or one without the count."""
        for tag, value in images.items():
            pixels = arrays.to_numpy(value)
            pixels = pixels[None] if pixels.ndim == 3 else pixels
            self._add(step, tf_style.image, tag, pixels, len(pixels))

    def write_videos(self, step: int, videos: Mapping[str, Any]) -> None:
        """Videos of [count, time, height, width, channels], or one without the count."""
        for tag, value in videos.items():
            frames = arrays.to_numpy(value)
            frames = frames[None] if frames.ndim == 4 else frames
            self._add(step, video_summaries.video, tag, frames.transpose(0, 1, 4, 2, 3))

    def write_audios(self, step: int, audios: Mapping[str, Any], *, sample_rate: int) -> None:
        """Clips of [count, frames, channels], all of them."""
        for tag, value in audios.items():
            self._add(step, tf_style.audio, tag, value, sample_rate, len(value))

    def write_texts(self, step: int, texts: Mapping[str, str]) -> None:
        for tag, content in texts.items():
            self._add(step, tf_style.text, tag, content)

    def write_histograms(
        self,
        step: int,
        arrays: Mapping[str, Any],  # clu's name
        num_buckets: Mapping[str, int] | None = None,
    ) -> None:
        for tag, values in arrays.items():
            self._add(step, tf_style.histogram, tag, values, (num_buckets or {}).get(tag))

    def write_hparams(self, hparams: Mapping[str, Any]) -> None:
        """The values of this run; nested mappings and lists become names with dots."""
        self._start_session(_flat(hparams, lists=True))

    def write_summaries(self, step: int, values: Mapping[str, Any], metadata: Any = None) -> None:
        """Any tensors, with a `SummaryMetadata`, as bytes or message, that says what they are."""
        for tag, value in values.items():
            self._add(step, tf_style.write, tag, value, metadata)


class SummaryWriter(_Events):
    """A replacement for `flax.metrics.tensorboard.SummaryWriter`.

    from kymograph.integrations.jax import SummaryWriter

    writer = SummaryWriter("runs/first")
    writer.scalar("loss", loss, step)
    writer.close()
    """

    def __init__(self, log_dir: str | os.PathLike[str], auto_flush: bool = True) -> None:
        super().__init__(log_dir)
        self._auto_flush = auto_flush

    def scalar(self, tag: str, value: Any, step: int) -> None:
        self._write(step, tf_style.scalar, tag, value)

    def image(self, tag: str, image: Any, step: int, max_outputs: int = 3) -> None:
        """One image or several, with 1 or 3 channels or without that axis."""
        pixels = arrays.to_numpy(image)
        if pixels.ndim == 2:
            pixels = pixels[None, :, :, None]
        elif pixels.ndim == 3:  # several grey ones, unless the last axis can hold colours
            pixels = pixels[None] if pixels.shape[-1] in (1, 3) else pixels[..., None]
        if pixels.shape[-1] == 1:
            pixels = np.repeat(pixels, 3, axis=-1)
        self._write(step, tf_style.image, tag, pixels, max_outputs)

    def audio(
        self, tag: str, audiodata: Any, step: int, sample_rate: int = 44100, max_outputs: int = 3
    ) -> None:
        """Clips of [count, frames, channels]."""
        self._write(step, tf_style.audio, tag, audiodata, sample_rate, max_outputs)

    def histogram(self, tag: str, values: Any, step: int, bins: int | None = None) -> None:
        self._write(step, tf_style.histogram, tag, values, bins)

    def text(self, tag: str, textdata: str | bytes, step: int) -> None:
        if not isinstance(textdata, (str, bytes)):
            raise ValueError(f"`textdata` must be `str` or `bytes`: {type(textdata).__name__}")
        self._write(step, tf_style.text, tag, textdata)

    def write(self, tag: str, tensor: Any, step: int, metadata: Any = None) -> None:
        """Any tensor, with a `SummaryMetadata`, as bytes or message, that says what it is."""
        self._write(step, tf_style.write, tag, tensor, metadata)

    def hparams(self, hparams: Mapping[str, Any]) -> None:
        """The values of this run; nested mappings become names with dots."""
        self._start_session(_flat(hparams, lists=False))
        self._flush_if_asked()

    def _write(self, step: int, summarise: Callable[..., Any], *args: Any) -> None:
        self._add(step, summarise, *args)
        self._flush_if_asked()

    def _flush_if_asked(self) -> None:
        if self._auto_flush:
            self.flush()


def _is_first_process() -> bool:
    # Asking JAX for its process index sets up its devices; unless the program has joined several
    # processes, there is but one.
    jax = sys.modules.get("jax")
    if jax is None or not jax.distributed.is_initialized():
        return True
    return bool(jax.process_index() == 0)


def _flat(values: Mapping[str, Any], *, lists: bool) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        inner = dict(enumerate(value)) if lists and isinstance(value, (list, tuple)) else value
        if hasattr(inner, "items"):
            named = {str(name): item for name, item in inner.items()}
            flat.update({f"{key}.{k}": v for k, v in _flat(named, lists=lists).items()})
        else:
            plain = value.item() if isinstance(value, np.generic) else value
            flat[str(key)] = plain if isinstance(plain, _VALUES) else str(plain)
    return flat
