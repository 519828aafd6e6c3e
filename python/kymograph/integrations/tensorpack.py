"""Tensorpack: a training monitor, by the shape of its interface."""

from __future__ import annotations

import os
from typing import Any

from kymograph import SummaryWriter

try:
    # Its trainers insist on their own base class.
    from tensorpack.callbacks.monitor import TrainingMonitor
except ImportError:
    TrainingMonitor = object

__all__ = ["KymographMonitor"]


class KymographMonitor(TrainingMonitor):
    """Takes scalars, images, summaries and events as Tensorpack's `TFEventWriter` does.

    from kymograph.integrations.tensorpack import KymographMonitor

    launch_train_with_config(TrainConfig(..., monitors=[KymographMonitor("runs/first")]), trainer)
    """

    def __init__(self, log_dir: str | os.PathLike[str] | None = None, **options: Any) -> None:
        self.log_dir = log_dir
        self._options = options

    def setup_graph(self, trainer: Any) -> None:
        self.trainer = trainer

    def before_train(self) -> None:
        self.writer = SummaryWriter(self.log_dir, **self._options)

    def after_train(self) -> None:
        self.writer.close()

    def before_epoch(self) -> None:
        """Does nothing."""

    def after_epoch(self) -> None:
        """Does nothing."""

    def trigger_step(self) -> None:
        """Does nothing."""

    def trigger_epoch(self) -> None:
        self.writer.flush()

    def process_scalar(self, name: str, val: Any) -> None:
        self.writer.add_scalar(name, val, self._step)

    def process_image(self, name: str, val: Any) -> None:
        """Take a batch of images, channels last."""
        self.writer.add_images(name, val, self._step, dataformats="NHWC")

    def process_summary(self, summary: Any) -> None:
        """Take a `Summary` message."""
        self.writer.add_summary(summary, self._step)

    def process_event(self, evt: Any) -> None:
        """Take an `Event` message, which gets the trainer's step."""
        self.writer.add_event(evt, self._step)

    @property
    def _step(self) -> int:
        return int(self.trainer.loop.global_step)
