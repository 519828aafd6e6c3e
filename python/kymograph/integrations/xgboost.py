"""XGBoost: a training callback that logs every evaluation."""

from __future__ import annotations

import os
from typing import Any

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError

try:
    import xgboost
except ImportError as error:
    message = "xgboost is not installed\nhint: pip install xgboost"
    raise MissingDependencyError(message) from error

__all__ = ["KymographCallback"]


class KymographCallback(xgboost.callback.TrainingCallback):
    """Logs `<data set>/<metric>` at each iteration, on the first worker only.

    `xgboost.cv` gives a mean and a deviation over the folds: `<data set>/<metric>-mean` and `-std`.

        from kymograph.integrations.xgboost import KymographCallback

        callbacks = [KymographCallback("runs/1")]
        xgboost.train(params, data, evals=[(data, "train")], callbacks=callbacks)
    """

    def __init__(self, log_dir: str | os.PathLike[str] | None = None) -> None:
        super().__init__()
        self.log_dir = log_dir
        # Opened when training begins: scikit-learn copies estimators together with their callbacks.
        self._writer: SummaryWriter | None = None

    def before_training(self, model: Any) -> Any:
        if xgboost.collective.get_rank() == 0:
            self._writer = SummaryWriter(self.log_dir)
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:  # noqa: ARG002
        if self._writer:
            for data, metrics in evals_log.items():
                for metric, history in metrics.items():
                    self._log(self._writer, f"{data}/{metric}", history[-1], epoch)
        return False

    def after_training(self, model: Any) -> Any:
        if self._writer:
            self._writer.close()
            self._writer = None
        return model

    def _log(self, writer: SummaryWriter, tag: str, value: Any, step: int) -> None:
        if isinstance(value, tuple):
            writer.add_scalar(f"{tag}-mean", value[0], step)
            writer.add_scalar(f"{tag}-std", value[1], step)
        else:
            writer.add_scalar(tag, value, step)
