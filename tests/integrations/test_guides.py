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
# The guide → what must be installed for it, and some of the runs it makes: a tag and its points.
GUIDES: dict[str, tuple[list[str], dict[str, tuple[str, int]]]] = {
    "accelerate": (["accelerate"], {"runs/accelerated": ("loss", 10)}),
    "catboost": (
        ["catboost"],
        {"catboost_info/test": ("RMSE", 20), "runs/callback": ("validation/RMSE", 20)},
    ),
    "fastai": (["fastai"], {"runs/fast": ("train_loss", 8)}),
    "ignite": (["ignite"], {"runs/ignited": ("training/loss", 10)}),
    "jax": (["jax"], {"runs/clu": ("loss", 20), "runs/flax": ("loss", 20)}),
    "keras": (["keras", "torch"], {"logs/first/train": ("epoch_loss", 3)}),
    "lightgbm": (["lightgbm"], {"runs/lightgbm": ("valid/l1", 20)}),
    "lightning": (["lightning"], {"runs/line/version_0": ("train/loss", 8)}),
    "mxnet": (
        ["numpy"],
        {"runs/mx": ("train-accuracy", 3), "runs/mxboard/accuracy/train": ("accuracy", 2)},
    ),
    "optuna": (["optuna"], {"runs/study/trial-0": ("intermediate_value", 5)}),
    "ray-tune": (["ray"], {}),
    "stable-baselines3": (["stable_baselines3"], {"runs/ppo": ("train/loss", 3)}),
    "tensorpack": (["numpy"], {"runs/packed": ("loss", 3)}),
    "torch-profiler": (["torch"], {}),
    "transformers": (["transformers"], {"runs/gpt": ("train/loss", 2)}),
    "without-changing-the-program": (["torch"], {"runs/first": ("train/loss", 10)}),
    "xgboost": (
        ["xgboost"],
        {"runs/xgboost": ("valid/mae", 20), "runs/sklearn": ("validation_0/rmse", 20)},
    ),
}


@pytest.mark.parametrize("guide", GUIDES)
def test_the_code_of_the_guide_runs(guide: str, tmp_path: Path):
    needed, runs = GUIDES[guide]
    for module in needed:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: make test-frameworks")
    text = (ROOT / f"docs/guides/{guide}.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    program = tmp_path / "program.py"
    program.write_text("\n".join(blocks), "utf-8")
    run_program(program, cwd=tmp_path, KERAS_BACKEND="torch", HF_HUB_OFFLINE="1")
    with kymograph.open(tmp_path) as store:
        for run, (tag, count) in runs.items():
            assert len(store[run].series(tag)) == count
        if guide == "ray-tune":
            logged = [len(run.series("ray/tune/loss")) for run in store.runs.values()]
            assert logged == [5, 5]
    if guide == "torch-profiler":
        (trace,) = (tmp_path / "runs/profiled").iterdir()
        assert trace.name.endswith(".pt.trace.json.gz")
