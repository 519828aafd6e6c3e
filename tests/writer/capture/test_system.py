"""System metrics arrive as scalars over seconds, and cost next to nothing."""

import sys
import time
from pathlib import Path

import pytest

from kymograph.writer.capture import SystemMetrics
from kymograph.writer.summary_writer import SummaryWriter
from tests.writer.capture.reading import scalars, tags

AT_ONCE = {"system/memory_percent", "system/process_memory_mb", "system/disk_percent"}
RATES = {
    *("system/cpu_percent", "system/process_cpu_percent"),
    *("system/disk_read_mb_per_sec", "system/disk_written_mb_per_sec"),
    *("system/network_received_mb_per_sec", "system/network_sent_mb_per_sec"),
}


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pynvml", None)


@pytest.mark.skipif(sys.platform != "linux", reason="without psutil, needs /proc")
def test_rates_are_those_since_the_last_record(tmp_path: Path):
    metrics = SystemMetrics()
    with SummaryWriter(str(tmp_path)) as writer:
        metrics.begin()
        metrics.record(writer, final=False)
        began, spent = time.monotonic(), time.process_time()
        while time.monotonic() < began + 1.1:
            pass
        metrics.record(writer, final=True)
        percent = 100 * (time.process_time() - spent) / (time.monotonic() - began)
        metrics.record(writer, final=True)  # too soon after the last
        metrics.end()
    assert tags(tmp_path) == AT_ONCE | RATES
    assert [step for step, _ in scalars(tmp_path, "system/memory_percent")] == [0, 1]
    ((step, value),) = scalars(tmp_path, "system/process_cpu_percent")
    assert step == 1
    assert value == pytest.approx(percent, rel=0.2)
    for tag in RATES:
        assert all(value >= 0 for _, value in scalars(tmp_path, tag))


def test_gpus_are_logged_beside_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Gpus:
        closed = False

        def read(self):
            yield "0/power_watts", 250.5

        def close(self):
            self.closed = True

    gpus = Gpus()
    monkeypatch.setattr("kymograph.writer.capture.gpus.find_gpus", lambda: gpus)
    metrics = SystemMetrics()
    with SummaryWriter(str(tmp_path)) as writer:
        metrics.begin()
        metrics.record(writer, final=False)
    metrics.end()
    assert scalars(tmp_path, "system/gpu/0/power_watts") == [(0, 250.5)]
    assert gpus.closed


def test_a_record_takes_less_than_half_a_percent_of_its_interval(tmp_path: Path):
    metrics = SystemMetrics()
    with SummaryWriter(str(tmp_path)) as writer:
        metrics.begin()
        metrics.record(writer, final=False)
        before = time.thread_time()
        for _ in range(20):
            metrics.record(writer, final=False)
        secs = (time.thread_time() - before) / 20
    assert secs < 0.005 * metrics.interval_secs


@pytest.mark.parametrize("interval_secs", [0, -1, float("nan")])
def test_an_interval_must_be_above_zero(interval_secs: float):
    with pytest.raises(ValueError, match="interval_secs"):
        SystemMetrics(interval_secs=interval_secs)
