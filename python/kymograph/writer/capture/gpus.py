"""What each GPU is doing, from NVML through `nvidia-ml-py` when that is installed."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["Gpus", "find_gpus"]

log = logging.getLogger(__name__)


def find_gpus() -> Gpus | None:
    """All GPUs that NVML shows; `None` without its Python module, a driver or a GPU."""
    try:
        nvml = importlib.import_module("pynvml")
    except ImportError:
        return None
    try:
        nvml.nvmlInit()
        handles = [nvml.nvmlDeviceGetHandleByIndex(at) for at in range(nvml.nvmlDeviceGetCount())]
    except nvml.NVMLError as error:
        log.debug("no GPU is captured: %s", error)
        return None
    return Gpus(nvml, handles)


class Gpus:
    """The GPUs of this machine; a question that one of them cannot answer is not asked again."""

    def __init__(self, nvml: Any, handles: list[Any]) -> None:
        self._nvml = nvml
        self._questions = {
            f"{at}/{name}": (ask, handle)
            for at, handle in enumerate(handles)
            for name, ask in _questions(nvml).items()
        }

    def read(self) -> Iterator[tuple[str, float]]:
        """Names like `0/power_watts`, and their values."""
        for name, (ask, handle) in list(self._questions.items()):
            try:
                yield name, ask(handle)
            except self._nvml.NVMLError as error:
                log.debug("not captured of the GPU: %s: %s", name, error)
                del self._questions[name]

    def close(self) -> None:
        """Releases NVML; others in this process may still use it."""
        self._nvml.nvmlShutdown()


def _questions(nvml: Any) -> dict[str, Callable[[Any], float]]:
    def memory_percent(handle: Any) -> float:
        memory = nvml.nvmlDeviceGetMemoryInfo(handle)
        return 100.0 * float(memory.used) / float(memory.total)

    return {
        "utilization_percent": lambda handle: nvml.nvmlDeviceGetUtilizationRates(handle).gpu,
        "memory_percent": memory_percent,
        "memory_mb": lambda handle: nvml.nvmlDeviceGetMemoryInfo(handle).used / 1e6,
        "temperature_celsius": lambda handle: nvml.nvmlDeviceGetTemperature(
            handle, nvml.NVML_TEMPERATURE_GPU
        ),
        "power_watts": lambda handle: nvml.nvmlDeviceGetPowerUsage(handle) / 1e3,
    }
