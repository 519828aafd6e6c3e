"""Writes `logdirs/tensorflow`: event files by tf.summary and what was logged into them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from tensorboard.plugins.hparams import api as hparams_api
from tensorboard.plugins.mesh import summary_v2 as mesh_summary
from tensorboard.plugins.pr_curve import summary as pr_curve_summary

from tests.golden.expectation import (
    Expectation,
    Json,
    as_float32,
    buckets,
    clip,
    logdir,
    pixels,
    settle,
    strings,
    tensor,
)

EDGE_VALUES = [0.1, -0.0, 1e-45, 3.4028234663852886e38, float("nan"), float("inf"), -float("inf")]


def metadata(plugin_name: str) -> Any:
    made = tf.compat.v1.SummaryMetadata()
    made.plugin_data.plugin_name = plugin_name
    return made


def log_scalars(expect: Expectation, run: str) -> None:
    for step, value in enumerate(EDGE_VALUES):
        tf.summary.scalar("float", tf.constant(value, tf.float32), step=step)
    expect.scalars(
        run,
        "float",
        range(len(EDGE_VALUES)),
        as_float32(EDGE_VALUES),
        metadata={"plugin_name": "scalars", "content": ""},
    )
    tf.summary.scalar("from_double", tf.constant(0.1, tf.float64), step=1)
    expect.scalars(run, "from_double", [1], as_float32([0.1]))
    tf.summary.scalar("from_int", 7, step=1, description="a *count*")
    expect.scalars(run, "from_int", [1], [7.0], metadata={"description": "a *count*"})
    with tf.name_scope("scope"):
        tf.summary.scalar("scoped", 2.5, step=2**40)
    expect.scalars(run, "scope/scoped", [2**40], [2.5])
    for step in [3, 3, 1]:
        tf.summary.scalar("any_order", step, step=step)
    expect.scalars(run, "any_order", [3, 3, 1], [3.0, 3.0, 1.0])


# Stored with the scalars plugin as they are, in whatever form TensorFlow gives the tensor.
TYPED_SCALARS: dict[str, tuple[tf.DType, list[float]]] = {
    "float64": (tf.float64, [0.1, 1e300, float("nan")]),
    "half": (tf.float16, [0.5, -2.25, float(np.float16(0.1)), float("inf")]),
    "bfloat16": (tf.bfloat16, [1.0, -2.5, float("nan")]),
    "int64": (tf.int64, [-(2**53), 5, 2**53]),
    "int32": (tf.int32, [-(2**31), 2**31 - 1]),
    "int16": (tf.int16, [-32768, 32767]),
    "int8": (tf.int8, [-128, 127]),
    "uint8": (tf.uint8, [0, 255]),
    "uint16": (tf.uint16, [0, 65535]),
    "uint32": (tf.uint32, [0, 2**32 - 1]),
    "uint64": (tf.uint64, [0, 2**63]),
    "bool": (tf.bool, [False, True]),
}


def log_typed_scalars(expect: Expectation, run: str) -> None:
    for name, (dtype, values) in TYPED_SCALARS.items():
        for shape_name, shape in {"rank_0": [], "shape_1": [1], "shape_1_1": [1, 1]}.items():
            tag = f"{name}/{shape_name}"
            for step, value in enumerate(values):
                point = tf.constant(value, dtype, shape=shape)
                tf.summary.write(tag, point, step=step, metadata=metadata("scalars"))
            expect.scalars(run, tag, range(len(values)), values)


def log_histograms(expect: Expectation, run: str) -> None:
    # 0 to 3.75 in 30 buckets of an eighth, so that every edge is exact in binary.
    values = np.array([0, 0.125, 0.25, 0.3, 1.0, 3.7, 3.75])
    tf.summary.histogram("spread", values, step=0)
    counts = np.zeros(30)
    for value in values:
        counts[min(int(value / 0.125), 29)] += 1
    rows = [[i / 8, (i + 1) / 8, counts[i]] for i in range(30)]
    expect.points(run, "spread", "histograms", [0], [buckets(rows)])
    tf.summary.histogram("constant", np.full(5, 2.0), step=1, buckets=4)
    rows = [[2.0, 2.0, 0.0]] * 3 + [[2.0, 2.0, 5.0]]
    expect.points(run, "constant", "histograms", [1], [buckets(rows)])
    tf.summary.histogram("empty", np.zeros(0), step=1, buckets=3)
    expect.points(run, "empty", "histograms", [1], [buckets([[0.0, 0.0, 0.0]] * 3)])


def log_media(expect: Expectation, run: str) -> None:
    batch = (np.arange(5 * 4 * 6 * 3) * 37 % 256).astype(np.uint8).reshape(5, 4, 6, 3)
    tf.summary.image("batch", batch, step=1, max_outputs=3)
    shown = {"width": 6, "height": 4, "items": [pixels(image) for image in batch[:3]]}
    expect.points(run, "batch", "images", [1], [shown])
    tf.summary.image("grey", batch[:1, :, :, :1], step=1)
    shown = {"width": 6, "height": 4, "items": [pixels(batch[0, :, :, :1])]}
    expect.points(run, "grey", "images", [1], [shown])

    # TensorFlow scales by 2^15 and keeps to the range of 16 bits.
    waves = np.array([[0.0, 1.0, -1.0, 0.5], [0.0, 0.25, 1.0, 1.0]], dtype=np.float32)[:, :, None]
    tf.summary.audio("tones", waves, sample_rate=8000, step=2)
    heard = [clip(np.clip(wave * 32768, -32768, 32767).astype("<i2"), 8000) for wave in waves]
    expect.points(run, "tones", "audio", [2], [{"items": heard}])

    texts: dict[str, Any] = {
        "rank_0": "plain *text* 漢字",
        "rank_1": ["a", "b", ""],
        "rank_2": [["a", "b"], ["c", "d"]],
        "rank_3": [[["a"], ["b"]]],
    }
    for tag, value in texts.items():
        tf.summary.text(tag, value, step=4)
        expect.points(run, tag, "text", [4], [strings(value)])


def log_tensors(expect: Expectation, run: str) -> None:
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "float32": np.array([[1.5, -2.25], [0.1, np.nan]], dtype=np.float32),
        "float64": np.array([1e300, -0.1]),
        "float16": np.array([1.0, 0.1, 65504.0], dtype=np.float16),
        "int64": np.array([-(2**63), 2**63 - 1]),
        "uint8": np.array([[0, 255]], dtype=np.uint8),
        "bool": np.array([True, False]),
        "complex64": np.array([1 + 2j, -0.5j], dtype=np.complex64),
        "fill": np.full((2, 3), 7.0, dtype=np.float32),
        "empty": np.zeros((0, 3), dtype=np.float32),
    }
    for tag, array in arrays.items():
        tf.summary.write(tag, tf.constant(array), step=1, metadata=metadata("own_plugin"))
        expect.points(run, tag, "tensors", [1], [tensor(array)])
    numbers = np.array([1.0, 0.1, -2.5, 1e38])
    stored = tf.constant(numbers, tf.bfloat16)
    tf.summary.write("bfloat16", stored, step=1, metadata=metadata("own_plugin"))
    rounded = np.asarray(tf.cast(stored, tf.float32))
    expect.points(run, "bfloat16", "tensors", [1], [tensor(rounded)])
    tf.summary.write("no_metadata", tf.constant([1.0, 2.0]), step=1)
    point = tensor(np.array([1.0, 2.0], dtype=np.float32))
    expect.points(run, "no_metadata", "tensors", [1], [point])


def log_hparams(expect: Expectation, run: str) -> None:
    units = hparams_api.HParam("units", hparams_api.Discrete([16, 32]))
    rate = hparams_api.HParam("lr", hparams_api.RealInterval(0.001, 0.1))
    flip = hparams_api.HParam("flip", hparams_api.Discrete([True, False]))
    metric = hparams_api.Metric("accuracy", display_name="Accuracy")
    hparams_api.hparams_config([units, rate, flip], [metric], time_created_secs=1_700_000_000)
    content: Json = {"hparam_names": ["units", "lr", "flip"], "metric_tags": ["accuracy"]}
    expect.points(run, "_hparams_/experiment", "hparams", [0], [content])
    hparams_api.hparams(
        {units: 16, rate: 0.01, flip: True}, trial_id="trial", start_time_secs=1_700_000_000
    )
    stored = {"hparams": {"units": 16.0, "lr": 0.01, "flip": True}, "group_name": "trial"}
    expect.points(run, "_hparams_/session_start_info", "hparams", [0], [stored])
    tf.summary.scalar("accuracy", 0.75, step=1)
    expect.scalars(run, "accuracy", [1], [0.75])


def log_curves_and_meshes(expect: Expectation, run: str) -> None:
    curve = np.array(
        [[2, 1, 0], [2, 1, 0], [0, 1, 2], [0, 1, 2], [0.5, 0.5, 0], [1, 0.5, 0]], dtype=np.float32
    )
    made = pr_curve_summary.raw_data_pb(
        "pr", *curve, num_thresholds=3, display_name="PR", description="why"
    )
    tf.summary.experimental.write_raw_pb(made.SerializeToString(), step=1)
    point = {**tensor(curve), "content": "1003"}
    expect.points(run, "pr/pr_curves", "pr_curves", [1], [point])
    vertices = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0.5]]], dtype=np.float32)
    faces = np.array([[[0, 1, 2]]], dtype=np.int32)
    colors = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]], dtype=np.uint8)
    mesh_summary.mesh("shape", vertices, colors=colors, faces=faces, step=1)
    parts: dict[str, np.ndarray[Any, Any]] = {"VERTEX": vertices, "FACE": faces, "COLOR": colors}
    for part, array in parts.items():
        expect.points(run, f"shape_{part}", "mesh", [1], [tensor(array)])


def log_graph_trace(expect: Expectation, run: str) -> None:
    @tf.function
    def halve(value: tf.Tensor) -> tf.Tensor:
        return value * tf.constant(0.5, name="half")

    tf.summary.trace_on(graph=True, profiler=False)
    halve(tf.constant([1.0, 2.0]))
    tf.summary.trace_export("trace", step=3)
    graph = halve.get_concrete_function(tf.constant([1.0, 2.0])).graph
    nodes = [node.name for node in graph.as_graph_def().node]
    expect.points(run, "trace", "graphs", [3], [{"contains": sorted(nodes)}])
    tf.summary.graph(graph)
    expect.points(run, "__run_graph__", "graphs", [0], [{"contains": sorted(nodes)}])


def make(folder: Path) -> None:
    """Writes every run below the folder, which must not exist or hold an earlier result."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    expect = Expectation(f"tensorflow {tf.__version__}")
    for run, log in {
        "scalars": log_scalars,
        "typed": log_typed_scalars,
        "histograms": log_histograms,
        "media": log_media,
        "tensors": log_tensors,
        "hparams": log_hparams,
        "curves": log_curves_and_meshes,
        "graph": log_graph_trace,
    }.items():
        writer = tf.summary.create_file_writer(str(folder / run))
        with writer.as_default(step=0):
            log(expect, run)
        writer.close()
    settle(folder)
    expect.write(folder)


if __name__ == "__main__":
    make(logdir("tensorflow", sys.argv))
