"""Findings: asks a worker what is wrong with the plan's dates, and which differ from those of the file it came from.

A little after each change; it never holds the window up, and nothing is told of an earlier plan.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from engine.model import Clock
from engine.schedule.conflicts import Conflict
from engine.session.differences import Difference, find_differences
from engine.session.problems import problems
from engine.session.state import State

WAIT_MS = 100

Begin = Callable[[], Awaitable[object]]
Ask = Callable[[Callable[[], object]], Awaitable[object]]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What was found of a state: its problems, and the dates that differ, none unless they were asked for."""

    state: State
    problems: tuple[Conflict, ...]
    differences: tuple[Difference, ...]


class Findings(QObject):
    """`found` carries Found, or None at once when another plan is open. `is_comparing`: whether recorded dates are
    looked at; that is so from the beginning for a plan that came from a file of another program.
    """

    found = Signal(object)

    def __init__(self, spawn: Callable[[Begin, str], object], ask: Ask, parent: QObject) -> None:
        super().__init__(parent)
        self.is_comparing = False
        self._spawn = spawn
        self._ask = ask
        self._state: State | None = None
        self._is_asking = False
        self._wait = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._wait.timeout.connect(self._begin)

    def show_document(self, state: State | None) -> None:
        """Another plan is open, or none."""
        self.is_comparing = state is not None and not state.path
        self._state = None
        self.found.emit(None)
        self.show_state(state)

    def show_state(self, state: State | None) -> None:
        """The plan may be another one now."""
        is_same = state is not None and self._state is not None and state.plan is self._state.plan
        self._state = state
        if state is not None and not is_same:
            self._wait.start()

    def compare(self, is_comparing: bool) -> None:
        """Look at recorded dates from now on, or no longer."""
        self.is_comparing = is_comparing
        if self._state is not None:
            self._wait.start()

    def _begin(self) -> None:
        if self._state is not None and not self._is_asking:
            self._is_asking = True
            self._spawn(partial(self._answer, self._state, self.is_comparing), "find problems")

    async def _answer(self, state: State, is_comparing: bool) -> None:
        try:
            found = await self._ask(partial(_find, state, is_comparing))
        finally:
            self._is_asking = False
        now = self._state
        if now is not None and now.plan is state.plan and is_comparing is self.is_comparing:
            self.found.emit(found)
        else:
            self._wait.start()


def _find(state: State, is_comparing: bool) -> Found:
    is_recorded = is_comparing and state.plan.clock is Clock.CALENDAR
    differences = find_differences(state.plan, state.schedule) if is_recorded else ()
    return Found(state, problems(state), differences)
