"""Small packages that have the shape of torch, TensorBoard and tensorboardX, and a place to run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import kymograph

SOURCES = str(Path(kymograph.__file__).parents[1])

TORCH = {
    "torch/__init__.py": "",
    "torch/utils/__init__.py": "",
    # Like the real one, it does not come up without TensorBoard.
    "torch/utils/tensorboard/__init__.py": (
        "import tensorboard\nfrom .writer import SummaryWriter, FileWriter\n"
    ),
    "torch/utils/tensorboard/writer.py": (
        "from . import summary\n"
        "from tensorboard.summary.writer.event_file_writer import EventFileWriter\n"
        "class FileWriter: ...\n"
        "class SummaryWriter: ...\n"
    ),
    "torch/utils/tensorboard/summary.py": (
        "import tensorboard\n"
        "from ._convert_np import make_np\n"
        "def hparams(): ...\n"
        "def make_image(): return 'real'\n"
    ),
    "torch/utils/tensorboard/_convert_np.py": "def make_np(): ...\n",
}
TENSORBOARD = {
    "tensorboard/__init__.py": "__version__ = '9.9'\n",
    "tensorboard/backend.py": "real = True\n",
    "tensorboard/summary/__init__.py": (
        "from tensorboard.summary._output import DirectoryOutput\n"
        "from tensorboard.summary._writer import Writer\n"
    ),
    "tensorboard/summary/_output.py": (
        "from tensorboard.summary.writer import event_file_writer\n"
        "class DirectoryOutput:\n"
        "    def __init__(self, path):\n"
        "        self.events = event_file_writer.EventFileWriter(path)\n"
    ),
    "tensorboard/summary/_writer.py": "class Writer: ...\n",
    "tensorboard/summary/writer/__init__.py": "",
    "tensorboard/summary/writer/event_file_writer.py": (
        "class EventFileWriter:\n    def __init__(self, path): ...\n"
    ),
    "tensorboard-9.9.dist-info/METADATA": (
        "Metadata-Version: 2.1\nName: tensorboard\nVersion: 9.9\n"
    ),
}
TENSORBOARDX = {
    "tensorboardX/__init__.py": "from .writer import SummaryWriter\n",
    "tensorboardX/writer.py": "class SummaryWriter: ...\n",
    "tensorboardX/summary.py": "def hparams(): ...\ndef make_image(): return 'real'\n",
    "tensorboardX/proto/__init__.py": "",
    "tensorboardX/proto/event_pb2.py": "class Event: ...\n",
    "tensorboardX-8.8.dist-info/METADATA": (
        "Metadata-Version: 2.1\nName: tensorboardX\nVersion: 8.8\n"
    ),
}


def write(directory: Path, *packages: dict[str, str]) -> Path:
    """Put the files of the packages into a directory."""
    for package in packages:
        for name, text in package.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return directory


def run(program: str, directory: Path) -> str:
    """What a program prints in a fresh interpreter that finds the packages of a directory."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": SOURCES},
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout + result.stderr
