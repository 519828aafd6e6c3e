"""Optuna: a study callback that makes a run of every trial."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError
from kymograph.writer import wire
from kymograph.writer.directories import refuse_remote
from kymograph.writer.summaries import hparams

try:
    from optuna.trial import TrialState
except ImportError as error:
    message = "optuna is not installed\nhint: pip install optuna"
    raise MissingDependencyError(message) from error

__all__ = ["KymographCallback"]

_FAILED = wire.summary(
    wire.value(
        "_hparams_/session_end_info",
        wire.plugin("hparams", wire.message(4, wire.integer(1, 2))),
    )
)
_VALUES = (bool, int, float, str)


class KymographCallback:
    """Writes the run `trial-<number>` below `log_dir` when a trial ends.

    It holds the trial's parameters, its values under `metric_name` at the number of the trial, and
    what it reported on the way under `intermediate_value`. Pruned and failed trials are there too.

        from kymograph.integrations.optuna import KymographCallback

        study.optimize(objective, n_trials=20, callbacks=[KymographCallback("runs/study")])
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        metric_name: str | Sequence[str] | None = None,
    ) -> None:
        refuse_remote(log_dir)
        self.log_dir = Path(log_dir)
        self.metric_names = [metric_name] if isinstance(metric_name, str) else metric_name

    def __call__(self, study: Any, trial: Any) -> None:
        params = {k: v if isinstance(v, _VALUES) else str(v) for k, v in trial.params.items()}
        # Without the description of an experiment: trials may differ in their parameters, and
        # readers that do not find it collect them from all runs.
        _, start, end = hparams.hparams(params, {})
        with SummaryWriter(self.log_dir / f"trial-{trial.number}") as writer:
            writer.add_summary(start)
            for step, value in sorted(trial.intermediate_values.items()):
                writer.add_scalar("intermediate_value", value, step)
            values = trial.values or []
            for name, value in zip(self._names(study, len(values)), values, strict=True):
                writer.add_scalar(name, value, trial.number)
            writer.add_summary(_FAILED if trial.state == TrialState.FAIL else end)

    def _names(self, study: Any, count: int) -> Sequence[str]:
        if self.metric_names:
            return self.metric_names
        if study.metric_names:
            return list(study.metric_names)
        return ["value"] if count == 1 else [f"value_{index}" for index in range(count)]
