"""The one loop that Qt and asyncio share, the garbage collector's pin and the watchdog of the main thread.

It never knows a plan, a window or a file: what it finds it logs.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import heapq
import logging
import math
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING, Any, TypeVarTuple

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer

if TYPE_CHECKING:

    class QtLoop(asyncio.SelectorEventLoop):
        """qasync comes without types; its loop is asyncio's with Qt beneath."""

        def _asyncgen_firstiter_hook(self, generator: AsyncGenerator[Any, Any]) -> None: ...
        def _asyncgen_finalizer_hook(self, generator: AsyncGenerator[Any, Any]) -> None: ...

else:
    from qasync import QEventLoop as QtLoop

log = logging.getLogger(__name__)

# Callbacks run for at most this long before paint and input have their turn.
SLICE_S = 0.004
# A Qt timer counts in int milliseconds; longer waits are waited for in turns.
LONGEST_WAIT_MS = 24 * 3600 * 1000
STALL_S = 0.25
PING_S = 0.1
COLLECT_MS = 100
# A collection of everything waits so many times as long as the last one took: it takes that share of the time at most.
FULL_APART = 50
# So many new objects are most often those of a worker that checks a plan or writes a file. Once it has ended they are
# gone, where to look at them takes up to 50 ms: a collection waits for that, but so many times only.
CROWD, PATIENCE = 10_000, 20

_Ts = TypeVarTuple("_Ts")


class Loop(QtLoop):
    """qasync's loop with its scheduling replaced: one queue and one posted event, one heap and one precise timer.

    What it cures of qasync 0.28:
    - call_later(inf), or over 24 days, raised OverflowError;
    - timers were coarse and fired early: asyncio.sleep(1) could return after 0.95 s;
    - every callback cost a Qt timer of its own, and canceled ones stayed until they were due;
    - a modal exec() inside a task made other tasks lose their wake-up for ever; now they wait until it ends;
    - call_soon_threadsafe returned None, dropped the context, and was ignored after close(); now it raises;
    - call_soon from another thread was lost in silence; now it runs, and in debug mode it raises;
    - the default executor's QThreads outlived shutdown_default_executor(), and a job that raised SystemExit never
      ended; now it is a ThreadPoolExecutor, which shutdown_default_executor() really waits for;
    - asynchronous generators that were left half-way were never finalized.
    Not cured, so not used here: asyncSlot and asyncClose. A KeyboardInterrupt waits for the next callback: the
    application adds a signal handler instead.
    """

    # asyncio's own, which qasync hides behind its QThreads.
    run_in_executor = asyncio.SelectorEventLoop.run_in_executor
    set_default_executor = asyncio.SelectorEventLoop.set_default_executor  # type: ignore[assignment]  # asyncio narrows it

    def __init__(self) -> None:
        self._ready: deque[asyncio.Handle] = deque()
        self._scheduled: list[asyncio.TimerHandle] = []
        self._sweep_at = 64
        self._exit: BaseException | None = None
        self._home = threading.get_ident()
        self._pump = _Pump(self._run_slice)
        super().__init__()

    def call_soon(
        self, callback: Callable[[*_Ts], object], *args: *_Ts, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Run `callback` in the next slice."""
        if self.get_debug() and threading.get_ident() != self._home:
            raise RuntimeError("call_soon() was called from another thread; use call_soon_threadsafe()")
        return self.call_soon_threadsafe(callback, *args, context=context)

    def call_soon_threadsafe(
        self, callback: Callable[[*_Ts], object], *args: *_Ts, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """The same from any thread; a RuntimeError once the loop is closed."""
        if self.is_closed():
            raise RuntimeError("Event loop is closed")
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        self._pump.wake()
        return handle

    def call_later(
        self, delay: float, callback: Callable[[*_Ts], object], *args: *_Ts, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Run `callback` after `delay` seconds, never earlier; infinity is never."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[[*_Ts], object], *args: *_Ts, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Run `callback` when time() has reached `when`."""
        if self.is_closed():
            raise RuntimeError("Event loop is closed")
        if len(self._scheduled) >= self._sweep_at:
            self._sweep()
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._scheduled, handle)
        if self._scheduled[0] is handle:
            self._arm()
        return handle

    def run_forever(self) -> None:
        """Run until stop(); what a callback raises to leave (SystemExit, KeyboardInterrupt) comes out here."""
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook)
        self._pump.wake()
        try:
            super().run_forever()
        finally:
            sys.set_asyncgen_hooks(*hooks)
        if self._exit is not None:
            error, self._exit = self._exit, None
            raise error

    def close(self) -> None:
        """Drop what still waits, and let go of Qt."""
        super().close()
        self._pump.stop()
        self._ready.clear()
        self._scheduled.clear()

    def _run_slice(self) -> None:
        # Inside exec() of a task no other task may be entered: the outer slice goes on when that returns.
        if not self.is_running() or asyncio.current_task(self) is not None:
            return
        self._take_due()
        end = time.monotonic() + SLICE_S
        while self._ready and self.is_running():
            handle = self._ready.popleft()
            if not handle.cancelled():
                self._run_one(handle)
            if time.monotonic() >= end:
                break
        if self._ready:
            self._pump.wake()
        self._arm()

    def _run_one(self, handle: asyncio.Handle) -> None:
        try:
            handle._run()  # noqa: SLF001
        except (SystemExit, KeyboardInterrupt) as error:
            self._exit = error
            self.stop()

    def _take_due(self) -> None:
        now = self.time()
        while self._scheduled and (self._scheduled[0].cancelled() or self._scheduled[0].when() <= now):
            self._ready.append(heapq.heappop(self._scheduled))

    def _sweep(self) -> None:
        self._scheduled = [handle for handle in self._scheduled if not handle.cancelled()]
        heapq.heapify(self._scheduled)
        self._sweep_at = max(64, 2 * len(self._scheduled))

    def _arm(self) -> None:
        if self._scheduled:
            wait_ms = (self._scheduled[0].when() - self.time()) * 1000
            self._pump.wake_in(math.ceil(min(max(wait_ms, 0), LONGEST_WAIT_MS)))


class _Pump(QObject):
    """Carries the loop's slices into Qt's: an event that any thread may post, and one timer."""

    EVENT = QEvent.Type(QEvent.registerEventType())

    def __init__(self, run_slice: Callable[[], None]) -> None:
        super().__init__()
        self._run_slice = run_slice
        self._is_posted = False
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(run_slice)

    def wake(self) -> None:
        """Post the event, unless one is under way."""
        if not self._is_posted:
            self._is_posted = True
            QCoreApplication.postEvent(self, QEvent(self.EVENT))

    def wake_in(self, wait_ms: int) -> None:
        """Start the timer anew."""
        self._timer.start(wait_ms)

    def stop(self) -> None:
        """No more slices."""
        self._timer.stop()

    def customEvent(self, event: QEvent) -> None:
        """One slice. The mark goes first: what another thread queues from here on posts an event of its own."""
        self._is_posted = False
        self._run_slice()


class CollectorPin(QObject):
    """Keeps cyclic garbage collection on the main thread, where Qt objects may die, and at moments it chooses."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._full_from_s, self._waited = 0.0, 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(COLLECT_MS)

    def collect(self) -> int | None:
        """Collect the oldest generation that is due, by the interpreter's own thresholds; returns it."""
        if gc.get_count()[0] > CROWD and self._waited < PATIENCE:
            self._waited += 1
            return None
        began, self._waited = time.monotonic(), 0
        oldest = 2 if began >= self._full_from_s else 1
        pairs = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, limit) in enumerate(pairs) if count > limit]
        if not due:
            return None
        chosen = min(due[-1], oldest)
        gc.collect(chosen)
        if chosen == 2:
            ended = time.monotonic()
            self._full_from_s = ended + FULL_APART * (ended - began)
        return chosen

    def settle(self) -> None:
        """Take what lives by now out of every later collection: modules and code, or a plan that was opened.

        What of it dies later is given back at once, unless it is garbage that holds itself.
        """
        gc.freeze()

    def stop(self) -> None:
        """Collect no more. The interpreter's own collection stays off: workers may still run while the process ends."""
        self._timer.stop()


class Watchdog:
    """A thread that asks the main thread ten times a second whether it answers.

    An answer later than 250 ms is a stall: where the main thread was is logged once, and its length at the end.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, stall_s: float = STALL_S) -> None:
        self._loop = loop
        self._stall_s = stall_s
        self._main = threading.get_ident()
        self._answered = threading.Event()
        self._stopped = threading.Event()
        self._slowest_s = 0.0
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """Stop asking, before the loop is closed."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def take_slowest_ms(self) -> float:
        """The slowest answer since this was last asked, in milliseconds."""
        slowest, self._slowest_s = self._slowest_s, 0.0
        return slowest * 1000

    def _watch(self) -> None:
        while not self._stopped.wait(PING_S):
            asked = time.monotonic()
            self._answered.clear()
            try:
                self._loop.call_soon_threadsafe(self._answered.set)
            except RuntimeError:  # the loop was closed first
                return
            is_stalled = not self._answered.wait(self._stall_s) and not self._stopped.is_set()
            if is_stalled:
                log.warning("the main thread does not answer; it is here:\n%s", self._where())
            while not self._answered.wait(self._stall_s):
                if self._stopped.is_set():
                    return
            answer_s = time.monotonic() - asked
            self._slowest_s = max(self._slowest_s, answer_s)
            if is_stalled:
                log.warning("the main thread answered after %.0f ms", answer_s * 1000)

    def _where(self) -> str:
        frame = sys._current_frames().get(self._main)  # noqa: SLF001
        return "".join(traceback.format_stack(frame)) if frame else "(gone)"
