"""A board of demo runs: a few dozen believable ones in the given directory, and one that trains on.

python examples/demo.py build/demo-runs          until Ctrl-C; more options go to `kymograph serve`
python examples/demo.py build/demo-runs --once   no board: what the command line and Python show
"""

from __future__ import annotations

import argparse
import math
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

import kymograph
from kymograph import SummaryWriter
from kymograph.cli.main import main as kymograph_command

# Every run ends when the demo begins, and but for that is the same every time.
NOW = time.time()
SECS_PER_STEP = 1.7
SECS_PER_RESTART = 3600.0
Curves = dict[str, npt.NDArray[np.float64]]

# --- what the runs look like ---


@dataclass(frozen=True)
class Plan:
    """A run to be."""

    name: str
    learning_rate: float
    seed: int
    steps: int = 600
    schedule: str = "cosine"
    diverges_at: int | None = None
    restarts_at: Sequence[int] = field(default=())
    has_media: bool = False


def plans() -> Iterator[Plan]:
    for rate in (3e-4, 1e-3, 3e-3):
        for schedule in ("constant", "cosine", "step"):
            for seed in range(2):
                name = f"vision/resnet-{schedule}-lr{rate:g}/seed{seed}"
                yield Plan(name, rate, seed, schedule=schedule, has_media=seed == 0)
    for rate in (1e-4, 3e-4, 1e-3, 3e-3):
        yield Plan(f"language/gpt-small-lr{rate:g}", rate, 7, steps=1500)
    yield Plan("language/gpt-small-lr0.01", 1e-2, 7, steps=1500, diverges_at=420)
    yield Plan("language/gpt-medium", 3e-4, 11, steps=2000, restarts_at=(700, 1400))
    for seed in range(6):
        yield Plan(f"control/ppo-hopper/seed{seed}", 3e-4, seed, steps=800, schedule="constant")


def learning_rates(plan: Plan) -> npt.NDArray[np.float64]:
    at = np.arange(plan.steps) / plan.steps
    warm = np.minimum(1.0, at / 0.03 + 1e-3)
    shape = {
        "constant": np.ones_like(at),
        "cosine": 0.5 * (1 + np.cos(np.pi * at)),
        "step": 0.1 ** np.floor(at * 3),
    }[plan.schedule]
    return plan.learning_rate * warm * shape


def curves(plan: Plan, randoms: np.random.Generator) -> Curves:
    """Loss that falls as a power law, faster at a good rate, noisier at a high one."""
    rates = learning_rates(plan)
    at = np.arange(plan.steps)
    quality = math.exp(-((math.log10(plan.learning_rate) + 3.0) ** 2))
    floor = 0.35 + 0.25 * (1 - quality) + 0.01 * (plan.seed % 5)
    loss = floor + 2.2 * (1 + at / 25) ** -(0.35 + 0.45 * quality)
    noise = randoms.normal(0, 1, plan.steps) * (0.015 + 0.8 * np.sqrt(rates) * 0.5)
    train = loss * np.exp(noise)
    gradients = 1.5 * loss * np.exp(randoms.normal(0, 0.35, plan.steps))
    if plan.diverges_at is not None:
        growth = np.exp(np.clip((at - plan.diverges_at + 60) / 22, 0, 60))
        train, gradients = train * growth, gradients * growth
        train[plan.diverges_at :] = gradients[plan.diverges_at :] = np.nan
    return {
        "train/loss": train,
        "train/grad_norm": gradients,
        "train/lr": rates,
        "val/loss": np.where(np.isnan(train), np.nan, loss * 1.06 + 0.00004 * at),
        "val/accuracy": np.where(np.isnan(train), 0.1, 1 - np.clip(loss, 0, 2.5) / 2.75),
    }


def write_run(logdir: Path, plan: Plan, number: int) -> None:
    randoms = np.random.default_rng(1000 * number + plan.seed)
    began = NOW - SECS_PER_STEP * plan.steps - SECS_PER_RESTART * len(plan.restarts_at)
    writer = SummaryWriter(logdir / plan.name)
    about = f"# {plan.name}\n\n| learning rate | schedule |\n|---|---|\n"
    row = f"| {plan.learning_rate:g} | {plan.schedule} |"
    writer.add_text("config", about + row, 0, walltime=began)
    lost = 0.0
    done = 0
    for part, end in enumerate([*plan.restarts_at, plan.steps]):
        series = curves(plan, randoms)
        if part:
            # The job died 40 steps after its last checkpoint, and an hour passed.
            writer.close()
            done, lost = done - 40, lost + SECS_PER_RESTART
            writer = SummaryWriter(logdir / plan.name, purge_step=done)
        for step in range(done, end):
            wall_time = began + (step + 1) * SECS_PER_STEP + lost
            log_scalars(writer, series, step, wall_time)
            if plan.has_media and step % 100 == 0:
                log_media(writer, plan, step, wall_time, randoms)
        done = end
    writer.close()


def log_scalars(
    writer: SummaryWriter, series: Curves, step: int, wall_time: float | None = None
) -> None:
    for name, values in series.items():
        if not name.startswith("val/") or step % 20 == 19:
            writer.add_scalar(name, values[step], step, wall_time)


def log_media(
    writer: SummaryWriter, plan: Plan, step: int, wall_time: float, randoms: np.random.Generator
) -> None:
    spread = 0.05 + 0.3 * plan.learning_rate**0.3 * math.log1p(step / 50)
    weights = randoms.normal(0.0, spread, 500)
    y, x = np.mgrid[-1:1:24j, -1:1:24j]
    rings = np.cos(6 * np.hypot(x, y) * (1 + step / 300)) * 100 + 128
    blur = randoms.normal(0, 60 / (1 + step / 60), rings.shape)
    pixels = np.clip(rings + blur, 0, 255).astype(np.uint8)
    writer.add_histogram("weights/conv1", weights, step, walltime=wall_time)
    writer.add_image("samples/reconstruction", pixels, step, wall_time, dataformats="HW")


# --- showing them ---


def show(logdir: Path) -> None:
    print(f"$ kymograph inspect {logdir}")
    kymograph_command(["inspect", str(logdir)], standalone_mode=False)
    print("\n$ python")
    names: dict[str, object] = {"kymograph": kymograph}
    for line in (
        f"store = kymograph.open({str(logdir)!r})",
        'store["language/gpt-medium"].series("train/loss")',
        'store["language/gpt-medium"].hidden_points',
        'best = min(store.select(tags="val/loss"), key=lambda s: s.values[-1])',
        "best.run, float(best.values[-1])",
        'store["vision/resnet-cosine-lr0.001/seed0"].blobs("samples/reconstruction")[-1].decode().width',
    ):
        print(f">>> {line}")
        ask(line, names)


def ask(line: str, names: dict[str, object]) -> None:
    """Does what an interactive Python does with a line."""
    try:
        answer = eval(line, names)
    except SyntaxError:
        exec(line, names)
        return
    if answer is not None:
        print(repr(answer))


def train_on(logdir: Path, ended: threading.Event) -> None:
    """One more run, which trains until the demo ends."""
    plan = Plan("live/resnet", 1e-3, 5, steps=100_000)
    series = curves(plan, np.random.default_rng(5))
    with SummaryWriter(logdir / plan.name) as writer:
        for step in range(plan.steps):
            log_scalars(writer, series, step)
            if ended.wait(0.1):
                return


def serve(logdir: Path, options: Sequence[str]) -> None:
    """The board, in the foreground until Ctrl-C."""
    ended = threading.Event()
    training = threading.Thread(target=train_on, args=(logdir, ended))
    training.start()
    try:
        kymograph_command(["--logdir", str(logdir), *options])
    finally:
        ended.set()
        training.join()


def main() -> None:
    """Writes the runs, and shows them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logdir", type=Path, help="directory to (re)place the demo runs in")
    parser.add_argument("--once", action="store_true", help="without a board")
    arguments, options = parser.parse_known_args()
    began = time.monotonic()
    for name in {plan.name.split("/")[0] for plan in plans()} | {"live"}:
        shutil.rmtree(arguments.logdir / name, ignore_errors=True)
    every = list(plans())
    for number, plan in enumerate(every):
        write_run(arguments.logdir, plan, number)
    print(f"{len(every)} demo runs written in {time.monotonic() - began:.1f} s\n", flush=True)
    if arguments.once:
        show(arguments.logdir)
    else:
        serve(arguments.logdir, options or ["--open"])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print()
