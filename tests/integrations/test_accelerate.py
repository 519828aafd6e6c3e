"""What an Accelerator logs arrives in the tracker's run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

for module in ["accelerate", "torch", "tensorboard"]:
    pytest.importorskip(module, reason=f"{module} is not installed: make test-frameworks")

import torch
from accelerate import Accelerator

from kymograph.integrations.accelerate import KymographTracker
from tests.integrations.read_back import points, read_back, scalars, tags

pytestmark = pytest.mark.frameworks


def test_a_training_loop_is_logged(tmp_path: Path):
    tracker = KymographTracker(tmp_path / "run", flush_secs=1)
    accelerator = Accelerator(cpu=True, log_with=tracker)
    accelerator.init_trackers("ignored", config={"lr": 0.1, "name": "sgd", "none": None})
    model = torch.nn.Linear(1, 1)
    model, optimizer = accelerator.prepare(model, torch.optim.SGD(model.parameters(), 0.1))
    losses = []
    for step in range(5):
        loss = model(torch.ones(4, 1)).square().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        accelerator.log({"loss": loss, "word": "x", "both": {"a": step, "b": 2.0}}, step=step)
        losses.append((step, loss.item()))
    images = np.zeros((2, 4, 5, 3), np.uint8)
    tracker.log_images({"pictures": images}, step=1, dataformats="NHWC")
    assert accelerator.get_tracker("kymograph", unwrap=True) is tracker.tracker
    accelerator.end_training()
    found = read_back(tmp_path)
    assert scalars(found, "run") == {"loss": losses}
    assert points(found, "scalars", "run/both_a", "both") == [(s, float(s)) for s in range(5)]
    assert tags(found, "text", "run") == ["word/text_summary"]
    assert tags(found, "images", "run") == ["pictures"]
    assert set(tags(found, "hparams", "run")) >= {"_hparams_/session_start_info"}


def test_a_tracker_that_is_not_used_makes_no_directory(tmp_path: Path):
    KymographTracker(tmp_path / "run").finish()
    assert list(tmp_path.iterdir()) == []
