"""Writes `logdirs/catboost`: the event files CatBoost leaves behind and what it reported."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import catboost  # type: ignore[import-untyped,import-not-found,unused-ignore]
import numpy as np

from tests.golden.expectation import Expectation, as_float32, logdir, settle

ITERATIONS = 6


def make(folder: Path) -> None:
    """Writes the runs `learn` and `test`, whose files have no file_version event."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    features = np.random.default_rng(1).normal(size=(40, 3))
    targets = features.sum(axis=1)
    model = catboost.CatBoostRegressor(
        iterations=ITERATIONS,
        depth=2,
        random_seed=0,
        thread_count=1,
        verbose=False,
        custom_metric=["MAE"],
        train_dir=str(folder / "catboost_info"),
    )
    model.fit(features[:30], targets[:30], eval_set=(features[30:], targets[30:]))
    expect = Expectation(f"catboost {catboost.__version__}")
    runs = {"learn": "learn", "validation": "test"}
    for data_set, metrics in model.get_evals_result().items():
        for metric, values in metrics.items():
            expect.scalars(
                f"catboost_info/{runs[data_set]}", metric, range(ITERATIONS), as_float32(values)
            )
    for path in (folder / "catboost_info").iterdir():
        if path.is_file():
            path.unlink()
    shutil.rmtree(folder / "catboost_info" / "tmp", ignore_errors=True)
    settle(folder)
    expect.write(folder)


if __name__ == "__main__":
    make(logdir("catboost", sys.argv))
