"""One writer for threads and processes: every step once, nothing lost."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest

from kymograph.tensorboardx import GlobalSummaryWriter
from tests.tensorboardx.events import logged, scalars

MANY = 200


def log_many(writer: GlobalSummaryWriter, worker: int) -> None:
    for _ in range(MANY):
        writer.add_scalar("shared", worker)
    writer.add_text("shared", f"worker {worker}")
    writer.close()


def check(logdir: Path, workers: int) -> None:
    """Each step of each tag was taken once, and every worker's numbers are there."""
    found = scalars(logdir)
    assert sorted(step for _, step, _ in found) == list(range(workers * MANY))
    values = [value for _, _, value in found]
    assert [values.count(worker) for worker in range(workers)] == [MANY] * workers
    texts = [value.step for value in logged(logdir) if value.tag == "shared/text_summary"]
    assert sorted(texts) == list(range(workers))


def test_tags_count_from_zero_each_in_its_own_kind(tmp_path: Path):
    writer = GlobalSummaryWriter(tmp_path)
    for _ in range(2):
        writer.add_scalar("a", 1.0, walltime=5.0)
        writer.add_scalar("b", 1.0)
        writer.add_text("a", "text")
        writer.add_image("a", np.zeros((2, 2, 3), np.uint8), dataformats="HWC")
    writer.close()
    assert [(value.tag, value.step) for value in logged(tmp_path)] == [
        (tag, step) for step in range(2) for tag in ["a", "b", "a/text_summary", "a"]
    ]
    assert logged(tmp_path)[0].wall_time == 5.0
    assert os.fspath(writer.file_writer.get_logdir()) == str(tmp_path)


def test_threads(tmp_path: Path):
    writer = GlobalSummaryWriter(tmp_path)
    threads = [threading.Thread(target=log_many, args=(writer, index)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(tmp_path, 4)


# The core's thread is one that forks well.
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.slow)])
def test_processes(tmp_path: Path, method: str):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    context = multiprocessing.get_context(method)
    writer = GlobalSummaryWriter(tmp_path)
    start = context.Process  # type: ignore[attr-defined]
    children = [start(target=log_many, args=(writer, worker)) for worker in (1, 2)]
    for child in children:
        child.start()
    log_many(writer, 0)
    for child in children:
        child.join()
        assert child.exitcode == 0
    check(tmp_path, 3)


def test_a_copy_continues_the_count(tmp_path: Path):
    writer = GlobalSummaryWriter(tmp_path, filename_suffix=".s")
    writer.add_scalar("a", 1)
    copy = pickle.loads(pickle.dumps(writer))
    copy.add_scalar("a", 2)
    writer.add_scalar("a", 3)
    copy.close()
    writer.close()
    assert sorted(scalars(tmp_path)) == [("a", 0, 1.0), ("a", 1, 2.0), ("a", 2, 3.0)]
    assert all(file.name.endswith(".s") for file in tmp_path.iterdir())


PROGRAM = """
    import os, sys, tempfile
    from kymograph.tensorboardx import GlobalSummaryWriter

    tempfile.tempdir = sys.argv[1]
    writer = GlobalSummaryWriter.getSummaryWriter()
    assert GlobalSummaryWriter.getSummaryWriter() is writer
    writer.add_scalar("a", 1)
    assert os.listdir(sys.argv[1])
    if os.fork() == 0:
        GlobalSummaryWriter.getSummaryWriter().add_scalar("a", 2)
        writer.close()
        os._exit(0)
    os.wait()
    writer.add_scalar("a", 3)
    print(writer.smw.logdir)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_the_one_of_the_program_leaves_nothing_but_its_run(tmp_path: Path):
    counters = tmp_path / "counters"
    counters.mkdir()
    run = subprocess.check_output(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), counters], cwd=tmp_path, text=True
    ).strip()
    assert run.startswith("runs/")
    assert sorted(scalars(tmp_path / run)) == [("a", 0, 1.0), ("a", 1, 2.0), ("a", 2, 3.0)]
    assert list(counters.iterdir()) == []


def test_no_disk_no_events(tmp_path: Path):
    writer = GlobalSummaryWriter(tmp_path, write_to_disk=False)
    writer.add_scalar("a", 1)
    writer.close()
    assert list(tmp_path.iterdir()) == []
