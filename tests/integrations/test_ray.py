"""Every Ray Tune trial becomes a run that holds what Ray's own logger writes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.tune", reason="ray.tune is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")
pytest.importorskip("tensorboardX", reason="tensorboardX is not installed: make test-frameworks")

import ray
from ray import tune
from ray.tune.logger import TBXLoggerCallback
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

from kymograph.integrations.ray import KymographLoggerCallback
from tests.integrations.read_back import points, read_back, scalars, tags

pytestmark = pytest.mark.frameworks

CHOSEN = {"lr": 0.5, "layers": [1, 2], "act": "relu"}


def train(config: dict[str, Any]) -> None:
    generator = np.random.default_rng(1)
    for step in range(3):
        tune.report(
            {
                "loss": config["lr"] / (step + 1),
                "inner": {"accuracy": step, "broken": float("nan")},
                "weights": generator.normal(size=50),
                "picture": generator.random((3, 4, 5)),
                "name": "not a number",
            }
        )


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of one trial by each logger: `ours` and `theirs`."""
    folder = tmp_path_factory.mktemp("ray")
    patch = pytest.MonkeyPatch()
    patch.setenv("TUNE_DISABLE_AUTO_CALLBACK_LOGGERS", "1")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        tune.Tuner(
            train,
            # Ray counts as parameters what it has chosen, not constants.
            param_space={key: tune.choice([value]) for key, value in CHOSEN.items()},
            run_config=tune.RunConfig(
                name="study",
                storage_path=str(folder / "ray"),
                callbacks=[KymographLoggerCallback(), TBXLoggerCallback()],
                verbose=0,
            ),
        ).fit()
    finally:
        ray.shutdown()
        patch.undo()
    for file in (folder / "ray").rglob("events.out.tfevents.*"):
        # Only ours has the process and a counter at the end of its name.
        whose = "ours" if re.search(r"\.\d+\.\d+$", file.name) else "theirs"
        (folder / "runs" / whose).mkdir(parents=True)
        shutil.move(file, folder / "runs" / whose)
    return folder / "runs"


def test_a_trial_logs_what_it_reports(logdir: Path):
    logged = scalars(read_back(logdir), "ours")
    assert logged["ray/tune/loss"] == [(1, 0.5), (2, 0.25), (3, pytest.approx(0.5 / 3))]
    assert [value for _, value in logged["ray/tune/inner/accuracy"]] == [0, 1, 2]
    assert "ray/tune/inner/broken" not in logged


@pytest.mark.parametrize("dashboard", ["scalars", "histograms", "images"])
def test_tags_and_values_are_those_of_rays_own_logger(dashboard: str, logdir: Path):
    found = read_back(logdir)
    names = tags(found, dashboard, "theirs")
    assert names
    assert sorted(tags(found, dashboard, "ours")) == sorted(names)
    for name in names:
        ours, theirs = (points(found, dashboard, run, name) for run in ("ours", "theirs"))
        assert [step for step, _ in ours] == [step for step, _ in theirs]
        if dashboard == "scalars":
            assert ours == theirs
        if dashboard == "images":  # width and height; the PNGs are by different encoders
            assert [png[:2] for _, png in ours] == [png[:2] for _, png in theirs]


def test_parameters_are_hyperparameters(logdir: Path):
    found = read_back(logdir)
    ((_, content),) = points(found, "hparams", "ours", "_hparams_/session_start_info")
    started = HParamsPluginData.FromString(content).session_start_info.hparams
    assert started["lr"].number_value == 0.5
    assert started["act"].string_value == "relu"
    assert started["layers"].string_value == "[1, 2]"
