"""Trainings in processes of their own: frameworks in one process bring each other down."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# Runs the program that follows where some modules cannot be imported.
_LAUNCHER = """
import runpy, sys
without, *sys.argv = sys.argv[1:]
sys.modules.update(dict.fromkeys(without.split(",")))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def run_program(
    file: str | Path,
    *args: str,
    without: str = "tensorflow",
    cwd: Path | None = None,
    **environment: str,
) -> None:
    """Runs a program, of this folder if only its name is given; a failure shows what it said."""
    program = str(Path(__file__).parent / file)
    done = subprocess.run(
        [sys.executable, "-c", _LAUNCHER, without, program, *args],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
