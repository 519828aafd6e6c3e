"""XGBoost's evaluations are logged as it reports them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("xgboost", reason="xgboost is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")

import xgboost

from kymograph.integrations.xgboost import KymographCallback
from tests.integrations.read_back import read_back, scalars

pytestmark = pytest.mark.frameworks

FEATURES = np.random.default_rng(1).normal(size=(60, 3))
TARGETS = FEATURES.sum(axis=1)
PARAMS = {"max_depth": 2, "eval_metric": ["rmse", "mae"], "nthread": 1}


def train(logdir: Path, rounds: int, **options: Any) -> dict[str, Any]:
    data = xgboost.DMatrix(FEATURES[:40], TARGETS[:40])
    held_out = xgboost.DMatrix(FEATURES[40:], TARGETS[40:])
    result: dict[str, Any] = {}
    xgboost.train(
        PARAMS,
        data,
        rounds,
        evals=[(data, "train"), (held_out, "valid")],
        evals_result=result,
        callbacks=[KymographCallback(logdir)],
        verbose_eval=False,
        **options,
    )
    return result


def assert_logged(logdir: Path, result: dict[str, Any]) -> None:
    logged = scalars(read_back(logdir), ".")
    expected = {
        f"{data}/{metric}": [(step, np.float32(value)) for step, value in enumerate(values)]
        for data, metrics in result.items()
        for metric, values in metrics.items()
    }
    assert logged == expected


def test_every_metric_of_every_data_set_is_logged(tmp_path: Path):
    result = train(tmp_path, 5)
    assert set(result) == {"train", "valid"}
    assert_logged(tmp_path, result)


def test_training_that_stops_early_is_all_there(tmp_path: Path):
    result = train(tmp_path, 500, early_stopping_rounds=2)
    assert len(result["valid"]["rmse"]) < 500
    assert_logged(tmp_path, result)


def test_cross_validation_logs_mean_and_deviation(tmp_path: Path):
    data = xgboost.DMatrix(FEATURES, TARGETS)
    callback = KymographCallback(tmp_path)
    table = xgboost.cv(PARAMS, data, 3, nfold=2, callbacks=[callback], as_pandas=False)
    logged = scalars(read_back(tmp_path), ".")
    assert set(logged) == {key.replace("-", "/", 1) for key in table}
    for key, values in table.items():
        assert [v for _, v in logged[key.replace("-", "/", 1)]] == pytest.approx(values, rel=1e-6)


def test_an_estimator_with_the_callback_can_be_cloned(tmp_path: Path):
    base = pytest.importorskip("sklearn.base", reason="scikit-learn is not installed")
    model = xgboost.XGBRegressor(n_estimators=2, n_jobs=1, callbacks=[KymographCallback(tmp_path)])
    base.clone(model).fit(FEATURES, TARGETS, eval_set=[(FEATURES, TARGETS)], verbose=False)
    assert [s for s, _ in scalars(read_back(tmp_path), ".")["validation_0/rmse"]] == [0, 1]
