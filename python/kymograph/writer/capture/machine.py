"""Counters of the machine and of this process: from psutil, or on Linux from `/proc`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

__all__ = ["Counters", "find_reader", "read_proc", "read_psutil"]

T = TypeVar("T")

_LOOPBACK = {"lo", "lo0"}
_SECTOR_BYTES = 512  # in /proc/diskstats, whatever the disk's own sector size is


@dataclass(frozen=True)
class Counters:
    """Counts since boot or since the process began, and what is so at this moment."""

    cpu_busy_secs: float
    cpu_all_secs: float
    """Busy and idle, of all cores."""
    process_cpu_secs: float
    memory_percent: float
    process_memory_bytes: int
    disk_read_bytes: int
    disk_written_bytes: int
    network_received_bytes: int
    """Of all interfaces but loopback, as is what was sent."""
    network_sent_bytes: int


def find_reader() -> Callable[[], Counters] | None:
    """The best reader that works here; `None` without psutil outside Linux."""
    try:
        import psutil  # noqa: F401
    except ImportError:
        return read_proc if sys.platform == "linux" else None
    return read_psutil


def read_psutil() -> Counters:
    """The counters by way of psutil.

    Not by its `cpu_percent`, which measures since the last call by any code.
    """
    import psutil

    cpu = psutil.cpu_times()
    # Linux counts the time of guests in that of users, too.
    all_secs = sum(cpu) - getattr(cpu, "guest", 0.0) - getattr(cpu, "guest_nice", 0.0)
    disk = psutil.disk_io_counters()
    network = _beyond_loopback(psutil.net_io_counters(pernic=True))
    return Counters(
        cpu_busy_secs=all_secs - cpu.idle - getattr(cpu, "iowait", 0.0),
        cpu_all_secs=all_secs,
        process_cpu_secs=time.process_time(),
        memory_percent=psutil.virtual_memory().percent,
        process_memory_bytes=psutil.Process().memory_info().rss,
        disk_read_bytes=disk.read_bytes if disk else 0,
        disk_written_bytes=disk.write_bytes if disk else 0,
        network_received_bytes=sum(interface.bytes_recv for interface in network),
        network_sent_bytes=sum(interface.bytes_sent for interface in network),
    )


def read_proc() -> Counters:
    """The counters by way of `/proc`, counted as psutil counts."""
    user, nice, system, idle, iowait, *rest = _cpu_secs()
    all_secs = user + nice + system + idle + iowait + sum(rest)
    read_bytes, written_bytes = _disk_bytes()
    received_bytes, sent_bytes = _network_bytes()
    resident_pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return Counters(
        cpu_busy_secs=all_secs - idle - iowait,
        cpu_all_secs=all_secs,
        process_cpu_secs=time.process_time(),
        memory_percent=_memory_percent(),
        process_memory_bytes=resident_pages * os.sysconf("SC_PAGE_SIZE"),
        disk_read_bytes=read_bytes,
        disk_written_bytes=written_bytes,
        network_received_bytes=received_bytes,
        network_sent_bytes=sent_bytes,
    )


def _cpu_secs() -> list[float]:
    """User, nice, system, idle, iowait, irq, softirq, steal; guests are in user and nice."""
    with open("/proc/stat", encoding="ascii") as file:  # noqa: PTH123  (its rest may be long)
        fields = file.readline().split()[1:9]
    return [int(field) / os.sysconf("SC_CLK_TCK") for field in fields]


def _memory_percent() -> float:
    lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    sizes = {name: int(size.split()[0]) for name, size in (line.split(":") for line in lines)}
    return 100.0 * (1 - sizes["MemAvailable"] / sizes["MemTotal"])


def _disk_bytes() -> tuple[int, int]:
    """Read and written, of whole disks: a partition's are counted in its disk's."""
    try:
        disks = set(os.listdir("/sys/block"))  # noqa: PTH208
        lines = Path("/proc/diskstats").read_text("ascii").splitlines()
    except OSError:  # some containers hide them
        return 0, 0
    fields = [line.split() for line in lines]
    # `/sys` writes the slash of names like `cciss/c0d0` as an exclamation mark.
    whole = [field for field in fields if field[2].replace("/", "!") in disks]
    return (
        sum(int(field[5]) for field in whole) * _SECTOR_BYTES,
        sum(int(field[9]) for field in whole) * _SECTOR_BYTES,
    )


def _network_bytes() -> tuple[int, int]:
    """Received and sent."""
    lines = Path("/proc/net/dev").read_text("ascii").splitlines()[2:]
    # An alias like `eth0:1` has a colon of its own.
    parts = (line.rpartition(":") for line in lines)
    named = {name.strip(): counts.split() for name, _, counts in parts}
    counts = _beyond_loopback(named)
    return sum(int(count[0]) for count in counts), sum(int(count[8]) for count in counts)


def _beyond_loopback(interfaces: Mapping[str, T]) -> list[T]:
    return [counts for name, counts in interfaces.items() if name not in _LOOPBACK]
