"""Files the installed writers make now read back as logged, as the golden ones do."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.interop.test_golden import check_logdir

pytestmark = pytest.mark.frameworks

# The golden script, and what must be installed for it to run.
PRODUCERS = {
    "torch": ["torch", "tensorboard"],
    "tensorboardx": ["tensorboardX", "soundfile", "moviepy"],
    "tensorflow": ["tensorflow", "tensorboard"],
    "keras": ["keras", "tensorflow"],
    "jax": ["jax", "tensorboardX", "tensorflow"],
    "catboost": ["catboost"],
}


@pytest.mark.parametrize("producer", PRODUCERS)
def test_fresh_files_read_back_as_logged(producer: str, tmp_path: Path) -> None:
    for module in PRODUCERS[producer]:
        pytest.importorskip(module, reason=f"{module} is not installed: make test-frameworks")
    script = importlib.import_module(f"tests.golden.make_{producer}")
    script.make(tmp_path / producer)
    check_logdir(tmp_path / producer)
