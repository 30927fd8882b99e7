"""Advising: asks for what would let a device plan run faster, a while after each change of it.

Another process looks for it: it never holds the window up. It is given up for a newer plan, and while a run goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from engine.model import Plan
from engine.session.advising import Advice, find_advice
from engine.session.document import Document
from engine.session.state import State

WAIT_MS = 400

Begin = Callable[[], Awaitable[object]]


class AnyRun(Protocol):
    """What is asked of a run."""

    @property
    def outcome(self) -> str | None:
        """How it ended, None while it goes on."""


class Advising(QObject):
    """`advised` carries a tuple of Advice, the best first; an empty one at once when the plan is another."""

    advised = Signal(object)

    def __init__(
        self,
        document: Callable[[], Document | None],
        spawn: Callable[[Begin, str], asyncio.Task[None]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.found: tuple[Advice, ...] = ()
        self._document = document
        self._spawn = spawn
        self._plan: Plan | None = None
        self._asking: asyncio.Task[None] | None = None
        self._is_answered = True
        self._is_running = False
        self._wait = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._wait.timeout.connect(self._begin)

    def show_state(self, state: State | None) -> None:
        """What was told of an earlier plan is no longer true; the plan as it is in a moment is asked about."""
        plan = None if state is None else state.plan
        if plan is not self._plan:
            self._plan = plan
            self._is_answered = plan is None
            self._tell(())
            self._ask_again()

    def show_run(self, run: AnyRun | None) -> None:
        """A run goes on or has ended: the processor is its own."""
        is_running = run is not None and run.outcome is None
        if is_running is not self._is_running:
            self._is_running = is_running
            self._ask_again()

    def _ask_again(self) -> None:
        """Give up the question there is; in a moment it is asked anew, if it still is one."""
        self._wait.stop()
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
        if not self._is_answered and not self._is_running:
            self._wait.start()

    def _begin(self) -> None:
        self._asking = self._spawn(self._answer, "advice")

    async def _answer(self) -> None:
        document = self._document()
        found = () if document is None else await find_advice(document)
        self._asking, self._is_answered = None, True
        self._tell(found)

    def _tell(self, found: tuple[Advice, ...]) -> None:
        self.found = found
        self.advised.emit(found)
