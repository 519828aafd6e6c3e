"""Traces of the profiler arrive whole, under the names its readers know, or not at all."""

from __future__ import annotations

import gzip
import json
import logging
import os
import re
import socket
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: make test-frameworks")

from kymograph.integrations.torch_profiler import trace_handler

pytestmark = pytest.mark.frameworks


def profile(handler: object, cycles: int = 1) -> None:
    schedule = torch.profiler.schedule(wait=0, warmup=1, active=1, repeat=cycles)
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(
        activities=activities, schedule=schedule, on_trace_ready=handler
    ) as profiler:
        for _ in range(2 * cycles):
            torch.ones(4, 4) @ torch.ones(4, 4)
            profiler.step()


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_each_cycle_is_a_file(tmp_path: Path):
    profile(trace_handler(tmp_path / "a/b"), cycles=2)
    found = names(tmp_path / "a/b")
    worker = re.escape(f"{socket.gethostname()}_{os.getpid()}")
    assert len(found) == 2
    for name in found:
        assert re.fullmatch(worker + r"\.\d+\.pt\.trace\.json", name)
        trace = json.loads((tmp_path / "a/b" / name).read_text())
        assert any(event.get("name") == "aten::mm" for event in trace["traceEvents"])


def test_compressed_and_with_a_name(tmp_path: Path):
    profile(trace_handler(tmp_path, "worker0", use_gzip=True))
    (name,) = names(tmp_path)
    assert re.fullmatch(r"worker0\.\d+\.pt\.trace\.json\.gz", name)
    assert json.loads(gzip.decompress((tmp_path / name).read_bytes()))["traceEvents"]


def test_a_place_that_cannot_be_written_is_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    file = tmp_path / "file"
    file.write_text("")
    with caplog.at_level(logging.WARNING):
        profile(trace_handler(file))
    assert "trace not written" in caplog.text
    assert names(tmp_path) == ["file"]


def test_a_trace_that_breaks_off_is_not_seen(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    class Full:
        """A profiler on a full disk."""

        def export_chrome_trace(self, path: str) -> None:
            Path(path).write_text('{"traceEvents": [')
            raise OSError("no space left on device")

    trace_handler(tmp_path, "worker0")(Full())
    assert "no space left" in caplog.text
    assert names(tmp_path) == []
