"""LightGBM: a callback that logs every evaluation. LightGBM itself is not imported."""

from __future__ import annotations

import os
from typing import Any

from kymograph import SummaryWriter

__all__ = ["KymographCallback"]


class KymographCallback:
    """Logs `<data set>/<metric>` at each iteration.

    `lightgbm.cv` gives a mean and a deviation over the folds: `<data set>/<metric>-mean` and
    `-stdv`.

        from kymograph.integrations.lightgbm import KymographCallback

        lightgbm.train(params, data, valid_sets=[data], callbacks=[KymographCallback("runs/1")])
    """

    # How LightGBM sorts callbacks: after each iteration, before early stopping (30) ends training.
    order = 20
    before_iteration = False

    def __init__(self, log_dir: str | os.PathLike[str] | None = None) -> None:
        self.log_dir = log_dir
        self._writer: SummaryWriter | None = None

    def __call__(self, env: Any) -> None:
        if self._writer is None:
            self._writer = SummaryWriter(self.log_dir)
        for data, metric, value, _, *rest in env.evaluation_result_list or ():
            deviation = rest[0] if rest else None
            tag = f"{data}/{metric}"
            if deviation is None:
                self._writer.add_scalar(tag, value, env.iteration)
            else:
                self._writer.add_scalar(f"{tag}-mean", value, env.iteration)
                self._writer.add_scalar(f"{tag}-stdv", deviation, env.iteration)
        # Early stopping notifies no callback at the end, so each iteration may be the last.
        self._writer.flush()
        if env.iteration + 1 == env.end_iteration:
            self._writer.close()
            self._writer = None
