"""What is asked of NVML, on a driver that is played: machines that test have no GPU."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from kymograph.writer.capture.gpus import find_gpus


class NVMLError(Exception):
    pass


def refuse():
    raise NVMLError("Not Supported")


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    nvml = ModuleType("pynvml")
    vars(nvml).update(
        NVMLError=NVMLError,
        NVML_TEMPERATURE_GPU=0,
        opened=0,
        nvmlInit=lambda: setattr(nvml, "opened", nvml.opened + 1),
        nvmlShutdown=lambda: setattr(nvml, "opened", nvml.opened - 1),
        nvmlDeviceGetCount=lambda: 2,
        nvmlDeviceGetHandleByIndex=lambda at: at,
        nvmlDeviceGetUtilizationRates=lambda at: SimpleNamespace(gpu=90 + at, memory=5),
        nvmlDeviceGetMemoryInfo=lambda _: SimpleNamespace(total=80e9, used=20e9),
        nvmlDeviceGetTemperature=lambda at, sensor: 60 + at + sensor,
        nvmlDeviceGetPowerUsage=lambda _: 250_500,
    )
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    return nvml


def test_every_gpu_is_read_in_our_units(driver: ModuleType):
    gpus = find_gpus()
    assert gpus is not None
    assert dict(gpus.read()) == {
        "0/utilization_percent": 90,
        "0/memory_percent": 25.0,
        "0/memory_mb": 20_000,
        "0/temperature_celsius": 60,
        "0/power_watts": 250.5,
        "1/utilization_percent": 91,
        "1/memory_percent": 25.0,
        "1/memory_mb": 20_000,
        "1/temperature_celsius": 61,
        "1/power_watts": 250.5,
    }
    gpus.close()
    assert driver.opened == 0


def test_what_a_gpu_does_not_know_is_asked_once(driver: ModuleType):
    gpus = find_gpus()
    assert gpus is not None
    asked: list[int] = []

    def power(at: int):
        asked.append(at)
        refuse()

    vars(driver)["nvmlDeviceGetPowerUsage"] = power
    for _ in range(2):
        names = [name for name, _ in gpus.read()]
        assert len(names) == 8
    assert asked == [0, 1]


def test_no_driver_is_no_gpu(driver: ModuleType):
    vars(driver)["nvmlInit"] = refuse
    assert find_gpus() is None


def test_no_module_is_no_gpu(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert find_gpus() is None
