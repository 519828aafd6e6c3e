"""Lightning: a logger for its Trainer and for Fabric, also under the name `pytorch_lightning`."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError
from kymograph.writer.directories import refuse_remote
from kymograph.writer.summaries import hparams


def _packages() -> tuple[str, str]:
    """The Trainer's and Fabric's package: of the one that is in use, if both are installed."""
    names = [("lightning.pytorch", "lightning.fabric"), ("pytorch_lightning", "lightning_fabric")]
    names.sort(key=lambda pair: pair[0] not in sys.modules)
    for pair in names:
        try:
            import_module(pair[0])
        except ImportError:
            continue
        return pair
    raise MissingDependencyError("lightning is not installed\nhint: pip install lightning")


_TRAINER, _FABRIC = _packages()
_loggers = import_module(f"{_TRAINER}.loggers.logger")
_params = import_module(f"{_FABRIC}.utilities.logger")
_rank_zero = import_module(f"{_TRAINER}.utilities.rank_zero")
_saving = import_module(f"{_TRAINER}.core.saving")
_module = import_module(f"{_TRAINER}.core.module")
_Logger: Any = _loggers.Logger

__all__ = ["KymographLogger"]


class KymographLogger(_Logger):
    """Takes the arguments of Lightning's `TensorBoardLogger` and writes the same files.

        from kymograph.integrations.lightning import KymographLogger

        trainer = Trainer(logger=KymographLogger("runs"))

    Args:
        save_dir: the folder of all experiments; the run is `<save_dir>/<name>/version_<version>`.
        name: the experiment's folder; "" for none.
        version: the run's number, or its whole name; the next free number by default.
        log_graph: log the model's graph, for which it needs an `example_input_array`.
        default_hp_metric: with hyperparameters and no metric, log `hp_metric` -1, which Lightning's
            users overwrite later.
        prefix: put before all tags, with a `-`.
        sub_dir: a folder inside the run for the events.
        options: what else `kymograph.SummaryWriter` takes.
    """

    NAME_HPARAMS_FILE = "hparams.yaml"

    def __init__(
        self,
        save_dir: str | os.PathLike[str],
        name: str | None = "lightning_logs",
        version: int | str | None = None,
        log_graph: bool = False,
        default_hp_metric: bool = True,
        prefix: str = "",
        sub_dir: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        refuse_remote(save_dir)
        self._save_dir = os.fspath(save_dir)
        self._name = name or ""
        self._version = version
        self._log_graph = log_graph
        self._default_hp_metric = default_hp_metric
        self._prefix = prefix
        self._sub_dir = None if sub_dir is None else os.fspath(sub_dir)
        self._options = options
        self._experiment: SummaryWriter | None = None
        self.hparams: dict[str, Any] = {}

    @property
    def name(self) -> str:
        return self._name

    @property
    def version(self) -> int | str:
        if self._version is None:
            self._version = _next_version(Path(self.root_dir))
        return self._version

    @property
    def save_dir(self) -> str:
        return self._save_dir

    @property
    def root_dir(self) -> str:
        return os.path.join(self._save_dir, self._name)  # noqa: PTH118  (a str, as others have it)

    @property
    def sub_dir(self) -> str | None:
        return self._sub_dir

    @property
    def log_dir(self) -> str:
        version = self.version if isinstance(self.version, str) else f"version_{self.version}"
        path = Path(self.root_dir, version, self._sub_dir or "")
        return os.path.expandvars(path.expanduser())

    @property
    @_loggers.rank_zero_experiment
    def experiment(self) -> SummaryWriter:
        """The writer, with all its methods; on ranks other than zero Lightning's dummy."""
        if self._experiment is None:
            self._experiment = SummaryWriter(self.log_dir, **self._options)
        return self._experiment

    @_rank_zero.rank_zero_only
    def log_metrics(self, metrics: Mapping[str, Any], step: int | None = None) -> None:
        for tag, value in metrics.items():
            full = f"{self._prefix}-{tag}" if self._prefix else tag
            if isinstance(value, dict):
                self.experiment.add_scalars(full, value, step)
                continue
            try:
                self.experiment.add_scalar(full, value, step)
            except Exception as error:
                # Lightning's own type for it, which its users know.
                raise ValueError(f"not a number, one-element tensor or dict: {value!r}") from error

    @_rank_zero.rank_zero_only
    def log_hyperparams(
        self,
        params: dict[str, Any] | Namespace | None,
        metrics: dict[str, Any] | float | None = None,
        step: int | None = None,
    ) -> None:
        plain = _params._convert_params(params)  # noqa: SLF001  (what its own loggers use)
        self.hparams.update(plain)
        if metrics is None:
            metrics = {"hp_metric": -1} if self._default_hp_metric else {}
        elif not isinstance(metrics, dict):
            metrics = {"hp_metric": metrics}
        if not metrics:
            return
        self.log_metrics(metrics, step)
        for summary in hparams.hparams(_logged(plain), metrics):
            self.experiment.add_summary(summary, step)

    @_rank_zero.rank_zero_only
    def log_graph(self, model: Any, input_array: Any = None) -> None:
        if not self._log_graph:
            return
        example = (
            getattr(model, "example_input_array", None) if input_array is None else input_array
        )
        if example is None:
            _rank_zero.rank_zero_warn("no graph logged: the model has no `example_input_array`")
            return
        example = model._on_before_batch_transfer(example)  # noqa: SLF001  (Lightning's way)
        example = model._apply_batch_transfer_handler(example)  # noqa: SLF001
        # Tracing touches every attribute, and some of a LightningModule's raise outside a Trainer.
        with _module._jit_is_scripting():  # noqa: SLF001
            self.experiment.add_graph(model, example)

    @_rank_zero.rank_zero_only
    def save(self) -> None:
        self.experiment.flush()
        file = Path(self.log_dir, self.NAME_HPARAMS_FILE)
        if file.parent.is_dir() and not file.is_file():
            _saving.save_hparams_to_yaml(file, self.hparams)

    @_rank_zero.rank_zero_only
    def finalize(self, status: str) -> None:
        if self._experiment is None:
            return
        if status == "success":
            self.save()
        self._experiment.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_experiment": None}


def _next_version(root: Path) -> int:
    names = [path.name for path in root.iterdir() if path.is_dir()] if root.is_dir() else []
    found = [int(match[1]) for name in names if (match := re.fullmatch(r"version_(\d+)", name))]
    return max(found, default=-1) + 1


def _logged(params: dict[str, Any]) -> dict[str, Any]:
    """Nested parameters as flat ones, and as text what the hyperparameter dashboard cannot hold."""
    flat = _params._sanitize_params(_params._flatten_dict(params))  # noqa: SLF001
    return {key: str(v) if getattr(v, "ndim", 0) > 1 else v for key, v in flat.items()}
