"""The `kymograph` command as a test calls it."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from click.testing import CliRunner

from kymograph.cli.main import main

COMMAND = [sys.executable, "-m", "kymograph"]
"""The command in a process of its own."""


@dataclass(frozen=True)
class Outcome:
    exit_code: int
    out: str
    err: str


def run(*arguments: object) -> Outcome:
    """Runs a command inside this process; raises what it raises."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Outcome(result.exit_code, result.stdout, result.stderr)
