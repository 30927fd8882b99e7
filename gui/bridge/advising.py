"""Advising: asks a worker what would let a device plan run faster, a while after each change of it.

It never holds the window up: while one answer is made no other is, and one for an earlier plan is not told.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, QTimer, Signal

from engine.model import Plan
from engine.session.advising import Advice, adviser
from engine.session.document import Document
from engine.session.state import State

WAIT_MS = 400
# After so long what was found is told, and no more is looked for.
MOST_SECONDS = 2.0

Begin = Callable[[], Awaitable[object]]


class Advising(QObject):
    """`advised` carries a tuple of Advice, the best first; an empty one at once when the plan is another."""

    advised = Signal(object)

    def __init__(
        self,
        document: Callable[[], Document | None],
        spawn: Callable[[Begin, str], object],
        ask: Callable[[Callable[[], object]], Awaitable[object]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.found: tuple[Advice, ...] = ()
        self._document = document
        self._spawn = spawn
        self._ask = ask
        self._is_asking = False
        self._plan: Plan | None = None
        self._wait = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._wait.timeout.connect(self._begin)

    def show_state(self, state: State | None) -> None:
        """What was told of an earlier plan is no longer true; the plan as it is in a moment is asked about."""
        plan = None if state is None else state.plan
        if plan is not self._plan:
            self._plan = plan
            self._tell(())
            self._wait.start()

    def _begin(self) -> None:
        document = self._document()
        if document is not None and not self._is_asking:
            self._is_asking = True
            self._spawn(self._answer, "advice")

    async def _answer(self) -> None:
        document, plan = self._document(), self._plan
        found: object = ()
        try:
            if document is not None:
                end = time.monotonic() + MOST_SECONDS
                found = await self._ask(adviser(document, lambda: plan is self._plan and time.monotonic() < end))
        finally:
            self._is_asking = False
        if plan is self._plan and isinstance(found, tuple):
            self._tell(found)
        else:
            self._wait.start()

    def _tell(self, found: tuple[Advice, ...]) -> None:
        self.found = found
        self.advised.emit(found)
