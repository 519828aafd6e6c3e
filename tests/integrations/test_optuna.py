"""Every Optuna trial becomes a run with its parameters and values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("optuna", reason="optuna is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")

import optuna
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

from kymograph.integrations.optuna import KymographCallback
from tests.integrations.read_back import points, read_back, scalars

pytestmark = pytest.mark.frameworks

optuna.logging.set_verbosity(optuna.logging.ERROR)
START, END = "_hparams_/session_start_info", "_hparams_/session_end_info"


def hparams(found: Any, run: str, tag: str) -> Any:
    ((_, content),) = points(found, "hparams", run, tag)
    return HParamsPluginData.FromString(content)


def test_trials_are_runs_with_parameters_reports_and_values(tmp_path: Path):
    def objective(trial: Any) -> Any:
        x = trial.suggest_float("x", -1, 1)
        kind = trial.suggest_categorical("kind", ["a", "b"])
        for step in range(3):
            trial.report(x + step, step)
        if trial.number == 1:
            raise optuna.TrialPruned
        if trial.number == 2:
            raise ValueError("on purpose")
        return x * x + len(kind)

    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    study.optimize(
        objective, n_trials=4, catch=(ValueError,), callbacks=[KymographCallback(tmp_path)]
    )
    found = read_back(tmp_path)
    assert {place.run for place in found} == {f"trial-{number}" for number in range(4)}
    for trial in study.trials:
        run = f"trial-{trial.number}"
        started = hparams(found, run, START).session_start_info.hparams
        assert started["x"].number_value == trial.params["x"]
        assert started["kind"].string_value == trial.params["kind"]
        logged = scalars(found, run)
        reported = [(s, np.float32(v)) for s, v in sorted(trial.intermediate_values.items())]
        assert logged["intermediate_value"] == reported
        # A pruned trial has the last it reported for its value, a failed one has none.
        value = [] if trial.value is None else [(trial.number, np.float32(trial.value))]
        assert logged.get("value", []) == value
        failed = trial.state == optuna.trial.TrialState.FAIL
        assert hparams(found, run, END).session_end_info.status == (2 if failed else 1)
    assert [trial.state.name for trial in study.trials] == [
        "COMPLETE",
        "PRUNED",
        "FAIL",
        "COMPLETE",
    ]


@pytest.mark.parametrize(
    ("given", "named", "expected"),
    [
        (None, None, {"value_0", "value_1"}),
        (["loss", "size"], None, {"loss", "size"}),
        (None, ["error", "cost"], {"error", "cost"}),
    ],
)
def test_several_objectives_have_names(given: Any, named: Any, expected: set[str], tmp_path: Path):
    study = optuna.create_study(directions=["minimize", "maximize"])
    if named:
        study.set_metric_names(named)
    callback = KymographCallback(tmp_path, given)
    study.optimize(lambda t: (t.suggest_int("n", 1, 3), 2.0), n_trials=1, callbacks=[callback])
    assert set(scalars(read_back(tmp_path), "trial-0")) == expected
