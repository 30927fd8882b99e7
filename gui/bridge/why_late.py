"""WhyLate: asks a worker why a task is late, and the process that searches what giving way somewhere would bring.

It never holds the window up, and never changes a plan. What was found of an earlier plan or task is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.model import Clock, TaskId
from engine.session.lateness import Lateness, explain, find_late, gains_of, question_of
from engine.session.state import State
from gui.bridge.inquiry import Ask, Begin, Inquiry, Watched
from gui.bridge.optimizing import Optimizing


class WhyLate(QObject):
    """`explained` carries (State, Lateness), with None for the second where no task is late, or None while that is
    found out; `tried` the gains of what was explained last, the most gained first; `failed` why there are none.
    """

    explained = Signal(object)
    tried = Signal(object)
    failed = Signal(str)

    def __init__(
        self, optimizing: Optimizing, spawn: Callable[[Begin, str], object], ask: Ask, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._optimizing, self._spawn = optimizing, spawn
        self._task: TaskId | None = None
        self._found: Lateness | None = None
        self.inquiry = Inquiry(self._explain, spawn, ask, self)
        self.inquiry.answered.connect(self._answered)
        self.inquiry.failed.connect(self.failed)

    def show_state(self, state: State | None) -> None:
        """The plan may be another one now."""
        self.inquiry.show_state(state if state is not None and state.plan.clock is Clock.CALENDAR else None)

    def look_at(self, task: TaskId | None) -> None:
        """Explain this task, or one in it, if it is late, from now on; None: the latest of the plan."""
        if task != self._task:
            self._task = task
            self.inquiry.ask_again()

    def _explain(self, state: State, _: Watched) -> object:
        late = find_late(state, self._task)
        if late is None and self._task is not None:
            late = find_late(state, None)
        return state, None if late is None else explain(state, late)

    def _answered(self, answer: tuple[State, Lateness | None] | None) -> None:
        self._found = None if answer is None else answer[1]
        self.explained.emit(answer)
        if self._found is not None:
            self._spawn(partial(self._try, self._found), "try what would help")

    async def _try(self, found: Lateness) -> None:
        try:
            tried = await self._optimizing.ask(question_of(found))
        except EngineError as error:
            if found is self._found:
                self.failed.emit(error.sentence)
            return
        if found is self._found and isinstance(tried, tuple):
            self.tried.emit(gains_of(found, tried))
