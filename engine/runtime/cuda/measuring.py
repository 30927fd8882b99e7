"""Measuring: completions whose stamps are still to come, and the thread that asks CUPTI for them. It infers nothing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.program.operation import Nanoseconds
from engine.runtime.backend import Completion
from engine.runtime.cuda.activities import Activities, Measured, Record
from engine.runtime.cuda.recorder import Recorder

log = logging.getLogger(__name__)

FLUSH_SECONDS = 0.05
# A part whose records do not come keeps what its events say.
PATIENCE_NS = 1_000_000_000
# The event behind a library call fires right after its last work: an end much before it is that of one half recorded.
CLOSE_NS = 100_000


class Measuring:
    """Parts of one run that wait for their records. All but the thread's own loop is called on one thread.

    `post(records)` hands the records on to that thread.
    """

    def __init__(self, recorder: Recorder, post: Callable[[list[Record]], None]) -> None:
        self._recorder = recorder
        self._post = post
        self._activities = Activities()
        self._waiting: dict[int, tuple[Completion, bool]] = {}
        self._zero_ns = 0
        self._total = 0
        self._unmeasured = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._flush, name="activities", daemon=True)

    def begin(self, zero_ns: Nanoseconds) -> None:
        """`zero_ns` is the run's start on the clock of time.perf_counter_ns."""
        self._zero_ns = zero_ns
        self._thread.start()

    def expect(self, number: int, inferred: Completion, *, is_library: bool) -> None:
        """A part has ended; its stamps are inferred so far. A library call may be many works, any other part is one."""
        self._waiting[number] = inferred, is_library
        self._total += 1

    def take(self, records: Iterable[Record], now: Nanoseconds) -> list[Completion]:
        """Completions that are stamped now, in the order of their ends; `now` is from the run's start."""
        self._activities.take(records)
        found = []
        for number, (inferred, is_library) in list(self._waiting.items()):
            measured = self._activities.peek(number)
            if measured is not None and (not is_library or self._is_whole(measured, inferred)):
                found.append(self._stamped(measured, inferred))
            elif now - inferred.end_ns > PATIENCE_NS:
                self._unmeasured += 1
                found.append(inferred)
            else:
                continue
            self._activities.forget(number)
            del self._waiting[number]
        return sorted(found, key=lambda completion: completion.end_ns)

    def close(self) -> None:
        """Ask no more."""
        self._is_over.set()
        if self._thread.ident is not None:
            self._thread.join()
        if self._unmeasured:
            log.warning("%d of %d parts have inferred stamps: CUPTI gave no record", self._unmeasured, self._total)

    def _is_whole(self, measured: Measured, inferred: Completion) -> bool:
        return measured.end_ns - self._zero_ns >= inferred.end_ns - CLOSE_NS

    def _stamped(self, measured: Measured, inferred: Completion) -> Completion:
        """On the run's clock: no call before the host was told to make it, no work after it was seen to have ended."""
        end = min(measured.end_ns - self._zero_ns, inferred.end_ns)
        start = min(max(measured.start_ns - self._zero_ns, inferred.launch_ns), end)
        launch = min(max(measured.launch_ns - self._zero_ns, inferred.launch_ns), start)
        return replace(inferred, launch_ns=launch, start_ns=start, end_ns=end)

    def _flush(self) -> None:
        while not self._is_over.wait(FLUSH_SECONDS):
            self._post(self._recorder.drain())
