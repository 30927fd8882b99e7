"""Forecasting: asks a worker how long a pass of the plan should take, a little after each change of it.

It never holds the window up: while one answer is made no other is, and one for an earlier plan is not told.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, QTimer, Signal

from engine.model import Plan
from engine.session.document import Document
from engine.session.profiles import DeviceProfile
from engine.session.state import State

WAIT_MS = 200

Begin = Callable[[], Awaitable[object]]


class Forecasting(QObject):
    """`forecast_made` carries ns, or None while nothing is known. `ask` runs blocking work in a worker, `spawn` a
    coroutine; `profile` says what predicts runs, None for the plan's own profile."""

    forecast_made = Signal(object)

    def __init__(
        self,
        document: Callable[[], Document | None],
        spawn: Callable[[Begin, str], object],
        ask: Callable[[Callable[[], object]], Awaitable[object]],
        profile: Callable[[], DeviceProfile | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._spawn = spawn
        self._ask = ask
        self._profile = profile
        self._is_asking = False
        self._plan: Plan | None = None
        self._used: DeviceProfile | None = None
        self._wait = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._wait.timeout.connect(self._begin)

    def show_state(self, state: State | None) -> None:
        """What was told of an earlier plan is no longer true; the plan as it is in a moment is asked about."""
        plan = None if state is None else state.plan
        if plan is not self._plan:
            self._plan = plan
            self.forecast_made.emit(None)
            self._wait.start()

    def look_at_profile(self) -> None:
        """Another profile may predict the plan now: then what was told is no longer true."""
        if self._profile() is not self._used:
            self.forecast_made.emit(None)
            self._wait.start()

    def _begin(self) -> None:
        document = self._document()
        if document is not None and not self._is_asking:
            self._is_asking = True
            self._spawn(self._answer, "forecast")

    async def _answer(self) -> None:
        document, plan = self._document(), self._plan
        self._used = self._profile()
        try:
            found = None if document is None else await self._ask(document.forecaster(self._used))
        finally:
            self._is_asking = False
        if plan is self._plan:
            self.forecast_made.emit(found)
        else:
            self._wait.start()
