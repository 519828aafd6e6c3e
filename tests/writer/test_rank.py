"""Whose rank is found where, and when a shared directory is reported."""

import logging
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from kymograph.writer import rank as module
from kymograph.writer.rank import Rank, find_rank, warn_if_shared

STEP = {"SLURM_STEP_NODELIST": "node[1-2]"}


@pytest.fixture(autouse=True)
def _no_launcher(monkeypatch: pytest.MonkeyPatch):
    """Neither the variables of the machine that tests, nor what earlier tests have reported."""
    for name in list(os.environ):
        if "RANK" in name or name.startswith(("SLURM_", "PMI", "WORLD_SIZE", "OMPI_", "HOROVOD_")):
            monkeypatch.delenv(name)
    monkeypatch.delitem(sys.modules, "torch.distributed", raising=False)
    monkeypatch.setattr(module, "_reported", set())
    monkeypatch.setattr(module, "_checked", set())


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, Rank(0, None, "none")),
        ({"RANK": "3", "WORLD_SIZE": "4"}, Rank(3, 4, "RANK")),
        ({"RANK": "3"}, Rank(3, None, "RANK")),
        (
            {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"},
            Rank(1, 2, "OMPI_COMM_WORLD_RANK"),
        ),
        ({"PMI_RANK": "1", "PMI_SIZE": "2"}, Rank(1, 2, "PMI_RANK")),
        ({"PMIX_RANK": "5"}, Rank(5, None, "PMIX_RANK")),
        (
            {"MV2_COMM_WORLD_RANK": "1", "MV2_COMM_WORLD_SIZE": "2"},
            Rank(1, 2, "MV2_COMM_WORLD_RANK"),
        ),
        ({"HOROVOD_RANK": "0", "HOROVOD_SIZE": "2"}, Rank(0, 2, "HOROVOD_RANK")),
        (
            {"JSM_NAMESPACE_RANK": "1", "JSM_NAMESPACE_SIZE": "6"},
            Rank(1, 6, "JSM_NAMESPACE_RANK"),
        ),
        ({"SLURM_PROCID": "7", "SLURM_NTASKS": "8", **STEP}, Rank(7, 8, "SLURM_PROCID")),
        # In the batch script itself, outside srun; in a step of one task; without a size.
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "8"}, Rank(0, None, "none")),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "1", **STEP}, Rank(0, None, "none")),
        ({"SLURM_PROCID": "1", **STEP}, Rank(0, None, "none")),
        # One task per node, each a torchrun: the inner launcher knows.
        (
            {"RANK": "5", "WORLD_SIZE": "8", "SLURM_PROCID": "1", "SLURM_NTASKS": "2", **STEP},
            Rank(5, 8, "RANK"),
        ),
        ({"LOCAL_RANK": "3", "LOCAL_WORLD_SIZE": "4", "SLURM_LOCALID": "3"}, Rank(0, None, "none")),
    ],
)
def test_rank_comes_from_the_most_telling_variable(
    variables: dict[str, str], expected: Rank, monkeypatch: pytest.MonkeyPatch
):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert find_rank() == expected


@pytest.mark.parametrize("launcher", [names for names in module._LAUNCHERS if names[1]])
def test_earlier_launchers_win(launcher: tuple[str, str | None], monkeypatch: pytest.MonkeyPatch):
    later = module._LAUNCHERS[module._LAUNCHERS.index(launcher) :]
    for number, names in enumerate(later):
        for name in filter(None, names):
            monkeypatch.setenv(name, str(number + 1 if name == names[0] else 100))
    assert find_rank() == Rank(1, 100, launcher[0])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RANK", "senior"),
        ("RANK", "-1"),
        ("RANK", ""),
        ("RANK", "1.5"),
        ("RANK", "4"),
        ("RANK", "²"),
    ],
)
def test_bad_rank_is_passed_over_with_one_log_line(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("PMI_RANK", "2")
    assert [find_rank(), find_rank()] == [Rank(2, None, "PMI_RANK")] * 2
    (message,) = caplog.messages
    assert f"{name}=" in message


def test_bad_world_size_is_unknown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setenv("RANK", "2")
    monkeypatch.setenv("WORLD_SIZE", "0")
    assert find_rank() == Rank(2, None, "RANK")
    assert "WORLD_SIZE='0'" in caplog.text


def distributed(*, available: bool, initialised: bool) -> SimpleNamespace:
    return SimpleNamespace(
        is_available=lambda: available,
        is_initialized=lambda: initialised,
        get_rank=lambda: 1,
        get_world_size=lambda: 2,
    )


@pytest.mark.parametrize(
    ("torch", "expected"),
    [
        (distributed(available=True, initialised=True), Rank(1, 2, "torch.distributed")),
        (distributed(available=True, initialised=False), Rank(3, None, "RANK")),
        (distributed(available=False, initialised=True), Rank(3, None, "RANK")),
        (SimpleNamespace(), Rank(3, None, "RANK")),  # another thread is importing it
    ],
)
def test_torch_is_asked_only_if_it_runs(
    torch: SimpleNamespace, expected: Rank, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "torch.distributed", torch)
    monkeypatch.setenv("RANK", "3")
    assert find_rank() == expected


# --- shared directories ---

OTHER_PID = os.getpid() + 1


def event_file(
    directory: Path, *, age_secs: float = 0, host: str = "", pid: int = OTHER_PID
) -> str:
    host = host or socket.gethostname()
    name = f"events.out.tfevents.{int(time.time() - age_secs):010d}.{host}.{pid}.0.suffix"
    (directory / name).touch()
    return name


def test_a_file_of_another_rank_is_reported_once(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    event_file(tmp_path, pid=os.getpid())
    other = event_file(tmp_path, host="node-2.example", pid=os.getpid())
    for _ in range(2):
        warn_if_shared(tmp_path, rank=Rank(1, 4, "RANK"))
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    message = record.getMessage()
    assert message.startswith("rank 1 of 4")
    assert other in message
    assert message.endswith(str(tmp_path))
    assert 'rank_zero_only="auto"' in message
    assert "rank_suffix=True" in message


def test_rank_zero_is_warned_too_if_it_comes_last(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    event_file(tmp_path)
    warn_if_shared(str(tmp_path), rank=Rank(0, 2, "RANK"))
    assert "rank 0 of 2" in caplog.text


@pytest.mark.parametrize("rank", [Rank(0, None, "none"), Rank(0, 1, "RANK")])
def test_a_lone_process_gets_no_warning(
    rank: Rank, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    event_file(tmp_path)
    warn_if_shared(tmp_path, rank=rank)
    assert caplog.messages == []


def test_own_resumed_and_other_files_are_no_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    event_file(tmp_path, pid=os.getpid())
    event_file(tmp_path, age_secs=3600)
    (tmp_path / "checkpoint.pt").touch()
    warn_if_shared(tmp_path, rank=Rank(1, 2, "RANK"), started=time.time())
    assert caplog.messages == []


def test_a_directory_that_cannot_be_listed_is_no_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    warn_if_shared(tmp_path / "gone", rank=Rank(1, 2, "RANK"))
    warn_if_shared("s3://bucket/run", rank=Rank(1, 2, "RANK"))
    assert caplog.messages == []


RANKS = """
import sys
from kymograph.writer.summary_writer import SummaryWriter

with SummaryWriter(sys.argv[1], **eval(sys.argv[2])) as writer:
    writer.add_scalar("loss", 0.5, 0)
"""


@pytest.mark.parametrize(
    ("options", "files", "warnings"),
    [
        ("{}", 2, 1),
        ("{'rank_zero_only': 'auto'}", 1, 0),
        ("{'rank_suffix': True}", 2, 0),
    ],
)
def test_two_real_ranks_warn_unless_they_are_kept_apart(
    options: str, files: int, warnings: int, tmp_path: Path
):
    messages = ""
    for rank in ("0", "1"):
        ended = subprocess.run(
            [sys.executable, "-c", RANKS, str(tmp_path), options],
            env=os.environ | {"RANK": rank, "WORLD_SIZE": "2"},
            capture_output=True,
            check=True,
            text=True,
        )
        messages += ended.stderr
    assert len(list(tmp_path.rglob("events.*"))) == files
    assert messages.count("rank 1 of 2 shares its directory with other processes") == warnings
    assert messages.count("\n") == 2 * warnings
