"""How and where the program was started, and with which packages."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shlex
import socket
import sys
from collections.abc import Iterable
from pathlib import Path

from kymograph.writer.capture.part import Part, Writer, fenced

__all__ = ["Environment"]

# Nothing but these is logged: an environment is where people keep their passwords.
_VARIABLES = (
    *("CONDA_DEFAULT_ENV", "VIRTUAL_ENV", "PYTHONHASHSEED"),
    *("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUBLAS_WORKSPACE_CONFIG"),
    *("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"),
    *("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "TORCH_NCCL_ASYNC_ERROR_HANDLING"),
    *("NCCL_DEBUG", "NCCL_P2P_DISABLE", "NCCL_IB_DISABLE", "NCCL_SOCKET_IFNAME"),
    *("JAX_PLATFORMS", "XLA_FLAGS", "XLA_PYTHON_CLIENT_MEM_FRACTION", "KERAS_BACKEND"),
    *("TF_FORCE_GPU_ALLOW_GROWTH", "TF_ENABLE_ONEDNN_OPTS", "TOKENIZERS_PARALLELISM"),
    *("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"),
    *("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "GROUP_RANK"),
    *("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE"),
    *("SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_JOB_PARTITION", "SLURM_ARRAY_TASK_ID"),
    *("SLURM_NNODES", "SLURM_NTASKS", "SLURM_PROCID", "SLURM_NODEID"),
    *("LSB_JOBID", "PBS_JOBID", "JOB_COMPLETION_INDEX"),
)

_SECRET_FLAG = re.compile(
    r"(password|passwd|passphrase|secret|credentials?|auth|token|(api|access|private|secret)[-_]?key)$",
    re.IGNORECASE,
)
_URL_PASSWORD = re.compile(r"(\w://[^/\s:@]*:)[^/\s@]+(?=@)")


class Environment(Part):
    """Text under `run/command` and `run/packages`."""

    def record(self, writer: Writer, *, final: bool) -> None:  # noqa: ARG002
        writer.add_text("run/command", fenced("\n".join(_describe())), 0)
        writer.add_text("run/packages", fenced("\n".join(_packages())), 0)


def _describe() -> list[str]:
    facts = {
        "command": shlex.join(_without_secrets(sys.orig_argv)),
        "directory": str(Path.cwd()),
        "host": socket.gethostname(),
        "process": str(os.getpid()),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "cpus": str(os.cpu_count()),
    }
    facts |= {name: os.environ[name] for name in _VARIABLES if name in os.environ}
    return [f"{name}: {fact}" for name, fact in facts.items()]


def _without_secrets(arguments: Iterable[str]) -> list[str]:
    """The arguments, with stars for what follows a flag such as `--api-key`."""
    shown = []
    is_secret = False
    for argument in arguments:
        flag, equals, _ = argument.partition("=")
        names_secret = bool(_SECRET_FLAG.search(flag))
        if is_secret and not argument.startswith("-"):
            shown.append("***")
        elif names_secret and equals:
            shown.append(f"{flag}=***")
        else:
            shown.append(_URL_PASSWORD.sub(r"\1***", argument))
        is_secret = names_secret and not equals and argument.startswith("-")
    return shown


def _packages() -> list[str]:
    """Each installed distribution as `name==version`; the first on the path is the one in use."""
    found: dict[str, str] = {}
    for distribution in importlib.metadata.distributions():
        # `distribution.metadata` would parse whole read-me files.
        text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
        headers = text.partition("\n\n")[0]
        name = re.search(r"^Name: *(\S+)", headers, re.MULTILINE)
        version = re.search(r"^Version: *(\S+)", headers, re.MULTILINE)
        if name and version:
            found.setdefault(re.sub(r"[-_.]+", "-", name[1]).lower(), version[1])
    return sorted(f"{name}=={version}" for name, version in found.items())
