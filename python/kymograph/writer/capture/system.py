"""System metrics: how busy the machine, this process and the GPUs are, every few seconds."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator

from kymograph.writer.capture import gpus, machine
from kymograph.writer.capture.part import Part, Writer

__all__ = ["SystemMetrics"]


class SystemMetrics(Part):
    """Scalars below `system/`; their step is the number of seconds since the start.

    Percentages of the process are of one core, so that two busy threads make 200.
    """

    def __init__(self, *, interval_secs: float = 10.0) -> None:
        if not interval_secs > 0:
            raise ValueError(f"`interval_secs` must be above zero: {interval_secs}")
        self.interval_secs = interval_secs
        self._started = 0.0
        self._is_open = False
        self._previous: tuple[float, machine.Counters] | None = None

    def begin(self) -> None:
        self._started = time.monotonic()

    def record(self, writer: Writer, *, final: bool) -> None:
        if not self._is_open:
            # Looking for psutil and NVML takes a while, so it is done here, not in `begin`.
            self._read = machine.find_reader()
            self._gpus = gpus.find_gpus()
            self._is_open = True
        now = time.monotonic()
        # Rates over a moment say nothing, and a second point on the same step hides the first.
        if final and self._previous and now - self._previous[0] < 1:
            return
        step = int(now - self._started)
        for name, value in self._values(now, writer):
            writer.add_scalar(f"system/{name}", value, step)

    def end(self) -> None:
        if self._is_open and self._gpus:
            self._gpus.close()

    def _values(self, now: float, writer: Writer) -> Iterator[tuple[str, float]]:
        if self._read:
            counters = self._read()
            yield "memory_percent", counters.memory_percent
            yield "process_memory_mb", counters.process_memory_bytes / 1e6
            if self._previous:
                yield from _rates(now - self._previous[0], self._previous[1], counters)
            self._previous = (now, counters)
        try:
            disk = shutil.disk_usage(writer.get_logdir())
        except OSError:  # not on a disk of this machine
            pass
        else:
            yield "disk_percent", 100.0 * disk.used / (disk.used + disk.free)
        if self._gpus:
            for name, value in self._gpus.read():
                yield f"gpu/{name}", value


def _rates(
    secs: float, before: machine.Counters, after: machine.Counters
) -> Iterator[tuple[str, float]]:
    # Counters of virtual machines and of devices that were unplugged run backwards at times.
    def grown(name: str) -> float:
        return max(0.0, float(getattr(after, name)) - float(getattr(before, name)))

    if all_secs := grown("cpu_all_secs"):
        yield "cpu_percent", min(100.0, 100.0 * grown("cpu_busy_secs") / all_secs)
    yield "process_cpu_percent", 100.0 * grown("process_cpu_secs") / secs
    for kind in ("disk_read", "disk_written", "network_received", "network_sent"):
        yield f"{kind}_mb_per_sec", grown(f"{kind}_bytes") / 1e6 / secs
