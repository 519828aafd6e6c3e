"""Ray Tune: a logger callback that makes a run of every trial."""

from __future__ import annotations

import logging
import math
from typing import Any, ClassVar

import numpy as np

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError
from kymograph.writer.summaries import hparams

try:
    from ray.tune.logger import LoggerCallback
    from ray.tune.utils import flatten_dict
except ImportError as error:
    message = "ray tune is not installed\nhint: pip install 'ray[tune]'"
    raise MissingDependencyError(message) from error

__all__ = ["KymographLoggerCallback"]

_LOG = logging.getLogger(__name__)
_NUMBERS = (int, float, np.integer, np.floating)
_NOT_LOGGED = {"config", "pid", "timestamp", "time_total_s", "training_iteration"}


class KymographLoggerCallback(LoggerCallback):
    """Writes what Ray's own `TBXLoggerCallback` writes, into each trial's folder.

        from ray.tune import RunConfig, Tuner
        from kymograph.integrations.ray import KymographLoggerCallback

        Tuner(train, run_config=RunConfig(callbacks=[KymographLoggerCallback()])).fit()

    Ray adds its own as long as tensorboardX is installed; without it for one set of files:
    `TUNE_DISABLE_AUTO_CALLBACK_LOGGERS=1`.
    """

    _SAVED_FILE_TEMPLATES: ClassVar[list[str]] = ["events.out.tfevents.*"]

    def __init__(self) -> None:
        self._writers: dict[Any, SummaryWriter] = {}
        self._results: dict[Any, dict[str, float]] = {}

    def log_trial_start(self, trial: Any) -> None:
        if trial in self._writers:
            self._writers[trial].close()
        trial.init_local_path()
        self._writers[trial] = SummaryWriter(trial.local_path, flush_secs=30)
        self._results[trial] = {}

    def log_trial_result(self, iteration: int, trial: Any, result: dict[str, Any]) -> None:  # noqa: ARG002
        if trial not in self._writers:
            self.log_trial_start(trial)
        step = result.get("timesteps_total") or result["training_iteration"]
        wanted = {key: value for key, value in result.items() if key not in _NOT_LOGGED}
        numbers = {}
        for key, value in flatten_dict(wanted, delimiter="/").items():
            tag = f"ray/tune/{key}"
            if isinstance(value, _NUMBERS):
                if not math.isnan(value):
                    numbers[tag] = float(value)
                    self._writers[trial].add_scalar(tag, value, step)
            elif isinstance(value, (list, np.ndarray)) and len(value):
                self._log_array(self._writers[trial], tag, value, step)
        self._results[trial] = numbers
        self._writers[trial].flush()

    def _log_array(self, writer: SummaryWriter, tag: str, value: Any, step: int) -> None:
        dimensions = value.ndim if isinstance(value, np.ndarray) else 1
        if dimensions == 3:
            writer.add_image(tag, value, step)
        elif dimensions == 4:
            writer.add_images(tag, value, step)
        elif dimensions == 5:
            writer.add_video(tag, value, step, fps=20)
        else:
            try:
                writer.add_histogram(tag, value, step)
            except (NotImplementedError, TypeError, ValueError) as error:
                _LOG.warning("this value cannot be logged: `%s`: %s", tag, error)

    def log_trial_end(self, trial: Any, failed: bool = False) -> None:  # noqa: ARG002
        writer, result = self._writers.pop(trial, None), self._results.pop(trial, None)
        if writer is None:
            return
        if trial.evaluated_params and result:
            params = flatten_dict(trial.evaluated_params)
            for summary in hparams.hparams(_plain(params), result):
                writer.add_summary(summary)
        writer.close()


def _plain(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters as the hyperparameter dashboard takes them: what it cannot hold, as text."""
    plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in params.items()}
    kept = (bool, int, float, str, type(None))
    return {k: v if isinstance(v, kept) else str(v) for k, v in plain.items()}
