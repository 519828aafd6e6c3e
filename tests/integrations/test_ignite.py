"""Ignite's handlers write through our logger what they write through its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

for module in ["ignite", "torch", "tensorboard"]:
    pytest.importorskip(module, reason=f"{module} is not installed: make test-frameworks")

import torch
from ignite.engine import Engine, Events
from ignite.handlers import tensorboard_logger as handlers

from kymograph.integrations.ignite import KymographLogger
from tests.integrations.read_back import read_back, scalars, tags

pytestmark = pytest.mark.frameworks


def train(logger: Any) -> None:
    torch.manual_seed(1)
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)

    def step(_: Engine, x: Any) -> float:
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        return float(loss.item())

    trainer = Engine(step)
    with logger:
        each = Events.ITERATION_COMPLETED
        output = {"tag": "training", "output_transform": lambda loss: {"loss": loss}}
        logger.attach_output_handler(trainer, each, **output)
        logger.attach_opt_params_handler(trainer, each, optimizer)
        logger.attach(trainer, handlers.WeightsScalarHandler(model), each)
        logger.attach(trainer, handlers.GradsHistHandler(model), each)
        trainer.run([torch.ones(2, 1)] * 3, max_epochs=2)
        logger.add_text("note", "passed on to the writer")


def test_a_training_is_logged_as_by_ignite(tmp_path: Path):
    train(KymographLogger(tmp_path / "ours"))
    train(handlers.TensorboardLogger(str(tmp_path / "theirs")))
    found = read_back(tmp_path)
    ours, theirs = (scalars(found, name) for name in ("ours", "theirs"))
    assert ours == theirs
    assert [step for step, _ in ours["training/loss"]] == [1, 2, 3, 4, 5, 6]
    assert set(tags(found, "histograms", "ours")) == {"grads/weight", "grads/bias"}
    assert tags(found, "text", "ours") == ["note/text_summary"]
