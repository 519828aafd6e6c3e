"""Writes `logdirs/torch`: event files by torch.utils.tensorboard and what was logged."""

from __future__ import annotations

import itertools
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter

from tests.golden.expectation import (
    Expectation,
    Json,
    as_float32,
    clip,
    logdir,
    pixels,
    settle,
    sha256,
    strings,
    tensor,
    trimmed_buckets,
)

START = 1_700_000_000.0
EDGE_VALUES = [0.1, -0.0, 1e-45, 3.4028234663852886e38, 1e300, float("nan"), float("inf"), -1e300]
DOUBLES = [0.1, 1e300, -1e-300, 16777217.0, float("nan"), float("-inf")]


def wall(index: int) -> float:
    return START + 0.25 * index


def walls(count: int, first: int = 0) -> list[float]:
    return [wall(first + index) for index in range(count)]


@contextmanager
def ticking_clock() -> Iterator[None]:
    """Lets `time.time` count in seconds from a fixed start, so that two runs give equal bytes."""
    ticks = itertools.count(START)
    with mock.patch("time.time", side_effect=ticks):
        yield


def log_scalars(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    steps = range(len(EDGE_VALUES))
    for step, value in enumerate(EDGE_VALUES):
        writer.add_scalar("old_style", value, step, walltime=wall(step))
        writer.add_scalar("new_style", value, step, walltime=wall(step), new_style=True)
    expect.scalars(run, "old_style", steps, as_float32(EDGE_VALUES), wall_times=walls(len(steps)))
    expect.scalars(
        run,
        "new_style",
        steps,
        as_float32(EDGE_VALUES),
        wall_times=walls(len(steps)),
        metadata={"plugin_name": "scalars", "content": ""},
    )
    for step, value in enumerate(DOUBLES):
        writer.add_scalar(
            "double", value, step, walltime=wall(step), new_style=True, double_precision=True
        )
    expect.scalars(run, "double", range(len(DOUBLES)), DOUBLES, wall_times=walls(len(DOUBLES)))
    for tag in ["with space", "/leading", "ünï/코드", "a.b-c_d", "epoch_loss/train/acc"]:
        writer.add_scalar(tag, 1.5, 3, walltime=wall(0))
        expect.scalars(run, tag, [3], [1.5], wall_times=[wall(0)])


def log_kinds_of_numbers(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    numbers: dict[str, tuple[Any, float]] = {
        "python_int": (7, 7.0),
        "python_bool": (True, 1.0),
        "numpy_float64": (np.float64(0.1), float(np.float32(0.1))),
        "numpy_one_element": (np.array([[2.5]]), 2.5),
        "torch_half": (torch.tensor(0.1, dtype=torch.float16), float(np.float16(0.1))),
        "torch_bfloat16": (torch.tensor(1.5, dtype=torch.bfloat16), 1.5),
        "torch_int64": (torch.tensor(16777217), 16777216.0),
        "torch_grad": (torch.tensor(0.5, requires_grad=True), 0.5),
    }
    for tag, (value, stored) in numbers.items():
        writer.add_scalar(tag, value, 1, walltime=wall(1))
        expect.scalars(run, tag, [1], [stored], wall_times=[wall(1)])


def log_steps(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    kinds: dict[str, list[int]] = {
        "negative": [-5, -1, 0, 1],
        "huge": [2**53 - 1, 2**53 + 1, 2**62, 2**63 - 1],
        "duplicate": [1, 1, 1, 2, 2, 3],
        "all_zero": [0, 0, 0, 0],
        "decreasing": [5, 4, 3, 2],
        "zigzag": [1, 2, 3, 2, 3, 4],
    }
    for tag, steps in kinds.items():
        for index, step in enumerate(steps):
            writer.add_scalar(tag, index + 0.5, step, walltime=wall(index))
        values = [index + 0.5 for index in range(len(steps))]
        expect.scalars(run, tag, steps, values, wall_times=walls(len(steps)))
    for index in range(3):
        writer.add_scalar("no_step", float(index), walltime=wall(index))
    expect.scalars(run, "no_step", [0, 0, 0], [0.0, 1.0, 2.0], wall_times=walls(3))


def log_restart(folder: Path, expect: Expectation, run: str) -> None:
    """A job that stops at step 9 and starts again from its checkpoint at step 5."""
    directory = folder / run
    with SummaryWriter(directory) as writer:
        for step in range(10):
            writer.add_scalar("loss", step, step)
            writer.add_scalar("only_before", step, step)
    settle(directory)
    with SummaryWriter(directory, purge_step=5) as writer:
        for step in range(5, 8):
            writer.add_scalar("loss", 100 + step, step)
    settle(directory)
    expect.run(run, hidden_points=10)
    expect.scalars(run, "loss", range(8), [0, 1, 2, 3, 4, 105, 106, 107])
    expect.scalars(run, "only_before", range(5), range(5))


def log_two_restarts(folder: Path, expect: Expectation, run: str, *, own_times: bool) -> None:
    """A job that starts three times, from an earlier checkpoint each time.

    With times of its own it gives the wall time of every point, all long before the clock's time,
    which START events still have: as when old logs are rewritten.
    """
    directory = folder / run
    for job, purge_step in enumerate([None, 4, 2]):
        with SummaryWriter(directory, purge_step=purge_step) as writer:
            for step in range(purge_step or 0, 6):
                at = 100 * job + step
                time = wall(at) - 1_000_000 if own_times else None
                writer.add_scalar("loss", at, step, walltime=time)
        settle(directory)
    kept = [0, 1, 202, 203, 204, 205]
    times = [wall(at) - 1_000_000 for at in kept] if own_times else None
    expect.run(run, hidden_points=6)
    expect.scalars(run, "loss", range(6), kept, wall_times=times)


def default_edges() -> list[float]:
    """torch's default histogram edges: a running product, whose rounding is part of the format."""
    positive = []
    edge = 1e-12
    while edge < 1e20:
        positive.append(edge)
        edge *= 1.1
    return [-e for e in reversed(positive)] + [0.0] + positive


def histogram_rows(values: list[float], edges: list[float]) -> Json:
    counts = np.histogram(np.array(values), bins=np.array(edges))[0]
    return trimmed_buckets(edges[1:], counts.tolist(), min(values), max(values))


def log_histograms(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    spread = (0.5 + np.random.default_rng(3).random(size=40)).tolist()
    samples = [[5.0], [0.0] * 5, spread, [-3.0, 1e-30, 2.0, 2.0]]
    for step, values in enumerate(samples):
        writer.add_histogram("default_bins", np.array(values), step, walltime=wall(step))
    expect.points(
        run,
        "default_bins",
        "histograms",
        range(len(samples)),
        [histogram_rows(values, default_edges()) for values in samples],
        wall_times=walls(len(samples)),
    )
    own = [-1.0, 0.0, 0.5, 0.75, 1.0, 2.0, 4.0]
    writer.add_histogram("own_bins", np.array(spread), 0, bins=own, walltime=wall(0))
    expect.points(
        run, "own_bins", "histograms", [0], [histogram_rows(spread, own)], wall_times=[wall(0)]
    )
    limits, counts = [1.0, 2.0, 4.0, 1.7976931348623157e308], [0.0, 3.0, 0.0, 2.0]
    writer.add_histogram_raw(
        "raw",
        min=1.25,
        max=9.0,
        num=5,
        sum=20.0,
        sum_squares=100.0,
        bucket_limits=limits,
        bucket_counts=counts,
        global_step=2,
        walltime=wall(2),
    )
    expect.points(
        run,
        "raw",
        "histograms",
        [2],
        [trimmed_buckets(limits, counts, 1.25, 9.0)],
        wall_times=[wall(2)],
    )


def picture(channels: int, height: int = 4, width: int = 6) -> np.ndarray[Any, Any]:
    size = height * width * channels
    return (
        (np.arange(size, dtype=np.int64) * 37 % 256)
        .astype(np.uint8)
        .reshape(height, width, channels)
    )


def log_media(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    for name, channels in {"rgb": 3, "rgba": 4}.items():
        image = picture(channels)
        writer.add_image(name, image, 1, walltime=wall(1), dataformats="HWC")
        shown = {"width": 6, "height": 4, "items": [pixels(image)]}
        expect.points(run, name, "images", [1], [shown], wall_times=[wall(1)])
    grey = picture(1)[:, :, 0]
    writer.add_image("grey_float", grey / 255.0, 1, walltime=wall(1), dataformats="HW")
    scaled = (grey / 255.0 * 255.0).astype(np.float32).clip(0, 255).astype(np.uint8)
    shown = {"width": 6, "height": 4, "items": [pixels(np.stack([scaled] * 3, axis=2))]}
    expect.points(run, "grey_float", "images", [1], [shown], wall_times=[wall(1)])
    batch = np.stack([picture(3), picture(3)[::-1]])
    writer.add_images("grid", batch, 1, walltime=wall(1), dataformats="NHWC")
    grid = np.concatenate(list(batch), axis=1)
    shown = {"width": 12, "height": 4, "items": [pixels(grid)]}
    expect.points(run, "grid", "images", [1], [shown], wall_times=[wall(1)])

    wave = np.sin(np.linspace(0, 20, 160)).astype(np.float32)
    writer.add_audio("tone", torch.from_numpy(wave), 2, sample_rate=8000, walltime=wall(2))
    heard = clip((wave * 32767.0).astype("<i2")[:, None], 8000)
    expect.points(run, "tone", "audio", [2], [{"items": [heard]}], wall_times=[wall(2)])

    for step, words in enumerate(["# title\n\nsome *text*", "", "漢字 <b>&amp;</b>"]):
        writer.add_text("notes", words, step, walltime=wall(step))
    expect.points(
        run,
        "notes/text_summary",
        "text",
        range(3),
        [strings([words]) for words in ["# title\n\nsome *text*", "", "漢字 <b>&amp;</b>"]],
        wall_times=walls(3),
    )


def log_curves_and_meshes(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    curve = np.array(
        [
            [3, 2, 1, 0],
            [2, 1, 0, 0],
            [0, 1, 2, 2],
            [0, 1, 2, 3],
            [0.6, 2 / 3, 1, 0],
            [1, 2 / 3, 1 / 3, 0],
        ],
        dtype=np.float32,
    )
    true_positives, false_positives, true_negatives, false_negatives, precision, recall = curve
    writer.add_pr_curve_raw(
        "pr",
        true_positives,
        false_positives,
        true_negatives,
        false_negatives,
        precision,
        recall,
        global_step=1,
        num_thresholds=4,
        walltime=wall(1),
    )
    expect.points(
        run,
        "pr",
        "pr_curves",
        [1],
        [{**tensor(curve), "content": "1004"}],
        wall_times=[wall(1)],
    )
    vertices = torch.tensor([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0.5]]])
    faces = torch.tensor([[[0, 1, 2]]])
    colors = torch.tensor([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]])
    writer.add_mesh("shape", vertices, colors, faces, global_step=1, walltime=wall(1))
    for part, array in {"VERTEX": vertices, "FACE": faces, "COLOR": colors}.items():
        point = tensor(array.numpy().astype(np.float32))
        expect.points(run, f"shape_{part}", "mesh", [1], [point], wall_times=[wall(1)])


def log_layout(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    layout: dict[str, dict[str, list[Any]]] = {
        "losses": {"both": ["Multiline", ["loss/train", "loss/eval"]]},
        "bands": {"confidence": ["Margin", ["mean", "low", "high"]]},
    }
    writer.add_custom_scalars(layout)
    expect.points(run, "custom_scalars__config__", "custom_scalars", [0], [{"layout": layout}])


TENSORS: dict[str, torch.Tensor] = {
    "float32": torch.tensor([[1.5, -2.25], [0.1, float("nan")]]),
    "float64": torch.tensor([1e300, -0.1], dtype=torch.float64),
    "float16": torch.tensor([1.0, 0.1, -2.5, 65504.0], dtype=torch.float16),
    "bfloat16": torch.tensor([1.0, 0.1, -2.5, 1e38], dtype=torch.bfloat16),
    "int8": torch.tensor([-128, 127], dtype=torch.int8),
    "int16": torch.tensor([-32768, 32767], dtype=torch.int16),
    "int32": torch.tensor([-(2**31), 2**31 - 1], dtype=torch.int32),
    "int64": torch.tensor([-(2**63), 2**63 - 1]),
    "uint8": torch.tensor([0, 255, 7], dtype=torch.uint8),
    "bool": torch.tensor([True, False, True]),
    "complex64": torch.tensor([1 + 2j, -0.5j]),
    "complex128": torch.tensor([0.1 + 1e300j], dtype=torch.complex128),
    "rank_0": torch.tensor(2.5),
    "empty": torch.zeros((0, 3)),
}


def log_tensors(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    for tag, value in TENSORS.items():
        writer.add_tensor(tag, value, 1, walltime=wall(1))
        array = value.to(torch.float32).numpy() if tag == "bfloat16" else value.numpy()
        expect.points(run, tag, "tensors", [1], [tensor(array)], wall_times=[wall(1)])


def log_hparams(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    chosen: dict[str, Any] = {"lr": 0.1, "layers": 3, "optimizer": "adam", "augment": True}
    metrics = {"hparam/accuracy": 0.75, "hparam/loss": 0.1}
    writer.add_hparams(
        chosen, metrics, hparam_domain_discrete={"optimizer": ["adam", "sgd"]}, run_name="trial"
    )
    expect.run(run)
    trial = f"{run}/trial"
    # torch tests for int before bool, so True arrives as the number 1.
    stored = {"lr": 0.1, "layers": 3.0, "optimizer": "adam", "augment": 1.0}
    contents: dict[str, Json] = {
        "experiment": {"hparam_names": list(chosen), "metric_tags": list(metrics)},
        "session_start_info": {"hparams": stored},
        "session_end_info": {"status": 1},
    }
    for name, content in contents.items():
        expect.points(trial, f"_hparams_/{name}", "hparams", [0], [content])
    for tag, value in metrics.items():
        expect.scalars(trial, tag, [0], as_float32([value]))


def log_scalar_groups(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    writer.add_scalars("group/loss", {"train": 1.0, "eval": 2.0}, 4, walltime=wall(4))
    expect.run(run)
    for key, value in {"train": 1.0, "eval": 2.0}.items():
        expect.scalars(f"{run}/group_loss_{key}", "group/loss", [4], [value], wall_times=[wall(4)])


class Net(torch.nn.Module):  # type: ignore[misc,unused-ignore]
    """Two layers, enough for a graph with scopes, parameters and constants."""

    def __init__(self) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU())
        self.head = torch.nn.Linear(4, 2)

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.head(self.body(batch)) * 0.5
        return result


def log_graph(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    """The graph's bytes are taken where torch hands them to the file, before they are framed."""
    handed: list[Any] = []
    file_writer = writer._get_file_writer()
    pass_on = file_writer.event_writer.add_event

    def keep(event: Any) -> None:
        handed.append(event)
        pass_on(event)

    with mock.patch.object(file_writer.event_writer, "add_event", keep):
        writer.add_graph(Net(), torch.zeros(1, 3))
    graph = next(e.graph_def for e in handed if e.WhichOneof("what") == "graph_def")
    profile = next(
        e.tagged_run_metadata for e in handed if e.WhichOneof("what") == "tagged_run_metadata"
    )
    expect.points(run, "__run_graph__", "graphs", [0], [{"sha256": sha256(graph)}])
    expect.points(run, profile.tag, "graphs", [0], [{"sha256": sha256(profile.run_metadata)}])


def make(folder: Path) -> None:
    """Writes every run below the folder, which must not exist or hold an earlier result."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    torch.manual_seed(0)
    expect = Expectation(f"torch {torch.__version__.split('+')[0]}")
    with ticking_clock():
        for run, logs in {
            "scalars": [log_scalars, log_kinds_of_numbers],
            "steps": [log_steps],
            "histograms": [log_histograms],
            "media": [log_media],
            "curves": [log_curves_and_meshes, log_layout],
            "tensors": [log_tensors],
            "hparams": [log_hparams],
            "groups": [log_scalar_groups],
            "graph": [log_graph],
        }.items():
            with SummaryWriter(folder / run) as writer:
                for log in logs:
                    log(writer, expect, run)
        settle(folder)
        log_restart(folder, expect, "restart")
        log_two_restarts(folder, expect, "two_restarts", own_times=False)
        log_two_restarts(folder, expect, "two_restarts_own_times", own_times=True)
    expect.write(folder)


if __name__ == "__main__":
    make(logdir("torch", sys.argv))
