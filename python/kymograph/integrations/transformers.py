"""Transformers: a callback for its Trainer."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError

try:
    from transformers import TrainerCallback
    from transformers.integrations.integration_utils import default_logdir
except ImportError as error:
    message = "transformers with torch is not installed\nhint: pip install 'transformers[torch]'"
    raise MissingDependencyError(message) from error

__all__ = ["KymographCallback"]

_LOG = logging.getLogger(__name__)


class KymographCallback(TrainerCallback):
    """Writes what Transformers' `TensorBoardCallback` writes, on the first process only.

        from kymograph.integrations.transformers import KymographCallback

        trainer = Trainer(model, args, callbacks=[KymographCallback()])

    Args:
        log_dir: the run; by default the environment's `TENSORBOARD_LOGGING_DIR`, else
            `<output_dir>/runs/<time>_<host>`.
        options: what else `kymograph.SummaryWriter` takes.
    """

    def __init__(self, log_dir: str | os.PathLike[str] | None = None, **options: Any) -> None:
        self.log_dir = log_dir or os.environ.get("TENSORBOARD_LOGGING_DIR")
        self.writer: SummaryWriter | None = None
        self._options = options

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ARG002
        if not state.is_world_process_zero:
            return
        if state.is_hyper_param_search and state.trial_name:
            # Each trial is a run.
            if self.writer:
                self.writer.close()
            self.writer = self._open(Path(args.output_dir, default_logdir(), state.trial_name))
        elif self.writer is None:
            self.writer = self._open(self._directory(args))
        self.writer.add_text("args", args.to_json_string())
        config: Any = getattr(kwargs.get("model"), "config", None)
        if hasattr(config, "to_json_string"):
            self.writer.add_text("model_config", config.to_json_string())

    def on_log(
        self,
        args: Any,
        state: Any,
        control: Any,  # noqa: ARG002
        logs: dict[str, Any] | None = None,
        **kwargs: Any,  # noqa: ARG002
    ) -> None:
        if not state.is_world_process_zero:
            return
        if self.writer is None:
            self.writer = self._open(self._directory(args))
        for name, value in (logs or {}).items():
            if isinstance(value, (int, float)):
                self.writer.add_scalar(_tag(name), value, state.global_step)
            elif isinstance(value, str):
                self.writer.add_text(_tag(name), value, state.global_step)
            else:
                _LOG.warning("not logged, neither a number nor a string: `%s`: %r", name, value)
        self.writer.flush()

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ARG002
        if self.writer:
            # An `evaluate()` afterwards opens another file of the same run.
            self.writer.close()

    def _directory(self, args: Any) -> str | os.PathLike[str]:
        return self.log_dir or Path(args.output_dir, default_logdir())

    def _open(self, directory: str | os.PathLike[str]) -> SummaryWriter:
        return SummaryWriter(Path(directory).expanduser(), **self._options)


def _tag(name: str) -> str:
    for part in ("eval", "test"):
        if name.startswith(f"{part}_"):
            return f"{part}/{name[len(part) + 1 :]}"
    return f"train/{name}"
