"""A real TensorBoard and ours on the same log directory, each for the time of a `with` block."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import kymograph
from kymograph.server.serving import serve

WAIT_SECS = 120
LOADERS = {
    # Each with the line after which everything is loaded and served.
    "python": (["--load_fast=false", "--reload_task=blocking"], r"Press CTRL"),
    "rust": (
        ["--load_fast=true", "--extra_data_server_flags=--verbose"],
        r"(?s)Finished load cycle.*Press CTRL|Press CTRL.*Finished load cycle",
    ),
}
"""TensorBoard's two loaders, and the flags that select each."""

# TensorFlow takes long to import and is not asked for anything here.
_WITHOUT_TENSORFLOW = """
import sys, types
sys.modules["tensorboard.compat.notf"] = types.ModuleType("tensorboard.compat.notf")
from tensorboard.main import run_main
run_main()
"""
_PLUGINS = "scalars histograms images audio text pr_curves mesh custom_scalars hparams graphs"
# So many that nothing is left out.
SAMPLES = ",".join(f"{name}=1000000" for name in _PLUGINS.split())


@contextlib.contextmanager
def tensorboard(logdir: Path, loader: str, samples: str = SAMPLES) -> Iterator[str]:
    """Starts TensorBoard, waits until it has loaded everything, and returns its URL."""
    flags, loaded = LOADERS[loader]
    command = [sys.executable, "-c", _WITHOUT_TENSORFLOW, f"--logdir={logdir}", "--port=0"]
    command += ["--reload_interval=0", f"--samples_per_plugin={samples}", *flags]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "output")
        with output.open("wb") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file)
        try:
            yield _address(process, output, loaded)
        finally:
            process.terminate()
            process.wait(WAIT_SECS)


def _address(process: subprocess.Popen[bytes], output: Path, loaded: str) -> str:
    deadline = time.monotonic() + WAIT_SECS
    while time.monotonic() < deadline:
        said = output.read_text("utf-8", errors="replace")
        if re.search(loaded, said):
            found = re.search(r"at (http://[^ ]+/) ", said)
            assert found, said
            return found[1]
        assert process.poll() is None, said
        time.sleep(0.1)
    raise TimeoutError(output.read_text("utf-8", errors="replace"))


@contextlib.contextmanager
def ours(logdir: Path) -> Iterator[str]:
    """Serves the log directory with everything loaded, and returns its URL."""
    with kymograph.open(logdir) as store, serve(store) as serving:
        yield serving.url
