"""MXNet: a batch callback and mxboard's writer, by the shape of its objects: it is retired."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kymograph import SummaryWriter

__all__ = ["KymographCallback", "MXBoardWriter"]


class KymographCallback:
    """Logs the metrics that a module's `fit` has after each batch or each evaluation.

        from kymograph.integrations.mxnet import KymographCallback

        module.fit(train_data, batch_end_callback=KymographCallback("runs/train"))

    Args:
        log_dir: the run.
        prefix: put before the metrics' names, with a `-`.
        options: what else `kymograph.SummaryWriter` takes.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        prefix: str | None = None,
        **options: Any,
    ) -> None:
        self.writer = SummaryWriter(log_dir, **options)
        self.prefix = prefix
        self.step = 0

    def __call__(self, param: Any) -> None:
        """Take a `BatchEndParam`; MXNet's batch count restarts in each epoch, ours does not."""
        self.step += 1
        if param.eval_metric is None:
            return
        for name, value in param.eval_metric.get_name_value():
            tag = f"{self.prefix}-{name}" if self.prefix else name
            self.writer.add_scalar(tag, value, self.step)


class MXBoardWriter(SummaryWriter):
    """A writer with mxboard's idea of a scalar: a number, a (name, number) pair, or a dict.

    Named numbers of one tag are sub-runs `<tag>/<name>`, which a chart shows together.
    """

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: Any = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        rest = (global_step, walltime, new_style, double_precision)
        if isinstance(scalar_value, tuple):
            scalar_value = dict([scalar_value])
        if not isinstance(scalar_value, Mapping):
            super().add_scalar(tag, scalar_value, *rest)
            return
        for name, number in scalar_value.items():
            self._part(f"{tag}/{name}").add_scalar(tag, number, *rest)

    def flush(self) -> None:
        super().flush()
        for writer in self._parts().values():
            writer.flush()

    def close(self) -> None:
        for writer in self._parts().values():
            writer.close()
        super().close()

    def _part(self, path: str) -> SummaryWriter:
        parts = self._parts()
        if path not in parts:
            parts[path] = SummaryWriter(Path(self.log_dir, path))
        return parts[path]

    def _parts(self) -> dict[str, SummaryWriter]:
        parts: dict[str, SummaryWriter] = self.__dict__.setdefault("_sub_runs", {})
        return parts
