"""The logdirs that the pictures in docs/images show, besides the demo: damaged, crowded, empty."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np

from kymograph import SummaryWriter
from kymograph.store.sidecar import Sidecar
from kymograph.writer.summaries.hparams import hparams

RUNS = 1000
STEPS = np.arange(0, 48_000, 240)
SECS_PER_STEP = 0.3
EPOCH = 1_790_000_000.0


def damaged(demo: Path, logdir: Path) -> None:
    """Two experiments of the demo; one file has zeros in its middle, another was cut short."""
    shutil.rmtree(logdir, ignore_errors=True)
    for name in ("augment", "lr-sweep"):
        shutil.copytree(demo / "cifar" / name, logdir / name)
    broken = event_file(logdir / "lr-sweep/adamw-3e-4")
    content = bytearray(broken.read_bytes())
    middle = len(content) * 6 // 10
    content[middle : middle + 24_000] = bytes(24_000)
    broken.write_bytes(content)
    short = event_file(logdir / "augment/cutmix-1.0")
    os.truncate(short, short.stat().st_size * 46 // 100 + 7)


def event_file(run: Path) -> Path:
    (found,) = run.glob("*tfevents*")
    return found


def empty(logdir: Path) -> None:
    """Directories with other files, but without logs."""
    shutil.rmtree(logdir, ignore_errors=True)
    (logdir / "old").mkdir(parents=True)
    (logdir / "tmp").mkdir()
    for number in range(14):
        (logdir / "tmp" / f"checkpoint-{number:02d}.pt").write_bytes(b"")


def sweep(logdir: Path) -> None:
    """A thousand trials of one sweep."""
    shutil.rmtree(logdir, ignore_errors=True)
    randoms = np.random.default_rng(12)
    for number in range(RUNS):
        rate = float(10 ** randoms.uniform(-5, -1))
        decay = float(10 ** randoms.uniform(-5, -1))
        settings = {"lr": rate, "weight_decay": decay, "dropout": float(randoms.uniform(0, 0.5))}
        trial(logdir / f"t-{number:04d}", settings, randoms)

    pins: dict[tuple[str, ...], bool] = {
        ("run", f"t-{number:04d}", "pinned"): True for number in (279, 673, 144)
    }
    cards: dict[tuple[str, ...], bool] = {
        ("card", "scalars", tag, "pinned"): True for tag in ("train/loss", "val/acc")
    }
    Sidecar(logdir, editor="pictures").edit({**pins, **cards})


def trial(directory: Path, settings: dict[str, float], randoms: np.random.Generator) -> None:
    along = STEPS / STEPS[-1]
    off = np.log10(settings["lr"]) + 2.9
    floor = 0.2 + 0.045 * off**2 + 0.25 * settings["dropout"] + abs(randoms.normal(0, 0.03))
    fall = (1 + STEPS / 900) ** -(0.8 - 0.05 * abs(off))
    loss = floor + 2.1 * fall - 0.08 * along
    noise = randoms.normal(0, 0.02, (3, len(STEPS)))
    schedule = np.minimum(1, STEPS / 2000 + 0.01) * (0.5 + 0.5 * np.cos(np.pi * along))
    curves = {
        "train/loss": loss * np.exp(noise[0]),
        "train/lr": settings["lr"] * schedule + 1e-9,
        "train/grad_norm": (0.8 + 2.5 * fall) * np.exp(6 * noise[1]),
        "val/loss": loss + 0.05 + 0.3 * (0.5 - settings["dropout"]) * along**2,
        "val/acc": np.exp(-0.42 * loss**1.5) + 0.3 * noise[2],
        "val/calibration/ece": 0.02 + 0.1 * np.exp(-9 * along) + 0.05 * loss + 0.1 * noise[0],
    }
    began = EPOCH + float(randoms.uniform(0, 3 * 86400))
    with SummaryWriter(directory) as writer:
        comparison, start, finish = hparams(settings, {"val/acc": 0.0})
        writer.add_summary(comparison, 0, began)
        writer.add_summary(start, 0, began)
        for tag, values in curves.items():
            for step, value in zip(STEPS.tolist(), values.tolist(), strict=True):
                writer.add_scalar(tag, value, step, began + SECS_PER_STEP * step)
        writer.add_summary(finish, int(STEPS[-1]), began + SECS_PER_STEP * float(STEPS[-1]))


def dense(logdir: Path) -> None:
    """Three runs that logged each of two hundred thousand steps."""
    shutil.rmtree(logdir, ignore_errors=True)
    randoms = np.random.default_rng(5)
    steps = np.arange(200_000)
    for name, floor in {"bf16": 0.42, "fp8": 0.55, "fp8-stochastic": 0.47}.items():
        loss = floor + 2.4 * (1 + steps / 900) ** -0.55
        loss *= np.exp(0.025 * randoms.standard_t(4, len(steps)))
        with SummaryWriter(logdir / name) as writer:
            for step, value in enumerate(loss.tolist()):
                writer.add_scalar("train/loss", value, step, EPOCH + 0.05 * step)


def weeks(logdir: Path, demo: Path, numbers: range) -> None:
    """The demo once for each week, as links, which take no space; week 0 is written again."""
    if 0 in numbers:
        shutil.rmtree(logdir, ignore_errors=True)
    for number in numbers:
        for path in sorted(demo.rglob("*tfevents*")):
            link = logdir / f"week{number:03d}" / path.relative_to(demo)
            link.parent.mkdir(parents=True, exist_ok=True)
            os.link(path, link)
