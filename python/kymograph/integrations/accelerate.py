"""Accelerate: a tracker for its Accelerator."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError
from kymograph.writer.directories import refuse_remote
from kymograph.writer.summaries import hparams

try:
    from accelerate.tracking import GeneralTracker, on_main_process
    from accelerate.utils import listify
except ImportError as error:
    message = "accelerate is not installed\nhint: pip install accelerate"
    raise MissingDependencyError(message) from error

__all__ = ["KymographTracker"]


class KymographTracker(GeneralTracker):
    """Writes on the main process; the hyperparameters go into the run itself.

        from kymograph.integrations.accelerate import KymographTracker

        accelerator = Accelerator(log_with=KymographTracker("runs/first"))
        accelerator.init_trackers("any name", config={"lr": 0.1})
        accelerator.log({"loss": 0.5}, step=1)

    Args:
        log_dir: the run.
        options: what else `kymograph.SummaryWriter` takes.
    """

    name = "kymograph"
    requires_logging_directory = False

    def __init__(self, log_dir: str | os.PathLike[str], **options: Any) -> None:
        super().__init__()
        refuse_remote(log_dir)
        self.log_dir = Path(log_dir)
        self._options = options
        self._writer: SummaryWriter | None = None

    @property
    def tracker(self) -> SummaryWriter:
        """The writer, opened when it is first asked for: only then is the main process known."""
        if self._writer is None:
            self._writer = SummaryWriter(self.log_dir, **self._options)
        return self._writer

    @on_main_process
    def store_init_configuration(self, values: dict[str, Any]) -> None:
        for summary in hparams.hparams(values, {}):
            self.tracker.add_summary(summary)
        self.tracker.flush()

    @on_main_process
    def log(self, values: dict[str, Any], step: int | None = None, **kwargs: Any) -> None:
        for tag, value in listify(values).items():
            if isinstance(value, (int, float)):
                self.tracker.add_scalar(tag, value, step, **kwargs)
            elif isinstance(value, str):
                self.tracker.add_text(tag, value, step, **kwargs)
            elif isinstance(value, dict):
                self.tracker.add_scalars(tag, value, step, **kwargs)
        self.tracker.flush()

    @on_main_process
    def log_images(self, values: dict[str, Any], step: int | None = None, **kwargs: Any) -> None:
        for tag, images in values.items():
            self.tracker.add_images(tag, images, step, **kwargs)

    @on_main_process
    def finish(self) -> None:
        if self._writer:
            self._writer.close()
