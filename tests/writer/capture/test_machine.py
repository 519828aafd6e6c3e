"""Our own counters and psutil's agree."""

import mmap
import sys
import time

import pytest

from kymograph.writer.capture import machine

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@linux
def test_proc_counts_as_psutil_does():
    pytest.importorskip("psutil")
    # The machine runs on between the two readings; a third one bounds what may have changed.
    first, ours, last = machine.read_psutil(), machine.read_proc(), machine.read_psutil()
    for name in (
        *("cpu_busy_secs", "cpu_all_secs", "process_cpu_secs"),
        *("disk_read_bytes", "disk_written_bytes"),
        *("network_received_bytes", "network_sent_bytes"),
    ):
        slack = 0.05 if name.endswith("_secs") else 0
        assert getattr(first, name) - slack <= getattr(ours, name) <= getattr(last, name) + slack
    assert ours.memory_percent == pytest.approx(last.memory_percent, abs=5)
    assert ours.process_memory_bytes == pytest.approx(last.process_memory_bytes, rel=0.1)


@linux
def test_work_and_memory_are_counted():
    before = machine.read_proc()
    # Pages of its own: what the allocator has kept from earlier tests would not count as new.
    held = mmap.mmap(-1, 50_000_000)
    held.write(b"x" * len(held))
    ends = time.process_time() + 0.2
    while time.process_time() < ends:
        pass
    after = machine.read_proc()
    assert after.process_cpu_secs - before.process_cpu_secs >= 0.2
    assert after.cpu_busy_secs - before.cpu_busy_secs >= 0.1
    assert after.cpu_all_secs - before.cpu_all_secs >= after.cpu_busy_secs - before.cpu_busy_secs
    assert after.process_memory_bytes - before.process_memory_bytes > len(held) * 0.8
    assert 0 < after.memory_percent < 100


@linux
def test_proc_is_read_where_psutil_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert machine.find_reader() is machine.read_proc


def test_elsewhere_nothing_is_read_without_psutil(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psutil", None)
    monkeypatch.setattr(sys, "platform", "win32")
    assert machine.find_reader() is None
