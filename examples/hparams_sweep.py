"""A sweep: every combination of learning rate, width and dropout, and what each led to.

    pip install kymograph torch
    python examples/hparams_sweep.py
    kymograph inspect runs/hparams_sweep

Each trial is a run with its curves, its hyper-parameters and its final metrics.
"""

import argparse
import itertools
from typing import Any

import torch
from torch import nn

from kymograph import SummaryWriter

CHOICES: dict[str, list[Any]] = {
    "lr": [0.001, 0.01, 0.1],
    "width": [8, 64],
    "dropout": [0.0, 0.3],
}


def circles(count: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Points (N, 2), and whether each lies inside a ring; one label in twenty is wrong."""
    generator = torch.Generator().manual_seed(seed)
    points = torch.randn(count, 2, generator=generator)
    inside = (points.norm(dim=1) - 1).abs() < 0.4
    wrong = torch.rand(count, generator=generator) < 0.05
    return points, (inside ^ wrong).float()


def train(
    writer: SummaryWriter, steps: int, *, lr: float, width: int, dropout: float
) -> dict[str, float]:
    """Trains one network, and returns its final metrics."""
    torch.manual_seed(0)
    (points, targets), (test_points, test_targets) = circles(500, 0), circles(500, 1)
    model = nn.Sequential(
        *(nn.Linear(2, width), nn.ReLU(), nn.Dropout(dropout)),
        *(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1), nn.Flatten(0)),
    )
    optimizer = torch.optim.Adam(model.parameters(), lr)
    for step in range(steps):
        loss = nn.functional.binary_cross_entropy_with_logits(model(points), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        writer.add_scalar("train/loss", loss, step)
    model.eval()
    with torch.no_grad():
        logits = model(test_points)
    test_loss = nn.functional.binary_cross_entropy_with_logits(logits, test_targets)
    accuracy = ((logits > 0) == (test_targets > 0)).float().mean()
    return {"hparam/loss": float(test_loss), "hparam/accuracy": float(accuracy)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logdir", default="runs/hparams_sweep")
    parser.add_argument("--steps", type=int, default=100)
    arguments = parser.parse_args()
    for choice in itertools.product(*CHOICES.values()):
        hparams = dict(zip(CHOICES, choice, strict=True))
        name = "-".join(f"{key}_{value:g}" for key, value in hparams.items())
        with SummaryWriter(f"{arguments.logdir}/{name}") as writer:
            metrics = train(writer, arguments.steps, **hparams)
            # Without a name they would go into a run of their own below this one.
            writer.add_hparams(hparams, metrics, CHOICES, run_name=".")
        print(f"{name}: accuracy {metrics['hparam/accuracy']:.1%}")


if __name__ == "__main__":
    main()
