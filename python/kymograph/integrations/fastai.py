"""fastai: a callback for its Learner."""

from __future__ import annotations

import os
from typing import Any

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError

try:
    from fastai.callback.core import Callback
    from fastai.learner import Recorder
    from fastai.torch_core import rank_distrib
except ImportError as error:
    message = "fastai is not installed\nhint: pip install fastai"
    raise MissingDependencyError(message) from error

__all__ = ["KymographCallback"]


class KymographCallback(Callback):
    """Logs what fastai's `TensorBoardCallback` logs as scalars, and the graph if asked.

        from kymograph.integrations.fastai import KymographCallback

        learner.fit(3, cbs=KymographCallback("runs/first"))

    Args:
        log_dir: the run.
        trace_model: log the model's graph.
        options: what else `kymograph.SummaryWriter` takes.
    """

    order = Recorder.order + 1

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        trace_model: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        self.log_dir = log_dir
        self.trace_model = trace_model
        self.options = options

    def before_fit(self) -> None:
        # Neither while looking for a learning rate nor for predictions, and on one process only.
        asks = hasattr(self.learn, "lr_finder") or hasattr(self, "gather_preds")
        self.run = not asks and rank_distrib() == 0
        if not self.run:
            return
        self.writer = SummaryWriter(self.log_dir, **self.options)
        if self.trace_model:
            self.learn._split(self.dls.one_batch())  # noqa: SLF001  (sets `xb`, as fastai does)
            self.writer.add_graph(self.model, self.xb)

    def after_batch(self) -> None:
        if not self.training:
            return
        self.writer.add_scalar("train_loss", self.smooth_loss, self.train_iter)
        for group, hypers in enumerate(self.opt.hypers):
            for name, value in hypers.items():
                self.writer.add_scalar(f"{name}_{group}", value, self.train_iter)

    def after_epoch(self) -> None:
        # The recorder's columns are epoch, train loss, then these, then the time.
        names, values = self.recorder.metric_names[2:-1], self.recorder.log[2:-1]
        for name, value in zip(names, values, strict=False):
            if value is not None:
                self.writer.add_scalar(name, value, self.train_iter)

    def after_fit(self) -> None:
        if self.run:
            self.writer.close()
