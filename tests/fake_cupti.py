"""A stand-in for CUPTI's Python module, beside the one for CuPy: records of calls and work, handed over when flushed.

It has a clock of its own, and gives a record only once its work is done. It proves our logic, never CUPTI's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from enum import IntEnum
from itertools import count
from types import SimpleNamespace
from typing import Any

CLOCK_AHEAD_NS = 5_000_000_000_000


class ActivityKind(IntEnum):
    MEMCPY = 1
    MEMSET = 2
    DRIVER = 4
    RUNTIME = 5
    CONCURRENT_KERNEL = 10
    EXTERNAL_CORRELATION = 39


class ExternalCorrelationKind(IntEnum):
    CUSTOM0 = 4


class CuptiError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(f"ERROR ({status})")
        self.status = status


class FakeCupti:
    """The module's functions; `refusal` is the status that enabling raises, `lost` what is never recorded."""

    ActivityKind = ActivityKind
    ExternalCorrelationKind = ExternalCorrelationKind
    cuptiError = CuptiError  # noqa: N815  its name in CUPTI

    def __init__(self, cupy: Any, refusal: int = 0, lost: tuple[str, ...] = ()) -> None:
        self.refusal, self.lost = refusal, lost
        self.records: list[Any] = []
        self.lock = threading.Lock()
        self.ids = threading.local()
        self.numbers = count(1000)
        self.completed: Callable[[list[Any]], None] = lambda records: None
        cupy.gpu.watcher = self

    def activity_enable(self, kind: ActivityKind) -> None:
        if self.refusal:
            raise CuptiError(self.refusal)

    def activity_register_callbacks(self, requested: Callable[[], Any], completed: Callable[..., None]) -> None:
        assert requested()[1] == 0
        self.completed = completed

    def activity_push_external_correlation_id(self, kind: ExternalCorrelationKind, number: int) -> None:
        assert number > 0
        self.ids.stack = [*getattr(self.ids, "stack", []), number]

    def activity_pop_external_correlation_id(self, kind: ExternalCorrelationKind) -> int:
        number: int = self.ids.stack.pop()
        return number

    def activity_flush_all(self, flag: int) -> None:
        with self.lock:
            records, self.records = self.records, []
        self.completed(records)

    def get_timestamp(self) -> int:
        return time.perf_counter_ns() + CLOCK_AHEAD_NS

    # What the stand-in for CuPy tells.

    def called(self) -> int:
        number = next(self.numbers)
        now = self.get_timestamp()
        with self.lock:
            self.records.append(
                SimpleNamespace(kind=ActivityKind.RUNTIME, correlation_id=number, start=now, end=now + 1)
            )
            for part in getattr(self.ids, "stack", [])[-1:]:
                kinds = {"kind": ActivityKind.EXTERNAL_CORRELATION, "external_kind": ExternalCorrelationKind.CUSTOM0}
                self.records.append(SimpleNamespace(**kinds, correlation_id=number, external_id=part))
        return number

    def worked(self, what: str, correlation: int, start: int, end: int) -> None:
        kind = ActivityKind.MEMCPY if what == "copy" else ActivityKind.CONCURRENT_KERNEL
        if what not in self.lost:
            times = {"start": start + CLOCK_AHEAD_NS, "end": end + CLOCK_AHEAD_NS}
            with self.lock:
                self.records.append(SimpleNamespace(kind=kind, correlation_id=correlation, **times))
