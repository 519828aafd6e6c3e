"""Which process of a distributed job this is, and whether others write to the same directory."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Rank", "find_rank", "warn_if_shared"]

log = logging.getLogger(__name__)

# Rank and world size of each launcher, most reliable first. A `LOCAL_RANK` counts within one
# machine, and with virtual local ranks it is 0 everywhere, so it says nothing here.
_LAUNCHERS = (
    ("RANK", "WORLD_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("PMIX_RANK", None),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
    ("HOROVOD_RANK", "HOROVOD_SIZE"),
    ("JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"),
)
# The batch script has a `SLURM_PROCID` as well; these are set by `srun` alone.
_SLURM_STEP = ("SLURM_STEP_NODELIST", "SLURM_STEP_NUM_TASKS")

_EVENT_FILE = r"events\.out\.tfevents\.(?P<secs>\d+)\.(?P<host>.+)\.(?P<pid>\d+)\.\d+"
# Ranks of one job build their writers within minutes; what is older is an earlier job's.
_SKEW_SECS = 120.0
_STARTED = time.time()

_reported: set[str] = set()
_checked: set[str] = set()


class Rank(NamedTuple):
    """This process among those of its job: `rank` of `world`, according to `source`."""

    rank: int
    world: int | None
    """How many there are; `None` if the launcher does not say."""
    source: str
    """`torch.distributed`, the name of a variable, or `none`."""


def find_rank() -> Rank:
    """The global rank: from `torch.distributed` if that is running, else from the launcher.

    Nothing is imported for the answer. A program that belongs to no job has rank 0, and the
    source `none`.
    """
    return _torch_rank() or _launcher_rank(os.environ) or Rank(0, None, "none")


def _torch_rank() -> Rank | None:
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed and distributed.is_available() and distributed.is_initialized():
            return Rank(distributed.get_rank(), distributed.get_world_size(), "torch.distributed")
    except Exception as error:  # noqa: BLE001  (half imported, or torn down by another thread)
        _report("torch.distributed", f"cannot ask `torch.distributed` for the rank: {error}")
    return None


def _launcher_rank(environment: Mapping[str, str]) -> Rank | None:
    for rank_name, world_name in _LAUNCHERS:
        if found := _read_rank(environment, rank_name, world_name):
            return found
    if any(name in environment for name in _SLURM_STEP):
        found = _read_rank(environment, "SLURM_PROCID", "SLURM_NTASKS")
        if found and (found.world or 0) > 1:
            return found
    return None


def _read_rank(
    environment: Mapping[str, str], rank_name: str, world_name: str | None
) -> Rank | None:
    rank = _read_number(environment, rank_name, lowest=0)
    if rank is None:
        return None
    world = _read_number(environment, world_name, lowest=1) if world_name else None
    if world is not None and rank >= world:
        message = f"ignored, no rank of {world_name}={world}: {rank_name}={rank}"
        _report(f"{rank_name}={rank}/{world}", message)
        return None
    return Rank(rank, world, rank_name)


def _read_number(environment: Mapping[str, str], name: str, *, lowest: int) -> int | None:
    text = environment.get(name)
    if text is None:
        return None
    if re.fullmatch(r"\s*[0-9]{1,9}\s*", text) and int(text) >= lowest:
        return int(text)
    _report(f"{name}={text}", f"ignored, not a number from {lowest}: {name}={text!r}")
    return None


def _report(key: str, message: str) -> None:
    """Logs `message`, the first time that `key` is seen."""
    if key not in _reported:
        _reported.add(key)
        log.warning("%s", message)


def warn_if_shared(
    log_dir: str | os.PathLike[str], *, rank: Rank | None = None, started: float = _STARTED
) -> None:
    """Warns once for a directory that another rank of this job writes into, too.

    To be called when the own event file exists and rank filtering is off. Whichever rank comes
    later sees the other's file; ranks that write into directories of their own get no warning.
    `started` is when this job began: older files are those of a job that is being resumed.
    """
    rank = rank or find_rank()
    if rank.rank == 0 and (rank.world or 1) == 1:
        return
    directory = os.path.abspath(log_dir)  # noqa: PTH100  (may be a string like `s3://…`)
    if directory in _checked:
        return
    _checked.add(directory)
    if other := _foreign_event_file(directory, started - _SKEW_SECS):
        world = "" if rank.world is None else f" of {rank.world}"
        log.warning(
            "rank %d%s shares its directory with other processes, curves will be mixed up: `%s`\n"
            'hint: with `rank_zero_only="auto"` only rank 0 writes, '
            "`rank_suffix=True` gives each rank a sub-run: %s",
            *(rank.rank, world, other, directory),
        )


def _foreign_event_file(directory: str, since: float) -> str | None:
    """An event file made since then by another process; `None` if there is none to be seen."""
    import socket  # most programs have one rank, and come without it

    own = (socket.gethostname(), str(os.getpid()))
    try:
        names = os.listdir(directory)  # noqa: PTH208
    except OSError:
        return None
    for name in sorted(names):
        match = re.match(_EVENT_FILE, name)
        if match and int(match["secs"]) >= since and (match["host"], match["pid"]) != own:
            return name
    return None
