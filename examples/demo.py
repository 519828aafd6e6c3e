"""A board of demo runs: a few dozen believable ones in the given directory; two of them train on.

python examples/demo.py build/demo-runs          until Ctrl-C; more options go to `kymograph serve`
python examples/demo.py build/demo-runs --once   no board: what the command line and Python show
"""

from __future__ import annotations

import argparse
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

import kymograph
from dashboards import audio, images, mesh, tensors, text, video
from demo_runs import HOUR, Curves, Plan, curves, plans
from kymograph import SummaryWriter
from kymograph.cli.main import main as kymograph_command
from kymograph.store.sidecar import Sidecar
from kymograph.writer.summaries.hparams import hparams

NOW = time.time()
# What is measured seldom: every so many rows.
ROWS_BETWEEN = {"val": 12, "worker": 4}
ROWS_PER_MEDIA = 150
# Of the long language model, with their shares of a spike.
LAYERS = {"embed": 0.1, "decoder.0": 0.4, "decoder.5/mlp": 0.9, "decoder.5/attn": 1.3, "head": 0.3}
ROWS_PER_MESH = 300
STEPS_LOST = 1200
START = b"\x3a\x02\x08\x01"  # the bytes of an `Event` with a `SessionLog` of that status
EDITOR = "demo"
# What a team would have added in the meantime; as docs/concepts/curation.md has it.
CURATION: dict[tuple[str, ...], object] = {
    ("card", "scalars", "train/loss", "pinned"): True,
    ("card", "scalars", "val/acc", "pinned"): True,
    ("run", "cifar/lr-sweep/adamw-1e-2", "note"): "too hot, lost at 18k",
    ("run", "cifar/augment/all-aug", "note"): "let it finish",
    ("run", "cifar/augment/cutmix-1.0", "tag", "paper"): True,
    ("run", "cifar/augment/baseline", "tag", "paper"): True,
    ("run", "gpt/medium", "note"): "two preemptions",
    ("note", "bad-shard"): {
        "text": "bad shard in the data",
        "tag": "train/loss",
        "run": "gpt/medium-long",
        "step": 26_900,
    },
}
METRICS = {"cifar": "val/acc", "gpt": "val/loss", "walker": "walker/return"}


# --- writing them ---


class Row:
    """One step of a run: the value of every tag."""

    def __init__(self, number: int, step: int, wall_time: float, values: dict[str, float]) -> None:
        self.number, self.step, self.wall_time, self.values = number, step, wall_time, values


def row_steps(plan: Plan) -> npt.NDArray[np.int64]:
    """The steps at which the run logs: more often while it is live."""
    steps = np.arange(0, plan.end, plan.every)
    if plan.is_live:
        steps = np.concatenate([steps, np.arange(plan.end, plan.steps, plan.live_every)])
    return steps


def rows(
    series: Curves, steps: npt.NDArray[np.int64], wall_times: npt.NDArray[np.float64]
) -> Iterator[Row]:
    tags = [
        (tag, ROWS_BETWEEN.get(tag.split("/")[0], 1), values.tolist())
        for tag, values in series.items()
    ]
    for number, (step, wall_time) in enumerate(
        zip(steps.tolist(), wall_times.tolist(), strict=True)
    ):
        values = {tag: values[number] for tag, every, values in tags if number % every == 0}
        yield Row(number, step, wall_time, values)


def log_row(writer: SummaryWriter, plan: Plan, row: Row, wall_time: float) -> None:
    for tag, value in row.values.items():
        writer.add_scalar(tag, value, row.step, wall_time)
    if plan.name == "gpt/medium-long" and "val/loss" in row.values:
        loss = row.values["val/loss"]
        domains = {"web": 1.06 * loss, "books": 0.99 * loss, "code": 0.71 * loss + 0.02}
        writer.add_scalars("val/loss_by_domain", domains, row.step, wall_time)
        log_gradients(writer, row, wall_time)


def log_gradients(writer: SummaryWriter, row: Row, wall_time: float) -> None:
    """A histogram for each layer: when the norm rises, later layers have most of it."""
    norm = row.values["train/grad_norm"]
    for number, (layer, share) in enumerate(LAYERS.items()):
        values = np.random.default_rng([row.step, number]).normal(0, 0.02 * norm**share, 400)
        writer.add_histogram(f"grads/{layer}", values, row.step, walltime=wall_time)


def write_run(logdir: Path, plan: Plan, number: int) -> None:
    """All that the run logged before the demo opens."""
    randoms = np.random.default_rng(1000 + number)
    steps = np.arange(0, plan.end, plan.every)
    wall_times = moments(plan, np.random.default_rng(2000 + number), len(steps))
    comparison, start, finish = hparams(plan.hparams, {METRICS[plan.kind]: 0.0})
    for begin, end in pairwise([0, *plan.restarts_at, plan.end]):
        first = max(0, begin - STEPS_LOST)
        if begin:
            # The job died some time after its last checkpoint, and an hour passed.
            wall_times += HOUR + plan.secs_per_step * STEPS_LOST
        began = float(wall_times[steps >= first][0]) - 20
        with SummaryWriter(logdir / plan.name) as writer:
            if plan.restarts_at:
                # As `purge_step` has it, but at the time of the tale.
                writer.add_event(START, first, began)
            if not begin:
                writer.add_text("config", about(plan), 0, walltime=began)
                # What `add_hparams` writes, but in time and in this run.
                writer.add_summary(comparison, 0, began)
                writer.add_summary(start, 0, began)
            series = curves(plan, row_steps(plan), randoms)
            chosen = np.flatnonzero((steps >= first) & (steps < end))
            part = {tag: values[chosen] for tag, values in series.items()}
            for row in rows(part, steps[chosen], wall_times[chosen]):
                log_row(writer, plan, row, row.wall_time)
                if plan.has_media and row.number % ROWS_PER_MEDIA == 0:
                    log_media(writer, plan, row, randoms)
                if plan.has_rollouts and row.number % ROWS_PER_MEDIA == 0:
                    learnt = 1 - np.exp(-3 * plan.speed * row.step / plan.steps)
                    video.log(writer, row.step, row.wall_time, learnt)
            if end == plan.steps:
                writer.add_summary(finish, end, float(wall_times[-1]))


def moments(plan: Plan, randoms: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    """When each row is logged: in its time, but never quite evenly."""
    lasted = plan.secs_per_step * plan.end
    began = NOW - (lasted if plan.is_live else HOUR * plan.hours_ago)
    pace: npt.NDArray[np.float64] = np.cumsum(randoms.gamma(40, 1, count))
    pace *= lasted / pace[-1]
    pace += began
    return pace


def about(plan: Plan) -> str:
    settings = "\n".join(f"| {name} | `{value}` |" for name, value in plan.hparams.items())
    return f"# {plan.name}\n\n| setting | value |\n|---|---|\n{settings}"


def log_media(writer: SummaryWriter, plan: Plan, row: Row, randoms: np.random.Generator) -> None:
    learnt = 1 - np.exp(-6 * row.step / plan.steps)
    weights = np.concatenate(
        [randoms.normal(0, 0.05 + 0.05 * learnt, 400), randoms.laplace(0, 0.02 + 0.1 * learnt, 200)]
    )
    writer.add_histogram("weights/conv1", weights, row.step, walltime=row.wall_time)
    picture = filters(learnt, randoms)
    writer.add_image("filters/conv1", picture, row.step, row.wall_time, dataformats="HWC")
    # Better models make fewer mistakes.
    skill = learnt * (1 - 0.3 * plan.floor)
    images.log(writer, row.step, row.wall_time, 0.9 * skill)
    audio.log(writer, row.step, row.wall_time, skill)
    tensors.log(writer, row.step, row.wall_time, skill)
    text.log(writer, row.step, row.wall_time, float(skill))
    if row.number % ROWS_PER_MESH == 0:
        mesh.log(writer, row.step, row.wall_time, learnt * (1 - 0.2 * plan.floor))


def filters(learnt: float, randoms: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Eight by four first filters: coloured noise in which gratings appear."""
    y, x = np.mgrid[-1:1:11j, -1:1:11j]
    sheet = np.full((4 * 12 + 1, 8 * 12 + 1, 3), 255, np.uint8)
    shapes = np.random.default_rng(3)  # of the network, so the same at every step
    for number in range(32):
        angle, waves, phase = shapes.uniform((0, 2, 0), (np.pi, 6, np.pi))
        tint = shapes.normal(0, 0.35, 3) + 0.6
        grating = np.cos(waves * (x * np.cos(angle) + y * np.sin(angle)) * 1.6 + phase)
        grating = grating * np.exp(-1.6 * (x**2 + y**2))
        patch = learnt * grating[..., None] * tint + (1 - learnt) * randoms.normal(
            0, 0.5, (11, 11, 3)
        )
        top, left = 1 + 12 * (number // 8), 1 + 12 * (number % 8)
        sheet[top : top + 11, left : left + 11] = np.clip(128 + 120 * patch, 0, 255)
    return sheet


# --- showing them ---


def show(logdir: Path) -> None:
    print(f"$ kymograph inspect {logdir}")
    kymograph_command(["inspect", str(logdir)], standalone_mode=False)
    print("\n$ python")
    names: dict[str, object] = {"kymograph": kymograph}
    for line in (
        f"store = kymograph.open({str(logdir)!r})",
        'store["gpt/medium"].series("train/loss")',
        'store["gpt/medium"].hidden_points',
        'best = max(store.select(tags="val/acc"), key=lambda s: s.values[-1])',
        "best.run, float(best.values[-1])",
        'store["cifar/augment/baseline"].blobs("filters/conv1")[-1].decode().width',
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


def train_on(logdir: Path, plan: Plan, number: int, ended: threading.Event) -> None:
    """The rest of a run that was not done when the demo opened, at the pace of a real one."""
    steps = row_steps(plan)
    left = steps >= plan.end
    series = curves(plan, steps, np.random.default_rng(1000 + number))
    series = {tag: values[left] for tag, values in series.items()}
    with SummaryWriter(logdir / plan.name) as writer:
        for row in rows(series, steps[left], np.zeros(left.sum())):
            log_row(writer, plan, row, time.time())
            writer.flush()
            if ended.wait(1 / plan.live_rate):
                return


def serve(logdir: Path, every: Sequence[Plan], options: Sequence[str]) -> None:
    """The board, in the foreground until Ctrl-C."""
    ended = threading.Event()
    with ExitStack() as stack:
        for number, plan in enumerate(every):
            if plan.is_live:
                training = threading.Thread(target=train_on, args=(logdir, plan, number, ended))
                training.start()
                stack.callback(training.join)
        stack.callback(ended.set)
        kymograph_command(["--logdir", str(logdir), *options])


def main() -> None:
    """Writes the runs, and shows them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logdir", type=Path, help="directory to (re)place the demo runs in")
    parser.add_argument("--once", action="store_true", help="without a board")
    arguments, options = parser.parse_known_args()
    began = time.monotonic()
    every = list(plans())
    for kind in {plan.kind for plan in every}:
        shutil.rmtree(arguments.logdir / kind, ignore_errors=True)
    for number, plan in enumerate(every):
        write_run(arguments.logdir, plan, number)
    for left in (arguments.logdir / ".kymograph").glob(f"{EDITOR}.*"):
        left.unlink()
    Sidecar(arguments.logdir, editor=EDITOR).edit(CURATION)
    print(f"{len(every)} demo runs written in {time.monotonic() - began:.1f} s\n", flush=True)
    if arguments.once:
        show(arguments.logdir)
    else:
        serve(arguments.logdir, every, options or ["--open"])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print()
