"""Filing: files that are read and written in a worker, told of once that takes long, and given up when asked to.

It never knows what a file holds, and never touches the plan that is open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from engine.session.importing import watched
from gui.bridge.inquiry import Begin, GivenUpError, Watched

T = TypeVar("T")

# What is over sooner is not worth a word; from then on it is told so often how far it is.
WAIT_MS, TELL_MS = 150, 100


@dataclass(slots=True, eq=False)
class _Work:
    """One file that is read or written."""

    name: str
    is_read: bool
    share: Watched = field(default_factory=Watched)
    is_long: bool = False


class Filing(QObject):
    """`told` carries what goes on and how much of it is done, from 0 to 1, or -1 where nobody knows; an empty sentence
    once nothing does. `left` carries a sentence about a file that was given up.
    """

    told = Signal(str, float)
    left = Signal(str)

    def __init__(self, spawn: Callable[[Begin, str], asyncio.Task[None]], parent: QObject) -> None:
        super().__init__(parent)
        self._spawn = spawn
        self._opening: asyncio.Task[None] | None = None
        self._works: list[_Work] = []
        self._timer = QTimer(self, interval=TELL_MS)
        self._timer.timeout.connect(self._tell)

    def open(self, begin: Begin, name: str) -> None:
        """Open something in the place of what is open. The newest wish wins: one that is on its way is dropped."""
        self.drop()
        self._opening = self._spawn(begin, f"open {name}")

    def drop(self) -> None:
        """Open nothing that is on its way."""
        if self._opening is not None:
            self._opening.cancel()
            self._opening = None

    def cancel(self) -> None:
        """Give up what is read or written, as far as it is not done yet."""
        if self._works:
            work = self._works[-1]
            work.share.is_given_up = True
            if work.is_read:
                self.left.emit(self.tr("“{name}” was not opened.").format(name=work.name))
                self.drop()

    async def read(self, name: str, work: Callable[[], T]) -> T:
        """What a worker reads of a file. It is dropped at once when it is given up."""
        try:
            return await self._do(_Work(name, is_read=True), work)
        except GivenUpError as error:
            raise asyncio.CancelledError from error

    async def write(self, name: str, work: Callable[[], T]) -> T | None:
        """What a worker says of a file that it wrote; None where it was given up and is as it was."""
        try:
            return await self._do(_Work(name, is_read=False), work)
        except GivenUpError:
            self.left.emit(self.tr("“{name}” was not written; it is as it was.").format(name=name))
            return None

    async def _do(self, going: _Work, work: Callable[[], T]) -> T:
        self._works.append(going)
        QTimer.singleShot(WAIT_MS, self, partial(self._take_long, going))
        try:
            return await in_worker(lambda: _told_to(going.share, work))
        finally:
            going.share.is_given_up = True
            self._works.remove(going)
            self._tell()

    def _take_long(self, going: _Work) -> None:
        if going in self._works:
            going.is_long = True
            self._timer.start()
            self._tell()

    def _tell(self) -> None:
        """The latest of what has gone on long enough."""
        long = [each for each in self._works if each.is_long]
        if long:
            share = long[-1].share.share
            self.told.emit(self._words(long[-1]), share if 0 < share < 1 else -1.0)
        elif self._timer.isActive():
            self._timer.stop()
            self.told.emit("", -1.0)

    def _words(self, work: _Work) -> str:
        if not work.is_read:
            return self.tr("Saving “{name}”…").format(name=work.name)
        if work.share.share < 1:
            return self.tr("Opening “{name}”…").format(name=work.name)
        return self.tr("Opening “{name}”: its dates are calculated…").format(name=work.name)


async def in_worker(work: Callable[[], T]) -> T:
    """What a worker makes of it."""
    return await asyncio.get_running_loop().run_in_executor(None, work)


def _told_to(share: Watched, work: Callable[[], T]) -> T:
    with watched(share):
        return work()
