"""Where runs are written: local directories only, and the same one after `os.chdir`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kymograph
import kymograph.tensorboardx
from kymograph.errors import LogdirError
from kymograph.integrations import torch_profiler
from kymograph.stand_in.packages.tensorboard import summary as tensorboard_summary
from kymograph.stand_in.packages.tensorboardx import RecordWriter
from kymograph.tensorboardx import GlobalSummaryWriter
from kymograph.writer.file_writer import EventFileWriter, FileWriter

TAKES_A_DIRECTORY: dict[str, Callable[[str], object]] = {
    "SummaryWriter": kymograph.SummaryWriter,
    "SummaryWriter with rank_suffix": lambda path: kymograph.SummaryWriter(path, rank_suffix=True),
    "tensorboardx.SummaryWriter": kymograph.tensorboardx.SummaryWriter,
    "tensorboardx.SummaryWriter(log_dir=)": lambda path: kymograph.tensorboardx.SummaryWriter(
        log_dir=path
    ),
    "tensorboardx.FileWriter": kymograph.tensorboardx.FileWriter,
    "GlobalSummaryWriter": GlobalSummaryWriter,
    "FileWriter": FileWriter,
    "EventFileWriter": EventFileWriter,
    "init": kymograph.init,
    "tensorboard.summary.Writer": tensorboard_summary.Writer,
    "RecordWriter": RecordWriter,
    "torch_profiler.trace_handler": torch_profiler.trace_handler,
}


@pytest.mark.parametrize("address", ["s3://bucket/run", "gs://b/r", "made-up+x.1://b", "file:///r"])
@pytest.mark.parametrize("name", TAKES_A_DIRECTORY)
def test_an_address_is_refused_and_nothing_is_written(
    name: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LogdirError, match="local directory") as refusal:
        TAKES_A_DIRECTORY[name](address)
    assert address in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert list(tmp_path.iterdir()) == []


def test_an_address_that_went_through_pathlib_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LogdirError):
        kymograph.SummaryWriter(Path("s3://bucket") / "run")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "path",
    ["a:b", "lr:0.1/run", "C:\\runs", "C:/runs", "c://runs", "s3:/run", "://x", "runs/s3://"],
)
def test_a_path_with_a_colon_is_a_path(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with kymograph.SummaryWriter(path) as writer:
        writer.add_scalar("a", 1, 1)
    assert [file.suffix for file in tmp_path.rglob("events*")] != []


def test_a_relative_directory_stays_where_it_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    # More than stay open between writes, so that some are opened again.
    writers = [kymograph.SummaryWriter(f"runs/{number}") for number in range(70)]
    monkeypatch.chdir(elsewhere)
    for writer in writers:
        writer.add_scalar("a", 1, 1)
        writer.flush()
    first = writers[0]
    first.add_scalars("main", {"b": 1.0}, 1)
    first.add_embedding(np.ones((2, 2)))
    first.add_hparams({"lr": 0.1}, {"loss": 1.0}, run_name="trial")
    first.close()
    first.add_scalar("a", 2, 2)
    for writer in writers:
        writer.close()
    assert list(elsewhere.iterdir()) == []
    assert caplog.messages == []
    assert first.log_dir == first.get_logdir() == "runs/0"
    assert len(list((tmp_path / "runs/0").glob("events*"))) == 2
    assert (tmp_path / "runs/0/projector_config.pbtxt").is_file()
    store = kymograph.open(tmp_path / "runs")
    assert {"0/main_b", "0/trial"} <= set(store)
    assert all(store[str(number)].series("a").values[0] == 1 for number in range(70))


def test_a_global_writer_is_in_the_same_directory_in_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    writer = GlobalSummaryWriter("run")
    state = writer.__getstate__()
    writer.close()
    assert state["logdir"] == str(tmp_path / "run")
