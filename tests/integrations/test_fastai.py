"""A fastai training is logged as by its own callback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

for module in ["fastai", "torch", "tensorboard"]:
    pytest.importorskip(module, reason=f"{module} is not installed: make test-frameworks")

import torch
from fastai.callback.tensorboard import TensorBoardCallback
from fastai.data.core import DataLoaders
from fastai.data.load import DataLoader
from fastai.learner import Learner

from kymograph.integrations.fastai import KymographCallback
from tests.integrations.read_back import read_back, scalars, tags

pytestmark = pytest.mark.frameworks


def learner(callback: Any) -> Learner:
    torch.manual_seed(1)
    loader = DataLoader([(torch.ones(1), torch.zeros(1))] * 8, bs=4)
    return Learner(
        DataLoaders(loader, loader, device="cpu"),
        torch.nn.Linear(1, 1),
        loss_func=torch.nn.functional.mse_loss,
        metrics=[lambda predicted, target: (predicted - target).abs().mean()],
        cbs=[callback],
    )


def fit(callback: Any) -> None:
    learn = learner(callback)
    with learn.no_bar(), learn.no_logging():
        learn.fit(2, 0.1)
        learn.get_preds()


def test_a_training_is_logged_as_by_fastai(tmp_path: Path):
    fit(KymographCallback(tmp_path / "ours", trace_model=True))
    fit(TensorBoardCallback(tmp_path / "theirs", trace_model=False, log_preds=False))
    found = read_back(tmp_path)
    ours, theirs = (scalars(found, name) for name in ("ours", "theirs"))
    assert set(ours) == set(theirs)
    assert len(ours["train_loss"]) == 4
    # Theirs logs the last training loss once more for each batch that it validates.
    assert ours["train_loss"] == [
        point for n, point in enumerate(theirs["train_loss"]) if n % 4 < 2
    ]
    assert ours["valid_loss"] == theirs["valid_loss"]
    assert tags(found, "graphs", "ours")
