"""What every benchmark states besides its answer: memory, processor time, machine, raw numbers."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import re
import time
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results"
PACKAGES = (
    *("kymograph", "tensorboard", "tensorboard-data-server", "torch", "tensorboardX"),
    *("numpy", "pandas", "protobuf"),
)
MB = 1e6


def status_bytes(field: str, pid: int | str = "self") -> int:
    """A memory figure of /proc/PID/status: `VmRSS` is resident now, `VmHWM` the most there was."""
    text = Path(f"/proc/{pid}/status").read_text()
    found = re.search(rf"^{field}:\s+(\d+) kB", text, re.MULTILINE)
    if not found:
        raise SystemExit(f"no {field} for process {pid}: this benchmark needs Linux")
    return int(found[1]) * 1024


def forget_peak() -> None:
    """Resets `VmHWM` of this process to its current resident size."""
    Path("/proc/self/clear_refs").write_text("5")


def cpu_seconds(pid: int) -> float:
    """Processor time of a running process, all threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def warm(directory: Path) -> None:
    """Reads every file once, so that all contenders find it in the page cache."""
    for path in sorted(directory.rglob("*tfevents*")):
        with path.open("rb", buffering=0) as file:
            while file.read(1 << 22):
                pass


def machine() -> dict[str, Any]:
    """Facts a reader needs to compare two results files; nothing that names the machine."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return {
        "cpu": cpu[1] if cpu else platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "kernel": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load_average_at_start": [round(load, 2) for load in os.getloadavg()],
    }


def versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def write_results(question: str, content: dict[str, Any]) -> Path:
    """Keeps the raw numbers as results/<date>-<question>.json; the last run of a day stays."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{datetime.date.today().isoformat()}-{question}.json"
    facts = {
        "question": question,
        "finished": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "machine": machine(),
        "versions": versions(),
    }
    path.write_text(json.dumps(facts | content, indent=1) + "\n")
    return path
