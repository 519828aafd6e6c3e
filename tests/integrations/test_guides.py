"""The code in the guides to frameworks runs as it is written."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import kymograph
from tests.integrations.programs import run_program

pytestmark = pytest.mark.frameworks

ROOT = Path(__file__).parents[2]
# The guide, what must be installed for it, and some of the runs it makes with one of their tags.
GUIDES = {
    "keras": (["keras", "torch"], {"logs/first/train": "epoch_loss"}),
    "jax": (["jax"], {"runs/clu": "loss", "runs/flax": "loss"}),
    "xgboost": (["xgboost"], {"runs/xgboost": "valid/mae", "runs/sklearn": "validation_0/rmse"}),
    "lightgbm": (["lightgbm"], {"runs/lightgbm": "valid/l1"}),
    "catboost": (["catboost"], {"catboost_info/test": "RMSE", "runs/callback": "validation/RMSE"}),
    "stable-baselines3": (["stable_baselines3"], {"runs/ppo": "train/loss"}),
    "optuna": (["optuna"], {"runs/study/trial-0": "intermediate_value"}),
    "ray-tune": (["ray"], {}),
}


@pytest.mark.parametrize("guide", GUIDES)
def test_the_code_of_the_guide_runs(guide: str, tmp_path: Path):
    needs, runs = GUIDES[guide]
    for module in needs:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: make test-frameworks")
    text = (ROOT / f"docs/guides/{guide}.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    program = tmp_path / "program.py"
    program.write_text("\n".join(blocks), "utf-8")
    run_program(program, cwd=tmp_path, KERAS_BACKEND="torch")
    with kymograph.open(tmp_path) as store:
        for run, tag in runs.items():
            assert len(store[run].series(tag)) > 1
        if guide == "ray-tune":
            logged = [len(run.series("ray/tune/loss")) for run in store.runs.values()]
            assert logged == [5, 5]
