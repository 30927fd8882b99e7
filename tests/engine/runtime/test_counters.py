"""Counters of the machine: NVML by hand-made values, psutil as it is here, and no driver at all."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from engine.runtime import counters
from engine.runtime.counters import GpuCounters, PcieCounters, Sampler, machine_facts, open_sources
from engine.trace.counters import Sample


class NVMLError(Exception):
    """As pynvml's."""


class NotFoundError(NVMLError):
    """No sample since the last one."""


def fake_nvml(**changes: Any) -> Any:
    """An H200's worth of NVML: every call of counters.py, with hand-made values."""
    nvml = ModuleType("pynvml")
    sample = SimpleNamespace
    calls: dict[str, Any] = {
        "NVMLError": NVMLError,
        "NVMLError_NotFound": NotFoundError,
        "NVML_CLOCK_SM": 1,
        "NVML_CLOCK_MEM": 2,
        "NVML_TEMPERATURE_GPU": 0,
        "NVML_GPU_UTILIZATION_SAMPLES": 1,
        "NVML_VALUE_TYPE_DOUBLE": 0,
        "NVML_VALUE_TYPE_UNSIGNED_INT": 1,
        "NVML_PCIE_UTIL_TX_BYTES": 0,
        "NVML_PCIE_UTIL_RX_BYTES": 1,
        "nvmlInit": lambda: None,
        "nvmlDeviceGetHandleByIndex": lambda index: f"gpu {index}",
        "nvmlDeviceGetHandleByUUID": lambda uuid: uuid,
        "nvmlSystemGetDriverVersion": lambda: b"580.159",
        "nvmlDeviceGetDisplayActive": lambda _: 1,
        "nvmlDeviceGetMemoryInfo": lambda _: sample(used=3 * 2**30),
        "nvmlDeviceGetClockInfo": lambda _, kind: {1: 1980, 2: 3201}[kind],
        "nvmlDeviceGetTemperature": lambda *_: 44,
        "nvmlDeviceGetPowerUsage": lambda _: 412_500,
        "nvmlDeviceGetUtilizationRates": lambda _: sample(gpu=61, memory=20),
        "nvmlDeviceGetSamples": lambda *_: (1, []),
        "nvmlDeviceGetPcieThroughput": lambda _, kind: {0: 500_000, 1: 1_000_000}[kind],
    }
    for name, value in (calls | changes).items():
        setattr(nvml, name, value)
    return nvml


def refusing(*_: object) -> None:
    raise NVMLError("Not Supported")


def clock(*instants: int) -> Callable[[], int]:
    left = iter(instants)
    return lambda: next(left)


def by_name(samples: Sequence[Sample]) -> dict[str, Sample]:
    return {sample.counter: sample for sample in samples}


def test_that_a_gpu_tells_its_figures_over_the_time_they_are_true_for() -> None:
    gpu = GpuCounters(fake_nvml(nvmlDeviceGetSamples=refusing), "gpu 0")
    units = [("Utilization", "%"), ("Memory", "GiB"), ("Clock", "MHz"), ("Memory clock", "MHz")]
    assert list(gpu.units) == [*units, ("Temperature", "°C"), ("Power", "W")]
    assert by_name(gpu.read(clock(2_000_000_000))) == {"Power": Sample("Power", 1_000_000_000, 2_000_000_000, 412.5)}
    found = by_name(gpu.read(clock(2_200_000_000)))
    window = (2_000_000_000, 2_200_000_000)
    assert found["Utilization"] == Sample("Utilization", *window, 61.0)
    assert found["Memory"] == Sample("Memory", *window, 3.0)
    assert found["Clock"] == Sample("Clock", *window, 1980.0)
    assert found["Memory clock"].value == 3201
    assert found["Temperature"].value == 44
    assert found["Power"] == Sample("Power", 1_200_000_000, 2_200_000_000, 412.5)


def test_that_utilization_lies_where_the_drivers_own_stamps_say() -> None:
    told: list[Any] = []
    nvml = fake_nvml(nvmlDeviceGetSamples=lambda *_: (1, told))
    gpu = GpuCounters(nvml, "gpu 0")
    base_us = time.time_ns() // 1000
    told += [
        SimpleNamespace(timeStamp=base_us + offset, sampleValue=SimpleNamespace(uiVal=value))
        for offset, value in ((100_000, 30), (266_000, 90))
    ]
    _, second = [each for each in gpu.read(lambda: 5_000_000_000) if each.counter == "Utilization"]
    assert second.value == 90
    assert second.end_ns - second.start_ns == 166_000_000
    assert not [each for each in gpu.read(lambda: 5_200_000_000) if each.counter == "Utilization"]


def test_that_a_gpu_without_new_samples_keeps_its_row_and_one_without_a_counter_has_none() -> None:
    def none_new(*_: object) -> None:
        raise NotFoundError

    nvml = fake_nvml(nvmlDeviceGetSamples=none_new, nvmlDeviceGetPowerUsage=refusing, nvmlDeviceGetClockInfo=refusing)
    gpu = GpuCounters(nvml, "gpu 0")
    assert [name for name, _ in gpu.units] == ["Utilization", "Memory", "Temperature"]
    assert gpu.read(clock(10)) == []


def test_that_pcie_is_counted_over_the_call_that_blocks_and_seldom() -> None:
    pcie = PcieCounters(fake_nvml(), "gpu 0")
    assert pcie.period >= 0.5
    assert pcie.units == (("PCIe in", "MB/s"), ("PCIe out", "MB/s"))
    found = pcie.read(clock(100, 20_000_100, 20_000_200, 40_000_200))
    assert found == [Sample("PCIe in", 100, 20_000_100, 1024.0), Sample("PCIe out", 20_000_200, 40_000_200, 512.0)]
    assert PcieCounters(fake_nvml(nvmlDeviceGetPcieThroughput=refusing), "gpu 0").units == ()


def test_that_a_gpu_has_two_sources_and_facts_and_the_one_it_sees_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", fake_nvml())
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,1")
    monkeypatch.setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32")
    gpu, pcie = open_sources("cuda:1")
    assert gpu._handle == pcie._handle == "gpu 3"  # type: ignore[attr-defined]
    facts = dict(machine_facts("cuda:1"))
    assert facts == {"connections": "32", "driver": "580.159", "display": "attached"}


def test_that_without_a_driver_there_is_nothing_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_DEVICE_MAX_CONNECTIONS", raising=False)
    monkeypatch.setitem(sys.modules, "pynvml", fake_nvml(nvmlInit=refusing))
    assert open_sources("cuda") == []
    assert machine_facts("cuda") == (("connections", "8"),)
    assert open_sources("simulated") == []
    assert machine_facts("simulated") == ()


def test_that_the_real_library_says_that_there_is_no_driver() -> None:
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError_LibraryNotFound:
        assert open_sources("cuda") == []
    else:
        pytest.skip("this machine has an NVIDIA driver")


def test_that_a_processor_tells_of_its_cores_and_its_memory_between_two_readings() -> None:
    (processor,) = open_sources("cpu")
    names = [name for name, _ in processor.units]
    assert names[0] == "Processor"
    assert "Memory" in names
    assert processor.read(clock(0)) == []
    found = processor.read(clock(1_000))
    assert [sample.counter for sample in found] == names
    assert {(sample.start_ns, sample.end_ns) for sample in found} == {(0, 1_000)}
    assert all(0 <= sample.value <= 100 for sample in found if dict(processor.units)[sample.counter] == "%")
    assert by_name(found)["Memory"].value > 0


class Ticking:
    """A source that counts how often it is asked."""

    period = 0.001
    units = (("Ticks", ""),)

    def __init__(self) -> None:
        self.asked = 0

    def read(self, now: Callable[[], int]) -> list[Sample]:
        self.asked += 1
        return [Sample("Ticks", now(), now() + 1, float(self.asked))]


def test_that_a_sampler_asks_on_threads_of_its_own_and_ends_with_a_last_reading() -> None:
    source, told, threads = Ticking(), [], set()

    def report(samples: Sequence[Sample]) -> None:
        told.extend(samples)
        threads.add(threading.current_thread().name)

    sampler = Sampler([source], report)
    while len(told) < 3:
        time.sleep(0.001)
    sampler.close()
    asked = source.asked
    assert threads == {"counters"}
    assert [sample.value for sample in told] == list(range(1, asked + 1))
    assert told == sorted(told, key=lambda sample: sample.start_ns)
    time.sleep(0.01)
    assert source.asked == asked
    assert counters.PERIOD_SECONDS >= 0.1
