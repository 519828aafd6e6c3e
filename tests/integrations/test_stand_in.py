"""Frameworks' own TensorBoard integrations, unmodified, write through us after `install()`.

Each in a fresh interpreter: with TensorBoard and tensorboardX installed, and as if they were not.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")

import kymograph
from tests.integrations.read_back import read_back, scalars, tags

pytestmark = pytest.mark.frameworks

ROOT = Path(__file__).parents[2]
SOURCES = Path(kymograph.__file__).parents[1]

# As if the packages were not installed: neither modules nor distributions are found.
HIDE = """
import importlib.machinery, sys
class Hiding:
    hidden = {"tensorboard", "tensorboardX", "tensorflow"}
    def find_spec(self, name, path=None, target=None):
        if name in self.hidden:
            return None
        return importlib.machinery.PathFinder.find_spec(name, path, target)
    def find_distributions(self, context):
        for found in importlib.machinery.PathFinder.find_distributions(context):
            name = found.metadata["Name"] or ""
            if name.lower() not in ("tensorboard", "tensorboardx", "tensorflow", "tensorflow-cpu"):
                yield found
at = sys.meta_path.index(importlib.machinery.PathFinder)
sys.meta_path[at] = Hiding()
"""
INSTALL = """
import kymograph
kymograph.install()
def is_ours(writer):
    return type(writer).__module__.startswith("kymograph.")
"""
HOW = {
    "not installed": HIDE + INSTALL,
    "installed": INSTALL,
    # The real writer would load TensorFlow, whose LLVM and triton's end a process that holds both.
    "loaded": (
        "import sys\nsys.modules['tensorflow'] = None\n"
        "import torch.utils.tensorboard, tensorboardX\n{framework}\n" + INSTALL
    ),
}


def need(*modules: str) -> None:
    """Skips a test without importing here what its program imports."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: make test-frameworks")


def run(program: str, directory: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(SOURCES), str(ROOT)]),
        "HF_HUB_OFFLINE": "1",
        "TENSORBOARD_LOGGING_DIR": "runs/transformers",
        "RAY_CHDIR_TO_TRIAL_DIR": "0",
    }
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=directory,
        env=environment,
        text=True,
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-4000:]


LIGHTNING = """
import torch, lightning
from lightning.pytorch.demos.boring_classes import BoringModel
from lightning.pytorch.loggers import TensorBoardLogger
class Model(BoringModel):
    def __init__(self, lr=0.1):
        super().__init__()
        self.save_hyperparameters()
        self.example_input_array = torch.zeros(1, 32)
    def training_step(self, batch, batch_idx):
        loss = super().training_step(batch, batch_idx)
        self.log("loss", loss["loss"])
        return loss
logger = TensorBoardLogger("runs", name="", version="lightning", log_graph=True)
lightning.Trainer(
    logger=logger, max_steps=3, log_every_n_steps=1, limit_val_batches=0, accelerator="cpu",
    enable_progress_bar=False, enable_model_summary=False,
).fit(Model())
assert is_ours(logger.experiment)
"""
TRANSFORMERS = """
import transformers
from tests.integrations.tiny_gpt import tiny_gpt
model, data = tiny_gpt()
arguments = transformers.TrainingArguments(
    "output", max_steps=3, logging_steps=1, per_device_train_batch_size=2,
    report_to="tensorboard", disable_tqdm=True, use_cpu=True, save_strategy="no",
)
trainer = transformers.Trainer(model, arguments, train_dataset=data)
trainer.train()
"""
ACCELERATE = """
from accelerate import Accelerator
accelerator = Accelerator(cpu=True, log_with="tensorboard", project_dir="runs")
accelerator.init_trackers("accelerate", config={"lr": 0.1})
assert is_ours(accelerator.get_tracker("tensorboard", unwrap=True))
for step in range(3):
    accelerator.log({"loss": 1 / (step + 1)}, step=step)
accelerator.end_training()
"""
STABLE_BASELINES3 = """
import stable_baselines3
from stable_baselines3.common.logger import TensorBoardOutputFormat, HParam
model = stable_baselines3.PPO(
    "MlpPolicy", "CartPole-v1", n_steps=32, batch_size=32, n_epochs=1, tensorboard_log="runs",
    device="cpu",
)
model.learn(96, tb_log_name="sb3", log_interval=1)
(output,) = (f for f in model.logger.output_formats if isinstance(f, TensorBoardOutputFormat))
assert is_ours(output.writer)
model.logger.record("hparams", HParam({"lr": 0.1}, {"train/loss": 0.0}))
model.logger.dump(96)
"""
RAY = """
import types, numpy
from ray.tune.logger import TBXLoggerCallback
callback = TBXLoggerCallback()
trial = types.SimpleNamespace(
    local_path="runs/ray", evaluated_params={"lr": 0.1, "name": "sgd"}, init_local_path=lambda: None
)
class Trial(types.SimpleNamespace):
    __hash__ = object.__hash__
trial = Trial(**vars(trial))
callback.log_trial_start(trial)
for step in range(3):
    result = {"training_iteration": step, "loss": step / 2, "weights": [0.0, 1.0, 2.0]}
    callback.log_trial_result(step, trial, {**result, "image": numpy.zeros((3, 4, 5))})
assert is_ours(callback._trial_writer[trial])
callback.log_trial_end(trial)
"""
IGNITE = """
from ignite.engine import Engine, Events
from ignite.handlers.tensorboard_logger import TensorboardLogger
trainer = Engine(lambda engine, x: x)
with TensorboardLogger(log_dir="runs/ignite") as logger:
    assert is_ours(logger.writer)
    logger.attach_output_handler(
        trainer, Events.ITERATION_COMPLETED, "training", output_transform=lambda x: {"loss": x}
    )
    trainer.run([1.0, 2.0, 3.0])
"""
FASTAI = """
import torch
from fastai.callback.tensorboard import TensorBoardCallback
from fastai.data.core import DataLoaders
from fastai.data.load import DataLoader
from fastai.learner import Learner
loader = DataLoader([(torch.ones(1), torch.zeros(1))] * 12, bs=4)
callback = TensorBoardCallback("runs/fastai", log_preds=False)
learner = Learner(
    DataLoaders(loader, loader, device="cpu"), torch.nn.Linear(1, 1),
    loss_func=torch.nn.functional.mse_loss, cbs=callback,
)
with learner.no_bar(), learner.no_logging():
    learner.fit(1, 0.1)
assert is_ours(callback.writer)
"""

# Framework → its program, its run, a scalar of it with its number of points, and other dashboards.
FRAMEWORKS: dict[str, tuple[str, str, str, int, set[str]]] = {
    "lightning": (LIGHTNING, "lightning", "loss", 3, {"graphs", "hparams"}),
    "transformers": (TRANSFORMERS, "transformers", "train/loss", 3, {"text"}),
    "accelerate": (ACCELERATE, "accelerate", "loss", 3, set()),
    "stable_baselines3": (STABLE_BASELINES3, "sb3_1", "time/fps", 3, {"hparams"}),
    "ray": (RAY, "ray", "ray/tune/loss", 3, {"histograms", "images", "hparams"}),
    "ignite": (IGNITE, "ignite", "training/loss", 3, set()),
    "fastai": (FASTAI, "fastai", "valid_loss", 1, {"graphs"}),
}


@pytest.mark.parametrize("how", ["not installed", "installed"])
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_framework_writes_through_us(tmp_path: Path, framework: str, how: str):
    need("torch", "tensorboardX", framework)
    program, name, tag, count, dashboards = FRAMEWORKS[framework]
    run(HOW[how] + program, tmp_path)
    found = read_back(tmp_path / "runs")
    assert len(scalars(found, name)[tag]) == count
    for dashboard in dashboards:
        assert tags(found, dashboard, name), dashboard


def test_a_framework_that_was_loaded_before_is_patched(tmp_path: Path):
    need("torch", "tensorboardX", "stable_baselines3")
    before = HOW["loaded"].format(framework="import stable_baselines3")
    run(before + STABLE_BASELINES3, tmp_path)
    assert len(scalars(read_back(tmp_path / "runs"), "sb3_1")["time/fps"]) == 3


def test_an_installed_tensorboard_keeps_its_other_parts(tmp_path: Path):
    program = """
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.summary import Writer
from tensorboard.summary.writer.event_file_writer import EventFileWriter
writer = Writer("runs/scalars")
writer.add_scalar("loss", 0.5, 3, description="how wrong")
writer.close()
events = EventFileWriter("runs/events")
value = summary_pb2.Summary.Value(tag="loss", simple_value=0.25)
events.add_event(event_pb2.Event(step=4, summary=summary_pb2.Summary(value=[value])))
events.close()
accumulator = EventAccumulator("runs/events")
accumulator.Reload()
assert accumulator.Scalars("loss")[0].step == 4
assert is_ours(writer) and is_ours(events)
"""
    run(INSTALL + program, tmp_path)
    found = read_back(tmp_path / "runs")
    assert scalars(found, "scalars") == {"loss": [(3, 0.5)]}
    assert scalars(found, "events") == {"loss": [(4, 0.25)]}


def test_torch_writes_through_our_events_where_only_they_are_replaced(tmp_path: Path):
    need("torch")
    program = """
import kymograph
kymograph.install(torch=False)
from torch.utils.tensorboard import SummaryWriter
assert SummaryWriter.__module__ == "torch.utils.tensorboard.writer"
with SummaryWriter("runs/torch") as writer:
    writer.add_scalar("loss", 0.5, 1)
    assert type(writer.file_writer.event_writer).__module__.startswith("kymograph.")
"""
    run(program, tmp_path)
    assert scalars(read_back(tmp_path / "runs"), "torch") == {"loss": [(1, 0.5)]}
