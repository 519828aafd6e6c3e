"""An adapter whose framework is missing says what to install."""

from __future__ import annotations

import importlib
import sys

import pytest

from kymograph.errors import MissingDependencyError

# Adapter → the modules it looks for, and the hint.
NEEDS = {
    "accelerate": (["accelerate"], "pip install accelerate"),
    "fastai": (["fastai"], "pip install fastai"),
    "ignite": (["ignite"], "pip install pytorch-ignite"),
    "keras": (["keras"], "pip install keras"),
    "lightning": (["lightning", "pytorch_lightning"], "pip install lightning"),
    "optuna": (["optuna"], "pip install optuna"),
    "ray": (["ray"], "pip install 'ray[tune]'"),
    "stable_baselines3": (["stable_baselines3"], "pip install stable-baselines3"),
    "transformers": (["transformers"], "pip install 'transformers[torch]'"),
    "xgboost": (["xgboost"], "pip install xgboost"),
}
# Adapters to plain callables and objects known by their shape → the framework.
NEEDS_NOTHING = {
    "catboost": "catboost",
    "jax": "jax",
    "lightgbm": "lightgbm",
    "mxnet": "mxnet",
    "tensorpack": "tensorpack",
    "torch_profiler": "torch",
}


def import_without(frameworks: list[str], adapter: str, monkeypatch: pytest.MonkeyPatch) -> object:
    for framework in frameworks:
        for name in [framework, *(n for n in sys.modules if n.startswith(f"{framework}."))]:
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"kymograph.integrations.{adapter}", raising=False)
    return importlib.import_module(f"kymograph.integrations.{adapter}")


@pytest.mark.parametrize("adapter", NEEDS)
def test_the_message_says_what_to_install(adapter: str, monkeypatch: pytest.MonkeyPatch):
    frameworks, hint = NEEDS[adapter]
    with pytest.raises(MissingDependencyError) as raised:
        import_without(frameworks, adapter, monkeypatch)
    said, hinted = str(raised.value).split("\n")
    assert said.endswith("is not installed")
    assert hinted == f"hint: {hint}"


@pytest.mark.parametrize("adapter", NEEDS_NOTHING)
def test_some_adapters_need_no_framework(adapter: str, monkeypatch: pytest.MonkeyPatch):
    module = import_without([NEEDS_NOTHING[adapter]], adapter, monkeypatch)
    assert getattr(module, "__all__")  # noqa: B009  (an object, to a type checker)
