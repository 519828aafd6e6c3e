"""What a Stable-Baselines3 agent records is logged as its TensorBoard format logs it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip(
    "stable_baselines3", reason="stable_baselines3 is not installed: make test-frameworks"
)
pytest.importorskip("gymnasium", reason="gymnasium is not installed: make test-frameworks")
pytest.importorskip("matplotlib", reason="matplotlib is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")
pytest.importorskip("PIL", reason="PIL is not installed: make test-frameworks")

from PIL import Image
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

from tests.integrations.programs import run_program
from tests.integrations.read_back import points, read_back, scalars, tags

pytestmark = pytest.mark.frameworks

# What Stable-Baselines3 itself keeps away from TensorBoard.
EXCLUDED = {"time/iterations", "time/time_elapsed", "time/total_timesteps", "train/n_updates"}


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sb3")
    run_program("agent_learns.py", str(folder))
    return folder


def test_an_agent_logs_what_its_csv_file_says(logdir: Path):
    with (logdir / "agent/progress.csv").open() as file:
        rows = list(csv.DictReader(file))
    logged = scalars(read_back(logdir), "agent")
    assert set(logged) == set(rows[-1]) - EXCLUDED
    for tag, series in logged.items():
        in_file = [(int(row["time/total_timesteps"]), float(row[tag])) for row in rows if row[tag]]
        assert np.array(series) == pytest.approx(np.array(in_file), rel=1e-6), tag
    assert [step for step, _ in logged["time/fps"]] == [32, 64, 96]
    assert "train/loss" in logged


@pytest.mark.parametrize("dashboard", ["scalars", "text", "histograms", "images", "hparams"])
def test_values_are_written_as_by_their_format(dashboard: str, logdir: Path):
    found = read_back(logdir)
    names = tags(found, dashboard, "theirs")
    assert names
    assert sorted(tags(found, dashboard, "ours")) == sorted(names)
    for name in names:
        ours, theirs = (points(found, dashboard, run, name) for run in ("ours", "theirs"))
        if dashboard == "images":
            ours, theirs = pixels(ours), pixels(theirs)
        elif dashboard == "hparams":  # a map has no order
            ours, theirs = messages(ours), messages(theirs)
        assert ours == theirs, name


def pixels(series: list[tuple[int, Any]]) -> list[Any]:
    return [
        [
            step,
            *images[:2],
            *(np.asarray(Image.open(io.BytesIO(png))).tolist() for png in images[2:]),
        ]
        for step, images in series
    ]


def messages(series: list[tuple[int, Any]]) -> list[Any]:
    return [(step, HParamsPluginData.FromString(content)) for step, content in series]
