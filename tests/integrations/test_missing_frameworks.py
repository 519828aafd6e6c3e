"""An adapter whose framework is missing says what to install."""

from __future__ import annotations

import importlib
import sys

import pytest

from kymograph.errors import MissingDependencyError

NEEDS = {
    "keras": ("keras", "pip install keras"),
    "optuna": ("optuna", "pip install optuna"),
    "ray": ("ray", "pip install 'ray[tune]'"),
    "stable_baselines3": ("stable_baselines3", "pip install stable-baselines3"),
    "xgboost": ("xgboost", "pip install xgboost"),
}
NEEDS_NOTHING = ["catboost", "jax", "lightgbm"]


@pytest.mark.parametrize("adapter", NEEDS)
def test_the_message_says_what_to_install(adapter: str, monkeypatch: pytest.MonkeyPatch):
    framework, hint = NEEDS[adapter]
    for name in [framework, *(n for n in sys.modules if n.startswith(f"{framework}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"kymograph.integrations.{adapter}", raising=False)
    with pytest.raises(MissingDependencyError) as raised:
        importlib.import_module(f"kymograph.integrations.{adapter}")
    said, hinted = str(raised.value).split("\n")
    assert said.endswith("is not installed")
    assert hinted == f"hint: {hint}"


@pytest.mark.parametrize("adapter", NEEDS_NOTHING)
def test_adapters_to_plain_callables_need_no_framework(
    adapter: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, adapter, None)
    monkeypatch.delitem(sys.modules, f"kymograph.integrations.{adapter}", raising=False)
    assert importlib.import_module(f"kymograph.integrations.{adapter}").__all__
