"""The scripts that people copy run as their docstrings say, and log what they promise."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kymograph
from kymograph.store import Images, Store, Text
from tests.interop import plugin_messages

pytestmark = pytest.mark.frameworks

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = ["pytorch_quickstart", "fashion_mnist", "ddp", "keras_fit", "hparams_sweep"]


def need(*modules: str) -> None:
    """Skips a test without importing here what its script imports."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: make test-frameworks")


def run(
    directory: Path, name: str, *launcher: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A script, run with its default arguments and away from the repository."""
    # Small models on a busy machine: threads of torch would wait for each other.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **variables}
    for variable in ("RANK", "WORLD_SIZE", "SLURM_PROCID"):
        environment.pop(variable, None)
    return subprocess.run(
        [sys.executable, *launcher, str(EXAMPLES / f"{name}.py")],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def succeed(directory: Path, name: str, *launcher: str, **variables: str) -> str:
    """What a script prints that runs to its end and writes below `runs` alone."""
    done = run(directory, name, *launcher, **variables)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in directory.iterdir()] == ["runs"]
    return done.stdout


def intact(logdir: Path) -> Store:
    store = kymograph.open(logdir)
    assert not any(file.is_damaged or file.tail_bytes or file.error for file in store.files)
    return store


def contents(store: Store, run: str, dashboard: str) -> dict[str, int]:
    """How many points each tag of a dashboard has."""
    found = store[run]
    if dashboard == "scalars":
        return {tag: len(found.series(tag)) for tag in found.tags()}
    return {tag: len(found.blobs(tag, dashboard)) for tag in found.tags(dashboard)}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_docstring_says_how_to_run_it_and_to_look_at_the_result(name: str):
    docstring = ast.get_docstring(ast.parse((EXAMPLES / f"{name}.py").read_text("utf-8"))) or ""
    assert re.search(rf"\n +pip install kymograph .*\n +.* examples/{name}\.py\n", docstring)
    assert f"kymograph inspect runs/{name}\n" in docstring


def test_pytorch_quickstart_logs_two_runs(tmp_path: Path):
    need("torch")
    succeed(tmp_path, "pytorch_quickstart")
    store = intact(tmp_path / "runs/pytorch_quickstart")
    assert list(store) == ["lr_0.003", "lr_0.03"]
    for name in store:
        assert set(store[name].dashboards) == {"scalars", "text", "graphs"}
        assert contents(store, name, "scalars") == {"test/loss": 30, "train/loss": 300}
        assert contents(store, name, "graphs") == {"__run_graph__": 1, "step1": 1}
        loss = store[name].series("train/loss")
        np.testing.assert_array_equal(loss.steps, np.arange(300))
        assert loss.values[-1] < 0.2 * loss.values[0]
    text = store["lr_0.03"].blobs("config/text_summary")[0].decode()
    assert isinstance(text, Text)
    assert text.array.tolist() == ["Adam with a learning rate of **0.03**"]


def test_fashion_mnist_logs_every_kind(tmp_path: Path):
    need("torch")
    succeed(tmp_path, "fashion_mnist")
    logdir = tmp_path / "runs/fashion_mnist"
    store = intact(logdir)
    assert list(store) == ["."]
    assert set(store["."].dashboards) == {"scalars", "images", "graphs", "histograms", "pr_curves"}
    scalars = {"train/loss": 120, "test/loss": 3, "test/accuracy": 3}
    assert contents(store, ".", "scalars") == scalars
    assert store["."].series("test/accuracy").values[-1] > 0.8
    curves = contents(store, ".", "pr_curves")
    assert len(curves) == 10
    assert set(curves.values()) == {3}
    assert set(contents(store, ".", "histograms").values()) == {3}
    assert contents(store, ".", "graphs") == {"__run_graph__": 1, "step1": 1}

    grid = store["."].blobs("samples")[0].decode()
    assert isinstance(grid, Images)
    assert (grid.width, grid.height) == (8 * 28, 4 * 28)

    config = (logdir / "projector_config.pbtxt").read_text("utf-8")
    assert 'tensor_name: "features:00120"' in config
    files = logdir / "00120/features"
    assert np.loadtxt(files / "tensors.tsv").shape == (200, 32)
    assert len((files / "metadata.tsv").read_text("utf-8").splitlines()) == 200
    sprite = (files / "sprite.png").read_bytes()
    assert [int.from_bytes(sprite[at : at + 4], "big") for at in (16, 20)] == [15 * 28, 15 * 28]


def test_ddp_logs_from_rank_0_alone(tmp_path: Path):
    need("torch")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torchrun = ["-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", str(port)]
    output = succeed(tmp_path, "ddp", *torchrun)
    # The two share one pipe, and may write into one line.
    assert sorted(re.findall(r"rank \d of \d", output)) == ["rank 0 of 2", "rank 1 of 2"]
    store = intact(tmp_path / "runs/ddp")
    assert list(store) == ["."]
    assert len(store.files) == 1
    assert set(store["."].dashboards) == {"scalars", "images"}
    # 1600 pictures, 3 times, in batches of 40 on each of two ranks.
    assert contents(store, ".", "scalars") == {"train/accuracy": 60, "train/loss": 60}
    assert contents(store, ".", "images") == {"samples": 1}
    assert store["."].series("train/accuracy").values[-10:].mean() > 0.9


def test_ddp_without_torchrun_says_how_to_start_it(tmp_path: Path):
    need("torch")
    done = run(tmp_path, "ddp")
    assert done.returncode == 2
    assert "torchrun --nproc-per-node 2" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("backend", ["torch", "jax", "tensorflow"])
def test_keras_fit_logs_on_every_backend(tmp_path: Path, backend: str):
    need("keras", backend)
    succeed(tmp_path, "keras_fit", KERAS_BACKEND=backend)
    store = intact(tmp_path / "runs/keras_fit")
    assert list(store) == ["train", "validation"]
    assert set(store["train"].dashboards) == {"scalars", "histograms", "graphs"}
    epochs = dict.fromkeys(["epoch_loss", "epoch_accuracy"], 10)
    batches = dict.fromkeys(["batch_loss", "batch_accuracy"], 200)
    rate = {"epoch_learning_rate": 10}
    assert contents(store, "train", "scalars") == {**epochs, **batches, **rate}
    assert sorted(contents(store, "train", "histograms").values()) == [10] * 6
    evaluations = {f"evaluation_{name}_vs_iterations": 10 for name in ("loss", "accuracy")}
    assert contents(store, "validation", "scalars") == {**epochs, **evaluations}
    assert store["validation"].series("epoch_accuracy").values[-1] > 0.9


def test_hparams_sweep_logs_each_trial_as_a_run(tmp_path: Path):
    need("torch")
    succeed(tmp_path, "hparams_sweep")
    store = intact(tmp_path / "runs/hparams_sweep")
    assert len(store) == 12
    trials = set()
    for name in store:
        assert set(store[name].dashboards) == {"scalars", "hparams"}
        metrics = {"hparam/accuracy": 1, "hparam/loss": 1}
        assert contents(store, name, "scalars") == {"train/loss": 100, **metrics}
        said: dict[str, object] = {}
        for blobs in store[name].all_blobs("hparams"):
            assert blobs.metadata is not None
            said |= plugin_messages.hparams(blobs.metadata.content)
        assert said["hparam_names"] == ["lr", "width", "dropout"]
        assert sorted(said["metric_tags"]) == sorted(metrics)  # type: ignore[call-overload]
        assert said["status"] == 1  # a success
        hparams = said["hparams"]
        assert isinstance(hparams, dict)
        assert name == "-".join(f"{key}_{value:g}" for key, value in hparams.items())
        trials.add(tuple(hparams.values()))
    rates, widths, dropouts = (set(values) for values in zip(*trials, strict=True))
    assert (rates, widths, dropouts) == ({0.001, 0.01, 0.1}, {8, 64}, {0.0, 0.3})
