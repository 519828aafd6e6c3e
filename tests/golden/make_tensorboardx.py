"""Writes `logdirs/tensorboardx`: event files by tensorboardX and what was logged into them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import tensorboardX
from tensorboardX import SummaryWriter

from tests.golden.expectation import (
    Expectation,
    Json,
    as_float32,
    clip,
    logdir,
    pixels,
    settle,
    strings,
    tensor,
    trimmed_buckets,
)

START = 1_700_000_000.0
VALUES = [0.1, -0.0, 1e300, float("nan"), float("inf"), float("-inf")]


def wall(index: int) -> float:
    return START + 0.25 * index


def log_scalars(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    for step, value in enumerate(VALUES):
        writer.add_scalar("plain", value, step, walltime=wall(step))
        writer.add_scalar(
            "described", value, step, wall(step), display_name="Loss", summary_description="*why*"
        )
    steps, walls = range(len(VALUES)), [wall(step) for step in range(len(VALUES))]
    expect.scalars(run, "plain", steps, as_float32(VALUES), wall_times=walls)
    expect.scalars(
        run,
        "described",
        steps,
        as_float32(VALUES),
        wall_times=walls,
        metadata={"display_name": "Loss", "description": "*why*"},
    )
    # Characters outside [-/\w.] become underscores and leading slashes go.
    writer.add_scalar("/odd tag:x", 2.0, 1, walltime=wall(1))
    expect.scalars(run, "odd_tag_x", [1], [2.0], wall_times=[wall(1)])


def log_scalar_groups(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    for step in range(3):
        pair = {"train": step + 0.5, "eval": step + 0.25}
        writer.add_scalars("group/loss", pair, step, walltime=wall(step))
    walls = [wall(step) for step in range(3)]
    for key, shift in {"train": 0.5, "eval": 0.25}.items():
        values = [step + shift for step in range(3)]
        name = f"{run}/group/loss/{key}"
        expect.scalars(name, "group/loss", range(3), values, wall_times=walls)


def log_hparams(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    chosen: dict[str, Any] = {"lr": 0.1, "layers": 3, "optimizer": "adam", "augment": True}
    writer.add_hparams(chosen, {"accuracy": 0.75}, name="trial", global_step=6)
    trial = f"{run}/trial"
    contents: dict[str, Json] = {
        "experiment": {"hparam_names": list(chosen), "metric_tags": ["accuracy"]},
        "session_start_info": {"hparams": {**chosen, "layers": 3.0}},
        "session_end_info": {"status": 1},
    }
    for name, content in contents.items():
        expect.points(trial, f"_hparams_/{name}", "hparams", [0], [content])
    expect.scalars(trial, "accuracy", [6], [0.75])


def log_media(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    image = (np.arange(4 * 6 * 3) * 37 % 256).astype(np.uint8).reshape(4, 6, 3)
    writer.add_image("picture", image, 1, walltime=wall(1), dataformats="HWC")
    shown = {"width": 6, "height": 4, "items": [pixels(image)]}
    expect.points(run, "picture", "images", [1], [shown], wall_times=[wall(1)])

    frames = np.zeros((1, 5, 3, 8, 8), dtype=np.uint8)
    for index in range(5):
        frames[0, index, :, index, :] = 255
    writer.add_video("clip", frames, 1, fps=4, walltime=wall(1))
    moving = {"width": 8, "height": 8, "items": [{"gif_frames": 5}]}
    expect.points(run, "clip", "video", [1], [moving], wall_times=[wall(1)])

    wave = np.stack([np.arange(-32, 32) / 64, np.arange(32, -32, -1) / 64], axis=1)
    writer.add_audio("stereo", wave, 2, sample_rate=8000, walltime=wall(2))
    # libsndfile scales by 2^15; every sample is a whole number then.
    heard = clip((wave * 32768.0).astype("<i2"), 8000)
    expect.points(run, "stereo", "audio", [2], [{"items": [heard]}], wall_times=[wall(2)])

    writer.add_text("notes", "hello", 3, walltime=wall(3))
    expect.points(
        run, "notes/text_summary", "text", [3], [strings(["hello"])], wall_times=[wall(3)]
    )


def log_histograms(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    values, edges = [-1.0, 0.25, 0.25, 3.0], [-2.0, -0.5, 0.0, 0.5, 2.0, 4.0]
    writer.add_histogram("own_bins", np.array(values), 1, bins=edges, walltime=wall(1))
    rows = trimmed_buckets(edges[1:], [1, 0, 2, 0, 1], -1.0, 3.0)
    expect.points(run, "own_bins", "histograms", [1], [rows], wall_times=[wall(1)])


def log_curves_and_meshes(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    labels, predictions = np.array([1, 0, 1, 0]), np.array([0.9, 0.6, 0.4, 0.1])
    writer.add_pr_curve("pr", labels, predictions, 1, num_thresholds=3, walltime=wall(1))
    # Thresholds 0, 0.5 and 1; a prediction falls into bucket floor(p * 2).
    curve = np.array(
        [[2, 1, 0], [2, 1, 0], [0, 1, 2], [0, 1, 2], [0.5, 0.5, 0], [1, 0.5, 0]], dtype=np.float32
    )
    point = {**tensor(curve), "content": "1003"}
    expect.points(run, "pr", "pr_curves", [1], [point], wall_times=[wall(1)])
    vertices = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0.5]]], dtype=np.float32)
    faces = np.array([[[0, 1, 2]]], dtype=np.int32)
    writer.add_mesh("shape", vertices, faces=faces, global_step=1, walltime=wall(1))
    parts = {"shape_1": vertices, "shape_2": faces.astype(np.float32)}
    for tag, array in parts.items():
        expect.points(run, tag, "mesh", [1], [tensor(array)], wall_times=[wall(1)])


def log_layout(writer: SummaryWriter, expect: Expectation, run: str) -> None:
    layout = {"losses": {"both": ["Multiline", ["loss/train", "loss/eval"]]}}
    writer.add_custom_scalars(layout)
    expect.points(run, "custom_scalars__config__", "custom_scalars", [0], [{"layout": layout}])


def log_restart(folder: Path, expect: Expectation, run: str) -> None:
    directory = folder / run
    for job, purge_step in enumerate([None, 3]):
        with SummaryWriter(str(directory), purge_step=purge_step) as writer:
            for step in range(purge_step or 0, 5):
                at = 100 * job + step
                writer.add_scalar("loss", at, step, walltime=wall(at))
        # A second file in the same second would take the name of the first and truncate it.
        settle(directory)
    expect.run(run, hidden_points=2)
    expect.scalars(
        run,
        "loss",
        range(5),
        [0, 1, 2, 103, 104],
        wall_times=[wall(at) for at in [0, 1, 2, 103, 104]],
    )


def make(folder: Path) -> None:
    """Writes every run below the folder, which must not exist or hold an earlier result."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    expect = Expectation(f"tensorboardX {tensorboardX.__version__}")
    for run, log in {
        "scalars": log_scalars,
        "groups": log_scalar_groups,
        "hparams": log_hparams,
        "media": log_media,
        "histograms": log_histograms,
        "curves": log_curves_and_meshes,
        "layout": log_layout,
    }.items():
        expect.run(run)
        with SummaryWriter(str(folder / run)) as writer:
            log(writer, expect, run)
    settle(folder)
    log_restart(folder, expect, "restart")
    expect.write(folder)


if __name__ == "__main__":
    make(logdir("tensorboardx", sys.argv))
