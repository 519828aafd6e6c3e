"""The code in the guides to PyTorch's frameworks runs as it is written."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kymograph

pytestmark = pytest.mark.frameworks

ROOT = Path(__file__).parents[2]
SOURCES = Path(kymograph.__file__).parents[1]
# The guide, what must be installed for it, and the runs it makes: a tag and its points.
GUIDES: dict[str, tuple[str, dict[str, tuple[str, int]]]] = {
    "accelerate": ("accelerate", {"runs/accelerated": ("loss", 10)}),
    "fastai": ("fastai", {"runs/fast": ("train_loss", 8)}),
    "ignite": ("ignite", {"runs/ignited": ("training/loss", 10)}),
    "lightning": ("lightning", {"runs/line/version_0": ("train/loss", 8)}),
    "mxnet": (
        "numpy",
        {"runs/mx": ("train-accuracy", 3), "runs/mxboard/accuracy/train": ("accuracy", 2)},
    ),
    "tensorpack": ("numpy", {"runs/packed": ("loss", 3)}),
    "torch-profiler": ("torch", {}),
    "transformers": ("transformers", {"runs/gpt": ("train/loss", 2)}),
    "without-changing-the-program": ("torch", {"runs/first": ("train/loss", 10)}),
}


@pytest.mark.parametrize("guide", GUIDES)
def test_the_code_of_the_guide_runs(guide: str, tmp_path: Path):
    needed, runs = GUIDES[guide]
    if importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed: make test-frameworks")
    text = (ROOT / f"docs/guides/{guide}.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SOURCES), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with kymograph.open(tmp_path) as store:
        for run, (tag, count) in runs.items():
            assert len(store[run].series(tag)) == count
    if guide == "torch-profiler":
        (trace,) = (tmp_path / "runs/profiled").iterdir()
        assert trace.name.endswith(".pt.trace.json.gz")
