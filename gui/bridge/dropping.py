"""Dropping: asks the process that searches what dropping a task does in each place, while a task is held.

It never changes a plan. The newest question wins, and what comes after the task was let go is not told.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.model import Clock, TaskId, Ticks
from engine.session.dropping import Places, drops_of, places_question
from engine.session.state import State
from gui.bridge.inquiry import Begin
from gui.bridge.optimizing import Optimizing

Held = tuple[TaskId, tuple[Ticks, ...]]


class Dropping(QObject):
    """`found` carries Drops of the task that is held. Nothing is told where the plan cannot be optimized."""

    found = Signal(object)

    def __init__(
        self,
        state: Callable[[], State | None],
        optimizing: Optimizing,
        spawn: Callable[[Begin, str], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._state, self._optimizing, self._spawn = state, optimizing, spawn
        self._held: Held | None = None

    def look(self, held: Held | None) -> None:
        """A task is held over places that start at some instants, or none any more."""
        self._held = held
        state = self._state()
        if held is not None and state is not None and state.plan.clock is Clock.CALENDAR:
            self._spawn(partial(self._ask, state, held), "places for a task")

    async def _ask(self, state: State, held: Held) -> None:
        try:
            places = await self._optimizing.ask(places_question(state.plan, *held))
        except EngineError:
            return  # the plan cannot be optimized: the drag goes on without a map, and a search would say why
        if held is self._held and isinstance(places, Places):
            self.found.emit(drops_of(places, self._optimizing.wish.aim))
