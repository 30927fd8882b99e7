"""Paints of one widget and turns of the loop, and what they took. They never say what is done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

# Milliseconds, and of them those that the window's thread worked.
Taken = tuple[float, float]
LONGEST_MS = 500.0
# A turn waits too: only what it worked is known.
NOT_KNOWN = float("nan")


class Frame(QObject):
    """The paints of one widget, counted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget, self._paints = widget, 0
        widget.installEventFilter(self)

    @property
    def paints(self) -> int:
        """How many there were."""
        return self._paints

    async def time(self, act: Callable[[], object]) -> Taken:
        """Milliseconds from an act to the end of the paint that shows it; none that never comes is waited for long."""
        await self.finish()
        before, began = self._paints, now()
        act()
        while self._paints == before and since(began)[0] < LONGEST_MS:
            QApplication.processEvents()
        return since(began)

    async def until(self, is_so: Callable[[], bool]) -> Taken:
        """Milliseconds until the end of the paint that shows something that comes later."""
        before, began = self._paints, now()
        while not (is_so() and self._paints != before) and since(began)[0] < LONGEST_MS:  # noqa: ASYNC110
            await asyncio.sleep(0.001)  # the worker needs the interpreter too
        return since(began)

    async def follow(self, act: Callable[[], object], is_over: Callable[[], bool]) -> tuple[Taken, Taken, Taken]:
        """From an act, which is a turn of the loop, to the end of the turn that paints it, the longest turn until all
        that follows `is_over`, and all of it."""
        await self.finish()
        paints, began, first = self._paints, now(), None

        def begin() -> None:
            nonlocal began
            turns.begin()
            began = now()
            act()

        def turned() -> None:
            nonlocal first
            if first is None and self._paints != paints:
                first = since(began)

        turns = Turns(turned)
        QTimer.singleShot(0, begin)
        while (first is None or not is_over()) and since(began)[0] < LONGEST_MS:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        turns.stop()
        return first or since(began), (NOT_KNOWN, max(turns.worked)), since(began)

    async def finish(self) -> None:
        """Have everything carried out that waits, paints too: they come some milliseconds after what asks for them."""
        quiet = 0
        while quiet < 3:
            before = self._paints
            await asyncio.sleep(0.004)
            quiet = quiet + 1 if self._paints == before else 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self._paints += event.type() is QEvent.Type.Paint
        return False


class Turns:
    """Milliseconds that the window's thread worked in each turn of its loop from now on. `turned` is told of each."""

    def __init__(self, turned: Callable[[], object] = lambda: None) -> None:
        self.worked: list[float] = []
        self._turned, self._last = turned, now()
        self._dispatcher = QAbstractEventDispatcher.instance()
        self._dispatcher.awake.connect(self._turn)

    def begin(self) -> None:
        """From here on, within a turn."""
        self.worked, self._last = [], now()

    def stop(self) -> None:
        """Look no more."""
        self._dispatcher.awake.disconnect(self._turn)

    def _turn(self) -> None:
        self.worked.append(since(self._last)[1])
        self._last = now()
        self._turned()


def now() -> Taken:
    """Seconds of the clock, and of them those that this thread worked."""
    return time.perf_counter(), time.thread_time()


def since(began: Taken) -> Taken:
    """Milliseconds that passed, and of them those that this thread worked."""
    wall, work = now()
    return (wall - began[0]) * 1e3, (work - began[1]) * 1e3


@contextmanager
def watching(widget: QWidget) -> Iterator[Frame]:
    """The paints of a widget for as long as it takes."""
    frame = Frame(widget)
    try:
        yield frame
    finally:
        widget.removeEventFilter(frame)
