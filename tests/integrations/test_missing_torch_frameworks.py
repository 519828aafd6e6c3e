"""An adapter to a framework on PyTorch that is missing says what to install."""

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
    "lightning": (["lightning", "pytorch_lightning"], "pip install lightning"),
    "transformers": (["transformers"], "pip install 'transformers[torch]'"),
}
NEEDS_NOTHING = {"mxnet": "mxnet", "tensorpack": "tensorpack", "torch_profiler": "torch"}


def hide(framework: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [framework, *(n for n in sys.modules if n.startswith(f"{framework}."))]:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize("adapter", NEEDS)
def test_the_message_says_what_to_install(adapter: str, monkeypatch: pytest.MonkeyPatch):
    frameworks, hint = NEEDS[adapter]
    for framework in frameworks:
        hide(framework, monkeypatch)
    monkeypatch.delitem(sys.modules, f"kymograph.integrations.{adapter}", raising=False)
    with pytest.raises(MissingDependencyError) as raised:
        importlib.import_module(f"kymograph.integrations.{adapter}")
    said, hinted = str(raised.value).split("\n")
    assert said.endswith("is not installed")
    assert hinted == f"hint: {hint}"


@pytest.mark.parametrize("adapter", NEEDS_NOTHING)
def test_adapters_by_shape_need_no_framework(adapter: str, monkeypatch: pytest.MonkeyPatch):
    hide(NEEDS_NOTHING[adapter], monkeypatch)
    monkeypatch.delitem(sys.modules, f"kymograph.integrations.{adapter}", raising=False)
    assert importlib.import_module(f"kymograph.integrations.{adapter}").__all__
