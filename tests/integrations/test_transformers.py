"""A Transformers training through our callback writes what it writes through their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

for module in ["transformers", "accelerate", "torch", "tensorboard"]:
    pytest.importorskip(module, reason=f"{module} is not installed: make test-frameworks")

import torch
import transformers
from transformers.integrations import TensorBoardCallback

from kymograph.integrations.transformers import KymographCallback
from tests.integrations.read_back import points, read_back, scalars, tags
from tests.integrations.tiny_gpt import tiny_gpt

pytestmark = pytest.mark.frameworks


def train(directory: Path, callback: Any) -> transformers.Trainer:
    model, data = tiny_gpt()
    arguments = transformers.TrainingArguments(
        str(directory / "output"),
        max_steps=4,
        logging_steps=2,
        eval_strategy="steps",
        eval_steps=2,
        per_device_train_batch_size=2,
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
        save_strategy="no",
    )
    trainer = transformers.Trainer(
        model, arguments, train_dataset=data, eval_dataset=data, callbacks=[callback]
    )
    trainer.train()
    return trainer


def test_a_training_is_logged_as_by_their_callback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TENSORBOARD_LOGGING_DIR", str(tmp_path / "runs/theirs"))
    train(tmp_path, TensorBoardCallback())
    trainer = train(tmp_path, KymographCallback(tmp_path / "runs/ours"))
    found = read_back(tmp_path / "runs")
    ours, theirs = (scalars(found, name) for name in ("ours", "theirs"))
    assert set(ours) == set(theirs)
    assert ours["train/loss"] == theirs["train/loss"]
    assert ours["eval/loss"] == theirs["eval/loss"]
    assert [step for step, _ in ours["eval/loss"]] == [2, 4]
    assert set(tags(found, "text", "ours")) == {"args/text_summary", "model_config/text_summary"}
    configs = [points(found, "text", r, "model_config/text_summary") for r in ("ours", "theirs")]
    assert configs[0] == configs[1]
    assert '"model_type": "gpt2"' in str(configs[0])
    # What comes later is another file of the same run.
    trainer.evaluate()
    assert len(list((tmp_path / "runs/ours").glob("events.out.tfevents.*"))) == 2


def test_the_run_lies_in_the_output_directory_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("TENSORBOARD_LOGGING_DIR", raising=False)
    callback = KymographCallback()
    arguments = transformers.TrainingArguments(str(tmp_path), report_to="none", use_cpu=True)
    state = transformers.TrainerState(is_world_process_zero=True)
    callback.on_train_begin(arguments, state, None, model=torch.nn.Linear(1, 1))
    callback.on_log(arguments, state, None, logs={"loss": 1.0, "word": "x", "odd": [1]})
    callback.on_train_end(arguments, state, None)
    (run,) = (tmp_path / "runs").iterdir()
    found = read_back(tmp_path / "runs")
    assert scalars(found, run.name) == {"train/loss": [(0, 1.0)]}
    assert set(tags(found, "text", run.name)) == {"args/text_summary", "train/word/text_summary"}


def test_other_processes_write_nothing(tmp_path: Path):
    callback = KymographCallback(tmp_path / "run")
    arguments = transformers.TrainingArguments(str(tmp_path / "o"), report_to="none", use_cpu=True)
    state = transformers.TrainerState(is_world_process_zero=False)
    callback.on_train_begin(arguments, state, None)
    callback.on_log(arguments, state, None, logs={"loss": 1.0})
    callback.on_train_end(arguments, state, None)
    assert not (tmp_path / "run").exists()
