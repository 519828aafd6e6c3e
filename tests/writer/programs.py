"""Small training programs that end in one way or another, and what they leave behind."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import kymograph

PREFACE = """
import os, signal, sys, threading, time
from kymograph import SummaryWriter

def log(writer, count, tag="loss", start=0):
    for step in range(start, start + count):
        writer.add_scalar(tag, 0.5 * step, step)

def await_written(logdir, count, tag="loss"):
    # Nothing is flushed: the writer writes within a moment by itself.
    import kymograph
    found = 0
    while found < count:
        with kymograph.open(logdir) as store:
            found = sum(len(run.series(tag)) for run in store.runs.values() if tag in run.tags())
        time.sleep(0.02)

"""


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    """Starts a program, with the preface above, and returns at once."""
    source = PREFACE + textwrap.dedent(program)
    command = [sys.executable, "-c", source, *(str(argument) for argument in arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def run(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, however that may be."""
    with start(program, *arguments) as process:
        try:
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    """Returns when the program has printed `line`."""
    assert process.stdout is not None
    assert process.stderr is not None
    printed = process.stdout.readline().strip()
    assert printed == line, process.stderr.read()


def counts(logdir: Path, *, by_log: bool = False) -> dict[str, int]:
    """How many points each run and tag has; the files must be undamaged.

    What was logged `by_log`, of the preface, must also have its values and be there once.
    """
    found: dict[str, int] = {}
    with kymograph.open(logdir) as store:
        for report in store.files:
            assert (report.bad_records, report.bad_headers, report.error) == (0, 0, None)
        for run in store.runs.values():
            for tag in run.tags("scalars"):
                series = run.series(tag)
                found[f"{run.name}:{tag}"] = len(series)
                if by_log:
                    assert list(series.values) == [0.5 * step for step in series.steps]
                    assert len(set(series.steps.tolist())) == len(series)
    return found


def event_files(directory: Path) -> list[Path]:
    return sorted(directory.rglob("*tfevents*"))
