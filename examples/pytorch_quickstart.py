"""PyTorch in two runs: the same small network, trained with two learning rates.

    pip install kymograph torch
    python examples/pytorch_quickstart.py
    kymograph inspect runs/pytorch_quickstart

A script that logs to TensorBoard needs one other import: `from kymograph import SummaryWriter`
instead of `from torch.utils.tensorboard import SummaryWriter`.
"""

import argparse

import torch
from torch import nn

from kymograph import SummaryWriter


def train(logdir: str, learning_rate: float, steps: int) -> float:
    """Fits a network to a noisy sine, and returns its error on the sine itself."""
    torch.manual_seed(0)
    x = torch.linspace(-3, 3, 256)[:, None]
    sine = torch.sin(x)
    noisy = sine + 0.1 * torch.randn_like(sine)
    model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), learning_rate)

    with SummaryWriter(logdir) as writer:
        writer.add_text("config", f"Adam with a learning rate of **{learning_rate:g}**")
        writer.add_graph(model, x)
        for step in range(steps):
            loss = nn.functional.mse_loss(model(x), noisy)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            writer.add_scalar("train/loss", loss, step)
            if step % 10 == 9:
                with torch.no_grad():
                    error = nn.functional.mse_loss(model(x), sine)
                writer.add_scalar("test/loss", error, step)
    return float(error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logdir", default="runs/pytorch_quickstart")
    parser.add_argument("--steps", type=int, default=300)
    arguments = parser.parse_args()
    for learning_rate in (0.003, 0.03):
        error = train(f"{arguments.logdir}/lr_{learning_rate:g}", learning_rate, arguments.steps)
        print(f"learning rate {learning_rate:g}: test loss {error:.4f}")


if __name__ == "__main__":
    main()
