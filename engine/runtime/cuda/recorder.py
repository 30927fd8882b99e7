"""Recorder: CUPTI's activity records, where it is installed and free to be used. It decides nothing about parts."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from engine.runtime.cuda.activities import Belongs, Call, Record, Work
from engine.runtime.cuda.clock import within

# Another profiler has subscribed; CUPTI is newer than the driver; the machine does not allow it.
REASONS = {
    39: "another profiler is attached",
    15: "CUPTI does not fit the driver",
    14: "CUPTI does not fit the driver",
    35: "the driver reserves profiling to administrators",
}
# CONCURRENT_KERNEL and never KERNEL, which would run all kernels one after the other.
KINDS = ("CONCURRENT_KERNEL", "MEMCPY", "MEMSET", "RUNTIME", "DRIVER", "EXTERNAL_CORRELATION")
BUFFER_BYTES = 1 << 20
BRACKETS = 5


class Recorder:
    """Records until the process ends. Making one raises what CUPTI raises where it cannot be used."""

    def __init__(self, cupti: Any) -> None:
        self._cupti = cupti
        self._lock = threading.Lock()
        self._raw: list[Any] = []
        self._works = {cupti.ActivityKind[name] for name in KINDS[:3]}
        self._calls = {cupti.ActivityKind[name] for name in KINDS[3:5]}
        self._external = cupti.ActivityKind.EXTERNAL_CORRELATION
        self._ours = cupti.ExternalCorrelationKind.CUSTOM0
        for name in KINDS:
            cupti.activity_enable(cupti.ActivityKind[name])
        cupti.activity_register_callbacks(lambda: (BUFFER_BYTES, 0), self._completed)
        lowest, highest = self._bracketed()
        self._offset_ns = (lowest + highest) // 2

    @contextmanager
    def part(self, number: int) -> Iterator[None]:
        """Calls made on this thread while it lasts belong to the part of this number."""
        self._cupti.activity_push_external_correlation_id(self._ours, number)
        try:
            yield
        finally:
            self._cupti.activity_pop_external_correlation_id(self._ours)

    def drain(self) -> list[Record]:
        """All records that are complete, their instants on the clock of time.perf_counter_ns. Blocks shortly."""
        self._cupti.activity_flush_all(0)
        # The two clocks drift apart; the offset moves only where it cannot be right any more.
        self._offset_ns = within(self._offset_ns, *self._bracketed())
        with self._lock:
            raw, self._raw = self._raw, []
        return list(self._records(raw))

    def _completed(self, records: Iterable[Any]) -> None:
        """On a thread of CUPTI's own, which must not be kept."""
        with self._lock:
            self._raw.extend(records)

    def _records(self, raw: Iterable[Any]) -> Iterator[Record]:
        for each in raw:
            kind = each.kind
            if kind in self._works:
                start, end = each.start, each.end
                yield Work(each.correlation_id, start and start + self._offset_ns, end and end + self._offset_ns)
            elif kind in self._calls:
                yield Call(each.correlation_id, each.start + self._offset_ns)
            elif kind == self._external and each.external_kind == self._ours:
                yield Belongs(each.correlation_id, each.external_id)

    def _bracketed(self) -> tuple[int, int]:
        """Least and greatest that perf_counter_ns minus CUPTI's clock can be: the narrowest of some brackets."""
        found: list[tuple[int, int, int]] = []
        for _ in range(BRACKETS):
            before = time.perf_counter_ns()
            stamp = self._cupti.get_timestamp()
            after = time.perf_counter_ns()
            found.append((after - before, before - stamp, after - stamp))
        return min(found)[1:]


@cache
def open_recorder() -> tuple[Recorder | None, str]:
    """The recorder of this process, or None and why there is none ("" where CUPTI is simply not installed).

    CUPTI must be asked before the first kernel, and is asked once.
    """
    try:
        cupti = importlib.import_module("cupti.cupti")
    except ImportError:
        return None, ""
    try:
        return Recorder(cupti), ""
    except RuntimeError as problem:  # what it raises without a driver, too
        return None, str(problem) or type(problem).__name__
    except cupti.cuptiError as problem:
        return None, REASONS.get(getattr(problem, "status", 0), str(problem))
