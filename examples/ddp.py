"""Data-parallel training: every process runs the same code, and rank 0 alone logs.

    pip install kymograph torch
    torchrun --nproc-per-node 2 examples/ddp.py
    kymograph inspect runs/ddp

With `rank_zero_only="auto"` the writer finds the rank by itself, so there is no `if rank == 0:`
around every line that logs. `rank_suffix=True` would give each rank a run of its own.
"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from kymograph import SummaryWriter


def stripes(count: int) -> TensorDataset:
    """Noisy pictures (N, 1, 16, 16) from 0 to 1: class 0 has rows, class 1 has columns."""
    generator = torch.Generator().manual_seed(0)
    labels = torch.randint(2, (count,), generator=generator)
    rows = (torch.arange(16) // 2 % 2).float().expand(16, 16).T
    images = torch.stack([rows.T if label else rows for label in labels])
    noise = 0.4 * torch.randn(images.shape, generator=generator)
    return TensorDataset((images + noise).clamp(0, 1)[:, None], labels)


def mean_over_ranks(values: torch.Tensor) -> list[float]:
    dist.all_reduce(values)
    means: list[float] = (values / dist.get_world_size()).tolist()
    return means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logdir", default="runs/ddp")
    parser.add_argument("--epochs", type=int, default=3)
    arguments = parser.parse_args()
    if "RANK" not in os.environ:
        parser.error("start it with `torchrun --nproc-per-node 2 examples/ddp.py`")

    dist.init_process_group("gloo")
    torch.manual_seed(0)
    data = stripes(1600)
    sampler = DistributedSampler(data)
    batches = DataLoader(data, batch_size=40, sampler=sampler)
    model = DistributedDataParallel(
        nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 14 * 14, 2))
    )
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    step = 0

    with SummaryWriter(arguments.logdir, rank_zero_only="auto") as writer:
        writer.add_images("samples", data.tensors[0][:16])
        for epoch in range(arguments.epochs):
            sampler.set_epoch(epoch)
            for images, labels in batches:
                logits = model(images)
                loss = nn.functional.cross_entropy(logits, labels)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                hits = (logits.argmax(1) == labels).float().mean()
                # Every rank takes part in the mean; the writer of all but one drops it.
                mean_loss, accuracy = mean_over_ranks(torch.stack([loss.detach(), hits]))
                writer.add_scalar("train/loss", mean_loss, step)
                writer.add_scalar("train/accuracy", accuracy, step)
                step += 1
    print(f"rank {dist.get_rank()} of {dist.get_world_size()}: accuracy {accuracy:.1%}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
