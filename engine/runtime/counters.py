"""Counters: what the machine says of itself while a run goes on: NVML of a GPU, psutil of a processor.

They never stand in a run's way: each source is asked on a thread of its own, and every sample carries the stretch of
time that it is true for. What a machine does not have is left out.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from engine.trace.counters import Sample

PERIOD_SECONDS = 0.2
# nvmlDeviceGetPcieThroughput blocks for some 20 ms, over which it counts.
PCIE_SECONDS = 0.5
# nvmlDeviceGetPowerUsage is the mean of the last second (Ampere and later, but for GA100).
POWER_NS = 1_000_000_000
MOST_CORES = 16
GIB = 2**30

Unit = tuple[str, str]
Report = Callable[[Sequence[Sample]], object]


class Source(Protocol):
    """Counters that are asked together, every `period` seconds, by one thread."""

    period: float

    @property
    def units(self) -> tuple[Unit, ...]:
        """Name and unit of each counter there is."""

    def read(self, now: Callable[[], int]) -> list[Sample]:
        """The samples since the last reading; `now` gives nanoseconds of the run."""


class ProcessorCounters:
    """psutil's counters of this machine. Utilization is the mean since the reading before."""

    period = PERIOD_SECONDS

    def __init__(self) -> None:
        import psutil

        self._psutil = psutil
        self._last: int | None = None
        self._cores = len(psutil.cpu_percent(percpu=True))
        self._has_frequency = psutil.cpu_freq() is not None and psutil.cpu_freq().current > 0
        self._sensor = _sensor(psutil)

    @property
    def units(self) -> tuple[Unit, ...]:
        """The mean of all cores, each of the first cores, memory, and frequency and temperature where they are told."""
        cores = [(f"Core {number}", "%") for number in range(min(self._cores, MOST_CORES))]
        found = [("Processor", "%"), *(cores if self._cores > 1 else ()), ("Memory", "GiB")]
        found += [("Frequency", "MHz")] if self._has_frequency else []
        return (*found, *([("Temperature", "°C")] if self._sensor else ()))

    def read(self, now: Callable[[], int]) -> list[Sample]:
        """Samples from the reading before to this one; the first only sets out."""
        shares = self._psutil.cpu_percent(percpu=True)
        end, start = now(), self._last
        self._last = end
        if start is None:
            return []
        values = {"Processor": sum(shares) / len(shares)}
        values |= {f"Core {number}": share for number, share in enumerate(shares[:MOST_CORES])}
        values["Memory"] = self._psutil.virtual_memory().used / GIB
        if self._has_frequency:
            values["Frequency"] = self._psutil.cpu_freq().current
        if self._sensor:
            values["Temperature"] = self._psutil.sensors_temperatures()[self._sensor][0].current
        return [Sample(name, start, end, float(values[name])) for name, _ in self.units]


class GpuCounters:
    """NVML's counters of one GPU, without those of PCIe. A counter that this GPU does not have is left out."""

    period = PERIOD_SECONDS

    def __init__(self, nvml: ModuleType, handle: Any) -> None:
        self._nvml = nvml
        self._handle = handle
        self._last: int | None = None
        # Buffered samples are stamped by the host's clock in microseconds since 1970.
        self._seen_us = time.time_ns() // 1000
        readers: dict[str, tuple[str, Callable[[], float]]] = {
            "Memory": ("GiB", lambda: nvml.nvmlDeviceGetMemoryInfo(handle).used / GIB),
            "Clock": ("MHz", lambda: nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_SM)),
            "Memory clock": ("MHz", lambda: nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_MEM)),
            "Temperature": ("°C", lambda: nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU)),
            "Power": ("W", lambda: nvml.nvmlDeviceGetPowerUsage(handle) / 1000),
        }
        self._readers = {name: each for name, each in readers.items() if self._try(each[1]) is not None}
        self._is_buffered = self._try(self._utilization) is not None
        self._has_rates = self._try(self._rates) is not None

    @property
    def units(self) -> tuple[Unit, ...]:
        """Utilization first."""
        first = [("Utilization", "%")] if self._is_buffered or self._has_rates else []
        return (*first, *((name, unit) for name, (unit, _) in self._readers.items()))

    def read(self, now: Callable[[], int]) -> list[Sample]:
        """Utilization by the driver's own buffered samples, power over the second it is the mean of; the rest since the
        reading before."""
        end, start = now(), self._last
        self._last = end
        found: list[Sample] = []
        if self._is_buffered:
            found += self._buffered(end)
        elif self._has_rates and start is not None and (share := self._try(self._rates)) is not None:
            found.append(Sample("Utilization", start, end, share))
        for name, (_, reader) in self._readers.items():
            value = self._try(reader)
            begin = max(0, end - POWER_NS) if name == "Power" else start
            if value is not None and begin is not None:
                found.append(Sample(name, begin, end, float(value)))
        return found

    def _buffered(self, end: int) -> list[Sample]:
        offset = end - time.time_ns()
        found: list[Sample] = []
        for stamp_us, value in self._try(self._utilization) or ():
            if stamp_us > self._seen_us:
                window = (self._seen_us * 1000 + offset, stamp_us * 1000 + offset)
                found.append(Sample("Utilization", max(0, window[0]), window[1], value))
                self._seen_us = stamp_us
        return found

    def _utilization(self) -> list[tuple[int, float]]:
        """(stamp in µs, percent) of the driver's samples since the last one seen."""
        nvml = self._nvml
        kind, samples = nvml.nvmlDeviceGetSamples(self._handle, nvml.NVML_GPU_UTILIZATION_SAMPLES, self._seen_us)
        field = {nvml.NVML_VALUE_TYPE_DOUBLE: "dVal", nvml.NVML_VALUE_TYPE_UNSIGNED_INT: "uiVal"}.get(kind, "ullVal")
        return [(int(each.timeStamp), float(getattr(each.sampleValue, field))) for each in samples]

    def _rates(self) -> float:
        return float(self._nvml.nvmlDeviceGetUtilizationRates(self._handle).gpu)

    def _try(self, read: Callable[[], Any]) -> Any:
        """What a call gives, None where this GPU or its driver does not have it."""
        try:
            return read()
        except self._nvml.NVMLError_NotFound:  # no sample since the last: a list without one
            return []
        except self._nvml.NVMLError:
            return None


class PcieCounters:
    """NVML's PCIe throughput of one GPU: each call blocks while it counts, so they have a thread to themselves."""

    period = PCIE_SECONDS

    def __init__(self, nvml: ModuleType, handle: Any) -> None:
        self._nvml = nvml
        self._handle = handle
        kinds = {"PCIe in": nvml.NVML_PCIE_UTIL_RX_BYTES, "PCIe out": nvml.NVML_PCIE_UTIL_TX_BYTES}
        self._kinds = {name: kind for name, kind in kinds.items() if self._read(kind) is not None}

    @property
    def units(self) -> tuple[Unit, ...]:
        """Both directions, as the GPU sees them."""
        return tuple((name, "MB/s") for name in self._kinds)

    def read(self, now: Callable[[], int]) -> list[Sample]:
        """Each over the time that its call took."""
        found = []
        for name, kind in self._kinds.items():
            start = now()
            rate = self._read(kind)
            if rate is not None:
                found.append(Sample(name, start, now(), rate))
        return found

    def _read(self, kind: int) -> float | None:
        try:
            return float(self._nvml.nvmlDeviceGetPcieThroughput(self._handle, kind)) * 1024 / 1e6
        except self._nvml.NVMLError:
            return None


def open_sources(kind: str) -> list[Source]:
    """The counters of a device of a kind; none for a simulated one, or where there is no driver to ask."""
    if kind == "cpu":
        return [ProcessorCounters()]
    opened = _open_gpu() if kind.partition(":")[0] == "cuda" else None
    if opened is None:
        return []
    return [source for source in (GpuCounters(*opened), PcieCounters(*opened)) if source.units]


def machine_facts(kind: str) -> tuple[tuple[str, str], ...]:
    """What a device's own description leaves out, as (name, text): driver, display, connections; governor."""
    facts: dict[str, str] = {}
    if kind == "cpu":
        governor = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
        with suppress(OSError):
            facts["governor"] = governor.read_text(encoding="ascii").strip()
    elif kind.partition(":")[0] == "cuda":
        facts["connections"] = os.environ.get("CUDA_DEVICE_MAX_CONNECTIONS", "8")
        if (opened := _open_gpu()) is not None:
            nvml, handle = opened
            with suppress(nvml.NVMLError):
                facts["driver"] = _text(nvml.nvmlSystemGetDriverVersion())
            with suppress(nvml.NVMLError):
                facts["display"] = "attached" if nvml.nvmlDeviceGetDisplayActive(handle) else "none"
    return tuple(facts.items())


class Sampler:
    """Asks sources while a run goes on, a thread each. `report` is called on those threads with what was read."""

    def __init__(self, sources: Sequence[Source], report: Report) -> None:
        self._zero_ns = time.perf_counter_ns()
        self._report = report
        self._is_over = threading.Event()
        self._threads = [
            threading.Thread(target=self._ask, args=(source,), name="counters", daemon=True) for source in sources
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop asking, after a last reading; waits for calls that block."""
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, source: Source) -> None:
        is_last = False
        while not is_last:
            found = source.read(self._now)
            if found:
                self._report(found)
            is_last = self._is_over.is_set()
            self._is_over.wait(source.period)

    def _now(self) -> int:
        return time.perf_counter_ns() - self._zero_ns


def _open_gpu() -> tuple[Any, Any] | None:
    """NVML and the handle of the GPU that this process sees; None without a driver."""
    import pynvml

    try:
        pynvml.nvmlInit()
        first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0].strip()
        if first.startswith("GPU-"):
            return pynvml, pynvml.nvmlDeviceGetHandleByUUID(first)
        return pynvml, pynvml.nvmlDeviceGetHandleByIndex(int(first) if first.isdecimal() else 0)
    except pynvml.NVMLError:  # NVMLError_LibraryNotFound: no driver
        return None


def _sensor(psutil: ModuleType) -> str:
    """The processor's temperature sensor; empty where there is none, or the system does not tell."""
    sensors: dict[str, object] = getattr(psutil, "sensors_temperatures", dict)()
    return next((name for name in ("coretemp", "k10temp", "cpu_thermal", "zenpower") if sensors.get(name)), "")


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
