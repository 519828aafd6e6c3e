"""Stable-Baselines3: an output format for its logger."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError
from kymograph.writer.summaries import hparams

try:
    from stable_baselines3.common import logger as sb3
except ImportError as error:
    message = "stable-baselines3 is not installed\nhint: pip install stable-baselines3"
    raise MissingDependencyError(message) from error

__all__ = ["KymographOutputFormat", "configure"]


class KymographOutputFormat(sb3.KVWriter):
    """Writes what Stable-Baselines3's `TensorBoardOutputFormat` writes."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.writer = SummaryWriter(folder)

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...] | None],
        step: int = 0,
    ) -> None:
        for key, value in sorted(key_values.items()):
            # Algorithms exclude by this name what is of no use on a chart.
            if "tensorboard" not in (key_excluded.get(key) or ()):
                self._write(key, value, step)
        self.writer.flush()

    def _write(self, key: str, value: Any, step: int) -> None:
        if isinstance(value, sb3.Video):
            self.writer.add_video(key, value.frames, step, value.fps)
        elif isinstance(value, sb3.Figure):
            self.writer.add_figure(key, value.figure, step, close=value.close)
        elif isinstance(value, sb3.Image):
            self.writer.add_image(key, value.image, step, dataformats=value.dataformats)
        elif isinstance(value, sb3.HParam):
            # Into this run, unlike `add_hparams`, so that the metrics are those already logged.
            for summary in hparams.hparams(value.hparam_dict, value.metric_dict):
                self.writer.add_summary(summary)
        elif isinstance(value, str):
            self.writer.add_text(key, value, step)
        elif isinstance(value, np.ScalarType):
            self.writer.add_scalar(key, value, step)
        elif isinstance(value, (np.ndarray, sb3.th.Tensor)):
            self.writer.add_histogram(key, value, step)

    def close(self) -> None:
        self.writer.close()


def configure(
    folder: str | os.PathLike[str], format_strings: Sequence[str] = ("stdout",)
) -> sb3.Logger:
    """A logger for `model.set_logger` that writes into `folder`, beside its other formats.

    from kymograph.integrations.stable_baselines3 import configure

    model.set_logger(configure("runs/ppo"))
    model.learn(10_000)
    """
    logger = sb3.configure(os.fspath(folder), list(format_strings))
    logger.output_formats.append(KymographOutputFormat(folder))
    return logger
