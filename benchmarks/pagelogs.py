"""Writes the log directories that page.py opens, in benchmarks/data/, once."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import makelogs

VERSION = 1  # raise when what is written changes
EPOCH = 1_700_000_000.0
STEP_SECS = 0.5


@dataclasses.dataclass(frozen=True)
class Shape:
    """`runs` runs, each with `tags` tags in `groups` groups at every one of `steps` steps."""

    runs: int
    tags: int
    groups: int
    steps: int

    def tag_names(self) -> list[str]:
        each = self.tags // self.groups
        return [f"block{i // each:02d}/loss{i % each:02d}" for i in range(self.tags)]

    def run_names(self) -> list[str]:
        return [f"run{i:04d}" for i in range(self.runs)]


SHAPES = {
    "page-usual": Shape(runs=20, tags=50, groups=5, steps=1000),
    "page-live": Shape(runs=1, tags=1, groups=1, steps=100),
    "page-crowd": Shape(runs=500, tags=1, groups=1, steps=1000),
    "page-huge": Shape(runs=1000, tags=1000, groups=20, steps=3),
}


def write(shape: Shape, directory: Path) -> None:
    from kymograph import SummaryWriter

    randoms = np.random.default_rng(VERSION)
    at = np.arange(shape.steps)
    for name in shape.run_names():
        scales = randoms.uniform(0.5, 2.0, shape.tags)
        noise = randoms.normal(0, 0.05, (shape.tags, shape.steps))
        values = (scales[:, None] / np.sqrt(1 + at / 40) + noise).tolist()
        with SummaryWriter(directory / name) as writer:
            for step in range(shape.steps):
                wall_time = EPOCH + step * STEP_SECS
                for tag, row in zip(shape.tag_names(), values, strict=True):
                    writer.add_scalar(tag, row[step], step, wall_time)


def ensure(name: str) -> Path:
    """The named log directory, made now if it is not there."""
    shape = SHAPES[name]
    directory, stamp = makelogs.DATA / name, makelogs.DATA / f"{name}.json"
    wanted = json.dumps({"version": VERSION, **dataclasses.asdict(shape)})
    if stamp.exists() and stamp.read_text() == wanted and directory.is_dir():
        return directory
    stamp.unlink(missing_ok=True)
    shutil.rmtree(directory, ignore_errors=True)
    started = time.perf_counter()
    write(shape, directory)
    stamp.write_text(wanted)
    print(f"made {name} in {time.perf_counter() - started:.1f} s", file=sys.stderr)
    return directory


class Growing:
    """A log directory that can be trained on: one more step of some tags in all runs."""

    def __init__(self, directory: Path, shape: Shape, stack: ExitStack) -> None:
        from kymograph import SummaryWriter

        self.directory = directory
        self.next_step = shape.steps
        self._writers = [
            stack.enter_context(SummaryWriter(directory / run, flush_secs=3600))
            for run in shape.run_names()
        ]

    def step(self, tags: list[str]) -> int:
        """Logs and flushes one more step, and returns it."""
        step = self.next_step
        for writer in self._writers:
            for tag in tags:
                writer.add_scalar(tag, 0.2, step, EPOCH + step * STEP_SECS)
        for writer in self._writers:
            writer.flush()
        self.next_step += 1
        return step


@contextmanager
def growing(name: str) -> Iterator[Growing]:
    """A copy of the named log directory that grows."""
    with TemporaryDirectory() as scratch, ExitStack() as stack:
        directory = Path(scratch) / name
        shutil.copytree(ensure(name), directory)
        yield Growing(directory, SHAPES[name], stack)
