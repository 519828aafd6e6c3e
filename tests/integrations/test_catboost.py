"""CatBoost's evaluations are logged as it reports them, and as it writes them itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("catboost", reason="catboost is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")

import catboost

from kymograph.integrations.catboost import KymographCallback
from tests.integrations.read_back import read_back, scalars

pytestmark = pytest.mark.frameworks


def test_the_callback_and_catboost_agree(tmp_path: Path):
    features = np.random.default_rng(1).normal(size=(40, 3))
    targets = features.sum(axis=1)
    model = catboost.CatBoostRegressor(
        iterations=6,
        depth=2,
        thread_count=1,
        verbose=False,
        custom_metric=["MAE"],
        train_dir=str(tmp_path / "own"),
    )
    with KymographCallback(tmp_path / "callback") as callback:
        model.fit(
            features[:30],
            targets[:30],
            eval_set=(features[30:], targets[30:]),
            callbacks=[callback],
        )
    found = read_back(tmp_path)
    logged = scalars(found, "callback")
    for data, run in {"learn": "learn", "validation": "test"}.items():
        for metric, values in model.get_evals_result()[data].items():
            expected = [(step, np.float32(value)) for step, value in enumerate(values)]
            assert logged.pop(f"{data}/{metric}") == expected
            assert scalars(found, f"own/{run}")[metric] == expected
    assert logged == {}
