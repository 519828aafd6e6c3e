"""LightGBM's evaluations are logged as it reports them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="lightgbm is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")

import lightgbm

from kymograph.integrations.lightgbm import KymographCallback
from tests.integrations.read_back import read_back, scalars

pytestmark = pytest.mark.frameworks

FEATURES = np.random.default_rng(1).normal(size=(80, 3))
TARGETS = FEATURES.sum(axis=1)
PARAMS = {
    "objective": "regression",
    "metric": ["l2", "l1"],
    "num_leaves": 4,
    "min_data_in_leaf": 2,
    "num_threads": 1,
    "verbosity": -1,
}


def train(logdir: Path, rounds: int, *more: Any) -> dict[str, Any]:
    data = lightgbm.Dataset(FEATURES[:50], TARGETS[:50])
    held_out = data.create_valid(FEATURES[50:], TARGETS[50:])
    result: dict[str, Any] = {}
    callbacks = [KymographCallback(logdir), lightgbm.record_evaluation(result), *more]
    sets, names = [data, held_out], ["train", "valid"]
    lightgbm.train(PARAMS, data, rounds, valid_sets=sets, valid_names=names, callbacks=callbacks)
    return result


def assert_logged(logdir: Path, result: dict[str, Any]) -> None:
    expected = {
        f"{data}/{metric}": [(step, np.float32(value)) for step, value in enumerate(values)]
        for data, metrics in result.items()
        for metric, values in metrics.items()
    }
    assert scalars(read_back(logdir), ".") == expected


def test_every_metric_of_every_data_set_is_logged(tmp_path: Path):
    result = train(tmp_path, 5)
    assert {data: set(metrics) for data, metrics in result.items()} == {
        "train": {"l1", "l2"},
        "valid": {"l1", "l2"},
    }
    assert_logged(tmp_path, result)


def test_training_that_stops_early_is_all_there(tmp_path: Path):
    result = train(tmp_path, 500, lightgbm.early_stopping(2, verbose=False))
    assert len(result["valid"]["l2"]) < 500
    assert_logged(tmp_path, result)


def test_cross_validation_logs_mean_and_deviation(tmp_path: Path):
    data = lightgbm.Dataset(FEATURES, TARGETS)
    callback = KymographCallback(tmp_path)
    table = lightgbm.cv(PARAMS, data, 3, nfold=2, stratified=False, callbacks=[callback])
    logged = scalars(read_back(tmp_path), ".")
    assert set(logged) == {key.replace(" ", "/", 1) for key in table}
    for key, values in table.items():
        assert [v for _, v in logged[key.replace(" ", "/", 1)]] == pytest.approx(values, rel=1e-6)
