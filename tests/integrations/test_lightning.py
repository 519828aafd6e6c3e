"""A Lightning training through our logger writes what it writes through Lightning's own."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

for module in ["lightning", "tensorboard"]:
    pytest.importorskip(module, reason=f"{module} is not installed: make test-frameworks")

import lightning
import torch
from lightning.pytorch.loggers import TensorBoardLogger

from kymograph.integrations.lightning import KymographLogger
from tests.integrations.read_back import points, read_back, scalars, tags

pytestmark = pytest.mark.frameworks


class Line(lightning.LightningModule):
    def __init__(self, lr: float = 0.1, optimizer: Any = "sgd") -> None:
        super().__init__()
        self.save_hyperparameters()
        self.layer = torch.nn.Linear(1, 1)
        self.example_input_array = torch.zeros(1, 1)

    def forward(self, x: Any) -> Any:
        return self.layer(x)

    def training_step(self, batch: Any, _: int) -> Any:
        (x,) = batch
        loss = torch.nn.functional.mse_loss(self(x), 2 * x + 1)
        self.log("train/loss", loss)
        return loss

    def validation_step(self, batch: Any, _: int) -> None:
        (x,) = batch
        self.log("val/loss", torch.nn.functional.mse_loss(self(x), 2 * x + 1))

    def configure_optimizers(self) -> Any:
        return torch.optim.SGD(self.parameters(), self.hparams["lr"])


def fit(logger: Any, directory: Path) -> None:
    lightning.seed_everything(1, verbose=False)
    data = torch.utils.data.TensorDataset(torch.linspace(-1, 1, 16)[:, None])
    loader = torch.utils.data.DataLoader(data, batch_size=4)
    trainer = lightning.Trainer(
        logger=logger,
        max_epochs=2,
        accelerator="cpu",
        log_every_n_steps=1,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=directory,
    )
    trainer.fit(Line(), loader, loader)


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("lightning")
    for name, make in {"ours": KymographLogger, "theirs": TensorBoardLogger}.items():
        fit(make(directory, name=name, log_graph=True), directory)
    return directory


def test_the_same_is_logged_as_by_lightning(logdir: Path):
    found = read_back(logdir)
    ours, theirs = (scalars(found, f"{name}/version_0") for name in ("ours", "theirs"))
    assert ours == theirs
    assert len(ours["train/loss"]) == 8
    assert len(ours["val/loss"]) == 2
    assert ours["hp_metric"] == [(0, -1.0)]
    for dashboard in ("hparams", "graphs"):
        names = tags(found, dashboard, "theirs/version_0")
        assert sorted(tags(found, dashboard, "ours/version_0")) == sorted(names)
        assert names


def test_checkpoints_and_hyperparameters_lie_where_lightning_puts_them(logdir: Path):
    ours, theirs = (logdir / name / "version_0" for name in ("ours", "theirs"))
    files = [
        sorted(
            p.relative_to(run) for p in run.rglob("*") if p.is_file() and "tfevents" not in p.name
        )
        for run in (ours, theirs)
    ]
    assert files[0] == files[1]
    assert Path("hparams.yaml") in files[0]
    assert (ours / "hparams.yaml").read_text() == (theirs / "hparams.yaml").read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"name": ""},
        {"name": None},
        {"version": 3},
        {"version": "last"},
        {"sub_dir": "inner"},
        {"sub_dir": "$RUN/inner"},
    ],
    ids=str,
)
def test_directories_are_lightnings(
    tmp_path: Path, arguments: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("RUN", "of-today")
    (tmp_path / "lightning_logs/version_4").mkdir(parents=True)
    (tmp_path / "version_1").mkdir()
    (tmp_path / "version_old").mkdir()
    ours, theirs = KymographLogger(tmp_path, **arguments), TensorBoardLogger(tmp_path, **arguments)
    for attribute in ("name", "version", "root_dir", "log_dir", "save_dir", "sub_dir"):
        assert getattr(ours, attribute) == getattr(theirs, attribute), attribute


def test_metrics_hyperparameters_and_the_writer_itself(tmp_path: Path):
    logger = KymographLogger(tmp_path, name="", version="run", prefix="p", flush_secs=1)
    logger.log_metrics({"x": torch.tensor(1.5), "both": {"a": 1, "b": 2}}, 3)
    logger.log_hyperparams({"nested": {"lr": 0.1}, "f": len, "none": None}, {"score": 0.5}, 4)
    logger.experiment.add_text("note", "hello", 5)
    with pytest.raises(ValueError, match="not a number"):
        logger.log_metrics({"x": object()})
    logger.finalize("success")
    found = read_back(tmp_path)
    assert scalars(found, "run") == {"p-x": [(3, 1.5)], "p-score": [(4, 0.5)]}
    assert points(found, "scalars", "run/p-both_a", "p-both") == [(3, 1.0)]
    assert tags(found, "text", "run") == ["note/text_summary"]
    assert "_hparams_/session_start_info" in tags(found, "hparams", "run")


def test_a_pickled_logger_continues_in_the_same_run(tmp_path: Path):
    logger = KymographLogger(tmp_path)
    logger.log_metrics({"x": 1.0}, 1)
    other = pickle.loads(pickle.dumps(logger))
    logger.finalize("success")
    other.log_metrics({"x": 2.0}, 2)
    other.finalize("success")
    found = read_back(tmp_path)
    assert scalars(found, "lightning_logs/version_0") == {"x": [(1, 1.0), (2, 2.0)]}


def test_other_ranks_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from lightning.pytorch.utilities.rank_zero import rank_zero_only

    monkeypatch.setattr(rank_zero_only, "rank", 1)
    logger = KymographLogger(tmp_path)
    logger.log_metrics({"x": 1.0}, 1)
    logger.log_hyperparams({"lr": 0.1})
    logger.experiment.add_text("note", "hello")
    logger.finalize("success")
    assert list(tmp_path.iterdir()) == []


def test_no_graph_without_an_example(tmp_path: Path):
    model = Line()
    model.example_input_array = None
    logger = KymographLogger(tmp_path, log_graph=True)
    with pytest.warns(UserWarning, match="example_input_array"):
        logger.log_graph(model)
    KymographLogger(tmp_path).log_graph(model)


def test_the_package_in_use_gives_the_base_class():
    pytest.importorskip("pytorch_lightning", reason="it is not installed: make test-frameworks")
    program = (
        "import pytorch_lightning\n"
        "from kymograph.integrations.lightning import KymographLogger\n"
        "assert issubclass(KymographLogger, pytorch_lightning.loggers.Logger)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
