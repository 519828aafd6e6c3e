"""The writers for JAX log what clu and Flax log through TensorFlow."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax", reason="jax is not installed: make test-frameworks")
pytest.importorskip("flax", reason="flax is not installed: make test-frameworks")
pytest.importorskip("tensorflow", reason="tensorflow is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")
pytest.importorskip("PIL", reason="PIL is not installed: make test-frameworks")

import flax.metrics.tensorboard
import jax
import jax.numpy as jnp
from PIL import Image
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

from kymograph.integrations.jax import MetricWriter, SummaryWriter
from tests.integrations.read_back import points, read_back, scalars, tags

pytestmark = pytest.mark.frameworks


def loss(weights: Any, features: Any) -> Any:
    return jnp.mean((features @ weights - features.sum(axis=1)) ** 2)


def test_a_training_loop_logs_through_the_metric_writer(tmp_path: Path):
    features = jax.random.normal(jax.random.key(0), (16, 3))
    weights = jnp.zeros(3)
    writer = MetricWriter(tmp_path)
    writer.write_hparams({"lr": 0.1, "model": {"layers": [1, 2], "name": None}})
    losses = []
    for step in range(4):
        value, gradient = jax.value_and_grad(loss)(weights, features)
        weights -= 0.1 * gradient
        losses.append((step, float(value)))
        writer.write_scalars(step, {"loss": value, "half": value.astype(jnp.bfloat16)})
        writer.write_histograms(step, {"weights": weights, "few": weights}, {"few": 2})
    writer.write_images(4, {"batch": jnp.ones((5, 2, 3, 1)), "one": jnp.zeros((2, 3, 3))})
    writer.write_videos(4, {"clip": jnp.zeros((2, 4, 4, 3))})
    writer.write_audios(4, {"sound": jnp.zeros((1, 10, 1))}, sample_rate=8000)
    writer.write_texts(4, {"note": "*hello*"})
    writer.write_summaries(4, {"raw": jnp.arange(3)})
    writer.flush()
    writer.close()
    writer.close()

    found = read_back(tmp_path)
    assert scalars(found, ".")["loss"] == losses
    assert len(scalars(found, ".")["half"]) == 4
    assert points(found, "histograms", ".", "weights")[3][1][0] == (30, 3)
    assert points(found, "histograms", ".", "few")[3][1][0] == (2, 3)
    ((_, batch),) = points(found, "images", ".", "batch")
    assert batch[:2] == (b"3", b"2")
    assert len(batch[2:]) == 5
    ((_, clip),) = points(found, "images", ".", "clip")
    assert clip[2].startswith(b"GIF")
    assert len(points(found, "audio", ".", "sound")) == 1
    assert points(found, "text", ".", "note") == [(4, ((), ("*hello*",)))]
    ((_, content),) = points(found, "hparams", ".", "_hparams_/session_start_info")
    started = HParamsPluginData.FromString(content).session_start_info.hparams
    assert started["lr"].number_value == 0.1
    assert {"model.layers.0", "model.layers.1", "model.name"} < set(started)


def log(writer: Any) -> None:
    generator = np.random.default_rng(1)
    for step in range(2):
        writer.scalar("loss", jnp.float32(1.5) / (step + 1), step)
    writer.histogram("weights", jnp.asarray(generator.normal(size=(5, 5))), 1, bins=4)
    for name, shape in {
        "hw": (3, 4),
        "hwc": (3, 4, 3),
        "khw": (2, 3, 4),
        "k": (5, 3, 4, 1),
    }.items():
        writer.image(name, generator.random(shape, np.float32), 1)
    writer.audio("sound", generator.uniform(-2, 2, (2, 20, 1)), 1, sample_rate=8000)
    writer.text("note", "*hello*", 1)
    writer.write("raw", np.arange(3), 1)
    writer.hparams({"lr": 0.1, "flag": True, "inner": {"name": "x"}, "other": None})
    writer.close()


def test_flax_style_writer_logs_what_flax_logs(tmp_path: Path):
    log(flax.metrics.tensorboard.SummaryWriter(tmp_path / "theirs"))
    log(SummaryWriter(tmp_path / "ours"))
    found = read_back(tmp_path)
    for dashboard in ["scalars", "histograms", "images", "audio", "text"]:
        names = tags(found, dashboard, "theirs")
        assert names
        assert sorted(names) == sorted(tags(found, dashboard, "ours"))
        for name in names:
            ours, theirs = (points(found, dashboard, run, name) for run in ("ours", "theirs"))
            if dashboard == "images":
                ours, theirs = pixels(ours), pixels(theirs)
            elif dashboard == "histograms":
                assert ours[0][1][1] == pytest.approx(theirs[0][1][1])
                continue
            assert ours == theirs
    started = []
    for run in ("ours", "theirs"):
        ((_, content),) = points(found, "hparams", run, "_hparams_/session_start_info")
        values = HParamsPluginData.FromString(content).session_start_info.hparams
        started.append({name: str(value) for name, value in values.items()})
    assert started[0] == started[1]


def pixels(series: list[tuple[int, Any]]) -> list[Any]:
    return [
        [*images[:2], *(np.asarray(Image.open(io.BytesIO(png))).tolist() for png in images[2:])]
        for _, images in series
    ]


def test_text_that_is_none_is_refused(tmp_path: Path):
    writer = SummaryWriter(tmp_path)
    with pytest.raises(ValueError, match="textdata"):
        writer.text("note", 3, 0)  # type: ignore[arg-type]
    writer.close()


PROCESS = """
import sys, jax
from kymograph.integrations.jax import MetricWriter
address, index, logdir = sys.argv[1:]
jax.distributed.initialize(address, 2, int(index))
writer = MetricWriter(f"{logdir}/{index}")
writer.write_scalars(0, {"x": 1.0})
writer.close()
"""


def test_only_the_first_of_several_processes_writes(tmp_path: Path):
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    processes = [
        subprocess.Popen([sys.executable, "-c", PROCESS, address, str(i), str(tmp_path)])
        for i in range(2)
    ]
    assert [process.wait(timeout=200) for process in processes] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["0"]
    assert scalars(read_back(tmp_path), "0") == {"x": [(0, 1.0)]}


def test_jax_is_not_imported_for_the_writer():
    program = "import sys, kymograph.integrations.jax; assert 'jax' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=100)
