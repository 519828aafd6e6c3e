"""CatBoost: a callback that logs to a run of your choice. CatBoost itself is not imported.

CatBoost writes event files by itself, into `catboost_info`, and Kymograph reads them. The callback
is for runs that belong elsewhere, with `allow_writing_files=False`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from kymograph import SummaryWriter

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["KymographCallback"]


class KymographCallback:
    """Logs `<data set>/<metric>` at each iteration; call `close` after `fit`, or use `with`.

    from kymograph.integrations.catboost import KymographCallback

    with KymographCallback("runs/1") as callback:
        model.fit(x, y, callbacks=[callback])
    """

    def __init__(self, log_dir: str | os.PathLike[str] | None = None) -> None:
        self.writer = SummaryWriter(log_dir)

    def after_iteration(self, info: Any) -> bool:
        # CatBoost counts from 1 here and from 0 in its own event files.
        step = info.iteration - 1
        for data, metrics in (info.metrics or {}).items():
            for metric, history in metrics.items():
                self.writer.add_scalar(f"{data}/{metric}", history[-1], step)
        return True

    def close(self) -> None:
        self.writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
